"""Many runs on many machines: tasks of Dask, each of which makes some of the runs.

Results do not depend on how runs are split, so a task that is lost with its worker is made again elsewhere
and gives the same bytes. With a store each task is the model's executable with `--shard`, which writes its own
files of the store and none of the others'; without one the runs come back to the client.
"""

from __future__ import annotations

import csv
import functools
import importlib
import math
import pickle
import re
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tmlc import _batch, _fit, _source
from tmlc._batch import Runs, Sample
from tmlc._results import columns

if TYPE_CHECKING:
    from tmlc._model import Model

TASK_SECONDS = 0.1  # of work in a task, which costs Dask some milliseconds
PROBE_SECONDS = 0.02
TASK_BYTES = 1 << 25  # of its results
SHARDS = 256  # files of a store, if nobody says otherwise
SENT_BYTES = 1 << 20  # that go along with each task


@functools.lru_cache(maxsize=32)
def _model(sent: bytes) -> Model:
    """Compiled once in a process, and once for all of those that share a cache."""
    found: Model = pickle.loads(sent)
    return found


def _same(value: Any) -> Any:
    return value


def _shared(client: Any, sent: bytes, retries: int) -> Any:
    """What all tasks need goes along with each; if it is much it is the result of a task, which is made again
    where the worker that had it is lost."""
    return sent if len(sent) <= SENT_BYTES else client.submit(_same, sent, pure=False, retries=retries)


@functools.lru_cache(maxsize=8)
def _unpacked(sent: bytes) -> Any:
    return pickle.loads(sent)


@dataclass(frozen=True)
class _Job:
    """What is the same in all tasks."""

    model: bytes
    sample: dict[str, Sample]
    seed: int
    steps: int
    reduce: str


def _runs(
    job: _Job, inputs: bytes, each: dict[str, Any], params: dict[str, Any], first: int, count: int
) -> Runs:
    return _model(job.model).simulate_many(
        {**_unpacked(inputs), **each}, params, sample=job.sample, seed=job.seed, runs=count, first=first, steps=job.steps,
        reduce=job.reduce, threads=1,
    )


def ensemble(
    model: Model,
    params: Any = None,
    client: Any = None,
    *,
    inputs: Any = None,
    sample: Mapping[str, Sample] | None = None,
    seed: int = 0,
    runs: int | None = None,
    steps: int | None = None,
    reduce: str = "last",
    store: Any = None,
    retries: int = 5,
) -> Any:
    """Many runs by the workers of `client`, a `dask.distributed.Client`; else as `Model.simulate_many`.

    The answer is a Runs. With `store`, the path of a folder that all workers see and whose name ends in `.zarr`,
    results go there instead, in the format Zarr 2, and the path is the answer: runs that the store has are not
    made again.
    """
    model.check_component("ensembles")
    feed, given = _batch.ManyFeed(model, inputs, steps), _batch.Params(model, params)
    count = _batch.run_count(feed, given, runs)
    job = _Job(pickle.dumps(model), dict(sample or {}), seed, feed.steps, reduce)
    if store is not None:
        return _to_store(model, client, job, feed, given, count, Path(store), retries)
    if client is None:
        return model.simulate_many(inputs, params, sample=sample, seed=seed, runs=count, steps=steps, reduce=reduce)
    size = _task_runs(job, feed, given, count)
    shared = _shared(client, pickle.dumps(feed.shared_arrays()), retries)
    futures = {}
    for first in range(0, count, size):
        number = min(size, count - first)
        part = given.of_runs(first, number)
        future = client.submit(
            _runs, job, shared, feed.of_runs(first, number), part, first, number, pure=False, retries=retries
        )
        futures[future] = first
    return _gather(model, futures, count)


