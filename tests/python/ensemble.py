#!/usr/bin/env python3
"""Many runs by the workers of Dask, some of which are killed. Usage: ensemble.py TMLC [--speed]."""

import faulthandler
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import threading
import time
import unittest

try:
    from dask.distributed import Client, LocalCluster
except ImportError as error:
    sys.exit(f"{error}: scripts/setup installs it")

import numpy as np  # noqa: E402
from package_test import LAG, SPEED, TMLC, PackageTest, tmlc  # noqa: E402
from tmlc import _batch, _ensemble  # noqa: E402

SOURCE = """in real t.u
in real t.w = 0.25
out real t.y
out tensor<real, 2> t.z
tunable real p.a = 0.5
tunable tensor<tensor<real, 2>, 1> p.v = [[1.0, 2.0]]
tunable int p.limit = 1000000
real x = 0.0
int k = 0
fn output_fnc():
    assert(k < p.limit, "below the limit")
    t.y = x
    t.z = [k * p.a, -x]
end
fn update_fnc():
    x += p.a * (t.u - x) + p.v[0][0] * t.w - p.v[0][1] * t.w
    k += 1
end
"""
RUNS, STEPS = 20000, 500


def files(store):
    return {str(path.relative_to(store)): path.read_bytes() for path in sorted(store.rglob("*")) if path.is_file()}


