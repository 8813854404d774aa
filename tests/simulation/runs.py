#!/usr/bin/env python3
"""Command lines, traps, outputs that fail, memory. Usage: runs.py HOST."""

import json
import os
import pathlib
import pty
import resource
import signal
import stat
import subprocess
import threading
import time
import unittest

from simulation import HOST, Simulation

TRAP = "m.tml:12:5: trap[E1001]: index 7 is outside a dimension of length 3 (step {})\n"

def limit_file_size(size):
    """For preexec_fn: writes beyond `size` fail."""

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return limit


class Runs(Simulation):
    def usage(self, model, *args, err):
        before = self.files()
        out = self.run_model(model, *args, status=2, err="".join(f"{model}: {line}\n" for line in err.split("\n")))
        self.assertEqual((out, self.files()), ("", before))

    def test_help(self):
        expected = """usage: pi --in [NAME=]FILE...
  --in FILE         a CSV file with the columns of all other inputs
  --in NAME=FILE    a file for one input, .csv or .npy
  --in NAME=SOURCE  a number, a literal, FILE.csv:COLUMN, or see below
  --out FILE        all outputs as CSV (default: standard output)
  --out NAME=FILE   one output, .csv or .npy
  --strict-columns  refuses columns that are not read
  --set NAME=VALUE  gives a tunable property another value
  --dt SECONDS      the time of a step (default: n.dt or p.dt of the model)
  --time COLUMN     takes rows of CSV by this column, at the times of the steps
  --interpolate     takes reals from the line between two such rows
  --steps N         stops after N steps (default: all rows)
  --until CONDITION ends after the step in which it holds: 'y > 0.9'
  --every K         writes the steps 0, K, 2K, ... only
  --watch NAMES     adds columns of states, inputs, debug signals: `a,b*`
  --trace FILE      a file of what is watched (default: all), .csv or .npy
  --save-state FILE keeps the state after the last step
  --from-state FILE goes on from a state that was kept
  --linearize FILE  matrices of the step at the point that is reached, .mat, .npy or .csv
  --describe        lists all variables with types, offsets and defaults; =json
  --plot FILE       draws outputs and inputs over time, .svg or .png
  --plot SIGNALS    what is drawn: names, `;` between panels: 'u,y;x*'
  --runs N          runs N times, and keeps what --keep says
  --sample NAME~D   a random property: 'r~normal(1, 0.1)', uniform, lognormal
  --params FILE     a CSV file of tunable properties, a row for each run
  --seed N          of random properties (default: 0)
  --keep WHAT       of the steps of each run: last, all, max, mean or rms
  --threads N       that make runs (default: one for each processor)
  --shard I/N       makes this part of the runs, in the same store as the others
  --chunk N         runs in a file of the store
  --strict          ends with status 101 if a run has trapped

sources, with their defaults:
  step(to=1, at=0 s, from=0)
  ramp(slope=1 per s, at=0 s, from=0)
  sine(amplitude=1, hz=1, phase=0 rad, offset=0)
  square(amplitude=1, hz=1, phase=0 rad, offset=0, duty=0.5)
  noise(seed=0, sigma=1, mean=0)

inputs:
  e  real

outputs:
  y  real

tunable properties:
  kp  real  = 2.0
  ki  real  = 0.5

state:
  x  real
"""
        self.assertEqual(self.run_model("pi", "--help"), expected)
        self.assertEqual(self.run_model("pi", "--in", "none.csv", "--help"), expected)
        self.assertIn("""
tunable properties:
  b  bool                       = true
  n  uint                       = 7u
  i  int                        = -3
  r  real                       = 0.25
  m  tensor<real, 2, 3>         = [1.0, 2.0, 3.0; 4.0, 5.0, 6.0]
  w  tensor<tensor<int, 2>, 2>  = [[1, 2], [3, 4]]

fixed properties:
  kp     real  = 2.5
  signs  str   = "+-"
""", self.run_model("tunables", "--help"))

    def test_describe(self):
        self.assertEqual(self.run_model("inner", "--describe"), """\
inner: layout 1234567890abcdef; inputs 8, outputs 8, properties 1, state 120 bytes

inputs:
  u  real  at 0, 8 bytes

outputs:
  y  real  at 0, 8 bytes

state:
  y          real                        at 40, 8 bytes
  axis[0].u  int                         at 48, 4 bytes
  axis[0].v  int                         at 52, 4 bytes
  axis[1].u  int                         at 56, 4 bytes
  axis[1].v  int                         at 60, 4 bytes
  m          tensor<tensor<real, 2>, 2>  at 64, 32 bytes
  mode.odd   bool                        at 96, 1 byte

debug signals:
  seen  real  at 104, 8 bytes  what was seen
  late  int   at 112, 4 bytes

Inputs, outputs, state and debug signals can be watched and plotted by these names.
""")
        self.assertIn("""
tunable properties:
  b  bool                       at 0, 1 byte  = true
  n  uint                       at 4, 4 bytes  = 7u
""", self.run_model("tunables", "--describe", "--out", "never.csv"))
        self.usage("pi", "--describe=xml", err="`--describe` is text or `=json`, found `=xml`")
        self.usage("pi", "--describe", "--nothing", err="unknown option `--nothing`; see `pi --help`")
        with open("/dev/full", "w") as full:
            self.run_model("pi", "--describe=json", stdout=full, status=3,
                           err="pi: cannot write to standard output: No space left on device\n")

    def test_describe_as_json(self):
        found = json.loads(self.run_model("tunables", "--describe=json"))
        self.assertEqual((found["name"], found["layout"], found["params_bytes"]),
                         ("tunables", "1234567890abcdef", 88))
        by_name = {v["space"] + "." + v["name"]: v for v in found["variables"] if v["role"] != "output"}
        self.assertEqual(by_name["p.signs"], {
            "role": "constant", "space": "p", "name": "signs", "type": "str", "root": "str",
            "value": "+-", "set": False, "watch": False,
        })
        self.assertEqual(by_name["p.w"], {
            "role": "tunable", "space": "p", "name": "w", "type": "tensor<tensor<int, 2>, 2>",
            "root": "int", "dims": [[2], [2]], "offset": 72, "bytes": 16, "value": [1, 2, 3, 4],
            "set": True, "watch": False,
        })
        self.assertEqual([by_name[f"p.{n}"]["value"] for n in "bnir"], [True, 7, -3, 0.25])
        self.assertEqual(by_name["p.m"]["dims"], [[2, 3]])
        inner = json.loads(self.run_model("inner", "--describe=json"))["variables"]
        self.assertEqual(inner[0], {
            "role": "input", "space": "t", "name": "u", "type": "real", "root": "real", "dims": [],
            "offset": 0, "bytes": 8, "feedthrough": True, "optional": False, "set": False, "watch": True,
        })
        self.assertEqual(inner[-2], {
            "role": "debug", "space": "", "name": "seen", "type": "real", "root": "real", "dims": [],
            "offset": 104, "bytes": 8, "text": "what was seen", "set": False, "watch": True,
        })

    def test_wrong_usage(self):
        usage = self.usage
        usage("pi", err="the input `e` (real) is missing; give `--in e=FILE`")
        usage("mixed", "--in=i=i.csv", "--in=b=b.csv", "--in=v=v.npy", err=
              "the input `n` (uint) is missing; give `--in n=FILE`\n"
              "the input `m` (tensor<tensor<real, 2>, 2>) is missing; give `--in m=FILE`")
        usage("counter", err="a model without inputs needs `--steps N` or `--until CONDITION`")
        usage("counter", "--in", "c=c.csv", err="this model has no inputs")
        usage("pi", "--foo", err="unknown option `--foo`; see `pi --help`")
        usage("pi", "--bogus", err="unknown option `--bogus`; see `pi --help`")
        usage("pi", "--step=3", err="unknown option `--step`; did you mean `--steps`?")
        usage("pi", "-i", "x", err="unknown option `-i`; see `pi --help`")
        usage("pi", "x", err="unexpected argument `x`; see `pi --help`")
        usage("pi", "x.csv", err="unexpected argument `x.csv`; inputs are given as `--in x.csv`")
        usage("pi", "--in", err="`--in` needs FILE or NAME=FILE")
        usage("pi", "--in=", err="`--in` needs FILE or NAME=FILE, found ``")
        usage("pi", "--in=e=", err="`--in` needs FILE or NAME=FILE, found `e=`")
        usage("pi", "--in=x=e.csv", err="this model has no input `x`; see `pi --help`")
        usage("pi", "--in=ee=e.csv", err="this model has no input `ee`; did you mean `e`?")
        usage("pi", "--in=temperature=e.csv", err="this model has no input `temperature`; see `pi --help`")
        usage("pi", "--in=y=e.csv", err="`y` is an output of this model; use `--out`")
        usage("pi", "--out=e=e.csv", err="`e` is an input of this model; use `--in`")
        usage("pi", "--in=e.npy", err="a .npy file holds one terminal; give its name: `--in NAME=e.npy`")
        archive = "is an archive of arrays; give a file for each, as `np.save(\"{}.npy\", ...)` writes"
        usage("pi", "--in=e.npz", err="`e.npz` " + archive.format("NAME"))
        usage("pi", "--in=e=a.NPZ", err="`a.NPZ` " + archive.format("e"))
        usage("pi", "--in=e.csv", "--out=y=y.npz", err="`y.npz` " + archive.format("y"))
        usage("pi", "--in=E=e.csv", err="this model has no input `E`; did you mean `e`?")
        usage("pi", "--in=e.csv", "--set=KI=1", err="this model has no tunable property `KI`; did you mean `ki`?")
        usage("pi", "--in=e.csv", "--strict-columns=yes", err="`--strict-columns` takes no value")
        usage("pi", "--out=e.npy", err="a .npy file holds one terminal; give its name: `--out NAME=e.npy`")
        usage("pi", "--in=e=a.csv", "--in=t.e=b.csv", err="`--in e` is given twice")
        usage("pi", "--in=a.csv", "--in=b.csv", err="`--in` is given twice for all inputs")
        usage("pi", "--in=a.csv", "--in=e=b.csv",
              err="`a.csv` gives no input: all of them are given by name")
        usage("mixed", "--in=b=-", "--in=n=-", err="`-` is given for two inputs")
        usage("pi", "--out=y=a.csv", "--out=y=b.csv", err="`--out y` is given twice")
        usage("pi", "--out=y=a.csv", "--out=a.csv", err="`a.csv` is given for two outputs")
        usage("pi", "--steps", "x", err="`--steps` needs a number of steps, found `x`")
        usage("pi", "--steps=", err="`--steps` needs a number of steps, found ``")
        usage("pi", "--steps=-1", err="`--steps` needs a number of steps, found `-1`")
        usage("pi", "--steps=1.5", err="`--steps` needs a number of steps, found `1.5`")
        usage("pi", "--steps=99999999999999999999",
              err="`--steps` needs a number of steps up to 9223372036854775807, found `99999999999999999999`")
        usage("pi", "--every=0", err="`--every` needs a number of steps from 1, found `0`")

    def test_wrong_sets(self):
        def wrong(text, err):
            self.usage("tunables", "--set", text, err=err)

        wrong("r", "`--set` needs NAME=VALUE, found `r`")
        wrong("=1", "`--set` needs NAME=VALUE, found `=1`")
        wrong("rr=1", "this model has no tunable property `rr`; did you mean `r`?")
        wrong("gains=1", "this model has no tunable property `gains`; see `tunables --help`")
        wrong("kp=1", "`p.kp` is fixed when the model is compiled; only tunable properties can be set")
        wrong("p.signs=1", "`p.signs` is fixed when the model is compiled; only tunable properties can be set")
        for value in ("1", "0.5", "True", "on"):
            wrong(f"b={value}", f"`--set b`: `{value}` is neither `true` nor `false`")
        wrong("m[0, 1]=1", "`--set` sets all of `m`, as in `--set 'm=[1.0, 2.0]'`")
        wrong("q[0]=1", "this model has no tunable property `q[0]`; see `tunables --help`")
        wrong("n=-1", "`--set n`: the property is uint, the value is int")
        wrong("n=1.0", "`--set n`: the property is uint, the value is real")
        wrong("i=1.5", "`--set i`: the property is int, the value is real")
        wrong("i=2147483648", "`--set i`: `2147483648` is outside the range of int")
        wrong("i=-2147483649", "`--set i`: `-2147483649` is outside the range of int")
        wrong("n=4294967296u", "`--set n`: `4294967296u` is outside the range of uint")
        wrong("r=1e999", "`--set r`: `1e999` is outside the range of real")
        wrong("r=[1]", "`--set r`: the property is real, the value is tensor<int, 1>")
        wrong("m=[1, 2]", "`--set m`: the property is tensor<real, 2, 3>, the value is tensor<int, 2>")
        wrong("m=[1, 2, 3 |]", "`--set m`: the property is tensor<real, 2, 3>, the value is tensor<int, 1, 1, 3>")
        wrong("m=[[1, 2, 3]]", "`--set m`: the property is tensor<real, 2, 3>, the value is tensor<tensor<int, 3>, 1>")
        wrong("w=[1.5, 2]", "`--set w`: the property is tensor<tensor<int, 2>, 2>, the value is tensor<real, 2>")
        wrong("m=[1, 2; 3]", "`--set m`: rows of different lengths: 2 and 1")
        wrong("m=[1; 2 | 3]", "`--set m`: pages of different lengths: 2 and 1 rows")
        wrong("m=[1, [2]]", "`--set m`: the elements of a literal have different shapes")
        wrong("m=[]", "`--set m`: an empty literal has no type")
        wrong("m=[1, 2", "`--set m`: expected `,`, `;`, `|` or `]`, found the end")
        wrong("m=[1,, 2]", "`--set m`: expected a value, found `, 2]`")
        wrong("r=", "`--set r`: expected a value, found the end")
        wrong("r=1 2", "`--set r`: expected the end of the value, found `2`")
        wrong("r=one", "`--set r`: `one` is not a number")
        wrong("r=1.5.2", "`--set r`: `1.5.2` is not a number")
        wrong("b=-true", "`--set b`: a bool has no sign")
        wrong("m=" + "[" * 40 + "1" + "]" * 40, "`--set m`: the value has too many levels")
        wrong("m=reshape([1, 2, 3], 2, 2)", "`--set m`: the dims of `reshape` do not fit its value")
        self.usage("tunables", "--set=r=1", "--set=p.r=2", err="`--set r` is given twice")

    def test_sets(self):
        def sets(*texts, **expected):
            args = [f"--set={text}" for text in texts]
            row = self.run_model("tunables", "--steps", "1", *args).split("\n")[1].split(",")
            found = {"b": row[0], "n": row[1], "i": row[2], "r": row[3], "m": row[4:10], "w": row[10:]}
            defaults = {
                "b": "1", "n": "7", "i": "-3", "r": "0.25",
                "m": ["1.0", "2.0", "3.0", "4.0", "5.0", "6.0"], "w": ["1", "2", "3", "4"],
            }
            self.assertEqual(found, {**defaults, **expected})

        sets()
        sets("b=false", "p.n=0x1F", "i=-2147483648", "r=-1.5e-3", b="0", n="31", i="-2147483648", r="-0.0015")
        sets("n=true", "i=0b101", "r=5u", n="1", i="5", r="5.0")
        sets("i=4294967295u", "n=-1u", "r=100_000", i="-1", n="4294967295", r="100000.0")
        sets("r=M_PI", r="3.141592653589793")
        sets("r=-inf", "m=nan", r="-inf", m=["nan"] * 6)
        sets("r=-0.0", r="-0.0")
        sets("r=-0", r="0.0")
        sets("m=7", "w=7", m=["7.0"] * 6, w=["7"] * 4)
        sets("m=[7, 8, 9]", m=["7.0", "8.0", "9.0"] * 2)
        sets("m=[7; 8]", "w=[5, 6]", m=["7.0"] * 3 + ["8.0"] * 3, w=["5", "5", "6", "6"])
        sets("m=[7, 8, 9;]", "w=[[5, 6]]", m=["7.0", "8.0", "9.0"] * 2, w=["5", "6"] * 2)
        sets("m=[1, -2, 3.5;\n true, 5u, 6]", m=["1.0", "-2.0", "3.5", "1.0", "5.0", "6.0"])
        sets("w=[[1], [2]]", w=["1", "1", "2", "2"])
        sets("w=[[-1, 4294967295u], [2, 3]]", w=["-1", "-1", "2", "3"])
        sets("m=reshape([1, 2, 3, 4, 5, 6], 2, 3)")

    def test_every(self):
        args = ("counter", "--set=limit=100", "--steps", "10", "--every")
        self.assertEqual(self.run_model(*args, "1"), "c\n" + "".join(f"{i}\n" for i in range(10)))
        self.assertEqual(self.run_model(*args, "3"), "c\n0\n3\n6\n9\n")
        self.assertEqual(self.run_model(*args, "1_0"), "c\n0\n")
        self.assertEqual(self.run_model("counter", "--steps", "0"), "c\n")
        result = self.run_model("counter", "--set=limit=1_000_000", "--steps", "100_000", "--every", "1500")
        self.assertEqual(result, "c\n" + "".join(f"{i}\n" for i in range(0, 100000, 1500)))

    def test_traps(self):
        for limit in (0, 1, 1023, 1024, 1025, 30000):
            expected = "c\n" + "".join(f"{i}\n" for i in range(limit))
            args = ("counter", "--steps", "40000", "--set", f"limit={limit}")
            self.assertEqual(self.run_model(*args, status=101, err=TRAP.format(limit)), expected)
            self.run_model(*args, "--out", "c.csv", status=101, err=TRAP.format(limit))
            self.assertEqual(self.read("c.csv"), expected)
        out = self.run_model("large", "--steps", "1000", "--set", "limit=3", status=101, err=TRAP.format(3))
        lines = out.split("\n")
        self.assertEqual(lines[1:], [",".join([f"{i}.0"] * 20000) for i in range(3)] + [""])

    def test_a_trap_in_init_touches_no_file(self):
        self.write("c.csv", "old")
        out = self.run_model(
            "counter", "--steps", "3", "--set", "start=-1", "--out", "c.csv", status=101,
            err="m.tml:3:4: trap[E1004]: assertion failed: start is not negative (init)\n",
        )
        self.assertEqual((out, self.read("c.csv")), ("", "old"))

    def test_wrong_inputs_touch_no_output(self):
        self.write("e.csv", "x\n")
        self.write("y.csv", "old")
        self.run_model(
            "pi", "--in=e.csv", "--out=y.csv", "--out=y=z.csv", status=3,
            err="e.csv:1:1: error: the column `e` is missing; the file has `x`\n",
        )
        self.assertEqual(self.read("y.csv"), "old")
        self.assertEqual(self.files(), ["e.csv", "y.csv"])

    def test_outputs_keep_their_file(self):
        self.write("c.csv", "old and much longer than what is new")
        (self.folder / "c.csv").chmod(0o640)
        (self.folder / "link.csv").symlink_to("c.csv")
        self.run_model("counter", "--steps", "2", "--out", "link.csv")
        self.assertEqual(self.read("c.csv"), "c\n0\n1\n")
        self.assertTrue((self.folder / "link.csv").is_symlink())
        self.assertEqual(stat.S_IMODE((self.folder / "c.csv").stat().st_mode), 0o640)

    def test_files_that_are_the_same(self):
        self.write("e.csv", "e\n1\n")
        (self.folder / "link.csv").symlink_to("e.csv")
        for name in ("e.csv", "./e.csv", "link.csv"):
            self.usage("pi", "--in=e.csv", f"--out={name}", err=f"`{name}` is given for an input and an output")
        self.assertEqual(self.read("e.csv"), "e\n1\n")
        self.usage("tunables", "--steps=1", "--out=b=b.csv", "--out=n=./b.csv",
                   err="`b.csv` and `./b.csv` are the same file")
        self.run_model("tunables", "--steps=1", "--out=b=/dev/null", "--out=n=/dev//null")

    def test_standard_output_is_not_replaced(self):
        with open(self.folder / "out.txt", "w") as out:
            out.write("before\n")
            out.flush()
            self.run_model("counter", "--steps", "2", "--out=/dev/stdout", stdout=out)
            self.run_model("counter", "--steps", "1", stdout=out)
        self.assertEqual(self.read("out.txt"), "before\nc\n0\n1\nc\n0\n")
        with open(self.folder / "out.txt", "a") as out:
            self.run_model("counter", "--steps", "1", "--out=-", stdout=out)
        self.assertEqual(self.read("out.txt"), "before\nc\n0\n1\nc\n0\nc\n0\n")

    def test_a_full_disk(self):
        with open("/dev/full", "w") as full:
            self.run_model(
                "counter", "--steps", "3", stdout=full, status=3,
                err="counter: cannot write to standard output: No space left on device\n",
            )
            self.run_model(
                "counter", "--help", stdout=full, status=3,
                err="counter: cannot write to standard output: No space left on device\n",
            )
        for steps in ("3", "1_000_000"):
            self.run_model(
                "counter", "--steps", steps, "--set=limit=10_000_000", "--out=/dev/full", status=3,
                err="counter: cannot write `/dev/full`: No space left on device\n",
            )

    def test_a_file_that_cannot_grow_keeps_whole_rows(self):
        args = ("counter", "--steps", "100_000_000", "--set=limit=100_000_000")
        for size in (1, 2, 3, 1000, 131072, 400001):
            self.run_model(
                *args, "--out=c.csv", status=3, preexec_fn=limit_file_size(size),
                err="counter: cannot write `c.csv`: File too large\n",
            )
            text = self.read("c.csv")
            rows = text.split("\n")
            self.assertLessEqual(len(text), size)
            self.assertGreater(len(text), size - 7)
            self.assertEqual(rows[-1], "")
            self.assertEqual(rows[1:-1], [str(i) for i in range(len(rows) - 2)])
        for size in (100, 128, 1000, 131072, 400001):
            self.run_model(
                *args, "--out=c=c.npy", status=3, preexec_fn=limit_file_size(size),
                err="counter: cannot write `c.npy`: File too large\n",
            )
            data = (self.folder / "c.npy").read_bytes()
            rows = (size - 128) // 4 if size >= 128 else 0
            self.assertEqual(len(data), 128 + 4 * rows if size >= 128 else 0)
            if data:
                self.assertIn(f"'shape': ({rows},)".encode(), data)
        with open(self.folder / "out.csv", "w") as out:
            out.write("before\n")
            out.flush()
            self.run_model(
                *args, stdout=out, status=3, preexec_fn=limit_file_size(20),
                err="counter: cannot write to standard output: File too large\n",
            )
            out.write("after\n")
        self.assertEqual(self.read("out.csv"), "before\nc\n0\n1\n2\n3\n4\nafter\n")
        # Rows larger than the buffer.
        self.run_model(
            "large", "--steps=10", "--out=y.csv", status=3, preexec_fn=limit_file_size(500_000),
            err="large: cannot write `y.csv`: File too large\n",
        )
        rows = self.read("y.csv").split("\n")
        self.assertEqual([len(row.split(",")) for row in rows[:-1]], [20000] * (len(rows) - 1))
        self.assertEqual((rows[-1], len(rows)), ("", 6))  # names take 168890 bytes, rows 80000
        self.run_model(
            "large", "--steps=10", "--out=y=y.npy", status=3, preexec_fn=limit_file_size(500_000),
            err="large: cannot write `y.npy`: File too large\n",
        )
        data = (self.folder / "y.npy").read_bytes()
        self.assertEqual(len(data), 128 + 3 * 160_000)
        self.assertIn(b"'shape': (3, 20000)", data)

    def test_a_closed_pipe(self):
        reader, writer = os.pipe()
        os.close(reader)
        args = ["counter", "--steps", "1_000_000", "--set=limit=10_000_000"]
        # Whoever reads has seen enough; the status alone tells.
        self.run_model(*args, stdout=writer, status=3)
        self.run_model(*args, "--out", "c=-", stdout=writer, status=3)
        self.run_model("counter", "--help", stdout=writer, status=3)
        os.close(writer)
        os.mkfifo(self.folder / "pipe")
        reader = os.open(self.folder / "pipe", os.O_RDONLY | os.O_NONBLOCK)
        threading.Timer(0.2, os.close, [reader]).start()
        self.run_model(
            *args, "--out=pipe", status=3, err="counter: cannot write `pipe`: Broken pipe\n"
        )

    def test_impossible_places(self):
        self.run_model("counter", "--steps=1", "--out=none/c.csv", status=3,
                       err="counter: cannot write `none/c.csv`: No such file or directory\n")
        self.run_model("counter", "--steps=1", "--out=.", status=3,
                       err="counter: cannot write `.`: Is a directory\n")

    def test_a_file_is_valid_while_the_model_runs(self):
        process = subprocess.Popen(
            [HOST, "counter", "--steps", "9_000_000_000", "--set=limit=4_000_000_000u", "--out=c=c.npy"],
            cwd=self.folder, stderr=subprocess.PIPE, text=True,
        )
        path = self.folder / "c.npy"
        while process.poll() is None and (not path.exists() or path.stat().st_size < 1 << 20):
            time.sleep(0.01)
        process.kill()
        err = process.communicate()[1]
        self.assertEqual(err, "")
        data = path.read_bytes()
        rows = int(data.split(b"'shape': (")[1].split(b",")[0])
        self.assertGreater(rows, 0)
        self.assertLessEqual(rows, (len(data) - 128) // 4)

    def test_memory_does_not_grow(self):
        # 10^7 steps in and out take no more than a few; 64 MiB of address space are enough.
        self.write("small.csv", "e\n" + "1.5\n" * 10)
        with open(self.folder / "e.csv", "w") as file:
            file.write("e\n")
            for _ in range(1000):
                file.write("1.5\n" * 10_000)

        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (1 << 26, 1 << 26))

        def peak(name, **more):
            process = subprocess.Popen(
                [HOST, "pi", "--in", name, "--out", "y=y.npy", "--out", "/dev/null"], cwd=self.folder, **more
            )
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = 0
            self.assertEqual(status, 0)
            return usage.ru_maxrss

        few = peak("small.csv")
        self.assertLess(peak("e.csv"), few + 1024)
        self.assertEqual((self.folder / "y.npy").stat().st_size, 128 + 8 * 10_000_000)
        sanitized = b"__asan_init" in pathlib.Path(HOST).read_bytes()
        if not sanitized: # which takes terabytes of address space
            peak("e.csv", preexec_fn=limit)

    def test_progress_on_a_terminal(self):
        try:
            master, slave = pty.openpty()
        except OSError as error:
            self.skipTest(f"no terminal: {error}")
        process = subprocess.Popen(
            [HOST, "counter", "--steps=9_000_000_000", "--set=limit=4_000_000_000u", "--out=/dev/null"],
            cwd=self.folder, stderr=slave, stdin=subprocess.DEVNULL,
        )
        os.close(slave)
        text = os.read(master, 1000).decode()
        process.kill()
        process.wait()
        os.close(master)
        self.assertRegex(text, r"^\r\d+\.\d%, \d+ of 9000000000 steps, \d+ s left\x1b\[K")


if __name__ == "__main__":
    unittest.main()
