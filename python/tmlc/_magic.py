"""`%%tml NAME` in notebooks: the cell is compiled, and NAME is the model."""

from __future__ import annotations

import shlex
import sys
from typing import Any

from tmlc import _command, _model, _source

# What the package decides, or what makes no model.
OWN = (
    "-o", "-c", "-h", "-MD", "-MF", "--color", "--completions", "--diagnostics", "--emit", "--explain", "--help", "--prefix",
    "--target", "--version",
)
# What has no value, or only behind `=`.
ALONE = (
    "--batch", "--debug-signals", "--linearize", "--no-project", "--no-table", "--remarks", "--report", "--save-temps",
    "--sources", "--time",
)


def _awaits(word: str) -> bool:
    """Whether the value of an option may be the next word."""
    return word in ("-D", "-O", "-W") or (word.startswith("--") and "=" not in word and word not in ALONE)


def _split(line: str) -> tuple[str, tuple[str, ...]]:
    """The name, which stands before the options or behind them, and the options with their values."""
    name, options = "", []
    for word in shlex.split(line):
        if word.startswith("-"):
            options.append(word)
        elif options and _awaits(options[-1]):
            options[-1] += ("=" if options[-1].startswith("--") else "") + word
        elif not name:
            name = word
        else:
            raise ValueError(f"%%tml: `{word}` is no option")
    for option in options:
        stem = option.split("=")[0] if option.startswith(("--", "-M")) else option[:2]
        if stem in OWN:
            raise ValueError(f"%%tml: `{stem}` is not for models of Python")
    return name or "model", tuple(options)


def load(shell: Any) -> None:
    """For `%load_ext tmlc`."""

    def tml(line: str, cell: str) -> None:
        name, options = _split(line)
        if not name.isidentifier():
            raise ValueError(f"%%tml: `{name}` is no name in Python")
        try:
            source = _source.source_of(cell if "\n" in cell else cell + "\n", options, name)
            shell.user_ns[name] = _model.built(source)
        except _command.CompileError as error:
            print(error, file=sys.stderr)

    tml.__doc__ = "Compiles the cell: %%tml NAME, with options of the command, as -D p.x=1 --real=f32 --linearize"
    shell.register_magic_function(tml, magic_kind="cell", magic_name="tml")
