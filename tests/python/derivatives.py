#!/usr/bin/env python3
"""Derivatives of steps and of runs, against differences of what the model itself gives. Usage: derivatives.py TMLC."""

import unittest

import numpy as np
from package_test import LAG, PackageTest, tmlc

# Each state is moved in the memory of the model, and nothing knows the derivatives but the compiler.
NONLINEAR = """in real t.u
in tensor<real, 2> t.v = 0.5
in int t.mode
out real t.y
out tensor<real, 2, 2> t.m
out int t.count
not feedthrough out real t.late
tunable real p.a = 0.7
tunable tensor<real, 2> p.b = [0.3, -0.4]
tunable int p.n = 3
real n.dt = 0.05
tensor<real, 3> x = [0.4, p.a, sum(p.b)]
tensor<tensor<real, 2>, 2> pair = 0.25
real scratch = 0.0
int count = 0
fn rate(tensor<real, 3> x, real u) tensor<real, 3>:
    r = [sin(x[1]) + u, -p.a * x[0] * x[2], exp(-x[1] ** 2.0)]
    for k = 0:p.n:
        r += 0.1 * r * r / real(k + 1)
    end
    return r
end
fn swap(var tensor<tensor<real, 2>, 2> q, real by):
    q[0] = q[1] * by + p.b
    q[1] = q[1] - 0.1 * q[0]
end
fn init_fnc():
    t.late = p.a ** 2.0
end
fn output_fnc():
    scratch = x[0] * t.u
    t.y = scratch + x[2] / p.a
    t.m = [x[0], t.v[0] * x[1]; select(t.mode > 2, x[2], t.u), sum(pair)[0]]
    t.count = count
end
fn update_fnc():
    if t.mode > 1 and count % 2 == 0:
        swap(pair, t.u)
    else:
        pair[1] = pair[0] * t.v
    end
    x += n.dt * rate(x, t.u)
    count += 1
    t.late = x[0] * t.u + scratch
end
"""
PART = """in real t.u
in real t.k = 2.0
out real t.y
not feedthrough out real t.old
tunable real p.g = 0.5
real s = 0.1
fn init_fnc():
    t.old = 0.0
    s = p.g * 0.5
end
fn output_fnc():
    t.y = p.g * s + t.k * tanh(t.u)
end
fn update_fnc():
    t.old = s * s
    s = 0.9 * s + sin(t.u) * p.g
end
"""
# What no step writes and was made of properties: of a file, of integers too, in a loop.
BEGUN = """in real t.u
out real t.y
tunable real p.tau = 0.5
tunable int p.n = 3
tunable tensor<real, 2> p.w = [1.0, 2.0]
real n.dt = 0.02
real k = n.dt / p.tau * real(p.n)
tensor<real, 3> c = 0.0
real x = p.tau
fn init_fnc():
    for i = 0:3:
        c[i] = p.w[0] * k / real(i + 1) + p.w[1]
    end
end
fn output_fnc():
    t.y = x * c[2] + c[0]
end
fn update_fnc():
    x += k * (t.u - x)
end
"""
# Wires, an array, a delay, one by hand, two levels.
SYSTEM = """in real t.r
out real t.y
not feedthrough out real t.slow
instance a[2] = "part.tml"(p.g = [0.4, 0.6])
instance hand = "part.tml"()  # tmlc: allow(missed-update)
instance inner = "pair.tml"()
tunable real p.mix = 0.3
real own = 0.2
connect a[0].u = t.r - delay(a[1].y, 0.1)
connect a[1].u = a[0].y * p.mix + hand.old
connect inner.u = a[1].y
connect t.slow = inner.z
fn output_fnc():
    hand.u = own + t.r
    hand.output()
    t.y = hand.y * a[1].y + inner.z
end
fn update_fnc():
    own = 0.5 * own + hand.y * a[0].old
    if own > -10.0:
        hand.update()
    end
end
"""
PAIR = """in real t.u
not feedthrough out real t.z
instance first = "part.tml"(p.g = 0.2)
connect first.u = t.u
connect t.z = first.y * first.old
"""


