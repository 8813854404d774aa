"""The cases of library.py, by function: those of the library, and built-in ones that are no mere
operation. A function may have several, whose names end in `#` and a word."""

import fractions
import math

import numpy as np
import scipy.linalg
import scipy.signal
import scipy.special

import library_cases as c
from library_cases import (Case, FINITE, ORDER, PLAIN, WIDE, complex_case, dims, double, drawn, each, ints, length, numbers,
                           reals, shaped, uints)


def axis_case(name, function, more=""):
    """Along a dim that an argument says."""
    def make():
        shape = tuple(length(1, 4) for _ in range(length(1, 4)))
        d = length(0, len(shape) - 1)
        draw = (lambda: (reals(*shape, hostile=0.2), ints())) if more else lambda: (reals(*shape, hostile=0.2),)
        return draw, f"{name}({{0}}{more}, {d})", lambda x, *k: function(x, *k, d)
    return Case(make)


def stacked():
    shape = tuple(length(1, 3) for _ in range(length(1, 3)))
    k = length(0, len(shape))
    return lambda: (reals(*shape), reals(*shape)), f"stack({k}, {{0}}, {{1}})", lambda a, b: np.stack([a, b], k)


def repeating(name, function):
    def make():
        shape, k = dims(), length(1, 4)
        return lambda: (reals(*shape),), f"{name}({{0}}, {k})", lambda x: each(lambda row: function(row, k))(x)
    return Case(make)


def normed(p, text, function):
    def make():
        n = length()
        return lambda: (reals(n),), f"norm({{0}}{text})"
    edges = "equal zeros inf nan" + (" large denormal" if p == 2 else "")
    return Case(make, function, edges, sizes=lambda x: {"n": len(x)})


def hot():
    shape, n = dims()[:2], length()
    return lambda: (ints(*shape, low=-2, high=12),), f"onehot({{0}}, {n})", \
        lambda k: (k[..., None] == np.arange(n)) * 1.0


def positions():
    """A tensor, and positions of its rows in some shape."""
    shape, i = dims(), dims()
    return lambda: (reals(*shape), ints(*i, low=0, high=shape[0])), i + shape[1:]


def taken():
    draw, _ = positions()
    return draw, None, lambda x, i: x[i]


def placed(function):
    def make():
        draw, shape = positions()
        return lambda: (*draw(), reals(*shape)), None, function
    return make


def put(x, i, v):
    x = x.copy()
    for at, value in zip(i.ravel(), v.reshape(i.size, *x.shape[1:])):
        x[at] = value
    return x


def add_at(x, i, v):
    x = x.copy()
    np.add.at(x, i, v)
    return x


def stretching(*draws):
    """Operands of shapes that stretch to each other."""
    def make():
        shape = dims()
        shapes = [tuple(1 if np.random.default_rng(k).random() < 0.3 else n for n in shape)
                  for k in c.random.integers(0, 2**30, size=len(draws))]
        shapes[c.random.integers(len(draws))] = shape
        return lambda: tuple(draw(*s) for draw, s in zip(draws, shapes))
    return make


def hostile(*shape):
    return reals(*shape, hostile=0.3)


def comparison(function):
    return Case(stretching(hostile, hostile), function)


def fused(x, y, z):
    if not np.isfinite(float(x) * float(y) + float(z)):
        return x * y + z
    exact = fractions.Fraction(float(x)) * fractions.Fraction(float(y)) + fractions.Fraction(float(z))
    return type(x)(float(exact)) if exact != 0 else x * y + z


def of_three(function):
    return lambda a, b, d: function(function(a, b), d)


def bits(function):
    return Case(shaped(uints), numbers(function))


def square(name, define, edges, terms, draw=lambda n: (c.well_conditioned(n),), right=False):
    """Of few rows, and of many; and where each pivot but one is 0."""
    more = {"edges": edges, "terms": terms, "sizes": lambda a, *b: {"n": len(a)}}

    def side(n):
        return (c.random.normal(size=n),) if right else ()
    cases = {name: Case(drawn(lambda: (length(1, 8),), lambda n: (*draw(n), *side(n))), define, **more),
             f"{name}#rows": Case(drawn(lambda: (length(9, 16),), lambda n: (*draw(n), *side(n))), define, **more)}
    if right:
        for key, least, most in ("columns", 1, 8), ("rows_columns", 9, 16):
            cases[f"{name}#{key}"] = Case(drawn(lambda least=least, most=most: (length(least, most), length(1, 4)),
                                                lambda n, m: (*draw(n), c.random.normal(size=(n, m)))), define, **more)
    if name != "chol":
        for key, least, most in ("pivots", 3, 8), ("rows_pivots", 9, 16):
            cases[f"{name}#{key}"] = Case(drawn(lambda least=least, most=most: (length(least, most),),
                                                lambda n: (c.permuted(n), *side(n))), define, **more)
    return cases


