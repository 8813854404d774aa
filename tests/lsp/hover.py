#!/usr/bin/env python3
"""What hovers show: hover.py TMLC FILE... Each file is a program and, behind lines `--- LINE:COLUMN`, the text
that is shown at that character, or nothing. In a document (.md) a block ```text hover LINE:COLUMN follows a
program's.
"""

import pathlib
import re
import sys

from client import Client

PLACE = re.compile(r"^--- (\d+):(\d+)\n", re.M)
BLOCK = re.compile(r"^```(tml|text hover (\d+):(\d+))\n(.*?)^```", re.M | re.S)


def cases_of(path):
    """Each program with its places and texts."""
    text = path.read_text()
    if path.suffix != ".md":
        program, *rest = PLACE.split(text)
        yield program, [(int(line), int(column), shown.strip("\n"))
                        for line, column, shown in zip(rest[::3], rest[1::3], rest[2::3], strict=True)]
        return
    program = None
    for match in BLOCK.finditer(text):
        if match[1] == "tml":
            program = match[4]
        else:
            yield program, [(int(match[2]), int(match[3]), match[4].strip("\n"))]


def hover(client, uri, line, column):
    answer = client.request("textDocument/hover", {
        "textDocument": {"uri": uri}, "position": {"line": line - 1, "character": column - 1}})
    return "" if answer is None else answer["contents"]["value"].strip("\n")


def main():
    tmlc, *names = sys.argv[1:]
    count = failures = 0
    for name in names:
        for program, places in cases_of(pathlib.Path(name)):
            client = Client([tmlc, "lsp"])
            client.start()
            client.open("file:///hover.tml", program)
            for line, column, wanted in places:
                count += 1
                shown = hover(client, "file:///hover.tml", line, column)
                if shown != wanted:
                    failures += 1
                    print(f"{name}: at {line}:{column} of\n{program}\nis shown\n{shown}\nnot\n{wanted}\n")
            assert client.finish() == (0, "")
    print(f"{count} hovers, {failures} failures")
    sys.exit(failures > 0 or count == 0)


if __name__ == "__main__":
    main()
