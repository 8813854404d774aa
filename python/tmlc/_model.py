"""A compiled model: what it takes and gives, its runs, and its functions."""

from __future__ import annotations

import ctypes
import functools
import os
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from tmlc import _abi, _batch, _cache, _command, _function, _linear, _source
from tmlc._batch import Runs, Sample
from tmlc._instance import Instance
from tmlc._results import Results
from tmlc._variable import Variable, memories, record, variables_of


class Model:
    """A component, or functions. `compile` and `load` make them.

    `inputs`, `outputs`, `params` (tunable properties), `constants`, `state` and `debug` map names to
    Variables, `functions` to Functions, which are attributes as well unless something else has their name.
    """

    def __init__(
        self, library: ctypes.CDLL, file: Path, description: dict[str, Any] | None, origin: Any, index: int = 0
    ):
        """`file` is what messages call the library."""
        self._library = library
        self._origin = origin
        tables = _abi.tables(self._library)
        self._table = tables[index] if tables else None
        if self._table is not None and self._table.version != _abi.VERSION:
            raise ValueError(
                f"{file}: its table of models has version {self._table.version}, this package reads version "
                f"{_abi.VERSION}: compiler and package have to be of the same release"
            )
        self.warnings: list[_command.Diagnostic] = []
        self._bundle: _source.Bundle | None = None  # what a source was when it was compiled
        self.pace = 1  # steps of one call, see _run
        self._describe_functions(description)
        self._describe_table()

    def _describe_functions(self, description: dict[str, Any] | None) -> None:
        self._shared: _function.State | None = None
        self._shared_lock = threading.Lock()
        self.functions: dict[str, _function.Function] = {}
        self._description = description or {}
        for row in self._description.get("functions", []):
            function = _function.Function(self, self._library, row, self._description, self._functions_state)
            self.functions[function.__name__] = function

    def _functions_state(self) -> _function.State:
        with self._shared_lock:  # threads that come first at once
            if self._shared is None:
                params = None if self._table is None else self._table.defaults
                self._shared = _function.State(self._library, self._description, params)
            return self._shared

    def _describe_table(self) -> None:
        table = self._table
        found = [] if table is None else variables_of(table)

        def named(role: str) -> dict[str, Variable]:
            return {v.name: v for v in found if v.role == role}

        self.inputs, self.outputs, self.params = named("input"), named("output"), named("param")
        self.constants, self.state, self.debug = named("constant"), named("variable"), named("debug")
        self.name: str = self._description.get("prefix", "") if table is None else table.name.decode()
        if table is None:
            return
        self._find_memories()
        self.init, self.step, self.step_n = table.init, table.step, table.step_n
        self.inputs_dtype = record(self.inputs.values(), table.inputs_bytes)
        self.outputs_dtype = record(self.outputs.values(), table.outputs_bytes)
        self.params_dtype = record(self.params.values(), max(1, table.params_bytes))
        self.state_dtype = record([*self.state.values(), *self.debug.values()], table.state_bytes)
        self.inputs_defaults = np.zeros((), self.inputs_dtype)
        if table.inputs_defaults:
            ctypes.memmove(self.inputs_defaults.ctypes.data, table.inputs_defaults, table.inputs_bytes)
        self.needed = [name for name, v in self.inputs.items() if v.default is None]

    def _find_memories(self) -> None:
        """An output without feedthrough is part of the state: what the next step shows."""
        members = self._description.get("structs", {}).get("state", {}).get("members", [])
        kept = memories(members)
        self.state = {name: replace(v, offset=kept.get(v.offset, v.offset)) for name, v in self.state.items()}
        for member in members:
            output = self.outputs.get(member.get("name", "")) if member.get("space") == "t" else None
            if output is not None and not output.feedthrough:
                name = f"t.{output.name}"
                self.state[name] = replace(output, name=name, space="", role="variable", offset=member["offset"])

    @property
    def table(self) -> _abi.Model:
        """Of a component."""
        assert self._table is not None
        return self._table

    @property
    def source(self) -> _source.Source:
        """What it was compiled of."""
        if not isinstance(self._origin, _source.Source):
            raise TypeError("the source of a model that was loaded is not known")
        return self._origin

    def check_component(self, what: str) -> None:
        if self._table is None:
            kind = self._description.get("kind", "library")
            raise TypeError(f"{what} are of components, which have inputs, outputs and steps; this is a {kind}")

    def __getattr__(self, name: str) -> _function.Function:
        functions = self.__dict__.get("functions", {})
        if name in functions:
            found: _function.Function = functions[name]
            return found
        raise AttributeError(f"a model has no `{name}`; its functions with fixed sizes are: {', '.join(functions) or 'none'}")

    def __dir__(self) -> Iterable[str]:
        return [*super().__dir__(), *self.functions]

    def __repr__(self) -> str:
        parts = []
        for what in ("inputs", "outputs", "params", "functions"):
            names = getattr(self, what)
            parts += [f"{what} {', '.join(names)}"] if names else []
        return f"<tmlc.Model {self.name}: {'; '.join(parts)}>"

    def instance(self, params: Any = None) -> Instance:
        """One that runs, from its first step, with other values of tunable properties if they are given."""
        return Instance(self, params)

    def simulate(self, inputs: Any = None, params: Any = None, *, steps: int | None = None, every: int = 1) -> Results:
        """The outputs of a run from the first step.

        `inputs` maps names to arrays, whose first axis is the step, or to `tmlc.hold(value)`. An input with a
        default may be left out. `steps` is needed where no input tells it. Of the steps 0, every, 2 * every
        and so on the outputs are kept.
        """
        self.check_component("simulations")
        return Instance(self, params).run(inputs, steps=steps, every=every)

    @functools.cached_property
    def derivatives(self) -> _linear.Derivatives:
        self.check_component("derivatives of steps")
        return _linear.Derivatives(self)

    def jacobian(
        self,
        of: str | Sequence[str],
        by: str | Sequence[str],
        inputs: Any = None,
        params: Any = None,
        *,
        steps: int | None = None,
        every: int = 1,
    ) -> Any:
        """How an output of a run, `simulate(inputs, params)`, changes with what the run is made of.

        `by` names a tunable property, an input, or a variable of the state, which is its value before the first
        step. The array has the steps that are kept, then the dims of the output, then those of `by`; an input
        that has a row for each step has these before its own dims, one that holds has not. Of several names, in a
        list, there is a dictionary of arrays. The model is compiled with `linearize=True`.
        """
        return _linear.jacobian(self, of, by, inputs, params, steps, every)

    def simulate_many(
        self,
        inputs: Any = None,
        params: Any = None,
        *,
        sample: Mapping[str, Sample] | None = None,
        seed: int = 0,
        runs: int | None = None,
        first: int = 0,
        steps: int | None = None,
        reduce: str = "all",
        threads: int | None = None,
    ) -> Runs:
        """Many runs at once, on all processors or `threads` of them.

        An array in `params`, or in `inputs`, that has one axis more than `simulate` takes has a value for each
        run along its first. `sample` makes properties random, as `{"r": tmlc.uniform(0.9, 1.1)}`, or elements of
        them, as `{"v[0]": tmlc.normal(0, 1)}`: what run i draws depends on `seed` and on `first` + i alone. `runs` is needed where nothing else tells it. Of each
        output all steps are kept, or the `last`, the `max`, `mean` or `rms` of them, or `none`.
        """
        self.check_component("simulations")
        return _batch.simulate_many(self, inputs, params, sample or {}, seed, runs, first, steps, reduce, threads)

    def __reduce__(self) -> Any:
        if isinstance(self._origin, _source.Source):
            return _rebuilt, (self._bundle,)
        return load, self._origin


