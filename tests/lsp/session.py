#!/usr/bin/env python3
"""Sessions of the language server: session.py SERVER... Each SERVER is a program that has `lsp`.

Life and death of a session, texts and positions, messages of files and their imports, and what comes of
input that is not the protocol.
"""

import concurrent.futures
import json
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from client import Client, Closed, span, uri_of

TABLE = "a = [1, 2, 3; 4, 5, 6]\nb = [1.0, 2.0]\nc = a + b\nprint(c)\n"
tests = []


def test(function):
    tests.append(function)
    return function


def equal(found, wanted):
    assert found == wanted, f"{found!r} instead of {wanted!r}"


def codes(messages):
    return [message["code"] for message in messages]


@test
def a_session_begins_and_ends(server, folder):
    client = Client(server)
    equal(client.error("textDocument/hover", {}), -32002)
    client.notify("textDocument/didOpen", {"textDocument": {"uri": "file:///a.tml", "text": "!"}})
    result = client.start()
    equal(result["capabilities"]["positionEncoding"], "utf-16")
    equal(result["capabilities"]["textDocumentSync"], {"openClose": True, "change": 2, "save": True})
    equal(result["serverInfo"]["name"], "tmlc")
    equal(client.error("initialize", {"capabilities": {}}), -32600)
    equal(client.request("shutdown"), None)
    equal(client.error("textDocument/hover", {}), -32600)
    client.notify("exit", None)
    equal(client.end(), (0, ""))
    client = Client(server)
    client.start()
    client.notify("exit", None)
    equal(client.end(), (1, ""))


@test
def positions_are_in_units_that_both_know(server, folder):
    for encodings, name in (([], "utf-16"), (["utf-16"], "utf-16"), (["utf-32", "utf-8"], "utf-8")):
        client = Client(server)
        result = client.start(general={"positionEncodings": encodings})
        equal(result["capabilities"]["positionEncoding"], name)
        utf8 = name == "utf-8"
        text = 'x = "µ𝛼" # 𝛼\r\nµ = y + 1\n'
        uri = uri_of(folder / "positions.tml")
        y = text.index("y")
        messages = client.checked(uri, text)
        equal(codes(messages)[-1], "E0301")
        equal(messages[-1]["range"], span(text, y, y + 1, utf8))
        at = text.index("𝛼")
        client.change(uri, 2, (span(text, at, at + 1, utf8), "ab"), (span(text, 0, 0, utf8), "\n"))
        text = "\n" + text[:at] + "ab" + text[at + 1 :]
        equal(client.request("tmlc/text", {"textDocument": {"uri": uri}})["text"], text)
        end = {"line": 99, "character": 99}
        behind = {"start": {"line": 1, "character": 99}, "end": {"line": 1, "character": 100}}
        client.change(uri, 3, ({"start": end, "end": end}, "!"), (behind, "?"))
        text = text.replace("\r\n", "?\r\n") + "!"
        equal(client.request("tmlc/text", {"textDocument": {"uri": uri}}), {"text": text, "version": 3})
        equal(client.finish(), (0, ""))


@test
def a_message_has_its_table_labels_and_help(server, folder):
    client = Client(server)
    client.start(textDocument={"publishDiagnostics": {"relatedInformation": True}})
    uri = uri_of(folder / "table.tml")
    (message,) = client.checked(uri, TABLE)
    lines = message["message"].split("\n")
    equal(lines[0], "these shapes do not broadcast: tensor<int, 2, 3> + tensor<real, 2>")
    equal(lines[2].split(), ["a", "2", "3"])
    assert lines[4].startswith("help: `align(b"), lines
    equal((message["severity"], message["code"], message["source"]), (1, "E0501", "tmlc"))
    plus = TABLE.index("+")
    equal(message["range"], span(TABLE, plus, plus + 1))
    labels = {item["message"]: item["location"] for item in message["relatedInformation"]}
    equal(labels["`a` is tensor<int, 2, 3>, from this literal"],
          {"uri": uri, "range": span(TABLE, 0, 1)})
    function = "fn f() int:\n{}    return 2\nend\nprint(f())\n"
    client.change(uri, 2, function.format("    x = 1\n"))
    (message,) = client.messages(uri, 2)
    equal((message["severity"], message["code"], message["tags"]), (2, "unused", [1]))
    client.change(uri, 3, function.format("".join(f"    x{i} = {i}\n" for i in range(300))))
    equal(len(client.messages(uri, 3)), 100)
    client.change(uri, 4, "print(1)\n")
    equal(client.messages(uri, 4), [])
    equal(client.finish(), (0, ""))


