"""Statements, functions and files (L3, L4, L6, L8, L9, L10.5-L10.8)."""

import os

import places
from evaluate import RELATIONAL, Expressions
from printing import printed
from scopes import File, Frame, Function, Missing, Scope, Variable
from shapes import BOOL, INT, STR, Illegal
from tree import Source, nodes, texts
from values import Value, from_scalars, scalars, zero

ENTRIES = ("init_fnc", "output_fnc", "update_fnc")
BREAK, CONTINUE = "break", "continue"


class Return:
    def __init__(self, values):
        self.values = values


class Statements(Expressions):
    """Statements give BREAK, CONTINUE or a Return when they end the block that they stand in."""

    def __init__(self, tmlc, single, read_number=None):
        super().__init__(single)
        self.tmlc = tmlc
        self.read_number = read_number
        self.output = []
        self.files = {}
        self.active = []  # the statements that are being executed, with their files

    # --- blocks ---

    def block(self, statements, frame):
        for statement in statements:
            self.active.append((frame.file, statement))
            ended = getattr(self, self.STATEMENTS[statement["kind"]])(statement, frame)
            self.active.pop()  # after a trap they stay
            if ended:
                return ended
        return None

    def active_lines(self):
        """The lines of the statements that were not finished, and of the functions that the last of
        them may call: any of these may have trapped as well."""
        lines = set()
        for file, statement in self.active:
            lines |= file.source.lines(statement, statement)
        waiting = list(called(self.active[-1][1])) if self.active else []
        seen = set()
        while waiting:
            name = waiting.pop()
            function = file.find_function(name)
            if function and name not in seen:
                seen.add(name)
                lines |= function.file.source.lines(function.node, function.node["end_span"])
                waiting += called(function.node["body"])
        return lines

    def scope(self, statements, frame, names=None):
        """A block with a scope of its own."""
        frame.scopes.append(Scope(names or {}))
        try:
            return self.block(statements, frame)
        finally:
            frame.scopes.pop()

    # --- declarations and assignments ---

    def declare(self, node, frame):
        name = self.text(node["name"], frame)
        target = self.type(node["type"], frame)
        if node["name_optional"] and isinstance(self.dry(node["type"]["of"], frame), Missing):
            frame.declare(name, Missing(target))
            return
        value = self.value(node["value"], frame)
        frame.declare(name, self.assigned(value, node["value"], frame, target))

    def assign(self, node, frame):
        brackets, object = target_of(node["target"])
        variable = self.target(object, frame)
        if node["optional"] and isinstance(variable.value, Missing):
            return
        if variable is None:
            value = self.value(node["value"], frame)
            if value is None:
                raise Illegal("E0712", "this call has no result", node)
            frame.declare(self.text(object["name"], frame), value)
        elif node["op"]:
            self.assign_compound(node, variable, brackets, frame)
        else:
            self.assign_plain(node, variable, brackets, frame)

    def send(self, node, frame):
        """L16"""
        brackets, object = target_of(node["target"])
        variable = frame.find(self.text(object["name"], frame))
        self.assign_plain(node, variable, brackets, frame)

    def target(self, object, frame):
        """The variable to assign to; None if the name is a new one."""
        if object["kind"] == "attr":
            return self.interface_name(object, frame)
        if object["kind"] != "name":
            raise Illegal("E0202", "nothing to assign to", object)
        if self.declares(frame):
            return None
        variable = frame.find(self.text(object["name"], frame))
        if variable and variable.is_constant:
            raise Illegal("E0715", "a constant is not assigned", object)
        return variable

    def declares(self, frame):
        """L4.1: at file level every assignment declares, but in a script."""
        return frame.is_file_level and not frame.file.is_script

    def assign_plain(self, node, variable, brackets, frame):
        """The value is complete before the place is looked for (L6.3)."""
        value = self.value(node["value"], frame)
        if isinstance(value, Missing):
            return
        steps = self.steps(variable.value.type, brackets, frame, on_left=True)
        part = places.read(variable.value, steps).type
        value = self.assigned(value, node["value"], frame, part)
        variable.value = places.write(variable.value, steps, value)

    def assign_all(self, node, frame):
        """L9.5: from left to right, after the call."""
        call = node["value"]
        name = call["kind"] == "call" and self.text(call["callee"]["name"], frame)
        function = name and frame.file.find_function(name)
        if not function or len(function.node["results"]) != len(node["targets"]):
            raise Illegal("E0712", f"not {len(node['targets'])} results", node)
        for target, value in zip(node["targets"], self.call_function(function, call, frame)):
            brackets, object = target_of(target)
            if object["kind"] == "name" and object["name"]["name"] == "_" and not brackets:
                continue
            variable = self.target(object, frame)
            if variable is None:
                frame.declare(self.text(object["name"], frame), value)
                continue
            steps = self.steps(variable.value.type, brackets, frame, on_left=True)
            part = places.read(variable.value, steps).type
            value = self.assigned(value, call, frame, part)
            variable.value = places.write(variable.value, steps, value)

    def assign_compound(self, node, variable, brackets, frame):
        """L5.8: indices once, then as `x = x op e`."""
        steps = self.steps(variable.value.type, brackets, frame, on_left=True)
        old = places.read(variable.value, steps)
        value = self.value(node["value"], frame)
        if isinstance(value, Missing):
            return
        if value is None:
            raise Illegal("E0712", "this call has no result", node)
        if old.type.root == "uint" and self.counts_as_uint(value, node["value"], frame):
            value = Value(value.type.with_root("uint"), value.data)
        nodes_of_operands = (node["target"], node["value"])
        new = self.operate(node["op"], node, old, value, frame, nodes_of_operands)
        # The result is never constant: its operand is a variable.
        new = self.assigned(new, node["target"], frame, old.type)
        variable.value = places.write(variable.value, steps, new)

    # --- control flow ---

    def condition(self, node, frame, value=None):
        value = value or self.value(node, frame)
        if value.type != BOOL:
            raise Illegal("E0402", f"{value.type} is no condition", node)
        return value.data

    def branch(self, node, frame):
        for arm in node["arms"]:
            if self.condition(arm["condition"], frame):
                return self.scope(arm["body"], frame)
        return self.scope(node["otherwise"] or [], frame)

    def loop(self, node, frame):
        while self.condition(node["condition"], frame):
            ended = self.scope(node["body"], frame)
            if ended == BREAK:
                break
            if isinstance(ended, Return):
                return ended
        return None

    def bounds(self, node, frame):
        """The numbers that a loop goes through (L8.2)."""
        parts = [node["first"], node["last"], node["step"]]
        first, last, step = (
            self.assigned_int(part, frame) if part else None for part in parts
        )
        if step == 0:
            if self.is_constant(node["step"], frame):
                raise Illegal("E0421", "the step cannot be 0", node["step"])
            self.trap("E1003", node["step"], frame, "the step of the loop is zero")
        return range(first, last, 1 if step is None else step)

    def assigned_int(self, node, frame):
        return self.assigned(self.value(node, frame), node, frame, INT).data

    def for_loop(self, node, frame):
        name = self.text(node["name"], frame)
        is_constant = self.indexes_text(node["body"], name, frame)
        for number in self.bounds(node["range"], frame):
            # An assignment in the body does not reach the variable of the loop.
            frame.scopes.append(Scope({name: Variable(Value(INT, number), is_constant)}))
            try:
                ended = self.scope(node["body"], frame)
            finally:
                frame.scopes.pop()
            if ended == BREAK:
                break
            if isinstance(ended, Return):
                return ended
        return None

    def indexes_text(self, body, name, frame):
        """L10.8: whether the variable of a loop stands in an index of a text."""
        for node in nodes(body):
            if node["kind"] == "index" and node["object"]["kind"] == "attr":
                object = node["object"]["object"]
                if object["kind"] == "name" and object["name"]["name"] in ("p", "n"):
                    names = [n for n in nodes(node["indices"]) if n["kind"] == "name"]
                    if any(n["name"]["name"] == name for n in names):
                        return self.type_of(node["object"], frame) == STR
        return False

    def leave(self, node, frame):
        return BREAK if node["kind"] == "break" else CONTINUE

    def nothing(self, node, frame):
        return None

    def give_back(self, node, frame):
        if len(node["values"]) != len(frame.results):
            raise Illegal("E0712", f"{len(node['values'])} values", node)
        values = [self.value(value, frame) for value in node["values"]]
        parts = zip(values, node["values"], frame.results)
        return Return([self.assigned(value, part, frame, type) for value, part, type in parts])

    def call_statement(self, node, frame):
        self.value(node["call"], frame)

    # --- macros and guards ---

    def macro_for(self, node, frame):
        name = self.text(node["name"], frame)
        for number in self.macro_range(node["range"], frame):
            variable = Variable(Value(INT, number), is_constant=True)
            frame.scopes.append(Scope({name: variable}, is_transparent=True))
            try:
                ended = self.block(node["body"], frame)
            finally:
                frame.scopes.pop()
            if ended:
                return ended
        return None

    def macro_range(self, node, frame):
        parts = [node["first"], node["last"], node["step"]]
        first, last, step = (part and self.constant(part, frame, "E0740") for part in parts)
        if step == 0:
            raise Illegal("E0421", "the step cannot be 0", node["step"])
        return range(first, last, 1 if step is None else step)

    def macro_if(self, node, frame):
        return self.block(self.macro_branch(node, frame), frame)

    def macro_branch(self, node, frame):
        for arm in node["arms"]:
            if not self.is_constant(arm["condition"], frame, with_calls=True):
                raise Illegal("E0740", "the condition is not constant", arm)
            self.condition(arm["condition"], frame)
            if self.known(arm["condition"], frame).data:
                return arm["body"]
        return node["otherwise"] or []

    def guard(self, node, frame):
        """L10.5."""
        if node["feedthrough"]:
            holds = all(self.target(name, frame).is_feedthrough for name in node["names"])
        else:
            holds = not any(
                isinstance(self.target(name, frame).value, Missing) for name in node["names"]
            )
        taken = node["body"] if holds != node["negated"] else node["otherwise"] or []
        return self.scope(taken, frame)

    # --- functions ---

    def call_function(self, function, node, frame):
        params = function.node["params"]
        callee = self.frame_of(function)
        given = self.bind(function, callee, node, frame)
        values, given_places = {}, {}
        written = {self.text(param["name"], callee) for param in params if param["is_var"]}
        for name, arg in given.items():
            if name in written:
                values[name], given_places[name] = self.given_place(arg, frame)
            else:
                values[name] = self.value(arg, frame)
        if any(value is None for value in values.values()):
            raise Illegal("E0712", "an argument without value", node)
        callee.scopes.append(Scope(self.sizes(params, values, callee)))
        names = {}
        for param in params:
            target = self.type(param["type"], callee)
            name = self.text(param["name"], callee)
            if name in written:
                value = values[name]
                if value.type != target:
                    raise Illegal("E0510" if value.type.levels != target.levels else "E0401",
                                  f"{value.type} is given, not {target}", given[name])
            elif name in given:
                value = self.assigned(values[name], given[name], frame, target)
            else:
                value = self.default(param, callee, target)
            names[name] = Variable(value)
        check_apart(given_places.values(), node)
        callee.results = [self.type(result, callee) for result in function.node["results"]]
        results = self.enter(function, callee, names)
        for name, (variable, steps) in given_places.items():
            variable.value = places.write(variable.value, steps, names[name].value)
        return results

    def given_place(self, node, frame):
        """L9.6: the value that is copied in, and where it is copied back."""
        brackets, object = target_of(node)
        variable = self.target(object, frame)
        if variable is None:
            raise Illegal("E0301", "no variable", node)
        steps = self.steps(variable.value.type, brackets, frame, on_left=True)
        return places.read(variable.value, steps), (variable, steps)

    def bind(self, function, callee, node, frame):
        """L9.4: the arguments by the names of their parameters, in the order of the text."""
        params = {self.text(param["name"], callee): param for param in function.node["params"]}
        free = list(params)
        given = {}
        by_name = False
        for arg in node["args"]:
            if arg["kind"] == "named":
                by_name = True
                name, arg = self.text(arg["name"], frame), arg["value"]
            elif by_name or len(given) == len(free):
                raise Illegal("E0711", "an argument by position too many", arg)
            else:
                name = free[len(given)]
            if name not in params or name in given:
                raise Illegal("E0711", f"{name} is unknown or given twice", node)
            given[name] = arg
        missing = [name for name in free if name not in given and not params[name]["value"]]
        if missing:
            raise Illegal("E0711", f"without {missing}", node)
        return given

    def default(self, param, callee, target):
        if not self.is_constant(param["value"], callee, with_calls=True):
            raise Illegal("E0711", "a default that is not constant", param["value"])
        return self.assigned(self.known(param["value"], callee), param["value"], callee, target)

    def is_pure(self, function):
        """Whether it and what it calls touch no variables of the file and nothing of the world."""
        file, body = function.file, function.node["body"]
        own = {n["name"]["name"] for n in nodes(body) if n["kind"] in ("decl", "for")}
        own.update(param["name"]["name"] for param in function.node["params"])
        for node in nodes(body):
            if node["kind"] == "name":
                name = node["name"]["name"]
                if name not in own and file.find("variables", name):
                    return False
            elif node["kind"] == "attr" and node["object"]["kind"] == "name":
                variable = file.find_interface(f"{node['object']['name']['name']}."
                                               f"{node['name']['name']}")
                if variable and not variable.is_constant:
                    return False
        inner = [file.find_function(name) for name in called(body)]
        return not called(body) & set(self.COMMANDS) and all(map(self.is_pure, filter(None, inner)))

    def enter(self, function, callee, names):
        """The values that the function gives; `names` are its parameters, written in place."""
        if self.is_dry:
            return [zero(type) for type in callee.results]
        ended = self.scope(function.node["body"], callee, names)
        if callee.results and ended is None:
            raise Illegal("E0713", "a path without a value", function.node)
        return ended.values if isinstance(ended, Return) else []

    def frame_of(self, function):
        return Frame(function.file, Scope(dict(function.captured), is_transparent=True))

    def sizes(self, params, values, callee):
        """L9.2: the lengths that the arguments give to names in dims."""
        sizes = {}
        for param in params:
            value = values.get(self.text(param["name"], callee))
            if value is None:
                continue
            for dims, given in zip(levels_of(param["type"]), levels_or_none(value.type)):
                names = [self.size_name(dim, callee) for dim in dims]
                if not any(names):
                    continue
                if given is None or len(given) != len(dims):
                    raise Illegal("E0506", "the rank of the argument differs", param["type"])
                for name, length in zip(names, given):
                    if name and sizes.setdefault(name, length) != length:
                        text = f"{name} is {sizes[name]} and {length}"
                        raise Illegal("E0506", text, param["type"])
        return {
            name: Variable(Value(INT, length), is_constant=True)
            for name, length in sizes.items()
        }

    def size_name(self, dim, callee):
        """The size that a dim names; None if it is a constant."""
        if dim["kind"] != "name":
            return None
        name = self.text(dim["name"], callee)
        variable = callee.find(name)
        return None if variable and variable.is_constant else name

    # --- input and output ---

    def write(self, text):
        self.output.append(text)

    def print(self, node, frame):
        if not node["args"]:
            raise Illegal("E0711", "nothing to print", node)
        parts = []
        for arg in node["args"]:
            value = self.value(arg, frame)
            parts.append(printed(value, self.arithmetic.single))
        self.write(" ".join(parts) + "\n")

    def output_named(self, node, frame):
        name, arg = node["args"]
        text = printed(self.value(arg, frame), self.arithmetic.single)
        between = "\n" if "\n" in text else " "
        self.write(f"{texts(name).decode()} ={between}{text}\n")

    def input(self, node, frame):
        type = self.type(node["args"][0]["type"], frame)
        if self.is_dry:
            return zero(type)
        numbers = [self.read_number(type.root) for _ in scalars(type.levels, zero(type).data)]
        return from_scalars(type, numbers)

    def check(self, node, frame):
        """assert"""
        condition, *text = node["args"]
        value, sides = None, []
        if not text and condition["kind"] == "binary" and condition["op"] in RELATIONAL:
            sides = [(part, self.value(part, frame)) for part in (condition["left"], condition["right"])]
            value = self.operate(condition["op"], condition, *(side for _, side in sides), frame)
        if not self.condition(condition, frame, value) and not self.is_dry:
            source = frame.file.source
            shown = texts(text[0]) if text else source.line_of(condition)
            notes = [f"{source.line_of(part).decode()} is {printed(side, self.arithmetic.single)}"
                     for part, side in sides if is_noted(part, side)]
            self.trap("E1004", node, frame, "assertion failed: " + shown.decode(), notes)

    # --- files ---

    def load(self, path):
        """An imported file, each once."""
        real = os.path.realpath(path)
        if real not in self.files:
            self.files[real] = None  # it is being opened
            self.files[real] = self.open(
                Source.read(self.tmlc, path), is_script=False, is_main=False
            )
        if self.files[real] is None:
            raise Illegal("E0704", f"{path} imports itself")
        return self.files[real]

    def open(self, source, is_script, is_main=True):
        """The file with its imports, functions and, if it is no script, its variables."""
        file = File(source, is_script)
        folder = os.path.dirname(source.path)
        for node in source.statements:
            if node["kind"] == "import":
                path = os.path.join(folder, bytes.fromhex(node["path"]).decode())
                imported = self.load(path)
                if imported not in file.imports:
                    file.imports.append(imported)
        self.find_functions(source.statements, Frame(file))
        if not file.is_script:
            given = self.given_interface() if is_main else []
            self.block(given + source.statements, Frame(file))
        return file

    def given_interface(self):
        """Declarations that stand in no source: only components have them."""
        return []

    def find_functions(self, statements, frame):
        """Functions can be called from above (L9.1), those in macros too unless what keeps or
        repeats them is not known before the variables of the file are."""
        for node in statements:
            if node["kind"] == "fn":
                self.function(node, frame)
            elif node["kind"] in ("macro-for", "macro-if"):
                try:
                    self.find_in_macro(node, frame)
                except Illegal:
                    pass

    def find_in_macro(self, node, frame):
        if node["kind"] == "macro-if":
            self.find_functions(self.macro_branch(node, frame), frame)
            return
        name = self.text(node["name"], frame)
        for number in self.macro_range(node["range"], frame):
            variable = Variable(Value(INT, number), is_constant=True)
            frame.scopes.append(Scope({name: variable}, is_transparent=True))
            self.find_functions(node["body"], frame)
            frame.scopes.pop()

    def function(self, node, frame):
        name = self.text(node["name"], frame)
        frame.file.functions[name] = Function(node, frame.file, frame.constants())

    # Which method executes a kind of statement, or a call of what is no function of values.
    STATEMENTS = {
        "assign": "assign",
        "assign-all": "assign_all",
        "decl": "declare",
        "terminal": "terminal",
        "io": "hardware",
        "send": "send",
        "if": "branch",
        "while": "loop",
        "for": "for_loop",
        "break": "leave",
        "continue": "leave",
        "pass": "nothing",
        "return": "give_back",
        "do": "call_statement",
        "guard": "guard",
        "macro-for": "macro_for",
        "macro-if": "macro_if",
        "import": "nothing",
        "fn": "function",
    }
    COMMANDS = {"print": "print", "output": "output_named", "input": "input", "assert": "check"}


