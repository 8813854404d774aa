"""Random statements that write what they read, against NumPy: statements_cases.py TMLC [--count N] [--seed N]

Slices that overlap, parts joined into where they came from, reductions between writes, rows that move by
one and are multiplied, loops that compute one array from another and copy it back. Sizes are around whole
vectors, values are whole numbers: the order of additions makes no difference.
"""

import argparse
import pathlib
import random
import re
import sys

import numpy as np
from tml import Case, Value, run_cases

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import seeds  # noqa: E402

LENGTHS = [5, 7, 8, 9, 16, 17, 31, 33, 40, 64, 65, 130, 257]
COLUMNS = [1, 3, 4, 8, 9, 16, 20, 37, 64, 100]
LARGEST = 2.0**50  # all values are exact up to here


def in_python(lines):
    """What the statements are in Python with NumPy. Slices and operators are written alike."""
    text = []
    for line in lines:
        line = line.replace(".*", "@")
        line = re.sub(r"^( *)for (\w+) = (\w+):(\w+):$", r"\1for \2 in range(\3, \4):", line)
        line = re.sub(r"^tensor<real, ([\d, ]+)> (\w+) = ", r"\2 = np.zeros((\1)) + ", line)
        # A copy, for NumPy 1.24 writes some overlapping slices in an order that is none.
        line = re.sub(r"^( *\w.*?) (\+?=) (.*)$", r"\1 \2 np.array(\3, float)", line)
        text += [] if line.strip() == "end" else [line]
    return "\n".join(text) + "\n"


def part(chosen, length):
    """A slice of a vector of that length, and how many elements it has."""
    while True:
        step = chosen.choice([1, 1, 1, 2, 3, 4, 5, -1, -1, -2, -3, -4])
        first = chosen.choice(["", chosen.randrange(length)])
        last = chosen.choice(["", chosen.randrange(length + 1)])
        elements = range(length)[slice(*(None if end == "" else end for end in (first, last)), step)]
        if elements:
            return f"[{first}:{last}{f':{step}' if step != 1 else ''}]", len(elements)


def two_parts(chosen, target, source):
    """Slices of vectors of these lengths that have the same length."""
    while True:
        (one, length), (other, found) = part(chosen, target), part(chosen, source)
        if length == found:
            return one, other


def write_joined(chosen, length, name, other):
    """The first elements become parts of the same vector, or of it and another."""
    parts, total = [], 0
    while True:
        text, more = part(chosen, length)
        if total + more > length or len(parts) == 3:
            break
        parts.append(chosen.choice([name, name, other]) + text)
        total += more
    if not parts:
        return []
    joined = parts[0] if len(parts) == 1 else f"concat(0, {', '.join(parts)})"
    return [f"{name}[:{total}] = {joined}"]


def write_slice(chosen, length, name, other):
    target, source = two_parts(chosen, length, length)
    read = chosen.choice([name, name, other]) + source
    factor = chosen.randrange(-3, 4)
    return [chosen.choice([f"{name}{target} = {read}", f"{name}{target} += {read}",
                           f"{name}{target} = {read} + {name}{target} * {factor}.0"])]  # fmt: skip


def write_loop(chosen, length, name, other):
    read = chosen.choice([name, other])
    offset = chosen.choice([-2, -1, 0, 1, 2])
    element = f"{read}[k{offset:+d}]" if offset else f"{read}[k]"
    body = chosen.choice([[f"    {name}[k] = {element} - 1.0"],
                          [f"    {name}[k] = {name}[k] + {element}"],
                          [f"    if {element} > 0.0:", f"        {name}[k] = {element} - 3.0", "    end"]])  # fmt: skip
    return [f"for k = {2 + chosen.randrange(2)}:{length - 2}:", *body, "end"]


def write_exchanged(chosen, length, name, other):
    inner = f"[1:{length - 1}]"
    around = f"{name}[:{length - 2}] {chosen.choice('+-')} {name}[2:]"
    copied = chosen.choice([f"    {name} = next", f"    {name}{inner} = next{inner}"])
    return [f"next = {chosen.choice([name, other])}", f"for step = 0:{chosen.randrange(1, 8)}:",
            f"    next{inner} = {around}", copied, "end"]  # fmt: skip


