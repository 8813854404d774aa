#!/usr/bin/env python3
"""Two compilers at once with one output: pairs.py TMLC LIBRARY [--all]

Object, header and rule that stand there afterwards are those of one of the two: 25 pairs, 1,000 with
--all. In two of three pairs the library slows down how the first one renames, and the other begins in
the middle of that.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import time

SOURCE = """in tensor<real, {n}> t.u
out real t.y
fn output_fnc():
    t.y = sum(t.u)
end
"""
OUTPUTS = ["out.o", "out.h", "out.d"]


def main():
    tmlc = os.path.abspath(sys.argv[1])
    pairs = 1000 if "--all" in sys.argv else 25
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        slow = {"LD_PRELOAD": os.path.abspath(sys.argv[2]), "FAULT_SET": "slow", "FAULT_AT": "0",
                "FAULT_HOW": "20000", "FAULT_MARK": "/dev/null"}
        commands = []
        expected = []
        for n in (2, 3):
            (folder / str(n)).mkdir()
            (folder / str(n) / "m.tml").write_text(SOURCE.format(n=n))
            commands.append([tmlc, "-c", f"{n}/m.tml", "-o", "out.o", "-MD"])
            subprocess.run(commands[-1], cwd=folder, check=True)
            expected.append([(folder / output).read_bytes() for output in OUTPUTS])
        names = sorted(path.name for path in folder.iterdir())
        found = [0, 0]
        problems = []
        for pair in range(pairs):
            if pair % 4 == 0:
                for output in OUTPUTS:
                    (folder / output).unlink()
            env = {**os.environ, **(slow if pair % 3 else {})}
            running = [subprocess.Popen(commands[0], cwd=folder, env=env)]
            time.sleep(0.03 if pair % 3 else 0)
            running.append(subprocess.Popen(commands[1], cwd=folder))
            statuses = [process.wait() for process in running]
            made = [(folder / output).read_bytes() for output in OUTPUTS]
            if made in expected:
                found[expected.index(made)] += 1
            else:
                problems.append(f"pair {pair} is mixed")
            if statuses != [0, 0] or sorted(path.name for path in folder.iterdir()) != names:
                problems.append(f"pair {pair}: {statuses}, {os.listdir(folder)}")
    print(*problems[:20], sep="\n")
    print(f"pairs: {pairs}, of which {found[0]} the one and {found[1]} the other, {len(problems)} wrong")
    return 1 if problems or not pairs else 0


if __name__ == "__main__":
    sys.exit(main())
