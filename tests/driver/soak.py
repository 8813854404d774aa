#!/usr/bin/env python3
"""A component that runs for long: soak.py TMLC MODELS [--all].

models/soak.tml is stepped in a host in C beside the same computation in C, 10 million times and with
--all a billion times. Its simulation uses no more memory at its end than at its start.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROWS, PIPED = 500_000, 20_000
SLACK_KIB = 64


def run(*command, **more):
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit status {result.returncode}\n{result.stdout}")
    return result.stdout


def peaks_kib(command):
    """The most memory that a simulation of ROWS rows has used after the first and before the last
    PIPED ones. They are more than a pipe holds, so it is still running then."""
    peaks = []
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as process:
        rows = -1  # a line of names comes first
        for rows, _ in enumerate(process.stdout):
            if rows in (PIPED, ROWS - PIPED):
                status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
                peaks.append(int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]))
    if process.returncode != 0 or rows != ROWS:
        sys.exit(f"{' '.join(command)}: exit status {process.returncode}, {rows} rows")
    return peaks


def main():
    tmlc, models = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
    steps = 10**9 if "--all" in sys.argv else 10**7
    with tempfile.TemporaryDirectory() as folder:
        run(tmlc, "-c", models / "soak.tml", cwd=folder)
        (pathlib.Path(folder) / "model.inc").write_text('#include "soak.h"\n')
        run(os.environ.get("CC", "cc"), "-std=gnu11", "-O2", "-ffp-contract=off", "-Wall", "-Wextra",
            "-Werror", "-I.", models / "host_soak.c", "soak.o", "-o", "host", cwd=folder)
        print(run("./host", str(steps), cwd=folder), end="")
        run(tmlc, models / "soak.tml", "-o", "simulation", cwd=folder)
        with open(pathlib.Path(folder) / "u.csv", "w") as file:
            file.write("u\n" + "0.5\n" * ROWS)
        early, late = peaks_kib([os.path.join(folder, "simulation"), "--in", os.path.join(folder, "u.csv")])
    print(f"simulation: {early} KiB after {PIPED} rows, {late} KiB after {ROWS - PIPED}")
    return 1 if late > early + SLACK_KIB else 0


if __name__ == "__main__":
    sys.exit(main())
