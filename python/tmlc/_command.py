"""The command `tmlc`: where it is, which build of it, and what it says about a source."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

STATUS_ERRORS = 1  # in the source


class MissingCommand(RuntimeError):
    """The command `tmlc` is not there."""


@dataclass(frozen=True)
class Diagnostic:
    """A message of the compiler, as `--diagnostics=json` has it; lines and columns count from 1."""

    code: str
    severity: str
    message: str
    file: str | None
    line: int | None
    column: int | None
    start: int | None
    end: int | None
    text: str | None
    labels: list[dict[str, Any]]
    notes: list[dict[str, Any]]
    alignment: dict[str, Any] | None
    edits: list[dict[str, Any]]
    name: str | None = None  # of a warning

    def __str__(self) -> str:
        place = "" if self.file is None else f"{self.file}:{self.line}:{self.column}: "
        return f"{place}{self.severity}[{self.name or self.code}]: {self.message}"


class CompileError(Exception):
    """The compiler refused. `diagnostics` are its messages, `status` how it ended."""

    def __init__(self, text: str, diagnostics: Sequence[Diagnostic] = (), status: int = STATUS_ERRORS):
        super().__init__(text)
        self.diagnostics, self.status = list(diagnostics), status

    def __reduce__(self) -> Any:
        return CompileError, (str(self), self.diagnostics, self.status)


def find() -> Path | None:
    """What TMLC names, else the command of the same installation, else that of PATH."""
    named = os.environ.get("TMLC")
    if named:
        found = shutil.which(named)
        if found is None:
            raise MissingCommand(f"TMLC names the command `{named}`, which is not there")
        return Path(found)
    above = Path(__file__).resolve().parents  # of PREFIX/lib/python3/dist-packages/tmlc/_command.py
    if len(above) > 4 and above[3].name == "lib" and os.access(above[4] / "bin" / "tmlc", os.X_OK):
        return above[4] / "bin" / "tmlc"
    found = shutil.which("tmlc")
    return None if found is None else Path(found)


def required() -> Path:
    found = find()
    if found is None:
        raise MissingCommand(
            "the command `tmlc` is not on PATH; install the package tmlc, or name the command in the variable TMLC"
        )
    return found


def identity(command: Path) -> dict[str, Any]:
    """Another one for each build of the compiler."""
    file = command.resolve()
    status = file.stat()
    return {"file": str(file), "bytes": status.st_size, "changed": status.st_mtime_ns}


def _run(arguments: Sequence[str], source: str | None, folder: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(required()), *arguments],
        input=source,
        stdin=subprocess.DEVNULL if source is None else None,
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )


def _diagnostics(errors: str) -> list[Diagnostic]:
    for line in errors.splitlines():
        if line.startswith('{"diagnostics":'):
            return [Diagnostic(**each) for each in json.loads(line)["diagnostics"]]
    return []


def check(arguments: Sequence[str], source: str | None, folder: str) -> list[Diagnostic]:
    """The messages on a source, none if there is nothing to say."""
    result = _run(["check", *arguments, "--diagnostics=json"], source, folder)
    if result.returncode > STATUS_ERRORS:
        raise _error(result, [], arguments, source, folder)
    return _diagnostics(result.stderr)


def compile_to(stem: Path, arguments: Sequence[str], source: str | None, folder: str) -> list[Diagnostic]:
    """Makes stem.so, stem.json and stem.d. The answer is the warnings; errors are a CompileError."""
    return compile_one([*arguments, "--emit=shared,json", "-o", str(stem), "-MD"], source, folder)


def compile_one(arguments: Sequence[str], source: str | None, folder: str) -> list[Diagnostic]:
    """Makes what the arguments say."""
    result = _run([*arguments, "--diagnostics=json"], source, folder)
    diagnostics = _diagnostics(result.stderr)
    if result.returncode != 0:
        raise _error(result, diagnostics, arguments, source, folder)
    return diagnostics


def _error(
    result: subprocess.CompletedProcess[str],
    diagnostics: list[Diagnostic],
    arguments: Sequence[str],
    source: str | None,
    folder: str,
) -> CompileError:
    """Errors in the source are told as the command tells them to people, with the source beside them."""
    if any(each.severity == "error" for each in diagnostics):
        text = _run([*arguments, "--color=never"], source, folder).stderr
    else:
        lines = result.stderr.splitlines()
        text = "\n".join(line for line in lines if not line.startswith('{"diagnostics":'))
        text = text or f"tmlc ended with status {result.returncode}"
    return CompileError(text.rstrip("\n"), diagnostics, result.returncode)


def dependencies(rule: Path) -> list[str]:
    """The files that a rule for make says were read, as the compiler names them."""
    text = rule.read_text(encoding="utf-8")
    names = text.rstrip("\n").split(" \\\n  ")[1:]
    return [_unescaped(name) for name in names]


def _unescaped(name: str) -> str:
    out, at = [], 0
    while at < len(name):
        pair = name[at : at + 2]
        if pair == "$$" or (pair[:1] == "\\" and pair[1:] in set(" \t#\\")):
            at += 1
        out.append(name[at])
        at += 1
    return "".join(out)
