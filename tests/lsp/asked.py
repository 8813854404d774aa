#!/usr/bin/env python3
"""Questions about texts that are being edited: asked.py TMLC ROOT [--all]

Every program of examples, golden tests and documents is opened and edited at random; --all takes each of them,
otherwise a share of the day. After each edit every question is asked at a random place. Answers are
of their form, spans lie in the text, and nothing ends the server.
"""

import argparse
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from client import LINE_END, Client, position, programs, span, units  # noqa: E402
from edits import edited  # noqa: E402
from seeds import default_seed, todays_share  # noqa: E402

EDITS = 12
SHARES = 100
URI = "file:///asked.tml"
REFUSED = -32803


def lines_of(text):
    """The length of each line, in columns."""
    return [units(line, False) for line in LINE_END.split(text)]


def check_spans(answer, lines):
    """All ranges in an answer lie in the text: it imports nothing that is there."""
    if isinstance(answer, list):
        for item in answer:
            check_spans(item, lines)
    elif isinstance(answer, dict):
        for name, item in answer.items():
            if name == "range":
                for place in (item["start"], item["end"]):
                    assert place["line"] < len(lines), (place, answer)
                    assert place["character"] <= lines[place["line"]], (place, answer)
            else:
                check_spans(item, lines)


def ask_all(client, text, index):
    at = {"textDocument": {"uri": URI}, "position": position(text, index)}
    whole = {"textDocument": {"uri": URI}, "range": span(text, 0, len(text))}
    lines = lines_of(text)
    for method in ("hover", "definition", "references", "documentHighlight", "signatureHelp", "completion"):
        check_spans(client.request(f"textDocument/{method}", at), lines)
    check_spans(client.request("textDocument/inlayHint", whole), lines)
    prepared = client.ask("textDocument/prepareRename", at)
    if "error" in prepared:
        assert prepared["error"]["code"] == REFUSED, prepared
        return
    check_spans(prepared["result"], lines)
    renamed = client.ask("textDocument/rename", {**at, "newName": "zz_fresh"})
    assert "error" not in renamed, renamed
    check_spans(renamed["result"]["changes"][URI], lines)


def check_program(tmlc, name, text, seed):
    choose = random.Random(f"{seed} {name}")
    client = Client([tmlc, "lsp"])
    client.start()
    client.open(URI, text)
    for version in range(2, EDITS + 2):
        ask_all(client, text, choose.randint(0, len(text)))
        changes, text = edited(choose, text)
        client.change(URI, version, *changes)
    status, errors = client.finish()
    assert (status, errors) == (0, ""), (status, errors)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tmlc")
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--all", action="store_true")
    arguments = parser.parse_args()
    seed = default_seed()
    chosen = list(programs(arguments.root.resolve()))
    chosen = chosen if arguments.all else todays_share(chosen, SHARES)
    for name, text in chosen:
        try:
            check_program(arguments.tmlc, name, text, seed)
        except Exception as error:
            raise AssertionError(f"{name} (TMLC_SEED={seed})") from error
    print(f"{len(chosen)} programs (TMLC_SEED={seed})")


if __name__ == "__main__":
    main()
