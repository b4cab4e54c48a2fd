"""Orders over concurrent HTTP are linearizable, account by account, also over `kill -9`: each request takes effect at one
moment between its call and its answer, and every answer is the one of that moment.

Clients place, repeat, amend, cancel, close and read at the same time in the same accounts, while the market's price moves and
the server is killed. `linearizability.py` looks for an order that explains all answers.

CANDLEWIRE_ROUNDS=N for more rounds, each with new accounts and a kill; CANDLEWIRE_SEED for other requests.
"""

import http.client
import json
import os
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from linearizability import Operation, TooComplex, problem, search
from order_model import READS, Order, OrderModel, State, answer_of
from running_server import RunningServer
from support.polling import eventually

from test_providers import configuration, provider

ROUNDS = int(os.environ.get("CANDLEWIRE_ROUNDS", "1"))
SEED = int(os.environ.get("CANDLEWIRE_SEED", "7"))
SECONDS = 3.0  # of a round, half of it before the kill
OPERATIONS = 500  # of a round, where it needs longer for them
ACCOUNTS, CLIENTS = 3, 3
# Requests of an account in a round whose answer no one waits for.
ABANDONED = 5
SYMBOL = "BTC-USD"
PRICES = [Decimal(price) for price in (98, 99, 100, 101, 102)]


# Clients, market and server


class Market:
    """A venue with one price at a time, which it trades at again and again."""

    def __init__(self) -> None:
        self.price = PRICES[2]
        self._moved = threading.Event()
        self._is_over = False

    def speak(self, socket: Any) -> None:
        socket.recv()
        while not self._is_over:
            tick = {"type": "tick", "symbol": SYMBOL, "timestamp": time.time(), "price": float(self.price), "volume": 1}
            socket.send(json.dumps(tick))
            self._moved.wait(0.02)
            self._moved.clear()

    def move(self, price: Decimal) -> None:
        self.price = price
        self._moved.set()

    def stop(self) -> None:
        self._is_over = True


class Account:
    """What its clients share."""

    def __init__(self, name: str) -> None:
        self.id = f"paper-{name}"
        self.history: list[Operation] = []
        # Requests with a client order id, also such as are under way.
        self.requests: list[tuple[str, tuple[Any, ...]]] = []
        self.newest = 0
        self.abandoned = 0


