#!/usr/bin/python3
"""The polynomials of tir/math: the best in the sense of Chebyshev, found with Remez's exchange.

Usage: coefficients.py > tir/math/coefficients.c, or coefficients.py --check FILE. Needs mpmath.

Each row of SERIES is a function on an interval, the weight of its error, and how great the weighted
error may be for double and for single; the degree is the least that keeps it. Coefficients are rounded
to double afterwards. The found errors go to the standard error.
"""

import pathlib
import sys

from mpmath import mp, mpf

mp.prec = 200
# Where the quotient that a function is made of would be 0 / 0.
TINY = mpf(2) ** -40
LONGEST = 28
LN2 = mp.log(2)


def chebyshev_points(low, high, count):
    middle, half = (low + high) / 2, (high - low) / 2
    return [middle - half * mp.cos(mp.pi * k / (count - 1)) for k in range(count)]


def best_on(points, values, weights, terms):
    """The polynomial whose weighted errors at these points are equal, with signs in turn."""
    size = terms + 1
    matrix = mp.matrix(size, size)
    right = mp.matrix(size, 1)
    for i, x in enumerate(points):
        for k in range(terms):
            matrix[i, k] = x**k
        matrix[i, terms] = (-1) ** i / weights[i]
        right[i] = values[i]
    solution = mp.lu_solve(matrix, right)
    return [solution[k] for k in range(terms)]


def horner(terms, x):
    sum = mpf(0)
    for term in reversed(terms):
        sum = sum * x + term
    return sum


def extremes(grid, errors, count):
    """The largest error between each two changes of sign; `count` neighbours of them."""
    found = []
    for i, error in enumerate(errors):
        if found and (error > 0) == (errors[found[-1]] > 0):
            if abs(error) > abs(errors[found[-1]]):
                found[-1] = i
        else:
            found.append(i)
    while len(found) > count:
        first, last = abs(errors[found[0]]), abs(errors[found[-1]])
        found.pop(0 if first < last else -1)
    return [grid[i] for i in found]


def remez(sample, low, high, terms):
    """Coefficients, lowest first, and the greatest weighted error."""
    grid, values, weights = sample
    points = chebyshev_points(low, high, terms + 1)
    for _ in range(4):
        near = [min(range(len(grid)), key=lambda i: abs(grid[i] - x)) for x in points]
        near = sorted(set(near))
        if len(near) <= terms:
            break
        result = best_on([grid[i] for i in near], [values[i] for i in near],
                         [weights[i] for i in near], terms)  # fmt: skip
        errors = [(horner(result, x) - v) * w for x, v, w in zip(grid, values, weights)]
        points = extremes(grid, errors, terms + 1)
        if len(points) <= terms:
            break
    return result, max(abs(error) for error in errors)


def relative(value, x):
    return 1 / abs(value)


def even_tail(function, exact):
    """(function(x) - the exact part of it) / x**3 in z = x * x, for odd functions."""
    return lambda z: (function(mp.sqrt(z)) / mp.sqrt(z) - exact) / z


def log_tail(z):
    """log((1 + s) / (1 - s)) = 2 s + s z * this, z = s * s"""
    s = mp.sqrt(z)
    return (mp.log((1 + s) / (1 - s)) / s - 2) / z


def log_second_tail(z):
    return (log_tail(z) - mpf(2) / 3) / z


def scaled_erfc(t):
    """(x + 1) exp(x * x) erfc(x), t = 1 / (x + 1) - 5 / 16"""
    x = 1 / (t + mpf(5) / 16) - 1
    return (x + 1) * mp.exp(x * x) * mp.erfc(x)


def up(number):
    """A bit beyond the interval that rounding keeps to."""
    return number * (1 + mpf(2) ** -20)


