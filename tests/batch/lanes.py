#!/usr/bin/env python3
"""Instances side by side are instances alone on other processors, too: vectors of SSE2 and AVX2, and
in an emulator of AArch64. Components are random ones whose runs go different ways.

lanes.py TMLC COUNT
"""

import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path += [str(HERE.parent), str(HERE.parent / "cross")]

from seeds import default_seed  # noqa: E402
from targets import TARGETS  # noqa: E402
from ways import random_component  # noqa: E402

MACHINES = [("native", []), ("native", ["--cpu=x86-64"]), ("native", ["--cpu=x86-64-v3"]), ("aarch64", []),
            ("native", ["--real=f32"]), ("aarch64", ["--real=f32"])]


def run(folder, command):
    return subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, timeout=120)


def built(folder, command):
    result = run(folder, command)
    if result.returncode != 0:
        sys.exit(f"{command}\n{result.stdout}{result.stderr}")


def compare(folder, tmlc, machine, options, seed):
    """How many groups stayed together, of how many lanes; None for a source that has errors."""
    target = TARGETS[machine]
    made = run(folder, [tmlc, "-w", "-c", "w.tml", "-o", "w.o", *target.options, *options])
    if made.returncode != 0:
        return None
    if "`--batch` is of no use" in made.stderr:  # which hosts are told by TML_E_APART
        return 0
    defines = ['-DHEADER="w.h"', "-DMODEL=w_model", f"-DSEED={seed}u", f"-I{ROOT}", "-I."]
    objects = ["w.o"]
    for source in [HERE / "lanes_host.c", *(ROOT / "tests/cross" / name for name in target.sources)]:
        objects.append(f"{source.stem}.o")
        built(folder, [*target.compile, "-O1", *defines, "-c", source, "-o", objects[-1]])
    built(folder, [*target.link, *objects, "-o", "host"])
    said = run(folder, [*target.run, "./host"]).stdout
    found = re.fullmatch(r"together (\d+) wrong 0\n", said)
    if not found:
        sys.exit(f"{machine} {options}: {said or 'no answer'}\n{(folder / 'w.tml').read_text()}")
    return int(found[1])


def main():
    tmlc, count = os.path.abspath(sys.argv[1]), int(sys.argv[2])
    seed = default_seed()
    together = compared = 0
    machines = [m for m in MACHINES if all(shutil.which(word) for word in TARGETS[m[0]].run)]
    for machine in {m[0] for m in MACHINES} - {m[0] for m in machines}:
        print(f"SKIPPED: {machine} has no emulator here")
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        for number in range(count):
            chance = random.Random(f"{seed} {number} lanes")
            (folder / "w.tml").write_text(random_component(chance))
            machine, cpu = machines[number % len(machines)]
            options = [*cpu, f"--batch{chance.choice(['', '=2', '=4', '=16'])}", chance.choice(["-O0", "-O1", "-O2", "-O3"])]
            print(f"component {number} of seed {seed}: {machine} {' '.join(options)}", flush=True)
            found = compare(folder, tmlc, machine, options, seed + number)
            compared += found is not None
            together += found or 0
    print(f"{compared} components, {together} groups of 24 each stayed together")
    if together < 12 * compared or compared < count // 2:
        sys.exit("most could not be compared")


main()
