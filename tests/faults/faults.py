"""What the tests of failures share: commands to run in a folder, and what must hold after each run.

A run under a fault ends in one of two ways. Either the fault did not matter, and everything is as
without it; or the exit status is 3, one line says why, and the folder is as it was before.
"""

import io
import os
import pathlib
import re
import subprocess
import tempfile
import zipfile

EXIT_WORLD = 3

SOURCES = {
    "lib.tml": "fn twice(real x) real:\n    return 2 * x\nend\n",
    "script.tml": """import "lib.tml"
a = input(tensor<real, 3, 2>, "a")
b = input(tensor<real, 2>, "b")
c = a * b
output("c", c)
output("d", a' .* c)
print("sum", twice(sum(c)))
""",
    "component.tml": """in real t.u
out tensor<real, 3> t.y
tunable real p.gain = 2.0
tensor<real, 3> state = 0.0
fn half(real x) real:
    return x / 2
end
fn output_fnc():
    t.y = p.gain * state + half(t.u)
end
fn update_fnc():
    state[0] += sin(t.u)
end
""",
    "wrong.tml": 'a = [1, 2]\nb = a + [1, 2, 3]\nprint(c, "gr\N{LATIN SMALL LETTER U WITH DIAERESIS}n")\n',
    "deep.tml": "x = 1.5\ny = " + "(" * 480 + "x" + " + x)" * 480 + "\nprint(y)\n",
    "large.tml": "".join(
        f"fn f{i}(tensor<real, 40> a) tensor<real, 40>:\n    return sin(a + {i}) * exp(a)\nend\n"
        for i in range(60)
    )
    + "tensor<real, 40> x = 1.0\n"
    + "".join(f"x = f{i}(x)\n" for i in range(60))
    + "print(x[0])\n",
    "a.csv": "1,2\n3,4\n5,6\n",
    "b.csv": "10,0.5\n",
    "u.csv": "u\n" + "".join(f"{k / 8}\n" for k in range(40)),
}


def is_whole_rows(name, data, good):
    """Whether a file of a simulation that ended early holds rows that are whole."""
    if name.endswith(".npy") and data:
        shape = re.search(rb"'shape': \((\d+),", data)
        header = 10 + int.from_bytes(data[8:10], "little")
        rows = re.search(rb"'shape': \((\d+),", good)
        row = (len(good) - header) // int(rows.group(1))
        return shape is not None and data[header:] == good[header : header + int(shape.group(1)) * row]
    return good.startswith(data) and (data == b"" or data.endswith(b"\n"))


def old_content(name):
    """What stood there before: a header or an FMU that tmlc did not write would be refused."""
    if not name.endswith(".fmu"):
        return f"/* {name}: made by tmlc */ old\n".encode()
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("modelDescription.xml", '<fmiModelDescription generationTool="tmlc 0"/>')
    return data.getvalue()


