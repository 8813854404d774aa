"""What derivatives are tested on: expressions and functions of TML, each with the same in Python on
complex numbers, of which complex steps say how it changes. Nothing here differentiates by rules.
"""

from dataclasses import dataclass

import numpy as np
from mpmath import mp


@dataclass
class Case:
    """`expression` in x, with `text` before it, and what it computes; x is `shape` within `low` to
    `high`, or drawn by `draw`."""

    name: str
    expression: str
    compute: object
    shape: tuple = (3,)
    low: float = -2.0
    high: float = 2.0
    text: str = ""
    declared: str = "{}"  # what x is made of its literal
    total: str = ""  # the sum of the squares of all elements, {e}, where `sum` is not enough
    reverses: int = 2  # how deep in one another derivatives in reverse may stand


def erf(x):
    with mp.workdps(220):  # a step of 1e-100 beside a value
        return np.vectorize(lambda v: complex(mp.erf(mp.mpmathify(v))), otypes=[complex])(x)


def least(a, b):
    return np.where(np.real(a) <= np.real(b), a, b)


def most(a, b):
    return np.where(np.real(a) >= np.real(b), a, b)


def size(x):
    return np.where(np.real(x) < 0, -x, x)


def angle(y, x):
    return np.arctan(y / x) + np.where(np.real(x) < 0, np.pi * np.sign(np.real(y)), 0)


def root(x):
    return np.sign(np.real(x)) * (x * np.sign(np.real(x))) ** (1 / 3)


def running_product(x):
    return np.cumprod(x)


def lower(a):
    """The lower factor of a symmetric matrix, of which the lower half is read."""
    n = len(a)
    factor = np.zeros((n, n), complex)
    for j in range(n):
        for i in range(j, n):
            rest = a[i, j] - sum(factor[i, k] * factor[j, k] for k in range(j))
            factor[i, j] = np.sqrt(rest) if i == j else rest / factor[j, j]
    return factor


