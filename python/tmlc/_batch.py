"""Many runs of a model at once, by the threads of the batch library (runtime/batch/batch.h).

What a run gives depends on its number and on what is given for it, never on threads or on which runs are
made together.
"""

from __future__ import annotations

import ctypes as c
import functools
import os
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tmlc import _abi, _command, _fit, _source
from tmlc._run import Feed, whole_number
from tmlc._trap import Trap, trap_of

if TYPE_CHECKING:
    from tmlc._model import Model

GROUP_BYTES = 1 << 26  # of inputs and parameters of the runs of one call


class Sample:
    """How a tunable property is random; `uniform`, `normal` and `lognormal` make them."""

    def __init__(self, distribution: str, a: float, b: float):
        self.distribution, self.a, self.b = distribution, float(a), float(b)
        if not (np.isfinite(self.a) and np.isfinite(self.b)):
            raise ValueError(f"{self} is not of finite numbers")

    def __repr__(self) -> str:
        return f"tmlc.{self.distribution}({self.a}, {self.b})"


def uniform(low: float, high: float) -> Sample:
    """Between `low` and `high`."""
    if not low < high:
        raise ValueError(f"uniform({low}, {high}): the lower end comes first")
    return Sample("uniform", low, high)


def normal(mean: float, deviation: float) -> Sample:
    """Normal with this mean and standard deviation."""
    if not deviation > 0:
        raise ValueError(f"normal({mean}, {deviation}): the deviation is positive")
    return Sample("normal", mean, deviation)


def lognormal(mean: float, deviation: float) -> Sample:
    """e to the power of what is normal with this mean and standard deviation."""
    if not deviation > 0:
        raise ValueError(f"lognormal({mean}, {deviation}): the deviation is positive")
    return Sample("lognormal", mean, deviation)


FARTHEST = 8.209536151601387  # deviations of a normal draw from the mean: the probability 1 - 2**-53


def _is_finite(sample: Sample, dtype: np.dtype[Any]) -> bool:
    """Whether a property of the type is finite in all runs."""
    with np.errstate(over="ignore"):
        if sample.distribution == "uniform":
            if not np.isfinite(np.float64(sample.b) - sample.a):
                return False
            ends = np.array([sample.a, sample.b])
        else:
            ends = sample.a + np.array([-FARTHEST, FARTHEST]) * sample.b
            ends = np.exp(ends) if sample.distribution == "lognormal" else ends
        return bool(np.isfinite(ends.astype(dtype)).all())


class Runs(Mapping[str, np.ndarray[Any, Any]]):
    """What many runs give: a mapping from the names of outputs to arrays of float64, whose first axis is the run.

    With `reduce="all"` the second axis is the step. `params` has the values of the tunable properties that vary,
    `traps` the traps of the runs that ended in one, whose results are nan.
    """

    def __init__(self, arrays: dict[str, Any], params: dict[str, Any], traps: dict[int, Trap], runs: int):
        self._arrays, self.params, self.traps, self.runs = arrays, params, traps, runs

    def __getitem__(self, name: str) -> np.ndarray[Any, Any]:
        if name not in self._arrays:
            raise KeyError(f"`{name}` is no output that was kept; there are: {_fit.listed(self._arrays)}")
        found: np.ndarray[Any, Any] = self._arrays[name]
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __len__(self) -> int:
        return len(self._arrays)

    def __repr__(self) -> str:
        names = ", ".join(f"{name} {array.shape}" for name, array in self._arrays.items())
        return f"<tmlc.Runs, {self.runs} of them, {len(self.traps)} trapped: {names}>"


class ManyFeed(Feed):
    """Inputs of all runs, and of each run where an array has an axis for it in front of that for steps."""

    def __init__(self, model: Model, inputs: Any, steps: int | None):
        self._each: dict[str, np.ndarray[Any, Any]] = {}
        super().__init__(model, inputs, steps)
        for name, array in self._each.items():
            _fit.check_shape(array.shape[1:], (self.steps, *model.inputs[name].shape), f"{name}` of a run, `{name}")

    def _take(self, name: str, array: np.ndarray[Any, Any]) -> None:
        if array.ndim == len(self._model.inputs[name].shape) + 2:
            self._each[name] = array
        else:
            super()._take(name, array)

    def _lengths(self) -> list[int]:
        return [*super()._lengths(), *(array.shape[1] for array in self._each.values())]

    def runs(self) -> dict[str, int]:
        return {name: len(array) for name, array in self._each.items()}

    def shared_arrays(self) -> dict[str, Any]:
        """What is the same in all runs, a row for each step."""
        held = {name: np.broadcast_to(value, (self.steps, *value.shape)) for name, value in self._held.items()}
        return {**held, **self._rows}

    def of_runs(self, first: int, count: int) -> dict[str, Any]:
        """What some runs have for themselves."""
        return {name: array[first : first + count] for name, array in self._each.items()}

    @functools.cached_property
    def shared(self) -> np.ndarray[Any, Any]:
        records = self.buffer(self.steps)
        self.fill(records, 0, self.steps)
        return records

    def records(self, first: int, count: int) -> tuple[np.ndarray[Any, Any], int]:
        """Of some runs, and how many bytes lie between them."""
        if not self._each:
            return self.shared, 0
        records = np.repeat(self.shared[np.newaxis], count, axis=0)
        for name, array in self._each.items():
            records[name] = array[first : first + count]
        return records, self.steps * records.dtype.itemsize


