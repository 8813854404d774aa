"""Tunes the filter: python3 sweep.py

Tries 60 intensities of the acceleration and 40 deviations of a fix at once, prints the best, writes the
error over the intensity as sweep.csv, and simulates ten of the runs once more with NumPy.
"""

import sys

import numpy as np
import tmlc

DT = 0.5


def simulate(fixes, truth, acceleration, sigma):
    """The root mean square of the error, of filters side by side, one in each element."""
    x = np.zeros((len(sigma), 2))
    covariance = np.tile(np.diag([100.0, 10.0]), (len(sigma), 1, 1))
    f = np.array([[1.0, DT], [0.0, 1.0]])
    q = acceleration[:, None, None] * np.array([[DT**3 / 3, DT**2 / 2], [DT**2 / 2, DT]])
    error, squares = np.zeros(len(sigma)), np.zeros(len(sigma))
    for fix, place in zip(fixes, truth, strict=True):
        squares += error**2
        gain = covariance[:, :, 0] / (covariance[:, 0, 0] + sigma**2)[:, None]
        x = x + gain * (fix - x[:, :1])
        covariance = covariance - gain[:, :, None] * covariance[:, :1, :]
        error = x[:, 0] - place
        x = x @ f.T
        covariance = f @ covariance @ f.T + q
    return np.sqrt(squares / len(fixes))


def main():
    fixes, truth = np.loadtxt("input.csv", delimiter=",", skiprows=1, unpack=True)
    tried, sigma = (grid.ravel() for grid in np.meshgrid(np.logspace(-3, 2, 60), np.linspace(1.0, 8.0, 40)))
    model = tmlc.compile("kalmansweep.tml", batch=8)
    runs = model.simulate_many({"fix": fixes, "truth": truth}, params={"acceleration": tried, "sigma": sigma}, reduce="rms")
    best = int(runs["error"].argmin())
    print(f"best of {len(tried)}: acceleration {tried[best]:.3g}, sigma {sigma[best]:.3g}, error {runs['error'][best]:.3f} m")
    line = sigma == sigma[best]
    np.savetxt("sweep.csv", np.column_stack([tried[line], runs["error"][line]]), delimiter=",", header="acceleration,error")
    chosen = np.arange(10) * (len(tried) // 10)
    own = simulate(fixes, truth, tried[chosen], sigma[chosen])
    if not np.allclose(own, runs["error"][chosen], rtol=1e-9, atol=0):
        sys.exit(f"NumPy's simulation differs: {own - runs['error'][chosen]}")
    print(f"{len(chosen)} runs simulated again with NumPy: equal")


if __name__ == "__main__":
    main()
