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
    total: str = ""  # the sum of the squares of all elements, where `sum` is not enough
    has_reverse: bool = True


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
]

SHIFT = "a = [4.0, 1.0, 0.5; 1.0, 5.0, 0.2; 0.5, 0.2, 6.0]\n"
SHIFTED = np.array([[4, 1, 0.5], [1, 5, 0.2], [0.5, 0.2, 6]])

ALGEBRA = [
    Case("solve", "solve(a + x * 0.3, x[0, :])",
         lambda x: np.linalg.solve(SHIFTED + 0.3 * x, x[0]), (3, 3), text=SHIFT),
    Case("solve_matrix", "solve(a + x * 0.3, x)",
         lambda x: np.linalg.solve(SHIFTED + 0.3 * x, x), (3, 3), text=SHIFT),
    Case("inv", "inv(a + x * 0.3)", lambda x: np.linalg.inv(SHIFTED + 0.3 * x), (3, 3), text=SHIFT),
    Case("det", "det(a + x * 0.3)", lambda x: np.linalg.det(SHIFTED + 0.3 * x), (3, 3), text=SHIFT),
    Case("chol", "chol(a + x * 0.3)", lambda x: lower(SHIFTED + 0.3 * x), (3, 3), text=SHIFT),
]


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
    Case("halve", "halve(x)", halve, low=0.2, high=1.5, has_reverse=False, text="""fn halve(tensor<real, 3> x) tensor<real, 3>:
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
         lambda x: np.linalg.solve(x.T @ x, x.T @ np.array([1, 2, 3, 4])), (4, 2),
         has_reverse=False),
]

CASES = ELEMENTS + VIEWS + REDUCTIONS + ALGEBRA + FLOW + LIBRARY
