"""Built-in functions of L11 and L18.8 that compare, look at bits, take rows by their positions, or
join copies. Rows of functions.BUILTINS, whose Call they get.
"""

import itertools
from functools import reduce

import scalars
from shapes import REAL, Illegal, Type, count, greater_root
from values import Value, broadcast, combine, converted, each, shaped
from values import scalars as all_scalars


def common(call, values):
    """With the greatest root of them."""
    root = reduce(greater_root, [value.type.root for value in values])
    return [converted(call.arithmetic, value, root) for value in values]


# --- element by element ---------------------------------------------------------------------------


def of_reals(call):
    call.numbers()
    values = [call.real(k) for k in range(len(call.values))]
    levels = broadcast(values)
    data = combine(lambda *items: call.arithmetic.function(call.name, *items), levels, *values)
    return Value(Type(levels, "real"), data)


COMPARISONS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}


def comparison(call):
    roots = {value.type.root for value in call.values}
    if roots != {"bool"} or call.name not in ("eq", "ne"):
        call.numbers()
    values = call.values
    if "real" in roots:
        values = common(call, values)
    levels = broadcast(values)
    data = combine(lambda a, b: scalars.compare(COMPARISONS[call.name], a, b), levels, *values)
    return Value(Type(levels, "bool"), data)


BITS = {
    "mulhi": lambda a, b: a * b >> 32,
    "popcount": lambda x: f"{x:b}".count("1"),
    "clz": lambda x: 32 - x.bit_length(),
    "ctz": lambda x: f"{x:b}"[::-1].index("1") if x else 32,
    "bitreverse": lambda x: int(f"{x:032b}"[::-1], 2),
}


def of_bits(call):
    for k, value in enumerate(call.values):
        if value.type.root != "uint" and not call.counts_as_uint[k]:
            raise Illegal("E0408", f"{call.name} takes uints")
    values = [converted(call.arithmetic, value, "uint") for value in call.values]
    levels = broadcast(values)
    return Value(Type(levels, "uint"), combine(BITS[call.name], levels, *values))


# --- rows by their positions (L18.8) --------------------------------------------------------------


def rows(value, length):
    """The elements of the outermost level as so many lists."""
    width = len(value.data) // length
    return [value.data[k * width:(k + 1) * width] for k in range(length)]


def gathered(call):
    """x, its rows, the positions, and the dims of what stands there."""
    x, at = call.values[:2]
    if x.type.is_scalar:
        raise Illegal("E0408", f"{call.name} needs a tensor")
    if at.type.root not in ("int", "uint") or len(at.type.levels) > 1:
        raise Illegal("E0408", "positions are whole numbers")
    length = x.type.dims[0]
    where = list(all_scalars(at.type.levels, at.data))
    for i, k in enumerate(where):
        if not 0 <= k < length and call.is_constant[1]:
            raise Illegal("E0508", f"position {k} of {length}")
        if not 0 <= k < length:
            where[i] = call.outside(1, k, length)
    dims = (at.type.levels[0] if at.type.levels else ()) + x.type.dims[1:]
    return x, rows(x, length), where, dims


def take(call):
    x, old, where, dims = gathered(call)
    data = list(itertools.chain(*[old[k] for k in where]))
    below = x.type.levels[1:]
    return Value(Type((dims, *below), x.type.root), data) if dims else \
        Value(Type(below, x.type.root), data[0])


def scattered(call):
    """put and add_at."""
    adds = call.name == "add_at"
    if adds:
        call.numbers(0)
    x, old, where, dims = gathered(call)
    root, below = x.type.root, x.type.levels[1:]
    value = call.values[2]
    if greater_root(root, value.type.root) != root and not (
            root == "uint" and call.counts_as_uint[2]):
        raise Illegal("E0401", f"{value.type} does not fit {root}")
    levels = (dims, *below) if dims else below
    value = shaped(converted(call.arithmetic, value, root), levels)
    new = rows(value, len(where)) if dims else [[value.data]]
    for k, row in zip(where, new):
        if adds:
            row = [each_of_two(call, root, below, a, b) for a, b in zip(old[k], row)]
        old[k] = row
    return Value(x.type, list(itertools.chain(*old)))


