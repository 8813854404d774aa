#!/usr/bin/env python3
"""Generated code does nothing that LLVM leaves undefined:

    undefined.py TMLC RUNTIME RANDOM_PROGRAMS [--seed S] [--first K] [--count N]

The LLVM IR of random programs, as it is before optimisation, gets checks: of divisions by zero or of the
least number by -1, and of the uses of what is poison because a sum, difference or product wraps that
must not, or a shift is by too much. The arm that a `select` does not take is no use. AddressSanitizer
watches its loads and stores. The programs must end as tmlc's own do, without a complaint. An
instruction of a kind that is not checked here and can be undefined is a failure too.

Not seen are uninitialised values, which tests/driver/memory.py has valgrind look for, and addresses
outside of an object that are computed and not used. Without --seed they are those of today.
"""

import argparse
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

from programs import random_program

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from seeds import default_seed  # noqa: E402

CLANG = "clang-19"
FAILURE_LIMIT = 10
UNDEFINED = 99
CHECKER = f"""#include <stdio.h>
#include <unistd.h>
void undefined_if(_Bool is, int line) {{
    if (is) {{
        fprintf(stderr, "undefined: line %d of the LLVM IR\\n", line);
        _exit({UNDEFINED});
    }}
}}
"""
VALUE = r"\S+|<.*?>|splat \(.*?\)"
FREEZE = re.compile(r"^  (?P<name>%\S+) = freeze .* (?P<a>%[\w.]+)$")
SELECT = re.compile(rf"= select (?P<shape>i1|<\d+ x i1>) (?P<condition>{VALUE}), "
                    rf"(?:<.*?>|\S+) (?P<then>{VALUE}), (?:<.*?>|\S+) (?P<other>{VALUE})(?:, !.*)?$")
TYPE = r"(?P<type>i\d+|<\d+ x i\d+>)"
OPERATION = re.compile(
    rf"^  (?P<name>%\S+) = (?P<op>add|sub|mul|shl|lshr|ashr|[su]div|[su]rem) (?P<flags>(?:nuw |nsw )*){TYPE} "
    r"(?P<a>\S+|<.*>|splat \(.*\)), (?P<b>\S+|<.*>|splat \(.*\))(?:, !.*)?$")
# Of reals that do not fit the result is poison.
CONVERSION = re.compile(
    rf"^  (?P<name>%\S+) = (?P<op>fpto[su]i) (?P<from>(?:<(?P<shape>\d+) x )?(?P<real>double|float)>?) (?P<a>{VALUE}) to "
    r"(?:<\d+ x )?i(?P<width>32|64)>?(?:, !.*)?$")
OUTSIDE = {("fptosi", "32"): (("ule", -2.0**31 - 1), ("uge", 2.0**31)),
           ("fptosi", "64"): (("ult", -2.0**63), ("uge", 2.0**63)),
           ("fptoui", "32"): (("ule", -1.0), ("uge", 2.0**32)),
           ("fptoui", "64"): (("ule", -1.0), ("uge", 2.0**64))}
# What could be undefined in a way that nothing here looks for.
UNKNOWN = re.compile(
    r"= (?:\w+ )*?(?:exact|nneg|disjoint|samesign|nnan|ninf|fast) |= trunc n[us]w |= fpto[su]i |"
    r"= (?:add|sub|mul|shl|lshr|ashr|[su]div|[su]rem) |"
    r"@llvm\.(?:abs|ctlz|cttz)\..*i1 true|@llvm\.assume|^  unreachable|"
    r"!(?:range|nonnull|noundef|dereferenceable)\b")


