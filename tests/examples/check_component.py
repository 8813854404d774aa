"""Checks one part of a component's example: check_component.py WHAT FOLDER [TMLC CC [OPTION...]]; of `evaluator` CC is `golden`

    simulation  the executable, fed with input.csv, must write expected.csv
    host        host.c, compiled against the generated header and object, must print its first rows
    bits        both must be the same to the last bit at -O0 and -O3, and with `tmlc run`
    evaluator   the reference evaluator must give the same bits in the first rows
    source      expected.py must write the files that are stored
    commands    those of README.md must work, but for python3's, and plots where gnuplot is missing

The folder's name is the component's. Values may differ by the tolerance of the folder's README,
relative to the largest magnitude of their column. OPTIONs go to the compiler; of these, two are of
this script: `tolerance=T` overrides the README, `files=SUFFIX` takes inputSUFFIX.csv and
expectedSUFFIX.csv. A component that declares nothing has its interface in NAME.interface.tml.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import numpy as np

BLOCK = re.compile(r"^```\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TOLERANCE = re.compile(r"^Tolerance: (\S+) relative\b", re.MULTILINE)
EVALUATED = 300  # rows
STRICT = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"]


def tolerance_of(folder):
    return float(TOLERANCE.search((folder / "README.md").read_text()).group(1))


def read_table(path):
    """Columns by their names."""
    with open(path) as file:
        names = file.readline().rstrip("\n").split(",")
        rows = np.loadtxt(file, delimiter=",", ndmin=2)
    if rows.shape[1] != len(names):
        sys.exit(f"{path}: {rows.shape[1]} columns under {len(names)} names")
    return dict(zip(names, rows.T))


def compare(got, expected, tolerance):
    """Stops with a message at the first column that differs."""
    if sorted(got) != sorted(expected):
        sys.exit(f"columns {sorted(got)} should be {sorted(expected)}")
    for name, wanted in expected.items():
        found = got[name]
        if len(found) != len(wanted):
            sys.exit(f"{name}: {len(found)} rows should be {len(wanted)}")
        limit = tolerance * np.max(np.abs(wanted))
        error = np.abs(found - wanted)
        worst = int(np.argmax(np.where(np.isnan(error), np.inf, error)))
        if not error[worst] <= limit:
            sys.exit(f"{name}, row {worst + 1}: {found[worst]!r} should be {wanted[worst]!r}, "
                     f"within {limit:.1e}")
        print(f"{name}: largest error {error[worst]:.1e}, {limit:.1e} allowed")


def run(*command, **settings):
    command = [str(word) for word in command]
    result = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
                            timeout=120, **settings)
    if result.returncode != 0:
        sys.exit(f"{' '.join(command)}\nexit status {result.returncode}\n{result.stdout}")
    return result.stdout


def check_simulation(folder, scratch, tmlc, options, tolerance, suffix):
    executable = scratch / folder.name
    run(tmlc, *options, folder / f"{folder.name}.tml", "-o", executable)
    run(executable, "--in", folder / f"input{suffix}.csv", "--out", scratch / "output.csv")
    expected = read_table(folder / f"expected{suffix}.csv")
    compare(read_table(scratch / "output.csv"), expected, tolerance)


def rows_of_host(folder, scratch, tmlc, cc, options):
    name = folder.name
    run(tmlc, *options, "-c", folder / f"{name}.tml", "-o", scratch / f"{name}.o")
    run(cc, *STRICT, "-I", scratch, folder / "host.c", scratch / f"{name}.o", "-lm", "-o",
        scratch / "host")
    return [[float(word) for word in line.split(",")]
            for line in run(scratch / "host").splitlines()]


def check_host(folder, scratch, tmlc, cc, options, tolerance):
    rows = rows_of_host(folder, scratch, tmlc, cc, options)
    expected = read_table(folder / "expected.csv")
    if len(rows) < 20:
        sys.exit(f"host.c prints {len(rows)} rows, at least 20 are expected")
    got = dict(zip(expected, np.array(rows).T))
    compare(got, {key: value[:len(rows)] for key, value in expected.items()}, tolerance)


def check_bits(folder, scratch, tmlc, cc, options):
    source, arguments = folder / f"{folder.name}.tml", ["--in", folder / "input.csv"]
    written = run(tmlc, "run", *options, source, "--", *arguments)
    rows = [[float(word) for word in line.split(",")] for line in written.splitlines()[1:]]
    for level in ["-O0", "-O3"]:
        executable = scratch / folder.name
        run(tmlc, level, *options, source, "-o", executable)
        if run(executable, *arguments) != written:
            sys.exit(f"the simulation at {level} differs from `tmlc run`")
        printed = rows_of_host(folder, scratch, tmlc, cc, [level, *options])
        if not printed or printed != rows[:len(printed)]:
            sys.exit(f"host.c at {level} differs from `tmlc run`")
        print(f"{level}: {len(rows)} rows, {len(printed)} in C")


def copied(folder, scratch):
    """The folder in a copy of all examples, since systems may have instances from other folders."""
    shutil.copytree(folder.parent, scratch / "examples")
    return scratch / "examples" / folder.name


def check_evaluator(folder, scratch, tmlc, golden, options):
    """The reference evaluator, before and after the passes, and code in memory at two levels."""
    source = copied(folder, scratch) / f"{folder.name}.tml"
    rows = "".join((folder / "input.csv").read_text().splitlines(True)[:EVALUATED + 1])
    (scratch / "rows.csv").write_text(rows)
    written = run(tmlc, "run", *options, source, "--", "--in", scratch / "rows.csv")
    lines = ["#! args " + " ".join(map(str, options))] if options else []
    lines += ["#! run-args --in -", "#! input", *(f"# {row}" for row in rows.splitlines()),
              "#! output", *(f"# {row}" for row in written.splitlines())]
    source.write_text(source.read_text() + "\n".join(lines) + "\n")
    print(run(golden, source), end="")


def check_source(folder, scratch):
    """Runs expected.py in a copy; another libm may round in another way."""
    copy = copied(folder, scratch)
    stored = sorted(path.name for path in folder.glob("*.csv"))
    written = [name for name in stored if name.startswith(("input", "expected"))]
    for name in written:
        (copy / name).unlink()
    run(sys.executable, "expected.py", cwd=copy)
    for name in written:
        compare(read_table(copy / name), read_table(folder / name), 1e-12)


def check_commands(folder, scratch, tmlc):
    """Runs the lines of the fenced blocks, in their order, in a copy."""
    copy = copied(folder, scratch)
    path = f"{pathlib.Path(tmlc).resolve().parent}{os.pathsep}{os.environ['PATH']}"
    lines = "".join(BLOCK.findall((folder / "README.md").read_text())).splitlines()
    for line in lines:
        if line.startswith("python3 ") or "--plot" in line and not shutil.which("gnuplot"):
            continue
        run("bash", "-c", line, cwd=copy, env={**os.environ, "PATH": path})
        print(line)


def main():
    what, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    tolerance, suffix, options = tolerance_of(folder), "", []
    for option in sys.argv[5:]:
        if option.startswith("tolerance="):
            tolerance = float(option.split("=")[1])
        elif option.startswith("files="):
            suffix = option.split("=")[1]
        else:
            options.append(option)
    interface = folder / f"{folder.name}.interface.tml"
    if interface.is_file():
        options.append(f"--interface={interface}")
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        if what == "simulation":
            check_simulation(folder, scratch, sys.argv[3], options, tolerance, suffix)
        elif what == "host":
            check_host(folder, scratch, *sys.argv[3:5], options, tolerance)
        elif what == "bits":
            check_bits(folder, scratch, *sys.argv[3:5], options)
        elif what == "evaluator":
            check_evaluator(folder, scratch, *sys.argv[3:5], options)
        elif what == "commands":
            check_commands(folder, scratch, sys.argv[3])
        else:
            check_source(folder, scratch)


if __name__ == "__main__":
    main()
