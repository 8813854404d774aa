"""Inputs and properties for the simulation of a random component."""

from component import columns
from scopes import Missing

NUMBERS = {
    "bool": ["true", "false", "1", "0"],
    "uint": "0 1 2 3 4 5 6 7 31 100 2147483648 4294967295".split(),
    "int": "0 1 2 3 4 5 6 7 -1 -2 -3 -5 33 -100 2147483647 -2147483648".split(),
    "real": "0.0 1.0 2.0 0.5 -0.25 -2.5 3.75 0.1 -7.3 4.0 -0.0 1e30 1e-30 nan inf -inf".split(),
}


def table(random, terminals, row_count, values=NUMBERS):
    """A CSV file with the inputs that are there and, of those with a default, some."""
    titles = {}
    for terminal in terminals:
        is_given = not terminal.default or random.random() < 0.5
        if terminal.is_input and is_given and not isinstance(terminal.value, Missing):
            for title in columns(terminal.name, terminal.value.type):
                titles[title] = values[terminal.value.type.root]
    if not titles:
        return ""
    rows = [",".join(random.choice(numbers) for numbers in titles.values())
            for _ in range(row_count)]
    return "\n".join([",".join(titles), *rows]) + "\n"


def settings(random, terminals):
    """Arguments that give some tunable properties, at most eight, another value."""
    result = []
    for terminal in terminals:
        root = terminal.value.type.root
        if terminal.is_tunable and random.random() < 0.4 and len(result) < 16:
            text = random.choice(NUMBERS[root]) + ("u" if root == "uint" else "")
            if text in ("1", "0") and root == "bool":
                text = "true"
            result += ["--set", f"{terminal.name}={text}"]
    return result
