"""What objects with derivatives need: objects.py TMLC. No heap and nothing writable of their own, and of
other objects only functions of the C library that the function or its slopes have, as `nm` says.
"""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

# A function, and what its derivatives call beside what it calls itself.
CASES = {
    "sin(x[0]) * x[1]": {"cos", "sincos"},
    "exp(x[0]) + log(x[1] + 9.0)": set(),
    "x[0] ** x[1]": {"log"},
    "tanh(x[0]) * erf(x[1])": {"exp"},
    "sum(solve([4.0, x[0]; x[1], 5.0], x))": set(),
    "det([4.0, x[0]; x[1], 5.0]) * sum(sum!(nest(chol([4.0, x[0]; x[0], 5.0]), 1)))": set(),
    "sum(expm(outer(x, x))[0, :]) + norm(x, 3)": {"pow"},
    "walk(x)": {"cos", "sincos"},
}
WALK = """fn walk(tensor<real, 2> x) real:
    s = 0.0
    for k = 0:50:
        x[0] += 0.1 * sin(x[1])
        x[1] -= 0.1 * x[0]
        s += x[0] * x[0]
    end
    return s
end
"""
WAYS = [[], ["--derivative=forward"], ["--derivative=reverse"]]


class Objects(unittest.TestCase):
    def symbols(self, body, *options):
        """By the kind that `nm` has for them, the names of an object's symbols."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "m.tml"
            path.write_text(WALK + "fn f(tensor<real, 2> x) " + body + "\nend\n")
            subprocess.run([TMLC, "-c", "-w", "-O2", *options, path], cwd=folder, check=True)
            shown = subprocess.run(["nm", Path(folder) / "m.o"], text=True, check=True,
                                   stdout=subprocess.PIPE).stdout
        kinds = {}
        for line in shown.splitlines():
            kind, name = line.split()[-2:]
            kinds.setdefault(kind, set()).add(name)
        return kinds

    def test_symbols(self):
        for e, slopes in CASES.items():
            own = self.symbols(f"real:\n    return {e}").get("U", set())
            for way in WAYS:
                with self.subTest(e=e, way=way):
                    made = self.symbols(f"tensor<real, 2>:\n    return gradient({e}, x)", *way)
                    self.assertLessEqual(made.get("U", set()), own | slopes | {"memset", "memcpy"})
                    self.assertFalse(set("bBdDC") & set(made), made)
                    self.assertIn("T", made)


if __name__ == "__main__":
    TMLC = sys.argv.pop(1)
    unittest.main()
