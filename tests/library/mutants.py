"""Whether the tests notice when the library is wrong: mutants.py BUILD [--all | --count N] [--seed S] [FILE...]

Each assignment of each function of sema/library is taken away (its target keeps what it has), or its
operator is another one. With the changed text a compiler is made, with which the cases of
tests/numpy/library.py for the functions that come to this one must fail, or those of transforms.py. Prints
the mutants that survive, those of EQUAL aside, which compute the same; fails when they are more than one
of twenty. A sample of N is tried of all (200), the same one for the same seed. BUILD is a release build.
"""

import argparse
import concurrent.futures
import os
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/numpy"))

import library  # noqa: E402
import library_cases  # noqa: E402
from library_table import CASES  # noqa: E402

FUNCTION = re.compile(r"^fn (\w+)\(.*?^end$", re.MULTILINE | re.DOTALL)
ASSIGNMENT = re.compile(r"^( +)(?:(tensor<[^=]*>|real|int|uint|bool) )?([\w{}, ]+(?:\[[^=\]]*(?:\[[^\]]*\])?[^=\]]*\])?)"
                        r" ([-+*/]?=) (.*)$")
RESULT = re.compile(r"^( +)()(return)() (.*)$")
# Rules of derivatives have tests of their own.
RULES = re.compile(r"_(?:slope|kept|adjoint|factored|substituted)")
OPERATOR = re.compile(r" (\+|-|\*|/|<=|<|>=|>|==|!=|and|or) ")
OTHERS = {"+": "-", "-": "+", "*": "/", "/": "*", "<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "==",
          "and": "or", "or": "and", "+=": "-=", "-=": "+=", "*=": "/=", "/=": "*="}
# Built-in functions are written in these files, without a call in TML.
BUILT_IN = {"dense": ("det", "inv", "solve", "chol", "norm"), "fourier": None, "random": None}
# Texts of lines, and why their mutants are the same functions.
EQUAL = {}


class Mutant:
    def __init__(self, path, function, number, old, new):
        self.path, self.function, self.number, self.old, self.new = path, function, number, old, new

    def __str__(self):
        return f"{self.path.name}:{self.number}: {self.function}: {self.old.strip()}  ->  {self.new.strip()}"

    def text(self):
        lines = self.path.read_text().split("\n")
        assert lines[self.number - 1] == self.old
        lines[self.number - 1] = self.new
        return "\n".join(lines)


def changed(line):
    """The line without its assignment, and with another operator, where it has these."""
    match = ASSIGNMENT.match(line) or RESULT.match(line)
    if match is None or " macro " in line or line.lstrip().startswith("for "):
        return
    blanks, kind, target, sign, value = match.groups()
    if target == "return":
        kind, sign = "", ""
    if kind is None and "," not in target and re.search(r"[\[+*/-]", target + sign):
        yield f"{blanks}{target} = {target}"
    if sign in OTHERS:
        yield line.replace(f" {sign} ", f" {OTHERS[sign]} ", 1)
    at = OPERATOR.search(f" {value} ")
    if at:
        start = len(line) - len(value) - 1 + at.start(1)
        yield line[:start] + OTHERS[at[1]] + line[start + len(at[1]):]


def mutants_of(path):
    text = path.read_text()
    for found in FUNCTION.finditer(text):
        if RULES.search(found[1]):
            continue
        first = text.count("\n", 0, found.start()) + 1
        assigned = set()
        for k, line in enumerate(found[0].split("\n")):
            for new in changed(line):
                yield Mutant(path, found[1], first + k, line, new)
            match = ASSIGNMENT.match(line)
            if match and match[2] is None and re.fullmatch(r"\w+", match[3]) and match[4] == "=":
                if match[3] in assigned:  # not its declaration
                    yield Mutant(path, found[1], first + k, line, f"{match[1]}{match[3]} = {match[3]}")
            if match:
                assigned.add(match[3])


def callers(texts):
    """By function the public ones that come to it."""
    calls = {found[1]: set(re.findall(r"\b(\w+)\(", found[0])) for text in texts for found in FUNCTION.finditer(text)}
    reach = {name: {name} for name in calls}
    for _ in range(6):
        for name, called in calls.items():
            for other in called & set(calls):
                reach[other] |= reach[name]
    for path in (ROOT / "sema/library").glob("*.tml"):  # `# or: _name`
        for name, other in re.findall(r"^# (\w+)\(.*\n(?:# .*\n)*?# or: (\w+)$", path.read_text(), re.MULTILINE):
            for inner, names in reach.items():
                if other in names:
                    names.add(name)
    return reach


