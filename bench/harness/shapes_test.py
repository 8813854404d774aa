#!/usr/bin/env python3
"""Tests bench/shapes: shapes_test.py TMLC FOLDER.

Some patterns agree with doubles and with floats; a wrong one is found; slow rows are no failure; and
what is drawn for a pattern depends on nothing but the seed.
"""

import pathlib
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
from checked import finish, spoiled  # noqa: E402

BENCH = pathlib.Path(__file__).resolve().parent.parent
LEAST_PATTERNS = 70
AGREE = ["sum_rows", "fir_slices", "polar", "histogram"]
# A file to spoil, a pattern in it, what to replace by what, what `real` is, and what is then said.
WRONG = [
    ("shape.py", "symmetric_part", "return 0.5 *", "return 0.5001 *", "f32",
     "WRONG RESULT of tml:symmetric_part"),
    ("shape.py", "symmetric_part", "x[j * $n + i]);", "x[i * $n + j]);", "f64",
     "WRONG RESULT of tml:symmetric_part"),
    ("shape.py", "symmetric_part", "(REAL)0.5", "0.5", "f32", "-Werror=double-promotion"),
]


def run(*arguments):
    done = subprocess.run([BENCH / "shapes", *map(str, arguments)], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return done.returncode, done.stdout, done.stderr


def listed(*arguments):
    return run("--list", "--seed", 1, *arguments)[1].splitlines()


def complaints(tmlc, folder):
    rows, more = listed(), listed("--per", 3)
    if len(rows) < LEAST_PATTERNS or len(more) < 2.5 * len(rows):
        yield f"--list: {len(rows)} rows, {len(more)} with --per 3"
    if not set(rows) <= set(more) or not set(listed("--only", "product")) <= set(rows):
        yield "--per or --only changes which sizes are drawn"
    status, printed, complaint = run("--list", "--only", "sum_row")
    if status == 0 or "no pattern sum_row" not in complaint:
        yield f"a pattern that is none: status {status}, {printed}{complaint}"
    common = ["--seed", 1, "--tmlc", tmlc, "--build", folder / "build"]
    for real in ("f64", "f32"):
        status, printed, complaint = run(*common, "--check", "--real", real, "--only", *AGREE)
        if status != 0 or f"{len(AGREE)} rows, {6 * len(AGREE)} variants: all agree" not in printed:
            yield f"{real}: status {status}, {printed}{complaint}"
    status, printed, complaint = run(*common, "--only", "sum_rows", "--limit", 0)
    if status != 0 or "1 rows: tmlc takes " not in printed or "1 take more than 0" not in printed:
        yield f"slow rows: status {status}, {printed}{complaint}"
    for name, pattern, before, after, real, message in WRONG:
        shutil.rmtree(folder / "patterns", ignore_errors=True)
        shutil.copytree(BENCH / "patterns", folder / "patterns")
        if not spoiled(folder / "patterns" / name, before, after):
            yield f"patterns/{name} has no `{before}`"
            continue
        status, printed, complaint = run(*common, "--check", "--real", real, "--only", pattern,
                                         "--patterns", folder / "patterns")
        if status != 1 or message not in complaint:
            yield f"{name} with `{after}`: status {status}, {printed}{complaint}"


finish(complaints)
