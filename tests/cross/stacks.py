"""Random components need no more stack than their reports say, and little:

    stacks.py TMLC GENERATOR HOST [--seed S] [--first K] [--count N]

Each is compiled as its first line says, and stepped by stack_host, which finds out how much of a
stack each function has used. Those that call libm are left out of the comparison: what that takes is
its own. Without --seed they are those of today.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "oracle"))
from programs import random_program  # noqa: E402

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from seeds import default_seed  # noqa: E402

MOST_BYTES = 64 * 1024
TRAP_FRAME = 64  # bytes that only a path to a trap may need
STEPS = 12
FAILURE_LIMIT = 10


class Tally:
    def __init__(self):
        self.compared = self.tight = self.most = 0

    def add(self, function, used):
        """What is wrong with the bound of a function, or None. `used` is None where it was not called."""
        bound = function["stack"]
        self.most = max(self.most, bound, used or 0)
        if bound >= MOST_BYTES:
            return f"{function['name']} may need {bound} bytes of stack"
        if function["calls_libm"] or not used:
            return None
        self.compared += 1
        self.tight += bound <= 2 * used + TRAP_FRAME
        if used > bound:
            return f"{function['name']} used {used} bytes of stack, the report says {bound}"
        return None


def run(command, folder):
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60,
                          check=True).stdout


def check(arguments, number, tally):
    program = random_program(arguments.tmlc, arguments.generator, True, arguments.seed, number)
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "random.tml").write_bytes(program.text)
        command = [arguments.tmlc, "-w", *program.compiler, "random.tml"]
        try:
            report = json.loads(run([*command, "--report=json", "--emit=shared", "-o", "random.so"], folder))
            printed = run([arguments.host, "./random.so", str(STEPS)], folder)
        except subprocess.CalledProcessError as error:
            return [f"{' '.join(error.cmd)}: exit status {error.returncode}\n{error.stderr}"]
    used = {name: int(count) for name, count in (line.split() for line in printed.splitlines())}
    found = [tally.add(function, used.get(function["name"])) for function in report["functions"]]
    return [text for text in found if text is not None]


def main():
    parser = argparse.ArgumentParser()
    for name in ("tmlc", "generator", "host"):
        parser.add_argument(name, type=os.path.abspath)
    parser.add_argument("--seed", type=int, default=default_seed())
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    arguments = parser.parse_args()
    print("seed", arguments.seed, flush=True)
    tally = Tally()
    failures = count = 0
    while count < arguments.count and failures < FAILURE_LIMIT:
        number = arguments.first + count
        for problem in check(arguments, number, tally):
            print(f"component {number} of seed {arguments.seed}: {problem}")
            failures += 1
        count += 1
    print(f"{count} components, {tally.compared} functions that used stack, {tally.tight} of them at "
          f"least half of their bound; the greatest bound or use is {tally.most} bytes; "
          f"{failures} failures")
    return 1 if failures or not tally.compared else 0


if __name__ == "__main__":
    sys.exit(main())
