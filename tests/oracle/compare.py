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
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time
import traceback

import golden
import inputs
from run import interface, options_from, run
from shapes import Illegal
from tree import Refused, Source

FAILURE_LIMIT = 10
TIME_LIMIT = 20  # seconds for one program


def evaluated(tmlc, path, text, compiler, program, standard_input):
    """The result of the evaluator, or a text that says why there is none."""
    try:
        source = Source(tmlc, path, text)
        return run(tmlc, source, options_from(compiler, program), standard_input)
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
                f"output, line {number + 1}\n  evaluator {result.output.splitlines()[number]}\n"
                f"  compiled  {output.splitlines()[number]}"
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


# --- golden programs ------------------------------------------------------------------------------


def compare_golden(arguments):
    folder = pathlib.Path(arguments.folder).resolve()
    os.chdir(folder)  # messages name files from there
    failures = compared = 0
    for path in sorted(pathlib.Path("run").glob("*.tml")):
        program = golden.read(folder, path)
        if not program.runs or program.is_refused:
            continue
        compared += 1
        given = program.bodies.get("input", "")
        result = evaluated(
            arguments.tmlc, str(path), program.text, program.arguments, program.run_arguments, given
        )
        expected = [program.bodies.get(name, "") for name in ("output", "stderr")]
        found = differences(result, *expected, program.status)
        if not found and result.errors != expected[1]:
            found = [f"errors: evaluator {result.errors}"]
        if found:
            failures += 1
            print(f"{path}: " + "\n".join(found))
    print(f"{compared} golden programs, {failures} differ")
    return failures > 0 or compared == 0


# --- random programs ------------------------------------------------------------------------------


class RandomProgram:
    """Program `number` of a seed, with what its first line says about how it is compiled and run,
    and the numbers behind `#<`, which it reads."""

    def __init__(self, arguments, number):
        self.number = number
        command = [arguments.generator, "--print", "--seed", str(arguments.seed)]
        command += ["--first", str(number), "--count", "1"]
        command += ["--components"] if arguments.components else []
        self.text = subprocess.run(command, capture_output=True, check=True).stdout
        header = self.text.split(b"\n")[0].decode()
        self.compiler = [word for word in header.split() if word.startswith("--")]
        for name in re.findall(r"t\.\w+", header):
            self.compiler += ["--with", name]
        rows = re.search(r"rows=(\d+)", header)
        self.rows = int(rows[1]) if rows else None
        self.input = "".join(
            line[2:] + "\n" for line in self.text.decode().splitlines() if line.startswith("#<")
        )
        self.program = []
        if self.rows is not None:
            try:
                self.prepare_simulation(arguments)
            except Refused:
                pass  # running it tells

    def prepare_simulation(self, arguments):
        source = Source(arguments.tmlc, "random.tml", self.text)
        terminals = interface(arguments.tmlc, source, options_from(self.compiler))
        values = random.Random(f"{arguments.seed} {self.number}")
        self.input = inputs.table(values, terminals, self.rows)
        self.program = ["--in", "-"] if self.input else ["--steps", str(self.rows)]
        self.program += inputs.settings(values, terminals)


def compiled(tmlc, program):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "random.tml"
        path.write_bytes(program.text)
        command = [tmlc, "run", *program.compiler, path.name, "--", *program.program]
        try:
            result = subprocess.run(
                command, cwd=folder, input=program.input, capture_output=True, text=True,
                timeout=TIME_LIMIT, check=False,
            )
        except subprocess.TimeoutExpired:
            return "", "it does not end\n", None
    return result.stdout, result.stderr, result.returncode


def compare_one(arguments, number):
    """What differs in one program, and the program."""
    program = RandomProgram(arguments, number)
    result = evaluated(
        arguments.tmlc, "random.tml", program.text, program.compiler, program.program, program.input
    )
    return differences(result, *compiled(arguments.tmlc, program)), program


def compare_random(arguments):
    if arguments.seed is None:
        arguments.seed = int(time.time())
    print(f"seed {arguments.seed}", flush=True)
    failures = done = 0
    numbers = range(arguments.first, arguments.first + arguments.count)
    with multiprocessing.Pool(arguments.jobs) as pool:
        for found, program in pool.imap(functools.partial(compare_one, arguments), numbers):
            done += 1
            if found:
                failures += 1
                report(arguments, program, found)
                if failures == FAILURE_LIMIT:
                    break
    print(f"{done} random programs, {failures} differ")
    return failures > 0


def report(arguments, program, found):
    components = " --components" if arguments.components else ""
    print(f"\nprogram {program.number} of seed {arguments.seed}: " + "\n".join(found))
    print(f"rerun: compare.py random TMLC RANDOM_PROGRAMS{components} --seed {arguments.seed} "
          f"--first {program.number} --count 1")
    print(f"arguments: {' '.join(program.compiler)} -- {' '.join(program.program)}")
    print(f"---- source\n{program.text.decode()}---- input\n{program.input}----", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    kinds = parser.add_subparsers(dest="kind", required=True)
    kind = kinds.add_parser("golden")
    kind.add_argument("tmlc", type=os.path.abspath)
    kind.add_argument("folder")
    kind = kinds.add_parser("random")
    kind.add_argument("tmlc", type=os.path.abspath)
    kind.add_argument("generator", type=os.path.abspath)
    kind.add_argument("--components", action="store_true")
    kind.add_argument("--seed", type=int)
    kind.add_argument("--first", type=int, default=0)
    kind.add_argument("--count", type=int, default=100)
    kind.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()
    compare = {"golden": compare_golden, "random": compare_random}[arguments.kind]
    return compare(arguments)


if __name__ == "__main__":
    sys.exit(main())
