"""Random components whose runs go different ways: branches, loops, breaks and returns that depend on
tunable properties, divisions and indices that some runs must not do, and arrays of which a run
changes its own element. Most of what may trap is asked for before; some of it is not."""

ARRAY = 4
REALS = ["x", "y", "z", "p.a", "p.b", "t.u"]
INTS = ["i", "j", "p.m", "p.n"]
ARRAYS = ["v", "w"]
HEADER = """in real t.u
out real t.y
out int t.i
out tensor<real, 4> t.v
tunable real p.a = 0.5
tunable real p.b = -1.5
tunable int p.m = 3
tunable int p.n = -2
real x = 0.25
real y = -1.0
real z = 0.0
int i = 1
int j = 0
tensor<real, 4> v = [1.0, -2.0, 0.5, 3.0]
tensor<real, 4> w = 0.0
"""
FUNCTIONS = """fn first(tensor<real, 4> a, real limit) int:
    for k = 0:4:
        if a[k] > limit:
            return k
        end
    end
    return -1
end

fn bounded(real a) real:
    if a > 100.0:
        return 100.0
    end
    if not a > -100.0:
        return -100.0
    end
    return a
end

fn push(var tensor<real, 4> a, real value, int at):
    if at < 0:
        return
    end
    a[at % 4] = bounded(value)
    if value < 0.0:
        a = 0.5 * a
    end
end

fn small(int a) int:
    return a % 64
end
"""


class Ways:
    def __init__(self, random):
        self.random = random
        self.lines = []
        self.depth = 1
        self.loops = 0
        self.names = 0

    def put(self, text):
        self.lines.append("    " * self.depth + text)

    def one_in(self, number):
        return self.random.randrange(number) == 0

    # --- expressions ---

    def real(self, depth=2):
        pick = self.random.randrange(9 if depth else 4)
        if pick < 2:
            return self.random.choice(REALS)
        if pick == 2:
            return self.random.choice(["0.5", "-2.0", "1.25", "3.0"])
        if pick == 3:
            return f"{self.random.choice(ARRAYS)}[{self.random.randrange(ARRAY)}]"
        if pick == 4:
            return f"abs({self.real(depth - 1)})"
        if pick == 5:
            return f"sum({self.random.choice(ARRAYS)})"
        if pick == 6:
            return f"bounded({self.real(depth - 1)})"
        return f"({self.real(depth - 1)} {self.random.choice('+-*')} {self.real(depth - 1)})"

    def int(self, depth=1):
        pick = self.random.randrange(6 if depth else 3)
        if pick < 2:
            return self.random.choice(INTS)
        if pick == 2:
            return str(self.random.randrange(-3, 6))
        if pick == 3:
            return f"first({self.random.choice(ARRAYS)}, {self.real(0)})"
        return f"small({self.int(0)} {self.random.choice('+-*')} {self.int(0)})"

    def condition(self, depth=1):
        pick = self.random.randrange(5 if depth else 3)
        if pick == 0:
            return f"{self.int()} {self.random.choice(['==', '!=', '<', '>='])} {self.int()}"
        if pick < 3:
            return f"{self.real(1)} {self.random.choice(['<', '>', '<=', '!='])} {self.real(1)}"
        return f"({self.condition(0)}) {self.random.choice(['and', 'or'])} ({self.condition(0)})"

    # --- statements ---

    def block(self, budget):
        self.depth += 1
        for _ in range(self.random.randint(1, max(1, budget))):
            self.statement(budget - 1)
        self.depth -= 1

    def branch(self, budget):
        self.put(f"if {self.condition()}:")
        self.block(budget)
        if self.one_in(3):
            self.put(f"elseif {self.condition()}:")
            self.block(budget)
        if self.one_in(2):
            self.put("else:")
            self.block(budget)
        self.put("end")

    def loop(self, budget):
        self.names += 1
        name = f"k{self.names}"
        self.loops += 1
        if self.one_in(2):
            self.put(f"for {name} = 0:{self.random.choice([2, 4, 7])}:")
            self.depth += 1
            if self.one_in(2):
                self.put(f"{self.random.choice(ARRAYS)}[{name} % 4] = bounded({self.real(1)} * {name})")
            self.depth -= 1
        else:
            self.put(f"int {name} = 0")
            self.put(f"while {name} < {self.random.choice([3, 5, 9])} and ({self.condition()}):")
            self.put(f"    {name} += 1")
        self.block(budget)
        self.put("end")
        self.loops -= 1

    def guarded(self):
        """What a run may trap at, mostly where it is asked for before."""
        target, value = self.random.choice("ij"), self.int()
        checks, does = self.random.choice([
            (f"{value} != 0", f"{target} = small({self.int()} / {value})"),
            (f"{value} != 0", f"{target} = {self.int()} % {value}"),
            (f"{value} >= 0 and {value} < 4", f"{self.random.choice('xyz')} = {self.random.choice(ARRAYS)}[{value}]"),
            (f"{value} >= 0 and {value} < 4", f"{self.random.choice(ARRAYS)}[{value}] = bounded({self.real()})"),
            (self.condition(), f"assert({self.real(1)} < 1000000.0)"),
        ])
        if self.one_in(12):
            self.put(does)
            return
        self.put(f"if {checks}:")
        self.put(f"    {does}")
        self.put("end")

    def statement(self, budget):
        pick = self.random.randrange(12)
        if pick < 3 and budget > 0:
            self.branch(budget)
        elif pick < 5 and budget > 0 and self.loops < 2:
            self.loop(budget)
        elif pick == 5 and self.loops > 0:
            self.put(f"if {self.condition()}:")
            self.put(f"    {self.random.choice(['break', 'continue'])}")
            self.put("end")
        elif pick == 6:
            self.guarded()
        elif pick == 7:
            self.put(f"push({self.random.choice(ARRAYS)}, {self.real()}, {self.int()})")
        elif pick == 8:
            self.put(f"{self.random.choice('ij')} = {self.int()}")
        elif pick == 9:
            self.put(f"{self.random.choice(ARRAYS)} = clamp({self.real(0)} * v - {self.real(0)} * w, -50.0, 50.0)")
        else:
            self.put(f"{self.random.choice('xyz')} = bounded({self.real()})")


def random_component(random):
    ways = Ways(random)
    for _ in range(random.randint(3, 8)):
        ways.statement(3)
    update = "\n".join(ways.lines)
    return f"""{HEADER}
{FUNCTIONS}
fn output_fnc():
    t.y = x + y - z
    t.i = i - j
    t.v = v - w
end

fn update_fnc():
{update}
end
"""
