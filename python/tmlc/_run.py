"""Many steps of an instance: rows of inputs go in and rows of outputs come out, some milliseconds of C at a
time, so that an interrupt is heard in between."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np

from tmlc import _abi, _fit
from tmlc._results import Results
from tmlc._trap import trap_of

if TYPE_CHECKING:
    from tmlc._instance import Instance
    from tmlc._model import Model

BUFFER_BYTES = 1 << 20  # of rows of inputs and outputs
CALL_SECONDS = 0.02
GROWTH = 8


def whole_number(value: Any, name: str) -> int:
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"`{name}` is a whole number, not {value!r}")
    number: int = value.__index__()
    if not 0 <= number < 2**64:
        raise ValueError(f"`{name}` is {number}")
    return number


class Feed:
    """The inputs of a run, row by row."""

    def __init__(self, model: Model, inputs: Any, steps: int | None):
        given = _fit.mapping(inputs, "inputs")
        _fit.check_names(given, model.inputs, "input")
        missing = [name for name, v in model.inputs.items() if name not in given and v.default is None]
        if missing:
            raise TypeError(f"inputs are missing: {_fit.listed(missing)}")
        self._model = model
        self._held: dict[str, np.ndarray[Any, Any]] = {}
        self._rows: dict[str, np.ndarray[Any, Any]] = {}
        for name, value in given.items():
            self._sort(name, value)
        self.steps = self._count(steps)
        for name, array in self._rows.items():
            _fit.check_shape(array.shape, (self.steps, *model.inputs[name].shape), name)

    def _sort(self, name: str, value: Any) -> None:
        variable = self._model.inputs[name]
        assert variable.dtype is not None
        if isinstance(value, _fit.Hold):
            self._held[name] = _fit.fit(value.value, variable)
            return
        array = _fit.array_of(value, variable.dtype, name)
        if array.ndim == 0:
            raise ValueError(f"`{name}` is one value, not a row for each step; tmlc.hold({value!r}) is meant to hold")
        self._take(name, array)

    def _take(self, name: str, array: np.ndarray[Any, Any]) -> None:
        self._rows[name] = array

    def _lengths(self) -> list[int]:
        return [len(array) for array in self._rows.values()]

    def _count(self, steps: int | None) -> int:
        if steps is not None:
            return whole_number(steps, "steps")
        for length in self._lengths():
            return length
        raise TypeError("how many steps? No input has a row for each; give `steps`")

    def has_rows(self, name: str) -> bool:
        """Whether there is a row for each step."""
        return name in self._rows

    def buffer(self, size: int) -> np.ndarray[Any, Any]:
        records = np.zeros(size, self._model.inputs_dtype)
        defaults = self._model.inputs_defaults
        for name in defaults.dtype.names or ():
            records[name] = defaults[name]
        for name, array in self._held.items():
            records[name] = array
        return records

    def fill(self, records: np.ndarray[Any, Any], first: int, count: int) -> None:
        for name, array in self._rows.items():
            records[name][:count] = array[first : first + count]


def run(instance: Instance, inputs: Any, steps: int | None, every: int) -> Results:
    """The rows of the steps 0, every, 2 * every, ..."""
    if whole_number(every, "every") == 0:
        raise ValueError("`every` is 0; every step is 1")
    model = instance.model
    feed = Feed(model, inputs, steps)
    total = feed.steps
    kept = np.zeros(len(range(0, total, every)), model.outputs_dtype)
    row_bytes = model.inputs_dtype.itemsize + model.outputs_dtype.itemsize
    size = max(1, min(total, BUFFER_BYTES // row_bytes))
    given, made = feed.buffer(size), np.zeros(size, model.outputs_dtype)
    for first in range(0, total, size):
        count = min(size, total - first)
        feed.fill(given, first, count)
        done = _steps(instance, given, made, count)
        rows = made[-first % every : done : every]
        start = (first + every - 1) // every
        kept[start : start + len(rows)] = rows
        if done < count:
            fault = instance.fault
            so_far = Results(kept[: start + len(rows)], every)
            raise trap_of(model.table, fault, first + done, so_far)
    return Results(kept, every)


def _steps(instance: Instance, given: np.ndarray[Any, Any], made: np.ndarray[Any, Any], count: int) -> int:
    """How many steps are done: `count` of them, unless one trapped."""
    model, done = instance.model, 0
    into, out = given.ctypes.data, made.ctypes.data
    while done < count:
        ask = min(model.pace, count - done)
        before = time.perf_counter()
        status = instance.call(
            model.step_n,
            ask,
            into + done * given.dtype.itemsize,
            out + done * made.dtype.itemsize,
        )
        if status != _abi.OK:
            return done + int(instance.fault.step)
        done += ask
        took = time.perf_counter() - before
        if took < CALL_SECONDS / 2 and ask == model.pace:
            model.pace *= GROWTH if took < CALL_SECONDS / GROWTH else 2
        elif took > CALL_SECONDS * 2:
            model.pace = max(1, int(model.pace * CALL_SECONDS / took))
    return done
