"""Whether the tests notice when the library is wrong: mutants.py BUILD [--all | --count N] [--seed S]
[--jobs N] [FILE...]

Each assignment of each function of sema/library is taken away (its target keeps what it has), and each
operator is another one. With the changed text a compiler is made, which checks the indices of the library,
too; with it the cases of tests/numpy/library.py for the functions that come to this one must fail, in f64 or
f32, or those of transforms.py. Prints the mutants that survive, and why those of EQUAL, which compute the
same; fails when the others are more than one of twenty. A sample of N is tried of all (200), the same one
for the same seed. BUILD is a release build.
"""

import argparse
import concurrent.futures
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/numpy"))

import library  # noqa: E402
import library_cases  # noqa: E402
from library_table import CASES  # noqa: E402

FUNCTION = re.compile(r"^fn (\w+)\(.*?^end$", re.MULTILINE | re.DOTALL)
ASSIGNMENT = re.compile(r"^( +)(?:(tensor<[^=]*>|real|int|uint|bool) )?([\w{}, ]+(?:\[[^=\]]*(?:\[[^\]]*\])?[^=\]]*\])?)"
                        r" ([-+*/]?=) (.*)$")
# Of these lines no operators: what a choice of text depends on, and what is said of wrong calls.
LEFT = re.compile(r"(?:fn| +(?:macro if|elseif(?!.*\[)|assert)\b)")
# Rules of derivatives have tests of their own.
RULES = re.compile(r"_(?:slope|kept|adjoint|factored|substituted)")
OTHERS = {"+": "-", "-": "+", "*": "/", "/": "*", "<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "==",
          "and": "or", "or": "and", "+=": "-=", "-=": "+=", "*=": "/=", "/=": "*=", ".*": "*", "**": "*", "%": "/",
          "<<": ">>", ">>": "<<", "^": "&", "&": "|"}
OPERATOR = re.compile(rf"(?<= )(?:{'|'.join(map(re.escape, OTHERS))})(?= )")
# Built-in functions are written in these files, without a call in TML: by the word in the names of theirs.
BUILT_IN = {"dense": re.compile(r"_(det|inv|solve|chol|norm)")}
KINDS = np.float64, np.float32
BLOCKS = 4  # of each case
TRANSFORMS = "fourier", "random"  # transforms.py
# Mutants that are the same function, and why.
BOUND = "the index is within already"
NO_MORE = "what it does more leaves all as it is"
NANS = "nan, too"
LESS = "what it turns more is less than a rounding"
SCALED = "what it scales more is as exact"
CUT = "more numbers than are taken"
ZERO = "its value is the same; of slopes there are tests of their own"
EQUAL = {
    "_places: int first = clamp(select(isnan(x[k]), numbers, place[k]), 0, n + 1)": BOUND,
    "_places: place[k] = clamp(first + equal[first], 0, n + 1)": BOUND,
    "interp2: int a = clamp(int(row[i]), 0, n + 1)": BOUND,
    "interp2: int b = clamp(int(column[i]), 0, m + 1)": BOUND,
    "interp: for turn = 0:32 + int(clz(uint(max(n - 2, 0)))): # as often for each x": NO_MORE,
    "interp: for turn = 0:32 - int(clz(uint(max(n + 2, 0)))): # as often for each x": NO_MORE,
    "interp: int last = min(first + 1, n + 1)": BOUND,
    "_far: return select(size > reach and isfinite(size) or size < 1.0 * reach and size > 0.0, size, 1.0)": SCALED,
    "qr: for k = m + 1:-1:-1:": NO_MORE,
    "_svd_tall: for p = 0:m + 1:": NO_MORE,
    "eigh: for p = 0:n + 1:": NO_MORE,
    "eigh: if abs(a[p, q]) > 1e-18 * sqrt(abs(a[p, p]) * abs(a[q, q])) or a[p, q] != 0.0:": LESS,
    "_svd_tall: if abs(gamma) > 1e-17 * sqrt(alpha) * sqrt(beta) or gamma != 0.0:": LESS,
    "eigh: a /= nan": NANS,
    "eigh: v /= nan": NANS,
    "_expm: return a / nan": NANS,
    "lerp: y = select(t == 1.0, b - (b - a) * (t - 1.0), a + (b - a) * t)": ZERO,
    "eigh: bent = bent": ZERO,
    "eigh: real bend = a[p, q] * (a[p, q] / (a[p, p] + a[q, q]))": ZERO,
    "eigh: bent[p] = bent[p]": ZERO,
    "eigh: bent[p] -= bend": ZERO,
    "eigh: bent[q] = bent[q]": ZERO,
    "eigh: bent[q] += bend": ZERO,
    "eigh: tensor<real, n> values = diag(a) - bent": ZERO,
    "_svd_tall: bent = bent": ZERO,
    "_svd_tall: real bend = gamma * (gamma / (alpha + beta))": ZERO,
    "_svd_tall: bent[p] = bent[p]": ZERO,
    "_svd_tall: bent[p] -= bend": ZERO,
    "_svd_tall: bent[q] = bent[q]": ZERO,
    "_svd_tall: bent[q] += bend": ZERO,
    "_svd_tall: sizes[j] = sizes[j]": ZERO,
    "_svd_tall: sizes[j] -= 0.5 * bent[j] / sizes[j]": ZERO,
    "_det: none -= a[i, k]": ZERO,
    "_det: none = none": ZERO,
    "_det: return sqrt(none) + sqrt(none) # 0, with inf - inf as its slope": ZERO,
    "_det_straight: return none{k} + none{k} # 0, with inf - inf as its slope": ZERO,
    "_uniform: a, b, c, d = _blocks(seed, step, iota((n + 1) * 2))": CUT,
    "_normal: a, b, c, d = _blocks(seed, step, iota((n + 1) * 2))": CUT,
    "_randint: a, _, c, _ = _blocks(seed, step, iota((n + 1) * 2))": CUT,
}