def write_reductions(chosen, length, name, other):
    """Several of one vector, some of them after it has changed."""
    found = []
    for _ in range(chosen.randrange(1, 4)):
        value = chosen.choice([f"sum({name})", f"min({name})", f"max({name})", f"{name} .* {other}",
                               f"max({name}{part(chosen, length)[0]})", f"sum({name} * {name})"])  # fmt: skip
        found.append(f"found[{chosen.randrange(4)}] = {value}")
        if chosen.random() < 0.3:
            found.append(f"{name}[{chosen.randrange(length)}] = {chosen.randrange(-60, 60)}.0")
    return found


def vectors(chosen):
    """Statements about three vectors, and what to look at."""
    length = chosen.choice(LENGTHS)
    names = ["a", "b", "c"]
    lines = ["tensor<real, 4> found = 0.0"]
    for name in names:
        values = ", ".join(f"{chosen.randrange(-50, 50)}.0" for _ in range(length))
        lines.append(f"{name} = [{values}]")
    writers = [write_joined, write_slice, write_slice, write_loop, write_exchanged, write_reductions]
    for _ in range(chosen.randrange(3, 10)):
        lines += chosen.choice(writers)(chosen, length, *chosen.sample(names, 2))
    return lines, "concat(0, found, a, b, c)"


def windows(chosen):
    """A matrix whose rows move by one or two, and its product with a vector."""
    rows, columns = chosen.choice([2, 3, 8, 16, 17, 33, 40]), chosen.choice(COLUMNS)
    by = chosen.choice([1, 1, 1, 1, 2]) if rows > 2 else 1
    rest = rows - by
    weights = ", ".join(f"{chosen.randrange(-5, 6)}.0" for _ in range(rows))
    entering = ", ".join(f"{chosen.randrange(-5, 6)}.0" for _ in range(columns))
    moved = chosen.choice([[f"z[{by}:, :] = z[:{rest}, :]", "z[0, :] = entering + total"],
                           [f"z[:{rest}, :] = z[{by}:, :]", f"z[{rows - 1}, :] = entering - total"],
                           [f"z[{by}:, :] = z[:{rest}, :]", "z[0, :] = entering", f"z[{rows - 1}, :] = y"]])  # fmt: skip
    product = "y = " + chosen.choice(["weights .* z", "weights .* z", "z[0, :] + weights .* z",
                                      "weights .* (z * 2.0)", "z' .* weights"])  # fmt: skip
    after = chosen.choice([["total = total + y - total"], ["total = y"],
                           [f"z[{chosen.randrange(rows)}, :] = y", "total = entering"]])  # fmt: skip
    places = [moved + [product], moved + [product], [product] + moved, moved[:1] + [product] + moved[1:]]
    body = chosen.choice(places) + after
    return [f"weights = [{weights}]", f"entering = [{entering}]", f"tensor<real, {rows}, {columns}> z = 1.0",
            f"tensor<real, {columns}> y = 0.0", f"tensor<real, {columns}> total = 0.0",
            f"for step = 0:{chosen.randrange(1, 6)}:", *("    " + line for line in body), "end",
            ], f"concat(0, y, total, reshape(z, {rows * columns}))"  # fmt: skip


def evaluated(lines, expression):
    """What NumPy makes of them."""
    text = in_python(lines).replace("z' @", "z.T @")
    names = {"np": np, "concat": lambda dim, *parts: np.concatenate(parts), "reshape": np.reshape,
             "sum": np.sum, "min": np.min, "max": np.max}  # fmt: skip
    exec(text, names)
    return eval(expression, names)


def cases(chosen, count):
    found = []
    while len(found) < count:
        lines, expression = chosen.choice([vectors, vectors, windows])(chosen)
        expected = evaluated(lines, expression)
        if np.abs(expected).max() < LARGEST:
            found.append(Case("\n".join(lines), expression, Value.wrap("real", expected), 1e-15))
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tmlc")
    parser.add_argument("--count", type=int, default=240)
    parser.add_argument("--seed", type=int, default=seeds.default_seed())
    given = parser.parse_args()
    print(f"seed {given.seed}", flush=True)
    run_cases(given.tmlc, cases(random.Random(given.seed), given.count), batch_size=60)


if __name__ == "__main__":
    main()
