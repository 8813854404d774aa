#!/usr/bin/env python3
"""What the compiler says to mistakes that people make: mistakes.py TMLC [--update] [--shares N] TABLE...

A table holds mistakes; each is a program that is wrong, what its author meant, written in TML, and
all that the compiler says (README.md). One mistake gives exactly one message. Where the message
carries edits, the program with these edits must compile without an error and give what the meant
program gives, or, where it is a warning, what the program gave; the meant program must compile.
--update rewrites what the compiler says, never what is meant. With --shares it is another N-th of them each day.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from seeds import todays_share  # noqa: E402

SECTION = re.compile(r"^--- (\w+)$\n?", re.M)


class Mistake:
    def __init__(self, text):
        name, _, body = text.partition("\n")
        self.name = name.strip()
        self.parts = SECTION.split(body)
        self.sections = dict(zip(self.parts[1::2], self.parts[2::2]))

    @property
    def program(self):
        return self.parts[0].rstrip("\n") + "\n"

    def text(self, says):
        sections = dict(self.sections, says=says)
        return "".join([f"=== {self.name}\n", self.program] +
                       [f"--- {name}\n{body.strip(chr(10))}\n" for name, body in sections.items()])


def read_table(path):
    head, *entries = re.split(r"^=== ", path.read_text(), flags=re.M)
    return head, [Mistake(entry) for entry in entries]


def check(tmlc, paths):
    """All messages on each program, as data."""
    result = subprocess.run([tmlc, "check", "--diagnostics=json", *paths], text=True,
                            stdin=subprocess.DEVNULL, capture_output=True, timeout=600)
    if result.returncode not in (0, 1):
        sys.exit(f"exit status {result.returncode}: {result.stderr}")
    found = {str(path): [] for path in paths}
    for line in result.stderr.splitlines():
        for message in json.loads(line)["diagnostics"]:
            found[message["file"]].append(message)
    return [found[str(path)] for path in paths]


def described(message):
    """A message as the table has it: place, code and text, then labels, notes and edits."""
    length = message["end"] - message["start"]
    code = message["code"] if message["severity"] == "error" else "-W" + message["name"]
    lines = [f"{message['line']}:{message['column']}+{length} "
             f"{message['severity']}[{code}]: {message['message']}"]
    lines += [f"  here: {message['text']}"] if message["text"] else []
    lines += [f"  {label['line']}:{label['column']} label: {label['text']}"
              for label in message["labels"] if label["text"]]
    lines += [f"  {note['kind']}: " + note["text"].replace("\n", "\n    ")
              for note in message["notes"]]
    lines += [f"  edit {edit['line']}:{edit['column']}+{edit['end'] - edit['start']}: "
              f"{json.dumps(edit['text'])}" for edit in message["edits"]]
    return "\n".join(lines) + "\n"


def edited(program, edits):
    data = program.encode()
    for edit in sorted(edits, key=lambda edit: edit["start"], reverse=True):
        data = data[:edit["start"]] + edit["text"].encode() + data[edit["end"]:]
    return data.decode()


def output_of(tmlc, path, program, inputs):
    """What the program prints; or None with what went wrong."""
    path.write_text(program)
    arguments = [] if inputs is None else ["--", "--in", "-"]
    result = subprocess.run([tmlc, "run", "-w", "-O0", path, *arguments], input=inputs or "", text=True,
                            capture_output=True, timeout=60)
    if result.returncode != 0:
        return None, result.stderr
    return result.stdout, ""


def failures_of(tmlc, path, mistake, messages, meant_messages):
    says = "".join(described(message) for message in messages)
    if not messages:
        yield "says nothing"
    if len(messages) > 1:
        yield "one mistake, and more than one message:\n" + says
    if says != mistake.sections.get("says", "").strip("\n") + "\n":
        yield f"says\n{says}instead of\n{mistake.sections.get('says', '').strip()}"
    errors = [message for message in meant_messages if message["severity"] == "error"]
    if errors:
        yield "what is meant is wrong:\n" + "".join(described(error) for error in errors)
    inputs = mistake.sections.get("input")
    for message in messages:
        if message["edits"] and not errors:
            warned = message["severity"] == "warning"
            right = mistake.program if warned else mistake.sections["meant"]
            meant, trouble = output_of(tmlc, path, right, inputs)
            if meant is None:
                yield f"what is meant does not run: {trouble}"
            program = edited(mistake.program, message["edits"])
            output, trouble = output_of(tmlc, path, program, inputs)
            if output != meant:
                yield f"with the edits:\n{program}gives\n{trouble or output}meant was\n{meant}"


def write_all(folder, texts):
    paths = [folder / f"{number}.tml" for number in range(len(texts))]
    for path, text in zip(paths, texts):
        path.write_text(text)
    return paths


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tmlc")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--shares", type=int, default=1)
    parser.add_argument("tables", nargs="+")
    options = parser.parse_args()
    tmlc = options.tmlc
    count = edits = wrong = 0
    names = set()
    with tempfile.TemporaryDirectory() as folder:
        for table in map(pathlib.Path, options.tables):
            head, mistakes = read_table(table)
            if options.shares > 1:
                mistakes = todays_share(mistakes, options.shares)
            folder = pathlib.Path(folder)
            found = check(tmlc, write_all(folder, [mistake.program for mistake in mistakes]))
            meant = check(tmlc, write_all(folder, [mistake.sections["meant"]
                                                   for mistake in mistakes]))
            if options.update:
                table.write_text(head + "\n".join(
                    mistake.text("".join(described(message) for message in messages))
                    for mistake, messages in zip(mistakes, found)))
                _, mistakes = read_table(table)
            for mistake, messages, meant_messages in zip(mistakes, found, meant):
                problems = list(failures_of(tmlc, folder / "program.tml", mistake, messages,
                                            meant_messages))
                problems += ["the name is taken"] if mistake.name in names else []
                names.add(mistake.name)
                count += 1
                edits += any(message["edits"] for message in messages)
                wrong += bool(problems)
                for problem in problems:
                    print(f"{table.name}: {mistake.name}: {problem}")
    print(f"{count} mistakes, {edits} with an edit, {wrong} wrong")
    sys.exit(1 if wrong or count == 0 else 0)


main()
