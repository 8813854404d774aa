#!/usr/bin/env python3
"""Every symbol gets a fresh name, and its old one back: rename.py TMLC ROOT [--all]

Takes the programs of examples and golden tests that compile, with the files beside them; without --all a
share of the day. With the fresh name the TIR is equal but for the
name; after the way back the bytes are those of before. Places that are no symbols are refused, and so
is a name that something else has.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from client import Client, index_of, position, uri_of  # noqa: E402
from seeds import todays_share  # noqa: E402

FRESH = "zz_fresh"
EXAMPLE_SHARES = 8
GOLDEN_SHARES = 80
SECONDS = 600
NAME = re.compile(r"\b[A-Za-z_]\w*")


def tir(tmlc, path, folder):
    """The TIR as checking made it; None when the program has errors."""
    result = subprocess.run([tmlc, "--emit=tir", "-O0", "-Wno-all", path.name, "-o", "-"], cwd=folder,
                            capture_output=True)
    return result.stdout.decode() if result.returncode == 0 else None


def renamed(text, name, fresh):
    """A text of TIR in which both names are the same; of two variables of one name one has a number there,
    behind what derivatives add to it."""
    return re.sub(rf"\b(?:io_)?(?:{name}|{fresh})(\.[a-z]+\b)?(?:\.\d+|\b|(?=_\d))", r"@\1", text)


def is_same(before, after, name):
    """Whether two texts of TIR are equal but for the name. A variable of a script is in the state only while
    some function has a name like it (L4.2), so that another variable's name may decide where it lies; a call
    that could see it there takes a copy."""
    before, after = renamed(before, name, FRESH), renamed(after, name, FRESH)
    if before == after or "var @" not in re.sub(r"^var \S+( \S+)* @@", "var @", before + after, flags=re.M):
        return before == after
    return statements(before) == statements(after)


def statements(text):
    """Without declarations, the numbers of variables, where they lie, and copies for calls."""
    text = re.sub(r"^ *var .*\n", "", text, flags=re.M)
    text = re.sub(r"\b([A-Za-z_]\w*)\.\d+", r"\1", text)
    text = re.sub(r"%\d+", "%", text).replace("@@", "@")
    return re.sub(r"^ *%: [^=\n]* = @\n", "", text, flags=re.M).replace("@", "%").strip()


class Session:
    """The files of one folder, open in a server."""

    def __init__(self, tmlc, folder, names):
        self.tmlc = tmlc
        self.folder = folder
        self.client = Client([tmlc, "lsp"], timeout=SECONDS)
        self.client.start()
        self.version = 1
        self.texts = {uri_of(folder / name): (folder / name).read_bytes().decode() for name in names}
        for uri, text in self.texts.items():
            self.client.open(uri, text)

    def at(self, uri, index):
        return {"textDocument": {"uri": uri}, "position": position(self.texts[uri], index)}

    def edit(self, changes):
        self.version += 1
        for uri, edits in changes.items():
            text = self.texts[uri]
            places = sorted(((index_of(text, edit["range"]["start"]), index_of(text, edit["range"]["end"]),
                              edit["newText"]) for edit in edits), reverse=True)
            for start, end, new in places:
                text = text[:start] + new + text[end:]
            self.texts[uri] = text
            self.client.change(uri, self.version, text)
            pathlib.Path(uri.removeprefix("file://")).write_text(text, newline="")

    def rename(self, uri, index, name):
        return self.client.ask("textDocument/rename", {**self.at(uri, index), "newName": name})


def check_symbol(session, main, uri, index, name, before):
    """Renames one symbol and back; the places that it has."""
    texts = dict(session.texts)
    answer = session.rename(uri, index, FRESH)
    assert "error" not in answer, answer
    changes = answer["result"]["changes"]
    places = {(file, edit["range"]["start"]["line"], edit["range"]["start"]["character"])
              for file, edits in changes.items() for edit in edits}
    assert len(places) == sum(map(len, changes.values())), "two edits at one place"
    session.edit(changes)
    after = tir(session.tmlc, main, session.folder)
    assert after is not None, f"`{name}` renamed: errors"
    assert is_same(before, after, name), f"`{name}` renamed: other TIR"
    answer = session.rename(uri, session.texts[uri].index(FRESH), name)
    assert "error" not in answer, answer
    session.edit(answer["result"]["changes"])
    assert session.texts == texts, f"`{name}` renamed and back: other bytes"
    return places


# Names that hide another one in a program: once renamed, no symbol can be given them again.
HIDING = {("w_hidden.tml", name) for name in ("total", "other", "x", "low", "_high")}


def check_folder(tmlc, files, main):
    """All symbols of one program; how many there are."""
    count = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name).resolve()
        for file in files:
            shutil.copy(file, folder)
        path = folder / main.name
        before = tir(tmlc, path, folder)
        if before is None:
            return 0
        session = Session(tmlc, folder, [file.name for file in files if file.suffix == ".tml"])
        uri = uri_of(path)
        text = session.texts[uri]
        seen = set()
        for match in NAME.finditer(text):
            at = position(text, match.start())
            if (uri, at["line"], at["character"]) in seen:
                continue
            if (main.name, match[0]) in HIDING:
                continue
            answer = session.client.ask("textDocument/prepareRename", session.at(uri, match.start()))
            if "error" in answer:
                continue
            assert answer["result"]["placeholder"] == match[0], (match[0], answer)
            try:
                seen |= check_symbol(session, path, uri, match.start(), match[0], before)
            except AssertionError as error:
                raise AssertionError(f"{main}:{at['line'] + 1}:{at['character'] + 1}: {error}") from None
            count += 1
        status, errors = session.client.finish()
        assert (status, errors) == (0, ""), (status, errors)
    return count


TWO_INSTANCES = """fn f(tensor<real, n> a) real:
    b = a[0]
    macro if n == 2:
        return b
    else:
        c = b * 2
        return c
    end
