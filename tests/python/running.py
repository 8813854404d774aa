#!/usr/bin/env python3
"""Runs, instances and traps. Usage: running.py TMLC."""

import os
import pickle
import resource
import signal
import subprocess
import sys
import threading
import time
import unittest
import unittest.mock

import numpy as np
from package_test import INTERRUPTED_WITHIN, LAG, MIXED, TMLC, TRAPS, PackageTest, slow, tmlc

SLOW = slow(100000)

DEBUG = LAG.replace("    t.y = x\n", '    t.y = x\n    debug("error", t.u - x, "how far")\n')


def lag(u, k):
    """By hand."""
    x, y = 0.0, []
    for value in u:
        y.append(x)
        x += k * (value - x)
    return np.array(y)


def mixed_inputs(steps, seed=1):
    random = np.random.default_rng(seed)
    return {
        "b": random.integers(0, 2, steps).astype(bool),
        "n": random.integers(0, 1 << 32, steps).astype(np.uint32),
        "i": random.integers(-1000, 1000, steps).astype(np.int32),
        "m": random.normal(size=(steps, 2, 2)),
        "v": random.normal(size=(steps, 2, 3)),
    }


class Running(PackageTest):
    def test_simulate(self):
        model = tmlc.compile(LAG)
        u = np.random.default_rng(0).normal(size=5000)
        self.same(model.simulate({"u": u})["y"], lag(u, 0.5))
        self.same(model.simulate({"u": u}, {"k": 0.25})["y"], lag(u, 0.25))
        self.same(model.simulate({"u": tmlc.hold(2.0)}, steps=5)["y"], lag([2.0] * 5, 0.5))
        for every in [1, 2, 7, 4999, 5000, 10**9]:
            y = model.simulate({"u": u}, every=every)
            self.same(y["y"], lag(u, 0.5)[::every])
            self.assertEqual(list(y.steps), list(range(0, 5000, every)))
        self.assertEqual(model.simulate({"u": []})["y"].shape, (0,))
        self.assertEqual(model.simulate({"u": tmlc.hold(1)}, steps=0)["y"].shape, (0,))

    def test_all_types(self):
        model = tmlc.compile(MIXED)
        given = mixed_inputs(1000)
        y = model.simulate(given, {"gain": [0.5, 4.0], "by": -2})
        count = np.arange(1000, dtype=np.uint32)
        for name, expected in {
            "bo": ~given["b"],
            "no": given["n"] + count,
            "io": given["i"] * np.int32(-2),
            "mo": given["m"] * np.array([0.5, 4.0]),
            "vo": given["v"] * 0.5,
        }.items():
            self.same(y[name], expected)
        del given["n"]
        self.same(model.simulate(given)["no"], 7 + count)
        one = model.instance({"gain": [0.5, 4.0], "by": -2})
        for k in range(20):
            step = one.step({name: array[k] for name, array in given.items()}, n=np.uint16(k))
            self.assertEqual(step["no"], 2 * k)
            self.assertIs(type(step["bo"]), np.bool_)
            for name in ["bo", "io", "mo", "vo"]:
                self.same(np.asarray(step[name]), np.asarray(y[name][k]))

    def test_blocks(self):
        """Longer runs than a buffer holds, in slices of any length, with every."""
        from tmlc import _run

        model, given = tmlc.compile(MIXED), mixed_inputs(3000)
        expected = {every: model.simulate(given, every=every).to_structured() for every in [1, 3, 1000]}
        for size in [200, 1000, 5000]:
            with unittest.mock.patch.object(_run, "BUFFER_BYTES", size):
                for every, rows in expected.items():
                    self.same(model.simulate(given, every=every).to_structured(), rows)

    def test_what_is_told(self):
        model = tmlc.compile(MIXED, define={"n.dt": 0.25, "p.label": '"other"'}, name="mixed")
        self.assertEqual(model.name, "mixed")
        self.assertEqual(model.inputs["v"].type, "tensor<tensor<real, 3>, 2>")
        self.assertEqual((model.inputs["v"].shape, model.inputs["v"].levels), ((2, 3), ((2,), (3,))))
        self.assertEqual(model.outputs["mo"].type, "tensor<real, 2, 2>")
        self.assertEqual(model.inputs["n"].default, 7)
        self.assertIsNone(model.inputs["b"].default)
        self.assertEqual(model.inputs["n"].dtype, np.uint32)
        self.assertTrue(model.inputs["b"].feedthrough)
        self.same(model.params["gain"].default, np.array([1.0, 2.0]))
        self.assertEqual(model.constants["dt"].default, 0.25)
        self.assertEqual(model.constants["label"].default, "other")
        self.assertEqual(list(model.state), ["count"])
        self.assertEqual(
            repr(model), "<tmlc.Model mixed: inputs b, n, i, m, v; outputs bo, no, io, mo, vo; params gain, by>"
        )

    def test_literals_of_define(self):
        for value, text in [
            (True, "true"), (3, "3"), (-0.5, "-0.5"), (1e300, "1e+300"), ([1, 2], "[1, 2]"), ("sum", "sum"),
            (np.array([[1.0, 2.0], [3.0, 4.0]]), "[1.0, 2.0; 3.0, 4.0]"), (np.array([True, False]), "[true, false]"),
            (np.float32(0.5), "0.5"), (np.uint32(2**32 - 1), "4294967295u"), (np.uint32(7), "7"), (-(2**31), "-2147483648"),
            ([2**31, 1], "[2147483648u, 1u]"), ([2**31, -1], "[2147483648.0, -1.0]"), ([[2**32], [0]], "[4294967296.0; 0.0]"),
            (10**15, "1000000000000000.0"), (np.arange(4).reshape(2, 1, 2), "reshape([0, 1, 2, 3], 2, 1, 2)"),
        ]:
            self.assertEqual(tmlc._source.literal(value), text)
        model = tmlc.compile(MIXED, define={"p.gain": np.array([0.1, 1e-30]), "n.dt": 1 / 3})
        self.same(model.params["gain"].default, np.array([0.1, 1e-30]))
        self.assertEqual(model.constants["dt"].default, 1 / 3)
        model = tmlc.compile("tunable tensor<real, 2> p.r = 0\ntunable tensor<uint, 2> p.n = 0u\nout real t.y\n"
                             "fn output_fnc():\n    t.y = p.r[0] + p.n[0]\nend\n",
                             define={"p.r": [2**31, -1], "p.n": np.array([2**32 - 1, 0], np.uint32)})
        self.same(model.params["r"].default, np.array([2.0**31, -1.0]))
        self.same(model.params["n"].default, np.array([2**32 - 1, 0], np.uint32))

    def test_hardware(self):
        source = "in<tensor<int, 2>, 0x40012400, dma> adc\nout<real, 0x40000400, ext> duty\n" \
                 "fn output_fnc():\n    duty <- <-adc[1] * 0.5\nend\n"
        model = tmlc.compile(source)
        self.assertEqual(model.inputs["io_adc"].io, tmlc.Io(0x40012400, True, None))
        self.assertEqual(model.outputs["io_duty"].io, tmlc.Io(0x40000400, False, "ext"))
        self.assertEqual(list(model.simulate({"io_adc": [[1, 2], [3, 5]]})["io_duty"]), [1.0, 2.5])

    def test_debug_signals(self):
        self.assertEqual(tmlc.compile(DEBUG).debug, {})
        model = tmlc.compile(DEBUG, debug_signals=True)
        self.assertEqual(model.debug["error"].text, "how far")
        one = model.instance()
        one.step(u=3.0)
        self.assertEqual(dict(one.debug), {"error": 3.0})
        one.step(u=3.0)
        self.assertEqual(dict(one.debug), {"error": 1.5})

    def test_connect(self):
        source = LAG.replace("out real", "optional in real t.v\nout real")
        self.assertEqual(list(tmlc.compile(source).inputs), ["u"])
        model = tmlc.compile(source, connect=["t.v"])
        self.assertEqual(list(model.inputs), ["u", "v"])
        self.assertTrue(model.inputs["v"].optional)

    # --- instances -------------------------------------------------------------------------------

    def test_instance(self):
        model = tmlc.compile(LAG)
        one, u = model.instance({"k": 0.25}), np.arange(20.0)
        self.assertEqual([one.step(u=value)["y"] for value in u], list(lag(u, 0.25)))
        one.reset({"k": 0.5})
        self.same(one.run({"u": u})["y"], lag(u, 0.5))
        self.assertEqual(one.state["x"], lag(np.append(u, 0), 0.5)[-1])
        one.state["x"] = 8.0
        one.params["k"] = 1.0
        self.assertEqual([one.step(u=1.0)["y"], one.step(u=1.0)["y"]], [8.0, 1.0])
        self.assertEqual(dict(one.params), {"k": 1.0})

    def test_snapshots(self):
        model = tmlc.compile(LAG)
        u = np.random.default_rng(2).normal(size=100)
        whole = model.simulate({"u": u}, {"k": 0.3})["y"]
        for cut in [0, 1, 50, 99]:
            one = model.instance({"k": 0.3})
            one.run({"u": u[:cut]})
            kept = one.snapshot()
            copy = pickle.loads(pickle.dumps(one))
            for _ in range(2):
                self.same(one.run({"u": u[cut:]})["y"], whole[cut:])
                one.restore(kept)
            one.restore(pickle.loads(pickle.dumps(kept)))
            self.same(one.run({"u": u[cut:]})["y"], whole[cut:])
            self.same(copy.run({"u": u[cut:]})["y"], whole[cut:])
        with self.raises(ValueError, "the snapshot is of another model"):
            one.restore(tmlc.compile(MIXED).instance().snapshot())

    def test_pickled_instances(self):
        """Nothing runs when one comes back, and one that has trapped has done so there, too."""
        model = tmlc.compile("in int t.by\nout int t.y\ntunable int p.k = 0\nint x = 1\nfn init_fnc():\n"
                             "    x = 10 / p.k\nend\nfn output_fnc():\n    t.y = x / t.by\nend\n")
        one = model.instance({"k": 2})
        self.assertEqual(pickle.loads(pickle.dumps(one)).step(by=1)["y"], 5)
        with self.assertRaises(tmlc.Trap):
            one.step(by=0)
        copy = pickle.loads(pickle.dumps(one))
        for each in [one, copy]:
            with self.raises(RuntimeError, "the instance has trapped; `reset` it, or `restore` a snapshot"):
                each.step(by=1)
            self.assertEqual((each.params["k"], each.state["x"]), (2, 5))
        copy.reset()
        self.assertEqual(copy.step(by=1)["y"], 5)

    def test_memory(self):
        """A million steps and ten thousand runs take no memory that stays."""
        model = tmlc.compile(LAG)
        one, u = model.instance(), np.ones(10)

        def most():
            return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

        def steps(count):
            for _ in range(count):
                one.step(u=1.0)

        steps(10000)
        for _ in range(1000):
            model.simulate({"u": u})
        before = most()
        steps(1000000)
        for _ in range(10000):
            model.simulate({"u": u})
        self.assertLess(most() - before, 256)  # kB

    def test_threads_share_an_instance(self):
        one = tmlc.compile(LAG).instance()
        u = np.ones(200000)
        threads = [threading.Thread(target=one.run, args=({"u": u},)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(one.state["x"], 1.0)

    def test_interrupt(self):
        """Ctrl-C is heard within 0.2 s, and the instance can go on."""
        for source, steps in [(LAG, 10**9), (SLOW, 10**6)]:
            one = tmlc.compile(source).instance()
            fired = []

            def fire():
                time.sleep(0.5)
                fired.append(time.perf_counter())
                os.kill(os.getpid(), signal.SIGINT)

            threading.Thread(target=fire).start()
            with self.assertRaises(KeyboardInterrupt):
                one.run({"u": tmlc.hold(1.0)}, steps=steps, every=10**6)
            self.assertLess(time.perf_counter() - fired[0], INTERRUPTED_WITHIN)
            self.assertEqual(len(one.run({"u": tmlc.hold(1.0)}, steps=3).steps), 3)

    # --- traps -----------------------------------------------------------------------------------

    def test_trap(self):
        model = tmlc.compile(TRAPS, name="traps")
        for at in [0, 1, 5, 700, 2999]:
            for every in [1, 7]:
                with self.raises(tmlc.Trap, f"<stdin>:8:17: trap[E1001]: index {at + 5} is outside a dimension of "
                                            f"length 3 (step {at})") as caught:
                    model.simulate({"at": tmlc.hold(at)}, steps=3000, every=every)
                trap = pickle.loads(pickle.dumps(caught.exception))
                for each in [trap, caught.exception]:
                    found = (each.code, each.file, each.line, each.column, each.step, each.index, each.length)
                    self.assertEqual(found, ("E1001", "<stdin>", 8, 17, at, at + 5, 3))
                self.assertEqual(list(caught.exception.outputs["y"]), list(range(0, at, every)))

    def test_instance_that_trapped(self):
        one = tmlc.compile(TRAPS).instance()
        one.step(at=1)
        kept = one.snapshot()
        with self.raises(tmlc.Trap, "<stdin>:8:17: trap[E1001]: index 6 is outside a dimension of length 3"):
            one.step(at=1)
        for use in [lambda: one.step(at=9), lambda: one.run({"at": [9]}), one.snapshot]:
            with self.raises(RuntimeError, "the instance has trapped; `reset` it, or `restore` a snapshot"):
                use()
        one.restore(kept)
        self.assertEqual(one.step(at=9)["y"], 1)
        one.reset()
        self.assertEqual(one.step(at=9)["y"], 0)

    def test_other_traps(self):
        component = "in int t.u\nout int t.y\nfn output_fnc():\n    {}\nend\n"
        for line, message in [
            ("t.y = 10 % t.u", "4:11: trap[E1002]: integer division by zero"),
            ('assert(t.u > 0, "u is low")\n    t.y = t.u', "4:5: trap[E1004]: assertion failed: u is low"),
            ("t.y = 0\n    for k = 0:8:t.u:\n        t.y = k\n    end",
             "5:17: trap[E1003]: the step of the loop is zero"),
        ]:
            with self.subTest(line=line):
                model = tmlc.compile(component.format(line))
                with self.raises(tmlc.Trap, f"<stdin>:{message} (step 1)"):
                    model.simulate({"u": [1, 0]})
        with self.assertRaises(tmlc.Trap) as caught:
            tmlc.compile(component.format("t.y = t.u").replace(
                "= t.u", "= t.u + a").replace("fn out", "int a = 0\nfn init_fnc():\n    a = 3 % a\nend\nfn out")).instance()
        self.assertIsNone(caught.exception.step)

    # --- results ---------------------------------------------------------------------------------

    def test_results(self):
        given = mixed_inputs(10)
        y = tmlc.compile(MIXED).simulate(given, every=4)
        self.assertEqual(list(y), ["bo", "no", "io", "mo", "vo"])
        self.assertEqual(repr(y), "<tmlc.Results of 3 rows: bo (3,), no (3,), io (3,), mo (3, 2, 2), vo (3, 2, 3)>")
        rows = y.to_structured()
        self.assertEqual(rows.dtype.names, ("bo", "no", "io", "mo", "vo"))
        self.same(rows["mo"], y["mo"])
        self.assertEqual(list(y.columns())[3:8], ["mo[0][0]", "mo[0][1]", "mo[1][0]", "mo[1][1]", "vo[0][0]"])
        self.same(y.columns()["vo[1][2]"], y["vo"][:, 1, 2])
        with self.assertRaises(KeyError) as caught:
            y["x"]
        self.assertIn("`x` is no output; there are: bo, no, io, mo, vo", str(caught.exception))

    def test_inputs_of_other_kinds(self):
        model, u = tmlc.compile(LAG), np.arange(4.0)
        structured = np.zeros(4, [("u", "f8")])
        structured["u"] = u
        expected = lag(u, 0.5)
        for given in [{"u": list(u)}, structured, {"u": u.astype(">f8")}, {"u": np.repeat(u, 2)[::2]},
                      {"u": u.astype(np.int16)}, {"u": u.astype(np.float32)}, {"u": [0, 1, 2, 3]}]:
            self.same(model.simulate(given)["y"], expected)

    def test_plot_and_pandas(self):
        """With modules that write down what they are told."""
        told = []

        class Axes:
            def plot(self, steps, values, label):
                told.append((list(steps), list(values), label))

            def set_xlabel(self, text):
                told.append(text)

            def legend(self):
                pass

        y = tmlc.compile(LAG).simulate({"u": [1.0, 1.0, 1.0]}, every=2)
        pyplot = unittest.mock.Mock()
        pyplot.subplots.return_value = (None, Axes())
        with unittest.mock.patch.dict(sys.modules, {"matplotlib": unittest.mock.Mock(), "matplotlib.pyplot": pyplot}):
            y.plot()
            with self.assertRaises(KeyError):
                y.plot("z")
        self.assertEqual(told, [([0, 2], [0.0, 0.75], "y"), "step"])
        pandas = unittest.mock.Mock()
        with unittest.mock.patch.dict(sys.modules, {"pandas": pandas}):
            y.to_pandas()
        self.assertEqual(list(pandas.DataFrame.call_args.args[0]["y"]), [0.0, 0.75])
        self.assertEqual(list(pandas.Index.call_args.args[0]), [0, 2])
        for name, method, package in [("pandas", y.to_pandas, "python3-pandas"),
                                      ("matplotlib.pyplot", y.plot, "python3-matplotlib")]:
            with unittest.mock.patch.dict(sys.modules, {name: None}), self.assertRaises(ImportError) as caught:
                method()
            self.assertIn(package, str(caught.exception))

    def test_loaded(self):
        folder = self.folder()
        subprocess.run([TMLC, "-", "--prefix=lag", "-o", folder / "liblag.so"], input=LAG, text=True, check=True)
        model = tmlc.load(folder / "liblag.so")
        u = np.arange(5.0)
        for each in [model, pickle.loads(pickle.dumps(model))]:
            self.assertEqual(each.name, "lag")
            self.same(each.simulate({"u": u})["y"], lag(u, 0.5))
        self.assertEqual(tmlc.load(folder / "liblag.so", "lag").name, "lag")

    def test_loaded_again(self):
        """What was made again is read again, whether it is another file or written over; what was loaded stays."""
        source = "{}in real t.u\nout real t.y\nfn output_fnc():\n    t.y = {} * t.u\nend\n"
        folder, models = self.folder(), []
        path = folder / "libgain.so"

        def made(factor, functions=""):
            subprocess.run([TMLC, "-", "--prefix=gain", "--emit=shared,json", "-o", folder / "libgain"],
                           input=source.format(functions, factor), text=True, check=True)

        def gains():
            return [float(model.simulate({"u": [1.0]})["y"][0]) for model in models]

        for factor in [1.0, 2.0]:
            made(factor)
            models.append(tmlc.load(path))
        made(3.0)
        other = path.read_bytes()
        made(2.0)
        path.write_bytes(other)
        models.append(tmlc.load(path))
        self.assertEqual(gains(), [1.0, 2.0, 3.0])
        made(4.0, "fn twice(real x) real:\n    return 2.0 * x\nend\n")
        self.assertEqual(tmlc.load(path).twice(4.0), 8.0)


if __name__ == "__main__":
    unittest.main()
