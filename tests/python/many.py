#!/usr/bin/env python3
"""Many runs at once. Usage: many.py TMLC [--speed]."""

import csv
import os
import signal
import subprocess
import sys
import threading
import time
import unittest
import unittest.mock

import numpy as np
from package_test import INTERRUPTED_WITHIN, LAG, MIXED, ROOT, SPEED, TMLC, TRAPS, PackageTest, slow, tmlc
from tmlc import _batch

SLOW = slow(20000)

RANDOM = """in real t.u
out real t.y
out tensor<int, 2> t.n
tunable real p.a = 0.5
tunable tensor<real, 2> p.v = [1.0, 2.0]
real x = 0.0
int k = 0
fn output_fnc():
    t.y = x
    t.n = [k, -k]
end
fn update_fnc():
    x += p.a * (t.u - x) + p.v[0] - p.v[1]
    k += 1
end
"""


class Many(PackageTest):
    def same_runs(self, one, other):
        self.assertEqual(list(one), list(other))
        for name in one:
            self.same(one[name], other[name])
        self.assertEqual({run: str(trap) for run, trap in one.traps.items()},
                         {run: str(trap) for run, trap in other.traps.items()})

    def test_against_simulate(self):
        """Each run is what `simulate` gives, and each reduction what NumPy makes of it."""
        model, random = tmlc.compile(MIXED), np.random.default_rng(1)
        runs, steps = 37, 1500
        shared = {"n": random.integers(0, 1 << 32, steps).astype("u4"), "v": random.normal(size=(steps, 2, 3))}
        each = {
            "b": random.integers(0, 2, (runs, steps)).astype(bool),
            "i": random.integers(-99, 99, (runs, steps)).astype("i4"),
            "m": random.normal(size=(runs, steps, 2, 2)),
        }
        gain = random.normal(size=(runs, 2))
        rows = [
            model.simulate({**shared, **{name: array[run] for name, array in each.items()}}, {"gain": gain[run], "by": 2})
            for run in range(runs)
        ]
        expected = {name: np.stack([row[name] for row in rows]).astype(float) for name in model.outputs}
        for reduce, by in [
            ("all", lambda y: y), ("last", lambda y: y[:, -1]), ("max", lambda y: y.max(axis=1)),
            ("mean", lambda y: np.cumsum(y, axis=1)[:, -1] / steps),
            ("rms", lambda y: np.sqrt(np.cumsum(y * y, axis=1)[:, -1] / steps)),
        ]:
            with self.subTest(reduce=reduce):
                found = model.simulate_many({**shared, **each}, {"gain": gain, "by": 2}, reduce=reduce)
                self.assertEqual(list(found), list(model.outputs))
                for name, array in found.items():
                    self.same(array, by(expected[name]))
                self.same(found.params["gain"], gain)
                self.assertEqual((list(found.params), found.traps), (["gain"], {}))
        none = model.simulate_many({**shared, **each}, {"by": 2}, reduce="none")
        self.assertEqual((dict(none), none.runs), ({}, runs))

    def test_threads_and_splits(self):
        """Equal bytes with 1, 2 and 8 threads, and when runs are made in several calls and groups."""
        model = tmlc.compile(RANDOM)
        u = np.random.default_rng(2).normal(size=(1000, 50))
        more = {"sample": {"a": tmlc.uniform(0.4, 0.6), "v": tmlc.normal(0.0, 0.1)}, "seed": 7, "reduce": "mean"}
        whole = model.simulate_many({"u": u}, threads=1, **more)
        for threads in [2, 8, None]:
            self.same_runs(model.simulate_many({"u": u}, threads=threads, **more), whole)
        with unittest.mock.patch.object(_batch, "GROUP_BYTES", 5000):
            self.same_runs(model.simulate_many({"u": u}, **more), whole)
        for cut in [1, 500, 999]:
            parts = [model.simulate_many({"u": u[:cut]}, **more), model.simulate_many({"u": u[cut:]}, first=cut, **more)]
            for name in whole:
                self.same(np.concatenate([part[name] for part in parts]), whole[name])
            self.same(np.concatenate([part.params["a"] for part in parts]), whole.params["a"])
        self.same(model.simulate_many({"u": u}, whole.params, reduce="mean")["y"], whole["y"])

    def test_side_by_side(self):
        """Compiled with --batch: the same bits."""
        u = np.random.default_rng(3).normal(size=300)
        more = {"sample": {"a": tmlc.uniform(0.4, 0.6)}, "runs": 1001, "reduce": "all"}
        model = tmlc.compile(RANDOM, batch=8)
        self.assertEqual((model.table.lanes, tmlc.compile(RANDOM).table.lanes), (8, 0))
        self.same_runs(model.simulate_many({"u": u}, **more), tmlc.compile(RANDOM).simulate_many({"u": u}, **more))
        self.same(model.simulate({"u": u})["y"], tmlc.compile(RANDOM).simulate({"u": u})["y"])

    def test_samples_are_those_of_the_executable(self):
        """Seeds and bits."""
        folder = self.folder()
        (folder / "random.tml").write_text(RANDOM)
        model = tmlc.compile(folder / "random.tml")
        subprocess.run([TMLC, "random.tml", "-o", "random"], cwd=folder, check=True)
        subprocess.run(
            ["./random", "--in", "u=1", "--steps", "40", "--runs", "64", "--seed", "9", "--sample", "a~uniform(0.4,0.6)",
             "--sample", "v~lognormal(0.0,0.25)", "--keep", "last", "--out", "runs.zarr"], cwd=folder, check=True,
            capture_output=True,
        )
        found = model.simulate_many(
            {"u": tmlc.hold(1.0)}, sample={"a": tmlc.uniform(0.4, 0.6), "v": tmlc.lognormal(0.0, 0.25)}, seed=9,
            runs=64, steps=40, reduce="last",
        )
        for name, shape in [("y", (64,)), ("n", (64, 2))]:
            chunks = sorted((folder / "runs.zarr" / name).glob("[0-9]*"), key=lambda path: int(path.stem))
            stored = b"".join(path.read_bytes() for path in chunks)
            self.same(np.frombuffer(stored[: found[name].nbytes]).reshape(shape), found[name])

    def test_sample_of_an_element(self):
        model = tmlc.compile(RANDOM)
        drawn = tmlc.normal(0.0, 0.1)
        more = {"seed": 3, "runs": 9, "steps": 4}
        whole = model.simulate_many({"u": tmlc.hold(1.0)}, sample={"v": drawn}, **more)
        one = model.simulate_many({"u": tmlc.hold(1.0)}, sample={"v[1]": drawn}, **more)
        self.same(one.params["v"][:, 1], whole.params["v"][:, 1])
        self.same(one.params["v"][:, 0], np.full(9, 1.0))
        both = model.simulate_many({"u": tmlc.hold(1.0)}, sample={"v[1]": drawn, "v[0]": drawn}, **more)
        self.same_runs(both, whole)

    def test_sample_of_an_instance(self):
        folder = self.folder()
        (folder / "part.tml").write_text("tunable real p.k = 1.0\nin real t.u\nout real t.y\n"
                                         "fn output_fnc():\n    t.y = p.k * t.u\nend\n")
        (folder / "whole.tml").write_text('in real t.u\nout tensor<real, 2> t.y\ninstance a[2] = "part.tml"()\n'
                                          "connect a.u = [t.u, t.u]\nconnect t.y = a.y\n")
        model = tmlc.compile(folder / "whole.tml")
        found = model.simulate_many({"u": [1.0]}, sample={"a[1].p.k": tmlc.uniform(2.0, 3.0)}, runs=5,
                                    reduce="last")
        self.same(found["y"][:, 0], np.ones(5))
        self.same(found["y"][:, 1], found.params["a[1].p.k"])
        self.assertTrue(np.all(found["y"][:, 1] >= 2.0))

    def test_traps(self):
        model = tmlc.compile(TRAPS)
        at = np.array([3, 100, 0, 100, 7], "i4")
        found = model.simulate_many({"at": np.repeat(at[:, None], 20, axis=1)})
        self.assertEqual(list(found.traps), [0, 2, 4])
        self.assertEqual([trap.step for trap in found.traps.values()], [3, 0, 7])
        self.assertEqual(str(found.traps[4]), "<stdin>:8:17: trap[E1001]: index 12 is outside a dimension of length 3 "
                                              "(step 7)")
        for run, step in enumerate(at):
            expected = np.where(np.arange(20) < step, np.arange(20.0), np.nan)
            np.testing.assert_array_equal(found["y"][run], expected)
        self.assertEqual(repr(found), "<tmlc.Runs, 5 of them, 3 trapped: y (5, 20)>")
        source = LAG.replace("fn output", "fn init_fnc():\n    assert(p.k > 0.0, \"k is positive\")\nend\nfn output")
        traps = tmlc.compile(source).simulate_many({"u": [1.0]}, {"k": [1.0, 0.0]}).traps
        self.assertEqual(list(traps), [1])
        self.assertEqual((traps[1].step, traps[1].text), (None, "k is positive"))

    def test_edges(self):
        model = tmlc.compile(LAG)
        self.assertEqual(model.simulate_many({"u": [1.0]}, runs=0)["y"].shape, (0, 1))
        self.assertEqual(model.simulate_many({"u": []}, runs=3)["y"].shape, (3, 0))
        self.assertTrue(np.isnan(model.simulate_many({"u": []}, runs=3, reduce="last")["y"]).all())
        self.assertEqual(model.simulate_many({"u": tmlc.hold(1)}, runs=2, steps=3)["y"].tolist(), [[0, 0.5, 0.75]] * 2)
        self.assertEqual(tmlc.compile("out int t.y\nfn output_fnc():\n    t.y = 3\nend\n")
                         .simulate_many(runs=2, steps=2)["y"].tolist(), [[3.0, 3.0]] * 2)

    def test_interrupt(self):
        model, fired = tmlc.compile(SLOW), []

        def fire():
            time.sleep(0.5)
            fired.append(time.perf_counter())
            os.kill(os.getpid(), signal.SIGINT)

        for runs, steps in [(10000, 100), (2, 10**6)]:
            before = threading.active_count()
            threading.Thread(target=fire).start()
            with self.assertRaises(KeyboardInterrupt):
                model.simulate_many({"u": tmlc.hold(1.0)}, runs=runs, steps=steps, reduce="last")
            self.assertLess(time.perf_counter() - fired.pop(), INTERRUPTED_WITHIN)
            self.assertEqual(threading.active_count(), before)

    def test_wrong_calls(self):
        model, u = tmlc.compile(RANDOM), np.ones((4, 3))
        for args, named, kind, message in [
            (({"u": u[0]},), {}, TypeError,
             "how many runs? No input and no property has one for each; give `runs`"),
            (({"u": u}, {"a": [1.0] * 5}), {}, ValueError, "these are not of as many runs: `u` 4, `a` 5"),
            (({"u": u},), {"runs": 3}, ValueError, "these are not of as many runs: `runs` 3, `u` 4"),
            (({"u": u},), {"steps": 4}, ValueError, "`u` of a run, `u` has shape (3,), the model takes (4,)"),
            (({"u": u[..., None, None]},), {}, ValueError, "`u` has shape (4, 3, 1, 1), the model takes (4,)"),
            (({"u": u}, {"v": np.ones((4, 3))}), {}, ValueError,
             "`v` of a run, `v` has shape (3,), the model takes (2,)"),
            (({"u": u}, {"q": 1}), {}, TypeError, "`q` is no tunable property; there are: a, v"),
            (({"u": u},), {"sample": {"q": tmlc.normal(0, 1)}}, TypeError, "`q` is no tunable property; there are: a, v"),
            (({"u": u},), {"sample": {"a": 1}}, TypeError, "`a`: a sample is as tmlc.uniform(0.9, 1.1), not 1"),
            (({"u": u},), {"sample": {"a": tmlc.uniform(-1e308, 1e308)}}, ValueError,
             "`a`: values of tmlc.uniform(-1e+308, 1e+308) may be too large for real"),
            (({"u": u},), {"sample": {"v[0]": tmlc.lognormal(702, 1)}}, ValueError,
             "`v[0]`: values of tmlc.lognormal(702.0, 1.0) may be too large for tensor<real, 2>"),
            (({"u": u},), {"sample": {"q[0]": tmlc.normal(0, 1)}}, TypeError, "`q` is no tunable property; there are: a, v"),
            (({"u": u},), {"sample": {"v[2]": tmlc.normal(0, 1)}}, ValueError,
             "`v[2]`: there is no such element, `v` has the shape (2,)"),
            (({"u": u},), {"sample": {"v[0,0]": tmlc.normal(0, 1)}}, ValueError,
             "`v[0,0]`: there is no such element, `v` has the shape (2,)"),
            (({"u": u},), {"sample": {"a[0]": tmlc.normal(0, 1)}}, ValueError,
             "`a[0]`: there is no such element, `a` has the shape ()"),
            (({"u": u},), {"sample": {"v[x]": tmlc.normal(0, 1)}}, ValueError,
             "`v[x]`: there is no such element, `v` has the shape (2,)"),
            (({"u": u},), {"sample": {"v": tmlc.normal(0, 1), "v[0]": tmlc.normal(0, 1)}}, ValueError,
             "`v[0]` is a sample twice: `v` has all elements"),
            (({"u": u}, {"v": np.ones((4, 2))}), {"sample": {"v[0]": tmlc.normal(0, 1)}}, ValueError,
             "`v` is given for each run, and as a sample"),
            (({"u": u}, {"a": np.ones(4)}), {"sample": {"a": tmlc.normal(0, 1)}}, ValueError,
             "`a` is given for each run, and as a sample"),
            (({"u": u},), {"reduce": "first"}, ValueError,
             "`reduce` is one of last, all, max, mean, rms, none; not 'first'"),
            (({"u": u},), {"threads": -1}, ValueError, "`threads` is -1"),
            (({"u": u},), {"seed": 0.5}, TypeError, "`seed` is a whole number, not 0.5"),
        ]:
            with self.subTest(message=message), self.raises(kind, message):
                model.simulate_many(*args, **named)
        with self.raises(TypeError, "`by` is int; samples are of reals"):
            _batch._samples(tmlc.compile(MIXED), {"by": tmlc.normal(0, 1)})
        for make, message in [
            (lambda: tmlc.uniform(1, 1), "uniform(1, 1): the lower end comes first"),
            (lambda: tmlc.normal(0, 0), "normal(0, 0): the deviation is positive"),
            (lambda: tmlc.lognormal(0, -1), "lognormal(0, -1): the deviation is positive"),
            (lambda: tmlc.normal(float("nan"), 1), "tmlc.normal(nan, 1.0) is not of finite numbers"),
            (lambda: tmlc.uniform(0, float("nan")), "uniform(0, nan): the lower end comes first"),
        ]:
            with self.raises(ValueError, message):
                make()
        self.addCleanup(_batch.library.cache_clear)
        _batch.library.cache_clear()
        with unittest.mock.patch.dict(os.environ, {"TMLC": "/bin/sh"}), self.assertRaises(tmlc.MissingCommand) as caught:
            model.simulate_many({"u": u})
        self.assertIn("tmlbatch.so, which is installed with the command", str(caught.exception))

    @unittest.skipUnless(SPEED and len(os.sched_getaffinity(0)) > 1, "of a machine that does nothing else")
    def test_speed(self):
        """Two threads are 1.8 times as fast as one."""
        model = tmlc.compile(ROOT / "examples/dcmotor/dcmotor.tml")
        rows = list(csv.DictReader((ROOT / "examples/dcmotor/input.csv").read_text().splitlines()))
        given = {name: np.array([float(row[name]) for row in rows]) for name in model.inputs}

        def best(threads):
            times = []
            for _ in range(5):
                start = time.perf_counter()
                model.simulate_many(given, runs=50000, reduce="last", threads=threads)
                times.append(time.perf_counter() - start)
            return min(times)

        self.assertGreater(best(1) / best(2), 1.8)


if __name__ == "__main__":
    unittest.main()
