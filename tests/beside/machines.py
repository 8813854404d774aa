#!/usr/bin/env python3
"""Tests pass on other machines as they do here: machines.py TMLC TARGET

TARGET is a row of tests/cross/targets.py. The tests run at all levels in an executable with nothing
below it but what tests/cross has for the machine, in its emulator; or it is `wasi`: they are a module of
WebAssembly with a C library, in Node. What they say is what `tmlc test` says of tests that run here.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
CROSS = HERE.parent / "cross"
sys.path.insert(0, str(CROSS))
from targets import TARGETS  # noqa: E402

MODEL = """\
in real t.u
not feedthrough in int t.n
out real t.y
out tensor<int, 3> t.counts
tunable real p.k = 0.25
real y = 0.0
tensor<int, 3> counts = 0
fn output_fnc():
    t.y = y + p.k * (t.u - y)
    t.counts = counts
end
fn update_fnc():
    y = t.y
    counts[t.n] += 1
end

test "settles":
    t.u = 1.0
    cycle(100)
    assert(near(t.y, 1.0, 1e-6))
end
test "counts":
    t.n = 2
    cycle(3)
    print("nobody sees this", t.counts)
    assert(all(t.counts == [0, 0, 2]), "one late")
end
test "outside" E1001:
    t.n = 3
    cycle()
end
test "wrong":
    p.k = 0.5
    t.u = 1.0
    cycle()
    assert(t.y == 0.25, "a quarter")
end
test "shapes" E0501:
    a = [1, 2] + [1, 2, 3]
end
test "recorded":
    replay("in.csv", "out.csv", 1e-6)
    assert(counts[2] == 1)
    replay("in.csv", "again.csv", 1e-6)
end
test "recorded, one is wrong":
    replay("in.csv", "wrong.csv", 1e-6)
end
test "recorded, too short":
    replay("in.csv", "short.csv", 1e-6)
end
test "recorded, no number":
    replay("in.csv", "no.csv", 1e-6)
end
test "not recorded":
    replay("none.csv", "out.csv", 1e-6)
end
test "loops":
    i = 0
    while i >= 0:
        i = (i + 1) % 7
    end
end
test "goes on behind that":
    assert(y == 0.0 and p.k == 0.25)
end
"""
PROGRAM = """\
x = input(real, "data")
test "of what is read":
    assert(x == 1.0)
end
"""
# Columns in another order than the source has them.
ROWS = "y,counts[2],counts[1],counts[0]\n"
FILES = {
    "program.tml": PROGRAM,
    "in.csv": "n,other,u\n2,x,1.0\n0,x,1.0\n0,x,-1.0\n",
    "out.csv": ROWS + "0.25,0,0,0\n0.4375,1,0,0\n0.078125,1,0,1\n",
    "again.csv": ROWS + "0.30859375,1,0,2\n0.4814453125,2,0,2\n0.111083984375,2,0,3\n",
    "wrong.csv": ROWS + "0.25,0,0,0\n0.5,1,0,0\n0.078125,1,0,1\n",
    "short.csv": ROWS + "0.25,0,0,0\n0.4375,1,0,0\n",
    "no.csv": ROWS + "0.25,0,0,0\nno,1,0,0\n",
}
REPORT = """\
machine.tml:32:6: test failed: wrong: trap E1004
machine.tml:36:5: trap[E1004]: assertion failed: a quarter
   |
36 |     assert(t.y == 0.25, "a quarter")
   |     ^
   = note: t.y is 0.5
machine.tml:46:6: test failed: recorded, one is wrong: trap E1004
machine.tml:47:5: trap[E1004]: assertion failed: `t.y` differs from wrong.csv
   |
47 |     replay("in.csv", "wrong.csv", 1e-6)
   |     ^
   = note: t.y is 0.4375
   = note: column y is 0.5
in.csv:3:1: note: in this row
wrong.csv:3:1: note: in this row
machine.tml:49:6: test failed: recorded, too short: trap E1004
machine.tml:50:5: trap[E1004]: assertion failed: in.csv and short.csv have as many rows
   |
50 |     replay("in.csv", "short.csv", 1e-6)
   |     ^
in.csv:4:1: note: in this row
machine.tml:52:6: test failed: recorded, no number: a file or the system failed
no.csv:3:1: error: `no` in column `y` is not a number
machine.tml:55:6: test failed: not recorded: a file or the system failed
machine.tml: cannot open `none.csv`: No such file or directory
machine.tml:58:6: test failed: loops: it did not end within 3 s
machine.tml{level}: 6 failed, 6 passed
"""


def on_wasi():
    module = ["node", "--no-warnings", str(HERE.parent / "wasi.mjs")]
    return ["--target=wasm32-wasi"], "f64", ["clang-19", "--target=wasm32-wasi"], module


def on_machine(target):
    sources = [str(HERE / "putchar.c"), *[str(CROSS / name) for name in target.sources]]
    linker = [word for word in target.link[1:] if word not in ("--fatal-warnings", "-static")]
    options = [str(CROSS / word) if word.endswith(".ld") else word for word in linker]
    flags = ["-Wl," + word if word.startswith("--") else word for word in options]
    command = [*target.compile, "-Wno-incompatible-library-redeclaration", f"-I{HERE.parent.parent}",
               *(["-fuse-ld=lld", "-static"] if target.link[0] != "cc" else []), *flags, *sources]
    return target.options, target.reals[-1], command, target.run or ["env"]


def main():
    tmlc = os.path.abspath(sys.argv[1])
    options, real, command, runner = on_wasi() if sys.argv[2] == "wasi" else on_machine(TARGETS[sys.argv[2]])
    with tempfile.TemporaryDirectory() as folder:
        for name, text in {"machine.tml": MODEL, **FILES}.items():
            (pathlib.Path(folder) / name).write_text(text)
        result = subprocess.run(
            [tmlc, "test", "machine.tml", "program.tml", *options, f"--real={real}", "--all-levels",
             "--timeout=3", "--jobs=2", "--runner", " ".join(runner)],
            cwd=folder, env={**os.environ, "TMLC_CC": " ".join(command), "TMPDIR": folder},
            capture_output=True, text=True, timeout=300)
        left = sorted(os.listdir(folder))
    reports = [REPORT, "program.tml{level}: 0 passed, 1 skipped\n"]
    wanted = "".join(report.format(level=f" -O{level}") for report in reports for level in range(4))
    wanted += "all: 24 failed, 24 passed, 4 skipped\n"
    if (result.stdout, result.stderr, result.returncode, left) != (wanted, "", 1, sorted(["machine.tml", *FILES])):
        print(result.stdout, result.stderr, result.returncode, left, sep="\n")
        sys.exit(1)
    print("as here")


if __name__ == "__main__":
    main()
