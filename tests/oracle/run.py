"""Runs a program as `tmlc run` does: what it prints, the message of a trap, the exit status."""

import sys
from dataclasses import dataclass

from check import signals
from component import EXIT_TRAP, Options, number
from scopes import Frame, Scope, Trap
from shapes import Illegal
from statements import is_component, is_script
from system import Systems

# Programs may nest expressions deeply.
sys.setrecursionlimit(20_000)


@dataclass
class Result:
    output: str
    errors: str
    status: int
    lines: set  # where a trap may be told


def options_from(compiler, program=()):
    """Reads the arguments of the compiler and those of the program."""
    options = Options()
    arguments = iter(compiler)
    for argument in arguments:
        if argument == "--real=f32":
            options.single = True
        elif argument == "--rank-promotion=error":
            options.strict_ranks = True
        elif argument == "-D":
            name, _, text = next(arguments).partition("=")
            options.definitions[name] = text
        elif argument.startswith("--interface="):
            options.interfaces += (argument.partition("=")[2],)
        elif argument == "--with":
            options.connections += (next(arguments),)
    arguments = iter(program)
    for argument in arguments:
        if argument == "--set":
            name, _, text = next(arguments).partition("=")
            options.settings[name] = text
        elif argument == "--watch":
            options.watch += next(arguments).split(",")
        elif argument in ("--steps", "--every"):
            setattr(options, argument[2:], int(next(arguments)))
    return options


def interface(tmlc, source, options):
    """The terminals and properties of a component, as far as its file-level values are there."""
    machine = Systems(tmlc, options)
    try:
        machine.open(source, is_script=False)
    except (Trap, Illegal):
        pass  # running it tells
    return machine.terminals


def run(tmlc, source, options, standard_input=""):
    words = iter(standard_input.split())
    machine = Systems(
        tmlc, options, lambda root: number(machine.arithmetic, root, next(words))
    )
    status, errors = 0, ""
    if options.watch:
        machine.signals = signals(tmlc, source, options)
    try:
        file = machine.open(source, is_script(source.statements))
        if is_component(source.statements):
            status, errors = machine.simulate(standard_input.splitlines())
        elif file.is_script:
            machine.block(source.statements, Frame(file))
        else:
            machine.scope(file.functions["main_fnc"].node["body"], Frame(file, Scope()))
    except Trap as trap:
        status, errors = EXIT_TRAP, trap.message()
    return Result("".join(machine.output), errors, status, machine.active_lines())
