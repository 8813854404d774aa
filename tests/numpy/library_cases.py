"""Cases of the library: for each function what makes its arguments, and what NumPy, or the definition
written out here, says of them. See library.py.

Where results are exact the definition gets the arguments as they are, in the root's own width; else
in long doubles, so that its own error is nothing beside the one that is measured.
"""

import math

import numpy as np
from mpmath import mp

WIDE = np.longdouble
random = np.random.default_rng()  # that of library.py


def double(x):
    return np.asarray(x, np.float64)


def length(least=1, most=9):
    return int(random.integers(least, most + 1))


def reals(*shape, hostile=0.0):
    x = random.normal(size=shape) * 10.0 ** random.uniform(-2, 2)
    x = np.where(random.random(shape) < 0.2, np.round(x), x)
    special = random.choice([0.0, -0.0, 1.0, -1.0, np.nan, np.inf, -np.inf], size=shape)
    return np.where(random.random(shape) < hostile, special, x)


def dims(least=1):
    """Of a vector, a matrix or a tensor, with rows of at least `least`."""
    return *(length(1, 3) for _ in range(int(random.integers(0, 3)))), length(least)


def ints(*shape, low=-20, high=20):
    return random.integers(low, high, size=shape).astype(np.int32)


def extreme_ints(*shape):
    edges = np.array([-2**31, -2**31 + 1, 2**31 - 1, 2**31 - 2, 3 * 2**29, -15, 0, 1, 6])
    return random.choice(edges, size=shape).astype(np.int32)


def low_bits(x):
    return np.asarray(x).astype(np.int64).astype(np.int32)


def uints(*shape):
    words = random.integers(0, 2**32, size=shape)
    return (words >> random.integers(0, 32, size=shape)).astype(np.uint32)


class Case:
    """`make` draws shapes, and gives what draws arguments of them; `text` is the call where it is not
    `name(0, 1, ...)`, with the numbers of the arguments in braces. `define` gives the result or results.
    `edges` are those of EDGES that the first real argument may become. `terms` gives what the accuracy is
    relative to, `sizes` what its letters mean where no header says so. `judge(arguments, results)` gives pairs
    of an error and its scale in place of `define`."""

    def __init__(self, make, define=None, edges="", terms=None, sizes=None, text=None, judge=None):
        self.make, self.define, self.edges, self.terms = make, define, edges, terms
        self.sizes, self.text, self.judge = sizes, text, judge


