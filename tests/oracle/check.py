"""Whether a program is legal: types, shapes, names and constant indices, without running it.

Every statement is executed dry, once, in all branches; a function for each set of sizes that it is
called with, and one without sizes in any case (L9.3). What depends on paths (L4.1, L10.2, L10.3) or
is never asked for by other rules here is left out.
"""

from evaluate import ARITHMETIC, LOGICAL
from scopes import Frame, Missing, Scope, Variable
from shapes import BOOL, INT, Illegal
from statements import Return, is_script, levels_of
from system import Systems
from values import Value, zero


# What code that constants keep from running is not asked for.
UNASKED = ("E0420", "E0421", "E0603")


class Checker(Systems):
    def __init__(self, tmlc, options):
        super().__init__(tmlc, options)
        self.is_dry = True
        self.checked = {}  # functions by themselves and their types; they stay alive for their ids
        self.inside = []  # functions that are being checked
        self.has_doubts = False
        self.pruned = 0  # how many conditions around keep this code from running
        self.runner = Systems(tmlc, options)  # computes constants

    def known(self, node, frame):
        self.value(node, frame)
        return self.runner.known(node, frame)

    def block(self, statements, frame):
        """All statements, those behind a return too."""
        ended = None
        for statement in statements:
            try:
                ended = super().block([statement], frame) or ended
            except Illegal as illegal:
                if illegal.code not in UNASKED or not self.pruned:
                    raise
                # What such a range selects has no type: nothing behind it can be told.
                self.has_doubts = True
                break
        return ended

    def branch(self, node, frame):
        """Returns if all of its branches do."""
        ends = []
        is_done = False  # a branch before is always taken
        for arm in node["arms"]:
            self.pruned += is_done
            holds = self.condition(arm["condition"], frame)
            is_constant = self.is_constant(arm["condition"], frame)
            never = not is_done and not holds and is_constant
            self.pruned += never
            ends.append(self.scope(arm["body"], frame))
            self.pruned -= never + is_done
            is_done = is_done or (holds and is_constant)
        self.pruned += is_done
        ends.append(self.scope(node["otherwise"] or [], frame))
        self.pruned -= is_done
        return ends[0] if all(ends) else None

    def loop(self, node, frame):
        self.condition(node["condition"], frame)
        self.scope(node["body"], frame)

    def for_loop(self, node, frame):
        name = self.text(node["name"], frame)
        is_constant = self.indexes_text(node["body"], name, frame)
        for part in ("first", "last", "step"):
            bound = node["range"][part]
            number = bound and self.assigned_int(bound, frame)
            if part == "step" and number == 0 and self.is_constant(bound, frame):
                raise Illegal("E0421", "the step cannot be 0", bound)
        numbers = self.bounds(node["range"], frame) if is_constant else [0]
        for number in numbers:
            frame.scopes.append(Scope({name: Variable(Value(INT, number), is_constant)}))
            self.scope(node["body"], frame)
            frame.scopes.pop()

    def leave(self, node, frame):
        return None

    def bounded(self, index, length, frame):
        number = super().bounded(index, length, frame)
        if length > 1 and self.is_constant(index, frame) and not 0 <= self.number(index, frame) < length:
            raise Illegal("E0603", f"index {number} is outside {length}", index)
        return number

    def outside_text(self, number, text, index):
        if self.pruned:
            return super().outside_text(number, text, index)
        raise Illegal("E0603", f"{number} is outside a text of {len(text)}", index)

    def binary(self, node, frame):
        """Code that a constant keeps from running is not asked for what would trap there."""
        if node["op"] in LOGICAL and self.is_constant(node["left"], frame):
            left = self.value(node["left"], frame)
            if left.type == BOOL and left.data == (node["op"] == "or"):
                self.pruned += 1
                right = self.value(node["right"], frame)
                self.pruned -= 1
                return self.operate(node["op"], node, left, right, frame)
        return super().binary(node, frame)

    def operate(self, op, node, left, right, frame, nodes=None):
        result = super().operate(op, node, left, right, frame, nodes)
        is_whole = not isinstance(left, Missing) and not isinstance(right, Missing)
        if op in ARITHMETIC and self.options.strict_ranks and is_whole:
            pairs = zip(left.type.levels, right.type.levels)  # L5.7: a scalar spreads all the same
            if any(len(a) != len(b) for a, b in pairs):
                raise Illegal("E0501", "tensors of unequal rank", node)
        left_node, right_node = nodes or (node["left"], node["right"])
        below, divisor = (left_node, left) if op == "\\" else (right_node, right)
        if op in ("/", "%", "\\") and not self.pruned and self.is_constant(below, frame):
            whole = "real" not in (left.type.root, right.type.root)
            if whole and 0 in self.scalars(divisor):
                raise Illegal("E0420", "division by zero", node)
        return result

    def enter(self, function, callee, names):
        """The body for these types of its parameters, once."""
        if function in self.inside:
            raise Illegal("E0714", "recursion", function.node)
        key = (id(function), tuple(variable.value.type for variable in names.values()))
        if key not in self.checked:
            self.checked[key] = function
            copies = {n: Variable(zero(v.value.type)) for n, v in names.items()}
            pruned, self.pruned = self.pruned, 0
            self.inside.append(function)
            ended = self.scope(function.node["body"], callee, copies)
            self.inside.pop()
            self.pruned = pruned
            if callee.results and not isinstance(ended, Return):
                raise Illegal("E0713", "a path without a value", function.node)
        return [zero(type) for type in callee.results]

    def check_uncalled(self, function):
        """L9.3."""
        callee = self.frame_of(function)
        params = function.node["params"]
        dims = [dim for param in params for level in levels_of(param["type"]) for dim in level]
        if any(self.size_name(dim, callee) for dim in dims):
            return
        callee.scopes.append(Scope())
        types = [self.type(param["type"], callee) for param in params]
        for param, type in zip(params, types):
            if param["value"]:
                self.default(param, callee, type)
        names = {
            self.text(param["name"], callee): Variable(zero(type))
            for param, type in zip(params, types)
        }
        callee.results = [self.type(result, callee) for result in function.node["results"]]
        self.enter(function, callee, names)


def check(tmlc, source, options):
    """Raises Illegal if the program is; tells whether all of it could be checked."""
    return not checked(tmlc, source, options).has_doubts


def signals(tmlc, source, options):
    """Zeros for the debug signals of a component (L10.11)."""
    return {name: zero(v.type) for name, v in checked(tmlc, source, options).signals.items()}


def checked(tmlc, source, options):
    machine = Checker(tmlc, options)
    file = machine.open(source, is_script(source.statements))
    if file.is_script:
        machine.block(source.statements, Frame(file))
    for function in list(file.functions.values()):
        machine.check_uncalled(function)
    return machine