@test
def imports_come_from_the_editor(server, folder):
    main, library = folder / "main.tml", folder / "library.tml"
    text = 'import "library.tml"\nprint(twice(2))\n'
    client = Client(server)
    client.start()
    (message,) = client.checked(uri_of(main), text)
    equal(message["code"], "E0705")
    good = "fn twice(int a) int:\n    return 2 * a\nend\n"
    client.open(uri_of(library), good)  # not saved
    equal(client.messages(uri_of(main)), [])
    client.change(uri_of(library), 2, good.replace("2 * a", "2 * b"))
    equal(codes(client.messages(uri_of(library), 2)), ["E0301"])
    equal(client.messages(uri_of(main), 1), [])
    library.write_text(good)
    client.close(uri_of(library))  # now the file counts
    equal(client.messages(uri_of(library)), [])
    library.write_text(good.replace("twice", "double"))
    client.notify("textDocument/didSave", {"textDocument": {"uri": uri_of(library)}})
    equal(codes(client.messages(uri_of(main))), ["E0301"])
    # What is wrong in a file that is not open is told of that file.
    library.write_text("fn twice(int a) int:\n    return b\nend\n")
    client.notify("workspace/didChangeWatchedFiles", {"changes": []})
    equal(codes(client.messages(uri_of(library))), ["E0301"])
    client.close(uri_of(main))
    equal(client.messages(uri_of(library)), [])
    equal(client.finish(), (0, ""))


@test
def new_files_below_a_link_are_found(server, folder):
    (folder / "real").mkdir()
    (folder / "link").symlink_to("real")
    library, main = folder / "link" / "new.tml", folder / "link" / "main.tml"
    good = "fn f(real x) real:\n    return x\nend\n"
    client = Client(server)
    client.start()
    client.open(uri_of(library), good)
    client.open(uri_of(main), 'import "new.tml"\nprint(f(1.0))\n')
    equal(client.messages(uri_of(main)), [])
    library.write_text(good)
    client.notify("textDocument/didSave", {"textDocument": {"uri": uri_of(library)}})
    equal(client.messages(uri_of(main)), [])
    client.change(uri_of(library), 2, good.replace("f(", "g("))  # what the editor holds counts
    equal(codes(client.messages(uri_of(main))), ["E0301"])
    equal(client.finish(), (0, ""))


@test
def names_of_files_are_escaped(server, folder):
    place = folder / "å b%20"
    place.mkdir()
    (place / "l#1.tml").write_text("fn one() int:\n    return 1\nend\n")
    client = Client(server)
    client.start()
    text = 'import "l#1.tml"\nprint(one())\n'
    equal(client.checked(uri_of(place / "main.tml"), text), [])
    equal(codes(client.checked("untitled:Untitled-1", "print(x)\n")), ["E0301"])
    equal(client.finish(), (0, ""))


@test
def what_is_no_text_is_told_like_on_the_command_line(server, folder):
    client = Client(server)
    client.start()
    uri = uri_of(folder / "bytes.tml")
    for number, (text, raw) in enumerate([("x = 1\0\n", None), ('x = "A"\n', b"\xff"), ("x = A\n", b"\xc3"),
                                          ("# A\n", b"\xed\xa0\x80")]):  # fmt: skip
        body = json.dumps({"method": "textDocument/didOpen", "params": {"textDocument": {
            "uri": uri, "version": number, "text": text}}}).encode()
        client.write_text(body if raw is None else body.replace(b"A", raw))
        assert "E0101" in codes(client.messages(uri, number)), text
    # Half of a pair, as an editor has it while a character is typed.
    client.write_text(r'{"method":"textDocument/didOpen","params":{"textDocument":{"uri":"%s",'
                      r'"version":9,"text":"# \ud835 \ud835\udefc\ny"}}}' % uri)
    messages = client.messages(uri, 9)
    equal(codes(messages)[0], "E0101")
    equal(messages[-1]["range"]["start"], {"line": 1, "character": 0})
    equal(client.finish(), (0, ""))


