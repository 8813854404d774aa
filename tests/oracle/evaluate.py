"""Expressions (L2, L5, L7, L9).

Expressions is the part of the evaluator (Components in component.py) that knows them. `value`
evaluates an expression in a frame (scopes.py). `type_of` finds the type of one that is not
evaluated, by evaluating it *dry*: variables have the values that they have, functions of the
program are not called but give zeros, and nothing traps.
Both give Missing for an optional value that is not there, and None for a call without result.
"""

import math

import places
import scalars
from functions import BUILTINS, Call
from scopes import Missing, Trap
from shapes import (
    BOOL,
    CHAR,
    INT,
    NUMERIC,
    ORDER,
    REAL,
    STR,
    UINT,
    Illegal,
    Type,
    broadcast_levels,
    check_assigns,
    count,
    dot_dims,
    greater_root,
    same_levels,
)
from tree import texts
from values import Value, broadcast, combine, converted, each, shaped, transpose, zero

CONSTANTS = {"M_PI": 3.141592653589793, "M_E": 2.718281828459045}
CONSTANTS.update({"nan": float("nan"), "inf": float("inf")})
ARITHMETIC = ("+", "-", "*", "/", "%", "\\", "**")
RELATIONAL = ("<", "<=", ">", ">=", "==", "!=")
LOGICAL = ("and", "or")
BITWISE = ("&", "^", "|", "<<", ">>")
ATTRIBUTES = ("size", "len", "numel", "rows", "cols")
SPACES = ("t", "p", "n")
SCALAR_TYPES = {"bool": BOOL, "uint": UINT, "int": INT, "real": REAL, "str": STR, "char": CHAR}
# L10.6: the operators whose left, or right, operand may be missing.
MAY_MISS_LEFT = ("+", "*", "and", "or", "&", "|", "^")
MAY_MISS_RIGHT = (*MAY_MISS_LEFT, "-", "/", "**", "<<", ">>")


