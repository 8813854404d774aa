#!/usr/bin/env python3
"""Every message is documented, and the documentation is true.

Usage: diagnostics.py ROOT TMLC. Each code of support/diag/diag.def has an entry in docs/diagnostics.md, in
the same order and with the same title; each wrong program there gets the code from `tmlc run`, each
right one passes `tmlc check`; files that both use stand before them, their names on the fences. Each code
has at least two tests: golden programs or, of those that the command or passes give, functions of
tests/driver/ and tests/derivatives/;
and there are no fewer golden programs about messages than others. Each warning that is given has a row in support/diag/warning.def and an
entry in docs/warnings.md, whose wrong program gets it and whose right one gets none, and a golden
program with `#! warning` or `#! errors` shows it, or a test of those that passes give.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

ENTRY = re.compile(
    r"^## (?P<code>[EW]\d{4}): (?P<title>[^\n]*)\n\n(?P<text>(?:[^\n]+\n)+)\n"
    r"(?P<beside>(?:```tml \S+\n.*?^```\n\n)*)"
    r"Wrong:\n\n```(?P<kind>tml|text)\n(?P<wrong>.*?)```\n\n"
    r"Right:\n\n```(?P=kind)\n(?P<right>.*?)```\n",
    re.M | re.S,
)

WARNING_ENTRY = re.compile(
    ENTRY.pattern.replace(r"[EW]\d{4}", r"[a-z0-9-]+"), re.M | re.S
)

BESIDE = re.compile(r"^```tml (\S+)\n(.*?)^```$", re.M | re.S)

LEAST_TESTS = 2
# What the command says in place of these codes, before there is a program to point at.
COMMAND_MESSAGES = {
    "E0903": r'status=3,\s+message=f?"(?:tmlc: error: )?cannot (?:read|write) ',
    "E0904": r'message=f?"unknown (?:target|CPU) ',
}
TEST_MESSAGES = ("E0771", "E0772")


def run(tmlc, folder, command, name, text):
    """The codes that tmlc reports for a program, and its exit status."""
    (folder / name).write_text(text)
    result = subprocess.run(
        [tmlc, command, name],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
    )
    return re.findall(r"(?:error|trap)\[([EW]\d{4})\]", result.stderr), result.returncode


def store_beside(folder, entry):
    for name, text in BESIDE.findall(entry["beside"]):
        (folder / name).write_text(text)


def check_table(rows, entries):
    documented = [(entry["code"], entry["title"]) for entry in entries]
    for row in rows:
        if row not in documented:
            yield f"{row[0]}: no well-formed entry `## {row[0]}: {row[1]}`"
    for row in documented:
        if row not in rows:
            yield f"{row[0]}: documented, but not in support/diag/diag.def under this title"
    if not (set(rows) ^ set(documented)) and rows != documented:
        yield "the entries are not in the order of support/diag/diag.def"


def check_programs(entries, tmlc, shown):
    """Runs the programs; adds the codes that really were reported to `shown`."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for entry in entries:
            code = entry["code"]
            if entry["kind"] == "text":
                continue
            store_beside(folder, entry)
            # What is wrong with tests is no matter of running the program.
            command = "check" if code in TEST_MESSAGES else "run"
            codes, status = run(tmlc, folder, command, "wrong.tml", entry["wrong"])
            expected_status = 101 if code.startswith("E10") else 1
            if code in codes and status == expected_status:
                shown.add(code)
            else:
                yield f"{code}: the wrong program gives {codes}, exit {status}"
            codes, status = run(tmlc, folder, "check", "right.tml", entry["right"])
            if status != 0:
                yield f"{code}: the right program gives {codes}, exit {status}"


def golden_tests(root):
    """For each golden program its name, the codes it shows and whether it is about messages."""
    for file in (root / "tests/golden").glob("*/*.tml"):
        text = file.read_bytes().decode("utf-8", "replace")
        refused = set(re.findall(r"^#! error (E\d{4})", text, re.M))
        shown = set(re.findall(r"^# .*(?:error|trap)\[(E\d{4})\]", text, re.M))
        yield file.name, refused | shown, bool(re.search(r"^#! (?:errors?|warning)\b", text, re.M))


def command_tests(root):
    return [*(root / "tests/driver").glob("*.py"), *(root / "tests/derivatives").glob("*.py")]


