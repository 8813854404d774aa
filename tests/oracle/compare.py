#!/usr/bin/env python3
"""Compares programs with the evaluator of this folder.

compare.py golden TMLC GOLDEN_FOLDER
    what tests/golden/run/ expects
compare.py random TMLC RANDOM_PROGRAMS [--components] [--seed S] [--first K] [--count N] [--jobs J]
    what compiled random programs print; without a seed the clock gives one
"""

import argparse
import functools
import multiprocessing
import os
import re
import sys
import time
import traceback

from programs import add_random_arguments, golden_programs, random_program
from run import options_from, run
from shapes import Illegal
from tree import Refused, Source

FAILURE_LIMIT = 10


def evaluated(tmlc, path, program):
    """The result of the evaluator, or a text that says why there is none."""
    try:
        source = Source(tmlc, path, program.text)
        options = options_from(program.compiler, program.arguments)
        return run(tmlc, source, options, program.input)
    except Refused as refused:
        return f"the compiler refuses it:\n{refused}"
    except Illegal as illegal:
        return f"illegal, {illegal.code}: {illegal.text}"
    except Exception:
        return traceback.format_exc()


def differences(result, output, errors, status):
    """Where the evaluator's result is another one, line by line; same lines of traps will do."""
    if isinstance(result, str):
        return [result]
    found = []
    if result.output != output:
        pairs = zip(result.output.split("\n"), output.split("\n"))
        number = next((k for k, (a, b) in enumerate(pairs) if a != b), None)
        if number is None:
            found.append("one output ends before the other")
        else:
            found.append(
                f"output, line {number + 1}\n  evaluator {result.output.split(chr(10))[number]}\n"
                f"  compiled  {output.split(chr(10))[number]}"
            )
    if result.status != status:
        found.append(f"exit status: evaluator {result.status}, compiled {status}")
    if place_of(result.errors) != place_of(errors):
        found.append(f"errors\n  evaluator {result.errors}  compiled  {errors}")
    return found


def place_of(errors):
    """The file and line of a trap. Where several parts of a statement trap, the compiler may tell
    another one than the first (docs/language.md, Traps)."""
    match = re.match(r"(.*?:\d+):\d+: trap\[", errors)
    return match[1] if match else errors


def compare_golden(arguments):
    failures = compared = 0
    for expected, program in golden_programs(arguments.folder):
        compared += 1
        result = evaluated(arguments.tmlc, program.title, program)
        output, errors = (expected.bodies.get(name, "") for name in ("output", "stderr"))
        found = differences(result, output, errors, expected.status)
        if not found and result.errors != errors:
            found = [f"errors: evaluator {result.errors}"]
        if found:
            failures += 1
            print(f"{program.title}: " + "\n".join(found))
    print(f"{compared} golden programs, {failures} differ")
    return failures > 0 or compared == 0


def compare_one(arguments, number):
    """What differs in one random program, and the program."""
    program = random_program(
        arguments.tmlc, arguments.generator, arguments.components, arguments.seed, number
    )
    result = evaluated(arguments.tmlc, "random.tml", program)
    return number, differences(result, *program.compiled(arguments.tmlc)), program


def compare_random(arguments):
    if arguments.seed is None:
        arguments.seed = int(time.time())
    print(f"seed {arguments.seed}", flush=True)
    failures = done = 0
    numbers = range(arguments.first, arguments.first + arguments.count)
    with multiprocessing.Pool(arguments.jobs) as pool:
        compare = functools.partial(compare_one, arguments)
        for number, found, program in pool.imap(compare, numbers):
            done += 1
            if found:
                failures += 1
                report(arguments, number, program, found)
                if failures == FAILURE_LIMIT:
                    break
    print(f"{done} random programs, {failures} differ")
    return failures > 0


def report(arguments, number, program, found):
    components = " --components" if arguments.components else ""
    print(f"\n{program.title}: " + "\n".join(found))
    print(f"rerun: compare.py random TMLC RANDOM_PROGRAMS{components} --seed {arguments.seed} "
          f"--first {number} --count 1")
    print(f"arguments: {' '.join(program.compiler)} -- {' '.join(program.arguments)}")
    print(f"---- source\n{program.text.decode()}---- input\n{program.input}----", flush=True)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    kinds = parser.add_subparsers(dest="kind", required=True)
    kind = kinds.add_parser("golden")
    kind.add_argument("tmlc", type=os.path.abspath)
    kind.add_argument("folder")
    add_random_arguments(kinds.add_parser("random"), 100)
    arguments = parser.parse_args()
    compare = {"golden": compare_golden, "random": compare_random}[arguments.kind]
    return compare(arguments)


if __name__ == "__main__":
    sys.exit(main())
