#!/usr/bin/env python3
"""Programs whose large loops threads share: the same bytes with any number of threads, and without.

Usage: threads.py TMLC [--random COUNT]. --random makes that many random programs, by TMLC_SEED or the day. The least
work of a shared loop is set to next to nothing, so that small loops are shared, too.
"""

import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import seeds  # noqa: E402

TMLC = os.path.abspath(sys.argv.pop(1))
RANDOM = 12
if "--random" in sys.argv:
    at = sys.argv.index("--random")
    RANDOM = int(sys.argv[at + 1])
    del sys.argv[at:at + 2]
FROM = "--threads-from=1"

COMPONENT = """\
in real t.u
out real t.y
tensor<real, 300, 70> x = 0
fn init_fnc():
    x = 0
end
fn output_fnc():
    t.y = x[7, 11]
end
fn update_fnc():
    x[1:299, 1:69] = 0.2 * (x[0:298, 1:69] + x[2:300, 1:69] + x[1:299, 0:68] + x[1:299, 2:70]) + t.u
end
"""

TRAPS = """\
tensor<int, 5000> x = iota(5000)
print(sum(x))
tensor<int, 5000> y = 3000 - x
tensor<int, 5000> z = x / y
print(sum(z))
"""


class Threads(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_command(self, *command):
        result = subprocess.run(command, cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
        return result.returncode, result.stdout, result.stderr

    def compile(self, text, *options):
        (self.folder / "m.tml").write_text(text)
        status, _, error = self.run_command(TMLC, "-w", "m.tml", "-o", "m", *options)
        self.assertEqual(status, 0, f"{options}: {error.decode()}\n{text}")

    def results(self, text, options, args=()):
        self.compile(text, *options)
        return self.run_command("./m", *args)

    def check_same(self, text, options=(), args=(), counts=(1, 2, 3, 8)):
        expected = self.results(text, options, args)
        for count in counts:
            found = self.results(text, (*options, f"--threads={count}", FROM), args)
            self.assertEqual(found, expected, f"{options} {count}\n{text}")
        return expected

    def plan(self, text, *options):
        (self.folder / "m.tml").write_text(text)
        status, plan, error = self.run_command(TMLC, "-w", "m.tml", "--emit=plan", "-o", "-", *options)
        self.assertEqual(status, 0, error)
        return plan.decode()

    def test_refused(self):
        (self.folder / "m.tml").write_text(COMPONENT)
        wrong = [(f"--threads={value}", f"`--threads` takes a whole number from 1 to 256, not `{value}`")
                 for value in ("0", "-1", "257", "two", "2.5", "", "1e1", "99999999999999999999")]
        wrong += [("--threads=2 -c", "`--threads` is for executables, not for an object file"),
                  ("--threads=1 -o m.so", "`--threads` is for executables, not for a shared library"),
                  ("--threads=2 -o m.h", "`--threads` is for executables, not for the C header of the object"),
                  ("--threads=2 --emit=exe,obj", "`--threads` is for executables, not for an object file"),
                  ("--threads=2 -o m.fmu", "not for an FMU"),
                  ("--threads=2 --batch", "`--threads` and `--batch` do not go together"),
                  ("--threads=2 --emit=llvm --target=cortex-m4", "needs an operating system")]
        for options, message in wrong:
            status, _, error = self.run_command(TMLC, "m.tml", *options.split())
            self.assertEqual(status, 2, options)
            self.assertIn(message, error.decode())
        self.assertEqual(os.listdir(self.folder), ["m.tml"])

    def test_one_thread_is_none(self):
        """Byte for byte what is made without the option."""
        for options in ((), ("-O0",), ("-g",)):
            self.compile(COMPONENT, *options)
            expected = (self.folder / "m").read_bytes()
            self.compile(COMPONENT, *options, "--threads=1")
            self.assertEqual((self.folder / "m").read_bytes(), expected)

    def test_simulation(self):
        (self.folder / "u.csv").write_text("u\n" + "".join(f"{k % 7 * 0.1}\n" for k in range(200)))
        self.assertIn("in threads", self.plan(COMPONENT, "--threads=2", FROM))
        status, out, _ = self.check_same(COMPONENT, args=("--in", "u.csv"))
        self.assertEqual((status, out.count(b"\n")), (0, 201))

    def test_many_runs(self):
        """One instance has the threads, the others meanwhile none."""
        args = ("--in", "u=1", "--steps", "30", "--runs", "16", "--threads", "4")
        status, out, error = self.check_same(COMPONENT, args=args, counts=(2, 5))
        self.assertEqual(status, 0, error)
        self.assertGreater(len(out), 16)

    def test_traps(self):
        """Loops that may trap have one thread: the first trap is the one to tell of."""
        self.assertNotIn("z: 5000 elements, 16 lanes in a row, in threads", self.plan(TRAPS, "--threads=2", FROM))
        status, out, error = self.check_same(TRAPS)
        self.assertEqual((status, out), (101, b"12497500\n"))
        self.assertIn(b"m.tml:4:23: trap[E1002]", error)

    def test_ends(self):
        """Threads end with the process, also after a trap behind them, and where it has none to start."""
        text = "x = sin(1.0 * iota(60000))\nfor i = 0:50:\n    x = x + 1\nend\ni = 60000\nprint(x[3])\n" \
               "tensor<int, 2> k = [0, 60000]\nprint(x[k[int(x[0] > 0)]])\n"
        status, _, error = self.check_same(text)
        self.assertEqual(status, 101, error)
        self.compile(text.replace("print(x[k", "#"), "--threads=200", FROM)
        if b"__asan_init" not in (self.folder / "m").read_bytes():  # which maps more than any limit
            limited = self.run_command("sh", "-c", "ulimit -v 400000; ./m")
            self.assertEqual(limited, self.run_command("./m"))

    def test_random(self):
        seed = seeds.default_seed()
        print(f"seed {seed}")
        shared = 0
        for number in range(RANDOM):
            chance = random.Random(seed * 100003 + number)
            text = random_program(chance)
            level = chance.choice(["-O0", "-O1", "-O2", "-O2", "-O3"])
            options = [level, *chance.choice([[], [], ["--real=f32"], ["--fp=strict"], ["--cpu=x86-64"],
                                              ["--checks=none"]])]
            if os.uname().machine != "x86_64":
                options = [option for option in options if not option.startswith("--cpu")]
            self.check_same(text, options, counts=(2, chance.choice([3, 5, 8])))
            shared += self.plan(text, "--threads=2", FROM, *options).count("in threads")
        self.assertGreater(shared, 3 * RANDOM)


def random_program(chance):
    """Statements on arrays of a few thousand elements, and what they leave."""
    r, c = chance.choice([3, 17, 40, 64, 97, 130]), chance.choice([1, 2, 3, 7, 16, 33, 61, 100])
    k = chance.choice([2, 9, 31, 50])
    root = chance.choice(["real", "real", "real", "int", "uint"])
    lines = [
        f"tensor<{root}, {r}, {c}> a = reshape({root}(iota({r * c}) % 97), {r}, {c})",
        f"tensor<{root}, {r}, {c}> b = reshape({root}(iota({r * c}) % 31 + 1), {r}, {c})",
        f"tensor<real, {r}, {c}> x = reshape(sin(1.0 * iota({r * c})), {r}, {c})",
        f"tensor<real, {c}, {k}> w = reshape(cos(1.0 * iota({c * k})), {c}, {k})",
        f"tensor<real, {r}, 1> column = reshape(1.0 / (1.0 + iota({r})), {r}, 1)",
        f"tensor<real, {c}> row = 0.5 + iota({c})",
        f"tensor<real, {r}, {k}> p = 0",
        f"tensor<real, {c}, {r}> t = 0",
        f"tensor<real, {r * c}> flat = reshape(x, {r * c})",
        "real s = 0.25",
    ]
    statements = [
        f"a = a {chance.choice('+-*')} b",
        "x = x * column + row",
        "x = s * x + (x - column) * row",
        "x = exp(-abs(x)) + sqrt(abs(x))",
        "b = a / b" if root != "real" else "b = b / (1 + a * a)",
        "b = b | 1" if root == "uint" else "b = b * 2",
        "p = x .* w",
        "p = p + column",
        "p = (x + 1) .* (2 * w)",
        "t = x'",
        "t = 2 * x' + t",
        "row = row + x' .* reshape(column, %d)" % r,
        "row = w .* p[0, :]",
        "column = reshape(sum(nest(x, 1)), %d, 1)" % r,
        "column = reshape(max(nest(x, 1)) - min(nest(x, 1)), %d, 1)" % r,
        "flat = reshape(x, %d) * 2 + flat" % (r * c),
        "flat = cumsum(flat) * 1e-3",
        f"flat[0:{r * c}:2] = flat[0:{r * c}:2] + s" if r * c > 2 else "flat = flat + s",
        f"x[1:{r}, :] = x[0:{r - 1}, :] * 0.5",
        f"x[0:{r - 1}, :] = x[1:{r}, :] + row",
        f"t = concat(0, x'[0:{c // 2}, :], x'[{c // 2}:{c}, :])" if c > 1 else "t = x'",
        "s = sum(x * x) / (1 + sum(abs(flat)))",
        f"x = x + real(a > b) - real(x > 0)",
        f"for i = 0:{r}:\n    x[i, :] = x[i, :] + s * i\nend",
        f"for i = 0:3:\n    x = x * 0.5 + column * s\n    flat = flat - i\nend",
        f"for i = 0:{r}:\n    o = x[i, :] - max(x[i, :])\n    x[i, :] = exp(o) * (1 / sum(exp(o))) + i\nend",
        f"for i = 1:{r}:\n    x[i, :] = x[i, :] + x[i - 1, :] * s\nend",
        f"for i = 0:{r}:\n    total = 0.0\n    for j = 0:{c}:\n        total = total + x[i, j] * row[j]\n    end\n"
        f"    column[i, 0] = total\nend",
        f"for i = 0:{r}:\n    for j = 0:{c}:\n        n = 0\n        z = x[i, j]\n"
        f"        while n < 20 + i % 7 and abs(z) < 9:\n            z = z * z - 0.7 + s * 1e-9\n            n = n + 1\n        end\n"
        f"        t[j, i] = n\n    end\nend",
        f"last = 0.0\nfor i = 0:{r}:\n    if column[i, 0] > 0.3:\n        last = column[i, 0]\n    end\n"
        f"    p[i, :] = p[i, :] + last\nend",
        f"for i = 0:{r}:\n    tensor<real, {c}> v = 0\n    if i % 2 == 0:\n        v = row\n    end\n"
        f"    x[i, :] = x[i, :] + v\nend",
        f"for i = 0:{r - 1}:\n    x[i, :] = 0.5 * (x[i, :] + x[i + 1, :])\nend",
        f"for i = 0:{r}:\n    row = row + x[i, :]\nend",
        f"for i = 0:{r}:\n    x[i, :] = x[i, :] + row\n    row[0] = i\nend",
        f"for i = 0:{r}:\n    for k = 0:{min(r, c)}:\n        x[i, k] = x[i, k] + s\n        t[k, i] = x[i, k]\n    end\nend",
        f"for i = 0:{r}:\n    x[i, {c - 1}] = x[i, 0] + x[{r - 1}, 0]\nend",
        "s = 1 / (1 + abs(flat .* flat)) + 0 * max(flat)",
        f"column = reshape(x .* row, {r}, 1)",
    ]
    lines += [chance.choice(statements) for _ in range(chance.randint(4, 9))]
    lines += [f"print({name})" for name in ("a", "b", "x", "p", "t", "row", "column", "flat", "s")]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    unittest.main()
