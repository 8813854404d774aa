"""Writes input.csv, expected.csv and the same of the variant with one sign: python3 expected.py
(needs NumPy)

The expected output is the convolution of the signed sum with a box.
"""

import numpy as np

WINDOW = 8
step = np.arange(200)
signals = np.column_stack([
    np.sin(2 * np.pi * step / 40) + 0.2 * (-1.0) ** step,
    np.where(step % 50 < 25, 0.5, -0.5),
    step / 100 % 0.7,
]).round(4)


def write(suffix, x, signs):
    names = ",".join(f"in_{i}" for i in range(len(signs)))
    np.savetxt(f"input{suffix}.csv", x, fmt="%.4f", delimiter=",", header=names, comments="")
    total = x @ np.array([1.0 if sign == "+" else -1.0 for sign in signs])
    mean = np.convolve(total, np.full(WINDOW, 1 / WINDOW))[:len(total)]
    np.savetxt(f"expected{suffix}.csv", mean, fmt="%.17g", header="mean", comments="")


write("", signals, "+-+")
write("-minus", signals[:, :1], "-")
