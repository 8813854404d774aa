"""What the library costs a check that does not need it, and one that calls `expm`: library.py TMLC

A script of three lines, and the same with a call of `expm`, are checked in turns. The least times differ
by at most 0.3 ms: the call reads one function and what it calls, and the other script reads nothing.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROUNDS = 300
MOST = 0.3e-3
SCRIPT = "x = [1.0, 2.0; 3.0, 4.0]\ny = {}\nprint(y)\n"


def seconds(tmlc, path):
    start = time.perf_counter()
    subprocess.run([tmlc, "check", path], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def main():
    tmlc = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        paths = [pathlib.Path(folder, name) for name in ("without.tml", "with.tml")]
        for path, call in zip(paths, ("x .* x", "expm(x)")):
            path.write_text(SCRIPT.format(call))
        least = [min(times) for times in zip(*([seconds(tmlc, path) for path in paths]
                                               for _ in range(ROUNDS)))]
    more = least[1] - least[0]
    print(f"{least[0] * 1e3:.2f} ms, with expm {more * 1e3:.2f} ms more; at most {MOST * 1e3:.2f}")
    return more > MOST


sys.exit(main())
