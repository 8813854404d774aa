#!/usr/bin/env python3
"""No file may be larger than some bytes: file_size.py TMLC [--all]

A limit stands in for the end of the disk, once with the signal that goes with it and once without.
"""

import os
import resource
import signal
import sys

from faults import Case, compiled, program_cases, report


def limited(limit, action):
    def limit_child():
        signal.signal(signal.SIGXFSZ, action)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    return limit_child


def limits(case, steps):
    """From nothing to one byte less than the largest file."""
    largest = max(len(case.good[3][name]) for name in case.outputs)
    return sorted({0, 1, largest - 1, *(largest * k // steps for k in range(steps))})


def main():
    tmlc = os.path.abspath(sys.argv[1])
    steps = 100 if "--all" in sys.argv else 4
    cases = [
        Case([tmlc, "-c", "component.tml", "-o", "out.o", "-MD"], ["out.o", "out.h", "out.d"]),
        Case([tmlc, "script.tml", "-o", "out"], ["out"], chatty=True),
        Case([tmlc, "component.tml", "-o", "out.so"], ["out.so", "out.h"], chatty=True),
        Case([tmlc, "component.tml", "-o", "out.fmu", "--step=1"], ["out.fmu"], chatty=True),
        Case([tmlc, "component.tml", "-o", "out.a"], ["out.a", "out.h"], chatty=True),
        Case([tmlc, "component.tml", "--emit=obj,exe", "--save-temps"],
             ["component", "component.o", "component.h"], chatty=True),
        *program_cases(compiled(tmlc)),
    ]
    problems = []
    for case in cases:
        for limit in limits(case, steps):
            for action in (signal.SIG_DFL, signal.SIG_IGN):
                complaint = case.complaint(case.run(preexec_fn=limited(limit, action)))
                if complaint is not None:
                    problems.append(f"{case}: {limit} bytes, {action.name}, {complaint}")
    return report("file size", cases, problems)


if __name__ == "__main__":
    sys.exit(main())
