"""Derivatives against complex steps: derivatives.py TMLC [--seed S] [--points N] [--ways WAY,...] [--case NAME] [--shares N]

Each case of cases.py is differentiated at a random point by `jacobian`, at another by `derivative`, and
where its value is summed up by `gradient`, and so is its gradient again: by the reference evaluator (the
prompt), and compiled in every way asked for. What is expected comes from Python functions and
complex steps of 1e-100, for second derivatives from central differences of those. Without --seed the
points are those of the day. With --shares only every N-th case is tried, others with other seeds.
"""

import argparse
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
from cases import CASES  # noqa: E402

STEP = 1e-100
PROGRAM_CASES = 45  # in one: the prompt checks all that was typed before, each time
NUMBER = re.compile(r"-?(?:nan|inf|\d+(?:\.\d+)?(?:e[-+]\d+)?)")
WAYS = {
    "evaluated": None,
    "O0": ["-O0"],
    "O2": ["-O2"],
    "single": ["-O2", "--real=f32"],
    "forward": ["-O2", "--derivative=forward"],
    "reverse": ["-O2", "--derivative=reverse"],
    "forward0": ["-O0", "--derivative=forward"],
    "reverse0": ["-O0", "--derivative=reverse"],
}


def changes(compute, x):
    """The change of each element of compute(x) with each of x: its dims, then those of x."""
    columns = []
    for k in range(x.size):
        moved = x.astype(complex)
        moved.flat[k] += 1j * STEP
        columns.append(np.imag(np.asarray(compute(moved), complex)) / STEP)
    return np.moveaxis(np.array(columns), 0, -1).reshape(columns[0].shape + x.shape)


def second(compute, x):
    """How the gradient of the sum of squares changes, by central differences of complex steps."""
    def gradient(at):
        return changes(lambda v: np.sum(np.asarray(compute(v)) ** 2), at)

    columns = []
    for k in range(x.size):
        step = 1e-5 * max(1.0, abs(x.flat[k]))
        up, down = x.copy(), x.copy()
        up.flat[k] += step
        down.flat[k] -= step
        columns.append((gradient(up) - gradient(down)) / (2 * step))
    return np.moveaxis(np.array(columns), 0, -1)


def literal(x):
    flat = ", ".join(repr(float(v)) for v in x.ravel())
    return flat if x.ndim == 0 else f"[{flat}]" if x.ndim == 1 else \
        f"reshape([{flat}], {', '.join(map(str, x.shape))})"


def parts(case, number):
    """The functions of a case, its other statements, and its expression, under names of its own."""
    def own(text):
        return re.sub(r"\b(walk|both|scale|" + case.name + r")\(", rf"\g<1>{number}(", text)

    function = re.compile(r"^fn .*?^end\n", re.MULTILINE | re.DOTALL)
    functions = "".join(function.findall(case.text))
    return (own(functions), function.sub("", case.text),
            own(case.expression) if functions else case.expression)


def statements(case, number, x, dx):
    """The program of a case, and what its values are expected to be, with how closely."""
    functions, setup, e = parts(case, number)
    value = np.asarray(case.compute(x.astype(complex)))
    jacobian = changes(case.compute, x)
    squares = case.total.replace("{e}", e) or \
        (f"sum(({e}) * ({e}))" if value.ndim else f"({e}) * ({e})")
    body = [setup, f"x = {case.declared.format(literal(x))}",
            f"dx = {case.declared.format(literal(dx))}",
            f"print(jacobian({e}, x))", f"print(derivative({e}, x, dx))",
            f"print(gradient({squares}, x))", f"print(jacobian(gradient({squares}, x), x))"]
    gradient = changes(lambda v: np.sum(np.asarray(case.compute(v)) ** 2), x)
    return functions, body, [(jacobian, 1e-12), (np.tensordot(jacobian, dx, x.ndim), 1e-12),
                             (gradient, 1e-12), (second(case.compute, x), 1e-6)]


def without_second(taken):
    functions, body, expected = taken
    return functions, [*body[:-1], "print(0.0)"], [*expected[:-1], (0.0, 0.0)]


def program(taken):
    """Of what `statements` gives for each case; a line before each value says where it begins."""
    functions, body = "", []
    for number, (text, lines, _) in enumerate(taken):
        functions += text
        prints = 0
        body.append("if true:")
        for line in lines:
            if line.startswith("print("):
                body.append(f'print("@{4 * number + prints}")')
                prints += 1
            body.append(line)
        body.append("end")
    return functions + "\n".join(line for line in body if line) + "\n"


def run(tmlc, way, source, folder):
    path = Path(folder) / "program.tml"
    path.write_text(source)
    if way is None:
        done = subprocess.run([tmlc, "repl"], input=source, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE)
    else:
        done = subprocess.run([tmlc, "run", *way, "-w", str(path)], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode != 0 or done.stderr:
        print(source)
        sys.exit(f"{way}: exit status {done.returncode}: {done.stderr}")
    return re.split(r"^@\d+\n", done.stdout, flags=re.MULTILINE)[1:]


def check(case, way, texts, expected, is_quiet=False):
    wrong = 0
    for (values, tolerance), text in zip(expected, texts):
        shown = re.sub(r"^#.*$", "", text, flags=re.MULTILINE)
        found = np.array([float(v) for v in NUMBER.findall(shown)])
        values = np.asarray(values, float).ravel()
        if way == "single":
            tolerance = max(3e-4, tolerance)
        scale = max(1.0, np.max(np.abs(values)))
        if found.size != values.size or not np.all(np.abs(found - values) <= tolerance * scale):
            wrong += 1
            if not is_quiet:
                print(f"{case.name}, {way}: expected\n{values}\nfound\n{text}")
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tmlc")
    parser.add_argument("--seed", type=int, default=int(time.strftime("%Y%m%d")))
    parser.add_argument("--ways", default=",".join(WAYS))
    parser.add_argument("--points", type=int, default=1)
    parser.add_argument("--case")
    parser.add_argument("--shares", type=int, default=1)
    options = parser.parse_args()
    print(f"seed {options.seed}")
    wrong = 0
    cases = options.points * [case for k, case in enumerate(CASES) if options.case in (None, case.name)
                              and (k + options.seed) % options.shares == 0]
    random = np.random.default_rng(options.seed)
    taken = [statements(case, number, np.asarray(random.uniform(case.low, case.high, case.shape)),
                        np.asarray(random.normal(size=case.shape)))
             for number, case in enumerate(cases)]
    with tempfile.TemporaryDirectory() as folder:
        for way in options.ways.split(","):
            chosen = [k for k in range(len(cases)) if not way.startswith("reverse") or cases[k].reverses > 0]
            asked = {k: without_second(taken[k]) if way.startswith("reverse") and cases[k].reverses == 1
                     else taken[k] for k in chosen}
            for first in range(0, len(chosen), PROGRAM_CASES):
                part = chosen[first:first + PROGRAM_CASES]
                texts = run(options.tmlc, WAYS[way], program([asked[k] for k in part]), folder)
                if len(texts) != 4 * len(part):
                    sys.exit(f"{way}: {len(texts)} values of {4 * len(part)}")
                for place, k in enumerate(part):
                    wrong += check(cases[k], way, texts[4 * place:4 * place + 4], asked[k][2])
    print(f"{len(cases)} cases, {wrong} wrong")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
