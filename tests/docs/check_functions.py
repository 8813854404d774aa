"""What the sources say of functions is whole: check_functions.py ROOT TMLC MADE_PAGE

Every built-in function (sema/builtin/functions.in) and every function of the library (the comment above it)
says what NumPy and MATLAB call it and has an example, or the rule of the language that has them; those of
the library say how they are applied, how exact they are, what they cost and what bad values do. The names
of NumPy are there, and who calls a function by one of these names is told of ours. `tmlc --explain` knows every function, and the index in the documents is the one that
the build makes of all this.
"""

import math
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

OF_ALL = ("numpy", "matlab")
OF_LIBRARY = ("form", "accuracy", "cost", "bad")
ENTRY = re.compile(r"^@ (\w+)\((?:.*)\n((?:.+\n)*)", re.MULTILINE)
COMMENT = re.compile(r"((?:^# .*\n)*)^fn ([a-z]\w*)\(", re.MULTILINE)
FIELD = re.compile(r"^(?:# )?([a-z]+): (.*)$", re.MULTILINE)


def entries(root):
    """Of each function its name, its fields and whether it is of the library."""
    text = (root / "sema/builtin/functions.in").read_text()
    for name, lines in ENTRY.findall(text):
        yield name, dict(FIELD.findall(lines)), False
    for path in sorted((root / "sema/library").glob("*.tml")):
        for comment, name in COMMENT.findall(path.read_text()):
            yield name, dict(FIELD.findall(comment)), True


def exists(word):
    """Whether Python's world has it; of what is not installed here, whether it may be a name."""
    module, _, rest = word.partition(".")
    known = {"np": np, "math": math, "int": int, "print": print}
    if word == "assert" or module in ("scipy", "jax"):
        return re.fullmatch(r"[\w.]+", word) is not None
    if word == "int.bit_count":  # from Python 3.10 on
        return True
    value = known.get(module)
    for part in filter(None, rest.split(".")):
        value = getattr(value, part, None)
    return value is not None


def problems_of(root, tmlc, name, fields, of_library):
    for field in OF_ALL + (OF_LIBRARY if of_library else ()):
        if not fields.get(field, "").strip():
            yield f"`{name}` has no `{field}`"
    if " -> " not in fields.get("example", ""):
        rule = fields.get("rule", "")
        section = re.search(rf"^##+ {re.escape(rule)} .*\n((?:(?!^## ).*\n)*)",
                            (root / "docs/language.md").read_text(), re.MULTILINE)
        if not rule or section is None or f"{name}(" not in section[1]:
            yield f"`{name}` has neither an example nor a rule with one"
    for word in re.split(r", ", fields.get("numpy", "-")):
        if word != "-" and not exists(word):
            yield f"`{name}` is not `{word}` of NumPy"
    ran = subprocess.run([tmlc, "--explain", name], capture_output=True, text=True)
    if ran.returncode != 0 or not ran.stdout.startswith(f"{name}("):
        yield f"`tmlc --explain {name}` says {ran.stdout[:60]!r} {ran.stderr[:60]!r}"


def names_elsewhere(fields):
    """The names without their modules, and what is more than a name left out."""
    for field in OF_ALL:
        for word in fields.get(field, "-").split(", "):
            match = re.fullmatch(r"(?:\w+\.)*([A-Za-z_]\w\w+)(?:\(.*)?", word)
            if match is not None:
                yield match[1]


def is_told(tmlc, name, folder):
    """Whether a call by this name is one of a function, or is told what there is instead."""
    source = Path(folder) / "call.tml"
    source.write_text(f"print({name}(1.0))\n")
    ran = subprocess.run([tmlc, "check", source], capture_output=True, text=True)
    return ran.returncode in (0, 1) and ("unknown function" not in ran.stderr or
                                         re.search("= (note|help): ", ran.stderr) is not None)


def main():
    root, tmlc, made = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
    functions = list(entries(root))
    problems = [problem for name, fields, of_library in functions
                for problem in problems_of(root, tmlc, name, fields, of_library)]
    names = [name for name, _, _ in functions]
    built_in = set(re.findall(r'^BUILTIN\("(\w+)"', (root / "sema/builtin/builtin.def").read_text(),
                              re.MULTILINE))
    problems += [f"`{name}` is not in sema/builtin/functions.in" for name in built_in - set(names)]
    problems += [f"`{name}` stands twice" for name in set(names) if names.count(name) > 1]
    with tempfile.TemporaryDirectory() as folder:
        elsewhere = {word for _, fields, _ in functions for word in names_elsewhere(fields)}
        problems += [f"`{word}` is not told what it is called here"
                     for word in sorted(elsewhere) if not is_told(tmlc, word, folder)]
    if len(elsewhere) < 150:
        problems.append(f"only {len(elsewhere)} names elsewhere")
    page = root / "docs/functions.md"
    if page.read_text() != made.read_text():
        problems.append(f"{page} is not what the build makes: cp {made} {page}")
    print("\n".join(problems))
    print(f"{len(functions)} functions, {len(problems)} problems")
    return bool(problems) or len(functions) < 150


sys.exit(main())
