"""The model of the trading API: machines that keep to it, and others with one defect each, which the checker must find."""

import itertools
import random
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from linearizability import Operation, search
from order_matching import Matching
from order_model import OrderModel
from order_requests import PRICES, WEIGHTS, Choice, Knowledge
from order_state import SYMBOLS, Order, State

LENGTH, CLIENTS = 200, 4
# What is rare comes often enough to meet what it could harm.
OFTEN = WEIGHTS | {"cancel_after": 2, "reset": 0.5, "delete": 1}
# Of a machine: seconds by which a switch may be late.
LATE = 0.3


class Machine:
    """Clients of a model of an account: it does each request at a moment that chance chooses, with the call before and the answer
    after it, in places none."""

    def __init__(self, model: OrderModel, pick: random.Random) -> None:
        self._model, self._pick = model, pick
        self.state: State = model.first
        self.history: list[Operation] = []
        self._now, self._losses = 0.0, 0.02
        self._free = dict.fromkeys(range(CLIENTS), 0.0)
        # Dead man's switches with their times.
        self._switches: list[tuple[float, int]] = []

    def run(self, length: int) -> list[Operation]:
        pick, account = self._pick, Knowledge()
        choices = [Choice(number, pick, account, OFTEN) for number in self._free]
        for _ in range(length):
            self._advance(pick.expovariate(10))
            if pick.random() < 0.1:
                self._happen("trade", pick.choice(PRICES), pick.choice(SYMBOLS))
            elif pick.random() < 0.02:
                self._happen("restart")
            else:
                client = min(self._free, key=lambda client: (self._free[client] > self._now, pick.random()))
                self._perform(client, *choices[client].next(), account)
        return self.history

    def read_all(self) -> list[Operation]:
        """After everything else."""
        self._advance(5)
        self._losses = 0
        for name in ("all", "positions", "portfolio"):
            self._perform(0, name, (), Knowledge())
        return self.history

    def _advance(self, seconds: float) -> None:
        end = self._now + seconds
        while due := min((switch for switch in self._switches if switch[0] <= end), default=None):
            self._switches.remove(due)
            self._now = max(self._now, due[0])
            self.state, _ = self._model.step(self.state, Operation("", "switch_due", (due[1],), 0))
        self._now = end

    def _happen(self, name: str, *arguments: Any) -> None:
        self._advance(0.01)
        self.state, answer = self._model.step(self.state, Operation("", name, arguments, 0))
        self.history.append(Operation("market", name, arguments, self._now - 0.01, self._now + 0.01, answer))
        self._advance(0.01)

    def _perform(self, client: int, name: str, arguments: tuple[Any, ...], account: Knowledge) -> None:
        pick = self._pick
        self._advance(max(0.0, self._free[client] + 0.001 - self._now))
        called = pick.uniform(self._free[client], self._now)
        self.state, answer = self._model.step(self.state, Operation("", name, arguments, 0))
        self._free[client] = answered = self._now + pick.expovariate(10)
        is_lost = pick.random() < self._losses
        self.history.append(
            Operation(str(client), name, arguments, called, None if is_lost else answered, None if is_lost else answer)
        )
        account.learn(name, answer)
        if name == "cancel_after" and answer[0] == 200 and arguments[0]:
            seconds, switch = arguments
            self._switches.append((self._now + seconds + pick.uniform(0, LATE), switch))
            end = None if is_lost else answered + seconds + LATE
            self.history.append(Operation("server", "switch_due", (switch,), called + seconds, end, None if is_lost else "due"))


def history_of(model: OrderModel, seed: int) -> list[Operation]:
    machine = Machine(model, random.Random(seed))
    machine.run(LENGTH)
    return machine.read_all()


@pytest.mark.parametrize("seed", range(10))
def test_what_a_machine_did_at_moments_is_accepted_and_a_lost_order_is_not(seed: int) -> None:
    history = history_of(OrderModel(), seed)
    assert search(history, OrderModel()).is_linearizable
    after = max(op.end for op in history if op.answered is not None) + 1
    answer = next(op.answer for op in reversed(history) if op.name == "all")
    # A reset or deletion without an answer may come last of all, and explains it.
    is_known = answer[0] == 200 and not any(op.answered is None and op.name in ("reset", "delete") for op in history)
    for order in answer[1][:1] if is_known else ():
        lost = Operation("z", "get", (order.number,), after, after + 1, (404, "unknown_order"))
        assert not search([*history, lost], OrderModel()).is_linearizable


# Defects: of a request's method in the model, or of the matching.


def lost(name: str) -> dict[str, Any]:
    """The answer is right, and nothing happens."""
    method = getattr(OrderModel, name)
    return {name: lambda self, state, *arguments: (state, method(self, state, *arguments)[1])}


