"""Values, and operators spread over their shapes.

A value is a type and its data: a scalar's is a number, a bool or, for str and char, bytes; a
tensor's is the list of the data of its elements, row by row. Data is never changed in place, so
values may share it.
"""

from dataclasses import dataclass

from shapes import (
    Illegal,
    Type,
    broadcast_levels,
    check_assigns,
    count,
    place,
    positions,
    stretched,
)


@dataclass(frozen=True)
class Value:
    type: Type
    data: object


def fill(levels, scalar):
    """A scalar on every level."""
    if not levels:
        return scalar
    return [fill(levels[1:], scalar)] * count(levels[0])


def zero(type):
    if type.root in ("str", "char"):
        return Value(type, b" ")
    return Value(type, fill(type.levels, {"bool": False, "real": 0.0}.get(type.root, 0)))


def each(function, levels, data):
    """The function on every scalar."""
    if not levels:
        return function(data)
    return [each(function, levels[1:], item) for item in data]


def scalars(levels, data):
    """All scalars, outermost level first."""
    if not levels:
        yield data
    else:
        for item in data:
            yield from scalars(levels[1:], item)


def from_scalars(type, numbers):
    """The other way round."""
    for dims in reversed(type.levels):
        size = count(dims)
        numbers = [numbers[i:i + size] for i in range(0, len(numbers), size)]
    return Value(type, numbers[0])


def stretch(levels, target, data):
    """Data of these levels as data of the target's, to which they broadcast (L5.2, L6.1)."""
    if levels == target:
        return data
    if not levels:
        return fill(target, data)
    return [
        stretch(levels[1:], target[1:], data[place(levels[0], stretched(levels[0], index))])
        for index in positions(target[0])
    ]


def combine(function, levels, *values):
    """The function on every scalar of values that broadcast to these levels."""
    whole = [stretch(value.type.levels, levels, value.data) for value in values]
    return zip_each(function, levels, whole)


def zip_each(function, levels, data):
    if not levels:
        return function(*data)
    return [zip_each(function, levels[1:], items) for items in zip(*data)]


def broadcast(values):
    """L5.2: the levels to which all of these values broadcast."""
    levels = ()
    for value in values:
        levels = broadcast_levels(levels, value.type.levels)
    return levels


def converted(arithmetic, value, root):
    """The root converted, whether or not it is implicit; the shape stays."""
    if value.type.root == root:
        return value
    data = each(lambda item: arithmetic.convert(root, item), value.type.levels, value.data)
    return Value(value.type.with_root(root), data)


def shaped(value, levels):
    """L6.1 without the root."""
    check_assigns(levels, value.type.levels)
    return Value(Type(levels, value.type.root), stretch(value.type.levels, levels, value.data))


def transpose(value):
    """L5.5."""
    if value.type.is_scalar or len(value.type.dims) != 2:
        raise Illegal("E0505", f"{value.type} cannot be transposed")
    return permute(value, (1, 0))


def permute(value, order):
    """Dim i of the result is dim order[i] of the value."""
    dims = value.type.dims
    result = tuple(dims[k] for k in order)
    data = []
    for index in positions(result):
        source = [0] * len(dims)
        for k, i in zip(order, index):
            source[k] = i
        data.append(value.data[place(dims, source)])
    return Value(Type((result, *value.type.levels[1:]), value.type.root), data)
