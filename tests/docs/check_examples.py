"""Runs every example of a document: check_examples.py TMLC DOCUMENT

An example is a fenced `tml` block with a complete file and the `text` block right after it: what
`tmlc run` prints. Between them a `csv` block may stand: the inputs of a component's simulation, with
arguments of it on the line of the fence. A line `error[E0501]` or `trap[E1001]`, with or without the
message and the lines below it, is what standard error has after the first position. Options may
follow on the line of the fence; without any, warnings are off. A block ```tml values is no example
(check_tables.py). The file of a block ```tml test is `example.tml`, of which `tmlc test` reports. A block with the name of a file (```tml pi.tml) is stored under it, beside the
examples that follow.
"""

import os
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^```tml([^\n]*)\n(.*?)^```\n(?:```csv([^\n]*)\n(.*?)^```\n)?(?:```text\n(.*?)^```\n)?",
                   re.MULTILINE | re.DOTALL)
MESSAGE = re.compile(r"(?:error|trap)\[E\d{4}\]|warning\[-W[-a-z]+\]")
MESSAGE_LINE = re.compile(f"^(?:{MESSAGE.pattern})", re.MULTILINE)


def run(tmlc, options, folder, program, inputs, more):
    """Standard output, then standard error without the position of its first message."""
    path = os.path.join(folder, "example.tml")
    with open(path, "w") as file:
        file.write(program)
    arguments = []
    if inputs is not None:
        path_of_inputs = os.path.join(folder, "inputs.csv")
        arguments = ["--", "--in", path_of_inputs, *more.split()]
        with open(path_of_inputs, "w") as file:
            file.write(inputs)
    result = subprocess.run([tmlc, "run", *options, path, *arguments], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)
    found = MESSAGE.search(result.stderr)
    return result.stdout, result.stderr[found.start():] if found else result.stderr


def run_tests(tmlc, folder, program):
    """The report of `tmlc test`, and standard error."""
    with open(os.path.join(folder, "example.tml"), "w") as file:
        file.write(program)
    result = subprocess.run([tmlc, "test", "example.tml"], cwd=folder, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)
    return result.stdout, result.stderr


def is_right(expected, output, message):
    wanted = MESSAGE_LINE.search(expected)
    if not wanted:
        return output == expected and message == ""
    begins = expected[wanted.start():].rstrip("\n")
    return output == expected[:wanted.start()] and message.startswith(begins)


def main():
    tmlc, document = os.path.abspath(sys.argv[1]), sys.argv[2]
    with open(document) as file:
        text = file.read()
    blocks = [block for block in BLOCK.finditer(text) if block[1] != " values"]
    count = 0
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for block in blocks:
            options, program, more, inputs, expected = block.groups()
            if options.endswith(".tml"):
                with open(os.path.join(folder, options.strip()), "w") as file:
                    file.write(program)
                continue
            count += 1
            line = text.count("\n", 0, block.start()) + 1
            if expected is None:
                print(f"{document}:{line}: example without a text block")
                wrong += 1
                continue
            if options == " test":
                output, message = run_tests(tmlc, folder, program)
                good = output + message == expected
            else:
                output, message = run(tmlc, options.split() or ["-w"], folder, program,
                                      inputs, more)
                good = is_right(expected, output, message)
            if not good:
                print(f"{document}:{line}: expected\n{expected}but got\n{output}{message}")
                wrong += 1
    print(f"{count} examples, {wrong} wrong")
    sys.exit(1 if wrong or count == 0 else 0)


if __name__ == "__main__":
    main()
