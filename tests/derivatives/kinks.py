"""Points without derivative, and those beside them: kinks.py TMLC EVALUATE

First and second derivatives at poles, corners, ties and masked branches, by all functions that ask for
them, forward, in reverse, and in all nestings of the two, in double and single precision, evaluated and
compiled. What is expected is L17.6, L17.7 and analysis, by hand; the numbers are of issues in which
users of other tools met these points.
"""

import math
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from derivatives import NUMBER

INF, NAN = math.inf, math.nan
NOT = None  # compared
COMPILED = [["-O0"], ["-O2"], ["-O2", "--derivative=forward"], ["-O2", "--derivative=reverse"],
            ["-O0", "--derivative=reverse", "--real=f32"]]

# An expression, and for each x its first and second derivative there. Of several x these are the
# gradient and the matrix of second derivatives.
TABLE = [
    # Corners (jax#37821, jax#2195, Theano#4568): the first of equals, sign(0) = 0.
    ("abs(x)", [(-2, -1, 0), (0, 0, 0), (2, 1, 0), (-0.0, 0, 0)]),
    ("abs(x) * x", [(-2, 4, -2), (0, 0, 0), (2, 4, 2)]),
    ("max(x, 0.0)", [(-1, 0, 0), (0, 1, 0), (1, 1, 0)]),
    ("max(0.0, x)", [(-1, 0, 0), (0, 0, 0), (1, 1, 0)]),
    ("min(x, 0.0)", [(-1, 1, 0), (0, 1, 0), (1, 0, 0)]),
    ("min(0.0, x)", [(-1, 1, 0), (0, 0, 0), (1, 0, 0)]),
    ("max(x, x * x)", [(1, 1, 0), (2, 4, 2), (0, 1, 0)]),
    ("max(x * x, x)", [(1, 2, 2), (0, 0, 2)]),
    ("min(x * x, x, 2.0)", [(1, 2, 2), (2, 1, 0), (-2, 1, 0)]),
    ("clamp(x, -1.0, 1.0)", [(-2, 0, 0), (-1, 1, 0), (0, 1, 0), (1, 1, 0), (2, 0, 0)]),
    ("clamp(x * x, x, 4.0)", [(1, 2, 2), (2, 4, 2), (3, 0, 0), (0.5, 1, 0)]),
    ("clamp(0.5, x, 1.0)", [(0, 0, 0), (0.5, 0, 0), (0.75, 1, 0)]),
    ("clamp(3.0, 0.0, x * x)", [(1, 2, 2), (2, 0, 0)]),
    # Ties of reductions (tensorflow#51681, jax#37820): the first.
    ("max(x)", [([1, 3, 3], [0, 1, 0], NOT), ([2, 2, 2], [1, 0, 0], NOT)]),
    ("min(x)", [([1, 3, 1], [1, 0, 0], NOT), ([4, 3, 3], [0, 1, 0], NOT)]),
    ("max(x * x)", [([1, -2, 2], [0, -4, 0], [[0, 0, 0], [0, 2, 0], [0, 0, 0]])]),
    ("max(x) * min(x)", [([2, 2], [4, 0], [[2, 0], [0, 0]])]),
    # Steps (autograd#566, tensorflow#897): 0.
    ("x * floor(x)", [(2, 2, 0), (2.5, 2, 0), (-0.5, -1, 0)]),
    ("x * ceil(x) + x * round(x)", [(2, 4, 0), (2.5, 6, 0)]),
    ("x * trunc(x) + x * rint(x)", [(-1.5, -3, 0), (0, 0, 0)]),
    ("x * real(sign(x))", [(-3, -1, 0), (0, 0, 0), (3, 1, 0)]),
    ("x * real(int(x)) + x", [(2.5, 3, 0)]),
    ("x * select(x > 1.0, 2.0, 3.0)", [(1, 3, 0), (2, 2, 0)]),
    ("x % 2.0", [(4, 1, 0), (3.5, 1, 0), (-3.5, 1, 0)]),
    ("7.0 % x", [(2, -3, 0), (-2, 3, 0)]),
    ("remainder(x, 2.0) + remainder(7.0, x)", [(1.5, -4, 0), (4, 1 - 2, 0)]),
    ("interp(x, [-1.0, 0.0, 2.0], [0.0, 1.0, 7.0])",
     [(-2, 0, 0), (-1, 1, 0), (-0.5, 1, 0), (0, 3, 0), (1, 3, 0), (2, 0, 0), (3, 0, 0)]),
    ("interp2(x, 2.0 * x, [0.0, 1.0, 2.0], [0.0, 2.0], [1.0, 2.0; 3.0, 4.0; 4.0, 9.0])",
     [(0, 3, 0), (0.5, 3, 0), (2, 0, 0)]),
    # Places where text is in parts, and the function is smooth.
    ("sigmoid(x)", [(0, 0.25, 0)]),
    ("softplus(x)", [(0, 0.5, 0.25)]),
    ("wrap(x)", [(math.pi, 1, 0), (-math.pi, 1, 0), (0, 1, 0)]),
    ("sum(unwrap(x))", [([0, math.pi], [1, 1], [[0, 0], [0, 0]]), ([math.pi, 0], [1, 1], NOT)]),
    ("lerp(1.0, x * x, x)", [(1, 2, 6), (0, -1, 0)]),
    ("sum(cexp(x))", [([0.5, 0], [math.exp(0.5), math.exp(0.5)], NOT)]),
    # Ties in the order of elements: the first.
    ("sum(sort(x) * [1.0, 2.0, 3.0])", [([2, 2, 1], [2, 3, 1], NOT)]),
    ("sum(cummax(x))", [([1, 2, 2], [1, 2, 0], NOT)]),
    ("sum(cummin(x))", [([2, 2, 1], [2, 0, 1], NOT)]),
    ("median(x)", [([3, 3, 3], [0, 1, 0], NOT)]),
    ("norm(x, 2)", [([0, 0], [0, 0], NOT), ([3, 4], [0.6, 0.8], [[0.128, -0.096], [-0.096, 0.072]])]),
    ("norm(x, inf)", [([2, -2], [1, 0], NOT)]),
    ("norm(x, 3)", [([0, 0], [0, 0], NOT), ([0, -2], [0, -1], NOT)]),
    # Masked branches (casadi#1805, casadi#1878, jax#1052, jax#5798, jax#347, CppAD#8).
    ("select(x > 0.0, sqrt(x), 0.0)", [(-1, 0, 0), (0, 0, 0), (4, 0.25, -1 / 32)]),
    ("select(x == x, x, log(x))", [(0, 1, 0), (-1, 1, 0)]),
    ("select(x < 1.0, x, sqrt(x))", [(0, 1, 0), (4, 0.25, -1 / 32), (-1, 1, 0)]),
    ("select(x > 0.0, x * log(x), 0.0)", [(-1, 0, 0), (0, 0, 0), (1, 1, 1)]),
    ("select(x > 1.0, 1.0 / (x - 1.0), 0.0)", [(1, 0, 0), (2, -1, 2)]),
    ("select(x > 1.0, log(x - 1.0), 0.0) + x", [(0, 1, 0), (1, 1, 0), (3, 1.5, -0.25)]),
    ("select(x > 0.0, x ** 0.5, x ** 2.0)", [(0, 0, 2), (4, 0.25, -1 / 32)]),
    ("select(x > 0.0, atan2(x, x), hypot(x, 1.0))", [(0, 0, 1)]),
    ("select(x > 0.0, asin(x), x) + select(x > 0.0, acosh(x), x)", [(-3, 2, 0)]),
    ("select(x > 0.0, 1.0 / x, x) * select(x > 0.0, sqrt(x), x)", [(0, 0, 2), (4, -1 / 16, 3 / 128)]),
    ("sum(select(x > 0.0, sqrt(x), 0.0))", [([0, 4], [0, 0.25], [[0, 0], [0, -1 / 32]])]),
    # Norms at 0 (jax#21723, jax#4177, torch#2421, autograd#183), by any spelling.
    ("sqrt(x * x)", [(0, 0, NOT), (3, 1, 0), (-3, -1, 0)]),
    ("exp(-(sqrt(x * x) * sqrt(x * x)))", [(0, 0, NOT), (1, -2 / math.e, 2 / math.e)]),
    ("norm(x)", [([0, 0], [0, 0], NOT), ([3, 4], [0.6, 0.8], [[0.128, -0.096], [-0.096, 0.072]])]),
    ("sqrt(sum(x * x))", [([0, 0], [0, 0], NOT), ([3, 4], [0.6, 0.8], NOT)]),
    ("hypot(x, 0.0)", [(0, 0, NOT), (-2, -1, 0)]),
    ("hypot(x[0], x[1])", [([0, 0], [0, 0], NOT), ([3, 4], [0.6, 0.8], [[0.128, -0.096], [-0.096, 0.072]])]),
    ("atan2(x[0], x[1])", [([0, 0], [0, 0], NOT), ([1, 0], [0, -1], [[0, 1], [1, 0]]),
                           ([0, 1], [1, 0], [[0, -1], [-1, 0]]), ([0, -1], [-1, 0], [[0, -1], [-1, 0]])]),
    ("norm(x, 1)", [([0, -2], [0, -1], NOT)]),
    # Factors that are 0 in the point, and whose change is not: a select in place of the product that
    # is 0 wherever a factor is loses these.
    ("x * sin(x)", [(0, 0, 2), (1, math.sin(1) + math.cos(1), 2 * math.cos(1) - math.sin(1))]),
    ("x * log(x)", [(1, 1, 1), (0, -INF, NOT)]),
    ("x * x * x", [(0, 0, 0), (2, 12, 12)]),
    ("sin(x) * sin(x)", [(0, 0, 2)]),
    ("x * (exp(x) - 1.0)", [(0, 0, 2)]),
    ("x * tanh(x) + x * atan(x)", [(0, 0, 4)]),
    ("x[0] * x[1]", [([0, 0], [0, 0], [[0, 1], [1, 0]])]),
    ("fma(x, x, 1.0)", [(0, 0, 2), (3, 6, 2)]),
    ("x / (x + 1.0)", [(0, 1, -2)]),
    ("cosh(x) + cos(x)", [(0, 0, 0)]),
    # Powers.
    ("x ** 2.0", [(0, 0, 2), (-3, -6, 2)]),
    ("x ** 3.0", [(0, 0, 0), (2, 12, 12)]),
    ("x ** 1.0", [(0, 1, 0), (-2, 1, 0)]),
    ("x ** 0.0 + x", [(0, 1, 0), (2, 1, 0)]),
    ("x ** 0.5", [(0, INF, NOT), (4, 0.25, -1 / 32)]),
    ("x ** -1.0", [(2, -0.25, 0.25)]),
    ("2.0 ** x", [(0, math.log(2), math.log(2) ** 2)]),
    ("0.0 ** x + x", [(2, 1, 0)]),
    ("x ** x", [(1, 1, 2)]),
    ("x[0] ** x[1]", [([0, 2], [0, 0], NOT), ([1, 2], [2, 0], [[2, 1], [1, 0]])]),
    # Products with zeros.
    ("prod(x)", [([0, 2, 3], [6, 0, 0], [[0, 3, 2], [3, 0, 0], [2, 0, 0]]), ([0, 0, 3], [0, 0, 0], NOT)]),
    ("sum(cumprod(x))", [([0, 2, 3], [9, 0, 0], [[0, 4, 2], [4, 0, 0], [2, 0, 0]])]),
    # Poles: the limit of the formula (L17.6); nan is what the value is.
    ("sqrt(x)", [(0, INF, NOT), (4, 0.25, -1 / 32), (-1, NAN, NOT)]),
    ("cbrt(x)", [(0, INF, NOT), (8, 1 / 12, -1 / 144), (-8, 1 / 12, 1 / 144)]),
    ("log(x)", [(0, INF, NOT), (2, 0.5, -0.25)]),
    ("log2(x) * log(2.0) + log10(x) * log(10.0)", [(2, 1, -0.5), (0, INF, NOT)]),
    ("log1p(x)", [(-1, INF, NOT), (0, 1, -1)]),
    ("1.0 / x", [(0, -INF, NOT), (2, -0.25, 0.25)]),
    ("asin(x)", [(1, INF, NOT), (0, 1, 0), (0.6, 1.25, 0.6 / 0.512)]),
    ("acos(x)", [(1, -INF, NOT), (0, -1, 0), (0.6, -1.25, -0.6 / 0.512)]),
    ("acosh(x)", [(1, INF, NOT), (1.25, 4 / 3, -1.25 / 0.421875)]),
    ("atanh(x)", [(1, INF, NOT), (0, 1, 0), (0.5, 4 / 3, 16 / 9)]),
    ("asinh(x)", [(0, 1, 0), (0.75, 0.8, -0.75 / 1.953125)]),
    ("copysign(x, -1.0)", [(2, -1, 0), (-2, 1, 0), (0, 0, 0)]),
    ("copysign(x * x, x)", [(2, 4, 2), (-2, 4, -2)]),
    # What this rule costs: a singular factor beside one that is 0 (docs/derivatives.md).
    ("cbrt(x ** 3.0)", [(0, 0, NOT), (2, 1, 0)]),
]


