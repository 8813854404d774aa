#!/usr/bin/env python3
"""Runs the sessions of a document in one process. Usage: document.py TMLC DOCUMENT.

A fenced block with a language and a file name is stored under that name, in a folder that is empty at
first and the current one; the blocks of `python` with prompts are one session from top to bottom.
"""

import doctest
import os
import pathlib
import re
import sys
import tempfile

DOCUMENT = pathlib.Path(sys.argv.pop(2))

import package_test  # noqa: E402,F401 which package

BLOCK = re.compile(r"^```(\w+)(?: +(\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def main():
    text = DOCUMENT.read_text()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for language, name, body in BLOCK.findall(text):
            if name:
                pathlib.Path(name).write_text(body)
        examples = doctest.DocTestParser().get_doctest(text, {}, DOCUMENT.name, str(DOCUMENT), 0)
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
        failed, tried = runner.run(examples)
        os.chdir("/")
    print(f"{tried} examples, {failed} wrong")
    sys.exit(1 if failed or not tried else 0)


if __name__ == "__main__":
    main()
