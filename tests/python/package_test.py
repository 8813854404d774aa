"""What the tests of the Python package share: the package of this tree, this compiler, a cache of their own.

Scripts that import it are called with the compiler as their first argument.
"""

import atexit
import contextlib
import os
import pathlib
import shutil
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))
if os.environ.get("TMLC_TESTED") != str(os.getppid()):  # else this is a worker, which runs the script once more
    os.environ["TMLC_TESTED"] = str(os.getpid())
    os.environ["TMLC"] = os.path.abspath(sys.argv.pop(1))
    os.environ["TMLC_CACHE"] = tempfile.mkdtemp(prefix="tmlc-test-")
    atexit.register(shutil.rmtree, os.environ["TMLC_CACHE"], ignore_errors=True)
TMLC = os.environ["TMLC"]
# On a machine that does nothing else times are held too.
SPEED = "--speed" in sys.argv and not sys.argv.remove("--speed")
INTERRUPTED_WITHIN = 0.2 if SPEED else 10.0  # seconds from Ctrl-C to the exception

import tmlc  # noqa: E402,F401 after the path of it

LAG = """in real t.u
out real t.y
tunable real p.k = 0.5
real x = 0.0
fn output_fnc():
    t.y = x
end
fn update_fnc():
    x += p.k * (t.u - x)
end
"""

# All roots, a matrix, levels, a default, a text.
MIXED = """in bool t.b
in uint t.n = 7
in int t.i
in tensor<real, 2, 2> t.m
in tensor<tensor<real, 3>, 2> t.v
out bool t.bo
out uint t.no
out int t.io
out tensor<real, 2, 2> t.mo
out tensor<tensor<real, 3>, 2> t.vo
tunable tensor<real, 2> p.gain = [1.0, 2.0]
tunable int p.by = 3
str p.label = "mixed"
real n.dt = 0.5
uint count = 0
fn output_fnc():
    t.bo = not t.b
    t.no = t.n + count
    t.io = t.i * p.by
    t.mo = t.m * p.gain
    t.vo = t.v * n.dt
end
fn update_fnc():
    count += 1
end
"""

# Traps in its step number `t.at`.
TRAPS = """in int t.at
out int t.y
int k = 0
tensor<int, 3> a = [1, 2, 3]
fn output_fnc():
    t.y = k
    if k == t.at:
        t.y = a[k + 5]
    end
end
fn update_fnc():
    k += 1
end
"""


def slow(turns):
    """A component whose step takes so many turns of a loop."""
    return f"""in real t.u
out real t.y
fn output_fnc():
    real x = t.u
    for k = 0:{turns}:
        x = sin(x) + 1.0
    end
    t.y = x
end
"""


class PackageTest(unittest.TestCase):
    maxDiff = None

    def folder(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        return pathlib.Path(made.name)

    @contextlib.contextmanager
    def raises(self, kind, text):
        """Exactly this message."""
        with self.assertRaises(kind) as caught:
            yield caught
        self.assertEqual(str(caught.exception), text)

    def same(self, one, other):
        """Equal dtypes, shapes and bits."""
        self.assertEqual((one.dtype, one.shape), (other.dtype, other.shape))
        self.assertEqual(one.tobytes(), other.tobytes())
