#!/usr/bin/env python3
"""Navigation, completion, signatures and hints: language.py TMLC. Answers by hand; hover.py has hovers, rename.py
and inserted.py hold what changes programs against the compiler.
"""

import pathlib
import subprocess
import sys
import tempfile

from client import Client, index_of, position, span, uri_of

LIBRARY = "fn half(real x) real:\n    return x / 2.0\nend\nreal limit = 4.0\nint n.count = 3\n" \
          'test "halves":\n    assert(half(4.0) == 2.0)\nend\n'
MAIN = 'import "library.tml"\ny = half(limit) + n.count\nprint(y, half(y))\n'
COMPONENT = """in real t.u
out real t.y
tunable real p.gain = 2.0
real state = 0.0
fn output_fnc():
    scaled = p.gain * t.u  # t.
    t.y = scaled + state
end
"""
SYSTEM = """in real t.r
out real t.y
instance inner = "component.tml"(p.gain = 3.0)
connect inner.u = t.r
connect t.y = inner.y
"""
CALLS = """# Mixes.
fn mix(tensor<real, n> a, var real b, int k = 1) tensor<real, n>:
    b = 0.0
    return a * k
end
c = 1.0
x = mix([1, 2, 3], c, k = 2)
y = atan2([1, 2; 3, 4], 2) + min(c, 3)
print(x, y)
"""
tests = []


def test(function):
    tests.append(function)
    return function


def equal(found, wanted):
    assert found == wanted, f"{found!r} instead of {wanted!r}"


class Files:
    """Files of a folder, all open."""

    def __init__(self, tmlc, folder, **texts):
        self.client = Client([tmlc, "lsp"])
        self.client.start(textDocument={"completion": {"completionItem": {"snippetSupport": True}}})
        self.texts = {f"{name}.tml": text for name, text in texts.items()}
        self.folder = folder
        for name, text in self.texts.items():
            (folder / name).write_text(text)
            self.client.open(uri_of(folder / name), text)

    def at(self, name, word, shift=0):
        return {"textDocument": {"uri": uri_of(self.folder / name)},
                "position": position(self.texts[name], self.texts[name].index(word) + shift)}

    def ask(self, method, name, word, shift=0, **more):
        return self.client.request("textDocument/" + method, {**self.at(name, word, shift), **more})

    def places(self, answer):
        return sorted((pathlib.Path(item["uri"]).name, item["range"]["start"]["line"] + 1,
                       item["range"]["start"]["character"] + 1) for item in answer)

    def labels(self, name, word, shift=0):
        return {item["label"]: item for item in self.ask("completion", name, word, shift)}


@test
def definitions_and_references_cross_imports(tmlc, folder):
    files = Files(tmlc, folder, library=LIBRARY, main=MAIN)
    equal(files.places(files.ask("definition", "main.tml", "half")), [("library.tml", 1, 4)])
    everywhere = [("library.tml", 1, 4), ("library.tml", 7, 12), ("main.tml", 2, 5), ("main.tml", 3, 10)]
    for name, word in (("main.tml", "half"), ("library.tml", "half")):
        equal(files.places(files.ask("references", name, word)), everywhere)
        equal(files.places(files.ask("references", name, word, context={"includeDeclaration": False})),
              everywhere[1:])
    equal(files.places(files.ask("definition", "main.tml", "n.count")), [("library.tml", 5, 7)])
    equal(files.ask("definition", "main.tml", "print"), [])
    highlights = files.ask("documentHighlight", "main.tml", "y =")
    equal([item["range"]["start"]["line"] for item in highlights], [1, 2, 2])
    answer = files.ask("rename", "main.tml", "limit", newName="top")["changes"]
    equal({pathlib.Path(uri).name: len(edits) for uri, edits in answer.items()},
          {"main.tml": 1, "library.tml": 1})
    answer = files.ask("rename", "main.tml", "half(", newName="part")["changes"]
    equal({pathlib.Path(uri).name: len(edits) for uri, edits in answer.items()},
          {"main.tml": 2, "library.tml": 2})
    refused = files.client.ask("textDocument/rename", {**files.at("library.tml", "limit"), "newName": "half"})
    equal(refused["error"]["code"], -32803)


