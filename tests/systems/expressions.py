"""Random expressions over named values: reals, ints, bools and short vectors. Nothing in them
traps, and reals stay below what overflows unless many products follow each other."""

VECTORS = {2: "tensor<real, 2>", 3: "tensor<real, 3>"}
TYPES = ["real", "real", "real", "int", "bool", *VECTORS.values()]
LENGTHS = {type: length for length, type in VECTORS.items()}


def constant(random, type):
    if type in LENGTHS:
        numbers = [constant(random, "real") for _ in range(LENGTHS[type])]
        return f"[{', '.join(numbers)}]"
    choices = {
        "real": "0.0 1.0 2.0 -1.0 0.5 -0.25 0.125 3.0 -2.5".split(),
        "int": "0 1 2 3 -1 -5 7 100".split(),
        "bool": ["true", "false"],
    }
    return random.choice(choices[type])


class Expressions:
    """`values` are what may be read: texts with their types. `wrap` may put what it gets into
    something around it, as a delay; `functions` are those of the file."""

    def __init__(self, random, values, wrap=None, functions=()):
        self.random = random
        self.values = values
        self.wrap = wrap
        self.functions = functions

    def make(self, type, depth=2):
        if self.wrap and self.random.random() < 0.12:
            return self.wrap(type)
        if depth == 0 or self.random.random() < 0.3:
            return self.leaf(type)
        kind = "vector" if type in LENGTHS else type
        return getattr(self, kind)(type, depth - 1)

    def bounded(self, type, depth=2):
        """For what is kept from cycle to cycle."""
        value = self.make(type, depth)
        if type == "int":
            return f"({value}) % 1000"
        return value if type == "bool" else f"clamp({value}, -8.0, 8.0)"

    def leaf(self, type):
        values = [text for text, other in self.values if other == type]
        if type == "real":
            values += [f"{text}[{self.random.randrange(LENGTHS[other])}]"
                       for text, other in self.values if other in LENGTHS]
            values += [f"(0.5 * {text})" for text, other in self.values if other == "int"]
        if not values or self.random.random() < 0.15:
            return constant(self.random, type)
        return self.random.choice(values)

    def real(self, type, depth):
        def part(type="real"):
            return self.make(type, depth)

        choices = [
            lambda: f"({part()} + {part()})", lambda: f"({part()} - {part()})",
            lambda: f"({part()} - {part()})", lambda: f"({part()} * {part()})",
            lambda: f"(0.5 * {part()})", lambda: f"({part()} / (1.0 + abs({part()})))",
            lambda: f"clamp({part()}, -4.0, 4.0)", lambda: f"min({part()}, {part()})",
            lambda: f"max({part(self.random.choice(list(LENGTHS)))})",
            lambda: f"select({part('bool')}, {part()}, {part()})", lambda: f"-{part()}",
        ]
        choices += [lambda name=name: f"{name}({part()}, {part()})" for name in self.functions]
        return self.random.choice(choices)()

    def int(self, type, depth):
        def part(type="int"):
            return self.make(type, depth)

        return self.random.choice([
            lambda: f"({part()} + {part()})", lambda: f"({part()} - {part()})",
            lambda: f"({part()} * 3)", lambda: f"({part()} % 7)",
            lambda: f"max({part()}, {part()})",
            lambda: f"int(clamp({part('real')}, -50.0, 50.0))",
            lambda: f"select({part('bool')}, {part()}, {part()})",
        ])()

    def bool(self, type, depth):
        def part(type="bool"):
            return self.make(type, depth)

        return self.random.choice([
            lambda: f"({part('real')} > {part('real')})",
            lambda: f"({part('int')} <= {part('int')})",
            lambda: f"({part()} and {part()})", lambda: f"({part()} or {part()})",
            lambda: f"any({part(self.random.choice(list(LENGTHS)))} < 0.5)",
            lambda: f"(not {part()})",
        ])()

    def vector(self, type, depth):
        def part(type=type):
            return self.make(type, depth)

        return self.random.choice([
            lambda: "[" + ", ".join(part("real") for _ in range(LENGTHS[type])) + "]",
            lambda: f"({part()} + {part()})", lambda: f"({part()} - {part('real')})",
            lambda: f"({part('real')} * {part()})", lambda: f"clamp({part()}, -4.0, 4.0)",
            lambda: f"select({part('bool')}, {part()}, {part()})", lambda: f"-{part()}",
        ])()
