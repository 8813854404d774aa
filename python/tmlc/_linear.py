"""How steps, and runs of many steps, change with what they are made of.

The table has the derivatives of one step, made by the compiler. Those of a run are their product: S, the change
of the state, becomes A S + B from one step to the next, and that of the outputs is C S + D.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tmlc import _abi, _fit, _run
from tmlc._results import Results
from tmlc._trap import Trap, trap_of
from tmlc._variable import Variable, value_at, variable_of

if TYPE_CHECKING:
    from tmlc._instance import Instance
    from tmlc._model import Model

Array = np.ndarray[Any, Any]
ROWS = 256  # of inputs that are made ready at once


@dataclass(frozen=True)
class Linearized:
    """x[k+1] = A x[k] + B u[k], y[k] = C x[k] + D u[k]: small changes from a point.

    The names are those of the elements of x, u and y, and x0, u0 and y0 the point.
    """

    A: Array
    B: Array
    C: Array
    D: Array
    states: list[str]
    inputs: list[str]
    outputs: list[str]
    x0: Array
    u0: Array
    y0: Array

    def __iter__(self) -> Iterator[Array]:
        """A, B, C and D."""
        return iter((self.A, self.B, self.C, self.D))


def _elements(variables: Mapping[str, Variable]) -> list[str]:
    return [
        name + "".join(f"[{i}]" for i in index) for name, v in variables.items() for index in np.ndindex(v.shape)
    ]


def _size(variable: Variable) -> int:
    return int(np.prod(variable.shape, dtype=np.int64))


def _sizes(variables: Mapping[str, Variable]) -> int:
    return sum(map(_size, variables.values()))


def _values(variables: Mapping[str, Variable], address: int) -> Array:
    """All elements, in the struct that lies there."""
    found = [np.ravel(value_at(address + v.offset, v.dtype, v.shape)) for v in variables.values() if v.dtype]
    return np.concatenate([np.zeros(0), *found])


class Derivatives:
    """What the table of a model says of them: where each variable stands among rows and columns."""

    def __init__(self, model: Model):
        if not model.table.linear:
            raise TypeError("this model has no derivatives; compile it with linearize=True")
        self.model, self.table = model, model.table.linear.contents
        found = iter(variable_of(self.table.variables[i]) for i in range(self._count()))

        def take(count: int) -> dict[str, Variable]:
            return {v.name: v for v in itertools.islice(found, count)}

        self.states, self.inputs = take(self.table.state_count), take(self.table.input_count)
        self.params, self.outputs = take(self.table.param_count), take(self.table.output_count)
        self.columns = self._places(self.states, self.inputs, self.params)
        self.rows = self._places(self.states, self.outputs)
        self.state_size = _sizes(self.states)
        first = next(iter([*self.states.values(), *self.outputs.values()]))
        self.dtype = first.dtype

    def at(self, instance: Instance, inputs: int, outputs: int) -> Linearized:
        """`outputs`: where the model has stored them."""
        matrix, n = self.step(instance, inputs), self.state_size
        m = n + _sizes(self.inputs)
        state = instance.state_at
        return Linearized(
            matrix[:n, :n], matrix[:n, n:m], matrix[n:, :n], matrix[n:, n:m],
            _elements(self.states), _elements(self.inputs), _elements(self.outputs),
            _values(self.states, state), _values(self.inputs, inputs), _values(self.outputs, outputs),
        )

    def _count(self) -> int:
        table = self.table
        return int(table.state_count + table.input_count + table.param_count + table.output_count)

    @staticmethod
    def _places(*groups: Mapping[str, Variable]) -> list[dict[str, slice]]:
        at, places = 0, []
        for group in groups:
            place = {}
            for name, v in group.items():
                place[name] = slice(at, at + _size(v))
                at += _size(v)
            places.append(place)
        return places

    def step(self, instance: Instance, inputs: int) -> Array:
        """Rows: states, then outputs. Columns: states, inputs, properties."""
        made = np.zeros((self.table.rows, self.table.columns), self.dtype)
        if instance.call(self.table.step, inputs, made.ctypes.data) != _abi.OK:
            raise trap_of(self.model.table, instance.fault, None)
        return made.astype(float)

    def start(self, instance: Instance) -> Array:
        """Of the states before the first step, by properties."""
        made = np.zeros((self.state_size, _sizes(self.params)), self.dtype)
        if self.table.start and instance.call(self.table.start, made.ctypes.data) != _abi.OK:
            raise trap_of(self.model.table, instance.fault, None)
        return made.astype(float)


def _rows(model: Model, feed: _run.Feed) -> Iterator[Array]:
    """A record of inputs for each step."""
    records = feed.buffer(ROWS)
    for first in range(0, feed.steps, ROWS):
        count = min(ROWS, feed.steps - first)
        feed.fill(records, first, count)
        for k in range(count):
            yield records[k : k + 1]


def _groups(found: Derivatives) -> dict[str, dict[str, Variable]]:
    """What there is to differentiate by, and what there is not, by what may stand before a name."""
    model = found.model
    return {"p": model.params, "t": model.inputs, "state": {**model.state, **found.states}}


def _named(found: Derivatives, name: str) -> tuple[str, str]:
    """The one group that has it, and its name there."""
    places = {
        (space, each): None
        for space, group in _groups(found).items()
        for each in (name, name.removeprefix(f"{space}."))
        if each in group
    }
    if not places:
        known = [
            _whole_name(found, space, each)
            for space, group in zip(("p", "t", "state"), (found.params, found.inputs, found.states))
            for each in group
        ]
        raise TypeError(f"`{name}` is no tunable property, input or state; there are: {_fit.listed(known)}")
    if len(places) > 1:
        choices = [f"{space}.{each}" for space, each in places]
        raise TypeError(f"`{name}` is the name of several; say which: {_fit.listed(choices)}")
    return next(iter(places))


def _whole_name(found: Derivatives, space: str, name: str) -> str:
    is_shared = sum(name in group for group in _groups(found).values()) > 1
    return f"{space}.{name}" if is_shared else name


class _By:
    """One of what is differentiated by, and how the state changes with it."""

    def __init__(self, found: Derivatives, instance: Instance, feed: _run.Feed, given: str):
        states, inputs, params = found.columns
        self.is_rows = False
        space, name = _named(found, given)
        if space == "p" and name in params:
            self.columns, variable = params[name], found.params[name]
            first = self.columns.start - found.state_size - _sizes(found.inputs)
            self.change = found.start(instance)[:, first : first + _size(variable)]
        elif space == "t" and name in inputs:
            self.columns, variable = inputs[name], found.inputs[name]
            self.is_rows = feed.has_rows(name)
            self.change = np.zeros((found.state_size, _size(variable) * (feed.steps if self.is_rows else 1)))
        elif space == "state" and name in states:
            self.columns, variable = slice(0, 0), found.states[name]
            self.change = np.eye(found.state_size)[:, states[name]]
        else:
            raise TypeError(_refusal(found, space, name))
        self.size = _size(variable)
        self.shape = ((feed.steps,) if self.is_rows else ()) + variable.shape

    def _own(self, part: Array, k: int) -> Array | float:
        """What the step adds itself."""
        if not self.is_rows:
            return part[:, self.columns] if self.columns.stop > 0 else 0.0
        added = np.zeros((len(part), self.change.shape[1]))
        added[:, k * self.size : (k + 1) * self.size] = part[:, self.columns]
        return added

    def outputs(self, matrix: Array, count: int, k: int) -> Array:
        part = matrix[count:]
        changes: Array = part[:, :count] @ self.change + self._own(part, k)
        return changes

    def advance(self, matrix: Array, count: int, k: int) -> None:
        part = matrix[:count]
        self.change = part[:, :count] @ self.change + self._own(part, k)


def _refusal(found: Derivatives, space: str, name: str) -> str:
    what = {"p": "property", "t": "input", "state": "variable"}[space]
    kind = _groups(found)[space][name].type
    if "real" in kind:
        return f"`{name}` is a {what} that no step writes; there is no derivative by it"
    return f"the {what} `{name}` is {kind}; there are derivatives by reals"


def _output(found: Derivatives, given: str) -> str:
    """The name of an output, before which `t.` may stand."""
    model = found.model
    name = given if given in model.outputs else given.removeprefix("t.")
    if name in model.outputs and name not in found.outputs:
        raise TypeError(f"the output `{name}` is {model.outputs[name].type}; reals have derivatives")
    _fit.check_names([name], found.outputs, "output")
    return name


def jacobian(
    model: Model, of: str | Sequence[str], by: str | Sequence[str], inputs: Any, params: Any, steps: int | None, every: int
) -> Any:
    """See Model.jacobian."""
    if _run.whole_number(every, "every") == 0:
        raise ValueError("`every` is 0; every step is 1")
    found = model.derivatives
    instance, feed = model.instance(params), _run.Feed(model, inputs, steps)
    outputs = {name: _output(found, name) for name in ([of] if isinstance(of, str) else of)}
    names = [by] if isinstance(by, str) else list(by)
    ways = {name: _By(found, instance, feed, name) for name in names}
    kept = len(range(0, feed.steps, every))
    made = {y: {x: np.zeros((kept, _size(found.outputs[name]), way.change.shape[1])) for x, way in ways.items()}
            for y, name in outputs.items()}
    count = found.state_size
    shown = np.zeros(kept, model.outputs_dtype)
    for k, row in enumerate(_rows(model, feed)):
        try:
            matrix = found.step(instance, row.ctypes.data)
            instance.advance(row.ctypes.data)
        except Trap as trap:
            raise trap.in_run(k, Results(shown[: -(-k // every)], every)) from None
        for x, way in ways.items():
            if k % every == 0:
                changes = way.outputs(matrix, count, k)
                for y, name in outputs.items():
                    place = found.rows[1][name]
                    made[y][x][k // every] = changes[place.start - count : place.stop - count]
            way.advance(matrix, count, k)
        if k % every == 0:
            shown[k // every] = instance.outputs
    shaped = {
        y: {x: one.reshape(kept, *found.outputs[outputs[y]].shape, *ways[x].shape) for x, one in group.items()}
        for y, group in made.items()
    }
    some = {y: group if not isinstance(by, str) else group[by] for y, group in shaped.items()}
    return some if not isinstance(of, str) else some[of]
