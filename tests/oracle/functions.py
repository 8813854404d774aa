"""The built-in functions of L11, but those that read and write.

BUILTINS maps a name to a function of the call: its values as Call.values, of which Call.is_constant
tells the constant ones; sizes and positions must be. To add a function, write it here and put it
into the table.
"""

import math
from dataclasses import dataclass
from functools import reduce
from typing import Callable

import scalars
from positions import BUILTINS as POSITIONS
from positions import common, norm_of_order
from shapes import (
    NUMERIC,
    REAL,
    Illegal,
    Type,
    count,
    greater_root,
    place,
    positions,
    same_levels,
)
from transforms import BUILTINS as TRANSFORMS
from values import Value, broadcast, combine, converted, each, permute, zero


@dataclass
class Call:
    name: str
    bang: bool
    values: list
    arithmetic: scalars.Arithmetic
    is_constant: list  # of each value
    counts_as_uint: list  # L2.7
    outside: Callable  # traps for argument k, as the index of a dim of that length

    def numbers(self, *which):
        """The roots of these arguments are numbers."""
        for k in which or range(len(self.values)):
            if self.values[k].type.root not in NUMERIC:
                raise Illegal("E0408", f"argument {k + 1} of {self.name} must hold numbers")

    def real(self, k):
        return converted(self.arithmetic, self.values[k], "real")

    def integers(self, k):
        """The whole numbers of a constant scalar or vector: sizes and positions."""
        value = self.values[k]
        if not self.is_constant[k] or value.type.root not in ("int", "uint"):
            raise Illegal("E0507", f"argument {k + 1} of {self.name} must be constant")
        if value.type.is_scalar:
            return [value.data]
        if len(value.type.levels) != 1 or len(value.type.dims) != 1:
            raise Illegal("E0507", f"argument {k + 1} of {self.name} must be a vector")
        return value.data

    def length(self, k):
        (result,) = self.integers(k)
        if result < 1:
            raise Illegal("E0507", f"argument {k + 1} of {self.name} is no length")
        return result


# --- element by element ---------------------------------------------------------------------------


def math_function(call):
    call.numbers()
    value = call.real(0)
    data = each(
        lambda x: call.arithmetic.function(call.name, x), value.type.levels, value.data
    )
    return Value(value.type, data)


def absolute(call):
    call.numbers()
    value = call.real(0)
    return Value(value.type, each(abs, value.type.levels, value.data))


def classify(call):
    call.numbers()
    value = call.real(0)
    test = {"isnan": math.isnan, "isinf": math.isinf, "isfinite": math.isfinite}[call.name]
    return Value(value.type.with_root("bool"), each(test, value.type.levels, value.data))


def sign(call):
    call.numbers()
    value = call.values[0]
    return Value(value.type.with_root("int"), each(scalars.sign, value.type.levels, value.data))


def function_of_two(call):
    call.numbers()
    a, b = call.real(0), call.real(1)
    levels = same_levels(a.type, b.type)
    data = combine(lambda x, y: call.arithmetic.function(call.name, x, y), levels, a, b)
    return Value(Type(levels, "real"), data)


def bits(call, function):
    """L11: i and v are scalars or shaped as x. A constant int counts as a uint (L2.7)."""
    levels = ()
    for k, value in enumerate(call.values):
        if value.type.root != "uint" and not call.counts_as_uint[k]:
            raise Illegal("E0408", f"{call.name} takes uints")
        if not value.type.is_scalar:
            levels = same_levels(Type(levels, "uint"), value.type)
    values = [converted(call.arithmetic, value, "uint") for value in call.values]
    return Value(Type(levels, "uint"), combine(function, levels, *values))


def getbit(call):
    return bits(call, lambda x, i: x >> i & 1)


def setbit(call):
    def function(x, i, v):
        if i >= 32:
            return x
        return x | 1 << i if v else x & ~(1 << i)

    return bits(call, function)


def clamp(call):
    call.numbers()
    values = common(call, call.values)
    arithmetic = call.arithmetic
    levels = broadcast(values)
    data = combine(
        lambda x, lo, hi: arithmetic.least(arithmetic.greatest(x, lo), hi), levels, *values
    )
    return Value(Type(levels, values[0].type.root), data)


