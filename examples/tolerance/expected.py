"""Writes input.csv and expected.csv: python3 expected.py

The nominal motor with the controller, in exact rational numbers but for the limits of what they hold,
which are fifty digits.
"""

from fractions import Fraction

R, L, K, J, B, KP, KI, LIMIT, DT = map(Fraction, "1 0.05 0.1 0.01 0.01 0.5 1.5 12 0.002".split())
REFERENCE, SETTLED, STEPS, DIGITS = 20, 500, 1000, 10**50


def rounded(x):
    return Fraction(round(x * DIGITS), DIGITS)


def main():
    rows = []
    i = speed = integral = Fraction(0)
    for k in range(STEPS):
        error = REFERENCE - speed
        rows.append((speed, -error, abs(error) if k > SETTLED else 0, i))
        wanted = KP * error + integral
        u = min(max(wanted, -LIMIT), LIMIT)
        if u == wanted:
            integral += DT * KI * error
        i, speed = i + DT * (u - R * i - K * speed) / L, speed + DT * (K * i - B * speed) / J
        i, speed, integral = map(rounded, (i, speed, integral))
    with open("input.csv", "w") as file:
        file.write("reference\n" + f"{REFERENCE}\n" * STEPS)
    with open("expected.csv", "w") as file:
        file.write("speed,excess,late,current\n")
        file.writelines(",".join(repr(float(value)) for value in row) + "\n" for row in rows)


if __name__ == "__main__":
    main()
