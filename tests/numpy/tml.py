"""TML values in Python, how they print (L12), and running batches of cases through the compiler.

A Value holds a root ("bool", "uint", "int", "real"), a NumPy array over the flat dims, outermost
level first, and the rank of each level. Integers are kept as int64 within their root's range, so
that NumPy computes without overflow; Value.wrap brings results back.
"""

import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass

import numpy as np

ROOTS = ["bool", "uint", "int", "real"]
DTYPES = {"bool": np.bool_, "uint": np.int64, "int": np.int64, "real": np.float64}
NUMBER = re.compile(r"nan|inf|\d+(?:\.\d+)?(?:e[-+]\d+)?")


@dataclass
class Value:
    root: str
    data: np.ndarray
    levels: tuple = ()

    @staticmethod
    def wrap(root, data, levels=None):
        """A value whose integers are reduced to 32 bits; one level when none are given."""
        data = np.asarray(data)
        if root == "uint":
            data = data.astype(np.int64) & 0xFFFFFFFF
        elif root == "int":
            data = ((data.astype(np.int64) + 2**31) & 0xFFFFFFFF) - 2**31
        else:
            data = data.astype(DTYPES[root])
        if levels is None:
            levels = (data.ndim,) if data.ndim else ()
        assert sum(levels) == data.ndim
        return Value(root, data, levels)

    def literal(self):
        return self._text(self.data, self.levels, False)

    def printed(self):
        return self._text(self.data, self.levels, True)

    def _scalar(self, item):
        if self.root == "bool":
            return "true" if item else "false"
        if self.root == "real":
            return repr(float(item))
        return f"{int(item)}u" if self.root == "uint" else str(int(item))

    def _text(self, data, levels, lines):
        if not levels:
            return self._scalar(data)
        rank = levels[0]
        assert rank <= 3, "literals have at most three dims"
        pages = data.reshape((1,) * (3 - rank) + data.shape)
        text = ("\n |\n " if lines else " | ").join(
            (";\n " if lines else "; ").join(
                ", ".join(self._text(item, levels[1:], False) for item in row) for row in page)
            for page in pages)
        if rank == 2 and len(data) == 1:
            text += ";"
        if rank == 3 and len(data) == 1:
            text += " |"
        return f"[{text}]"


@dataclass
class Case:
    """Statements that prepare, an expression to print, what it should be, and how closely.

    `scale` bounds the terms of a sum: a real may differ by `tolerance` times it.
    """

    setup: str
    expression: str
    expected: Value
    tolerance: float = 0.0
    scale: float = 0.0


def close(found, expected, case):
    if np.isnan(expected) or np.isinf(expected) or case.tolerance == 0.0:
        return repr(found) == repr(expected)
    return abs(found - expected) <= case.tolerance * max(abs(expected), case.scale)


def matches(case, text):
    expected = case.expected.printed()
    if case.expected.root != "real" or case.tolerance == 0.0:
        return text == expected
    if NUMBER.sub("x", text).replace("-x", "x") != NUMBER.sub("x", expected).replace("-x", "x"):
        return False
    signed = re.compile("-?(?:" + NUMBER.pattern + ")")
    return all(close(float(a), float(b), case)
               for a, b in zip(signed.findall(text), signed.findall(expected)))


def program_of(cases, functions):
    lines = [functions]
    for i, case in enumerate(cases):
        # Each case has its block, so that its variables are its own.
        lines += ["if true:", case.setup, f'print("@{i}")', f"print({case.expression})", "end"]
    return "\n".join(line for line in lines if line) + "\n"


def run_batch(tmlc, cases, functions, folder, name, linked):
    """The text that each case printed."""
    source = os.path.join(folder, name + ".tml")
    with open(source, "w") as file:
        file.write(program_of(cases, functions))
    command = [tmlc, "run", "-w", source]
    if linked:
        command = [os.path.join(folder, name)]
        subprocess.run([tmlc, "-w", source, "-o", command[0]], check=True)
    run = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if run.returncode != 0:
        sys.exit(f"exit status {run.returncode} of:\n{program_of(cases, functions)}")
    return re.split(r"^@\d+\n", run.stdout, flags=re.MULTILINE)[1:]


def run_cases(tmlc, cases, functions="", batch_size=120):
    """Runs all cases, every other batch as a linked executable. Exits 1 if any is wrong."""
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for start in range(0, len(cases), batch_size):
            batch = cases[start:start + batch_size]
            linked = start // batch_size % 2 == 1
            texts = run_batch(tmlc, batch, functions, folder, f"batch{start}", linked)
            if len(texts) != len(batch):
                sys.exit(f"batch {start}: {len(texts)} results of {len(batch)}")
            for case, text in zip(batch, texts):
                if not matches(case, text.rstrip("\n")):
                    wrong += 1
                    print(f"{case.setup}\nprint({case.expression})\nexpected:\n"
                          f"{case.expected.printed()}\nprinted:\n{text}")
    print(f"{len(cases)} cases, {wrong} wrong")
    sys.exit(1 if wrong else 0)
