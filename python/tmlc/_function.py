"""Functions of a source, as functions of NumPy arrays."""

from __future__ import annotations

import ctypes as c
import threading
from dataclasses import dataclass
from typing import Any

import numpy as np

from tmlc import _abi, _fit
from tmlc._trap import Trap, trap_at, trap_without_place
from tmlc._variable import Dims, dtype_of

SCALARS = {"b1": c.c_uint8, "u4": c.c_uint32, "i4": c.c_int32, "f8": c.c_double, "f4": c.c_float}


@dataclass(frozen=True)
class Value:
    """A parameter or result."""

    name: str
    type: str
    dtype: np.dtype[Any]
    shape: Dims
    is_var: bool

    @property
    def is_pointer(self) -> bool:
        return self.is_var or bool(self.shape)


def _value(row: dict[str, Any], real_bytes: int) -> Value:
    shape = tuple(length for level in row["dims"] for length in level)
    return Value(row["name"], row["type"], dtype_of(row["root"], real_bytes), shape, row.get("is_var", False))


class State:
    """What functions of one model that need a state share: variables of the file, and working memory."""

    def __init__(self, library: c.CDLL, description: dict[str, Any], params: int | None):
        """`params` is where the parameters of a component are."""
        self.lock = threading.Lock()
        layout = description["structs"]["state"]
        self._data = np.zeros(max(1, layout["bytes"]), np.uint8)
        self.address = self._data.ctypes.data
        self._fault_at = next(m["offset"] for m in layout["members"] if m["member"] == "fault")
        self._files: list[str] = description.get("files", [description["file"]])
        self._texts: list[str] = description.get("texts", [])
        init = getattr(library, description["symbols"]["init"])
        init.restype, init.argtypes = c.c_int32, [c.c_void_p] * (1 if params is None else 2)
        if init(self.address, *([] if params is None else [params])) != _abi.OK:
            raise self.trap()

    def trap(self) -> Trap:
        return trap_at(_abi.Fault.from_buffer_copy(self._data.data, self._fault_at), self._files, self._texts)


class Function:
    """A function of TML. A parameter that is `var` takes an array, which is written in place."""

    def __init__(self, model: Any, library: c.CDLL, row: dict[str, Any], description: dict[str, Any], state: Any):
        """`state()` is the State of the model's functions."""
        self._model = model
        real_bytes = description["real_bytes"]
        self.__name__ = row["name"]
        self.params = [_value(each, real_bytes) for each in row["params"]]
        self.results = [_value(each, real_bytes) for each in row["results"]]
        self._state = state if row["takes_state"] else None
        self._file = description["file"]
        self._call = getattr(library, row["symbol"])
        self._call.restype = c.c_int32
        self._call.argtypes = [
            *([c.c_void_p] if self._state else []),
            *(c.c_void_p if p.is_pointer else SCALARS[p.dtype.str[1:]] for p in self.params),
            *(c.c_void_p for _ in self.results),
        ]
        self.__doc__ = str(self)

    def __str__(self) -> str:
        params = ", ".join(f"{'var ' if p.is_var else ''}{p.type} {p.name}" for p in self.params)
        return f"fn {self.__name__}({params}) {', '.join(r.type for r in self.results)}".rstrip()

    def __reduce__(self) -> Any:
        return _function_of, (self._model, self.__name__)

    def __repr__(self) -> str:
        return f"<tmlc.Function {self}>"

    def __call__(self, /, *args: Any, **named: Any) -> Any:
        arrays = self._bound(args, named)
        results = [np.zeros(r.shape, r.dtype) for r in self.results]
        passed = [a.ctypes.data if p.is_pointer else a.item() for p, a in zip(self.params, arrays)]
        passed += [r.ctypes.data for r in results]
        if self._state is None:
            status = self._call(*passed)
            trap = trap_without_place(status, self._file) if status >= _abi.INDEX else None
        else:
            state = self._state()
            with state.lock:
                status = self._call(state.address, *passed)
                trap = state.trap() if status >= _abi.INDEX else None
        if trap is not None:
            raise trap
        if status != _abi.OK:
            raise ValueError(f"{self}: what is written overlaps another argument")
        values = tuple(r[()] for r in results)
        return values[0] if len(values) == 1 else values or None

    def _bound(self, args: Any, named: dict[str, Any]) -> list[np.ndarray[Any, Any]]:
        names = [p.name for p in self.params]
        if len(args) > len(names):
            raise TypeError(f"{self} takes {len(names)} arguments, not {len(args)}")
        given = dict(zip(names, args))
        _fit.check_names(named, names, f"parameter of {self}")
        for name, value in named.items():
            if name in given:
                raise TypeError(f"{self}: `{name}` is given twice")
            given[name] = value
        missing = [name for name in names if name not in given]
        if missing:
            raise TypeError(f"{self}: arguments are missing: {_fit.listed(missing)}")
        return [_argument(p, given[p.name]) for p in self.params]


def _function_of(model: Any, name: str) -> Function:
    """Not an attribute of the model, which may be something else of that name."""
    found: Function = model.functions[name]
    return found


def _argument(param: Value, value: Any) -> np.ndarray[Any, Any]:
    if param.is_var:
        return _place(param, value)
    array = _fit.array_of(value, param.dtype, param.name)
    _fit.check_shape(array.shape, param.shape, param.name)
    return np.require(array, requirements=["C", "A"]) if param.shape else array


def _place(param: Value, value: Any) -> np.ndarray[Any, Any]:
    wanted = f"`{param.name}` is written: it takes a writeable array of {param.dtype} without gaps"
    if not isinstance(value, np.ndarray) or value.dtype != param.dtype:
        raise TypeError(f"{wanted}, not {getattr(value, 'dtype', type(value).__name__)}")
    _fit.check_shape(value.shape, param.shape, param.name)
    if not value.flags.carray:
        raise ValueError(wanted)
    return value
