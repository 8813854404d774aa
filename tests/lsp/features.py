#!/usr/bin/env python3
"""What the server says of a document beside messages: features.py TMLC ROOT

Layout, outline, folds, selections, colours and quick fixes, on small texts whose answers stand here, and
on every example: there the layout is that of `tmlc fmt`, and a fix leaves fewer messages.
"""

import pathlib
import subprocess
import sys
import tempfile

from client import Client, Closed, LINE_END, position, programs, span, uri_of

MOTOR = """# A motor
# of one mass.
in real t.u
out real t.w
tunable real p.k = 2.0
real n.dt = 0.01

w = 0.0

fn gain(tensor<real, n> a) tensor<real, n>:
    b = [1.0, 2.0,
         3.0]
    return a * p.k
end
fn output_fnc():
    t.w = w
end
fn update_fnc():
    if t.u > 0.0:
        w = w + n.dt
    elseif t.u < 0.0:
        w = 0.0
    else:
        v = gain([t.u, w])
        w = v[0]
    end
end
"""
tests = []


def test(function):
    tests.append(function)
    return function


def equal(found, wanted):
    assert found == wanted, f"{found!r} instead of {wanted!r}"


def offset(text, place):
    """The character at a position in UTF-16."""
    start, line = 0, 0
    for match in LINE_END.finditer(text):
        if line == place["line"]:
            break
        start, line = match.end(), line + 1
    behind = text[start:].encode("utf-16-le")[: 2 * place["character"]]
    return start + len(behind.decode("utf-16-le"))


def applied(text, edits):
    for edit in sorted(edits, key=lambda edit: offset(text, edit["range"]["start"]), reverse=True):
        start, end = (offset(text, edit["range"][side]) for side in ("start", "end"))
        text = text[:start] + edit["newText"] + text[end:]
    return text


class Session:
    """A client with one document."""

    def __init__(self, tmlc, folder, text, **capabilities):
        self.client = Client([tmlc, "lsp"])
        self.client.start(**capabilities)
        self.uri = uri_of(folder / "document.tml")
        self.version = 1
        self.text = text
        self.messages = self.client.checked(self.uri, text)

    def set(self, text):
        self.version += 1
        self.text = text
        self.client.change(self.uri, self.version, text)
        self.messages = self.client.messages(self.uri, self.version)

    def ask(self, method, **params):
        return self.client.request(f"textDocument/{method}", {"textDocument": {"uri": self.uri}, **params})

    def typed(self, before, behind=""):
        """What becomes of a text when its last character before the cursor was typed."""
        self.set(before + behind)
        edits = self.ask("onTypeFormatting", position=position(self.text, len(before)), ch=before[-1],
                         options={})
        return applied(self.text, edits or [])

    def actions(self, text):
        self.set(text)
        return self.ask("codeAction", range=span(text, 0, len(text)), context={"diagnostics": []})

    def finish(self):
        equal(self.client.finish(), (0, ""))


@test
def layout(tmlc, folder, root):
    session = Session(tmlc, folder, "a=1\nprint( a )\n")
    options = {"tabSize": 4, "insertSpaces": True}
    equal(applied(session.text, session.ask("formatting", options=options)), "a = 1\nprint(a)\n")
    session.set("a = 1\nprint(a)\n")
    equal(session.ask("formatting", options=options), [])
    session.set("a=(\n")
    equal(session.ask("formatting", options=options), None)
    count = 0
    for name, text in programs(root):
        if ":" in name and "```" in text:
            continue
        done = subprocess.run([tmlc, "fmt"], input=text.encode(), capture_output=True, timeout=60)
        session.set(text)
        edits = session.ask("formatting", options=options)
        if done.returncode == 0:
            equal((name, applied(text, edits)), (name, done.stdout.decode()))
            count += 1
        else:
            equal((name, edits), (name, None))
    assert count > 500, count
    session.finish()


