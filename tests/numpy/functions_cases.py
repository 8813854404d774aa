"""Every function of L11 against Python's math and NumPy: functions_cases.py TMLC

Scalars are the C library's, as Python's are; tensors may come from a vector library within 4 ulp.
What rounds to whole numbers, selects, or moves elements must agree exactly.
"""

import math
import sys

import numpy as np

from tml import Case, Value, run_cases

SCALAR = 1e-14  # Python's math may be of another C library
TENSOR = 2e-15  # 4 ulp are at most 8.9e-16 of the value

FINITE = [-1e10, -100.25, -3.7, -2.5, -1.0, -0.5, -1e-3, 1e-300, 1e-3, 0.25, 0.5, 0.999, 1.0, 1.5,
          2.0, 2.5, 3.14159, 10.0, 77.7, 123456.789]
SMALL = [-20.5, -3.7, -1.0, -0.5, -1e-3, -1e-10, 1e-10, 1e-3, 0.25, 0.5, 1.0, 1.5, 2.0, 7.25, 20.5]
UNIT = [-1.0, -0.999, -0.5, -1e-3, 0.0, 1e-8, 0.1, 0.5, 0.75, 0.999, 1.0]
OPEN_UNIT = [-0.999, -0.5, -1e-3, 1e-8, 0.1, 0.5, 0.75, 0.999]
POSITIVE = [1e-300, 1e-10, 0.1, 0.5, 0.999, 1.0, 1.001, 2.0, 2.718281828, 10.0, 1000.0, 1e300]
ABOVE_ONE = [1.0, 1.001, 1.5, 2.0, 10.0, 1e10]
ABOVE_MINUS_ONE = [-0.999, -0.5, -1e-10, 1e-10, 0.5, 1.0, 10.0, 1e10]
SPECIAL = [math.nan, math.inf, -math.inf]


def cube_root(x):
    return float(np.cbrt(x))


def half_away(x):
    return math.copysign(math.floor(abs(x) + 0.5), x)


# name, reference on one number, arguments
CLOSE_FUNCTIONS = [
    ("sin", math.sin, SMALL), ("cos", math.cos, SMALL), ("tan", math.tan, SMALL),
    ("asin", math.asin, UNIT), ("acos", math.acos, UNIT), ("atan", math.atan, FINITE),
    ("sinh", math.sinh, SMALL), ("cosh", math.cosh, SMALL), ("tanh", math.tanh, SMALL),
    ("asinh", math.asinh, FINITE), ("acosh", math.acosh, ABOVE_ONE),
    ("atanh", math.atanh, OPEN_UNIT), ("exp", math.exp, SMALL),
    ("exp2", lambda x: float(np.exp2(x)), SMALL), ("expm1", math.expm1, SMALL),
    ("log", math.log, POSITIVE), ("log10", math.log10, POSITIVE), ("log2", math.log2, POSITIVE),
    ("log1p", math.log1p, ABOVE_MINUS_ONE), ("cbrt", cube_root, FINITE),
    ("erf", math.erf, SMALL), ("erfc", math.erfc, SMALL[1:]),
]
EXACT_FUNCTIONS = [
    ("sqrt", math.sqrt, POSITIVE), ("abs", abs, FINITE),
    ("floor", lambda x: float(np.floor(x)), FINITE), ("ceil", lambda x: float(np.ceil(x)), FINITE),
    ("trunc", lambda x: float(np.trunc(x)), FINITE), ("round", half_away, FINITE),
]
AT_SPECIAL = {  # nan, inf, -inf: C11 annex F
    "sin": "nan nan nan", "cos": "nan nan nan", "tan": "nan nan nan", "exp": "nan inf 0.0",
    "log": "nan inf nan", "sqrt": "nan inf nan", "tanh": "nan 1.0 -1.0", "erf": "nan 1.0 -1.0",
    "erfc": "nan 0.0 2.0", "atan": f"nan {math.pi / 2!r} {-math.pi / 2!r}", "cbrt": "nan inf -inf",
    "exp2": "nan inf 0.0", "expm1": "nan inf -1.0", "log2": "nan inf nan", "log10": "nan inf nan",
    "log1p": "nan inf nan", "sinh": "nan inf -inf", "cosh": "nan inf inf", "asinh": "nan inf -inf",
    "acosh": "nan inf nan", "floor": "nan inf -inf", "round": "nan inf -inf", "abs": "nan inf inf",
}


def real(data, levels=None):
    return Value.wrap("real", np.asarray(data, np.float64), levels)


def elementary():
    for functions, scalar, tensor in ((CLOSE_FUNCTIONS, SCALAR, TENSOR), (EXACT_FUNCTIONS, 0, 0)):
        for name, reference, arguments in functions:
            x = real(arguments)
            y = [reference(a) for a in arguments]
            # The last case computes at run time, element by element: the argument is a variable.
            yield Case("", f"{name}({x.literal()})", real(y), tensor)
            yield Case(f"x = {x.literal()}", f"{name}(x)", real(y), tensor)
            for a, b in zip(arguments, y):
                yield Case(f"x = {a!r}", f"{name}(x)", real(b), scalar)
    for name, values in AT_SPECIAL.items():
        y = [float(value) for value in values.split()]
        yield Case(f"x = {real(SPECIAL).literal()}", f"{name}(x)", real(y), TENSOR)