ATANH = up((mp.sqrt(2) - 1) / (mp.sqrt(2) + 1))
# name, what it is, function, low, high, weight, error for double and single as powers of 2
SERIES = [
    ("exp", "(e**x - 1 - x) / x**2", lambda x: (mp.expm1(x) - x) / x**2,
     -up(LN2 / 2), up(LN2 / 2), relative, -51, -27),
    ("exp2", "(2**x - 1) / x", lambda x: mp.expm1(x * LN2) / x,
     -up(mpf(1) / 2), up(mpf(1) / 2), relative, -54, -31),
    ("log", "(log((1 + s) / (1 - s)) - 2 s) / s**3 in s**2", log_tail,
     TINY, ATANH**2, relative, -51, -27),
    ("log_tail", "((log((1 + s) / (1 - s)) - 2 s) / s**3 - 2/3) / s**2 in s**2", log_second_tail,
     TINY, ATANH**2, relative, -55, -20),
    ("sin", "(sin x - x) / x**3 in x**2, to pi / 2", even_tail(mp.sin, 1),
     TINY, up(mp.pi / 2) ** 2, relative, -55, -31),
    ("sin_quarter", "the same to pi / 4", even_tail(mp.sin, 1),
     TINY, up(mp.pi / 4) ** 2, relative, -52, -29),
    ("cos_quarter", "(cos x - 1 + x**2 / 2) / x**4 in x**2, to pi / 4",
     lambda z: (mp.cos(mp.sqrt(z)) - 1 + z / 2) / z**2,
     TINY, up(mp.pi / 4) ** 2, relative, -51, -27),
    ("asin", "(asin x - x) / x**3 in x**2, to 1/2", even_tail(mp.asin, 1),
     TINY, up(mpf(1) / 4), relative, -52, -28),
    ("atan", "(atan x - x) / x**3 in x**2 - 1/2, to 1",
     lambda z: even_tail(mp.atan, 1)(z + mpf(1) / 2), TINY - mpf(1) / 2, up(mpf(1) / 2), relative,
     -53, -28),
    ("erf", "(erf x - x) / x in x**2, to 5/4", lambda z: mp.erf(mp.sqrt(z)) / mp.sqrt(z) - 1,
     TINY, up(mpf(5) / 4) ** 2, lambda value, x: 1 / (1 + value), -55, -29),
    ("erfc_root", "erfc(5/4 + x)**(1/16), to 19/4", lambda x: mp.erfc(x + 1.25) ** (mpf(1) / 16),
     mpf(0), mpf(19) / 4, lambda value, x: 16 * value**15, -55, -29),
    ("erfc", "(x + 1) e**x**2 erfc(x) in 1 / (x + 1) - 5/16, x from 0.7 to 28", scaled_erfc,
     mpf(1) / 29 - mpf(5) / 16, mpf(10) / 17 - mpf(5) / 16, relative, -55, -30),
    ("cbrt", "x**(-1/3), 1/2 to 1", lambda x: x ** (-mpf(1) / 3),
     up(mpf(1)) / 2, up(mpf(1)), relative, -17, -17),
]  # fmt: skip


def sample_of(function, low, high, weight):
    grid = chebyshev_points(low, high, 40 * LONGEST)
    grid = [x + TINY**2 if x == 0 else x for x in grid]
    values = [function(x) for x in grid]
    return grid, values, [weight(v, x) for v, x in zip(values, grid)]


def search(sample, low, high, bits):
    for terms in range(2, LONGEST):
        result, error = remez(sample, low, high, terms)
        if error <= mpf(2) ** bits:
            return result, error
    raise SystemExit(f"no polynomial of {LONGEST} terms is good enough")


def table(member, terms):
    rows = "".join(f"                  {float(term).hex()},\n" for term in terms)
    return f"    .{member} = {{{len(terms)},\n                 {{\n{rows}                 }}}},\n"


def series(name, text, function, low, high, weight, double, single):
    sample = sample_of(function, low, high, weight)
    lines = [f"\n// {text}\nconst MathSeries math_{name} = {{\n"]
    for member, bits in (("whole", double), ("single", single)):
        terms, error = search(sample, low, high, bits)
        lines.append(table(member, terms))
        print(f"{name:12} {member:7} {len(terms):3} terms, error 2**{mp.nstr(mp.log(error, 2), 4)}",
              file=sys.stderr)  # fmt: skip
    return "".join([*lines, "};\n"])


def main():
    head = (
        "// Written by tests/accuracy/coefficients.py, which has what they are and how good.\n"
        "// clang-format off\n"
        '#include "tir/math/coefficients.h"\n'
    )
    text = head + "".join(series(*row) for row in SERIES)
    if len(sys.argv) == 1:
        print(text, end="")
    elif text != pathlib.Path(sys.argv[2]).read_text():
        sys.exit(f"{sys.argv[2]} is not what {sys.argv[0]} writes")


if __name__ == "__main__":
    main()
