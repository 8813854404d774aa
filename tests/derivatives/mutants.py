"""That no mistake in a rule of derivatives goes unseen.

mutants.py make DERIVE_DEF OUT   writes all rules of tir/derive.def with one sign, number, operand or
                                 operation changed, one of them a line
mutants.py run MUTANTS DEF [N]   evaluates derivatives with each of them, or with today's N-th part of them,
                                 in the place of its rule: of cases.py, which are compared with complex
                                 steps, and at the points of kinks.py. Each must be wrong somewhere, and so
                                 must they be where products are selections.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
from seeds import todays_share  # noqa: E402

ROW = re.compile(r"^DERIVE_([123])\((.*?)\)\n(?=DERIVE|\n|#)", re.MULTILINE | re.DOTALL)
TOKEN = re.compile(r"\s*([A-Za-z_0-9.]+(?: / LN_\d+)?|-[A-Z_a-z0-9.]+|[(),])")
# What stands for what else, in rules. Operands of sums and products are not exchanged with one another.
OTHER = {"ADD": ["SUB"], "SUB": ["ADD"], "MUL": ["DIV", "ADD"], "MULZ": ["MUL", "DIV"], "DIV": ["MUL"],
         "SIN": ["COS"], "COS": ["SIN"], "SINH": ["COSH"], "COSH": ["SINH"], "EXP": ["LOG"], "LOG": ["EXP"],
         "TRUNC": ["RINT"], "RINT": ["TRUNC"], "SQRT": ["EXP"], "POW": ["MUL"], "SIGN": ["NEG"],
         "COPYSIGN": ["MUL"], "X": ["Y"], "A": ["B", "Y"], "B": ["A", "Y"], "Y": ["A"]}
ORDERED = {"SUB", "DIV", "POW", "COPYSIGN"}


def parse(tokens):
    name = tokens.pop(0)
    if not tokens or tokens[0] != "(":
        return (name,)
    args = []
    while tokens.pop(0) != ")":
        args.append(parse(tokens))
    return (name, *args)


def text(node):
    return node[0] if len(node) == 1 else f"{node[0]}({', '.join(map(text, node[1:]))})"


def variants(node, operands):
    """The node with one thing in it changed."""
    name, args = node[0], node[1:]
    if name == "C":
        yield ("C", (f"-({args[0][0]})",))
        yield ("C", (f"1.5 * ({args[0][0]}) + 2",))
        return
    for other in OTHER.get(name, []):
        if other not in ("A", "B", "X") or other in operands:
            yield (other, *args)
    if name == "NEG":
        yield args[0]
    elif args:
        yield ("NEG", node)
    if name in ORDERED:
        yield (name, args[1], args[0])
    for k, arg in enumerate(args):
        yield arg
        for changed in variants(arg, operands):
            yield (name, *args[:k], changed, *args[k + 1:])


# What says the same: the sign of zero is nothing, copysign takes the sign of its second operand alone,
# which the result has too, and to divide by 1 or -1 is to multiply with it.
SAME = {"C(-(0))", "DIV(SIGN(A), COPYSIGN(C(1), B))", "MUL(SIGN(A), COPYSIGN(C(-(1)), B))",
        "MUL(SIGN(A), COPYSIGN(C(1), Y))"}


def rows(source):
    for row in ROW.finditer(source):
        tokens = TOKEN.findall(row[2])
        name, rules = tokens[0], []
        tokens = tokens[1:]
        while tokens:
            assert tokens.pop(0) == ","
            rules.append(parse(tokens))
        assert len(rules) == int(row[1]), row[0]
        yield name, rules


def make(source, out):
    lines = []
    names = []
    for name, rules in rows(Path(source).read_text()):
        names.append(name)
        operands = {1: {"X", "Y"}, 2: {"A", "B", "Y"}, 3: {"A", "B", "Y"}}[len(rules)]
        for k, rule in enumerate(rules):
            whole = [("NEG", rule)] if len(rule) == 1 else []
            seen = set()
            for changed in [*whole, *variants(rule, operands)]:
                if text(changed) not in seen | SAME | {text(rule)}:
                    seen.add(text(changed))
                    lines.append(f"MUTANT({len(lines)}, {name}, {k}, {text(changed)})\n")
    if len(names) != len(re.findall(r"^DERIVE_[123]\(", Path(source).read_text(), re.MULTILINE)):
        sys.exit("rows of the table are not understood")
    Path(out).write_text("".join(lines))


def cases(evaluate):
    """How cases.py and kinks.py are evaluated with a mutant: whether all is as it should be."""
    import numpy as np
    import derivatives
    import kinks
    from cases import CASES

    random = np.random.default_rng(1)
    chosen = [case for case in CASES if "\n" not in case.text]
    taken = [derivatives.statements(case, k, np.asarray(random.uniform(case.low, case.high, case.shape)),
                                    np.asarray(random.normal(size=case.shape)))
             for k, case in enumerate(chosen)]
    sources = ["".join(f"@{k}\n{derivatives.program([one])}" for k, one in enumerate(taken))]

    def holds(env, single=False):
        for way in ("forward", "reverse"):
            texts = kinks.evaluated(evaluate, [], [way], env)[way]
            if any(any(kinks.wrong(entry, found, single)) for entry, found in zip(kinks.entries(), texts)):
                return False
        done = subprocess.run([evaluate, "forward"], input=sources[0], text=True, env=env,
                              stdout=subprocess.PIPE, check=True)
        parts = re.split(r"^@.*\n", done.stdout, flags=re.MULTILINE)[1:]
        found = [part for part in parts if part]
        return len(found) == 4 * len(chosen) and not any(
            derivatives.check(case, "mutant", found[4 * k:4 * k + 4], one[2], is_quiet=True)
            for k, (case, one) in enumerate(zip(chosen, taken)))

    return holds


def run(evaluate, definition, shares):
    holds = cases(evaluate)
    if not holds({**os.environ, "TMLC_MUTANT": ""}):
        sys.exit("without any mutant something is wrong")
    lines = [line.rstrip() for line in open(definition)]
    chosen = todays_share(range(len(lines)), shares)
    survivors = 0
    for mutant in [*map(str, chosen), "select"]:
        if holds({**os.environ, "TMLC_MUTANT": mutant}):
            survivors += 1
            print(f"survives: {lines[int(mutant)] if mutant != 'select' else mutant}", flush=True)
    print(f"{len(chosen)} mutants of {len(lines)} and the selection, {survivors} survive")
    sys.exit(1 if survivors else 0)


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(*sys.argv[2:])
    else:
        run(*sys.argv[2:4], int(sys.argv[4]) if len(sys.argv) > 4 else 1)