def check_apart(given, node):
    """L9.6: the places given to the `var` parameters of one call have no scalar in common."""
    reached = set()
    for variable, steps in given:
        value = variable.value
        count = sum(1 for _ in scalars(value.type.levels, value.data))
        numbered = from_scalars(value.type.with_root("int"), list(range(count)))
        part = places.read(numbered, steps)
        numbers = {(id(variable), k) for k in scalars(part.type.levels, part.data)}
        if reached & numbers:
            raise Illegal("E0711", "two places have a scalar in common", node)
        reached |= numbers


def target_of(node):
    """The brackets and the object of a target; the mark of an optional one may stand anywhere."""
    brackets = []
    while node["kind"] in ("index", "optional"):
        if node["kind"] == "index":
            brackets.insert(0, node["indices"])
            node = node["object"]
        else:
            node = node["optional"]
    return brackets, node


def is_noted(node, value):
    """Whether a trap shows what was compared."""
    bare = node["operand"] if node["kind"] == "unary" else node
    is_known = bare["kind"] in ("int", "real", "bool") or value.type.root in ("str", "char")
    return value.type.is_scalar and not is_known


def called(tree):
    """The names of functions that are called in a tree."""
    return {n["callee"]["name"]["name"] for n in nodes(tree) if n["kind"] == "call"}