def select(call):
    if call.values[0].type.root != "bool":
        raise Illegal("E0408", "the condition of select is a bool")
    values = common(call, call.values[1:])
    levels = broadcast([call.values[0], *values])
    data = combine(lambda c, a, b: a if c else b, levels, call.values[0], *values)
    return Value(Type(levels, values[0].type.root), data)


# --- reductions -----------------------------------------------------------------------------------


def reduced(value, root, fold, bang=False):
    """Each innermost tensor replaced by what `fold` makes of its scalars, or with `bang` all
    innermost tensors of one tensor combined element by element."""
    levels = value.type.levels
    if not levels:
        return Value(Type((), root), fold([value.data]))
    if bang and len(levels) > 1:

        def across(items):
            return [fold(list(column)) for column in zip(*items)]

        left = levels[:-2] + levels[-1:]
        return Value(Type(left, root), each(across, levels[:-2], value.data))
    return Value(Type(levels[:-1], root), each(fold, levels[:-1], value.data))


def extreme(call):
    """min and max, of one value or of several."""
    call.numbers()
    better = call.arithmetic.least if call.name == "min" else call.arithmetic.greatest
    if len(call.values) == 1:
        value = call.values[0]
        return reduced(value, value.type.root, lambda items: reduce(better, items), call.bang)
    values = common(call, call.values)
    levels = broadcast(values)
    data = combine(lambda *items: reduce(better, items), levels, *values)
    return Value(Type(levels, values[0].type.root), data)


def quantifier(call):
    if call.values[0].type.root != "bool":
        raise Illegal("E0408", f"{call.name} takes bools")
    return reduced(call.values[0], "bool", all if call.name == "all" else any, call.bang)


def folded(call, op, root):
    """The sum or the product, in order."""
    return lambda items: reduce(lambda a, b: call.arithmetic.arithmetic(op, root, a, b), items)


def countable(call, k=0):
    """Bools count as uints."""
    value = call.values[k]
    return converted(call.arithmetic, value, greater_root(value.type.root, "uint"))


def total(call):
    value = countable(call)
    root = value.type.root
    return reduced(value, root, folded(call, "+" if call.name == "sum" else "*", root), call.bang)


def mean(call):
    add = folded(call, "+", "real")

    def fold(items):
        return call.arithmetic.real("/", add(items), float(len(items)))

    return reduced(call.real(0), "real", fold, call.bang)


def position(call):
    """argmin and argmax: the first of equals, and a nan before all else."""
    if call.bang:
        raise Illegal("E0716", f"{call.name} has no `!`")
    call.numbers()
    better = min if call.name == "argmin" else max

    def fold(items):
        for k, item in enumerate(items):
            if item != item:
                return k
        return items.index(better(items))

    return reduced(call.values[0], "int", fold)


def cumsum(call):
    """Along the last dim of the innermost level."""
    value = countable(call)
    root = value.type.root
    if value.type.is_scalar:
        return value
    length = value.type.levels[-1][-1]

    def along(items):
        result = []
        for k, item in enumerate(items):
            if k % length:
                item = call.arithmetic.arithmetic("+", root, result[-1], item)
            result.append(item)
        return result

    return Value(value.type, each(along, value.type.levels[:-1], value.data))


# --- shapes ---------------------------------------------------------------------------------------


def own_dims(value):
    """The dims of the outermost level, none of a scalar."""
    return value.type.levels[0] if value.type.levels else ()


def own_items(value):
    return value.data if value.type.levels else [value.data]


def rebuilt(value, dims, items):
    """A tensor with other outermost dims; without any, its only element."""
    below = value.type.levels[1:]
    if not dims:
        return Value(Type(below, value.type.root), items[0])
    return Value(Type((tuple(dims), *below), value.type.root), items)


def narrow(call):
    value = call.values[0]
    return rebuilt(value, [d for d in own_dims(value) if d != 1], own_items(value))


