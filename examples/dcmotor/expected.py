"""Writes input.csv and expected.csv, prints the gain: python3 expected.py (needs SciPy)

The exact discretisation is scipy.linalg.expm's, the gain puts the poles of the observer's error at
0.70, 0.75 and 0.80 (scipy.signal.place_poles, rounded to four decimals), and the expected output is
the response of plant and observer together, as one linear system, by scipy.signal.dlsim.
"""

import numpy as np
from scipy import linalg, signal

r, l, k, j, b, dt = 1.0, 0.5, 0.01, 0.01, 0.1, 0.01

# Current, speed and a load torque that stays; the input is the voltage.
a = np.array([[-r / l, -k / l, 0.0], [k / j, -b / j, -1 / j], [0.0, 0.0, 0.0]])
block = np.zeros((4, 4))
block[:3, :3], block[0, 3] = a, 1 / l
block = linalg.expm(dt * block)
f, g = block[:3, :3], block[:3, 3:]
c = np.array([[0.0, 1.0, 0.0]])
gain = signal.place_poles(f.T, c.T, [0.70, 0.75, 0.80]).gain_matrix.T.round(4)
print("gain", gain.ravel())

# States: current and speed of the motor, then the observer's three; inputs: voltage and load.
system = np.block([[f[:2, :2], np.zeros((2, 3))], [gain @ c[:, :2], f - gain @ c]])
inputs = np.block([[g[:2], f[:2, 2:]], [g, np.zeros((3, 1))]])
time = np.arange(500) * dt
voltage = np.where(time < 0.1, 0.0, np.where(time < 3.5, 12.0, -6.0))
load = np.where(time < 2.0, 0.0, 0.05)
u = np.column_stack([voltage, load])
_, y, _ = signal.dlsim((system, inputs, np.eye(5), np.zeros((5, 2)), dt), u)
names = "current,speed,estimate[0],estimate[1],estimate[2]"
np.savetxt("input.csv", u, fmt="%g", delimiter=",", header="voltage,load", comments="")
np.savetxt("expected.csv", y, fmt="%.17g", delimiter=",", header=names, comments="")
