#!/usr/bin/env python3
"""Each call that has to do with files fails: io.py TMLC LIBRARY [--all]

For the compiler and for what it makes. A call fails with each of the errors that disks have, is
interrupted, or transfers one byte: two of these in turn, all with --all.
"""

import errno
import os
import sys

from faults import EXIT_WORLD, Case, Library, compiled, program_cases, report

SHORT = 0
HOWS = [errno.EIO, SHORT, errno.ENOSPC, errno.EINTR, errno.EDQUOT]
# What the system may interrupt, and what may take a part, is done again.
INTERRUPTED = {"open", "read", "write", "close"}
PARTLY_DONE = {"read", "write", "pwrite"}


def is_temporary(name):
    return name.startswith(".tmlc-") or name.endswith(".part")


def without_temporaries(outcome):
    return (*outcome[:3], {name: data for name, data in outcome[3].items() if not is_temporary(name)})


def complaint_about(case, library, n, how):
    outcome, function = library.run(case, "files", n, how)
    # What cannot be removed stays.
    outcome = without_temporaries(outcome) if function == "unlink" else outcome
    # An import that cannot be read is told like a mistake of the program.
    if outcome[0] == 1 and "error[E0705]: cannot read" in outcome[2]:
        outcome = (EXIT_WORLD, *outcome[1:2], outcome[2].splitlines()[0], outcome[3])
    complaint = case.complaint(outcome)
    must_succeed = how == SHORT or (how == errno.EINTR and function in INTERRUPTED)
    if complaint is None and must_succeed and outcome != case.good:
        complaint = f"exit status {outcome[0]}: {outcome[2]}"
    name = "short" if how == SHORT else errno.errorcode[how]
    return f"{case}: call {n}, {function}, {name}: {complaint}" if complaint else None


def main():
    tmlc = os.path.abspath(sys.argv[1])
    library = Library(sys.argv[2])
    every = "--all" in sys.argv
    cases = [
        Case([tmlc, "check", "script.tml"]),
        Case([tmlc, "--emit=tir", "script.tml"]),
        Case([tmlc, "-c", "component.tml", "-o", "out.o", "-MD"], ["out.o", "out.h", "out.d"]),
        Case([tmlc, "component.tml", "-o", "out.a"], ["out.a", "out.h"], chatty=True),
        Case([tmlc, "script.tml", "-o", "out", "-MD"], ["out", "out.d"], chatty=True),
        Case([tmlc, "component.tml", "-o", "out.fmu", "--step=1"], ["out.fmu"], chatty=True),
        Case([tmlc, "run", "script.tml", "--", "--in", "a=a.csv", "--in", "b=b.csv", "--out", "c=c.npy"],
             ["c.npy"], apart=True),
        *program_cases(compiled(tmlc)),
    ]
    problems = []
    for case in cases:
        for n in range(1, library.count(case, "files") + 1):
            for how in HOWS if every else [HOWS[n % len(HOWS)]]:
                problems.append(complaint_about(case, library, n, how))
    return report("io", cases, [problem for problem in problems if problem])


if __name__ == "__main__":
    sys.exit(main())
