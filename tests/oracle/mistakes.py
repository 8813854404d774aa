"""Random programs with one change that may make them illegal."""

from rewriting import edited, nodes, outside_constants, text_of

OPERATORS = "+ - * / % \\ ** .* < <= == != & ^ | << >> and or".encode().split()
ROOTS = [b"bool", b"uint", b"int", b"real"]


def mistaken(source, values):
    """The text with another number, operator, type or name in one place."""
    found = outside_constants(source, list(changes(source, values)))
    return edited(source.text, [values.choice(found)])


def changes(source, values):
    names = {n["name"]["name"].encode() for n in nodes(source.statements) if n["kind"] == "decl"}
    names |= {
        n["target"]["name"]["name"].encode()
        for n in nodes(source.statements)
        if n["kind"] == "assign" and n["target"]["kind"] == "name"
    }
    for node in nodes(source.statements):
        kind = node["kind"]
        start, end = node["start"], node["end"]
        if kind in ("bool", "uint", "int", "real") and "value" not in node:
            yield start, end, values.choice(ROOTS)
        elif kind == "int" and not node["is_unsigned"] and node["value"] < 100:
            for value in (node["value"] + 1, max(node["value"] - 1, 0)):
                yield start, end, b"%d" % value
        elif kind == "int" and node["is_unsigned"] and values.random() < 0.2:
            yield start, end, b"-1"
        elif kind == "binary" and node["op"] != "?:":
            span = node["op_span"]
            yield span["start"], span["end"], values.choice(OPERATORS)
        elif kind == "name" and names and text_of(source, node) in names:
            yield start, end, values.choice(sorted(names))
        elif kind == "transpose":
            yield node["op_span"]["start"], node["op_span"]["end"], b""
        elif kind == "tensor" and values.random() < 0.3:
            yield end - 1, end, b";]"
        elif kind in ("call", "cast") and values.random() < 0.2:
            yield end, end, b"'"
