#!/usr/bin/env python3
"""Inputs that come from no file: defaults. Usage: sources.py HOST."""

import unittest

from simulation import Simulation


class Defaults(Simulation):
    """The model computes u + v[0] * v[1] + k; v is [1, 2] and k is -3 where nothing gives them."""

    def runs(self, text, out, *args):
        self.write("in.csv", text)
        self.assertEqual(self.run_model("given", *args), out)

    def test_columns_of_a_file_with_all_inputs(self):
        self.runs("u\n1\n2\n", "y\n0.0\n1.0\n", "--in", "in.csv")
        self.runs("k,u\n1,1\n7,2\n", "y\n4.0\n11.0\n", "--in", "in.csv")
        self.runs("v[1],u,v[0]\n1,1,5\n7,2,5\n", "y\n3.0\n34.0\n", "--in", "in.csv")
        rows = 3000
        self.runs("u\n" + "1\n" * rows, "y\n" + "0.0\n" * rows, "--in", "in.csv")

    def test_files_for_single_inputs(self):
        self.runs("u\n1\n2\n", "y\n0.0\n1.0\n", "--in", "u=in.csv")
        self.runs("u,k\n1,3\n2,3\n", "y\n6.0\n7.0\n", "--in", "u=in.csv", "--in=k=in.csv")

    def test_what_is_missing(self):
        def refuses(text, err, *args, status=3):
            self.write("in.csv", text)
            self.assertEqual(self.run_model("given", *args, status=status, err=err), "")

        refuses("k\n1\n", "in.csv:1:1: error: the column `u` is missing\n", "--in=in.csv")
        refuses("u,v[1]\n1,1\n", "in.csv:1:1: error: the column `v[0]` is missing\n", "--in=in.csv")
        refuses("u\n1\n", "in.csv:1:1: error: the column `k` is missing\n",
                "--in=u=in.csv", "--in=k=in.csv")
        refuses("u\n", "given: the input `u` (real) is missing; give `--in u=FILE`\n", "--in=k=in.csv", status=2)

    def test_help(self):
        self.assertIn("""
inputs:
  u  real
  v  tensor<real, 2>  = [1.0, 2.0]
  k  int              = -3
""", self.run_model("given", "--help"))


if __name__ == "__main__":
    unittest.main()
