#!/usr/bin/env python3
"""The tour of docs/architecture.md leads through functions that exist.

Usage: tour.py ROOT. Each stop of the numbered list in the section below begins with a file and a
function, `N. \\`FILE\\`, \\`FUNCTION\\`:`; the file must be there and define the function. There are
at most fifteen stops.
"""

import pathlib
import re
import sys

DOCUMENT = "docs/architecture.md"
SECTION = "## One expression, from text to machine code"
LONGEST = 15
ITEM = re.compile(r"^(\d+)\. (.*)$", re.M)
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


def check(root):
    section = section_of((root / DOCUMENT).read_text())
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
