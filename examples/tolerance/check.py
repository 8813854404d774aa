"""The yield and the worst motors of a lot, and ten of its runs simulated once more: python3 check.py RUNS.npy"""

import sys

import numpy as np

LIMIT, SETTLED, DT, STEPS, REFERENCE = 12.0, 1.0, 0.002, 1000, 20.0


def simulate(r, l, k, j, b, kp=0.5, ki=1.5):
    """The greatest excess, late error and current of motors side by side, one in each element."""
    i, speed, integral = (np.zeros_like(r) for _ in range(3))
    excess, late, current = (np.full_like(r, -np.inf) for _ in range(3))
    for step in range(STEPS):
        error = REFERENCE - speed
        excess = np.maximum(excess, -error)
        late = np.maximum(late, np.abs(error) if step * DT > SETTLED else 0.0)
        current = np.maximum(current, i)
        wanted = kp * error + integral
        u = np.clip(wanted, -LIMIT, LIMIT)
        integral = integral + np.where(u == wanted, DT * ki * error, 0.0)
        slope = (u - r * i - k * speed) / l
        speed = speed + DT * (k * i - b * speed) / j
        i = i + DT * slope
    return {"excess": excess, "late": late, "current": current}


def main():
    runs = np.load(sys.argv[1])
    good = (runs["excess"] < 2.0) & (runs["late"] < 0.5) & (runs["current"] < 10.0)
    print(f"{good.mean():.4f} of {len(runs)} motors are good")
    for name in ("excess", "late", "current"):
        worst = int(runs[name].argmax())
        print(f"largest {name}: {runs[name][worst]:.4f}, run {worst}")
    chosen = runs[:: len(runs) // 10][:10]
    own = simulate(*(chosen[f"p.{name}"] for name in "rlkjb"))
    for name, values in own.items():
        error = np.abs(values - chosen[name]).max()
        if not error < 1e-11:
            sys.exit(f"{name}: differs by {error} from NumPy's simulation")
    print(f"{len(chosen)} runs simulated again with NumPy: equal")
    count, edges = np.histogram(runs["current"], 60)
    np.savetxt("histogram.csv", np.column_stack([edges[:-1], count]), delimiter=",")
    some = runs[:: max(1, len(runs) // 2000)]
    np.savetxt("scatter.csv", np.column_stack([some["p.r"], some["current"]]), delimiter=",")


if __name__ == "__main__":
    main()