@test
def lines_as_they_are_typed(tmlc, folder, root):
    session = Session(tmlc, folder, "\n")
    block = "fn f(int a) int:\n    if a > 0:\n        b = (\n"  # does not parse
    equal(session.typed(block + "        end"), block + "    end")
    equal(session.typed(block + "            end", "\nx = 1\n"), block + "    end\nx = 1\n")
    equal(session.typed(block + "        else:"), block + "    else:")
    equal(session.typed(block + "  elseif a < 3:"), block + "    elseif a < 3:")
    equal(session.typed(block + "    end"), block + "    end")
    equal(session.typed(block + "        bend"), block + "        bend")
    equal(session.typed("end"), "end")
    long = "  fn f(int a,\n       int b) int:\n\treturn 1\n"
    equal(session.typed(long + "\tend"), long + "  end")
    session.finish()


@test
def symbols(tmlc, folder, root):
    session = Session(tmlc, folder, MOTOR)
    found = [(item["name"], item["kind"]) for item in session.ask("documentSymbol")]
    equal(found, [("t.u", 11), ("t.w", 11), ("p.k", 7), ("n.dt", 14), ("w", 13), ("gain", 12),
                  ("output_fnc", 12), ("update_fnc", 12)])
    gain = session.ask("documentSymbol")[5]
    start = MOTOR.index("fn gain")
    equal(gain["range"], span(MOTOR, start, MOTOR.index("end", start) + 3))
    equal(gain["selectionRange"], span(MOTOR, start + 3, start + 7))
    tested = MOTOR + '\ntest "it turns":\n    cycle()\nend\n'
    session.set(tested)
    last = session.ask("documentSymbol")[-1]
    start = tested.index("test ")
    equal((last["name"], last["kind"], last["range"]), ("test it turns", 6, span(tested, start, len(tested) - 1)))
    session.set(MOTOR + "\nfn broken(\n")
    equal(len(session.ask("documentSymbol")), 8)
    # A recording for outputs of which one is not understood, because of what stands before it.
    session.set("out real t.y  by hand` and\nout real t.y\nreal n.dt = 1b = a\n"
                'test "recorded":\n    replay("in.csv", "out.csv", 1e-9)\n')
    session.ask("documentSymbol")
    session.finish()
    (folder / "other.tml").write_text("fn regain() int:\n    return 1\nend\n")
    (folder / ".hidden.tml").write_text("fn gain2() int:\n    return 1\nend\n")
    client = Client([tmlc, "lsp"])
    client.request("initialize", {"capabilities": {}, "workspaceFolders": [
        {"uri": uri_of(folder), "name": "all"}]})
    client.checked(uri_of(folder / "motor.tml"), MOTOR)
    found = client.request("workspace/symbol", {"query": "GAI"})
    equal(sorted(item["name"] for item in found), ["gain", "regain"])
    equal({item["location"]["uri"] for item in found},
          {uri_of(folder / "motor.tml"), uri_of(folder / "other.tml")})
    equal(client.request("workspace/symbol", {"query": "zzz"}), [])
    equal(client.finish(), (0, ""))


@test
def folds(tmlc, folder, root):
    session = Session(tmlc, folder, MOTOR)
    lines = MOTOR.split("\n")

    def first(text):
        return lines.index(text)

    found = {(item["startLine"], item["endLine"], item.get("kind")) for item in session.ask("foldingRange")}
    function = next(number for number, line in enumerate(lines) if line.startswith("fn gain"))
    assert {(0, 1, "comment"), (function, function + 3, None)} <= found, found
    update = first("fn update_fnc():")
    equal({fold for fold in found if fold[0] > update},
          {(update + 1, update + 2, None), (update + 3, update + 4, None), (update + 5, update + 7, None)})
    session.finish()


@test
def selections_grow(tmlc, folder, root):
    session = Session(tmlc, folder, MOTOR)
    at = MOTOR.index("n.dt", MOTOR.index("w = w")) + 2
    (selection,) = session.ask("selectionRange", positions=[position(MOTOR, at)])
    found = []
    while selection:
        start, end = (offset(MOTOR, selection["range"][side]) for side in ("start", "end"))
        found.append(MOTOR[start:end])
        selection = selection.get("parent")
    equal(found[:4], ["dt", "n.dt", "w + n.dt", "w = w + n.dt"])
    equal(found[-1], MOTOR)
    assert found[-2].startswith("fn update_fnc") and found[-2].endswith("    end\nend"), found[-2]
    for small, large in zip(found, found[1:]):
        assert small in large and small != large
    equal(session.client.error("textDocument/selectionRange", {
        "textDocument": {"uri": session.uri}, "positions": [{}]}), -32602)
    session.finish()


