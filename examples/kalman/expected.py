"""Writes input.csv and expected.csv from nadine.csv: python3 expected.py (needs NumPy)

The track is projected to kilometres east and north of its first fix; hours without a fix give rows
that say so. The expected output of a step is the end of the trajectory that fits all fixes up to
then best: one least-squares problem for all states so far, solved by an orthogonal factorisation.
Nothing is carried from step to step, so no error of the recursion could repeat in it.
"""

import datetime

import numpy as np

DT, ACCELERATION, SIGMA = 6.0, 1.0, 15.0
PRIOR = np.array([100.0, 100.0, 30.0, 30.0])  # deviations of the first state, km and km/h
KM_PER_DEGREE = 111.195


def read_track():
    """Fixes in km, nan where there is none in one of the six-hourly rows."""
    with open("nadine.csv") as file:
        rows = [line.strip().split(",") for line in file][1:]
    times = [datetime.datetime.strptime(row[0], "%Y-%m-%dT%H:%MZ") for row in rows]
    steps = [int((time - times[0]).total_seconds() // (3600 * DT)) for time in times]
    degrees = np.array([[float(row[2]), float(row[1])] for row in rows])
    scale = KM_PER_DEGREE * np.array([np.cos(np.radians(30.0)), 1.0])
    fixes = np.full((steps[-1] + 1, 2), np.nan)
    fixes[steps] = ((degrees - degrees[0]) * scale).round(1)
    return fixes


def last_state(fixes):
    """The last state of the best trajectory through the fixes, and the deviations of its place."""
    eye, zero = np.eye(2), np.zeros((2, 2))
    f = np.block([[eye, DT * eye], [zero, eye]])
    q = ACCELERATION * np.block([[DT**3 / 3 * eye, DT**2 / 2 * eye], [DT**2 / 2 * eye, DT * eye]])
    root = np.linalg.inv(np.linalg.cholesky(q))
    n = len(fixes)
    rows, right = [np.hstack([np.diag(1 / PRIOR), np.zeros((4, 4 * n - 4))])], [np.zeros(4)]
    for k in range(1, n):
        block = np.zeros((4, 4 * n))
        block[:, 4 * k - 4:4 * k], block[:, 4 * k:4 * k + 4] = -root @ f, root
        rows.append(block)
        right.append(np.zeros(4))
    for k, fix in enumerate(fixes):
        if not np.isnan(fix[0]):
            block = np.zeros((2, 4 * n))
            block[:, 4 * k:4 * k + 2] = eye / SIGMA
            rows.append(block)
            right.append(fix / SIGMA)
    r = np.linalg.qr(np.column_stack([np.vstack(rows), np.concatenate(right)]), "r")
    last = np.linalg.inv(r[4 * n - 4:4 * n, 4 * n - 4:4 * n])
    return last @ r[4 * n - 4:4 * n, 4 * n], np.linalg.norm(last, axis=1)[:2]


def main():
    fixes = read_track()
    with open("input.csv", "w") as file:
        file.write("fix[0],fix[1],seen\n")
        for east, north in fixes:
            seen = not np.isnan(east)
            file.write(f"{east if seen else 0.0:.1f},{north if seen else 0.0:.1f},{seen:d}\n")
    rows = [np.concatenate(last_state(fixes[:k + 1])) for k in range(len(fixes))]
    np.savetxt("expected.csv", rows, fmt="%.17g", delimiter=",", comments="",
               header="state[0],state[1],state[2],state[3],deviation[0],deviation[1]")


if __name__ == "__main__":
    main()
