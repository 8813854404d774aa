#!/usr/bin/env python3
"""Rewrites programs into ones that mean the same, and compares what they print at -O0 and -O2.

rewrite.py golden TMLC GOLDEN_FOLDER [--seed S] [--count N] [--jobs J]
rewrite.py random TMLC RANDOM_PROGRAMS [--components] [--seed S] [--first K] [--count N] [--jobs J]

Without --seed it is that of today.
"""

import argparse
import functools
import multiprocessing
import os
import pathlib
import random
import sys

from programs import add_random_arguments, golden_programs, random_program
from rewriting import rewritten
from tree import Refused

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from seeds import default_seed  # noqa: E402

FAILURE_LIMIT = 10
LEVELS = ("-O0", "-O2")


def judge(tmlc, program, values):
    """A text with what differs, or None; and the rewritten program."""
    expected = program.compiled(tmlc, LEVELS[0])
    try:
        other = rewritten(tmlc, program, values)
    except Refused as refused:
        return f"the compiler refuses it:\n{refused}", program
    for changed in (program, other):
        for level in LEVELS:
            if changed is program and level == LEVELS[0]:
                continue
            output, errors, status = changed.compiled(tmlc, level)
            if (output, status) != (expected[0], expected[2]):
                which = "original" if changed is program else "rewritten"
                return f"{which}, {level}: exit status {status}\n{errors}{output}", other
    return None, other


def judge_random(arguments, number):
    program = random_program(
        arguments.tmlc, arguments.generator, arguments.components, arguments.seed, number
    )
    wrong, other = judge(arguments.tmlc, program, random.Random(f"{arguments.seed} {number}"))
    return program, other, wrong


def is_rewritable(program):
    """Imports are found from the golden folder alone, and functions whose calls stand where constants
    are wanted (L10.9) must stay pure."""
    return b"import " not in program.text and "/l10_9_" not in program.title


def judge_golden(arguments, program):
    values = random.Random(f"{arguments.seed} {program.title}")
    wrong, other = judge(arguments.tmlc, program, values)
    return program, other, wrong


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    kinds = parser.add_subparsers(dest="kind", required=True)
    kind = kinds.add_parser("golden")
    kind.add_argument("tmlc", type=os.path.abspath)
    kind.add_argument("folder")
    kind.add_argument("--seed", type=int)
    kind.add_argument("--count", type=int, help="so many of them, by chance (default: all)")
    kind.add_argument("--jobs", type=int, default=1)
    add_random_arguments(kinds.add_parser("random"), 50)
    arguments = parser.parse_args()
    arguments.seed = default_seed() if arguments.seed is None else arguments.seed
    print(f"seed {arguments.seed}", flush=True)
    if arguments.kind == "golden":
        items = [p for _, p in golden_programs(arguments.folder) if is_rewritable(p)]
        items = random.Random(arguments.seed).sample(items, arguments.count or len(items))
        work = judge_golden
    else:
        items = range(arguments.first, arguments.first + arguments.count)
        work = judge_random
    failures = done = 0
    with multiprocessing.Pool(arguments.jobs) as pool:
        for program, other, wrong in pool.imap(functools.partial(work, arguments), items):
            done += 1
            if wrong:
                failures += 1
                print(f"\n{program.title}: {wrong}\narguments: {' '.join(other.compiler)} -- "
                      f"{' '.join(other.arguments)}\n---- rewritten\n{other.text.decode()}"
                      f"---- input\n{other.input}----", flush=True)
                if failures == FAILURE_LIMIT:
                    break
    print(f"{done} rewritten programs, {failures} differ")
    return failures > 0 or done == 0


if __name__ == "__main__":
    sys.exit(main())
