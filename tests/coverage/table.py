#!/usr/bin/env python3
"""Prints what llvm-cov measured.

Usage: table.py LINES BRANCHES < LCOV. Reads a report in lcov's format and prints the share of lines
and branches that ran, of each folder and file, and the functions that never did. Fails when fewer
than LINES percent of all lines or BRANCHES percent of all branches ran.
"""

import collections
import os
import sys


class File:
    """How many lines and branches ran, and which functions did not."""

    def __init__(self):
        self.lines = [0, 0]
        self.branches = [0, 0]
        self.calls = collections.Counter()

    def unused(self):
        return sorted(name for name, count in self.calls.items() if count == 0)


def read(stream):
    """The files of a report, by their path from the root of the sources."""
    files = collections.defaultdict(File)
    fields = {"LH": ("lines", 0), "LF": ("lines", 1), "BRH": ("branches", 0), "BRF": ("branches", 1)}
    for line in stream:
        key, _, value = line.strip().partition(":")
        if key == "SF":
            file = files[os.path.relpath(value)]
        elif key in fields:
            name, index = fields[key]
            getattr(file, name)[index] = int(value)
        elif key == "FNDA":  # of a function in a header, once for each file that includes it
            count, _, function = value.partition(",")
            file.calls[function.rpartition(":")[2]] += int(count)
    return files


def share(counts):
    return 100 * counts[0] / counts[1] if counts[1] else 100.0


def print_row(name, lines, branches):
    print(
        f"{name:34}{share(lines):6.1f} % of {lines[1]:6} lines"
        f"{share(branches):8.1f} % of {branches[1]:6} branches"
    )


def total(files):
    return [
        [sum(getattr(file, name)[k] for file in files) for k in range(2)]
        for name in ("lines", "branches")
    ]


def main():
    wanted = [float(argument) for argument in sys.argv[1:3]]
    files = read(sys.stdin)
    # What other build folders or the system have is not ours.
    ours = {path: file for path, file in files.items() if not path.startswith(("build", ".."))}
    for folder in sorted({path.split("/")[0] for path in ours}):
        members = {path: file for path, file in ours.items() if path.startswith(folder + "/")}
        for path, file in sorted(members.items()):
            print_row(path, file.lines, file.branches)
        print_row(folder + "/", *total(members.values()))
        print()
    for path, file in sorted(ours.items()):
        for name in file.unused():
            print(f"never runs: {path}: {name}")
    measured = total(ours.values())
    print_row("all", *measured)
    if any(share(counts) < least for counts, least in zip(measured, wanted)):
        sys.exit(f"coverage: below {wanted[0]} % of the lines or {wanted[1]} % of the branches")


if __name__ == "__main__":
    main()