def literal(x):
    return f"[{', '.join(map(repr, map(float, x)))}]" if isinstance(x, list) else repr(float(x))


def program(e, x):
    """Lines that print first derivatives, and second ones in all nestings."""
    lines = [f"x = {literal(x)}", f"print(gradient({e}, x))", f"print(jacobian({e}, x))"]
    size = len(x) if isinstance(x, list) else 0
    units = [literal([j == k for j in range(size)]) for k in range(size)] or ["1.0"]
    lines += [f"print(derivative({e}, x, {unit}))" for unit in units]
    lines += ['print("twice")', f"print(jacobian(gradient({e}, x), x))"]
    lines += [f"print(derivative(gradient({e}, x), x, {unit}))" for unit in units]
    lines += [f"print(gradient(derivative({e}, x, {unit}), x))" for unit in units]
    return lines


def expected(first, second):
    """What a program prints, as numbers: what of each derivative, and the same for the second ones."""
    once = first if isinstance(first, list) else [first]
    twice = [v for row in second for v in row] if isinstance(second, list) else [second]
    return 3 * once, None if second is NOT else 3 * twice


def equal(found, wanted, tolerance):
    return len(found) == len(wanted) and all(
        a == b or (math.isnan(a) and math.isnan(b)) or abs(a - b) <= tolerance * max(1.0, abs(b))
        for a, b in zip(found, wanted))


