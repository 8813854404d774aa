#!/usr/bin/env python3
"""What is watched inside a model. Usage: watches.py HOST."""

import os
import unittest

import numpy as np

from simulation import Simulation

TRAP = "m.tml:12:5: trap[E1001]: index 7 is outside a dimension of length 3 (step {})\n"
FIELDS = [
    ("u", "<f8"), ("t.y", "<f8"), ("y", "<f8"), ("axis[0].u", "<i4"), ("axis[0].v", "<i4"),
    ("axis[1].u", "<i4"), ("axis[1].v", "<i4"), ("m", "<f8", (2, 2)), ("mode.odd", "|b1"),
    ("seen", "<f8"), ("late", "<i4"),
]  # fmt: skip


def expected(u):
    """All signals of the model `inner`, as its description in models.h says."""
    k = np.arange(len(u))
    table = np.zeros(len(u), np.dtype(FIELDS))
    table["u"] = u
    table["y"] = 10 + k
    table["t.y"] = u + (10 + k)
    for i in (0, 1):
        table[f"axis[{i}].u"] = k * (i + 1)
        table[f"axis[{i}].v"] = -k * (i + 1)
        table["m"][:, i, 1 - i] = k * (0.5 + i)
    table["mode.odd"] = k % 2 == 0
    table["seen"] = 2 * u
    table["late"] = 2 * (k + 1)
    return table