@test
def colours(tmlc, folder, root):
    text = MOTOR.replace("# A motor", "# 𝛼 motor")
    client = Client([tmlc, "lsp"])
    types = client.start()["capabilities"]["semanticTokensProvider"]["legend"]["tokenTypes"]
    equal(client.finish(), (0, ""))
    session = Session(tmlc, folder, text)
    data = session.ask("semanticTokens/full")["data"]
    line = column = 0
    found = {}
    for index in range(0, len(data), 5):
        down, right, length, kind, modifiers = data[index : index + 5]
        line, column = line + down, (column if down == 0 else 0) + right
        start = offset(text, {"line": line, "character": column})
        found.setdefault(text[start : start + length], set()).add((types[kind], modifiers))
    equal(found["t.u"] - {("property", 1 | 2 | 4)}, {("property", 2 | 4)})
    assert {("property", 8)} <= found["t.w"], found
    assert {("property", 16)} <= found["p.k"], found
    assert {("variable", 2)} <= found["n.dt"], found
    assert {("parameter", 0)} <= found["a"], found
    assert {("function", 0)} <= found["gain"], found
    session.set("a = (\n")
    session.ask("semanticTokens/full")
    session.finish()


@test
def fixes(tmlc, folder, root):
    session = Session(tmlc, folder, "\n")

    def fixed(text, title):
        actions = session.actions(text)
        (action,) = [action for action in actions if title in action["title"]]
        (uri,) = action["edit"]["changes"]
        equal((uri, action["kind"]), (session.uri, "quickfix"))
        result = applied(text, action["edit"]["changes"][uri])
        before = [message["code"] for message in session.messages]
        session.set(result)
        after = [message["code"] for message in session.messages]
        assert len(after) < len(before), (before, after, result)
        return result

    function = "fn f(int a) int:\n    {}\n    return a\nend\nprint(f(1))\n"
    equal(fixed("a = [1, 2, 3; 4, 5, 6]\nb = [1.0, 2.0]\nc = a + b\nprint(c)\n", "fits"),
          "a = [1, 2, 3; 4, 5, 6]\nb = [1.0, 2.0]\nc = a + align(b, 2, [0])\nprint(c)\n")
    equal(fixed(function.format("x = 1"), "allow"), function.format("x = 1  # tmlc: allow(unused)"))
    equal(fixed(function.format("x = '#'.len"), "allow"), function.format("x = '#'.len  # tmlc: allow(unused)"))
    equal(fixed(function.format("x = '#'.len # #"), "allow"), function.format("x = '#'.len # tmlc: allow(unused) #"))
    equal(fixed(function.format("x = 1 # why"), "allow"),
          function.format("x = 1 # tmlc: allow(unused) why"))
    component = "in real t.a\nout real t.y\n\nfn output_fnc():\n    t.y = t.a + t.b\nend\n"
    equal(fixed(component, "declare"), component.replace("t.y\n\n", "t.y\nin real t.b\n\n"))
    # A change that would not check is not offered.
    for text in ("print(x)\n", "a = [1, 2] + [1, 2, 3, 4]\nprint(a)\n"):
        equal(session.actions(text), [])
    equal(session.ask("codeAction", range=span("", 0, 0), context={"diagnostics": []}), [])
    session.finish()


def main():
    tmlc, root = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    failed = 0
    for function in tests:
        with tempfile.TemporaryDirectory() as folder:
            try:
                function(tmlc, pathlib.Path(folder).resolve(), root)
            except (AssertionError, Closed, ValueError, KeyError) as error:
                failed += 1
                place = error.__traceback__.tb_next or error.__traceback__
                print(f"{function.__name__}, line {place.tb_lineno}: {type(error).__name__} {error}")
    print(f"{len(tests)} features, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