class Mutant:
    def __init__(self, path, function, number, old, new):
        self.path, self.function, self.number, self.old, self.new = path, function, number, old, new

    def __str__(self):
        return f"{self.path.name}:{self.number}: {self.function}: {self.old.strip()}  ->  {self.new.strip()}"

    def key(self):
        return f"{self.function}: {self.new.strip()}"

    def text(self):
        lines = self.path.read_text().split("\n")
        assert lines[self.number - 1] == self.old
        lines[self.number - 1] = self.new
        return "\n".join(lines)


def changed(line):
    """The line without its assignment, and with each of its operators another one, where it has these."""
    match = ASSIGNMENT.match(line)
    if match and " macro " not in line:
        blanks, kind, target, sign, _ = match.groups()
        if kind is None and "," not in target and re.search(r"[\[+*/-]", target + sign):
            yield f"{blanks}{target} = {target}"
    if not LEFT.match(line):
        for at in OPERATOR.finditer(line.partition(" # ")[0]):
            yield line[:at.start()] + OTHERS[at[0]] + line[at.end():]


def mutants_of(path):
    text = path.read_text()
    for found in FUNCTION.finditer(text):
        if RULES.search(found[1]):
            continue
        first = text.count("\n", 0, found.start()) + 1
        assigned = set()
        for k, line in enumerate(found[0].split("\n")):
            for new in changed(line):
                yield Mutant(path, found[1], first + k, line, new)
            match = ASSIGNMENT.match(line)
            if match and match[2] is None and re.fullmatch(r"\w+", match[3]) and match[4] == "=":
                if match[3] in assigned:  # not its declaration
                    yield Mutant(path, found[1], first + k, line, f"{match[1]}{match[3]} = {match[3]}")
            if match:
                assigned.add(match[3])


def callers(texts):
    """By function the public ones that come to it."""
    calls = {found[1]: set(re.findall(r"\b(\w+)\(", found[0])) for text in texts for found in FUNCTION.finditer(text)}
    reach = {name: {name} for name in calls}
    for _ in range(6):
        for name, called in calls.items():
            for other in called & set(calls):
                reach[other] |= reach[name]
    for path in (ROOT / "sema/library").glob("*.tml"):  # `# or: _name`
        for name, other in re.findall(r"^# (\w+)\(.*\n(?:# .*\n)*?# or: (\w+)$", path.read_text(), re.MULTILINE):
            for inner, names in reach.items():
                if other in names:
                    names.add(name)
    return reach


def build(folder, path=None, text=None):
    """libmutant.so with the library, of which a file may have another text. False when it is not one."""
    texts = folder / "library"
    texts.mkdir()
    for file in (ROOT / "sema/library").glob("*.tml"):
        (texts / file.name).write_text(text if file == path else file.read_text())
    table = subprocess.run(["awk", "-f", ROOT / "sema/library/index.awk", *sorted(texts.glob("*.tml"))],
                           capture_output=True, text=True, check=True).stdout
    (folder / "library.inc").write_text(table)
    compile_c(folder, folder / "libmutant.so", ROOT / "sema/library/library.c", "-shared", "-Wl,-soname,libmutant.so")


def compile_c(folder, to, source, *flags):
    subprocess.run(["cc", "-std=gnu11", "-O0", "-w", "-fPIC", f"-I{folder}", f"-I{ROOT}", f"-I{source.parent}", *flags,
                    "-o", to, source], check=True)


