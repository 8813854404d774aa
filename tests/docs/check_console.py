"""Follows a document as its reader would: check_console.py TMLC DOCUMENT

In a folder that is empty at first, from the top of the document to its end: a fenced block with a
language and a file name (```tml speed.tml) is stored under that name; in a `console` block, each
line after a `$ ` is run by bash, and the lines up to the next one are what it prints, on standard
output and standard error together. A line `...` stands for any lines. A command may fail if what it
prints says why (`error`, `trap`). Commands of a `console needs=NAME` block run only where NAME is
installed.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^```(\w+)(?: +(\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
FAILURE = re.compile(r"\b(error|trap)\b")


def matches(expected, got):
    pattern = "".join(r"(?:.*\n)*" if line == "...\n" else re.escape(line)
                      for line in expected.splitlines(keepends=True))
    return re.fullmatch(pattern, got) is not None


def run(command, folder, environment):
    result = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, text=True,
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, timeout=120)
    if result.returncode != 0 and not FAILURE.search(result.stdout):
        return f"{result.stdout}exit status {result.returncode}\n"
    return result.stdout


def check(document, text, folder, environment):
    """Yields what is wrong; None for each command that is right."""
    for block in BLOCK.finditer(text):
        language, name, body = block.groups()
        if language != "console":
            if name is not None:
                with open(os.path.join(folder, name), "w") as file:
                    file.write(body)
            continue
        if name is not None and shutil.which(name.removeprefix("needs=")) is None:
            continue
        for command in COMMAND.finditer(body):
            line = text.count("\n", 0, block.start(3) + command.start()) + 1
            got = run(command[1], folder, environment)
            if matches(command[2], got):
                yield None
            else:
                yield f"{document}:{line}: $ {command[1]}\nexpected\n{command[2]}but got\n{got}"


def main():
    tmlc, document = sys.argv[1:3]
    with open(document) as file:
        text = file.read()
    root = pathlib.Path(__file__).resolve().parents[2]
    environment = {
        **os.environ,
        "PATH": os.pathsep.join([os.path.dirname(os.path.abspath(tmlc)),
                                 os.path.dirname(sys.executable), os.environ["PATH"]]),
        "PYTHONPATH": str(root / "python"),
    }
    with tempfile.TemporaryDirectory() as folder:
        results = list(check(document, text, folder, environment))
    problems = [result for result in results if result is not None]
    print("\n".join(problems))
    print(f"{len(results)} commands, {len(problems)} wrong")
    sys.exit(1 if problems or not results else 0)


if __name__ == "__main__":
    main()
