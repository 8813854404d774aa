"""Random systems: instances of components, run by wires or by hand, some of them with algebraic
loops. A system is a component, so systems may stand in systems."""

import re
from dataclasses import dataclass, field

from components import (
    Component, function, random_component, random_inputs, random_outputs, random_properties,
    values_of,
)
from expressions import TYPES, VECTORS, Expressions, constant

FUNCTIONS = ["mixed", "limited"]
FUNCTION_LINES = """fn mixed(real a, real b) real:
    return 0.5 * a - 0.25 * b
end
fn limited(real x, real limit) real:
    result = x
    if abs(x) > abs(limit):
        result = 0.5 * limit
    end
    return result
end""".splitlines()


@dataclass
class Part:
    name: str
    component: Component
    count: int = None  # of an array
    every: int = 1
    settings: str = ""
    offset: int = 0
    by_hand: bool = False

    def elements(self):
        return [self.name] if self.count is None else [
            f"{self.name}[{i}]" for i in range(self.count)]

    def declared(self):
        count = "" if self.count is None else f"[{self.count}]"
        rate = "" if self.every == 1 else f" every {self.every}"
        rate += f" offset {self.offset}" if self.offset else ""
        return f'instance {self.name}{count} = "{self.component.name}"({self.settings}){rate}'


@dataclass
class Wire:
    target: str
    value: str
    feedthrough: bool  # of the target
    part: Part = None
    elements: tuple = ()  # that it feeds


@dataclass
class System(Component):
    """In the values of wires `@3@` stands for the third of the delays."""

    wires: list = field(default_factory=list)
    delays: list = field(default_factory=list)  # type, value, initial value
    order: list = field(default_factory=list)  # of elements; empty: there may be loops
    functions: list = field(default_factory=list)  # lines
    declarations: list = field(default_factory=list)

    def delayed(self, text):
        """A value as wires say it."""
        while "@" in text:
            text = re.sub(r"@(\d+)@", lambda m: "delay({1}, {2})".format(*self.delays[int(m[1])]),
                          text)
        return text

    def statements(self):
        """Those whose order decides nothing."""
        return [*(part.declared() for part in self.parts),
                *(f"connect {wire.target} = {self.delayed(wire.value)}" for wire in self.wires)]

    def write(self, statements):
        lines = [*self.declarations, *statements, *FUNCTION_LINES, *self.functions]
        return "\n".join(lines) + "\n"


