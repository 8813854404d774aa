#!/usr/bin/env python3
"""The nth allocation fails: allocation.py TMLC LIBRARY [--all]

For the compiler and for what it makes. Counted from the start of the process and from where the
compiler's own work begins, every n for a while and then in growing steps, and the last ones; every n
with --all.
"""

import errno
import os
import sys

from faults import Case, Library, compiled, program_cases, report

ALL_UP_TO, LAST = 60, 16


def numbers(count, begins, every):
    """`begins`: the allocations that loading the program makes, most of them those of LLVM."""
    if every:
        return range(1, count + 1)
    chosen = set(range(max(1, count - LAST + 1), count + 1))
    for first in (1, begins):
        step = 1
        while first + step - 1 <= count:
            chosen.add(first + step - 1)
            step = step + 1 if step < ALL_UP_TO else step * 9 // 8
    return sorted(chosen)


def main():
    tmlc = os.path.abspath(sys.argv[1])
    library = Library(sys.argv[2])
    loading = library.count(Case([tmlc, "--version"]), "memory") - ALL_UP_TO // 4
    cases = [
        Case([tmlc, "check", "script.tml"]),
        Case([tmlc, "check", "deep.tml"]),
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
            begins = loading if case.command[0] == tmlc and calls == "memory" else 1
            for n in numbers(library.count(case, calls), begins, "--all" in sys.argv):
                outcome, function = library.run(case, calls, n, errno.ENOMEM)
                complaint = case.complaint(outcome)
                if complaint is not None:
                    problems.append(f"{case}: {n}, {function}: {complaint}")
    return report("allocation", cases, problems)


if __name__ == "__main__":
    sys.exit(main())
