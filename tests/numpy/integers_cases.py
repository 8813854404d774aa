"""Integer semantics at run time, against exact arithmetic in Python: integers_cases.py TMLC

L2.1 (wrapping), L2.9 (casts), L5.3 (division and remainder), L5.4 (int beside uint, shifts). The
operands are parameters, so nothing is computed while compiling.
"""

import math
import sys

from tml import Case, Value, run_cases

INTS = [-2**31, -2**31 + 1, -100, -7, -2, -1, 0, 1, 2, 7, 100, 2**31 - 2, 2**31 - 1]
UINTS = [0, 1, 2, 7, 100, 2**31 - 1, 2**31, 2**31 + 1, 2**32 - 2, 2**32 - 1]
REALS = [0.0, -0.0, 0.4, 0.6, -0.6, 1.5, -1.5, 2.0**31 - 1, 2.0**31, -2.0**31, -2.0**31 - 1, 2.0**32,
         2.0**32 + 5, -123.13, 4294967173.0, 1e15, -1e15, 2.0**63, -2.0**63, 1e300, -1e300,
         math.inf, -math.inf, math.nan]
ARITHMETIC = ["+", "-", "*", "/", "%"]
RELATIONS = ["<", "<=", ">", ">=", "==", "!="]
BITS = ["&", "|", "^", "<<", ">>"]
NUMBERS = {operator: i for i, operator in enumerate(ARITHMETIC + RELATIONS + BITS)}


def truncated(a, b):
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def arithmetic(operator, a, b):
    return {"+": lambda: a + b, "-": lambda: a - b, "*": lambda: a * b,
            "/": lambda: truncated(a, b), "%": lambda: a - b * truncated(a, b)}[operator]()


def relation(operator, a, b):
    return {"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b, "==": a == b, "!=": a != b}[operator]


def bits(operator, a, b):
    return {"&": a & b, "|": a | b, "^": a ^ b, "<<": a << b if b < 32 else 0,
            ">>": a >> b if b < 32 else 0}[operator]


def reduced(root, value):
    value %= 2**32
    return value - 2**32 if root == "int" and value >= 2**31 else value


def scalar(root, value):
    return Value.wrap(root, value if root == "bool" else reduced(root, value))


def literal(root, value):
    if root == "real":
        return repr(value)
    return f"{value}u" if root == "uint" else str(value)


def functions():
    """fn int_uint_0(int a, uint b) ...: one for each pair of roots and operator."""
    text = []
    for roots, operators, result in operations():
        for operator in operators:
            name = f"{roots[0]}_{roots[1]}_{result}_{NUMBERS[operator]}"
            text.append(f"fn {name}({roots[0]} a, {roots[1]} b) {result}:\n"
                        f"    return a {operator} b\nend")
    for source in ("int", "uint", "real"):
        for target in ("bool", "int", "uint", "real"):
            text.append(f"fn {source}_to_{target}({source} a) {target}:\n"
                        f"    return {target}(a)\nend")
    return "\n".join(text)


def operations():
    """Roots of the operands, operators, root of the result."""
    return [
        (("int", "int"), ARITHMETIC, "int"), (("uint", "uint"), ARITHMETIC, "uint"),
        (("int", "uint"), ARITHMETIC, "int"), (("uint", "int"), ARITHMETIC, "int"),
        (("int", "int"), RELATIONS, "bool"), (("uint", "uint"), RELATIONS, "bool"),
        (("int", "uint"), RELATIONS, "bool"), (("uint", "int"), RELATIONS, "bool"),
        (("uint", "uint"), BITS, "uint"),
    ]


def operator_cases():
    values = {"int": INTS, "uint": UINTS}
    for roots, operators, result in operations():
        for operator in operators:
            for a in values[roots[0]]:
                for b in values[roots[1]]:
                    yield operator_case(roots, operator, result, a, b)


def operator_case(roots, operator, result, a, b):
    """None where the operation would trap."""
    name = f"{roots[0]}_{roots[1]}_{result}_{NUMBERS[operator]}"
    call = f"{name}({literal(roots[0], a)}, {literal(roots[1], b)})"
    if result == "bool":
        return Case("", call, scalar("bool", relation(operator, a, b)))
    if operator in BITS:
        return Case("", call, scalar("uint", bits(operator, a, b)))
    x, y = reduced(result, a), reduced(result, b)
    if operator in "/%" and y == 0:
        return None
    return Case("", call, scalar(result, arithmetic(operator, x, y)))


def cast(value, target):
    if target == "bool":
        return value != 0
    if target == "real":
        return float(value)
    if isinstance(value, float):
        if math.isnan(value):
            return 0
        value = math.trunc(max(min(value, 2.0**63), -2.0**63))
        value = min(value, 2**63 - 1)
    return reduced(target, value)


def cast_cases():
    for source, values in (("int", INTS), ("uint", UINTS), ("real", REALS)):
        for value in values:
            for target in ("bool", "int", "uint", "real"):
                yield Case("", f"{source}_to_{target}({literal(source, value)})",
                           Value.wrap(target, cast(value, target)))


def main():
    cases = [case for case in operator_cases() if case is not None] + list(cast_cases())
    run_cases(sys.argv[1], cases, functions(), 1000)


if __name__ == "__main__":
    main()
