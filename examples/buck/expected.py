"""Writes input.csv and expected.csv: python3 expected.py (needs SciPy)

Solves the converter's differential equations from one step of the controller to the next with
scipy.integrate.solve_ivp (DOP853, an adaptive method of order 8) at a tolerance of 1e-13.
"""

import numpy as np
from scipy import integrate

DT, L, C, R = 10e-6, 100e-6, 220e-6, 0.05
KP, KI, KT, KC, SUPPLY, MOST, TOP = 0.8, 1000.0, 2e4, 1.0, 24.0, 8.0, 0.95


def rates(_, x, duty, vin, load):
    return [(duty * vin - R * x[0] - x[1]) / L, (x[0] - load) / C]


step = np.arange(1000)
reference = np.where(step < 20, 0.0, 12.0)
vin = np.where(step < 700, 24.0, 20.0)
load = np.where(step < 400, 1.0, 3.0) * (step >= 100)
inputs = np.column_stack([reference, vin, load]).round(6)

x, integral, rows = np.zeros(2), 0.0, []
for reference, vin, load in inputs:
    error = reference - x[1]
    asked = KP * error + integral
    wanted = min(max(asked, -MOST), MOST)
    duty = min(max((x[1] + KC * (wanted - x[0])) / SUPPLY, 0.0), TOP)
    rows.append([x[1], x[0], duty])
    integral += DT * (KI * error + KT * (wanted - asked))
    x = integrate.solve_ivp(rates, (0.0, DT), x, "DOP853", args=(duty, vin, load), rtol=1e-13,
                            atol=1e-13).y[:, -1]
np.savetxt("input.csv", inputs, fmt="%g", delimiter=",", header="reference,vin,load", comments="")
np.savetxt("expected.csv", rows, fmt="%.17g", delimiter=",", header="v,current,duty", comments="")
