"""What the tools that time kernels share: building many, measuring one, and lines of tables."""

import concurrent.futures
import fcntl
import json
import math
import os
import statistics
import subprocess
import sys

import build


def words_and_options(words):
    """What stands before `--`, and the options for tmlc behind it."""
    if "--" not in words:
        return words, []
    return words[:words.index("--")], words[words.index("--") + 1:]


def alone_in(folder, tool):
    """Waits until no other run has its programs there; returns what keeps the next one waiting."""
    folder.mkdir(parents=True, exist_ok=True)
    lock = open(folder / "lock", "w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        print(f"{tool}: waits for another run in {folder}; --build is for another folder",
              file=sys.stderr)
        fcntl.flock(lock, fcntl.LOCK_EX)
    return lock


def build_all(selected, root, *about):
    """The program of each kernel, by name, and what could not be made."""
    programs, failed = {}, []
    with concurrent.futures.ThreadPoolExecutor(min(2, os.cpu_count() or 1)) as pool:
        jobs = {kernel.name: pool.submit(build.build, kernel, root, *about) for kernel in selected}
        for name, job in jobs.items():
            try:
                programs[name] = job.result()
            except build.BuildError as error:
                failed.append(f"{name}: {error}")
    return programs, failed


def measure(kernel, program, rounds, milliseconds, offset=0):
    """Variant: the nanoseconds of each round and how exact it was; and what went wrong."""
    done = subprocess.run([program, "--rounds", str(rounds), "--ms", str(milliseconds),
                           "--offset", str(offset)],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    failed = [f"{kernel.name}: {line}" for line in done.stderr.splitlines()]
    if done.returncode != 0 and not failed:
        failed = [f"{kernel.name}: status {done.returncode}"]
    return json.loads(done.stdout) if done.stdout.endswith("}\n") else {}, failed


def summarise(times):
    """Puts medians and spreads in the place of the rounds of each variant."""
    for about in times.values():
        ns = sorted(about.pop("ns"))
        if ns:
            median = statistics.median(ns)
            about["median"] = median
            about["spread"] = (ns[(3 * len(ns)) // 4] - ns[len(ns) // 4]) / median


def mean(values):
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values)) if values else math.nan


def duration(ns):
    for unit, size in (("ms", 1e6), ("us", 1e3)):
        if ns >= size:
            return f"{ns / size:.3g} {unit}"
    return f"{ns:.3g} ns"


def heading(name, columns, width=26):
    return f"{name:{width}} {'best':>8} by".ljust(width + 22) + "".join(
        f"{column:>8}" for column in columns) + "  spread"


def line(name, best, by, ratios, columns, spread="", width=26):
    cells = [f"{ratios[column]:8.2f}" if column in ratios else " " * 7 + "-" for column in columns]
    return f"{name:{width}} {best:>8} {by:12} {''.join(cells)}  {spread}".rstrip()


def progress(name):
    if sys.stderr.isatty():
        print(f"\r\033[K{name}\r", end="", file=sys.stderr)
