"""Prints what lotka.tml prints, by complex steps: python3 steps.py > expected.txt (needs NumPy)"""

import numpy as np


def rate(x, p):
    return np.array([p[0] * x[0] - p[1] * x[0] * x[1], p[2] * x[0] * x[1] - p[3] * x[1]])


def simulated(p):
    x, h = np.array([10.0, 5.0])[:, None] + 0 * p[:2], 0.001
    for _ in range(10000):
        k1 = rate(x, p)
        k2 = rate(x + 0.5 * h * k1, p)
        k3 = rate(x + 0.5 * h * k2, p)
        k4 = rate(x + h * k3, p)
        x = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return x


p = np.array([1.1, 0.4, 0.1, 0.4])
moved = simulated(p[:, None] + 1e-100j * np.column_stack([np.eye(4), 0.01 * p]))
change = moved.imag / 1e-100
print("# Complex steps of 1e-100 through the same simulation, in steps.py.")
print("# relative 1e-10")
print("end", [float(v) for v in moved.real[:, 0]])
print("[" + ";\n ".join(", ".join(repr(float(v)) for v in row[:4]) for row in change) + "]")
print("along", [float(v) for v in change[:, 4]])
