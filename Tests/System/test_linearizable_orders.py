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
from linearizability import Operation, problem
from order_model import READS, Order, OrderModel, answer_of
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
