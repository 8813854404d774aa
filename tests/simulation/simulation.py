"""What the tests of simulations share. Usage of each: TEST.py HOST."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HOST = os.path.abspath(sys.argv.pop(1))


class Simulation(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, text):
        (self.folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())

    def read(self, name):
        return (self.folder / name).read_text()

    def files(self):
        return sorted(path.name for path in self.folder.iterdir())

    def run_model(self, *args, status=0, err="", env=None, **more):
        """Runs `host ARGS` and checks its exit status and standard error; returns its output."""
        more.setdefault("stdin", subprocess.DEVNULL)
        result = subprocess.run(
            [HOST, *args],
            cwd=self.folder,
            env={**os.environ, **(env or {})},
            stdout=more.pop("stdout", subprocess.PIPE),
            stderr=subprocess.PIPE,
            text=True,
            timeout=120,
            **more,
        )
        self.assertEqual((result.stderr, result.returncode), (err, status))
        return result.stdout
