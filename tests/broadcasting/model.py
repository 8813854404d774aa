"""Types and values of TML for these tests, how they are written, and what may be combined.

A type is a tuple of levels, outermost first; a level is the tuple of its dims: () is a scalar,
((2, 3),) a matrix, ((2,), (3,)) a vector of two vectors of three. The elements of a value are a
NumPy array over the dims of all levels.
"""

import itertools
import math


def flat(levels):
    return tuple(length for level in levels for length in level)


def numel(levels):
    return math.prod(flat(levels))


def type_text(levels, root="int"):
    for level in reversed(levels):
        root = f"tensor<{root}, {', '.join(map(str, level))}>"
    return root


def value_text(levels, items):
    """An expression of this type; nest moves the last dims down, innermost level first."""
    if not levels:
        return str(items[0])
    text = f"reshape([{', '.join(map(str, items))}], {', '.join(map(str, flat(levels)))})"
    for level in reversed(levels[1:]):
        text = f"nest({text}, {len(level)})"
    return text


def all_levels(ranks, lengths):
    return [dims for rank in ranks for dims in itertools.product(lengths, repeat=rank)]


def aligned(array, levels, target):
    """The array with as many dims on each level as `target`: 1s on the left of each (L5.2a)."""
    dims = []
    for i, level in enumerate(target):
        own = levels[i] if i < len(levels) else ()
        dims += [1] * (len(level) - len(own)) + list(own)
    return array.reshape(dims)


def combined(left, right):
    """L5.2: the levels of a sum, or None."""
    if not left or not right:
        return left or right
    rank = max(len(left[0]), len(right[0]))
    pairs = list(zip(*((1,) * (rank - len(dims)) + dims for dims in (left[0], right[0]))))
    base = combined(left[1:], right[1:])
    if base is None or any(a != b and 1 not in (a, b) for a, b in pairs):
        return None
    return (tuple(max(pair) for pair in pairs),) + base


def equal_or_scalar(left, right):
    """L5.4: the levels of a comparison, or None."""
    return None if left and right and left != right else left or right


def stored(target, source):
    """L6.1: the target's levels where it can be assigned the source, or None."""
    if not source:
        return target
    if not target or len(source[0]) > len(target[0]):
        return None
    pairs = zip(reversed(source[0]), reversed(target[0]))
    if any(a not in (b, 1) for a, b in pairs) or stored(target[1:], source[1:]) is None:
        return None
    return target
