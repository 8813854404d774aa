"""Programs to compare, golden and random ones, and running them compiled."""

import json
import os
import pathlib
import random
import re
import subprocess
import tempfile
from dataclasses import dataclass, field

import golden
import inputs
from check import signals
from run import interface, options_from
from shapes import Illegal
from tree import Refused, Source

TIME_LIMIT = 20  # seconds for one program


@dataclass
class Program:
    title: str
    text: bytes
    compiler: list = field(default_factory=list)  # arguments of the compiler
    arguments: list = field(default_factory=list)  # those of the program
    input: str = ""

    def compiled(self, tmlc, *options):
        """Standard output, standard error and exit status."""
        return self.given_to(tmlc, "run", *options)

    def checked(self, tmlc):
        return self.given_to(tmlc, "check")

    def signals(self, tmlc):
        """The debug signals in the state of an object: not those of code that is left out."""
        output, _, status = self.given_to(tmlc, "--emit=json", "--debug-signals", "-o", "-")
        members = json.loads(output)["structs"]["state"]["members"] if status == 0 else []
        return [member["member"] for member in members if "debug" in member]

    def given_to(self, tmlc, command, *options):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "random.tml"
            path.write_bytes(self.text)
            command = [tmlc, command, "-w", *self.compiler, *options, path.name]
            command += ["--", *self.arguments] if command[1] == "run" else []
            try:
                result = subprocess.run(
                    command, cwd=folder, input=self.input.encode(), capture_output=True,
                    timeout=TIME_LIMIT, check=False,
                )
            except subprocess.TimeoutExpired:
                return "", "it does not end\n", None
        output, errors = (
            text.decode("utf-8", "surrogateescape") for text in (result.stdout, result.stderr)
        )
        return output, errors, result.returncode


def random_program(tmlc, generator, components, seed, number):
    """Program `number` of a seed. Its first line says how it is compiled and run; what stands
    behind `#<` it reads."""
    command = [generator, "--print", "--seed", str(seed), "--first", str(number), "--count", "1"]
    command += ["--components"] if components else []
    text = subprocess.run(command, capture_output=True, check=True).stdout
    header, *lines = text.decode().splitlines()
    program = Program(f"program {number} of seed {seed}", text)
    program.compiler = [word for word in header.split() if word.startswith("-")]
    for name in re.findall(r"\bt\.\w+", header):
        program.compiler += ["--with", name]
    program.input = "".join(line[2:] + "\n" for line in lines if line.startswith("#<"))
    rows = re.search(r"rows=(\d+)", header)
    if rows:
        prepare_simulation(tmlc, program, random.Random(f"{seed} {number}"), int(rows[1]))
    return program


def prepare_simulation(tmlc, program, values, rows):
    try:
        source = Source(tmlc, "random.tml", program.text)
    except Refused:
        return  # running it tells
    terminals = interface(tmlc, source, options_from(program.compiler))
    program.input = inputs.table(values, terminals, rows)
    program.arguments = ["--in", "-"] if program.input else ["--steps", str(rows)]
    program.arguments += inputs.settings(values, terminals)
    try:
        known = signals(tmlc, source, options_from(program.compiler))
    except Illegal:
        return  # running it tells
    shown = [name for name in program.signals(tmlc) if name in known]
    if shown:
        program.arguments += ["--watch", ",".join(shown)]


def golden_programs(folder):
    """Those that run, with what is expected of them. Messages name files from the folder."""
    folder = pathlib.Path(folder).resolve()
    os.chdir(folder)
    for path in sorted(pathlib.Path("run").glob("*.tml")):
        expected = golden.read(folder, path)
        if expected.runs and not expected.is_refused and not expected.is_of_library:
            yield expected, Program(
                expected.path, expected.text, expected.arguments, expected.run_arguments,
                expected.bodies.get("input", ""),
            )


def add_random_arguments(parser, count):
    parser.add_argument("tmlc", type=os.path.abspath)
    parser.add_argument("generator", type=os.path.abspath)
    parser.add_argument("--components", action="store_true")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=count)
    parser.add_argument("--jobs", type=int, default=1)
