#!/usr/bin/env python3
"""Random properties are those that the description says, drawn again here. Usage: samples.py HOST TMLC."""

import unittest

import numpy as np

from ensemble import Ensemble, draw

MODEL = """out real t.y
tunable real p.a = 1.0
tunable tensor<real, 2> p.gain = [1.0, 2.0]
tunable tensor<tensor<real, 2>, 2> p.nest = 0.0
fn output_fnc():
    t.y = p.a + sum(p.gain)
end
"""
BIG = 2**63 - 1


class Samples(Ensemble):
    def runs(self, *args, program=None):
        self.execute(program or self.compile("m", MODEL), "--steps=1", *args, "--out=y.npy")
        return np.load(self.folder / "y.npy")

    def test_each_value(self):
        for seed in (0, 7, 2**40 + 3, BIG):
            y = self.runs("--sample=a~uniform(-1, 2.5)", "--sample=gain~normal(3, 0.5)",
                          "--sample=nest[1][0]~lognormal(0.5,2)", f"--seed={seed}", "--runs=300")
            for run in range(300):
                self.assertEqual(y["p.a"][run], draw("a", seed, run, "uniform", -1.0, 2.5))
                for i in range(2):
                    expected = draw(f"gain[{i}]", seed, run, "normal", 3.0, 0.5)
                    self.assertAlmostEqual(y["p.gain"][run][i] / expected, 1, delta=2e-15)
                expected = draw("nest[1][0]", seed, run, "lognormal", 0.5, 2.0)
                self.assertAlmostEqual(y["p.nest"][run][1, 0] / expected, 1, delta=1e-14)
                self.assertEqual(y["p.nest"][run][0].tolist(), [0, 0])
            np.testing.assert_array_equal(y["y"], y["p.a"] + (y["p.gain"][:, 0] + y["p.gain"][:, 1]))

    def test_neither_order_nor_company_matters(self):
        alone = self.runs("--sample=a~uniform(0, 1)", "--runs=50")
        other = self.runs("--sample=gain[1]~normal(0, 1)", "--sample=p.a ~ uniform(0, 1)", "--runs=200")
        np.testing.assert_array_equal(alone["p.a"], other["p.a"][:50])
        more = self.runs("--sample=a~uniform(0, 1)", "--sample=gain[1]~normal(0, 1)", "--runs=200")
        np.testing.assert_array_equal(more, other)

    def test_singles(self):
        single = self.compile("single", MODEL, "--real=f32")
        y = self.runs("--sample=a~uniform(-1, 2.5)", "--runs=100", program=single)
        for run in range(100):
            self.assertEqual(y["p.a"][run], np.float32(draw("a", 0, run, "uniform", -1.0, 2.5)))

    def test_moments(self):
        n = 200_000
        y = self.runs("--sample=a~uniform(2, 5)", "--sample=gain[0]~normal(3, 0.5)",
                      "--sample=gain[1]~lognormal(0.2,0.3)", "--seed=11", f"--runs={n}")
        u, g, h = y["p.a"], y["p.gain"][:, 0], np.log(y["p.gain"][:, 1])
        self.assertTrue(u.min() > 2 and u.max() < 5)
        for values, mean, deviation, fourth in ((u, 3.5, 3 / 12**0.5, 1.8), (g, 3, 0.5, 3), (h, 0.2, 0.3, 3)):
            error = deviation / n**0.5
            self.assertLess(abs(values.mean() - mean), 5 * error)
            self.assertLess(abs(values.std() - deviation), 5 * error * ((fourth - 1) / 4) ** 0.5)
            normed = (values - mean) / deviation
            self.assertLess(abs((normed**3).mean()), 5 * (15 / n) ** 0.5)
            self.assertLess(abs((normed**4).mean() - fourth), 5 * (96 / n) ** 0.5)
            self.assertLess(abs((normed[1:] * normed[:-1]).mean()), 5 / n**0.5)
        for one, two in ((u, g), (u, h), (g, h)):
            self.assertLess(abs(np.corrcoef(one, two)[0, 1]), 5 / n**0.5)
        # Kolmogorov's distance, at a level of one in a million.
        self.assertLess(np.abs((np.sort(u) - 2) / 3 - np.arange(n) / n).max(), 2.7 / n**0.5)


if __name__ == "__main__":
    unittest.main()
