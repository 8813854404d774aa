"""One running model: its state, its parameters, and steps one by one or many at a time."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Iterator, Mapping, MutableMapping
from typing import TYPE_CHECKING, Any

import numpy as np

from tmlc import _abi, _fit, _run
from tmlc._linear import Linearized
from tmlc._results import Results
from tmlc._trap import trap_of
from tmlc._variable import Variable

if TYPE_CHECKING:
    from tmlc._model import Model


class Members(MutableMapping[str, Any]):
    """The values of a struct by name. Reading copies; what is written has to fit."""

    def __init__(self, data: np.ndarray[Any, Any], variables: Mapping[str, Variable], what: str):
        self._data, self._variables, self._what = data, variables, what

    def __getitem__(self, name: str) -> Any:
        if name not in self._variables:
            raise KeyError(f"`{name}` is no {self._what}; there are: {_fit.listed(self._variables)}")
        return self._data[name][0].copy()

    def __setitem__(self, name: str, value: Any) -> None:
        _fit.store(self._data, {name: value}, self._variables, self._what)

    def __delitem__(self, name: str) -> None:
        raise TypeError(f"a {self._what} cannot be deleted")

    def __iter__(self) -> Iterator[str]:
        return iter(self._variables)

    def __len__(self) -> int:
        return len(self._variables)

    def __repr__(self) -> str:
        return repr(dict(self))


class Snapshot:
    """A state and its parameters as they were. It fits instances of the same model and can be pickled."""

    def __init__(self, layout: int, state: bytes, params: bytes):
        self._layout, self._state, self._params = layout, state, params


class Instance:
    """A model that runs; see `Model.instance`. Threads may share one; they take turns."""

    def __init__(self, model: Model, params: Any = None):
        self._make_room(model)
        self.reset(params)

    def _make_room(self, model: Model) -> None:
        """Everything but a state that could run."""
        model.check_component("instances")
        self.model = model
        self._trapped = True
        self._lock = threading.Lock()
        self._state = np.zeros(max(1, model.table.state_bytes), np.uint8)
        self._params = np.zeros(1, model.params_dtype)
        self._inputs = np.zeros(1, model.inputs_dtype)
        self._outputs = np.zeros(1, model.outputs_dtype)
        self.state_at: int = self._state.ctypes.data
        self._params_at = self._params.ctypes.data
        self._step_at = self._inputs.ctypes.data, self._outputs.ctypes.data
        self._fields = [(name, self._outputs[name], bool(v.shape)) for name, v in model.outputs.items()]
        self._scalars = {name: self._inputs[name] for name, v in model.inputs.items() if v.type == "real"}
        self.params = Members(self._params, model.params, "tunable property")
        state: np.ndarray[Any, Any] = np.ndarray(1, model.state_dtype, self._state.data)
        self.state = Members(state, model.state, "variable")
        self.debug = Members(state, model.debug, "debug signal")
        if model.table.params_bytes:
            ctypes.memmove(self._params_at, model.table.defaults, model.table.params_bytes)

    @property
    def fault(self) -> _abi.Fault:
        return _abi.Fault.from_buffer_copy(self._state.data, self.model.table.fault_offset)

    @property
    def outputs(self) -> np.void:
        """Of the last step, as a record."""
        record: np.void = self._outputs[0]
        return record

    def call(self, function: Any, *arguments: int) -> int:
        """A function of the table, which gets state and parameters first: OK, or a trap's code."""
        status: int = function(self.state_at, self._params_at, *arguments)
        self._trapped = status != _abi.OK
        assert status == _abi.OK or status >= _abi.INDEX
        return status

    def reset(self, params: Any = None) -> None:
        """Starts over; `params` gives tunable properties other values first."""
        with self._lock:
            _fit.store(self._params, _fit.mapping(params, "params"), self.model.params, "tunable property")
            if self.call(self.model.init) != _abi.OK:
                raise trap_of(self.model.table, self.fault, None)

    def _ready(self) -> None:
        if self._trapped:
            raise RuntimeError("the instance has trapped; `reset` it, or `restore` a snapshot")

    def step(self, inputs: Any = None, /, **named: Any) -> dict[str, Any]:
        """One step. All inputs without a default are given, in a mapping or by name."""
        given = named if inputs is None else {**_fit.mapping(inputs, "inputs"), **named}
        with self._lock:
            self._ready()
            self._give(given)
            self.advance(self._step_at[0])
            return {name: field[0].copy() if is_array else field[0] for name, field, is_array in self._fields}

    def _give(self, given: dict[str, Any]) -> None:
        """Numbers for scalars, which are most of all inputs, take a short way."""
        missing = [name for name in self.model.needed if name not in given]
        if missing:
            raise TypeError(f"inputs are missing: {_fit.listed(missing)}")
        if len(given) < len(self.model.inputs):
            self._inputs[0] = self.model.inputs_defaults
        others = {}
        for name, value in given.items():
            if type(value) is float and name in self._scalars:
                self._scalars[name][0] = value
            else:
                others[name] = value
        if others:
            _fit.store(self._inputs, others, self.model.inputs, "input")

    def advance(self, inputs: int) -> None:
        """One step with a record of inputs that lies there; its outputs are kept by the instance."""
        if self.call(self.model.step, inputs, self._step_at[1]) != _abi.OK:
            raise trap_of(self.model.table, self.fault, None)

    def linearize(self, inputs: Any = None, /, **named: Any) -> Linearized:
        """The matrices of the step that would come with these inputs, which is not done."""
        given = named if inputs is None else {**_fit.mapping(inputs, "inputs"), **named}
        found = self.model.derivatives
        with self._lock:
            self._ready()
            self._give(given)
            kept = self._state.copy()
            try:
                if self.call(self.model.table.output, *self._step_at) != _abi.OK:
                    raise trap_of(self.model.table, self.fault, None)
                self._state[:] = kept
                return found.at(self, *self._step_at)
            finally:
                self._state[:] = kept
                self._trapped = False

    def run(self, inputs: Any = None, *, steps: int | None = None, every: int = 1) -> Results:
        """As `Model.simulate`, from the state in which the instance is."""
        with self._lock:
            self._ready()
            return _run.run(self, inputs, steps, every)

    def snapshot(self) -> Snapshot:
        with self._lock:
            self._ready()
            return self._as_it_is()

    def _as_it_is(self) -> Snapshot:
        return Snapshot(self.model.table.layout, self._state.tobytes(), self._params.tobytes())

    def restore(self, snapshot: Snapshot) -> None:
        """The instance goes on as the one of the snapshot did."""
        if snapshot._layout != self.model.table.layout or len(snapshot._state) != len(self._state):
            raise ValueError("the snapshot is of another model")
        with self._lock:
            self._state[:] = np.frombuffer(snapshot._state, np.uint8)
            self._params[:] = np.frombuffer(snapshot._params, self._params.dtype)
            self._trapped = False

    def __reduce__(self) -> Any:
        """One that has trapped stays so."""
        with self._lock:
            return _restored, (self.model, self._as_it_is(), self._trapped)


def _restored(model: Model, snapshot: Snapshot, trapped: bool) -> Instance:
    """Nothing of the model runs: with the parameters that it begins with `init` could trap."""
    instance = Instance.__new__(Instance)
    instance._make_room(model)
    instance.restore(snapshot)
    instance._trapped = trapped
    return instance