def spoilt(name: str, spoil: Callable[[State, State], State]) -> dict[str, Any]:
    """The answer is right, and something else happens, made of the states before and after."""
    method = getattr(OrderModel, name)

    def step(self: OrderModel, state: State, *arguments: Any) -> tuple[State, Any]:
        after, answer = method(self, state, *arguments)
        return (spoil(state, after) if after != state else after), answer

    return {name: step}


def matching(**methods: Any) -> dict[str, Any]:
    return {"matching": type("DefectiveMatching", (Matching,), methods)}


def stay_in_queue(self: Matching, orders: list[Order]) -> None:
    queue = [number for number in self._queue if number not in {order.number for order in orders if not order.is_active}]
    Matching.cancel(self, orders)
    self._queue = queue


def trade_everywhere(self: Matching, symbol: str, price: Decimal) -> None:
    for each in SYMBOLS:
        Matching.trade(self, each, price)


def keep_legs(before: State, after: State) -> State:
    """What a new bracket replaces."""
    kept = {order.number: order for order in before.active() if not after.order(order.number).is_active}
    orders = tuple(kept.get(order.number, order) for order in after.orders)
    return after._replace(orders=orders, queue=(*after.queue, *kept))


def go_off_always(self: OrderModel, state: State, switch: int) -> tuple[State, Any]:
    return (self._without_orders(state, None)[0]._replace(switch=None) if state.switch else state), "due"


DEFECTS: dict[str, dict[str, Any]] = {
    "a reset is lost": lost("_reset"),
    "a reset keeps the positions": spoilt("_reset", lambda before, after: after._replace(holdings=before.holdings)),
    "a reset keeps the orders": spoilt(
        "_reset", lambda before, after: before._replace(holdings=after.holdings, capital=after.capital)
    ),
    "a reset keeps the fees": spoilt("_reset", lambda before, after: after._replace(fees=before.fees)),
    "a reset numbers orders from 1 again": spoilt("_reset", lambda _, after: after._replace(first=1)),
    "a reverse is lost": lost("_reverse"),
    "a reverse only closes": spoilt(
        "_reverse",
        lambda before, after: after._replace(
            holdings=tuple(
                new if new.size == old.size else new._replace(size=Decimal(0), cost=Decimal(0))
                for old, new in zip(before.holdings, after.holdings, strict=True)
            )
        ),
    ),
    "a bracket is lost": lost("_bracket"),
    "a bracket leaves the orders that it replaces": spoilt("_bracket", keep_legs),
    "an order's bracket is not placed": matching(add_legs=lambda *_: None),
    "a bracket keeps its size when the position grows": matching(_resize_bracket=lambda *_: None),
    "the other order of a bracket stays": matching(_reduce_group=lambda *_: None),
    "a bracket stays when its position is gone": matching(_cancel_useless=lambda *_: None),
    "a cancelled order fills": matching(cancel=stay_in_queue),
    "a trade fills the orders of the other market": matching(trade=trade_everywhere),
    "a deletion is lost": lost("_delete"),
    "a deleted account comes back with what it had": spoilt(
        "_delete", lambda before, after: before if after.is_open else before._replace(is_open=False)
    ),
    "a deleted account numbers orders from 1 again": spoilt("_delete", lambda _, after: after._replace(first=1)),
    "a switch outlives its account": spoilt("_delete", lambda before, after: after._replace(switch=before.switch)),
    "a switch is not set": lost("_cancel_after"),
    "a switch does not go off": lost("_switch_due"),
    "a switch goes off at the time of an earlier one": {"_switch_due": go_off_always},
    "a switch cancels the positions too": spoilt(
        "_switch_due", lambda before, after: after.without_trading(after.capital)
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", DEFECTS)
def test_a_machine_with_a_defect_is_found(name: str) -> None:
    """In one of so many histories: each request is rare, and its defect does not show every time."""
    defective = type("Defective", (OrderModel,), DEFECTS[name])()
    assert any(not search(history_of(defective, seed), OrderModel()).is_linearizable for seed in range(40))


def explains(order: tuple[Operation, ...]) -> bool:
    model = OrderModel()
    state = model.first
    for index, op in enumerate(order):
        if any(later.end < op.called for later in order[index:]):
            return False
        state, answer = model.step(state, op)
        if answer != op.answer:
            return False
    return True


def test_the_search_finds_what_trying_all_orders_finds() -> None:
    outcomes = []
    for seed in range(300):
        pick = random.Random(seed)
        history = [op for op in Machine(OrderModel(), pick).run(6) if op.answered is not None]
        # Two of them at each other's times.
        (one, other) = pick.sample(range(len(history)), 2)
        times = [(history[index].called, history[index].answered) for index in (other, one)]
        for index, (called, answered) in zip((one, other), times, strict=True):
            history[index] = replace(history[index], called=called, answered=answered)
        expected = any(explains(order) for order in itertools.permutations(history))
        assert search(history, OrderModel()).is_linearizable == expected, history
        outcomes.append(expected)
    assert 50 < sum(outcomes) < 250