def placed(call, value, at, dims):
    """Dim i of the value becomes dim at[i] of dims, to whose length it stretches."""
    own = own_dims(value)
    if len(at) != len(own) or sorted(set(at)) != list(at) or any(k >= len(dims) for k in at):
        raise Illegal("E0507", "dims are strictly increasing positions, one for each dim")
    if any(length not in (1, dims[k]) for length, k in zip(own, at)):
        raise Illegal("E0507", f"{own} does not fit {dims}")
    items = own_items(value)
    data = []
    for index in positions(dims):
        source = [0 if length == 1 else index[k] for length, k in zip(own, at)]
        data.append(items[place(own, source)])
    return rebuilt(value, dims, data)


def broadcast_in_dim(call):
    at = call.integers(2) if len(call.values) == 3 else []
    return placed(call, call.values[0], at, tuple(call.integers(1)))


def align(call):
    value = call.values[0]
    at = call.integers(2)
    dims = [1] * call.length(1)
    for length, k in zip(own_dims(value), at):
        if not 0 <= k < len(dims):
            raise Illegal("E0507", f"{k} is no dim")
        dims[k] = length
    return placed(call, value, at, tuple(dims))


def reshape(call):
    value = call.values[0]
    dims = [call.length(k) for k in range(1, len(call.values))]
    if count(dims) != len(own_items(value)):
        raise Illegal("E0507", f"{value.type} has not as many elements as {dims}")
    return rebuilt(value, dims, own_items(value))


def permuted(call):
    order = [call.integers(k)[0] for k in range(1, len(call.values))]
    if sorted(order) != list(range(len(own_dims(call.values[0])))):
        raise Illegal("E0507", f"{order} is no permutation")
    return permute(call.values[0], order)


def concat(call):
    (k,) = call.integers(0)
    parts = common(call, call.values[1:])
    first = own_dims(parts[0])
    if not 0 <= k < len(first):
        raise Illegal("E0507", f"{k} is no dim")
    for part in parts:
        dims = own_dims(part)
        if dims[:k] + dims[k + 1:] != first[:k] + first[k + 1:] or len(dims) != len(first):
            raise Illegal("E0507", f"{dims} and {first} differ beside dim {k}")
        if part.type.levels[1:] != parts[0].type.levels[1:]:
            raise Illegal("E0507", f"{part.type.base} and {parts[0].type.base} differ")
    dims = (*first[:k], sum(own_dims(part)[k] for part in parts), *first[k + 1:])
    data = []
    for index in positions(dims):
        at = index[k]
        for part in parts:
            if at < own_dims(part)[k]:
                break
            at -= own_dims(part)[k]
        data.append(part.data[place(own_dims(part), (*index[:k], at, *index[k + 1:]))])
    return rebuilt(parts[0], dims, data)


def nest(call):
    value = call.values[0]
    (k,) = call.integers(1)
    dims = own_dims(value)
    if not 1 <= k < len(dims):
        raise Illegal("E0507", f"nest cannot move {k} of {len(dims)} dims")
    outer, inner = dims[:-k], dims[-k:]
    size = count(inner)
    data = [value.data[i * size:(i + 1) * size] for i in range(count(outer))]
    return Value(Type((outer, inner, *value.type.levels[1:]), value.type.root), data)


def unnest(call):
    value = call.values[0]
    levels = value.type.levels
    if len(levels) < 2:
        raise Illegal("E0507", f"{value.type} has no two levels")
    data = [item for items in value.data for item in items]
    return Value(Type((levels[0] + levels[1], *levels[2:]), value.type.root), data)


# --- vectors and matrices -------------------------------------------------------------------------


def expect_numbers(call, k, rank):
    """Depth 1 and so many dims."""
    call.numbers(k)
    type = call.values[k].type
    if len(type.levels) != 1 or rank not in (None, len(type.dims)):
        raise Illegal("E0408", f"{call.name} does not take {type}")


def eye(call):
    n = call.length(0)
    return Value(Type(((n, n),), "real"), [float(i == j) for i in range(n) for j in range(n)])


def iota(call):
    n = call.length(0)
    return Value(Type(((n,),), "int"), list(range(n)))


