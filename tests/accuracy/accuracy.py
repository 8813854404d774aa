#!/usr/bin/env python3
"""How exact the elementary functions of tensors are (L5.6).

Usage: accuracy.py TMLC MEASURE --count N [--seed N]. Compiles a library of all functions for double
and single, for this machine and for the oldest x86-64, which has no fused multiply-add, at -O2 and
-O0, and has MEASURE (measure.c) compare N points of each with the C library's in long double. Fails
where a result is off by more than 4 units in the last place, or where two of the libraries or the
reference evaluator disagree in a bit.
"""

import argparse
import json
import pathlib
import platform
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "tests"))

import seeds  # noqa: E402

MANY, FEW = 1024, 37  # elements: whole vectors, and some that are not
FUNCTION = re.compile(r"^TIR_FUNCTION\(\w+, (\w+), (\d)\)", re.MULTILINE)


def functions():
    """Their names and how many arguments they take, as text; but remainder, which is exact in the C library."""
    found = FUNCTION.findall((ROOT / "tir/ops.def").read_text())
    return [(name, arity) for name, arity in found if name != "remainder"]


def source():
    text = []
    for name, arity in functions():
        for word, length in (("many", MANY), ("few", FEW)):
            type = f"tensor<real, {length}>"
            params = f"{type} x" + (f", {type} y" if arity == "2" else "")
            value = "x ** y" if name == "pow" else f"{name}(x{', y' if arity == '2' else ''})"
            text.append(f"fn {word}_{name}({params}) {type}:\n    return {value}\nend\n")
    return "".join(text)


def machines():
    """Options of tmlc, and whether the target has a fused multiply-add."""
    if platform.machine() != "x86_64":
        return [([], "fused")]
    flags = pathlib.Path("/proc/cpuinfo").read_text().split()
    native = [([], "fused")] if "fma" in flags else []
    return native + [(["--cpu=x86-64"], "plain")]


def compile_library(tmlc, folder, level, single, options):
    """The library, and the hash that the names of its functions end in."""
    source_file = folder / "functions.tml"
    source_file.write_text(source())
    library = folder / f"O{level}.so"
    real = ["--real=f32"] if single else []
    command = [tmlc, source_file, f"-O{level}", *real, *options]
    subprocess.run([*command, "-o", library], check=True)
    text = subprocess.run([*command, "--emit=json", "-o", "-"], check=True,
                          stdout=subprocess.PIPE).stdout  # fmt: skip
    function = json.loads(text)["functions"][0]
    return library, function["symbol"].rpartition(function["name"])[2]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tmlc")
    parser.add_argument("measure")
    parser.add_argument("--count", type=int, default=100000)
    parser.add_argument("--seed", type=int, default=seeds.default_seed())
    arguments = parser.parse_args()
    tmlc = pathlib.Path(arguments.tmlc).resolve()
    measure = pathlib.Path(arguments.measure).resolve()
    print(f"seed {arguments.seed}", flush=True)
    for options, fused in machines():
        for single in (False, True):
            with tempfile.TemporaryDirectory() as folder:
                libraries = [
                    word
                    for level in (2, 0)
                    for word in compile_library(tmlc, pathlib.Path(folder), level, single, options)
                ]
                real = "f32" if single else "f64"
                print(f"\n{real}, {' '.join(options) or 'this machine'}", flush=True)
                subprocess.run([measure, real, fused, str(arguments.count), str(arguments.seed),
                                *libraries], check=True)  # fmt: skip


if __name__ == "__main__":
    try:
        main()
    except subprocess.CalledProcessError as error:
        sys.exit(error.returncode)
