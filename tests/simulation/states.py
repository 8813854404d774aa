#!/usr/bin/env python3
"""States that are kept and gone on from. Usage: states.py HOST."""

import os
import stat
import unittest

import numpy as np

from simulation import Simulation

STATE = "s.state"
HEADER = 8 + 4 + 4 + 5 * 8


class States(Simulation):
    def inner(self, u, *args, **more):
        np.save(self.folder / "u.npy", u)
        return self.run_model("inner", "--in=u=u.npy", *args, **more)

    def traced(self, u, *args):
        self.inner(u, *args, "--out=y=y.npy", "--trace=t.npy")
        return np.load(self.folder / "t.npy"), np.load(self.folder / "y.npy")

    def test_two_runs_are_one(self):
        u = np.random.default_rng(5).uniform(0, 9, 5000)
        table, y = self.traced(u, f"--save-state={STATE}")
        whole = (self.folder / STATE).read_bytes()
        for cuts in ([1], [1024], [4999], [0, 0, 3000], [1023, 1025, 2500]):
            parts, before = [], 0
            for end in [*cuts, 5000]:
                start = [f"--from-state={STATE}"] if parts else []
                parts.append(self.traced(u[before:end], f"--save-state={STATE}", *start))
                before = end
            np.testing.assert_array_equal(np.concatenate([part[0] for part in parts]), table)
            np.testing.assert_array_equal(np.concatenate([part[1] for part in parts]), y)
            self.assertEqual((self.folder / STATE).read_bytes(), whole)

    def test_steps_are_counted_on(self):
        u = np.ones(30)
        self.inner(u[:7], f"--save-state={STATE}")
        out = self.inner(u[7:], f"--from-state={STATE}", "--every=5")
        self.assertEqual(out, "y\n" + "".join(f"{11.0 + k!r}\n" for k in (10, 15, 20, 25)))
        u[4] = -1
        self.inner(
            u[:8], f"--from-state={STATE}", "--out=y.csv", status=101,
            err="m.tml:12:5: trap[E1001]: index 7 is outside a dimension of length 3 (step 11)\n",
        )
        self.inner(
            u[:3], f"--from-state={STATE}", "--out=y.csv", "--steps=4", status=3,
            err="u.npy: error: 3 rows, `--steps` asks for 4\n",
        )
        self.assertEqual(self.inner(u[:3], f"--from-state={STATE}", "--steps=2"), "y\n18.0\n19.0\n")

    def test_inputs_by_time_go_on(self):
        wave = "--in=u=ramp(1, at=0.5)"
        rows = "time,u\n" + "".join(f"{k * 0.25!r},{k % 5}\n" for k in range(40))
        self.write("u.csv", rows)
        for source in ([wave], ["--in=u.csv", "--time=time"]):
            whole = self.run_model("inner", *source, "--dt=0.25", "--steps=40").splitlines()
            self.run_model("inner", *source, "--dt=0.25", "--steps=13", f"--save-state={STATE}")
            rest = self.run_model("inner", *source, "--dt=0.25", "--steps=27", f"--from-state={STATE}")
            self.assertEqual(rest.splitlines()[1:], whole[14:])
        self.write("u.csv", "time,u\n5.0,1\n6.0,1\n")
        self.run_model(
            "inner", "--in=u.csv", "--time=time", "--dt=0.25", f"--from-state={STATE}", "--out=y.csv",
            status=3, err="u.csv:2:1: error: the first row is at the time 5.0; the first step is at 3.25\n",
        )

    def test_only_a_good_end_is_kept(self):
        self.write(STATE, "old")
        os.chmod(self.folder / STATE, 0o640)
        u = np.ones(5)
        u[3] = -1
        self.inner(u, f"--save-state={STATE}", status=101,
                   err="m.tml:12:5: trap[E1001]: index 7 is outside a dimension of length 3 (step 3)\n")
        self.inner(u[:2], "--steps=3", f"--save-state={STATE}", status=3,
                   err="u.npy: error: 2 rows, `--steps` asks for 3\n")
        self.inner(u[:2], "--out=/dev/full", f"--save-state={STATE}", status=3,
                   err="inner: cannot write `/dev/full`: No space left on device\n")
        self.assertEqual(self.read(STATE), "old")
        self.inner(u[:2], f"--save-state={STATE}")
        self.assertEqual(stat.S_IMODE((self.folder / STATE).stat().st_mode), 0o640)
        self.assertEqual(self.files(), [STATE, "u.npy"])

    def test_places_that_fail(self):
        u = np.ones(2)
        self.inner(u, "--save-state=/dev/full", status=3,
                   err="inner: cannot write `/dev/full`: No space left on device\n")
        out = self.inner(u, "--save-state=none/s", status=3,
                         err="inner: cannot write `none/s`: No such file or directory\n")
        self.assertEqual(out, "")  # before the first step
        self.inner(u, "--plot=none/y.svg", status=3,
                   err="inner: cannot write `none/y.svg`: No such file or directory\n")
        self.inner(u, "--from-state=none", "--out=y.csv", status=3,
                   err="inner: cannot open `none`: No such file or directory\n")
        self.inner(u, "--from-state=.", "--out=y.csv", status=3,
                   err=".: error: cannot be read: Is a directory\n")
        self.inner(u, "--save-state=", status=2, err="inner: `--save-state` needs FILE, found ``\n")
        self.inner(u, "--save-state=a", "--save-state=b", status=2,
                   err="inner: `--save-state` is given twice\n")
        self.inner(u, "--save-state=y.csv", "--out=y.csv", status=2,
                   err="inner: `y.csv` is given for an output and the state\n")
        self.inner(u, "--from-state=u.npy", status=2,
                   err="inner: `u.npy` is given for an input and the state\n")
        self.inner(u, f"--save-state={STATE}")
        self.inner(u, f"--from-state={STATE}", f"--trace=./{STATE}", status=2,
                   err=f"inner: `{STATE}` is given for the trace and the state\n")
        self.inner(u, f"--from-state={STATE}", f"--save-state={STATE}")
        (self.folder / STATE).unlink()
        self.assertEqual(self.files(), ["u.npy"])

    def test_states_that_do_not_fit(self):
        self.inner(np.ones(3), f"--save-state={STATE}")
        data = (self.folder / STATE).read_bytes()
        self.assertEqual(data[:8], b"TMLSTATE")

        def refuses(bytes_, message, model="inner"):
            self.write("bad.state", bytes_)
            given = ["--in=u=u.npy"] if model == "inner" else ["--steps=1"]
            self.run_model(model, *given, "--from-state=bad.state", "--out=y.csv", status=3,
                           err=f"bad.state: error: {message}\n")
            self.assertNotIn("y.csv", self.files())

        for size in (0, 7):
            refuses(data[:size], "the file is no state of a simulation")
        for size in (8, HEADER - 1, HEADER, HEADER + 4, HEADER + 5, len(data) - 1):
            end = HEADER if size < HEADER else HEADER + 5 if size < HEADER + 5 else len(data)
            refuses(data[:size], f"the file is cut short, {end - size} bytes are missing")
        refuses(data + b"x", "more follows after the state")
        refuses(b"NOSTATES" + data[8:], "the file is no state of a simulation")
        refuses(data[:8] + data[8:12][::-1] + data[12:], "the state is of a machine with the other byte order")
        refuses(data[:12] + b"\2" + data[13:], "version 2 of states is not known")
        refuses(data[:20] + b"y" + data[21:],
                "the state is of another `inner`: its variables are not those of this one")
        for size in (b"\0", b"\1"):
            refuses(data[:32] + size + data[33:], "the file is damaged")
        refuses(data[:32] + b"\xff" * 8 + data[40:], "cannot get memory")
        refuses(data[:48] + b"\xff" * 8 + data[56:], "the file is damaged")
        refuses(data[:-3] + b"xyz", "the file is damaged")
        refuses(data, "the state is of the model `inner`, this is `counter`", "counter")


if __name__ == "__main__":
    unittest.main()
