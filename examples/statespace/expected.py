"""Writes input.csv and expected.csv, prints the matrices: python3 expected.py (needs SciPy)

Two carts of 1 kg and 2 kg, coupled by a spring of 20 N/m with a damper of 0.5 N s/m; a spring of
10 N/m with a damper of 1 N s/m holds the first at the wall. The states are both positions and both
speeds, the inputs a force on each cart, the outputs the position of the second cart and what an
accelerometer on the first one measures. Sampled at 20 Hz with the forces held in between, rounded
to nine decimals. The expected output is that of scipy.signal.dlsim.
"""

import numpy as np
from scipy import signal

m1, m2, k1, k2, c1, c2 = 1.0, 2.0, 10.0, 20.0, 1.0, 0.5
a = np.array([[0, 0, 1, 0],
              [0, 0, 0, 1],
              [-(k1 + k2) / m1, k2 / m1, -(c1 + c2) / m1, c2 / m1],
              [k2 / m2, -k2 / m2, c2 / m2, -c2 / m2]])
b = np.array([[0, 0], [0, 0], [1 / m1, 0], [0, 1 / m2]])
c = np.vstack([[0, 1, 0, 0], a[2]])
d = np.vstack([[0, 0], b[2]])
dt = 0.05
a, b, c, d, _ = signal.cont2discrete((a, b, c, d), dt, method="zoh")
a, b, c, d = (m.round(9) for m in (a, b, c, d))
for name, m in zip("abcd", (a, b, c, d)):
    print(name, np.array2string(m, separator=", ", formatter={"float": "{:.9f}".format}))

# A push of one second on each cart, then a slow swing of the first.
time = np.arange(400) * dt
u = np.zeros((400, 2))
u[:, 0] = np.where((time >= 0.5) & (time < 1.5), 2.0, 0.0) + (time >= 10) * np.sin(1.5 * time)
u[:, 1] = np.where((time >= 5.0) & (time < 6.0), -3.0, 0.0)
u = u.round(6)
_, y, _ = signal.dlsim((a, b, c, d, dt), u)
np.savetxt("input.csv", u, fmt="%.6f", delimiter=",", header="u[0],u[1]", comments="")
np.savetxt("expected.csv", y, fmt="%.17g", delimiter=",", header="y[0],y[1]", comments="")
