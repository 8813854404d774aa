"""Derivatives of random functions: random_functions.py TMLC [--seed S] [--count N] [--first K] [--ways WAY,...]

Function K of seed S is always the same: pure, of one vector, with loops, branches, writes in place, calls,
reductions and small algebra. The reference evaluator, which knows dual numbers and nothing of the
pass, says what its derivatives are; compiled code agrees with it in every way asked for. And in each way
on its own, for weights w and a direction d,

    sum(w * (J .* d)) == sum(w * derivative(f, x, d)) == sum(gradient(sum(w * f), x) * d)

which needs no reference. Without --seed the functions are those of the day.
"""

import argparse
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

SIZE = 3
BATCH = 20
NUMBER = re.compile(r"-?(?:nan|inf|\d+(?:\.\d+)?(?:e[-+]\d+)?)")
WAYS = {"O0": ["-O0"], "O2": ["-O2"], "O3": ["-O3"]}
TYPES = {"s": "real", "v": f"tensor<real, {SIZE}>", "m": f"tensor<real, {SIZE}, {SIZE}>"}

# Expressions by type: how many of which operands, and their text. Each is smooth but at its corners, and
# keeps what it is given small.
FORMS = {
    "s": [
        ("ss", "{} + {}"), ("ss", "{} - {}"), ("ss", "{} * {}"), ("ss", "{0} / (1.5 + {1} * {1})"),
        ("s", "sin({})"), ("s", "cos({})"), ("s", "tanh({})"), ("s", "atan({})"),
        ("s", "exp(-{0} * {0})"), ("s", "sqrt(1.0 + {0} * {0})"), ("s", "log(1.0 + {0} * {0})"),
        ("s", "abs({})"), ("ss", "min({}, {})"), ("ss", "max({}, {})"), ("s", "erf({})"),
        ("sss", "select({} > 0.1, {}, {})"), ("ss", "clamp({}, -1.0, {})"),
        ("ss", "hypot({}, {})"), ("ss", "atan2({0}, 2.0 + {1} * {1})"),
        ("s", "(1.0 + {0} * {0}) ** 1.5"), ("s", "cbrt({})"), ("s", "({0} + 9.0) % 2.0"),
        ("v", "sum({})"), ("v", "mean({})"), ("v", "prod({})"), ("v", "norm({})"),
        ("vv", "({} .* {})"), ("v", "max({})"), ("v", "min({})"), ("m", "trace({})"),
        ("m", "det({} + 4.0 * eye(3)) / 64.0"), ("v", "floor({0}[1]) * {0}[2]"),
        ("vs", "{0}[clamp(int({1}), 0, 2)]"),
    ],
    "v": [
        ("vv", "{} + {}"), ("vv", "{} - {}"), ("vv", "{} * {}"), ("vs", "{} * {}"),
        ("vv", "{0} / (1.5 + {1} * {1})"), ("v", "sin({})"), ("v", "tanh({})"),
        ("v", "sqrt(1.0 + {0} * {0})"), ("v", "abs({})"), ("vv", "max({}, {})"),
        ("vvv", "select({} > 0.2, {}, {})"), ("v", "cumsum({}) * 0.5"), ("v", "{}[::-1]"),
        ("mv", "({} .* {}) * 0.4"), ("vm", "({} .* {}) * 0.4"), ("sss", "[{}, {}, {}]"),
        ("m", "{}[1, :]"), ("m", "{}[:, 2]"), ("m", "diag({})"), ("m", "sum(nest({}, 1)) * 0.4"),
        ("mv", "solve({} * 0.3 + 3.0 * eye(3), {})"), ("vv", "cross({}, {})"),
        ("vs", "concat(0, {}[1:3], [{}])"), ("v", "sort({})"),
    ],
    "m": [
        ("mm", "{} + {}"), ("mm", "{} * {}"), ("ms", "{} * {}"), ("vv", "outer({}, {})"),
        ("m", "{}'"), ("mm", "({} .* {}) * 0.3"), ("m", "sin({})"), ("mv", "{} + {}"),
        ("m", "inv({} * 0.3 + 3.0 * eye(3))"), ("v", "diag({})"),
        ("v", "chol(outer({0}, {0}) + 2.0 * eye(3))"), ("vvv", "reshape(concat(0, {}, {}, {}), 3, 3)"),
    ],
}


