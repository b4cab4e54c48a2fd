"""The checker of linearizability: histories that it must accept, and others that it must refuse with an explanation."""

import random
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from linearizability import Operation, TooComplex, problem, search
from order_model import Order, OrderModel, State

PRICES = [Decimal(price) for price in (98, 99, 100, 101, 102)]


def op(client: str, name: str, *arguments: Any, at: tuple[float, float | None], answer: Any = None, **more: Any) -> Operation:
    return Operation(client, name, arguments, at[0], at[1], answer, **more)


HUNDRED = Decimal(100)
ONE = Decimal(1)
BUY = ("x", "buy", "limit", ONE, Decimal(99), False)
WAITING = Order(1, "x", "buy", "limit", ONE, Decimal(99))
CANCELLED = WAITING._replace(status="cancelled", version=2)
FILLED = WAITING._replace(status="filled", filled=ONE, average=Decimal(99), version=2)
PLACED = op("a", "place", *BUY, at=(0, 1), answer=(201, WAITING))
DONE = (409, "order_done")
NO_POSITION = (200, Decimal(0), None)
DROP = op("market", "trade", Decimal(98), at=(2, 5), answer="traded")

RIGHT: dict[str, list[Operation]] = {
    "nothing": [],
    "one after the other": [
        PLACED,
        op("a", "get", 1, at=(2, 3), answer=(200, WAITING)),
        op("b", "cancel", 1, at=(4, 5), answer=(200, CANCELLED)),
        op("a", "get", 1, at=(6, 7), answer=(200, CANCELLED)),
    ],
    "a read beside a cancel sees either": [
        PLACED,
        op("a", "cancel", 1, at=(2, 9), answer=(200, CANCELLED)),
        op("b", "get", 1, at=(3, 4), answer=(200, WAITING)),
        op("c", "get", 1, at=(5, 6), answer=(200, CANCELLED)),
    ],
    "of two cancels one is refused": [
        PLACED,
        op("a", "cancel", 1, at=(2, 4), answer=DONE),
        op("b", "cancel", 1, at=(3, 5), answer=(200, CANCELLED)),
    ],
    "two numbers of orders that were placed at the same time, the other way round": [
        op("a", "place", *BUY, at=(0, 3), answer=(201, WAITING._replace(number=2))),
        op("b", "place", "y", *BUY[1:], at=(1, 2), answer=(201, WAITING._replace(client="y"))),
    ],
    "a fill beside a cancel": [
        PLACED,
        DROP,
        op("a", "cancel", 1, at=(3, 4), answer=DONE),
        op("a", "position", at=(6, 7), answer=(200, ONE, Decimal(99))),
        op("a", "portfolio", at=(8, 9), answer=(200, Decimal(0), Decimal("0.0198"))),
    ],
    "the same client order id at the same time": [
        op("a", "place", *BUY, at=(0, 3), answer=(200, WAITING)),
        op("b", "place", *BUY, at=(1, 2), answer=(201, WAITING)),
    ],
    "without an answer, with effect": [
        op("a", "place", *BUY, at=(0, None)),
        op("a", "place", *BUY, at=(2, 3), answer=(200, WAITING)),
    ],
    "without an answer, without effect": [
        op("a", "place", *BUY, at=(0, None)),
        op("a", "place", *BUY, at=(2, 3), answer=(201, WAITING)),
    ],
    "without an answer, and with effect later": [
        op("a", "place", *BUY, at=(0, None)),
        op("b", "get", 1, at=(2, 3), answer=(404, "unknown_order")),
        op("b", "get", 1, at=(4, 5), answer=(200, WAITING)),
    ],
    "lost with the server": [
        op("a", "place", *BUY, at=(0, None), deadline=2),
        op("b", "get", 1, at=(3, 4), answer=(404, "unknown_order")),
    ],
    "a part of a position is closed at a profit": [
        op("a", "place", "m", "buy", "market", Decimal(3), None, False, at=(0, 1),
           answer=(201, Order(1, "m", "buy", "market", Decimal(3), status="filled", filled=Decimal(3), average=HUNDRED, version=2))),
        op("market", "trade", Decimal(102), at=(2, 3), answer="traded"),
        op("a", "place", "n", "sell", "market", Decimal(4), None, False, at=(4, 5),
           answer=(201, Order(2, "n", "sell", "market", Decimal(4), status="filled", filled=Decimal(4), average=Decimal(102), version=2))),
        op("a", "position", at=(6, 7), answer=(200, -ONE, Decimal(102))),
        op("a", "portfolio", at=(8, 9), answer=(200, Decimal(6), Decimal("0.354"))),
    ],
}  # fmt: skip

