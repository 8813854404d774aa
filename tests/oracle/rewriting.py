"""Changes of a program's text that leave its meaning.

Each pass reads the tree of the text before it, chooses some places, and gives edits that do not
overlap: (start, end, new text). What a pass must know beyond the tree is which names are variables,
whose values are never constant (L2.8): a change around a constant could make it none.
"""

import re
from dataclasses import replace

from evaluate import brackets_of
from statements import ENTRIES, called, function_names, is_script
from tree import Source, nodes

HIDDEN = "zz_hidden"
CONSTANT_FUNCTION = "whole"  # of tests/random/constant.c
SIMPLE = ("assign", "decl", "do")


def rewritten(tmlc, program, values):
    """The program after all passes."""
    for change in (wrap_values, name_parts, enclose_statements, hide_statements):
        source = Source(tmlc, "rewritten.tml", program.text)
        edits, more = change(source, values, program)
        text = edited(program.text, outside_constants(source, edits))
        program = replace(program, text=text, **more)
    return program


def edited(text, edits):
    """Edits at one place keep their order."""
    parts = []
    at = 0
    for start, end, new in sorted(edits, key=lambda edit: edit[:2]):
        parts += [text[at:start], new]
        at = end
    return b"".join([*parts, text[at:]])


def outside_constants(source, edits):
    """The edits that are not in the function whose calls stand where constants are wanted (L10.9):
    it must stay pure."""
    spans = [
        (node["start"], node["end_span"]["end"])
        for node in source.statements
        if node["kind"] == "fn" and node["name"]["name"] == CONSTANT_FUNCTION
    ]
    return [
        edit for edit in edits if not any(start <= edit[0] and edit[1] <= end for start, end in spans)
    ]


def text_of(source, node):
    return source.text[node["start"]:node["end"]]


def apart(values, candidates, share):
    """Some of the edits, none of which overlaps another."""
    chosen = []
    for edit in values.sample(candidates, len(candidates)):
        free = all(edit[1] <= other[0] or other[1] <= edit[0] for other in chosen)
        if free and values.random() < share:
            chosen.append(edit)
    return chosen


# --- what can be known without types --------------------------------------------------------------


def plain_variables(source):
    """Names that are variables wherever they stand: declared, assigned or parameters, but never a
    size, a loop's or macro's variable, or an optional one."""
    found, other = set(), {"t", "p", "n"}
    for node in nodes(source.statements):
        kind = node["kind"]
        if kind == "decl":
            (other if node["name_optional"] else found).add(node["name"]["name"])
        elif kind == "assign" and node["target"]["kind"] == "name":
            found.add(node["target"]["name"]["name"])
        elif kind == "assign-all":
            found.update(t["name"]["name"] for t in node["targets"] if t["kind"] == "name")
        elif kind == "fn":
            found.update(param["name"]["name"] for param in node["params"])
            for param in node["params"]:
                other.update(name for name, _ in names_in(param["type"]))
        elif kind in ("for", "macro-for"):
            other.add(node["name"]["name"])
    return found - other


def names_in(tree):
    for node in nodes(tree):
        if node["kind"] == "name":
            yield node["name"]["name"], node


def has_kind(tree, *kinds):
    return any(node["kind"] in kinds for node in nodes(tree))


def writers(source):
    """Functions with `var` parameters: what is given to these is a place, not a value."""
    functions = [node for node in nodes(source.statements) if node["kind"] == "fn"]
    return {
        function["name"]["name"]
        for function in functions
        if any(param["is_var"] for param in function["params"])
    }


def has_writer(tree, functions):
    return any(
        node["kind"] == "call" and node["callee"]["name"]["name"] in functions
        for node in nodes(tree)
    )


