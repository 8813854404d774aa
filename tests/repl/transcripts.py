"""Enters what transcripts enter, and compares what is printed: transcripts.py TMLC ROOT FILE...

A file is a transcript, or a document whose blocks of language `repl` are. In each, which is a session
of its own that runs in the folder ROOT, lines after `tml> ` and `...> ` are entered; all others are
what tmlc prints, on standard output and standard error together.
"""

import re
import subprocess
import sys

BLOCK = re.compile(r"^```repl\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PROMPT = re.compile(r"^(?:tml|\.\.\.)> ?(.*)$")


def sessions(path):
    with open(path) as file:
        text = file.read()
    if not path.endswith(".md"):
        return [(path, text)]
    return [(f"{path}:{text.count(chr(10), 0, block.start()) + 1}", block[1])
            for block in BLOCK.finditer(text)]


def main():
    tmlc, root, *files = sys.argv[1:]
    count = failed = 0
    for path in files:
        for place, transcript in sessions(path):
            entered, expected = [], []
            for line in transcript.splitlines(keepends=True):
                prompt = PROMPT.match(line)
                (entered if prompt else expected).append(prompt[1] + "\n" if prompt else line)
            result = subprocess.run([tmlc, "repl"], input="".join(entered), cwd=root, text=True,
                                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
            wrong = re.search(r"\berror\b", "".join(expected)) is not None
            count += 1
            if result.stdout != "".join(expected) or result.returncode != int(wrong):
                failed += 1
                print(f"{place}: expected status {int(wrong)} and\n{''.join(expected)}"
                      f"but got status {result.returncode} and\n{result.stdout}")
    print(f"{count} transcripts, {failed} differ")
    return failed > 0 or count == 0


sys.exit(main())
