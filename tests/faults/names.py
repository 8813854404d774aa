#!/usr/bin/env python3
"""Files that cannot take their names: names.py TMLC LIBRARY [--all]

Each call of link and rename fails, alone or with all after it; some of the files stood there before,
in all ways with --all. Either nothing has changed, or the run succeeds. Where not even the old names
can be given back, what stood there is found under another one.
"""

import errno
import itertools
import os
import sys

from faults import EXIT_WORLD, Case, Library, report

HOWS = [errno.EIO, errno.EPERM, errno.ENOSPC, errno.EMLINK]


def is_kept(name, data, contents):
    """Whether an old file is there, if not under its name."""
    return contents.get(name) == data or any(
        other.startswith(".tmlc-") and other.endswith(".old") and found == data
        for other, found in contents.items())


def complaint_about(case, outcome, goes_on):
    """`goes_on`: names could not be given back either."""
    status, _, errors, contents = outcome
    if not goes_on or outcome == case.good or contents == case.before:
        return case.complaint(outcome)
    case.count += 1
    case.failed += 1
    lost = [name for name, data in case.before.items() if not is_kept(name, data, contents)]
    if status != EXIT_WORLD or lost:
        return f"exit status {status}, lost {lost}: {errors}"
    if ".old`" not in errors:
        return f"it is not told where the old files are: {errors}"
    return None


def variants(case, every):
    """Which outputs do not stand there before: none of them, each, all; every set."""
    names = case.outputs
    sizes = range(len(names) + 1) if every else {0, 1, len(names)}
    for size in sizes:
        yield from itertools.combinations(names, size)


def main():
    tmlc = os.path.abspath(sys.argv[1])
    library = Library(sys.argv[2])
    every = "--all" in sys.argv
    cases = [
        Case([tmlc, "-c", "component.tml", "-o", "out.o", "-MD"], ["out.o", "out.h", "out.d"]),
        Case([tmlc, "--emit=obj,tir,llvm,header", "component.tml", "-MD"],
             ["component.o", "component.h", "component.d"]),
    ]
    if every:
        cases += [Case([tmlc, "component.tml", "-o", "out.a", "-MD"], ["out.a", "out.h", "out.d"], chatty=True),
                  Case([tmlc, "script.tml", "-o", "out", "-MD", "--save-temps"], ["out", "out.o", "out.d"],
                       chatty=True)]
    problems = []
    for case in cases:
        before = case.before
        for absent in variants(case, every):
            case.before = {name: data for name, data in before.items() if name not in absent}
            case.put_back()
            calls = library.count(case, "names")
            for n, goes_on in itertools.product(range(1, calls + 1), (False, True)):
                for how in HOWS if every else [HOWS[n % len(HOWS)]]:
                    outcome, function = library.run(case, "names", n, how, goes_on)
                    complaint = complaint_about(case, outcome, goes_on)
                    if complaint is not None:
                        problems.append(f"{case}, without {absent}: {function}, call {n}{' and on' * goes_on}, "
                                        f"{errno.errorcode[how]}: {complaint}")
    return report("names", cases, problems)


if __name__ == "__main__":
    sys.exit(main())
