"""Derivatives of random functions: random_functions.py TMLC EVALUATE [--seed S] [--count N] [--first K]
    [--second K] [--compile K] [--ways WAY,...]

Function K of seed S is always the same: pure, of one vector, with loops, branches, writes in place through
every kind of view, calls, reductions, nested types and small algebra. The reference evaluator, which knows
dual numbers and nothing of the pass, says what its derivatives are. What the pass makes of it, as the
compiler likes, forward and in reverse, agrees with that, evaluated; and of some batches compiled in every
way asked for. And in each way on its own, for weights w and a direction d,

    sum(w * (J .* d)) == sum(w * derivative(f, x, d)) == sum(gradient(sum(w * f), x) * d) == sum((J' .* w) * d)

which needs no reference. Without --seed the functions are those of the day.
"""

import argparse
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))
from seeds import default_seed  # noqa: E402

SIZE = 3
BATCH = 20
NUMBER = re.compile(r"-?(?:nan|inf|\d+(?:\.\d+)?(?:e[-+]\d+)?)")
# How far apart what is equal may be, for rounding: of numbers computed in double precision.
FIRST, DUAL, SECOND, WAYS_APART = 1e-12, 1e-12, 1e-11, 1e-11
WAYS = {"O0": ["-O0"], "O2": ["-O2"], "O3": ["-O3"]}
TYPES = {"s": "real", "v": f"tensor<real, {SIZE}>", "m": f"tensor<real, {SIZE}, {SIZE}>",
         "n": f"tensor<tensor<real, {SIZE}>, {SIZE}>"}

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
        ("s", "(1.0 + {0} * {0}) ** 1.5"), ("s", "cbrt(0.3 + {0} * {0})"), ("s", "({0} + 9.0) % 2.0"),
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
        ("v", "take({}, [2, 0, 2])"), ("v", "roll({}, 1)"), ("v", "cumprod({}) * 0.5"),
        ("vv", "add_at({}, [0, 2], {}[0:2])"), ("vv", "put({}, [1], {}[2:3])"),
        ("m", "reshape({0}[0:2, :], 6)[1::2]"), ("m", "permute({}, 1, 0)[0, ::-1]"),
        ("n", "sum({})"), ("n", "{}[1]"), ("n", "sum!({}) * 0.4"), ("n", "max({})"),
        ("n", "unnest({})[2, :]"), ("vs", "concat(0, {0}[1:3], {0}[0:1]) * {1}"),
    ],
    "m": [
        ("mm", "{} + {}"), ("mm", "{} * {}"), ("ms", "{} * {}"), ("vv", "outer({}, {})"),
        ("m", "{}'"), ("mm", "({} .* {}) * 0.3"), ("m", "sin({})"), ("mv", "{} + {}"),
        ("m", "inv({} * 0.3 + 3.0 * eye(3))"), ("v", "diag({})"),
        ("v", "chol(outer({0}, {0}) + 2.0 * eye(3))"), ("vvv", "reshape(concat(0, {}, {}, {}), 3, 3)"),
        ("n", "unnest({})"), ("mm", "concat(1, {}[:, 1:3], {}[:, 0:1])"), ("vvv", "stack(0, {}, {}, {})"),
        ("mv", "{} * align({}, 2, [0])"), ("mm", "solve({} * 0.3 + 3.0 * eye(3), {})"),
        ("m", "{}[::-1, :]"), ("mm", "select({} > 0.2, {}, 0.1)"),
    ],
    "n": [
        ("nn", "{} + {}"), ("nn", "{} * {}"), ("n", "sin({})"), ("m", "nest({}, 1)"), ("nv", "{} * {}"),
        ("ns", "{} * {}"), ("nn", "max({}, {})"), ("vvv", "[{}, {}, {}] + 0.0"), ("n", "{}[::-1]"),
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
        self.loops = self.windows = 0
        self.vars = {"s": [], "v": ["x"], "m": [], "n": []}
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
        self.vars, self.lines = {"s": ["a"], "v": ["b"], "m": [], "n": []}, []
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
                f"[{scalar}, {of_x}, 0.5]" if kind == "v" else \
                f"(eye(3) * {of_x})" if kind == "m" else f"nest(eye(3) * {of_x}, 1)"
        operands, form = self.random.choice(FORMS[kind])
        return "(" + form.format(*(self.expression(k, depth - 1) for k in operands)) + ")"

    def condition(self):
        return f"{self.expression('s', 1)} {self.random.choice('<>')} {self.random.uniform(-1, 1):.2f}"

    def add(self, text):
        self.lines.append("    " * self.indent + text)

    def set_variable(self, level):
        kind = self.random.choice("sssvvvmmn")
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
             ("[1::2]", scalar), (self.window(), f"{vector}[0:2]"), ("", f"{vector}[::-1]")] if kind == "v" else
            [(f"[{i}]", vector), (f"[{i}][{j}]", scalar), ("[1:3]", f"[{vector}, {vector}]"),
             ("[::-1]", f"{name} * {scalar}"), (f"[{i}][0:2]", f"{vector}[1:3]")] if kind == "n" else
            [(f"[{i}, {j}]", scalar), (f"[{i}, :]", vector), (f"[:, {j}]", vector),
             ("[0:2, 1:3]", scalar), ("[::2, ::-1]", f"{name}[1:3, :]"), (f"[::-1, {j}]", vector),
             (f"[{self.position()}, :]", vector), ("[1:3, 0:2]", f"{name}[0:2, 0:2]'")])
        operator = self.random.choice(["=", "*=", "+="])
        self.add(f"{name}{part} {operator} {value}")

    def position(self):
        """An index that is computed."""
        return f"clamp(int(2.0 * {self.expression('s', 1)}), 0, 2)"

    def window(self):
        """Two elements from a place that is computed."""
        self.windows += 1
        self.add(f"k{self.windows} = clamp(int({self.expression('s', 1)}), 0, 1)")
        return f"[k{self.windows}:k{self.windows} + 2]"

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
        is_counted = chance >= 0.15
        if not is_counted:
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
        if is_counted and vectors:
            v = self.random.choice(vectors)
            self.add(f"{v}[{i} % 3] {self.random.choice(['=', '+='])} "
                     f"{self.bounded(self.expression('s', 2))} * {v}[({i} + 1) % 3]")
        if is_counted and self.vars["m"]:
            m = self.random.choice(self.vars["m"])
            row, column = self.random.choice([("{}", ":"), (":", "{}"), ("({} + 1) % 3", "::-1")])
            self.add(f"{m}[{row.format(i + ' % 3')}, {column.format(i + ' % 3')}] "
                     f"{self.random.choice(['=', '*='])} {self.bounded(self.expression('v', 1))}")
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


