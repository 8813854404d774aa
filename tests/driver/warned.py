#!/usr/bin/env python3
"""What the default warnings say of programs that are well: warned.py TMLC ROOT

Examples, models, golden programs that run and the programs of the documents are written on purpose. Each
warning that they get is listed in warned.txt with its reason, a line for each file and name, and none
is there that is not given.
"""

import collections
import pathlib
import re
import subprocess
import sys
import tempfile

FOLDERS = ["examples", "bench/kernels", "tests/golden/run", "tests/driver/models", "tests/cross/models"]
FENCED = re.compile(r"^```tml([^\n]*)\n(.*?)^```", re.M | re.S)
RIGHT = re.compile(r"^Right:\n\n```tml([^\n]*)\n(.*?)^```", re.M | re.S)
# Of the words behind the fence; others are names of files.
OPTION = re.compile(r"(?:-D|--with) \S+|-\S+")
ARGS = re.compile(r"^#! args (.*)$", re.M)
GIVEN = re.compile(r"warning\[-W([a-z0-9-]+)\]")
LISTED = re.compile(r"(\S+) ([a-z0-9-]+) (\d+)  \S.*")
# Their wrong programs are wrong on purpose.
WITH_WRONG = {"diagnostics.md", "warnings.md"}


def warnings_of(tmlc, path, options):
    """The names of the warnings on a program; none where it has an error."""
    result = subprocess.run([tmlc, "check", "--diagnostics=short", *options, path],
                            stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    if result.returncode not in (0, 1):
        sys.exit(f"{path}: exit status {result.returncode}: {result.stderr.decode()}")
    return GIVEN.findall(result.stderr.decode("utf-8", "replace"))


def programs(root, folder):
    """Name, path and options of each program."""
    for name in FOLDERS:
        for path in sorted((root / name).rglob("*.tml")):
            args = ARGS.search(path.read_bytes().decode("utf-8", "replace"))
            yield path.relative_to(root).as_posix(), path, args[1].split() if args else []
    for document in [root / "README.md", *sorted((root / "docs").rglob("*.md"))]:
        blocks = RIGHT if document.name in WITH_WRONG else FENCED
        for number, block in enumerate(blocks.finditer(document.read_text())):
            path = folder / f"{document.stem}_{number}.tml"
            path.write_text(block[2])
            options = OPTION.findall(block[1])
            yield document.relative_to(root).as_posix(), path, " ".join(options).split()


def main():
    tmlc, root = sys.argv[1], pathlib.Path(sys.argv[2])
    given = collections.Counter()
    count = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, path, options in programs(root, pathlib.Path(folder)):
            count += 1
            given.update((name, warning) for warning in warnings_of(tmlc, path, options))
    listed = {}
    problems = []
    for line in (root / "tests/driver/warned.txt").read_text().splitlines():
        match = LISTED.fullmatch(line)
        if match is None:
            problems.append(f"no `FILE NAME COUNT  REASON`: {line}")
        else:
            listed[match[1], match[2]] = int(match[3])
    for key in sorted(given.keys() | listed.keys()):
        if given[key] != listed.get(key, 0):
            problems.append(f"{key[0]}: {given[key]} of -W{key[1]}, {listed.get(key, 0)} listed")
    print(*problems, sep="\n")
    print(f"{count} programs, {sum(given.values())} warnings, {len(problems)} problems")
    sys.exit(1 if problems or count == 0 else 0)


main()
