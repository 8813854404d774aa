"""Writes input.csv and expected.csv: python3 expected.py (needs NumPy)

Three phases are one complex number, frames are turned by exponentials, and angles are never wrapped. The
filter advances by its eigenvalues. The controllers are written out as they run.
"""

import numpy as np

DT, STEPS = 1e-4, 2500
L, R, C, RD, LG, RG = 2e-3, 0.1, 10e-6, 8.0, 0.5e-3, 0.05
PEAK, MAINS, LIMIT = 325.0, 2 * np.pi * 50.0, 350.0
KP, KI, KT = 1200.0 * L, 400.0, 1000.0
PLL_KP, PLL_KI = 180.0 / PEAK, 16000.0 / PEAK

# From the currents of converter and grid and the voltage between them, constant u and e.
a = np.array([[-(R + RD) / L, -1 / L, RD / L],
              [1 / C, 0.0, -1 / C],
              [RD / LG, 1 / LG, -(RD + RG) / LG]])
b = np.array([[1 / L, 0.0], [0.0, 0.0], [0.0, -1 / LG]])
values, vectors = np.linalg.eig(a)
step_x = vectors @ np.diag(np.exp(values * DT)) @ np.linalg.inv(vectors)
step_u = np.linalg.solve(a, (step_x - np.eye(3)) @ b)


def phases(z):
    return [(z * np.exp(-2j * np.pi * k / 3)).real for k in range(3)]


def limited(z):
    return complex(min(max(z.real, -LIMIT), LIMIT), min(max(z.imag, -LIMIT), LIMIT))


step = np.arange(STEPS)
level = np.where((step >= 1200) & (step < 2000), 0.4, 1.0)
wanted = np.where(step < 500, 0.0, 15.0) + 1j * np.where(step < 1500, 0.0, -5.0)

x, theta, deviation, integral, rows = np.zeros(3, complex), 0.0, 0.0, 0j, []
for k in range(STEPS):
    e = PEAK * level[k] * np.exp(1j * (0.5 + MAINS * DT * k))
    back = np.exp(-1j * theta)
    v = (x[1] + RD * (x[0] - x[2])) * back
    i = x[0] * back
    omega = MAINS + PLL_KP * v.imag + deviation
    asked = KP * (wanted[k] - i) + integral + v + 1j * omega * L * i
    dq = limited(asked)
    u = dq / back
    rows.append([i.real, i.imag, omega / (2 * np.pi), *phases(x[2]), *phases(u)])
    integral += DT * (KI * (wanted[k] - i) + KT * (dq - asked))
    deviation += DT * PLL_KI * v.imag
    theta += DT * omega
    x = step_x @ x + step_u @ np.array([u, e])
names = ["current[0]", "current[1]", "frequency", *(f"grid[{k}]" for k in range(3)),
         *(f"u[{k}]" for k in range(3))]
np.savetxt("input.csv", np.column_stack([level, wanted.real, wanted.imag]), fmt="%g", delimiter=",",
           header="level,wanted[0],wanted[1]", comments="")
np.savetxt("expected.csv", np.array(rows).real, fmt="%.17g", delimiter=",", comments="",
           header=",".join(names))
