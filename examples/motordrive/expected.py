"""Writes input.csv and expected.csv: python3 expected.py (needs NumPy)

The controllers are written out as they run, one after the other. The motor's differential equations
are solved from one step to the next by their Taylor series: products of the unknowns make the next
coefficients, and 24 of these are exact to the last digits.
"""

import numpy as np

DT, STEPS, TERMS = 1e-4, 3000, 24
R, LD, LQ, PSI, PAIRS, J, B = 0.5, 2.5e-3, 4e-3, 0.12, 4.0, 2e-3, 1e-3
LIMIT, MOST, BANDWIDTH = 60.0, 20.0, 1000.0


def moved(state, ud, uq, load):
    """Currents and speed a step later."""
    d, q, s = series = [[value] for value in state]
    for n in range(TERMS):
        def product(a, b):
            return sum(a[k] * b[n - k] for k in range(n + 1))

        first = n == 0
        torque = 1.5 * PAIRS * (PSI * q[n] + (LD - LQ) * product(d, q))
        rates = [(first * ud - R * d[n] + PAIRS * LQ * product(s, q)) / LD,
                 (first * uq - R * q[n] - PAIRS * (LD * product(s, d) + PSI * s[n])) / LQ,
                 (torque - B * s[n] - first * load) / J]
        for terms, rate in zip(series, rates):
            terms.append(rate / (n + 1))
    return [sum(term * DT**n for n, term in enumerate(terms)) for terms in series]


class Controller:
    def __init__(self, kp, ki, kt, dt, limit):
        self.kp, self.ki, self.kt, self.dt, self.limit = kp, ki, kt, dt, limit
        self.integral = 0.0

    def run(self, error, forward=0.0):
        asked = self.kp * error + self.integral + forward
        out = min(max(asked, -self.limit), self.limit)
        self.integral += self.dt * (self.ki * error + self.kt * (out - asked))
        return out


step = np.arange(STEPS)
wanted = np.where(step < 100, 0.0, np.where(step < 2500, 100.0, 60.0))
load = np.where(step < 1500, 0.0, 3.0)

outer = Controller(0.25, 5.0, 100.0, 10 * DT, MOST)
of_d = Controller(BANDWIDTH * LD, BANDWIDTH * R, BANDWIDTH, DT, LIMIT)
of_q = Controller(BANDWIDTH * LQ, BANDWIDTH * R, BANDWIDTH, DT, LIMIT)
state, asked, rows = [0.0, 0.0, 0.0], 0.0, []
for k in range(STEPS):
    d, q, speed = state
    if k % 10 == 0:
        asked = outer.run(wanted[k] - speed)
    ud = of_d.run(-d, -PAIRS * speed * LQ * q)
    uq = of_q.run(asked - q, PAIRS * speed * (LD * d + PSI))
    rows.append([speed, d, q, ud, uq, asked])
    state = moved(state, ud, uq, load[k])
np.savetxt("input.csv", np.column_stack([wanted, load]), fmt="%g", delimiter=",",
           header="wanted,load", comments="")
np.savetxt("expected.csv", rows, fmt="%.17g", delimiter=",", comments="",
           header="speed,current[0],current[1],voltage[0],voltage[1],asked")