class Params:
    """Parameters of all runs, and of each run where an array has an axis for it in front."""

    def __init__(self, model: Model, params: Any):
        given = _fit.mapping(params, "params")
        _fit.check_names(given, model.params, "tunable property")
        self._shared = np.zeros((), model.params_dtype)
        if model.table.params_bytes:
            c.memmove(self._shared.ctypes.data, model.table.defaults, model.table.params_bytes)
        self.set: dict[str, Any] = {}  # for all runs
        self.each: dict[str, Any] = {}
        for name, value in given.items():
            variable = model.params[name]
            assert variable.dtype is not None
            array = _fit.array_of(value, variable.dtype, name)
            if array.ndim == len(variable.shape) + 1:
                _fit.check_shape(array.shape[1:], variable.shape, f"{name}` of a run, `{name}")
                self.each[name] = array
            else:
                _fit.check_shape(array.shape, variable.shape, name)
                self._shared[name] = self.set[name] = array

    def runs(self) -> dict[str, int]:
        return {name: len(array) for name, array in self.each.items()}

    def of_runs(self, first: int, count: int) -> dict[str, Any]:
        """For `simulate_many` of some runs."""
        return {**self.set, **{name: array[first : first + count] for name, array in self.each.items()}}

    def records(self, first: int, count: int) -> tuple[np.ndarray[Any, Any], int]:
        if not self.each:
            return self._shared, 0
        records = np.repeat(self._shared[np.newaxis], count, axis=0)
        for name, array in self.each.items():
            records[name] = array[first : first + count]
        return records, records.dtype.itemsize


def _address(model: Model, index: int) -> int:
    """Of a variable in the model's table."""
    start = c.cast(model.table.variables, c.c_void_p).value
    assert start is not None
    return start + index * c.sizeof(_abi.Variable)


def _property(model: Model, name: str) -> str:
    """Of which `name` is one, or an element: `axis[1].p.k` is a property, too."""
    stem = name.rpartition("[")[0]
    return stem if name not in model.params and stem else name


def _indices(name: str, stem: str, shape: tuple[int, ...]) -> tuple[int, ...]:
    """Those of `gain[1]`; none where all elements are meant."""
    if name == stem:
        return ()
    texts = name[len(stem) + 1 :]
    indices = tuple(int(text) if text.strip().isdecimal() else -1 for text in texts.removesuffix("]").split(","))
    if not texts.endswith("]") or len(indices) != len(shape) or not all(0 <= i < n for i, n in zip(indices, shape)):
        raise ValueError(f"`{name}`: there is no such element, `{stem}` has the shape {shape}")
    return indices


def _samples(model: Model, given: Mapping[str, Sample]) -> Any:
    """One for each scalar of each property, or for the one that is named, as `gain[1]`."""
    rows = []
    whole = [_property(model, name) for name in given]
    _fit.check_names(whole, model.params, "tunable property")
    for (name, sample), stem in zip(given.items(), whole):
        variable = model.params[stem]
        if not isinstance(sample, Sample):
            raise TypeError(f"`{name}`: a sample is as tmlc.uniform(0.9, 1.1), not {sample!r}")
        if variable.dtype is None or variable.dtype.kind != "f":
            raise TypeError(f"`{name}` is {variable.type}; samples are of reals")
        if not _is_finite(sample, variable.dtype):
            raise ValueError(f"`{name}`: values of {sample} may be too large for {variable.type}")
        kind = _abi.DISTRIBUTIONS.index(sample.distribution)
        elements = np.arange(int(np.prod(variable.shape, dtype=int))).reshape(variable.shape)
        for element in np.ravel(elements[_indices(name, stem, variable.shape)]).tolist():
            rows.append(_abi.Sample(_address(model, variable.index), element, kind, sample.a, sample.b))
        if name != stem and stem in given:
            raise ValueError(f"`{name}` is a sample twice: `{stem}` has all elements")
    return (_abi.Sample * len(rows))(*rows)


def run_count(feed: ManyFeed, params: Params, runs: int | None) -> int:
    """How many runs there are; everything that tells agrees."""
    told = {**feed.runs(), **params.runs()}
    if runs is not None:
        told = {"runs": whole_number(runs, "runs"), **told}
    if not told:
        raise TypeError("how many runs? No input and no property has one for each; give `runs`")
    if len(set(told.values())) > 1:
        raise ValueError("these are not of as many runs: " + ", ".join(f"`{k}` {v}" for k, v in told.items()))
    return next(iter(told.values()))


