#!/usr/bin/env python3
"""What editors insert is known where it is inserted: inserted.py TMLC ROOT [--all]

Hints: each type that a hint shows, written into the source as the declaration's type, gives the same TIR.
Completions: at random names of programs, PLACES of them in all, one of the names that are offered there takes
their place, and no message says that it is unknown. Without --all both take a share of the day.
"""

import argparse
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from client import Client, index_of, position, span, uri_of  # noqa: E402
from seeds import default_seed, todays_share  # noqa: E402

SHARES = 20
PLACES = 1000
SECONDS = 3600
LABEL_LIMIT = 30
NAME = re.compile(r"\b[A-Za-z_]\w*")
NOT_CODE = re.compile(r"#[^\n]*|\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*'")
FUNCTION, OWNER, WORD, BLOCK = 3, 9, 14, 15  # kinds of completions; what has members is no name by itself
UNKNOWN = {"E0301", "E0303"}
BEHIND_FN = re.compile(r"\bfn\s+$")


def tir(tmlc, path):
    result = subprocess.run([tmlc, "--emit=tir", "-O0", "-Wno-all", path.name, "-o", "-"], cwd=path.parent,
                            capture_output=True)
    return result.stdout if result.returncode == 0 else None


def check_hints(tmlc, client, path):
    """Writes all types of hints into one program; how many there are."""
    before = tir(tmlc, path)
    if before is None:
        return 0
    text = path.read_bytes().decode()
    uri = uri_of(path)
    client.open(uri, text)
    hints = client.request("textDocument/inlayHint", {
        "textDocument": {"uri": uri}, "range": span(text, 0, len(text))})
    client.close(uri)
    types = []
    for hint in hints:
        assert len(hint["label"]) <= LABEL_LIMIT, hint
        if hint["label"].startswith(": "):
            end = index_of(text, hint["position"])
            start = end
            while re.match(r"[\w{},]", text[start - 1 : start]):
                start -= 1
            types.append((start, hint["tooltip"]))
    written = text
    for start, name in sorted(types, reverse=True):
        written = f"{written[:start]}{name} {written[start:]}"
    path.write_text(written, newline="")
    assert tir(tmlc, path) == before, f"with the types of hints the TIR is another one:\n{written}"
    path.write_text(text, newline="")
    return len(types)


def check_place(client, path, text, choose, version):
    """Puts one of the offered names in the place of another one; False where nothing is offered."""
    uri = uri_of(path)
    hidden = NOT_CODE.sub(lambda match: " " * len(match[0]), text)
    names = [match for match in NAME.finditer(hidden) if not BEHIND_FN.search(hidden[: match.start()])]
    if not names:
        return False
    match = choose.choice(names)
    items = [item for item in client.request("textDocument/completion", {
        "textDocument": {"uri": uri}, "position": position(text, match.start())})
        if item["kind"] not in (OWNER, WORD, BLOCK)]
    if not items:
        return False
    item = choose.choice(items)
    inserted = item["label"] + ("()" if item["kind"] == FUNCTION else "")
    edited = text[: match.start()] + inserted + text[match.end() :]
    client.change(uri, version, edited)
    place = span(edited, match.start(), match.start() + len(inserted))
    for message in client.messages(uri, version):
        begins = (message["range"]["start"]["line"], message["range"]["start"]["character"])
        inside = (place["start"]["line"], place["start"]["character"]) <= begins < (
            place["end"]["line"], place["end"]["character"])
        assert not (inside and message["code"] in UNKNOWN), (
            f"`{inserted}` was offered at line {place['start']['line'] + 1}: {message['message']}\n{edited}")
    client.change(uri, version + 1, text)
    client.messages(uri, version + 1)
    return True


def check_completions(client, paths, choose, places):
    """Random places of random programs."""
    done = version = 0
    while done < places:
        path = choose.choice(paths)
        text = path.read_bytes().decode()
        uri = uri_of(path)
        client.open(uri, text)
        if not any(message["severity"] == 1 for message in client.messages(uri, 1)):
            for version in range(2, 12, 2):
                done += check_place(client, path, text, choose, version)
        client.close(uri)
    return done


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tmlc")
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--all", action="store_true")
    arguments = parser.parse_args()
    tmlc = str(pathlib.Path(arguments.tmlc).resolve())
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name).resolve()
        shutil.copytree(arguments.root / "examples", folder / "examples")
        shutil.copytree(arguments.root / "tests/golden", folder / "golden")
        paths = sorted(folder.rglob("*.tml"))
        paths = [path for path in paths if b"\0" not in path.read_bytes() and is_text(path)]
        client = Client([tmlc, "lsp"], timeout=SECONDS)
        client.start()
        chosen = paths if arguments.all else todays_share(paths, SHARES)
        hints = sum(check_hints(tmlc, client, path) for path in chosen)
        print(f"{hints} types of hints written", flush=True)
        seed = default_seed()
        places = check_completions(client, paths, random.Random(seed), PLACES if arguments.all else PLACES // SHARES)
        print(f"{places} names inserted (TMLC_SEED={seed})")
        assert client.finish() == (0, "")
    assert hints > 0


def is_text(path):
    try:
        path.read_bytes().decode()
    except UnicodeDecodeError:
        return False
    return True


if __name__ == "__main__":
    main()
