#!/usr/bin/env python3
"""NumPy arrays into a simulation and out of it. Usage: arrays.py HOST."""

import os
import unittest

import numpy as np

from simulation import Simulation

TYPES = {"b": "?", "n": "<u4", "i": "<i4", "v": "<f8", "m": "<f8"}
SHAPES = {"b": (), "n": (), "i": (), "v": (3,), "m": (2, 2)}


class Arrays(Simulation):
    def save(self, name, array, **more):
        np.save(self.folder / name, array, **more)

    def load(self, name):
        return np.load(self.folder / name, allow_pickle=False)

    def mixed(self, steps):
        """Random inputs of the model, and the outputs that they should give."""
        random = np.random.default_rng(steps)
        inputs = {}
        for name, dtype in TYPES.items():
            if dtype == "<f8":
                inputs[name] = random.normal(size=(steps, *SHAPES[name]))
            else:
                inputs[name] = random.integers(0, 2 if dtype == "?" else 1 << 31, steps).astype(dtype)
            self.save(f"{name}.npy", inputs[name])
        outputs = {
            "bo": ~inputs["b"],
            "no": inputs["n"] + np.uint32(1),
            "io": -inputs["i"],
            "vo": 2 * inputs["v"],
            "mo": inputs["m"] + 1,
        }
        return inputs, outputs

    def test_all_types(self):
        for steps in (0, 1, 1023, 1024, 1025, 5000):
            inputs, outputs = self.mixed(steps)
            args = [f"--in={name}={name}.npy" for name in inputs]
            args += [f"--out={name}={name}.npy" for name in outputs]
            self.assertEqual(self.run_model("mixed", *args), "")
            for name, expected in outputs.items():
                found = self.load(f"{name}.npy")
                self.assertEqual(found.dtype, expected.dtype)
                np.testing.assert_array_equal(found, expected)

    def test_every(self):
        inputs, outputs = self.mixed(5000)
        args = [f"--in={name}={name}.npy" for name in inputs]
        for every in (2, 3, 1000, 1024, 1500, 4999, 5000, 10**18):
            self.run_model("mixed", *args, "--out", "vo=vo.npy", "--every", str(every))
            np.testing.assert_array_equal(self.load("vo.npy"), outputs["vo"][::every])

    def test_arrays_and_text_mix(self):
        inputs, outputs = self.mixed(2000)
        lines = ["v[2],v[0],v[1]"]
        lines += [f"{z!r},{x!r},{y!r}" for x, y, z in inputs["v"].tolist()]
        self.write("v.csv", "\n".join(lines) + "\n")
        args = [f"--in={name}={name}.npy" for name in inputs if name != "v"]
        self.run_model("mixed", "--in=v=v.csv", *args, "--out", "y.csv", "--out", "vo=vo.npy")
        np.testing.assert_array_equal(self.load("vo.npy"), outputs["vo"])
        table = np.loadtxt(self.folder / "y.csv", delimiter=",", skiprows=1)
        expected = [outputs[name].reshape(2000, -1) for name in ("bo", "no", "io", "vo", "mo")]
        np.testing.assert_array_equal(table, np.hstack(expected))

    def test_dtypes_that_convert(self):
        values = np.array([0, 1, 1, 0, 1])
        for dtype in ("?", "u1", "i1", "<u2", "<i2", "<u4", "<i4", "<u8", "<i8", "<f4", "<f8"):
            self.save("e.npy", values.astype(dtype))
            result = self.run_model("pi", "--in", "e=e.npy", "--set", "ki=0", "--set", "kp=1")
            self.assertEqual(result, "y\n0.0\n1.0\n1.0\n0.0\n1.0\n", dtype)
        self.mixed(3)
        args = [f"--in={name}={name}.npy" for name in TYPES]
        for dtype in ("?", "u1", "i1", "<u2", "<i2", "<i4"):
            self.save("i.npy", np.array([-1, 0, 1]).astype(dtype))
            expected = -np.array([-1, 0, 1]).astype(dtype).astype("<i4")
            self.run_model("mixed", *args, "--out", "io=io.npy")
            np.testing.assert_array_equal(self.load("io.npy"), expected)
        self.save("b.npy", np.array([0, 2, 255], dtype="u1").view("?"))
        self.assertEqual(self.run_model("mixed", *args, "--out", "bo=-"), "bo\n1\n0\n0\n")

    def test_integers_that_fit(self):
        # NumPy's own integers have 64 bits. They are read in parts of a buffer.
        random = np.random.default_rng(7)
        inputs, _ = self.mixed(5000)
        args = [f"--in={name}={name}.npy" for name in TYPES]
        for dtype in ("<i8", "<u8", "<i4", "<u4"):
            inputs["n"] = random.integers(0, 1 << 31, 5000)
            inputs["i"] = inputs["n"] if dtype[1] == "u" else random.integers(1 - (1 << 31), 1 << 31, 5000)
            top = 1 << (31 if dtype[2] == "4" else 53)
            inputs["v"] = random.integers(0 if dtype[1] == "u" else -top, top, (5000, 3))
            for name in "niv":
                self.save(f"{name}.npy", inputs[name].astype(dtype))
            self.run_model("mixed", *args, "--out=no=no.npy", "--out=io=io.npy", "--out=vo=vo.npy")
            np.testing.assert_array_equal(self.load("no.npy"), inputs["n"] + 1)
            np.testing.assert_array_equal(self.load("io.npy"), -inputs["i"])
            np.testing.assert_array_equal(self.load("vo.npy"), 2.0 * inputs["v"])

    def test_integers_that_do_not_fit(self):
        inputs, outputs = self.mixed(3000)
        args = [f"--in={name}={name}.npy" for name in TYPES] + ["--out=bo=bo.npy"]

        def refuses(name, dtype, place, value, root, model="mixed", more=args):
            array = np.ones((3000, *(SHAPES[name] if model == "mixed" else ())), dtype)
            array[place] = value
            self.save(f"{name}.npy", array)
            index = ", ".join(str(i) for i in place)
            err = f"{name}.npy: error: {value} at [{index}] is not a value of {root}\n"
            self.run_model(model, *more, status=3, err=err)
            if model == "mixed":
                np.testing.assert_array_equal(self.load("bo.npy"), outputs["bo"][:place[0]])
                self.save(f"{name}.npy", inputs[name])

        refuses("n", "<i8", (2999,), 1 << 32, "uint")
        refuses("n", "<i8", (0,), -1, "uint")
        refuses("n", "i1", (1500,), -1, "uint")
        refuses("i", "<i8", (1024,), 1 << 31, "int")
        refuses("i", "<i8", (7,), -(1 << 63), "int")
        refuses("i", "<u4", (1023,), 1 << 31, "int")
        refuses("i", "<u8", (1,), (1 << 64) - 1, "int")
        refuses("v", "<i8", (2000, 2), (1 << 53) + 1, "real")
        refuses("v", "<u8", (1, 0), (1 << 64) - 1, "real")
        refuses("m", "<i8", (999, 1, 0), -(1 << 60) - 1, "real")
        refuses("e", "<i4", (40,), (1 << 24) + 1, "real", "single", ["--in", "e=e.npy", "--out=y.csv"])
        self.save("e.npy", np.array([1 << 24, -(1 << 62)]))
        self.assertEqual(
            self.run_model("single", "--in", "e=e.npy"), "y\n33554432.0\n-9.223372e+18\n"
        )

    def test_singles(self):
        e = np.random.default_rng(1).normal(size=3000).astype("<f4")
        self.save("e.npy", e)
        self.run_model("single", "--in", "e=e.npy", "--out", "y=y.npy", "--out", "y.csv")
        x = np.concatenate([[0], np.cumsum(np.float32(0.5) * e, dtype="<f4")[:-1]]).astype("<f4")
        y = self.load("y.npy")
        self.assertEqual(y.dtype, np.dtype("<f4"))
        np.testing.assert_array_equal(y, np.float32(2) * e + x)
        expected = "".join(f"{value!s}\n" for value in y)
        self.assertEqual(self.read("y.csv"), "y\n" + expected)
        self.write("e.csv", "e\n" + "".join(f"{value!s}\n" for value in e))
        self.run_model("single", "--in", "e.csv", "--out", "y=z.npy")
        np.testing.assert_array_equal(self.load("z.npy"), y)

    def test_halves(self):
        halves = np.arange(65536, dtype="<u2").view("<f2")
        halves = halves[np.isfinite(halves)]
        for model, wide in (("pi", "<f8"), ("single", "<f4")):
            self.save("e.npy", halves)
            of_halves = self.run_model(model, "--in", "e=e.npy")
            self.save("e.npy", halves.astype(wide))
            self.assertEqual(self.run_model(model, "--in", "e=e.npy"), of_halves)
        self.save("e.npy", np.array([np.inf, -np.inf, np.nan], "<f2"))
        inf = self.run_model("pi", "--in", "e=e.npy")
        self.save("e.npy", np.array([np.inf, -np.inf, np.nan]))
        self.assertEqual(self.run_model("pi", "--in", "e=e.npy"), inf)

    def test_wrong_arrays(self):
        def refuses(message, model="pi", name="e"):
            others = [f"--in={n}={n}.npy" for n in TYPES] if model == "mixed" else ["--in", "e=e.npy"]
            self.run_model(model, *others, "--out=y.csv", status=3, err=f"{name}.npy: error: {message}\n")
            self.assertNotIn("y.csv", self.files())

        self.mixed(3)
        for dtype, spelling in (("<c16", "<c16"), ("<f16", "<f16")):
            self.save("e.npy", np.zeros(3, dtype))
            refuses(
                f"dtype `{spelling}` does not convert without loss to real; save it `.astype('<f8')`"
            )
        self.save("e.npy", np.zeros(3, ">f8"))
        refuses("dtype `>f8` is big-endian, real is `<f8`; save it `.astype('<f8')`")
        self.save("e.npy", np.zeros((3, 1)))
        refuses("expected shape (steps,) for real, found (3, 1)")
        self.save("e.npy", np.float64(3))
        refuses("expected shape (steps,) for real, found ()")
        self.save("e.npy", np.array([None]), allow_pickle=True)
        refuses("dtype `|O` does not convert without loss to real; save it `.astype('<f8')`")
        self.write("e.npy", "e\n1\n")
        refuses("the file is cut short, 4 bytes are missing")
        self.write("e.npy", "e\n1\n2\n3\n4\n5\n")
        refuses("not a .npy file")
        self.write("e.npy", "")
        refuses("the file is cut short, 8 bytes are missing")
        self.save("e.npy", np.zeros(100))
        os.truncate(self.folder / "e.npy", 128 + 99 * 8 + 7)
        refuses("the file is cut short: 99 of 100 rows are there")
        self.save("v.npy", np.zeros((3, 4)))
        refuses("expected shape (steps, 3) for tensor<real, 3>, found (3, 4)", "mixed", "v")
        self.save("v.npy", np.zeros((3, 3), order="F"))
        refuses("the array is in Fortran order; save `np.ascontiguousarray` of it", "mixed", "v")
        self.save("v.npy", np.zeros((3, 3)))
        self.save("n.npy", np.zeros(3))
        refuses("dtype `<f8` does not convert without loss to uint; save it `.astype('<u4')`", "mixed", "n")
        self.save("n.npy", np.zeros(3, "<u4"))
        self.save("b.npy", np.zeros(3, "<i8"))
        refuses("dtype `<i8` does not convert without loss to bool; save it `.astype('|b1')`", "mixed", "b")
        self.save("b.npy", np.zeros(3, "?"))
        self.save("n.npy", np.zeros(4, "<u4"))
        refuses("4 rows, `b.npy` has 3", "mixed", "n")

    def test_single_takes_no_double(self):
        self.save("e.npy", np.zeros(3))
        self.run_model(
            "single", "--in", "e=e.npy", status=3,
            err="e.npy: error: dtype `<f8` does not convert without loss to real; save it `.astype('<f4')`\n",
        )

    def test_order_that_does_not_matter(self):
        self.mixed(1)
        self.save("v.npy", np.array([[1.0, 2.0, 3.0]], order="F"))
        args = [f"--in={name}={name}.npy" for name in TYPES]
        self.assertEqual(
            self.run_model("mixed", *args, "--out", "vo=-"), "vo[0],vo[1],vo[2]\n2.0,4.0,6.0\n"
        )

    def test_versions(self):
        for version in ((1, 0), (2, 0), (3, 0)):
            with open(self.folder / "e.npy", "wb") as file:
                np.lib.format.write_array(file, np.array([1.0, 2.0]), version=version)
            self.assertEqual(self.run_model("pi", "--in", "e=e.npy"), "y\n2.0\n4.5\n")
        data = (self.folder / "e.npy").read_bytes()
        self.write("e.npy", data[:6] + b"\4" + data[7:])
        self.run_model("pi", "--in", "e=e.npy", status=3, err="e.npy: error: version 4 of .npy is not known\n")

    def test_steps(self):
        self.save("e.npy", np.array([1.0, 2.0, 3.0]))
        self.assertEqual(self.run_model("pi", "--in", "e=e.npy", "--steps", "2"), "y\n2.0\n4.5\n")
        self.run_model(
            "pi", "--in", "e=e.npy", "--steps", "4", "--out", "y.csv", status=3,
            err="e.npy: error: 3 rows, `--steps` asks for 4\n",
        )
        self.assertNotIn("y.csv", self.files())

    def test_from_a_pipe(self):
        self.save("e.npy", np.arange(5000.0))
        data = (self.folder / "e.npy").read_bytes()
        os.mkfifo(self.folder / "pipe.npy")
        for size, status, err in (
            (len(data), 0, ""),
            (len(data) - 9, 3, "pipe.npy: error: the file is cut short: 4998 of 5000 rows are there\n"),
        ):
            if os.fork() == 0:
                (self.folder / "pipe.npy").write_bytes(data[:size])
                os._exit(0)
            self.run_model(
                "pi", "--in", "e=pipe.npy", "--out", "y=y.npy", "--set=ki=0", status=status, err=err
            )
            os.wait()
            np.testing.assert_array_equal(self.load("y.npy"), 2 * np.arange(5000.0 if status == 0 else 4998.0))

    def test_a_trap_keeps_whole_rows(self):
        for limit in (0, 1, 1024, 2500):
            self.run_model(
                "counter", "--steps", "100000", "--set", f"limit={limit}", "--out", "c=c.npy", status=101,
                err=f"m.tml:12:5: trap[E1001]: index 7 is outside a dimension of length 3 (step {limit})\n",
            )
            np.testing.assert_array_equal(self.load("c.npy"), np.arange(limit))

    def test_rows_larger_than_the_buffer(self):
        expected = np.repeat(np.arange(5.0), 20000).reshape(5, 20000)
        self.run_model("large", "--steps", "5", "--out", "y=y.npy", "--out", "y.csv")
        np.testing.assert_array_equal(self.load("y.npy"), expected)
        table = np.loadtxt(self.folder / "y.csv", delimiter=",", skiprows=1)
        np.testing.assert_array_equal(table, expected)

    def test_output_to_a_pipe_is_refused(self):
        os.mkfifo(self.folder / "y.npy")
        reader = os.open(self.folder / "y.npy", os.O_RDONLY | os.O_NONBLOCK)
        self.run_model(
            "counter", "--steps", "3", "--out", "c=y.npy", status=3,
            err="counter: cannot write `y.npy`: the header of a .npy file is written last, which needs a "
            "regular file\n",
        )
        os.close(reader)


if __name__ == "__main__":
    unittest.main()
