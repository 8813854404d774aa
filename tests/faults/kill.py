#!/usr/bin/env python3
"""Signals at random moments: kill.py TMLC [--all]

Afterwards each output is the old one or the new one, and all are of one kind but after SIGKILL. What a
process can still remove is gone. 40 signals, 400 with --all.
"""

import os
import pathlib
import random
import signal
import subprocess
import sys
import time

from faults import Case

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from seeds import default_seed  # noqa: E402

SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL]


def run_and_kill(case, number, seconds):
    """The exit status and what stands in the folder."""
    # A group of its own, so that the linker gets the signal as from a terminal.
    process = subprocess.Popen(case.command, cwd=case.folder, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, process_group=0)
    time.sleep(seconds)
    os.killpg(process.pid, number)
    status = process.wait()
    for _ in range(100): # the linker may take a little longer
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            break
        time.sleep(0.001)
    contents = case.contents()
    case.put_back()
    return status, contents


def complaint_about(case, number, status, contents):
    allowed = (0, -number, 3) # 3: the linker was ended before the compiler
    if status not in allowed:
        return f"exit status {status}"
    left = sorted(contents.keys() - case.good[3].keys())
    if left and not (number == signal.SIGKILL and all(name.startswith(".tmlc-") for name in left)):
        return f"left {left}"
    new = [name for name in case.outputs if contents.get(name) == case.good[3][name]]
    old = [name for name in case.outputs if contents.get(name) == case.before[name]]
    if len(new) + len(old) != len(case.outputs):
        return f"spoilt {sorted(set(case.outputs) - set(new) - set(old))}"
    if new and old and number != signal.SIGKILL:
        return f"replaced {new} and not {old}"
    # A signal may also come when everything has its name.
    if (status == 0 and old) or (status == 3 and new):
        return f"exit status {status}, replaced {new}"
    return None


def main():
    tmlc = os.path.abspath(sys.argv[1])
    kills = 400 if "--all" in sys.argv else 40
    seed = default_seed()
    moments = random.Random(seed)
    cases = [
        Case([tmlc, "-c", "component.tml", "-o", "out.o", "-MD"], ["out.o", "out.h", "out.d"]),
        Case([tmlc, "script.tml", "-o", "out", "-MD"], ["out", "out.d"]),
        Case([tmlc, "component.tml", "-o", "out.fmu", "--step=1"], ["out.fmu"], chatty=True),
    ]
    ended = 0
    problems = []
    for case in cases:
        start = time.monotonic()
        case.run()
        seconds = time.monotonic() - start
        for k in range(kills // len(cases)):
            number = SIGNALS[k % len(SIGNALS)]
            moment = moments.uniform(0, seconds)
            status, contents = run_and_kill(case, number, moment)
            ended += status == -number
            complaint = complaint_about(case, number, status, contents)
            if complaint is not None:
                problems.append(f"{case}: {number.name} after {moment * 1e3:.2f} ms: {complaint}")
    print(*problems[:20], sep="\n")
    print(f"kill: seed {seed}, {kills} signals, {ended} of them ended the process, {len(problems)} wrongly")
    return 1 if problems or ended == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