def _rebuilt(sent: _source.Bundle) -> Model:
    return built(_source.unpack(sent))


def built(source: _source.Source) -> Model:
    """The model of a source, from the cache or compiled now."""
    made = _source.build(source)
    model = Model(ctypes.CDLL(str(made.library)), made.library, made.description, source)
    model.warnings = made.warnings
    model._bundle = _source.bundle(source, made.files)
    return model


def load(path: str | os.PathLike[str], name: str | None = None) -> Model:
    """A shared library that `tmlc -o libNAME.so` has made; `name` says which model of several.

    With a description beside it (`tmlc --emit=shared,json -o libNAME`) it has its functions too. It is the
    library of this moment: the file may be made again, and is then another one for the next `load`.
    """
    file = Path(path).absolute()
    if not file.is_file():
        raise FileNotFoundError(f"there is no shared library {file}")
    copy = _cache.keep(file.read_bytes(), ".so")  # a path that was loaded once stays what it was in a process
    try:
        library = ctypes.CDLL(str(copy))
    except OSError as error:
        raise ValueError(f"{file} cannot be loaded: {str(error).replace(str(copy), str(file))}") from None
    description = _cache.read(file.with_suffix(".json"))
    names = [table.name.decode() for table in _abi.tables(library)]
    if not names and description is None:
        raise ValueError(f"{file} has no table of models, and no description {file.with_suffix('.json').name} beside it")
    if name is not None and name not in names:
        raise ValueError(f"{file} has no model `{name}`; there are: {', '.join(names) or 'none'}")
    if name is None and len(names) > 1:
        raise ValueError(f"{file} has several models; name one of: {', '.join(names)}")
    return Model(library, file, description, (str(file), name), names.index(name) if name else 0)


def compile(  # noqa: A001 the word of the language's users
    source: str | os.PathLike[str],
    *,
    define: Any = None,
    connect: Iterable[str] = (),
    interface: Iterable[str | os.PathLike[str]] = (),
    real: str = "f64",
    cpu: str = "native",
    fp: str | None = None,
    checks: str | None = None,
    optimize: int | str | None = None,
    batch: int | None = None,
    debug_signals: bool = False,
    linearize: bool = False,
    name: str | None = None,
) -> Model:
    """Compiles a file, or a text, to machine code; what is in the cache is not compiled again.

    A string with line breaks, or one that does not end in `.tml`, is a text, whose imports are relative to
    the current folder. `define` gives properties and constants values, `connect` names optional terminals,
    `linearize` makes derivatives of steps, and the other options are those of the command.
    """
    options = _source.options_of(
        define, connect, interface, debug_signals, linearize,
        real=real, cpu=cpu, fp=fp, checks=checks, optimize=optimize, batch=batch,
    )
    return built(_source.source_of(source, options, name))


def check(
    source: str | os.PathLike[str],
    *,
    define: Any = None,
    connect: Iterable[str] = (),
    interface: Iterable[str | os.PathLike[str]] = (),
    real: str = "f64",
) -> list[_command.Diagnostic]:
    """The compiler's errors and warnings on a file or text, without compiling it."""
    options = _source.options_of(define, connect, interface, real=real)
    found = _source.source_of(source, options, None)
    return _command.check(found.arguments(), found.text, found.base)
