"""What the folders of kernels/ say.

A kernel's folder has

    kernel.toml    its class, a line about it, the data of its inputs, how exact results must be
    *.tml          the kernel as a user of TML writes it; several files are several writings of it
    plain.c        the same values in plain C
    vector.c       the fastest C one can write; vector.h helps
    eigen.cpp, fftw.c, numpy.py    the same with these libraries, where that is natural

The TML is a library with a function `run`, or a component that is stepped over all rows of an input.
The C functions are called KERNEL and have the parameters of the TML one, arrays as pointers, then the
result; those of a component get the inputs of all steps, then the outputs of all.
"""

import dataclasses
import pathlib
import tomllib

ROOTS = {"real": "REAL", "int": "int32_t", "uint": "uint32_t", "bool": "uint8_t"}
FOLDER = pathlib.Path(__file__).resolve().parent.parent / "kernels"


@dataclasses.dataclass(eq=False)
class Kernel:
    folder: pathlib.Path
    kind: str  # the class
    text: str
    writings: list[str]  # names of the TML files; the first one has the kernel's name if there is one
    steps: int  # of a component, else 0
    data: dict[str, str]  # input: fill, a, b
    strict: float  # what strict variants may differ by
    tolerance: float  # what others may
    strays: float  # the share of elements in which others may differ by more
    bar: float  # how many times its C, or FFTW, tmlc may take; 0.0 for none
    ordered: list[str]  # writings that say in which order to add; only C that keeps it counts

    @property
    def name(self):
        return self.folder.name

    def row(self, writing):
        """The name of a writing's row in the table."""
        return self.name if writing == self.name else f"{self.name}/{writing}"


KEYS = {"class", "text", "steps", "data", "strict", "tolerance", "strays", "writings", "bar", "ordered"}


def read(folder):
    with open(folder / "kernel.toml", "rb") as file:
        about = tomllib.load(file)
    unknown = set(about) - KEYS
    if unknown:
        raise SystemExit(f"{folder}/kernel.toml: unknown {', '.join(sorted(unknown))}")
    found = sorted(path.stem for path in folder.glob("*.tml"))
    writings = about.get("writings", found)
    if sorted(writings) != found or not found:
        raise SystemExit(f"{folder}: the TML files are {found}, but kernel.toml says {writings}")
    ordered = about.get("ordered", [])
    if not set(ordered) <= set(writings):
        raise SystemExit(f"{folder}: there is no writing {', '.join(set(ordered) - set(writings))}")
    tolerance = about.get("tolerance", 1e-12)
    return Kernel(folder, about["class"], about["text"], writings, about.get("steps", 0),
                  about.get("data", {}), about.get("strict", tolerance), tolerance,
                  about.get("strays", 0.0), about.get("bar", 0.0), ordered)


def read_all(folder=FOLDER):
    kernels = [read(path.parent) for path in folder.glob("*/kernel.toml")]
    order = list(CLASSES)
    for kernel in kernels:
        if kernel.kind not in order:
            raise SystemExit(f"{kernel.name}: there is no class `{kernel.kind}`")
    return sorted(kernels, key=lambda kernel: (order.index(kernel.kind), kernel.name))


CLASSES = {
    "streaming": "element by element, in L1, L2 and memory; masks",
    "broadcast": "operands that are stretched",
    "reduction": "reductions, statistics of rows and columns, prefix sums",
    "small": "batches of small matrices",
    "control": "filters, controllers, models in state space",
    "product": "big products",
    "stencil": "neighbours in a grid",
    "function": "elementary functions",
    "library": "functions of the library, each with a bar",
    "loop": "loops that differ from element to element, or are triangular",
    "method": "methods of numerical textbooks",
    "sequence": "steps that need the last ones: filters, transforms, dynamic programming",
    "shape": "transposes and permutations",
    "integer": "integers and bits",
    "everyday": "loops as they come to mind, one element after the other",
}


@dataclasses.dataclass
class Argument:
    name: str
    root: str
    dims: list[int]
    scalar: bool

    @property
    def count(self):
        count = 1
        for dim in self.dims:
            count *= dim
        return count


def flat(dims):
    return [dim for level in dims for dim in level]


def signature(kernel, model):
    """The inputs and the result of a kernel, from what `tmlc --emit=json` prints about a writing."""
    if not kernel.steps:
        run = next(function for function in model["functions"] if function["name"] == "run")
        arguments = [Argument(p["name"], p["root"], flat(p["dims"]), not p["dims"])
                     for p in run["params"] + run["results"]]
        arguments[-1].scalar = False
        return arguments
    arguments = []
    for struct in ("inputs", "outputs"):
        members = model["structs"][struct]["members"]
        if {member["root"] for member in members} != {"real"}:
            raise SystemExit(f"{kernel.name}: terminals of components are reals here")
        width = model["structs"][struct]["bytes"] // model["real_bytes"]
        arguments.append(Argument("u" if struct == "inputs" else "y", "real",
                                  [kernel.steps, width], False))
    return arguments
