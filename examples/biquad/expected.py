"""Writes input.csv and expected.csv, prints the coefficients: python3 expected.py (needs SciPy)

A Butterworth low-pass of order 6, cut-off 50 Hz at 1 kHz, as second-order sections. The expected
output is that of scipy.signal.sosfilt.
"""

import numpy as np
from scipy import signal

sos = signal.butter(6, 50.0, fs=1000.0, output="sos")
print(np.array2string(sos, separator=", ", floatmode="unique", max_line_width=200))

# 10 Hz with a trend passes, 120 Hz and 300 Hz do not; a step in the middle shows the ringing.
time = np.arange(500) / 1000.0
x = np.sin(2 * np.pi * 10 * time) + 0.5 * np.sin(2 * np.pi * 120 * time)
x += 0.25 * np.cos(2 * np.pi * 300 * time) + time + np.where(time >= 0.25, 1.0, 0.0)
x = x.round(6)
np.savetxt("input.csv", x, fmt="%.6f", header="x", comments="")
np.savetxt("expected.csv", signal.sosfilt(sos, x), fmt="%.17g", header="y", comments="")
