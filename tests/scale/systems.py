"""Compiles a system of many instances: systems.py TMLC

A thousand instances of a hundred files, in a chain with a loop through a delay around each, are checked
within a time and compiled in about ten times that of a hundred; ten thousand are checked in about ten
times that of a thousand. What the system gives is what the same arithmetic gives here.
"""

import os
import subprocess
import sys
import tempfile

from scale import BASE_SECONDS, RATIO, TRIES, seconds_of, write

FILES = 100
COUNT = 1000
CHECK_SECONDS = 0.2
TURNS = 6
STEPS = 3
COMPONENT = """in real t.r
in real t.y
out real t.u
tunable real p.kp = {gain}
real p.ki = 0.5
real n.dt = 0.125
real integral = 0.0
real last = 0.0
fn output_fnc():
    real e = t.r - t.y
    t.u = clamp(p.kp * e + integral + (e - last) / n.dt, -{limit}, {limit})
end
fn update_fnc():
    real e = t.r - t.y
    if abs(e) < 10.0:
        integral = integral + p.ki * n.dt * e
    end
    last = e
end
"""


def limit_of(k):
    return float(k % FILES + 1)


def kp_of(k):
    return k // FILES + 1.5


def files(count):
    """Of a system: each instance gets what the one before gives, and its own output of the cycle
    before."""
    result = {f"c{k}.tml": COMPONENT.format(gain=1.0 + k / 8, limit=limit_of(k))
              for k in range(FILES)}
    lines = ["in real t.ref", "out real t.y"]
    lines += [f'instance i{k} = "c{k % FILES}.tml"(p.kp = {kp_of(k)})' for k in range(count)]
    for k in range(count):
        lines.append(f"connect i{k}.r = {f'i{k - 1}.u' if k else 't.ref'}")
        lines.append(f"connect i{k}.y = delay(i{k}.u, 0.0)")
    result["main.tml"] = "\n".join([*lines, f"connect t.y = i{count - 1}.u", ""])
    return result


def expected(count, inputs):
    integral, last, before = ([0.0] * count for _ in range(3))
    for r in inputs:
        for k in range(count):
            e = r - before[k]
            u = kp_of(k) * e + integral[k] + (e - last[k]) / 0.125
            integral[k] += 0.5 * 0.125 * e if abs(e) < 10.0 else 0.0
            last[k] = e
            before[k] = r = max(-limit_of(k), min(limit_of(k), u))
        yield r


def simulated(tmlc, folder):
    inputs = [1.0, -0.25, 0.5][:STEPS]
    text = "ref\n" + "".join(f"{number}\n" for number in inputs)
    result = subprocess.run([tmlc, "run", "main.tml", "--", "--in", "-"], cwd=folder, input=text,
                            capture_output=True, text=True)
    printed = [float(line) for line in result.stdout.splitlines()[1:]]
    wanted = list(expected(COUNT, inputs))
    if printed != wanted:
        sys.exit(f"simulated: {printed}, not {wanted}\n{result.stderr[:2000]}")


def tenfold(tmlc, words, count):
    """Whether ten times as many instances take about ten times as long; the time of `count`. Both are taken in turns, as
    another program may have used the machine."""
    command = [tmlc, *words, "main.tml"]
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as ten:
        write(one, files(count))
        write(ten, files(10 * count))
        for _ in range(TURNS):
            short = max(min(seconds_of(command, one) for _ in range(TRIES)), BASE_SECONDS)
            long = seconds_of(command, ten)
            if long <= RATIO * short:
                break
    print(f"{words[0]:6} {10 * count} instances {long:6.2f} s, over {count}: {long / short:5.1f}", flush=True)
    return long <= RATIO * short, short


def main():
    tmlc = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        write(folder, files(COUNT))
        simulated(tmlc, folder)
    checked, seconds = tenfold(tmlc, ["check"], COUNT)
    print(f"check  {COUNT} instances {seconds:6.2f} s, at most {CHECK_SECONDS} s", flush=True)
    compiled, _ = tenfold(tmlc, ["-c", "-O2", "-o", "main.o"], COUNT // 10)
    return not (checked and compiled and seconds <= CHECK_SECONDS)


if __name__ == "__main__":
    sys.exit(main())