ELEMENTS = [
    Case("plus", "x + 2.0", lambda x: x + 2),
    Case("minus", "1.0 - x - x", lambda x: 1 - x - x),
    Case("negative", "-x * 3.0", lambda x: -3 * x),
    Case("times", "x * x * x", lambda x: x ** 3),
    Case("quotient", "(x + 1.0) / (x * x + 2.0)", lambda x: (x + 1) / (x * x + 2)),
    Case("left_quotient", "x \\ (x + 3.0)", lambda x: (x + 3) / x, low=0.5),
    Case("remainder", "(7.0 * x) % 3.0", lambda x: 7 * x - 3 * np.trunc(np.real(7 * x / 3))),
    Case("remainder_by", "20.0 % x", lambda x: 20 - x * np.trunc(np.real(20 / x)), low=1.1),
    Case("power", "x ** 3.0", lambda x: x ** 3),
    Case("power_half", "x ** 1.5", lambda x: x ** 1.5, low=0.1),
    Case("power_of", "2.0 ** x", lambda x: 2.0 ** x),
    Case("power_both", "x ** x", lambda x: x ** x, low=0.1),
    Case("sqrt", "sqrt(x)", np.sqrt, low=0.1),
    Case("cbrt", "cbrt(x)", root),
    Case("exp", "exp(x)", np.exp),
    Case("exp2", "exp2(x)", lambda x: 2.0 ** x),
    Case("expm1", "expm1(x)", lambda x: np.exp(x) - 1),
    Case("log", "log(x)", np.log, low=0.1),
    Case("log2", "log2(x)", lambda x: np.log(x) / np.log(2), low=0.1),
    Case("log10", "log10(x)", lambda x: np.log(x) / np.log(10), low=0.1),
    Case("log1p", "log1p(x)", lambda x: np.log(1 + x), low=-0.9),
    Case("sin", "sin(x)", np.sin),
    Case("cos", "cos(x)", np.cos),
    Case("tan", "tan(x)", np.tan, low=-1.3, high=1.3),
    Case("asin", "asin(x)", np.arcsin, low=-0.9, high=0.9),
    Case("acos", "acos(x)", np.arccos, low=-0.9, high=0.9),
    Case("atan", "atan(x)", np.arctan),
    Case("sinh", "sinh(x)", np.sinh),
    Case("cosh", "cosh(x)", np.cosh),
    Case("tanh", "tanh(x)", np.tanh),
    Case("asinh", "asinh(x)", np.arcsinh),
    Case("acosh", "acosh(x)", np.arccosh, low=1.2, high=4),
    Case("atanh", "atanh(x)", np.arctanh, low=-0.9, high=0.9),
    Case("erf", "erf(x)", erf),
    Case("erfc", "erfc(x)", lambda x: 1 - erf(x)),
    Case("atan2", "atan2(x[0], x[1:3])", lambda x: angle(x[0], x[1:])),
    Case("hypot", "hypot(x[0], x[1:3])", lambda x: np.sqrt(x[0] ** 2 + x[1:] ** 2)),
    Case("abs", "abs(x)", size),
    Case("sign", "x * sign(x)", size),
    Case("floor", "x * floor(3.0 * x)", lambda x: x * np.floor(np.real(3 * x))),
    Case("round", "x * round(3.0 * x) + ceil(x)",
         lambda x: x * np.round(np.real(3 * x)) + np.ceil(np.real(x))),
    Case("rint", "x * rint(3.0 * x)", lambda x: x * np.round(np.real(3 * x))),
    Case("fma", "fma(x, x[::-1], sin(x))", lambda x: x * x[::-1] + np.sin(x)),
    Case("copysign", "copysign(x * x, x[0])", lambda x: x * x * np.sign(np.real(x[0]))),
    Case("nearest_rest", "remainder(7.0 * x, 3.0)", lambda x: 7 * x - 3 * np.round(np.real(7 * x / 3))),
    Case("casts", "x * real(int(4.0 * x)) + trunc(x)",
         lambda x: x * np.trunc(np.real(4 * x)) + np.trunc(np.real(x))),
    Case("min", "min(x, x[0])", lambda x: least(x, x[0])),
    Case("max", "max(x, x[::-1] * 2.0)", lambda x: most(x, x[::-1] * 2)),
    Case("min_of_three", "min(x, 0.5, x[1])", lambda x: least(least(x, 0.5), x[1])),
    Case("clamp", "clamp(x, -1.0, x[2])", lambda x: least(most(x, -1), x[2])),
    Case("select", "select(x > 0.0, log(abs(x)), x * x)",
         lambda x: np.where(np.real(x) > 0, np.log(size(x)), x * x)),
]

VIEWS = [
    Case("transpose", "x' .* x", lambda x: x.T @ x, (2, 3)),
    Case("slices", "x[0, :] * x[1, ::-1]", lambda x: x[0] * x[1, ::-1], (2, 3)),
    Case("stretched", "x * x[0, :] + x[:, 1:2]", lambda x: x * x[0] + x[:, 1:2], (2, 3)),
    Case("diagonal", "diag(x) * trace(x)", lambda x: np.diag(x) * np.trace(x), (3, 3)),
    Case("literal", "[x[0] * x[1], 2.0; sin(x[2]), x[0]]",
         lambda x: np.array([[x[0] * x[1], 2], [np.sin(x[2]), x[0]]])),
    Case("concat", "concat(0, x * 2.0, sin(x), [1.0])",
         lambda x: np.concatenate([2 * x, np.sin(x), [1]])),
    Case("reshape", "reshape(x * x, 3, 2)", lambda x: (x * x).reshape(3, 2), (2, 3)),
    Case("stack", "stack(0, x, sin(x)) * 2.0", lambda x: 2 * np.stack([x, np.sin(x)])),
    Case("take", "take(x * x, [2, 0, 2])", lambda x: (x * x)[[2, 0, 2]]),
    Case("put", "put(x, [1], x[2:3] * x[0:1])", lambda x: np.array([x[0], x[2] * x[0], x[2]])),
    Case("add_at", "add_at(x, [0, 0], x[1:3])", lambda x: np.array([x[0] + x[1] + x[2], x[1], x[2]])),
    Case("roll", "roll(x, 1) * flip(x)", lambda x: np.roll(x, 1) * x[::-1]),
    Case("permute", "permute(x * x, 1, 0)", lambda x: (x * x).T, (2, 3)),
    Case("outer", "outer(x, sin(x))", lambda x: np.outer(x, np.sin(x))),
    Case("cross", "cross(x, x[::-1] * x)", lambda x: np.cross(x, x[::-1] * x)),
    Case("scalar", "sin(x) * x", lambda x: np.sin(x) * x, ()),
    Case("scalar_to_matrix", "[x, x * x; 1.0, sin(x)]",
         lambda x: np.array([[x, x * x], [1, np.sin(x)]]), ()),
    Case("nested", "x * x", lambda x: x * x, (2, 3), declared="nest({}, 1)",
         total="sum(sum(x * x * x * x))"),
    Case("rows", "sum(x * x)", lambda x: np.sum(x * x, axis=1), (2, 3), declared="nest({}, 1)"),
]

