#!/usr/bin/env python3
"""Each component of examples/ gives NumPy the bits that its executable writes. Usage: examples.py TMLC."""

import csv
import subprocess
import unittest

import numpy as np
from package_test import ROOT, TMLC, PackageTest, tmlc

VARIANTS = {"movingsum": [("", {}), ("-minus", {"p.signs": "-"})]}


def columns(text):
    """The columns of a CSV file, as lists of numbers in Python."""
    header, *rows = csv.reader(text.splitlines())
    return dict(zip(header, zip(*[[float(cell) for cell in row] for row in rows])))


def arrays(found, variables):
    """Each variable's array, of its columns."""
    result = {}
    for name, v in variables.items():
        steps = len(next(iter(found.values())))
        array = np.zeros((steps, *v.shape), v.dtype)
        for index in np.ndindex(v.shape):
            array[(slice(None), *index)] = found[name + "".join(f"[{i}]" for i in index)]
        result[name] = array
    return result


class Examples(PackageTest):
    def compare(self, source, data, define, options, **more):
        model = tmlc.compile(source, define=define, **more)
        made = self.folder() / "made"
        defined = [f"-D{name}={value}" for name, value in define.items()]
        subprocess.run([TMLC, source, "-w", "-o", made, *defined, *options], check=True)
        written = subprocess.run([made, "--in", data], capture_output=True, text=True, check=True).stdout
        expected = arrays(columns(written), model.outputs)
        y = model.simulate(arrays(columns(data.read_text()), model.inputs))
        self.assertEqual(list(y), list(model.outputs))
        self.assertGreater(len(y.steps), 0)
        for name, array in y.items():
            with self.subTest(name=name):
                self.same(array, expected[name])
        self.assertEqual(list(y.columns()), written.splitlines()[0].split(","))

    def test_examples(self):
        sources = sorted(path for path in ROOT.glob("examples/*/*.tml") if path.stem == path.parent.name)
        sources = [path for path in sources if (path.parent / "input.csv").exists()]
        self.assertGreaterEqual(len(sources), 12)
        for source in sources:
            for suffix, define in VARIANTS.get(source.stem, [("", {})]):
                with self.subTest(source=source.stem + suffix):
                    interface = [str(path) for path in source.parent.glob("*.interface.tml")]
                    self.compare(
                        source, source.parent / f"input{suffix}.csv", define,
                        [f"--interface={path}" for path in interface], interface=interface,
                    )

    def test_single(self):
        pid = ROOT / "examples/pid/pid.tml"
        self.compare(pid, pid.parent / "input.csv", {}, ["--real=f32"], real="f32")


if __name__ == "__main__":
    unittest.main()
