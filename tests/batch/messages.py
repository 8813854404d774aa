#!/usr/bin/env python3
"""What is wrong with many runs is told before the first one where it can be, and nothing is written.

Usage: messages.py HOST TMLC.
"""

import os
import pathlib
import pty
import resource
import shutil
import signal
import subprocess
import time
import unittest

import numpy as np

from ensemble import FAULT, FRAGILE, MOTOR, MOTOR_INPUTS, MOTOR_SAMPLES, Ensemble
from simulation import HOST

ODD = """out real t.run
out real t.step
out tensor<real, 2> t.y
fn output_fnc():
    t.run = 7
    t.step = 8
    t.y = 9
end
"""


class Messages(Ensemble):
    def wrong(self, model, *args, err, status=2, env=None):
        before = self.files()
        name = HOST if model == HOST else model
        if err.split(":")[0].endswith((".csv", ".zarr", ".zattrs")) or err.startswith("standard input"):
            text = f"{err}\n"
        else:
            text = "".join(f"{name}: {line}\n" for line in err.split("\n"))
        self.assertEqual((self.run_model if "/" not in model else self.execute)(model, *args, status=status, err=text, env=env), "")
        self.assertEqual(self.files(), before)

    def test_samples(self):
        for sample, err in {
            "y~uniform(0,1)": "this model has no tunable property `y`; see `pi --help`",
            "kpp~uniform(0,1)": "this model has no tunable property `kpp`; did you mean `kp`?",
            "kp[0]~uniform(0,1)": "no scalar `kp[0]`: the property `kp` is real",
            "kp~gauss(0,1)": "no distribution `gauss`; there are `uniform`, `normal`, `lognormal`",
            "kp~unifrom(0,1)": "no distribution `unifrom`; did you mean `uniform`?",
            "kp~uniform(1,1)": "in `uniform(1,1)`, the first number is to be the smaller one",
            "kp~uniform(2,1)": "in `uniform(2,1)`, the first number is to be the smaller one",
            "kp~normal(1,0)": "in `normal(1,0)`, the deviation is to be above 0",
            "kp~lognormal(1,-1)": "in `lognormal(1,-1)`, the deviation is to be above 0",
            "kp~uniform(-1e308,1e308)": "in `uniform(-1e308,1e308)`, values may be too large for a real",
            "kp~normal(1e308,1e308)": "in `normal(1e308,1e308)`, values may be too large for a real",
            "kp~lognormal(702,1)": "in `lognormal(702,1)`, values may be too large for a real",
            "kp~normal(1,nan)": "`normal(MEAN, SIGMA)` has two numbers, found `normal(1,nan)`",
            "kp~normal(1)": "`normal(MEAN, SIGMA)` has two numbers, found `normal(1)`",
            "kp~normal": "`normal(MEAN, SIGMA)` has two numbers, found `normal`",
            "kp~uniform(0,1": "`uniform(LEAST, MOST)` has two numbers, found `uniform(0,1`",
            "kp~uniform(0,1,2)": "`uniform(LEAST, MOST)` has two numbers, found `uniform(0,1,2)`",
        }.items():
            self.wrong("pi", "--in=e=1", "--steps=3", "--runs=2", "--out=y.zarr", "--sample", sample, err=f"`--sample`: {err}")
        run = ["--in=e=1", "--steps=3", "--runs=2"]
        for sample in ("uniform(-8e307,8e307)", "normal(1e308,8e306)", "lognormal(701,1)"):
            self.run_model("pi", *run, f"--sample=kp~{sample}")
        self.wrong("pi", *run, "--sample=kp", err="`--sample` needs NAME~DISTRIBUTION(A, B), found `kp`")
        self.wrong("pi", *run, "--sample=kp~normal(0,1)", "--sample=kp~normal(0,1)", err="`--sample kp` is given twice")
        self.wrong("pi", *run, "--sample=kp~normal(0,1)", "--set=kp=1", err="`kp` is given by `--set` and by `--sample`")
        self.run_model("single", *run, "--sample=kp~normal(1e38, 2e37)")
        self.wrong("single", *run, "--sample=kp~normal(1e38, 3e37)", err="`--sample`: in `normal(1e38, 3e37)`, values may be too large for a real")
        self.wrong("tunables", "--steps=1", "--runs=2", "--sample=n~uniform(0,9)",
                   err="`--sample`: the property `n` is uint; only reals can be random, others come from `--params FILE.csv`")
        self.wrong("tunables", "--steps=1", "--runs=2", "--sample=kp~uniform(0,9)",
                   err="`--sample`: `p.kp` is fixed when the model is compiled; only tunable properties can be random")

    def test_options(self):
        run = ["--in=e=1", "--steps=3"]
        self.wrong("pi", *run, "--runs=0", err="`--runs` needs a number of runs from 1, found `0`")
        self.wrong("pi", *run, "--runs=x", err="`--runs` needs a number of runs from 1, found `x`")
        limit = "up to 9223372036854775807, found"
        self.wrong("pi", *run, "--runs=9_223_372_036_854_775_808", err=f"`--runs` needs a number of runs from 1 {limit} `9_223_372_036_854_775_808`")
        self.wrong("pi", *run, "--runs=2", f"--seed={2**64 - 1}", err=f"`--seed` needs a number of the sequence {limit} `{2**64 - 1}`")
        self.wrong("pi", *run, "--runs=2", f"--seed={2**64}x", err=f"`--seed` needs a number of the sequence, found `{2**64}x`")
        self.wrong("pi", *run, "--threads=2", err="`--threads` needs `--runs N` or `--params FILE`")
        self.wrong("pi", *run, "--seed=2", err="`--seed` needs `--runs N` or `--params FILE`")
        self.wrong("pi", *run, "--runs=2", "--threads=0", err="`--threads` needs a number of threads from 1, found `0`")
        self.wrong("pi", *run, "--runs=2", "--keep=min", err="`--keep` is last, all, max, mean or rms, found `min`")
        for shard in ("0/3", "4/3", "x", "1", "1/", "/2", "1/2/3", "-1/2"):
            self.wrong("pi", *run, "--runs=2", f"--shard={shard}", err=f"`--shard` needs I/N with I from 1 to N, found `{shard}`")
        for option, name in (("--every=2", "--every"), ("--until=y > 1", "--until"), ("--watch=x", "--watch"),
                             ("--trace=x.csv", "--trace"), ("--plot=x.svg", "--plot"),
                             ("--save-state=s", "--save-state"), ("--from-state=s", "--from-state")):
            if name == "--watch":
                option = "--watch=y"
            self.wrong("pi", *run, "--runs=2", option, err=f"`{name}` is for one run, `--runs` for many")
        self.wrong("pi", *run, "--out=y.zarr", err="`y.zarr` is a store of many runs; give `--runs N`")
        self.wrong("pi", *run, "--out=y.npy", err="a .npy file holds one terminal; give its name: `--out NAME=y.npy`")
        self.wrong("pi", *run, "--runs=2", "--out=y=y.zarr", err="a store holds all outputs, and is the only file: `--out y.zarr`")
        self.wrong("pi", *run, "--runs=2", "--shard=2/3", "--out=y.csv",
                   err="shard 2 of 3 (`--shard`) needs a store that the shards share: `--out NAME.zarr`")
        self.wrong("pi", *run, "--runs=2", env={"OMPI_COMM_WORLD_RANK": "1", "OMPI_COMM_WORLD_SIZE": "3"},
                   err="shard 2 of 3 (`OMPI_COMM_WORLD_RANK`) needs a store that the shards share: `--out NAME.zarr`")
        self.wrong("pi", *run, "--runs=2", "--out=y.zarr", env={"SLURM_ARRAY_TASK_ID": "9", "SLURM_ARRAY_TASK_COUNT": "3", "SLURM_ARRAY_TASK_MIN": "1"},
                   err="cannot tell the shard from `SLURM_ARRAY_TASK_ID` and `SLURM_ARRAY_TASK_COUNT` of the environment; give `--shard I/N`")

    def test_properties_file(self):
        run = ["--in=e=1", "--steps=3", "--params=p.csv", "--out=y.zarr"]

        def file(text, err, model="pi", status=3, args=run):
            self.write("p.csv", text)
            self.wrong(model, *args, err=err, status=status)

        self.write("p.csv", "kp\n1\n")
        self.wrong("pi", *run[:3], "--out=none/y.csv", err="cannot write `none/y.csv`: No such file or directory", status=3)
        self.wrong("pi", *run[:3], "--out=./p.csv", err="`p.csv` is given for an output and the parameters")
        file("kq\n1\n", "p.csv:1:1: error: no tunable property is named `kq`")
        file("kp,e\n1,1\n", "p.csv:1:4: error: no tunable property is named `e`")
        file("kp,kp\n1,1\n", "p.csv:1:4: error: the column `kp` is given twice")
        file("kp\nx\n", "p.csv:2:1: error: `x` in column `kp` is not a number")
        file("kp,ki\n1\n", "p.csv:2:1: error: the row ends before column `ki`: 1 of 2 cells")
        file("kp\n", "p.csv: error: the file has no rows, which would be the runs")
        file("", "p.csv:1:1: error: the file is empty; its first line names the columns")
        file("kp\n1\n2\n", "p.csv: error: 2 rows, `--runs` asks for 3", args=[*run, "--runs=3"])
        file("kp\n1\n", "`kp` is given by `--set` and by `p.csv`", args=[*run, "--set=kp=2"])
        file("kp\n1\n", "`kp` is given by `--sample` and by `p.csv`", args=[*run, "--sample=kp~normal(0,1)"])
        file("m[0][0]\n1\n", "p.csv:1:1: error: the column `m[0][1]` is missing, and 4 more", model="tunables", args=["--steps=1", "--params=p.csv"])
        self.wrong("inner", "--params=p.csv", "--in=u=0", "--steps=1", status=3,
                   err="`--params`: this model has no tunable properties")
        self.wrong("pi", "--in=e=1", "--steps=3", "--params=none.csv", status=3, err="cannot open `none.csv`: No such file or directory")

    def test_another_store(self):
        first = ["--in=e=1", "--steps=3", "--runs=10", "--sample=kp~uniform(0, 1)", "--out=y.zarr"]
        self.run_model("pi", *first)
        before = self.tree("y.zarr")

        def refused(*args, there, here):
            args = [*[arg for arg in first if arg.split("=")[0] not in {a.split("=")[0] for a in args}], *args]
            self.wrong("pi", *args, status=3, err=f"y.zarr: error: the store has other runs: {there} there, {here} here; give another name, or remove it")
            self.assertEqual(self.tree("y.zarr"), before)

        refused("--seed=8", there='"seed": 0', here='"seed": 8')
        refused("--runs=11", there='"runs": 10', here='"runs": 11')
        refused("--steps=4", there='"steps": 3', here='"steps": 4')
        refused("--keep=max", there='"keep": "last"', here='"keep": "max"')
        refused("--chunk=3", there='"chunk": 1', here='"chunk": 3')
        refused("--sample=kp~uniform(0, 2)", there='"samples": ["kp~uniform(0.0, 1.0)"]', here='"samples": ["kp~uniform(0.0, 2.0)"]')
        self.assertIn('"properties"', self.read("y.zarr/.zattrs"))
        for changed in ("--set=ki=3", "--in=e=2"):
            args = [arg for arg in first if arg[:4] != "--in" or changed[:4] != "--in"]
            result = subprocess.run([HOST, "pi", *args, changed], cwd=self.folder, capture_output=True, text=True)
            self.assertEqual(result.returncode, 3)
            self.assertRegex(result.stderr, '"properties"' if "set" in changed else '"inputs"')
        # Another model of the same names.
        result = subprocess.run([HOST, "single", *first], cwd=self.folder, capture_output=True, text=True)
        self.assertRegex(result.stderr, 'y.zarr: error: the store has other runs: "model"')
        self.assertEqual(self.tree("y.zarr"), before)
        # What is there and no store.
        os.mkdir(self.folder / "mine.zarr")
        self.write("mine.zarr/data", "x")
        self.wrong("pi", *first[:-1], "--out=mine.zarr", status=3, err="`mine.zarr` is there and is no store of runs; give another name")
        self.write("file.zarr", "x")
        self.run_model("pi", *first[:-1], "--out=file.zarr", status=3, err="pi: `file.zarr` is there and is no store of runs; give another name\n")

    def test_outputs_that_are_one_file(self):
        program = self.compile("odd", ODD)
        os.mkdir(self.folder / "d")
        (self.folder / "e").symlink_to("d")
        run = ["--steps=1", "--runs=1"]
        self.execute(program, *run, "--out=run=d/x.npy", "--out=step=x.npy")
        for a, b in (("y.npy", "./y.npy"), ("x.npy", "./x.npy"), ("d/y.csv", "e/y.csv"), ("d/x.npy", "e/x.npy")):
            self.wrong(program, *run, f"--out=run={a}", f"--out=step={b}", err=f"`{a}` and `{b}` are the same file")
        self.execute(program, *run, "--out=run=/dev/null", "--out=step=/dev//null")

    def test_slash_behind_a_store(self):
        args = ["--in=e=1", "--steps=3", "--runs=10", "--sample=kp~uniform(0, 1)"]
        self.run_model("pi", *args, "--out=y.zarr/")
        before = self.tree("y.zarr")
        self.run_model("pi", *args, "--out=y.zarr/")
        self.run_model("pi", *args, "--out=y.zarr")
        self.assertEqual(self.tree("y.zarr"), before)
        self.wrong("pi", *args, "--seed=1", "--out=y.zarr/", status=3,
                   err='y.zarr: error: the store has other runs: "seed": 0 there, "seed": 1 here; give another name, or remove it')

    def test_damaged_attributes(self):
        args = ["--in=e=1", "--steps=3", "--runs=10", "--sample=kp~uniform(0, 1)", "--out=y.zarr"]
        self.run_model("pi", *args)
        whole = self.read("y.zarr/.zattrs")
        for damaged in ("", "{", whole[:50], whole[:-2], "\0" * len(whole), whole[:100] + "\0" + whole[101:]):
            self.write("y.zarr/.zattrs", damaged)
            self.wrong("pi", *args, status=3, err="y.zarr/.zattrs: error: the file is damaged; remove the store, or give another name")
        # Of other runs, and cut.
        self.write("y.zarr/.zattrs", whole[:-2])
        self.wrong("pi", *args, "--seed=3", status=3, err="y.zarr/.zattrs: error: the file is damaged; remove the store, or give another name")

    def test_stores_that_cannot_be_written(self):
        program = self.compile("fragile", FRAGILE)
        args = [program, "--steps=20", "--runs=40", "--sample=at~uniform(10, 200)", "--chunk=10", "--out=y.zarr"]
        for folder in (pathlib.Path(program).parent, self.folder):
            folder.chmod(0o755)

        def run():
            user = {"user": "nobody"} if os.getuid() == 0 else {}
            done = subprocess.run(args, cwd=self.folder, capture_output=True, text=True, **user)
            return done.returncode, done.stderr

        first = subprocess.run(args, cwd=self.folder, capture_output=True, text=True).stderr
        before = self.tree("y.zarr")
        folders = [path for path in (self.folder / "y.zarr").rglob("*") if path.is_dir()] + [self.folder / "y.zarr"]
        for folder in folders:
            folder.chmod(0o555)
            self.addCleanup(folder.chmod, 0o755)
        self.assertEqual(run(), (0, first))
        self.assertEqual(self.tree("y.zarr"), before)
        (self.folder / "y.zarr/y").chmod(0o755)
        (self.folder / "y.zarr/y/2").unlink()
        (self.folder / "y.zarr/y").chmod(0o555)
        self.assertEqual(run(), (3, f"{program}: cannot write `y.zarr/p.at/2`: Permission denied\n"))

    def test_stores_begun_at_once(self):
        program = self.compile("fragile", FRAGILE)
        for _ in range(100):
            runs = [self.start(program, "--steps=2", "--runs=2", "--sample=at~uniform(5, 9)", "--threads=1", f"--seed={seed}", "--out=y.zarr")
                    for seed in range(8)]
            errors = [run.communicate(timeout=300)[1] for run in runs]
            self.assertEqual(sorted(run.returncode for run in runs), [0] + 7 * [3])
            self.assertEqual([error for error in errors if error and "the store has other runs" not in error], [])
            self.assertEqual([name for name in self.tree("y.zarr") if name.endswith(".part")], [])
            shutil.rmtree(self.folder / "y.zarr")
        # What a process has left that was killed before that.
        args = ["--steps=2", "--runs=2", "--sample=at~uniform(5, 9)", "--out=y.zarr"]
        os.mkdir(self.folder / "y.zarr")
        self.write("y.zarr/.zattrs.1-0.part", "{")
        self.execute(program, *args)
        self.assertEqual([name for name in self.tree("y.zarr") if name.endswith(".part")], [])

    def test_damaged_chunks(self):
        program = self.compile("fragile", FRAGILE)
        args = ["--steps=20", "--runs=100", "--sample=at~uniform(10, 200)", "--chunk=10", "--out=y.zarr"]
        self.start(program, *args).communicate(timeout=300)
        before = self.tree("y.zarr")
        trapped = next(k for k in range(10) if f"run.fault/{k}" in before)
        without = next(k for k in range(10) if f"run.fault/{k}" not in before)
        self.write("y.zarr/y/5", "")
        self.write("y.zarr/p.at/2", "abc")
        self.write("y.zarr/count/3", before["count/3"] + b"\0")
        self.write(f"y.zarr/run.fault/{trapped}", before[f"run.fault/{trapped}"][:-1])
        self.write(f"y.zarr/run.fault/{without}", "")
        self.start(program, *args).communicate(timeout=300)
        self.assertEqual(self.tree("y.zarr"), before)
        for name in ("y/5", f"run.fault/{trapped}", f"run.fault/{without}"):
            path = self.folder / "y.zarr" / name
            path.unlink(missing_ok=True)
            path.mkdir()
            self.execute(program, *args, status=3, err=f"{program}: cannot write `y.zarr/{name}`: Is a directory\n")
            path.rmdir()
            if name in before:
                path.write_bytes(before[name])
        self.assertEqual(self.tree("y.zarr"), before)

    def test_damaged_faults(self):
        program = self.compile("fragile", FRAGILE)
        args = ["--steps=20", "--runs=40", "--sample=at~uniform(-30, 40)", "--chunk=10", "--out=y.zarr"]
        self.start(program, *args).communicate(timeout=300)
        before = self.tree("y.zarr")
        faults = np.frombuffer(before["run.fault/2"], FAULT)
        run = int(np.flatnonzero(faults["code"])[0])

        def refused(data):
            self.write("y.zarr/run.fault/2", data)
            self.execute(program, *args, status=3, err="y.zarr/run.fault/2: error: the file is damaged; remove all files of chunk 2, and they are made again\n")

        refused(bytes(range(1, 41)) + before["run.fault/2"][40:])
        for field, value in (("code", 1), ("code", -1), ("file", 1), ("column", 2**31), ("index", 2), ("index", -1), ("step", 20)):
            wrong = faults.copy()
            wrong[field][run] = value
            refused(wrong.tobytes())
        for name in ("run.fault/2", "y/2", "count/2", "p.at/2"):
            (self.folder / "y.zarr" / name).unlink()
        self.start(program, *args).communicate(timeout=300)
        self.assertEqual(self.tree("y.zarr"), before)

    def test_outputs_that_fail(self):
        run = ["--in=e=1", "--steps=3", "--runs=5000", "--sample=kp~uniform(0, 1)"]

        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
            resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000))

        self.run_model("pi", *run, "--chunk=1000", "--out=y.zarr", status=3, preexec_fn=limit,
                       err="pi: cannot write `y.zarr/p.kp/0`: File too large\n")
        self.assertEqual([name for name in self.tree("y.zarr") if name.endswith(".part") or "/" in name and ".z" not in name], [])
        self.run_model("pi", *run, "--chunk=1000", "--out=y.zarr")  # and goes on
        self.run_model("pi", *run, "--out=y.npy", status=3, preexec_fn=limit, err="pi: cannot write `y.npy`: File too large\n")
        self.assertEqual(self.files(), ["y.zarr"])
        with open("/dev/full", "w") as full:
            self.run_model("pi", *run, stdout=full, status=3, err="pi: cannot write to standard output: No space left on device\n")
        reader, writer = os.pipe()
        os.close(reader)
        self.run_model("pi", *run, stdout=writer, status=3)
        os.close(writer)

    def test_signals_while_a_file_is_written(self):
        run = [HOST, "pi", "--in=e=1", "--steps=1", "--runs=1000000", "--sample=kp~uniform(0, 1)", "--out=y.csv"]

        def send(number, **more):
            process = subprocess.Popen(run, cwd=self.folder, stderr=subprocess.PIPE, text=True, **more)
            while process.poll() is None and not any(name.endswith(".part") for name in self.files()):
                time.sleep(0.001)
            process.send_signal(number)
            return process.communicate()[1], process.returncode

        self.write("y.csv", "old")
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            self.assertEqual(send(number), ("", -number))
            self.assertEqual((self.files(), self.read("y.csv")), (["y.csv"], "old"))
        self.assertEqual(send(signal.SIGHUP, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)), ("", 0))
        self.assertEqual(self.files(), ["y.csv"])
        self.assertEqual(self.read("y.csv").count("\n"), 1000001)

    def test_lists_of_faults(self):
        program = self.compile("fragile", FRAGILE)
        run = [program, "--steps=20", "--runs=20", "--set=at=5"]
        (self.folder / "null").symlink_to("/dev/null")
        with open(self.folder / "own.csv", "w") as own:
            for path in ("null", "/dev/stdout"):
                done = subprocess.run([*run, "--out", path], cwd=self.folder, stdout=own, stderr=subprocess.PIPE, text=True)
                self.assertEqual((done.returncode, done.stderr.splitlines()[-1]), (0, f"{program}: 20 of 20 runs trapped, and are nan"))
        self.assertEqual(self.files(), ["null", "own.csv"])

        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (900, 900))

        for path, faults in (("y.csv", "y.faults.csv"), ("y.zarr", "y.zarr/faults.csv")):
            done = subprocess.run([*run, "--chunk=1", "--out", path], cwd=self.folder, capture_output=True, text=True, preexec_fn=limit)
            self.assertEqual(done.returncode, 3)
            self.assertIn(f"{program}: cannot write `{faults}`: File too large\n", done.stderr)
            self.assertEqual(done.stderr.splitlines()[-1], f"{program}: 20 of 20 runs trapped, and are nan")
        self.assertFalse(os.path.lexists("/dev/stdout.faults.csv"))

    def test_names_of_columns(self):
        program = self.compile("odd", ODD)
        self.assertEqual(self.execute(program, "--steps=1", "--runs=1"), "run,t.run,step,y[0],y[1]\n0,7.0,8.0,9.0,9.0\n")
        self.assertEqual(self.execute(program, "--steps=1", "--runs=1", "--keep=all"), "run,step,t.run,t.step,y[0],y[1]\n0,0,7.0,8.0,9.0,9.0\n")

    def test_runs_without_number(self):
        run = ["--in=e=1", "--steps=3", "--sample=kp~uniform(0, 1)", "--runs=9000000000000000000"]
        self.wrong("pi", *run, "--chunk=9000000000000000000", "--out=y.zarr", status=3,
                   err="cannot get the memory for the results, 5.04e+11 GB; keep less, or give a smaller `--chunk`")
        self.wrong("pi", *run, "--out=y.npy", status=3,
                   err="cannot get the memory for the results, 5.04e+11 GB; keep less, or give `--out NAME.zarr`")
        self.assertEqual(self.files(), [])
        process = self.start(HOST, "pi", *run, "--chunk=2", "--out=y.zarr")
        start = time.monotonic()
        while not (self.folder / "y.zarr/y/0").exists() and time.monotonic() - start < 20:
            time.sleep(0.05)
        process.kill()
        process.communicate()
        self.assertIn("y/0", self.tree("y.zarr"))

    def test_inputs_end(self):
        self.write("u.csv", "e\n1\n2\n3\n")
        same = "pi: note: all runs are the same: `--sample` or `--params` gives them different properties\n"
        self.assertEqual(self.run_model("pi", "--in=u.csv", "--runs=2", err=same), "run,y\n0,7.5\n1,7.5\n")
        self.assertEqual(self.run_model("pi", "--in=u.csv", "--steps=2", "--runs=1", "--keep=all"), "run,step,y\n0,0,2.0\n0,1,4.5\n")
        self.wrong("pi", "--in=u.csv", "--steps=4", "--runs=2", status=3,
                   err="u.csv:5:1: error: the input ends after 3 rows, `--steps` asks for 4")
        self.write("u.csv", "e\n1\nx\n3\n")
        self.wrong("pi", "--in=u.csv", "--runs=2", status=3, err="u.csv:3:1: error: `x` in column `e` is not a number")

    def test_progress(self):
        motor = self.compile("motor", MOTOR)
        parent, child = pty.openpty()
        process = subprocess.Popen([motor, *MOTOR_INPUTS, *MOTOR_SAMPLES, "--steps=500", "--runs=100000000", "--out=y.zarr"],
                                   cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=child)
        os.close(child)
        seen, start = b"", time.monotonic()
        while b"left" not in seen and time.monotonic() - start < 60:
            seen += os.read(parent, 4096)
        process.kill()
        process.wait()
        os.close(parent)
        self.assertRegex(seen.decode(), r"\r\d+\.\d%, \d+ of 100000000 runs, \d+ s left")


if __name__ == "__main__":
    unittest.main()
