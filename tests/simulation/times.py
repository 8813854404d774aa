#!/usr/bin/env python3
"""Rows that are taken by time, compared with NumPy. Usage: times.py HOST."""

import subprocess
import unittest

import numpy as np

from simulation import HOST, Simulation

SAME = ["--set", "kp=1", "--set", "ki=0"]  # of `pi`: y = e
LOG = "time,e\n0,1\n0.05,2\n0.1,3\n0.25,4\n0.4,5\n"


def table(out):
    names, *rows = out.splitlines()
    return names, np.array([[float(cell) for cell in row.split(",")] for row in rows])


class Times(Simulation):
    def by_time(self, *args, model="pi", dt="0.1", **more):
        return self.run_model(model, *args, *SAME, f"--dt={dt}", "--time=time", **more)

    def test_rows_are_held(self):
        self.write("log.csv", LOG)
        out = self.by_time("--in=log.csv")
        self.assertEqual(out, "time,y\n0.0,1.0\n0.1,3.0\n0.2,3.0\n0.30000000000000004,4.0\n0.4,5.0\n")
        out = self.by_time("--in=log.csv", "--interpolate")
        names, rows = table(out)
        np.testing.assert_array_equal(
            rows[:, 1], np.interp(rows[:, 0], [0, 0.05, 0.1, 0.25, 0.4], [1, 2, 3, 4, 5])
        )
        self.assertEqual((names, len(rows)), ("time,y", 5))

    def test_random_times(self):
        random = np.random.default_rng(4)
        for scale in (0.003, 0.01, 0.2):
            times = np.concatenate([[-0.5, -0.25], np.cumsum(random.uniform(0, scale, 3000))])
            values = random.normal(size=times.size)
            rows = "".join(f"{v!r},{t!r}\n" for t, v in zip(times.tolist(), values.tolist()))
            self.write("log.csv", "e,time\n" + rows)
            steps = int(np.floor(times[-1] / 0.01 + 1e-9)) + 1
            t = np.arange(steps) * 0.01
            held = values[np.searchsorted(times, t + 1e-11, "right") - 1]
            for flags, expected in (([], held), (["--interpolate"], np.interp(t, times, values))):
                names, found = table(self.by_time("--in=log.csv", *flags, dt="0.01"))
                np.testing.assert_array_equal(found[:, 0], t)
                if flags:
                    np.testing.assert_allclose(found[:, 1], expected, rtol=1e-12, atol=1e-12)
                else:
                    np.testing.assert_array_equal(found[:, 1], expected)

    def test_other_types_are_held(self):
        self.write("log.csv", "time,b,n,i,v[0],v[1],v[2],m[0][0],m[0][1],m[1][0],m[1][1]\n"
                              "0,0,1,5,0,0,0,1,1,1,1\n4,1,7,-5,4,8,12,2,2,2,nan\n")
        args = ["mixed", "--in=log.csv", "--time=time", "--dt=1", "--interpolate"]
        self.assertEqual(
            self.run_model(*args),
            "time,bo,no,io,vo[0],vo[1],vo[2],mo[0][0],mo[0][1],mo[1][0],mo[1][1]\n"
            "0.0,1,2,-5,0.0,0.0,0.0,2.0,2.0,2.0,2.0\n"
            "1.0,1,2,-5,2.0,4.0,6.0,2.25,2.25,2.25,nan\n"
            "2.0,1,2,-5,4.0,8.0,12.0,2.5,2.5,2.5,nan\n"
            "3.0,1,2,-5,6.0,12.0,18.0,2.75,2.75,2.75,nan\n"
            "4.0,0,8,5,8.0,16.0,24.0,3.0,3.0,3.0,nan\n",
        )

    def test_several_files(self):
        """Each has its own times; sources and arrays are by step."""
        self.write("a.csv", "time,x,n\n0,1,5\n2,0,6\n")
        self.write("b.csv", "i,time\n1,-1\n2,1\n3,2\n")
        np.save(self.folder / "v.npy", np.arange(9.0).reshape(3, 3))
        args = ["mixed", "--in=b=a.csv:x", "--in=n=a.csv", "--in=i=b.csv", "--in=v=v.npy", "--in=m=step(at=1)"]
        out = self.run_model(*args, "--time=time", "--dt=1", "--strict-columns", status=3,
                             err="a.csv:1:6: error: no input is named `x`\n")
        self.assertEqual(out, "")
        out = self.run_model(*args, "--time=time", "--dt=1", "--out=bo=b", "--out=no=n", "--out=io=i", "--out=vo=v",
                             "--out=mo=-")
        self.assertEqual(out, "time,mo[0][0],mo[0][1],mo[1][0],mo[1][1]\n0.0,1.0,1.0,1.0,1.0\n"
                              "1.0,2.0,2.0,2.0,2.0\n2.0,2.0,2.0,2.0,2.0\n")
        self.assertEqual(self.read("b"), "time,bo\n0.0,0\n1.0,0\n2.0,1\n")
        self.assertEqual(self.read("i"), "time,io\n0.0,-1\n1.0,-2\n2.0,-3\n")
        self.assertEqual(self.read("v").splitlines()[3], "2.0,12.0,14.0,16.0")

    def test_outputs(self):
        self.write("log.csv", LOG)
        self.by_time("--in=log.csv", "--out=y.csv", "--every=2", "--trace=trace.npy")
        self.assertEqual(self.read("y.csv"), "time,y\n0.0,1.0\n0.2,3.0\n0.4,5.0\n")
        trace = np.load(self.folder / "trace.npy")
        self.assertEqual(trace.dtype.names[0], "time")
        np.testing.assert_array_equal(trace["time"], np.arange(0, 5, 2) * 0.1)
        np.testing.assert_array_equal(trace["y"], [1, 3, 5])
        self.by_time("--in=log.csv", "--out=y=y.npy")
        np.testing.assert_array_equal(np.load(self.folder / "y.npy"), [1, 3, 3, 4, 5])
        again = self.run_model("pi", "--in=e=y.csv:y", *SAME, "--time=time", "--dt=0.4")
        self.assertEqual(again, "time,y\n0.0,1.0\n0.4,5.0\n")

    def test_ends(self):
        self.write("log.csv", LOG)
        self.assertEqual(self.by_time("--in=log.csv", "--steps=2"), "time,y\n0.0,1.0\n0.1,3.0\n")
        out = self.by_time("--in=log.csv", "--steps=6", status=3,
                           err="log.csv:7:1: error: the input ends after 5 steps, `--steps` asks for 6\n")
        self.assertEqual(len(out.splitlines()), 6)
        self.assertEqual(len(self.by_time("--in=log.csv", dt="0.3").splitlines()), 3)
        self.assertEqual(self.by_time("--in=log.csv", dt="1"), "time,y\n0.0,1.0\n")
        self.write("log.csv", "time,e\n")
        self.assertEqual(self.by_time("--in=log.csv"), "time,y\n")
        self.write("n.csv", "n,time\n1,0\n2,3\n")
        self.write("i.csv", "i,time\n1,0\n2,2\n")
        args = ["mixed", "--in=b=true", "--in=n=n.csv", "--in=v=0", "--in=m=0", "--in=i=i.csv", "--time=time", "--dt=1"]
        out = self.run_model(
            *args, "--out=io=-", status=3,
            err="i.csv:4:1: error: the input ends after 3 steps, `n.csv` has more\n",
        )
        self.assertEqual(out, "time,io\n0.0,-1\n1.0,-1\n2.0,-2\n")

    def test_wrong_times(self):
        def refuses(rows, message, out):
            self.write("log.csv", "e,time\n" + rows)
            err = f"log.csv:{message}\n"
            self.assertEqual(self.by_time("--in=log.csv", status=3, err=err), "time,y\n" + out)

        one = "0.0,1.0\n"
        refuses("1,0.2\n", "2:3: error: the first row is at the time 0.2; the first step is at 0", "")
        refuses("1,nan\n", "2:3: error: `nan` in column `time` is no time", "")
        refuses("1,0\n2,0\n", "3:3: error: the time 0.0 is not after 0.0, that of the row before", one)
        refuses("1,0\n2,0.1\n3,0.05\n", "4:3: error: the time 0.05 is not after 0.1, that of the row before",
                one + "0.1,2.0\n")
        refuses("1,0\n2,inf\n", "3:3: error: `inf` in column `time` is no time", one)
        refuses("1,0\n2,x\n", "3:3: error: `x` in column `time` is not a number", one)
        refuses("1,0\n2,\n", "3:3: error: the cell of column `time` is empty", one)
        refuses("1,0\n2\n", "3:1: error: the row ends before column `time`: 1 of 2 cells", one)

    def test_headers(self):
        self.write("log.csv", LOG.replace("time", "Time"))
        self.by_time("--in=log.csv", status=3,
                     err="log.csv:1:1: error: no column is named `time`; did you mean `Time`?\n")
        self.write("log.csv", LOG.replace("time", "x"))
        self.by_time("--in=log.csv", status=3,
                     err="log.csv:1:1: error: the column `time` is missing; the file has `x`\n")
        self.write("log.csv", "time,e,Time [s]\n7,1,0\n8,2,0.1\n")
        note = "log.csv:1:1: note: the column `time` is not read\n"
        out = self.run_model("pi", "--in=log.csv", *SAME, "--time=Time [s]", "--dt=0.1", err=note)
        self.assertEqual(out, "time,y\n0.0,1.0\n0.1,2.0\n")

    def test_usage(self):
        def wrong(args, message):
            self.run_model("pi", *args, status=2, err=f"pi: {message}\n")

        self.write("log.csv", LOG)
        needs = "needs the time of a step: give `--dt SECONDS`, or the model a constant `n.dt`"
        wrong(["--in=log.csv", "--time=time"], f"`--time` {needs}")
        wrong(["--in=log.csv", "--interpolate"], "`--interpolate` needs `--time COLUMN`")
        wrong(["--in=log.csv", "--time=e", "--dt=1"], "`--time`: the column `e` is an input")
        wrong(["--in=e=log.csv:time", "--time=time", "--dt=1"], "`--time`: the column `time` is an input")
        wrong(["--in=e=log.npy", "--time=time", "--dt=1"], "`--time` takes rows of CSV files; no input comes from one")
        wrong(["--in=log.csv", "--time=", "--dt=1"], "`--time` needs the name of a column, found ``")
        wrong(["--in=log.csv", "--time=a", "--time=b"], "`--time` is given twice")

    def test_rows_of_a_pipe_are_answered_at_once(self):
        process = subprocess.Popen(
            [HOST, "pi", "--in", "-", "--time=time", "--dt=0.5", *SAME],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        process.stdin.write("time,e\n0,1\n")
        process.stdin.flush()
        self.assertEqual([process.stdout.readline() for _ in range(2)], ["time,y\n", "0.0,1.0\n"])
        process.stdin.write("0.25,2\n0.5,3\n")
        process.stdin.flush()
        self.assertEqual(process.stdout.readline(), "0.5,3.0\n")
        out, _ = process.communicate("1.5,4\n")
        self.assertEqual((out, process.returncode), ("1.0,3.0\n1.5,4.0\n", 0))


if __name__ == "__main__":
    unittest.main()