class Client(threading.Thread):
    """Sends one request after the other over a connection of its own."""

    def __init__(self, number: int, account: Account, server: RunningServer, is_up: threading.Event, seed: str) -> None:
        super().__init__(daemon=True)
        self.label = f"{account.id} {number}"
        self._account = account
        self._port = server.port
        self._is_up = is_up
        self._random = random.Random(seed)
        self._connection: http.client.HTTPConnection | None = None
        self._made = 0
        self._is_over = False
        self.failure: str | None = None

    def stop(self) -> None:
        self._is_over = True

    def run(self) -> None:
        try:
            while not self._is_over:
                self._is_up.wait(0.1)
                if self._is_up.is_set():
                    self.perform(*self._choice())
        except Exception as error:  # noqa: BLE001 - the test shows it
            self.failure = repr(error)

    def _choice(self) -> tuple[str, tuple[Any, ...]]:
        pick, account = self._random, self._account
        number = max(1, account.newest - pick.choice((0, 0, 0, 1, 1, 2, 3, 5, 8)))
        kind = pick.choices(
            ("market", "limit", "repeat", "other", "cancel", "amend", "get", "active", "cancel_all", "close", "position",
             "portfolio"),
            (3, 7, 3, 1, 5, 4, 5, 2, 0.4, 1, 3, 2))[0]  # fmt: skip
        if kind in ("repeat", "other") and not account.requests:
            kind = "limit"
        match kind:
            case "market" | "limit":
                return self._new(kind)
            case "repeat":
                return pick.choice(account.requests[-6:])
            case "other":
                name, arguments = pick.choice(account.requests[-6:])
                return "place", (arguments[0], "buy", "limit", Decimal(7), Decimal(50), False)
            case "amend":
                quantity = pick.choice((None, Decimal(pick.randint(1, 3))))
                limit = pick.choice((None, pick.choice(PRICES)))
                return "amend", (number, quantity, limit if quantity else pick.choice(PRICES), pick.choice((None, 1, 2)))
            case "close":
                return self._kept("close", (self._client_order_id(),))
            case "cancel" | "get":
                return kind, (number,)
            case _:
                return kind, ()

    def _new(self, type: str) -> tuple[str, tuple[Any, ...]]:
        pick = self._random
        side, quantity = pick.choice(("buy", "sell")), Decimal(pick.randint(1, 3))
        if type == "market":
            return self._kept("place", (self._client_order_id(), side, type, quantity, None, False))
        # Most wait for a move of the price.
        limit = Decimal(100) + Decimal(pick.choice((-1, 0, 0, 0, 1, 2, 2, 3))) * (-1 if side == "buy" else 1)
        return self._kept("place", (self._client_order_id(), side, type, quantity, limit, pick.random() < 0.15))

    def _kept(self, name: str, arguments: tuple[Any, ...]) -> tuple[str, tuple[Any, ...]]:
        self._account.requests.append((name, arguments))
        return name, arguments

    def _client_order_id(self) -> str:
        self._made += 1
        return f"{self.label.rsplit(' ', 1)[1]}-{self._made}"

    def perform(self, name: str, arguments: tuple[Any, ...]) -> None:
        account = self._account
        method, path, body = http_request(account.id, name, arguments)
        if self._connection is None:
            connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)
            try:
                connection.connect()
            except OSError:
                return
            self._connection = connection
        is_abandoned = name not in READS and account.abandoned < ABANDONED and self._random.random() < 0.02
        account.abandoned += is_abandoned
        called = time.monotonic()
        answered = answer = None
        try:
            self._connection.request(method, path, body and json.dumps(body), {"Content-Type": "application/json"})
            if is_abandoned:
                raise ConnectionAbortedError
            response = self._connection.getresponse()
            document = json.loads(response.read())
            # The ledger could not be written: the outcome is unknown, too.
            if response.status != 503:
                answered, answer = time.monotonic(), answer_of(name, response.status, document)
        except (OSError, http.client.HTTPException, json.JSONDecodeError):
            self._connection.close()
            self._connection = None
        account.history.append(Operation(self.label, name, arguments, called, answered, answer))
        if answered is not None and isinstance(answer[1], Order):
            account.newest = max(account.newest, answer[1].number)
        if answered is None and name in ("place", "close"):
            # As the documents recommend.
            account.requests.append((name, arguments))


def http_request(account: str, name: str, arguments: tuple[Any, ...]) -> tuple[str, str, Any]:
    query = urlencode({"account": account})
    match name:
        case "place":
            client, side, type, quantity, limit, post_only = arguments
            order = {
                "client_order_id": client, "symbol": SYMBOL, "side": side, "type": type, "quantity": str(quantity),
                "post_only": post_only, "account": account,
            }  # fmt: skip
            return "POST", "/v1/orders", order | ({} if limit is None else {"limit_price": str(limit)})
        case "close":
            return "POST", f"/v1/positions/{SYMBOL}/close?{query}", {"client_order_id": arguments[0]}
        case "cancel":
            return "DELETE", f"/v1/orders/{account}-o{arguments[0]}", None
        case "amend":
            number, quantity, limit, version = arguments
            change = {"quantity": quantity and str(quantity), "limit_price": limit and str(limit), "version": version}
            change = {field: value for field, value in change.items() if value is not None}
            return "PATCH", f"/v1/orders/{account}-o{number}", change
        case "get":
            return "GET", f"/v1/orders/{account}-o{arguments[0]}", None
        case "cancel_all":
            return "DELETE", f"/v1/orders?{query}", None
        case "active" | "all":
            return "GET", f"/v1/orders?status={name}&limit=1000&{query}", None
        case _:
            return "GET", f"/v1/{'positions' if name == 'position' else name}?{query}", None


@contextmanager
def clients_of(accounts: list[Account], server: RunningServer, is_up: threading.Event, seed: str) -> Iterator[None]:
    clients = [
        Client(number, account, server, is_up, f"{seed} {account.id} {number}")
        for account in accounts
        for number in range(CLIENTS)
    ]
    for client in clients:
        client.start()
    try:
        yield
    finally:
        for client in clients:
            client.stop()
        for client in clients:
            client.join(timeout=120)
    assert not any(client.failure for client in clients), [client.failure for client in clients]


