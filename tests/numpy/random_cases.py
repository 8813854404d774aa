"""Random programs on tensors, compared with NumPy: random_cases.py TMLC

Integers, bools, comparisons and element-wise real arithmetic must agree in every bit; sums, dot
products and powers to 1e-12.
"""

import pathlib
import re
import sys

import numpy as np

from tml import ROOTS, Case, Value, run_cases

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from seeds import default_seed  # noqa: E402

CLOSE = 1e-12
PER_FAMILY = 70

rng = None  # the generator of this run


def pick(items):
    return items[rng.integers(len(items))]


def random_dims(most=3):
    return tuple(int(d) for d in rng.integers(1, 5, rng.integers(1, most + 1)))


def random_value(root, dims, levels=None):
    if root == "bool":
        data = rng.integers(0, 2, dims)
    elif root == "real":
        data = rng.standard_normal(dims) * 10.0 ** rng.integers(-3, 4, dims)
    else:
        small = rng.integers(0, 100, dims) - (50 if root == "int" else 0)
        large = rng.integers(0, 2**32, dims) - (2**31 if root == "int" else 0)
        data = np.where(rng.random(dims) < 0.8, small, large)
    return Value.wrap(root, data, levels)


def declare(**values):
    return "\n".join(f"{name} = {value.literal()}" for name, value in values.items())


def common_root(*values):
    return max((v.root for v in values), key=ROOTS.index)


# Broadcasting (L5.2): level by level, ranks are padded on the left.


def aligned(a, b):
    """Both arrays with the same number of dims in each level, and the levels."""
    depth = max(len(a.levels), len(b.levels))
    ranks = [v.levels + (0,) * (depth - len(v.levels)) for v in (a, b)]
    levels = tuple(max(pair) for pair in zip(*ranks))
    arrays = []
    for value, value_levels in zip((a, b), ranks):
        dims, at = [], 0
        for rank, wanted in zip(value_levels, levels):
            dims += [1] * (wanted - rank) + list(value.data.shape[at:at + rank])
            at += rank
        arrays.append(value.data.reshape(dims))
    return arrays[0], arrays[1], levels


