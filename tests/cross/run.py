"""Runs components on one machine and compares each bit of their outputs with this one's:

    run.py TARGET TMLC FOLDER [--shares N] [MODEL...]

TARGET is a row of targets.py. Each model, or with --shares today's share of them, is compiled at several levels, linked with host.c, and run,
in an emulator where need be. What that prints for `native`, and what the simulation
(`tmlc MODEL -o EXECUTABLE`) writes as CSV and .npy, must be the same rows; they go into FOLDER, and
are what all others are compared with.
"""

import argparse
import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

import model as models
from targets import TARGETS

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from seeds import todays_share  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
TRAP_FRAME = 64  # bytes that only a path to a trap may need, which not every model takes
DEFINED_BY_LINKER = {"__stack_pointer", "__indirect_function_table"}  # of wasm


class Failed(Exception):
    pass


def run(command, expected=(0,), **settings):
    command = [str(word) for word in command]
    settings.setdefault("cwd", HERE)
    result = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, timeout=60, **settings)
    if result.returncode not in expected:
        raise Failed(f"{' '.join(command)}\nexit status {result.returncode}\n"
                     f"{(result.stdout + result.stderr)[-400:]}")
    return result


class Build:
    """One model with one kind of reals on one target, in a folder of its own."""

    def __init__(self, tmlc, target, model, real, folder):
        self.tmlc, self.target, self.model, self.real = tmlc, target, model, real
        self.folder = folder
        self.host = folder / "host.o"
        folder.mkdir()

    def compile_object(self, level):
        """Its path and its report, beside the header."""
        path = self.folder / f"{self.model.name}.o"
        report = run([self.tmlc, level, *self.model.options, *self.target.options,
                      f"--real={self.real}", "--report=json", "-c", self.model.source, "-o", path])
        return path.rename(path.with_suffix(f".{level}.o")), json.loads(report.stdout)

    def compile_host(self):
        """With the header of the object that was compiled last."""
        self.model.write_case(self.folder / "case.inc", self.real)
        compile_source(self.target, "host.c", self.host, "-I", self.folder, "-I", ROOT)

    def run_image(self, part, platform):
        image = part.with_suffix(".image")
        run([*self.target.link, self.host, *platform, part, "-o", image])
        return run([*self.target.run, image]).stdout


def compile_source(target, source, path, *options):
    run([*target.compile, *options, "-c", source, "-o", path])


def compile_platform(target, folder):
    """What is linked with every model."""
    paths = []
    for source in target.sources:
        paths.append(folder / (source.replace("/", "_") + ".o"))
        compile_source(target, source, paths[-1], "-I", ROOT)
    return paths


# --- what the report says ---------------------------------------------------------------------


def check_symbols(path, report):
    """Models that call nothing of libm need nothing at all."""
    words = run(["llvm-nm-19", "--undefined-only", "--format=just-symbols", path]).stdout.split()
    needed = sorted(set(words) - DEFINED_BY_LINKER)
    if needed or report["externals"]:
        raise Failed(f"the object needs {needed}, the report says {report['externals']}")


def check_sizes(path, report):
    """Bytes in ROM, and none that a loader would have to put into RAM."""
    text, data, bss = run(["llvm-size-19", path]).stdout.splitlines()[1].split()[:3]
    reported = report["code"] + report["constants"]
    if (int(text), int(data), int(bss)) != (reported, 0, 0):
        raise Failed(f"llvm-size has {text} + {data} + {bss} bytes, the report {reported} + 0 + 0")


def check_structs(printed, report):
    words = next(line for line in printed.splitlines() if line.startswith("bytes ")).split()
    for name, bytes_ in zip(words[1::2], words[2::2]):
        if max(report[name], 1) != int(bytes_):  # an empty struct has one byte
            raise Failed(f"{name} has {bytes_} bytes, the report says {report[name]}")


def check_stacks(printed, report):
    """Bounds hold, and are not far from what the painted stack shows."""
    bounds = {row["name"]: row["stack"] for row in report["functions"]}
    for line in printed.splitlines():
        if not line.startswith("stack "):
            continue
        entry, seen = line.split()[1], int(line.split()[2])
        if not seen <= bounds[entry] <= 2 * seen + TRAP_FRAME:
            raise Failed(f"{entry} used {seen} bytes of stack, the report says {bounds[entry]}")


def compare(got, expected):
    got = [line for line in got.splitlines() if not line.startswith("stack ")]
    expected = expected.splitlines()
    for number, (a, b) in enumerate(zip(got, expected)):
        if a != b:
            raise Failed(f"line {number + 1}:\n  {a}\nshould be\n  {b}")
    if len(got) != len(expected):
        raise Failed(f"{len(got)} lines, not {len(expected)}")


# --- this machine's simulation ----------------------------------------------------------------


