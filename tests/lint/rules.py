#!/usr/bin/env python3
"""The numbered rules of docs/language.md are those that the project cites, and each has a test.

Usage: rules.py ROOT. Each rule that a file of the project cites (`L7.4`, or `L11` for a chapter) is a
heading there; the headings are in order; and each has a golden program: one that is named after it
(`l7_4_dimensions.tml`, `l11_align.tml`), or that cites it in a comment before its first section. A
chapter with numbered rules is tested by the programs of these.
"""

import pathlib
import re
import sys

FOLDERS = (
    "support lexer parser types tir sema codegen eval runtime driver docs examples share scripts "
    "cmake bench tests"
).split()
SUFFIXES = set(".c .h .y .l .def .py .md .tml .sh .cmake .txt".split())
DOCUMENT = "docs/language.md"
# Its trees are made to be wrong.
NOT_SEARCHED = {"tests/lint/self_test.py"}

HEADING = re.compile(r"^#{2,3} L(\d+(?:\.\d+)?) +\S", re.M)
FENCED = re.compile(r"^```.*?^```$", re.M | re.S)
CITED = re.compile(r"(?<![\w./])L(\d{1,2}(?:\.\d+)?)(?!\d)")
NAMED = re.compile(r"l(\d+)_(?:(\d+)_)?")


def in_order(rule):
    return [int(part) for part in rule.split(".")]


def text_of(file):
    return file.read_bytes().decode("utf-8", "replace")


def files_of(root):
    yield from sorted(root.glob("*.md"))
    for folder in FOLDERS:
        for file in sorted((root / folder).rglob("*")):
            if file.suffix in SUFFIXES and file.is_file():
                yield file


def check_headings(rules):
    for before, rule in zip(rules, rules[1:]):
        if in_order(before) >= in_order(rule):
            yield f"{DOCUMENT}: L{rule} stands behind L{before}"
    for rule in rules:
        chapter = rule.split(".")[0]
        if chapter not in rules:
            yield f"{DOCUMENT}: L{rule} has no chapter L{chapter}"


def check_citations(root, rules):
    known = set(rules)
    for file in files_of(root):
        path = file.relative_to(root).as_posix()
        if path in NOT_SEARCHED:
            continue
        for number, line in enumerate(text_of(file).splitlines(), 1):
            for rule in CITED.findall(line):
                if rule not in known:
                    yield f"{path}:{number}: L{rule} is no rule of {DOCUMENT}"


def golden_rules(root):
    """The rules that golden programs are named after, and those that their comments cite."""
    named, cited = set(), set()
    for file in sorted((root / "tests/golden").rglob("*.tml")):
        name = NAMED.match(file.name)
        if name:
            named.add(f"{name[1]}.{name[2]}" if name[2] else name[1])
        for line in text_of(file).split("\n#!", 1)[0].splitlines():
            if line.startswith("# "):
                cited.update(CITED.findall(line))
    return named, cited


def check_tests(root, rules):
    named, cited = golden_rules(root)
    chapters = {rule.split(".")[0] for rule in rules if "." in rule}
    for rule in rules:
        if rule not in named | cited | chapters:
            yield f"{DOCUMENT}: no golden program is named l{rule.replace('.', '_')}_* or cites L{rule}"
    for rule in sorted(named - set(rules), key=in_order):
        yield f"tests/golden: a program is named after L{rule}, which is no rule of {DOCUMENT}"


def main():
    root = pathlib.Path(sys.argv[1])
    rules = HEADING.findall(FENCED.sub("", text_of(root / DOCUMENT)))
    problems = list(check_headings(rules))
    problems += check_citations(root, rules)
    problems += check_tests(root, rules)
    print("\n".join(problems))
    print(f"{len(rules)} rules, {len(problems)} problems")
    return 1 if problems or not rules else 0


sys.exit(main())
