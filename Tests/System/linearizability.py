"""Decides whether a concurrent history is linearizable: whether its operations, each at one moment between its call and its
answer, one after another, explain all answers.

The search is Wing and Gong's with Lowe's memoization: it applies the operations that may come next to a sequential model, and
never looks twice at the same operations with the same state. What only reads, and fits, comes at once: whatever explains the
rest also does so after it. An operation without an answer may have taken effect at any time after its call, up to its deadline,
or not at all.

Wing and Gong, "Testing and Verifying Concurrent Objects" (1993); Lowe, "Testing for Linearizability" (2017).
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

# States that a search may visit: a history that needs more is reported, and neither accepted nor refused.
BUDGET = 200_000


@dataclass(frozen=True)
class Operation:
    client: str
    name: str
    arguments: tuple[Any, ...]
    called: float
    answered: float | None = None
    """None: there was no answer."""
    answer: Any = None
    deadline: float = math.inf
    """When there was no answer: it took effect before, or never."""

    @property
    def end(self) -> float:
        return self.deadline if self.answered is None else self.answered

    def __str__(self) -> str:
        what = f"{self.name} {' '.join(str(part) for part in self.arguments if part is not None)}".strip()
        if self.answered is None:
            until = "" if self.deadline == math.inf else f", no effect after {self.deadline:.4f}"
            return f"{self.client}: {what} [{self.called:.4f}, no answer{until}]"
        return f"{self.client}: {what} [{self.called:.4f}, {self.answered:.4f}] -> {self.answer}"


class Model(Protocol):
    """A sequential object. States are immutable and hashable."""

    first: Any

    def step(self, state: Any, operation: Operation) -> tuple[Any, Any]:
        """The state after the operation, and its answer."""
        ...

    def only_reads(self, operation: Operation) -> bool:
        """Whether an operation with this answer changes nothing, in any state."""
        ...


class TooComplex(Exception):
    """The budget was not enough to decide."""


@dataclass
class Outcome:
    """Of a search."""

    is_linearizable: bool
    order: list[Operation]
    """All operations with answers in an order that explains them; or as many as can be explained."""
    state: Any
    """After them."""
    next: list[Operation]
    """When it is not linearizable: what may come next, and does not fit."""
    visited: int


def search(history: Sequence[Operation], model: Model, budget: int = BUDGET) -> Outcome:
    # What only reads, and was not answered, explains nothing.
    ops = sorted((op for op in history if op.answered is not None or not model.only_reads(op)), key=lambda op: op.called)
    required = sum(op.answered is not None for op in ops)
    count = len(ops)

    def candidates(base: int, done: int) -> list[int]:
        """The operations that were called before any other one ended."""
        found, limit = [], math.inf
        for index in range(base, count):
            if done >> (index - base) & 1:
                continue
            op = ops[index]
            if op.called > limit:
                break
            found.append(index)
            limit = min(limit, op.end)
        return found

    def moves(base: int, done: int, state: Any) -> Iterator[tuple[int, Any, bool]]:
        """An operation that may come next, the state after it, and whether it happened."""
        open_ops = candidates(base, done)
        for index in open_ops:
            if model.only_reads(ops[index]) and model.step(state, ops[index]) == (state, ops[index].answer):
                yield index, state, True
                return
        # What was answered first most likely happened first; what was not answered most likely did not matter.
        changes = [index for index in open_ops if not model.only_reads(ops[index])]
        for index in sorted(changes, key=lambda index: (ops[index].answered is None, ops[index].end)):
            after, answer = model.step(state, ops[index])
            if ops[index].answered is None:
                if after != state:
                    yield index, after, True
            elif answer == ops[index].answer:
                yield index, after, True
        for index in open_ops:
            if ops[index].answered is None and ops[index].end < math.inf:
                yield index, state, False

    stack = [(0, 0, model.first, moves(0, 0, model.first))]
    path: list[tuple[int, bool]] = []
    explained = 0
    best: tuple[int, list[tuple[int, bool]], int, int, Any] = (-1, [], 0, 0, model.first)
    seen = {(0, 0, model.first)}
    while stack:
        base, done, state, rest = stack[-1]
        if explained > best[0]:
            best = (explained, list(path), base, done, state)
        if explained == required:
            return Outcome(True, [ops[index] for index, happened in path if happened], state, [], len(seen))
        for index, after, happened in rest:
            new_base, new_done = base, done | 1 << (index - base)
            while new_done & 1:
                new_base, new_done = new_base + 1, new_done >> 1
            if (new_base, new_done, after) in seen:
                continue
            seen.add((new_base, new_done, after))
            if len(seen) > budget:
                raise TooComplex(f"{len(history)} operations need more than {budget} states")
            stack.append((new_base, new_done, after, moves(new_base, new_done, after)))
            path.append((index, happened))
            explained += ops[index].answered is not None
            break
        else:
            stack.pop()
            if path:
                explained -= ops[path.pop()[0]].answered is not None
    _, path, base, done, state = best
    order = [ops[index] for index, happened in path if happened]
    return Outcome(False, order, state, [ops[index] for index in candidates(base, done)], len(seen))


def prefix(history: Sequence[Operation], time: float) -> list[Operation]:
    """What had happened by a time: operations under way have no answer yet."""
    return [
        op if op.end <= time else replace(op, answered=None, answer=None, deadline=math.inf)
        for op in history
        if op.called <= time
    ]


def problem(history: Sequence[Operation], model: Model, budget: int = BUDGET) -> str | None:
    """Why a history is not linearizable, by its smallest prefix that is not; None: it is."""
    if search(history, model, budget).is_linearizable:
        return None
    # Each prefix of a linearizable history is linearizable: the first answer that cannot be explained is found by halves.
    answers = sorted(op.answered for op in history if op.answered is not None)
    low, high = 0, len(answers) - 1
    while low < high:
        middle = (low + high) // 2
        if search(prefix(history, answers[middle]), model, budget).is_linearizable:
            low = middle + 1
        else:
            high = middle
    smallest = without_reads(prefix(history, answers[low]), model, budget)
    last = next(op for op in smallest if op.answered == answers[low])
    found = search(smallest, model, budget)
    under_way = [op for op in smallest if op is not last and op.end >= last.called]
    lines = [
        "The history is not linearizable. No order of the operations explains this answer:",
        f"  {last}",
        f"The others can be explained, for example in this order ({len(found.order)}; the last ones):",
        *(f"  {op}" for op in found.order[-12:] if op is not last),
        "After them, these may come next, and none fits:",
        *(f"  {op}\n    would be answered {model.step(found.state, op)[1]}" for op in found.next if op.answered is not None),
    ]
    if under_way:
        lines += ["Under way at the same time as it:", *(f"  {op}" for op in under_way)]
    return "\n".join(lines)


def without_reads(history: list[Operation], model: Model, budget: int) -> list[Operation]:
    """Leaves out the reads that are not needed to show that a history is not linearizable, many at a time where possible."""
    size = len(history)
    while size:
        start = 0
        while start < len(history):
            part = {id(op) for op in history[start : start + size] if model.only_reads(op)}
            fewer = [op for op in history if id(op) not in part]
            if part and not search(fewer, model, budget).is_linearizable:
                history = fewer
            else:
                start += size
        size //= 4
    return history
