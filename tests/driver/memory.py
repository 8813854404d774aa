"""valgrind on the compiler and on what it makes: memory.py TMLC GOLDEN-FOLDER [--all]

Today's share of the golden programs is checked, compiled and run; a greater one with --all. valgrind does not know AVX-512, so
programs are compiled for a CPU without it.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from seeds import todays_share  # noqa: E402

SHARES, SHARES_OF_ALL = 100, 10
VALGRIND = ["valgrind", "-q", "--leak-check=full", "--error-exitcode=99"]


def clean(command, folder):
    result = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True,
                            text=True, timeout=300)
    # It reads the debug information too, or says that it cannot.
    good = result.returncode != 99 and "debuginfo" not in result.stderr
    if not good:
        print("valgrind:", " ".join(map(str, command)), result.stderr, sep="\n")
    return good


def main():
    tmlc = os.path.abspath(sys.argv[1])
    folder = pathlib.Path(sys.argv[2]).resolve()
    shares = SHARES_OF_ALL if "--all" in sys.argv else SHARES
    good = True
    count = 0
    for path in todays_share(sorted(folder.glob("check/*.tml")), shares):
        good = clean([*VALGRIND, tmlc, "check", path], folder) and good
        count += 1
    with tempfile.TemporaryDirectory() as out:
        program = pathlib.Path(out) / "program"
        for path in todays_share(sorted(folder.glob("run/*.tml")), shares):
            compiled = [tmlc, "-g", "--cpu=x86-64-v2", path, "-o", program]
            if "#! args" in path.read_text() or subprocess.run(compiled, cwd=folder).returncode != 0:
                continue
            good = clean([*VALGRIND, program], folder) and good
            count += 1
    print(f"{count} programs under valgrind")
    return 0 if good and count > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