def linspace(call):
    """a + i * ((b - a) / (n - 1)), of which the last is b."""
    call.numbers(0, 1)
    a, b, n = call.real(0), call.real(1), call.length(2)
    if not (a.type.is_scalar and b.type.is_scalar):
        raise Illegal("E0408", "linspace goes from a number to a number")
    if n == 1:
        return Value(Type(((1,),), "real"), [a.data])
    real = call.arithmetic.real
    step = real("/", real("-", b.data, a.data), float(n - 1))
    data = [real("+", a.data, real("*", float(i), step)) for i in range(n - 1)]
    return Value(Type(((n,),), "real"), [*data, b.data])


def diag(call):
    value = call.values[0]
    if len(value.type.levels) != 1 or len(value.type.dims) > 2:
        raise Illegal("E0408", f"diag does not take {value.type}")
    dims = value.type.dims
    if len(dims) == 2:
        return rebuilt(value, (min(dims),), [value.data[i * dims[1] + i] for i in range(min(dims))])
    n = dims[0]
    nothing = zero(value.type.base).data
    data = [value.data[i] if i == j else nothing for i in range(n) for j in range(n)]
    return rebuilt(value, (n, n), data)


def trace(call):
    expect_numbers(call, 0, 2)
    value = diag(call)
    return reduced(value, value.type.root, folded(call, "+", value.type.root))


def norm(call):
    expect_numbers(call, 0, None)
    if len(call.values) == 2:
        return norm_of_order(call)
    arithmetic = call.arithmetic
    squares = [arithmetic.real("*", x, x) for x in call.real(0).data]
    return Value(REAL, arithmetic.function("sqrt", folded(call, "+", "real")(squares)))


def two_vectors(call):
    expect_numbers(call, 0, 1)
    expect_numbers(call, 1, 1)
    a, b = common(call, call.values)
    return a.data, b.data, a.type.root


def cross(call):
    a, b, root = two_vectors(call)
    if len(a) != 3 or len(b) != 3:
        raise Illegal("E0408", "cross takes vectors of three")

    def component(i, j):
        op = call.arithmetic.arithmetic
        return op("-", root, op("*", root, a[i], b[j]), op("*", root, a[j], b[i]))

    return Value(Type(((3,),), root), [component(1, 2), component(2, 0), component(0, 1)])


def outer(call):
    a, b, root = two_vectors(call)
    data = [call.arithmetic.arithmetic("*", root, x, y) for x in a for y in b]
    return Value(Type(((len(a), len(b)),), root), data)


def matrix(call, k=0):
    expect_numbers(call, k, 2)
    value = call.real(k)
    n, m = value.type.dims
    return [value.data[i * m:(i + 1) * m] for i in range(n)]


def square(call):
    rows = matrix(call)
    if len(rows) != len(rows[0]):
        raise Illegal("E0408", f"{call.name} takes a square matrix")
    return rows


def from_rows(rows):
    dims = (len(rows), len(rows[0]))
    return Value(Type((dims,), "real"), [x for row in rows for x in row])


def bring_pivot_up(k, a, *others):
    """Partial pivoting: the row with the greatest element of column k. True if rows moved."""
    best = k
    for i in range(k + 1, len(a)):
        if abs(a[i][k]) > abs(a[best][k]):
            best = i
    for rows in (a, *others):
        rows[k], rows[best] = rows[best], rows[k]
    return best != k


def eliminate(call, row, pivot_row, factor, first):
    """The row less a multiple of the pivot's, from column `first` on."""
    real = call.arithmetic.real
    return [
        real("-", x, real("*", factor, y)) if j >= first else x
        for j, (x, y) in enumerate(zip(row, pivot_row))
    ]


def det(call):
    a = square(call)
    real = call.arithmetic.real
    result = 1.0
    for k in range(len(a)):
        if bring_pivot_up(k, a):
            result = -result
        if a[k][k] == 0:
            return Value(REAL, 0.0)
        result = real("*", result, a[k][k])
        for i in range(k + 1, len(a)):
            a[i] = eliminate(call, a[i], a[k], real("/", a[i][k], a[k][k]), k + 1)
    return Value(REAL, result)


def solved(call, a, b):
    """Gaussian elimination and substitution on copies of the rows."""
    real = call.arithmetic.real
    n = len(a)
    for k in range(n):
        bring_pivot_up(k, a, b)
        for i in range(k + 1, n):
            factor = real("/", a[i][k], a[k][k])
            a[i] = eliminate(call, a[i], a[k], factor, k + 1)
            b[i] = eliminate(call, b[i], b[k], factor, 0)
    for i in reversed(range(n)):
        for k in range(i + 1, n):
            b[i] = eliminate(call, b[i], b[k], a[i][k], 0)
        b[i] = [real("/", x, a[i][i]) for x in b[i]]
    return b


