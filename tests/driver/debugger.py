"""gdb on a program compiled with -g: debugger.py TMLC CMAKE BUILD

It stops on a line of TML and in a function, and prints scalars, tensors, and parameters, with and
without share/gdb.py.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

TMLC, CMAKE, BUILD = os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3]
PRINTER = pathlib.Path(__file__).parents[2] / "share/gdb.py"

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


# What is printed of it is what gdb shall show; the arguments are no constants.
SHAPES = """\
fn show(int i, bool b, uint u, real r, tensor<real, 3> v, tensor<real, 2, 2> m, tensor<int, 2, 2, 2> c,
        tensor<tensor<uint, 2>, 2, 1> n, tensor<bool, 1, 2> row, tensor<real, 1, 1, 2> page,
        tensor<tensor<int, 1, 2, 1, 2>, 2> deep) int:
    print(i, b, u, r)
    print(v)
    print(m)
    print(c)
    print(n)
    print(row)
    print(page)
    print(deep)
    return i
end
x = input(real)
i = iota(8) - 3
k = show(-2147483648, x > 0.0, 4294967295u, x, [0.1, 1e16, 1e-5] * x, [1.0, nan; -inf, -0.0] * x,
         reshape(i, 2, 2, 2), [[1u, 2u]; [3u, 4u]], [x > 0.0, false;], [1.0, 2.0 |] * x,
         nest(reshape(i, 2, 1, 2, 1, 2), 4))
wide = 0.5 * iota(300) * x
print(sum(wide))
"""
NAMES = ["v", "m", "c", "n", "row", "page", "deep"]


def run_gdb(folder, commands, *options):
    arguments = [part for command in commands for part in ("-ex", command)]
    return subprocess.run(["gdb", "-q", "-nx", "-batch", *options, *arguments], cwd=folder,
                          capture_output=True, text=True, timeout=60).stdout


class Debugger(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        (self.folder / "input.txt").write_text("1.0\n")

    def compile(self, name, text, *options):
        (self.folder / f"{name}.tml").write_text(text)
        subprocess.run([TMLC, "-g", "-O0", *options, f"{name}.tml", "-o", name], cwd=self.folder,
                       check=True)

    def test_arguments_at_the_first_stop(self):
        self.compile("shapes", SHAPES)
        out = run_gdb(self.folder, ["break show", "run < input.txt", "info args", "ptype c", "whatis n"],
                      "./shapes")
        for line in ("i = -2147483648", "b = true", "u = 4294967295", "r = 1",
                     "v = {0.10000000000000001, 10000000000000000, 1.0000000000000001e-05}",
                     "m = {{1, nan(0x8000000000000)}, {-inf, -0}}", "c = {{{-3, -2}, {-1, 0}}, {{1, 2}, {3, 4}}}",
                     "type = int [2][2][2]", "type = tensor<tensor<uint, 2>, 2, 1>"):
            self.assertIn(line + "\n", out)

    def test_tensors_as_print_shows_them(self):
        for options in ((), ("--real=f32",)):
            self.compile("shapes", SHAPES, *options)
            expected = subprocess.run(["./shapes"], cwd=self.folder, input="1.0\n", text=True,
                                      capture_output=True, check=True).stdout
            commands = ["set width 0", f"source {PRINTER}", "break show", "run < input.txt",
                        "printf \"BEGIN\\n\""]
            commands += [f"output {name}\nprintf \"\\n\"" for name in NAMES]
            script = self.folder / "commands"
            script.write_text("\n".join(commands) + '\nprintf "END\\n"\n')
            out = run_gdb(self.folder, [], "-x", "commands", "./shapes")
            found = out.partition("BEGIN\n")[2].partition("END\n")[0]
            self.assertEqual(found, expected.partition("\n")[2].rpartition("\n")[0].rpartition("\n")[0] + "\n")

    def test_long_ones_and_parts(self):
        self.compile("shapes", SHAPES)
        out = run_gdb(self.folder, [f"source {PRINTER}", "break show", "run < input.txt", "print m[1]",
                                    "print/r m[1]", "print v[0]", "backtrace 1", "break shapes.tml:20",
                                    "continue", "set print elements 3", "print wide"], "./shapes")
        self.assertIn("$1 = {-inf, -0}\n$2 = {-inf, -0}\n$3 = 0.10000000000000001\n", out)
        self.assertIn("show (i=-2147483648, b=true, u=4294967295, r=1, v=..., m=", out)
        self.assertIn("$4 = [0.0, 0.5, 1.0, ...\n", out)

    def test_lines_of_optimised_programs(self):
        # What is taken into the entry point keeps its lines.
        self.compile("last", "v = [1, 2]\ni = int(input(real))\nprint(v[i])\n", "-O2")
        out = run_gdb(self.folder, ["break last.tml:3", "run < input.txt", "backtrace 2"], "./last")
        self.assertIn("#0  main () at last.tml:3\n#1  step () at last.tml:1\n", out)

    def test_gdb_finds_the_printer(self):
        # A data folder as gdb's own, with what an installed tree has in its place.
        self.compile("scale", PROGRAM)
        data = pathlib.Path(run_gdb(self.folder, ["show data-directory"]).split('"')[1])
        subprocess.run([CMAKE, "--install", BUILD, "--prefix", self.folder / "usr"], check=True,
                       capture_output=True)
        merged = self.folder / "merged"
        shutil.copytree(data, merged)
        shutil.copytree(self.folder / "usr/share/gdb", merged, dirs_exist_ok=True)
        out = run_gdb(self.folder, ["break scale", "run", "print v"], "--data-directory", merged,
                      "./scale")
        self.assertIn("$1 = [1.0, 2.0, 3.0]\n", out)

    def test_lines_and_variables(self):
        self.compile("scale", PROGRAM)
        out = run_gdb(self.folder, ["break scale.tml:3", "run", "print r", "print k", "backtrace 2",
                                    "break scale.tml:9", "continue", "print y", "print n"], "./scale")
        self.assertIn("scale (v=..., k=2.5) at", out)
        self.assertIn("$1 = {2.5, 5, 7.5}", out)
        self.assertIn("$2 = 2.5", out)
        self.assertIn("scale.tml:8", out)  # the caller, in the backtrace
        self.assertIn("$3 = {3.5, 5, 7.5}", out)
        self.assertIn("$4 = 4", out)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
