"""A source with its options, and what is compiled of it: from a file or a text, here or in another process."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import platform
import re
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from tmlc import _cache, _command

STEM = "model"  # of the files of an entry


class CompileWarning(UserWarning):
    """A warning of the compiler."""


@dataclass(frozen=True)
class Source:
    """Of `path` and `text` one is None. Paths are relative to the folder `base`."""

    path: str | None
    text: str | None
    name: str | None  # what the model is called, if not as its file
    options: tuple[str, ...]
    base: str

    def arguments(self) -> list[str]:
        prefix = [] if self.name is None else [f"--prefix={self.name}"]
        return [*self.options, *prefix, "-" if self.path is None else _no_option(self.path)]


def _no_option(path: str) -> str:
    """The command takes what begins with a dash for an option."""
    return f"./{path}" if path.startswith("-") else path


def _is_path(source: str | os.PathLike[str]) -> bool:
    return not isinstance(source, str) or ("\n" not in source and source.endswith(".tml"))


def source_of(source: str | os.PathLike[str], options: tuple[str, ...], name: str | None) -> Source:
    """A string with line breaks, or one that does not end in `.tml`, is a text."""
    if _is_path(source):
        return Source(os.fspath(source), None, name, options, os.getcwd())
    assert isinstance(source, str)
    return Source(None, source, name or "model", options, os.getcwd())


def literal(value: Any, levels: Sequence[tuple[int, ...]] = ()) -> str:
    """As -D takes it. A string stands for itself, so that it may hold any expression."""
    if isinstance(value, str):
        return value
    return _literal(_of_one_root(np.asarray(value)), levels)


def _of_one_root(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Integers that no int holds are all uints, or all reals: elements of a literal have one type."""
    if array.dtype.kind not in "iu" or array.size == 0:
        return array
    least, greatest = int(array.min()), int(array.max())
    if -(2**31) <= least and greatest < 2**31:
        return array.astype(np.int32)
    return array.astype(np.uint32) if least >= 0 and greatest < 2**32 else array.astype(np.float64)


def _literal(array: np.ndarray[Any, Any], levels: Sequence[tuple[int, ...]]) -> str:
    outer = levels[0] if len(levels) > 1 else array.shape  # else all are of one level
    if array.dtype.kind not in "biuf" or array.ndim < len(outer):
        raise TypeError(f"no literal of TML for {array!r}; give its text")
    if not outer:
        return _scalar(array)
    elements = [_literal(array[index], levels[1:]) for index in np.ndindex(outer)]
    if len(outer) > 2:
        return f"reshape([{', '.join(elements)}], {', '.join(map(str, outer))})"
    width = outer[-1]
    rows = [", ".join(elements[at : at + width]) for at in range(0, len(elements), width or 1)]
    return f"[{'; '.join(rows)}]"


def _scalar(array: np.ndarray[Any, Any]) -> str:
    if array.dtype.kind == "b":
        return str(array[()]).lower()
    return repr(array.item()) + ("u" if array.dtype == np.uint32 else "")


def options_of(
    define: Mapping[str, Any] | None = None,
    connect: Iterable[str] = (),
    interface: Iterable[str | os.PathLike[str]] = (),
    debug_signals: bool = False,
    linearize: bool = False,
    **choices: Any,
) -> tuple[str, ...]:
    """`choices` are options of the command by name, as `fp`; None: the command's own."""
    if isinstance(connect, str) or isinstance(interface, str):
        raise TypeError("`connect` and `interface` are lists")
    spellings = {
        "real": "--real=", "cpu": "--cpu=", "fp": "--fp=", "checks": "--checks=",
        "optimize": "-O", "batch": "--batch=",
    }
    given = {name: value for name, value in choices.items() if value is not None and (name, value) != ("cpu", "native")}
    options = [f"{spellings[name]}{value}" for name, value in given.items()]
    options += [f"-D{name}={literal(value)}" for name, value in (define or {}).items()]
    options += [f"--with={name}" for name in connect]
    options += [f"--interface={os.fspath(path)}" for path in interface]
    options += ["--debug-signals"] if debug_signals else []
    return tuple([*options, "--linearize"] if linearize else options)


@functools.cache
def _machine() -> str:
    """What code for "native" depends on."""
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as file:
            lines = file.read(4096).split("\n\n")[0].splitlines()
        return "\n".join(line for line in lines if re.match("model|flags|Features|CPU", line))
    except OSError:
        return f"{platform.machine()} {platform.processor()} {platform.node()}"


def _compiler() -> str:
    """Which compiler it is; without one that of the last time, whose entries are still good."""
    command, mark = _command.find(), _cache.folder() / "compiler.json"
    known = _cache.read(mark)
    if command is None:
        return json.dumps(known)
    found = _command.identity(command)
    if found != known:
        _cache.write(mark, found)
    return json.dumps(found)


