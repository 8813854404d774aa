"""Types and what the rules say about their shapes (L2, L5.2, L5.4, L5.5, L6.1).

A type has levels: one tuple of dims for each `tensor`, outermost first, none for a scalar; and the
root at the bottom. `tensor<tensor<int, 3>, 2>` is Type(((2,), (3,)), "int").
"""

import itertools
from dataclasses import dataclass

ORDER = ("bool", "uint", "int", "real")  # L2.4
NUMERIC = ("uint", "int", "real")


class Illegal(Exception):
    """The program breaks a rule that the compiler has to tell."""

    def __init__(self, code, text, node=None):
        super().__init__(code, text)
        self.code = code
        self.text = text
        self.node = node


@dataclass(frozen=True)
class Type:
    levels: tuple
    root: str

    @property
    def is_scalar(self):
        return not self.levels

    @property
    def dims(self):
        return self.levels[0]

    @property
    def base(self):
        return Type(self.levels[1:], self.root)

    def with_root(self, root):
        return Type(self.levels, root)

    def __str__(self):
        if self.is_scalar:
            return self.root
        return f"tensor<{self.base}, {', '.join(map(str, self.dims))}>"


BOOL = Type((), "bool")
UINT = Type((), "uint")
INT = Type((), "int")
REAL = Type((), "real")
STR = Type((), "str")
CHAR = Type((), "char")


def count(dims):
    """How many elements a tensor of these dims has."""
    result = 1
    for length in dims:
        result *= length
    return result


def positions(dims):
    """All indices of a tensor of these dims, row by row."""
    return itertools.product(*(range(length) for length in dims))


def place(dims, index):
    """Where the element at this index stands when the elements are counted row by row."""
    result = 0
    for length, i in zip(dims, index):
        result = result * length + i
    return result


def greater_root(a, b):
    """L2.4."""
    return ORDER[max(ORDER.index(a), ORDER.index(b))]


def pad(dims, rank):
    return (1,) * (rank - len(dims)) + dims


def broadcast_dims(a, b):
    """L5.2 (a) and (b)."""
    rank = max(len(a), len(b))
    result = []
    for left, right in zip(pad(a, rank), pad(b, rank)):
        if left != right and 1 not in (left, right):
            raise Illegal("E0501", f"{a} and {b} do not broadcast")
        result.append(right if left == 1 else left)
    return tuple(result)


def broadcast_levels(a, b):
    """L5.2 (c): the outermost levels combine with the outermost ones; a scalar spreads."""
    if not a or not b:
        return a or b
    return (broadcast_dims(a[0], b[0]), *broadcast_levels(a[1:], b[1:]))


def stretched(dims, index):
    """The index that an element of a broadcast result reads in an operand of these dims."""
    own = index[len(index) - len(dims):]
    return tuple(0 if length == 1 else i for length, i in zip(dims, own))


def same_levels(a, b):
    """L5.4: one is a scalar, or all levels are the same."""
    if a.is_scalar:
        return b.levels
    if b.is_scalar or a.levels == b.levels:
        return a.levels
    raise Illegal("E0502", f"{a} and {b} have different shapes")


def check_assigns(target, levels):
    """L6.1: raises unless a value of these levels can be assigned to the levels of a target."""
    if not levels:
        return
    if not target:
        raise Illegal("E0510", "a tensor never assigns to a scalar")
    if len(levels[0]) > len(target[0]):
        raise Illegal("E0510", f"{levels[0]} has more dims than {target[0]}")
    for length, wanted in zip(pad(levels[0], len(target[0])), target[0]):
        if length not in (1, wanted):
            raise Illegal("E0510", f"{levels[0]} does not stretch to {target[0]}")
    check_assigns(target[1:], levels[1:])


def dot_dims(a, b):
    """L5.5, for two tensors: the dims of the result, () for a scalar."""
    if len(a) > 2 or len(b) > 2:
        raise Illegal("E0503", "at most two dims")
    if a[-1] != b[0]:
        raise Illegal("E0504", f"lengths {a[-1]} and {b[0]} must agree")
    return a[:-1] + b[1:]