class Generator:
    def __init__(self, random, name, pool, size):
        self.random = random
        self.pool = pool
        count = random.randint(1, 3)
        self.system = System(name, random_inputs(random, count),
                             random_outputs(random, random.randint(1, 3)),
                             random_properties(random))
        self.system.parts = [self.part(f"a{k}") for k in range(random.randint(1, size))]
        self.properties = [(p.name, p.type) for p in self.system.properties]
        self.is_loose = random.random() < 0.25
        self.has_functions = random.random() < 0.6
        for part in self.system.parts:
            part.by_hand = self.has_functions and random.random() < 0.3
        self.order_of = {}

    # --- instances ---

    def part(self, name):
        random = self.random
        part = Part(name, random.choice(self.pool))
        if random.random() < 0.25:
            part.count = random.randint(1, 3)
        if random.random() < 0.2:
            part.every = random.randint(1, 4)
            part.offset = random.randrange(part.every)
        part.settings = ", ".join(self.settings(part))
        return part

    def settings(self, part):
        for property in part.component.properties:
            if self.random.random() < 0.5:
                continue
            value = constant(self.random, property.type)
            one_each = part.count and property.name != "n.dt" and self.random.random() < 0.5
            if one_each:
                values = [constant(self.random, property.type) for _ in range(part.count)]
                value = f"[{', '.join(values)}]"
            own = [p for p in self.system.properties if p.type == property.type
                   and (property.is_tunable or not p.is_tunable)]
            if own and self.random.random() < 0.5 and not one_each:
                value = self.random.choice(own).name
                if property.is_tunable:
                    value = f"2.0 * {value}"
            yield f"{property.name} = {value}"

    # --- what can be read ---

    def outputs(self, can_read):
        """The outputs of instances, of single ones and of arrays as a whole. `can_read` tells of
        an element whether its outputs with feedthrough are among them."""
        for part in self.system.parts:
            elements = part.elements()
            for terminal in part.component.outputs:
                late = not terminal.feedthrough
                for element in elements:
                    if late or can_read(part, element):
                        yield f"{element}.{terminal.name}", terminal.type
                whole = late or all(can_read(part, element) for element in elements)
                if part.count in VECTORS and terminal.type == "real" and whole:
                    yield f"{part.name}.{terminal.name}", VECTORS[part.count]

    def inputs(self, feedthrough_only):
        return values_of(t for t in self.system.inputs if t.feedthrough or not feedthrough_only)

    def tunables(self):
        for part in self.system.parts:
            for property in part.component.properties:
                if property.type == "real":
                    yield f"{self.random.choice(part.elements())}.{property.name}", "real"

    def delay(self, type):
        inner = [*self.inputs(False), *self.properties, *self.outputs(lambda *_: True)]
        wrap = self.delay if self.random.random() < 0.3 else None
        value = Expressions(self.random, inner, wrap, FUNCTIONS).make(type, 1)
        self.system.delays.append((type, value, constant(self.random, type)))
        return f"@{len(self.system.delays) - 1}@"

    def value(self, type, feedthrough, can_read):
        values = [*self.outputs(can_read), *self.inputs(feedthrough), *self.properties]
        if self.random.random() < 0.2:
            values += self.tunables()
        return Expressions(self.random, values, self.delay, FUNCTIONS).make(type)

    # --- wires ---

    def put_in_order(self):
        """Each instance may read those before it; of an array those before its first one, where
        a wire feeds all of it."""
        elements = [(part, element) for part in self.system.parts if not part.by_hand
                    for element in self.random.sample(part.elements(), len(part.elements()))]
        parts = self.random.sample(self.system.parts, len(self.system.parts))
        elements.sort(key=lambda item: parts.index(item[0]))
        self.order_of = {element: k for k, (_, element) in enumerate(elements)}
        if not self.is_loose:
            self.system.order = [element for _, element in elements]

    def can_read(self, elements):
        """For a wire to inputs with feedthrough of these."""
        first = min(self.order_of[element] for element in elements)

        def answer(part, element):
            if part.by_hand:
                return False
            return self.is_loose or self.order_of[element] < first

        return answer

    def connect_inputs(self):
        for part in self.system.parts:
            if part.by_hand:
                continue
            for terminal in part.component.inputs:
                if (terminal.is_optional or terminal.default) and self.random.random() < 0.5:
                    continue
                elements = part.elements()
                if part.count is not None and self.random.random() < 0.5:
                    self.connect_all(part, terminal, elements)
                    continue
                for element in elements:
                    if terminal.is_optional and self.random.random() < 0.3:
                        continue
                    self.connect(part, f"{element}.{terminal.name}", terminal, terminal.type,
                                 (element,))

    def connect_all(self, part, terminal, elements):
        """One value for all of an array, or a vector with one for each."""
        type = terminal.type
        if type == "real" and part.count in VECTORS and self.random.random() < 0.7:
            type = VECTORS[part.count]
        if type in VECTORS.values() and terminal.type != "real":
            type = "real"
        self.connect(part, f"{part.name}.{terminal.name}", terminal, type, tuple(elements))

    def connect(self, part, target, terminal, type, elements):
        can_read = self.can_read(elements) if terminal.feedthrough else lambda *_: True
        value = self.value(type, terminal.feedthrough, can_read)
        optional = [t for t in self.system.inputs if t.is_optional]
        if terminal.is_optional and len(elements) == 1 and optional:
            source = self.random.choice(optional)
            if self.random.random() < 0.5 and source.feedthrough >= terminal.feedthrough:
                value = f"t.{source.name}"  # is there if the source is
        self.system.wires.append(Wire(target, value, terminal.feedthrough, part, elements))

    def connect_outputs(self):
        """Those that functions do not assign."""
        own = []
        for terminal in self.system.outputs:
            if self.has_functions and self.random.random() < 0.4:
                own.append(terminal)
                continue
            value = self.value(terminal.type, terminal.feedthrough, lambda *_: True)
            self.system.wires.append(Wire(f"t.{terminal.name}", value, terminal.feedthrough))
        return own

    # --- functions ---

    def write_functions(self, own):
        random, system = self.random, self.system
        state = [(f"s{k}", random.choice(TYPES)) for k in range(random.randrange(3))]
        by_hand = [part for part in system.parts if part.by_hand]
        done = []

        def make(type, feedthrough, how="make"):
            values = [*self.outputs(lambda part, element: not part.by_hand or element in done),
                      *self.inputs(feedthrough), *self.properties, *state]
            return getattr(Expressions(random, values, None, FUNCTIONS), how)(type)

        output, update = [], []
        for part in random.sample(by_hand, len(by_hand)):
            elements = part.elements()
            random.shuffle(elements)
            output += self.maybe_init(part)
            output += self.assign_inputs(part, elements, True, make)
            if random.random() < 0.5:
                output.append(f"{part.name}.output()")
            else:
                output += [f"{element}.output()" for element in elements]
            done += elements
        output += [f"t.{t.name} = {make(t.type, True)}" for t in own if t.feedthrough]
        for part in by_hand:
            update += self.assign_inputs(part, part.elements(), False, make)
        for part in random.sample(by_hand, len(by_hand)):
            update += self.maybe_init(part)
            update.append(f"{part.name}.update()")
            update += self.maybe_init(part)
        late = [(f"t.{t.name}", t.type) for t in own if not t.feedthrough]
        update += [f"{text} = {make(type, False, 'bounded')}" for text, type in state + late]
        init = [f"{text} = {constant(random, type)}" for text, type in late]
        system.declarations += [f"{type} {text} = {constant(random, type)}" for text, type in state]
        system.state = [text for text, _ in state]
        self.add_functions(init, output, update)

    def add_functions(self, init, output, update):
        for name, lines in (("init", init), ("output", output), ("update", update)):
            self.system.functions += function(f"{name}_fnc", lines)

    def maybe_init(self, part):
        if self.random.random() < 0.8:
            return []
        values = [*self.inputs(True), *self.properties]
        condition = Expressions(self.random, values).make("bool", 1)
        call = f"{self.random.choice([part.name, *part.elements()])}.init()"
        return [f"if {condition}:", f"    {call}", "end"]

    def assign_inputs(self, part, elements, feedthrough, make):
        """All or none of an array's optional ones."""
        for terminal in part.component.inputs:
            may_miss = terminal.is_optional or terminal.default
            if terminal.feedthrough != feedthrough or (may_miss and self.random.random() < 0.5):
                continue
            is_vector = terminal.type in VECTORS.values()
            if len(elements) > 1 and self.random.random() < 0.3 and not is_vector:
                yield f"{part.name}.{terminal.name} = {make(terminal.type, feedthrough)}"
                continue
            for element in elements:
                line = f"{element}.{terminal.name} = {make(terminal.type, feedthrough)}"
                if terminal.default and self.random.random() < 0.7:
                    yield from [f"if {make('bool', feedthrough)}:", "    " + line, "end"]
                else:
                    yield line


