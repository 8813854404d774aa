"""Matrices of the steps of components: linear.py TMLC EXAMPLES.

Those of the DC motor are written down, with the exact solution by eigenvalues; those of the grid converter are
complex steps of its equations in NumPy. Files are read back by NumPy, and .mat as its documentation says.
"""

import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np

DT = 1e-4

# A model of everything that states are made of: an array, a scalar, integers, an output that keeps its value.
MIXED = """in real t.u
in int t.mode
out real t.y
out tensor<real, 2> t.z
not feedthrough out real t.w
tunable real p.k = 0.5
tensor<real, 2> x = [0.3, -0.2]
tensor<real, 2> gains = [1.0, 2.0] * p.k
int count = 0
fn moved(tensor<real, 2> v, real u) tensor<real, 2>:
    return v + 0.1 * [v[1], u - p.k * sin(v[0])]
end
fn init_fnc():
    t.w = 0.0
end
fn output_fnc():
    t.y = x[0] * t.u + x[1] ** 2.0
    t.z = x * real(t.mode) * gains
end
fn update_fnc():
    x = moved(x, t.u)
    count += 1
    if count > 2:
        t.w = x[1] * t.u * real(count)
    end
end
"""


def exponential(a):
    values, vectors = np.linalg.eig(a)
    return (vectors @ np.diag(np.exp(values)) @ np.linalg.inv(vectors)).real