def scipy_filtered(b, a, x, z=None):
    return scipy.signal.lfilter(b, a, x) if z is None else scipy.signal.lfilter(b, a, x, zi=z)


def scipy_discrete(a, b, dt):
    n, m = b.shape
    return scipy.signal.cont2discrete((a, b, np.eye(n), np.zeros((n, m))), float(dt), "zoh")[:2]


def scipy_case(name, define, edges=None):
    """The arguments of another case, with the function of SciPy, which computes in doubles."""
    case = CASES[name]
    return Case(case.make, c.of_doubles(define), case.edges if edges is None else edges, case.terms, case.sizes, case.text)


CASES = {
    # array.tml
    "sort": Case(shaped(hostile=0.3), each(lambda r: r[c.sorting(r)]), ORDER),
    "sort#int": Case(shaped(ints), lambda x: np.sort(x)),
    "sort#uint": Case(shaped(uints), lambda x: np.sort(x)),
    "argsort": Case(shaped(hostile=0.3), each(c.sorting), ORDER),
    "argsort#int": Case(shaped(ints, low=-3, high=3), each(c.sorting)),
    "sort#long": Case(c.long_row(hostile=0.2), each(lambda r: r[c.sorting(r)]), ORDER),
    "argsort#long": Case(c.long_row(hostile=0.2), each(c.sorting), ORDER),
    "argsort#long_int": Case(c.long_row(ints, low=-3, high=3), each(c.sorting)),
    "topk": Case(c.topk, edges=ORDER),
    "increasing": Case(shaped(hostile=0.1), lambda x: np.all(x[..., :-1] < x[..., 1:], -1), ORDER),
    "increasing#int": Case(shaped(ints), lambda x: np.all(np.diff(x) > 0, -1)),
    "searchsorted": Case(drawn(lambda: (length(), dims()),
                               lambda n, d: (lambda xs: (xs, c.inside(xs, *d)))(c.ascending(n))),
                         np.searchsorted),
    "interp": Case(drawn(lambda: (length(), dims()),
                         lambda n, d: (lambda xs: (c.inside(xs, *d), xs, reals(n)))(c.ascending(n))), c.interpolated),
    "interp#rows": Case(drawn(lambda: (length(), length(1, 4), dims()),
                              lambda n, m, d: (lambda xs: (c.inside(xs, *d), xs, reals(n, m)))(c.ascending(n))),
                        c.interpolated),
    "interp2": Case(drawn(lambda: (length(), length(), length()),
                          lambda n, m, k: (lambda xs, ys: (c.inside(xs, k), c.inside(ys), xs, ys, reals(n, m)))(
                              c.ascending(n), c.ascending(m))), c.bilinear),
    "cumprod": Case(shaped(), lambda x: np.cumprod(x, -1), PLAIN),
    "cumprod#int": Case(shaped(ints), each(lambda r: np.cumprod(r, dtype=np.int32))),
    "cummax": Case(shaped(hostile=0.2), c.running(lambda a, b: not a <= b), ORDER),
    "cummin": Case(shaped(hostile=0.2), c.running(lambda a, b: not a >= b), ORDER),
    "diff": Case(shaped(least=2), lambda x: np.diff(x), ORDER),
    "flip": Case(shaped(hostile=0.2), lambda x: np.flip(x, -1), ORDER),
    "flip#dim": axis_case("flip", np.flip),
    "roll": Case(lambda: (lambda s: lambda: (reals(*s), ints()))(dims()), lambda x, k: np.roll(x, int(k), -1)),
    "roll#dim": axis_case("roll", lambda x, k, d: np.roll(x, int(k), d), ", {1}"),
    "tril": Case(drawn(lambda: (length(), length()), lambda n, m: (hostile(n, m), ints(low=-4, high=4))),
                 lambda x, k: np.tril(x, int(k))),
    "triu": Case(drawn(lambda: (length(), length()), lambda n, m: (hostile(n, m), ints(low=-4, high=4))),
                 lambda x, k: np.triu(x, int(k))),
    "tril#far": Case(drawn(lambda: (length(), length()), lambda n, m: (ints(n, m), c.extreme_ints())),
                     lambda x, k: np.tril(x, np.clip(int(k), -100, 100))),
    "triu#far": Case(drawn(lambda: (length(), length()), lambda n, m: (ints(n, m), c.extreme_ints())),
                     lambda x, k: np.triu(x, np.clip(int(k), -100, 100))),
    "tril#main": Case(drawn(lambda: (length(), length()), lambda n, m: (ints(n, m),)), np.tril),
    "triu#main": Case(drawn(lambda: (length(), length()), lambda n, m: (ints(n, m),)), np.triu),
    "grid": Case(drawn(lambda: (length(), length()), lambda n, m: (reals(n), reals(m))),
                 lambda x, y: tuple(np.meshgrid(x, y, indexing="ij"))),
    "kron": Case(drawn(lambda: [length(1, 3) for _ in range(4)], lambda i, j, k, m: (reals(i, j), reals(k, m))), np.kron),
    "nonzero": Case(shaped(lambda *s: c.random.random(s) < 0.5),
                    each(lambda r: (np.pad(np.nonzero(r)[0], (0, len(r) - sum(r)), constant_values=len(r)), np.sum(r)))),
    # statistics.tml
    "var": Case(lambda: (lambda s: lambda: (reals(*s), ints(low=0, high=2)))(dims(2)),
                lambda x, d: np.var(x, axis=-1, ddof=int(d)), "ascending descending zero"),
    "std": Case(lambda: (lambda s: lambda: (reals(*s), ints(low=0, high=2)))(dims(2)),
                lambda x, d: np.std(x, axis=-1, ddof=int(d)), "ascending descending zero"),
    "var#bang": Case(lambda: (lambda n, m: (lambda: (reals(n, m),), "var!(nest({0}, 1))"))(length(), length()),
                     lambda x: np.var(x, axis=0), sizes=lambda x: {"n": len(x)}),
    "std#bang": Case(lambda: (lambda n, m: (lambda: (reals(n, m),), "std!(nest({0}, 1), 1)"))(length(2), length()),
                     lambda x: np.std(x, axis=0, ddof=1), sizes=lambda x: {"n": len(x)}),
    "median": Case(shaped(hostile=0.05), lambda x: np.median(x, axis=-1), ORDER),
    "median#large": Case(shaped(c.largest), lambda x: np.median(x, axis=-1)),
    "quantile": Case(lambda: (lambda s: lambda: (reals(*s), c.random.uniform(0, 1)))(dims()),
                     lambda x, q: np.quantile(x, q, axis=-1), FINITE),
    "quantile#ends": Case(lambda: (lambda s: lambda: (reals(*s), np.float64(c.random.choice([0, 0.5, 1]))))(dims()),
                          lambda x, q: np.quantile(x, q, axis=-1), FINITE),
    "quantile#large": Case(lambda: (lambda s: lambda: (c.largest(*s), np.float64(c.random.choice([0, 0.25, 0.5, 1]))))(dims()),
                           c.far_quantile),
    "trapz": Case(lambda: (lambda s: lambda: (reals(*s), reals(s[-1])))(dims()), c.trapezoid, FINITE,
                  c.trapezoid_terms),
    "trapz#step": Case(lambda: (lambda s: lambda: (reals(*s), reals()))(dims()), c.trapezoid, PLAIN, c.trapezoid_terms),
    "softmax": Case(shaped(), c.softmax, FINITE + " nan"),
    "logsumexp": Case(shaped(hostile=0.05), c.logsumexp, FINITE),
    # numbers.tml
    "deg2rad": Case(shaped(hostile=0.2), lambda x: x * (WIDE(math.pi) / 180), ORDER),
    "rad2deg": Case(shaped(hostile=0.2), lambda x: x * (180 / WIDE(math.pi)), "equal zeros nan inf"),
    "wrap": Case(shaped(hostile=0.1), numbers(c.wrapped), "equal zeros nan inf large"),
    "wrap#half": Case(shaped(lambda *s: c.random.choice([-2, -1, 0, 1, 2], size=s) * math.pi), numbers(c.wrapped)),
    "sat_int": Case(shaped(lambda *s: hostile(*s) * 10.0 ** c.random.uniform(0, 9)), c.saturated(-2.0**31, 2.0**31 - 1), ORDER),
    "sat_uint": Case(shaped(lambda *s: hostile(*s) * 10.0 ** c.random.uniform(0, 9)), c.saturated(0.0, 2.0**32 - 1), ORDER),
    "sat": Case(lambda: (lambda s: lambda: (hostile(*s) * 10.0 ** c.random.uniform(0, 9), ints(low=-3, high=40)))(dims()),
                c.held, ORDER),
    "sigmoid": Case(shaped(hostile=0.2), numbers(c.sigmoid), "equal zeros nan inf large denormal"),
    "softplus": Case(shaped(hostile=0.2), c.softplus, "equal zeros nan inf large denormal"),
    "lerp": Case(stretching(reals, reals, lambda *s: c.random.choice([0.0, 1.0, 0.3, -0.7, 1.6], size=s)),
                 lambda a, b, t: a + (b - a) * t,
                 terms=lambda a, b, t: np.maximum(np.abs(a), np.abs(b)) * (1 + 2 * np.abs(t))),
    "lerp#ends": Case(stretching(reals, reals, lambda *s: c.random.choice([0.0, 1.0], size=s)), c.between,
                      terms=lambda a, b, t: 0 * a * b),
    "lerp#large": Case(stretching(c.largest, c.largest, lambda *s: c.random.choice([0.0, -0.0, 1.0, 0.5, 0.3], size=s)),
                       c.between, terms=lambda a, b, t: np.abs(a) + np.abs(b)),
    "deadzone": Case(stretching(hostile, lambda *s: np.abs(reals(*s))), c.deadzone, "zeros nan inf"),
    "isclose": Case(stretching(hostile, hostile), np.isclose, "zeros nan inf"),
    "isclose#near": Case(shaped(lambda *s: 1 + 1e-5 * c.random.uniform(-2, 2, size=s)), text="isclose({0}, 1.0)",
                         define=lambda x: np.isclose(x, np.ones_like(x))),
    "isclose#both": Case(stretching(reals, reals), text="isclose({0}, {1}, 0.1, 0.5)",
                         define=lambda a, b: np.isclose(a, b, 0.1, 0.5)),
    "gcd": Case(stretching(ints, ints), np.gcd),
    "gcd#large": Case(stretching(lambda *s: ints(*s, low=-2**31 + 1, high=2**31 - 1), lambda *s: ints(*s, low=0, high=99)),
                      np.gcd),
    "gcd#least": Case(stretching(c.extreme_ints, c.extreme_ints), lambda a, b: c.low_bits(np.gcd(np.int64(a), np.int64(b)))),
    "lcm": Case(stretching(ints, ints), np.lcm),
    "lcm#large": Case(stretching(c.extreme_ints, lambda *s: ints(*s, low=-2**16, high=2**16)),
                      lambda a, b: c.low_bits(np.lcm(np.int64(a), np.int64(b)))),
    # signal.tml
    "conv": Case(drawn(lambda: (length(), length()), lambda n, m: (reals(n), reals(m))), np.convolve, PLAIN,
                 lambda a, b: np.convolve(np.abs(a), np.abs(b))),
    "correlate": Case(drawn(lambda: (length(), length()), lambda n, m: (reals(n), reals(m))),
                      lambda a, b: np.convolve(a, b[::-1]), PLAIN, lambda a, b: np.convolve(np.abs(a), np.abs(b[::-1]))),
    "filter": Case(drawn(lambda: (length(1, 4), length(1, 20)), c.stable_filter), c.filtered),
    "filter#lengths": Case(drawn(lambda: (length(1, 4), length(1, 20), length(1, 4)), c.stable_filter), c.filtered),
    "filter#state": Case(drawn(lambda: (length(2, 4), length(1, 20), length(1, 4)),
                               lambda k, n, m: (*c.stable_filter(k, n, m), reals(max(k, m) - 1))), c.filtered),
    "polyval": Case(lambda: (lambda s, n: lambda: (reals(n), reals(*s)))(dims(), length()), np.polyval, "zeros",
                    lambda p, x: np.polyval(np.abs(p), np.abs(x))),
    "polyfit": Case(c.fit, terms=c.fit_condition),
    "polyfit#far": Case(lambda: c.fit(2, 2, 1e12), terms=c.fit_condition),
    "unwrap": Case(shaped(lambda *s: c.random.uniform(-9, 9, size=s)), each(c.unwrapped)),
    "unwrap#half": Case(shaped(lambda *s: c.random.choice([0.0, math.pi], size=s)), lambda x: x),
    # complex.tml, random.tml
    "cmul": complex_case("cmul", np.multiply, 2, lambda a, b: (np.abs(a).sum(-1) * np.abs(b).sum(-1))[..., None]),
    "cdiv": complex_case("cdiv", np.divide, 2),
    "conj": complex_case("conj", np.conj, 1),
    "cabs": complex_case("cabs", np.abs, 1, real=True),
    "carg": complex_case("carg", np.angle, 1, real=True),
    "cexp": complex_case("cexp", c.complex_exp, 1),
    "cexp#large": complex_case("cexp", c.complex_exp, 1, parts=c.far_parts),
    "philox": Case(lambda: lambda: (uints(2), uints(4)), c.philox),
    # matrices.tml
    "qr": Case(drawn(c.tall, lambda n, m: (reals(n, m),)), judge=c.judged(c.judge_qr),
               edges="equal zero one nan singular descending"),
    "qr#far": Case(drawn(c.tall, lambda n, m: (c.far(reals(n, m)),)), judge=c.judged(c.judge_qr, nans=lambda _: True)),
    "lstsq": Case(drawn(c.tall, lambda n, m: (c.well_conditioned(n, m), c.random.normal(size=n))),
                  lambda a, b: np.linalg.lstsq(double(a), double(b), rcond=None)[0], terms=c.least_squares_scale),
    "lstsq#far": Case(drawn(c.tall, lambda n, m: (c.well_conditioned(n, m) * 10.0 ** c.random.choice([-25, 25]),
                                                  c.random.normal(size=n))),  # far for f32
                      lambda a, b: np.linalg.lstsq(double(a), double(b), rcond=None)[0], terms=c.least_squares_scale),
    "lstsq#columns": Case(drawn(lambda: (*c.tall(), length(1, 4)),
                                lambda n, m, k: (c.well_conditioned(n, m), c.random.normal(size=(n, k)))),
                          lambda a, b: np.linalg.lstsq(double(a), double(b), rcond=None)[0],
                          terms=c.least_squares_scale),
    "eigh": Case(drawn(lambda: (length(1, 6),), lambda n: (c.symmetric(n),)), judge=c.judged(c.judge_eigh, np.tril),
                 edges="equal zero one nan inf"),
    "eigh#far": Case(drawn(lambda: (length(1, 6),), lambda n: (c.far(c.symmetric(n)),)),
                     judge=c.judged(c.judge_eigh, np.tril)),
    "svd": Case(drawn(lambda: (length(1, 6), length(1, 6)), lambda n, m: (c.random.normal(size=(n, m)),)),
                judge=c.judged(c.judge_svd, nans=any), edges="equal zero one nan"),
    "svd#far": Case(drawn(lambda: (length(1, 6), length(1, 6)), lambda n, m: (c.far(c.random.normal(size=(n, m))),)),
                    judge=c.judged(c.judge_svd, nans=any)),
    "svdvals": Case(drawn(lambda: (length(1, 6), length(1, 6)), lambda n, m: (c.random.normal(size=(n, m)),)),
                    lambda a: np.linalg.svd(double(a), compute_uv=False), "equal zero one singular"),
    "cond": Case(drawn(lambda: (length(1, 6), length(1, 6)), lambda n, m: (c.well_conditioned(n, m),)), c.condition, "one",
                 terms=lambda a: c.condition(a) ** 2),
    "pinv": Case(drawn(lambda: (length(1, 6), length(1, 6)), lambda n, m: (c.well_conditioned(n, m),)),
                 c.of_doubles(np.linalg.pinv), "one zero", terms=lambda a: np.linalg.cond(double(a)) *
                 np.linalg.norm(np.linalg.pinv(double(a))) if np.any(a) else 1.0),
    "rank": Case(drawn(lambda: (length(1, 6), length(1, 6), length(1, 4)), lambda n, m, k: (c.deficient(n, m, k),)),
                 c.rank, "one zero equal"),
    "rank#near": Case(drawn(lambda: (length(2, 6),), lambda n: (c.nearly_deficient(n),)), c.rank),
    "expm": Case(drawn(lambda: (length(1, 5),), lambda n: (c.random.normal(size=(n, n)) * 10.0 ** c.random.uniform(-3, 0.7),)),
                 c.exponential, "zero one nan inf"),
    "matrix_power": Case(drawn(lambda: (length(1, 5),), lambda n: (c.well_conditioned(n), ints(low=-4, high=9))),
                         lambda a, k: np.linalg.matrix_power(double(a), int(k)), "one", terms=c.power_scale),
    "c2d": Case(drawn(lambda: (length(1, 4), length(1, 2)),
                      lambda n, m: (c.random.normal(size=(n, n)), c.random.normal(size=(n, m)), c.random.uniform(0.01, 1))),
                c.zero_order_hold),
    # Built in.
    "tile": repeating("tile", np.tile),
    "repeat": repeating("repeat", np.repeat),
    "stack": Case(stacked),
    "norm": normed(1, "", lambda x: np.sqrt(np.sum(x * x))),
    "norm#2": normed(2, ", 2", lambda x: np.sqrt(np.sum(x * x))),
    "norm#3": normed(1, ", 3", lambda x: np.sum(np.abs(x) ** 3) ** (WIDE(1) / 3)),
    "norm#1": normed(1, ", 1", lambda x: np.sum(np.abs(x))),
    "norm#inf": normed(2, ", inf", lambda x: np.max(np.abs(x))),
    "norm#matrix": Case(drawn(lambda: (length(), length()), lambda n, m: (reals(n, m),)), lambda x: np.sqrt(np.sum(x * x)),
                        "zeros", sizes=lambda x: {"n": x.size}),
    **square("det", c.of_doubles(np.linalg.det), "one zero", lambda a: np.prod(np.sqrt(np.sum(a * a, axis=1))),
             lambda n: (c.random.normal(size=(n, n)),)),
    **square("inv", c.of_doubles(np.linalg.inv), "one", lambda a: c.condition(a) * np.linalg.norm(np.linalg.inv(double(a)))),
    **square("solve", c.of_doubles(np.linalg.solve), "one", c.least_squares_scale, right=True),
    **square("chol", c.of_doubles(np.linalg.cholesky), "", lambda a: c.condition(a) * np.max(np.abs(a)) ** 0.5,
             lambda n: (c.positive(n),)),
    "take": Case(taken),
    "put": Case(placed(put)),
    "add_at": Case(placed(add_at), terms=lambda x, i, v: add_at(np.abs(x), i, np.abs(v)), sizes=lambda x, i, v: {"n": i.size + 1}),
    "onehot": Case(hot),
    "eq": comparison(np.equal),
    "ne": comparison(np.not_equal),
    "lt": comparison(np.less),
    "le": comparison(np.less_equal),
    "gt": comparison(np.greater),
    "ge": comparison(np.greater_equal),
    "copysign": Case(stretching(hostile, hostile), np.copysign, "zeros nan inf"),
    "fma": Case(stretching(reals, reals, reals), numbers(fused), "zeros"),
    "rint": Case(shaped(lambda *s: np.round(2 * reals(*s, hostile=0.2)) / 2), np.rint, ORDER),
    "remainder": Case(stretching(reals, reals), lambda x, y: numbers(lambda a, b: math.remainder(a, b) if b else np.nan)(x, y)),
    "min": Case(stretching(reals, reals, reals), of_three(np.minimum), "zeros nan inf"),
    "max": Case(stretching(reals, reals, reals), of_three(np.maximum), "zeros nan inf"),
    "mulhi": Case(stretching(uints, uints), lambda a, b: np.uint64(a) * np.uint64(b) >> np.uint64(32)),
    "popcount": bits(lambda x: bin(x).count("1")),
    "clz": bits(lambda x: 32 - int(x).bit_length()),
    "ctz": bits(lambda x: (int(x) & -int(x)).bit_length() - 1 if x else 32),
    "bitreverse": bits(lambda x: int(f"{int(x):032b}"[::-1], 2)),
}

# Those that NumPy lacks, with SciPy's.
CASES |= {
    "softmax#scipy": scipy_case("softmax", lambda x: scipy.special.softmax(x, axis=-1)),
    "logsumexp#scipy": scipy_case("logsumexp", lambda x: scipy.special.logsumexp(x, axis=-1)),
    "sigmoid#scipy": scipy_case("sigmoid", scipy.special.expit),
    "expm#scipy": scipy_case("expm", scipy.linalg.expm, "zero one nan"),
    "c2d#scipy": scipy_case("c2d", scipy_discrete),
    "filter#scipy": scipy_case("filter", scipy_filtered),
    "filter#scipy_state": scipy_case("filter#state", scipy_filtered),
    "pinv#scipy": scipy_case("pinv", scipy.linalg.pinv),
    "chol#scipy": scipy_case("chol", lambda a: scipy.linalg.cholesky(a, lower=True)),
    "solve#scipy": scipy_case("solve", scipy.linalg.solve),
}
