"""Prints what spectrum.tml prints: python3 welch.py > expected.txt (needs NumPy)"""

import numpy as np

RATE, LENGTH = 2048, 512


def density(signal):
    """Row by row: as scipy.signal.welch, whose window is a period of Hann's."""
    segments = np.lib.stride_tricks.sliding_window_view(signal, LENGTH)[:: LENGTH // 2]
    segments = segments - segments.mean(axis=1, keepdims=True)
    window = np.hanning(LENGTH + 1)[:LENGTH]
    powers = np.abs(np.fft.rfft(segments * window)) ** 2
    powers[:, 1:-1] *= 2
    return powers.mean(axis=0) / (RATE * np.sum(window**2))


def main():
    signal = np.loadtxt("signal.csv", skiprows=1)
    power, step = density(signal), RATE / LENGTH
    inner = power[1:-1]
    found = 1 + np.flatnonzero((inner > power[:-2]) & (inner > power[2:]))
    found = found[np.argsort(power[found])[::-1]][:6]
    print("# Welch's method on all segments at once, in welch.py.")
    print("# relative 1e-10")
    print("variance", signal.var(), "of it in the spectrum", step * power.sum())
    for k in found:
        print(k * step, "Hz", power[k])


if __name__ == "__main__":
    main()