@test
def names_of_a_component_are_no_namespaces(tmlc, folder):
    text = "in real t.u\nout real t.y\nfn gain(real x) real:\n    y = 2.0 * x\n    return y\nend\n" \
           "fn output_fnc():\n    t.y = gain(t.u)\nend\n"
    files = Files(tmlc, folder, main=text)
    for name in "npt":
        refused = files.client.ask("textDocument/rename", {**files.at("main.tml", "gain"), "newName": name})
        equal(refused["error"]["message"], f"something else is called `{name}` here")
    assert files.ask("rename", "main.tml", "gain", newName="twice")["changes"]
    assert files.ask("rename", "main.tml", "y = 2.0", newName="n")["changes"]


@test
def the_workspace_has_files_that_are_not_open(tmlc, folder):
    (folder / "deep").mkdir()
    files = {"library.tml": LIBRARY, "deep/user.tml": MAIN.replace("library", "../library").replace("y", "z").replace("librarz", "library"),
             "second.tml": 'import "deep/../library.tml"\nprint(half(x = 2.0))\n',
             "alone.tml": "fn half(real x) real:\n    return x\nend\nprint(half(1.0))\n",
             "broken.tml": 'import "library.tml"\nx = (\n', ".hidden.tml": MAIN, "no.txt": MAIN}
    for name, text in files.items():
        (folder / name).write_text(text)

    def client_of(*folders):
        client = Client([tmlc, "lsp"])
        client.request("initialize", {"capabilities": {}, "workspaceFolders": [
            {"uri": uri_of(path), "name": "all"} for path in folders]})
        client.open(uri_of(folder / "library.tml"), LIBRARY)
        return client

    def places(client, word):
        answer = client.request("textDocument/references", {
            "textDocument": {"uri": uri_of(folder / "library.tml")}, "position": position(LIBRARY, LIBRARY.index(word))})
        return sorted((str(pathlib.Path(item["uri"].removeprefix("file://")).relative_to(folder)),
                       item["range"]["start"]["line"] + 1) for item in answer)

    def rename(client, word, name):
        return client.ask("textDocument/rename", {"textDocument": {"uri": uri_of(folder / "library.tml")},
                                                  "position": position(LIBRARY, LIBRARY.index(word)), "newName": name})

    client = client_of(folder)
    everywhere = [("deep/user.tml", 2), ("deep/user.tml", 3), ("library.tml", 1), ("library.tml", 7), ("second.tml", 2)]
    equal(places(client, "half"), everywhere)
    equal(places(client, "x)"), [("library.tml", 1), ("library.tml", 2), ("second.tml", 2)])
    equal(places(client, "limit"), [("deep/user.tml", 2), ("library.tml", 4)])
    # What the editor holds counts, not the file.
    client.open(uri_of(folder / "second.tml"), 'import "library.tml"\n\n\nprint(half(3.0))\n')
    equal(places(client, "half"), everywhere[:-1] + [("second.tml", 4)])
    client.close(uri_of(folder / "second.tml"))
    equal(places(client, "half"), everywhere)
    # A name that another file has is refused; one that is free is the new one everywhere, and all of it checks.
    refused = rename(client, "half", "z")["error"]
    equal((refused["code"], refused["message"]), (-32803, "something else is called `z` here"))
    (folder / "broken.tml").write_text('import "library.tml"\nx = (\nprint(half(2.0))\n')
    equal(rename(client, "half", "part")["error"]["message"],
          f"`half` cannot be renamed: {folder}/broken.tml: the file has syntax errors: names behind them are not known")
    (folder / "broken.tml").unlink()
    for uri, edits in rename(client, "half", "part")["result"]["changes"].items():
        path = pathlib.Path(uri.removeprefix("file://"))
        text = path.read_text()
        for edit in sorted(edits, key=lambda edit: list(edit["range"]["start"].values()), reverse=True):
            start, end = (index_of(text, edit["range"][side]) for side in ("start", "end"))
            text = text[:start] + edit["newText"] + text[end:]
        path.write_text(text)
    for name in ("deep/user.tml", "second.tml", "library.tml"):
        assert "half(" not in (folder / name).read_text(), name
        subprocess.run([tmlc, "check", "-Werror", folder / name], check=True)
    assert "half(" in (folder / "alone.tml").read_text() and "half(" in (folder / ".hidden.tml").read_text()
    equal(client.finish(), (0, ""))
    # Folders come and go.
    (folder / "deep/user.tml").write_text(files["deep/user.tml"])
    client = client_of()
    equal(places(client, "limit"), [("library.tml", 4)])
    event = {"added": [{"uri": uri_of(folder / "deep"), "name": "deep"}], "removed": []}
    client.notify("workspace/didChangeWorkspaceFolders", {"event": event})
    equal(places(client, "limit"), [("deep/user.tml", 2), ("library.tml", 4)])
    client.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": event["added"]}})
    equal(places(client, "limit"), [("library.tml", 4)])
    equal(client.finish(), (0, ""))


