"""Compiled models on disk, so that a source is compiled once.

A key is a hash of the source, its options and the compiler. Under it stands what files the source imported,
with hashes of their contents, and which entry was made of them; several, when imports change. An entry is a
folder that never changes once it has its name. Entries that nobody used for a month go.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import hashlib
import json
import os
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

UNUSED_SECONDS = 30 * 24 * 3600
VARIANTS = 16  # of the imports of one source


def folder() -> Path:
    """TMLC_CACHE, else `tmlc` among the user's caches, else one that lives as long as this process."""
    named = os.environ.get("TMLC_CACHE")
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    path = Path(named) if named else Path(base) / "tmlc"
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        if named:
            raise
        return _temporary()
    return path if os.access(path, os.W_OK | os.X_OK) else _temporary()


@functools.cache
def _temporary() -> Path:
    path = tempfile.mkdtemp(prefix="tmlc-")
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    return Path(path)


def hash_of(*parts: str | bytes) -> str:
    state = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        state.update(len(data).to_bytes(8, "little"))
        state.update(data)
    return state.hexdigest()


def _hash_file(path: Path) -> str | None:
    try:
        return hash_of(path.read_bytes())
    except OSError:
        return None


def write(path: Path, value: Any) -> None:
    """A file of JSON, whole or not at all."""
    _write_bytes(path, json.dumps(value).encode())


def keep(data: bytes, suffix: str) -> Path:
    """A file of these bytes, whose name goes by them: it never changes."""
    path = folder() / (hash_of(data) + suffix)
    if _hash_file(path) != path.name.removesuffix(suffix):
        _write_bytes(path, data)
    with contextlib.suppress(OSError):
        os.utime(path)
    return path


def _write_bytes(path: Path, data: bytes) -> None:
    descriptor, name = tempfile.mkstemp(dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def read(path: Path) -> Any:
    """None: there is none, or nothing that can be read."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def _variants(path: Path) -> list[dict[str, Any]]:
    found = read(path)
    return found if isinstance(found, list) else []


def lookup(key: str, base: str) -> Path | None:
    """The entry of a source whose imports, named relative to the folder `base`, are as they were."""
    cache = folder()
    seen: dict[str, str | None] = {}
    for variant in _variants(cache / f"{key}.json"):
        for name, known in variant["files"].items():
            if name not in seen:
                seen[name] = _hash_file(Path(base, name))
            if seen[name] != known:
                break
        else:
            entry = cache / str(variant["entry"])
            if entry.is_dir():
                with contextlib.suppress(OSError):
                    os.utime(entry)
                return entry
    return None


def make(key: str, base: str, build: Callable[[Path], list[str]]) -> Path:
    """Has `build` fill a new entry and say which files it read. Two that make the same one leave one."""
    cache = folder()
    began = time.time_ns()
    made = Path(tempfile.mkdtemp(dir=cache, prefix="new-"))
    try:
        names = build(made)
        files = {name: _hash_file(Path(base, name)) for name in names}
        entry = cache / hash_of(key, json.dumps(files, sort_keys=True))
        changed = any(_changed_since(Path(base, name), began) for name in names)
        if changed:  # what was read is not known
            entry = cache / made.name.replace("new-", "once-")
        with contextlib.suppress(OSError):
            os.rename(made, entry)
    finally:
        shutil.rmtree(made, ignore_errors=True)
    if not changed:
        record = {"files": files, "entry": entry.name}
        others = [each for each in _variants(cache / f"{key}.json") if each != record]
        write(cache / f"{key}.json", [record, *others[: VARIANTS - 1]])
    _sweep(cache)
    return entry


def _changed_since(path: Path, moment: int) -> bool:
    try:
        return path.stat().st_mtime_ns >= moment
    except OSError:
        return True


def _sweep(cache: Path) -> None:
    """At most once a day."""
    mark, now = cache / "swept", time.time()
    with contextlib.suppress(OSError):
        if mark.exists() and now - mark.stat().st_mtime < 24 * 3600:
            return
        mark.touch()
        for path in cache.iterdir():
            if path != mark and now - path.stat().st_mtime > UNUSED_SECONDS:
                shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink()
