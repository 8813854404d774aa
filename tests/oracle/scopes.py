"""What names stand for while a program runs (L3, L4.5)."""

from dataclasses import dataclass, field

from shapes import Illegal, Type


@dataclass(frozen=True)
class Missing:
    """An optional value that is not there (L10.6)."""

    type: Type


LONGEST_LINE = 200  # bytes of one that a trap shows


class Trap(Exception):
    """L13: the program stops with a message."""

    def __init__(self, code, source, node, text, notes=()):
        super().__init__(code, text)
        self.code = code
        self.path = source.path
        self.line, self.column = source.place(node)
        self.text = text
        self.notes = notes
        self.source_line = source.text.decode().split("\n")[self.line - 1]

    def message(self, where=""):
        """`where` is the step of a simulation, in which no notes are shown."""
        place = f"{self.path}:{self.line}:{self.column}"
        margin = " " * len(str(self.line))
        shown = self.source_line.replace("\t", " ").rstrip("\r")
        mark = "^".rjust(self.column)
        lines = f"{margin} |\n{self.line} | {shown}\n{margin} | {mark}\n"
        told = len(shown.encode()) <= LONGEST_LINE
        notes = "" if where else "".join(f"{margin} = note: {note}\n" for note in self.notes)
        return f"{place}: trap[{self.code}]: {self.text}{where}\n" + (lines if told else "") + notes


@dataclass
class Variable:
    value: object  # a Value or Missing
    is_constant: bool = False


@dataclass
class Function:
    """`captured` are the variables of the macros around it."""

    node: dict
    file: object
    captured: dict


@dataclass
class Scope:
    names: dict = field(default_factory=dict)
    # Macros open no scope (L10.7): only their variable is in it.
    is_transparent: bool = False


class File:
    def __init__(self, source, is_script):
        self.source = source
        self.is_script = is_script
        self.variables = {}
        self.functions = {}
        self.interface = {}
        self.imports = []
        self.parts = {}  # instances, and arrays of them (system.py)
        self.wires = []
        self.reads_defaults = False  # what tunable properties have before --set

    def find(self, kind, name):
        for file in [self, *self.imports]:
            if name in getattr(file, kind):
                return getattr(file, kind)[name]
        return None

    def find_function(self, name):
        return self.find("functions", name)

    def find_interface(self, name):
        return self.find("interface", name)


class Frame:
    """What can be seen from one place: the scopes of a function, then the file."""

    def __init__(self, file, *scopes):
        self.file = file
        self.scopes = list(scopes)
        self.results = []  # the types of a function's results

    @property
    def is_file_level(self):
        return all(scope.is_transparent for scope in self.scopes)

    def find(self, name):
        for scope in reversed(self.scopes):
            if name in scope.names:
                return scope.names[name]
        return self.file.find("variables", name)

    def names(self):
        """Where a declaration goes."""
        for scope in reversed(self.scopes):
            if not scope.is_transparent:
                return scope.names
        return self.file.variables

    def declare(self, name, value):
        names = self.names()
        if name in names:
            raise Illegal("E0302", f"{name} is declared twice")
        names[name] = Variable(value)

    def constants(self):
        """The variables of macros that are in force."""
        result = {}
        for scope in self.scopes:
            if scope.is_transparent:
                result.update(scope.names)
        return result
