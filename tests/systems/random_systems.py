#!/usr/bin/env python3
"""Random systems of instances, against the evaluator of tests/oracle/:

    random_systems.py TMLC HOST [--seed S] [--first K] [--count N] [--statements M] [--jobs J]
                      [--keep FOLDER]

Each is simulated by `tmlc run`, by executables of -O0 and -O2 and, some of them, by HOST from a
shared library; all print what the evaluator says, to the bit. It is refused for an algebraic loop if
and only if the evaluator finds one. The order of its instances and wires makes no difference, nor
does having functions run it instead of wires. Without --seed they are those of today; --keep has the
files of those that fail.
"""

import argparse
import functools
import itertools
import multiprocessing
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

from systems import random_leaves, random_systems, written_by_hand

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS), str(TESTS / "oracle")]
from compare import differences, evaluated  # noqa: E402
from inputs import table  # noqa: E402
from programs import Program  # noqa: E402
from run import interface, options_from  # noqa: E402
from seeds import default_seed  # noqa: E402
from shapes import Illegal  # noqa: E402
from tree import Refused, Source  # noqa: E402

FAILURE_LIMIT = 10
TIME_LIMIT = 60
ROWS = 20
POOL = 50  # systems that are made of the same components
HOSTED = 10  # one of so many is run by the host
PERMUTED = 50  # one of so many is small, and is permuted in all ways
NUMBERS = {
    "bool": ["true", "false"],
    "int": "0 1 2 3 -1 -2 7 100 -2147483648 2147483647".split(),
    "real": "0.0 1.0 2.0 0.5 -0.25 -2.5 3.75 0.1 -7.3 -0.0 1e-30 1000.0".split(),
}
NUMBERS["real"] += NUMBERS["real"] * 7 + ["nan", "inf"]
LOOP = "illegal, E0753"


def run(command, text):
    """Standard output, standard error and exit status."""
    try:
        result = subprocess.run(command, input=text.encode(), capture_output=True,
                                timeout=TIME_LIMIT, check=False)
    except subprocess.TimeoutExpired:
        return "", "it does not end\n", None
    return result.stdout.decode(), result.stderr.decode(), result.returncode


class System:
    """A random system in the folder at hand, with inputs and settings."""

    def __init__(self, tmlc, seed, number):
        values = random.Random(f"{seed} {number}")
        self.tmlc = tmlc
        self.title = f"system {number} of seed {seed}"
        self.leaves = random_leaves(random.Random(f"{seed} {number // POOL} leaves"), 24)
        self.is_small = number % PERMUTED == 0
        self.systems = random_systems(values, self.leaves, 2 if self.is_small else 6)
        self.main = self.systems[-1]
        for component in (*self.leaves, *self.systems):
            pathlib.Path(component.name).write_text(component.text)
        self.options = []
        for terminal in self.main.inputs:
            if terminal.is_optional and values.random() < 0.5:
                self.options += ["--with", f"t.{terminal.name}"]
        for property in self.main.properties:
            if values.random() < 0.2:
                self.options += ["-D", f"{property.name}={values.choice(NUMBERS['real'])}"]
        if values.random() < 0.15:
            self.options.append("--real=f32")
        self.prepare(values)

    def prepare(self, values):
        self.input, self.arguments = "", ["--steps", str(ROWS)]
        try:
            source = Source(self.tmlc, "main.tml", self.main.text.encode())
            terminals = interface(self.tmlc, source, options_from(self.options))
        except (Refused, Illegal):
            return  # running it tells
        self.input = table(values, terminals, ROWS, NUMBERS)
        if self.input:
            self.arguments = ["--in", "-"]
        names = [f"p.{p.name}" for p in terminals if p.is_tunable]
        watched = list(self.main.state)
        for prefix, component in self.instances(self.main, "", values):
            names += [prefix + p.name for p in component.properties if p.is_tunable]
            watched += [prefix + name for name in component.state]
        for name in names:
            if values.random() < 0.2:
                self.arguments += ["--set", f"{name}={values.choice(NUMBERS['real'])}"]
        watched = values.sample(watched, min(len(watched), values.randrange(4)))
        if watched:
            self.arguments += ["--watch", ",".join(watched)]

    def instances(self, system, before, values):
        """Of each array one, with what stands before its names."""
        for part in system.parts:
            prefix = f"{before}{values.choice(part.elements())}."
            yield prefix, part.component
            yield from self.instances(part.component, prefix, values)

    def expected(self):
        program = Program(self.title, self.main.text.encode(), self.options, self.arguments,
                          self.input)
        return evaluated(self.tmlc, "main.tml", program)

    def compiled(self):
        return run([self.tmlc, "run", "-w", *self.options, "main.tml", "--", *self.arguments],
                   self.input)

    def made(self, output, *options):
        """What is wrong with compiling it, or None."""
        command = [self.tmlc, "-w", *self.options, *options, "main.tml", "-o", output]
        _, errors, status = run(command, "")
        return None if status == 0 else f"exit status {status}\n{errors}"

    def executed(self, level):
        problem = self.made("main", level)
        return ("", problem, 1) if problem else run(["./main", *self.arguments], self.input)

    def hosted(self, host):
        problem = self.made("main.so", "-O2")
        command = [host, "./main.so", *self.arguments]
        return ("", problem, 1) if problem else run(command, self.input)

    def permutations(self, values, most):
        """The files of the systems with their instances and wires in other orders."""
        statements = self.main.statements()
        if self.is_small and len(statements) <= most:
            for order in itertools.permutations(statements):
                yield {"main.tml": self.main.write(order)}
            return
        yield {system.name: system.write(values.sample(system.statements(),
                                                       len(system.statements())))
               for system in self.systems}


