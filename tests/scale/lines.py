#!/usr/bin/env python3
"""One line that is very long: lines.py TMLC [--all], of 10 MB or, with --all, 100 MB.

What it holds is one comment, text, name, number or the like. The compiler takes it, or refuses it with
one message; it may take 5 s per 100 MB and, beside what it takes for nothing, five times the memory of
the source.
"""

import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

SECONDS_PER_MB = 0.05
LEAST_SECONDS = 1  # what another program may take of the machine
MEMORY_FACTOR = 5
BASE_MEMORY = 32 << 20

# What stands before, again and again, and behind; and the code of the error, None for none.
LINES = {
    "comment": ("print(1) # ", "c", "\n", None),
    "text": ('print("', "s", '")\n', None),
    "escapes": ('print("', "\\x41", '")\n', None),
    "name": ("", "n", " = 1\n", None),
    "spaces": ("print(4", " ", ")\n", None),
    "digits": ("x = ", "7", "\n", "E0104"),
    "fraction": ("x = 0.", "7", "\n", None),
    "open brackets": ("x = ", "(", "\n", "E0901"),
    "sum": ("x = 1.0\ny = x", " + x", "\n", "E0901"),
    "no text": ('print("', "s", "\n", "E0105"),
}


def limit(seconds):
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


def complaint(tmlc, path, code):
    """What is wrong with checking a file, or None; and the figures."""
    size = path.stat().st_size
    allowed = max(LEAST_SECONDS, size * SECONDS_PER_MB / 1e6)
    process = subprocess.Popen([tmlc, "check", path.name], cwd=path.parent, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               preexec_fn=lambda: limit(int(allowed) + 10))
    printed = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    seconds, memory = usage.ru_utime + usage.ru_stime, usage.ru_maxrss << 10
    figures = f"{seconds:.2f} s, {memory / size:.1f} times its memory"
    errors = re.findall(r"error\[(E\d{4})\]", printed)
    if (process.returncode, errors) != ((0, []) if code is None else (1, [code])):
        return f"exit status {process.returncode}, {errors}: {printed[:300]}", figures
    if len(printed) > 2000:
        return f"a message of {len(printed)} bytes", figures
    if seconds > allowed or memory > BASE_MEMORY + MEMORY_FACTOR * size:
        return f"at most {allowed:.2f} s and {MEMORY_FACTOR} times its memory are allowed", figures
    return None, figures


def main():
    tmlc = os.path.abspath(sys.argv[1])
    size = 100_000_000 if "--all" in sys.argv else 10_000_000
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "line.tml"
        for name, (before, part, behind, code) in LINES.items():
            path.write_text(before + part * (size // len(part)) + behind)
            problem, figures = complaint(tmlc, path, code)
            print(f"{name}: {figures}" + ("" if problem is None else f": {problem}"), flush=True)
            failures += problem is not None
    print(f"{len(LINES)} lines of {size} bytes, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
