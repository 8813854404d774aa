"""Shows tensors in gdb as `print` does in TML. What tmlc -g makes of a tensor is an array of the dims
of all levels, whose type is named as in the source: tensor<tensor<real, 2>, 3>.

gdb finds this file by itself in share/gdb/python/gdb/printer of its own prefix; elsewhere a line
`source DIR/share/gdb/python/gdb/printer/tmlc.py` in ~/.gdbinit loads it. `set print elements N` says
how many scalars are shown; `print/r` shows the plain array.
"""

import math
import re
import struct

import gdb
import gdb.printing

TENSOR = re.compile(r"(?:tensor<)+(bool|uint|int|real)((?:(?:, \d+)+>)+)")
FORMATS = {("bool", 1): "?", ("uint", 4): "I", ("int", 4): "i", ("real", 4): "f", ("real", 8): "d"}


class Cut(Exception):
    """There are more scalars than shall be shown."""


def real_text(value, size):
    """The fewest digits that read back to the same value."""
    if size == 4 and math.isfinite(value):
        for digits in range(1, 10):
            near = float(f"{value:.{digits}g}")
            if struct.pack("<f", near) == struct.pack("<f", value):
                return repr(near)
    return repr(value)


class Literal:
    """Writes a value as a TML literal; the scalars come one by one, as text."""

    def __init__(self, scalars, levels):
        self.scalars, self.levels, self.parts = scalars, levels, []

    def text(self):
        try:
            self.element(0)
        except Cut:
            self.parts.append("...")
        return "".join(self.parts)

    def element(self, level):
        if level == len(self.levels):
            self.parts.append(next(self.scalars))
        elif len(self.levels[level]) > 3:
            self.parts.append("reshape(")
            self.tensor(level, [1, 1, math.prod(self.levels[level])], 1)
            self.parts.append("".join(f", {dim}" for dim in self.levels[level]) + ")")
        else:
            dims = self.levels[level]
            self.tensor(level, [1] * (3 - len(dims)) + dims, len(dims))

    def tensor(self, level, dims, rank):
        pages, rows, columns = dims
        space = "\n " if level == 0 else " "
        self.parts.append("[")
        for i in range(pages * rows * columns):
            if i % (rows * columns) == 0 and i > 0:
                self.parts.append(f"{space}|{space}")
            elif i % columns == 0 and i > 0:
                self.parts.append(f";{space}")
            elif i > 0:
                self.parts.append(", ")
            self.element(level + 1)
        self.parts.append({2: ";" * (rows == 1), 3: " |" * (pages == 1)}.get(rank, "") + "]")


class TensorPrinter:
    def __init__(self, value, root, levels):
        self.value, self.root, self.levels = value, root, levels

    def scalars(self):
        dims = [dim for level in self.levels for dim in level]
        count = math.prod(dims)
        limit = gdb.parameter("print elements") or count
        element = self.value.type.strip_typedefs()
        for _ in dims:
            element = element.target()
        shown = min(count, limit)
        address = int(self.value.address)
        data = gdb.selected_inferior().read_memory(address, shown * element.sizeof).tobytes()
        for scalar in struct.unpack(f"<{shown}{FORMATS[self.root, element.sizeof]}", data):
            if self.root == "real":
                yield real_text(scalar, element.sizeof)
            else:
                yield f"{scalar}u" if self.root == "uint" else str(scalar).lower()
        raise Cut

    def to_string(self):
        # Before gdb 13 one cannot ask whether arguments of a frame shall be short.
        if hasattr(gdb, "print_options") and gdb.print_options()["summary"]:
            return "..."
        return Literal(self.scalars(), self.levels).text()


class Printers(gdb.printing.PrettyPrinter):
    def __init__(self):
        super().__init__("tmlc")

    def __call__(self, value):
        match = TENSOR.fullmatch(value.type.name or "")
        # What lies in registers has no address; gdb shows its parts.
        if not match or value.is_optimized_out or value.address is None:
            return None
        levels = match[2].split(">")[-2::-1]
        return TensorPrinter(value, match[1], [[int(dim) for dim in level[2:].split(", ")] for level in levels])


gdb.printing.register_pretty_printer(None, Printers(), replace=True)
