"""Writes input.csv and expected.csv: python3 expected.py

A place that accelerates at random with intensity 0.2, and fixes of it with a deviation of 3 m; then the
filter as it stands in the source, with each product of 2 by 2 matrices written out.
"""

import random

DT, STEPS = 0.5, 400


def record():
    chance = random.Random(1)
    place = velocity = 0.0
    for _ in range(STEPS):
        yield place + chance.gauss(0.0, 3.0), place
        place += DT * velocity
        velocity += chance.gauss(0.0, (0.2 * DT) ** 0.5)


def filtered(rows, acceleration=1.0, sigma=3.0):
    """The estimates before each fix, and the errors after the one before."""
    place = velocity = error = 0.0
    a, b, c = 100.0, 0.0, 10.0  # the covariance
    for fix, truth in rows:
        yield place, error
        gains = a / (a + sigma * sigma), b / (a + sigma * sigma)
        surprise = fix - place
        place, velocity = place + gains[0] * surprise, velocity + gains[1] * surprise
        a, b, c = a - gains[0] * a, b - gains[0] * b, c - gains[1] * b
        error = place - truth
        place += DT * velocity
        a, b, c = (a + 2 * DT * b + DT * DT * c + acceleration * DT**3 / 3, b + DT * c + acceleration * DT**2 / 2,
                   c + acceleration * DT)


def main():
    rows = list(record())
    with open("input.csv", "w") as file:
        file.write("fix,truth\n")
        file.writelines(f"{fix!r},{truth!r}\n" for fix, truth in rows)
    with open("expected.csv", "w") as file:
        file.write("place,error\n")
        file.writelines(f"{place!r},{error!r}\n" for place, error in filtered(rows))


if __name__ == "__main__":
    main()