def trades(server: RunningServer) -> int:
    return int(server.get("/health")["feeds"][0]["trades"])


def wait_for_trades(server: RunningServer) -> None:
    """Two more: the first of them may have been sent before the price changed."""
    before = trades(server)
    eventually(lambda: trades(server) >= before + 2, "the market trades", within=60)


def play_round(server: RunningServer, market: Market, number: int) -> list[Account]:
    """Lets clients do what they like, moves the price, kills the server once, and reads everything at the end."""
    pick = random.Random(f"{SEED} {number}")
    accounts = [Account(f"r{number}_{index}") for index in range(ACCOUNTS)]
    for account in accounts:
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        connection.request("POST", "/v1/accounts", json.dumps({"name": account.id.removeprefix("paper-")}))
        assert connection.getresponse().status == 201
        connection.close()
    first_price = market.price
    wait_for_trades(server)
    moves: list[Operation] = []
    is_up = threading.Event()
    is_up.set()
    killed = 0.0

    def move(then: Callable[[], None]) -> None:
        price = pick.choice([price for price in PRICES if price != market.price])
        called = time.monotonic()
        market.move(price)
        then()
        wait_for_trades(server)
        moves.append(Operation("market", "trade", (price,), called, time.monotonic(), "traded"))

    def kill() -> None:
        nonlocal killed
        time.sleep(pick.uniform(0, 0.03))
        # Requests that are under way now may be in the ledger or not; no one sends new ones before the price is known again.
        is_up.clear()
        server.kill()
        killed = time.monotonic()
        server.start()

    with clients_of(accounts, server, is_up, f"{SEED} {number}"):
        for part in range(2):
            end = time.monotonic() + SECONDS / 2
            while time.monotonic() < end or sum(len(account.history) for account in accounts) < OPERATIONS * (part + 1) / 2:
                assert time.monotonic() < end + 60, "the server is too slow"
                time.sleep(pick.uniform(0.05, 0.25))
                move(lambda: None)
            if part == 0:
                move(kill)
                is_up.set()
    for account in accounts:
        last = Client(CLIENTS, account, server, is_up, "")
        for name in ("all", "active", "position", "portfolio"):
            last.perform(name, ())
        # What was under way when the server was killed took effect before that, or never.
        account.history = [
            replace(op, deadline=killed) if op.answered is None and op.called < killed else op for op in account.history
        ] + moves
    market_model = OrderModel(first_price)
    for account in accounts:
        found = problem(account.history, market_model)
        assert found is None, f"{account.id}, CANDLEWIRE_SEED={SEED}, round {number}:\n{found}"
    return accounts


@pytest.fixture
def market_server(
    serve: Callable[..., RunningServer], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[RunningServer, Market]]:
    monkeypatch.setenv("ACME_TOKEN", "hush")
    market = Market()
    with provider(market.speak) as url:
        server = serve(configuration(tmp_path, url), "--fill-model", "immediate")
        yield server, market
        market.stop()


def test_orders_over_concurrent_http_are_linearizable(market_server: tuple[RunningServer, Market]) -> None:
    server, market = market_server
    count: Counter[str] = Counter()
    for number in range(ROUNDS):
        for account in play_round(server, market, number):
            for op in account.history:
                count[op.name] += 1
                if op.answered is None:
                    count["no answer"] += 1
                elif isinstance(op.answer, tuple) and isinstance(op.answer[1], str):
                    count[op.answer[1]] += 1
            connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
            connection.request("DELETE", f"/v1/accounts/{account.id}?force=true")
            assert connection.getresponse().status == 200
            connection.close()
    print(dict(count))
    # A history in which nothing happens proves nothing.
    for name in ("place", "cancel", "amend", "close", "get", "active", "position", "portfolio", "no answer", "order_done",
                 "version_conflict", "duplicate_client_order_id"):  # fmt: skip
        assert count[name] > 0, f"{name}: {dict(count)}"


# The checker itself


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
