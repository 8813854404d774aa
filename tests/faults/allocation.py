#!/usr/bin/env python3
"""The nth allocation fails: allocation.py TMLC LIBRARY [--all]

For the compiler and for what it makes. Every n up to 100 and then in growing steps; every n with --all.
"""

import errno
import os
import sys

from faults import Case, Library, compiled, program_cases, report

ALL_UP_TO = 100


def numbers(count, every):
    n = 1
    while n <= count:
        yield n
        n = n + 1 if every or n < ALL_UP_TO else n * 9 // 8


def main():
    tmlc = os.path.abspath(sys.argv[1])
    library = Library(sys.argv[2])
    cases = [
        Case([tmlc, "check", "script.tml"]),
        Case([tmlc, "check", "--diagnostics=json", "wrong.tml"]),
        Case([tmlc, "-c", "component.tml", "-o", "out.o", "-MD"], ["out.o", "out.h", "out.d"]),
        Case([tmlc, "component.tml", "-o", "out.json"], ["out.json"]),
        Case([tmlc, "script.tml", "-o", "out"], ["out"], chatty=True),
        Case([tmlc, "run", "lib_user.tml"], files={"lib_user.tml": 'import "lib.tml"\nprint(twice(21))\n'}),
        *program_cases(compiled(tmlc)),
    ]
    problems = []
    for case in cases:
        for calls in ("memory", "pages"):
            for n in numbers(library.count(case, calls), "--all" in sys.argv):
                outcome, function = library.run(case, calls, n, errno.ENOMEM)
                complaint = case.complaint(outcome)
                if complaint is not None:
                    problems.append(f"{case}: {n}, {function}: {complaint}")
    return report("allocation", cases, problems)


if __name__ == "__main__":
    sys.exit(main())
