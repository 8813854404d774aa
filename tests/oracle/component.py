"""Components and their simulation (L10, docs/simulation.md)."""

import os
from dataclasses import dataclass, field

from printing import cells
from scopes import Frame, Missing, Scope, Trap, Variable
from shapes import CHAR, STR, Illegal, positions
from statements import Statements
from tree import Source, expression, texts
from values import Value, from_scalars, zero

EXIT_TRAP = 101


@dataclass
class Terminal(Variable):
    """A name of the interface: an input, an output, a property or a constant."""

    name: str = ""
    is_input: bool = False
    is_output: bool = False
    is_tunable: bool = False
    is_feedthrough: bool = True
    is_hardware: bool = False
    default: Value = None  # of an input; of a property, before --set


@dataclass
class Options:
    """What the compiler and the program get from their command lines."""

    single: bool = False
    strict_ranks: bool = False  # --rank-promotion=error
    definitions: dict = field(default_factory=dict)  # texts of -D
    connections: tuple = ()  # of --with
    interfaces: tuple = ()  # paths of --interface
    settings: dict = field(default_factory=dict)  # texts of --set
    watch: list = field(default_factory=list)  # names of --watch
    given: dict = field(default_factory=dict)  # of an instance: Settings (system.py)
    containers: tuple = ()  # of an instance: the files around it
    steps: int = None
    every: int = 1


