"""Which rate matters when: python3 rates.py (needs NumPy and the package tmlc)

Writes rates.csv: over thirty years, by how many animals the prey changes when a rate grows by one percent. All of it is
computed again by complex steps through the same simulation in NumPy, and by differences of two runs.
"""

import sys

import numpy as np
import tmlc

STEPS, DT = 3000, 0.01
RATES = ["birth", "hunt", "gain", "death"]
MODEL = """out tensor<real, 2> t.animals  # prey, predators

real n.dt = 0.01
tunable real p.birth = 1.1  # of prey, 1/year
tunable real p.hunt = 0.4   # prey that a predator catches
tunable real p.gain = 0.1   # predators that come of it
tunable real p.death = 0.4  # of predators, 1/year
tunable tensor<real, 2> p.begin = [10.0, 5.0]

tensor<real, 2> x = p.begin

fn rate(tensor<real, 2> x) tensor<real, 2>:
    return [p.birth * x[0] - p.hunt * x[0] * x[1], p.gain * x[0] * x[1] - p.death * x[1]]
end

fn output_fnc():
    t.animals = x
end

fn update_fnc():
    k1 = rate(x)
    k2 = rate(x + 0.5 * n.dt * k1)
    k3 = rate(x + 0.5 * n.dt * k2)
    k4 = rate(x + n.dt * k3)
    x += n.dt / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
end
"""


def rate(x, p):
    return np.array([p[0] * x[0] - p[1] * x[0] * x[1], p[2] * x[0] * x[1] - p[3] * x[1]])


def complex_steps(p, begin):
    """How the animals of each step change with the rates and with what there is at the beginning."""
    moves = 1e-100j * np.eye(6)
    p, x, rows = p[:, None] + moves[:4], begin[:, None] + moves[4:], []
    for _ in range(STEPS):
        rows.append(x.imag / 1e-100)
        k1 = rate(x, p)
        k2 = rate(x + 0.5 * DT * k1, p)
        k3 = rate(x + 0.5 * DT * k2, p)
        k4 = rate(x + DT * k3, p)
        x = x + DT / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return np.array(rows)


def far_apart(found, expected):
    return np.abs(found - expected).max() / np.abs(expected).max()


def main():
    model = tmlc.compile(MODEL, linearize=True)
    changes = model.jacobian("animals", [*RATES, "begin"], steps=STEPS)
    found = np.concatenate([*(changes[name][..., None] for name in RATES), changes["begin"]], axis=2)
    values = {name: model.params[name].default for name in RATES}
    own = complex_steps(np.array(list(values.values())), model.params["begin"].default)
    if far_apart(found, own) > 1e-10:
        sys.exit(f"NumPy's derivatives differ by {far_apart(found, own):.1e}")
    print(f"derivatives of {STEPS} steps by {found.shape[2]} numbers: those of NumPy's complex steps")
    for name, value in values.items():
        pair = [model.simulate(params={name: value * factor}, steps=STEPS)["animals"] for factor in (1 - 1e-5, 1 + 1e-5)]
        differences = (pair[1] - pair[0]) / (2e-5 * value)
        if far_apart(changes[name], differences) > 1e-6:
            sys.exit(f"differences of two runs say something else of `{name}`")
    percent = np.column_stack([0.01 * value * changes[name][:, 0] for name, value in values.items()])
    most = np.abs(percent).max(axis=0)
    print("one percent more, at most", ", ".join(f"{name} {change:.2f}" for name, change in zip(RATES, most, strict=True)))
    table = np.column_stack([np.arange(STEPS) * DT, percent])
    np.savetxt("rates.csv", table[::10], fmt="%.6g", delimiter=",", header="years," + ",".join(RATES), comments="")


if __name__ == "__main__":
    main()
