"""Which way derivatives take, and what is reported of it: ways.py TMLC. What loops keep is worked out
by hand beside each program."""

import cmath
import json
import re
import subprocess
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path

# Back, each of 50 turns needs the two reals of x as it found them, 50 * 16 = 800 bytes; the sum is
# linear, and u nobody writes.
COST = """fn cost(tensor<real, 50> u) real:
    x = [1.0, 0.0]
    sum = 0.0
    for k = 0:50:
        x = [x[0] + 0.1 * x[1], x[1] + 0.1 * (u[k] - sin(x[0]))]
        sum += x .* x + 0.01 * u[k] ** 2.0
    end
    return sum
end
tensor<real, 50> u = 0.1
print(gradient(cost(u), u))
"""
# y at the start of a turn of the inner loop, 4 * 8 bytes, for its 5 turns, which all turns of the outer
# loop share; and y at the start of each of 3 turns of the outer one. The longer log is the inner.
NESTED = """fn nested(tensor<real, 4> x) real:
    y = x
    for i = 0:3:
        for k = 0:5:
            y = y * y * 0.5
        end
    end
    return sum(y)
end
tensor<real, 4> x = 1.0
print(gradient(nested(x), x))
"""
MODEL = """fn moved(tensor<real, 2> x) tensor<real, 2>:
    return x + 0.1 * [x[1], -sin(x[0])]
end
x = [1.0, 0.0]
print(jacobian(moved(x), x))
"""
ENDLESS = """fn root(real x) real:
    r = x
    while abs(r * r - x) > 1e-9:
        r = 0.5 * (r + x / r)
    end
    return r
end
x = 4.0
print(gradient(root(x), x))
"""

# Each of 10,000 turns needs the two reals of x as it found them, 160,000 bytes. In sections: 100 starts of
# them, and the 100 turns of the section that is run back, 200 * 16 = 3,200 bytes.
RUNGE_KUTTA = """fn rate(tensor<real, 2> x, tensor<real, 2> p) tensor<real, 2>:
    return [x[1], -p[0] * sin(x[0]) - p[1] * x[1]]
end
fn simulated(tensor<real, 2> p) real:
    x = [1.0, 0.0]
    for k = 0:10000:
        k1 = rate(x, p)
        k2 = rate(x + 0.0005 * k1, p)
        k3 = rate(x + 0.0005 * k2, p)
        k4 = rate(x + 0.001 * k3, p)
        x += 0.001 / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
    end
    return x[0]
end
p = [9.81, 0.1]
print(gradient(simulated(p), p))
"""
# y, 64 * 8 = 512 bytes, at the start of 20 turns of the inner loop, 10,240 bytes, and of 12 of the outer,
# 6,144: 16,384 together.
TWO_LOGS = """fn nested(tensor<real, 64> x) real:
    y = x
    for i = 0:12:
        for k = 0:20:
            y = y * y * 0.5 + 0.01 * x
        end
    end
    return sum(y)
end
tensor<real, 64> x = 1.0
print(gradient(nested(x), x))
"""
# Which element of x is taken depends on n of the turn before, an int: 4 bytes beside the 8 of s, 1,600
# times, 19,200 bytes.
WITH_INT = """fn drawn(tensor<real, 5> x) real:
    s = 1.0
    n = 0
    for k = 0:1600:
        n = (n * 7 + 3) % 5
        s = sin(s) * x[n] + 0.5
    end
    return s
end
x = [1.0, 0.9, 0.8, 0.7, 0.6]
print(gradient(drawn(x), x))
"""
# Sections of which the last one is short, loops that count down from somewhere, jumps, loops in one another
# that are both cut, and a turn that needs nothing.
CUT = ["""fn f(tensor<real, 3> x) real:
    y = 1.0
    for k = 90:7:-2:
        y = sin(y * x[k % 3]) + x[0] / real(k)
        if y < -0.9:
            continue
        end
        if y > 1.9:
            break
        end
        y = y * y + 0.1
    end
    return y
end
x = [1.1, 0.7, 1.3]
print(gradient(f(x), x))
""", """fn f(tensor<real, 2> x) tensor<real, 2>:
    y = x
    for i = 0:30:
        for k = 3:40:
            y = [cos(y[1] * x[0]), sin(y[0]) + x[1] / real(i + k)]
        end
        y = y * 0.9
    end
    return y
end
x = [1.1, 0.7]
print(jacobian(f(x), x))
""", """fn f(tensor<real, 37> x) real:
    s = 0.0
    z = 1.0
    for k = 0:37:
        s += x[k] * x[k]
        z = z * x[k]
    end
    return s + z
end
tensor<real, 37> x = 1.01
print(gradient(f(x), x))
""", """fn f(tensor<real, 4> x) real:
    y = x
    tensor<real, 101> z = x[1]
    n = 0
    for k = 0:100:
        n = (n * 3 + k) % 4
        y[n] = sin(y[n] * y[3 - n] + z[k])
        z[k + 1] = y[k % 4] * z[k]
        if n > 1:
            y[n - 1] = y[n] * y[n]
        end
    end
    z[3] = y[1]
    y[2] = z[100]
    return sum(y) + sum(z)
end
x = [0.4, 0.5, 0.6, 0.7]
print(gradient(f(x), x))
"""]

