#!/usr/bin/env python3
"""Objects, headers, TIR, plans and reports are the same with tests in the source and without.

Usage: objects.py TMLC ROOT [--all]. Each example, component of the driver's tests and golden program is compiled
as it is and with tests behind it that name its functions; without --all, a share of them every day.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from seeds import todays_share  # noqa: E402

SHARES = 7
KINDS = ["--emit=obj,header,json", "--emit=tir -o -", "--emit=plan -o -"]


def made_of(tmlc, folder, name, text, options):
    """What the compiler makes of a source."""
    path = folder / name
    path.write_bytes(text)
    for old in folder.glob(path.stem + ".*"):
        if old != path:
            old.unlink()
    result = subprocess.run([tmlc, *options, name], cwd=folder, capture_output=True, timeout=120)
    files = {file.suffix: file.read_bytes() for file in sorted(folder.glob(path.stem + ".*"))
             if file != path}
    return [result.returncode, result.stdout, *files.items()]


def with_tests(text):
    """The source with tests that call its functions, where these can be called so."""
    calls = re.findall(rb"^fn (\w+)\(\)", text, re.M)
    bodies = b"".join(b"    %s()\n" % name for name in calls if not name.endswith(b"_fnc"))
    return (text.rstrip() + b'\n\ntest "first":\n    x = [1.0, 2.0]\n    assert(near(x, x, 0.0))\n'
            + bodies + b'end\n\ntest "a mistake that nobody looks at" E0501:\n    y = 2 + u\nend\n')


def sources(root):
    for pattern in ("examples/*/*.tml", "tests/driver/models/*.tml", "tests/golden/run/*.tml"):
        yield from sorted(root.glob(pattern))


def main():
    tmlc, root = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
    count = wrong = 0
    shares = 1 if "--all" in sys.argv else SHARES
    for file in todays_share(list(sources(root)), shares):
        text = file.read_bytes().split(b"\n#! ")[0].rstrip() + b"\n"
        if b"import" in text or b"instance" in text or b"\r" in text or b'\ntest "' in text:
            continue
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for options in KINDS:
                plain = made_of(tmlc, folder, file.name, text, options.split() + ["-w"])
                tested = made_of(tmlc, folder, file.name, with_tests(text), options.split() + ["-w"])
                count += 1
                if plain != tested:
                    print(f"{file}: {options}: tests make a difference")
                    wrong += 1
    print(f"{count} comparisons, {wrong} differ")
    sys.exit(1 if wrong or count < 400 // shares else 0)


if __name__ == "__main__":
    main()