# With what the explanation names.
WRONG: dict[str, tuple[list[Operation], str]] = {
    "a stale read": (
        [
            PLACED,
            op("b", "cancel", 1, at=(2, 3), answer=(200, CANCELLED)),
            op("a", "active", at=(3.5, 3.6), answer=(200, ())),
            op("a", "get", 1, at=(4, 5), answer=(200, WAITING)),
        ],
        "a: get 1 [4.0000, 5.0000]",
    ),
    "two reads that see the cancel and then not": (
        [
            PLACED,
            op("a", "cancel", 1, at=(2, 9), answer=(200, CANCELLED)),
            op("b", "get", 1, at=(3, 4), answer=(200, CANCELLED)),
            op("c", "get", 1, at=(5, 6), answer=(200, WAITING)),
        ],
        "c: get 1 [5.0000, 6.0000]",
    ),
    "both of two cancels": (
        [
            PLACED,
            op("a", "cancel", 1, at=(2, 4), answer=(200, CANCELLED)),
            op("b", "cancel", 1, at=(3, 5), answer=(200, CANCELLED)),
        ],
        "b: cancel 1",
    ),
    "an acknowledged order that is gone": (
        [PLACED, op("b", "get", 1, at=(3, 4), answer=(404, "unknown_order"))],
        "would be answered (200, o1 'x' buy 1 limit at 99: new, filled 0, version 1)",
    ),
    "a client order id that was executed twice": (
        [PLACED, op("b", "place", *BUY, at=(2, 3), answer=(201, WAITING._replace(number=2)))],
        "b: place x",
    ),
    "numbers against the time": (
        [
            op("a", "place", *BUY, at=(0, 1), answer=(201, WAITING._replace(number=2))),
            op("b", "place", "y", *BUY[1:], at=(2, 3), answer=(201, WAITING._replace(client="y"))),
        ],
        "a: place x",
    ),
    "cancelled and filled": (
        [
            PLACED,
            DROP,
            op("a", "cancel", 1, at=(3, 4), answer=(200, CANCELLED)),
            op("a", "position", at=(6, 7), answer=(200, ONE, Decimal(99))),
        ],
        "a: position",
    ),
    "an effect after the server was killed": (
        [
            op("a", "place", *BUY, at=(0, None), deadline=2),
            op("b", "get", 1, at=(3, 4), answer=(404, "unknown_order")),
            op("b", "get", 1, at=(5, 6), answer=(200, WAITING)),
        ],
        "b: get 1 [5.0000, 6.0000]",
    ),
    "an effect that ends again": (
        [
            op("a", "place", *BUY, at=(0, None)),
            op("b", "get", 1, at=(2, 3), answer=(200, WAITING)),
            op("b", "get", 1, at=(4, 5), answer=(404, "unknown_order")),
        ],
        "b: get 1 [4.0000, 5.0000]",
    ),
    "a fill that the balance does not have": (
        [
            PLACED,
            replace(DROP, answered=2.5),
            op("a", "get", 1, at=(3, 4), answer=(200, FILLED)),
            op("b", "position", at=(5, 6), answer=NO_POSITION),
        ],
        "b: position",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", RIGHT)
def test_a_linearizable_history_is_accepted(name: str) -> None:
    assert problem(RIGHT[name], OrderModel(HUNDRED)) is None


@pytest.mark.parametrize("name", WRONG)
def test_another_history_is_refused_by_the_answer_that_no_order_explains(name: str) -> None:
    history, words = WRONG[name]
    found = problem(history, OrderModel(HUNDRED))
    assert found is not None and words in found, found


def test_an_explanation_leaves_out_what_came_later_and_reads_that_it_does_not_need() -> None:
    history, _ = WRONG["a stale read"]
    reads = [op("r", "active", at=(1 + n / 100, 1.005 + n / 100), answer=(200, (WAITING,))) for n in range(90)]
    later = [op("r", "portfolio", at=(6 + n, 6.5 + n), answer=(200, Decimal(5), Decimal(5))) for n in range(90)]
    assert problem(history + reads + later, OrderModel(HUNDRED)) == "\n".join([
        "The history is not linearizable. No order of the operations explains this answer:",
        f"  a: get 1 [4.0000, 5.0000] -> (200, {WAITING})",
        "The others can be explained, for example in this order (2; the last ones):",
        f"  a: place x buy limit 1 99 False [0.0000, 1.0000] -> (201, {WAITING})",
        f"  b: cancel 1 [2.0000, 3.0000] -> (200, {CANCELLED})",
        "After them, these may come next, and none fits:",
        f"  a: get 1 [4.0000, 5.0000] -> (200, {WAITING})",
        f"    would be answered (200, {CANCELLED})",
    ])  # fmt: skip


def random_history(pick: random.Random, clients: int, length: int) -> list[Operation]:
    """Operations at moments that a random machine chose, with calls before and answers after them, in places none."""
    model = OrderModel(HUNDRED)
    state: State = model.first
    free = dict.fromkeys(range(clients), 0.0)
    history = []
    now = 0.0
    for number in range(length):
        now += pick.random()
        client = pick.choice([client for client in free if free[client] < now] or [min(free, key=lambda c: free[c])])
        now = max(now, free[client] + 0.001)
        newest = max(1, len(state.orders) - pick.randint(0, 3))
        name, arguments = pick.choice([
            ("place", (f"c{number}", pick.choice(("buy", "sell")), "limit", ONE, pick.choice(PRICES), False)),
            ("cancel", (newest,)), ("get", (newest,)), ("position", ()), ("trade", (pick.choice(PRICES),)), ("active", ()),
        ])  # fmt: skip
        called = pick.uniform(free[client], now)
        state, answer = model.step(state, Operation("", name, arguments, 0))
        free[client] = now + pick.expovariate(1)
        is_lost = pick.random() < 0.03
        answered = None if is_lost else free[client]
        history.append(Operation(str(client), name, arguments, called, answered, None if is_lost else answer))
    return history


@pytest.mark.parametrize("seed", range(20))
def test_what_a_machine_did_at_moments_is_accepted_and_a_number_of_an_order_that_is_wrong_is_not(seed: int) -> None:
    pick = random.Random(seed)
    history = random_history(pick, clients=4, length=80)
    assert search(history, OrderModel(HUNDRED)).is_linearizable
    # The last of them comes after all others: it sees every order but those without an answer.
    placed = {op.answer[1].number for op in history if op.name == "place" and op.answered is not None}
    after = max(op.end for op in history if op.answered is not None) + 1
    lost = Operation("z", "get", (pick.choice(sorted(placed)),), after, after + 1, (404, "unknown_order"))
    found = problem([*history, lost], OrderModel(HUNDRED))
    assert found is not None and "z: get" in found


def test_a_history_that_is_too_complex_is_neither_accepted_nor_refused() -> None:
    # Twenty orders of which nothing is known can have come in any order.
    history = [op(str(n), "place", f"c{n}", *BUY[1:], at=(0, None)) for n in range(20)]
    last = op("z", "get", 21, at=(1, 2), answer=(200, WAITING._replace(number=21)))
    with pytest.raises(TooComplex):
        problem([*history, last], OrderModel(HUNDRED), budget=1000)
