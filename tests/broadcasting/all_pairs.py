"""Every operator on every pair of small types: all_pairs.py FAMILY TMLC EVALUATE [--all]

Today's share of the pairs, or all.

`flat`: one level of rank 0 to 4, lengths 1 to 3. What is legal and every value come from NumPy,
where it has the rule. `nested`: up to two levels, each of rank 1 or 2, lengths 1 and 2, against the
rules in model.py.

EVALUATE tells the type, or the error, and what the reference evaluator prints, with padding of
ranks allowed and refused (L5.7); TMLC compiles the legal pairs in batches, without and with
optimisation.
"""

import pathlib
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, replace

import numpy as np

from model import (aligned, all_levels, combined, equal_or_scalar, flat, numel, stored, type_text,
                   value_text)

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from seeds import todays_share  # noqa: E402

OPERATORS = {
    "+": "r = a + b",
    ">": "r = a > b",
    "declare": "{left} r = b",
    "=": "r = a r = b",
    "+=": "r = a r += b",
}
TOKEN = re.compile(r"-?\d+|true|false")
COMMENT = re.compile(r"# \[[^\]]*\]")
BATCH = 100
SHARES = 21


# What a pair gives: the levels of the result and its elements, or the code of the error.


def numpy_result(operator, left, right):
    a, b = elements(left, right)
    try:
        if operator == "+":
            result = a + b
        elif operator == ">":
            if a.ndim and b.ndim and a.shape != b.shape:  # NumPy would stretch
                return "E0502"
            result = a > b
        else:
            result = numpy_stored(operator, a, b)
            if result is None:
                return "E0510"
    except ValueError:
        return "E0501"
    return ((result.shape,) if result.ndim else ()), result


def numpy_stored(operator, a, b):
    """`x = b` or `x += b` in place; None where only a change of x's shape could do it."""
    if operator == "+=":
        np.broadcast(a, b)
    elif b.ndim > a.ndim:  # NumPy drops dims of length 1 here
        return None
    result = a.copy()
    try:
        if operator == "+=":
            result += b
        else:
            result[...] = b
    except ValueError:
        return None
    return result


def model_result(operator, left, right):
    a, b = elements(left, right)
    if operator == ">":
        result, error = equal_or_scalar(left, right), "E0502"
    elif operator == "+":
        result, error = combined(left, right), "E0501"
    elif operator == "+=":
        result, error = combined(left, right), "E0501"
        if result is not None:
            result, error = stored(left, result), "E0510"
    else:
        result, error = stored(left, right), "E0510"
    if result is None:
        return error
    a, b = aligned(a, left, result), aligned(b, right, result)
    items = a > b if operator == ">" else a + b if "+" in operator else b
    return result, np.broadcast_to(items, flat(result))


def elements(left, right):
    """Every sum of an element of each is another number, and comparisons go both ways."""
    a = np.arange(numel(left)).reshape(flat(left))
    b = (np.arange(numel(right)) * 100 - 1000 * (np.arange(numel(right)) % 2)).reshape(flat(right))
    return a, b


@dataclass
class Case:
    left: tuple
    right: tuple
    operator: str
    expected: object  # a code, or levels and elements

    def is_legal(self):
        return not isinstance(self.expected, str)

    def without_padding(self):
        """The case under --rank-promotion=error."""
        pads = any(len(a) != len(b) for a, b in zip(self.left, self.right))
        return replace(self, expected="E0501") if pads and "+" in self.operator else self

    def program(self):
        """Statements that give `r` its value. `zero` is 0, which the compiler does not know."""
        lines = []
        for name, levels, items in zip("ab", (self.left, self.right),
                                       elements(self.left, self.right)):
            value = f"zero + {value_text(levels, items.ravel())}" if self.is_legal() else "0"
            lines.append(f"{type_text(levels)} {name} = {value}")
        lines.append(OPERATORS[self.operator].format(left=type_text(self.left)))
        return " ".join(lines)

    def printed(self):
        return [str(item).lower() for item in self.expected[1].ravel().tolist()]

    def evaluated(self):
        """What EVALUATE should say, in words."""
        if not self.is_legal():
            return [self.expected]
        levels, items = self.expected
        return [type_text(levels, "bool" if items.dtype == np.bool_ else "int")] + self.printed()

    def __str__(self):
        return f"{type_text(self.left)} {self.operator} {type_text(self.right)}"


def words(text):
    return TOKEN.findall(COMMENT.sub("", text))


def report(case, expected, found):
    """1 if what was found is wrong, which is then said."""
    if expected == found:
        return 0
    print(f"{case}\n    expected {' '.join(expected)}\n    found    {' '.join(found)}")
    return 1


def evaluate(command, cases):
    text = "".join(f"zero = 0 {case.program()} print(r)\n" for case in cases)
    run = subprocess.run(command, input=text, stdout=subprocess.PIPE, text=True, check=True)
    lines = run.stdout.splitlines()
    if len(lines) != len(cases):
        sys.exit(f"{len(lines)} answers to {len(cases)} programs")
    wrong = 0
    for case, line in zip(cases, lines):
        result, *values = line.split("\t")
        wrong += report(case, case.evaluated(), [result] + words("".join(values)))
    return wrong


def compiled(tmlc, level, cases):
    """Runs the cases as one program; each has a block, so that its variables are its own."""
    with tempfile.NamedTemporaryFile("w", suffix=".tml") as file:
        file.write("zero = input(int)\n")
        for case in cases:
            file.write(f'if true:\n{case.program()} print("@", r)\nend\n')
        file.flush()
        run = subprocess.run([tmlc, "run", "-w", level, file.name], input="0\n", text=True,
                             stdout=subprocess.PIPE, check=True)
    answers = run.stdout.split("@")[1:]
    if len(answers) != len(cases):
        sys.exit(f"{level}: {len(answers)} results of {len(cases)} cases")
    return sum(report(f"{level} {case}", case.printed(), words(answer))
               for case, answer in zip(cases, answers))


def family(name):
    if name == "flat":
        shapes = all_levels(range(5), (1, 2, 3))
        return [(dims,) if dims else () for dims in shapes], numpy_result
    tensors = all_levels((1, 2), (1, 2))
    return [(), *((a,) for a in tensors), *((a, b) for a in tensors for b in tensors)], model_result


def main():
    name, tmlc, command = sys.argv[1:4]
    types, result = family(name)
    cases = [Case(left, right, operator, result(operator, left, right))
             for operator in OPERATORS for left in types for right in types]
    if "--all" not in sys.argv:
        cases = todays_share(cases, SHARES)
    legal = [case for case in cases if case.is_legal()]
    wrong = evaluate([command], cases)
    wrong += evaluate([command, "--rank-promotion=error"],
                      [case.without_padding() for case in cases])
    for level in ("-O0", "-O2"):
        for start in range(0, len(legal), BATCH):
            wrong += compiled(tmlc, level, legal[start:start + BATCH])
    print(f"{len(cases)} pairs, {len(legal)} of them legal, {wrong} wrong")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
