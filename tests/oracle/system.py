"""Instances of components and the wires between them (L15).

Nothing is put in an order here. An output with feedthrough that a wire reads is asked for: its
instance runs, and asks for its inputs with feedthrough by their wires, and so on. Where asking
comes back to an instance that is being asked there is an algebraic loop.
"""

import os

from component import Components, Options, Terminal
from evaluate import ATTRIBUTES
from instances import Element, Group, Part, Setting, Wire, is_delay, joined
from scopes import Frame, Missing, Scope, Variable
from shapes import INT, Illegal, Type
from statements import is_component, target_of
from tree import Source
from values import Value, zero


class Systems(Components):
    def __init__(self, tmlc, options, read_number=None):
        super().__init__(tmlc, options, read_number)
        self.cycle = 0
        self.is_asking = False  # in the part of a cycle in which wired instances run
        self.asked = []  # the elements that are being asked
        self.wire = None  # whose right side is evaluated
        self.first_values = []  # of the variables of the file and its imports

    # --- declarations ---

    def open(self, source, is_script, is_main=True):
        file = super().open(source, is_script, is_main)
        opened = [file, *filter(None, self.files.values())]
        variables = [variable for file in opened for variable in file.variables.values()
                     if not isinstance(variable, Terminal)]
        self.first_values = [(variable, variable.value) for variable in variables]
        if file.parts or file.wires:
            self.join(file)
        return file

    def kept(self, frame):
        """A frame for later, with the variables of the macros around."""
        return Frame(frame.file, Scope(frame.constants(), is_transparent=True))

    def instance(self, node, frame):
        """L15.1."""
        count = self.constant(node["count"], frame, "E0414") if node["count"] else 1
        if count < 1:
            raise Illegal("E0410", f"{count} instances", node)
        part = Part(node, self.kept(frame), [], node["count"] is not None)
        part.elements = [self.element(part, i, count, ()) for i in range(count)]
        name = self.text(node["name"], frame)
        if name in frame.file.parts or frame.find(name):
            raise Illegal("E0302", f"{name} is declared twice", node)
        frame.file.parts[name] = part

    def connect(self, node, frame):
        frame.file.wires.append(Wire(node, self.kept(frame)))

    def element(self, part, index, count, connections):
        node, frame = part.node, part.frame
        path = os.path.join(os.path.dirname(frame.file.source.path),
                            bytes.fromhex(node["path"]).decode())
        containers = (*self.options.containers, os.path.realpath(frame.file.source.path))
        if os.path.realpath(path) in containers:
            raise Illegal("E0704", f"{path} contains itself", node)
        source = Source.read(self.tmlc, path)
        if not is_component(source.statements):
            raise Illegal("E0701", f"{path} is no component", node)
        name = self.text(node["name"], frame) + (f"[{index}]" if part.is_array else "") + "."
        settings = {key.removeprefix(name): text for key, text in self.options.settings.items()
                    if key.startswith(name)}
        given = self.settings(part, (index, count) if part.is_array else None)
        machine = Systems(self.tmlc, Options(
            self.options.single, self.options.strict_ranks, connections=connections,
            settings=settings, given=given, containers=containers))
        machine.open(source, is_script=False)
        files = [machine.file, *machine.files.values()]
        unknown = given.keys() - {name for file in files for name in file.interface}
        if unknown:
            raise Illegal("E0304", f"no {unknown}", node)
        every = self.constant(node["every"], frame, "E0414") if node["every"] else 1
        offset = self.constant(node["offset"], frame, "E0414") if node["offset"] else 0
        if every < 1 or not 0 <= offset < every:
            raise Illegal("E0421", f"every {every} offset {offset}", node)
        element = Element(machine, every, offset)
        for terminal in element.terminals():
            element.shown[terminal.name] = terminal.value
        return element

    def settings(self, part, position):
        result = {}
        frame = part.frame
        frame.file.reads_defaults = True
        for node in part.node["settings"]:
            space, name = (self.text(node[key], frame) for key in ("space", "name"))
            key = f"{space}.{name}"
            if key in result or space not in ("p", "n"):
                raise Illegal("E0304", key, node["value"])
            value = self.known(node["value"], frame)
            result[key] = Setting(value, node["value"], frame, position if space == "p" else None)
        frame.file.reads_defaults = False
        return result

    # --- what is known when all of the file is ---

    def join(self, file):
        """Which instances are by hand, which inputs there are, and what the wires feed."""
        functions = file.functions.values()
        uses = [use for f in functions for use in self.uses(f.node["body"], self.frame_of(f))]
        assigned = set()  # of this file
        inputs = {}  # by part: names of the inputs that exist, by element or for all
        for object, frame in uses:
            found = self.member(object, frame)
            if found:
                part, _, _, name = found
                part.by_hand = True
                if object["kind"] == "attr":
                    inputs.setdefault(id(part), set()).add((None, name))
            elif object["kind"] == "attr" and self.interface_name(object, frame):
                assigned.add(id(self.interface_name(object, frame)))
        for wire in file.wires:
            self.find_output(wire, assigned)
            if wire.output is None:
                part, indices, _, name = self.fed(wire)
                if not isinstance(self.dry_value(wire), Missing):
                    inputs.setdefault(id(part), set()).update((i, name) for i in indices)
        for part in file.parts.values():
            self.find_optional(part, inputs.get(id(part), ()))
        for wire in file.wires:
            if wire.output is None:
                self.attach(wire)
        for part in file.parts.values():
            self.adopt_hardware(part)
        for element in self.elements(file):
            self.trace(element)
        for wire in file.wires:
            wire.is_late = any(read.by_hand for read in self.reads(wire.node["value"], wire.frame))

    def uses(self, tree, frame):
        """What functions assign, and the instances that they call, with frames that know the
        macros around."""
        for node in tree:
            kind = node["kind"]
            if kind == "macro-for":
                name = self.text(node["name"], frame)
                for number in self.macro_range(node["range"], frame):
                    inner = self.kept(frame)
                    inner.scopes[0].names[name] = Variable(Value(INT, number), is_constant=True)
                    yield from self.uses(node["body"], inner)
                continue
            if kind == "macro-if":
                yield from self.uses(self.macro_branch(node, frame), frame)
                continue
            if kind == "assign":
                yield target_of(node["target"])[1], frame
            if kind == "assign-all":
                for target in node["targets"]:
                    yield target_of(target)[1], frame
            if kind == "do" and self.run_of(node["call"], frame):
                yield node["call"]["callee"]["object"], frame
            for inner in [node, *node.get("arms", ())]:
                for key in ("body", "otherwise"):
                    yield from self.uses(inner.get(key) or (), frame)

    def find_output(self, wire, assigned):
        """The output of this file that a wire feeds, if it is none to an instance."""
        target = wire.node["target"]
        if self.member(target, wire.frame):
            return
        wire.output = self.target(target, wire.frame)
        file = wire.frame.file
        if not isinstance(wire.output, Terminal) or not wire.output.is_output:
            raise Illegal("E0720", "no output", target)
        if id(wire.output) in assigned or sum(w.output is wire.output for w in file.wires) > 1:
            raise Illegal("E0750", "this output has two sources", target)
        value = self.dry_value(wire)
        self.assigned(value, wire.node["value"], wire.frame, wire.output.value.type)

    def fed(self, wire):
        part, indices, space, name = self.member(wire.node["target"], wire.frame)
        if part.by_hand:
            raise Illegal("E0752", "it is run by hand", wire.node)
        terminal = part.elements[0].machine.file.interface.get(f"{space}.{name}")
        if terminal is None:
            raise Illegal("E0301", f"no terminal {name}", wire.node)
        if not isinstance(terminal, Terminal) or not terminal.is_input:
            raise Illegal("E0720", f"{name} is no input", wire.node)
        return part, indices, space, name

    def find_optional(self, part, inputs):
        """Starts again with the optional inputs that are there."""
        for i, element in enumerate(part.elements):
            names = [t.name for t in element.terminals() if isinstance(t.value, Missing)
                     and t.is_input and ((i, t.name) in inputs or (None, t.name) in inputs)]
            if names:
                part.elements[i] = self.element(
                    part, i, len(part.elements), tuple(f"t.{name}" for name in names))
            part.elements[i].by_hand = part.by_hand

    def attach(self, wire):
        part, indices, _, name = self.fed(wire)
        value = self.dry_value(wire)
        if isinstance(value, Missing):
            return
        inputs = [part.elements[i].machine.file.interface[f"t.{name}"] for i in indices]
        is_all = len(indices) > 1 or self.is_whole(wire.node["target"], part)
        type = joined([t.value for t in inputs]).type if is_all else inputs[0].value.type
        self.assigned(value, wire.node["value"], wire.frame, type)
        for i in indices:
            wires = part.elements[i].wires
            if name in wires:
                raise Illegal("E0750", f"{name} is connected twice", wire.node)
            wires[name] = wire, i if is_all else None, type

    def adopt_hardware(self, part):
        """L16: the terminals of who holds the instances, with its name before theirs."""
        for i, element in enumerate(part.elements):
            name = self.text(part.node["name"], part.frame) + (f"[{i}]" if part.is_array else "")
            for terminal in element.machine.terminals:
                if terminal.is_hardware:
                    terminal.name = f"{name}.{terminal.name}"
                    self.terminals.append(terminal)

    def is_whole(self, target, part):
        return part.is_array and target["object"]["kind"] == "name"

    def elements(self, file):
        return [element for part in file.parts.values() for element in part.elements]

    def trace(self, element):
        """E0753, E0751. Of what an instance waits for."""
        if element in self.asked:
            raise Illegal("E0753", "an algebraic loop")
        if element.is_traced:
            return
        element.is_traced = True
        self.asked.append(element)
        for terminal in () if element.by_hand else (*element.inputs(True), *element.inputs(False)):
            if terminal.name not in element.wires:
                if terminal.default is None:
                    raise Illegal("E0751", f"{terminal.name} has no wire")
            elif terminal.is_feedthrough:
                wire = element.wires[terminal.name][0]
                for read in self.reads(wire.node["value"], wire.frame):
                    self.trace(read)
        self.asked.pop()

    def reads(self, tree, frame):
        """The elements that must have run before this is known."""
        if isinstance(tree, list):
            for item in tree:
                yield from self.reads(item, frame)
            return
        if not isinstance(tree, dict):
            return
        kind = tree.get("kind")
        if kind == "type-of" or (kind and is_delay(tree)):
            return
        if kind == "attr":
            found = self.member(tree, frame)
            if found:
                part, indices, space, name = found
                for element in [part.elements[i] for i in indices]:
                    terminal = element.machine.file.interface[f"{space}.{name}"]
                    if terminal.is_output and terminal.is_feedthrough:
                        yield element
                return
            if tree["name"]["name"] in ATTRIBUTES:
                return
        for item in tree.values():
            yield from self.reads(item, frame)

    # --- names (L15.2) ---

    def part_of(self, node, frame):
        """The part that an expression names, and the positions of the elements; or None."""
        index = None
        if node["kind"] == "index" and len(node["indices"]) == 1:
            index, node = node["indices"][0], node["object"]
        if node["kind"] != "name" or not frame.file.parts:
            return None
        name = self.text(node["name"], frame)
        part = None if frame.find(name) else frame.file.parts.get(name)
        if part is None:
            return None
        if index is None:
            return part, range(len(part.elements))
        number = self.constant(index, frame, "E0414")
        if not part.is_array or not 0 <= number < len(part.elements):
            raise Illegal("E0603", f"no instance {number}", index)
        return part, (number,)

    def member(self, node, frame):
        """Part, positions, space and name of `speed.u` and `axis[1].p.kp`; a part by itself has
        no name; None if it is none of these."""
        if not frame.file.parts:
            return None
        space = name = None
        if node["kind"] == "attr":
            space, name = "t", self.text(node["name"], frame)
            node = node["object"]
            if node["kind"] == "attr" and node["name"]["name"] in ("p", "n"):
                space = node["name"]["name"]
                node = node["object"]
        found = self.part_of(node, frame)
        return found and (*found, space, name)

    def is_constant(self, node, frame, with_calls=False):
        if node["kind"] == "attr":
            found = self.member(node, frame)
            if found:
                part, _, space, name = found
                terminal = part.elements[0].machine.file.interface.get(f"{space}.{name}")
                return terminal is not None and space != "t" and terminal.is_constant
        return super().is_constant(node, frame, with_calls)

    def attribute(self, node, frame):
        found = self.member(node, frame)
        if not found:
            terminal = frame.file.reads_defaults and self.interface_name(node, frame)
            return terminal.default if terminal else super().attribute(node, frame)
        part, indices, space, name = found
        values = [self.seen(part.elements[i], space, name, frame, node) for i in indices]
        return joined(values) if self.is_whole_read(node, part, space) else values[0]

    def is_whole_read(self, node, part, space):
        return self.is_whole(node if space == "t" else node["object"], part)

    def seen(self, element, space, name, frame, node):
        terminal = element.machine.file.interface.get(f"{space}.{name}")
        if terminal is None:
            raise Illegal("E0301", f"no {space}.{name}", node)
        if space != "t":
            return terminal.default if frame.file.reads_defaults else terminal.value
        if terminal.is_input:
            raise Illegal("E0720", f"{name} is an input", node)
        if self.is_asking and not self.is_dry and terminal.is_feedthrough and not element.by_hand:
            self.ask(element)
        return element.shown[name]

    def target(self, object, frame):
        found = self.member(object, frame)
        if not found:
            return super().target(object, frame)
        part, indices, space, name = found
        inputs = [part.elements[i].machine.file.interface.get(f"{space}.{name}") for i in indices]
        if inputs[0] is None:
            raise Illegal("E0301", f"no {name}", object)
        if not inputs[0].is_input:
            raise Illegal("E0720", f"{name} is no input", object)
        return Group(inputs) if self.is_whole(object, part) else inputs[0]

    # --- what functions call (L15.3) ---

    def run_of(self, node, frame):
        """Part, positions and name of `speed.output()`."""
        callee = node["callee"]
        found = callee["kind"] == "attr" and self.part_of(callee["object"], frame)
        return found and (*found, callee["name"]["name"])

    def call(self, node, frame):
        if self.wire and is_delay(node):
            return self.delayed(node, frame)
        found = self.run_of(node, frame)
        if not found:
            return super().call(node, frame)
        part, indices, name = found
        for element in [part.elements[i] for i in indices]:
            if self.is_dry:
                continue
            if name == "init":
                element.start()
            elif self.runs(element):
                element.run_output() if name == "output" else element.machine.update_phase()
        return None

    def runs(self, element):
        """L15.6."""
        return self.cycle % element.every == element.offset

    # --- wires (L15.4) ---

    def wire_value(self, wire, node=None):
        outer, self.wire = self.wire, wire
        try:
            return self.value(node or wire.node["value"], wire.frame)
        finally:
            self.wire = outer

    def dry_value(self, wire):
        was_dry, self.is_dry = self.is_dry, True
        try:
            return self.wire_value(wire)
        finally:
            self.is_dry = was_dry

    def delayed(self, node, frame):
        if len(node["args"]) != 2:
            raise Illegal("E0711", "`delay` has two arguments", node)
        if id(node) in self.wire.delays:
            return self.wire.delays[id(node)]
        value, first = node["args"]
        if not self.is_constant(first, frame, with_calls=True):
            raise Illegal("E0414", "not constant", first)
        type = self.type_of(value, frame)
        result = self.assigned(self.known(first, frame), first, frame, type)
        if not self.is_dry:
            self.wire.delays[id(node)] = result
        return result

    def input_value(self, element, terminal):
        """What the wire to an input says."""
        if terminal.name not in element.wires:
            return terminal.default
        wire, index, type = element.wires[terminal.name]
        value = self.assigned(self.wire_value(wire), wire.node["value"], wire.frame, type)
        return value if index is None else Value(Type(type.levels[1:], type.root),
                                                 value.data[index])

    def ask(self, element):
        """Its outputs of this cycle."""
        if element.is_done or not self.runs(element):
            return
        if element in self.asked:
            raise Illegal("E0753", "an algebraic loop")
        self.asked.append(element)
        for terminal in element.inputs(feedthrough=True):
            terminal.value = self.input_value(element, terminal)
        element.run_output()
        element.is_done = True
        self.asked.pop()

    # --- a cycle ---

    def watched(self, name):
        """`axis[1].speed.integral`"""
        before, _, after = name.partition(".")
        if not after:
            return super().watched(name)
        part, _, index = before.partition("[")
        return self.file.parts[part].elements[int(index[:-1] or 0)].machine.watched(after)

    def wired(self):
        return [element for element in self.elements(self.file)
                if not element.by_hand and self.runs(element)]

    def start(self):
        for element in self.elements(self.file):
            element.start()
        for variable, value in self.first_values:
            variable.value = value
        for terminal in self.terminals:
            is_shown = terminal.is_hardware or isinstance(terminal.value, Missing)
            if terminal.is_output and not is_shown:
                terminal.value = zero(terminal.value.type)
        for wire in self.file.wires:
            wire.delays.clear()
        super().start()

    def output_phase(self):
        for element in self.elements(self.file):
            if self.runs(element):
                element.show(feedthrough=False)
            element.is_done = False
            for terminal in element.terminals():
                if element.by_hand and terminal.default is not None:
                    terminal.value = terminal.default
        self.is_asking = True
        for element in self.wired():
            self.ask(element)
        self.is_asking = False
        self.feed_outputs(True, is_late=False)
        super().output_phase()
        self.feed_outputs(True)  # all: `init()` shows at once

    def feed_outputs(self, feedthrough, is_late=None):
        for wire in self.file.wires:
            output = wire.output
            if output and output.is_feedthrough == feedthrough and is_late in (None, wire.is_late):
                if not isinstance(output.value, Missing):
                    output.value = self.assigned(
                        self.wire_value(wire), wire.node["value"], wire.frame, output.value.type)

    def update_phase(self):
        inputs = [(terminal, self.input_value(element, terminal))
                  for element in self.wired() for terminal in element.inputs(feedthrough=False)]
        delays = [(wire, node, self.wire_value(wire, node["args"][0]))
                  for wire in self.file.wires for node in wire.delay_nodes]
        for terminal, value in inputs:
            terminal.value = value
        for element in self.wired():
            element.machine.update_phase()
        super().update_phase()
        self.feed_outputs(False)
        for wire, node, value in delays:
            wire.delays[id(node)] = value
        self.cycle += 1

    STATEMENTS = {**Components.STATEMENTS, "instance": "instance", "connect": "connect"}
