#!/usr/bin/env python3
"""FMUs against executables: compare.py TMLC EXAMPLES [--all]

For components of our own and those of the examples (a share of them, that of the day, unless --all), FMI 2
and 3: the description holds to the rules (description.py), the outputs are those of the executable to the last bit,
arrays come back with their shape, states that are taken, serialised and restored go on as before, also in
another instance, and two instances do not disturb each other.
"""

import csv
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import description  # noqa: E402
import importer  # noqa: E402
import seeds  # noqa: E402

MODELS = pathlib.Path(__file__).resolve().parent / "models"
LONGEST = 400  # rows of a simulation
SHARE = 3
STATES = 20
INDICES = re.compile(r"(\[\d+\])+$")  # of an element; those of instances stand before a dot


def run(*command):
    result = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, timeout=300)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\nexit status {result.returncode}\n{result.stderr}")
    return result.stdout


def read_table(text):
    """A list of rows, each a dict from the name of a terminal to the scalars of its columns."""
    lines = csv.reader(text.splitlines())
    names = [INDICES.sub("", name) for name in next(lines)]
    rows = []
    for line in lines:
        row = {}
        for name, word in zip(names, line):
            row.setdefault(name, []).append(word)
        rows.append(row)
    return rows


def bits(kind, values):
    """Values as bytes, so that signs of zeros and nan count."""
    form = {"Float64": "d", "Real": "d", "Float32": "f"}.get(kind)
    return b"".join(struct.pack("<" + form, value) for value in values) if form else list(values)


def parse(fmu, variable, words):
    """What the words of a table are as values of a variable."""
    kind = variable.kind
    if kind == "Boolean":
        return [word in ("1", "true") for word in words]
    if kind not in ("Float64", "Float32", "Real"):
        return [int(word) for word in words]
    return [struct.unpack("<f", struct.pack("<f", float(word)))[0] if fmu.is_single else float(word)
            for word in words]


def name_in(fmu, name):
    """What an FMU calls a terminal."""
    return f"t.{name}" if f"t.{name}" in fmu.variables else name


class Case:
    """A component with rows of inputs, and what its executable gives."""

    def __init__(self, source, options, table, folder, tmlc):
        self.source, self.options, self.tmlc = source, options, tmlc
        self.folder = folder
        table = "".join(f"{line}\n" for line in table.splitlines()[:LONGEST + 1])
        (folder / "input.csv").write_text(table)
        self.inputs = read_table(table)
        executable = folder / "executable"
        run(tmlc, *options, "--cpu=generic", source, "-o", executable)
        self.outputs = read_table(run(executable, "--in", folder / "input.csv"))
        if len(self.outputs) != len(self.inputs) or not self.outputs:
            sys.exit(f"{source}: {len(self.outputs)} rows of {len(self.inputs)}")

    def fmu(self, version):
        path = self.folder / f"model{version}.fmu"
        run(self.tmlc, *self.options, f"--fmi={version}", *self.step(), self.source, "-o", path)
        fmu = importer.Fmu(path, self.folder / f"unpacked{version}")
        fmu.is_single = "--real=f32" in self.options
        return fmu

    def step(self):
        has_step = re.search(r"^real [np]\.dt\b", self.source.read_text(), re.MULTILINE)
        return [] if has_step else ["--step=0.01"]


def put(instance, row):
    for name, words in row.items():
        name = name_in(instance.fmu, name)
        instance.set(name, parse(instance.fmu, instance.fmu.variables[name], words))


def shown(instance):
    return {variable.name: bits(variable.kind, instance.get(variable.name))
            for variable in instance.fmu.of("output")}


def check_row(fmu, got, row, number):
    wanted = {}
    for name, words in row.items():
        name = name_in(fmu, name)
        wanted[name] = bits(fmu.variables[name].kind, parse(fmu, fmu.variables[name], words))
    if got != wanted:
        sys.exit(f"FMI {fmu.version}, row {number}: {got} should be {wanted}")