class Function:
    """One function, with the functions that it calls."""

    def __init__(self, seed, number):
        self.random = random.Random(f"{seed} {number}")
        self.name = f"f{number}"
        self.helpers = []
        self.indent = 1
        self.lines = []
        self.loops = 0
        self.vars = {"s": [], "v": ["x"], "m": []}
        helper = self.random.random() < 0.6 and self.helper(f"h{number}")
        self.called = helper
        self.statements(self.random.randint(2, 6), 0)
        result = self.bounded(self.expression("v", 2))
        self.lines.append(f"    return {result} + 0.1 * x")
        self.text = "".join(self.helpers) + (
            f"fn {self.name}(tensor<real, 3> x) tensor<real, 3>:\n" + "\n".join(self.lines) + "\nend\n")

    def helper(self, name):
        """A function of a scalar and a vector with two results, or of a place that it changes."""
        outer = self.vars, self.lines
        self.vars, self.lines = {"s": ["a"], "v": ["b"], "m": []}, []
        is_place = self.random.random() < 0.4
        self.called = None
        self.statements(self.random.randint(1, 3), 1)
        if is_place:
            self.lines.append(f"    b = {self.bounded(self.expression('v', 2))}")
            head = f"fn {name}(real a, var tensor<real, 3> b):"
        else:
            self.lines.append(f"    return {self.bounded(self.expression('s', 2))}, "
                              f"{self.bounded(self.expression('v', 2))}")
            head = f"fn {name}(real a, tensor<real, 3> b) real, tensor<real, 3>:"
        self.helpers.append(head + "\n" + "\n".join(self.lines) + "\nend\n")
        self.vars, self.lines = outer
        return name, is_place

    def bounded(self, text):
        return f"{self.random.choice(['tanh', 'sin', 'atan'])}({text})"

    def expression(self, kind, depth):
        chance = self.random.random()
        if depth == 0 or chance < 0.15:
            if self.vars[kind] and chance < 0.9:
                return self.random.choice(self.vars[kind])
            number = f"{self.random.uniform(-2, 2):.2f}"
            of_x = f"{self.random.choice(self.vars['v'])}[{self.random.randrange(3)}]"
            scalar = self.random.choice([f"({number})", of_x])
            return scalar if kind == "s" else \
                f"[{scalar}, {of_x}, 0.5]" if kind == "v" else f"(eye(3) * {of_x})"
        operands, form = self.random.choice(FORMS[kind])
        return "(" + form.format(*(self.expression(k, depth - 1) for k in operands)) + ")"

    def condition(self):
        return f"{self.expression('s', 1)} {self.random.choice('<>')} {self.random.uniform(-1, 1):.2f}"

    def add(self, text):
        self.lines.append("    " * self.indent + text)

    def set_variable(self, level):
        kind = self.random.choice("ssvvm")
        known = self.vars[kind]
        if known and (level > 0 or self.random.random() < 0.5):
            name = self.random.choice([v for v in known])
            if name != "x" and self.random.random() < 0.5 and kind != "s":
                return self.set_part(kind, name)
            operator = self.random.choice(["=", "=", "+="])
        else:
            name = f"{kind}{len(known)}"
            operator = "="
        self.add(f"{name} {operator} {self.bounded(self.expression(kind, 2))}")
        if name not in known:
            known.append(name)
        return None

    def set_part(self, kind, name):
        i, j = self.random.randrange(3), self.random.randrange(3)
        scalar = self.bounded(self.expression("s", 2))
        vector = self.bounded(self.expression("v", 1))
        part, value = self.random.choice(
            [(f"[{i}]", scalar), ("[0:2]", f"{vector}[1:3]"), ("[::-1]", vector),
             ("[1::2]", scalar)] if kind == "v" else
            [(f"[{i}, {j}]", scalar), (f"[{i}, :]", vector), (f"[:, {j}]", vector),
             ("[0:2, 1:3]", scalar)])
        operator = self.random.choice(["=", "*=", "+="])
        self.add(f"{name}{part} {operator} {value}")

    def call(self):
        name, is_place = self.called
        vectors = [v for v in self.vars["v"] if v != "x"]
        scalar = self.expression("s", 1)
        if is_place and vectors:
            self.add(f"{name}({scalar}, {self.random.choice(vectors)})")
        elif not is_place:
            if not vectors or not self.vars["s"]:
                self.add(f"s0, v1 = {name}({scalar}, {self.expression('v', 1)})")
                self.vars["s"] = self.vars["s"] or ["s0"]
                self.vars["v"] += [] if "v1" in self.vars["v"] else ["v1"]
            else:
                self.add(f"{self.random.choice(self.vars['s'])}, {self.random.choice(vectors)} = "
                         f"{name}({scalar}, {self.expression('v', 1)})")

    def block(self, level):
        known = {kind: list(names) for kind, names in self.vars.items()}
        self.indent += 1
        self.statements(self.random.randint(1, 3), level + 1)
        self.indent -= 1
        self.vars = known

    def loop(self, level):
        self.loops += 1
        i = f"i{self.loops}"
        chance = self.random.random()
        if chance < 0.3:
            self.add(f"{i} = 0")
            self.add(f"while {i} < {self.random.randint(1, 4)} and {self.condition()}:")
            self.indent += 1
            self.add(f"{i} += 1")
            self.indent -= 1
        else:
            bounds = self.random.choice(["0:3", "0:3", "2:-1:-1", "1:3", "0:5:2"])
            self.add(f"for {i} = {bounds}:")
        self.indent += 1
        if self.random.random() < 0.3:
            self.add(f"if {self.condition()}:")
            self.add("    " + self.random.choice(["break", "continue"]))
            self.add("end")
        vectors = [v for v in self.vars["v"] if v != "x"]
        if chance >= 0.3 and vectors:
            v = self.random.choice(vectors)
            self.add(f"{v}[{i} % 3] {self.random.choice(['=', '+='])} "
                     f"{self.bounded(self.expression('s', 2))} * {v}[({i} + 1) % 3]")
        self.indent -= 1
        self.block(level)
        self.add("end")

    def statements(self, count, level):
        if not self.vars["s"]:
            self.add(f"s0 = {self.bounded(self.expression('s', 2))}")
            self.vars["s"].append("s0")
        for _ in range(count):
            chance = self.random.random()
            if chance < 0.6 or level > 1:
                self.set_variable(level)
            elif chance < 0.7 and self.called:
                self.call()
            elif chance < 0.88:
                self.loop(level)
            else:
                self.add(f"if {self.condition()}:")
                self.block(level)
                if self.random.random() < 0.6:
                    self.add("else:")
                    self.block(level)
                self.add("end")


