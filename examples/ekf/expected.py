"""Writes input.csv and expected.csv: python3 expected.py (needs NumPy)

A pendulum with unknown torques is simulated, and seen with noise. The filter here has its Jacobians by
hand: that of a Runge-Kutta step is the chain rule over its four stages, written out.
"""

import numpy as np

DT, LENGTH, MASS, DAMPING, SIGMA, DRIFT = 0.02, 0.8, 0.5, 0.05, 0.02, 0.05
INERTIA = MASS * LENGTH * LENGTH
EYE = np.eye(2)
DRIVE = np.array([0.0, 1.0 / INERTIA])


def rate(x, torque):
    return np.array([x[1], (torque - DAMPING * x[1]) / INERTIA - 9.81 / LENGTH * np.sin(x[0])])


def slope(x):
    return np.array([[0.0, 1.0], [-9.81 / LENGTH * np.cos(x[0]), -DAMPING / INERTIA]])


def advanced(x, torque):
    """The next state, and its changes with the state and with the torque."""
    k1 = rate(x, torque)
    k2 = rate(x + 0.5 * DT * k1, torque)
    k3 = rate(x + 0.5 * DT * k2, torque)
    k4 = rate(x + DT * k3, torque)
    f1, g1 = slope(x), DRIVE
    a = slope(x + 0.5 * DT * k1)
    f2, g2 = a @ (EYE + 0.5 * DT * f1), a @ g1 * 0.5 * DT + DRIVE
    a = slope(x + 0.5 * DT * k2)
    f3, g3 = a @ (EYE + 0.5 * DT * f2), a @ g2 * 0.5 * DT + DRIVE
    a = slope(x + DT * k3)
    f4, g4 = a @ (EYE + DT * f3), a @ g3 * DT + DRIVE
    return (x + DT / 6 * (k1 + 2 * k2 + 2 * k3 + k4), EYE + DT / 6 * (f1 + 2 * f2 + 2 * f3 + f4),
            DT / 6 * (g1 + 2 * g2 + 2 * g3 + g4))


def main():
    random = np.random.default_rng(11)
    torque = np.round(0.8 * np.sin(0.9 * DT * np.arange(500)), 3)
    true, side = np.array([1.1, 0.0]), []
    for u in torque:
        side.append(round(LENGTH * np.sin(true[0]) + SIGMA * random.standard_normal(), 4))
        true = advanced(true, u + DRIFT * random.standard_normal())[0]
    np.savetxt("input.csv", np.column_stack([torque, side]), fmt=["%.3f", "%.4f"], delimiter=",",
               comments="", header="torque,side")

    x, p, rows = np.zeros(2), EYE.copy(), []
    for u, place in zip(torque, side):
        h = np.array([LENGTH * np.cos(x[0]), 0.0])
        gain = p @ h / (h @ p @ h + SIGMA ** 2)
        x = x + gain * (place - LENGTH * np.sin(x[0]))
        rest = EYE - np.outer(gain, h)
        p = rest @ p @ rest.T + SIGMA ** 2 * np.outer(gain, gain)
        rows.append([*x, *np.sqrt(np.diag(p))])
        x, f, g = advanced(x, u)
        p = f @ p @ f.T + DRIFT ** 2 * np.outer(g, g)
    np.savetxt("expected.csv", rows, fmt="%.17g", delimiter=",", comments="",
               header="state[0],state[1],deviation[0],deviation[1]")


if __name__ == "__main__":
    main()