@test
def requests_that_cannot_be_answered(server, folder):
    client = Client(server)
    client.start()
    equal(client.error("textDocument/nonsense", {}), -32601)
    equal(client.error("tmlc/text", {"textDocument": {"uri": "file:///closed.tml"}}), -32602)
    equal(client.error("tmlc/text", None), -32602)
    uri = uri_of(folder / "a.tml")
    client.open(uri, "x = 1\n", version=5)
    named = {"textDocument": {"uri": uri, "version": 4}}
    equal(client.request("tmlc/text", named), None)
    client.notify("textDocument/nonsense", {})
    client.notify("$/cancelRequest", {"id": 77})
    client.notify("textDocument/didChange", {"textDocument": {"uri": "file:///closed.tml"}})
    for wrong in ({}, {"textDocument": 3}, [], None, {"textDocument": {"uri": uri}, "contentChanges": 3},
                  {"textDocument": {"uri": uri, "version": 5}, "contentChanges": [
                      {"text": 3}, 7, {"range": {"start": {}}, "text": "!"},
                      {"range": {"start": {"line": -1, "character": 0}}, "text": "!"}]}):  # fmt: skip
        for method in ("didOpen", "didChange", "didClose" if not wrong else "didSave"):
            client.notify(f"textDocument/{method}", wrong)
    equal(client.request("tmlc/text", {"textDocument": {"uri": uri}})["text"], "x = 1\n")
    for text, code in (("{", -32700), ("", -32700), ("[" * 100000, -32700), ("3", -32600), ("[]", -32600),
                       ('{"id":1}', -32600), ('{"id":{},"method":"shutdown"}', -32600)):  # fmt: skip
        client.write_text(text)
        answer = client.answer(None)
        equal((answer["error"]["code"], answer["id"]), (code, None))
    client.send({"id": "a text", "method": "tmlc/text", "params": {"textDocument": {"uri": uri}}})
    equal(client.answer("a text")["result"]["text"], "x = 1\n")
    client.send({"id": 12, "result": None})  # an answer to what was never asked
    equal(client.finish(), (0, ""))


@test
def what_is_not_the_protocol_ends_the_server(server, folder):
    for data, why in ((b"Content-Type: x\r\n\r\n{}", "a header has no `Content-Length`"),
                      (b"Content-Length: -1\r\n\r\n{}", "a header has no `Content-Length`"),
                      (b"Content-Length: many\r\n\r\n{}", "a header has no `Content-Length`"),
                      (b"Content-Length: 67108865\r\n\r\n", "a message is longer than 64 MiB"),
                      (b"Content-Length: 99999999999999999999\r\n\r\n", "a header has no `Content-Length`"),
                      (b"x" * 70000, "a header is longer than 64 KiB")):  # fmt: skip
        client = Client(server)
        client.start()
        client.write(data)
        equal(client.end(), (1, f"tmlc: error: {why}\n"))
    # Headers come in pieces, in any case, and with others.
    client = Client(server)
    body = b'{"id":1,"method":"initialize","params":{"capabilities":{}}}'
    header = b"content-LENGTH:%d\r\nContent-Type: application/vscode-jsonrpc\r\n\r\n" % len(body)
    for byte in header + body:
        client.write(bytes([byte]))
    assert "result" in client.answer(1)
    equal(client.finish(), (0, ""))


@test
def a_client_that_is_gone_leaves_no_server(server, folder):
    client = Client(server)
    client.start()
    client.process.stdin.close()  # without a word
    equal(client.process.wait(timeout=60), 1)
    # Somebody else holds the pipe.
    parent = subprocess.Popen(["sleep", "60"])
    client = Client(server)
    client.request("initialize", {"processId": parent.pid, "capabilities": {}})
    time.sleep(2.5)
    equal(client.process.poll(), None)
    parent.kill()
    parent.wait()
    equal(client.process.wait(timeout=60), 1)
    # Nobody reads what it writes.
    client = Client(server)
    client.start()
    client.process.stdout.close()
    client.open(uri_of(folder / "a.tml"), "x = 1\n")
    equal(client.process.wait(timeout=60), 1)