class Expressions:
    def __init__(self, single):
        self.arithmetic = scalars.Arithmetic(single)
        self.is_dry = False

    # --- values, types, constants ---

    def value(self, node, frame):
        return getattr(self, self.EXPRESSIONS[node["kind"]])(node, frame)

    def number(self, node, frame):
        """An int or uint scalar."""
        value = self.value(node, frame)
        if value.type not in (INT, UINT):
            raise Illegal("E0601", f"{value.type} is no index", node)
        return value.data

    def dry(self, node, frame):
        was_dry, self.is_dry = self.is_dry, True
        try:
            return self.value(node, frame)
        finally:
            self.is_dry = was_dry

    def type_of(self, node, frame):
        return self.dry(node, frame).type

    def trap(self, code, node, frame, text, notes=()):
        raise Trap(code, frame.file.source, node, text, notes)

    def is_constant(self, node, frame, with_calls=False):
        """L2.8, and with calls L10.9."""
        kind = node["kind"]
        if kind in ("int", "real", "bool", "string"):
            return True
        if kind == "name":
            variable = frame.find(self.text(node["name"], frame))
            return variable.is_constant if variable else node["name"]["name"] in CONSTANTS
        if kind == "attr":
            variable = self.interface_name(node, frame)
            return variable is None or variable.is_constant
        if kind == "call":
            name = node["callee"]["name"]["name"]
            function = frame.file.find_function(name)
            if not (with_calls and self.is_pure(function) if function else name in BUILTINS):
                return False
        parts = {
            "index": lambda: [node["object"], *node["indices"]],
            "call": lambda: node["args"],
            "named": lambda: [node["value"]],
            "cast": lambda: [node["arg"]],
            "unary": lambda: [node["operand"]],
            "transpose": lambda: [node["operand"]],
            "binary": lambda: [node["left"], node["right"]],
            "tensor": lambda: node["elements"],
            "range": lambda: [node[k] for k in ("first", "last", "step") if node[k]],
            "...": list,
        }.get(kind)
        return parts is not None and all(
            self.is_constant(part, frame, with_calls) for part in parts()
        )

    def known(self, node, frame):
        """The value of a constant that is wanted (L10.9): what it calls runs, also in dry code."""
        was_dry, self.is_dry = self.is_dry, False
        try:
            return self.value(node, frame)
        except Trap as trap:
            raise Illegal("E0414", trap.text, node)
        finally:
            self.is_dry = was_dry

    def constant(self, node, frame, code):
        """The number of a constant int or uint expression."""
        if not self.is_constant(node, frame, with_calls=True):
            raise Illegal(code, "not constant", node)
        value = self.known(node, frame)
        if value.type not in (INT, UINT):
            raise Illegal(code, f"{value.type} is no whole number", node)
        return value.data

    def counts_as_uint(self, value, node, frame):
        """L2.7."""
        return (
            value.type.root == "int"
            and self.is_constant(node, frame)
            and min(self.scalars(value)) >= 0
        )

    @staticmethod
    def scalars(value):
        result = []
        each(result.append, value.type.levels, value.data)
        return result

    def assigned(self, value, node, frame, target):
        """The value as one of the target's type (L6.1, L2.7)."""
        if value is None:
            raise Illegal("E0712", "this call has no result", node)
        check_assigns(target.levels, value.type.levels)
        root = value.type.root
        if target.root not in ORDER or root not in ORDER:
            if target.root != root and not (root == "str" and len(value.data) == 1):
                raise Illegal("E0401", f"{root} is no {target.root}", node)
            return Value(target, value.data)
        if ORDER.index(root) > ORDER.index(target.root):
            if target.root != "uint" or not self.counts_as_uint(value, node, frame):
                raise Illegal("E0401", f"{value.type} does not convert to {target}", node)
        return shaped(converted(self.arithmetic, value, target.root), target.levels)

    # --- names ---

    def text(self, name, frame):
        """`name{i, j}` stands for `name_i_j` (L10.7)."""
        numbers = [str(self.constant(i, frame, "E0740")) for i in name["macro_indices"]]
        return "_".join([name["name"], *numbers])

    def interface_name(self, node, frame):
        """The variable of `t.x`, `p.x` or `n.x`; None if the attribute is no such name."""
        space = node["object"]
        if space["kind"] != "name" or space["name"]["name"] not in SPACES:
            return None
        space = space["name"]["name"]
        if frame.find(space):
            return None
        name = f"{space}.{self.text(node['name'], frame)}"
        variable = frame.file.find_interface(name)
        if variable is None:
            raise Illegal("E0301", f"{name} is not declared", node)
        return variable

    def name(self, node, frame):
        name = self.text(node["name"], frame)
        variable = frame.find(name)
        if variable:
            return variable.value
        if name in CONSTANTS:
            return Value(REAL, self.arithmetic.round(CONSTANTS[name]))
        raise Illegal("E0301", f"{name} is not declared", node)

    def attribute(self, node, frame):
        variable = self.interface_name(node, frame)
        if variable:
            return variable.value
        type = self.type_of(node["object"], frame)
        name = self.text(node["name"], frame)
        if name not in ATTRIBUTES:
            raise Illegal("E0606", f"no attribute {name}", node)
        if type.root in ("str", "char"):
            if name != "len":
                raise Illegal("E0606", f"{type} has no {name}", node)
            return Value(UINT, len(self.dry(node["object"], frame).data))
        dims = type.levels[0] if type.levels else ()
        if name == "numel":
            return Value(UINT, count(dims))
        if name == "len":
            return Value(UINT, dims[0] if dims else 1)
        if not dims or (name == "cols" and len(dims) < 2):
            raise Illegal("E0606", f"{type} has no {name}", node)
        if name == "size":
            return Value(Type(((len(dims),),), "uint"), list(dims))
        return Value(UINT, dims[0] if name == "rows" else dims[1])

    # --- types ---

    def type(self, node, frame):
        kind = node["kind"]
        if kind in SCALAR_TYPES:
            return SCALAR_TYPES[kind]
        if kind == "type-of":
            return self.type_of_part(node["of"], frame)
        base = self.type(node["base"], frame)
        dims = tuple(self.constant(dim, frame, "E0414") for dim in node["dims"])
        if min(dims) < 1:
            raise Illegal("E0410", f"{dims} has a length below 1", node)
        type = Type((dims, *base.levels), base.root)
        if math.prod(map(count, type.levels)) >= 2**31:
            raise Illegal("E0902", f"{type} has too many scalars", node)
        return type

    def type_of_part(self, node, frame):
        """`x.type`, `x[].type` (L2.5)."""
        if node["kind"] == "index" and not node["indices"]:
            return self.type_of_part(node["object"], frame).base
        return self.type_of(node, frame)

    # --- literals ---

    def integer(self, node, frame):
        if node["is_unsigned"]:
            return Value(UINT, node["value"])
        return Value(INT, scalars.wrap("int", node["value"]))

    def real(self, node, frame):
        return Value(REAL, self.arithmetic.round(float(node["value"])))

    def boolean(self, node, frame):
        return Value(BOOL, node["value"])

    def string(self, node, frame):
        return Value(STR, texts(node))

    def tensor(self, node, frame):
        """L2.3."""
        elements = [self.value(element, frame) for element in node["elements"]]
        if not elements:
            raise Illegal("E0413", "no elements", node)
        lengths, pages = set(node["row_lengths"]), set(node["page_rows"])
        if len(lengths) > 1 or len(pages) > 1:
            raise Illegal("E0411", "rows of different lengths", node)
        dims = (len(node["page_rows"]), *pages, *lengths)[3 - node["rank"]:]
        root = "bool"
        for element in elements:
            if element.type.levels != elements[0].type.levels:
                raise Illegal("E0412", "elements of different shapes", node)
            root = greater_root(root, element.type.root)
        data = [converted(self.arithmetic, element, root).data for element in elements]
        return Value(Type((dims, *elements[0].type.levels), root), data)

    # --- casts, indices, calls ---

    def cast(self, node, frame):
        """L2.9."""
        target = self.type(node["type"], frame)
        value = self.value(node["arg"], frame)
        if value.type.root not in ORDER or target.root not in ORDER:
            raise Illegal("E0409", f"{value.type} does not cast to {target}", node)
        levels = value.type.levels if target.is_scalar else target.levels
        return shaped(converted(self.arithmetic, value, target.root), levels)

    def index(self, node, frame):
        brackets, object = brackets_of(node)
        value = self.value(object, frame)
        if value is None:
            raise Illegal("E0712", "this call has no result", object)
        if isinstance(value, Missing):
            part = places.read(zero(value.type), self.steps(value.type, brackets, frame))
            return Missing(part.type)
        if value.type == STR:
            return self.character(value.data, brackets, frame)
        return places.read(value, self.steps(value.type, brackets, frame))

    def steps(self, type, brackets, frame, on_left=False):
        def evaluate(index, length):
            if index["kind"] == "range":
                if self.is_window(index, frame):
                    return self.window(index, length, frame)
                return tuple(
                    index[part] and self.fixed_bound(index[part], frame)
                    for part in ("first", "last", "step")
                )
            return self.bounded(index, length, frame)

        return places.resolve(type, brackets, evaluate, on_left)

    def check_bound(self, bound, frame):
        if self.type_of(bound, frame) not in (INT, UINT):
            raise Illegal("E0601", "a bound is a whole number", bound)

    def fixed_bound(self, bound, frame):
        self.check_bound(bound, frame)
        return self.constant(bound, frame, "E0605")

    def is_window(self, index, frame):
        """L7.5: both bounds are there, no step, and one varies."""
        bounds = [index["first"], index["last"]]
        return None not in bounds and not index["step"] and not all(
            self.is_constant(bound, frame, with_calls=True) for bound in bounds
        )

    def window(self, index, length, frame):
        """The range that a window is; its bounds are sums of the same terms but for constants."""
        terms = summed(index["last"], 1) + summed(index["first"], -1)
        left = []
        for node, sign in terms:
            if (node, -sign) in left:
                left.remove((node, -sign))
            else:
                left.append((node, sign))
        for bound in (index["first"], index["last"]):
            self.check_bound(bound, frame)
        size = sum(sign * self.constant(node, frame, "E0605") for node, sign in left)
        if size < 1:
            raise Illegal("E0605", "this range selects nothing", index)
        if length == 1:
            return 0, size, None
        if size > length:
            raise Illegal("E0603", f"{size} elements of {length}", index)
        first = self.number(index["first"], frame)
        if self.is_dry:
            first = 0
        for end in (first, first + size - 1):
            if not 0 <= end < length:
                text = f"index {end} is outside a dimension of length {length}"
                self.trap("E1001", index, frame, text)
        return first, first + size, None

    def bounded(self, index, length, frame):
        """L7.7. Along a length of 1 the index decides nothing: only its type is checked."""
        if length == 1:
            if self.type_of(index, frame) not in (INT, UINT):
                raise Illegal("E0601", "an index is a whole number", index)
            return 0
        number = self.number(index, frame)
        if 0 <= number < length:
            return number
        if self.is_dry:
            return 0
        if self.is_constant(index, frame):
            raise Illegal("E0603", f"{number} is outside {length}", index)
        text = f"index {number} is outside a dimension of length {length}"
        return self.trap("E1001", index, frame, text)

    def character(self, text, brackets, frame):
        """L7.6: a string of one character is like a dim of length 1."""
        if len(brackets[0]) > 1 or brackets[0][0]["kind"] in ("range", "..."):
            raise Illegal("E0601", "a text takes one index", brackets[0][0])
        number = self.number(brackets[0][0], frame)
        if len(text) == 1:
            number = 0
        if not 0 <= number < len(text):
            return self.outside_text(number, text, brackets[0][0])
        return Value(CHAR, text[number:number + 1])

    def outside_text(self, number, text, index):
        if self.is_dry:
            return Value(CHAR, b" ")
        raise Illegal("E0603", f"{number} is outside a text of {len(text)}", index)

    def call(self, node, frame):
        name = self.text(node["callee"]["name"], frame)
        function = frame.file.find_function(name)
        if function:
            results = self.call_function(function, node, frame)
            if len(results) > 1:
                raise Illegal("E0712", f"{len(results)} results", node)
            return results[0] if results else None
        if name in self.COMMANDS:
            return getattr(self, self.COMMANDS[name])(node, frame)
        if name not in BUILTINS:
            raise Illegal("E0301", f"no function {name}", node)
        function, least, most, has_bang = BUILTINS[name]
        args = node["args"]
        if any(arg["kind"] == "named" for arg in args):
            raise Illegal("E0711", "a built-in takes no names", node)
        if len(args) < least or (most and len(args) > most):
            raise Illegal("E0711", f"{len(args)} arguments for {name}", node)
        if node["bang"] and not has_bang:
            raise Illegal("E0716", f"{name} has no `!`", node)
        constant = [self.is_constant(arg, frame, with_calls=True) for arg in args]
        values = [self.argument(arg, frame, is_known) for arg, is_known in zip(args, constant)]
        uints = [self.counts_as_uint(value, arg, frame) for value, arg in zip(values, args)]

        def outside(k, number, length):
            if self.is_dry:
                return 0
            text = f"index {number} is outside a dimension of length {length}"
            return self.trap("E1001", args[k], frame, text)

        return function(Call(name, node["bang"], values, self.arithmetic, constant, uints, outside))

    def argument(self, node, frame, is_known):
        """Of a built-in, for which it may have to be constant; a trap is none where it has not."""
        value = self.value(node, frame)
        try:
            return self.known(node, frame) if is_known and self.is_dry else value
        except Illegal:
            return value

    # --- operators ---

    def unary(self, node, frame):
        value = self.value(node["operand"], frame)
        op = node["op"]
        if op == "<-":
            return value
        wanted = {"not": ("bool",), "~": ("uint",)}.get(op, NUMERIC)
        root = value.type.root
        if root not in wanted:
            code = {"not": "E0405", "~": "E0406"}.get(op, "E0403")
            raise Illegal(code, f"{op} does not take {value.type}", node)
        function = {
            "not": lambda x: not x,
            "~": lambda x: scalars.wrap("uint", ~x),
            "-": lambda x: self.arithmetic.negative(root, x),
            "+": lambda x: x,
        }[op]
        return Value(value.type, each(function, value.type.levels, value.data))

    def transposed(self, node, frame):
        return transpose(self.value(node["operand"], frame))

    def binary(self, node, frame):
        op = node["op"]
        if op == "?:":
            return self.elvis(node, frame)
        left = self.value(node["left"], frame)
        if op in LOGICAL and left.type == BOOL and not isinstance(left, Missing):
            # The type of the right side tells whether the operator is one on scalars.
            decided = left.data == (op == "or")
            if decided and not self.is_dry and self.type_of(node["right"], frame) == BOOL:
                return left
        right = self.value(node["right"], frame)
        return self.operate(op, node, left, right, frame)

    def operate(self, op, node, left, right, frame, nodes=None):
        """A binary operator on values. `nodes` are those of the operands."""
        left_node, right_node = nodes or (node["left"], node["right"])
        if left is None or right is None:
            raise Illegal("E0712", "this call has no result", node)
        if isinstance(left, Missing) or isinstance(right, Missing):
            return self.operate_missing(op, node, left, right, frame, (left_node, right_node))
        if op in BITWISE:
            left, right = self.beside_uint(left, left_node, right, right_node, frame)
            return self.bitwise(op, node, left, right)
        if op in ARITHMETIC:
            return self.arithmetic_operator(op, node, left, right, frame)
        if op in RELATIONAL:
            return self.relational(op, node, left, right)
        if op in LOGICAL:
            return self.logical(op, node, left, right)
        return self.dot(node, left, right)

    def operate_missing(self, op, node, left, right, frame, nodes):
        """L10.6: a missing operand vanishes."""
        left_misses, right_misses = isinstance(left, Missing), isinstance(right, Missing)
        if left_misses and right_misses:
            was_dry, self.is_dry = self.is_dry, True
            result = self.operate(op, node, zero(left.type), zero(right.type), frame, nodes)
            self.is_dry = was_dry
            return Missing(result.type)
        if op not in (MAY_MISS_LEFT if left_misses else MAY_MISS_RIGHT):
            raise Illegal("E0732", f"{op} has no neutral element", node)
        return right if left_misses else left

    def elvis(self, node, frame):
        """L10.6. The right side fits the left one as in an assignment, so L2.7 holds."""
        left = self.value(node["left"], frame)
        is_missing = isinstance(left, Missing)
        right = (self.value if is_missing else self.dry)(node["right"], frame)
        root = greater_root(left.type.root, right.type.root)
        if left.type.root == "uint" and self.counts_as_uint(right, node["right"], frame):
            root = "uint"
        if is_missing:
            return self.assigned(right, node["right"], frame, left.type.with_root(root))
        return converted(self.arithmetic, left, root)

    def common(self, *values):
        root = "bool"
        for value in values:
            root = greater_root(root, value.type.root)
        return root, [converted(self.arithmetic, value, root) for value in values]

    def arithmetic_operator(self, op, node, left, right, frame):
        """L5.2, L5.3."""
        for value in (left, right):
            if value.type.root not in ORDER:
                raise Illegal("E0407", f"{op} takes numbers", node)
        if left.type.root == right.type.root == "bool":
            raise Illegal("E0403", f"{op} of two bools", node)
        if op == "**":
            left = converted(self.arithmetic, left, "real")
        root, operands = self.common(left, right)
        levels = broadcast(operands)

        def function(x, y):
            try:
                return self.arithmetic.arithmetic(op, root, x, y)
            except scalars.DivisionByZero:
                if self.is_dry:
                    return 0
                return self.trap("E1002", node, frame, "integer division by zero")

        return Value(Type(levels, root), combine(function, levels, *operands))

    def relational(self, op, node, left, right):
        """L5.4. Python compares an int and a uint by value."""
        roots = {left.type.root, right.type.root}
        if roots <= {"str", "char"}:
            return Value(BOOL, scalars.compare(op, left.data, right.data))
        if "bool" in roots and (len(roots) > 1 or op not in ("==", "!=")):
            raise Illegal("E0404", f"{left.type} {op} {right.type}", node)
        if "real" in roots:
            _, (left, right) = self.common(left, right)
        levels = same_levels(left.type, right.type)
        data = combine(lambda x, y: scalars.compare(op, x, y), levels, left, right)
        return Value(Type(levels, "bool"), data)

    def logical(self, op, node, left, right):
        if left.type.root != "bool" or right.type.root != "bool":
            raise Illegal("E0405", f"{op} takes bools", node)
        levels = same_levels(left.type, right.type)
        function = {"and": lambda x, y: x and y, "or": lambda x, y: x or y}[op]
        return Value(Type(levels, "bool"), combine(function, levels, left, right))

    def beside_uint(self, left, left_node, right, right_node, frame):
        """L2.7: a constant int counts as a uint beside one."""
        if left.type.root == "uint" and self.counts_as_uint(right, right_node, frame):
            right = converted(self.arithmetic, right, "uint")
        elif right.type.root == "uint" and self.counts_as_uint(left, left_node, frame):
            left = converted(self.arithmetic, left, "uint")
        return left, right

    def bitwise(self, op, node, left, right):
        if left.type.root != "uint" or right.type.root != "uint":
            raise Illegal("E0406", f"{op} takes uints", node)
        levels = same_levels(left.type, right.type)
        data = combine(lambda x, y: scalars.bitwise(op, x, y), levels, left, right)
        return Value(Type(levels, "uint"), data)

    def dot(self, node, left, right):
        """L5.5."""
        for value in (left, right):
            if value.type.root not in NUMERIC or len(value.type.levels) > 1:
                raise Illegal("E0503", f".* does not take {value.type}", node)
            if value.type.levels and len(value.type.dims) > 2:
                raise Illegal("E0503", f".* does not take {value.type}", node)
        root, (a, b) = self.common(left, right)
        multiply = self.arithmetic.arithmetic
        if a.type.is_scalar or b.type.is_scalar:
            levels = broadcast_levels(a.type.levels, b.type.levels)
            return Value(
                Type(levels, root), combine(lambda x, y: multiply("*", root, x, y), levels, a, b)
            )
        dims = dot_dims(a.type.dims, b.type.dims)
        length = b.type.dims[0]
        columns = count(b.type.dims[1:])
        data = []
        for row in range(count(a.type.dims[:-1])):
            for column in range(columns):
                terms = [
                    multiply("*", root, a.data[row * length + k], b.data[k * columns + column])
                    for k in range(length)
                ]
                total = terms[0]
                for term in terms[1:]:
                    total = multiply("+", root, total, term)
                data.append(total)
        return Value(Type((dims,), root), data) if dims else Value(Type((), root), data[0])

    def optional(self, node, frame):
        return self.value(node["optional"], frame)

    # Which method evaluates a kind of node.
    EXPRESSIONS = {
        "int": "integer",
        "real": "real",
        "bool": "boolean",
        "string": "string",
        "name": "name",
        "attr": "attribute",
        "index": "index",
        "call": "call",
        "cast": "cast",
        "unary": "unary",
        "binary": "binary",
        "transpose": "transposed",
        "tensor": "tensor",
        "optional": "optional",
    }


def summed(node, sign):
    """The terms of a sum, with their signs."""
    if node["kind"] == "binary" and node["op"] in ("+", "-"):
        right = sign if node["op"] == "+" else -sign
        return summed(node["left"], sign) + summed(node["right"], right)
    if node["kind"] == "unary" and node["op"] == "-":
        return summed(node["operand"], -sign)
    return [(without_places(node), sign)]


def without_places(node):
    """A tree that is equal to another one of the same text."""
    if isinstance(node, dict):
        return {
            key: without_places(item)
            for key, item in node.items()
            if key not in ("start", "end", "span")
        }
    return [without_places(item) for item in node] if isinstance(node, list) else node


def brackets_of(node):
    """The brackets around an object, first one first, and the object. Parentheses end a chain."""
    brackets = []
    while node["kind"] == "index" and not (brackets and node["parenthesized"]):
        brackets.insert(0, node["indices"])
        node = node["object"]
    return brackets, node
