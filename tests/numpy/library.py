"""The functions of the library against NumPy: library.py TMLC LIBRARY [--seed S] [--count N] [--level 0..3]

Each function of the folder LIBRARY is called with N random arguments, hostile ones among them, and the
results are compared with what NumPy, or the definition written out here, says: bit by bit where the
comment above the function says `accuracy: exact`, else within the tolerance of CASES. Functions
without a case fail. Without --seed the arguments are those of the day.
"""

import argparse
import math
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from mpmath import mp

HEAD = re.compile(r"^# (\w+)\(.*\n(?:# .*\n)*?# form: (\w+)\n(?:# .*\n)*?# accuracy: (.*)\n(?:# .*\n)*?fn \1\(",
                  re.MULTILINE)
FUNCTION = re.compile(r"^fn ([a-z]\w*)\(", re.MULTILINE)
random = np.random.default_rng()


def length(least=1, most=9):
    return int(random.integers(least, most + 1))


def reals(*shape, hostile=0.0):
    x = random.normal(size=shape) * 10.0 ** random.uniform(-2, 2)
    x = np.where(random.random(shape) < 0.2, np.round(x), x)
    special = random.choice([0.0, -0.0, 1.0, -1.0, np.nan, np.inf, -np.inf], size=shape)
    return np.where(random.random(shape) < hostile, special, x)


def any_shape(hostile=0.0, last=1):
    """A vector, a matrix or a tensor, with rows of at least `last`."""
    dims = [length(1, 3) for _ in range(int(random.integers(0, 3)))]
    return reals(*dims, length(last), hostile=hostile)


def ints(*shape, low=-20, high=20):
    return random.integers(low, high, size=shape).astype(np.int32)


def literal(value):
    if isinstance(value, Pairs) and value.ndim > 1:
        return f"nest({literal(np.asarray(value))}, 1)"
    value = np.asarray(value)

    def scalar(x):
        if value.dtype == bool:
            return "true" if x else "false"
        if value.dtype.kind in "iu":
            return f"{int(x)}{'u' if value.dtype.kind == 'u' else ''}"
        return "nan" if np.isnan(x) else ("-inf" if x < 0 else "inf") if np.isinf(x) else \
            repr(float(x))

    if value.ndim == 0:
        return scalar(value[()])
    flat = f"[{', '.join(scalar(x) for x in value.ravel())}]"
    dims = ", ".join(map(str, value.shape))
    return flat if value.ndim == 1 else f"reshape({flat}, {dims})"


def rows(function, x):
    """The function on each row."""
    out = [function(row) for row in x.reshape(-1, x.shape[-1])]
    if isinstance(out[0], tuple):
        return tuple(np.array(part).reshape(x.shape[:-1] + np.shape(part[0]))
                     for part in zip(*out))
    return np.array(out).reshape(x.shape[:-1] + np.shape(out[0]))


def running(function):
    def run(row):
        out = [row[0]]
        for x in row[1:]:
            out.append(function(out[-1], x))
        return np.array(out, row.dtype)
    return run


def sorting(row):
    return np.argsort(row, kind="stable")


def table():
    xs = np.sort(reals(length(2, 12)))
    return np.unique(xs) if len(np.unique(xs)) > 1 else np.array([0.0, 1.0])


def inside(xs):
    lo, hi = xs[0] - 1.0, xs[-1] + 1.0
    x = random.uniform(lo, hi, size=length(1, 6))
    x[random.random(x.shape) < 0.3] = random.choice(xs)
    return x


def matrix_function(function, a):
    mp.dps = 40
    return np.array(function(mp.matrix(a.tolist())).tolist(), dtype=float).reshape(a.shape)


def held(a, b, dt):
    n, m = b.shape
    block = np.zeros((n + m, n + m))
    block[:n, :n], block[:n, n:] = a * dt, b * dt
    e = matrix_function(mp.expm, block)
    return e[:n, :n], e[:n, n:]


def signed(v):
    return v * np.sign(v[np.argmax(np.abs(v), axis=0), range(v.shape[1])])


def well_conditioned(n, m=None):
    m = n if m is None else m
    return random.normal(size=(n, m)) + 2 * np.eye(n, m)


