"""Waiting for conditions, never for time."""

import time
from collections.abc import Callable
from typing import TypeVar

Value = TypeVar("Value")


def eventually(condition: Callable[[], Value], what: str, within: float = 60.0, every: float = 0.05) -> Value:
    """Calls `condition` until it is truthy and returns that value.

    Fails after `within` seconds (long enough for a machine that has much else to do: who passes never waits for it) with `what` and the last value, so that the report says how close it came.
    """
    deadline = time.monotonic() + within
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() >= deadline:
            raise AssertionError(f"{what}: not within {within:g} s; at last {value!r}")
        time.sleep(every)
