"""What the operators and functions do with single numbers (L2, L5, L11).

Bools are Python's bools, ints and uints are ints in the range of their root, reals are floats. With
`single` each real operation is rounded to 24 bits: rounding twice is harmless for + - * / and the
square root, since a double has more than twice as many bits; functions are the C library's own
single ones.
"""

import ctypes
import math

LIBM = ctypes.CDLL("libm.so.6")
FUNCTIONS = (
    "sin cos tan asin acos atan floor ceil round rint trunc log log10 sqrt exp exp2 expm1 log2 log1p "
    "sinh cosh tanh asinh acosh atanh cbrt erf erfc"
).split()
FUNCTIONS_OF_TWO = "pow fmod atan2 hypot copysign remainder".split()


def libm(name, operands, single):
    """The C library's function of so many operands."""
    function = LIBM[name + "f" if single else name]
    kind = ctypes.c_float if single else ctypes.c_double
    function.restype = kind
    function.argtypes = [kind] * operands
    return function


def wrap(root, value):
    """An int or uint of 32 bits."""
    value &= 0xFFFFFFFF
    return value - 2**32 if root == "int" and value >= 2**31 else value


def truncate(value):
    """L2.9: toward zero to a signed 64-bit integer, saturating; nan gives 0."""
    if math.isnan(value):
        return 0
    if math.isinf(value):
        return 2**63 - 1 if value > 0 else -(2**63)
    return max(-(2**63), min(2**63 - 1, math.trunc(value)))


class DivisionByZero(Exception):
    pass


class Arithmetic:
    def __init__(self, single):
        self.single = single
        self.functions = {name: libm(name, 1, single) for name in FUNCTIONS}
        self.functions.update({name: libm(name, 2, single) for name in FUNCTIONS_OF_TWO})
        self.functions["fma"] = libm("fma", 3, single)

    def round(self, value):
        return ctypes.c_float(value).value if self.single else value

    def convert(self, root, value):
        """A number or bool as one of another root (L2.4, L2.9)."""
        if root == "bool":
            return value != 0
        if root == "real":
            return self.round(float(value))
        return wrap(root, truncate(value) if isinstance(value, float) else int(value))

    def function(self, name, *operands):
        return self.functions[name](*operands)

    # L5.2, L5.3: both operands have the root that is given.

    def arithmetic(self, op, root, a, b):
        if op == "\\":
            return self.arithmetic("/", root, b, a)
        if op == "**":
            return self.real("*", a, a) if b == 2 else self.function("pow", a, b)
        if root == "real":
            return self.real(op, a, b)
        if op == "/":
            return wrap(root, self.quotient(a, b))
        if op == "%":
            return wrap(root, a - b * self.quotient(a, b))
        return wrap(root, {"+": a + b, "-": a - b, "*": a * b}[op])

    @staticmethod
    def quotient(a, b):
        if b == 0:
            raise DivisionByZero
        return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)

    def real(self, op, a, b):
        if op == "+":
            return self.round(a + b)
        if op == "-":
            return self.round(a - b)
        if op == "*":
            return self.round(a * b)
        if op == "%":
            return self.function("fmod", a, b)
        if b != 0:
            return self.round(a / b)
        if a == 0 or math.isnan(a):
            return math.nan
        return math.copysign(math.inf, a) * math.copysign(1.0, b)

    def negative(self, root, value):
        return -value if root == "real" else wrap(root, -value)

    # L11

    def least(self, a, b):
        """nan wins, and of zeros -0.0 is the lesser."""
        if isinstance(a, float):
            if math.isnan(a) or math.isnan(b):
                return math.nan
            if a == b == 0:
                return a if math.copysign(1.0, a) < 0 else b
        return a if a < b else b

    def greatest(self, a, b):
        if isinstance(a, float):
            if math.isnan(a) or math.isnan(b):
                return math.nan
            if a == b == 0:
                return b if math.copysign(1.0, a) < 0 else a
        return a if a > b else b


def sign(value):
    return (value > 0) - (value < 0)


def compare(op, a, b):
    """L5.4: an int and a uint by value, as Python's numbers do."""
    if op == "<":
        return a < b
    if op == "<=":
        return a <= b
    if op == ">":
        return a > b
    if op == ">=":
        return a >= b
    return a == b if op == "==" else a != b


def bitwise(op, a, b):
    """L5.4: shifting by 32 or more gives 0."""
    if op == "&":
        return a & b
    if op == "|":
        return a | b
    if op == "^":
        return a ^ b
    if b >= 32:
        return 0
    return wrap("uint", a << b) if op == "<<" else a >> b