def program(f, seed, is_twice):
    """Asks for derivatives of the function at a point, in all ways that there are; of derivatives too."""
    draw = random.Random(f"{seed} {f.name} point")
    x, w, d = ([draw.uniform(-2, 2) for _ in range(SIZE)] for _ in range(3))
    e = f"{f.name}(x)"
    lines = [f"x = {vector(x)}", f"w = {vector(w)}", f"d = {vector(d)}", f"J = jacobian({e}, x)", "print(J)",
             f"print(sum(w * (J .* d)), sum(w * derivative({e}, x, d)), "
             f"sum(gradient(sum(w * {e}), x) * d), sum((J' .* w) * d))",
             "print(norm(w) * norm(J) * norm(d))"]
    if is_twice:
        lines += [f"print(derivative(gradient(sum(w * {e}), x), x, d))",
                  f"print(gradient(derivative(sum(w * {e}), x, d), x))"]
    return f.text, lines


def numbers(text):
    return [float(v) for v in NUMBER.findall(text)]


def run(command, source):
    done = subprocess.run(command, input=source, text=True, capture_output=True, timeout=600)
    if done.returncode != 0 or re.search(r": (error|trap)\[", done.stderr):  # warnings may be
        print(source)
        sys.exit(f"{' '.join(command)}: exit status {done.returncode}: {done.stderr[:3000]}")
    return re.split(r"^@.*\n", done.stdout, flags=re.MULTILINE)[1:]


def evaluated(evaluate, options, ways, functions, programs):
    """What each function gives in each of the ways: by the evaluator, a program for each."""
    source = "".join(f"@{f.name}\n{text}" + "\n".join(lines) + "\n"
                     for f, (text, lines) in zip(functions, programs))
    texts = iter(run([evaluate, *options, *ways], source))
    return [{way: next(texts) for way in ways} for _ in functions]