@functools.cache
def library() -> Callable[[Any], int]:
    """The function of the batch library, which is installed with the command."""
    command = _command.find()
    place = _source.known_command() if command is None else command.resolve()
    for folder in ("../lib/tmlc", "../runtime"):
        file = Path(place).parent / folder / "tmlbatch.so" if place else Path()
        if file.is_file():
            run = c.CDLL(os.fspath(file)).tml_batch_run
            run.restype, run.argtypes = c.c_int32, [c.POINTER(_abi.Batch)]
            return run
    raise _command.MissingCommand("simulate_many needs tmlbatch.so, which is installed with the command `tmlc`")


def _call(batch: _abi.Batch, *parts: Any) -> None:
    """In a thread of its own, so that this one hears an interrupt. `parts` are what the batch points to."""
    stop, status, done = c.c_int32(0), [], threading.Event()
    batch.stop = c.addressof(stop)
    run = library()

    def work(*_: Any) -> None:
        status.append(run(c.byref(batch)))
        done.set()

    thread = threading.Thread(target=work, args=(stop, *parts))  # holds them however this function ends
    try:
        thread.start()
        done.wait()  # a join that is interrupted takes the thread for one that ended
    except BaseException:
        stop.value = 1
        if thread.ident is not None:
            done.wait()
        raise
    if status != [_abi.OK]:
        raise MemoryError(f"the batch library ended with status {status}: there is no memory for the threads")


def simulate_many(
    model: Model,
    inputs: Any,
    params: Any,
    sample: Mapping[str, Sample],
    seed: int,
    runs: int | None,
    first: int,
    steps: int | None,
    reduce: str,
    threads: int | None,
) -> Runs:
    """See `Model.simulate_many`."""
    if reduce != "none" and reduce not in _abi.KEEPS:
        raise ValueError(f"`reduce` is one of {', '.join(_abi.KEEPS)}, none; not {reduce!r}")
    feed, given = ManyFeed(model, inputs, steps), Params(model, params)
    samples = _samples(model, sample)
    sampled = {_property(model, name) for name in sample}
    both = [name for name in given.runs() if name in sampled]
    if both:
        raise ValueError(f"`{both[0]}` is given for each run, and as a sample")
    count = run_count(feed, given, runs)
    kept = {} if reduce == "none" else model.outputs
    lead = (count, feed.steps) if reduce == "all" else (count,)
    arrays = {name: np.full((*lead, *v.shape), np.nan) for name, v in kept.items()}
    used = np.zeros(count, model.params_dtype)
    faults = (_abi.Fault * count)()
    each = model.params_dtype.itemsize + (feed.steps * model.inputs_dtype.itemsize if feed.runs() else 0)
    group = max(1, GROUP_BYTES // each)
    for at in range(0, count, group):
        size = min(group, count - at)
        params_of, params_stride = given.records(at, size)
        inputs_of, inputs_stride = feed.records(at, size)
        rows = [
            _abi.BatchOutput(_address(model, v.index), arrays[name][at:].ctypes.data, arrays[name][0].size)
            for name, v in kept.items()
            if arrays[name].size > 0
        ]
        outputs = (_abi.BatchOutput * len(rows))(*rows)
        _call(
            _abi.Batch(
                model=c.addressof(model.table),
                first=whole_number(first, "first") + at,
                runs=size,
                steps=feed.steps,
                params=params_of.ctypes.data,
                params_stride=params_stride,
                samples=c.addressof(samples),
                sample_count=len(samples),
                seed=whole_number(seed, "seed"),
                inputs=inputs_of.ctypes.data,
                inputs_stride=inputs_stride,
                keep=0 if reduce == "none" else _abi.KEEPS.index(reduce),
                threads=0 if threads is None else max(1, whole_number(threads, "threads")),
                outputs=c.addressof(outputs),
                output_count=len(outputs),
                used_params=used[at:].ctypes.data if model.table.params_bytes else None,
                faults=c.addressof(faults) + at * c.sizeof(_abi.Fault),
            ),
            model, params_of, samples, inputs_of, outputs, arrays, used, faults,
        )
    varied = {name: used[name] for name in model.params if name in given.runs() or name in sampled}
    return Runs(arrays, varied, _traps(model, faults), count)


def _traps(model: Model, faults: Any) -> dict[int, Trap]:
    codes: Any = np.ndarray(len(faults), np.int32, c.string_at(faults, c.sizeof(faults)), strides=c.sizeof(_abi.Fault))
    traps = {}
    for run in np.flatnonzero(codes).tolist():
        fault = faults[run]
        traps[run] = trap_of(model.table, fault, None if fault.step == _abi.IN_INIT else fault.step)
    return traps
