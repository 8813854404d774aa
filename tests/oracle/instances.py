"""What systems are made of: instances, settings, wires (L15)."""

from dataclasses import dataclass, field

from component import Terminal
from scopes import Frame, Missing
from shapes import Illegal, Type
from tree import nodes
from values import Value


@dataclass(eq=False)
class Element:
    """An instance, or one of an array."""

    machine: object
    every: int = 1
    offset: int = 0
    by_hand: bool = False
    shown: dict = field(default_factory=dict)  # what others see of its outputs
    wires: dict = field(default_factory=dict)  # by input: the wire, and where in its value or None
    is_traced: bool = False
    is_done: bool = False  # its outputs of this cycle are there

    def terminals(self):
        return [t for t in self.machine.terminals
                if (t.is_input or t.is_output) and not t.is_hardware]

    def inputs(self, feedthrough):
        """Those that are there."""
        return [t for t in self.terminals() if t.is_input and t.is_feedthrough == feedthrough
                and not isinstance(t.value, Missing)]

    def show(self, feedthrough):
        for terminal in self.terminals():
            if terminal.is_output and terminal.is_feedthrough == feedthrough:
                self.shown[terminal.name] = terminal.value

    def start(self):
        """L15.6: the first outputs show at once."""
        self.machine.start()
        self.show(True)
        self.show(False)

    def run_output(self):
        self.machine.output_phase()
        self.show(True)


@dataclass(eq=False)
class Part:
    """What an `instance` declares."""

    node: dict
    frame: Frame
    elements: list
    is_array: bool
    by_hand: bool = False


@dataclass(eq=False)
class Wire:
    node: dict
    frame: Frame
    delays: dict = field(default_factory=dict)  # by node, in this cycle
    output: Terminal = None  # of this file
    is_late: bool = False  # it reads what an instance by hand computes in this cycle
    delay_nodes: list = None

    def __post_init__(self):
        self.delay_nodes = [node for node in nodes(self.node["value"]) if is_delay(node)]


def is_delay(node):
    return (node["kind"] == "call" and node["callee"]["kind"] == "name"
            and node["callee"]["name"]["name"] == "delay")


@dataclass
class Setting:
    """What an instance has for a property or constant (L15.1)."""

    value: Value
    node: dict
    frame: Frame
    position: tuple  # in an array and its length, if there may be one value for each

    def value_for(self, machine, type):
        index, count = self.position or (0, None)
        levels = self.value.type.levels
        if levels and levels[0] == (count,):
            one = Value(Type(levels[1:], self.value.type.root), self.value.data[index])
            try:
                return machine.assigned(one, self.node, self.frame, type)
            except Illegal:
                pass  # one for all
        return machine.assigned(self.value, self.node, self.frame, type)


@dataclass
class Group:
    """An input of all elements of an array, as a variable."""

    terminals: list
    is_constant: bool = False

    @property
    def value(self):
        return joined([terminal.value for terminal in self.terminals])

    @value.setter
    def value(self, value):
        for terminal, data in zip(self.terminals, value.data):
            terminal.value = Value(terminal.value.type, data)


def joined(values):
    """The tensor of an array's values."""
    type = values[0].type
    if any(value.type != type for value in values):
        raise Illegal("E0412", "the instances have different types")
    return Value(Type(((len(values),), *type.levels), type.root), [v.data for v in values])