REDUCTIONS = [
    Case("sum", "sum(x * x)", lambda x: np.sum(x * x)),
    Case("mean", "mean(sin(x))", lambda x: np.mean(np.sin(x))),
    Case("prod", "prod(x)", np.prod),
    Case("prod_with_zero", "prod(x * [0.0, 1.0, 2.0])", lambda x: np.prod(x * [0, 1, 2])),
    Case("least", "min(x) * x", lambda x: x[np.argmin(np.real(x))] * x),
    Case("most", "max(x * x)", lambda x: np.max(np.real(x)) * 0 + most(x * x, 0)[
        np.argmax(np.real(x * x))]),
    Case("down", "sum!(nest(x, 1))", lambda x: np.sum(x, axis=0), (2, 3)),
    Case("cumsum", "cumsum(x * x)", lambda x: np.cumsum(x * x)),
    Case("cumprod", "cumprod(x)", running_product),
    Case("norm", "norm(x)", lambda x: np.sqrt(np.sum(x * x))),
    Case("norm_1", "norm(x, 1)", lambda x: np.sum(size(x))),
    Case("norm_3", "norm(x, 3)", lambda x: np.sum(size(x) ** 3) ** (1 / 3)),
    Case("dot", "x .* sin(x)", lambda x: x @ np.sin(x)),
    Case("matrix_vector", "x .* x[0, :]", lambda x: x @ x[0], (3, 3)),
    Case("matrices", "x .* x .* x", lambda x: x @ x @ x, (3, 3)),
    Case("vector_matrix", "x[:, 0] .* sin(x)", lambda x: x[:, 0] @ np.sin(x), (3, 4)),
    Case("few_columns", "x .* sin(x')", lambda x: x @ np.sin(x).T, (4, 3)),
    Case("many_columns", "x .* sin(x')", lambda x: x @ np.sin(x).T, (5, 2)),
    Case("vector_many_columns", "x[:, 0] .* sin(x)", lambda x: x[:, 0] @ np.sin(x), (2, 6)),
    Case("diagonal", "diag(x) .* (x * x) + outer(x, x) .* sin(x)",
         lambda x: x ** 3 + np.outer(x, x) @ np.sin(x)),
]

SHIFT = "a = [4.0, 1.0, 0.5; 1.0, 5.0, 0.2; 0.5, 0.2, 6.0]\n"
SHIFTED = np.array([[4, 1, 0.5], [1, 5, 0.2], [0.5, 0.2, 6]])

ALGEBRA = [
    Case("solve", "solve(a + x * 0.3, x[0, :])",
         lambda x: np.linalg.solve(SHIFTED + 0.3 * x, x[0]), (3, 3), text=SHIFT),
    Case("solve_matrix", "solve(a + x * 0.3, x)",
         lambda x: np.linalg.solve(SHIFTED + 0.3 * x, x), (3, 3), text=SHIFT),
    Case("linear", "a .* x + x .* a .* x", lambda x: SHIFTED @ x + x @ SHIFTED @ x, text=SHIFT),
    Case("linear_row", "a[1, :] .* x", lambda x: SHIFTED[1] @ x, text=SHIFT),
    Case("solve_right", "solve(a, outer(sin(x), x))",
         lambda x: np.linalg.solve(SHIFTED, np.outer(np.sin(x), x)), text=SHIFT),
    Case("solve_many", "solve(outer(x, x) + diag(9.0 + x), sin(x))",
         lambda x: np.linalg.solve(np.outer(x, x) + np.diag(9 + x), np.sin(x)), (12,)),
    Case("solve_one", "solve(a + x * a', a[0, :] * x)",
         lambda x: np.linalg.solve(SHIFTED + x * SHIFTED.T, SHIFTED[0] * x), (), low=-0.3, high=0.3, text=SHIFT),
    Case("inv", "inv(a + x * 0.3)", lambda x: np.linalg.inv(SHIFTED + 0.3 * x), (3, 3), text=SHIFT),
    Case("det", "det(a + x * 0.3)", lambda x: np.linalg.det(SHIFTED + 0.3 * x), (3, 3), text=SHIFT),
    Case("chol", "chol(a + x * 0.3)", lambda x: lower(SHIFTED + 0.3 * x), (3, 3), text=SHIFT),
]


