#!/usr/bin/env python3
"""Elementary functions of tensors have the same bits on all machines with a fused multiply-add.

Usage: machines.py TMLC. Compiles all of them for AArch64, which is emulated, and for x86-64, in double
and in single, and compares sums of the bits of their results (sums.c).
"""

import pathlib
import subprocess
import sys
import tempfile

import accuracy

CROSS = accuracy.ROOT / "tests/cross"
sys.path.insert(0, str(CROSS))

from targets import TARGETS  # noqa: E402

# What of targets.py, and further options of tmlc.
MACHINES = {"native": ["--cpu=x86-64-v3"], "aarch64": []}
LEVELS = {"native": "-O2", "aarch64": "-O1"}


def sums(tmlc, name, single, folder):
    target = TARGETS[name]
    library, image = folder / "functions.o", folder / "image"
    (folder / "functions.tml").write_text(accuracy.source())
    (folder / "library.inc").write_text('#include "functions.h"\n')
    (folder / "rows.inc").write_text("".join(
        f"ROW{arity}({function})\n" for function, arity in accuracy.functions()))
    options = [*target.options, *MACHINES[name], LEVELS[name]]
    real = "f32" if single else "f64"
    run([tmlc, "-c", f"--real={real}", *options, folder / "functions.tml", "-o", library])
    objects = []
    for source in [accuracy.HERE / "sums.c", *(CROSS / source for source in target.sources)]:
        objects.append(folder / f"{source.stem}.host.o")
        defines = ["-DSINGLE"] if single else []
        run([*target.compile, "-O1", *defines, "-I", accuracy.ROOT, "-I", folder, "-c", source, "-o",
             objects[-1]])  # fmt: skip
    run([*target.link, *objects, library, "-o", image])
    return run([*target.run, image])


def run(command):
    words = [str(word) for word in command]
    result = subprocess.run(words, stdout=subprocess.PIPE, check=True, text=True)
    return result.stdout.splitlines()


def main():
    tmlc = pathlib.Path(sys.argv[1]).resolve()
    failed = False
    for single in (False, True):
        found = []
        for name in MACHINES:
            with tempfile.TemporaryDirectory() as folder:
                found.append(sums(tmlc, name, single, pathlib.Path(folder)))
        assert len(found[0]) == len(accuracy.functions())
        for one, other in zip(*found):
            if one != other:
                print(f"{'f32' if single else 'f64'}: {one}, but {other}")
                failed = True
    print("checked", len(found[0]), "functions")
    return failed


if __name__ == "__main__":
    sys.exit(main())
