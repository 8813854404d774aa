"""Writes input.csv and expected.csv, prints the coefficients: python3 expected.py (needs SciPy)

Three linear-phase filters of 15 taps at 8 kHz, designed with a Hamming window and rounded to six
decimals: low-pass to 800 Hz, band-pass 800 Hz to 2 kHz, high-pass from 2 kHz. The expected output
is that of scipy.signal.lfilter.
"""

import numpy as np
from scipy import signal

bank = np.array([
    signal.firwin(15, 800.0, fs=8000.0),
    signal.firwin(15, [800.0, 2000.0], fs=8000.0, pass_zero="bandpass"),
    signal.firwin(15, 2000.0, fs=8000.0, pass_zero="highpass"),
]).round(6)
print(np.array2string(bank, separator=", ", formatter={"float": "{:.6f}".format}))

# A sweep from 100 Hz to 4 kHz.
time = np.arange(400) / 8000.0
x = signal.chirp(time, 100.0, time[-1], 4000.0).round(6)
np.savetxt("input.csv", x, fmt="%.6f", header="x", comments="")
y = np.column_stack([signal.lfilter(taps, 1.0, x) for taps in bank])
np.savetxt("expected.csv", y, fmt="%.17g", delimiter=",", header="y[0],y[1],y[2]", comments="")
