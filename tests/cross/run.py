"""Runs components on one machine and compares each bit of their outputs with this one's:

    run.py TARGET TMLC FOLDER [MODEL...]

TARGET is a row of targets.py. Each model is compiled at several levels, linked with host.c, and run,
in an emulator where need be. What that prints for `native`, and what the simulation
(`tmlc MODEL -o EXECUTABLE`) writes as CSV and .npy, must be the same rows; they go into FOLDER, and
are what all others are compared with.
"""

import csv
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

import model as models
from targets import TARGETS

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
DEFINED_BY_LINKER = {"__stack_pointer", "__indirect_function_table"}  # of wasm


class Failed(Exception):
    pass


def run(command, expected=(0,), **settings):
    command = [str(word) for word in command]
    result = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, cwd=HERE,
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

    def compile_objects(self, levels):
        """Paths by level, and the header."""
        objects = {}
        for level in levels:
            path = self.folder / f"{self.model.name}.o"
            run([self.tmlc, level, *self.model.options, *self.target.options,
                 f"--real={self.real}", "-c", self.model.source, "-o", path])
            objects[level] = path.rename(self.folder / f"{self.model.name}{level}.o")
        return objects

    def compile_host(self):
        """Once for all levels: the header is the same."""
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


def check_symbols(paths):
    """Models that call nothing of libm need nothing at all."""
    words = run(["llvm-nm-19", "--undefined-only", "--format=just-symbols", "--quiet",
                 *paths]).stdout.split()
    needed = {word for word in words if not word.endswith(":")} - DEFINED_BY_LINKER
    if needed:
        raise Failed(f"the object needs {' '.join(sorted(needed))}")


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
        return "-O0", "-O2", "-O3"
    return ("-O0", "-O3") if real == "f64" else ("-O2",)


def check_model(name, build, platform, reference):
    """`reference` is the file with what `native` prints."""
    objects = build.compile_objects(levels_of(build.target, build.real))
    build.compile_host()
    check_symbols(objects.values())
    if name == "native":
        expected = build.run_image(next(iter(objects.values())), platform)
        check_simulation(build, expected)
        reference.write_text(expected)
    expected = reference.read_text()
    for level, part in objects.items():
        try:
            compare(build.run_image(part, platform), expected)
        except Failed as failure:
            raise Failed(f"{level}: {failure}") from None


def main():
    name, tmlc, folder, *wanted = sys.argv[1:]
    target = TARGETS[name]
    tmlc, folder = os.path.abspath(tmlc), pathlib.Path(folder).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    failures = count = 0
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        platform = compile_platform(target, scratch)
        for model in models.all_models():
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
