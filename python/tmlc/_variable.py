"""What a variable of a model is: its name, type and default; and records of several, as structs of C."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tmlc import _abi

Dims = tuple[int, ...]


def dtype_of(root: str, real_bytes: int) -> np.dtype[Any]:
    """How one scalar of TML lies in memory."""
    return np.dtype({"bool": "?", "uint": "u4", "int": "i4", "real": f"f{real_bytes}"}[root])


def type_text(root: str, levels: Iterable[Dims]) -> str:
    """As the source has it: the dims of the outermost level stand last."""
    text = root
    for dims in reversed(list(levels)):
        text = f"tensor<{', '.join([text, *map(str, dims)])}>"
    return text


@dataclass(frozen=True)
class Io:
    """Where a variable of input or output hardware lies."""

    address: int
    dma: bool
    range: str | None


@dataclass(frozen=True)
class Variable:
    """A variable of a model."""

    name: str
    space: str  # "t", "p", "n", or "" of variables of the file
    role: str  # one of _abi.ROLES
    dtype: np.dtype[Any] | None  # None: a text
    shape: Dims  # the dims of all levels, outermost first
    levels: tuple[Dims, ...]  # the same, level by level
    default: Any  # a copy; None: it has none
    feedthrough: bool
    optional: bool
    io: Io | None = None
    text: str | None = None  # of a debug signal
    offset: int = field(default=0, repr=False)
    index: int = field(default=0, repr=False)  # in the table

    @property
    def type(self) -> str:
        if self.dtype is None:
            return "str"
        root = {"b": "bool", "u": "uint", "i": "int", "f": "real"}[self.dtype.kind]
        return type_text(root, self.levels)


def value_at(address: int, dtype: np.dtype[Any], shape: Dims) -> Any:
    """A copy of what lies there: an array, or a scalar of NumPy."""
    count = int(np.prod(shape, dtype=np.int64))
    data = ctypes.string_at(address, count * dtype.itemsize)
    return np.frombuffer(data, dtype).reshape(shape).copy()[()]


def _levels(kind: _abi.Type) -> tuple[Dims, ...]:
    levels, at = [], 0
    for level in range(kind.depth):
        rank = kind.level_ranks[level]
        levels.append(tuple(kind.dims[at + k] for k in range(rank)))
        at += rank
    return tuple(levels)


def variable_of(row: _abi.Variable, io: Io | None = None, index: int = 0) -> Variable:
    name, space, role = row.name.decode(), row.space.decode(), _abi.ROLES[row.role]
    dtype, default, text = None, None, None
    shape: Dims = ()
    levels: tuple[Dims, ...] = ()
    if row.type:
        kind = row.type.contents
        levels = _levels(kind)
        shape = sum(levels, ())
        dtype = dtype_of(_abi.ROOTS[kind.root], kind.real_bytes)
    if row.value and (role == "debug" or dtype is None):
        text = ctypes.string_at(row.value).decode()
    elif row.value and dtype is not None:
        default = value_at(row.value, dtype, shape)
    if dtype is None:
        default, text = text, None
    return Variable(
        name, space, role, dtype, shape, levels, default, bool(row.feedthrough), bool(row.optional), io, text,
        row.offset, index,
    )


def variables_of(table: _abi.Model) -> list[Variable]:
    """In the order of the source."""
    ios = {}
    for i in range(table.io_count):
        row = table.ios[i]
        ios[row.variable] = Io(row.address, bool(row.dma), row.range.decode() if row.range else None)
    return [variable_of(table.variables[i], ios.get(i), i) for i in range(table.variable_count)]


def memories(members: Iterable[dict[str, Any]], begin: int = 0) -> dict[int, int]:
    """Of outputs of instances without feedthrough: where the state shows them, and where it has what the next step
    shows. `members` are those of the state in a description."""
    found = {}
    for member in members:
        if "component" not in member:
            continue
        parts = {part["member"]: part for part in member["members"]}
        outputs, state = parts.get("outputs", {}), parts.get("state", {})
        for k in range(member["count"]):
            at = begin + member["offset"] + k * member.get("stride", 0)
            inner = state.get("members", [])
            kept = {each["name"]: each["offset"] for each in inner if each.get("space") == "t"}
            for each in outputs.get("members", []):
                if each["name"] in kept:
                    found[at + outputs["offset"] + each["offset"]] = at + state["offset"] + kept[each["name"]]
            found.update(memories(inner, at + state.get("offset", 0)))
    return found


def record(variables: Iterable[Variable], size: int) -> np.dtype[Any]:
    """The struct of C with these members."""
    members = list(variables)
    return np.dtype(
        {
            "names": [v.name for v in members],
            "formats": [(v.dtype, v.shape) for v in members],
            "offsets": [v.offset for v in members],
            "itemsize": size,
        }
    )