def each_of_two(call, root, levels, a, b):
    if not levels:
        return call.arithmetic.arithmetic("+", root, a, b)
    return [each_of_two(call, root, levels[1:], x, y) for x, y in zip(a, b)]


def onehot(call):
    value = call.values[0]
    if value.type.root not in ("int", "uint") or len(value.type.levels) > 1:
        raise Illegal("E0408", "positions are whole numbers")
    n = call.length(1)
    dims = (value.type.levels[0] if value.type.levels else ()) + (n,)
    data = [float(k == i) for k in all_scalars(value.type.levels, value.data) for i in range(n)]
    return Value(Type((dims,), "real"), data)


# --- copies ---------------------------------------------------------------------------------------


def stack(call):
    (k,) = call.integers(0)
    parts = common(call, call.values[1:])
    type = parts[0].type
    dims = type.levels[0] if type.levels else ()
    if any(part.type != type for part in parts) or not 0 <= k <= len(dims):
        raise Illegal("E0507", "stack joins what has one shape along a dim that there may be")
    items = [part.data if type.levels else [part.data] for part in parts]
    width = count(dims[k:])
    data = []
    for at in range(0, count(dims), width):
        for part in items:
            data += part[at:at + width]
    return Value(Type(((*dims[:k], len(parts), *dims[k:]), *type.levels[1:]), type.root), data)


def repeated(call):
    """tile and repeat: rows along the last dim of the innermost level."""
    value = call.values[0]
    if value.type.is_scalar:
        raise Illegal("E0408", f"{call.name} needs a tensor")
    times = call.length(1)
    *above, dims = value.type.levels

    def longer(items):
        result = []
        for k in range(0, len(items), dims[-1]):
            row = items[k:k + dims[-1]]
            result += row * times if call.name == "tile" else \
                [item for item in row for _ in range(times)]
        return result

    levels = (*above, (*dims[:-1], dims[-1] * times))
    return Value(Type(levels, value.type.root), each(longer, tuple(above), value.data))


def norm_of_order(call):
    """norm with an order: the square root is of a scaled sum."""
    x, order = call.real(0), call.real(1)
    if not call.is_constant[1] or not order.type.is_scalar:
        raise Illegal("E0408", "the order of a norm is a constant number")
    p = order.data
    if not p > 0 or (p != 2 and len(x.type.dims) > 1):
        raise Illegal("E0508", f"no norm of order {p} of {x.type}")
    real = call.arithmetic.real
    sizes = [abs(item) for item in x.data]
    most = reduce(call.arithmetic.greatest, sizes)

    def total(items):
        return reduce(lambda a, b: real("+", a, b), items)

    if p == 1:
        return Value(REAL, total(sizes))
    if p == float("inf") or most == 0 or most - most != 0:
        return Value(REAL, most)
    parts = [real("/", size, most) for size in sizes]
    if p == 2:
        root = call.arithmetic.function("sqrt", total([real("*", y, y) for y in parts]))
        return Value(REAL, real("*", most, root))
    power = call.arithmetic.function
    sum_ = total([power("pow", y, p) for y in parts])
    return Value(REAL, real("*", most, power("pow", sum_, real("/", 1.0, p))))


BUILTINS = {
    "copysign": (of_reals, 2, 2, False),
    "remainder": (of_reals, 2, 2, False),
    "fma": (of_reals, 3, 3, False),
    **{name: (comparison, 2, 2, False) for name in COMPARISONS},
    "mulhi": (of_bits, 2, 2, False),
    **{name: (of_bits, 1, 1, False) for name in ("popcount", "clz", "ctz", "bitreverse")},
    "take": (take, 2, 2, False),
    "put": (scattered, 3, 3, False),
    "add_at": (scattered, 3, 3, False),
    "onehot": (onehot, 2, 2, False),
    "stack": (stack, 2, None, False),
    "tile": (repeated, 2, 2, False),
    "repeat": (repeated, 2, 2, False),
}
