"""What a run gives: the rows of its outputs, by name."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np


def columns(arrays: Mapping[str, np.ndarray[Any, Any]]) -> dict[str, np.ndarray[Any, Any]]:
    """A column for each scalar, named as in CSV files: `y`, `v[0]`, `m[0][1]`."""
    found = {}
    for name, rows in arrays.items():
        for index in np.ndindex(rows.shape[1:]):
            at: Any = (slice(None), *index)
            found[name + "".join(f"[{i}]" for i in index)] = rows[at]
    return found


class Results(Mapping[str, np.ndarray[Any, Any]]):
    """A mapping from the names of outputs to arrays, whose first axis is the step."""

    def __init__(self, records: np.ndarray[Any, Any], every: int = 1):
        self._records, self._every = records, every

    def __getitem__(self, name: str) -> np.ndarray[Any, Any]:
        names = self._records.dtype.names or ()
        if name not in names:
            raise KeyError(f"`{name}` is no output; there are: {', '.join(names) or 'none'}")
        return self._records[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._records.dtype.names or ())

    def __len__(self) -> int:
        return len(self._records.dtype.names or ())

    def __repr__(self) -> str:
        names = ", ".join(f"{name} {self[name].shape}" for name in self)
        return f"<tmlc.Results of {len(self._records)} rows: {names}>"

    @property
    def steps(self) -> np.ndarray[Any, Any]:
        """Which step each row is of."""
        return np.arange(len(self._records)) * self._every

    def to_structured(self) -> np.ndarray[Any, Any]:
        """One record for each row, without copying."""
        return self._records

    def columns(self) -> dict[str, np.ndarray[Any, Any]]:
        """A column for each scalar, named as in a CSV file of a simulation: `y`, `v[0]`, `m[0][1]`."""
        return columns(self)

    def to_pandas(self) -> Any:
        """A table of `columns()`, whose index is the step. Needs pandas."""
        try:
            pandas: Any = importlib.import_module("pandas")
        except ImportError:
            raise ImportError("to_pandas needs pandas, which is not installed (python3-pandas)") from None
        return pandas.DataFrame(self.columns(), index=pandas.Index(self.steps, name="step"))

    def plot(self, *names: str, axes: Any = None) -> Any:
        """Draws all outputs, or those named, over the steps, and returns the axes. Needs Matplotlib."""
        try:
            pyplot: Any = importlib.import_module("matplotlib.pyplot")
        except ImportError:
            raise ImportError("plot needs Matplotlib, which is not installed (python3-matplotlib)") from None
        for name in names:
            self[name]
        axes = pyplot.subplots()[1] if axes is None else axes
        for label, values in self.columns().items():
            if not names or label.split("[")[0] in names:
                axes.plot(self.steps, values, label=label)
        axes.set_xlabel("step")
        axes.legend()
        return axes
