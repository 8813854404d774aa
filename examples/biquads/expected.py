"""Writes input.csv and expected.csv: python3 expected.py (needs NumPy)

Each expected output is that of one filter, whose numerator and denominator are the products of the
polynomials of the sections up to there, in the direct form I; all is computed with the longest reals
that NumPy has. The poles of a section come from its frequency and width in another way: the bilinear
transform of the analogue notch (s^2 + w^2) / (s^2 + b s + w^2), warped so that the frequency stays.
"""

import numpy as np

DT, MAINS, WIDTH, COUNT, STEPS = 1e-3, 50.0, 4.0, 3, 600
real = np.longdouble
PI = 4 * np.arctan(real(1))


def section(frequency, width):
    """Numerator and denominator in powers of 1/z, from s = (1 - 1/z) / (1 + 1/z)."""
    w = np.tan(PI * frequency * real(DT))
    b = (1 + w * w) * np.tan(PI * width * real(DT))
    less, more = np.array([1, -1], real), np.array([1, 1], real)
    squares = np.convolve(less, less) + w * w * np.convolve(more, more)
    return squares, squares + b * np.convolve(less, more)


# A signal of 7 Hz with a step, and the hum of a rectifier.
time = np.arange(STEPS) * DT
x = np.sin(2 * np.pi * 7 * time) + np.where(time >= 0.3, 1.0, 0.0)
for harmonic, amplitude in enumerate([0.5, 0.3, 0.2]):
    x += amplitude * np.cos(2 * np.pi * 50 * (harmonic + 1) * time + harmonic)
x = x.round(6)

columns, b, a = [], np.ones(1, real), np.ones(1, real)
for k in range(COUNT):
    numerator, denominator = section((k + 1) * MAINS, (k + 1) * WIDTH)
    b, a = np.convolve(b, numerator), np.convolve(a, denominator)
    y = np.convolve(b, x.astype(real))[:STEPS]
    for step in range(STEPS):
        past = y[max(step - len(a) + 1, 0):step][::-1]
        y[step] = (y[step] - np.dot(a[1:1 + len(past)], past)) / a[0]
    columns.append(y)
rows = np.array([columns[-1], *columns]).T.astype(float)
names = ["y", *(f"along[{k}]" for k in range(COUNT))]
np.savetxt("input.csv", x, fmt="%.6f", header="x", comments="")
np.savetxt("expected.csv", rows, fmt="%.17g", delimiter=",", header=",".join(names), comments="")
