#!/usr/bin/env python3
"""Inputs that come from no file: defaults, values, and what is computed; and from columns of other
names. What is computed is compared with NumPy, with Philox as its authors' paper has it, and with
Python's inverse of the normal distribution. Usage: sources.py HOST."""

import math
import os
import statistics
import unittest

import numpy as np

from simulation import Simulation

SAME = ["--set", "kp=1", "--set", "ki=0"]  # of `pi`: y = e
M = "m=[[1, 2], [3, 4]]"


class Defaults(Simulation):
    """The model computes u + v[0] * v[1] + k; v is [1, 2] and k is -3 where nothing gives them."""

    def runs(self, text, out, *args):
        self.write("in.csv", text)
        self.assertEqual(self.run_model("given", *args), out)

    def test_columns_of_a_file_with_all_inputs(self):
        self.runs("u\n1\n2\n", "y\n0.0\n1.0\n", "--in", "in.csv")
        self.runs("k,u\n1,1\n7,2\n", "y\n4.0\n11.0\n", "--in", "in.csv")
        self.runs("v[1],u,v[0]\n1,1,5\n7,2,5\n", "y\n3.0\n34.0\n", "--in", "in.csv")
        rows = 3000
        self.runs("u\n" + "1\n" * rows, "y\n" + "0.0\n" * rows, "--in", "in.csv")

    def test_files_for_single_inputs(self):
        self.runs("u\n1\n2\n", "y\n0.0\n1.0\n", "--in", "u=in.csv")
        self.runs("u,k\n1,3\n2,3\n", "y\n6.0\n7.0\n", "--in", "u=in.csv", "--in=k=in.csv")

    def test_what_is_missing(self):
        def refuses(text, err, *args, status=3):
            self.write("in.csv", text)
            self.assertEqual(self.run_model("given", *args, status=status, err=err), "")

        refuses("k\n1\n", "in.csv:1:1: error: the column `u` is missing\n", "--in=in.csv")
        refuses("u,v[1]\n1,1\n", "in.csv:1:1: error: the column `v[0]` is missing\n", "--in=in.csv")
        refuses("u\n1\n", "in.csv:1:1: error: the column `k` is missing\n",
                "--in=u=in.csv", "--in=k=in.csv")
        refuses("u\n", "given: the input `u` (real) is missing; give `--in u=FILE`\n", "--in=k=in.csv", status=2)

    def test_help(self):
        self.assertIn("""
inputs:
  u  real
  v  tensor<real, 2>  = [1.0, 2.0]
  k  int              = -3
""", self.run_model("given", "--help"))


def philox(counter, key):
    counter, key = list(counter), list(key)
    for _ in range(10):
        low, high = 0xD2511F53 * counter[0], 0xCD9E8D57 * counter[2]
        counter = [
            high >> 32 ^ counter[1] ^ key[0], high & 0xFFFFFFFF,
            low >> 32 ^ counter[3] ^ key[1], low & 0xFFFFFFFF,
        ]
        key = [(key[0] + 0x9E3779B9) % 2**32, (key[1] + 0xBB67AE85) % 2**32]
    return counter


