"""Writes input.csv and expected.csv: python3 expected.py (needs NumPy)

The table is that of type K thermocouples in NIST's ITS-90 tables, reference junction at 0 degrees.
The expected output is numpy.interp's; the input goes beyond both ends and through every breakpoint.
"""

import numpy as np

celsius = [-200, -100, 0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000, 1100, 1200, 1300]
millivolts = [-5.891, -3.554, 0.000, 4.096, 8.138, 12.209, 16.397, 20.644, 24.905, 29.129, 33.275,
              37.326, 41.276, 45.119, 48.838, 52.410]

x = np.concatenate([np.linspace(-7.0, 54.0, 300).round(3), millivolts])
y = np.interp(x, millivolts, celsius)
np.savetxt("input.csv", x, fmt="%.3f", header="millivolts", comments="")
np.savetxt("expected.csv", y, fmt="%.17g", header="celsius", comments="")
