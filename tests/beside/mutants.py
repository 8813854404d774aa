#!/usr/bin/env python3
"""The tests in the examples notice when a constant or an operator of the example changes.

Usage: mutants.py TMLC EXAMPLES [--count N] [--least SHARE]. Every number and operator of every source in a
folder whose main file has tests is changed, one at a time; of a program only those in functions, which is all
that tests call. A change is noticed when `tmlc test` of that file fails. With --count N of them, those of the day. What is not noticed is printed, and the share that
is has to be the least one.
"""

import argparse
import concurrent.futures
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from seeds import default_seed  # noqa: E402

TEST = re.compile(r'^test ["\'].*?^end$', re.M | re.S)
FUNCTION = re.compile(r"^fn .*?^end$", re.M | re.S)
COMPONENT = re.compile(r"^fn (output|update)_fnc\(", re.M)
COMMENT = re.compile(r"#.*")
TEXT = re.compile(r'"[^"\n]*"')
NUMBER = re.compile(r"(?<![\w.])(\d+\.\d+(?:e[-+]?\d+)?|\d+e[-+]?\d+|\d+)(?![\w.])")
OPERATOR = re.compile(r" (\+=|-=|\*=|<=|>=|==|!=|\+|-|\*|/|<|>|and|or) |\b(min|max|sin|cos)(?=\()")
OTHER = {
    "+": "-", "-": "+", "*": "/", "/": "*", "+=": "-=", "-=": "+=", "*=": "/=", "<": ">=", ">=": "<",
    ">": "<=", "<=": ">", "==": "!=", "!=": "==", "and": "or", "or": "and", "min": "max", "max": "min",
    "sin": "cos", "cos": "sin",
}  # fmt: skip


def blank(match):
    return re.sub(r"[^\n]", " ", match[0])


def changed_number(text):
    if re.fullmatch(r"\d+", text):
        return str(int(text) + 1)
    value = float(text)
    return repr(value * 1.25 if value else 0.5)


def functions_alone(text):
    ends = 0
    for function in FUNCTION.finditer(text):
        yield re.sub(r"[^\n]", " ", text[ends : function.start()]) + function[0]
        ends = function.end()


def mutants_of(path, is_program):
    """Start, end and what stands there instead, for each change."""
    text = path.read_text()
    if is_program:
        text = "".join(functions_alone(text))
    for pattern in (TEST, COMMENT, TEXT):
        text = pattern.sub(blank, text)
    for match in NUMBER.finditer(text):
        yield match.start(1), match.end(1), changed_number(match[1])
    for match in OPERATOR.finditer(text):
        group = 1 if match[1] else 2
        yield match.start(group), match.end(group), OTHER[match[group]]


def mutants(examples):
    """The main file, the file that is changed, and the change."""
    for folder in sorted(path for path in examples.iterdir() if path.is_dir()):
        mains = [path for path in sorted(folder.glob("*.tml")) if TEST.search(path.read_text())]
        is_program = not any(COMPONENT.search(path.read_text()) for path in mains)
        for path in sorted(folder.glob("*.tml")) if mains else []:
            for change in mutants_of(path, is_program):
                yield mains, path, change


def survives(tmlc, mutant):
    """The change as text when nothing notices it, else None."""
    mains, path, (start, end, new) = mutant
    text = path.read_text()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name) / path.parent.name
        shutil.copytree(path.parent, folder)
        (folder / path.name).write_text(text[:start] + new + text[end:])
        result = subprocess.run([tmlc, "test", "--jobs=1", *[main.name for main in mains]], cwd=folder,
                                capture_output=True, text=True, timeout=120)
    if result.returncode not in (0, 1):
        return f"{path}: exit status {result.returncode}: {result.stderr}"
    line = text.count("\n", 0, start) + 1
    where = f"{path.parent.name}/{path.name}:{line}: {text[start:end]} -> {new}"
    return f"{where}    {text.splitlines()[line - 1].strip()}" if result.returncode == 0 else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tmlc")
    parser.add_argument("examples", type=pathlib.Path)
    parser.add_argument("--count", type=int)
    parser.add_argument("--least", type=float, default=0.95)
    options = parser.parse_args()
    tmlc = os.path.abspath(options.tmlc)
    every = list(mutants(options.examples))
    if options.count:
        every = random.Random(default_seed()).sample(every, min(options.count, len(every)))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        survivors = [text for text in pool.map(lambda mutant: survives(tmlc, mutant), every) if text]
    print(*survivors, sep="\n")
    share = 1 - len(survivors) / len(every)
    print(f"{len(every)} changes, {share:.1%} noticed")
    sys.exit(0 if share >= options.least else 1)


if __name__ == "__main__":
    main()
