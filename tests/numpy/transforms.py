"""Fourier transforms and random numbers against NumPy: transforms.py TMLC [--seed S] [--long] [OPTION]...

fft, ifft, rfft and irfft of lengths of all kinds, at most 3 eps log2 n away in the Euclidean norm,
as language.md says. Philox4x32-10 against the vectors that Random123 published; `uniform`, `normal`
and `randint` against the same numbers made here; the distributions by the test of Kolmogorov and
Smirnov, or by counts. OPTIONs go to tmlc.
"""

import argparse
import math
import re
import subprocess
import tempfile
import time

import numpy as np

VECTORS = [  # Random123, kat_vectors: key, counter, result
    ((0, 0), (0, 0, 0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((0xFFFFFFFF,) * 2, (0xFFFFFFFF,) * 4, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    ((0xA4093822, 0x299F31D0), (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
     (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1)),
]


def philox(key, counter):
    """The rounds as the paper writes them, for arrays of counters."""
    a, b, c, d = (np.asarray(x, np.uint64) for x in counter)
    k0, k1 = key
    low = np.uint64(0xFFFFFFFF)
    for _ in range(10):
        p, q = np.uint64(0xD2511F53) * a, np.uint64(0xCD9E8D57) * c
        a, b, c, d = (q >> np.uint64(32)) ^ b ^ np.uint64(k0), q & low, \
            (p >> np.uint64(32)) ^ d ^ np.uint64(k1), p & low
        k0, k1 = (k0 + 0x9E3779B9) % 2**32, (k1 + 0xBB67AE85) % 2**32
    return a, b, c, d


def words(seed, step, n):
    blocks = np.arange((n + 1) // 2)
    return philox((seed, 0), (blocks, np.full_like(blocks, step), blocks * 0, blocks * 0))


def joined(x, y, n):
    return np.stack([x, y], 1).ravel()[:n]


def units(seed, step, n, single):
    a, b, c, d = words(seed, step, n)
    if single:
        return joined(a >> np.uint64(8), c >> np.uint64(8), n) / 2.0**24
    both = [(high >> np.uint64(5)) * 2.0**26 + (lower >> np.uint64(6))
            for high, lower in ((a, b), (c, d))]
    return joined(*both, n) / 2.0**53


def normals(seed, step, n, single):
    u = units(seed, step, n + n % 2, single)
    radius, angle = np.sqrt(-2 * np.log(1 - u[0::2])), 2 * np.pi * u[1::2]
    return joined(radius * np.cos(angle), radius * np.sin(angle), n)


def integers(seed, step, low, high, n):
    a, _, c, _ = words(seed, step, n)
    return joined(a, c, n) * np.uint64(high - low) // np.uint64(2**32) + low


def literal(x):
    return f"[{', '.join(repr(float(v)) for v in np.ravel(x))}]"


def pairs(z):
    return f"nest(reshape({literal(np.stack([z.real, z.imag], 1))}, {len(z)}, 2), 1)"


class Runs:
    def __init__(self, options):
        self.options = options
        self.failed = self.tried = 0

    def values(self, expressions):
        """What `print` shows of each, as one row of numbers."""
        with tempfile.NamedTemporaryFile("w", suffix=".tml") as file:
            file.write("".join(f'print("=== ")\nprint({e})\n' for e in expressions))
            file.flush()
            ran = subprocess.run([self.options.tmlc, "run", "-w", file.name, *self.options.rest],
                                 capture_output=True, text=True)
        blocks = ran.stdout.split("=== ")[1:]
        if ran.returncode != 0 or len(blocks) != len(expressions):
            raise SystemExit(f"{len(blocks)} of {len(expressions)} values\n{ran.stderr[:2000]}")
        return [np.array([float(word) for word in
                          re.findall(r"-?(?:nan|inf|[0-9.]+(?:e[-+]?\d+)?)", block)])
                for block in blocks]

    def expect(self, holds, text):
        self.tried += 1
        if not holds:
            self.failed += 1
            print(text)


def transforms(runs, lengths, single):
    eps = 2.0**-24 if single else 2.0**-53
    kind = np.float32 if single else np.float64
    expressions, wanted = [], []
    for n in lengths:
        re_, im = (rng.normal(size=n).astype(kind).astype(float) for _ in range(2))
        z = re_ + 1j * im
        half = np.fft.rfft(re_)
        half = half.real.astype(kind).astype(float) + 1j * half.imag.astype(kind).astype(float)
        expressions += [f"fft({pairs(z)})", f"ifft({pairs(z)})", f"rfft({literal(re_)})",
                        f"irfft({pairs(half)}, {n})"]
        wanted += [np.fft.fft(z), np.fft.ifft(z), np.fft.rfft(re_), np.fft.irfft(half, n)]
    compare(runs, expressions, wanted, eps)


def powers(runs, lengths, single):
    """Of numbers that the program makes itself, as many literals would take long to read."""
    expressions, wanted = [], []
    for n in lengths:
        x = units(1, n, 2 * n, single)
        z = x[0::2] + 1j * x[1::2]
        made = f"uniform(1u, {n}u, {2 * n})"
        of_pairs = f"nest(reshape({made}, {n}, 2), 1)"
        expressions += [f"fft({of_pairs})", f"ifft({of_pairs})", f"rfft({made})",
                        f"irfft({of_pairs}, {2 * n - 2})"]
        wanted += [np.fft.fft(z), np.fft.ifft(z), np.fft.rfft(x), np.fft.irfft(z, 2 * n - 2)]
    compare(runs, expressions, wanted, 2.0**-24 if single else 2.0**-53)


def compare(runs, expressions, wanted, eps):
    for text, got, right in zip(expressions, runs.values(expressions), wanted):
        got = got if text.startswith("irfft") else got[0::2] + 1j * got[1::2]
        n = len(right)
        bound = 3 * eps * max(1.0, math.log2(2 * n)) * np.linalg.norm(right)
        error = np.linalg.norm(got - right)
        runs.expect(error <= bound, f"{text[:40]} of {n}: {error} above {bound}")


def smirnov(numbers, distribution):
    """The greatest distance of the two distribution functions, times the root of n."""
    n = len(numbers)
    at = distribution(np.sort(numbers))
    steps = np.arange(n + 1) / n
    return max(np.max(steps[1:] - at), np.max(at - steps[:-1])) * math.sqrt(n)


def randoms(runs, n, single):
    eps = 2.0**-24 if single else 2.0**-53
    seed, step = (int(x) for x in rng.integers(0, 2**32, size=2))
    vectors = [f"philox([{', '.join(f'{x}u' for x in key)}], [{', '.join(f'{x}u' for x in counter)}])"
               for key, counter, _ in VECTORS]
    call = f"{seed}u, {step}u"
    got = runs.values([*vectors, f"uniform({call}, {n})", f"normal({call}, {n})",
                       f"randint({call}, -7, 12, {n})", f"uniform({call}, 3, 5)", f"normal({call})"])
    for (key, _, right), values in zip(VECTORS, got):
        runs.expect(tuple(values) == right, f"philox of {key}: {values}")
    uniform, normal, whole, matrix, one = got[len(VECTORS):]
    kind = np.float32 if single else np.float64  # as many digits as are printed
    right = units(seed, step, n, single).astype(kind)
    runs.expect(np.array_equal(uniform.astype(kind), right), f"uniform({call}, {n})")
    right = normals(seed, step, n, single)
    runs.expect(np.all(np.abs(normal - right) <= 64 * eps * (1 + np.abs(right))),
                f"normal({call}, {n}): {np.max(np.abs(normal - right))}")
    runs.expect(np.array_equal(whole, integers(seed, step, -7, 12, n)), f"randint({call}, {n})")
    runs.expect(np.array_equal(matrix, uniform[:15]) and one[0] == normal[0], "of other shapes")


def distributions(runs, n):
    """With fixed seeds, so that the outcome is: beyond 1.95 is one of a thousand."""
    erf = np.vectorize(math.erf)
    got = runs.values([f"uniform(1u, 2u, {n})", f"normal(3u, 4u, {n})", f"randint(5u, 6u, 0, 10, {n})"])
    runs.expect(smirnov(got[0], lambda x: x) < 1.95, "uniform is not uniform")
    runs.expect(smirnov(got[1], lambda x: (1 + erf(x / math.sqrt(2))) / 2) < 1.95,
                "normal is not normal")
    counts = np.bincount(got[2].astype(int), minlength=10)
    runs.expect(np.sum((counts - n / 10) ** 2) / (n / 10) < 27.9, f"randint: {counts}")


def main():
    global rng
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("tmlc")
    parser.add_argument("--seed", type=int, default=int(time.strftime("%Y%m%d")))
    parser.add_argument("--long", action="store_true")
    options, options.rest = parser.parse_known_args()
    rng = np.random.default_rng(options.seed)
    print(f"seed {options.seed}")
    runs = Runs(options)
    single = "--real=f32" in options.rest
    lengths = [*range(1, 36), 48, 49, 54, 60, 61, 63, 64, 97, 98, 120, 128, 255, 294, 512]
    powers_of = [256, 1025, 2048]
    if options.long:
        lengths = [*range(1, 300), 1000, 1024, 1155, 2048, 4096]
        powers_of = [*(2**k + d for k in range(7, 16) for d in (0, 1)), 65536]
    transforms(runs, lengths, single)
    powers(runs, powers_of, single)
    randoms(runs, 1000000 if options.long else 2001, single)
    distributions(runs, 100000 if options.long else 20000)
    print(f"{runs.tried} results, {runs.failed} wrong")
    return runs.failed > 0


raise SystemExit(main())