EDGES = {
    "equal": lambda x: np.full_like(x, x.flat[0]),
    "ascending": lambda x: np.sort(x, axis=-1),
    "descending": lambda x: np.sort(x, axis=-1)[..., ::-1],
    "repeated": lambda x: np.take(x, np.arange(x.shape[-1]) // 2, -1),
    "zeros": lambda x: np.where(random.random(x.shape) < 0.5, 0.0, -0.0),
    "denormal": lambda x: np.sign(x) * np.minimum(np.abs(x) * 1e-310, 1e-308) + 0.0 * x,
    "nan": lambda x: np.where(random.random(x.shape) < 0.3, np.nan, x),
    "inf": lambda x: np.where(random.random(x.shape) < 0.3, np.sign(x) * np.inf, x),
    "large": lambda x: np.sign(x) * 1e37 * (1 + np.abs(x) % 7),
    "singular": lambda x: x - x[..., :1],
    "zero": lambda x: 0.0 * x,
    "one": lambda x: np.eye(*x.shape[-2:]) + 0.0 * x,
}
ORDER = "equal ascending descending repeated zeros denormal nan inf large"
FINITE = "equal ascending descending repeated zeros denormal"
PLAIN = "equal ascending descending zeros"


def shaped(draw=reals, least=1, **more):
    """One argument of any shape."""
    def make():
        shape = dims(least)
        return lambda: (draw(*shape, **more),)
    return make


def long_row(draw=reals, **more):
    def make():
        n = length(65, 150)
        return lambda: (draw(n, **more),)
    return make


def largest(*shape):
    """Numbers of f64 and f32 whose differences overflow, and what is no number."""
    return random.choice([1.7e308, -1.7e308, 3.3e38, -3.3e38, np.inf, -np.inf, np.nan, 1.0], size=shape)


def far_quantile(x, q):
    x = np.sort(x, axis=-1)
    at = q * (x.shape[-1] - 1)
    k = int(at)
    return np.where(np.isnan(x[..., -1]), np.nan, between(x[..., k], x[..., min(k + 1, x.shape[-1] - 1)], at - k))


def between(a, b, t):
    end = np.where(t == 0, a, np.where(t == 1, b, a * (1 - t) + b * t))
    return np.where(np.isnan(a) | np.isnan(b), np.nan, end)


def drawn(sizes, draw):
    """Arguments that depend on lengths: `sizes` draws these, once for many arguments."""
    def make():
        lengths = sizes()
        return lambda: draw(*lengths)
    return make


def each(function):
    """A function of a vector on each row."""
    def apply(x, *others):
        out = [function(row, *others) for row in np.asarray(x).reshape(-1, x.shape[-1])]
        if isinstance(out[0], tuple):
            return tuple(np.array(part).reshape(x.shape[:-1] + np.shape(part[0])) for part in zip(*out))
        return np.array(out).reshape(x.shape[:-1] + np.shape(out[0]))
    return apply


def numbers(function):
    """A function of a number on each element."""
    def apply(*xs):
        xs = np.broadcast_arrays(*xs)
        out = [function(*values) for values in zip(*(x.ravel() for x in xs))]
        return np.array(out).reshape(xs[0].shape)
    return apply


def sorting(row):
    return np.argsort(row, kind="stable")


def greatest(row, k):
    order = np.array(sorted(range(len(row)), key=lambda i: (bool(np.isnan(row[i])),
                                                            0 if np.isnan(row[i]) else -row[i], i)))
    return row[order[:k]], order[:k]


def topk():
    shape = dims()
    k = length(1, shape[-1])
    return lambda: (reals(*shape, hostile=0.3),), f"topk({{0}}, {k})", lambda x: each(greatest)(x, k)


def table(n):
    return np.unique(np.concatenate([np.sort(reals(n)), 1e3 + np.arange(n)])[:n]) if n > 1 else reals(1)


def ascending(n):
    """A table that ascends; the steps are not tiny."""
    return np.cumsum(np.abs(reals(n)) + 0.1) - 5


def inside(xs, *shape):
    x = random.uniform(xs[0] - 1, xs[-1] + 1, size=shape)
    knots = random.choice(xs, size=shape)
    special = random.choice([np.nan, np.inf, -np.inf, xs[0], xs[-1]], size=shape)
    kind = random.random(shape)
    return np.where(kind < 0.2, knots, np.where(kind < 0.3, special, x))


def interpolated(x, xs, ys):
    def at(v):
        if np.isnan(v):
            return ys[0] * WIDE(np.nan)
        if v <= xs[0] or len(xs) == 1:
            return ys[0]
        if v >= xs[-1]:
            return ys[-1]
        k = int(np.searchsorted(xs, v, side="right")) - 1
        return ys[k] + (v - xs[k]) * ((ys[k + 1] - ys[k]) / (xs[k + 1] - xs[k]))
    out = [at(v) for v in np.ravel(x)]
    return np.array(out).reshape(np.shape(x) + ys.shape[1:])


def bilinear(x, y, xs, ys, z):
    x, y = np.broadcast_arrays(x, y)
    rows = [interpolated(v, xs, z) for v in x.ravel()]
    return np.array([interpolated(v, ys, row) for v, row in zip(y.ravel(), rows)]).reshape(x.shape)


def running(function):
    def run(row):
        out = [row[0]]
        for x in row[1:]:
            out.append(x if np.isnan(x) or function(x, out[-1]) else out[-1])
            if np.isnan(out[-2]):
                out[-1] = out[-2]
        return np.array(out, row.dtype)
    return each(run)


def trapezoid(y, x):
    x = np.broadcast_to(x, y.shape) if np.ndim(x) else x * np.arange(y.shape[-1])
    return np.sum((x[..., 1:] - x[..., :-1]) * (y[..., 1:] + y[..., :-1]) / 2, axis=-1)


def trapezoid_terms(y, x):
    x = np.broadcast_to(x, y.shape) if np.ndim(x) else x * np.arange(y.shape[-1])
    y = np.abs(y)
    return np.sum(np.abs(x[..., 1:] - x[..., :-1]) * (y[..., 1:] + y[..., :-1]), axis=-1)


def softmax(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


def logsumexp(x):
    top = np.max(x, axis=-1)
    rest = np.log(np.sum(np.exp(x - np.max(x, axis=-1, keepdims=True)), axis=-1))
    return np.where(np.isinf(top), top, top + rest)


def wrapped(v):
    """By the turn that the width of v has."""
    turn, half = float(type(v)(2 * math.pi)), float(type(v)(math.pi))
    y = math.remainder(v, turn) if np.isfinite(v) else np.nan
    return -half if y >= half else y


def unwrapped(row):
    out, turns = [row[0]], row[0] * 0
    for before, x in zip(row, row[1:]):
        d = x - before
        if abs(d) >= np.pi:
            moved = (d + WIDE(math.pi)) % WIDE(2 * math.pi) - WIDE(math.pi)
            turns += (WIDE(math.pi) if moved == -WIDE(math.pi) and d > 0 else moved) - d
        out.append(x + turns)
    return np.array(out)


def saturated(low, high):
    return lambda x, *_: np.trunc(np.clip(np.where(np.isnan(x), 0.0, np.asarray(x, float)), low, high)) + 0.0


def held(x, bits):
    bits = np.clip(bits, 1, 32).astype(float)
    return saturated(-2.0 ** (bits - 1), 2.0 ** (bits - 1) - 1)(x)


def sigmoid(v):
    return 1 / (1 + np.exp(-v)) if v >= 0 else v if np.isnan(v) else np.exp(v) / (1 + np.exp(v))


def softplus(x):
    return np.where(np.isnan(x), x, np.log1p(np.exp(-np.abs(x))) + np.maximum(x, 0))


def deadzone(x, w):
    return np.where(x > w, x - w, np.where(x < -w, x + w, np.where(np.isnan(x), x, 0)))


def filtered(b, a, x, z=None):
    """SciPy's lfilter, operation by operation."""
    longer = max(len(b), len(a))
    b, a = (np.concatenate([v, np.zeros(longer - len(v), v.dtype)]) for v in (b / a[0], a / a[0]))
    state = np.zeros(len(b), b.dtype)
    state[:len(b) - 1] = 0 if z is None else z
    y = np.zeros_like(x)
    for i, v in enumerate(x):
        y[i] = state[0] + b[0] * v
        for j in range(1, len(b)):
            state[j - 1] = state[j] + v * b[j] - y[i] * a[j]
    return y if z is None else (y, state[:-1])


def stable_filter(k, n, m=None):
    a = np.concatenate([[random.uniform(0.5, 2)], random.uniform(-0.3, 0.3, k - 1)])
    return random.normal(size=m or k), a, random.normal(size=n)


def fit(least=0, most=3, size=1.0):
    d = length(least, most)
    n = length(d + 1, d + 8)
    x = np.linspace(-1, 2, n)
    return lambda: (size * (x + random.uniform(-0.1, 0.1, n) / n), random.normal(size=n)), f"polyfit({{0}}, {{1}}, {d})", \
        lambda u, y: np.polyfit(double(u), double(y), d)


def fit_condition(x, y):
    k = int(min(len(x), 4))
    powers = np.vander(double(x / np.max(np.abs(x))), k)
    size = np.max(np.abs(double(x)))
    scale = np.max([size ** -p for p in range(k)])
    return np.linalg.cond(powers) ** 2 * np.max(np.abs(y)) * scale * 10


def philox(key, counter):
    (k0, k1), (a, b, c, d) = (map(int, words) for words in (key, counter))
    for _ in range(10):
        p, q = 0xD2511F53 * a, 0xCD9E8D57 * c
        a, b, c, d = (q >> 32) ^ b ^ k0, q % 2**32, (p >> 32) ^ d ^ k1, p % 2**32
        k0, k1 = (k0 + 0x9E3779B9) % 2**32, (k1 + 0xBB67AE85) % 2**32
    return np.array([a, b, c, d])


def complex_exp(z):
    size = np.exp(z.real)
    y = np.empty_like(z)
    y.real = size * np.cos(z.imag)
    y.imag = np.where(z.imag == 0, z.imag, size * np.sin(z.imag))
    return y


def far_parts(*shape):
    """Pairs whose exponentials are beyond f64, f32 or neither."""
    x = random.choice([0.0, -0.0, 1.0, 2.0, 100.0, 12000.0, -12000.0], size=shape)
    x[..., 0] = np.where(random.random(shape[:-1]) < 0.3, np.inf, x[..., 0])
    return x


def complex_case(name, function, count, terms=None, real=False, parts=reals):
    """Of pairs: one of them, or one beside many."""
    def make():
        shape = () if random.random() < 0.3 else (length(1, 4),)
        shapes = [shape, ()][:count]
        inner = ", ".join(f"nest({{{k}}}, 1)" if s else f"{{{k}}}" for k, s in enumerate(shapes))
        text = f"{name}({inner})"
        def draw():
            x, *others = (parts(*s, 2) for s in shapes)
            return x, *(np.where(np.all(y == 0), 1.0, y) for y in others)  # no quotient by 0
        return draw, \
            text if real or not shape else f"unnest({text})"

    def number(x):
        z = np.empty(x.shape[:-1], np.clongdouble)
        z.real, z.imag = x[..., 0], x[..., 1]
        return z

    def define(*args):
        z = function(*map(number, args))
        return z if real else np.stack([z.real, z.imag], -1)
    return Case(make, define, "zeros" if count == 1 else "", terms)


def condition(a):
    return np.linalg.cond(double(a)) if np.all(np.isfinite(a)) else np.nan


def well_conditioned(n, m=None):
    return random.normal(size=(n, n if m is None else m)) + 2 * np.eye(n, m)


def far(x):
    """Of another size; in f32 it may become 0 or inf."""
    return x * 10.0 ** random.choice([-250, -150, -25, -17, 17, 25, 150, 250])


def symmetric(n):
    a = random.normal(size=(n, n))
    return a + a.T


def positive(n):
    a = random.normal(size=(n, n))
    return a @ a.T + np.eye(n)


def permuted(n):
    """A triangle whose rows stand in another order."""
    sizes = random.uniform(0.5, 2, size=n) * random.choice([-1.0, 1.0], size=n)
    return (np.diag(sizes) + 0.3 * np.triu(random.normal(size=(n, n)), 1))[random.permutation(n)]


def tall(extra=3):
    m = length(1, 6)
    return m + length(0, extra), m


def is_signed(columns):
    """Whether the largest of each column is positive, where it clearly is the largest."""
    size = np.sort(np.abs(columns), axis=0)
    clear = size[-1] > (size[-2] if len(size) > 1 else 0) * (1 + 1e-3)
    top = np.take_along_axis(columns, np.argmax(np.abs(columns), axis=0)[None], 0)[0]
    return bool(np.all(~clear | (top >= 0)))


def size_of(a):
    return np.sqrt(np.sum(np.abs(np.asarray(a, WIDE)) ** 2))


def judged(function, reads=lambda a: a, nans=all):
    """Errors of finite results; of a matrix with nan or inf all that counts is that `nans` of them have some."""
    def judge(arguments, results):
        if not all(np.all(np.isfinite(reads(x))) for x in arguments):
            return [(0.0 if nans(np.any(np.isnan(r)) for r in results) else np.inf, 1.0)]
        return function(*(np.asarray(x, WIDE) for x in (*arguments, *results)))
    return judge


def judge_qr(a, q, r):
    ok = np.all(np.diag(r) >= 0) and np.all(np.tril(r, -1) == 0)
    return [(size_of(q @ r - a), size_of(a)), (size_of(q.T @ q - np.eye(q.shape[1])), 1.0), (0.0 if ok else np.inf, 1.0)]


def judge_eigh(a, values, vectors):
    a = np.tril(a) + np.tril(a, -1).T
    right = np.linalg.eigvalsh(double(a))
    ok = np.all(np.diff(values) >= 0) and is_signed(vectors)
    return [(np.max(np.abs(values - right)), size_of(a)), (size_of(a @ vectors - vectors * values), size_of(a)),
            (size_of(vectors.T @ vectors - np.eye(len(a))), 1.0), (0.0 if ok else np.inf, 1.0)]


def judge_svd(a, u, s, v):
    right = np.linalg.svd(double(a), compute_uv=False)
    ok = np.all(np.diff(s) <= 0) and np.all(s >= 0) and is_signed(v if a.shape[0] >= a.shape[1] else u)
    whole = np.min(s) > 1e-3 * np.max(s)
    return [(np.max(np.abs(s - right)), size_of(a)), (size_of((u * s) @ v.T - a), size_of(a)),
            (size_of(u.T @ u - np.eye(len(s))) if whole else 0.0, 1.0),
            (size_of(v.T @ v - np.eye(len(s))) if whole else 0.0, 1.0), (0.0 if ok else np.inf, 1.0)]


def least_squares_scale(a, b):
    """The condition of the problem, with its residual."""
    x = np.linalg.lstsq(double(a), double(b), rcond=None)[0]
    k = condition(a)
    rest = np.linalg.norm(double(b) - double(a) @ x)
    return k * np.max(np.abs(x)) + k**2 * rest / np.linalg.norm(double(a), 2) + 1e-300


def of_doubles(function):
    return lambda *args: function(*(double(x) if x.dtype.kind == "f" else x for x in args))


def exponential(a):
    if not np.all(np.isfinite(a)):
        return a * np.nan
    mp.dps = 30
    return np.array(mp.expm(mp.matrix(double(a).tolist())).tolist(), dtype=float).reshape(a.shape)


def zero_order_hold(a, b, dt):
    n, m = b.shape
    block = np.zeros((n + m, n + m))
    block[:n, :n], block[:n, n:] = a * dt, b * dt
    e = exponential(block)
    return e[:n, :n], e[:n, n:]


def deficient(n, m, k):
    """Of whole numbers, and rank k or less."""
    return ints(n, k, low=-3, high=4) @ ints(k, m, low=-3, high=4) * 1.0


def nearly_deficient(n):
    """With singular values beside the least that count, of f32 and of f64."""
    sizes = np.full(n, 2.0 ** random.integers(-4, 5))
    sizes[:2] *= n * np.array([2.0**-23, 2.0**-52]) * random.choice([0.6, 1.7], size=2)
    return np.diag(sizes)[random.permutation(n)]


def rank(a):
    sizes = np.linalg.svd(double(a), compute_uv=False)
    return np.sum(sizes > max(a.shape) * np.finfo(a.dtype).eps * sizes[0])


def power_scale(a, k):
    a = double(a)
    size = np.linalg.norm(np.linalg.inv(a) if k < 0 else a)
    return (1 + abs(int(k))) * (condition(a) if k < 0 else 1) * size ** abs(int(k))