def walk(instance, case, first, last):
    """Steps over rows [first, last); the outputs of each."""
    rows = []
    step = instance.fmu.step
    for k in range(first, last):
        put(instance, case.inputs[k])
        rows.append(shown(instance))
        instance.step(k * step, step)
    return rows


def check_run(fmu, case):
    instance = fmu.instance()
    instance.begin(0.0)
    rows = walk(instance, case, 0, len(case.inputs))
    for number, row in enumerate(rows):
        check_row(fmu, row, case.outputs[number], number)
    instance.call("Terminate")
    instance.free()
    return rows


def check_states(fmu, case, rows, chance):
    """States of random steps: the same future again in this instance, and in another one."""
    instance, other = fmu.instance("one"), fmu.instance("other")
    instance.begin(0.0)
    other.begin(0.0)
    state = None
    at = 0
    for first in sorted(chance.randrange(len(rows)) for _ in range(STATES)):
        first = max(first, at)  # not back to where the last one began
        walk(instance, case, at, first)
        state = instance.take(state)
        ahead = min(first + chance.randrange(1, 8), len(rows))
        bytes_of = instance.serialized(state)
        if walk(instance, case, first, ahead) != rows[first:ahead]:
            sys.exit(f"FMI {fmu.version}: another run differs")
        instance.restore(state)
        if walk(instance, case, first, ahead) != rows[first:ahead]:
            sys.exit(f"FMI {fmu.version}, step {first}: a restored state has another future")
        moved = other.deserialized(bytes_of)
        other.restore(moved)
        if walk(other, case, first, ahead) != rows[first:ahead]:
            sys.exit(f"FMI {fmu.version}, step {first}: a serialised state has another future")
        other.drop(moved)
        at = ahead
    instance.drop(state)
    instance.free()
    other.free()


def check_interleaved(fmu, case, rows):
    """Two instances, one a few steps behind the other, and one that is reset."""
    behind = min(3, len(rows) - 1)
    one, two = fmu.instance("one"), fmu.instance("two")
    one.begin(0.0)
    two.begin(0.0)
    walk(two, case, 0, behind)
    two.call("Reset")
    two.begin(0.0)
    for k in range(len(rows)):
        if walk(one, case, k, k + 1) != rows[k:k + 1]:
            sys.exit(f"FMI {fmu.version}: an instance disturbs another one")
        if k >= behind and walk(two, case, k - behind, k - behind + 1) != rows[k - behind:k - behind + 1]:
            sys.exit(f"FMI {fmu.version}: an instance disturbs another one")
    one.free()
    two.free()


def check_locals(fmu, case):
    """File-level variables are those that the executable shows with --watch."""
    watched = [variable for variable in fmu.of("local") if variable.variability == "discrete"]
    # Those with a name of the interface are in quotes, and the executable's table has two columns for them.
    names = [variable.name for variable in watched if not set("['") & set(variable.name)]
    if not names:
        return 0
    table = run(case.folder / "executable", "--in", case.folder / "input.csv", "--watch", ",".join(names),
                "--out", "-")
    instance = fmu.instance()
    instance.begin(0.0)
    for number, row in enumerate(read_table(table)[:30]):
        put(instance, case.inputs[number])
        for name in names:
            kind = fmu.variables[name].kind
            if bits(kind, instance.get(name)) != bits(kind, parse(fmu, fmu.variables[name], row[name])):
                sys.exit(f"FMI {fmu.version}, row {number}: `{name}` is {instance.get(name)}, not {row[name]}")
        instance.step(number * fmu.step, fmu.step)
    instance.free()
    return len(names)


def other_values(variable, values, chance):
    if variable.kind == "Boolean":
        return [not value for value in values]
    return [value + chance.randrange(1, 5) for value in values]