def known_command() -> str | None:
    """The file of the compiler of the last time."""
    known = _cache.read(_cache.folder() / "compiler.json")
    return str(known["file"]) if isinstance(known, dict) else None


def _project(source: Source) -> bytes:
    """The file of options that the source belongs to: it may come and go, so it is no file like others."""
    place = Path(source.base, source.path or "").absolute()
    for folder in (place if source.path is None else place.parent, *place.parents):
        with contextlib.suppress(OSError):
            return bytes(folder / "tmlc.json") + b"\n" + (folder / "tmlc.json").read_bytes()
        if (folder / ".git").exists():
            break
    return b""


def _key(source: Source) -> str:
    if source.path is None:
        content: str | bytes = source.text or ""
    else:
        content = Path(source.base, source.path).read_bytes()
    parts = (platform.machine(), _machine(), _compiler(), source.path or "", source.name or "", *source.options)
    return _cache.hash_of(content, _project(source), *parts)


@dataclass(frozen=True)
class Built:
    """An entry of the cache, as files."""

    folder: Path

    @property
    def library(self) -> Path:
        return self.folder / f"{STEM}.so"

    @property
    def description(self) -> dict[str, Any]:
        found = _cache.read(self.folder / f"{STEM}.json")
        if found is None:
            raise OSError(f"cannot read {self.folder / STEM}.json")
        return dict(found)

    @property
    def warnings(self) -> list[_command.Diagnostic]:
        return [_command.Diagnostic(**each) for each in _cache.read(self.folder / "warnings.json") or []]

    @property
    def files(self) -> list[str]:
        return list(_cache.read(self.folder / "files.json") or [])


def build(source: Source) -> Built:
    """From the cache, or compiled now."""
    key = _key(source)
    entry = _cache.lookup(key, source.base)
    if entry is None:

        def fill(folder: Path) -> list[str]:
            found = _command.compile_to(folder / STEM, source.arguments(), source.text, source.base)
            names = _command.dependencies(folder / f"{STEM}.d")
            _cache.write(folder / "warnings.json", [asdict(each) for each in found])
            _cache.write(folder / "files.json", names)
            (folder / f"{STEM}.h").unlink(missing_ok=True)
            return names

        entry = _cache.make(key, source.base, fill)
    built = Built(entry)
    for each in built.warnings:
        warnings.warn(str(each), CompileWarning, stacklevel=4)
    return built


def executable(source: Source) -> Path:
    """The program that simulates a component, from the cache or compiled now."""
    key = _cache.hash_of(_key(source), "program")
    entry = _cache.lookup(key, source.base)
    if entry is None:

        def fill(folder: Path) -> list[str]:
            arguments = ["-w", *source.arguments(), "--emit=exe", "-o", str(folder / STEM), "-MF", str(folder / "rule")]
            _command.compile_one(arguments, source.text, source.base)
            return _command.dependencies(folder / "rule")

        entry = _cache.make(key, source.base, fill)
    return entry / STEM


@dataclass(frozen=True)
class Bundle:
    """A source with the contents of all files that it needs, for a process that may not have them."""

    source: Source
    files: dict[str, bytes]


def bundle(source: Source, names: Iterable[str]) -> Bundle:
    return Bundle(source, {name: Path(source.base, name).read_bytes() for name in names})


def unpack(sent: Bundle) -> Source:
    """The source where it was, if the same files are there; else as files of the cache."""
    source = sent.source
    if all(_same(Path(source.base, name), data) for name, data in sent.files.items()):
        return source if os.path.isdir(source.base) else replace(source, base=os.getcwd())
    paths = {name: os.path.abspath(os.path.join(source.base, name)) for name in sent.files}
    root = os.path.commonpath([source.base, *(os.path.dirname(path) for path in paths.values())])
    place = _cache.folder() / _cache.hash_of(*sorted(paths), *(sent.files[name] for name in sorted(paths)))
    for name, path in paths.items():
        copy = place / os.path.relpath(path, root)
        copy.parent.mkdir(parents=True, exist_ok=True)
        if not _same(copy, sent.files[name]):
            copy.write_bytes(sent.files[name])
    base = place / os.path.relpath(source.base, root)
    base.mkdir(parents=True, exist_ok=True)

    def moved(name: str) -> str:
        """An absolute name becomes a relative one."""
        path = os.path.abspath(os.path.join(source.base, name))
        return os.path.relpath(path, source.base) if os.path.isabs(name) else name

    options = tuple(
        f"--interface={moved(each.split('=', 1)[1])}" if each.startswith("--interface=") else each
        for each in source.options
    )
    return replace(source, base=str(base), options=options, path=None if source.path is None else moved(source.path))


def _same(path: Path, data: bytes) -> bool:
    try:
        return path.read_bytes() == data
    except OSError:
        return False
