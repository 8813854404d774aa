"""What the tests of many runs share: compiled models, a reader of stores, and the generator of random
properties, written again from its description (runtime/batch/batch.h).
"""

import json
import math
import pathlib
import statistics
import subprocess
import sys
import tempfile

import numpy as np

from simulation import Simulation

TMLC = str(pathlib.Path(sys.argv.pop(1)).resolve())
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
FAULT = np.dtype([("code", "<i4"), ("file", "<u4"), ("line", "<u4"), ("column", "<u4"),
                  ("index", "<i8"), ("length", "<u8"), ("step", "<u8")])
# The motor of the examples, whose properties may change.
MOTOR = (EXAMPLES / "dcmotor/dcmotor.tml").read_text().replace("\nreal p.", "\ntunable real p.")
MOTOR_INPUTS = ["--in", "voltage=step(1, at=0.1)", "--in", "load=step(0.05, at=2.5)"]
MOTOR_SAMPLES = ["--sample=r~uniform(0.9, 1.1)", "--sample=l~normal(0.5, 0.02)",
                 "--sample=k~uniform(0.009,0.011)", "--sample=j~lognormal(-4.6, 0.05)",
                 "--sample=b~uniform(0.09, 0.11)"]
# Traps in the step `at`, or in init.
FRAGILE = """out real t.y
out int t.count
tunable real p.at = 1.0e9
tunable int p.start = 0
int step = 0

fn init_fnc():
    assert(p.start >= 0, "negative, or bad")
end

fn output_fnc():
    t.y = 0.5 * real(step)
    t.count = step
end

fn update_fnc():
    step += 1
    assert(real(step) < p.at)
end
"""


class Ensemble(Simulation):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.temporary.cleanup)

    @classmethod
    def compile(cls, name, text, *options):
        source = pathlib.Path(cls.temporary.name, f"{name}.tml")
        if not source.exists():
            source.write_text(text)
            subprocess.run([TMLC, *options, source.name, "-o", name], cwd=source.parent, check=True)
        return str(source.with_suffix(""))

    def start(self, program, *args, env=None):
        return subprocess.Popen([program, *args], cwd=self.folder, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, env=env)

    def execute(self, program, *args, status=0, err="", env=None):
        process = self.start(program, *args, env=env)
        out, found = process.communicate(timeout=300)
        self.assertEqual((found, process.returncode), (err, status))
        return out

    def tree(self, name):
        """All files of a store and their bytes."""
        root = self.folder / name
        return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def read_array(path):
    """An array of a store, with nothing but what the format's description says."""
    meta = json.loads((path / ".zarray").read_text())
    assert (meta["zarr_format"], meta["compressor"], meta["filters"], meta["order"]) == (2, None, None, "C")
    dtype = np.dtype([tuple(field) for field in meta["dtype"]]) if isinstance(meta["dtype"], list) else meta["dtype"]
    chunk = meta["chunks"][0]
    count = -(-meta["shape"][0] // chunk)
    result = np.zeros([count * chunk, *meta["chunks"][1:]], dtype)
    if meta["fill_value"] == "NaN":
        result[:] = np.nan
    for k in range(count):
        file = path / ".".join([str(k)] + ["0"] * (len(meta["shape"]) - 1))
        if file.exists():
            result[k * chunk:(k + 1) * chunk] = np.fromfile(file, dtype).reshape(meta["chunks"])
    return result[:meta["shape"][0]]


def read_store(path):
    return {array.parent.name: read_array(array.parent) for array in path.glob("*/.zarray")}


def philox(counter, key):
    """Philox4x32-10, in the integers of Python."""
    c, k = list(counter), list(key)
    for _ in range(10):
        low, high = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [(high >> 32) ^ c[1] ^ k[0], high & 0xFFFFFFFF, (low >> 32) ^ c[3] ^ k[1], low & 0xFFFFFFFF]
        k = [(k[0] + 0x9E3779B9) & 0xFFFFFFFF, (k[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return c


def probability(name, seed, run):
    stream = 0xCBF29CE484222325
    for byte in name.encode():
        stream = (stream ^ byte) * 0x100000001B3 & (1 << 64) - 1
    words = [word >> shift & 0xFFFFFFFF for word in (run, stream) for shift in (0, 32)]
    first, second, *_ = philox(words, [seed & 0xFFFFFFFF, seed >> 32])
    return (((first << 32 | second) >> 12) + 0.5) * 2.0**-52


def draw(name, seed, run, distribution, a, b):
    p = probability(name, seed, run)
    if distribution == "uniform":
        return a + (b - a) * p
    normal = a + b * statistics.NormalDist().inv_cdf(p)
    return normal if distribution == "normal" else math.exp(normal)