class Checks:
    """LLVM IR with checks."""

    def __init__(self, text):
        functions = re.split(r"^define", text, flags=re.M)[1:]
        self.merges = iter([set(re.findall(r"%[\w.]+", "".join(re.findall(r" = phi (.*)", function))))
                            for function in functions])
        self.merged = set()  # what phis use: these count as uses
        self.lines, self.declared = [], set()
        self.poison = {}  # of a value: whether it is poison, in which shape, since which line
        self.count = 0

    def add(self, text):
        name = f"%undefined.{self.count}"
        self.count += 1
        self.lines.append(f"  {name} = {text}")
        return name

    def declare(self, result, name, *parameters):
        self.declared.add(f"declare {result} @{name}({', '.join(parameters)})")

    def fail_if(self, condition, shape, line):
        if shape:
            name = f"llvm.vector.reduce.or.v{shape}i1"
            self.declare("i1", name, f"<{shape} x i1>")
            condition = self.add(f"call i1 @{name}(<{shape} x i1> {condition})")
        self.lines.append(f"  call void @undefined_if(i1 zeroext {condition}, i32 {line})")

    def operation(self, match, line):
        """What is undefined in front of the instruction; whether its result is poison."""
        op, type_, a, b = match["op"], match["type"], match["a"], match["b"]
        vector = re.match(r"<(\d+) x i(\d+)>", type_)
        shape, width = (vector[1], int(vector[2])) if vector else (None, int(type_[1:]))
        truth = f"<{shape} x i1>" if shape else "i1"
        poison = []

        def constant(number):
            return f"splat (i{width} {number})" if shape else str(number)

        for flag in match["flags"].split():
            suffix = f"{f'v{shape}' if shape else ''}i{width}"
            name = f"llvm.{'s' if flag == 'nsw' else 'u'}{op}.with.overflow.{suffix}"
            pair = f"{{ {type_}, {truth} }}"
            self.declare(pair, name, type_, type_)
            both = self.add(f"call {pair} @{name}({type_} {a}, {type_} {b})")
            poison.append(self.add(f"extractvalue {pair} {both}, 1"))
        if op in ("shl", "lshr", "ashr"):
            poison.append(self.add(f"icmp uge {type_} {b}, {constant(width)}"))
        if op[1:] in ("div", "rem"):
            self.fail_if(self.add(f"icmp eq {type_} {b}, {constant(0)}"), shape, line)
        if op in ("sdiv", "srem"):
            least = self.add(f"icmp eq {type_} {a}, {constant(-2 ** (width - 1))}")
            minus = self.add(f"icmp eq {type_} {b}, {constant(-1)}")
            self.fail_if(self.add(f"and {truth} {least}, {minus}"), shape, line)
        if len(poison) == 2:
            poison = [self.add(f"or {truth} {poison[0]}, {poison[1]}")]
        if poison and match["name"] in self.merged:
            self.fail_if(poison[0], shape, line)
        elif poison:
            self.poison[match["name"]] = (poison[0], shape, line)

    def conversion(self, match, line):
        """Of reals to integers."""
        shape, type_, a = match["shape"], match["from"], match["a"]
        tests = []
        for predicate, bound in OUTSIDE[match["op"], match["width"]]:
            if match["real"] == "float" and bound == -2.0**31 - 1:
                predicate, bound = "ult", -2.0**31  # the next number below is further than 1
            number = f"0x{struct.unpack('<Q', struct.pack('<d', bound))[0]:016X}"
            number = f"splat ({match['real']} {number})" if shape else number
            tests.append(self.add(f"fcmp {predicate} {type_} {a}, {number}"))
        truth = f"<{shape} x i1>" if shape else "i1"
        poison = self.add(f"or {truth} {tests[0]}, {tests[1]}")
        if match["name"] in self.merged:
            self.fail_if(poison, shape, line)
        else:
            self.poison[match["name"]] = (poison, shape, line)

    def uses(self, text):
        """Checks what an instruction uses, in front of it."""
        select = SELECT.search(text)
        for name in dict.fromkeys(re.findall(r"%[\w.]+", text.split(" = ", 1)[-1])):
            if name not in self.poison:
                continue
            poison, shape, line = self.poison[name]
            if select and name != select["condition"]:
                condition = select["condition"]
                if select["then"] != name:
                    condition = self.add(f"xor {select['shape']} {condition}, "
                                         f"{'true' if select['shape'] == 'i1' else 'splat (i1 true)'}")
                if shape and select["shape"] == "i1":
                    function = f"llvm.vector.reduce.or.v{shape}i1"
                    self.declare("i1", function, f"<{shape} x i1>")
                    poison, shape = self.add(f"call i1 @{function}(<{shape} x i1> {poison})"), None
                poison = self.add(f"and {select['shape']} {poison}, {condition}")
            self.fail_if(poison, shape, line)

    def line(self, text, number):
        """Takes over a line. Returns what is wrong with it, or None."""
        if text.startswith("define"):
            self.poison, self.merged = {}, next(self.merges)
        freeze = FREEZE.match(text)
        if freeze and freeze["a"] in self.poison and freeze["name"] not in self.merged:
            self.poison[freeze["name"]] = self.poison[freeze["a"]]  # is no use yet
        elif " = phi " not in text:
            self.uses(text)
        match = OPERATION.match(text)
        if match:
            self.operation(match, number)
        conversion = CONVERSION.match(text)
        if conversion:
            self.conversion(conversion, number)
        problem = None
        if not match and not conversion and UNKNOWN.search(text):
            problem = f"line {number}: nothing checks {text.strip()}"
        self.lines.append(re.sub(r"^(attributes #\d+ = \{)", r"\1 sanitize_address", text))
        return problem

    def text(self):
        self.declare("void", "undefined_if", "i1 zeroext", "i32")
        has = {re.search(r"@[^(]+", line)[0] for line in self.lines if line.startswith("declare")}
        new = [line for line in sorted(self.declared) if re.search(r"@[^(]+", line)[0] not in has]
        return "\n".join([*self.lines, *new, ""])