def link(folder, build_folder):
    """A compiler whose library is that of libmutant.so, with checks of its indices."""
    build(folder)
    text = (ROOT / "sema/index.c").read_text()
    trusts = "axis->unchecked = checker->at.unit->trusted;"
    assert trusts in text
    (folder / "index.c").write_text(text.replace(trusts, ""))
    compile_c(build_folder, folder / "index.o", folder / "index.c", "-c")
    program = "driver/tmlc"
    query = ["ninja", "-C", build_folder, "-t", "commands", program]
    command = subprocess.run(query, capture_output=True, text=True, check=True).stdout.splitlines()[-1]
    command = command.replace(f"-o {program} ", f"-o {folder}/tmlc {folder}/index.o -Wl,--no-as-needed {folder}/libmutant.so ")
    subprocess.run(command, shell=True, cwd=build_folder, check=True)


class Trial:
    def __init__(self, folder):
        self.folder = folder
        self.reach = callers(path.read_text() for path in (ROOT / "sema/library").glob("*.tml"))
        library_cases.random = np.random.default_rng(1)
        np.seterr(all="ignore")
        claims = library.claims_of(ROOT)
        self.blocks = {}
        for key in CASES:
            name = key.partition("#")[0]
            self.blocks.setdefault(name, []).extend(
                tuple(library.Block(key, claims[name], 20, k < 2, kind) for kind in KINDS) for k in range(BLOCKS))

    def tests(self, mutant):
        """The blocks that are to notice, or None where transforms.py is."""
        if mutant.path.stem in TRANSFORMS and mutant.function != "philox":
            return None
        built_in = BUILT_IN.get(mutant.path.stem)
        names = {built_in.match(mutant.function)[1]} if built_in else self.reach[mutant.function]
        return [block for name in sorted(names & set(self.blocks)) for block in self.blocks[name]]

    def fails(self, tmlc, blocks, kind):
        """What of the tests does."""
        width = ["--real=f32"] if kind == np.float32 else []
        if blocks is None:
            command = ["/usr/bin/python3", ROOT / "tests/numpy/transforms.py", tmlc, "--seed", "1", "-O0", *width]
            ran = subprocess.run(command, capture_output=True, text=True)
            return ran.stdout + ran.stderr if ran.returncode != 0 else ""
        chosen = [pair[KINDS.index(kind)] for pair in blocks]
        if not chosen:
            return ""
        _, wrong = library.run_group(str(tmlc), chosen, ["-O0", *width], np.finfo(kind).eps / 2)
        return "".join(wrong[:1])

    def notices(self, mutant):
        with tempfile.TemporaryDirectory(dir=self.folder) as name:
            folder = Path(name)
            build(folder, mutant and mutant.path, mutant and mutant.text())
            wrapper = folder / "tmlc"
            wrapper.write_text(f'#!/bin/sh\nulimit -t 60\nLD_LIBRARY_PATH={folder} exec {self.folder}/tmlc "$@"\n')
            wrapper.chmod(0o755)
            blocks = self.tests(mutant) if mutant else [block for blocks in self.blocks.values() for block in blocks]
            if blocks == []:
                return False
            if blocks is None:
                parts = [(None, kind) for kind in KINDS]
            else:  # most are noticed by one block of each case
                parts = [(blocks[::BLOCKS], np.float64), ([b for k, b in enumerate(blocks) if k % BLOCKS], np.float64),
                         (blocks, np.float32)]
            why = next((why for part, kind in parts if (why := self.fails(wrapper, part, kind))), "")
            if not mutant and why:
                sys.exit("mutants: the tests fail without any change\n" + why)
            return bool(why)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=Path)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    mutants = [mutant for path in sorted((ROOT / "sema/library").glob("*.tml")) for mutant in mutants_of(path)]
    if none := set(EQUAL) - {mutant.key() for mutant in mutants}:
        sys.exit(f"mutants: {sorted(none)} are no mutants (any more)")
    mutants = [mutant for mutant in mutants if not options.files or mutant.path.name in options.files]
    if not options.all and options.count < len(mutants):
        mutants = random.Random(options.seed).sample(mutants, options.count)
    with tempfile.TemporaryDirectory(prefix="mutants-") as name:
        folder = Path(name)
        link(folder, options.build.resolve())
        trial = Trial(folder)
        trial.notices(None)
        alive = []
        pool = concurrent.futures.ThreadPoolExecutor(options.jobs)
        for k, (mutant, noticed) in enumerate(zip(mutants, pool.map(trial.notices, mutants))):
            if not noticed:
                alive.append(mutant)
                print(f"{k}: {EQUAL.get(mutant.key(), 'survives')}: {mutant}", flush=True)
            elif k % 50 == 49:
                print(f"{k + 1} tried", flush=True)
    survivors = [mutant for mutant in alive if mutant.key() not in EQUAL]
    print(f"{len(mutants)} mutants, {len(mutants) - len(alive)} noticed, {len(alive) - len(survivors)} are the same, "
          f"{len(survivors)} survive")
    return len(survivors) > len(mutants) / 20


sys.exit(main())
