"""Writes signal.csv, the recording: python3 record.py (needs NumPy)"""

import numpy as np

RATE, SAMPLES = 2048, 4096
time = np.arange(SAMPLES) / RATE
shaft = 0.8 * np.sin(2 * np.pi * 29.5 * time + 0.3) + 0.3 * np.sin(2 * np.pi * 59 * time + 1.1)
tone = 0.25 * (1 + 0.5 * np.cos(2 * np.pi * 59 * time)) * np.sin(2 * np.pi * 236 * time)
# What rolls hits a flaw 107.3 times a second, and the housing rings.
since = time % (1 / 107.3)
ringing = 0.9 * np.exp(-300 * since) * np.sin(2 * np.pi * 610 * since)
noise = 0.05 * np.random.default_rng(20).standard_normal(SAMPLES)
np.savetxt("signal.csv", 0.1 + shaft + tone + ringing + noise, fmt="%.4f", header="signal", comments="")
