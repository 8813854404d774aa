#!/usr/bin/env python3
"""Programs edited at random, over the protocol and on the command line: edits.py TMLC ROOT [--all]

Every program of examples, golden tests and documents is opened and gets EDITS random edits; --all takes
each of them, otherwise a share of the day. After each edit the server's text is the client's, and
its messages are those of `tmlc check --diagnostics=json` on that text: code, range and order.
"""

import argparse
import itertools
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from client import Client, Closed, position, programs, uri_of  # noqa: E402
from seeds import default_seed, todays_share  # noqa: E402

EDITS = 200
SHARES = 60
MOST_WARNINGS = 100
PIECES = ["\n", "\r\n", "\r", " ", "    ", "end", "end\n", "(", ")", "[", "]", ",", ";", ":", "=", "+", "*", ".*", "'",
          "1", "2.5", "[1, 2; 3, 4]", "a", "b = a\n", "x.type", "# ", "# µ𝛼\n", '"µ"', "µ", "𝛼", "\t", "\0", "!",
          "if a == 1:\n", "fn f(real x) real:\n", "for i = 0:3:\n", "return ", "tensor<real, 2, 3> ", "t.", "p.k",
          "import \"x.tml\"\n", "# tmlc: allow(all)", "-", "unused = 3\n"]  # fmt: skip


def random_change(choose, text):
    """Where a text changes and into what. Nothing begins or ends inside \\r\\n."""
    def place():
        index = choose.randint(0, len(text))
        return index - 1 if text[index - 1 : index + 1] == "\r\n" else index

    start = place()
    end = start
    kind = choose.random()
    if kind < 0.5:
        end = min(len(text), start + choose.choice([1, 1, 2, 5, 20, 200]))
        end += text[end - 1 : end + 1] == "\r\n"
    piece = choose.choice(PIECES)
    if kind < 0.3:
        piece = ""
    elif kind > 0.9:
        other = sorted((place(), place()))
        piece = text[other[0] : other[1]][:300]
    return start, end, piece


def edited(choose, text):
    """The changes of one edit, as the client sends them, and the text after it."""
    changes = []
    if choose.random() < 0.02:
        return [text[::1]], text
    for _ in range(choose.choice([1, 1, 1, 2, 3])):
        start, end, piece = random_change(choose, text)
        changes.append(({"start": position(text, start), "end": position(text, end)}, piece))
        text = text[:start] + piece + text[end:]
    return changes, text


def expected(text, path, line):
    """The messages of `tmlc check` on a text, as the server gives them."""
    data = text.encode()
    found, warnings = [], 0

    def place(offset):
        return position(text, len(data[:offset].decode("utf-8", "ignore")))

    for message in json.loads(line)["diagnostics"]:
        if message["file"] not in (path, None):
            continue
        is_warning = message["severity"] == "warning"
        warnings += is_warning
        if is_warning and warnings > MOST_WARNINGS:
            continue
        start, end = (message["start"], message["end"]) if message["file"] else (0, 0)
        found.append((message["name"] if is_warning else message["code"], place(start), place(end)))
    return found


def check_all(tmlc, paths):
    command = [tmlc, "check", "--diagnostics=json", *map(str, paths)]
    result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=600)
    assert result.returncode in (0, 1), result
    return result.stderr.decode().splitlines()


def run(tmlc, folder, name, text, count):
    """Edits one program. What differs, or None."""
    choose = random.Random(f"{default_seed()} {name}")
    client = Client([tmlc, "lsp"])
    client.start()
    uri = uri_of(folder / "edited.tml")
    states = [(text, client.checked(uri, text))]
    for version in range(2, count + 2):
        changes, text = edited(choose, text)
        client.change(uri, version, *changes)
        try:
            states.append((text, client.messages(uri, version)))
        except Closed as closed:
            return f"{name}: version {version}: the server ended: {closed}\n{text}"
        held = client.request("tmlc/text", {"textDocument": {"uri": uri, "version": version}})
        if held["text"] != text:
            return f"{name}: version {version}: the texts differ: {held['text']!r} and {text!r}"
    status, error = client.finish()
    if status != 0 or error:
        return f"{name}: exit status {status}, {error}"
    paths = []
    for number, (text, _) in enumerate(states):
        paths.append(folder / f"edited{number}.tml")
        paths[-1].write_bytes(text.encode())
    lines = check_all(tmlc, paths)
    for number, ((text, messages), path, line) in enumerate(zip(states, paths, lines, strict=True)):
        wanted = expected(text, str(path), line)
        found = [(message["code"], message["range"]["start"], message["range"]["end"])
                 for message in messages]
        if wanted != found:
            pairs = itertools.zip_longest(wanted, found)
            first = next((a, b) for a, b in pairs if a != b)
            return f"{name}: version {number + 1}: check and server differ: {first}\n{text}"
    for path in paths:
        path.unlink()
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tmlc")
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--count", type=int, default=EDITS)
    options = parser.parse_args()
    cases = list(programs(options.root.resolve()))
    assert len(cases) > 1000, len(cases)
    if not options.all:
        cases = todays_share(cases, SHARES)
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder).resolve()
        for name in ("examples", "tests/golden"):
            shutil.copytree(options.root / name, root / name)
        for name, text in cases:
            inside = (root / name).parent if ":" not in name else root
            failure = run(options.tmlc, inside, name, text, options.count)
            if failure:
                failures.append(failure)
    print("\n".join(failures[:5]))
    print(f"{len(cases)} programs, {len(failures)} differ")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