@test
def paths_lead_to_their_files(tmlc, folder):
    text = 'import "library.tml"\ninstance inner = "component.tml"()\ninstance other = "none.tml"()\n'
    files = Files(tmlc, folder, library=LIBRARY, component=COMPONENT, system=text)
    equal(files.places(files.ask("definition", "system.tml", "rary")), [("library.tml", 1, 1)])
    equal(files.places(files.ask("definition", "system.tml", '"comp')), [("component.tml", 1, 1)])
    equal(files.ask("definition", "system.tml", "none"), [])
    equal(files.ask("definition", "system.tml", "import"), [])


@test
def members_of_instances_are_those_of_their_component(tmlc, folder):
    files = Files(tmlc, folder, component=COMPONENT, system=SYSTEM)
    equal(files.places(files.ask("definition", "system.tml", "u = t.r")), [("component.tml", 1, 11)])
    equal(files.places(files.ask("references", "component.tml", "gain")),
          [("component.tml", 3, 16), ("component.tml", 6, 16), ("system.tml", 3, 36)])
    equal(set(files.labels("system.tml", "inner.u", 6)), {"u", "y", "init", "output", "update"})


@test
def completion_goes_by_what_stands_before(tmlc, folder):
    files = Files(tmlc, folder, component=COMPONENT, calls=CALLS)
    equal(set(files.labels("component.tml", "t.u  #", 2)), {"u", "y"})
    equal(set(files.labels("component.tml", "p.gain *", 2)), {"gain"})
    equal(files.labels("component.tml", "t.u  #", 2)["u"]["detail"], "real")
    equal(files.labels("component.tml", "# t.", 4), {})
    inside = files.labels("component.tml", "scaled + state")
    assert {"scaled", "state", "t", "p", "sin", "if", "end"} <= set(inside), sorted(inside)
    assert "n" not in inside and "if ... end" not in inside
    equal([inside[name]["detail"] for name in ("atan2", "min", "sort", "interp")],
          ["atan2(y, x)", "min(a[, b...])", "sort(x)", "interp(x, xs, ys)"])
    atan2 = ("angle of the point (x, y)\n\nNumPy: np.arctan2; MATLAB: atan2\n\n"
             "example: `4 * atan2(1, -1)` gives `9.42477796076938`")
    equal(inside["atan2"]["documentation"], atan2)
    assert "\n\naccuracy: exact\n\ncost: n log2 n\n\n" in inside["sort"]["documentation"], inside["sort"]
    missing = [name for name, item in inside.items() if item["kind"] == 3 and not item.get("documentation")]
    equal(missing, ["output_fnc"])
    assert not any(name.startswith("_") for name in inside)
    assert "scaled" not in files.labels("component.tml", "p.gain *")
    assert "scaled" not in files.labels("component.tml", "real state")
    assert "if ... end" in files.labels("component.tml", "t.y = scaled")
    equal(files.labels("calls.tml", "x, y)")["mix"]["detail"],
          "fn mix(tensor<real, n> a, var real b, int k = 1) tensor<real, n>")
    body = files.labels("calls.tml", "a * k")
    assert {"a", "b", "k", "n"} <= set(body) and "x" in body, sorted(body)
    twice = SYSTEM.replace("connect inner", 'instance other = "component.tml"()\nconnect other.u = t.r\nconnect inner')
    files = Files(tmlc, folder, component=COMPONENT, twice=twice)
    offered = [item["label"] for item in files.ask("completion", "twice.tml", "inner.u", len("inner."))]
    equal(sorted(offered), ["init", "output", "u", "update", "y"])
    unfinished = "a = [1, 2; 3, 4]\nb = a.\nprint(a, \"b.\")\n"
    files = Files(tmlc, folder, unfinished=unfinished)
    equal(set(files.labels("unfinished.tml", "a.", 2)), {"size", "len", "numel", "rows", "cols", "type"})
    equal(files.labels("unfinished.tml", '"b.', 3), {})