def symmetric(n):
    a = random.normal(size=(n, n))
    return a + a.T


def qr(a):
    q, r = np.linalg.qr(a)
    s = np.where(np.diag(r) < 0, -1.0, 1.0)
    return q * s, r * s[:, None]


def eigh(a):
    w, v = np.linalg.eigh(np.tril(a) + np.tril(a, -1).T)
    return w, signed(v)


def svd(a):
    u, s, vt = np.linalg.svd(a, full_matrices=False)
    side = np.sign(np.diag((vt.T if a.shape[0] >= a.shape[1] else u)[
        np.argmax(np.abs(vt.T if a.shape[0] >= a.shape[1] else u), axis=0)]))
    return u * side, s, vt.T * side


def deficient():
    """A matrix that may have fewer than full rank."""
    n, m, k = length(1, 6), length(1, 6), length(1, 4)
    return random.normal(size=(n, k)) @ random.normal(size=(k, m))


def filtered(b, a, x):
    y = np.zeros_like(x)
    for i in range(len(x)):
        y[i] = sum(b[j] * x[i - j] for j in range(len(b)) if i >= j)
        y[i] -= sum(a[j] * y[i - j] for j in range(1, len(a)) if i >= j)
        y[i] /= a[0]
    return y


def stable_filter():
    k = length(1, 4)
    a = np.concatenate([[random.uniform(0.5, 2)], random.uniform(-0.3, 0.3, k - 1)])
    return random.normal(size=k), a


def greatest(row, k):
    order = np.array(sorted(range(len(row)), key=lambda i: (bool(np.isnan(row[i])),
                                                            0 if np.isnan(row[i]) else -row[i], i)))
    return row[order[:k]], order[:k]


def bilinear(x, y, xs, ys, z):
    columns = np.array([np.interp(x, xs, column) for column in z.T])
    return np.array([np.interp(y, ys, column) for column in columns.T])


def wrapped(x):
    y = np.array([math.remainder(v, 2 * math.pi) if np.isfinite(v) else np.nan for v in x.ravel()])
    return np.where(y >= math.pi, -math.pi, y).reshape(x.shape)


def saturated(x, low, high):
    return np.trunc(np.clip(np.where(np.isnan(x), 0.0, x), low, high)) + 0.0


def uints(*shape):
    return random.integers(0, 2**32, size=shape).astype(np.uint32)


def philox(key, counter):
    (k0, k1), (a, b, c, d) = (map(int, words) for words in (key, counter))
    for _ in range(10):
        p, q = 0xD2511F53 * a, 0xCD9E8D57 * c
        a, b, c, d = (q >> 32) ^ b ^ k0, q % 2**32, (p >> 32) ^ d ^ k1, p % 2**32
        k0, k1 = (k0 + 0x9E3779B9) % 2**32, (k1 + 0xBB67AE85) % 2**32
    return np.array([a, b, c, d])


class Pairs(np.ndarray):
    """Complex numbers: the last axis is a level."""


def complexes(*shape):
    return random.normal(size=(*shape, 2)).view(Pairs)


def of_complex(function):
    def apply(*args):
        z = function(*(np.asarray(x)[..., 0] + 1j * np.asarray(x)[..., 1] for x in args))
        return np.stack([z.real, z.imag], -1)
    return apply


def two_arguments(make):
    return lambda: (make(), reals(length()) if random.random() < 0.3 else reals())