def run(command, **more):
    return subprocess.run(command, capture_output=True, timeout=60, check=False, **more)


def made(arguments, program, folder):
    """Makes the checked program; what is wrong, or None, and how many checks it has."""
    (folder / "random.tml").write_bytes(program.text)
    result = run([arguments.tmlc, "-w", *program.compiler, "-O0", "--emit=llvm", "random.tml", "-o", "random.ll"],
                 cwd=folder)
    if result.returncode != 0:
        return result.stderr.decode(), 0
    text = (folder / "random.ll").read_text()
    checks = Checks(text)
    for number, line in enumerate(text.splitlines(), 1):
        problem = checks.line(line, number)
        if problem:
            return problem, checks.count
    (folder / "checked.ll").write_text(checks.text())
    model = re.search(r"^@(\w+_model_[0-9a-f]{16}) =", text, re.MULTILINE)[1]
    result = run([CLANG, "-w", "-O0", "-fsanitize=address", "checked.ll", arguments.checker,
                  f"-Wl,--defsym=tml_model_descriptor={model}", arguments.runtime / "libtmlmain.a", arguments.runtime / "libtmlrt.a", "-lm", "-o", "random"],
                 cwd=folder)
    return (result.stderr.decode() if result.returncode != 0 else None), checks.count


def difference(arguments, program):
    """What is wrong with a program, or None; and how many checks were in it."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        problem, count = made(arguments, program, folder)
        if problem:
            return problem, count
        result = run(["./random", *program.arguments], cwd=folder, input=program.input.encode())
    got = (result.stdout.decode("utf-8", "surrogateescape"), result.stderr.decode("utf-8", "surrogateescape"),
           result.returncode)
    output, errors, status = program.compiled(arguments.tmlc, "-O0")
    # What hosts link has no lines of the source, and no values of assertions.
    errors = re.sub(r"(: trap\[.*\n)( +\|\n.*\n.*\n)?( += note: .*\n)*", r"\1", errors)
    expected = (output, errors, status)
    if got != expected:
        return f"exit status {got[2]}, not {expected[2]}\n{got[1][:2000]}", count
    return None, count


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tmlc", type=os.path.abspath)
    parser.add_argument("runtime", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("generator", type=os.path.abspath)
    parser.add_argument("--seed", type=int, default=default_seed())
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    arguments = parser.parse_args()
    print("seed", arguments.seed, flush=True)
    failures = done = checks = 0
    with tempfile.TemporaryDirectory() as name:
        (pathlib.Path(name) / "checker.c").write_text(CHECKER)
        arguments.checker = pathlib.Path(name) / "checker.o"
        subprocess.run([CLANG, "-c", "-O1", "checker.c", "-o", "checker.o"], cwd=name, check=True)
        while done < arguments.count and failures < FAILURE_LIMIT:
            number = arguments.first + done
            program = random_program(arguments.tmlc, arguments.generator, False, arguments.seed, number)
            problem, count = difference(arguments, program)
            if problem:
                print(f"program {number} of seed {arguments.seed}: {problem}", flush=True)
                failures += 1
            done += 1
            checks += count
    print(f"{done} programs, {checks} instructions of checks, {failures} failures")
    return 1 if failures or not checks else 0


if __name__ == "__main__":
    sys.exit(main())
