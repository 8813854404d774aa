"""A client of `tmlc lsp` over its standard streams: Client, and positions as the protocol counts them."""

import json
import pathlib
import re
import subprocess
import threading
import urllib.parse

LINE_END = re.compile(r"\r\n|\r|\n")
TIMEOUT = 300


def uri_of(path):
    return "file://" + urllib.parse.quote(str(path))


def units(text, utf8):
    """How long a text is in what columns count."""
    return len(text.encode("utf-8", "surrogatepass")) if utf8 else len(
        text.encode("utf-16-le", "surrogatepass")) // 2


def position(text, index, utf8=False):
    """The position of a character; behind the end of its line it is the end."""
    start, line = 0, 0
    for match in LINE_END.finditer(text):
        if match.end() > index:
            index = min(index, match.start())
            break
        start, line = match.end(), line + 1
    return {"line": line, "character": units(text[start:index], utf8)}


def index_of(text, place):
    """The character at a position, in units of UTF-16."""
    starts = [0] + [match.end() for match in LINE_END.finditer(text)]
    index = starts[place["line"]]
    left = place["character"]
    while left > 0:
        left -= units(text[index], False)
        index += 1
    return index


def span(text, start, end, utf8=False):
    return {"start": position(text, start, utf8), "end": position(text, end, utf8)}


class Closed(Exception):
    """The server has ended."""


class Client:
    """A server in a process of its own. Its messages are taken in the order in which they come."""

    def __init__(self, command, timeout=TIMEOUT, **options):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, **options)
        self.last_id = 0
        self.waiting = []  # notifications that nobody has asked for yet
        self.watch = threading.Timer(timeout, self.process.kill)
        self.watch.daemon = True
        self.watch.start()

    def write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def write_text(self, text):
        data = text if isinstance(text, bytes) else text.encode()
        self.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)

    def send(self, message):
        self.write_text(json.dumps({"jsonrpc": "2.0", **message}))

    def receive(self):
        length = None
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise Closed(self.process.wait(), self.process.stderr.read().decode())
            if line == b"\r\n":
                break
            name, _, value = line.decode().partition(":")
            length = int(value) if name.lower() == "content-length" else length
        return json.loads(self.process.stdout.read(length))

    def answer(self, number):
        """The whole answer to a request."""
        while True:
            message = self.receive()
            if message.get("id") == number and "method" not in message:
                return message
            self.waiting.append(message)

    def ask(self, method, params=None):
        self.last_id += 1
        self.send({"id": self.last_id, "method": method, "params": params})
        return self.answer(self.last_id)

    def request(self, method, params=None):
        answer = self.ask(method, params)
        assert "error" not in answer, (method, answer)
        return answer["result"]

    def error(self, method, params=None):
        """The code of the error that a request gets."""
        return self.ask(method, params)["error"]["code"]

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def notification(self, method):
        """The next notification of this kind; others before it are dropped."""
        while True:
            message = self.waiting.pop(0) if self.waiting else self.receive()
            if message.get("method") == method:
                return message["params"]

    def start(self, **capabilities):
        result = self.request("initialize", {"processId": None, "rootUri": None,
                                             "capabilities": capabilities})
        self.notify("initialized", {})
        return result

    def open(self, uri, text, version=1):
        self.notify("textDocument/didOpen", {"textDocument": {
            "uri": uri, "languageId": "tml", "version": version, "text": text}})

    def change(self, uri, version, *changes):
        """Each change is a text, or a range and a text."""
        self.notify("textDocument/didChange", {
            "textDocument": {"uri": uri, "version": version},
            "contentChanges": [{"text": change} if isinstance(change, str)
                               else {"range": change[0], "text": change[1]} for change in changes]})

    def close(self, uri):
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def messages(self, uri, version=None):
        """What the server says of a document, once it is of this version."""
        while True:
            params = self.notification("textDocument/publishDiagnostics")
            if params["uri"] == uri and version in (None, params.get("version")):
                return params["diagnostics"]

    def checked(self, uri, text):
        self.open(uri, text)
        return self.messages(uri, 1)

    def finish(self):
        """Ends the session as the protocol wants; the exit status and what stands on standard error."""
        self.request("shutdown")
        self.notify("exit", None)
        return self.end()

    def end(self):
        self.process.stdin.close()
        error = self.process.stderr.read().decode()
        self.process.stdout.read()
        status = self.process.wait()
        self.watch.cancel()
        return status, error


def programs(root):
    """Name and text of every program of examples, golden tests and documents."""
    for folder in ("examples", "tests/golden"):
        for path in sorted((root / folder).rglob("*.tml")):
            yield str(path.relative_to(root)), path.read_bytes().decode("utf-8", "replace")
    fenced = re.compile(r"^```tml[^\n]*\n(.*?)^```", re.M | re.S)
    for path in sorted((root / "docs").rglob("*.md")):
        for number, match in enumerate(fenced.finditer(path.read_text())):
            yield f"{path.relative_to(root)}:{number}", match[1]


def repository(path):
    return pathlib.Path(path).resolve()