def codes(errors):
    return set(re.findall(r"error\[(E\d+)\]", errors))


def problem_of(system, arguments, number):
    """What is wrong, or None; and what has been compared."""
    values = random.Random(f"{arguments.seed} {number} orders")
    counts = {"orders": 0, "loops": 0, "by hand": 0, "hosted": 0}
    expected = system.expected()
    reference = system.compiled()
    if isinstance(expected, str) and expected.startswith(LOOP):
        counts["loops"] = 1
        if reference[2] != 1 or codes(reference[1]) != {"E0753"}:
            return f"the evaluator finds a loop, the compiler none\n{reference[1]}", counts
    else:
        ways = [("run", lambda: reference), ("-O0", lambda: system.executed("-O0")),
                ("-O2", lambda: system.executed("-O2"))]
        if number % HOSTED == 0:
            counts["hosted"] = 1
            ways.append(("host", lambda: system.hosted(arguments.host)))
        for name, way in ways:
            found = differences(expected, *without_lines(way()))
            if found:
                return f"{name}: " + "\n".join(found), counts
    for files in system.permutations(values, arguments.statements):
        counts["orders"] += 1
        problem = compared(system, files, reference)
        if problem:
            return f"in another order: {problem}", counts
    text = written_by_hand(system.main)
    if text and reference[2] == 0:
        counts["by hand"] = 1
        problem = compared(system, {"main.tml": text}, reference)
        if problem:
            return f"by hand: {problem}", counts
    return None, counts


def without_lines(result):
    """The line of the source that a trap shows, which not all of them have."""
    output, errors, status = result
    return output, re.sub(r"(trap\[.*\n)( +\|\n.*\n.*\n)?", r"\1", errors), status


def by_column(output):
    """Hardware of instances has columns in their order."""
    return sorted(zip(*(line.split(",") for line in output.splitlines()), strict=True))


def compared(system, files, reference):
    """Whether the system with these files does the same; they stay if not."""
    before = {name: pathlib.Path(name).read_text() for name in files}
    for name, text in files.items():
        pathlib.Path(name).write_text(text)
    output, errors, status = system.compiled()
    same = ((by_column(output), codes(errors), status)
            == (by_column(reference[0]), codes(reference[1]), reference[2]))
    if not same:
        return (f"exit status {status}, not {reference[2]}\n{errors}\n"
                f"---- is\n{output}---- was\n{reference[0]}")
    for name, text in before.items():
        pathlib.Path(name).write_text(text)
    return None


def judge(arguments, number):
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        system = System(arguments.tmlc, arguments.seed, number)
        problem, counts = problem_of(system, arguments, number)
        if problem:
            problem += f"\narguments: {' '.join(system.options)} -- {' '.join(system.arguments)}\n"
            if arguments.keep:
                pathlib.Path("input.csv").write_text(system.input)
                shutil.copytree(folder, pathlib.Path(arguments.keep) / str(number),
                                dirs_exist_ok=True)
            else:
                problem += "".join(f"---- {component.name}\n{component.text}"
                                   for component in system.systems)
        os.chdir("/")
    return system.title, problem, counts


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tmlc", type=os.path.abspath)
    parser.add_argument("host", type=os.path.abspath)
    parser.add_argument("--seed", type=int, default=default_seed())
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--statements", type=int, default=5,
                        help="of so many at most all orders are tried")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", type=os.path.abspath)
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}", flush=True)
    numbers = range(arguments.first, arguments.first + arguments.count)
    failures = done = 0
    totals = {}
    with multiprocessing.Pool(arguments.jobs) as pool:
        for title, problem, counts in pool.imap(functools.partial(judge, arguments), numbers):
            done += 1
            for name, count in counts.items():
                totals[name] = totals.get(name, 0) + count
            if problem:
                failures += 1
                print(f"\n{title}: {problem}", flush=True)
                if failures == FAILURE_LIMIT:
                    break
            if done % 500 == 0:
                print(f"{done} systems, {failures} differ", flush=True)
    what = ", ".join(f"{count} {name}" for name, count in totals.items())
    print(f"{done} systems ({what}), {failures} differ")
    return failures > 0 or done == 0


if __name__ == "__main__":
    sys.exit(main())