def vector(values):
    return f"[{', '.join(repr(v) for v in values)}]"


def program(functions, seed):
    lines = [f.text for f in functions]
    for f in functions:
        draw = random.Random(f"{seed} {f.name} point")
        x, w, d = ([draw.uniform(-2, 2) for _ in range(SIZE)] for _ in range(3))
        e = f"{f.name}(x)"
        lines += ["if true:", f"x = {vector(x)}", f"w = {vector(w)}", f"d = {vector(d)}",
                  f'print("@{f.name}")', f"J = jacobian({e}, x)", "print(J)",
                  f"print(sum(w * (J .* d)), sum(w * derivative({e}, x, d)), "
                  f"sum(gradient(sum(w * {e}), x) * d), "
                  f"norm(w) * norm(J) * norm(d))",
                  f"print(derivative(gradient(sum(w * {e}), x), x, d))", "end"]
    return "\n".join(lines) + "\n"


def run(command, source):
    done = subprocess.run(command, input=source, text=True, capture_output=True, timeout=600)
    if done.returncode != 0 or re.search(r": (error|trap)\[", done.stderr):  # warnings may be
        print(source)
        sys.exit(f"{' '.join(command)}: exit status {done.returncode}: {done.stderr[:3000]}")
    return [[float(v) for v in NUMBER.findall(part)]
            for part in re.split(r"^@.*\n", done.stdout, flags=re.MULTILINE)[1:]]


def close(found, wanted, scale, tolerance):
    found, wanted = np.array(found), np.array(wanted)
    finite = np.isfinite(wanted)
    return found.shape == wanted.shape and np.all(np.isfinite(found) == finite) and \
        np.all(np.abs(found - wanted)[finite] <= tolerance * scale)


def check(f, way, found, wanted):
    """What is wrong with the values of a function in one way; None."""
    if not np.all(np.isfinite(wanted)) or max(map(abs, wanted)) > 1e8:
        return None
    first = 1 + max(map(abs, wanted[:9]))
    second = 1 + max(map(abs, wanted[13:]))
    products, size = found[9:12], 1 + found[12]
    if not close(found[:9], wanted[:9], first, 1e-10):
        return "the Jacobian differs"
    if max(products) - min(products) > 1e-11 * size:
        return f"products differ: {products}"
    return None if close(found[13:], wanted[13:], second * first, 1e-9) else \
        "the second derivative differs"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tmlc")
    parser.add_argument("--seed", type=int, default=int(time.strftime("%Y%m%d")))
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--ways", default=",".join(WAYS))
    options = parser.parse_args()
    print(f"seed {options.seed}")
    wrong = used = 0
    for start in range(options.first, options.first + options.count, BATCH):
        end = min(start + BATCH, options.first + options.count)
        functions = [Function(options.seed, k) for k in range(start, end)]
        source = program(functions, options.seed)
        wanted = run([options.tmlc, "repl"], source)
        used += sum(1 for values in wanted if np.all(np.isfinite(values)))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "program.tml"
            path.write_text(source)
            for way in options.ways.split(","):
                found = run([options.tmlc, "run", "-w", *WAYS[way], str(path)], "")
                for f, values, expected in zip(functions, found, wanted, strict=True):
                    what = check(f, way, values, expected)
                    if what is not None:
                        wrong += 1
                        print(f"{f.name}, {way}: {what}\n{f.text}expected {expected}\nfound    {values}")
    print(f"{options.count} functions, {used} of them finite, {wrong} wrong")
    sys.exit(1 if wrong or used < options.count * 0.9 else 0)


if __name__ == "__main__":
    main()
