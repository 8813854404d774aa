"""Writes input.csv and expected.csv: python3 expected.py

The recording: the controller holds a second-order plant with a one-sided actuator, whose
measurement has five decimals. The expected output is computed from the recording alone, with exact
rational numbers and in another form than the component: increments of the unlimited signal, and
the derivative as a sum over all past measurements.
"""

from fractions import Fraction

DT, B, TF, KP, KI, KD, KT, LO, HI = map(Fraction, "0.02 0.8 0.05 3 2 1 4 0 2".split())


def control(reference, measurement):
    """u[k] for each k, exact."""
    steps = range(len(reference))
    slope = [(measurement[k] - (measurement[k - 1] if k else 0)) / (TF + DT) for k in steps]
    powers = [(TF / (TF + DT)) ** k for k in steps]
    rate = [sum(powers[k - j] * slope[j] for j in range(k + 1)) for k in steps]
    u, v = [], []
    for k in steps:
        if k == 0:
            wanted = KP * (B * reference[0] - measurement[0]) - KD * rate[0]
        else:
            wanted = v[-1] - KD * (rate[k] - rate[k - 1])
            wanted += KP * B * (reference[k] - reference[k - 1])
            wanted -= KP * (measurement[k] - measurement[k - 1])
            wanted += DT * (KI * (reference[k - 1] - measurement[k - 1]) + KT * (u[-1] - v[-1]))
        v.append(wanted.limit_denominator(10**60))
        u.append(min(max(v[-1], LO), HI))
    return u


def record(steps):
    """References and measurements with five decimals: a plant y'' + 1.4 y' + y = u, Euler's method
    with ten steps in each of the controller's."""
    reference, measurement = [], []
    y = speed = integral = rate = previous = 0.0
    noise = 1
    for k in range(steps):
        r = 0.0 if k < 20 else 1.2 if k < 250 else 0.4
        noise = noise * 1103515245 + 12345 & 0x7FFFFFFF  # as in old C libraries
        m = round(y + 0.001 * (noise / 2**30 - 1) * (k > 20), 5)
        rate = float(TF / (TF + DT)) * rate + (m - previous) / float(TF + DT)
        v = float(KP) * (float(B) * r - m) + integral - float(KD) * rate
        u = min(max(v, 0.0), 2.0)
        integral += float(DT) * (float(KI) * (r - m) + float(KT) * (u - v))
        previous = m
        for _ in range(10):
            y, speed = y + 0.002 * speed, speed + 0.002 * (u - y - 1.4 * speed)
        reference.append(r)
        measurement.append(m)
    return reference, measurement


def main():
    reference, measurement = record(500)
    with open("input.csv", "w") as file:
        file.write("reference,measurement\n")
        file.writelines(f"{r},{m}\n" for r, m in zip(reference, measurement))
    exact = control([Fraction(str(r)) for r in reference], [Fraction(str(m)) for m in measurement])
    with open("expected.csv", "w") as file:
        file.write("u\n")
        file.writelines(f"{float(u)!r}\n" for u in exact)


if __name__ == "__main__":
    main()
