#!/usr/bin/env python3
"""Results do not depend on threads, shards and formats, and are those of single runs.

Usage: splits.py HOST TMLC.
"""

import os
import subprocess
import time
import unittest

import numpy as np

from ensemble import TMLC, FAULT, FRAGILE, MOTOR, MOTOR_INPUTS, MOTOR_SAMPLES, Ensemble, read_store

MOTOR_RUN = [*MOTOR_INPUTS, *MOTOR_SAMPLES, "--steps=60", "--runs=1000", "--seed=7"]
FRAGILE_RUN = ["--sample=at~uniform(-500, 900)", "--steps=50", "--runs=777", "--seed=3"]


# Of each there are instructions that one processor has only.
VECTORS = """in tensor<real, 64> t.x
out tensor<real, 64> t.looked_up
out tensor<int, 64> t.cut_off
out tensor<real, 40, 3> t.turned
tensor<real, 9> table = [0.0, 1, 4, 9, 16, 25, 36, 49, 64]
tensor<real, 40, 3> points = 0.5
tensor<real, 3, 3> turn = [1.0, 2, 3; 4, 5, 6; 7, 8, 10]
fn output_fnc():
    for i = 0:64:
        k = int(clamp(t.x[i], 0.0, 7.999))
        t.looked_up[i] = table[k] + (t.x[i] - k) * (table[k + 1] - table[k])
    end
    t.cut_off = int(t.x * 3.5)
    points = points .* turn' * t.x[0]
    t.turned = points
end
"""


