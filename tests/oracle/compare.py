#!/usr/bin/env python3
"""Compares programs with the evaluator of this folder.

compare.py golden TMLC GOLDEN_FOLDER [--shares N]
    what tests/golden/run/ expects
compare.py random TMLC RANDOM_PROGRAMS [--components] [--seed S] [--first K] [--count N] [--jobs J]
    what compiled random programs print; without --seed they are those of today
compare.py refused TMLC GOLDEN_FOLDER
    the errors that tests/golden/check/ expects
compare.py mistakes TMLC RANDOM_PROGRAMS [--seed S] [--first K] [--count N] [--jobs J]
    which random programs with a mistake are refused, and why
"""

import argparse
import functools
import multiprocessing
import os
import pathlib
import random
import re
import sys
import traceback

import golden
from check import check
from mistakes import mistaken
from programs import add_random_arguments, golden_programs, random_program
from run import options_from, run
from shapes import Illegal
from tree import Refused, Source

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from seeds import default_seed, todays_share  # noqa: E402

FAILURE_LIMIT = 10
DOUBTFUL = "doubtful"


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
    """Where the evaluator's result is another one. Where several parts of a statement trap, the
    compiler may tell another one than the first (docs/language.md, L13), and what functions print
    that the statement calls has been printed, or not."""
    if isinstance(result, str):
        return [result]
    found = []
    place = line_of(errors)
    traps = line_of(result.errors) is not None and place in result.lines
    if result.status != status:
        found.append(f"exit status: evaluator {result.status}, compiled {status}")
    if not traps and result.errors != errors:
        found.append(f"errors\n  evaluator {result.errors}  compiled  {errors}")
    elsewhere = traps and place != line_of(result.errors)
    if elsewhere and (output.startswith(result.output) or result.output.startswith(output)):
        return found
    if result.output != output:
        ours, theirs = result.output.split("\n"), output.split("\n")
        number = next((k for k, (a, b) in enumerate(zip(ours, theirs)) if a != b), None)
        if number is None:
            found.append("one output ends before the other")
        else:
            found.append(f"output, line {number + 1}\n  evaluator {ours[number]}\n"
                         f"  compiled  {theirs[number]}")
    return found


def line_of(errors):
    """The file and line of a trap."""
    match = re.match(r"(.*?:\d+):\d+: trap\[", errors)
    return match and match[1]


def compare_golden(arguments):
    failures = compared = 0
    for expected, program in todays_share(list(golden_programs(arguments.folder)), arguments.shares):
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


# --- what is refused ------------------------------------------------------------------------------

# What `check` tells. Of programs with other mistakes it says nothing.
TOLD = (
    "E0401 E0402 E0403 E0404 E0405 E0406 E0408 E0410 E0411 E0412 E0413 E0414 E0420 E0421 "
    "E0501 E0502 E0503 E0504 E0505 E0506 E0507 E0510 E0601 E0602 E0603 E0605 E0606 "
    "E0711 E0712 E0713 E0714 E0716 E0750 E0751 E0752 E0753"
).split()



def illegal_code(tmlc, path, text, options):
    """The code of the first mistake; None if the program is legal, DOUBTFUL if it may be."""
    try:
        if not check(tmlc, Source(tmlc, path, text), options):
            return DOUBTFUL
    except Illegal as illegal:
        return illegal.code
    except Refused as refused:
        return re.search(r"error\[(E\d+)", str(refused))[1]
    return None


def compare_refused(arguments):
    folder = pathlib.Path(arguments.folder).resolve()
    os.chdir(folder)
    failures = compared = 0
    for path in sorted([*pathlib.Path("run").glob("*.tml"), *pathlib.Path("check").glob("*.tml")]):
        program = golden.read(folder, path)
        wanted = [error.split()[0] for error in program.errors]
        if wanted and not set(wanted) <= set(TOLD):
            continue
        if program.is_of_library or (not wanted and not program.runs):
            continue
        compared += 1
        options = options_from(program.arguments, program.run_arguments)
        code = illegal_code(arguments.tmlc, str(path), program.text, options)
        if code not in (*(wanted or [None]), DOUBTFUL):
            failures += 1
            print(f"{path}: evaluator {code}, expected {' '.join(wanted) or 'none'}")
    print(f"{compared} golden programs, {failures} differ")
    return failures > 0 or compared == 0


def compare_mistake(arguments, number):
    program = random_program(arguments.tmlc, arguments.generator, False, arguments.seed, number)
    values = random.Random(f"{arguments.seed} {number}")
    source = Source(arguments.tmlc, "random.tml", program.text)
    program.text = mistaken(source, values)
    output, errors, _ = program.checked(arguments.tmlc)
    told = re.findall(r"error\[(E\d+)\]", output + errors)
    try:
        options = options_from(program.compiler)
        code = illegal_code(arguments.tmlc, "random.tml", program.text, options)
    except Exception:
        return number, [traceback.format_exc()], program
    is_told = code in (*(told or [None]), DOUBTFUL)
    if is_told or not set(told) <= set(TOLD):
        return number, [], program
    return number, [f"evaluator {code}, compiler {errors or 'none'}"], program


# --- random programs ------------------------------------------------------------------------------


def compare_one(arguments, number):
    """What differs in one random program, and the program."""
    program = random_program(
        arguments.tmlc, arguments.generator, arguments.components, arguments.seed, number
    )
    result = evaluated(arguments.tmlc, "random.tml", program)
    return number, differences(result, *program.compiled(arguments.tmlc)), program


def compare_random(arguments):
    if arguments.seed is None:
        arguments.seed = default_seed()
    print(f"seed {arguments.seed}", flush=True)
    failures = done = 0
    numbers = range(arguments.first, arguments.first + arguments.count)
    compare_number = {"random": compare_one, "mistakes": compare_mistake}[arguments.kind]
    with multiprocessing.Pool(arguments.jobs) as pool:
        compare = functools.partial(compare_number, arguments)
        for number, found, program in pool.imap(compare, numbers):
            done += 1
            if done % 1000 == 0:
                print(f"{done} programs, {failures} differ", flush=True)
            if found:
                failures += 1
                report(arguments, number, program, found)
                if failures == FAILURE_LIMIT:
                    break
    print(f"{done} random programs, {failures} differ")
    return failures > 0


def report(arguments, number, program, found):
    kind = arguments.kind + " TMLC RANDOM_PROGRAMS"
    kind += " --components" if arguments.components else ""
    print(f"\n{program.title}: " + "\n".join(found))
    print(f"rerun: compare.py {kind} --seed {arguments.seed} --first {number} --count 1")
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
    kind.add_argument("--shares", type=int, default=1, help="one of so many, by the day")
    kind = kinds.add_parser("refused")
    kind.add_argument("tmlc", type=os.path.abspath)
    kind.add_argument("folder")
    add_random_arguments(kinds.add_parser("random"), 100)
    add_random_arguments(kinds.add_parser("mistakes"), 100)
    arguments = parser.parse_args()
    compare = {"golden": compare_golden, "refused": compare_refused}
    return compare.get(arguments.kind, compare_random)(arguments)


if __name__ == "__main__":
    sys.exit(main())
