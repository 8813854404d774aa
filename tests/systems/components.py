"""Random components: some inputs and outputs of all kinds, a state, properties, and functions that
compute one from the other."""

from dataclasses import dataclass, field

from expressions import TYPES, Expressions, constant


@dataclass
class Terminal:
    name: str
    type: str
    feedthrough: bool = True
    is_optional: bool = False
    default: str = None

    def declared(self, direction):
        words = ["optional"] * self.is_optional + ["not feedthrough"] * (not self.feedthrough)
        value = f" = {self.default}" if self.default else ""
        return " ".join([*words, direction, self.type, f"t.{self.name}"]) + value


@dataclass
class Property:
    name: str  # with its space
    type: str
    value: str
    is_tunable: bool

    def declared(self):
        return ("tunable " if self.is_tunable else "") + f"{self.type} {self.name} = {self.value}"


@dataclass
class Component:
    name: str
    inputs: list
    outputs: list
    properties: list
    text: str = ""
    state: list = field(default_factory=list)  # names of variables
    parts: list = field(default_factory=list)  # of a system


def random_inputs(random, count):
    result = []
    for k in range(count):
        terminal = Terminal(f"u{k}", random.choice(TYPES), random.random() < 0.6)
        if random.random() < 0.2:
            terminal.default = constant(random, terminal.type)
        elif random.random() < 0.15:
            terminal.is_optional, terminal.type = True, "real"
        result.append(terminal)
    return result


def random_outputs(random, count):
    return [Terminal(f"y{k}", random.choice(TYPES), random.random() < 0.6) for k in range(count)]


def random_properties(random):
    result = [Property("p.k", "real", constant(random, "real"), True),
              Property("p.start", "real", constant(random, "real"), False),
              Property("p.row", "tensor<real, 2>", constant(random, "tensor<real, 2>"), True),
              Property("n.dt", "real", "0.25", False)]
    return random.sample(result, random.randrange(len(result) + 1))


def values_of(terminals):
    """What may be read of them as it is."""
    return [(f"t.{t.name}", t.type) for t in terminals if not t.is_optional]


@dataclass
class Hardware:
    name: str
    type: str
    address: int

    def declared(self, direction):
        return f"{direction}<{self.type}, {self.address}> {self.name}"


def random_hardware(random, letter):
    types = [type for type in TYPES if type != "bool"]
    return [Hardware(f"{letter}{k}", random.choice(types), random.randrange(1 << 16))
            for k in range(random.choice((0, 0, 0, 1, 2)))]


def random_component(random, name):
    component = Component(name, random_inputs(random, random.randint(1, 3)),
                          random_outputs(random, random.randint(1, 3)), random_properties(random))
    state = [(f"s{k}", random.choice(TYPES)) for k in range(random.randrange(3))]
    properties = [(p.name, p.type) for p in component.properties]
    early = [t for t in component.outputs if t.feedthrough]
    late = [t for t in component.outputs if not t.feedthrough]
    known = properties + state + values_of(late)
    read, written = random_hardware(random, "h"), random_hardware(random, "g")
    registers = [(f"(<-{h.name})", h.type) for h in read]
    lines = [p.declared() for p in component.properties]
    lines += [t.declared("in") for t in component.inputs]
    lines += [t.declared("out") for t in component.outputs]
    lines += [h.declared("in") for h in read] + [h.declared("out") for h in written]
    lines += [f"{type} {name} = {constant(random, type)}" for name, type in state]
    lines += function("init_fnc", [
        f"t.{t.name} = {Expressions(random, properties + state).make(t.type, 1)}"
        for t in component.outputs if not t.feedthrough or random.random() < 0.3]
        + [f"{h.name} <- {Expressions(random, properties + state).make(h.type, 1)}"
           for h in written if random.random() < 0.3])
    lines += function("output_fnc", assigned(
        random, [(f"t.{t.name}", t.type) for t in early], known + registers,
        [t for t in component.inputs if t.feedthrough], "make")
        + [f"{h.name} <- {Expressions(random, known + registers).make(h.type, 1)}"
           for h in written if random.random() < 0.5])
    lines += function("update_fnc", assigned(
        random, state + [(f"t.{t.name}", t.type) for t in late],
        known + registers + values_of(early), component.inputs, "bounded")
        + [f"{h.name} <- {Expressions(random, known + registers).make(h.type, 1)}"
           for h in written if random.random() < 0.5])
    component.state = [name for name, _ in state]
    component.text = "\n".join(lines) + "\n"
    return component


def assigned(random, targets, known, inputs, how):
    """Statements that assign to all of the targets."""
    lines = []
    optional = [t for t in inputs if t.is_optional]
    expressions = Expressions(random, known + values_of(inputs))
    for text, type in targets:
        value = getattr(expressions, how)(type)
        if optional and type == "real":
            terminal = random.choice(optional)
            if random.random() < 0.5:
                value = f"({value}) + t.{terminal.name}?"
            else:
                lines += [f"exists t.{terminal.name}:", f"    {text} = 0.5 * t.{terminal.name}",
                          "else:", f"    {text} = {value}", "end"]
                continue
        lines.append(f"{text} = {value}")
    return lines


def function(name, lines):
    """The text of an entry function, or nothing."""
    return [f"fn {name}():", *("    " + line for line in lines), "end"] if lines else []
