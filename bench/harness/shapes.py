"""Patterns: kernels whose sizes are drawn.

The files of patterns/ are named after the classes in kernels.py; the list PATTERNS of each has a
`Pattern` for each kernel, which names its dims and what each may be. Its texts, TML and C, have `$n`
for the dim `n`, and `${n-1}` for what is computed of dims. A pattern and what was drawn for its dims
are a row, and a row can be written as a folder that kernels.py reads.
"""

import dataclasses
import importlib.util
import pathlib
import random
import string

import kernels

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "patterns"
SIZES = [3, 5, 7, 8, 12, 15, 16, 17, 24, 31, 33, 48, 63, 64, 100, 127]
LENGTHS = [200, 257, 500, 777, 1000, 1024, 2000, 4097]
# Sums of some thousand terms that are grouped otherwise differ by some hundred roundings at most,
# and by far fewer as a rule: 2^-24 each for float. With double there is no need to be as close.
TOLERANCES = {"f64": 1e-12, "f32": 2e-5}
# `real` is REAL in all patterns, a macro, and a constant such as (REAL)0.5 has that type: with floats
# a double in between is an error. Functions go by the type of their arguments, as <tgmath.h> has them.
HEAD = "#include <string.h>\n#include <tgmath.h>\n"


def sizes(least=3, most=127):
    return [size for size in SIZES if least <= size <= most]


@dataclasses.dataclass
class Pattern:
    name: str
    dims: dict[str, list]  # name: what it may be, numbers, or words such as names of functions
    tml: str
    c: str
    data: dict[str, str] = dataclasses.field(default_factory=dict)  # as in kernel.toml
    strays: float = 0.0
    kind: str = ""  # the class, which is the name of its file


class Text(string.Template):
    braceidpattern = r"[a-z][a-z0-9+*/-]*"


class Dims(dict):
    def __missing__(self, expression):
        return eval(expression, {"__builtins__": {}}, dict(self))


@dataclasses.dataclass
class Row:
    pattern: Pattern
    dims: dict

    @property
    def name(self):
        words = [str(dim) for dim in self.dims.values() if isinstance(dim, str)]
        numbers = [str(dim) for dim in self.dims.values() if not isinstance(dim, str)]
        return "_".join([self.pattern.name, *words, "x".join(numbers)])

    @property
    def text(self):
        return ", ".join(f"{name} {dim}" for name, dim in self.dims.items())

    def filled(self, text):
        return Text(text).substitute(Dims(self.dims)).lstrip("\n")

    def about(self, real):
        data = [f'{name} = "{self.filled(fill)}"' for name, fill in self.pattern.data.items()]
        return "\n".join([f'class = "{self.pattern.kind}"', f'text = "{self.text}"',
                          f"tolerance = {TOLERANCES[real]}", f"strays = {self.pattern.strays}",
                          *["[data]"] * bool(data), *data, ""])

    def write(self, root, real):
        """Makes the folder of this kernel in `root`, and reads it."""
        folder = root / self.name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{self.name}.tml").write_text(self.filled(self.pattern.tml))
        (folder / "plain.c").write_text(HEAD + self.filled(self.pattern.c))
        (folder / "kernel.toml").write_text(self.about(real))
        return kernels.read(folder)


def read_all(folder=FOLDER):
    patterns = []
    for kind in kernels.CLASSES:
        path = folder / f"{kind}.py"
        if path.exists():
            spec = importlib.util.spec_from_file_location(f"patterns_{kind}", path)
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            patterns += [dataclasses.replace(pattern, kind=kind) for pattern in module.PATTERNS]
    return patterns


def drawn(pattern, seed, count):
    """So many rows of different sizes, or all that there are; other patterns have no part in them."""
    source = random.Random(f"{seed} {pattern.name}")
    rows = {}
    for _ in range(100 * count):
        if len(rows) < count:
            row = Row(pattern, {name: source.choice(dims) for name, dims in pattern.dims.items()})
            rows.setdefault(row.name, row)
    return list(rows.values())
