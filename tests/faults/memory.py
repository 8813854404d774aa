#!/usr/bin/env python3
"""Less and less address space: memory.py TMLC [--all]

Between the least limit under which the compiler starts and the least under which a command succeeds,
it ends with a message at each step: 40 of them for each command, 400 with --all.
"""

import os
import resource
import sys

from faults import Case, report

GOES_UP_TO = 4 << 20  # KiB; everything succeeds with so much


def limited(kib):
    return lambda: resource.setrlimit(resource.RLIMIT_AS, (kib * 1024, kib * 1024))


def least(succeeds, low=0):
    """The least number of KiB above `low` with which it succeeds."""
    high = GOES_UP_TO
    while high - low > 4:
        middle = (low + high) // 2
        low, high = (low, middle) if succeeds(middle) else (middle, high)
    return high


def main():
    tmlc = os.path.abspath(sys.argv[1])
    steps = 400 if "--all" in sys.argv else 15
    starts = Case([tmlc, "--version"])
    # The loader maps things at random addresses; a few pages more or less.
    start = least(lambda kib: starts.run(preexec_fn=limited(kib)) == starts.good) + 64
    cases = [
        Case([tmlc, "check", "large.tml"]),
        Case([tmlc, "check", "deep.tml"]),
        Case([tmlc, "run", "large.tml"]),
        Case([tmlc, "-c", "component.tml", "-o", "out.o", "-MD"], ["out.o", "out.h", "out.d"]),
        Case([tmlc, "large.tml", "-o", "out"], ["out"], chatty=True),
    ]
    problems = []
    for case in cases:
        end = least(lambda kib: case.run(preexec_fn=limited(kib)) == case.good, start)
        for step in range(steps):
            kib = start + (end - start) * step // steps
            complaint = case.complaint(case.run(preexec_fn=limited(kib)))
            if complaint is not None:
                problems.append(f"{case}: with {kib} KiB, {complaint}")
    return report("memory", cases, problems)


if __name__ == "__main__":
    sys.exit(main())