class Watches(Simulation):
    def inner(self, u, *args, **more):
        np.save(self.folder / "u.npy", u)
        return self.run_model("inner", "--in=u=u.npy", *args, **more)

    def columns(self, *args):
        """The columns that --watch ARGS adds, by name."""
        out = self.inner(np.array([1.0, 2.0]), *[f"--watch={names}" for names in args])
        header, *rows = [line.split(",") for line in out.splitlines()]
        self.assertTrue(all(len(row) == len(header) for row in rows))
        return dict(zip(header, zip(*rows)))

    def usage(self, *args, err, model="inner"):
        given = ["--in=u=u.npy"] if model == "inner" else ["--steps=1"]
        self.run_model(model, *given, *args, status=2, err=f"{model}: {err}\n")
        self.assertEqual(self.files(), [])

    def test_columns(self):
        self.assertEqual(
            self.inner(np.array([1.0, 2.5]), "--watch=seen,axis[1].u,late,u"),
            "t.y,seen,axis[1].u,late,u\n11.0,2.0,0,2,1.0\n13.5,5.0,2,4,2.5\n",
        )

    def test_names(self):
        self.assertEqual(list(self.columns("seen")), ["t.y", "seen"])
        self.assertEqual(list(self.columns("axis[?].u")), ["t.y", "axis[0].u", "axis[1].u"])
        self.assertEqual(list(self.columns("axis[0].*", "*.odd")),
                         ["t.y", "axis[0].u", "axis[0].v", "mode.odd"])
        self.assertEqual(list(self.columns("m")), ["t.y", "m[0][0]", "m[0][1]", "m[1][0]", "m[1][1]"])
        self.assertEqual(list(self.columns("m[1][0]")), ["t.y", "m[1][0]"])
        self.assertEqual(list(self.columns("m[1][0],m")),
                         ["t.y", "m[1][0]", "m[0][0]", "m[0][1]", "m[1][1]"])
        self.assertEqual(list(self.columns("m[?][1]")), ["t.y", "m[0][1]", "m[1][1]"])
        self.assertEqual(list(self.columns(" late , u ")), ["t.y", "late", "u"])
        self.assertEqual(list(self.columns("y")), ["t.y", "y"])
        self.assertEqual(list(self.columns("t.*")), ["y", "u"])
        self.assertEqual(list(self.columns("*")), ["t.y", "u", "y", "axis[0].u", "axis[0].v", "axis[1].u",
                         "axis[1].v", "m[0][0]", "m[0][1]", "m[1][0]", "m[1][1]", "mode.odd", "seen", "late"])

    def test_wrong_names(self):
        self.usage("--watch=sean", err="`--watch`: this model has no signal `sean`; did you mean `seen`?")
        self.usage("--watch=axis[2].u", err="`--watch`: this model has no signal `axis[2].u`; did you mean "
                   "`axis[0].u`?")
        self.usage("--watch=m[2][0]", err="`--watch`: this model has no signal `m[2][0]`; see `inner --describe`")
        self.usage("--watch=u,,y", err="`--watch` needs names of signals, found `u,,y`")
        self.usage("--watch=", err="`--watch` needs names of signals, found ``")
        self.usage("--watch=zz*", err="`--watch`: this model has no signal `zz*`; see `inner --describe`")
        self.usage("--watch=t.seen", err="`--watch`: this model has no signal `t.seen`; did you mean `seen`?")
        self.usage("--watch=kp", model="tunables",
                   err="`--watch`: `p.kp` keeps its value while the model runs")
        self.usage("--watch=seen", "--out=y=y.csv",
                   err="`--watch` has no file for its columns; give `--trace FILE`, or `--out FILE` for all outputs")
        self.usage("--trace=", err="`--trace` needs FILE, found ``")
        self.usage("--trace=a", "--trace=b", err="`--trace` is given twice")
        self.usage("--trace=u.npy", err="`u.npy` is given for an input and the trace")
        self.usage("--trace=y.csv", "--out=y.csv", err="`y.csv` is given for an output and the trace")
        self.usage("--trace=t.vcd", err="cannot write `t.vcd`: the trace is .csv or .npy, not .vcd")
        self.usage("--out=y=y.MAT", err="cannot write `y.MAT`: an output is .csv or .npy, not .mat")
        self.usage("--trace=-", err="`-` is given for the trace; give `--out FILE` for the outputs")

    def test_traces(self):
        for steps in (0, 1, 1023, 1024, 1025, 5000):
            u = np.random.default_rng(steps).uniform(0, 1000, steps)
            table = expected(u)
            for every in (1, 3, 1500):
                out = self.inner(u, "--trace=t.npy", f"--every={every}")
                found = np.load(self.folder / "t.npy", allow_pickle=False)
                self.assertEqual(found.dtype, table.dtype)
                np.testing.assert_array_equal(found, table[::every])
                self.assertEqual(out, "y\n" + "".join(f"{y!r}\n" for y in table["t.y"][::every].tolist()))
        self.inner(u, "--trace=t.csv", "--out=y=y.npy")
        names = self.read("t.csv").split("\n", 1)[0].split(",")
        self.assertEqual(names[:3] + names[-1:], ["u", "t.y", "y", "late"])
        cells = np.loadtxt(self.folder / "t.csv", delimiter=",", skiprows=1)
        flat = np.hstack([table[name].reshape(len(u), -1) for name in table.dtype.names])
        np.testing.assert_array_equal(cells, flat)

    def test_traces_of_some(self):
        u = np.arange(3000.0) % 7
        table = expected(u)
        self.inner(u, "--watch=late,m[1][0],mode.odd", "--trace=t.npy", "--out=y.csv")
        found = np.load(self.folder / "t.npy")
        self.assertEqual(found.dtype, np.dtype([("late", "<i4"), ("m[1][0]", "<f8"), ("mode.odd", "|b1")]))
        np.testing.assert_array_equal(found["m[1][0]"], table["m"][:, 1, 0])
        np.testing.assert_array_equal(found[["late", "mode.odd"]], table[["late", "mode.odd"]])
        self.assertEqual(self.read("y.csv").split("\n", 1)[0], "y")
        self.assertEqual(self.inner(u[:2], "--watch=late", "--trace=-", "--out=y.csv"), "late\n2\n4\n")

    def test_elements_in_another_order(self):
        self.run_model("large", "--steps=3", "--watch=y[1],y[0],y[2],y[19999]", "--trace=t.npy", "--out=y.csv")
        found = np.load(self.folder / "t.npy")
        self.assertEqual(found.dtype.names, ("y[1]", "y[0]", "y[2]", "y[19999]"))
        self.assertEqual(found["y[19999]"].tolist(), [0, 1, 2])
        self.run_model("large", "--steps=3", "--trace=t.npy", "--out=/dev/null")
        self.assertEqual(np.load(self.folder / "t.npy")["y"].shape, (3, 20000))
        self.run_model(
            "large", "--steps=3", "--watch=y[1*]", "--trace=t.npy", "--out=y.csv", status=3,
            err="large: `t.npy`: a .npy file has no room for the names of so many signals; write CSV\n",
        )

    def test_looking_changes_nothing(self):
        u = np.random.default_rng(3).uniform(0, 9, 3000)
        self.inner(u, "--out=y=a.npy")
        self.inner(u, "--out=y=b.npy", "--trace=t.npy")
        self.assertEqual((self.folder / "a.npy").read_bytes(), (self.folder / "b.npy").read_bytes())

    def test_traps(self):
        for wrong in (-1.0, 2000.0):
            for step in (0, 1023, 1024, 2500):
                u = np.ones(3000)
                u[step] = wrong
                self.inner(u, "--trace=t.npy", "--out=y=y.npy", status=101, err=TRAP.format(step))
                np.testing.assert_array_equal(np.load(self.folder / "t.npy"), expected(u[:step]))
                self.assertEqual(len(np.load(self.folder / "y.npy")), step)

    def test_files_that_fail(self):
        u = np.ones(3000)
        for name in ("/dev/full",):
            self.inner(u, f"--trace={name}", "--out=y.csv", status=3,
                       err=f"inner: cannot write `{name}`: No space left on device\n")
        self.inner(u, "--trace=none/t.csv", status=3,
                   err="inner: cannot write `none/t.csv`: No such file or directory\n")
        os.symlink("y.csv", self.folder / "same.csv")
        self.inner(u, "--trace=same.csv", "--out=y.csv", status=2,
                   err="inner: `same.csv` is given for an output and the trace\n")
        reader, writer = os.pipe()
        os.close(reader)
        self.inner(u, "--watch=*", stdout=writer, status=3)
        self.inner(u, "--trace=-", "--out=y.csv", stdout=writer, status=3)
        os.close(writer)


if __name__ == "__main__":
    unittest.main()
