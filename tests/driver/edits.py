#!/usr/bin/env python3
"""What a help suggests is legal: edits.py TMLC FOLDER...

Each wrong program in the folders is checked; the edits of each of its messages are made, and the
program must then have one error less. Programs are golden files, whose options are on `#! args`.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile


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


def wrong_edits(tmlc, path, copy):
    """How many messages of the program had edits, and those whose edits did not help."""
    program = path.read_bytes()
    args = re.search(rb"^#! args (.*)$", program, re.M)
    options = args[1].decode().split() if args else []
    copy.write_bytes(program)
    before = check(tmlc, copy, options)
    count = 0
    failures = []
    for message in before["diagnostics"]:
        if not message["edits"] or message["file"] != str(copy):
            continue
        count += 1
        copy.write_bytes(changed(program, message["edits"]))
        after = check(tmlc, copy, options)
        # What makes a comment allow a warning silences that, too.
        kind = message["severity"] + "s"
        less = before[kind] - after[kind]
        if less != 1 and not (kind == "warnings" and less > 1):
            left = "; ".join(other["message"] for other in after["diagnostics"])
            edits = ", ".join(edit["text"] for edit in message["edits"])
            failures.append(f"{path}:{message['line']}: {message['message']}\n"
                            f"  with {edits}: {after[kind]} {kind}, there were {before[kind]}: {left}")
    return count, failures


def main():
    tmlc, folders = sys.argv[1], sys.argv[2:]
    count = 0
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        for path in sorted(path for name in folders for path in pathlib.Path(name).glob("*.tml")):
            edited, failed = wrong_edits(tmlc, path, pathlib.Path(folder) / path.name)
            count += edited
            failures += failed
    print("\n".join(failures))
    print(f"{count} messages with edits, {len(failures)} did not help")
    sys.exit(1 if failures or count == 0 else 0)


main()