def levels_of(type_node):
    """The dims of a parameter's type, outermost level first."""
    while type_node["kind"] == "tensor":
        yield type_node["dims"]
        type_node = type_node["base"]


def levels_or_none(type):
    yield from type.levels
    while True:
        yield None


def function_names(statements):
    for node in statements:
        if node["kind"] == "fn":
            yield node["name"]["name"]
        else:
            yield from function_names(inner_of_macro(node))


def inner_of_macro(node):
    """What a macro at file level may leave there."""
    if node["kind"] == "macro-for":
        return node["body"]
    if node["kind"] == "macro-if":
        branches = [arm["body"] for arm in node["arms"]] + [node["otherwise"] or []]
        return [inner for branch in branches for inner in branch]
    return []


def is_component(statements):
    """L4.1."""
    return bool(set(function_names(statements)) & set(ENTRIES)) or any(map(joins, statements))


def joins(node):
    return node["kind"] in ("instance", "connect") or any(map(joins, inner_of_macro(node)))


def is_script(statements):
    """L4.3: statements at file level, and none of the functions that make another kind; a file
    without functions is a script."""
    names = set(function_names(statements))
    if "main_fnc" in names or is_component(statements):
        return False
    return not names or any(runs(node) for node in statements)


def runs(node):
    """Whether a statement at file level is no declaration."""
    if node["kind"] in ("macro-for", "macro-if"):
        return any(runs(inner) for inner in inner_of_macro(node))
    if node["kind"] == "assign-all":
        return any(target["kind"] != "name" for target in node["targets"])
    if node["kind"] == "assign":
        return node["op"] is not None or node["target"]["kind"] != "name"
    return node["kind"] not in ("fn", "import", "decl", "terminal", "io")
