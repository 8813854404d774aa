"""Source files with their syntax trees, as `tmlc --emit=ast-json` tells them."""

import functools
import json
import subprocess


class Refused(Exception):
    """The compiler does not read this text."""


class Source:
    def __init__(self, tmlc, path, text):
        self.path = path
        self.text = text
        result = subprocess.run(
            [tmlc, "--emit=ast-json", "-"], input=text, capture_output=True, check=False
        )
        if result.returncode != 0:
            raise Refused(result.stderr.decode())
        # Tests (L19) are not part of what runs; see beside.py.
        statements = json.loads(result.stdout)["statements"]
        self.statements = [node for node in statements if node["kind"] != "test"]
        self.tests = [node for node in statements if node["kind"] == "test"]

    @staticmethod
    def read(tmlc, path):
        with open(path, "rb") as file:
            return source_of(tmlc, path, file.read())

    def place(self, node):
        """Line and column of a node's first character, both from 1."""
        before = self.text[:node["start"]].removeprefix(b"\xef\xbb\xbf")
        line = before.count(b"\n") + 1
        return line, len(before.rpartition(b"\n")[2].decode()) + 1

    def line_of(self, node):
        """The text of a node; of several lines the first one."""
        line, end, _ = self.text[node["start"]:node["end"]].partition(b"\n")
        return line.rstrip(b" \t\r") + b" ..." if end else line

    def lines(self, first, last):
        """The path with each line from the first node's start to the last one's end."""
        end = self.text[:last["end"]].count(b"\n") + 1
        return {f"{self.path}:{line}" for line in range(self.place(first)[0], end + 1)}


@functools.lru_cache(maxsize=1000)
def source_of(tmlc, path, text):
    """Files of instances are read many times; nothing changes a tree."""
    return Source(tmlc, path, text)


def expression(tmlc, text):
    """The tree of an expression, as `-D` gives it."""
    (statement,) = Source(tmlc, "-D", b"value = " + text).statements
    return statement["value"]


def texts(node):
    """The bytes of a string literal."""
    return bytes.fromhex(node["bytes"])


def nodes(tree):
    """All nodes of a tree, outermost first."""
    if isinstance(tree, list):
        for item in tree:
            yield from nodes(item)
    elif isinstance(tree, dict):
        if "kind" in tree:
            yield tree
        for item in tree.values():
            if isinstance(item, (dict, list)):
                yield from nodes(item)
