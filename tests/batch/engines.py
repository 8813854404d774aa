#!/usr/bin/env python3
"""GNU parallel and Open MPI, where they are installed, make the store of one process.

Usage: engines.py HOST TMLC.
"""

import os
import shutil
import unittest

from ensemble import MOTOR, MOTOR_INPUTS, MOTOR_SAMPLES, Ensemble

RUN = [*MOTOR_INPUTS, *MOTOR_SAMPLES, "--steps=50", "--runs=3000", "--seed=7", "--threads=1"]


class Engines(Ensemble):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.motor = cls.compile("motor", MOTOR)

    def store_of(self, command, env=None):
        if not shutil.which(command[0]):
            print(f"SKIPPED: there is no {command[0]} here", flush=True)
            self.skipTest(command[0])
        self.execute(self.motor, *RUN, "--out=one.zarr")
        self.execute(*command, env=env)
        self.assertEqual(self.tree("many.zarr"), self.tree("one.zarr"))

    def test_parallel(self):
        words = " ".join(f"'{word}'" for word in [self.motor, *RUN])
        self.store_of(["parallel", "-j2", f"{words} --shard {{}}/5 --out many.zarr", ":::", *"12345"])

    def test_mpi(self):
        self.store_of(["mpirun", "-n", "3", "--oversubscribe", self.motor, *RUN, "--out=many.zarr"],
                      env={**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"})


if __name__ == "__main__":
    unittest.main()