def read_mat(path):
    """Variables of a MAT-file of level 5: matrices of doubles and cells of texts."""
    data = Path(path).read_bytes()
    assert data[:10] == b"MATLAB 5.0" and data[124:128] == b"\0\1IM", "not a header"

    def element(at):
        kind, size = struct.unpack_from("<II", data, at)
        assert at % 8 == 0 and at + 8 + size <= len(data)
        return kind, data[at + 8:at + 8 + size], at + 8 + (size + 7) // 8 * 8

    def matrix(at):
        kind, body, after = element(at)
        assert kind == 14, kind
        at += 8
        _, flags, at = element(at)
        _, dims, at = element(at)
        _, name, at = element(at)
        shape = struct.unpack("<ii", dims)
        if flags[0] == 1:  # a cell
            value = []
            for _ in range(shape[0] * shape[1]):
                _, text, at = matrix(at)
                value.append(text)
        else:
            kind, values, at = element(at)
            if flags[0] == 4:
                assert kind == 4 and shape == (1, len(values) // 2)
                value = values.decode("utf-16-le")
            else:
                assert flags[0] == 6 and kind == 9
                value = np.frombuffer(values).reshape(shape, order="F")
        assert at == after, "an element is longer than what is in it"
        return name.decode(), value, after

    found, at = {}, 128
    while at < len(data):
        name, value, at = matrix(at)
        found[name] = value
    return found


class Linear(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = Path(self.folder.name)

    def run_command(self, *command, status=0):
        done = subprocess.run([str(word) for word in command], cwd=self.path, capture_output=True, text=True)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout, done.stderr

    def linearize(self, source, *arguments):
        self.run_command(TMLC, "linearize", source, "-o", "out.npy", "--", *arguments)
        return np.load(self.path / "out.npy")

    def test_motor(self):
        r, l, k, j, b, dt = 1.0, 0.5, 0.01, 0.01, 0.1, 0.01
        full = np.zeros((4, 4))
        full[:3] = [[-r / l, -k / l, 0.0, 1 / l], [k / j, -b / j, -1 / j, 0.0], [0.0, 0.0, 0.0, 0.0]]
        # Both integrators in it make it defective: the squares of its Taylor series.
        step = np.eye(4)
        term = np.eye(4)
        for n in range(1, 20):
            term = term @ full * dt / n
            step = step + term
        gain = np.array([-62.3117, 0.635, -0.796])
        a = np.zeros((10, 10))
        estimate, motor = np.zeros((3, 10)), np.zeros((2, 10))
        motor[:, 5:7] = step[:2, :2]
        estimate[:, 7:] = step[:3, :3]
        estimate[:, 6] += gain
        estimate[:, 8] -= gain
        a[0:2] = a[5:7] = motor  # what the outputs show is the state that they are made of
        a[2:5] = a[7:10] = estimate
        found = self.linearize(EXAMPLES / "dcmotor/dcmotor.tml", "--in", EXAMPLES / "dcmotor/input.csv", "--steps", 100)
        self.assertEqual(list(found["states"]), [
            "t.current", "t.speed", *(f"t.estimate[{k}]" for k in range(3)), "motor[0]", "motor[1]",
            *(f"estimate[{k}]" for k in range(3))])
        self.assertEqual(list(found["inputs"]), ["voltage", "load"])
        self.assertEqual(list(found["outputs"]), ["current", "speed", *(f"estimate[{k}]" for k in range(3))])
        inputs = np.zeros((10, 2))
        inputs[0:2] = inputs[5:7] = step[:2, [3, 2]]
        inputs[2:5, 0] = inputs[7:, 0] = step[:3, 3]
        np.testing.assert_allclose(found["A"], a, rtol=0, atol=1e-12)
        np.testing.assert_allclose(found["B"], inputs, rtol=0, atol=1e-14)
        np.testing.assert_array_equal(found["C"], np.eye(5, 10))
        np.testing.assert_array_equal(found["D"], np.zeros((5, 2)))
        self.assertEqual(found["Ts"], dt)
        rows = np.loadtxt(EXAMPLES / "dcmotor/expected.csv", delimiter=",", skiprows=1)
        np.testing.assert_allclose(found["y0"], rows[100], rtol=1e-9, atol=1e-12)  # of the step that comes
        np.testing.assert_array_equal(found["u0"], [12.0, 0.0])

    def test_grid(self):
        found = self.linearize(EXAMPLES / "gridconverter/gridconverter.tml", "--in",
                               EXAMPLES / "gridconverter/input.csv", "--steps", 1300)
        names = [str(name) for name in found["states"]]
        self.assertEqual(len(set(names)), 26)
        n, m = len(names), len(found["inputs"])
        self.assertEqual(list(found["inputs"]), ["level", "wanted[0]", "wanted[1]"])
        point = np.concatenate([found["x0"], found["u0"]])
        exact = np.empty((n + len(found["outputs"]), n + m))
        for k in range(n + m):
            moved = point.astype(complex)
            moved[k] += 1e-30j
            after, outputs = grid_step(dict(zip(names, moved)), moved[n:])
            exact[:, k] = np.array([*(after[name] for name in names), *outputs]).imag / 1e-30
        whole = np.block([[found["A"], found["B"]], [found["C"], found["D"]]])
        scale = np.abs(exact).max(axis=1, keepdims=True)
        self.assertGreater(np.count_nonzero(exact), 200)
        np.testing.assert_allclose(whole / scale, exact / scale, rtol=0, atol=1e-11)

    def test_files(self):
        (self.path / "mixed.tml").write_text(MIXED)
        point = ("--in", "u=2.0", "--in", "mode=3", "--steps", "5")
        found = self.linearize("mixed.tml", *point)
        self.assertEqual(found.shape, ())
        self.assertEqual(list(found["states"]), ["t.w", "x[0]", "x[1]"])  # the gains stay what they are
        # By hand, of the state after five steps.
        x, k, u = found["x0"][1:], 0.5, 2.0
        slope = -0.1 * k * np.cos(x[0])
        following = x[1] + 0.1 * (u - k * np.sin(x[0]))
        np.testing.assert_allclose(found["A"], [[0, slope * u * 6, u * 6], [0, 1, 0.1], [0, slope, 1]], rtol=1e-15)
        np.testing.assert_allclose(found["B"], [[0.1 * u * 6 + following * 6], [0], [0.1]], rtol=1e-15)
        np.testing.assert_allclose(found["C"], [[0, u, 2 * x[1]], [0, 1.5, 0], [0, 0, 3], [1, 0, 0]], rtol=1e-15)
        np.testing.assert_allclose(found["D"], [[x[0]], [0], [0], [0]], rtol=1e-15)
        self.assertEqual(found["Ts"], -1)

        _, notes = self.run_command(TMLC, "linearize", "mixed.tml", "-o", "out.mat", "--", "--dt", "0.5", *point)
        self.assertIn("note: `count` is no real and is held", notes)
        mat = read_mat(self.path / "out.mat")
        for name in "ABCD":
            np.testing.assert_array_equal(mat[name], found[name])
        for name in ("states", "inputs", "outputs"):
            self.assertEqual(mat[name], list(found[name]))
        for name in ("x0", "u0", "y0"):
            np.testing.assert_array_equal(mat[name][:, 0], found[name])
        self.assertEqual(mat["Ts"], [[0.5]])

        self.run_command(TMLC, "--linearize", "mixed.tml", "-o", "mixed")
        printed, _ = self.run_command("./mixed", "--linearize", "-", "--dt", "0.5", *point)
        rows = [line.split(",") for line in printed.splitlines()]
        self.assertEqual(rows[0], ["Ts=0.5", *found["states"], *found["inputs"]])
        self.assertEqual([row[0] for row in rows[1:]], [*found["states"], *found["outputs"]])
        np.testing.assert_array_equal(np.array([row[1:] for row in rows[1:]], float),
                                      np.block([[found["A"], found["B"]], [found["C"], found["D"]]]))

    def test_points(self):
        """--set, --from-state, the row of the last step, and no steps at all."""
        (self.path / "mixed.tml").write_text(MIXED)
        (self.path / "in.csv").write_text("u,mode\n1.5,1\n2.5,2\n3.5,3\n")
        self.run_command(TMLC, "--linearize", "mixed.tml", "-o", "mixed")

        def point(*arguments):
            self.run_command("./mixed", "--linearize", "p.npy", *arguments)
            return np.load(self.path / "p.npy")

        before = point("--in", "in.csv", "--steps", "0")
        self.assertEqual((before["u0"], list(before["x0"])), ([1.5], [0.0, 0.3, -0.2]))
        self.assertEqual(point("--in", "in.csv", "--steps", "2")["u0"], [2.5])
        self.assertEqual(point("--in", "in.csv")["u0"], [3.5])
        self.assertEqual(list(point("--in", "u=1.0", "--in", "mode=1")["x0"]), [0.0, 0.3, -0.2])
        stiff = point("--in", "in.csv", "--set", "k=2.0", "--steps", "0")
        self.assertAlmostEqual(stiff["A"][2, 1], -0.2 * np.cos(0.3), places=15)
        self.run_command("./mixed", "--in", "in.csv", "--steps", "2", "--save-state", "two", "--out", "rows.csv")
        (self.path / "rest.csv").write_text("u,mode\n3.5,3\n")
        np.testing.assert_array_equal(point("--in", "rest.csv", "--from-state", "two")["A"],
                                      point("--in", "in.csv")["A"])

    def test_inputs_at_rest(self):
        """Before the first step inputs that are given nothing are 0; with steps they are missing."""
        (self.path / "rest.tml").write_text("""in real t.u
in real t.by = 3.0
out real t.y
real x = 2.0
fn output_fnc():
    t.y = x * t.u + x
end
fn update_fnc():
    x = t.by * x
end
""")
        _, said = self.run_command(TMLC, "linearize", "rest.tml", "-o", "out.npy")
        self.assertEqual(said, "rest.tml: note: the input `u` is taken as 0\n")
        found = np.load(self.path / "out.npy")
        self.assertEqual(list(found["u0"]), [0.0, 3.0])
        self.assertEqual([found[name].tolist() for name in "ABCD"], [[[3.0]], [[0.0, 2.0]], [[1.0]], [[2.0, 0.0]]])
        _, said = self.run_command(TMLC, "linearize", "rest.tml", "--", "--steps", "1", status=2)
        self.assertIn("the input `u` (real) is missing", said)

    def test_limits_of_infinity(self):
        """What is made of an infinite property, as a limit that is none, changes nothing."""
        for top in ("inf", "1e200", "100.0"):
            (self.path / "free.tml").write_text(f"""in real t.u
out real t.y
tunable real p.top = {top}
real limit = p.top * p.top
real x = 0.0
fn output_fnc():
    t.y = clamp(t.u + x, -limit, limit)
end
fn update_fnc():
    x = 0.5 * x + t.u
end
""")
            found = self.linearize("free.tml")
            self.assertEqual([found[name].tolist() for name in "ABCD"], [[[0.5]], [[1.0]], [[1.0]], [[1.0]]])

    def test_rules(self):
        """Of functions that have rules, and of values of those whose vectors have none."""
        (self.path / "rules.tml").write_text("""in real t.u
out tensor<real, 2> t.x
out real t.least
tensor<real, 2> x = [1.0, 2.0]
fn output_fnc():
    w, _ = eigh([x[0], t.u; t.u, x[1]])
    t.least = w[0]
    t.x = x
end
fn update_fnc():
    x = solve([4.0, t.u; x[0], 3.0], x)
end
""")
        found = self.linearize("rules.tml", "--in", "u=0.5")
        x, u = np.array([1.0, 2.0]), 0.5

        def moved(z):
            a = np.array([[4.0, z[2]], [z[0], 3.0]])
            middle, half = (z[0] + z[1]) / 2, (z[0] - z[1]) / 2
            return np.array([*np.linalg.solve(a, z[:2]), *z[:2], middle - np.sqrt(half**2 + z[2] ** 2)])

        exact = np.array([moved(np.array([*x, u]) + 1e-30j * move).imag / 1e-30 for move in np.eye(3)]).T
        whole = np.block([[found["A"], found["B"]], [found["C"], found["D"]]])
        np.testing.assert_allclose(whole, exact, rtol=1e-13, atol=1e-15)
        tir, _ = self.run_command(TMLC, "--linearize", "--emit=tir:derive", "rules.tml", "-o", "-")
        self.assertIn("solve", tir)

    def test_states_of_both(self):
        """With matrices a model has more scratch memory in its state, and the same variables."""
        kalman = EXAMPLES / "kalman"
        self.run_command(TMLC, kalman / "kalman.tml", "-o", "plain")
        self.run_command(TMLC, kalman / "kalman.tml", "--linearize", "-o", "linear")
        sizes = [self.run_command("./" + name, "--describe=json")[0].split('"state_bytes": ')[1].split(",")[0]
                 for name in ("plain", "linear")]
        self.assertLess(*map(int, sizes))
        given = ["--in", kalman / "input.csv"]
        for first, then in (("plain", "linear"), ("linear", "plain")):
            self.run_command("./" + first, *given, "--steps=5", "--save-state=s")
            outputs = [self.run_command("./" + name, *given, "--from-state=s", "--save-state=e" + name)[0]
                       for name in (first, then)]
            self.assertEqual(*outputs)
        self.run_command("./linear", *given, "--from-state=eplain", "--linearize=a.npy")
        self.run_command("./linear", *given, "--from-state=elinear", "--linearize=b.npy")
        self.assertEqual(np.load(self.path / "a.npy").tobytes(), np.load(self.path / "b.npy").tobytes())

    def test_refused(self):
        (self.path / "script.tml").write_text("print(1)\n")
        (self.path / "mixed.tml").write_text(MIXED)
        (self.path / "counter.tml").write_text(
            "out int t.y\nint k = 0\nfn output_fnc():\n    t.y = k\n    k += 1\nend\n")
        (self.path / "slow.tml").write_text('instance part = "mixed.tml"() every 3\nin real t.u\nout real t.y\n'
                                            "connect part.u = t.u\nconnect part.mode = 1\nconnect t.y = part.y\n")
        _, error = self.run_command(TMLC, "linearize", "script.tml", status=2)
        self.assertIn("only components can be linearized", error)
        _, error = self.run_command(TMLC, "linearize", "counter.tml", status=1)
        self.assertIn("counter.tml:3:4: error[E0760]: there is nothing to linearize", error)
        _, error = self.run_command(TMLC, "linearize", "slow.tml", status=1)
        self.assertIn("slow.tml:1:10: error[E0764]: a system with instances that run every 3 cycles", error)
        (self.path / "drive.tml").write_text("in<real, 0x40012400> a\nin real t.u\nout real t.y\n"
                                             "fn output_fnc():\n    t.y = t.u * <-a\nend\n")
        self.run_command(TMLC, "-c", "drive.tml", "--linearize")
        _, error = self.run_command(TMLC, "-c", "drive.tml", "--linearize", "--io=mmio", status=1)
        self.assertIn("drive.tml:5:19: error[E0764]: a step that accesses hardware at its address cannot be", error)
        self.assertIn("note: with `--io=latched` its inputs and outputs are those of the step", error)
        for name, use in (("eigh", "w, v = eigh(m)\n    t.y = v[0, 0]"), ("qr", "q, r = qr(m)\n    t.y = r[0, 0]")):
            (self.path / "vectors.tml").write_text(f"in tensor<real, 2, 2> t.m\nout real t.y\nfn half(tensor<real, 2, 2> m):\n"
                                                   f"    {use}\nend\nfn output_fnc():\n    half(t.m)\nend\n")
            _, error = self.run_command(TMLC, "linearize", "vectors.tml", status=1)
            self.assertIn(f"vectors.tml:4:12: error[E0765]: a step that goes through `{name}` cannot be linearized", error)
        self.run_command(TMLC, "mixed.tml", "-o", "mixed")
        _, error = self.run_command("./mixed", "--linearize", "a.mat", "--in", "u=1", "--in", "mode=1", status=2)
        self.assertIn("this was compiled without the matrices of its step", error)
        _, error = self.run_command(TMLC, "linearize", "mixed.tml", "-o", "a.txt", "--", "--in", "u=1", status=2)
        self.assertIn("`--linearize` writes .mat, .npy or .csv, not `a.txt`", error)
        self.assertFalse(list(self.path.glob("a.*")))


def grid_step(x, u):
    """One step of the system of the example, as its files have it; complex numbers are small changes."""
    level, wanted = u[0], u[1:]
    l, r, c, rd, lg, rg = 2e-3, 0.1, 10e-6, 8.0, 0.5e-3, 0.05
    matrix = np.array([[-(r + rd) / l, -1 / l, rd / l], [1 / c, 0.0, -1 / c], [rd / lg, 1 / lg, -(rd + rg) / lg]])
    inputs = np.array([[1 / l, 0.0], [0.0, 0.0], [0.0, -1 / lg]])
    advance = exponential(matrix * DT)
    drive = np.linalg.solve(matrix, (advance - np.eye(3)) @ inputs)

    def park(v, theta):
        phase = theta - 2 * np.pi / 3 * np.arange(3)
        return np.array([2 / 3 * np.sum(np.cos(phase) * v), -2 / 3 * np.sum(np.sin(phase) * v)])

    after = dict(x)
    mains = 325.0 * level * np.cos(x["mains.angle"] - 2 * np.pi / 3 * np.arange(3))
    current, voltage, grid = ([x[f"phase[{k}].{name}"] for k in range(3)] for name in ("current", "v", "grid"))
    theta = x["pll.angle_"]
    dq = park(np.array(voltage), theta)
    omega = 2 * np.pi * 50.0 + 180.0 / 325.0 * dq[1] + x["pll.integral"]
    frequency = omega / (2 * np.pi)
    measured = park(np.array(current), theta)
    turned = np.array([-measured[1], measured[0]])
    forward = dq + 2 * np.pi * frequency * l * turned
    out = []
    for k in range(2):
        asked = 1200.0 * l * (wanted[k] - measured[k]) + x[f"current[{k}].integral"] + forward[k]
        out.append(asked if abs(asked.real) < 350.0 else np.sign(asked.real) * (350.0 + 0j))
        after[f"current[{k}].asked"] = asked
        after[f"current[{k}].integral"] += DT * (400.0 * (wanted[k] - measured[k]) + 1000.0 * (out[k] - asked))
    phase = theta - 2 * np.pi / 3 * np.arange(3)
    given = out[0] * np.cos(phase) - out[1] * np.sin(phase)
    after["pll.omega"] = omega
    after["pll.integral"] += DT * 16000.0 / 325.0 * dq[1]
    after["pll.angle_"] += DT * omega
    after["mains.angle"] += 2 * np.pi * 50.0 * DT
    for k in range(3):
        state = np.array([x[f"phase[{k}].x[{i}]"] for i in range(3)])
        state = advance @ state + drive @ np.array([given[k], mains[k]])
        for i in range(3):
            after[f"phase[{k}].x[{i}]"] = state[i]
        after[f"phase[{k}].current"] = state[0]
        after[f"phase[{k}].v"] = state[1] + rd * (state[0] - state[2])
        after[f"phase[{k}].grid"] = state[2]
    return after, [*measured, frequency, *grid, *given]


TMLC, EXAMPLES = Path(sys.argv.pop(1)).resolve(), Path(sys.argv.pop(1)).resolve()
if __name__ == "__main__":
    unittest.main()