def random_system(random, name, pool, size):
    generator = Generator(random, name, pool, size)
    system = generator.system
    generator.put_in_order()
    generator.connect_inputs()
    own = generator.connect_outputs()
    system.declarations = [p.declared() for p in system.properties]
    system.declarations += [t.declared("in") for t in system.inputs]
    system.declarations += [t.declared("out") for t in system.outputs]
    if generator.has_functions:
        generator.write_functions(own)
    system.text = system.write(system.statements())
    return system


def random_systems(random, leaves, size):
    """Systems of systems, up to three deep; the last one, which is to be run, has at most so many
    instances and arrays."""
    systems = []
    pool = list(leaves)
    for depth in range(random.randrange(3)):
        inner = random_system(random, f"inner{depth}.tml", pool, 3)
        systems.append(inner)
        pool = [*random.sample(leaves, min(4, len(leaves))), *[inner] * 3]
    systems.append(random_system(random, "main.tml", pool, size))
    return systems


def random_leaves(random, count):
    return [random_component(random, f"leaf{k}.tml") for k in range(count)]


# --- the same by hand -----------------------------------------------------------------------------


def written_by_hand(system):
    """The text of a system with wires alone, with functions instead; None if it has what functions
    cannot say in the same way."""
    wired = [part for part in system.parts if not part.by_hand]
    is_simple = len(wired) == len(system.parts) and not system.functions
    if not is_simple or (system.parts and not system.order):
        return None
    if any(t.is_optional for t in system.inputs) or not same_optional(system):
        return None

    def kept(text):
        return re.sub(r"@(\d+)@", r"held_\1", text)

    output, update = [], []
    inputs = [wire for wire in system.wires if wire.part and wire.feedthrough]
    for element in system.order:
        for wire in [wire for wire in inputs if element in wire.elements]:
            output.append(f"{wire.target} = {kept(wire.value)}")
            inputs.remove(wire)
        output.append(f"{element}.output()")
    for wire in system.wires:
        if wire.part is None and wire.feedthrough:
            output.append(f"{wire.target} = {kept(wire.value)}")
        elif wire.part is not None and not wire.feedthrough:
            update.append(f"{wire.target} = {kept(wire.value)}")
    update += [f"next_{k} = {kept(value)}" for k, (_, value, _) in enumerate(system.delays)]
    update += [f"{element}.update()" for element in system.order]
    late = [w for w in system.wires if w.part is None and not w.feedthrough]
    update += [f"{wire.target} = {kept(wire.value)}" for wire in late]
    update += [f"held_{k} = next_{k}" for k in range(len(system.delays))]
    lines = [*system.declarations, *(part.declared() for part in system.parts)]
    lines += [f"{type} held_{k} = {first}" for k, (type, _, first) in enumerate(system.delays)]
    zeros = [f"{wire.target} = {zero(system, wire.target)}" for wire in late]
    lines += FUNCTION_LINES + function("init_fnc", zeros)
    lines += function("output_fnc", output) + function("update_fnc", update)
    return "\n".join(lines) + "\n"


def zero(system, target):
    type = next(t.type for t in system.outputs if target == f"t.{t.name}")
    return {"bool": "false", "int": "0"}.get(type, "0.0")


def same_optional(system):
    """Whether the optional inputs of an array are connected in all of its elements, or in none."""
    for part in system.parts:
        for terminal in part.component.inputs:
            if terminal.is_optional:
                fed = {e for w in system.wires if w.part is part
                       and w.target.endswith("." + terminal.name) for e in w.elements}
                if len(fed) not in (0, len(part.elements())):
                    return False
    return True
