#!/usr/bin/env python3
"""A store whose process is killed and started again ends as if nothing had been.

Usage: kill.py HOST TMLC COUNT: how many times it is killed.
"""

import pathlib
import random
import shutil
import signal
import sys
import time
import unittest

COUNT = int(sys.argv.pop(3))
sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))

from ensemble import MOTOR, MOTOR_INPUTS, MOTOR_SAMPLES, Ensemble  # noqa: E402
from seeds import default_seed  # noqa: E402

ARGS = [*MOTOR_INPUTS, *MOTOR_SAMPLES, "--steps=100", "--runs=20000", "--keep=max"]


class Kill(Ensemble):
    def test_random_moments(self):
        motor = self.compile("motor", MOTOR)
        chance = random.Random(default_seed())
        start = time.perf_counter()
        self.execute(motor, *ARGS, "--threads=2", "--out=whole.zarr")
        whole = time.perf_counter() - start
        expected = self.tree("whole.zarr")
        killed = unfinished = 0
        while killed < COUNT:
            process = self.start(motor, *ARGS, "--threads=2", "--out=r.zarr")
            time.sleep(chance.random() ** 3 * whole)
            process.send_signal(signal.SIGKILL)
            process.communicate()
            if process.returncode == 0:  # it was faster
                self.assertEqual(self.tree("r.zarr"), expected)
                shutil.rmtree(self.folder / "r.zarr")
                continue
            killed += 1
            # What is there is whole.
            for name, found in self.tree("r.zarr").items() if (self.folder / "r.zarr").exists() else ():
                if not name.endswith(".part"):
                    self.assertEqual(found, expected[name], name)
            unfinished += not (self.folder / "r.zarr/faults.csv").exists()
        self.execute(motor, *ARGS, "--threads=2", "--out=r.zarr")
        self.assertEqual(self.tree("r.zarr"), expected)
        print(f"killed {killed} times, {unfinished} before the end")
        self.assertGreater(unfinished, 0)


if __name__ == "__main__":
    unittest.main()
