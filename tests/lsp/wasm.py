#!/usr/bin/env python3
"""The server as a module of WebAssembly answers as the program does: wasm.py TMLC NODE MODULE ROOT [--all]

Both get recorded.jsonl, what an editor sent in a session, each message behind what the one before it brought;
then programs of examples, golden tests and documents, a share of which is the day's. Answers and messages are
equal to the byte; only ends of the process may differ. Status 77 when there is no module (scripts/wasm).
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

from client import Client, position, programs

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from seeds import todays_share  # noqa: E402

SHARES = 12
ASKED = ("documentSymbol", "foldingRange", "semanticTokens/full")
AT = ("hover", "completion", "definition", "documentHighlight", "prepareRename", "signatureHelp")


def settled(client, message):
    """Waits until the server has done what a message asks for; all that it said."""
    params = message.get("params") or {}
    document = params.get("textDocument", {})
    while True:
        said = client.receive()
        yield said
        about = said.get("params", {})
        if "id" in message and said.get("id") == message["id"]:
            return
        if "id" not in message and (about.get("uri"), about.get("version")) == (document["uri"], document["version"]):
            return


def replay(command, lines):
    """Answers by their number, and what is said of each version of a document at once.

    Documents that import what has changed, or whose options have, are checked again when nothing else waits:
    perhaps not before the end.
    """
    client = Client(command)
    answers, messages = [], {}
    for line in lines:
        client.write_text(line)
        try:
            message = json.loads(line)
        except ValueError:
            message = {"id": None}
        if "id" not in message and message["method"] not in ("textDocument/didOpen", "textDocument/didChange"):
            continue
        *_, said = settled(client, message)
        if "id" in said:
            answers.append((message.get("method"), said))
        else:
            messages[said["params"]["uri"], said["params"]["version"]] = said["params"]
    return answers, messages, client.end()


def differs(name, native, module):
    if native == module:
        return False
    print(f"{name}: the program says\n    {native!r:.1500}\nthe module\n    {module!r:.1500}")
    return True


def compare_session(servers, lines):
    (answers, messages, end), (others, other_messages, other_end) = (replay(each, lines) for each in servers)
    wrong = differs("the end", end, other_end) + differs("how many answers", len(answers), len(others))
    wrong += sum(differs(f"{first[0]}, answer {number}", first, second)
                 for number, (first, second) in enumerate(zip(answers, others)))
    wrong += sum(differs(key, about, other_messages.get(key)) for key, about in messages.items())
    asked = {method for method, _ in answers}
    print(f"recorded: {len(lines)} messages, {len(answers)} answers to {len(asked)} methods, {len(messages)} lists")
    return wrong + (len(answers) < 200 or len(messages) < 50)


def answers_of(client, uri, text):
    found = [client.checked(uri, text)]
    for method in ASKED:
        found.append(client.ask(f"textDocument/{method}", {"textDocument": {"uri": uri}}))
    whole = {"start": {"line": 0, "character": 0}, "end": position(text, len(text))}
    for method in ("inlayHint", "codeAction", "formatting"):
        found.append(client.ask(f"textDocument/{method}", {
            "textDocument": {"uri": uri}, "range": whole, "context": {"diagnostics": []}}))
    for index in (text.find("="), text.find("("), len(text) // 2):
        place = {"textDocument": {"uri": uri}, "position": position(text, max(index, 0))}
        found += [client.ask(f"textDocument/{method}", place) for method in AT]
    client.close(uri)
    return found


def calls(depth):
    functions = (f"fn f{i}(real x) real:\n    return f{i + 1}(x)\nend\n" for i in range(depth))
    return "".join(functions) + f"fn f{depth}(real x) real:\n    return x\nend\nprint(f0(1.0))\n"


def deep():
    """Programs that need much of the stack."""
    yield "brackets", "x = " + "(" * 5000 + "1" + ")" * 5000 + "\n"
    yield "lists", "x = " + "[" * 300 + "1" + "]" * 300 + "\n"
    yield "signs", "x = " + "-" * 20000 + "1\n"
    yield "branches", "x = 1\nif x == 0:\n" + "elseif x == 1:\n    x = 2\n" * 5000 + "end\n"
    yield "calls", calls(100)
    yield "blocks", "x = 1\n" + "".join("    " * i + "if x == 1:\n" for i in range(250)) + "    " * 250 + (
        "x = 2\n" + "".join("    " * i + "end\n" for i in reversed(range(250))))
    yield "lines", "x = 1\n" * 20000


def compare_programs(servers, root, shares):
    clients = [Client(command, timeout=3600) for command in servers]
    for client in clients:
        client.start()
    chosen = [*deep(), *todays_share(list(programs(root)), shares)]
    wrong = 0
    for number, (name, text) in enumerate(chosen):
        native, module = (answers_of(client, f"file:///corpus/{number}.tml", text) for client in clients)
        wrong += differs(name, native, module)
    # The module's stack is smaller, and it says so.
    codes = [message["code"] for message in clients[1].checked("file:///deep.tml", calls(3000))]
    wrong += differs("3000 calls", ["E0901"], codes)
    wrong += differs("the end", *(client.finish() for client in clients))
    print(f"{len(chosen)} programs")
    return wrong


def ends_with_its_input(server):
    """Without a message, and behind one of a client with a process; a pipe is what the other tests have."""
    text = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"processId": os.getpid(), "capabilities": {}}})
    wrong = 0
    for given in ("", f"Content-Length: {len(text)}\r\n\r\n{text}"):
        with tempfile.TemporaryFile("w+") as file, open(os.devnull) as null:
            file.write(given)
            file.seek(0)
            done = subprocess.run(server, stdin=file if given else null, stdout=subprocess.PIPE, timeout=60)
        wrong += differs("the end of the input", (1, bool(given)), (done.returncode, b'"id":1' in done.stdout))
    return wrong


def main():
    tmlc, node, module, root = sys.argv[1:5]
    shares = 1 if "--all" in sys.argv[5:] else SHARES
    if not pathlib.Path(module).exists() or not pathlib.Path(node).exists():
        print(f"SKIPPED: there is no {module} or no {node}")
        return 77
    wasi = pathlib.Path(__file__).resolve().parents[1] / "wasi.mjs"
    servers = [tmlc, "lsp"], [node, "--no-warnings", str(wasi), module, "lsp"]
    lines = pathlib.Path(__file__).with_name("recorded.jsonl").read_text().splitlines()
    wrong = ends_with_its_input(servers[1])
    wrong += compare_session(servers, lines) + compare_programs(servers, pathlib.Path(root), shares)
    print(f"{wrong} differences")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