class Case:
    """A command, what it prints and writes without a fault, and what stood there before it.

    `command` is run in a folder of its own with SOURCES and `files`; `outputs` are the files that it
    writes. `chatty`: programs that it starts may have lines of their own to say. `in_rows`: outputs
    are written in place, row by row; `apart`: each is whole, but not all are new or none.
    """

    def __init__(self, command, outputs=(), files=None, chatty=False, in_rows=False, apart=False):
        self.command = [str(word) for word in command]
        self.outputs = outputs
        self.chatty = chatty
        self.in_rows = in_rows
        self.apart = apart
        self.holder = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.holder.name)
        for name, data in {**SOURCES, **(files or {})}.items():
            path = self.folder / name
            path.write_bytes(data if isinstance(data, bytes) else data.encode())
            path.chmod(0o755 if isinstance(data, bytes) else 0o644)
        self.before = self.contents()
        for name in outputs:
            self.before[name] = old_content(name)
        self.count = self.failed = 0
        self.put_back()
        self.good = self.run()
        assert self.good[0] in (0, 1), f"{self}: {self.good[:3]}"
        assert all(self.good[3].get(name) != self.before[name] for name in outputs), f"{self}: {self.good[:3]}"

    def __str__(self):
        return " ".join([pathlib.Path(self.command[0]).name, *self.command[1:]])

    def contents(self):
        return {path.name: path.read_bytes() for path in self.folder.iterdir()}

    def put_back(self):
        now = self.contents()
        for name in now.keys() - self.before.keys():
            (self.folder / name).unlink()
        for name, data in self.before.items():
            if now.get(name) != data:
                (self.folder / name).write_bytes(data)

    def run(self, env=None, **more):
        """The exit status, both streams and the folder's contents afterwards, put back to before."""
        result = subprocess.run(
            self.command, cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=120,
            env={**os.environ, **(env or {})}, **more)
        outcome = result.returncode, result.stdout, result.stderr.decode(), self.contents()
        self.put_back()
        return outcome

    def may_hold(self, name, data):
        """Whether a file may hold these bytes, or be missing, after a run that failed."""
        good = self.good[3].get(name)
        if data == self.before.get(name) or (self.apart and data == good):
            return True
        return self.in_rows and None not in (data, good) and is_whole_rows(name, data, good)

    def complaint(self, outcome):
        """What is wrong with the outcome of a run under a fault, or None."""
        self.count += 1
        if outcome == self.good:
            return None
        status, _, errors, contents = outcome
        lines = errors.splitlines()
        changed = [key for key in sorted(contents.keys() | self.before.keys())
                   if not self.may_hold(key, contents.get(key))]
        if status != EXIT_WORLD:
            return f"exit status {status}: {errors}"
        self.failed += 1
        if not lines or not re.search("error: |: cannot ", lines[-1]):
            return f"no message: {errors}"
        if len(lines) != 1 and not self.chatty:
            return f"{len(lines)} lines: {errors}"
        if changed:
            return f"changed {', '.join(changed)}: {errors}"
        return None


class Library:
    """fault.c, to make the nth call of a set fail."""

    def __init__(self, path):
        self.path = os.path.abspath(path)
        self.holder = tempfile.TemporaryDirectory()
        self.mark = pathlib.Path(self.holder.name) / "mark"

    def run(self, case, calls, at, how=0, goes_on=False):
        """Runs a case; `goes_on`: the calls after that fail, too. Returns its outcome, and the name of the function that failed or the number of
        calls."""
        self.mark.write_text("")
        env = {"LD_PRELOAD": self.path, "FAULT_SET": calls, "FAULT_AT": str(at), "FAULT_HOW": str(how),
               "FAULT_MARK": str(self.mark), "FAULT_ON": "1" if goes_on else ""}
        return case.run(env=env), self.mark.read_text()

    def count(self, case, calls):
        outcome, number = self.run(case, calls, 0)
        assert outcome == case.good, f"{case}: {outcome[:3]}"
        return int(number)


def compiled(tmlc):
    """The executables of script.tml and component.tml: what a Case takes as `files`."""
    programs = {}
    for name in ("script", "component"):
        case = Case([tmlc, f"{name}.tml", "-o", name], [name])
        programs[name] = case.good[3][name]
    return programs


def program_cases(programs):
    """Runs of the executables with files of every kind, in and out."""
    arrays = Case(["./script", "--in", "a=a.csv", "--in", "b=b.csv", "--out", "c=c.npy", "--out", "d=d.csv"],
                  ["c.npy", "d.csv"], programs, apart=True)
    columns = Case(["./component", "--in", "u.csv", "--out", "y.csv"], ["y.csv"], programs, in_rows=True)
    rows = Case(["./component", "--in", "u.csv", "--out", "y=y.npy"], ["y.npy"], programs, in_rows=True)
    inputs = {**programs, "a.npy": arrays.good[3]["c.npy"], "d.csv": arrays.good[3]["d.csv"]}
    back = Case(["./script", "--in", "a=a.npy", "--in", "b=b.csv", "--out", "c=c.csv"], ["c.csv"], inputs, apart=True)
    return [arrays, back, columns, rows]


def report(name, cases, problems):
    """Prints the figures; the exit status of the test."""
    for problem in problems[:20]:
        print(problem)
    count = sum(case.count for case in cases)
    failed = sum(case.failed for case in cases)
    print(f"{name}: {len(cases)} commands, {count} runs with a fault, of which {failed} failed, "
          f"{len(problems)} wrongly")
    idle = [str(case) for case in cases if case.failed == 0]
    if idle:
        print("no fault reached", ", ".join(idle))
    return 1 if problems or idle else 0