def symmetric(x):
    return np.tril(x) + np.tril(x, -1).T


def eigenvalues(a):
    """Of a symmetric matrix with a small imaginary part: Newton's step from those of the real part."""
    values = np.linalg.eigvalsh(np.real(a)).astype(complex)
    slopes = [-np.prod(np.delete(values, k) - values[k]) for k in range(len(values))]
    return np.array([v - np.linalg.det(a - v * np.eye(len(a))) / slope
                     for v, slope in zip(values, slopes)])


def singular_values(a):
    return np.sqrt(eigenvalues(a.T @ a if a.shape[0] >= a.shape[1] else a @ a.T)[::-1])


def exponential(a):
    result = term = np.eye(len(a), dtype=complex)
    for k in range(1, 40):
        term = term @ a / k
        result = result + term
    return result


def held(a, b, dt):
    n, m = b.shape
    block = np.zeros((n + m, n + m), complex)
    block[:n] = np.hstack([a, b]) * dt
    return exponential(block)[:n]


def fourier(x, sign=-1):
    """Of rows of pairs, whose parts are complex numbers themselves here."""
    n = len(x)
    c = np.cos(2 * np.pi * np.outer(np.arange(n), np.arange(n)) / n)
    s = sign * np.sin(2 * np.pi * np.outer(np.arange(n), np.arange(n)) / n)
    return np.stack([c @ x[:, 0] - s @ x[:, 1], c @ x[:, 1] + s @ x[:, 0]], 1)


