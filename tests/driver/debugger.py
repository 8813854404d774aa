"""gdb on a program compiled with -g: debugger.py TMLC

It stops on a line of TML and prints a scalar, a small tensor, and a parameter.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

TMLC = os.path.abspath(sys.argv[1])

PROGRAM = """\
fn scale(tensor<real, 3> v, real k) tensor<real, 3>:
    tensor<real, 3> r = v * k
    r[0] += 1.0
    return r
end
x = [1.0, 2.0, 3.0]
n = 4
y = scale(x, 2.5)
n += 1
print(y, n)
"""


class Debugger(unittest.TestCase):
    def test_lines_and_variables(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "scale.tml").write_text(PROGRAM)
            subprocess.run([TMLC, "-g", "-O0", "scale.tml", "-o", "scale"], cwd=folder, check=True)
            commands = ["break scale.tml:3", "run", "print r", "print k", "backtrace 2",
                        "break scale.tml:9", "continue", "print y", "print n"]
            arguments = [part for command in commands for part in ("-ex", command)]
            result = subprocess.run(["gdb", "-q", "-nx", "-batch", *arguments, "./scale"],
                                    cwd=folder, capture_output=True, text=True, timeout=60)
        out = result.stdout
        self.assertIn("scale (v=..., k=2.5) at", out)
        self.assertIn("$1 = {2.5, 5, 7.5}", out)
        self.assertIn("$2 = 2.5", out)
        self.assertIn("scale.tml:8", out)  # the caller, in the backtrace
        self.assertIn("$3 = {3.5, 5, 7.5}", out)
        self.assertIn("$4 = 4", out)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
