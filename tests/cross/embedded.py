"""A controller runs on a Cortex-M4 as it does in its simulation: embedded.py TMLC

`examples/motordrive/motordrive.tml` has an instance `drive` of `drive.tml`. With single reals, its
simulation shows the signals of the drive (`--watch`). Steps of these are the inputs of `drive.tml`
alone, whose object is linked into an image without the motor at several levels, and run in the emulator
and natively. The outputs must be those of the simulation, bit for bit.
"""

import csv
import os
import pathlib
import sys
import tempfile

from model import EXAMPLES, Model
from run import (Build, Failed, bits_of, check_sizes, check_stacks, check_structs, check_symbols,
                 compile_platform, run)
from targets import TARGETS

FOLDER = EXAMPLES / "motordrive"
STEPS = 1000  # of input.csv, which starts the motor in the 100th
DIGITS = 8
PLANT = ("motor", "pmsm")


def watched(tmlc, folder):
    """Columns of the drive's signals in the simulation, by the names of the drive's terminals."""
    run([tmlc, "--real=f32", FOLDER / "motordrive.tml", "-o", folder / "simulation"])
    run([folder / "simulation", "--in", FOLDER / "input.csv", "--steps", STEPS, "--watch", "drive.*",
         "--trace", folder / "signals.csv", "--out", folder / "outputs.csv"])
    with open(folder / "signals.csv", newline="") as file:
        header, *rows = csv.reader(file)
    return {name.removeprefix("drive."): column for name, column in zip(header, zip(*rows))}


def terminals(tmlc, folder):
    """The columns of the drive's inputs and outputs, as its own simulation has them."""
    run([tmlc, "--real=f32", FOLDER / "drive.tml", "-o", folder / "drive"])
    inputs = ["wanted", "speed", "current[0]", "current[1]"]
    (folder / "zero.csv").write_text(f"{','.join(inputs)}\n{','.join('0' * len(inputs))}\n")
    printed = run([folder / "drive", "--in", folder / "zero.csv", "--strict-columns"]).stdout
    return inputs, printed.splitlines()[0].split(",")


def check_image(build, level, platform, expected):
    path, report = build.compile_object(level)
    build.compile_host()
    printed = build.run_image(path, platform)
    words = [line.split() for line in printed.splitlines()]
    rows = [tuple(line[1:]) for line in words if line[0] == "row"]
    if len(rows) != len(expected):
        raise Failed(f"{len(rows)} rows, not {len(expected)}")
    for step, (row, wanted) in enumerate(zip(rows, expected)):
        if row != wanted:
            raise Failed(f"step {step}: {row} in the image, {wanted} in the simulation")
    symbols = run(["llvm-nm-19", path.with_suffix(".image")]).stdout
    if any(part in symbols for part in PLANT) or "drive_step" not in symbols:
        raise Failed("the image has the plant, or no controller")
    check_symbols(path, report)
    check_structs(printed, report)
    if build.target.is_bare:
        check_sizes(path, report)
        check_stacks(printed, report)


def main():
    tmlc = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        signals = watched(tmlc, scratch)
        inputs, outputs = terminals(tmlc, scratch)
        expected = [tuple(bits_of(text, DIGITS, "f32") for text in row)
                    for row in zip(*(signals[name] for name in outputs))]
        if len(expected) != STEPS or len(set(expected)) < STEPS // 2:
            sys.exit("the simulation does not move")
        with open(scratch / "inputs.csv", "w", newline="") as file:
            csv.writer(file).writerows([inputs, *zip(*(signals[name] for name in inputs))])
        model = Model(FOLDER / "drive.tml", scratch / "inputs.csv", most_rows=STEPS)
        for name in ("native", "cortex_m4"):
            (scratch / f"{name}.platform").mkdir()
            platform = compile_platform(TARGETS[name], scratch / f"{name}.platform")
            build = Build(tmlc, TARGETS[name], model, "f32", scratch / name)
            for level in ("-O0", "-O3", "-Oz"):
                try:
                    check_image(build, level, platform, expected)
                except Failed as failure:
                    sys.exit(f"{name} {level}: {failure}")
                print(f"{name} {level}: {STEPS} steps, the same bits")


if __name__ == "__main__":
    main()
