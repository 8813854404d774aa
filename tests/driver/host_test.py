"""What the tests of objects in hosts share. The arguments are TMLC MODELS [TEST...]."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

TMLC = os.path.abspath(sys.argv.pop(1))
MODELS = pathlib.Path(sys.argv.pop(1)).resolve()
NAMES = ["class", "empty", "plant", "shapes", "trap"]
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]

FREESTANDING = "".join(f"#include <{name}.h>\n" for name in (
    "float iso646 limits stdalign stdarg stdbool stddef stdint stdnoreturn".split()))
# Of C11; in C++ some of these are others.
HOSTED = FREESTANDING + "".join(f"#include <{name}.h>\n" for name in (
    "assert complex ctype errno fenv inttypes locale math setjmp signal stdatomic stdio stdlib string tgmath threads time "
    "uchar wchar wctype".split()))


def first(*names):
    return next((name for name in names if shutil.which(name)), None)


C_COMPILERS = [name for name in [first("gcc", "cc"), first("clang-19", "clang")] if name]
CXX_COMPILERS = [name for name in [first("g++"), first("clang++-19", "clang++")] if name]
CLANG = first("clang-19", "clang")


class HostTest(unittest.TestCase):
    """A folder of its own, and commands that are run in it."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, text):
        (self.folder / name).write_text(text)

    def read(self, name):
        return (self.folder / name).read_text()

    def files(self):
        return sorted(path.name for path in self.folder.iterdir())

    def run_command(self, *args, status=0, **more):
        result = subprocess.run(
            [str(arg) for arg in args], cwd=self.folder, capture_output=True, text=True,
            stdin=subprocess.DEVNULL, timeout=120, **more)
        if status is not None:
            self.assertEqual(result.returncode, status, f"{args}\n{result.stdout}{result.stderr}")
        return result

    def tmlc(self, *args, status=0, **more):
        return self.run_command(TMLC, *args, status=status, **more)

    def compile(self, name, *options):
        self.tmlc("-c", MODELS / f"{name}.tml", *options)

    def host(self, text, *objects, compiler=None, options=()):
        """Compiles a C host with the objects and returns what it prints."""
        self.write("host.c", text)
        self.run_command(compiler or C_COMPILERS[0], "-std=c11", *WARNINGS, *options, "host.c",
                         *objects, "-o", "host", "-lm")
        return self.run_command("./host").stdout