def check_dependencies(fmu, case, chance):
    """Outputs are as they were when an input changes on which they do not depend."""
    instance = fmu.instance()
    instance.begin(0.0)
    tried = 0
    for k in range(min(20, len(case.inputs))):
        put(instance, case.inputs[k])
        state = instance.take()
        before = shown(instance)
        for variable in fmu.of("input"):
            free = [name for name, inputs in fmu.depends.items() if variable.name not in inputs]
            if not free:
                continue
            values = instance.get(variable.name)
            instance.set(variable.name, other_values(variable, values, chance))
            for name in free:
                if bits(fmu.variables[name].kind, instance.get(name)) != before[name]:
                    sys.exit(f"FMI {fmu.version}, row {k}: `{name}` depends on `{variable.name}`")
            instance.set(variable.name, values)
            tried += len(free)
        instance.restore(state)
        instance.drop(state)
        instance.step(k * fmu.step, fmu.step)
    instance.free()
    return tried


def check_several_steps(fmu, case, rows):
    """A communication step of three steps holds the inputs."""
    if len(rows) < 6:
        return
    one, two = fmu.instance(), fmu.instance()
    one.begin(0.0)
    two.begin(0.0)
    put(one, case.inputs[0])
    put(two, case.inputs[0])
    one.step(0.0, 3 * fmu.step)
    for k in range(3):
        two.step(k * fmu.step, fmu.step)
    if shown(one) != shown(two):
        sys.exit(f"FMI {fmu.version}: three steps at once differ from three")
    one.free()
    two.free()


def check(case, label, chance):
    for version in (2, 3):
        fmu = case.fmu(version)
        description.check(fmu)
        rows = check_run(fmu, case)
        check_states(fmu, case, rows, chance)
        check_interleaved(fmu, case, rows)
        check_several_steps(fmu, case, rows)
        count = check_locals(fmu, case)
        tried = check_dependencies(fmu, case, chance)
        print(f"{label}, FMI {version}: {len(rows)} rows of {sum(v.count for v in fmu.of('output'))} values, "
              f"{count} local variables, {tried} changes without effect")


MIXED = "b,n,i,m[0][0],m[0][1],m[1][0],m[1][1],v[0][0],v[0][1],v[0][2],v[1][0],v[1][1],v[1][2],gates[0],gates[1],gates[2]"


def mixed_table(chance):
    rows = [MIXED]
    for _ in range(40):
        reals = [repr(struct.unpack("<f", struct.pack("<f", chance.uniform(-9, 9)))[0]) for _ in range(10)]
        rows.append(",".join([chance.choice(["0", "1"]), str(chance.randrange(2**30)),
                              str(chance.randrange(-2**29, 2**29)), *reals,
                              *(chance.choice(["0", "1"]) for _ in range(3))]))
    return "\n".join(rows) + "\n"


def cases(examples, chance, everything):
    """Label, source, options, rows of inputs."""
    table = mixed_table(chance)
    yield "mixed", MODELS / "mixed.tml", [], table
    yield "mixed, f32", MODELS / "mixed.tml", ["--real=f32"], table
    with_trim = "\n".join(f"{line},{'trim' if k == 0 else '0.5'}" for k, line in enumerate(table.splitlines()))
    yield "mixed, with t.trim", MODELS / "mixed.tml", ["--with", "t.trim"], with_trim
    yield "hardware", MODELS / "hardware.tml", [], "u,io_b\n" + "".join(f"{k},{k % 3}\n" for k in range(8))
    folders = sorted(path.parent for path in examples.glob("*/expected.py"))
    for folder in folders if everything else chance.sample(folders, SHARE):
        interface = folder / f"{folder.name}.interface.tml"
        options = [f"--interface={interface}"] if interface.is_file() else []
        yield folder.name, folder / f"{folder.name}.tml", options, (folder / "input.csv").read_text()


def main():
    tmlc, examples = sys.argv[1], pathlib.Path(sys.argv[2])
    chance = random.Random(seeds.default_seed())
    for label, source, options, table in cases(examples, chance, "--all" in sys.argv):
        with tempfile.TemporaryDirectory() as folder:
            check(Case(source, options, table, pathlib.Path(folder), tmlc), label, chance)


if __name__ == "__main__":
    main()
