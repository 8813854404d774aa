"""Writes input.csv and expected.csv: python3 expected.py (needs NumPy)

The grid: 230 V, 50 Hz, sampled at 10 kHz; a quarter of the time everything is regular, then the
phase jumps by 40 degrees, then the frequency steps to 50.5 Hz, and at last one phase loses a fifth
of its voltage. All the time there are 5 % of the fifth and 3 % of the seventh harmonic. The expected
output is computed with complex numbers and an angle that is never wrapped.
"""

import numpy as np

DT, PEAK, KP, KI = 1e-4, 325.0, 180.0, 16000.0

step = np.arange(1000)
frequency = np.where(step < 500, 50.0, 50.5)
angle = 2 * np.pi * np.cumsum(frequency) * DT + np.where(step < 250, 0.3, 0.3 + np.radians(40.0))
lag = angle[:, None] - 2 * np.pi / 3 * np.arange(3)
v = np.cos(lag) + 0.05 * np.cos(5 * lag) + 0.03 * np.cos(7 * lag)
v[750:, 1] *= 0.8
v = (PEAK * v).round(2)

turn = np.exp(2j * np.pi / 3)
phasor = 2 / 3 * (v[:, 0] + turn * v[:, 1] + turn**2 * v[:, 2])
theta, integral = 0.0, 0.0
rows = []
for sample in phasor:
    dq = sample * np.exp(-1j * theta)
    omega = 2 * np.pi * 50.0 + KP * dq.imag / PEAK + integral
    rows.append([(theta + np.pi) % (2 * np.pi) - np.pi, omega / (2 * np.pi), dq.real, dq.imag])
    integral += DT * KI * dq.imag / PEAK
    theta += DT * omega
rows = np.array(rows)
# A sample too near to the wrap could fall on either side of it.
assert np.min(np.pi - np.abs(rows[:, 0])) > 1e-6
np.savetxt("input.csv", v, fmt="%.2f", delimiter=",", header="v[0],v[1],v[2]", comments="")
np.savetxt("expected.csv", rows, fmt="%.17g", delimiter=",",
           header="angle,frequency,dq[0],dq[1]", comments="")
