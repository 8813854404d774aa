"""How values print (L12)."""

import ctypes
import math
from fractions import Fraction

from shapes import positions
from values import scalars

# Between elements, rows, pages.
SEPARATORS = (", ", "; ", " | ")
LINES = (", ", ";\n ", "\n |\n ")


def digits_of_single(value):
    """The fewest digits that read back equal as a float of 24 bits, and of those the nearest, the
    even one of two, as Python writes them. Beside a power of two the nearest with so many digits
    may not read back, and its neighbour does."""
    exact = Fraction(abs(value))
    for count in range(1, 10):
        _, _, exponent = f"{value:.{count - 1}e}".partition("e")
        unit = Fraction(10) ** (int(exponent) - count + 1)
        middle = round(exact / unit)
        for digits in sorted((middle, middle - 1, middle + 1), key=lambda d: abs(d * unit - exact)):
            near = float(digits * unit)
            if ctypes.c_float(near).value == abs(value):
                return repr(math.copysign(near, value))
    raise AssertionError(f"{value!r} is no single")


def real(value, single):
    """Python writes doubles as L12 says."""
    if single and value != 0 and math.isfinite(value):
        return digits_of_single(value)
    return repr(value)


def scalar(root, value, single):
    if root == "bool":
        return "true" if value else "false"
    if root == "real":
        return real(value, single)
    if root in ("str", "char"):
        return value.decode("utf-8", "surrogateescape")
    return f"{value}u" if root == "uint" else str(value)


def rows(texts, dims, separators):
    """The texts of elements with separators between them."""
    if len(dims) == 1:
        return separators[0].join(texts)
    size = len(texts) // dims[0]
    parts = [rows(texts[i * size:(i + 1) * size], dims[1:], separators) for i in range(dims[0])]
    return separators[len(dims) - 1].join(parts)


def literal(texts, dims, separators):
    """A single row or page ends in its separator, which tells how many dims there are."""
    is_single = len(dims) > 1 and dims[0] == 1
    mark = SEPARATORS[len(dims) - 1].rstrip() if is_single else ""
    return f"[{rows(texts, dims, separators)}{mark}]"


def on_a_line(type, data, single):
    """A tensor inside a tensor."""
    if type.is_scalar:
        return scalar(type.root, data, single)
    texts = [on_a_line(type.base, item, single) for item in data]
    if len(type.dims) > 3:
        return f"reshape([{', '.join(texts)}], {', '.join(map(str, type.dims))})"
    return literal(texts, type.dims, SEPARATORS)


def matrices(type, texts):
    """More than three dims: a matrix for each of the leading indices."""
    size = type.dims[-2] * type.dims[-1]
    parts = []
    for k, index in enumerate(positions(type.dims[:-2])):
        leading = "".join(f"{i}, " for i in index)
        matrix = literal(texts[k * size:(k + 1) * size], type.dims[-2:], LINES)
        parts.append(f"# [{leading}:, :]\n{matrix}")
    return "\n".join(parts)


def printed(value, single):
    type = value.type
    if type.is_scalar:
        return scalar(type.root, value.data, single)
    texts = [on_a_line(type.base, item, single) for item in value.data]
    if len(type.dims) > 3:
        return matrices(type, texts)
    return literal(texts, type.dims, LINES)


def cells(value, single):
    """What a simulation writes: bools are 1 and 0, uints have no suffix (docs/simulation.md)."""
    for item in scalars(value.type.levels, value.data):
        if value.type.root == "real":
            yield real(item, single)
        else:
            yield str(int(item))
