"""Whether what a caller gives fits a variable: its name, dtype and shape. Nothing is converted in silence.

Arrays convert when NumPy calls the conversion safe. Python's own numbers, and lists of them, are literals
of the variable's type: an integer has to fit, and a float is rounded to single precision where reals are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from tmlc._variable import Dims, Variable


class Hold:
    """A value that holds in every step; see `tmlc.hold`."""

    def __init__(self, value: Any):
        self.value = value

    def __repr__(self) -> str:
        return f"tmlc.hold({self.value!r})"


def hold(value: Any) -> Hold:
    """The same value in every step, for an input of `simulate`, where arrays have a row for each step."""
    return Hold(value)


def listed(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"


def mapping(given: Any, what: str) -> dict[str, Any]:
    """The items of a mapping, of a structured array, or of what else has keys, as a table of pandas."""
    if given is None:
        return {}
    if isinstance(given, Mapping):
        return dict(given)
    if isinstance(given, np.ndarray) and given.dtype.names:
        return {name: given[name] for name in given.dtype.names}
    if hasattr(given, "keys") and hasattr(given, "__getitem__"):
        return {name: given[name] for name in given.keys()}
    raise TypeError(f"{what} are a mapping of names, not {type(given).__name__}")


def check_names(given: Iterable[str], known: Iterable[str], what: str) -> None:
    """`what`: as "input"."""
    names = list(known)
    for name in given:
        if name not in names:
            raise TypeError(f"`{name}` is no {what}; there are: {listed(names)}")


def _literal(value: Any, dtype: np.dtype[Any], name: str) -> np.ndarray[Any, Any]:
    try:
        array = np.asarray(value)
    except ValueError as error:
        raise ValueError(f"`{name}`: {error}") from None
    if array.size == 0:
        return array.astype(dtype)
    is_real = array.dtype.kind == "f" and dtype.kind == "f"
    is_whole = array.dtype.kind in "iu" and dtype.kind in "iuf"
    if not (is_real or is_whole or (array.dtype.kind == "b" and dtype.kind == "b")):
        shown = repr(value) if array.ndim == 0 else str(array.dtype)
        raise TypeError(f"`{name}` is {shown}, the model takes {dtype}")
    with np.errstate(over="ignore"):
        converted = array.astype(dtype)
    if is_whole:
        wrong = converted.astype(object) != array.astype(object)
        if wrong.any():
            raise ValueError(f"`{name}`: {array[wrong].flat[0]} is no {dtype}, which the model takes")
    return converted


def array_of(value: Any, dtype: np.dtype[Any], name: str) -> np.ndarray[Any, Any]:
    """As an array of this dtype, in whatever shape it has."""
    if isinstance(value, Hold):
        raise TypeError(f"`{name}`: tmlc.hold goes with the inputs of simulate, which have steps")
    if isinstance(value, np.ma.MaskedArray):
        raise TypeError(f"`{name}` is a masked array; fill it")
    if isinstance(value, np.generic):
        value = value.item()  # as Python's own number
    if not hasattr(value, "__array__"):
        return _literal(value, dtype, name)
    array = np.asarray(value)
    if not np.can_cast(array.dtype, dtype, "safe"):
        cure = f"; convert it by `.astype(\"{dtype}\")`" if np.can_cast(array.dtype, dtype, "same_kind") else ""
        raise TypeError(f"`{name}` is {array.dtype}, the model takes {dtype}{cure}")
    if array.dtype.kind == "b":
        array = array.view(np.uint8) != 0  # bytes that are neither 0 nor 1 are true
    return array.astype(dtype, copy=False)


def check_shape(found: Dims, expected: Dims, name: str) -> None:
    if found != expected:
        raise ValueError(f"`{name}` has shape {found}, the model takes {expected}")


def fit(value: Any, variable: Variable) -> np.ndarray[Any, Any]:
    """One value of a variable."""
    assert variable.dtype is not None
    array = array_of(value, variable.dtype, variable.name)
    check_shape(array.shape, variable.shape, variable.name)
    return array


def store(record: np.ndarray[Any, Any], given: dict[str, Any], variables: Mapping[str, Variable], what: str) -> None:
    """Puts values into one struct, all of them or none."""
    check_names(given, variables, what)
    fitted = {name: fit(value, variables[name]) for name, value in given.items()}
    for name, array in fitted.items():
        record[name] = array