# Parts of variables. A trajectory, of which each turn writes a row that it and those before it never read:
# nothing is kept, 0 bytes. y[k] and, wherever that is, another element with its index, in a turn: 8 for one,
# 8 and 4 for the other, 99 times, 1,980 bytes. n and two elements under their indices, the second only
# sometimes, 4 + 12 + 12 bytes, 100 times, and all of y, 800, as y is written behind the loop: 3,600 bytes. A row of
# w, which the loop inside writes by element, and of it in this loop the element, 4 * 24 and 3 * 8 bytes: 120.
PARTS = [("""fn f(tensor<real, 100> u) real:
    tensor<real, 101, 2> x = 0.0
    x[0, :] = [1.0, 0.0]
    for k = 0:100:
        x[k + 1, :] = [x[k, 0] + 0.1 * x[k, 1], x[k, 1] + 0.1 * (u[k] - sin(x[k, 0]))]
    end
    return sum(x * x)
end
tensor<real, 100> u = 0.1
print(gradient(f(u), u))
""", 0), ("""fn f(tensor<real, 100> u) real:
    y = u
    for k = 1:100:
        y[k] = y[k] * sin(y[k - 1])
        y[99 - k] += y[k] * y[k]
    end
    return sum(y)
end
u = 0.5 + 0.01 * real(iota(100))
print(gradient(f(u), u))
""", 1980), ("""fn f(tensor<real, 100> u) real:
    y = u
    n = 0
    for k = 0:100:
        n = (n * 7 + 3) % 100
        y[n] = y[n] * sin(y[k])
        if n > 50:
            y[n - 50] = y[n] * y[n]
        end
    end
    y[2] = y[3]
    return sum(y)
end
u = 0.9 + 0.01 * real(iota(100))
print(gradient(f(u), u))
""", 3600), ("""fn f(tensor<real, 4, 3> x) real:
    w = x
    for i = 0:4:
        for k = 0:3:
            w[i, k] = w[i, k] * w[3 - i, 2 - k] + x[0, k]
        end
    end
    return sum(w)
end
x = reshape(0.5 + 0.1 * real(iota(12)), 4, 3)
print(gradient(f(x), x))
""", 120)]
# What is too large for the changes along 16 directions, or along as many as strips of them have, and is an
# array still: of the variable, in the function, of the result. And logs that no array could hold.
LARGE = ["""tensor<real, 1000000000> x = 1.0
g = gradient(sum(x * x), x)
print(g[0])
""", """fn f(tensor<real, 20> x) real:
    tensor<real, 20000, 20000> y = 0.0
    y[0:20, 0] = x * x
    return sum(y)
end
tensor<real, 20> x = 1.0
print(derivative(f(x), x, x), jacobian(jacobian(f(x), x), x))
""", """fn f(tensor<real, 17> x) tensor<real, 126000000>:
    tensor<real, 126000000> y = 0.0
    y[0:17] = x * x
    return y
end
tensor<real, 17> x = 1.0
print(jacobian(f(x), x)[0, 0])
""", """fn f(tensor<real, 100000> x) real:
    y = x
    for k = 0:2000000000:
        y = sin(y) * x
    end
    return sum(y)
end
tensor<real, 100000> x = 1.0
print(gradient(f(x), x)[0])
"""]
# Three directions one by one, as y has no room for more.
ONE_BY_ONE = """fn f(tensor<real, 3> x) tensor<real, 3>:
    tensor<real, 1500000000> y = x[0]
    return x * x + y[7]
end
x = [1.0, 2.0, 3.0]
print(jacobian(f(x), x))
"""


