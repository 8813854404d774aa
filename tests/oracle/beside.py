#!/usr/bin/env python3
"""Tests beside the source (L19) end here as `tmlc test` says: beside.py TMLC FILE|FOLDER...

Each test of each file runs on an evaluator of its own; whether it passes is compared with the report as TAP, and
one with a code behind its name must end with that here, too.
"""

import math
import os
import pathlib
import re
import subprocess
import sys
import traceback

from component import Options, columns
from scopes import Frame, Missing, Scope, Trap
from shapes import BOOL, Illegal
from statements import is_component, is_script
from system import Systems
from tree import Source, texts
from values import Value, broadcast, combine, scalars, zero

RESULT = re.compile(r"^(not )?ok \d+ - (.*)$", re.M)


def agree(a, b, tolerance):
    """L19.3"""
    if a == b:
        return True
    apart = abs(a - b)
    return math.isfinite(apart) and apart <= tolerance * max(1.0, min(abs(a), abs(b)))


class Tests(Systems):
    COMMANDS = {**Systems.COMMANDS, "cycle": "run_cycles", "near": "near", "replay": "replay"}

    def begin(self, source):
        """L19.2: what stands before each test."""
        self.hidden = []  # outputs as the component has them: a test sees what the last cycle showed
        file = self.open(source, is_script(source.statements))
        if is_component(source.statements):
            self.start()
            for terminal in self.present():
                if terminal.is_input:
                    terminal.value = terminal.default or zero(terminal.value.type)
            self.show({})
        elif file.is_script:
            self.block(source.statements, Frame(file))
        return file

    def present(self):
        return [terminal for terminal in self.terminals if not isinstance(terminal.value, Missing)]

    def show(self, shown):
        """Tests see these values of outputs, or zeros."""
        outputs = [terminal for terminal in self.present() if terminal.is_output]
        self.hidden = [(terminal, terminal.value) for terminal in outputs]
        for terminal in outputs:
            terminal.value = shown.get(id(terminal)) or zero(terminal.value.type)

    def run_cycle(self):
        for terminal, value in self.hidden:
            terminal.value = value
        self.output_phase()
        shown = {id(terminal): terminal.value for terminal in self.present()}
        self.update_phase()
        self.show(shown)

    def run_cycles(self, node, frame):
        if self.is_dry:
            return
        for _ in range(self.value(node["args"][0], frame).data if node["args"] else 1):
            self.run_cycle()

    def near(self, node, frame):
        *values, tolerance = (self.value(arg, frame) for arg in node["args"])
        levels = broadcast(values)
        found = combine(lambda a, b: agree(a, b, tolerance.data), levels, *values)
        return Value(BOOL, all(scalars(levels, found)))

    def replay(self, node, frame):
        *paths, tolerance = node["args"]
        folder = os.path.dirname(frame.file.source.path)
        inputs, outputs = (
            (pathlib.Path(folder) / texts(path).decode()).read_text().splitlines() for path in paths)
        titles = [title.strip() for title in outputs[0].split(",")]
        expected = [dict(zip(titles, line.split(","))) for line in outputs[1:] if line.strip()]
        terminals = {t.name: t for t in self.present() if t.is_input}
        rows = list(self.rows(terminals, inputs))
        good = len(rows) == len(expected)
        for row, wanted in zip(rows, expected):
            for name, value in row.items():
                terminals[name].value = value
            self.run_cycle()
            for terminal in (t for t in self.present() if t.is_output):
                type = terminal.value.type
                cells = [self.from_cell(type.root, wanted[title].strip()) for title in columns(terminal.name, type)]
                limit = 0.0 if type.root == "bool" else self.value(tolerance, frame).data
                told = scalars(type.levels, terminal.value.data)
                good &= all(agree(a, b, limit) for a, b in zip(told, cells))
        if not good:
            self.trap("E1004", node, frame, "the outputs are others")


def ends_with(tmlc, source, test):
    """The code with which a test ends, or nothing."""
    machine = Tests(tmlc, Options())
    try:
        file = machine.begin(source)
        machine.scope(test["body"], Frame(file, Scope()))
    except (Trap, Illegal) as end:
        return end.code
    return ""


def differences(tmlc, path):
    source = Source.read(tmlc, path)
    if not source.tests:
        return 0, []
    result = subprocess.run([tmlc, "test", "-w", "--format=tap", path], capture_output=True, text=True)
    told = {name.partition(": ")[2]: not failed for failed, name in RESULT.findall(result.stdout)}
    found = []
    for test in source.tests:
        name = test["name"]["name"]
        wanted = test["error"]["name"] if test["error"] else ""
        try:
            code = ends_with(tmlc, source, test)
        except Exception:
            code = traceback.format_exc()
        if told.get(name) != (code == wanted):
            found.append(f"{path}: {name}: {told.get(name)} there, ends with `{code}` here")
    return len(source.tests), found


def main():
    tmlc, *names = sys.argv[1:]
    paths = [path for name in map(pathlib.Path, names)
             for path in (sorted(name.rglob("*.tml")) if name.is_dir() else [name])]
    count, found = 0, []
    for path in paths:
        if re.search(r'^test "', path.read_text(), re.M):
            more, wrong = differences(os.path.abspath(tmlc), str(path))
            count, found = count + more, found + wrong
    print(*found, sep="\n")
    print(f"{count} tests, {len(found)} end in another way")
    return 1 if found or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
