#!/usr/bin/env python3
"""What a help suggests is legal: edits.py TMLC FOLDER...

Each wrong program in the folders is checked with all warnings; the edits of each of its messages are
made, and the program must then have a message less, or more where one declaration is the cause of
several. The edits of a warning must not change what the program computes: it runs before and after them
and writes the same. Programs are golden files, whose options are on `#! args`.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

# What programs that read have to read, and how long components run.
INPUT = b"3\n" * 40
STEPS = 3
TERMINAL = re.compile(r"^(?:not feedthrough )?in (real|int|uint|bool) t\.(\w+)$", re.M)


def check(tmlc, path, options):
    """The messages on the program, as data."""
    result = subprocess.run([tmlc, "check", "--diagnostics=json", *options, path],
                            stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    if result.returncode not in (0, 1):
        sys.exit(f"{path}: exit status {result.returncode}: {result.stderr.decode()}")
    return json.loads(result.stderr)


def changed(program, edits):
    """The program with all edits of one message made, the last one first."""
    for edit in sorted(edits, key=lambda edit: edit["start"], reverse=True):
        program = program[:edit["start"]] + edit["text"].encode() + program[edit["end"]:]
    return program


def section(text, name):
    """The body of a section of a golden file, or its line; None when it has none."""
    match = re.search(rf"^#! {name}(?: (.*))?\n((?:#(?!!).*\n?)*)", text, re.M)
    if match is None:
        return None
    return match[1] or "".join(line[2:] + "\n" for line in match[2].splitlines())


def run(tmlc, path, options, text):
    """What the program writes, and its exit status."""
    arguments = (section(text, "run-args") or "").split()
    given = section(text, "input")
    stdin = INPUT if given is None else given.encode()
    terminals = TERMINAL.findall(text)
    if re.search(r"^(?:in|out) ", text, re.M) and not arguments and given is None:
        rows = [",".join(name for _, name in terminals)]
        rows += [",".join("1" for _ in terminals)] * STEPS
        stdin = "".join(row + "\n" for row in rows).encode()
        arguments = ["--in", "-"] if terminals else ["--steps", str(STEPS)]
    result = subprocess.run([tmlc, "run", "-w", "-O0", *options, path, "--", *arguments], input=stdin,
                            capture_output=True, timeout=60)
    return result.stdout, result.returncode


class Edits:
    def __init__(self, tmlc, folder):
        self.tmlc, self.folder = tmlc, folder
        self.errors, self.warnings, self.failures = 0, 0, []

    def fail(self, path, message, what):
        edits = ", ".join(edit["text"] for edit in message["edits"])
        self.failures.append(f"{path}:{message['line']}: {message['message']}\n  with {edits}: {what}")

    def try_edit(self, path, copy, options, before, message):
        program = path.read_bytes()
        text = program.decode("utf-8", "replace")
        is_warning = message["severity"] == "warning"
        output = run(self.tmlc, copy, options, text) if is_warning else None
        copy.write_bytes(changed(program, message["edits"]))
        after = check(self.tmlc, copy, options)
        # What makes a comment allow a warning silences that, too; what an error hid may appear.
        kind = message["severity"] + "s"
        if after[kind] >= before[kind]:
            left = "; ".join(other["message"] for other in after["diagnostics"])
            self.fail(path, message, f"{after[kind]} {kind}, there were {before[kind]}: {left}")
        elif is_warning and after["errors"] != before["errors"]:
            self.fail(path, message, "is an error")
        elif is_warning:
            now = run(self.tmlc, copy, options, text)
            if now != output:
                self.fail(path, message, f"{now}, it was {output}")
        copy.write_bytes(program)

    def try_program(self, path):
        program = path.read_bytes()
        args = re.search(rb"^#! args (.*)$", program, re.M)
        options = (args[1].decode().split() if args else []) + ["-Wextra"]
        copy = self.folder / path.parent.name / path.name
        copy.write_bytes(program)
        before = check(self.tmlc, copy, options)
        for message in before["diagnostics"]:
            if message["edits"] and message["file"] == str(copy):
                self.errors += message["severity"] == "error"
                self.warnings += message["severity"] == "warning"
                self.try_edit(path, copy, options, before, message)

    def add_folder(self, folder):
        """Its programs stand beside the files that they import, as they did."""
        (self.folder / folder.name).mkdir()
        for other in folder.iterdir():
            if other.is_dir():
                (self.folder / folder.name / other.name).symlink_to(other.resolve())

    def try_folder(self, folder):
        for path in sorted(folder.glob("*.tml")):
            self.try_program(path)


def main():
    tmlc, folders = sys.argv[1], [pathlib.Path(name) for name in sys.argv[2:]]
    with tempfile.TemporaryDirectory() as folder:
        edits = Edits(tmlc, pathlib.Path(folder))
        for name in folders:
            edits.add_folder(name)
        for name in folders:
            edits.try_folder(name)
    print("\n".join(edits.failures))
    print(f"{edits.errors} errors and {edits.warnings} warnings with edits, "
          f"{len(edits.failures)} did not help")
    sys.exit(1 if edits.failures or edits.errors == 0 or edits.warnings == 0 else 0)


main()
