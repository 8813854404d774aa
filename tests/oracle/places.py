"""Indexing (L7): which bracket means what, and which elements it reaches.

`resolve` takes the brackets from left to right. An index that decides nothing (L7.6) is not
evaluated; all others are, as they stand.
"""

from dataclasses import dataclass

from shapes import Illegal, Type, count, place, positions
from values import Value

ALL = None  # the index `:` that `...` stands for


@dataclass
class Step:
    """Elements of a tensor: the dims of what they make, () for one alone, and where they stand."""

    dims: tuple
    data: list

    def type(self, type):
        below = type.levels[1:]
        return Type((self.dims, *below) if self.dims else below, type.root)

    def read(self, value):
        items = [value.data[k] for k in self.data]
        return Value(self.type(value.type), items if self.dims else items[0])

    def write(self, value, part):
        items = list(value.data)
        for k, item in zip(self.data, part.data if self.dims else [part.data]):
            items[k] = item
        return Value(value.type, items)


def is_range(index):
    return index["kind"] == "range"


def has_ellipsis(bracket):
    return any(index["kind"] == "..." for index in bracket)


def is_single(bracket):
    return len(bracket) == 1 and bracket[0]["kind"] not in ("range", "...")


def next_group(type, brackets):
    """How many of the brackets go together on this tensor, and the indices of its dims; one index
    for a tensor of several dims counts its elements (L7.3)."""
    rank = len(type.dims)
    first = brackets[0]
    if has_ellipsis(first):
        return 1, with_all(first, rank)
    if len(first) == rank:
        return 1, first
    if len(first) != 1:
        raise Illegal("E0602", f"{len(first)} indices for {rank} dims", first[0])
    run = 0
    while run < len(brackets) and is_single(brackets[run]):
        run += 1
    if run >= rank:
        return rank, [bracket[0] for bracket in brackets[:rank]]
    if run > 1 or len(brackets) > 1:
        raise Illegal("E0602", f"a run of {run} brackets for {rank} dims", first[0])
    return 1, first


def with_all(bracket, rank):
    """L7.2: `...` stands for the missing `:`."""
    marks = [k for k, index in enumerate(bracket) if index["kind"] == "..."]
    missing = rank - len(bracket) + 1
    if len(marks) > 1 or missing < 0:
        raise Illegal("E0602", f"{len(bracket)} indices for {rank} dims", bracket[0])
    at = marks[0]
    return bracket[:at] + [ALL] * missing + bracket[at + 1:]


def resolve(type, brackets, evaluate, on_left):
    """The steps that brackets take. `evaluate(index, length)` gives the number of a scalar index
    on a dim of this length, and a triple for a range."""
    steps = []
    while brackets:
        if type.is_scalar:
            check_ignored(brackets[0], evaluate)
            brackets = brackets[1:]
            continue
        used, indices = next_group(type, brackets)
        # Counted elements are a single dim.
        dims = type.dims if len(indices) == len(type.dims) else (count(type.dims),)
        step = reach(dims, indices, evaluate, on_left)
        steps.append(step)
        type = step.type(type)
        brackets = brackets[used:]
    return steps


def check_ignored(bracket, evaluate):
    for index in bracket:
        if index["kind"] in ("range", "..."):
            raise Illegal("E0602", "a scalar cannot be sliced", index)
        evaluate(index, 1)


def reach(dims, indices, evaluate, on_left):
    chosen = []
    result = []
    for length, index in zip(dims, indices):
        if index is ALL:
            chosen.append(range(length))
            result.append(length)
        elif is_range(index):
            numbers = ranged(length, index, evaluate, on_left)
            chosen.append(numbers)
            result.append(len(numbers))
        else:
            chosen.append([evaluate(index, length)])
    lengths = tuple(len(numbers) for numbers in chosen)
    data = [
        place(dims, [numbers[i] for numbers, i in zip(chosen, index)])
        for index in positions(lengths)
    ]
    return Step(tuple(result), data)


def ranged(length, index, evaluate, on_left):
    """L7.5, L7.6: the positions that a range selects."""
    first, last, by = evaluate(index, length)
    if by == 0:
        raise Illegal("E0605", "the step of a range cannot be 0", index)
    by = 1 if by is None else by
    # What is left out: the first element on the way, or the position behind the last one.
    bounded = (last if by > 0 else first) is not None
    start, end = (0, length) if by > 0 else (length - 1, -1)
    numbers = range(start if first is None else first, end if last is None else last, by)
    if not numbers:
        raise Illegal("E0605", "this range selects nothing", index)
    if length == 1 and bounded:
        return [0] if on_left else [0] * len(numbers)
    if numbers[0] not in range(length) or numbers[-1] not in range(length):
        raise Illegal("E0603", "this range is outside", index)
    return numbers


def read(value, steps):
    for step in steps:
        value = step.read(value)
    return value


def write(value, steps, part):
    """The value with another part at the end of the steps."""
    if not steps:
        return part
    inner = write(steps[0].read(value), steps[1:], part)
    return steps[0].write(value, inner)