def solve(call):
    a = square(call)
    expect_numbers(call, 1, None)
    b = call.real(1)
    n = own_dims(b)[0]
    if n != len(a) or len(own_dims(b)) > 2:
        raise Illegal("E0408", f"solve does not take {b.type}")
    width = len(b.data) // n
    rows = solved(call, a, [b.data[i * width:(i + 1) * width] for i in range(n)])
    return Value(b.type, [x for row in rows for x in row])


def inv(call):
    """As for a system of which the identity is the right side, with each pivot's reciprocal."""
    a = square(call)
    real = call.arithmetic.real
    n = len(a)
    b = [[float(i == j) for j in range(n)] for i in range(n)]
    for k in range(n):
        bring_pivot_up(k, a, b)
        a[k][k] = real("/", 1.0, a[k][k])
        for i in range(k + 1, n):
            factor = real("*", a[i][k], a[k][k])
            a[i] = eliminate(call, a[i], a[k], factor, k + 1)
            b[i] = eliminate(call, b[i], b[k], factor, 0)
    for i in reversed(range(n)):
        for k in range(i + 1, n):
            b[i] = eliminate(call, b[i], b[k], a[i][k], 0)
        b[i] = [real("*", x, a[i][i]) for x in b[i]]
    return from_rows(b)


def chol(call):
    a = square(call)
    real = call.arithmetic.real
    n = len(a)
    result = [[0.0] * n for _ in range(n)]
    for j in range(n):
        for i in range(j, n):
            value = a[i][j]
            for k in range(j):
                value = real("-", value, real("*", result[i][k], result[j][k]))
            result[i][j] = (
                call.arithmetic.function("sqrt", value)
                if i == j
                else real("/", value, result[j][j])
            )
    return from_rows(result)


# name: the function, the least and the greatest number of arguments (None: any), has `!`
BUILTINS = {
    **{name: (math_function, 1, 1, False) for name in scalars.FUNCTIONS},
    **{name: (classify, 1, 1, False) for name in ("isnan", "isinf", "isfinite")},
    "abs": (absolute, 1, 1, False),
    "sign": (sign, 1, 1, False),
    "atan2": (function_of_two, 2, 2, False),
    "hypot": (function_of_two, 2, 2, False),
    "getbit": (getbit, 2, 2, False),
    "setbit": (setbit, 3, 3, False),
    "clamp": (clamp, 3, 3, False),
    "select": (select, 3, 3, False),
    "min": (extreme, 1, None, True),
    "max": (extreme, 1, None, True),
    "all": (quantifier, 1, 1, True),
    "any": (quantifier, 1, 1, True),
    "sum": (total, 1, 1, True),
    "prod": (total, 1, 1, True),
    "mean": (mean, 1, 1, True),
    "argmin": (position, 1, 1, True),
    "argmax": (position, 1, 1, True),
    "cumsum": (cumsum, 1, 1, False),
    "narrow": (narrow, 1, 1, False),
    "broadcast_in_dim": (broadcast_in_dim, 2, 3, False),
    "align": (align, 3, 3, False),
    "reshape": (reshape, 2, None, False),
    "permute": (permuted, 2, None, False),
    "concat": (concat, 2, None, False),
    "nest": (nest, 2, 2, False),
    "unnest": (unnest, 1, 1, False),
    "eye": (eye, 1, 1, False),
    "iota": (iota, 1, 1, False),
    "linspace": (linspace, 3, 3, False),
    "diag": (diag, 1, 1, False),
    "trace": (trace, 1, 1, False),
    "norm": (norm, 1, 2, False),
    "cross": (cross, 2, 2, False),
    "outer": (outer, 2, 2, False),
    "det": (det, 1, 1, False),
    "inv": (inv, 1, 1, False),
    "solve": (solve, 2, 2, False),
    "chol": (chol, 1, 1, False),
    **POSITIONS,
    **TRANSFORMS,
}
