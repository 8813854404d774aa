#!/usr/bin/env python3
"""Tests the bench itself: self_test.py TMLC FOLDER.

Two kernels, a library and a component, agree in all their variants; a wrong one is found; and there
are as many kernels as are promised.
"""

import pathlib
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
from checked import finish, spoiled  # noqa: E402

BENCH = pathlib.Path(__file__).resolve().parent.parent
LEAST_KERNELS = 30
# A kernel, the file to spoil, what to replace in it by what, and the variant that is then wrong.
WRONG = [
    ("bits", "plain.c", "a >> 17", "a >> 16", "tml:statements"),
    ("bits", "expression.tml", "0x00FF00FFu", "0x00FF00FEu", "tml:expression"),
    ("pid", "pid.tml", "p.kp = 2.0", "p.kp = 2.000001", "tml:pid"),
    ("pid", "vector.c", "kp = 2.0", "kp = 2.000001", "vector_gcc"),
]


def run(*arguments):
    done = subprocess.run([BENCH / "run", *map(str, arguments)], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return done.returncode, done.stdout, done.stderr


def complaints(tmlc, folder):
    status, listed, complaint = run("--list")
    names = {row.split()[0].split("/")[0] for row in listed.splitlines()}
    if status != 0 or len(names) < LEAST_KERNELS:
        yield f"--list: status {status}, {len(names)} kernels, {complaint}"
    common = ["--check", "--no-peers", "--tmlc", tmlc, "--build", folder / "build"]
    status, printed, complaint = run(*common, "--only", "bits", "pid")
    if status != 0 or "2 kernels, 20 variants: all agree" not in printed:
        yield f"bits, pid: status {status}, {printed}{complaint}"
    copy = folder / "unordered/dot"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(BENCH / "kernels/dot", copy)
    about = (copy / "kernel.toml").read_text()
    (copy / "kernel.toml").write_text(about.replace('ordered = ["loop"]', 'ordered = ["loops"]'))
    status, printed, complaint = run("--list", "--kernels", copy.parent)
    if status == 0 or "no writing loops" not in complaint:
        yield f"an ordered writing that is none: status {status}, {printed}{complaint}"
    for kernel, name, before, after, variant in WRONG:
        copy = folder / "kernels" / kernel
        shutil.rmtree(folder / "kernels", ignore_errors=True)
        shutil.copytree(BENCH / "kernels" / kernel, copy)
        if not spoiled(copy / name, before, after):
            yield f"{kernel}/{name} has no `{before}`"
            continue
        status, printed, complaint = run(*common, "--kernels", folder / "kernels")
        if status == 0 or f"WRONG RESULT of {variant}" not in complaint:
            yield f"{kernel}/{name} is wrong: status {status}, {printed}{complaint}"


finish(complaints)