def real_fourier(x):
    return fourier(np.stack([x, 0 * x], 1))[:len(x) // 2 + 1]


def from_fourier(x, n):
    last = n // 2 + 1
    x = x.copy()
    x[0, 1] = 0
    if n % 2 == 0:
        x[-1, 1] = 0
    rest = x[1:n - last + 1][::-1] * [1, -1]
    return fourier(np.concatenate([x, rest]), 1)[:, 0] / n


def pairs_product(a, b):
    return np.stack([a[:, 0] * b[:, 0] - a[:, 1] * b[:, 1], a[:, 0] * b[:, 1] + a[:, 1] * b[:, 0]], 1)


def filtered(b, a, x, z=(0, 0, 0)):
    z, y = list(z), []
    for v in x:
        y.append(b[0] / a[0] * v + z[0])
        for j in range(1, len(b)):
            z[j - 1] = b[j] / a[0] * v + z[j] - a[j] / a[0] * y[-1]
    return np.array(y)


def least_squares(a, b):
    return np.linalg.solve(a.T @ a, a.T @ b)


def segments(x, xs, ys):
    """Linear interpolation, in what xs and ys and x have of imaginary parts."""
    at = np.real(x)
    k = np.clip(np.searchsorted(np.real(xs), at, side="right") - 1, 0, len(xs) - 2)
    inside = ys[k] + (x - xs[k]) * (ys[k + 1] - ys[k]) / (xs[k + 1] - xs[k])
    return np.where(at < np.real(xs[0]), ys[0], np.where(at >= np.real(xs[-1]), ys[-1], inside))


def ordered(x):
    return x[np.argsort(np.real(x), kind="stable")]


def running(x, choose):
    return np.array([choose(x[:k + 1]) for k in range(len(x))])


def whole_turns(x):
    turns = np.diff(np.real(x)) + np.pi
    return x - np.concatenate([[0], np.cumsum(np.floor(turns / (2 * np.pi)))]) * 2 * np.pi


def convolved(a, b):
    y = np.zeros(len(a) + len(b) - 1, complex)
    for k, v in enumerate(b):
        y[k:k + len(a)] += a * v
    return y


def walk(x):
    y = np.array([1.0 + 0j, 2.0])
    for i in range(3):
        y = np.array([y[0] + x[i] * y[1], y[1] - 0.1 * np.sin(y[0])])
    return y


def halve(x):
    y = x
    while np.real(np.sum(y * y)) > 0.1:
        y = y * x[0] * 0.3
    return y


def skip(x):
    s = 0
    for i in range(6):
        if i == 1:
            continue
        if i == 4:
            break
        s = s + x[i % 3] * x[i % 2]
    return s


def in_place(x):
    y = np.zeros(4, complex)
    y[1:4] = x
    y[0] = y[1] * y[2]
    y[::-1] = y.copy()
    y[0:2] = y[2:4] * y[0]
    return y


def branches(x):
    return np.sin(x) if np.real(x[0]) > 0 else x * x * (2 if np.real(x[1]) > 0 else 3)


def polynomial(x):
    y = 0
    for c in [1.0, -2.0, 0.5]:
        y = y * x + c
    return y


def newton(x):
    y = x * 0 + 1
    for _ in range(20):
        y = y - (y * y * y - 1 - x * x) / (3 * y * y)
    return y


FLOW = [
    Case("walk", "walk(x)", walk, text="""fn walk(tensor<real, 3> x) tensor<real, 2>:
    y = [1.0, 2.0]
    for i = 0:3:
        y = [y[0] + x[i] * y[1], y[1] - 0.1 * sin(y[0])]
    end
    return y
end
"""),
    Case("halve", "halve(x)", halve, low=0.2, high=1.5, reverses=0, text="""fn halve(tensor<real, 3> x) tensor<real, 3>:
    y = x
    while sum(y * y) > 0.1:
        y = y * x[0] * 0.3
    end
    return y
end
"""),
    Case("skip", "skip(x)", skip, text="""fn skip(tensor<real, 3> x) real:
    s = 0.0
    for i = 0:6:
        if i == 1:
            continue
        end
        if i == 4:
            break
        end
        s += x[i % 3] * x[i % 2]
    end
    return s
end
"""),
    Case("in_place", "in_place(x)", in_place, text="""fn in_place(tensor<real, 3> x) tensor<real, 4>:
    tensor<real, 4> y = 0.0
    y[1:4] = x
    y[0] = y[1] * y[2]
    y = y[::-1]
    y[0:2] = y[2:4] * y[0]
    return y
end
"""),
    Case("branches", "branches(x)", branches, text="""fn branches(tensor<real, n> x) tensor<real, n>:
    if x[0] > 0.0:
        return sin(x)
    elseif x[1] > 0.0:
        return x * x * 2.0
    end
    return x * x * 3.0
end
"""),
    Case("polynomial", "polynomial(x)", polynomial, text="""fn polynomial(tensor<real, n> x) tensor<real, n>:
    tensor<real, n> y = 0.0
    c = [1.0, -2.0, 0.5]
    for i = 0:3:
        y = y * x + c[i]
    end
    return y
end
"""),
    Case("newton", "newton(x)", newton, text="""fn newton(tensor<real, n> x) tensor<real, n>:
    tensor<real, n> y = 1.0
    for i = 0:20:
        y -= (y * y * y - 1.0 - x * x) / (3.0 * y * y)
    end
    return y
end
"""),
    Case("two_results", "two_results(x)", lambda x: np.sin(x) * x[0] + np.cos(x), text="""\
fn both(tensor<real, n> x) tensor<real, n>, tensor<real, n>:
    return sin(x), cos(x)
end
fn two_results(tensor<real, n> x) tensor<real, n>:
    s, c = both(x)
    return s * x[0] + c
end
"""),
    Case("given", "given(x)", lambda x: x * x * 3 + x[1], text="""\
fn scale(var tensor<real, n> y, real k):
    y *= k
end
fn given(tensor<real, n> x) tensor<real, n>:
    y = x * x
    scale(y, 3.0)
    return y + x[1]
end
"""),
    Case("gather", "gather(x)", lambda x: x[[2, 0, 2]] * x, text="""\
fn gather(tensor<real, 3> x) tensor<real, 3>:
    k = [2, 0, 2]
    y = x
    for i = 0:3:
        y[i] = x[k[i]] * x[i]
    end
    return y
end
"""),
    Case("swap", "swap(x)", lambda x: np.array([x[1], x[0] * x[1], x[2] * x[0]]), text="""\
fn swap(tensor<real, 3> x) tensor<real, 3>:
    t = x[0]
    x[0] = x[1]
    x[1] = t * x[0]
    x[2] *= t
    return x
end
"""),
    Case("matrix_rows", "matrix_rows(x)", lambda x: np.array([x[1] * x[0], x[0] * x[0], x[2]]),
         (3, 3), text="""\
fn matrix_rows(tensor<real, 3, 3> x) tensor<real, 3, 3>:
    y = x
    y[1, :] = x[0, :] * x[0, :]
    y[0, :] = x[1, :] * x[0, :]
    return y
end
"""),
    Case("window", "window(x)", lambda x: sum(x[i:i + 2] * x[i + 1:i + 3] for i in range(3)), (5,),
         text="""fn window(tensor<real, 5> x) tensor<real, 2>:
    tensor<real, 2> s = 0.0
    for i = 0:3:
        s += x[i:i + 2] * x[i + 1:i + 3]
    end
    return s
end
"""),
]

PAIRS = {"declared": "nest({}, 1)", "total": "sum(sum(({e}) * ({e})))"}

LIBRARY = [
    Case("softplus", "softplus(x)", lambda x: np.log(1 + np.exp(x))),
    Case("sigmoid", "sigmoid(x)", lambda x: 1 / (1 + np.exp(-x))),
    Case("softmax", "softmax(x)", lambda x: np.exp(x) / np.sum(np.exp(x))),
    Case("var", "var(x)", lambda x: np.mean((x - np.mean(x)) ** 2)),
    Case("sort", "sort(x)", lambda x: x[np.argsort(np.real(x))]),
    Case("interp", "interp(x, [-3.0, -1.0, 0.5, 3.0], [1.0, 4.0, -2.0, 7.0])",
         lambda x: np.interp(np.real(x), [-3, -1, 0.5, 3], [1, 4, -2, 7]) + 1j * np.imag(x) *
         np.array([1.5, -4, 3.6])[np.searchsorted([-1, 0.5], np.real(x))]),
    Case("polyval", "polyval(x, 0.7)", lambda x: (x[0] * 0.7 + x[1]) * 0.7 + x[2]),
    Case("lstsq", "lstsq(x, [1.0, 2.0, 3.0, 4.0])",
         lambda x: np.linalg.solve(x.T @ x, x.T @ np.array([1, 2, 3, 4])), (4, 2)),
    Case("deg2rad", "deg2rad(x) + rad2deg(x * x)", lambda x: x * np.pi / 180 + x * x * 180 / np.pi),
    Case("wrap", "wrap(x * x)", lambda x: x * x - 2 * np.pi * np.round(np.real(x * x) / 2 / np.pi),
         low=-4, high=4),
    Case("unwrap", "unwrap(4.0 * x * x)", lambda x: whole_turns(4 * x * x), (6,)),
    Case("lerp", "lerp(x[0], x * x, x[1])", lambda x: x[0] + (x * x - x[0]) * x[1]),
    Case("deadzone", "deadzone(x, 0.5)",
         lambda x: np.where(np.real(x) > 0.5, x - 0.5, np.where(np.real(x) < -0.5, x + 0.5, 0))),
    Case("logsumexp", "logsumexp(x)", lambda x: np.log(np.sum(np.exp(x)))),
    Case("softmax_rows", "softmax(x)", lambda x: np.exp(x) / np.sum(np.exp(x), 1, keepdims=True), (2, 3)),
    Case("std", "std(x) + std(x, 1)",
         lambda x: (1 + np.sqrt(3 / 2)) * np.sqrt(np.mean((x - np.mean(x)) ** 2))),
    Case("median", "median(x) * median(x[0:2])", lambda x: ordered(x)[1] * (x[0] + x[1]) / 2),
    Case("quantile", "quantile(x, 0.3 + 0.1 * x[0])",
         lambda x: segments((0.3 + 0.1 * x[0]) * 4, np.arange(5), ordered(x)), (5,)),
    Case("trapz", "trapz(x * x, x) + trapz(x, 0.5)",
         lambda x: np.sum(np.diff(x) * (x[1:] ** 2 + x[:-1] ** 2)) / 2 + np.sum(x[1:] + x[:-1]) / 4),
    Case("diff", "diff(x * x)", lambda x: np.diff(x * x)),
    Case("greatest", "greatest(x * x)", lambda x: ordered(x * x)[::-1][:2], (5,), text="""\
fn greatest(tensor<real, n> x) tensor<real, 2>:
    best, at = topk(x, 2)
    return best * x[at[0]] / x[at[0]]
end
"""),
    Case("cumprod_zero", "cumprod(x * [1.0, 0.0, 2.0, 1.0])",
         lambda x: np.cumprod(x * [1, 0, 2, 1]), (4,)),
    Case("cummax", "cummax(x) * x", lambda x: x * running(x, lambda v: v[np.argmax(np.real(v))]), (6,)),
    Case("cummin", "cummin(x * x)", lambda x: running(x * x, lambda v: v[np.argmin(np.real(v))]), (6,)),
    Case("norm_2", "norm(x, 2) * x", lambda x: x * np.sqrt(np.sum(x * x))),
    Case("norm_greatest", "norm(x, inf)", lambda x: size(x)[np.argmax(np.real(size(x)))]),
    Case("norm_half", "norm(x, 1.5)", lambda x: np.sum(size(x) ** 1.5) ** (1 / 1.5)),
    Case("interp_table", "interp([-1.5, 0.3, 9.0], [-2.0, -1.0, x[0], 2.0 + x[1]], x)",
         lambda x: segments(np.array([-1.5, 0.3, 9]), np.array([-2, -1, x[0], 2 + x[1]]), x), (4,),
         low=0.0, high=1.0),
    Case("interp2", "interp2(x[0], x[1], [-2.0, -0.5, 2.0], [-2.0, 2.0], [x[0], 1.0; x[1], 2.0; 3.0, 5.0])",
         lambda x: segments(x[0], np.array([-2, -0.5, 2]), np.array(
             [segments(x[1], np.array([-2, 2]), row) for row in
              np.array([[x[0], 1], [x[1], 2], [3, 5]])])), (2,)),
    Case("kron", "kron(x, x')", lambda x: np.kron(x, x.T), (2, 3)),
    Case("triangles", "tril(x * x) + triu(x, 1)", lambda x: np.tril(x * x) + np.triu(x, 1), (3, 3)),
    Case("repeated", "repeat(x * x, 2) * tile(x, 2)", lambda x: np.repeat(x * x, 2) * np.tile(x, 2)),
    Case("linspace", "linspace(x[0], x[1] * x[2], 4)",
         lambda x: x[0] + (x[1] * x[2] - x[0]) * np.arange(4) / 3),
    Case("conv", "conv(x, sin(x))", lambda x: convolved(x, np.sin(x))),
    Case("correlate", "correlate(x, x * x)", lambda x: convolved(x, (x * x)[::-1])),
    Case("filter", "filter(x, [1.5, 0.2, x[0] * x[1]], [1.0, 2.0, 0.5, x[2]])",
         lambda x: filtered(x, [1.5, 0.2, x[0] * x[1]], [1, 2, 0.5, x[2]])),
    Case("polyfit", "polyfit(x, sin(x), 2)",
         lambda x: least_squares(np.stack([x * x, x, 0 * x + 1], 1), np.sin(x)), (6,)),
    Case("lstsq_right", "lstsq(x[0:4, 0:2], x[:, 2] * x[:, 0])",
         lambda x: least_squares(x[:, :2], x[:, 2] * x[:, 0]), (4, 3)),
    Case("lstsq_columns", "lstsq(x[:, 0:2], x[:, 1:3] * x[:, 1:3])",
         lambda x: least_squares(x[:, :2], x[:, 1:] ** 2), (5, 3)),
    Case("lstsq_constant", "lstsq([1.0, 2.0; 0.5, -1.0; 3.0, 1.0], x * x)",
         lambda x: least_squares(np.array([[1, 2], [0.5, -1], [3, 1]]), x * x)),
    Case("values", "values(x)", lambda x: eigenvalues(symmetric(x)), (3, 3), text="""\
fn values(tensor<real, n, n> x) tensor<real, n>:
    l, _ = eigh(x)
    return l
end
"""),
    Case("svdvals", "svdvals(x)", singular_values, (3, 2)),
    Case("svdvals_wide", "svdvals(x)", singular_values, (2, 3)),
    Case("expm", "expm(x * 0.5)", lambda x: exponential(x * 0.5), (3, 3), reverses=1),
    Case("expm_large", "expm(x * 3.0) * 0.01", lambda x: 0.01 * exponential(x * 3), (2, 2), reverses=1),
    Case("discrete", "discrete(x)", lambda x: held(x[:, :2], x[:, 2:], 0.1 + x[0, 0] ** 2 * 0.1), (2, 3),
         reverses=1, text="""\
fn discrete(tensor<real, 2, 3> x) tensor<real, 2, 3>:
    ad, bd = c2d(x[:, 0:2], x[:, 2:3], 0.1 + x[0, 0] * x[0, 0] * 0.1)
    return concat(1, ad, bd)
end
"""),
    Case("matrix_power", "matrix_power(a + x * 0.3, 5) * 1e-3",
         lambda x: 1e-3 * np.linalg.matrix_power(SHIFTED + 0.3 * x, 5), (3, 3), text=SHIFT),
    Case("matrix_power_inverse", "matrix_power(a + x * 0.3, -2)",
         lambda x: np.linalg.inv((SHIFTED + 0.3 * x) @ (SHIFTED + 0.3 * x)), (3, 3), text=SHIFT),
    Case("cmul", "cmul(x, x)", lambda x: pairs_product(x, x), (3, 2), **PAIRS),
    Case("cdiv", "cdiv(conj(x), x)",
         lambda x: pairs_product(x * [1, -1], x * [1, -1]) / np.sum(x * x, 1, keepdims=True), (3, 2),
         **PAIRS),
    Case("cabs", "cabs(x) * carg(x)",
         lambda x: np.sqrt(np.sum(x * x, 1)) * angle(x[:, 1], x[:, 0]), (3, 2), declared="nest({}, 1)"),
    Case("cexp", "cexp(x)",
         lambda x: np.exp(x[:, :1]) * np.stack([np.cos(x[:, 1]), np.sin(x[:, 1])], 1), (3, 2), **PAIRS),
]
for n in (3, 4, 16, 32, 33):
    # Two numbers that change, before others.
    rest = np.linspace(-1, 1, 2 * (n - 2)).reshape(n - 2, 2)
    LIBRARY += [
        Case(f"fft_{n}", f"fft(nest(concat(0, unnest(x * x), reshape(linspace(-1.0, 1.0, {rest.size}), {n - 2}, 2)), 1))",
             lambda x, rest=rest: fourier(np.concatenate([x * x, rest])), (2, 2), **PAIRS),
        Case(f"rfft_{n}", f"rfft(concat(0, x * x, linspace(-1.0, 1.0, {n - 2})))",
             lambda x, n=n: real_fourier(np.concatenate([x * x, np.linspace(-1, 1, n - 2) if n > 3 else [-1]])),
             (2,), total=PAIRS["total"])]
LIBRARY += [
    Case("ifft", "ifft(x)", lambda x: fourier(x, 1) / len(x), (4, 2), **PAIRS),
    Case("irfft", "irfft(x, 6)", lambda x: from_fourier(x, 6), (4, 2), declared="nest({}, 1)"),
    Case("irfft_odd", "irfft(x, 5)", lambda x: from_fourier(x, 5), (3, 2), declared="nest({}, 1)"),
]

CASES = ELEMENTS + VIEWS + REDUCTIONS + ALGEBRA + FLOW + LIBRARY
