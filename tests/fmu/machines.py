#!/usr/bin/env python3
"""FMUs with binaries for several machines: machines.py TMLC

The binary for AArch64 loads in an emulator beside that for this machine, gives the same bits, and answers calls in
forbidden order as it does.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import description
import importer

TMLC = os.path.abspath(sys.argv.pop(1))
HERE = pathlib.Path(__file__).resolve().parent
os.environ["TMLC_CC"] = "cc"  # programs are linked with the binaries here, not by what sanitizes tmlc
ROOT = "/usr/aarch64-linux-gnu"
# A compiler and what runs its programs.
MACHINES = {"x86_64-linux": (["gcc"], []),
            "aarch64-linux": (["aarch64-linux-gnu-gcc"], ["qemu-aarch64", "-L", ROOT])}
TARGETS = ["--target=x86_64-linux-gnu", "--target=aarch64-linux-gnu"]


def run(*command, **settings):
    result = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True, timeout=300, **settings)
    if result.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}\nexit status {result.returncode}\n{result.stdout}")
    return result.stdout


class Machines(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)

    def fmu(self, model, *options):
        run(TMLC, HERE / "models" / f"{model}.tml", "-o", self.folder / "model.fmu", *TARGETS, *options)
        fmu = importer.Fmu(self.folder / "model.fmu", tempfile.mkdtemp(dir=self.folder))
        description.check(fmu)
        return fmu

    def printed(self, fmu, source, words, arguments=()):
        """What a program prints that is linked with the binary for each machine."""
        texts = []
        for name, (compiler, emulator) in MACHINES.items():
            folder = "linux64" if fmu.version == 2 and name == "x86_64-linux" else name
            library = fmu.folder / "binaries" / folder / f"{fmu.identifier}.so"
            program = fmu.folder / name
            run(*compiler, "-O1", *words, HERE / source, library, f"-Wl,-rpath,{library.parent}", "-lm", "-o", program)
            texts.append(run(*emulator, program, *arguments))
        return texts

    def test_rows(self):
        fmu = self.fmu("mixed")
        words = [f"-D{name.upper()}={fmu.variables[name].references[0]}" for name in ("m", "v", "mo", "vo", "no")]
        here, there = self.printed(fmu, "rows.c", [f'-DTOKEN="{fmu.token}"', *words])
        self.assertEqual(len(here.splitlines()), 40)
        self.assertEqual(here, there)

    def test_calls(self):
        for version in (2, 3):
            fmu = self.fmu("trap", f"--fmi={version}")
            here, there = self.printed(fmu, "sequences.c", [f'-DTOKEN="{fmu.token}"', f"-DVERSION={version}"], (200, 7))
            self.assertEqual(here, there)

    def test_options(self):
        """All targets are compiled with the same options, also from standard input."""
        fmu = self.fmu("mixed", "--with", "t.trim", "-Dn.dt=0.25")
        self.assertIn("trim", fmu.variables)
        words = [f"-D{name.upper()}={fmu.variables[name].references[0]}" for name in ("m", "v", "mo", "vo", "no")]
        text = (HERE / "models" / "mixed.tml").read_text()
        here, there = self.printed(fmu, "rows.c", [f'-DTOKEN="{fmu.token}"', "-DSTEP=0.25", *words])
        self.assertEqual(here, there)
        result = subprocess.run([TMLC, "-", "-o", self.folder / "piped.fmu", *TARGETS], input=text, text=True,
                                stderr=subprocess.PIPE)
        self.assertEqual(result.returncode, 0, result.stderr)
        piped = importer.Fmu(self.folder / "piped.fmu", self.folder / "piped")
        self.assertEqual([name.split("/")[1] for name in piped.names[1:]], list(MACHINES))

    def test_same_bytes(self):
        self.fmu("mixed")
        first = (self.folder / "model.fmu").read_bytes()
        self.fmu("mixed")
        self.assertEqual((self.folder / "model.fmu").read_bytes(), first)


if __name__ == "__main__":
    unittest.main()