@test
def signatures_tell_what_parameters_are_in_a_call(tmlc, folder):
    files = Files(tmlc, folder, calls=CALLS)
    answer = files.ask("signatureHelp", "calls.tml", "2, 3], c")
    signature = answer["signatures"][0]
    equal(signature["label"], "fn mix(tensor<real, n> a, var real b, int k = 1) tensor<real, n>")
    equal(signature["documentation"], "Mixes.")
    equal(signature["parameters"], [
        {"label": "tensor<real, n> a", "documentation": "tensor<real, 3>, from tensor<int, 3>"},
        {"label": "var real b", "documentation": "real"}, {"label": "int k", "documentation": "int"}])
    equal(answer["activeParameter"], 0)
    equal(files.ask("signatureHelp", "calls.tml", "c, k = 2")["activeParameter"], 1)
    equal(files.ask("signatureHelp", "calls.tml", "2)\ny")["activeParameter"], 2)
    answer = files.ask("signatureHelp", "calls.tml", "2) + min")
    equal(answer["signatures"][0]["label"], "atan2(y, x)")
    assert answer["signatures"][0]["documentation"].startswith("angle of the point (x, y)\n"), answer
    equal([item["documentation"] for item in answer["signatures"][0]["parameters"]],
          ["tensor<real, 2, 2>, from tensor<int, 2, 2>", "tensor<real, 2, 2>, from int"])
    equal(answer["activeParameter"], 1)
    equal(files.ask("signatureHelp", "calls.tml", "c = 1.0"), None)
    equal(files.ask("signatureHelp", "calls.tml", "tensor<real, n> a"), None)


@test
def signatures_are_of_the_function_that_is_called(tmlc, folder):
    """Other files that are read have functions of the same name."""
    files = Files(
        tmlc, folder,
        far="fn f(real a, real b, real c, real d) real:\n    return a + b + c + d\nend\n",
        near='import "far.tml"\nfn g(real a) real:\n    return f(a, a, a, a)\nend\n',
        main='import "near.tml"\nfn f(real a) real:\n    return a\nend\nprint(f(1.0), g(2.0))\n',
        part="in real t.r\nout real t.u\nfn limit(real x, real low) real:\n    return max(x, low)\nend\n"
             "fn output_fnc():\n    t.u = limit(t.r, -1.0)\nend\n",
        system='in real t.x\nout real t.y\ninstance part = "part.tml"()\nconnect part.r = limit(t.x)\n'
               "connect t.y = part.u\nfn limit(real a) real:\n    return min(a, 1.0)\nend\n",
        wrong='instance part = "part.tml"()\nconnect part.r = limit(1.0)\n')
    labels = [[item["label"] for item in (files.ask("signatureHelp", name, word) or {"signatures": []})["signatures"]]
              for name, word in (("main.tml", "1.0), g"), ("near.tml", "a, a, a, a)"), ("system.tml", "t.x)\n"),
                                 ("wrong.tml", "1.0)\n"))]
    equal(labels, [["fn f(real a) real"], ["fn f(real a, real b, real c, real d) real"], ["fn limit(real a) real"],
                   []])
    equal(files.client.finish(), (0, ""))


