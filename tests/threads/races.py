#!/usr/bin/env python3
"""ThreadSanitizer over the runtime's threads (races.c), and over programs whose code it watches, too.

Usage: races.py TMLC CLANG SOURCE_FOLDER RUNTIME MAIN. The last two are the runtime's archives. Wrong versions of the
runtime must be found.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

TMLC, CLANG, SOURCE, RUNTIME, MAIN = (os.path.abspath(path) for path in sys.argv[1:6])
del sys.argv[1:6]
HERE = pathlib.Path(__file__).resolve().parent
PARALLEL = pathlib.Path(SOURCE) / "runtime" / "run" / "parallel.c"

# Each row and what it becomes.
MUTANTS = [
    ("while (pool.inside > 0)", "while (false)"),
    ("pool.inside++;", ""),
    ("pthread_mutex_lock(&pool.lock);\n        pool.is_open = false;", "pool.is_open = false;"),
    ("bool is_free = !pool.is_busy &&", "bool is_free ="),
]

PROGRAMS = {
    "stencil": """\
tensor<real, 150, 140> x = reshape(sin(1.0 * iota(21000)), 150, 140)
tensor<real, 150, 140> y = 1
for i = 0:5:
    y = 2.5 * x + y
    x[1:149, 1:139] = 0.25 * (y[0:148, 1:139] + y[2:150, 1:139] + y[1:149, 0:138] + y[1:149, 2:140])
end
print(sum(y), x[7, 8])
""",
    "products": """\
tensor<real, 100, 90> a = reshape(sin(1.0 * iota(9000)), 100, 90)
tensor<real, 90, 110> b = reshape(cos(1.0 * iota(9900)), 90, 110)
c = a .* b
d = c' .* (a + 1)
print(sum(c), sum(d), sum(c .* b[3, :]))
tensor<real, 300, 600> e = reshape(sin(1.0 * iota(180000)), 300, 600)
print(sum(e .* e'))
""",
    "loops": """\
tensor<real, 120, 130> x = reshape(sin(1.0 * iota(15600)), 120, 130)
tensor<int, 120, 130> n = 0
for i = 0:120:
    o = x[i, :] - max(x[i, :])
    x[i, :] = exp(o) * (1 / sum(exp(o)))
end
for i = 0:120:
    for j = 0:130:
        z = x[i, j] * 60
        k = 0
        while k < 30 and abs(z) < 4:
            z = z * z - 0.9
            k = k + 1
        end
        n[i, j] = k
    end
end
flat = reshape(x, 15600)
print(sum(x), sum(n), flat .* flat, sum(flat * 3))
""",
    "ends of rows": """\
tensor<real, 5000, 3> x = reshape(sin(1.0 * iota(15000)), 5000, 3)
x = x * [1.0, 2.0, 3.0] + 1
columns = sum!(nest(x, 1))
rows = max(nest(x, 1))
print(columns, rows[17])
""",
}


class Races(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_command(self, *command, status=0, **more):
        result = subprocess.run(command, cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                timeout=300, **more)
        if status is not None:
            self.assertEqual(result.returncode, status, f"{command}\n{result.stderr[:3000]}")
        return result

    def clang(self, *options):
        self.run_command(CLANG, "-w", "-fsanitize=thread", "-O1", "-g", f"-I{SOURCE}", *options)

    def test_runtime(self):
        self.clang(HERE / "races.c", PARALLEL, "-o", "races")
        self.run_command("./races")

    def test_mutants(self):
        text = PARALLEL.read_text()
        for number, (old, new) in enumerate(MUTANTS):
            self.assertIn(old, text)
            (self.folder / "mutant.c").write_text(text.replace(old, new, 1))
            self.clang(HERE / "races.c", "mutant.c", "-o", "races")
            self.assertTrue(any(self.is_noticed() for _ in range(20)), f"mutant {number}")

    def is_noticed(self):
        """A run in which threads come late shows nothing; one may also never end."""
        try:
            return subprocess.run(["./races"], cwd=self.folder, capture_output=True, timeout=20).returncode != 0
        except subprocess.TimeoutExpired:
            return True

    def test_programs(self):
        for name, text in PROGRAMS.items():
            (self.folder / "m.tml").write_text(text)
            self.run_command(TMLC, "-w", "m.tml", "-o", "alone")
            expected = self.run_command("./alone").stdout
            self.run_command(TMLC, "-w", "--threads=3", "--threads-from=1", "m.tml", "-o", "m.ll")
            code = (self.folder / "m.ll").read_text()
            self.assertIn("@tml_parallel", code)
            watched = re.sub(r"^(attributes #\d+ = \{)", r"\1 sanitize_thread", code, flags=re.MULTILINE)
            (self.folder / "m.ll").write_text(watched)
            table = re.search(r"^@(\w+_model_[0-9a-f]{16}) =", code, re.MULTILINE).group(1)
            self.clang("m.ll", PARALLEL, f"-Wl,--defsym=tml_model_descriptor={table}", MAIN, RUNTIME, "-lm", "-o",
                       "watched")
            found = self.run_command("./watched")
            self.assertEqual(found.stdout, expected, name)
            self.assertEqual(found.stderr, "", name)


if __name__ == "__main__":
    unittest.main()