def of_state(instance, variable):
    """The elements of a variable, where the model has them."""
    dtype = np.dtype((variable.dtype, variable.shape))
    return np.ndarray((), dtype, instance._state.data, variable.offset) if not variable.shape else np.ndarray(
        variable.shape, variable.dtype, instance._state.data, variable.offset)


class Derivatives(PackageTest):
    def moved(self, instance, inputs, change):
        """States and outputs of a step after a change; the instance stays where it is."""
        found = instance.model.derivatives
        kept = instance.snapshot()
        given = {name: np.array(value, self.kind(instance, name)) for name, value in inputs.items()}
        change(given)
        outputs = instance.step(given)
        rows = [np.ravel(of_state(instance, v)).copy() for v in found.states.values()]
        rows += [np.ravel(outputs[name]) for name in found.outputs]
        instance.restore(kept)
        return np.concatenate(rows)

    @staticmethod
    def kind(instance, name):
        return instance.model.inputs[name].dtype

    def differences(self, instance, inputs, variable, place):
        """Central, of fourth order, by each element."""
        columns, h = [], 1e-3
        for k in range(int(np.prod(variable.shape))):
            points = []
            for move in (-2, -1, 1, 2):
                def change(given, move=move):
                    array = np.reshape(place(given), -1)
                    array[k] += move * h
                points.append(self.moved(instance, inputs, change))
            columns.append((points[0] - 8 * points[1] + 8 * points[2] - points[3]) / (12 * h))
        return columns

    def check_matrices(self, model, inputs, steps):
        instance, found = model.instance(), model.derivatives
        for _ in range(steps):
            instance.step(inputs)
        made = instance.linearize(inputs)
        n = len(made.states)
        columns = []
        for v in found.states.values():
            columns += self.differences(instance, inputs, v, lambda given, v=v: of_state(instance, v))
        for name, v in found.inputs.items():
            columns += self.differences(instance, inputs, v, lambda given, name=name: given[name])
        expected = np.array(columns).T
        whole = np.block([[made.A, made.B], [made.C, made.D]])
        np.testing.assert_allclose(whole, expected, rtol=1e-8, atol=1e-9)
        self.assertGreater(np.count_nonzero(whole), n)
        return made

    def test_matrices(self):
        model = tmlc.compile(NONLINEAR, linearize=True)
        inputs = {"u": 0.3, "v": np.array([0.2, -0.6]), "mode": 2}
        for steps, mode in ((0, 2), (1, 2), (5, 1), (6, 3)):
            made = self.check_matrices(model, {**inputs, "mode": mode}, steps)
        self.assertEqual(made.states[:5], ["t.late", "x[0]", "x[1]", "x[2]", "pair[0][0]"])
        self.assertEqual((made.inputs, made.outputs[1]), (["u", "v[0]", "v[1]"], "m[0][0]"))

    def test_system(self):
        folder = self.folder()
        for name, text in {"part.tml": PART, "pair.tml": PAIR, "system.tml": SYSTEM}.items():
            (folder / name).write_text(text)
        for options in ({}, {"optimize": 0}):
            model = tmlc.compile(folder / "system.tml", linearize=True, **options)
            for steps in (0, 1, 7):
                made = self.check_matrices(model, {"r": 0.4}, steps)
            self.assertEqual(made.states, ["t.slow", "own", "delay_1", "a[0].old", "a[0].s", "a[1].old", "a[1].s",
                                           "hand.old", "hand.s", "inner.z", "inner.first.old", "inner.first.s"])
            self.check_runs(model, {"r": np.linspace(-1, 1, 12)}, {}, ["y", "slow"],
                            ["mix", "a[0].p.g", "inner.first.p.g", "hand.p.g"])

    def check_runs(self, model, inputs, params, of, by):
        """By properties, of all steps."""
        made = model.jacobian(of, by, inputs, params)
        for name in by:
            default = np.array(params.get(name, model.params[name].default))
            for k in range(default.size):
                runs, h = [], 2e-4
                for move in (-2, -1, 1, 2):
                    value = default.copy()
                    np.reshape(value, -1)[k] += move * h
                    runs.append(model.simulate(inputs, {**params, name: value}))
                for y in of:
                    slope = (runs[0][y] - 8 * runs[1][y] + 8 * runs[2][y] - runs[3][y]) / (12 * h)
                    found = made[y][name].reshape(*slope.shape, default.size)[..., k]
                    np.testing.assert_allclose(found, slope, rtol=1e-7, atol=1e-8)
                    self.assertGreater(np.abs(slope).max(), 1e-3, f"{y} by {name}")

    def test_runs(self):
        model = tmlc.compile(NONLINEAR, linearize=True)
        random = np.random.default_rng(3)
        inputs = {"u": random.normal(size=9) * 0.3, "v": random.normal(size=(9, 2)), "mode": np.arange(9, dtype="i4") % 4}
        self.check_runs(model, inputs, {"a": 0.9}, ["y", "late", "m"], ["a", "b"])
        every = model.jacobian("m", "b", inputs, every=4)
        self.assertEqual(every.shape, (3, 2, 2, 2))
        np.testing.assert_array_equal(every, model.jacobian("m", "b", inputs)[::4])
        # Of an input each row, or what holds, which is the sum of all rows.
        rows = model.jacobian("y", "u", inputs)
        self.assertEqual(rows.shape, (9, 9))
        np.testing.assert_array_equal(np.triu(rows, 1), 0)
        for k in range(9):
            points = []
            for move in (-1e-3, 1e-3):
                u = inputs["u"].copy()
                u[k] += move
                points.append(model.simulate({**inputs, "u": u})["y"])
            np.testing.assert_allclose(rows[:, k], (points[1] - points[0]) / 2e-3, rtol=1e-4, atol=1e-6)
        held = {**inputs, "v": tmlc.hold([0.1, 0.2])}
        spread = {**inputs, "v": np.tile([0.1, 0.2], (9, 1))}
        self.assertEqual(model.jacobian("m", "v", held).shape, (9, 2, 2, 2))
        np.testing.assert_allclose(model.jacobian("m", "v", held), model.jacobian("m", "v", spread).sum(axis=3),
                                   rtol=1e-13, atol=1e-15)

    def test_begun(self):
        """They are no states, and follow the properties all the same."""
        inputs = {"u": np.linspace(0.5, 2.0, 7)}
        for options in ({}, {"optimize": 0}):
            model = tmlc.compile(BEGUN, linearize=True, **options)
            self.check_runs(model, inputs, {"n": 4}, ["y"], ["tau", "w"])
            instance = model.instance({"tau": 0.25})
            instance.params["tau"] = 0.125
            a, b, c, _ = instance.linearize(u=1.0)
            # k = 0.02 / 0.25 * 3, and c = k / 3 + 2: as they began.
            np.testing.assert_allclose([a[0, 0], b[0, 0], c[0, 0]], [0.76, 0.24, 2.08], rtol=1e-15)
        system = """in real t.u
out real t.y
tunable real p.g = 1.5
real gain = p.g * p.g
instance a = "begun.tml"()
instance b = "begun.tml"(p.tau = 0.3)
connect a.u = t.u
connect b.u = a.y
fn output_fnc():
    t.y = gain * b.y
end
"""
        folder = self.folder()
        (folder / "begun.tml").write_text(BEGUN)
        (folder / "both.tml").write_text(system)
        model = tmlc.compile(folder / "both.tml", linearize=True)
        self.check_runs(model, inputs, {}, ["y"], ["g", "a.p.tau", "a.p.w", "b.p.tau"])

    def test_lag(self):
        """By hand: y[k] = 1 - (1 - k) ** n of a step, and what began decays."""
        for real, within in (("f64", 1e-14), ("f32", 1e-6)):
            model = tmlc.compile(LAG, linearize=True, real=real)
            u, n = {"u": np.ones(20, "f4")}, np.arange(20)
            np.testing.assert_allclose(model.jacobian("y", "k", u), n * 0.5 ** np.maximum(n - 1, 0), atol=within)
            np.testing.assert_allclose(model.jacobian("y", "x", u), 0.5**n, atol=within)
            a, b, c, d = model.instance().linearize(u=1.0)
            self.assertEqual([m.tolist() for m in (a, b, c, d)], [[[0.5]], [[0.5]], [[1.0]], [[0.0]]])
        both = tmlc.compile(LAG, linearize=True).jacobian(["y"], ["k", "u"], u)
        self.assertEqual({y: list(by) for y, by in both.items()}, {"y": ["k", "u"]})

    def test_names_of_several(self):
        model = tmlc.compile("in real t.x\nin int t.n\nout real t.y\ntunable real p.x = 2.0\ntunable real p.n = 1.0\n"
                             "real x = 1.0\nfn output_fnc():\n    t.y = 3.0 * x + 5.0 * t.x + 7.0 * p.x + 9.0 * p.n\nend\n"
                             "fn update_fnc():\n    x = x + 1.0\nend\n", linearize=True)
        given = {"x": tmlc.hold(1.0), "n": [1, 2]}
        for name, value in [("p.x", 7.0), ("t.x", 5.0), ("state.x", 3.0), ("p.n", 9.0)]:
            self.same(model.jacobian("y", name, given), np.array([value] * 2))
        found = model.jacobian(["t.y"], ["p.x", "t.x"], given)
        self.assertEqual({name: list(each) for name, each in found.items()}, {"t.y": ["p.x", "t.x"]})
        for name, message in [
            ("x", "`x` is the name of several; say which: p.x, t.x, state.x"),
            ("n", "`n` is the name of several; say which: p.n, t.n"),
            ("t.n", "the input `n` is int; there are derivatives by reals"),
            ("q", "`q` is no tunable property, input or state; there are: p.x, p.n, t.x, state.x"),
        ]:
            with self.subTest(name=name), self.raises(TypeError, message):
                model.jacobian("y", name, given)

    def test_outputs_that_are_state(self):
        """What is written into the state, outputs without feedthrough too, does what the derivatives say."""
        folder = self.folder()
        (folder / "motor.tml").write_text(
            "not feedthrough in real t.u\nnot feedthrough out real t.w\nfn init_fnc():\n    t.w = 1.0\nend\n"
            "fn update_fnc():\n    t.w += 0.5 * (t.u - t.w)\nend\n")
        (folder / "three.tml").write_text(
            'in real t.u\nnot feedthrough out real t.w\nout real t.z\ninstance m[3] = "motor.tml"()\nconnect m.u = t.u\n'
            "connect t.w = sum(m.w)\nconnect t.z = m[1].w\n")
        (folder / "main.tml").write_text(
            'in real t.u\nout real t.w\nnot feedthrough out real t.late\ninstance a = "motor.tml"()\n'
            'instance b[2] = "three.tml"()\nconnect a.u = t.u\nconnect b.u = t.u\n'
            "connect t.w = a.w + 10.0 * b[1].w + 100.0 * b[0].z\nconnect t.late = b[0].w\n")
        for name, count in [("motor", 1), ("three", 4), ("main", 10)]:
            model = tmlc.compile(folder / f"{name}.tml", linearize=True)
            self.assertEqual(len(model.derivatives.states), count)
            self.assertLessEqual(set(model.derivatives.states), set(model.state))
            for steps in [0, 1, 3]:
                one = model.instance()
                one.run({"u": np.arange(1.0, 1 + steps)})
                found, kept = one.linearize(u=2.0), one.snapshot()
                expected = one.step(u=2.0)
                for k, state in enumerate(found.states):
                    one.restore(kept)
                    self.assertEqual(one.state[state], found.x0[k])
                    one.state[state] += 1.0
                    changed = one.step(u=2.0)
                    for row, output in zip(found.C, found.outputs):
                        self.assertAlmostEqual(changed[output] - expected[output], row[k], msg=f"{name} {state} {output}")

    def test_traps(self):
        """A step that is not done leaves the instance as it was; one of a run is told with what came before."""
        model = tmlc.compile("in int t.i\nin real t.u\nout real t.y\nreal x = 0.0\nfn output_fnc():\n"
                             "    a = 10 / t.i\n    t.y = x * a + t.u\nend\nfn update_fnc():\n    x += t.u\nend\n", linearize=True)
        place = "<stdin>:6:9: trap[E1002]: integer division by zero"
        one = model.instance()
        one.step(i=1, u=1.0)
        with self.raises(tmlc.Trap, place):
            one.linearize(i=0, u=1.0)
        self.assertEqual(one.linearize(i=2, u=1.0).C.tolist(), [[5.0]])
        self.assertEqual(one.step(i=1, u=1.0)["y"], 11.0)
        for every, rows in [(1, [1.0, 11.0, 21.0]), (2, [1.0, 21.0]), (4, [1.0])]:
            with self.raises(tmlc.Trap, f"{place} (step 3)") as caught:
                model.jacobian("y", "u", {"i": [1, 1, 1, 0], "u": [1.0] * 4}, every=every)
            self.assertEqual((caught.exception.step, caught.exception.outputs["y"].tolist()), (3, rows))

    def test_unchanged(self):
        """Linearizing does no step, and the bits of runs are those of a model without it."""
        inputs = {"u": np.linspace(0, 1, 50), "v": np.ones((50, 2)), "mode": np.full(50, 2, "i4")}
        with_it, without = tmlc.compile(NONLINEAR, linearize=True), tmlc.compile(NONLINEAR)
        self.same(with_it.simulate(inputs)["m"], without.simulate(inputs)["m"])
        one, other = with_it.instance(), with_it.instance()
        for k in range(50):
            row = {name: array[k] for name, array in inputs.items()}
            one.linearize(row)
            self.assertEqual(one.step(row)["y"], other.step(row)["y"])

    def test_refused(self):
        model = tmlc.compile(NONLINEAR, linearize=True)
        inputs = {"u": [0.1], "mode": [1]}
        with self.raises(TypeError, "this model has no derivatives; compile it with linearize=True"):
            tmlc.compile(LAG).jacobian("y", "k", {"u": [1.0]})
        with self.raises(TypeError, "this model has no derivatives; compile it with linearize=True"):
            tmlc.compile(LAG).instance().linearize(u=1.0)
        with self.raises(TypeError, "`z` is no output; there are: y, m, late"):
            model.jacobian("z", "a", inputs)
        with self.raises(TypeError, "the output `count` is int; reals have derivatives"):
            model.jacobian("count", "a", inputs)
        with self.raises(TypeError, "the property `n` is int; there are derivatives by reals"):
            model.jacobian("y", "n", inputs)
        with self.raises(TypeError, "`q` is no tunable property, input or state; there are: "
                                    "a, b, u, v, t.late, x, pair, scratch"):
            model.jacobian("y", "q", inputs)
        with self.raises(tmlc.CompileError, "<stdin>:2:4: error[E0760]: there is nothing to linearize: the component has "
                                            "no real states or outputs\n  |\n2 | fn output_fnc():\n  |    ^^^^^^^^^^"):
            tmlc.compile("out int t.y\nfn output_fnc():\n    t.y = 1\nend\n", linearize=True)


if __name__ == "__main__":
    unittest.main()
