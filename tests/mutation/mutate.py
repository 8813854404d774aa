#!/usr/bin/env python3
"""Whether the unit tests of the shape algebra notice when it is wrong.

Usage: mutate.py [--list]. Changes sema/shape.c in one place at a time: an operator, a number, a
constant, a condition, an assignment that goes. Each mutant is compiled with
tests/unit/sema/test_shape*.c, which must then fail, or run for longer than any test should. Prints
those that survive, with the change, and fails if there are any. --list shows all mutants.
"""

import concurrent.futures
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SUBJECT = ROOT / "sema/shape.c"
SECONDS = 5  # for the tests, which take a tenth of one
# What is read before it is written is not by chance what was expected.
FLAGS = "-std=gnu11 -O0 -w -ftrivial-auto-var-init=pattern".split()
# What is written behind an array ends the program.
TRAPS = ["-fsanitize=undefined", "-fsanitize-undefined-trap-on-error"]

# Mutants that behave as the original does: the line, what is changed in it, and why it is the same.
NOT_ZERO = "no step is 0"
EQUAL = "both are equal then"
SAME_RANK = "unequal ranks have been refused"
EQUIVALENT = [
    ("return a > b ? a : b;", ">", ">=", EQUAL),
    ("unsigned rank = left->rank > right->rank ? left->rank : right->rank;", " > ", " >= ", EQUAL),
    ("uint32_t length = rows < columns ? rows : columns;", "<", "<=", EQUAL),
    ("int64_t distance = step > 0 ? last - first : first - last;", ">", ">=", NOT_ZERO),
    ("int64_t stride = step > 0 ? step : -step;", ">", ">=", NOT_ZERO),
    ("bool down = index->step < 0;", "<", "<=", NOT_ZERO),
    ("bool down = index->step < 0;", "0", "1", NOT_ZERO),
    ("return distance <= 0 ? 0 : (distance + stride - 1) / stride;", "<=", "<", "0 either way"),
    ("for (unsigned d = 0; d < a->rank; d++) {", "a->", "b->", SAME_RANK),
    ("for (unsigned d = 0; d < left->rank; d++) {", "left", "right", SAME_RANK),
    (
        "return shape_fits(type_tensor(types, base.type, left->rank, dims));",
        "left",
        "right",
        SAME_RANK,
    ),
    (
        "return shape_fits(type_with_root(types, left, greater_root(a->root, b->root)));",
        "left",
        "right",
        "the shapes are equal there, and the root is given",
    ),
    ("uint32_t rows = matrix->dims[0];", "0", "1", "solve takes a square matrix"),
]

OPERATORS = {
    "==": ["!="], "!=": ["=="], "<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="],
    ">=": [">", "<"], "&&": ["||"], "||": ["&&"], "+": ["-"], "-": ["+"], "*": ["/"], "/": ["*"],
    "+=": ["-="], "*=": ["+="],
}  # fmt: skip
WORDS = {"true": "false", "left": "right", "low": "high", "rows": "columns", "to": "from", "a": "b"}
WORDS.update({b: a for a, b in WORDS.items()})

# Comments, includes, the heads of functions, and what a caller has to see to.
UNCHANGED = re.compile(r"//[^\n]*|#[^\n]*|^\w[^;{]*(?= \{$)|\bCHECK\(.*?\);", re.M)


def closing(text, at):
    """Where the parenthesis that opens at `at` closes."""
    depth = 0
    for k in range(at, len(text)):
        depth += {"(": 1, ")": -1}.get(text[k], 0)
        if depth == 0:
            return k
    raise ValueError("unbalanced parentheses")