def driver_tests(root, code):
    """The test functions of the command that look for a message."""
    wanted = COMMAND_MESSAGES.get(code, rf"error\\?\[{code}")
    for file in command_tests(root):
        for function in re.split(r"^    def ", file.read_text(), flags=re.M)[1:]:
            if re.search(wanted, function):
                yield f"{file.name}:{function.split('(')[0]}"


def check_tests(root, codes, figures):
    golden = list(golden_tests(root))
    for code in codes:
        tests = {name for name, shown, _ in golden if code in shown}
        if code.startswith("E09"):
            tests.update(driver_tests(root, code))
        if len(tests) < LEAST_TESTS:
            yield f"{code}: {len(tests)} tests show it, {LEAST_TESTS} are the least"
    refused = sum(is_refused for _, _, is_refused in golden)
    figures.append(f"{refused} golden programs are about messages, {len(golden) - refused} are not")
    if refused < len(golden) - refused:
        yield figures[-1]


def warnings_of(tmlc, path):
    result = subprocess.run([tmlc, "check", "-Wextra", "--diagnostics=short", path],
                            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    return re.findall(r"warning\[-W([a-z0-9-]+)\]", result.stderr), result.returncode


def check_warning_programs(root, tmlc, rows):
    """The entries of docs/warnings.md against the rows, and their programs against the compiler."""
    entries = list(WARNING_ENTRY.finditer((root / "docs/warnings.md").read_text()))
    documented = [(entry["code"], entry["title"]) for entry in entries]
    for row in rows:
        if row not in documented:
            yield f"{row[0]}: no well-formed entry `## {row[0]}: {row[1]}` in docs/warnings.md"
    for row in documented:
        if row not in rows:
            yield f"{row[0]}: documented, but not in support/diag/warning.def under this title"
    if not (set(rows) ^ set(documented)) and rows != documented:
        yield "the entries of docs/warnings.md are not in the order of support/diag/warning.def"
    with tempfile.TemporaryDirectory() as name:
        path = pathlib.Path(name) / "program.tml"
        for entry in entries:
            if entry["kind"] == "text":
                continue
            store_beside(path.parent, entry)
            for which, wanted in (("wrong", True), ("right", False)):
                path.write_text(entry[which])
                names, status = warnings_of(tmlc, path)
                if status != 0 or (entry["code"] in names) != wanted or (names and not wanted):
                    yield f"{entry['code']}: the {which} program gives {names}, exit {status}"


def check_warnings(root, tmlc):
    table = (root / "support/diag/warning.def").read_text()
    rows = re.findall(r"^WARNING\((\w+),", table, re.M)
    named = re.findall(r'^WARNING\(\w+, "(.*?)", \w+, "(.*)"\)', table, re.M)
    yield from check_warning_programs(root, tmlc, named)
    golden = "".join(file.read_bytes().decode("utf-8", "replace")
                     for file in (root / "tests/golden/check").glob("*.tml"))
    command = "".join(file.read_text() for file in command_tests(root))
    for name, _ in named:
        if not (re.search(rf"^(?:#! warning {name} |# .*warning\[-W{name}\])", golden, re.M)
                or rf"warning\[-W{name}\]" in command):
            yield f"{name}: no golden program shows it"
    given = set()
    for file in [*(root / "sema").rglob("*.c"), *(root / "lexer").glob("*.c"),
                 *(root / "tir").rglob("*.c")]:
        given.update(re.findall(r"warn\w*\([\w>.&-]+,\s+WARNING_(\w+)", file.read_text()))
    for name in sorted(set(rows) ^ given):
        yield f"WARNING_{name}: in support/diag/warning.def or given by the compiler, not both"


def main():
    root, tmlc = pathlib.Path(sys.argv[1]), sys.argv[2]
    table = (root / "support/diag/diag.def").read_text()
    rows = re.findall(r'^DIAG\((\w+), \w+, "(.*)"\)', table, re.M)
    entries = list(ENTRY.finditer((root / "docs/diagnostics.md").read_text()))
    shown = set()
    problems = list(check_table(rows, entries))
    problems += check_programs(entries, tmlc, shown)
    figures = []
    problems += check_tests(root, [code for code, _ in rows if code.startswith("E")], figures)
    problems += check_warnings(root, tmlc)
    print("\n".join(problems))
    print(*figures, sep="\n")
    print(f"{len(rows)} codes, {len(shown)} shown by their programs, {len(problems)} problems")
    return 1 if problems or not rows else 0


sys.exit(main())
