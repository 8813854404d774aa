"""Compiles programs that are long in one way, short and ten times as long, and holds the time of
the longer one against the shorter's: scale.py TMLC [--all]

Every program is also run, and prints what arithmetic says. With --all the lengths go up to 100,000
at -O0 and to 10,000 at -O2, which takes some minutes; without, to a tenth of that. At last, what
checking takes of memory for each of many short statements.
"""

import os
import resource
import subprocess
import sys
import tempfile

RATIO = 12  # for ten times the length
BASE_SECONDS = 0.02  # what starting costs; shorter times are noise
TRIES = 4  # another program may have used the machine
STATEMENT_BYTES = 400  # of both trees, for `x += 1`


def calls(n):
    text = "fn f(int x) int:\n    return 100 / x\nend\nx = input(int)\n" + "x = f(x)\n" * n + "print(x)\n"
    return {"main.tml": text}, "4" if n % 2 == 0 else "25"


def prints(n):
    return {"main.tml": "x = 1\n" + "print(x)\n" * n}, "\n".join(["1"] * n)


def statements(n):
    lines = ["x = 1.0", "v = [1.0, 2.0, 3.0]"]
    lines += [f"v[{i % 3}] += 1.0" if i % 2 else "x = 2.0 * x - 1.0" for i in range(n)]
    counts = [float(1 + k + sum(1 for i in range(n) if i % 2 and i % 3 == k)) for k in range(3)]
    return {"main.tml": "\n".join(lines + ["print(x, v)", ""])}, f"1.0 {counts}"


def arrays(n):
    lines = ["v = [1, 2, 3, 4]"] + ["v = v * 3 - v - v + 1"] * n + ["print(v)", ""]
    return {"main.tml": "\n".join(lines)}, str([1 + n, 2 + n, 3 + n, 4 + n])


def functions(n):
    lines = [f"fn f{i}(real x) real:\n    return x + {i}.0\nend" for i in range(n)]
    return {"main.tml": "\n".join(lines + [f"print(f{n - 1}(1.0))", ""])}, f"{n}.0"


def imports(n):
    files = {f"lib{i}.tml": f"fn f{i}(int x) int:\n    return x + {i}\nend\n" for i in range(n)}
    lines = [f'import "lib{i}.tml"' for i in range(n)] + [f"print(f{n - 1}(1))", ""]
    return {**files, "main.tml": "\n".join(lines)}, str(n)


def terms(n):
    return {"main.tml": "x = 1.0\nprint(" + " + ".join(["x"] * n) + ")\n"}, f"{n}.0"


def conditions(n):
    return {"main.tml": "b = true\nprint(" + " and ".join(["b"] * n) + ")\n"}, "true"


def brackets(n):
    return {"main.tml": "x = 7\nprint(x" + "[0]" * n + ")\n"}, "7"


def arms(n):
    lines = [f"x = {n - 1}", "y = 0", "if x < 0:", "    y = 1"]
    lines += [f"elseif x == {i}:\n    y = {i + 5}" for i in range(n)]
    return {"main.tml": "\n".join(lines + ["end", "print(y)", ""])}, str(n + 4)


def branches(n):
    lines = ["x = 1"] + [f"if x > {i}:\n    x += 1\nend" for i in range(n)]
    return {"main.tml": "\n".join(lines + ["print(x)", ""])}, str(n + 1)


def chain(n, order):
    bodies = ["fn f0(int x) int:\n    return x + 1\nend"]
    bodies += [f"fn f{i}(int x) int:\n    return f{i - 1}(x) + 1\nend" for i in range(1, n)]
    return {"main.tml": "\n".join(bodies[::order] + [f"print(f{n - 1}(0))", ""])}, str(n)


def callees_first(n):
    return chain(n, 1)


def callers_first(n):
    return chain(n, -1)


# The shapes, and the longest program of each at -O0 and -O2; None: as all.
SHAPES = {
    calls: None, prints: None, statements: None, arrays: None, functions: None, imports: None,
    terms: None, conditions: None, brackets: None, branches: None,
    arms: 10000, callees_first: 10000, callers_first: 10000,
}


def seconds_of(command, folder):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if result.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit {result.returncode}\n{result.stderr[:2000]}")
    return after.ru_utime - before.ru_utime


def write(folder, files):
    for name, text in files.items():
        with open(os.path.join(folder, name), "w", encoding="ascii") as file:
            file.write(text)


def measure(tmlc, shape, n, level):
    files, expected = shape(n)
    with tempfile.TemporaryDirectory() as folder:
        write(folder, files)
        seconds = seconds_of([tmlc, level, "main.tml", "-o", "main"], folder)
        printed = subprocess.run([os.path.join(folder, "main")], input="4\n", capture_output=True, text=True)
        if printed.stdout.strip() != expected:
            sys.exit(f"{shape.__name__} {n} {level}: printed {printed.stdout[:200]!r}, "
                     f"not {expected[:200]!r}")
    return seconds


def check(tmlc, shape, longest, level):
    best = None
    for attempt in range(TRIES):
        runs = 1 + 4 * attempt  # the system counts hundredths of seconds
        short = sum(measure(tmlc, shape, longest // 10, level) for _ in range(runs)) / runs
        short = max(short, BASE_SECONDS)
        long = measure(tmlc, shape, longest, level)
        ratio = long / short
        best = ratio if best is None else min(best, ratio)
        if best <= RATIO:
            break
    print(f"{shape.__name__:14} {level} {longest // 10:>6} {short:6.2f} s  {longest:>7} "
          f"{long:6.2f} s  ratio {best:5.1f}", flush=True)
    return best <= RATIO


def peak_bytes(tmlc, n):
    """What checking n statements on one line takes at most."""
    with tempfile.TemporaryDirectory() as folder:
        write(folder, {"main.tml": "x = 1 " + "x += 1 " * n + "\n"})
        process = subprocess.Popen([tmlc, "check", "main.tml"], cwd=folder)
        _, status, usage = os.wait4(process.pid, 0)
        if status != 0:
            sys.exit(f"check of {n} statements on a line: status {status}")
    return usage.ru_maxrss * 1024


def check_memory(tmlc, n):
    bytes_each = (peak_bytes(tmlc, n) - peak_bytes(tmlc, 0)) / n
    print(f"memory            {n:>7} statements on a line  {bytes_each:.0f} bytes each", flush=True)
    return bytes_each <= STATEMENT_BYTES


def main():
    tmlc = os.path.abspath(sys.argv[1])
    is_all = "--all" in sys.argv[2:]
    good = bad = 0
    for level, longest in (("-O0", 100000 if is_all else 10000), ("-O2", 10000 if is_all else 1000)):
        for shape, limit in SHAPES.items():
            if check(tmlc, shape, min(longest, limit or longest), level):
                good += 1
            else:
                bad += 1
    if check_memory(tmlc, 5000000 if is_all else 500000):
        good += 1
    else:
        bad += 1
    print(f"{good} passed, {bad} failed")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