@test
def hints_are_short_and_only_where_they_say_something(tmlc, folder):
    text = ("a = 1\nb = -2.5\nc = [1, 2; 3, 4]\nd = nest(c, 1)\ne = true\nf = c .* [1, 2]\n"
            "fn twice(tensor<real, n> x) tensor<real, n>:\n    y = 2 * x\n    return y\nend\n"
            "g = twice([1, 2])\nprint(a, b, d, e, f, g, twice([1, 2, 3]))\n")
    files = Files(tmlc, folder, hints=text)
    hints = files.client.request("textDocument/inlayHint", {
        "textDocument": {"uri": uri_of(folder / "hints.tml")}, "range": span(text, 0, len(text))})
    equal([(hint["position"]["line"] + 1, hint["label"]) for hint in hints],
          [(3, ": 2x2 int"), (4, ": 2 of 2 int"), (6, ": 2 int"), (11, ": 2 real"), (11, "<n = 2>"),
           (12, "<n = 3>")])
    equal(hints[1]["tooltip"], "tensor<tensor<int, 2>, 2>")
    part = files.client.request("textDocument/inlayHint", {
        "textDocument": {"uri": uri_of(folder / "hints.tml")}, "range": span(text, 0, text.index("d ="))})
    equal(len(part), 1)


@test
def lenses_run_tests(tmlc, folder):
    text = ('x = 1\ntest "one":\n    assert(x == 1)\nend\n# 𝛼\ntest "two" E1004:\n    assert(x == 2)\nend\n')
    uri, path = uri_of(folder / "a b.tml"), str(folder / "a b.tml")
    asked = {"textDocument": {"uri": uri}}
    for commands in (["other", "tmlc.test"], ["other"], None):
        client = Client([tmlc, "lsp"])
        client.request("initialize", {"capabilities": {}, "initializationOptions": {"commands": commands}})
        client.open(uri, text)
        lenses = client.request("textDocument/codeLens", asked)
        found = [(lens["range"]["start"]["line"], lens["command"]["title"], lens["command"]["arguments"])
                 for lens in lenses]
        one = ["test", f"{path}:2"]
        equal(found, [] if commands is None or len(commands) == 1 else [
            (1, "run test", one), (1, "run all tests of this file", ["test", path]),
            (5, "run test", ["test", f"{path}:6"])])
        client.change(uri, 2, text + "y = (\n")  # does not parse
        equal(client.request("textDocument/codeLens", asked), lenses)
        client.change(uri, 3, "x = 1\n")
        equal(client.request("textDocument/codeLens", asked), [])
        client.open("untitled:1", text)
        equal(client.request("textDocument/codeLens", {"textDocument": {"uri": "untitled:1"}}), [])
        equal(client.finish(), (0, ""))
    (folder / "a b.tml").write_text(text)
    for words, passed in ((one, 1), (["test", path], 2)):
        done = subprocess.run([tmlc, *words], capture_output=True, text=True, timeout=60)
        equal(done.stdout, f"{path}: {passed} passed\n")


def main():
    tmlc = str(pathlib.Path(sys.argv[1]).resolve())
    failures = 0
    for function in tests:
        with tempfile.TemporaryDirectory() as name:
            try:
                function(tmlc, pathlib.Path(name).resolve())
            except AssertionError as error:
                failures += 1
                print(f"{function.__name__}: {error}")
    print(f"{len(tests)} tests, {failures} failures")
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
