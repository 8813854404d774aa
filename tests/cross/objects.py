"""What objects need from outside, and whether their headers compile, on more machines than can be
run: objects.py TMLC [--shares N]. All components of the examples and some of the models are compiled,
for all machines or for today's share of them."""

import argparse
import dataclasses
import json
import os
import pathlib
import re
import sys
import tempfile

from model import EXAMPLES, HERE
from run import DEFINED_BY_LINKER, Failed, run
from seeds import todays_share

LIBM = re.compile(r"(a?(sin|cos|tan)h?|atan2|exp(2|m1)?|log(2|10|1p)?|pow|fmod|hypot|cbrt|erfc?|"
                  r"floor|ceil|round|trunc|rint|remainder|sqrt|fma|sincos)(?P<single>f?)")
# Arithmetic that the C compiler's own library does (libgcc, compiler-rt) where no instruction does.
SOFT_SINGLE = re.compile(r"__(aeabi_(f|u?i2f)\w*|\w+sf\d?|fixsfdi)")
SOFT_DOUBLE = re.compile(r"__(aeabi_(d|u?i2d|llsr)\w*|\w+df\d?|fixdfdi)")
COMPONENT = re.compile(r"^(fn (init|output|update)_fnc|instance )", re.MULTILINE)
DOUBLE = re.compile(r"\bdouble\b")
MODELS = ("casts", "deep", "lanes", "numbers", "reductions", "tensors")
HEADER_WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"]
STANDARDS = (("c", "c99"), ("c", "c17"), ("c++", "c++11"))


@dataclasses.dataclass
class Machine:
    name: str
    options: list          # of tmlc
    clang: list            # the same for clang
    real: str
    soft: object = None    # what the objects may call beside libm
    looks_at_code: bool = False  # for doubles


def machine(triple, real, cpu=None, clang=(), soft=None, looks_at_code=False):
    options = [f"--target={triple}", *([f"--cpu={cpu}"] if cpu else [])]
    return Machine(f"{triple} {cpu or ''} {real}", options, [f"--target={triple}", *clang], real,
                   soft, looks_at_code)


MACHINES = [
    Machine("this machine f64", [], [], "f64"),
    Machine("this machine f32", [], [], "f32", looks_at_code=True),
    machine("aarch64-linux-gnu", "f64"),
    machine("aarch64-none-elf", "f32"),
    machine("wasm32", "f64"),
    machine("thumbv7em-none-eabihf", "f32", "cortex-m4", looks_at_code=True),
    machine("thumbv7em-none-eabi", "f32", "cortex-m4"),
    machine("thumbv7em-none-eabihf", "f32"),
    machine("thumbv8m.main-none-eabihf", "f32"),
    machine("thumbv7em-none-eabihf", "f64", "cortex-m7"),
    machine("thumbv7em-none-eabihf", "f64", "cortex-m4", soft=SOFT_DOUBLE),
    machine("thumbv7m-none-eabi", "f32", "cortex-m3", soft=SOFT_SINGLE),
    machine("arm-linux-gnueabihf", "f64"),
    machine("armv7-linux-gnueabihf", "f64"),
    machine("riscv64-linux-gnu", "f64"),
    machine("riscv32-linux-gnu", "f64"),
    machine("riscv32-unknown-elf", "f32", "sifive-e76", ["-march=rv32imafc", "-mabi=ilp32f"]),
    machine("riscv32-unknown-elf", "f32", soft=SOFT_SINGLE),
    machine("riscv64-unknown-elf", "f64", soft=SOFT_DOUBLE),
]


def components():
    sources = [HERE / "models" / f"{name}.tml" for name in MODELS]
    for source in sorted(EXAMPLES.glob("*/*.tml")):
        if COMPONENT.search(source.read_text()):
            sources.append(source)
    return sources


def is_allowed(symbol, row):
    libm = LIBM.fullmatch(symbol)
    if libm:
        return (libm["single"] == "f") == (row.real == "f32")
    return row.soft is not None and row.soft.fullmatch(symbol) is not None


def check_needs(tmlc, row, source, folder):
    """The header is left in the folder."""
    path = folder / f"{source.stem}.o"
    interface = source.with_suffix(".interface.tml")
    options = [*row.options, *([f"--interface={interface}"] if interface.exists() else [])]
    report = json.loads(run([tmlc, *options, f"--real={row.real}", "--report=json", "-c",
                             source, "-o", path]).stdout)
    words = run(["llvm-nm-19", "--undefined-only", "--format=just-symbols", path]).stdout.split()
    needed = sorted(set(words) - DEFINED_BY_LINKER)
    if needed != sorted(report["externals"]):
        raise Failed(f"the object needs {needed}, the report says {report['externals']}")
    wrong = [symbol for symbol in needed if not is_allowed(symbol, row)]
    if wrong:
        raise Failed(f"the object needs {wrong}")
    if row.looks_at_code:
        text = run([tmlc, *options, "--real=f32", "--emit=llvm", source, "-o", "-"]).stdout
        if DOUBLE.search(text):
            raise Failed(f"there is a double in the code: {DOUBLE.search(text).group()}")


def check_headers(row, sources, folder):
    """All in one file: their names do not collide, and what they hold is asserted there."""
    text = folder / "all.inc"
    text.write_text("".join(f"#include \"{source.stem}.h\"\n" for source in sources))
    for language, standard in STANDARDS:
        run(["clang-19", *row.clang, "-ffreestanding", "-fsyntax-only", *HEADER_WARNINGS,
             f"-std={standard}", "-x", language, text])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tmlc", type=os.path.abspath)
    parser.add_argument("--shares", type=int, default=1)
    arguments = parser.parse_args()
    tmlc, sources = arguments.tmlc, components()
    machines = todays_share(MACHINES, arguments.shares)
    failures = 0
    for row in machines:
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            what = None
            try:
                for what in sources:
                    check_needs(tmlc, row, what, folder)
                check_headers(row, sources, folder)
            except Failed as failure:
                failures += 1
                print(f"{row.name}, {what.name}: {failure}\n")
    print(f"{len(sources)} components for {len(machines)} machines, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
