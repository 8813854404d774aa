#!/usr/bin/env python3
"""`--until`: what conditions mean, compared with Python, and where a run ends. Usage: until.py HOST."""

import ast
import random
import unittest

import numpy as np

from simulation import Simulation

NOTE = "{}: note: the condition of `--until` held in no step\n"
TRAP = "m.tml:12:5: trap[E1001]: index 7 is outside a dimension of length 3 (step {})\n"
ROWS = 40


class Doubles(ast.NodeTransformer):
    """Numbers divide as those of C do."""

    def visit_Subscript(self, node):
        return node

    def visit_Constant(self, node):
        double = ast.Call(ast.Name("double", ast.Load()), [node], [])
        return ast.fix_missing_locations(ast.copy_location(double, node))


def compiled(condition):
    return compile(Doubles().visit(ast.parse(condition.strip(), mode="eval")), "condition", "eval")


class Until(Simulation):
    def count(self, condition, *args, model="counter", held=True, **more):
        """How many steps run, as the rows of the outputs tell."""
        more.setdefault("err", "" if held else NOTE.format(model))
        out = self.run_model(model, *args, "--until", condition, **more)
        return len(out.splitlines()) - 1

    def test_ends_after_the_step(self):
        limit = "--set=limit=1000000"
        self.assertEqual(self.count("c == 0", limit), 1)
        self.assertEqual(self.count("t.c >= 3", limit), 4)
        self.assertEqual(self.count("step >= 2", limit), 3)
        for n in (1023, 1024, 1025, 5000):  # around the blocks
            self.assertEqual(self.count(f"c == {n}", limit), n + 1)
        self.assertEqual(self.count("time >= 0.3", limit, "--dt=0.1"), 4)
        self.assertEqual(self.count("c > 7", limit, "--steps=5", held=False), 5)
        self.assertEqual(self.count("c > 7", limit, "--every=3"), 3)

    def test_what_comes_after_the_step_is_nothing(self):
        # The trap of step 5, and the wrong row of step 3.
        self.assertEqual(self.count("c == 4"), 5)
        self.assertEqual(self.count("c == 7", status=101, err=TRAP.format(5)), 5)
        self.write("e.csv", "e\n1\n2\n3\nx\n")
        self.assertEqual(self.count("e >= 3", "--in=e.csv", model="pi"), 3)
        err = "e.csv:5:1: error: `x` in column `e` is not a number\n"
        self.assertEqual(self.count("e > 3", "--in=e.csv", model="pi", status=3, err=err), 3)

    def test_ends_of_inputs(self):
        self.write("e.csv", "e\n1\n2\n3\n")
        self.assertEqual(self.count("y > 100", "--in=e.csv", model="pi", held=False), 3)
        self.assertEqual(self.count("e == 3", "--in=e.csv", model="pi"), 3)
        self.assertEqual(self.count("e == 3", "--in=e.csv", "--steps=2", model="pi", held=False), 2)
        self.assertEqual(self.count("e >= 5", "--in=e=ramp()", "--dt=0.5", model="pi"), 11)
        self.write("e.csv", "e,time\n1,0\n2,1\n")
        args = ["--in=e.csv", "--time=time", "--dt=0.25"]
        self.assertEqual(self.count("time >= 0.75", *args, model="pi"), 4)

    def test_files_and_watches(self):
        out = self.run_model("counter", "--until=c == 2", "--out=c=c.npy", "--trace=t.csv", "--watch=c")
        self.assertEqual((out, self.read("t.csv")), ("", "c\n0\n1\n2\n"))
        np.testing.assert_array_equal(np.load(self.folder / "c.npy"), [0, 1, 2])
        self.write("e.csv", "e\n1\n2\n3\n")
        out = self.run_model("pi", "--in=e.csv", "--until=e == 2", "--watch=x")
        self.assertEqual(out, "y,x\n2.0,0.0\n4.5,0.5\n")

    def test_states_and_debug_signals(self):
        """Variables as they are when the outputs are, debug signals as the cycle left them."""
        for condition, steps in (("axis[1].u >= 6", 4), ("late >= 6", 3), ("m[1][0] > 2", 3), ("m[1, 0]>2", 3),
                                 ("mode.odd and step > 2", 5), ("axis[0].v + axis[1].v == -9", 4),
                                 ("seen > 2 * u or axis[1].u/2 >= 4.0", 5)):
            self.assertEqual(self.count(condition, "--in=u=1", model="inner"), steps, condition)
            self.assertEqual(self.count(condition, "--in=u=1", "--watch=*", model="inner"), steps)

    def test_mistakes(self):
        def wrong(condition, message, model="mixed"):
            args = [] if model == "counter" else ["--in=in.csv"]
            err = f"{model}: `--until`: {message}\n"
            self.run_model(model, *args, "--until", condition, status=2, err=err)

        wrong("io", "column 1: this is a number, not a condition; compare it, as in `y > 0.9`")
        wrong("", "column 1: expected a number or a name, found the end")
        wrong("io > ", "column 6: expected a number or a name, found the end")
        wrong("axis[2].u > 1", "column 1: the model has no signal `axis`", model="inner")
        wrong("mode.add", "column 1: the model has no signal `mode.add`; did you mean `mode.odd`?", model="inner")
        wrong("m > 1", "column 1: `m` is tensor<tensor<real, 2>, 2>: an element of it has 2 indices, found 0",
              model="inner")
        wrong("ioo > 1", "column 1: the model has no signal `ioo`; did you mean `io`?")
        wrong("temperature > 1", "column 1: the model has no signal `temperature`")
        wrong("tim > 1", "column 1: the model has no signal `tim`; did you mean `time`?")
        wrong("vo > 1", "column 1: `vo` is tensor<real, 3>: an element of it has 1 index, found 0")
        wrong("1 < mo[1]", "column 5: `mo` is tensor<tensor<real, 2>, 2>: an element of it has 2 indices, found 1")
        wrong("io[0] > 1", "column 1: `io` is int: an element of it has 0 indices, found 1")
        wrong("vo[3] > 1", "column 4: index 3 is outside a dimension of length 3")
        wrong("vo[i] > 1", "column 4: expected an index, found `i] > 1`")
        wrong("vo[0 > 1", "column 6: expected `]`, found `> 1`")
        wrong("io = 1", "column 4: expected `==`, found `= 1`")
        wrong("io => 1", "column 4: expected `>=`, found `=> 1`")
        wrong("io =< 1", "column 4: expected `<=`, found `=< 1`")
        wrong("io > 1 bo", "column 8: expected an operator, found `bo`")
        wrong("(io > 1", "column 8: expected `)`, found the end")
        wrong("bo > 1", "column 1: `>` takes numbers, this is a bool")
        wrong("bo == 1", "column 7: `==` takes bools, this is a number")
        wrong("1 < io < 2", "column 1: `<` takes numbers, this is a bool")
        wrong("bo and io", "column 8: `and` takes bools, this is a number")
        wrong("not io", "column 5: `not` takes bools, this is a number")
        wrong("-bo < 1", "column 2: `-` takes numbers, this is a bool")
        wrong("io > 1x", "column 6: expected a number, found `1x`")
        wrong("(" * 101 + "io > 1", "column 101: it is nested too deeply".replace("101", "102"))
        wrong("c ** 2 > 1", "column 4: expected a number or a name, found `* 2 > 1`", "counter")
        twice = "counter: `--until` is given twice; join the conditions by `or`\n"
        self.run_model("counter", "--until=c > 1", "--until=c > 2", status=2, err=twice)
        self.run_model("counter", "--until=time > 1", status=2, err="counter: `--until` needs the time of a "
                       "step: give `--dt SECONDS`, or the model a constant `n.dt`\n")

    # --- random conditions -------------------------------------------------------------------------

    def rows(self, choose):
        """Inputs of `mixed`, and for each step what names stand for."""
        rows = []
        for _ in range(ROWS):
            b, n, i = choose.random() < 0.5, choose.randrange(5), choose.randrange(-4, 5)
            v = [choose.randrange(-4, 5) / 2 for _ in range(3)]
            m = [choose.choice([0.0, 1.5, -2.0, float("nan"), float("inf")]) for _ in range(4)]
            rows.append((b, n, i, *v, *m))
        self.write("in.csv", "b,n,i,v[0],v[1],v[2],m[0][0],m[0][1],m[1][0],m[1][1]\n" + "".join(
            ",".join(str(cell).lower() for cell in row) + "\n" for row in rows))
        names = []
        for step, (b, n, i, *rest) in enumerate(rows):
            v, m = np.array(rest[:3]), np.array(rest[3:]).reshape(2, 2)
            names.append({
                "b": b, "n": np.float64(n), "i": np.float64(i), "v": v, "m": m, "bo": not b,
                "no": np.float64(n + 1), "io": np.float64(-i), "vo": 2 * v, "mo": m + 1,
                "time": np.float64(step * 0.5), "step": np.float64(step),
            })
        return names

    def number(self, choose, depth):
        kind = choose.randrange(12 if depth > 0 else 6)
        if kind < 2:
            return choose.choice(["0", "1", "2.5", ".5", "1e0", "3"])
        if kind < 4:
            return choose.choice(["n", "i", "no", "io", "time", "step"])
        if kind < 6:
            return choose.choice(["v[0]", "vo[2]", "m[0, 1]", "m[1][0]", "mo[1][1]", "v[ 1 ]"])
        if kind < 7:
            return "-" + self.number(choose, depth - 1)
        if kind < 8:
            return f"({self.number(choose, depth - 1)})"
        operator = choose.choice([" + ", " - ", "*", " / ", "-"])
        return self.number(choose, depth - 1) + operator + self.number(choose, depth - 1)

    def truth(self, choose, depth):
        kind = choose.randrange(10 if depth > 0 else 4)
        if kind < 1:
            return choose.choice(["b", "bo", "true", "false"])
        if kind < 5:
            operator = choose.choice([" < ", "<=", " > ", ">=", " == ", " != "])
            return self.number(choose, depth) + operator + self.number(choose, depth)
        if kind < 6:
            return f"not {self.truth(choose, depth - 1)}"
        if kind < 7:
            return f"({self.truth(choose, depth - 1)})"
        if kind < 8:
            return f"(b) {choose.choice(['==', '!='])} ({self.truth(choose, depth - 1)})"
        return self.truth(choose, depth - 1) + choose.choice([" and ", " or "]) + self.truth(choose, depth - 1)

    def test_random_conditions(self):
        choose = random.Random(6)
        steps = self.rows(choose)
        values = {"true": True, "false": False, "double": np.float64}
        ends = set()
        for _ in range(300):
            condition = self.truth(choose, 4)
            code = compiled(condition)
            with np.errstate(all="ignore"):
                holds = [bool(eval(code, {**values, **names})) for names in steps]
            expected = holds.index(True) + 1 if any(holds) else ROWS
            ends.add(expected)
            found = self.count(condition, "--in=in.csv", "--dt=0.5", model="mixed", held=any(holds))
            self.assertEqual(found, expected, condition)
        self.assertGreater(len(ends), 10)


if __name__ == "__main__":
    unittest.main()