def _task_runs(job: _Job, feed: _batch.ManyFeed, given: _batch.Params, count: int) -> int:
    """How many runs a task makes: some time's worth of them, by trying; the time of processors, whatever else runs."""
    inputs = pickle.dumps(feed.shared_arrays())

    def attempt(number: int) -> tuple[Runs, float]:
        began = time.process_time()
        found = _runs(job, inputs, feed.of_runs(0, number), given.of_runs(0, number), 0, number)
        return found, time.process_time() - began

    number = min(1, count)
    found, took = attempt(number)  # loads what is used for the first time, too
    while number < count:
        number = min(number * 8, count)
        found, took = attempt(number)
        if took > PROBE_SECONDS:
            break
    each = max(1, sum(array.nbytes for array in found.values()) // max(1, number))
    return max(1, min(math.ceil(number * TASK_SECONDS / max(took, 1e-6)), TASK_BYTES // each))


def _completed(futures: dict[Any, int]) -> Iterator[tuple[int, Any]]:
    """The results as they come. What has come is let go, so that a worker that is lost takes little along."""
    as_completed: Any = importlib.import_module("dask.distributed").as_completed
    for future, result in as_completed(list(futures), with_results=True):
        first = futures.pop(future)
        future.release()
        yield first, result


def _gather(model: Model, futures: dict[Any, int], count: int) -> Runs:
    arrays: dict[str, Any] = {}
    params: dict[str, Any] = {}
    traps = {}
    for first, part in _completed(futures):
        for whole, found in ((arrays, part), (params, part.params)):
            for name, array in found.items():
                if name not in whole:
                    whole[name] = np.zeros((count, *array.shape[1:]), array.dtype)
                whole[name][first : first + part.runs] = array
        traps.update({first + run: trap for run, trap in part.traps.items()})
    ordered = {name: arrays[name] for name in model.outputs if name in arrays}
    return Runs(ordered, params, dict(sorted(traps.items())), count)


# --- stores ----------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=8)
def _files(sent: bytes) -> tempfile.TemporaryDirectory[str]:
    """The inputs and parameters as files for the executable, once in a process."""
    inputs, params = _unpacked(sent)
    folder = tempfile.TemporaryDirectory(prefix="tmlc-")
    for name, array in inputs.items():
        np.save(Path(folder.name, f"{name}.npy"), array)
    found = columns(params)
    if found:
        with open(Path(folder.name, "params.csv"), "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(found)
            numbers = (array.astype(int) if array.dtype.kind == "b" else array for array in found.values())
            writer.writerows(zip(*(array.tolist() for array in numbers)))
    return folder


def _shard(job: _Job, sent: bytes, settings: list[str], count: int, store: str, shard: int, shards: int) -> None:
    """Raises what the executable says if it fails."""
    folder = Path(_files(sent).name)
    arguments = [str(_source.executable(_model(job.model).source)), *settings]
    arguments += [f"--in={path.stem}={path}" for path in sorted(folder.glob("*.npy"))]
    arguments += [f"--params={path}" for path in folder.glob("params.csv")]
    samples = {re.sub(r", *", "][", name): sample for name, sample in job.sample.items()}
    arguments += [f"--sample={name}~{s.distribution}({s.a!r},{s.b!r})" for name, s in samples.items()]
    arguments += [f"--runs={count}", f"--steps={job.steps}", f"--seed={job.seed}", f"--keep={job.reduce}"]
    arguments += ["--threads=1", f"--shard={shard}/{shards}", f"--out={store}"]
    result = subprocess.run(arguments, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise RuntimeError(result.stderr.strip() or f"the executable ended with status {result.returncode}")


def _to_store(
    model: Model,
    client: Any,
    job: _Job,
    feed: _batch.ManyFeed,
    given: _batch.Params,
    count: int,
    store: Path,
    retries: int,
) -> str:
    if store.suffix != ".zarr":
        raise ValueError(f"`store` is a folder whose name ends in .zarr, not {store}")
    if feed.runs():
        raise TypeError(f"with a store all runs have the same inputs, and `{next(iter(feed.runs()))}` is of each run")
    if job.reduce == "none":
        raise ValueError("with a store something is kept; `reduce` is none")
    settings = [f"--set={n}={_source.literal(value, model.params[n].levels)}" for n, value in given.set.items()]
    sent = pickle.dumps((feed.shared_arrays(), given.each))
    path = str(store.absolute())
    if client is None:
        _shard(job, sent, settings, count, path, 1, 1)
        return path
    size = _task_runs(job, feed, given, count) if count else 1
    shards = max(1, min(SHARDS, math.ceil(count / size)))
    files = _shared(client, sent, retries)
    futures = {}
    for shard in range(shards):
        arguments = (job, files, settings, count, path, shard + 1, shards)
        futures[client.submit(_shard, *arguments, pure=False, retries=retries)] = shard
    for _ in _completed(futures):
        pass
    return path