def entries():
    return [(e, *point) for e, points in TABLE for point in points]


def wrong(entry, text, single):
    """Whether the first, and the second derivatives, are not what is expected."""
    first, second = expected(*entry[2:])
    texts = text.split("twice\n")
    tolerance = 3e-6 if single else 1e-12
    numbers = [[float(v) for v in NUMBER.findall(part)] for part in texts]
    if len(numbers) != 2:
        return True, True
    return not equal(numbers[0], first, tolerance), \
        second is not NOT and not equal(numbers[1], second, tolerance)


def evaluated(evaluate, options, ways, env=None):
    """In each way what each entry prints."""
    source = "".join(f"@{k}\n" + "\n".join(program(*entry[:2])) + "\n"
                     for k, entry in enumerate(entries()))
    done = subprocess.run([evaluate, *options, *ways], input=source, text=True, env=env,
                          stdout=subprocess.PIPE, check=True)
    texts = re.split(r"^@.*\n", done.stdout, flags=re.MULTILINE)[1:]
    return {way: texts[k::len(ways)] for k, way in enumerate(ways)}


def compiled(tmlc, options):
    lines = []
    for entry in entries():
        lines += ["if true:", 'print("@")', *program(*entry[:2]), "end"]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "kinks.tml"
        path.write_text("\n".join(lines) + "\n")
        done = subprocess.run([tmlc, "run", "-w", *options, path], text=True, stdout=subprocess.PIPE,
                              check=True)
    return done.stdout.split("@\n")[1:]


def main():
    tmlc, evaluate = sys.argv[1:]
    runs = {}
    for single in (False, True):
        ways = ["dual", "chosen", "forward", "reverse"]
        for way, texts in evaluated(evaluate, ["--f32"] * single, ways).items():
            runs[f"{way}{', f32' * single}"] = texts, single
    for options in COMPILED:
        runs[" ".join(options)] = compiled(tmlc, options), "--real=f32" in options
    count = 0
    for name, (texts, single) in runs.items():
        for entry, text in zip(entries(), texts, strict=True):
            if any(wrong(entry, text, single)):
                count += 1
                print(f"{name}: {entry[0]} at {entry[1]}: expected {entry[2:]}, found\n{text}")
    print(f"{len(entries())} points in {len(runs)} ways, {count} wrong")
    sys.exit(1 if count else 0)


if __name__ == "__main__":
    main()
