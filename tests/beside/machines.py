#!/usr/bin/env python3
"""Tests pass on other machines as they do here: machines.py TMLC TARGET

TARGET is a row of tests/cross/targets.py. The tests run at all levels in an executable with nothing
below it but what tests/cross has for the machine, in its emulator; or it is `wasi`: they are a module of
WebAssembly with a C library, in Node.
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
test "reads files":
    replay("in.csv", "out.csv", 1e-6)
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
REPORT = """\
machine.tml:32:6: test failed: wrong: trap E1004
machine.tml:36:5: trap[E1004]: assertion failed: a quarter
machine.tml:44:6: test failed: loops: it did not end within 3 s
machine.tml{level}: 2 failed, 5 passed, 1 skipped
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
        (pathlib.Path(folder) / "machine.tml").write_text(MODEL)
        result = subprocess.run(
            [tmlc, "test", "machine.tml", *options, f"--real={real}", "--all-levels",
             "--timeout=3", "--jobs=2", "--runner", " ".join(runner)],
            cwd=folder, env={**os.environ, "TMLC_CC": " ".join(command), "TMPDIR": folder},
            capture_output=True, text=True, timeout=300)
        left = sorted(os.listdir(folder))
    wanted = "".join(REPORT.format(level=f" -O{level}") for level in range(4))
    wanted += "all: 8 failed, 20 passed, 4 skipped\n"
    if (result.stdout, result.stderr, result.returncode, left) != (wanted, "", 1, ["machine.tml"]):
        print(result.stdout, result.stderr, result.returncode, left, sep="\n")
        sys.exit(1)
    print("as here")


if __name__ == "__main__":
    main()
