#!/usr/bin/env python3
"""The tour of docs/architecture.md leads through functions that exist, and lists all passes; each has
its part in docs/tir.md.

Usage: tour.py ROOT. Each stop of the numbered list in the section below begins with a file and a
function, `N. \\`FILE\\`, \\`FUNCTION\\`:`; the file must be there and define the function. There are
at most fifteen stops. The passes over TIR, `N. *NAME* ...`, are the rows of tir/passes/passes.def, in
their order.
"""

import pathlib
import re
import sys

DOCUMENT = "docs/architecture.md"
SECTION = "## One expression, from text to machine code"
LONGEST = 15
ITEM = re.compile(r"^(\d+)\. (.*)$", re.M)
PASSES = "tir/passes/passes.def"
PASSES_DOCUMENT = "docs/tir.md"
PASS_ITEM = re.compile(r"^\d+\. \*(\w+)\* ", re.M)
PASS_ROW = re.compile(r"^(?:PROGRAM_)?PASS\((\w+),", re.M)
STOP = re.compile(r"`([\w./]+)`, `(\w+)`: ")


def section_of(text):
    """The text below the heading, up to the next one; None if there is no such section."""
    start = text.find(f"\n{SECTION}\n")
    if start < 0:
        return None
    return re.split(r"^## ", text[start + len(SECTION) + 2:], maxsplit=1, flags=re.M)[0]


def defines(text, function):
    """Whether the C source has the function with its body, not only a declaration or a call."""
    return re.search(rf"^\w[^\n;=]*\b{function}\([^;{{]*\) {{$", text, re.M) is not None


def check_stop(root, number, item):
    stop = STOP.match(item)
    if not stop:
        yield f"stop {number}: does not begin with `FILE`, `FUNCTION`:"
        return
    path, function = stop.groups()
    file = root / path
    if not file.is_file():
        yield f"stop {number}: there is no file {path}"
    elif not defines(file.read_text(), function):
        yield f"stop {number}: {path} defines no function {function}"


def check_passes(root, text):
    listed = PASS_ITEM.findall(text)
    rows = PASS_ROW.findall((root / PASSES).read_text())
    described = (root / PASSES_DOCUMENT).read_text()
    for name in rows:
        if name not in listed:
            yield f"the pass {name} is not listed"
        if not name.endswith("_rest") and f"**pass_{name}**" not in described:
            yield f"the pass {name} has no part in {PASSES_DOCUMENT}"
    for name in listed:
        if name not in rows:
            yield f"{PASSES} has no pass {name}"
    for name in sorted(set(listed)):
        if listed.count(name) > 1:
            yield f"the pass {name} is listed twice"
    if listed != rows and sorted(listed) == sorted(rows):
        yield f"the passes do not stand in the order of {PASSES}"


def check(root):
    text = (root / DOCUMENT).read_text()
    yield from check_passes(root, text)
    section = section_of(text)
    if section is None:
        yield f"no section `{SECTION}`"
        return
    items = ITEM.findall(section)
    if not items:
        yield "no stops"
    if len(items) > LONGEST:
        yield f"{len(items)} stops, {LONGEST} are the most"
    for number, item in items:
        yield from check_stop(root, number, item)


def main():
    problems = list(check(pathlib.Path(sys.argv[1])))
    for problem in problems:
        print(f"{DOCUMENT}: {problem}")
    print(f"{len(problems)} problems")
    return 1 if problems else 0


sys.exit(main())
