"""`%%tml NAME` in notebooks: the cell is compiled, and NAME is the model."""

from __future__ import annotations

import argparse
import shlex
import sys
from typing import Any

from tmlc import _command, _model


def _value(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"`{text}` is not NAME=VALUE")
    return name, value


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> Any:
        raise ValueError(f"%%tml: {message}")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="%%tml", add_help=False, allow_abbrev=False)
    parser.add_argument("name", nargs="?", default="model")
    parser.add_argument("-D", dest="define", action="append", type=_value, default=[])
    parser.add_argument("--with", dest="connect", action="append", default=[])
    parser.add_argument("--interface", action="append", default=[])
    parser.add_argument("--real", default="f64")
    parser.add_argument("--cpu", default="native")
    parser.add_argument("-O", dest="optimize")
    parser.add_argument("--debug-signals", action="store_true")
    return parser


def load(shell: Any) -> None:
    """For `%load_ext tmlc`."""

    def tml(line: str, cell: str) -> None:
        options = vars(_parser().parse_args(shlex.split(line)))
        options["define"] = dict(options["define"])
        name = options["name"]
        if not name.isidentifier():
            raise ValueError(f"%%tml: `{name}` is no name in Python")
        try:
            shell.user_ns[name] = _model.compile(cell if "\n" in cell else cell + "\n", **options)
        except _command.CompileError as error:
            print(error, file=sys.stderr)

    tml.__doc__ = "Compiles the cell: %%tml NAME [-D p.x=1] [--with t.y] [--real f32] [--cpu NAME] [-O 3]"
    shell.register_magic_function(tml, magic_kind="cell", magic_name="tml")
