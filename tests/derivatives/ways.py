"""Which way derivatives take: ways.py TMLC. What loops keep is worked out by hand beside each program."""

import subprocess
import sys
import tempfile
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


class Ways(unittest.TestCase):
    def derived(self, text, *options, status=0):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "program.tml"
            path.write_text(text)
            done = subprocess.run([TMLC, "--emit=tir:derive", "-o", "-", *options, str(path)],
                                  text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout if status == 0 else done.stderr

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

    def test_tape(self):
        for text, log in [(COST, 800), (NESTED, 160)]:
            fits = self.way(text, f"--tape={log}", "--derivative=reverse")
            self.assertEqual(fits, "reverse")
            self.assertEqual(self.way(text, f"--tape={log - 1}"), "forward")
            self.derived(text, f"--tape={log - 1}", "--derivative=reverse", status=1)
        self.assertEqual(self.way(COST, "--real=f32", "--tape=400"), "reverse")
        self.assertEqual(self.way(COST, "--real=f32", "--tape=399"), "forward")

    def test_small_targets(self):
        longer = COST.replace("50", "1025")  # 16,400 bytes
        self.assertEqual(self.way(longer), "reverse")
        self.assertEqual(self.way(longer, "--target=thumbv7em-none-eabi"), "forward")
        self.assertEqual(self.way(COST.replace("50", "1024"), "--target=thumbv7em-none-eabi"),
                         "reverse")


if __name__ == "__main__":
    TMLC = sys.argv.pop(1)
    unittest.main()