def bits_of(text, digits, real):
    """A number of a CSV file in the host's notation."""
    if digits == 16 or (digits == 8 and any(c in text for c in ".en")):
        value = np.float64(text) if real == "f64" else np.float32(text)
        value = np.abs(value) if np.isnan(value) else value
        return f"{int.from_bytes(value.tobytes(), 'little'):0{digits}x}"
    return f"{int(text) % 2**(4 * digits):0{digits}x}"


def check_simulation(build, expected):
    """The executable's files hold the rows that the host prints."""
    lines = [line.split() for line in expected.splitlines()]
    rows = [words[1:] for words in lines if words[0] == "row"]
    has_trap = lines[-1][0] == "trap"
    if has_trap:
        rows = rows[:int(lines[-1][-1])]  # a step that traps in update_fnc has no row
    folder, name = build.folder, build.model.name
    build.model.write_inputs(folder / "u.csv")
    run([build.tmlc, *build.model.options, f"--real={build.real}", build.model.source, "-o",
         folder / name])
    run([folder / name, "--in", folder / "u.csv", "--out", folder / "y.csv"],
        expected=(101,) if has_trap else (0,))
    with open(folder / "y.csv", newline="") as file:
        header, *written = csv.reader(file)
    got = [[bits_of(text, len(word), build.real) for text, word in zip(row, bits)]
           for row, bits in zip(written, rows)]
    if len(written) != len(rows) or got != rows or len(header) != len(rows[0]):
        raise Failed("the simulation's CSV differs from the host's rows")
    if not has_trap:
        check_npy(build, header, rows)


def check_npy(build, header, rows):
    folder, name = build.folder, build.model.name
    names = list(dict.fromkeys(column.split("[")[0] for column in header))
    files = [word for terminal in names
             for word in ("--out", f"{terminal}={folder / terminal}.npy")]
    run([folder / name, "--in", folder / "u.csv", *files])
    first = 0
    for terminal in names:
        count = sum(column.split("[")[0] == terminal for column in header)
        array = np.load(folder / f"{terminal}.npy").reshape(len(rows), count)
        if array.dtype.kind == "f":
            expected_type = np.float32 if build.real == "f32" else np.float64
            if array.dtype != expected_type:
                raise Failed(f"{terminal}.npy has {array.dtype}, not {expected_type.__name__}")
            array = np.where(np.isnan(array), np.abs(array), array).astype(array.dtype)
        digits = 2 * array.dtype.itemsize
        integers = np.ascontiguousarray(array).view(f"u{array.dtype.itemsize}")
        got = [[f"{int(value):0{digits}x}" for value in row] for row in integers]
        if got != [row[first:first + count] for row in rows]:
            raise Failed(f"{terminal}.npy differs from the host's rows")
        first += count


# --- all --------------------------------------------------------------------------------------


def levels_of(target, real):
    """All levels, shared by the two kinds of reals where a target has both."""
    if len(target.reals) == 1:
        return "-O0", "-O2", "-O3", "-Os", "-Oz"
    return ("-O0", "-O3", "-Oz") if real == "f64" else ("-O2", "-Os")


def check_level(build, level, platform, expected):
    """With `expected` None, what is printed is taken to be right."""
    path, report = build.compile_object(level)
    build.compile_host()
    printed = build.run_image(path, platform)
    if expected is not None:
        compare(printed, expected)
    check_symbols(path, report)
    check_structs(printed, report)
    if build.target.is_bare:
        check_sizes(path, report)
    check_stacks(printed, report)
    return printed


def check_model(name, build, platform, reference):
    """`reference` is the file with what `native` prints."""
    expected = None if name == "native" else reference.read_text()
    for level in levels_of(build.target, build.real):
        try:
            printed = check_level(build, level, platform, expected)
        except Failed as failure:
            raise Failed(f"{level}: {failure}") from None
        expected = expected or printed
    if name == "native":
        check_simulation(build, expected)
        reference.write_text(expected)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("target", choices=TARGETS)
    parser.add_argument("tmlc", type=os.path.abspath)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--shares", type=int, default=1)
    parser.add_argument("wanted", nargs="*")
    arguments = parser.parse_args()
    name, tmlc, wanted = arguments.target, arguments.tmlc, arguments.wanted
    target, folder = TARGETS[name], arguments.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    failures = count = 0
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        platform = compile_platform(target, scratch)
        for model in todays_share(models.all_models(), arguments.shares):
            for real in target.reals:
                if wanted and model.name not in wanted:
                    continue
                count += 1
                build = Build(tmlc, target, model, real, scratch / f"{model.name}.{real}")
                try:
                    check_model(name, build, platform, folder / f"{model.name}.{real}.txt")
                except Failed as failure:
                    failures += 1
                    print(f"{name} {model.name} {real}: {failure}\n")
    print(f"{name}: {count - failures} of {count} agree")
    return 1 if failures or not count else 0


if __name__ == "__main__":
    sys.exit(main())