def children(node):
    """The expressions whose values a node takes, in the order of evaluation. Where constants are
    wanted, where a name is no value and where not all is evaluated, there are none."""
    kind = node["kind"]
    if kind == "binary":
        return [] if node["op"] == "?:" else [node["left"], node["right"]]
    if kind in ("unary", "transpose"):
        return [node["operand"]]
    if kind == "cast":
        return [node["arg"]]
    if kind == "tensor":
        return node["elements"]
    if kind == "call":
        args = [arg["value"] if arg["kind"] == "named" else arg for arg in node["args"]]
        return [arg for arg in args if arg["kind"] not in ("type", "string")]
    if kind == "index":
        # Brackets belong together (L7.3): what stands before only some of them is no part.
        brackets, object = brackets_of(node)
        indices = [index for bracket in brackets for index in bracket]
        return [object, *(index for index in indices if index["kind"] not in ("range", "..."))]
    return []


def values_in(node):
    yield node
    for child in children(node):
        yield from values_in(child)


def roots(node):
    """The expressions of a statement that are evaluated for their values."""
    kind = node["kind"]
    if kind in ("assign", "decl"):
        yield node["value"]
    elif kind == "do":
        yield from children(node["call"])
    elif kind == "assign-all":
        yield from children(node["value"])
    elif kind == "return":
        yield from node["values"]
    elif kind == "if":
        yield from (arm["condition"] for arm in node["arms"])
    elif kind == "while":
        yield node["condition"]


def is_variable(node, variables):
    """A variable, or an operation on one: its value is no constant."""
    if node["kind"] == "name":
        return node["name"]["name"] in variables and not node["name"]["macro_indices"]
    if node["kind"] == "call" and node["callee"]["name"]["name"] in ("input", "iota", "eye"):
        return False
    return any(is_variable(child, variables) for child in children(node))


def blocks(statements, is_macro=False):
    """All blocks with statements that run one after the other, and whether a macro repeats them."""
    yield statements, is_macro
    for node in statements:
        inside = is_macro or node["kind"] == "macro-for"
        bodies = [node[key] for key in ("body", "otherwise") if node.get(key)]
        bodies += [arm["body"] for arm in node.get("arms", [])]
        for body in bodies:
            yield from blocks(body, inside)


def running_blocks(source):
    """The blocks of functions, and the file if it is a script."""
    for statements, is_macro in blocks(source.statements):
        if statements is not source.statements or is_script(source.statements):
            yield [node for node in statements if node["kind"] != "fn"], is_macro


# --- passes ---------------------------------------------------------------------------------------


def wrap_values(source, values, program):
    """`v` as `(v.type(v))`, and `narrow` around literals."""
    variables = plain_variables(source)
    writing = writers(source)
    candidates = []
    for statement in nodes(source.statements):
        for root in roots(statement):
            if has_kind(root, "optional") or has_writer(statement, writing):
                continue
            for node in values_in(root):
                text = text_of(source, node)
                if is_variable(node, variables) and node["kind"] == "name":
                    if not node["parenthesized"]:
                        wrapped = b"(" + text + b".type(" + text + b"))"
                        candidates.append((node["start"], node["end"], wrapped))
                elif node["kind"] in ("int", "real", "bool") and text != b"2147483648":
                    candidates.append((node["start"], node["end"], b"narrow(" + text + b")"))
    return apart(values, candidates, 0.3), {}


def first_parts(node):
    """A value and those parts of it that are evaluated before all else."""
    while True:
        yield node
        inner = children(node)
        if not inner:
            return
        node = inner[0]


def name_parts(source, values, program):
    """What a statement evaluates first becomes a variable before it."""
    variables = plain_variables(source)
    writing = writers(source)
    edits = []
    for statements, is_macro in running_blocks(source):
        for node in statements:
            # With op= the target is read before its value is evaluated (L5.8). A macro repeats its
            # names, with other types perhaps.
            if node["kind"] not in ("assign", "decl") or node.get("op") or is_macro:
                continue
            if values.random() < 0.6 or has_kind(node["value"], "optional", "string"):
                continue
            if has_writer(node, writing):
                continue
            parts = [part for part in first_parts(node["value"]) if is_variable(part, variables)]
            if parts:
                part = values.choice(parts)
                name = b"zz_part%d" % len(edits)
                before = name + b" = " + text_of(source, part) + b"\n"
                edits.append((node["start"], node["start"], before))
                edits.append((part["start"], part["end"], name))
    return edits, {}