end
fn g(tensor<real, m> a, real gain = 2.0) tensor<real, m>:
    b = a * gain
    return b
end
x = 2.0
print(f([1, 2]), f([1, 2, 3]), x)
"""
# What is asked for at a word of a program, with the new name, and the lines that change; None: refused.
CASES = [
    (TWO_INSTANCES, "b = a[0]", "q", [2, 4, 6]),  # one instance lacks line 4, the other line 6
    (TWO_INSTANCES, "c = b", "q", [6, 7]),
    (TWO_INSTANCES, "n> a", "q", [1, 3]),
    (TWO_INSTANCES, "gain =", "q", [10, 11]),  # nothing gives `g` its sizes
    (TWO_INSTANCES, "b = a *", "q", [11, 12]),
    (TWO_INSTANCES, "f(tensor", "q", [1, 15, 15]),
    (TWO_INSTANCES, "f(tensor", "g", None),
    (TWO_INSTANCES, "b = a[0]", "c", None),
    (TWO_INSTANCES, "b = a[0]", "x", None),
    (TWO_INSTANCES, "b = a[0]", "for", None),
    (TWO_INSTANCES, "b = a[0]", "2b", None),
    (TWO_INSTANCES, "print", "q", None),
    (TWO_INSTANCES, "real:", "q", None),
    ("x = 1.0\nfn f(tensor<real, n> a) real:\n    return a[0] + x\nend\nprint(x)\n", "x = 1", "q", [1, 3, 5]),
    ("x = 1.0\nfn f(tensor<real, n> x) real:\n    return x[0]\nend\nprint(x)\n", "x = 1", "q", [1, 5]),
    ("macro for k = 0:2:\n    z{k} = k\nend\nprint(z{0}, z{1})\n", "z{0}", "q", [2, 4, 4]),
    ("macro for k = 0:2:\n    z{k} = k\nend\nprint(z_0, z{1})\n", "z{1}", "q", None),
    ("macro for k = 0:2:\n    z{k} = k\nend\nprint(z{0}, z{1})\n", "k = 0", "q", [1, 2, 2]),
    ("macro if true:\n    x = 1\nelse:\n    x = 2\nend\nprint(x)\n", "x = 1", "q", [2, 4, 6]),
    ("in real t.u\nout real t.y\nu = 1.0\nfn output_fnc():\n    t.y = t.u + u\nend\n", "u\nout", "y", None),
    ("in real t.u\nout real t.y\nu = 1.0\nfn output_fnc():\n    t.y = t.u + u\nend\n", "u\nout", "q", [1, 5]),
    ("in real t.u\nout real t.y\nu = 1.0\nfn output_fnc():\n    t.y = t.u + u\nend\n", "u = 1", "y", [3, 5]),
    ("in real t.u\nout real t.y\nu = 1.0\nfn output_fnc():\n    t.y = t.u + u\nend\n", "output_fnc", "q", None),
    ("a = 1\nb = (a +\nprint(a)\n", "a = 1", "q", None),
    ("a = 1\nprint(a)\n", "a = 1", "every", [1, 2]),
    ("d = 1\nprint(var([1, 3], ddof = 1), d)\n", "d = 1", "ddof", [1, 2]),  # a parameter is no variable
    ("a = 1\nprint(a, inf)\n", "a = 1", "inf", None),
    ("_ = 1\nprint(_)\n", "_ = 1", "q", None),
    ("fn f():\n    print(1)\nend\nf()\n", "f()", "main_fnc", None),  # runs by its name
    ("fn f(real x) real:\n    return x\nend\nprint(f(1.0))\n", "f(", "init_fnc", None),
    ("in real t.u\nout real t.y\nfn output_fnc():\n    t.y = t.u\nend\nfn f():\n    pass\nend\n", "f()", "update_fnc",
     None),
    ("a = 1\nprint(a)\n", "a = 1", "output_fnc", [1, 2]),
]


def check_case(tmlc, text, word, name, lines):
    client = Client([tmlc, "lsp"])
    client.start()
    client.open("file:///case.tml", text)
    answer = client.ask("textDocument/rename", {
        "textDocument": {"uri": "file:///case.tml"}, "newName": name,
        "position": position(text, text.index(word))})
    found = None
    if "error" not in answer:
        edits = answer["result"]["changes"]["file:///case.tml"]
        found = sorted(edit["range"]["start"]["line"] + 1 for edit in edits)
    assert found == lines, f"{word!r} to `{name}` in\n{text}changes {answer}, not the lines {lines}"
    client.finish()


# What is asked for in a library, with the new name, what a file that imports it has beside that, and whether the name is
# refused.
LIBRARY = "real k = 2.0\nfn f(real x, real gain = 1.0) real:\n    return x * k * gain\nend\n"
IMPORTS = [
    ("f(", "print", "print(f(3.0))\n", True),  # what is built in there would be the function
    ("f(", "sum", "h = f(1.0)\nprint(sum([h, h]))\n", True),
    ("f(", "assert", "print(f(3.0))\ntest \"a\":\n    assert(f(1.0) == 2.0)\nend\n", True),
    ("f(", "print", "print(k)\n", True),
    ("f(", "sort", "print(sort([2.0, 1.0]))\n", True),
    ("f(", "sum", "print(f(3.0))\n", False),
    ("f(", "g", "fn g(real x) real:\n    return x\nend\nprint(f(1.0), g(1.0))\n", True),
    ("f(", "g", "fn g(real x) real:\n    return f(x)\nend\nprint(k)\n", True),
    ("k =", "inf", "print(k, inf)\n", True),
    ("k =", "n", "int n.rows = 2\nprint(k, n.rows)\n", True),
    ("k =", "h", "h = 3.0\nprint(f(h))\n", True),
    ("k =", "print", "print(k)\n", False),  # no call means a variable
    ("gain", "inf", "print(f(inf))\n", False),  # a parameter is of its function
]


# The same of what is asked for in the file that imports.
USERS = [
    ("h =", "k", "h = 3.0\nprint(f(h))\n", True),  # it would be an assignment to the library's
    ("h =", "k", "real h = 3.0\nprint(f(h))\n", False),
    ("h =", "gain", "h = 3.0\nprint(f(h))\n", False),
    ("g(", "f", "fn g(real x) real:\n    return x\nend\nprint(k, g(1.0))\n", False),
]


def check_user(tmlc, word, name, text, is_refused):
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "library.tml").write_text(LIBRARY)
        text = 'import "library.tml"\n' + text
        client = Client([tmlc, "lsp"])
        client.start()
        client.open(uri_of(folder + "/user.tml"), text)
        answer = client.ask("textDocument/rename", {
            "textDocument": {"uri": uri_of(folder + "/user.tml")}, "newName": name,
            "position": position(text, text.index(word))})
        assert ("error" in answer) == is_refused, f"{word!r} to `{name}` in\n{text}{answer}"
        client.finish()


def check_import(tmlc, word, name, text, is_refused):
    """The file that imports is open, or only lies beside the library."""
    with tempfile.TemporaryDirectory() as folder:
        library, user = pathlib.Path(folder).resolve() / "library.tml", pathlib.Path(folder).resolve() / "user.tml"
        library.write_text(LIBRARY)
        user.write_text('import "library.tml"\n' + text)
        for is_open in (True, False):
            client = Client([tmlc, "lsp"])
            client.request("initialize", {"capabilities": {}, "rootUri": uri_of(library.parent)})
            client.notify("initialized", {})
            client.open(uri_of(library), LIBRARY)
            if is_open:
                client.open(uri_of(user), user.read_text())
            answer = client.ask("textDocument/rename", {
                "textDocument": {"uri": uri_of(library)}, "newName": name,
                "position": position(LIBRARY, LIBRARY.index(word))})
            assert ("error" in answer) == is_refused, f"{word!r} to `{name}`, imported by\n{text}{answer}"
            client.finish()


def programs_of(root, everything):
    """Each program with the files that it may need."""
    examples = sorted((root / "examples").rglob("*.tml"))
    golden = sorted((root / "tests/golden").rglob("*.tml"))
    if not everything:
        examples = todays_share(examples, EXAMPLE_SHARES)
        golden = todays_share(golden, GOLDEN_SHARES)
    for path in examples:
        yield sorted(path.parent.iterdir()), path
    for path in golden:
        yield [path], path


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tmlc")
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--all", action="store_true")
    arguments = parser.parse_args()
    tmlc = str(pathlib.Path(arguments.tmlc).resolve())
    for case in CASES:
        check_case(tmlc, *case)
    for case in IMPORTS:
        check_import(tmlc, *case)
    for case in USERS:
        check_user(tmlc, *case)
    total = 0
    for files, path in programs_of(arguments.root.resolve(), arguments.all):
        total += check_folder(tmlc, files, path)
    print(f"{total} symbols renamed")
    assert total > 20


if __name__ == "__main__":
    main()