class Ensemble(PackageTest):
    @classmethod
    def setUpClass(cls):
        cls.cluster = LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50,
            local_directory=os.environ["TMLC_CACHE"],
        )
        cls.client = Client(cls.cluster)
        cls.model = tmlc.compile(SOURCE, name="part")

    @classmethod
    def tearDownClass(cls):
        cls.client.close()
        cls.cluster.close()

    def given(self, runs=RUNS):
        limit = np.full(runs, 10**6, "i4")
        limit[::1000] = np.arange(len(limit[::1000]))  # traps
        return {
            "inputs": {"u": np.random.default_rng(4).normal(size=STEPS)},
            "params": {"limit": limit, "v": [[0.5, 0.75]]},
            "sample": {"a": tmlc.uniform(0.4, 0.6)},
            "seed": 11,
        }

    def alone(self, reduce, **given):
        return self.model.simulate_many(given.pop("inputs"), given.pop("params"), reduce=reduce, **given)

    def same_runs(self, found, expected):
        self.assertEqual(list(found), list(expected))
        for name in expected:
            self.same(found[name], expected[name])
        self.assertEqual(sorted(found.params), sorted(expected.params))
        for name in expected.params:
            self.same(found.params[name], expected.params[name])
        self.assertEqual({run: str(trap) for run, trap in found.traps.items()},
                         {run: str(trap) for run, trap in expected.traps.items()})

    def kill_workers(self, ready):
        """Kills both workers, each when `ready` says so."""
        self.client.wait_for_workers(2, timeout=60)
        pids = list(self.client.run(os.getpid).values())
        self.assertEqual(len(pids), 2)

        def work():
            for turn, pid in enumerate(pids):
                while not ready(turn):
                    time.sleep(0.005)
                os.kill(pid, signal.SIGKILL)

        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        return thread

    def test_same_as_alone(self):
        given = self.given()
        for reduce in ["last", "mean"]:
            found = tmlc.ensemble(self.model, client=self.client, reduce=reduce, **given)
            self.same_runs(found, self.alone(reduce, **given))
        self.same_runs(tmlc.ensemble(self.model, reduce="last", **given), self.alone("last", **given))
        each = {"u": np.random.default_rng(5).normal(size=(300, 40)), "w": tmlc.hold(0.5)}
        found = tmlc.ensemble(self.model, client=self.client, inputs=each, reduce="all")
        self.same_runs(found, self.model.simulate_many(each))

    def test_tasks_are_large(self):
        """What is done once, as loading, does not make short runs look long."""
        _batch.library.cache_clear()
        _ensemble._model.cache_clear()
        feed = _batch.ManyFeed(self.model, {"u": np.ones(STEPS)}, None)
        job = _ensemble._Job(pickle.dumps(self.model), {}, 0, STEPS, "last")
        size = _ensemble._task_runs(job, feed, _batch.Params(self.model, {}), 10**6)
        began = time.process_time()
        self.model.simulate_many({"u": np.ones(STEPS)}, runs=size, reduce="last", threads=1)
        self.assertGreater(time.process_time() - began, 0.05)
        self.assertEqual(_ensemble._task_runs(job, feed, _batch.Params(self.model, {}), 0), 1)

    def test_workers_that_are_killed(self):
        """Their runs are made again, and are the same bytes."""
        given = {**self.given(), "inputs": {"u": np.random.default_rng(4).normal(size=60000)}}
        began = time.perf_counter()
        thread = self.kill_workers(lambda turn: time.perf_counter() - began > 0.5 + 0.4 * turn)
        found = tmlc.ensemble(self.model, client=self.client, **given)
        self.assertFalse(thread.is_alive(), f"done after {time.perf_counter() - began} s")
        self.same_runs(found, self.alone("last", **given))

    def test_store(self):
        """The store of the executable, byte by byte, with workers killed while it grows."""
        folder, given = self.folder(), self.given()
        (folder / "part.tml").write_text(SOURCE)
        model = tmlc.compile(folder / "part.tml")
        subprocess.run([TMLC, folder / "part.tml", "-o", "part"], cwd=folder, check=True)
        np.save(folder / "u.npy", given["inputs"]["u"])
        (folder / "limit.csv").write_text("limit\n" + "".join(f"{limit}\n" for limit in given["params"]["limit"]))
        subprocess.run(
            ["./part", "--in=u=u.npy", "--params=limit.csv", "--set=v=[[0.5, 0.75]]", "--sample=a~uniform(0.4,0.6)",
             "--seed=11", f"--runs={RUNS}", "--keep=mean", "--out=alone.zarr"],
            cwd=folder, check=True, capture_output=True,
        )
        store = folder / "tasks.zarr"
        thread = self.kill_workers(lambda turn: len(list(store.glob("y/*"))) > 20 + 40 * turn)
        self.assertEqual(
            tmlc.ensemble(model, client=self.client, reduce="mean", store=store, **given), str(store)
        )
        self.assertFalse(thread.is_alive())
        self.maxDiff = 1000
        whole = files(folder / "alone.zarr")
        self.assertEqual(set(files(store)), set(whole))
        self.assertTrue(files(store) == whole)
        # What is there is not made again.
        before = {path: path.stat().st_mtime_ns for path in store.glob("y/[0-9]*")}
        tmlc.ensemble(model, reduce="mean", store=store, **given)
        self.assertEqual({path: path.stat().st_mtime_ns for path in store.glob("y/[0-9]*")}, before)
        with self.assertRaises(RuntimeError) as caught:
            tmlc.ensemble(model, client=self.client, reduce="last", store=store, **given)
        self.assertIn("keep", str(caught.exception))
        self.assertTrue(files(store) == whole)

    def test_store_of_any_file(self):
        """Whatever suffix the name of the source seems to have, it is a program that is made of it."""
        folder = self.folder()
        for name in ["lag.v2.tml", "lag.so.tml", "lag.json.tml", "model.o.tml"]:
            (folder / name).write_text(LAG)
            model, store = tmlc.compile(folder / name, cpu="generic"), str(folder / f"{name}.zarr")
            found = tmlc.ensemble(model, runs=3, inputs={"u": tmlc.hold(1.0)}, steps=2, store=store)
            self.assertEqual(found, store)
            self.same(np.frombuffer(pathlib.Path(store, "y", "0").read_bytes()), np.array([0.5]))

    def test_store_of_any_values(self):
        """What goes to the program as a literal has the bits that it has without a store."""
        types = {"n": "uint", "r": "real", "c": "tensor<real, 2, 1, 3>", "q": "tensor<real, 2, 2, 1, 2>",
                 "d": "tensor<tensor<real, 2>, 2, 3>", "e": "tensor<tensor<real, 2, 1, 2>, 3>"}
        names = [name for name in types if name not in "nr"]
        model = tmlc.compile("".join(f"tunable {kind} p.{name} = 1\n" for name, kind in types.items()) + "out real t.y\n"
                             + "".join(f"out {types[name]} t.{name}\n" for name in names)
                             + "fn output_fnc():\n    t.y = p.n + p.r\n"
                             + "".join(f"    t.{name} = p.{name}\n" for name in names) + "end\n", cpu="generic")
        random, folder = np.random.default_rng(6), self.folder()
        values = {name: random.normal(size=model.params[name].shape) for name in names}
        values.update(n=2**32 - 1, r=10**15)
        tmlc.ensemble(model, values, runs=1, steps=1, store=folder / "x.zarr")
        expected = model.simulate_many(params=values, runs=1, steps=1, reduce="last")
        for name in ["y", *names]:
            file, = (folder / "x.zarr" / name).glob("[0-9]*")
            self.assertEqual(file.read_bytes(), expected[name].tobytes())
        for name in names:
            given = tmlc._source.literal(values[name], model.params[name].levels)
            text = f"{types[name]} n.v = 1\nout {types[name]} t.y\nfn output_fnc():\n    t.y = n.v\nend\n"
            found = tmlc.compile(text, define={"n.v": given}).simulate(steps=1)
            self.same(found["y"][0], values[name])

    def test_wrong_calls(self):
        model, u = tmlc.compile(LAG), {"u": np.ones(3)}
        subprocess.run([TMLC, "-", "-o", self.folder_of_loaded() / "liblag.so"], input=LAG, text=True, check=True)
        loaded = tmlc.load(self.folder_of_loaded() / "liblag.so")
        for call, kind, message in [
            (lambda: tmlc.ensemble(model, client=self.client, inputs=u), TypeError,
             "how many runs? No input and no property has one for each; give `runs`"),
            (lambda: tmlc.ensemble(model, {"q": [1]}, self.client, inputs=u), TypeError,
             "`q` is no tunable property; there are: k"),
            (lambda: tmlc.ensemble(model, inputs=u, runs=1, store="runs"), ValueError,
             "`store` is a folder whose name ends in .zarr, not runs"),
            (lambda: tmlc.ensemble(model, inputs={"u": np.ones((2, 3))}, store="runs.zarr"), TypeError,
             "with a store all runs have the same inputs, and `u` is of each run"),
            (lambda: tmlc.ensemble(model, inputs=u, runs=1, reduce="none", store="runs.zarr"), ValueError,
             "with a store something is kept; `reduce` is none"),
            (lambda: tmlc.ensemble(loaded, inputs=u, runs=1, store="runs.zarr"), TypeError,
             "the source of a model that was loaded is not known"),
        ]:
            with self.subTest(message=message), self.raises(kind, message):
                call()
        self.assertFalse(pathlib.Path("runs.zarr").exists())

    def folder_of_loaded(self):
        if not hasattr(self, "_loaded"):
            self._loaded = self.folder()
        return self._loaded

    @unittest.skipUnless(SPEED, "of a machine that does nothing else")
    def test_speed(self):
        """Tasks cost less than 15 % of some seconds; what is tried first, to choose their size, is a tenth of one."""
        given = {**self.given(400000), "inputs": {"u": np.ones(5000)}}
        del given["params"]["limit"]
        tmlc.ensemble(self.model, client=self.client, runs=1000, **given)  # compiled
        began = time.perf_counter()
        tmlc.ensemble(self.model, client=self.client, runs=400000, **given)
        middle = time.perf_counter()
        self.alone("last", runs=400000, threads=2, **given)
        alone = time.perf_counter() - middle
        print(f"Dask takes {(middle - began) / alone:.3f} times the {alone:.2f} s of two threads")
        self.assertLess(middle - began, 1.15 * alone)


if __name__ == "__main__":
    faulthandler.dump_traceback_later(300, exit=True)
    unittest.main()
