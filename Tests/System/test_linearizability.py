"""The checker of linearizability: histories that it must accept, and others that it must refuse with an explanation."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from linearizability import Operation, TooComplex, problem
from order_model import KEEP, OrderModel
from order_state import CAPITAL, ZERO, Order, Position


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
NO_POSITION = (200, ())
DROP = op("market", "trade", Decimal(98), at=(2, 5), answer="traded")
RISE = op("market", "trade", Decimal(102), at=(2, 3), answer="traded")
MONEY = (CAPITAL, ZERO, ZERO)
UNKNOWN = (404, "unknown_account")

# A position of 1 with a take profit at 102 and a stop loss at 98.
GUARDED = Order(
    1, "m", "buy", "market", ONE, take_profit=Decimal(102), stop_loss=Decimal(98), status="filled", filled=ONE, average=HUNDRED,
    version=2,
)  # fmt: skip
PROFIT = Order(2, "~take-profit-2", "sell", "limit", ONE, Decimal(102), reduce_only=True, group="order:1")
LOSS = Order(3, "~stop-loss-3", "sell", "stop", ONE, reduce_only=True, stop=Decimal(98), group="order:1")
TAKEN = PROFIT._replace(status="filled", filled=ONE, average=Decimal(102), version=2)
OPEN = op(
    "a", "place", "m", "buy", "market", ONE, None, False, "BTC-USD", Decimal(102), Decimal(98), at=(0, 1), answer=(201, GUARDED)
)
LONG = Position("BTC-USD", ONE, HUNDRED, Decimal(102), Decimal(98))
REVERSED = Order(4, "r", "sell", "market", Decimal(2), status="filled", filled=Decimal(2), average=HUNDRED, version=2)
REVERSE = op("a", "reverse", "r", "BTC-USD", at=(2, 3), answer=(201, REVERSED))
RESET = op("a", "reset", Decimal(50_000), at=(2, 3), answer=(200, Decimal(50_000), ZERO, ZERO))
DELETE = op("a", "delete", True, at=(2, 3), answer=(200, *MONEY))
CREATE = op("a", "create", None, at=(4, 5), answer=(201, *MONEY))
# Switch 1, of two seconds.
SWITCH = op("a", "cancel_after", 2, 1, at=(2, 3), answer=(200, 2))
DUE = op("server", "switch_due", 1, at=(4, 5.5), answer="due")

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
        op("a", "positions", at=(6, 7), answer=(200, (Position("BTC-USD", ONE, Decimal(99)),))),
        op("a", "portfolio", at=(8, 9), answer=(200, CAPITAL, ZERO, Decimal("0.0198"))),
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
        op("a", "positions", at=(6, 7), answer=(200, (Position("BTC-USD", -ONE, Decimal(102)),))),
        op("a", "portfolio", at=(8, 9), answer=(200, CAPITAL, Decimal(6), Decimal("0.354"))),
    ],
    "a take profit ends the stop loss": [
        OPEN,
        op("b", "active", at=(1.1, 1.2), answer=(200, (LOSS, PROFIT))),
        RISE,
        op("b", "all", at=(4, 5), answer=(200, (LOSS._replace(status="cancelled", version=2), TAKEN, GUARDED))),
        op("b", "positions", at=(6, 7), answer=NO_POSITION),
    ],
    "a position's own bracket replaces that of its order": [
        OPEN,
        op("a", "bracket", "BTC-USD", KEEP, None, at=(2, 3), answer=(200, LONG._replace(stop_loss=None))),
        op("a", "get", 4, at=(4, 5),
           answer=(200, PROFIT._replace(number=4, client="~take-profit-4", group="position:BTC-USD"))),
    ],
    "a reversed position has no bracket": [
        OPEN, REVERSE, op("b", "positions", at=(4, 5), answer=(200, (Position("BTC-USD", -ONE, HUNDRED),))),
        op("b", "active", at=(6, 7), answer=(200, ())),
    ],
    "a read beside a reset sees either": [
        PLACED, replace(RESET, answered=9), op("b", "get", 1, at=(3, 4), answer=(200, WAITING)),
        op("b", "get", 1, at=(5, 6), answer=(404, "unknown_order")), op("b", "portfolio", at=(7, 8), answer=RESET.answer),
    ],
    "after a reset client order ids are free, and numbers go on": [
        PLACED, RESET, op("a", "place", *BUY, at=(4, 5), answer=(201, WAITING._replace(number=2))),
    ],
    "a deleted account is unknown; opened again it is empty, and numbers go on": [
        PLACED, DELETE, op("b", "all", at=(3.1, 3.2), answer=UNKNOWN), CREATE, op("b", "all", at=(6, 7), answer=(200, ())),
        op("b", "place", *BUY, at=(8, 9), answer=(201, WAITING._replace(number=2))),
    ],
    "an account in use is not deleted": [PLACED, replace(DELETE, arguments=(False,), answer=(409, "account_in_use"))],
    "a switch goes off": [
        PLACED, SWITCH, DUE, op("b", "get", 1, at=(4.1, 4.2), answer=(200, WAITING)),
        op("b", "get", 1, at=(4.8, 4.9), answer=(200, CANCELLED)), op("b", "positions", at=(6, 7), answer=NO_POSITION),
    ],
    "a switch that is switched off": [
        PLACED, SWITCH, op("b", "cancel_after", 0, 2, at=(3.1, 3.2), answer=(200, 0)), DUE,
        op("b", "get", 1, at=(6, 7), answer=(200, WAITING)),
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
            op("a", "positions", at=(6, 7), answer=(200, (Position("BTC-USD", ONE, Decimal(99)),))),
        ],
        "a: positions",
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
            op("b", "positions", at=(5, 6), answer=NO_POSITION),
        ],
        "b: positions",
    ),
    "an order of a bracket fills after it was cancelled": (
        [
            OPEN,
            RISE,
            op("market", "trade", Decimal(98), at=(4, 5), answer="traded"),
            op("b", "positions", at=(6, 7), answer=(200, (Position("BTC-USD", -ONE, Decimal(98)),))),
        ],
        "b: positions",
    ),
    "a bracket that was removed fills": (
        [
            OPEN,
            op("a", "bracket", "BTC-USD", None, None, at=(1.1, 1.2), answer=(200, Position("BTC-USD", ONE, HUNDRED))),
            RISE,
            op("b", "get", 2, at=(4, 5), answer=(200, TAKEN)),
        ],
        "b: get 2",
    ),
    "a bracket that is not placed": ([OPEN, op("b", "active", at=(2, 3), answer=(200, ()))], "b: active"),
    "a reverse that only closes": ([OPEN, REVERSE, op("b", "positions", at=(4, 5), answer=NO_POSITION)], "b: positions"),
    "a reverse that two requests of one id do twice": (
        [OPEN, REVERSE, replace(REVERSE, client="b", called=4, answered=5)], "b: reverse",
    ),
    "a reset that is lost": ([PLACED, RESET, op("b", "get", 1, at=(4, 5), answer=(200, WAITING))], "b: get 1"),
    "a reset that is lost when the server is killed": (
        [
            PLACED,
            RESET,
            op("server", "restart", at=(4, 5), answer="started"),
            op("b", "portfolio", at=(6, 7), answer=(200, *MONEY)),
        ],
        "b: portfolio",
    ),
    "a reset that leaves the position": ([OPEN, RESET, op("b", "positions", at=(4, 5), answer=(200, (LONG,)))], "b: positions"),
    "a deleted account that answers with its old rows": (
        [PLACED, DELETE, op("b", "all", at=(4, 5), answer=(200, (CANCELLED,)))], "b: all",
    ),
    "an account that has its old rows when it is opened again": (
        [PLACED, DELETE, CREATE, op("b", "all", at=(6, 7), answer=(200, (CANCELLED,)))], "b: all",
    ),
    "an account that has its old numbers when it is opened again": (
        [PLACED, DELETE, CREATE, op("b", "place", *BUY, at=(6, 7), answer=(201, WAITING))], "b: place",
    ),
    "a switch that goes off too early": (
        [PLACED, SWITCH, DUE, op("b", "get", 1, at=(3.1, 3.2), answer=(200, CANCELLED))], "b: get 1",
    ),
    "a switch that does not go off": ([PLACED, SWITCH, DUE, op("b", "get", 1, at=(6, 7), answer=(200, WAITING))], "b: get 1"),
    "a switch that goes off by an earlier request's time": (
        [
            PLACED,
            SWITCH,
            op("b", "cancel_after", 9, 2, at=(3.1, 3.2), answer=(200, 9)),
            DUE,
            op("b", "get", 1, at=(6, 7), answer=(200, CANCELLED)),
        ],
        "b: get 1",
    ),
    "a switch of an account that was deleted": (
        [
            replace(SWITCH, called=0, answered=0.5),
            replace(DELETE, called=0.6, answered=0.7),
            replace(CREATE, called=0.8, answered=0.9),
            replace(PLACED, called=1, answered=1.5),
            replace(DUE, called=2, answered=3),
            op("b", "get", 1, at=(4, 5), answer=(200, CANCELLED)),
        ],
        "b: get 1",
    ),
    "a trade that fills an order of the other market": (
        [
            PLACED,
            op("market", "trade", Decimal(98), "ETH-USD", at=(2, 3), answer="traded"),
            op("b", "get", 1, at=(4, 5), answer=(200, FILLED)),
        ],
        "b: get 1",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", RIGHT)
def test_a_linearizable_history_is_accepted(name: str) -> None:
    assert problem(RIGHT[name], OrderModel()) is None


@pytest.mark.parametrize("name", WRONG)
def test_another_history_is_refused_by_the_answer_that_no_order_explains(name: str) -> None:
    history, words = WRONG[name]
    found = problem(history, OrderModel())
    assert found is not None and words in found, found


def test_an_explanation_leaves_out_what_came_later_and_reads_that_it_does_not_need() -> None:
    history, _ = WRONG["a stale read"]
    reads = [op("r", "active", at=(1 + n / 100, 1.005 + n / 100), answer=(200, (WAITING,))) for n in range(90)]
    later = [op("r", "portfolio", at=(6 + n, 6.5 + n), answer=(200, CAPITAL, Decimal(5), Decimal(5))) for n in range(90)]
    assert problem(history + reads + later, OrderModel()) == "\n".join([
        "The history is not linearizable. No order of the operations explains this answer:",
        f"  a: get 1 [4.0000, 5.0000] -> (200, {WAITING})",
        "The others can be explained, for example in this order (2; the last ones):",
        f"  a: place x buy limit 1 99 False [0.0000, 1.0000] -> (201, {WAITING})",
        f"  b: cancel 1 [2.0000, 3.0000] -> (200, {CANCELLED})",
        "After them, these may come next, and none fits:",
        f"  a: get 1 [4.0000, 5.0000] -> (200, {WAITING})",
        f"    would be answered (200, {CANCELLED})",
    ])  # fmt: skip


def test_a_history_that_is_too_complex_is_neither_accepted_nor_refused() -> None:
    # Twenty orders of which nothing is known can have come in any order.
    history = [op(str(n), "place", f"c{n}", *BUY[1:], at=(0, None)) for n in range(20)]
    last = op("z", "get", 21, at=(1, 2), answer=(200, WAITING._replace(number=21)))
    with pytest.raises(TooComplex):
        problem([*history, last], OrderModel(), budget=1000)