def normal(seed, step):
    block = philox([step % 2**32, step >> 32, 0, 0], [seed % 2**32, seed >> 32])
    return statistics.NormalDist().inv_cdf(((block[0] << 32 | block[1]) // 2**12 + 0.5) / 2**52)


class Waves(Simulation):
    def values(self, wave, *args, model="pi", steps=1000, dt=0.01):
        out = self.run_model(model, "--in", f"e={wave}", *SAME, f"--steps={steps}", f"--dt={dt}", *args)
        return np.array([float(line) for line in out.splitlines()[1:]])

    def same(self, wave, expected, **more):
        np.testing.assert_array_equal(self.values(wave, **more), expected)

    def test_step(self):
        t = np.arange(1000)
        self.same("step()", np.ones(1000))
        self.same("step(2.5, at=0.5)", np.where(t >= 50, 2.5, 0))
        self.same("step(-1, 0.29, 3)", np.where(t >= 29, -1, 3))
        self.same("step ( from = 1e2 , at = 5 , to = M_PI ) ", np.where(t >= 500, math.pi, 100))
        self.same("step(at=100)", np.zeros(1000))

    def test_times_are_reached_in_their_step(self):
        # k * dt is below k / n for many of these; the step is k all the same.
        for n in (3, 7, 10, 49, 1000):
            for k in range(1, 60):
                at = k / n
                values = self.values(f"step(1, {at!r})", steps=61, dt=repr(1 / n))
                self.assertEqual(int(values.argmax()), k, (k, n))

    def test_ramp_and_sine(self):
        t = np.arange(1000) * 0.01
        self.same("ramp()", t)
        self.same("ramp(-2, at=1, from=5)", np.where(t > 1, 5 + -2 * (t - 1), 5))
        close = {"rtol": 1e-14, "atol": 1e-14}
        np.testing.assert_allclose(self.values("sine()"), np.sin(2 * np.pi * t), **close)
        np.testing.assert_allclose(
            self.values("sine(0.5, hz=3, offset=-1, phase=0.25)"), -1 + 0.5 * np.sin(2 * np.pi * 3 * t + 0.25),
            **close,
        )

    def test_square(self):
        k = np.arange(1000)
        self.same("square()", np.where(k % 100 < 50, 1, -1))
        self.same("square(2, hz=5, offset=1)", np.where(k % 20 < 10, 3, -1))
        self.same("square(0.5, 2, offset=0.5, duty=0.2)", np.where(k % 50 < 10, 1, 0))
        self.same("square(phase=3.141592653589793)", np.where(k % 100 < 50, -1, 1))
        self.same("square(duty=0)", np.full(1000, -1))
        self.same("square(duty=1)", np.ones(1000))

    def test_noise(self):
        for seed in (0, 1, 12345678901234):
            expected = np.array([normal(seed, step) for step in range(3000)])
            values = self.values(f"noise({seed})", steps=3000)
            np.testing.assert_allclose(values, expected, rtol=3e-15)
            centre = np.abs(expected) < 1.4  # no logarithm there
            np.testing.assert_array_equal(values[centre], expected[centre])
        np.testing.assert_array_equal(
            self.values("noise(5, sigma=0.25, mean=-3)"), -3 + 0.25 * self.values("noise(5)")
        )
        values = self.values("noise(9)", steps=100_000)
        self.assertLess(abs(values.mean()), 0.01)
        self.assertLess(abs(values.std() - 1), 0.01)
        self.assertLess(abs(np.corrcoef(values[1:], values[:-1])[0, 1]), 0.01)

    def test_blocks_make_no_difference(self):
        values = self.values("noise(1)", steps=5000)
        np.testing.assert_array_equal(values[:700], self.values("noise(1)", steps=700))
        self.write("b.csv", "b\n" + "1\n" * 5000)
        args = ["mixed", "--in=b=b.csv", "--in=n=0", "--in=i=0", "--in", M, "--in=v=noise(1)", "--out=vo=-"]
        lines = self.run_model(*args).splitlines()[1:]
        doubled = np.array([[float(cell) for cell in line.split(",")] for line in lines])
        np.testing.assert_array_equal(doubled, np.tile(2 * values, (3, 1)).T)

    def test_singles(self):
        expected = np.array([normal(3, step) for step in range(100)])
        out = self.run_model("single", "--in=e=noise(3)", *SAME, "--steps=100", "--out=y=y.npy")
        self.assertEqual(out, "")
        values = np.load(self.folder / "y.npy")
        self.assertEqual(values.dtype, np.float32)
        np.testing.assert_array_equal(values, expected.astype(np.float32))

    def test_other_types(self):
        args = ["--in", M, "--in=v=sine(hz=0.25)", "--steps=3", "--dt=1"]
        out = self.run_model(
            "mixed", "--in=b=step(at=1)", "--in=n=step(7u, at=2)", "--in=i=square(2, 0.5, offset=-1)", *args,
            "--out=bo=b.csv", "--out=no=n.csv", "--out=io=-",
        )
        self.assertEqual(out, "io\n-1\n3\n-1\n")
        self.assertEqual((self.read("b.csv"), self.read("n.csv")), ("bo\n1\n0\n0\n", "no\n1\n1\n8\n"))

    def test_mistakes(self):
        def wrong(source, message, model="pi", name="e"):
            err = f"{model}: `--in {name}`: {message}\n"
            self.run_model(model, "--in", f"{name}={source}", "--dt=1", "--steps=1", status=2, err=err)

        known = "`to`, `at`, `from`"
        wrong("stpe(1)", "there is no `stpe(...)`; did you mean `step`?")
        wrong("triangle(1)", "there is no `triangle(...)`; there are `step`, `ramp`, `sine`, `square`, `noise`")
        wrong("step(1, 2, 3, 4)", f"`step` takes at most 3 arguments: {known}")
        wrong("step(1, too=2)", "`step` has no argument `too`; did you mean `to`?")
        wrong("step(1, amplitude=2)", f"`step` has no argument `amplitude`; it has {known}")
        wrong("step(1, to=2)", "`to` of `step` is given twice")
        wrong("step(at=1, 2)", "`step`: what follows an argument by name has a name too")
        wrong("step(x)", "`to` of `step` is a number, found `x`")
        wrong("step(1,)", "`at` of `step` is a number, found ``")
        wrong("step(true)", "`to` of `step` is a number, found `true`")
        wrong("step(1e999)", "`to` of `step` is a number, found `1e999`")
        wrong("step([1, 2])", "`to` of `step` is a number, found `[1`")
        wrong("step(nan)", "`to` of `step` is a number, found `nan`")
        wrong("step(1", "expected `,` or `)` in `step(...)`, found the end")
        wrong("step(1))", "`)` follows `step(...)`")
        wrong("step(1) + noise(1)", "`+ noise(1)` follows `step(...)`")
        wrong("square(duty=1.5)", "`duty` of `square` is from 0 to 1")
        wrong("noise(-1)", "`seed` of `noise` is a whole number from 0 on")
        wrong("noise(0.5)", "`seed` of `noise` is a whole number from 0 on")
        wrong("noise(1, -2)", "`sigma` of `noise` is not negative")
        wrong("noise", "`noise` has arguments in parentheses, or none: `noise()`")
        wrong("sine()", "`sine` gives reals, the input is int", "mixed", "i")
        wrong("step(0.5)", "`step` gives 0 and 0.5 here, the input is int", "mixed", "i")
        wrong("step(2)", "`step` gives 0 and 2 here, the input is bool", "mixed", "b")
        wrong("square()", "`square` gives -1 and 1 here, the input is uint", "mixed", "n")

    def test_time(self):
        def wrong(args, message):
            self.run_model("pi", *args, "--steps=1", status=2, err=f"pi: {message}\n")

        needs = "needs the time of a step: give `--dt SECONDS`, or the model a constant `n.dt`"
        wrong(["--in=e=step(1)"], f"`step` {needs}")
        self.assertNotEqual(self.run_model("pi", "--in=e=noise()", "--steps=1"), "")
        for text in ("0", "-1", "nan", "inf", "x", "true", "[1]", "1 s", ""):
            wrong(["--in=e=step(1)", f"--dt={text}"], f"`--dt` needs a number of seconds above 0, found `{text}`")

    def test_the_model_has_its_time(self):
        def times(model, *args):
            return self.run_model(model, "--in", f"{'u' if model == 'given' else 'e'}=ramp()", "--steps=3", *args)

        self.assertEqual(times("given", "--in=k=0"), "y\n2.0\n2.25\n2.5\n")
        self.assertEqual(times("given", "--in=k=0", "--dt=0.25"), times("given", "--in=k=0"))
        self.assertEqual(times("given", "--in=k=0", "--set=dt=1"), "y\n2.0\n3.0\n4.0\n")
        self.assertEqual(times("given", "--in=k=0", "--set=dt=1", "--dt=1"), "y\n2.0\n3.0\n4.0\n")
        for dt in ("0", "-1", "nan", "inf"):  # no time at all: there is none, or that of --dt
            self.assertEqual(times("given", "--in=k=0", f"--set=dt={dt}", "--dt=1"), "y\n2.0\n3.0\n4.0\n")
        # The single next to 0.1 is 0.1 as a time, so that steps come where they should.
        for args in ([], ["--dt=0.1"]):
            self.assertEqual(times("single", *SAME, *args), "y\n0.0\n0.1\n0.2\n")
        self.assertEqual(self.run_model("single", "--in=e=step(at=1)", *SAME, "--until=e == 1").count("\n"), 12)
        err = "given: `--dt` is 1, the model has `p.dt` = 0.25; `--set p.dt=1` gives it another\n"
        self.run_model("given", "--in=u=1", "--dt=1", "--steps=1", status=2, err=err)
        err = "single: `--dt` is 0.2, the model has `n.dt` = 0.1; `tmlc -D n.dt=0.2` gives it another\n"
        self.run_model("single", "--in=e=1", "--dt=0.2", "--steps=1", status=2, err=err)

    def test_closed_and_wrong_streams(self):
        def close(*descriptors):
            return lambda: [os.close(descriptor) for descriptor in descriptors]

        command = ["pi", "--in=e=ramp()", "--dt=1", "--until=e >= 2", *SAME]
        self.assertEqual(self.run_model(*command, preexec_fn=close(0)), "y\n0.0\n1.0\n2.0\n")
        self.run_model("pi", "--in=e=-:x", status=3, preexec_fn=close(0),
                       err="standard input: error: cannot read: Bad file descriptor\n")
        with open("/dev/full", "w") as full:
            self.run_model(*command, status=3, stdout=full,
                           err="pi: cannot write to standard output: No space left on device\n")

    def test_steps(self):
        err = "pi: no input is a file, whose rows would be the steps; give `--steps N` or `--until CONDITION`\n"
        self.run_model("pi", "--in=e=noise()", status=2, err=err)
        self.run_model("pi", "--in=e=1", status=2, err=err)


class Values(Simulation):
    def test_values(self):
        args = ["mixed", "--in=b=true", "--in=n=7", "--in=i=-3", "--in", M, "--steps=2"]
        row = "0,8,3,3.0,4.0,6.0,2.0,3.0,4.0,5.0\n"
        header = "bo,no,io,vo[0],vo[1],vo[2],mo[0][0],mo[0][1],mo[1][0],mo[1][1]\n"
        self.assertEqual(self.run_model(*args, "--in=v=[1.5, 2, 3]"), header + 2 * row)
        self.assertEqual(
            self.run_model(*args, "--in=v=2"), header + 2 * row.replace("3.0,4.0,6.0", "4.0,4.0,4.0")
        )
        self.write("v.csv", "v[0],v[1],v[2]\n1.5,2,3\n")
        self.assertEqual(self.run_model(*args[:-1], "--in=v=v.csv"), header + row)

    def test_defaults_are_replaced(self):
        self.assertEqual(self.run_model("given", "--in=u=0.5", "--steps=1"), "y\n-0.5\n")
        self.assertEqual(self.run_model("given", "--in=u=0.5", "--in=v=3", "--steps=1"), "y\n6.5\n")
        self.assertEqual(self.run_model("given", "--in=k=noise.csv:a", "--in=u=1", status=3,
                                        err="given: cannot open `noise.csv`: No such file or directory\n"), "")

    def test_mistakes(self):
        def wrong(name, text, message):
            self.run_model("mixed", f"--in={name}={text}", status=2, err=f"mixed: `--in {name}`: {message}\n")

        wrong("i", "1.5", "the input is int, the value is real")
        wrong("b", "1", "the input is bool, the value is int; bools are `true` and `false`")
        wrong("n", "-1", "the input is uint, the value is int")
        wrong("v", "[1, 2]", "the input is tensor<real, 3>, the value is tensor<int, 2>")
        wrong("v", "[1, 2", "expected `,`, `;`, `|` or `]`, found the end")
        wrong("i", "[1]", "the input is int, the value is tensor<int, 1>")
        self.run_model("mixed", "--in=v[0]=3", status=2,
                       err="mixed: `--in` gives all of `v`, as in `--in 'v=[1.0, 2.0]'`\n")
        self.run_model("pi", "--in=e=1", "--in=e=2", status=2, err="pi: `--in e` is given twice\n")

    def test_files_of_such_names(self):
        """The spelling alone tells; where a file has such a name too, a note does."""
        for name, kind in (("3", "value"), ("true", "value"), ("step(2)", "source")):
            self.write(name, "e\n5\n")
            note = f"pi: note: `{name}` is a {kind} here, not the file of that name, which is ./{name}\n"
            out = self.run_model("pi", "--in", f"e={name}", *SAME, "--steps=1", "--dt=1", err=note)
            self.assertNotEqual(out, "y\n5.0\n")
            self.assertEqual(self.run_model("pi", "--in", f"e=./{name}", *SAME), "y\n5.0\n")
        self.write("log(1).csv", "e\n5\n")
        self.assertEqual(self.run_model("pi", "--in=e=log(1).csv", *SAME), "y\n5.0\n")
        for text in ("step(1)", "log.csv:a"):
            self.run_model(
                "pi", f"--in={text}", status=2,
                err=f"pi: `{text}` is for one input; give its name: `--in NAME={text}`\n",
            )


class Columns(Simulation):
    """`--in NAME=FILE.csv:COLUMN`."""

    def test_names(self):
        self.write("log.csv", 'time,Motor [V],CH[1],t.e,e,"a,b"\n0,1,2,3,4,5\n1,6,7,8,9,10\n')
        for name, out in (
            ("time", "0.0\n1.0"), ("Motor [V]", "1.0\n6.0"), ("CH[1]", "2.0\n7.0"), ("t.e", "3.0\n8.0"),
            ("e", "4.0\n9.0"), ("a,b", "5.0\n10.0"),
        ):
            for strict in ([], ["--strict-columns"]):
                out_text = self.run_model("pi", "--in", f"e=log.csv:{name}", *SAME, *strict)
                self.assertEqual(out_text, f"y\n{out}\n", name)
        text = self.run_model("pi", "--in", "e=-:Motor [V]", *SAME, stdin=None, input=self.read("log.csv"))
        self.assertEqual(text, "y\n1.0\n6.0\n")

    def test_tensors(self):
        self.write("log.CSV", "w[2],x,w[0],w[1],Pos [m][0],Pos [m][2],Pos [m][1]\n3,9,1,2,4,6,5\n")
        args = ["mixed", "--in=b=true", "--in=n=7", "--in=i=-3", "--in", M, "--out=vo=-"]
        head = "vo[0],vo[1],vo[2]\n"
        self.assertEqual(self.run_model(*args, "--in=v=log.CSV:w"), head + "2.0,4.0,6.0\n")
        self.assertEqual(self.run_model(*args, "--in=v=log.CSV:Pos [m]"), head + "8.0,10.0,12.0\n")
        self.run_model(
            *args, "--in=v=log.CSV:u", status=3,
            err="log.CSV:1:8: error: no column is named `u[0]`; did you mean `w[0]`?\n",
        )

    def test_mistakes(self):
        self.write("log.csv", "time,volts\n0,1\n1,x\n")
        err = "log.csv:1:6: error: no column is named `volt`; did you mean `volts`?\n"
        self.run_model("pi", "--in=e=log.csv:volt", status=3, err=err)
        err = "log.csv:3:3: error: `x` in column `volts` is not a number\n"
        self.assertEqual(self.run_model("pi", "--in=e=log.csv:volts", status=3, err=err), "y\n2.0\n")
        self.run_model(
            "pi", "--in=e=log.csv:", status=2, err="pi: `--in e`: a column follows the `:` of `log.csv:`\n"
        )
        self.run_model(
            "mixed", "--in=b=-:b", "--in=n=-:n", status=2, err="mixed: `-` is given for two inputs\n"
        )
        self.write("log.csv:volts", "e\n7\n")
        self.write("log.csv", "volts\n1\n")
        note = "pi: note: `log.csv:volts` is the column `volts` of `log.csv` here, not the file of that name\n"
        self.assertEqual(self.run_model("pi", "--in=e=log.csv:volts", *SAME, err=note), "y\n1.0\n")


if __name__ == "__main__":
    unittest.main()