def apply(operator, a, b):
    root = common_root(a, b)
    x, y, levels = aligned(a, b)
    if operator == "**":
        return Value.wrap("real", x.astype(np.float64) ** y.astype(np.float64), levels)
    if root == "real":
        x, y = x.astype(np.float64), y.astype(np.float64)
    else:
        x, y = Value.wrap(root, x).data, Value.wrap(root, y).data
    if operator == "/" and root != "real":
        result = np.abs(x) // np.abs(y) * np.sign(x) * np.sign(y)
    elif operator == "%":
        result = np.fmod(x, y)
    else:
        result = {"+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide}[operator](x, y)
    return Value.wrap(root, result, levels)


def stretchable(dims):
    """Dims that broadcast with `dims`: some are 1, some on the left are missing."""
    kept = [1 if rng.random() < 0.3 else d for d in dims]
    return tuple(kept[rng.integers(0, len(kept)):])


def nested_pair():
    """Two shapes, as dims of each level, that broadcast."""
    levels = [random_dims(2 if i else 3) for i in range(rng.integers(1, 4))]
    other = [stretchable(dims) for dims in levels[:rng.integers(0, len(levels) + 1)]]
    pair = [levels, other]
    rng.shuffle(pair)
    return pair


def arithmetic_case():
    operator = pick(["+", "-", "*", "/", "%", "**"])
    values = []
    for shape in nested_pair():
        dims = tuple(d for level in shape for d in level)
        values.append(random_value(pick(ROOTS[1:]), dims, tuple(len(level) for level in shape)))
    a, b = values
    if operator in "/%":
        b = Value.wrap(b.root, np.where(b.data == 0, 7, b.data), b.levels)
    if operator == "**":
        a, b = (Value.wrap("real", np.abs(v.data) % 10 + 0.25, v.levels) for v in (a, b))
    return Case(declare(a=a, b=b), f"a {operator} b", apply(operator, a, b),
                CLOSE if operator == "**" else 0.0)


# Comparisons, logic and bits (L5.4): equal shapes, or a scalar.


def same_shape_case():
    family = pick(["relational", "logical", "bitwise"])
    roots = {"relational": ROOTS[1:], "logical": ["bool"], "bitwise": ["uint"]}[family]
    dims = random_dims()
    values = [random_value(pick(roots), dims), random_value(pick(roots), dims)]
    if rng.random() < 0.4:
        values[rng.integers(2)] = random_value(pick(roots), ())
    a, b = values
    if family == "relational" and rng.random() < 0.5 and a.root == b.root:
        b = Value.wrap(b.root, np.where(rng.random(dims) < 0.5, a.data, b.data))
    operators = {
        "relational": {"<": np.less, "<=": np.less_equal, ">": np.greater,
                       ">=": np.greater_equal, "==": np.equal, "!=": np.not_equal},
        "logical": {"and": np.logical_and, "or": np.logical_or},
        "bitwise": {"&": np.bitwise_and, "|": np.bitwise_or, "^": np.bitwise_xor,
                    "<<": shift_left, ">>": shift_right},
    }[family]
    operator = pick(list(operators))
    if operator in ("<<", ">>"):
        b = Value.wrap("uint", b.data % 40, b.levels)
    result = operators[operator](a.data, b.data)
    return Case(declare(a=a, b=b), f"a {operator} b",
                Value.wrap("uint" if family == "bitwise" else "bool", result))


def shift_left(x, by):
    return np.where(by < 32, x << np.minimum(by, 31), 0)


def shift_right(x, by):
    return np.where(by < 32, x >> np.minimum(by, 31), 0)


# Reductions (L11).


def reduction_case():
    name = pick(["sum", "prod", "min", "max", "mean", "argmin", "argmax", "all", "any"])
    root = "bool" if name in ("all", "any") else pick(ROOTS[1:])
    outer, inner = random_dims(2), random_dims(2)
    nested = rng.random() < 0.6
    levels = (len(outer), len(inner)) if nested else (len(inner),)
    x = random_value(root, outer + inner if nested else inner, levels)
    bang = rng.random() < 0.4 and not name.startswith("arg")
    first = 0 if bang or not nested else len(outer)
    axes = tuple(range(first, first + (len(outer) if bang and nested else len(inner))))
    rest = (len(inner),) if bang and nested else levels[:-1]
    expression = f"{name}{'!' if bang else ''}(x)"
    if name.startswith("arg"):
        flat = x.data.reshape(x.data.shape[:first] + (-1,))
        return Case(declare(x=x), expression,
                    Value.wrap("int", getattr(np, name)(flat, axis=-1), rest))
    if name == "mean" or (root == "real" and name in ("sum", "prod")):
        result = getattr(np, name)(x.data.astype(np.float64), axis=axes)
        scale = np.abs(x.data.astype(np.float64)).sum() if name != "prod" else 0.0
        return Case(declare(x=x), expression, Value.wrap("real", result, rest), CLOSE, scale)
    result = getattr(np, name)(x.data, axis=axes)
    return Case(declare(x=x), expression, Value.wrap(root, result, rest))


# Indices (L7).


def window(first, last):
    """A range whose bounds vary and whose length does not (L7.5)."""
    shift, size = int(rng.integers(0, 3)), last - first
    start, half = f"w{first + shift}", f"2 * w{first // 2}"
    return pick([f"{start} - {shift}:{size - shift} + {start}", f"-{shift} + {start}:{start} - {shift} + {size}",
                 f"{half} + {first % 2}:{half} + {first % 2 + size}"])


def starts(texts):
    """The variables of windows, which hold their numbers."""
    return "".join(f"\nw{k} = {k}" for k in sorted(set(re.findall(r"w(\d+)", " ".join(texts)))))


def random_index(length):
    """An index of one dim, as TML text and as what NumPy takes."""
    kind = rng.integers(5)
    if kind == 0 or length == 1:
        i = int(rng.integers(length))
        return str(i), i
    if kind == 1:
        return ":", slice(None)
    first, last = sorted(int(i) for i in rng.choice(length + 1, 2, replace=False))
    step = int(rng.integers(1, 4))
    if kind == 4:
        return window(first, last), slice(first, last)
    if kind == 2:
        return (f"{first}:{last}" if step == 1 else f"{first}:{last}:{step}",
                slice(first, last, step))
    indices = np.arange(last - 1, first - 1, -step)
    return f"{last - 1}:{first - 1}:-{step}", indices


def read_index(array, indices):
    """One dim at a time, last first, as NumPy would mix several index arrays."""
    for axis in reversed(range(len(indices))):
        array = array[(slice(None),) * axis + (indices[axis],)]
    return array


def index_case():
    x = random_value(pick(ROOTS), random_dims())
    texts, indices = zip(*(random_index(length) for length in x.data.shape))
    setup, expression = declare(x=x) + starts(texts), f"x[{', '.join(texts)}]"
    if rng.random() < 0.3 and len(texts) > 1 and texts[0] == ":":
        expression = f"x[..., {', '.join(texts[1:])}]"
    if rng.random() < 0.3 and all(text.isdigit() for text in texts):
        expression = "x" + "".join(f"[{text}]" for text in texts)
    return Case(setup, expression, Value.wrap(x.root, read_index(x.data, indices)))


def assign_case():
    x = random_value(pick(ROOTS[1:]), random_dims())
    texts, indices = zip(*(random_index(length) for length in x.data.shape))
    positions = np.arange(x.data.size).reshape(x.data.shape)
    target = read_index(positions, indices)
    roots = ROOTS[:ROOTS.index(x.root) + 1]
    value = random_value(pick(roots), stretchable(target.shape) if target.ndim else ())
    result = x.data.copy()
    converted = Value.wrap(x.root, value.data, value.levels).data
    result.ravel()[target] = np.broadcast_to(converted, target.shape)
    setup = declare(x=x, v=value) + starts(texts) + f"\nx[{', '.join(texts)}] = v"
    return Case(setup, "x", Value.wrap(x.root, result))


# Products of vectors and matrices (L5.5).


def dot_case():
    left, right = pick([(1, 1), (1, 2), (2, 1), (2, 2)])
    k = int(rng.integers(1, 9))
    a_dims = (k,) if left == 1 else (int(rng.integers(1, 9)), k)
    b_dims = (k,) if right == 1 else (k, int(rng.integers(1, 9)))
    a = random_value(pick(ROOTS[1:]), a_dims)
    b = random_value(pick(ROOTS[1:]), b_dims)
    root = common_root(a, b)
    if root == "real":
        x, y = a.data.astype(np.float64), b.data.astype(np.float64)
        scale = np.max(np.abs(x) @ np.abs(y))
        return Case(declare(a=a, b=b), "a .* b", Value.wrap(root, x @ y), CLOSE, scale)
    x, y = Value.wrap(root, a.data).data, Value.wrap(root, b.data).data
    return Case(declare(a=a, b=b), "a .* b", Value.wrap(root, x @ y))


# Casts (L2.9).


def convert(root, data):
    if root == "bool":
        return data != 0
    if data.dtype == np.float64 and root != "real":
        whole = np.trunc(np.nan_to_num(data, nan=0.0, posinf=2.0**63, neginf=-2.0**63))
        limited = [min(max(int(x), -2**63), 2**63 - 1) % 2**32 for x in whole.ravel()]
        return np.array(limited, np.int64).reshape(data.shape)
    return data


def cast_case():
    dims = random_dims() if rng.random() < 0.8 else ()
    x = random_value(pick(ROOTS), dims)
    if x.root == "real" and dims:
        special = rng.choice([0.0, -0.0, 0.5, -0.5, 2.0**31, -2.0**31, 2.0**32, 1e10, -1e10,
                              1e300, -1e300, np.inf, -np.inf, np.nan], dims)
        x = Value.wrap("real", np.where(rng.random(dims) < 0.4, special, x.data))
    root = pick(ROOTS)
    type_text = f"tensor<{root}, {', '.join(map(str, dims))}>" if dims else root
    return Case(declare(x=x), f"{type_text}(x)", Value.wrap(root, convert(root, x.data)))


# Functions that move elements (L11).


def shape_case():
    kind = pick(["transpose", "permute", "reshape", "concat", "broadcast_in_dim", "narrow",
                 "cumsum", "outer", "nest", "align"])
    x = random_value(pick(ROOTS[1:3]), random_dims())
    dims, data = x.data.shape, x.data
    levels = None
    if kind == "transpose":
        x = random_value(x.root, (int(rng.integers(1, 5)), int(rng.integers(1, 5))))
        expression, data = "x'", x.data.T
    elif kind == "permute":
        order = [int(i) for i in rng.permutation(len(dims))]
        expression, data = f"permute(x, {', '.join(map(str, order))})", data.transpose(order)
    elif kind == "reshape":
        new = pick([(data.size,), (1, data.size), (data.size, 1), dims[::-1]])
        expression, data = f"reshape(x, {', '.join(map(str, new))})", data.reshape(new)
    elif kind == "concat":
        axis = int(rng.integers(len(dims)))
        expression, data = f"concat({axis}, x, x)", np.concatenate([data, data], axis)
    elif kind == "broadcast_in_dim":
        expression = f"broadcast_in_dim(x, [2, {', '.join(map(str, dims))}], " \
                     f"[{', '.join(str(i + 1) for i in range(len(dims)))}])"
        if len(dims) == 3:
            expression, data = f"sum!(nest({expression}, 3))", data + data
        else:
            data = np.broadcast_to(data, (2,) + dims)
    elif kind == "narrow":
        expression, data = "narrow(x)", np.squeeze(data)
    elif kind == "cumsum":
        expression, data = "cumsum(x)", np.cumsum(data, -1)
    elif kind == "outer":
        x = random_value(x.root, (int(rng.integers(1, 5)),))
        expression, data = "outer(x, x)", np.outer(x.data, x.data)
    elif kind == "nest":
        if len(dims) < 2:
            x = random_value(x.root, (2, 3))
        inner = int(rng.integers(1, x.data.ndim))
        expression, data, levels = f"nest(x, {inner})", x.data, (x.data.ndim - inner, inner)
    else:
        x = random_value(x.root, (int(rng.integers(1, 5)),))
        axis = int(rng.integers(3))
        shape = [1, 1, 1]
        shape[axis] = -1
        expression, data = f"align(x, 3, [{axis}])", x.data.reshape(shape)
    return Case(declare(x=x), expression, Value.wrap(x.root, data, levels))


FAMILIES = [arithmetic_case, arithmetic_case, same_shape_case, reduction_case, index_case,
            assign_case, dot_case, cast_case, shape_case]


def main():
    global rng
    seed = default_seed()
    print(f"seed {seed}")
    rng = np.random.default_rng(seed)
    with np.errstate(all="ignore"):
        cases = [family() for family in FAMILIES for _ in range(PER_FAMILY)]
    run_cases(sys.argv[1], cases)


if __name__ == "__main__":
    main()