class Splits(Ensemble):
    def setUp(self):
        super().setUp()
        self.motor = self.compile("motor", MOTOR)
        self.fragile = self.compile("fragile", FRAGILE)

    def run_quietly(self, program, *args, env=None):
        """Whatever it says of traps."""
        process = self.start(program, *args, env=env)
        process.communicate(timeout=300)
        self.assertEqual(process.returncode, 0)

    def test_threads_and_shards(self):
        for program, args in ((self.motor, MOTOR_RUN), (self.fragile, FRAGILE_RUN)):
            for keep in ("last", "all"):
                name = f"{os.path.basename(program)}.{keep}"
                self.run_quietly(program, *args, "--keep", keep, "--threads=1", "--out", f"{name}.zarr")
                expected = self.tree(f"{name}.zarr")
                self.assertIn("faults.csv", expected)
                self.assertEqual([file for file in expected if file.endswith(".part")], [])
                for threads, shards in ((2, 1), (4, 1), (1, 3), (2, 16)):
                    other = f"{name}.{threads}.{shards}.zarr"
                    for shard in range(1, shards + 1):
                        self.run_quietly(program, *args, "--keep", keep, f"--threads={threads}",
                                         f"--shard={shard}/{shards}", "--out", other)
                    self.assertEqual(self.tree(other), expected, other)

    def test_shards_side_by_side(self):
        self.run_quietly(self.fragile, *FRAGILE_RUN, "--out=one.zarr")
        shards = [self.start(self.fragile, *FRAGILE_RUN, f"--shard={i}/5", "--out=five.zarr") for i in range(1, 6)]
        # A shard that is started twice does no harm.
        shards.append(self.start(self.fragile, *FRAGILE_RUN, "--shard=2/5", "--out=five.zarr"))
        for process in shards:
            process.communicate(timeout=300)
            self.assertEqual(process.returncode, 0)
        self.assertEqual(self.tree("five.zarr"), self.tree("one.zarr"))

    def test_schedulers(self):
        self.run_quietly(self.fragile, *FRAGILE_RUN, "--out=one.zarr")
        environments = {
            "slurm": lambda i: {"SLURM_ARRAY_TASK_ID": str(5 + 2 * i), "SLURM_ARRAY_TASK_COUNT": "3",
                                "SLURM_ARRAY_TASK_MIN": "5", "SLURM_ARRAY_TASK_MAX": "9",
                                "SLURM_ARRAY_TASK_STEP": "2"},
            "zero": lambda i: {"SLURM_ARRAY_TASK_ID": str(i), "SLURM_ARRAY_TASK_COUNT": "3",
                               "SLURM_ARRAY_TASK_MIN": "0"},
            "ompi": lambda i: {"OMPI_COMM_WORLD_RANK": str(i), "OMPI_COMM_WORLD_SIZE": "3"},
            "pmi": lambda i: {"PMI_RANK": str(i), "PMI_SIZE": "3"},
        }
        for name, environment in environments.items():
            for i in range(3):
                self.run_quietly(self.fragile, *FRAGILE_RUN, f"--out={name}.zarr", env={**os.environ, **environment(i)})
            self.assertEqual(self.tree(f"{name}.zarr"), self.tree("one.zarr"), name)

    def test_formats_agree(self):
        for keep in ("last", "all"):
            args = [*MOTOR_RUN, "--keep", keep]
            for suffix in ("zarr", "npy", "csv"):
                self.run_quietly(self.motor, *args, "--out", f"{keep}.{suffix}")
            self.run_quietly(self.motor, *args, "--out", f"estimate={keep}.estimate.npy", "--out", f"speed={keep}.speed.csv")
            records = np.load(self.folder / f"{keep}.npy")
            store = read_store(self.folder / f"{keep}.zarr")
            self.assertEqual(set(store) - {"run.fault"}, set(records.dtype.names))
            for name in records.dtype.names:
                np.testing.assert_array_equal(store[name], records[name])
            np.testing.assert_array_equal(np.load(self.folder / f"{keep}.estimate.npy"), records["estimate"])
            table = np.genfromtxt(self.folder / f"{keep}.csv", delimiter=",", names=True, deletechars="")
            np.testing.assert_array_equal(table["estimate[1]"], records["estimate"][..., 1].ravel())
            np.testing.assert_array_equal(table["speed"], records["speed"].ravel())
            steps = 60 if keep == "all" else 1
            np.testing.assert_array_equal(table["p.r"], np.repeat(records["p.r"], steps))
            np.testing.assert_array_equal(table["run"], np.repeat(np.arange(1000), steps))
            single = np.genfromtxt(self.folder / f"{keep}.speed.csv", delimiter=",", names=True, deletechars="")
            self.assertNotIn("current", single.dtype.names)
            np.testing.assert_array_equal(single["speed"], table["speed"])

    def test_zarr_reads_it(self):
        try:
            import zarr
        except ImportError:
            self.skipTest("zarr is not installed")
        self.run_quietly(self.motor, *MOTOR_RUN, "--keep=all", "--shard=2/3", "--out=part.zarr")
        group = zarr.open(str(self.folder / "part.zarr"), mode="r")
        mine = read_store(self.folder / "part.zarr")
        self.assertEqual(group["estimate"].shape, (1000, 60, 3))
        self.assertEqual(sorted(group.array_keys()), sorted(mine))
        for name, values in mine.items():
            np.testing.assert_array_equal(group[name][:], values)
        self.assertEqual(np.isnan(group["p.r"][:]).sum(), 1000 - 4 * 83)
        self.assertEqual(group.attrs["seed"], 7)

    def test_what_is_kept(self):
        def kept(keep):
            self.run_quietly(self.motor, *MOTOR_RUN, "--keep", keep, "--out", "y.npy")
            return np.load(self.folder / "y.npy")

        everything = kept("all")
        for name in ("current", "speed", "estimate"):
            every = everything[name]
            sums, squares = np.cumsum(every, axis=1)[:, -1], np.cumsum(every**2, axis=1)[:, -1]
            np.testing.assert_array_equal(kept("last")[name], every[:, -1])
            np.testing.assert_array_equal(kept("max")[name], every.max(axis=1))
            np.testing.assert_array_equal(kept("mean")[name], sums / 60)
            np.testing.assert_array_equal(kept("rms")[name], np.sqrt(squares / 60))

    def test_single_runs_are_the_same(self):
        self.run_quietly(self.motor, *MOTOR_RUN, "--out", "y.csv")
        names, *rows = [line.split(",") for line in self.read("y.csv").splitlines()]
        for row in rows[::111]:
            settings = [f"--set={name}={value}" for name, value in zip(names, row) if name.startswith("p.")]
            single = self.execute(self.motor, *MOTOR_INPUTS, "--steps=60", *settings)
            self.assertEqual(single.splitlines()[0].split(","), names[6:])
            self.assertEqual(single.splitlines()[-1].split(","), row[6:])

    def test_properties_from_a_file(self):
        self.run_quietly(self.motor, *MOTOR_RUN, "--out", "y.csv")
        columns = [line.split(",")[1:6] for line in self.read("y.csv").splitlines()]
        self.write("p.csv", "\n".join(",".join(reversed(row)) for row in columns) + "\n")
        self.run_quietly(self.motor, *MOTOR_INPUTS, "--steps=60", "--params=p.csv", "--out=z.csv")
        self.assertEqual(self.read("z.csv"), self.read("y.csv"))
        self.run_quietly(self.motor, *MOTOR_INPUTS, "--steps=60", "--params=p.csv", "--runs=17", "--out=z.csv")
        self.assertEqual(self.read("z.csv").splitlines(), self.read("y.csv").splitlines()[:18])

    def test_faults_stay_alone(self):
        self.write("p.csv", "start,at\n0,7.0\n0,1e9\n-1,4.0\n0,1.0\n0,1e9\n")
        err = ('fragile.tml:18:5: trap[E1004]: assertion failed: real(step) < p.at (run 0, step 6)\n'
               '   |\n18 |     assert(real(step) < p.at)\n   |     ^\n'
               f"{self.fragile}: 3 of 5 runs trapped, and are nan; `y.zarr/faults.csv` lists them\n")
        args = ["--params=p.csv", "--steps=10", "--keep=all"]
        self.execute(self.fragile, *args, "--out=y.zarr", err=err)
        self.assertEqual(self.read("y.zarr/faults.csv"), "\n".join([
            "run,code,place,step,text",
            "0,E1004,fragile.tml:18:5,6,assertion failed: real(step) < p.at",
            '2,E1004,fragile.tml:8:5,,"assertion failed: negative, or bad"',
            "3,E1004,fragile.tml:18:5,0,assertion failed: real(step) < p.at", ""]))
        store = read_store(self.folder / "y.zarr")
        nan = np.nan
        expected = np.tile(0.5 * np.arange(10), (5, 1))
        expected[0, 6:] = expected[2] = expected[3] = nan
        np.testing.assert_array_equal(store["y"], expected)
        np.testing.assert_array_equal(store["count"], 2 * expected)
        fault = store["run.fault"]
        self.assertEqual(fault.dtype, FAULT)
        self.assertEqual(fault["code"].tolist(), [1004, 0, 1004, 1004, 0])
        self.assertEqual(fault["step"].tolist(), [6, 0, 2**64 - 1, 0, 0])
        # Files beside each other; the list is not there without a file.
        self.execute(self.fragile, *args, "--out=y.csv", "--strict", status=101, err=err.replace("y.zarr/", "y."))
        self.assertEqual(self.read("y.faults.csv"), self.read("y.zarr/faults.csv"))
        self.write("p.csv", "start,at\n0,1e9\n")
        self.execute(self.fragile, *args, "--out=y.csv", "--strict")
        self.assertEqual(self.read("y.faults.csv"), "run,code,place,step,text\n")
        # A store says so again when nothing is left to do.
        self.write("p.csv", "start,at\n0,7.0\n0,1e9\n-1,4.0\n0,1.0\n0,1e9\n")
        self.execute(self.fragile, *args, "--out=y.zarr", "--strict", status=101, err=err)

    def test_side_by_side(self):
        """Runs that trap leave the others of their group alone, which go on by themselves."""
        for lanes in ("", "=2", "=16"):
            fast = self.compile(f"fast{lanes[1:]}", FRAGILE, f"--batch{lanes}")
            for threads in ("1", "3"):
                self.run_quietly(self.fragile, *FRAGILE_RUN, "--keep=all", "--out=y.npy")
                self.run_quietly(fast, *FRAGILE_RUN, "--keep=all", "--threads", threads, "--out=z.npy")
                self.assertEqual((self.folder / "y.npy").read_bytes(), (self.folder / "z.npy").read_bytes())
                alone, side = (self.read(f"{name}.faults.csv") for name in "yz")
                self.assertEqual(alone, side.replace(os.path.basename(fast), "fragile"))
                self.assertGreater(alone.count("\n"), 10)

    def test_what_cannot_be_side_by_side(self):
        def compile_text(text, *options):
            self.write("m.tml", text)
            found = subprocess.run([TMLC, "m.tml", *options, "-o", "m"], cwd=self.folder, capture_output=True, text=True)
            return found.returncode, found.stderr

        self.assertEqual(compile_text("print(1)\n", "--batch"),
                         (2, "tmlc: error: `--batch` is for components: this file has no runs\n"))
        self.assertEqual(compile_text(FRAGILE, "--batch=3")[1].splitlines()[0],
                         "tmlc: error: `--batch` is 2, 4, 8 or 16, not `3`")
        status, err = compile_text(FRAGILE, "--batch", "-O0", "-g")
        self.assertEqual(status, 0)
        self.assertRegex(err, r"^m.tml: note: `--batch` is of no use, runs are made one by one: .* \(m.tml:[0-9]+\)\n$")
        self.run_quietly(str(self.folder / "m"), *FRAGILE_RUN, "--out=y.npy")
        self.run_quietly(self.fragile, *FRAGILE_RUN, "--out=z.npy")
        self.assertEqual((self.folder / "y.npy").read_bytes(), (self.folder / "z.npy").read_bytes())

    def test_code_for_vectors_is_side_by_side(self):
        self.write("m.tml", VECTORS)
        for cpu in ("x86-64", "x86-64-v3", "x86-64-v4"):
            for real in ("f64", "f32"):
                found = subprocess.run([TMLC, "-c", "m.tml", "--batch", "--target=x86_64-linux-gnu", f"--cpu={cpu}",
                                        f"--real={real}", "-o", "m.o"], cwd=self.folder, capture_output=True, text=True)
                self.assertEqual((found.returncode, found.stderr), (0, ""), f"{cpu} {real}")

    def test_speed(self):
        args = [*MOTOR_INPUTS, *MOTOR_SAMPLES, "--steps=500", "--runs=100000"]
        for threads in (1, 2):
            start = time.perf_counter()
            self.run_quietly(self.motor, *args, f"--threads={threads}", "--out=y.npy")
            seconds = time.perf_counter() - start
            print(f"100,000 runs of 500 steps of dcmotor, {threads} threads: {seconds:.2f} s")
        self.assertLess(seconds, 30)


if __name__ == "__main__":
    unittest.main()