def declares_nothing(node, before):
    """Whether a loop around it is seen by none of the statements behind it."""
    if node["kind"] == "do":
        return True
    if node["kind"] != "assign":
        return False
    if node["op"] or node["target"]["kind"] != "name":
        return True
    name = node["target"]["name"]
    return any(
        other["kind"] == "assign"
        and other["target"]["kind"] == "name"
        and other["target"]["name"]["name"] == name["name"]
        and not other["target"]["name"]["macro_indices"]
        for other in before
    )


def enclose_statements(source, values, program):
    """`for z = 0:1:` around statements that declare nothing, and branches that constants decide."""
    edits = []
    for statements, _ in running_blocks(source):
        for k, node in enumerate(statements):
            if not declares_nothing(node, statements[:k]) or values.random() < 0.7:
                continue
            head = values.choice([b"for zz_turn = 0:1:\n", b"if true:\n", b"if 1 < 2:\n"])
            tail = b"\nend\n"
            if head.startswith(b"if") and values.random() < 0.5:
                tail = b"\nelse:\n" + text_of(source, node) + tail
            edits.append((node["start"], node["start"], b"\n" + head))
            edits.append((node["end"], node["end"], tail))
    return edits, {}


def pure_functions(source):
    """Functions that values at file level call, directly or not: they read nothing of the file."""
    bodies = {n["name"]["name"]: n for n in nodes(source.statements) if n["kind"] == "fn"}
    calls = {}
    for name, function in bodies.items():
        calls[name] = called(function["body"])
    reached = set()
    waiting = set()
    for node in source.statements:
        if node["kind"] != "fn":
            waiting |= called(node)
    while waiting:
        name = waiting.pop()
        if name in calls and name not in reached:
            reached.add(name)
            waiting |= calls[name]
    return reached


def hide_statements(source, values, program):
    """Copies of statements in branches that are never taken, which the compiler cannot know."""
    names = set(function_names(source.statements))
    first = 3 if source.text.startswith(b"\xef\xbb\xbf") else 0
    more = {}
    condition = HIDDEN
    if names & set(ENTRIES) or any(node["kind"] == "connect" for node in source.statements):
        if re.search(rb"\bp\b(?!\.)", source.text):
            return [], more  # a variable may hide the namespace
        edits = [(first, first, f"tunable bool p.{HIDDEN} = false\n".encode())]
        condition = f"p.{HIDDEN}"
    else:
        more["input"] = "false\n" + program.input
        read = f"{HIDDEN} = input(bool)\n".encode()
        edits = [(first, first, read)]
        if "main_fnc" in names:
            (main,) = (n for n in source.statements if is_main(n))
            inside = main["end"]  # of its header
            edits = [(first, first, f"{HIDDEN} = false\n".encode()), (inside, inside, b"\n" + read)]
    pure = set() if is_script(source.statements) else pure_functions(source)
    for node in hideable(source, pure):
        if values.random() < 0.2:
            copy = f"\nif {condition}:\n".encode() + text_of(source, node) + b"\nend\n"
            edits.append((node["start"], node["start"], copy))
    return edits, more


def is_main(node):
    return node["kind"] == "fn" and node["name"]["name"] == "main_fnc"


def hideable(source, pure):
    """Statements that run, but in functions that must stay pure."""
    functions = [node for node in source.statements if node["kind"] == "fn"]
    bodies = [f["body"] for f in functions if f["name"]["name"] not in pure]
    if is_script(source.statements):
        bodies.append([node for node in source.statements if node["kind"] != "fn"])
    for body in bodies:
        for statements, _ in blocks(body):
            yield from (node for node in statements if node["kind"] in SIMPLE)