def compiled(tmlc, options, functions, programs):
    """What each function gives when compiled, one program of all."""
    source = "".join(text for text, _ in programs)
    for f, (_, lines) in zip(functions, programs):
        source += "\n".join(["if true:", f'print("@{f.name}")', *lines, "end"]) + "\n"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.tml"
        path.write_text(source)
        return run([tmlc, "run", "-w", *options, str(path)], "")


def distance(found, wanted):
    """The largest difference of elements, as a part of the largest element or of 1."""
    found, wanted = np.array(found), np.array(wanted)
    if found.shape != wanted.shape or np.any(np.isfinite(found) != np.isfinite(wanted)):
        return np.inf
    finite = np.isfinite(wanted)
    return np.max(np.abs(found - wanted)[finite], initial=0) / (1 + np.max(np.abs(wanted)[finite], initial=0))


class Tally:
    """What was compared, how far it was apart at most, and how often too far."""

    def __init__(self):
        self.count = {}
        self.most = {}
        self.wrong = 0

    def add(self, what, apart, tolerance, f, details):
        self.count[what] = self.count.get(what, 0) + 1
        if not apart <= tolerance:
            self.wrong += 1
            print(f"{f.name}: {what}: {apart:.1e} apart\n{f.text}{details}\n")
        else:
            self.most[what] = max(self.most.get(what, 0), apart)

    def check(self, f, way, found, wanted):
        """Of the Jacobian, the four products, their size, and the second derivatives."""
        details = f"expected {wanted}\nfound    {found}"
        self.add(f"{way}: Jacobian", distance(found[:9], wanted[:9]), FIRST, f, details)
        self.add(f"{way}: duality", (max(found[9:13]) - min(found[9:13])) / (1 + wanted[13]), DUAL, f,
                 details)
        if len(wanted) > 14:
            self.add(f"{way}: second", distance(found[14:], wanted[14:]), SECOND, f, details)


def usable(values):
    return np.all(np.isfinite(values)) and max(map(abs, values)) < 1e8


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tmlc")
    parser.add_argument("evaluate")
    parser.add_argument("--seed", type=int, default=default_seed())
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--second", type=int, default=1, help="of every so many functions, twice")
    parser.add_argument("--compile", type=int, default=1, help="every so many batches, compiled")
    parser.add_argument("--ways", default=",".join(WAYS), help="how to compile")
    options = parser.parse_args()
    print(f"seed {options.seed}")
    tally = Tally()
    used = no_reverse = 0
    for start in range(options.first, options.first + options.count, BATCH):
        numbers_of = range(start, min(start + BATCH, options.first + options.count))
        functions = [Function(options.seed, k) for k in numbers_of]
        programs = [program(f, options.seed, k % options.second == 0)
                    for k, f in zip(numbers_of, functions)]
        given = evaluated(options.evaluate, [], ["dual", "chosen", "forward", "reverse"], functions, programs)
        expected = []
        for f, results in zip(functions, given):
            wanted = numbers(results["dual"])
            expected.append(wanted if usable(wanted) else None)
            if expected[-1] is None:
                continue
            used += 1
            for way in ("chosen", "forward"):
                tally.check(f, way, numbers(results[way]), wanted)
            if results["reverse"].startswith("E0764 "):
                no_reverse += 1
                if "while" not in f.text and "sort" not in f.text:
                    print(f"{f.name} has no reverse form:\n{f.text}")
                    tally.wrong += 1
            else:
                found = numbers(results["reverse"])
                tally.check(f, "reverse", found, wanted)
                tally.add("forward against reverse", distance(found[:9], numbers(results["forward"])[:9]),
                          WAYS_APART, f, results)
        if (start - options.first) // BATCH % options.compile == 0:
            for way in options.ways.split(","):
                texts = compiled(options.tmlc, WAYS[way], functions, programs)
                for f, text, wanted in zip(functions, texts, expected, strict=True):
                    if wanted is not None:
                        tally.check(f, way, numbers(text), wanted)
    for what, count in sorted(tally.count.items()):
        print(f"{what}: {count} compared, {tally.most.get(what, 0):.1e} apart at most")
    print(f"{options.count} functions, {used} of them finite, {no_reverse} without reverse, {tally.wrong} wrong")
    sys.exit(1 if tally.wrong or used < options.count * 0.9 else 0)


if __name__ == "__main__":
    main()
