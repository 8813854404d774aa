"""Broadcasting is index access broadcasting: elements.py TMLC [--all]

For `r = a + b`, whatever the shapes, an element of `r` is the sum of the elements of `a` and `b` at
the same indices, aligned on the right of each level: along a dim of length 1 any index reaches the
one element, and a scalar takes any number of indices (L7.6). The programs here assert it for every
element and operator, with all pairs of small shapes and a random sample of others: today's share of
them, or all.
"""

import itertools
import pathlib
import random
import subprocess
import sys
import tempfile
from dataclasses import dataclass

from model import (all_levels, combined, equal_or_scalar, flat, numel, stored, type_text,
                   value_text)

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from seeds import default_seed, todays_share  # noqa: E402

SAMPLE = 50  # pairs for each operator
BATCH = 50
SHARES = 11  # no divisor of the number of operators

NUMBERS = ["uint", "int", "real"]
KINDS = [  # operators, how levels combine, roots of the operands
    (["+", "-", "*", "/", "\\", "%", "**", "min", "max"], combined, NUMBERS),
    (["<", "<=", ">", ">=", "==", "!="], equal_or_scalar, NUMBERS),
    (["and", "or"], equal_or_scalar, ["bool"]),
    (["&", "|", "^", "<<", ">>"], equal_or_scalar, ["uint"]),
    (["=", "+="], stored, NUMBERS),
]
KIND_OF = {operator: kind for kind in KINDS for operator in kind[0]}

rng = random.Random()


def applied(operator, a, b):
    return f"{operator}({a}, {b})" if operator in ("min", "max") else f"({a} {operator} {b})"


def random_items(root, count):
    """No zeros: they also divide."""
    if root == "bool":
        return rng.choices(["true", "false"], k=count)
    if root == "real":
        return [f"{rng.randint(1, 99)}.{rng.choice([0, 25, 5])}" for _ in range(count)]
    return [f"{rng.randint(1, 9)}{'u' if root == 'uint' else ''}" for _ in range(count)]


@dataclass
class Case:
    left: tuple
    right: tuple
    operator: str
    result: tuple

    def program(self):
        """A block that counts the elements it has compared."""
        _, rule, roots = KIND_OF[self.operator]
        lines = ["if true:"]
        for name, levels in (("a", self.left), ("b", self.right)):
            root = "real" if rule is stored and name == "a" else rng.choice(roots)
            items = random_items(root, numel(levels))
            lines.append(f"{type_text(levels, root)} {name} = {value_text(levels, items)}")
        if rule is stored:
            lines += ["r = a", f"r {self.operator} b"]
        else:
            lines.append(f"r = {applied(self.operator, 'a', 'b')}")
        constants = [[str(rng.randrange(length)) for length in level] for level in self.result]
        variables = [[f"i{k}{d}" for d in range(len(level))]
                     for k, level in enumerate(self.result)]
        lines.append(self.assertion(constants))
        for variable, length in zip(flat(variables), flat(self.result)):
            lines.append(f"for {variable} = 0:{length}:")
        lines += [self.assertion(variables), "compared += 1"]
        lines += ["end"] * (len(flat(variables)) + 1)
        return "\n".join(lines)

    def assertion(self, indices):
        a, b = "a" + brackets(self.left, indices), "b" + brackets(self.right, indices)
        r = "r" + brackets(self.result, indices)
        if self.operator == "**":  # may be 4 ulp off on tensors
            return f"assert(abs({r} / {a} ** {b} - 1.0) < 2e-15)"
        value = {"=": b, "+=": f"{a} + {b}"}.get(self.operator) or applied(self.operator, a, b)
        return f"assert({r} == {value})"


def brackets(levels, indices):
    """For a value of these levels: the last indices of each level, and all beyond its depth."""
    text = ""
    for k, level_indices in enumerate(indices):
        count = len(levels[k]) if k < len(levels) else len(level_indices)
        text += f"[{', '.join(level_indices[len(level_indices) - count:])}]"
    return text


def small_pairs():
    shapes = all_levels((1, 2), (1, 2, 3))
    vectors = all_levels((1,), (1, 2, 3))
    types = [(), *((a,) for a in shapes), *((a, b) for a in vectors for b in vectors)]
    return list(itertools.product(types, types))


def shrunk(levels):
    """Levels that may be stretched to these: lengths become 1, dims and levels vanish."""
    levels = levels[:rng.randint(0 if rng.random() < 0.2 else 1, len(levels))]
    return tuple(tuple(1 if rng.random() < 0.3 else length for length in level)
                 [rng.choice([0, 0, rng.randrange(len(level))]):] for level in levels)


def random_pair():
    levels = tuple(tuple(rng.choices((1, 2, 3, 4), k=rng.randint(1, 3 if k == 0 else 2)))
                   for k in range(rng.randint(1, 3)))
    return rng.choice([(levels, shrunk(levels)), (shrunk(levels), levels), (levels, levels),
                       (shrunk(levels), shrunk(levels))])


def all_cases(every):
    pairs = [(left, right, operator) for left, right in small_pairs() for operator in KIND_OF]
    pairs += [(*random_pair(), operator) for operator in KIND_OF for _ in range(SAMPLE)]
    if not every:
        pairs = todays_share(pairs, SHARES)
    cases = []
    for left, right, operator in pairs:
        result = KIND_OF[operator][1](left, right)
        if result is not None:
            cases.append(Case(left, right, operator, result))
    rng.shuffle(cases)  # every program gets cases of all kinds
    return cases


def run(tmlc, level, cases):
    program = "\n".join(["compared = 0", *(case.program() for case in cases), "print(compared)"])
    with tempfile.NamedTemporaryFile("w", suffix=".tml") as file:
        file.write(program + "\n")
        file.flush()
        result = subprocess.run([tmlc, "run", "-w", level, file.name], stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True)
    expected = str(sum(numel(case.result) for case in cases))
    if result.returncode != 0 or result.stdout.strip() != expected:
        print(f"{level}: exit {result.returncode}, {result.stdout.strip()} elements of {expected} "
              f"compared\n{result.stderr}\n{program}")
        return 1
    return 0


def main():
    tmlc = sys.argv[1]
    seed = default_seed()
    print(f"seed {seed}")
    rng.seed(seed)
    cases = all_cases("--all" in sys.argv)
    batches = [cases[start:start + BATCH] for start in range(0, len(cases), BATCH)]
    wrong = sum(run(tmlc, level, batch) for batch in batches for level in ("-O0", "-O2"))
    print(f"{len(cases)} cases in {len(batches)} programs, {wrong} runs wrong")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