def of_two():
    pairs = [(a, b) for a in (-2.5, -1.0, 0.5, 3.0) for b in (-4.0, -0.25, 1.0, 1e5)]
    a, b = real([p[0] for p in pairs]), real([p[1] for p in pairs])
    setup = f"a = {a.literal()}\nb = {b.literal()}"
    yield Case(setup, "atan2(a, b)", real(np.arctan2(a.data, b.data)), TENSOR)
    yield Case(setup, "hypot(a, b)", real(np.hypot(a.data, b.data)), TENSOR)
    yield Case(setup, "hypot(a, 2)", real(np.hypot(a.data, 2)), TENSOR)
    yield Case(setup, "min(a, b)", real(np.minimum(a.data, b.data)))
    yield Case(setup, "max(a, b)", real(np.maximum(a.data, b.data)))
    yield Case(setup, "clamp(a, -1, 1)", real(np.clip(a.data, -1, 1)))
    yield Case(setup, "select(a < b, a, b)", real(np.where(a.data < b.data, a.data, b.data)))
    yield Case(setup, "abs(a) ** b", real(np.abs(a.data) ** b.data), TENSOR)
    yield Case("", "atan2(0.0, -1.0)", real(math.pi), SCALAR)
    yield Case("", "atan2(-0.0, -1.0)", real(-math.pi), SCALAR)


def classes():
    data = np.array([0.0, -0.0, 1.5, -1.5, math.nan, math.inf, -math.inf, 5e-324])
    setup = f"x = {real(data).literal()}"
    for name in ("isnan", "isinf", "isfinite"):
        yield Case(setup, f"{name}(x)", Value.wrap("bool", getattr(np, name)(data)))
    yield Case(setup, "sign(x)", Value.wrap("int", [0, 0, 1, -1, 0, 1, -1, 1]))


def bits():
    words = [0, 1, 5, 0x80000000, 0xFFFFFFFF, 0x12345678]
    setup = "x = [" + ", ".join(f"{w}u" for w in words) + "]"
    for i in (0, 1, 3, 31):
        yield Case(setup, f"getbit(x, {i})", Value.wrap("uint", [w >> i & 1 for w in words]))
        for v in (0, 1):
            changed = [w & ~(1 << i) | v << i for w in words]
            yield Case(setup, f"setbit(x, {i}, {v})", Value.wrap("uint", changed))


def algebra():
    rng = np.random.default_rng(7)
    for n in range(1, 7):
        a = rng.standard_normal((n, n)) + n * np.eye(n)
        b = rng.standard_normal(n)
        many = rng.standard_normal((n, 2))
        spd = a @ a.T
        setup = f"a = {real(a).literal()}\nb = {real(b).literal()}\nmany = {real(many).literal()}\n" \
                f"spd = {real(spd).literal()}"
        yield Case(setup, "det(a)", real(np.linalg.det(a)), 1e-11)
        yield Case(setup, "inv(a)", real(np.linalg.inv(a)), 1e-11, 1.0)
        yield Case(setup, "solve(a, b)", real(np.linalg.solve(a, b)), 1e-11, 1.0)
        yield Case(setup, "solve(a, many)", real(np.linalg.solve(a, many)), 1e-11, 1.0)
        yield Case(setup, "chol(spd)", real(np.linalg.cholesky(spd)), 1e-11, 1.0)
        yield Case(setup, "trace(a)", real(np.trace(a)), 1e-12, n)
        yield Case(setup, "norm(b)", real(np.linalg.norm(b)), 1e-12)
        yield Case(setup, "diag(a)", real(np.diag(a)))
        yield Case(setup, "diag(b)", real(np.diag(b)))
        yield Case(setup, "outer(b, b)", real(np.outer(b, b)))
        yield Case(setup, "cumsum(a)", real(np.cumsum(a, 1)), 1e-12, 10.0)
    u, v = rng.standard_normal(3), rng.standard_normal(3)
    yield Case(f"u = {real(u).literal()}\nv = {real(v).literal()}", "cross(u, v)",
               real(np.cross(u, v)))


def makers():
    for n in (1, 2, 5):
        yield Case("", f"eye({n})", real(np.eye(n)))
        yield Case("", f"iota({n})", Value.wrap("int", np.arange(n)))
    for a, b, n in ((0, 1, 5), (-2.5, 7.25, 11), (1, 0, 3)):
        yield Case("", f"linspace({a}, {b}, {n})", real(np.linspace(a, b, n)), 1e-15, 1.0)


def printing():
    """L12: Python's repr has the same shortest digits and thresholds."""
    rng = np.random.default_rng(11)
    values = [1e-4, 9.999999999999999e-05, 1e16, 9999999999999998.0, 0.1, 1 / 3, 5e-324, 1e22, 1e23,
              1.7976931348623157e308, 2.2250738585072014e-308, 123456789012345680.0, 4.35, 0.3,
              2.0**53, 1000.0, 1e-7, 1e5]
    values += [float(x) for x in rng.integers(0, 2**63, 150).view(np.float64)]
    values += [float(x) for x in rng.standard_normal(50) * 10.0 ** rng.integers(-8, 20, 50)]
    values = [x for x in values if math.isfinite(x)]
    for x in values:
        yield Case("", repr(x), real(x))
        yield Case(f"x = {-x!r}", "[x, x]", real([-x, -x]))


def main():
    generators = (elementary, of_two, classes, bits, algebra, makers, printing)
    with np.errstate(all="ignore"):
        cases = [case for generator in generators for case in generator()]
    run_cases(sys.argv[1], cases)


if __name__ == "__main__":
    main()