class Components(Statements):
    COMMANDS = {**Statements.COMMANDS, "debug": "debug"}

    def __init__(self, tmlc, options, read_number=None):
        super().__init__(tmlc, options.single, read_number)
        self.options = options
        self.terminals = []
        self.file = None
        self.signals = {}  # the last values of `debug`

    def debug(self, node, frame):
        """L10.11."""
        name, value = texts(node["args"][0]).decode(), self.value(node["args"][1], frame)
        if name in self.signals and self.signals[name].type != value.type:
            raise Illegal("E0302", f"{name} has two types", node)
        self.signals[name] = value

    def given_interface(self):
        """L14.1"""
        return [node for path in self.options.interfaces for node in self.declared_in(path)]

    def declared_in(self, path):
        found = []
        for node in Source.read(self.tmlc, path).statements:
            if node["kind"] == "import":
                imported = bytes.fromhex(node["path"]).decode()
                found += self.declared_in(os.path.join(os.path.dirname(path), imported))
            else:
                found.append(node)
        return found

    def open(self, source, is_script, is_main=True):
        self.file = super().open(source, is_script, is_main)  # last the main one
        return self.file

    def terminal(self, node, frame):
        """L10.1. What an interface file declares, too, is equal there."""
        space, name = (self.text(node[key], frame) for key in ("space", "name"))
        if f"{space}.{name}" in frame.file.interface:
            return
        type = self.type(node["type"], frame)
        modifiers = node["modifiers"]
        terminal = Terminal(zero(type), name=name)
        if space == "t":
            terminal.is_input = "in" in modifiers
            terminal.is_output = "out" in modifiers
            terminal.is_feedthrough = "not feedthrough" not in modifiers
            if "optional" in modifiers and f"t.{name}" not in self.options.connections:
                terminal.value = Missing(type)
            if node["value"]:
                terminal.default = self.declared_value(node, frame, type)
        else:
            terminal.is_tunable = "tunable" in modifiers
            terminal.is_constant = not terminal.is_tunable
            terminal.default = self.property_value(node, frame, f"{space}.{name}", type)
            terminal.value = self.from_texts(self.options.settings, f"{space}.{name}", frame,
                                             terminal.default)
        frame.file.interface[f"{space}.{name}"] = terminal
        self.terminals.append(terminal)

    def hardware(self, node, frame):
        """L16: a terminal, which the source knows by its name."""
        name = self.text(node["name"], frame)
        terminal = Terminal(zero(self.type(node["type"], frame)), name=f"io_{name}")
        terminal.is_input = not node["is_output"]
        terminal.is_output = node["is_output"]
        terminal.is_hardware = True
        frame.file.variables[name] = terminal
        self.terminals.append(terminal)

    def declared_value(self, node, frame, type):
        return self.assigned(self.known(node["value"], frame), node["value"], frame, type)

    def property_value(self, node, frame, name, type):
        given = self.options.given.get(name)
        value = given.value_for(self, type) if given else self.declared_value(node, frame, type)
        return self.from_texts(self.options.definitions, name, frame, value)

    def from_texts(self, texts, name, frame, value):
        for key in (name, name.partition(".")[2]):
            if key in texts:
                value = self.from_text(texts[key], frame, value.type)
        return value

    def from_text(self, text, frame, type):
        """A str or char may stand without quotes."""
        if type in (STR, CHAR) and text[:1] not in ("'", '"'):
            return Value(type, text.encode())
        node = expression(self.tmlc, text.encode())
        return self.assigned(self.value(node, frame), node, frame, type)

    # --- a cycle (L10.4) ---

    def start(self):
        self.enter_named("init_fnc")

    def output_phase(self):
        self.enter_named("output_fnc")

    def update_phase(self):
        self.enter_named("update_fnc")

    def enter_named(self, name):
        """Runs an entry function if there is one."""
        function = self.file.functions.get(name)
        if function:
            self.scope(function.node["body"], Frame(self.file, Scope()))

    # --- simulation ---

    def simulate(self, lines):
        """The exit status and the message of a trap."""
        present = [t for t in self.terminals if not isinstance(t.value, Missing)]
        inputs = {t.name: t for t in present if t.is_input}
        outputs = [t for t in present if t.is_output]
        where = "init"
        try:
            self.start()
            names = [c for t in outputs for c in columns(t.name, t.value.type)]
            for name in self.options.watch:
                names += columns(name, self.watched(name).type)
            self.write_row(names)
            for step, row in enumerate(self.rows(inputs, lines)):
                where = f"step {step}"
                for name, value in row.items():
                    inputs[name].value = value
                self.output_phase()
                shown = [c for t in outputs for c in cells(t.value, self.arithmetic.single)]
                watched = {name: self.watched(name) for name in self.options.watch}
                self.update_phase()
                watched.update((name, self.signals[name]) for name in watched if name in self.signals)
                shown += [c for v in watched.values() for c in cells(v, self.arithmetic.single)]
                if step % self.options.every == 0:
                    self.write_row(shown)
        except Trap as trap:
            return EXIT_TRAP, trap.message(f" ({where})")
        return 0, ""

    def watched(self, name):
        """An input, a variable as it is when the outputs are, or the signal of a whole cycle."""
        if name in self.signals:
            return self.signals[name]
        return (self.file.variables.get(name) or self.file.interface[f"t.{name}"]).value

    def write_row(self, texts):
        if texts:
            self.write(",".join(texts) + "\n")

    def rows(self, inputs, lines):
        """The values of the inputs in each step; those without columns have their defaults."""
        if not lines:
            for _ in range(self.options.steps):
                yield {name: terminal.default for name, terminal in inputs.items()}
            return
        titles = [title.strip() for title in lines[0].split(",")]
        for line in lines[1:][:self.options.steps]:
            if not line.strip():
                continue
            row = dict(zip(titles, (cell.strip() for cell in line.split(","))))
            yield {
                name: self.from_cells(terminal, row, name) for name, terminal in inputs.items()
            }

    def from_cells(self, terminal, row, name):
        type = terminal.value.type
        if terminal.default and next(columns(name, type)) not in row:
            return terminal.default
        numbers = [self.from_cell(type.root, row[title]) for title in columns(name, type)]
        return from_scalars(type, numbers)

    def from_cell(self, root, text):
        return number(self.arithmetic, root, text)


def number(arithmetic, root, text):
    """A number as files and standard input have it."""
    if root == "bool":
        return text in ("true", "1")
    return arithmetic.round(float(text)) if root == "real" else int(text.rstrip("u"))


def columns(name, type):
    """`u`, or `u[0][1]` for each scalar, the dims of all levels one after the other."""
    dims = tuple(length for level in type.levels for length in level)
    for index in positions(dims):
        yield name + "".join(f"[{i}]" for i in index)