def complex_step(p):
    """How simulated(p) of RUNGE_KUTTA changes with each of p."""
    def rate(x, p):
        return [x[1], -p[0] * cmath.sin(x[0]) - p[1] * x[1]]

    changes = []
    for k in range(2):
        q = [complex(p[i], 1e-100 if i == k else 0.0) for i in range(2)]
        x = [1.0, 0.0]
        for _ in range(10000):
            k1 = rate(x, q)
            k2 = rate([a + 0.0005 * b for a, b in zip(x, k1)], q)
            k3 = rate([a + 0.0005 * b for a, b in zip(x, k2)], q)
            k4 = rate([a + 0.001 * b for a, b in zip(x, k3)], q)
            x = [a + 0.001 / 6.0 * (b + 2.0 * c + 2.0 * d + e)
                 for a, b, c, d, e in zip(x, k1, k2, k3, k4)]
        changes.append(x[0].imag / 1e-100)
    return changes


class Ways(unittest.TestCase):
    def tmlc(self, text, *args, status=0, command=()):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "program.tml"
            path.write_text(text)
            done = subprocess.run([TMLC, *command, *args, str(path)], text=True, cwd=folder,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def derived(self, text, *options, status=0):
        done = self.tmlc(text, "--emit=tir:derive", "-o", "-", *options, status=status)
        return done.stdout if status == 0 else done.stderr

    def report(self, text, *options):
        done = self.tmlc(text, "-o", "program.o", "--emit=obj", "--report=json", *options)
        return json.loads(done.stdout)

    def way(self, text, *options):
        made = self.derived(text, *options)
        ways = [way for way in ("forward", "reverse") if f".{way}" in made]
        self.assertEqual(len(ways), 1, made)
        return ways[0]

    def test_what_takes_less(self):
        self.assertEqual(self.way(COST), "reverse")
        self.assertEqual(self.way(MODEL), "forward")
        self.assertEqual(self.way(ENDLESS), "forward")

    def test_what_is_asked_for(self):
        self.assertEqual(self.way(COST, "--derivative=forward"), "forward")
        self.assertEqual(self.way(MODEL, "--derivative=reverse"), "reverse")
        error = self.derived(ENDLESS, "--derivative=reverse", status=1)
        self.assertIn("program.tml:9:7: error[E0764]: this derivative has no reverse form", error)
        checked = self.tmlc(ENDLESS, "--derivative=reverse", status=1, command=["check"])
        self.assertIn("program.tml:9:7: error[E0764]: this derivative has no reverse form", checked.stderr)

    def test_tape(self):
        # In sections: of 7 turns of the 50, 8 starts and 7 turns. Of 5 turns they take as much as all do.
        for text, log, least in [(COST, 800, 240), (NESTED, 160, 160)]:
            for tape in [log, least]:
                self.assertEqual(self.way(text, f"--tape={tape}", "--derivative=reverse"), "reverse")
            self.assertEqual(self.way(text, f"--tape={least - 1}"), "forward")
            self.derived(text, f"--tape={least - 1}", "--derivative=reverse", status=1)
        self.assertEqual(self.way(COST, "--real=f32", "--tape=120"), "reverse")
        self.assertEqual(self.way(COST, "--real=f32", "--tape=119"), "forward")

    def test_small_targets(self):
        for turns, sections in [(1024, 0), (1025, 33)]:  # 16,384 and 16,400 bytes
            report = self.report(COST.replace("50", str(turns)), "--target=thumbv7em-none-eabi", "-w",
                                 "--emit=obj", "-c")
            self.assertEqual(report["derivatives"][0]["tapes"][0]["sections"], sections)

    def test_what_is_kept(self):
        for text, tape in [(RUNGE_KUTTA, 160000), (TWO_LOGS, 16384), (WITH_INT, 19200)]:
            report = self.report(text, "--derivative=reverse")
            derived = report["derivatives"][0]
            self.assertEqual(derived["way"], "reverse")
            self.assertEqual(derived["tape"], tape)
            self.assertEqual(sum(log["bytes"] for log in derived["tapes"]), tape)
            self.assertEqual(report["scratch"], tape)  # what is shorter stands on the stack

    def test_parts(self):
        for text, tape in PARTS:
            derived = self.report(text, "--derivative=reverse")["derivatives"][0]
            self.assertEqual((derived["way"], derived["tape"]), ("reverse", tape))
            for level in ["-O0", "-O2"]:
                found = [self.tmlc(text, "run", level, f"--derivative={way}").stdout
                         for way in ["forward", "reverse"]]
                numbers = [[float(number) for number in re.findall(r"[-\d.e]+", one)] for one in found]
                self.assertEqual(len(numbers[0]), len(numbers[1]))
                for one, other in zip(*numbers):
                    self.assertAlmostEqual(one, other, delta=1e-12 * max(1.0, abs(one)))

    def test_sections(self):
        whole = self.tmlc(RUNGE_KUTTA, "run", "--derivative=reverse").stdout
        cut = ["--derivative=reverse", "--tape=8192"]
        self.assertEqual(self.tmlc(RUNGE_KUTTA, "run", *cut).stdout, whole)
        found = [float(number) for number in whole.strip("[]\n").split(",")]
        for one, other in zip(found, complex_step([9.81, 0.1])):
            self.assertAlmostEqual(one, other, delta=1e-10)
        log = self.report(RUNGE_KUTTA, *cut)["derivatives"][0]["tapes"][0]
        self.assertEqual((log["turns"], log["sections"], log["turn_bytes"], log["bytes"]),
                         (10000, 100, 16, 3200))
        self.assertEqual(self.report(RUNGE_KUTTA, *cut)["scratch"], 0)

    def test_sections_of_all_kinds(self):
        for text in CUT:
            whole = self.tmlc(text, "run", "--derivative=reverse", "-O0").stdout
            forward = self.tmlc(text, "run", "--derivative=forward", "-O0").stdout
            for one, other in zip(re.findall(r"[-\d.e]+", whole), re.findall(r"[-\d.e]+", forward)):
                self.assertAlmostEqual(float(one), float(other), delta=1e-12 * abs(float(other)))
            tapes = self.report(text, "--derivative=reverse")["derivatives"][0]["tapes"]
            longest = max(log["bytes"] for log in tapes)
            options = ["--derivative=reverse", f"--tape={longest // 2}"]
            tapes = self.report(text, *options)["derivatives"][0]["tapes"]
            self.assertTrue(any(log["sections"] > 0 for log in tapes))
            for level in ["-O0", "-O2"]:
                self.assertEqual(self.tmlc(text, "run", level, *options).stdout, whole)

    def test_too_much(self):
        error = self.derived(RUNGE_KUTTA, "--derivative=reverse", "--tape=3199", status=1)
        self.assertIn("program.tml:16:7: error[E0905]: this derivative in reverse keeps 160000 bytes of a "
                      "loop, or 3200 in sections, where `--tape` allows 3199", error)
        self.assertIn("program.tml:6:5: note: each of the 10000 turns needs 16 bytes of those before it: "
                      "`x` (16)", error)

    def test_too_much_of_several(self):
        error = self.derived(WITH_INT, "--derivative=reverse", "--tape=100", status=1)
        self.assertIn("error[E0905]: this derivative in reverse keeps 19200 bytes of a loop, or 960 in "
                      "sections, where `--tape` allows 100", error)
        self.assertIn("needs 12 bytes of those before it: `s` (8), `n` (4)", error)

    def test_large(self):
        for text in LARGE:
            for way in ["forward", "reverse"]:
                status = 1 if way == "reverse" and "2000000000" in text else 0
                error = self.derived(text, f"--derivative={way}", status=status) if status else ""
                self.assertEqual("keeps 1600000000000000 bytes of a loop, or 71554400000 in sections" in error,
                                 status == 1)
                self.tmlc(text, "-o", "program.o", "--emit=obj", f"--derivative={way}", status=status)
        self.assertEqual(self.tmlc(ONE_BY_ONE, "run", "--derivative=forward").stdout,
                         "[3.0, 0.0, 0.0;\n 1.0, 4.0, 0.0;\n 1.0, 0.0, 6.0]\n")

    def test_too_much_inside(self):
        # of a loop inside of another one, in a function whose size a call gives, on a small target
        inner = NESTED.replace("0:5:", "0:1024:")
        error = self.derived(inner, "--derivative=reverse", "--tape=2047", status=1)
        self.assertIn("program.tml:11:7: error[E0905]: this derivative in reverse keeps 32768 bytes of a "
                      "loop, or 2048 in sections, where `--tape` allows 2047", error)
        self.assertIn("program.tml:4:9: note: each of the 1024 turns needs 32 bytes", error)
        sized = NESTED.replace("0:5:", "0:1024:").replace("real, 4> x) real", "real, n> x) real")
        error = self.derived(sized, "--derivative=reverse", "--tape=2047", status=1)
        self.assertIn("program.tml:11:7: error[E0905]: ", error)
        self.assertIn("program.tml:4:9: note: each of the 1024 turns needs 32 bytes", error)
        longer = COST.replace("50", "300000")  # 2 * 548 starts of turns and sections
        error = self.derived(longer, "--derivative=reverse", "--target=thumbv7em-none-eabi", status=1)
        self.assertIn("error[E0905]: this derivative in reverse keeps 4800000 bytes of a loop, or 17536 in "
                      "sections, where `--tape` allows 16384", error)

    def test_report(self):
        # sin is of the value, which nobody needs here; cos stands in both directions
        text = self.tmlc(MODEL, "--emit=obj", "-o", "program.o", "--report").stdout
        self.assertRegex(text, r"derivative 5:7: forward, 2 directions, \d+ flops, 1 calls "
                               r"\(function 4, 1\), cost \d+; reverse would cost \d+; tape 0\n")
        text = self.tmlc(COST, "--emit=obj", "-o", "program.o", "--report").stdout
        self.assertRegex(text, r"derivative 11:7: reverse, \d+ flops, \d+ calls \(function \d+, 50\), "
                               r"cost \d+; forward would cost \d+; tape 800\n"
                               r"tape +800 bytes in 4:5: 50 turns of 16 bytes\n")
        derived = self.report(MODEL)["derivatives"][0]
        self.assertLess(derived["cost"], derived["other_cost"])
        self.assertEqual([derived[key] for key in ["file", "line", "column", "way", "directions", "tape"]],
                         ["program.tml", 5, 7, "forward", 2, 0])

    def test_example(self):
        folder = Path(__file__).parents[2] / "examples/sensitivity"
        done = self.tmlc((folder / "lotka.tml").read_text(), "--emit=obj", "-o", "program.o", "--report",
                         "--derivative=reverse", "--tape=8192")
        shown = re.search(r"^derivative 23.*\n(?:tape.*\n)*", done.stdout, re.M)[0]
        self.assertIn("10000 turns of 16 bytes, in 100 sections of 100", shown)
        self.assertIn(textwrap.indent(shown, "    "), (folder / "README.md").read_text())

    def test_work(self):
        # One sin in a turn. Back it is what p[0] has as its factor, and cos what x[0] has; what the turn that runs
        # again computes beside these is left out. In sections there is one turn more.
        text = RUNGE_KUTTA.replace("k1 = rate(x, p)", "k1 = x * 0.0").replace("rate(x + 0.001", "(x + 0.001")
        text = text.replace("k3, p)", "k3)").replace("rate(x + 0.0005 * k2, p)", "x")
        for options, calls in [([], 30000), (["--tape=8192"], 40000)]:
            derived = self.report(text, "--derivative=reverse", *options)["derivatives"][0]
            self.assertEqual((derived["function_calls"], derived["calls"]), (10000, calls))

    def test_cost_warning(self):
        endless = COST.replace("u) real:", "u, int n) real:").replace("0:50:", "0:n:")
        endless = endless.replace("u[k]", "u[k % 50]").replace("cost(u)", "cost(u, int(u[0]))")
        warned = self.tmlc(endless, "run", "-Wall").stderr
        self.assertRegex(warned, r"program.tml:11:7: warning\[-Wderivative-cost\]: this derivative runs "
                                 r"forward, which costs about \d+ times what reverse would")
        self.assertIn("program.tml:4:5: note: this loop turns as often as values say", warned)
        self.assertIn("[-Wderivative-cost]", self.tmlc(endless, "check", "-Wall").stderr)
        warned = self.tmlc(COST.replace("50", "200"), "run", "-Wall", "--tape=100").stderr
        self.assertIn("note: each of the 200 turns needs 16 bytes of those before it: `x` (16)", warned)
        for text, options in [(endless, []), (COST, ["-Wall"]), (MODEL, ["-Wall", "--tape=1"]),
                              (endless, ["-Wall", "--derivative=forward"])]:
            self.assertEqual(self.tmlc(text, "run", *options).stderr, "")
        allowed = endless.rstrip() + "    # tmlc: allow(derivative-cost)\n"
        self.assertEqual(self.tmlc(allowed, "run", "-Wall").stderr, "")
        self.tmlc(endless, "run", "-Werror=derivative-cost", status=1)


SHARED = """fn loss(tensor<real, 8> w) real:
    s = 0.0
    for i = 0:8:
        s += w[i] * exp(w[i]) * w[(i + 1) % 8]
    end
    return s
end
tensor<real, 8> w = 0.5
"""


class Shared(unittest.TestCase):
    def counted(self, text, *options):
        """Operations, and calls, that the report counts for the whole program."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "program.tml"
            path.write_text(SHARED + text)
            done = subprocess.run([TMLC, "--report", "-w", "-o", f"{folder}/program.o", *options, path],
                                  text=True, stdout=subprocess.PIPE, check=True)
            ran = subprocess.run([TMLC, "run", "-w", *options, path], text=True, stdout=subprocess.PIPE,
                                 check=True)
        line = next(v for v in done.stdout.splitlines() if v.startswith("main: "))
        words = line.split()
        return int(words[1]), int(words[3]), ran.stdout

    def test_value_and_gradient(self):
        for options in [["-O1"], ["-O2"], ["-O2", "--derivative=reverse"]]:
            value = self.counted("v = loss(w)\nprint(v)\n", *options)
            slope = self.counted("g = gradient(loss(w), w)\nprint(g)\n", *options)
            for both in ["v = loss(w)\ng = gradient(loss(w), w)\n",
                         "g = gradient(loss(w), w)\nv = loss(w)\n"]:
                once = self.counted(both + "print(v)\nprint(g)\n", *options)
                self.assertLess(once[0], slope[0] + value[0])
                self.assertLess(once[1], slope[1] + value[1])
                self.assertEqual(once[2], value[2] + slope[2])
            other = self.counted("v = loss(w)\nw[0] = 0.0\ng = gradient(loss(w), w)\nprint(v)\n",
                                 *options)
            self.assertEqual(other[2], value[2])


if __name__ == "__main__":
    TMLC = sys.argv.pop(1)
    unittest.main()
