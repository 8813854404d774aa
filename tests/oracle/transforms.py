"""Fourier transforms, by their definition, and random numbers, by Philox4x32-10 (L18.6, L18.7)."""

import cmath
import math

from shapes import Illegal, Type, count
from values import Value, from_scalars
from values import scalars as all_scalars

LONGEST = 2**20


def transform(numbers, sign=-1):
    n = len(numbers)
    roots = [cmath.exp(sign * 2j * math.pi * k / n) for k in range(n)]
    return [sum(z * roots[j * k % n] for j, z in enumerate(numbers)) for k in range(n)]


def inverse(numbers):
    return [z / len(numbers) for z in transform(numbers, 1)]


def completed(numbers, n):
    """The others of a transform of reals are the conjugates of these."""
    numbers = [complex(numbers[0].real), *numbers[1:]]
    if n % 2 == 0:
        numbers[-1] = complex(numbers[-1].real)
    return numbers + [numbers[n - k].conjugate() for k in range(len(numbers), n)]


def fourier(call):
    call.numbers(0)
    value = call.real(0)
    levels = value.type.levels
    takes_reals = call.name == "rfft"
    if not levels or (not takes_reals and (len(levels) < 2 or levels[-1] != (2,))):
        raise Illegal("E0508", f"{call.name} does not take {value.type}")
    outer = levels if takes_reals else levels[:-1]
    length = outer[-1][-1]
    n = call.integers(1)[0] if call.name == "irfft" else length
    if not 1 <= n <= LONGEST or (call.name == "irfft" and n // 2 + 1 != length):
        raise Illegal("E0508", f"{call.name} of {n} numbers")
    items = list(all_scalars(levels, value.data))
    if not takes_reals:
        items = [complex(*items[k:k + 2]) for k in range(0, len(items), 2)]
    result = []
    for k in range(0, len(items), length):
        row = items[k:k + length]
        if call.name == "irfft":
            result += [z.real for z in inverse(completed(row, n))]
        else:
            made = inverse(row) if call.name == "ifft" else transform(row)
            made = made[:n // 2 + 1] if takes_reals else made
            result += [part for z in made for part in (z.real, z.imag)]
    last = n // 2 + 1 if takes_reals else n
    levels = (*outer[:-1], (*outer[-1][:-1], last))
    levels = levels if call.name == "irfft" else (*levels, (2,))
    single = [call.arithmetic.round(x) for x in result]
    return from_scalars(Type(levels, "real"), single)


def philox(key, counter):
    """Salmon and others, Parallel random numbers: as easy as 1, 2, 3, SC11."""
    (k0, k1), (a, b, c, d) = key, counter
    for _ in range(10):
        p, q = 0xD2511F53 * a, 0xCD9E8D57 * c
        a, b, c, d = (q >> 32) ^ b ^ k0, q & 0xFFFFFFFF, (p >> 32) ^ d ^ k1, p & 0xFFFFFFFF
        k0, k1 = (k0 + 0x9E3779B9) & 0xFFFFFFFF, (k1 + 0xBB67AE85) & 0xFFFFFFFF
    return a, b, c, d


def unit(call, a, b):
    if call.arithmetic.single:
        return (a >> 8) / 2**24
    return ((a >> 5) * 2**26 + (b >> 6)) / 2**53


def of_block(call, block, step, seed):
    """Two numbers."""
    a, b, c, d = philox((seed, 0), (block, step, 0, 0))
    if call.name == "randint":
        low, high = (call.values[k].data & 0xFFFFFFFF for k in (2, 3))
        width = (high - low) & 0xFFFFFFFF
        both = [(low + (word * width >> 32)) & 0xFFFFFFFF for word in (a, c)]
        return [x - 2**32 if x >= 2**31 else x for x in both]
    x, y = unit(call, a, b), unit(call, c, d)
    if call.name == "uniform":
        return [x, y]
    function, real = call.arithmetic.function, call.arithmetic.real
    radius = function("sqrt", real("*", -2.0, function("log", real("-", 1.0, x))))
    angle = real("*", call.arithmetic.round(2 * math.pi), y)
    return [real("*", radius, function("cos", angle)), real("*", radius, function("sin", angle))]


def random(call):
    first = 4 if call.name == "randint" else 2
    for k, value in enumerate(call.values[:first]):
        wanted = "int" if k >= 2 else "uint"
        fits = value.type.root == wanted or (k < 2 and call.counts_as_uint[k])
        if not fits or not value.type.is_scalar:
            raise Illegal("E0408", f"argument {k + 1} of {call.name} is no {wanted}")
    dims = tuple(call.length(k) for k in range(first, len(call.values)))
    seed, step = call.values[0].data, call.values[1].data
    n = count(dims)
    numbers = [x for block in range((n + 1) // 2) for x in of_block(call, block, step, seed)][:n]
    root = "int" if call.name == "randint" else "real"
    return Value(Type((dims,), root), numbers) if dims else Value(Type((), root), numbers[0])


BUILTINS = {
    "fft": (fourier, 1, 1, False),
    "ifft": (fourier, 1, 1, False),
    "rfft": (fourier, 1, 1, False),
    "irfft": (fourier, 2, 2, False),
    "uniform": (random, 2, None, False),
    "normal": (random, 2, None, False),
    "randint": (random, 4, None, False),
}
