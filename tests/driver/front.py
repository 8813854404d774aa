#!/usr/bin/env python3
"""tmlc-front, the front half alone: says what `tmlc check` says, contains no LLVM and stays small.

Usage: front.py TMLC TMLC_FRONT PROGRAMS [BYTES]. PROGRAMS is a folder; BYTES is the most that the
stripped program may have.
"""

import pathlib
import subprocess
import sys
import tempfile

tmlc, front, programs = sys.argv[1:4]


def run(*command):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True)
    return done.returncode, done.stdout, done.stderr


failures = []
files = [str(path) for path in sorted(pathlib.Path(programs).glob("*.tml"))]
for group in [[file] for file in files[::10]] + [files, ["missing.tml"], [files[0], "missing.tml"]]:
    expected, found = run(tmlc, "check", *group), run(front, *group)
    if expected != found:
        failures.append(f"{' '.join(group)}: tmlc check {expected}, tmlc-front {found}")
if len(files) < 100:
    failures.append(f"only {len(files)} programs in {programs}")
if run(front)[0] != 2:
    failures.append("without files it does not end with status 2")

expected, found = run(tmlc, "check", files[0]), run(front, "check", files[0])
if expected != found:
    failures.append(f"check: tmlc {expected}, tmlc-front {found}")
usage = b"usage: tmlc-front [check] FILE...\n       tmlc-front lsp [--log FILE]\n"
for words in (["check"], ["-Wall", files[0]], [files[0], "-Wall"], ["lsp", "-Wall"], ["lsp", "--log="], ["lsp", "--log"], ["--help", "x"]):
    if run(front, *words) != (2, b"", usage):
        failures.append(f"{words}: {run(front, *words)}")
if run(front, "--help") != (0, usage, b"") or not run(front, "--version")[1].startswith(b"tmlc-front 0."):
    failures.append("--help or --version")
with tempfile.TemporaryDirectory() as folder:
    for words in (["--log", f"{folder}/a"], [f"--log={folder}/b"]):
        if run(front, "lsp", *words)[0] != 1 or not pathlib.Path(words[-1].removeprefix("--log=")).exists():
            failures.append(f"lsp {words}: {run(front, 'lsp', *words)}")

symbols = subprocess.run(["nm", "-C", front], stdout=subprocess.PIPE, text=True, check=True).stdout
if "check_program" not in symbols or "llvm::" in symbols:
    failures.append("it contains LLVM, or nm does not tell")

if len(sys.argv) > 4:
    with tempfile.NamedTemporaryFile() as stripped:
        subprocess.run(["strip", "-o", stripped.name, front], check=True)
        size = pathlib.Path(stripped.name).stat().st_size
        if size > int(sys.argv[4]):
            failures.append(f"{size} bytes, more than {sys.argv[4]}")

print("\n".join(failures[:10]))
sys.exit(1 if failures else 0)