# By function: what makes the arguments, the definition, and how far results may be away from it,
# relative to the greatest.
CASES = {
    "sort": (lambda: (any_shape(0.3),), lambda x: rows(lambda r: r[sorting(r)], x), 0),
    "argsort": (lambda: (any_shape(0.3),), lambda x: rows(sorting, x), 0),
    "topk": (lambda: (lambda x: (x, ints(low=1, high=x.shape[-1] + 1)))(any_shape(0.3)),
             lambda x, k: rows(lambda r: greatest(r, int(k)), x), 0),
    "increasing": (lambda: (np.sort(ints(length())) if random.random() < 0.5 else any_shape(),),
                   lambda x: rows(lambda r: bool(np.all(r[:-1] < r[1:])), x), 0),
    "searchsorted": (lambda: (lambda xs: (inside(xs), xs))(table()),
                     lambda x, xs: np.searchsorted(xs, x), 0),
    "interp": (lambda: (lambda xs: (inside(xs), xs, reals(len(xs))))(table()), np.interp, 1e-14),
    "interp2": (lambda: (lambda xs, ys: (inside(xs), np.float64(inside(ys)[0]), xs, ys,
                                         reals(len(xs), len(ys))))(table(), table()), bilinear, 1e-13),
    "cumprod": (lambda: (any_shape(),), lambda x: rows(np.cumprod, x), 1e-14),
    "cummax": (lambda: (any_shape(0.2),), lambda x: rows(running(np.maximum), x), 0),
    "cummin": (lambda: (any_shape(0.2),), lambda x: rows(running(np.minimum), x), 0),
    "diff": (lambda: (any_shape(last=2),), lambda x: np.diff(x), 0),
    "flip": (lambda: (any_shape(0.2),), lambda x: np.flip(x, -1), 0),
    "roll": (lambda: (any_shape(0.2), ints()), lambda x, k: np.roll(x, int(k), -1), 0),
    "tril": (lambda: (ints(length(), length()), ints(low=-3, high=3)),
             lambda x, k: np.tril(x, int(k)), 0),
    "triu": (lambda: (ints(length(), length()), ints(low=-3, high=3)),
             lambda x, k: np.triu(x, int(k)), 0),
    "grid": (lambda: (reals(length()), reals(length())),
             lambda x, y: tuple(np.meshgrid(x, y, indexing="ij")), 0),
    "kron": (lambda: (reals(length(1, 3), length(1, 3)), reals(length(1, 3), length(1, 3))),
             np.kron, 0),
    "nonzero": (lambda: (random.random(length()) < 0.5,),
                lambda c: (np.pad(np.nonzero(c)[0], (0, len(c) - sum(c)), constant_values=len(c)),
                           np.sum(c)), 0),
    "var": (lambda: (any_shape(last=2), ints(low=0, high=2)),
            lambda x, d: np.var(x, axis=-1, ddof=int(d)), 1e-14),
    "std": (lambda: (any_shape(last=2), ints(low=0, high=2)),
            lambda x, d: np.std(x, axis=-1, ddof=int(d)), 1e-14),
    "median": (lambda: (any_shape(0.05),), lambda x: np.median(x, axis=-1), 1e-15),
    "quantile": (lambda: (any_shape(), np.float64(random.uniform(0, 1))),
                 lambda x, q: np.quantile(x, q, axis=-1), 1e-14),
    "trapz": (lambda: (lambda n: (reals(n), reals(n)))(length(2)),
              lambda y, x: sum((x[1:] - x[:-1]) * (y[1:] + y[:-1]) / 2), 1e-13),
    "softmax": (lambda: (any_shape(),),
                lambda x: rows(lambda r: np.exp(r - max(r)) / sum(np.exp(r - max(r))), x), 1e-14),
    "logsumexp": (lambda: (any_shape(),), lambda x: np.logaddexp.reduce(x, axis=-1), 1e-14),
    "deg2rad": (lambda: (any_shape(0.2),), np.deg2rad, 4e-16),
    "rad2deg": (lambda: (any_shape(0.2),), np.rad2deg, 4e-16),
    "wrap": (lambda: (any_shape(0.1),), wrapped, 0),
    "sat_int": (lambda: (any_shape(0.3) * 10.0 ** random.uniform(0, 11),),
                lambda x: saturated(x, -2.0**31, 2.0**31 - 1), 0),
    "sat_uint": (lambda: (any_shape(0.3) * 10.0 ** random.uniform(0, 11),),
                 lambda x: saturated(x, 0.0, 2.0**32 - 1), 0),
    "sat": (lambda: (any_shape(0.3) * 10.0 ** random.uniform(0, 11), ints(low=1, high=33)),
            lambda x, b: saturated(x, -2.0 ** (b - 1), 2.0 ** (b - 1) - 1), 0),
    "sigmoid": (lambda: (any_shape(0.2),),
                lambda x: np.vectorize(lambda v: 1 / (1 + math.exp(-v)) if v >= 0 else
                                       v if np.isnan(v) else math.exp(v) / (1 + math.exp(v)))(x),
                2e-15),
    "softplus": (lambda: (any_shape(0.2),), lambda x: np.logaddexp(0.0, x), 2e-15),
    "lerp": (lambda: (reals(length(1, 3), 1), reals(1, length(1, 3)), np.float64(random.random())),
             lambda a, b, t: a + (b - a) * t, 4e-16),
    "deadzone": (lambda: (any_shape(), np.float64(random.uniform(0, 2))),
                 lambda x, w: np.sign(x) * np.maximum(np.abs(x) - w, 0) + 0.0, 1e-16),
    "isclose": (two_arguments(lambda: any_shape(0.3)[..., :1]), np.isclose, 0),
    "gcd": (lambda: (ints(length()), ints()), np.gcd, 0),
    "lcm": (lambda: (ints(length()), ints()), np.lcm, 0),
    "conv": (lambda: (reals(length()), reals(length())), np.convolve, 1e-13),
    "correlate": (lambda: (reals(length()), reals(length())),
                  lambda a, b: np.correlate(a, b, "full"), 1e-13),
    "filter": (lambda: stable_filter() + (random.normal(size=length(1, 20)),), filtered, 1e-12),
    "polyval": (lambda: (reals(length()), np.float64(random.normal())), np.polyval, 1e-13),
    "polyfit": (lambda: (lambda n: (np.linspace(-1, 2, n) + random.uniform(-0.1, 0.1, n) / n,
                                    random.normal(size=n), ints(low=0, high=min(n, 4))))(length(1, 12)),
                lambda x, y, d: np.polyfit(x, y, int(d)), 1e-10),
    "philox": (lambda: (uints(2), uints(4)), philox, 0),
    "cmul": (lambda: (complexes(length(1, 4)), complexes()), of_complex(np.multiply), 1e-15),
    "cdiv": (lambda: (complexes(length(1, 4)), complexes()), of_complex(np.divide), 2e-15),
    "conj": (lambda: (complexes(length(1, 4)),), of_complex(np.conj), 0),
    "cabs": (lambda: (complexes(length(1, 4)),), lambda z: np.hypot(z[..., 0], z[..., 1]), 1e-15),
    "carg": (lambda: (complexes(length(1, 4)),), lambda z: np.arctan2(z[..., 1], z[..., 0]), 1e-15),
    "cexp": (lambda: (complexes(length(1, 4)),), of_complex(np.exp), 4e-15),
    "unwrap": (lambda: (random.uniform(-9, 9, size=length()),), np.unwrap, 1e-14),
    "qr": (lambda: (lambda m: (well_conditioned(m + length(0, 3), m),))(length(1, 6)), qr, 1e-12),
    "lstsq": (lambda: (lambda m, n: (well_conditioned(n, m), random.normal(size=n)))(
        *(lambda m: (m, m + length(0, 5)))(length(1, 5))),
        lambda a, b: np.linalg.lstsq(a, b, rcond=None)[0], 1e-10),
    "eigh": (lambda: (symmetric(length(1, 6)),), eigh, 1e-11),
    "svd": (lambda: (well_conditioned(length(1, 6), length(1, 6)),), svd, 1e-11),
    "svdvals": (lambda: (random.normal(size=(length(1, 6), length(1, 6))),),
                lambda a: np.linalg.svd(a, compute_uv=False), 1e-13),
    "cond": (lambda: (well_conditioned(length(1, 6), length(1, 6)),), np.linalg.cond, 1e-9),
    "pinv": (lambda: (well_conditioned(length(1, 6), length(1, 6)),), np.linalg.pinv, 1e-9),
    "rank": (lambda: (deficient(),), np.linalg.matrix_rank, 0),
    "expm": (lambda: (lambda n: (random.normal(size=(n, n)) * 10.0 ** random.uniform(-3, 0.7),))(
        length(1, 6)),
             lambda a: matrix_function(mp.expm, a), 1e-12),
    "matrix_power": (lambda: (well_conditioned(length(1, 5)), ints(low=-5, high=12)),
                     lambda a, k: np.linalg.matrix_power(a, int(k)), 1e-9),
    "c2d": (lambda: (lambda n: (random.normal(size=(n, n)), random.normal(size=(n, length(1, 2))),
                                np.float64(random.uniform(0.01, 1))))(length(1, 4)), held, 1e-12),
}


