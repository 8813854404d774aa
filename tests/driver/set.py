#!/usr/bin/env python3
"""The runtime assigns like the compiler: set.py TMLC [--all]

For each type of a tunable property and each literal, `--set` of an executable takes the literal if and
only if the compiler takes it with -D, and both then print the same value. Without --all, for some of the
types every day.
"""

import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from seeds import todays_share  # noqa: E402

SHARES = 5
ROOTS = ("bool", "uint", "int", "real")
TYPES = ("{}", "tensor<{}, 2>", "tensor<{}, 1, 2>", "tensor<tensor<{}, 2>, 2>")
SCALARS = (
    "true", "false", "0", "1", "-1", "+1", "-0", "7u", "-7u", "0u", "4294967295", "4294967295u",
    "4294967296u", "2147483647", "2147483648", "-2147483648", "-2147483649", "0x1F", "0b101", "0xFFu",
    "0xFFFFFFFF", "1_000", "1__0", "_1", "1.5", "-2.5e-3", "1e400", "1e-400", "2.0", "1e5", "0.1",
    "16777217.0", "nan", "-nan", "inf", "-inf", "M_PI", "-M_E", "1e", "0x", "0b2", "1u2", "abc",
    "-true", "00", "09", "1 2", "",
)  # fmt: skip
# What of a scalar decides whether it goes to a tensor.
KINDS = ("true", "-1", "7u", "4294967295u", "1.5", "abc")
# Which --set takes as well, though TML writes them otherwise.
OTHERWISE = {".5": "0.5", "5.": "5.0"}
TENSORS = (
    "[1, 2]", "[1; 2]", "[1, 2;]", "[1, -2]", "[1u, 2]", "[1u, -2]", "[true, false]", "[true, 1]",
    "[true, 2.5]", "[1.5, 2]", "[4294967295u, -1]", "[1, 2, 3]", "[1, 2; 3, 4]", "[1, 2; 3]", "[1]",
    "[[1, 2], [3, 4]]", "[[1, 2]]", "[[1], [2]]", "[[1, 2]; [3, 4]]", "[1 |]", "[1, 2 | 3, 4]", "[]",
    "[1, 2", "1, 2]", "[1,, 2]", "[[1, 2], 3]", "reshape([1, 2], 1, 2)", "reshape([1, 2], 2, 1)",
    "reshape([1, 2], 3)",
)  # fmt: skip


def run(*command):
    """The exit status and what was printed of a command that ends by itself."""
    result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    return result.returncode, result.stdout.decode()


def disagreements(tmlc, folder, type_text):
    """The literals of which the two think differently, in words; how many there are, and were taken."""
    model, executable = folder / "set.tml", folder / "set"
    model.write_text(
        f"tunable {type_text} p.x = {'false' if 'bool' in type_text else '0'}\n"
        f"out {type_text} t.y\n\nfn output_fnc():\n    t.y = p.x\nend\n"
    )
    if run(tmlc, model, "-o", executable)[0] != 0:
        sys.exit(f"{type_text}: the model does not compile")
    failures = []
    taken = 0
    literals = (*(KINDS if "tensor" in type_text else (*SCALARS, *OTHERWISE)), *TENSORS)
    for literal in literals:
        written = f"p.x={OTHERWISE.get(literal, literal)}"
        by_compiler = run(tmlc, "run", "-w", "-D", written, model, "--", "--steps", "1")
        by_runtime = run(executable, "--set", f"x={literal}", "--steps", "1")
        taken += by_compiler[0] == 0
        # Wrong usage to the runtime is an error in a text to the compiler.
        refused = by_compiler[0] in (1, 2) and by_runtime[0] == 2
        if not refused and by_compiler != by_runtime:
            failures.append(f"{type_text} = {literal}: -D {by_compiler}, --set {by_runtime}")
    return failures, len(literals), taken


def main():
    """Runs all pairs of the types."""
    failures = []
    taken = pairs = 0
    with tempfile.TemporaryDirectory() as folder:
        types = [shape.format(root) for shape in TYPES for root in ROOTS]
        for type_text in todays_share(types, 1 if "--all" in sys.argv else SHARES):
            found, count, good = disagreements(sys.argv[1], pathlib.Path(folder), type_text)
            failures += found
            pairs += count
            taken += good
    print(*failures, f"{pairs} pairs of type and literal, {taken} taken", sep="\n")
    return 1 if failures or taken == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
