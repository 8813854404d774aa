"""Writes input.csv and expected.csv: python3 expected.py (needs NumPy)

The loop of controller and pendulum, which is pushed twice. The gradient here comes from complex steps, one
for each torque of the plan, all simulated side by side.
"""

import numpy as np

DT, HORIZON, ITERATIONS, LIMIT, PRICE, RATE = 0.05, 12, 20, 12.0, 0.01, 0.6


def rate(x, u):
    return np.array([x[1], 9.81 * np.sin(x[0]) - 0.2 * x[1] + u])


def advanced(x, u):
    return x + DT * rate(x + 0.5 * DT * rate(x, u), u)


def cost(u, x):
    """Of plans in the columns of u."""
    x, total = x[:, None] + 0 * u[:2], 0
    for k in range(HORIZON):
        x = advanced(x, u[k])
        total = total + DT * (4 * x[0] ** 2 + 0.4 * x[1] ** 2 + PRICE * u[k] ** 2)
    return total + 4 * x[0] ** 2 + x[1] ** 2


def main():
    plan, x, inputs, outputs = np.zeros(HORIZON), np.array([0.5, 0.0]), [], []
    for step in range(200):
        x = np.round(x, 6)
        u = plan
        for _ in range(ITERATIONS):
            gradient = cost(u[:, None] + 1e-100j * np.eye(HORIZON), x).imag / 1e-100
            u = np.clip(u - RATE * gradient, -LIMIT, LIMIT)
        inputs.append(x)
        outputs.append([u[0], cost(u[:, None], x)[0]])
        plan = np.append(u[1:], u[-1])
        x = advanced(x, u[0]) + np.array([0.0, {80: 2.5, 140: -3.0}.get(step, 0.0)])
    np.savetxt("input.csv", inputs, fmt="%.6f", delimiter=",", comments="", header="x[0],x[1]")
    np.savetxt("expected.csv", outputs, fmt="%.17g", delimiter=",", comments="", header="u,cost")


if __name__ == "__main__":
    main()