def read(text):
    """The numbers that `print` shows of a value, in order."""
    words = text.replace("true", "1").replace("false", "0")
    return np.array([float(word) for word in re.findall(r"-?(?:nan|inf|[0-9.]+(?:e[-+]?\d+)?)",
                                                        words)])


def program(calls):
    """Prints each result after a mark."""
    lines = []
    for k, (name, args, count) in enumerate(calls):
        call = f"{name}({', '.join(map(literal, args))})"
        results = [f"r{k}_{i}" for i in range(count)]
        lines.append(f"{', '.join(results)} = {call}" if count > 1 else f"{results[0]} = {call}")
        lines += [f'print("=== {k}")\nprint({result})' for result in results]
    return "\n".join(lines) + "\n"


def differs(got, wanted, tolerance):
    wanted = np.asarray(wanted, dtype=float).ravel()
    if got.shape != wanted.shape or np.any(np.isnan(got) != np.isnan(wanted)):
        return True
    finite = np.isfinite(wanted)
    if np.any(got[~finite & ~np.isnan(wanted)] != wanted[~finite & ~np.isnan(wanted)]):
        return True
    if tolerance == 0:
        return np.any(got[finite] != wanted[finite])
    scale = np.max(np.abs(wanted[finite]), initial=1e-300)
    return np.any(np.abs(got[finite] - wanted[finite]) > tolerance * scale)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("tmlc")
    parser.add_argument("library")
    parser.add_argument("--seed", type=int, default=int(time.strftime("%Y%m%d")))
    parser.add_argument("--count", type=int, default=8)
    parser.add_argument("--level", default="1")
    options = parser.parse_args()
    global random
    random = np.random.default_rng(options.seed)
    print(f"seed {options.seed}")
    np.seterr(all="ignore")
    failed = tried = 0
    for path in sorted(Path(options.library).glob("*.tml")):
        text = path.read_text()
        heads = {name: accuracy for name, _, accuracy in HEAD.findall(text)}
        calls, expected = [], []
        for name in FUNCTION.findall(text):
            if name not in heads or name not in CASES:
                print(f"{path}: `{name}` has {'no case' if name in heads else 'no comment'}")
                failed += 1
                continue
            make, function, tolerance = CASES[name]
            if heads[name].startswith("exact") != (tolerance == 0) and tolerance == 0 and \
                    not heads[name].startswith("1 rounding"):
                print(f"{path}: the accuracy of `{name}` is claimed as {heads[name]!r}")
                failed += 1
            for _ in range(options.count):
                args = make()
                wanted = function(*args)
                wanted = wanted if isinstance(wanted, tuple) else (wanted,)
                calls.append((name, args, len(wanted)))
                expected.append((wanted, tolerance))
        with tempfile.NamedTemporaryFile("w", suffix=".tml") as file:
            file.write(program(calls))
            file.flush()
            ran = subprocess.run([options.tmlc, "run", "-w", f"-O{options.level}", file.name],
                                 capture_output=True, text=True)
        got = {}
        for block in ran.stdout.split("=== ")[1:]:
            number, _, value = block.partition("\n")
            got.setdefault(int(number), []).append(read(value))
        if ran.returncode != 0 or len(got) != len(calls):
            print(f"{path}: {len(got)} of {len(calls)} calls\n{ran.stderr[:2000]}")
            failed += 1
            continue
        for k, ((name, args, _), (wanted, tolerance)) in enumerate(zip(calls, expected)):
            tried += 1
            if any(differs(g, w, tolerance) for g, w in zip(got[k], wanted)):
                failed += 1
                if failed < 20:
                    print(f"{name}({', '.join(map(literal, args))})\n  gives  {got[k]}\n"
                          f"  wanted {wanted}")
    print(f"{tried} calls, {failed} failures")
    return failed > 0 or tried == 0


sys.exit(main())