def build(folder, path=None, text=None):
    """libmutant.so with the library, of which a file may have another text. False when it is not one."""
    texts = folder / "library"
    texts.mkdir()
    for file in (ROOT / "sema/library").glob("*.tml"):
        (texts / file.name).write_text(text if file == path else file.read_text())
    table = subprocess.run(["awk", "-f", ROOT / "sema/library/index.awk", *sorted(texts.glob("*.tml"))],
                           capture_output=True, text=True, check=True).stdout
    (folder / "library.inc").write_text(table)
    subprocess.run(["cc", "-std=gnu11", "-O1", "-w", "-fPIC", "-shared", f"-I{folder}", f"-I{ROOT}", "-Wl,-soname,libmutant.so",
                    "-o", folder / "libmutant.so", ROOT / "sema/library/library.c"], check=True)


def link(folder, build_folder):
    """A compiler whose library is that of libmutant.so."""
    build(folder)
    program = "driver/tmlc"
    query = ["ninja", "-C", build_folder, "-t", "commands", program]
    command = subprocess.run(query, capture_output=True, text=True, check=True).stdout.splitlines()[-1]
    command = command.replace(f"-o {program} ", f"-o {folder}/tmlc -Wl,--no-as-needed {folder}/libmutant.so ")
    subprocess.run(command, shell=True, cwd=build_folder, check=True)


class Trial:
    def __init__(self, folder):
        self.folder = folder
        self.reach = callers(path.read_text() for path in (ROOT / "sema/library").glob("*.tml"))
        library_cases.random = np.random.default_rng(1)
        np.seterr(all="ignore")
        claims = library.claims_of(ROOT)
        self.blocks = {}
        for key in CASES:
            name = key.partition("#")[0]
            self.blocks.setdefault(name, []).extend(
                library.Block(key, claims[name], 20, first, np.float64) for first in (True, True, False, False, False))

    def tests(self, mutant):
        """The blocks that are to notice, or None where transforms.py is."""
        if BUILT_IN.get(mutant.path.stem, ()) is None and mutant.function != "philox":
            return None
        names = {name for name in self.reach[mutant.function] if name in self.blocks}
        names |= set(BUILT_IN.get(mutant.path.stem) or ()) & set(self.blocks)
        return [block for name in sorted(names) for block in self.blocks[name]]

    def notices(self, mutant):
        with tempfile.TemporaryDirectory(dir=self.folder) as name:
            folder = Path(name)
            build(folder, mutant and mutant.path, mutant and mutant.text())
            wrapper = folder / "tmlc"
            wrapper.write_text(f'#!/bin/sh\nLD_LIBRARY_PATH={folder} exec timeout 60 {self.folder}/tmlc "$@"\n')
            wrapper.chmod(0o755)
            blocks = self.tests(mutant) if mutant else [block for blocks in self.blocks.values() for block in blocks]
            if blocks is None:
                command = ["/usr/bin/python3", ROOT / "tests/numpy/transforms.py", wrapper, "--seed", "1"]
                return subprocess.run(command, capture_output=True).returncode != 0
            if not blocks:
                return False
            _, wrong = library.run_group(str(wrapper), blocks, ["-O0"], 2.0**-53)
            if not mutant and wrong:
                sys.exit("mutants: the tests fail without any change\n" + wrong[0])
            return bool(wrong)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=Path)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    paths = [path for path in sorted((ROOT / "sema/library").glob("*.tml")) if not options.files or path.name in options.files]
    mutants = [mutant for path in paths for mutant in mutants_of(path)]
    if not options.all and options.count < len(mutants):
        mutants = random.Random(options.seed).sample(mutants, options.count)
    with tempfile.TemporaryDirectory(prefix="mutants-") as name:
        folder = Path(name)
        link(folder, options.build.resolve())
        trial = Trial(folder)
        trial.notices(None)
        alive = []
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for k, (mutant, noticed) in enumerate(zip(mutants, pool.map(trial.notices, mutants))):
                if not noticed:
                    alive.append(mutant)
                    print(f"{k}: survives: {mutant}", flush=True)
                elif k % 50 == 49:
                    print(f"{k + 1} tried", flush=True)
    survivors = [mutant for mutant in alive if mutant.old.strip() not in EQUAL]
    print(f"{len(mutants)} mutants, {len(mutants) - len(alive)} noticed, {len(alive) - len(survivors)} are the same, "
          f"{len(survivors)} survive")
    return len(survivors) > len(mutants) / 20


sys.exit(main())
