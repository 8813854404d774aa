"""Traps: what a model says when it cannot go on, as an exception."""

from __future__ import annotations

from typing import Any

from tmlc import _abi


class Trap(RuntimeError):
    """A step that ended in a trap.

    `code` is as "E1001", `file`, `line` and `column` are its place in the source (0: the function that was
    called has no state to keep it in). `step` is the step, or
    None where there are no steps; `index` and `length` are those of an index out of bounds, `text` that of
    an assertion. `outputs` holds the rows of the steps before.
    """

    def __init__(
        self,
        code: str,
        message: str,
        file: str,
        line: int,
        column: int,
        *,
        step: int | None = None,
        index: int | None = None,
        length: int | None = None,
        text: str | None = None,
        outputs: Any = None,
    ):
        when = "" if step is None else f" (step {step})"
        place = f"{file}:{line}:{column}" if line else file
        super().__init__(f"{place}: trap[{code}]: {message}{when}")
        self.code, self.message = code, message
        self.file, self.line, self.column = file, line, column
        self.step, self.index, self.length, self.text = step, index, length, text
        self.outputs = outputs

    def in_run(self, step: int, outputs: Any) -> Trap:
        """The same, of a step of a run."""
        fixed, more = self._parts()
        return Trap(*fixed, **{**more, "step": step, "outputs": outputs})

    def _parts(self) -> tuple[Any, dict[str, Any]]:
        fixed = (self.code, self.message, self.file, self.line, self.column)
        return fixed, {name: getattr(self, name) for name in ("step", "index", "length", "text", "outputs")}

    def __reduce__(self) -> Any:
        return _trap, self._parts()


def _trap(fixed: Any, more: Any) -> Trap:
    return Trap(*fixed, **more)


MESSAGES = {
    _abi.INDEX: "an index is outside its dimension",
    _abi.DIVISION: "integer division by zero",
    _abi.STEP: "the step of the loop is zero",
    _abi.ASSERT: "assertion failed",
}


def trap_of(table: _abi.Model, fault: _abi.Fault, step: int | None, outputs: Any = None) -> Trap:
    """The trap that a fault of a component tells of."""
    files = [table.files[i].decode() for i in range(table.file_count)]
    texts = [table.texts[i].decode() for i in range(table.text_count)]
    return trap_at(fault, files, texts, step, outputs)


def trap_at(
    fault: _abi.Fault, files: list[str], texts: list[str], step: int | None = None, outputs: Any = None
) -> Trap:
    more: dict[str, Any] = {"step": step, "outputs": outputs}
    message = MESSAGES[fault.code]
    if fault.code == _abi.INDEX:
        more.update(index=fault.index, length=fault.length)
        message = f"index {fault.index} is outside a dimension of length {fault.length}"
    elif fault.code == _abi.ASSERT and fault.index < len(texts):
        more["text"] = texts[fault.index]
        message = f"assertion failed: {more['text']}"
    file = files[fault.file] if fault.file < len(files) else "an import"
    return Trap(f"E{fault.code}", message, file, fault.line, fault.column, **more)


def trap_without_place(status: int, file: str) -> Trap:
    """Of a function without state, which tells its status alone."""
    return Trap(f"E{status}", MESSAGES[status], file, 0, 0)