def changes(text):
    """(start, end, replacement) of every mutant."""
    codes = sorted(set(re.findall(r"\bSHAPE_[A-Z_]+", text)))
    for found in re.finditer(r"(?<= )[=!<>&|+*/-]+(?=[ \n])", text):
        for other in OPERATORS.get(found[0], []):
            yield *found.span(), other
    for found in re.finditer(r" [+-] \d+U?\b", text):
        yield *found.span(), ""
    for found in re.finditer(r"\+\+", text):
        yield *found.span(), "--"
    for found in re.finditer(r"(?<![\w\"./])(\d+)U?\b", text):
        if re.search(r"uint32_t \w+\[$", text[: found.start()]):
            continue  # the length of an array
        for other in {int(found[1]) + 1, max(int(found[1]) - 1, 0)} - {int(found[1])}:
            yield *found.span(), str(other)
    for found in re.finditer(r"\bSHAPE_[A-Z_]+", text):
        yield *found.span(), codes[(codes.index(found[0]) + 1) % len(codes)]
    for found in re.finditer(r"(?<![.>\w])(\w+)\b", text):
        if found[1] in WORDS:
            yield *found.span(), WORDS[found[1]]
    for found in re.finditer(r"!(?!=)", text):
        yield *found.span(), ""
    for found in re.finditer(r"\b(?:if|while) (?=\()", text):
        end = closing(text, found.end()) + 1
        for new in (f"(!{text[found.end() : end]})", "(true)", "(false)"):
            yield found.end(), end, new
    for found in re.finditer(r"\b[a-z]\w*(?:\([^()]*\))? (?=\? )", text):
        yield *found.span(), "!" + found[0]
    for found in re.finditer(r"(?m)^ +([^\s=]+ [+*-]?= [^;]*|\S+\+\+);$", text):
        yield *found.span(1), ""


def line_of(text, at):
    return text[text.rfind("\n", 0, at) + 1 : text.find("\n", at)].strip()


def compile_c(output, *arguments):
    command = ["cc", *FLAGS, f"-I{ROOT}", "-o", output, *arguments]
    return subprocess.run(command, capture_output=True, text=True).returncode == 0


def fails(folder, objects, text):
    """Whether the tests fail with `text` as the shape algebra; None if that is not C."""
    with tempfile.TemporaryDirectory(dir=folder) as name:
        source, program = pathlib.Path(name, "shape.c"), pathlib.Path(name, "tests")
        source.write_text(text)
        if not compile_c(program, *TRAPS, source, *objects, "-lcriterion"):
            return None
        try:
            tests = [program, "-j1", "--quiet", "--fail-fast"]
            return subprocess.run(tests, capture_output=True, timeout=SECONDS).returncode != 0
        except subprocess.TimeoutExpired:
            return True


def build_tests(folder):
    """Objects of all that the tests are linked with but the shape algebra itself."""
    used = ["sema/type", "support/arena", "support/buffer", "support/bug", "support/memory"]
    sources = [ROOT / f"{name}.c" for name in used]
    sources += (ROOT / "tests/unit/sema").glob("*shape*.c")
    objects = [folder / f"{source.stem}.o" for source in sources]
    for source, output in zip(sources, objects):
        if not compile_c(output, "-c", source):
            sys.exit(f"mutate: {source} does not compile")
    return objects


def main():
    text = SUBJECT.read_text()
    code = re.sub(UNCHANGED, lambda found: " " * len(found[0]), text)  # offsets stay
    same = {(line, line.replace(old, new, 1)) for line, old, new, _ in EQUIVALENT}
    mutants = []
    for start, end, new in sorted(set(changes(code))):
        mutant = text[:start] + new + text[end:]
        shown = (line_of(text, start), line_of(mutant, start))
        mutants.append((text.count("\n", 0, start) + 1, *shown, mutant))
    if sys.argv[1:] == ["--list"]:
        print(*(f"{number}: {old}  ->  {new}" for number, old, new, _ in mutants), sep="\n")
        return 0
    folder = pathlib.Path(tempfile.mkdtemp(prefix="mutate-"))
    try:
        objects = build_tests(folder)
        if fails(folder, objects, text) is not False:
            sys.exit("mutate: the tests fail without any change")
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            results = list(pool.map(lambda mutant: fails(folder, objects, mutant[-1]), mutants))
    finally:
        shutil.rmtree(folder)
    equivalent = 0
    survivors = 0
    for (number, old, new, _), result in zip(mutants, results):
        if result is False and (old, new) in same:
            equivalent += 1
        elif result is False:
            survivors += 1
            print(f"sema/shape.c:{number}: survives: {old}  ->  {new}")
    print(
        f"{len(results)} mutants: {results.count(True)} killed, {results.count(None)} not C, "
        f"{equivalent} equivalent, {survivors} survive"
    )
    return 1 if survivors else 0


sys.exit(main())
