#!/usr/bin/env python3
"""Pictures of simulations. Usage: plots.py HOST."""

import os
import pathlib
import re
import shutil
import tempfile
import unittest

import numpy as np

from simulation import Simulation

TRAP = "m.tml:12:5: trap[E1001]: index 7 is outside a dimension of length 3 (step {})\n"

# What a gnuplot that is not there would have been told, in script.txt; it writes what it is told to.
GNUPLOT = """#!/bin/sh
cat > script.txt
file=$(sed -n "s/^set output '\\(.*\\)'$/\\1/p" script.txt)
echo picture > "$file"
"""


class Plots(Simulation):
    def gnuplot(self):
        """A folder with a program gnuplot for the search path."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = pathlib.Path(folder.name) / "gnuplot"
        path.write_text(GNUPLOT)
        path.chmod(0o755)
        return {"PATH": folder.name + ":" + os.environ["PATH"]}

    def test_missing_gnuplot(self):
        self.run_model(
            "counter", "--steps=3", "--plot=c.svg", "--out=c.csv", env={"PATH": "/nowhere"}, status=3,
            err="counter: `--plot` needs the program gnuplot, which is not installed; install the package "
            "gnuplot\n",
        )
        self.assertEqual(self.files(), [])

    def test_plot(self):
        env = self.gnuplot()
        self.assertEqual(self.run_model("counter", "--steps=3", "--plot=c.svg", env=env), "c\n0\n1\n2\n")
        self.assertEqual(self.read("c.svg"), "picture\n")
        script = self.read("script.txt")
        self.assertIn("$c0 << END\n0 0\n1 1\n2 2\nEND\n", script)
        self.assertIn("set terminal svg", script)
        self.assertRegex(script, r"\nplot \$c0 with steps [^,]* title 'c'\n")
        self.assertIn("set xlabel 'step'", script)
        self.assertEqual(self.files(), ["c.svg", "script.txt"])
        self.run_model("counter", "--steps=3", "--plot=c.PNG", "--out=c.csv", env=env)
        self.assertIn("pngcairo", self.read("script.txt"))
        self.assertEqual(self.files(), ["c.PNG", "c.csv", "c.svg", "script.txt"])

    def test_plot_of_no_steps(self):
        self.run_model(
            "counter", "--steps=0", "--plot=c.svg", "--out=c.csv", env=self.gnuplot(), status=3,
            err="counter: there are no steps to plot\n",
        )
        self.assertEqual(self.files(), ["c.csv"])

    def test_plot_of_many_steps_is_bounded(self):
        env = self.gnuplot()
        self.run_model(
            "counter", "--steps=1_000_000", "--set=limit=900_000", "--plot=c.svg", "--out=/dev/null", env=env,
            status=101, err=TRAP.format(900_000),
        )
        points = self.read("script.txt").split("END\n")[1].split("\n")[:-1]
        self.assertLess(len(points), 4097)
        self.assertGreater(len(points), 2000)
        self.assertEqual((points[0], points[-1]), ("0 0", "899999 899999"))

    def test_plot_of_many_outputs(self):
        self.run_model(
            "large", "--steps=2", "--plot=y.svg", "--out=/dev/null", env=self.gnuplot(),
            err="large: `y.svg` shows the first 24 of 20000 signals\n",
        )

    def test_plot_that_fails(self):
        env = self.gnuplot()
        (pathlib.Path(env["PATH"].split(":")[0]) / "gnuplot").write_text("#!/bin/sh\nexit 1\n")
        self.write("c.svg", "old")
        self.run_model(
            "counter", "--steps=2", "--plot=c.svg", "--out=/dev/null", env=env, status=3,
            err="counter: cannot plot to `c.svg`: gnuplot failed\n",
        )
        self.assertEqual((self.read("c.svg"), self.files()), ("old", ["c.svg"]))

    def panels(self, *args, u=None, model="inner"):
        """The names in each panel, bools behind a `-`; of bands `=`."""
        np.save(self.folder / "u.npy", np.arange(8.0) if u is None else u)
        given = ["--in=u=u.npy"] if model == "inner" else ["--steps=8"]
        self.run_model(model, *given, *args, "--out=/dev/null", env=self.gnuplot())
        script = self.read("script.txt")
        panels = []
        for line in script.splitlines():
            if line.startswith("set label ") and not line.startswith("set label 1 "):
                names = re.findall(r"set label \d+ '([^']*)'", line)
                panels[-1:] = [panels[-1] + ["=" + n for n in names]]
            elif line.startswith("set tmargin"):
                panels.append([])
            elif line.startswith("plot "):
                for part in line.split("$c")[1:]:
                    title = re.search(r" title '([^']*)'", part)
                    panels[-1] += [("-" if "boxxyerror" in part else "") + title[1]] if title else []
        return panels

    def test_groups(self):
        self.assertEqual(self.panels("--plot=p.svg", "--plot=u,t.y;axis[1].*;mode.odd;seen,mode.odd"),
                         [["u", "t.y"], ["axis[1].u", "axis[1].v"], ["=mode.odd"], ["-mode.odd", "seen"]])
        self.assertEqual(self.files(), ["p.svg", "script.txt", "u.npy"])
        self.assertEqual(self.panels("--plot=m;m[0][1];"),
                         [["m[0][0]", "m[0][1]", "m[1][0]", "m[1][1]"], ["m[0][1]"]])
        self.assertIn("inner.svg", self.files())

    def test_magnitudes(self):
        """Outputs first, then inputs; a factor of 10 begins another panel."""
        self.assertEqual(self.panels("--plot=p.svg"), [["y", "u"]])
        self.assertEqual(self.panels("--plot=p.svg", u=np.full(8, 0.5)), [["y"], ["u"]])
        self.assertEqual(self.panels("--plot=p.svg", u=np.zeros(8)), [["y", "u"]])
        wide = [f"--set={text}" for text in ("r=5000", "m=[1, 2, 3; 40, 5, 6]", "w=0", "n=4", "i=-2")]
        self.assertEqual(
            self.panels("--plot=p.svg", *wide, model="tunables"),
            [["n", "i"], ["r", "w[0][0]", "w[0][1]", "w[1][0]", "w[1][1]"],
             ["m[0][0]", "m[0][1]", "m[0][2]", "m[1][0]", "m[1][1]", "m[1][2]"], ["=b"]])

    def test_wrong_groups(self):
        def wrong(*args, err):
            self.run_model("inner", "--in=u=1", "--steps=1", *args, status=2, err=f"inner: {err}\n")
            self.assertEqual(self.files(), [])

        wrong("--plot=y.pdf", err="`--plot` draws .svg or .png, not `y.pdf`")
        wrong("--plot=sean", err="`--plot`: this model has no signal `sean`; did you mean `seen`?")
        wrong("--plot=u;;y", err="`--plot` needs names of signals, found ``")
        wrong("--plot=", err="`--plot` needs names of signals, found ``")
        wrong("--plot=u", "--plot=y", err="`--plot` has signals twice; `;` separates panels")
        wrong("--plot=u.svg;x;", err="`--plot`: this model has no signal `u.svg`; see `inner --describe`")
        wrong("--plot=" + ";".join("uyuyuyuyu"), err="`--plot` has more than 8 panels")
        wrong("--plot=y.svg", "--plot=z.svg", err="`--plot` is given twice")
        wrong("--plot=y.svg", "--out=y.svg", err="`y.svg` is given for an output and the plot")
        wrong("--plot=u", "--out=inner.svg", err="`inner.svg` is given for an output and the plot")

    def test_time(self):
        self.panels("--plot=u;y", "--dt=0.25")
        script = self.read("script.txt")
        self.assertIn("$c0 << END\n0 0\n0.25 1\n0.5 2\n", script)
        self.assertIn("set xrange [0:1.75]", script)
        self.assertEqual(script.count("set xlabel 'time / s'"), 1)
        self.panels("--save-state=s", "--plot=u")
        self.panels("--from-state=s", "--plot=u,mode.odd")
        script = self.read("script.txt")
        self.assertIn("$c0 << END\n8 0\n9 1\n10 2\n", script)
        self.assertIn("$c1 << END\n8 9\n10 11\n12 13\n14 15\nEND\n", script)
        self.assertIn("set xrange [8:16]", script)

    @unittest.skipUnless(shutil.which("gnuplot"), "gnuplot is not installed")
    def test_plot_by_gnuplot(self):
        for name, start in (("c.svg", b"<?xml"), ("c.png", b"\x89PNG")):
            self.run_model("counter", "--steps=3", f"--plot={name}", "--out=/dev/null")
            self.assertTrue((self.folder / name).read_bytes().startswith(start))
        # Nothing that gnuplot would complain about: one step, no numbers, no true, many curves.
        for args in ("--in=u=nan", "--in=u=1"):
            for steps in ("1", "2", "30"):
                self.run_model("inner", args, f"--steps={steps}", "--plot=p.png", "--out=/dev/null",
                               "--plot=u;y,mode.odd;late;mode.odd;u,m")
        self.run_model("large", "--steps=30", "--plot=p.svg", "--out=/dev/null",
                       err="large: `p.svg` shows the first 24 of 20000 signals\n")
        names = set(re.findall(r">(y\[\d+\])<", self.read("p.svg")))
        self.assertEqual(names, {f"y[{i}]" for i in range(24)})


if __name__ == "__main__":
    unittest.main()