@test
def codes_lead_to_the_documents(server, folder):
    pages = pathlib.Path(__file__).resolve().parents[2] / "docs"
    installed = folder / "share/doc/tmlc/docs"
    installed.mkdir(parents=True)
    anchors = {}
    for name in ("diagnostics.md", "warnings.md"):
        text = (pages / name).read_text()
        (installed / name).write_text(text)
        for heading in re.findall(r"^## (.*)$", text, re.M):
            anchor = re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")
            anchors[heading.split(":")[0]] = f"{uri_of(installed / name)}#{anchor}"
    (folder / "bin").mkdir()
    program = shutil.copy(server[0], folder / "bin/server")
    uri = uri_of(folder / "a.tml")
    text = "fn f(int a) int:\n    x = 1\n    return a\nend\nprint(f(1))\n"
    for support in (True, False):
        client = Client([str(program), "lsp"])
        client.start(textDocument={"publishDiagnostics": {"codeDescriptionSupport": support}})
        found = client.checked(uri, text) + client.checked(uri_of(folder / "b.tml"), TABLE)
        equal(codes(found), ["unused", "E0501"])
        for message in found:
            wanted = {"href": anchors[message["code"]]} if support else None
            equal(message.get("codeDescription"), wanted)
        equal(client.finish(), (0, ""))


@test
def options_come_from_client_and_project(server, folder):
    ranks = "a = [1.0, 2.0; 3.0, 4.0] + [1.0, 2.0]\nprint(a)\n"
    component = "in real t.u\nout real t.y\nreal n.k = 1.0\nfn output_fnc():\n    t.y = n.k * t.u\nend\n"
    uri = uri_of(folder / "a.tml")
    client = Client(server)
    client.request("initialize", {"capabilities": {}, "initializationOptions": {
        "rankPromotion": "error", "define": {"n.k": "[1, 2]"}, "real": "f32", "warnings": ["all"]}})
    equal(codes(client.checked(uri, ranks)), ["E0501"])
    client.change(uri, 2, component)
    assert client.messages(uri, 2), "n.k is no list"

    def configure(settings):
        client.notify("workspace/didChangeConfiguration", {"settings": settings})

    configure({"tmlc": {"define": ["n.k=2.0", "n.other=1"]}})
    equal(client.messages(uri, 2), [])
    configure({"rankPromotion": "error"})
    client.change(uri, 3, ranks)
    equal(codes(client.messages(uri, 3)), ["E0501"])
    configure({"define": ["n.k=2.0"]})  # of the others those from the beginning hold
    equal(codes(client.messages(uri, 3)), ["E0501"])
    configure({"rankPromotion": None})
    equal(client.messages(uri, 3), [])
    project = folder / "tmlc.json"
    project.write_text('{"options": ["--rank-promotion=error"]}')
    client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    equal(codes(client.messages(uri, 3)), ["E0501"])
    configure({"tmlc": {"rankPromotion": "allow"}})  # comes later
    equal(client.messages(uri, 3), [])
    for text, message in (("{", f"{project}:1:"), ('{"options": ["--reel"]}', "unknown option `--reel`")):
        project.write_text(text)
        client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
        shown = client.notification("window/showMessage")
        assert message in shown["message"] and shown["type"] == 1, shown
        equal(client.messages(uri, 3), [])
    project.unlink()
    configure({"tmlc": {"warnings": "unusd"}})
    assert "unknown warning `-Wunusd`" in client.notification("window/showMessage")["message"]
    equal(client.finish(), (0, ""))


@test
def the_log_has_every_message(server, folder):
    log = folder / "log"
    client = Client([*server, "--log", str(log)])
    client.start()
    client.checked(uri_of(folder / "a.tml"), "x = 1\n")
    equal(client.finish(), (0, ""))
    lines = log.read_text().splitlines()
    equal([line.split()[1] for line in lines].count("<-"), 5)
    assert any('"textDocument/publishDiagnostics"' in line and "->" in line for line in lines)
    done = subprocess.run([*server, "--log", str(folder)], stdin=subprocess.DEVNULL, capture_output=True)
    equal(done.returncode, 3)
    assert done.stderr.startswith(b"tmlc: error: cannot write `"), done.stderr


def failures(program):
    failed = 0
    for function in tests:
        with tempfile.TemporaryDirectory() as folder:
            try:
                function([program, "lsp"], pathlib.Path(folder).resolve())
            except (AssertionError, Closed, subprocess.TimeoutExpired, ValueError, KeyError) as error:
                failed += 1
                line = error.__traceback__.tb_next.tb_lineno if error.__traceback__.tb_next else 0
                print(f"{program}: {function.__name__}, line {line}: {type(error).__name__} {error}")
    return failed


def main():
    programs = sys.argv[1:]
    with concurrent.futures.ThreadPoolExecutor() as pool:  # they mostly wait
        failed = sum(pool.map(failures, programs))
    print(f"{len(tests)} sessions with {len(programs)} servers, {failed} failed")
    return 1 if failed or not programs else 0


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    sys.exit(main())
