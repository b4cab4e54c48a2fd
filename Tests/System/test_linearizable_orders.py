"""Orders over concurrent HTTP are linearizable, account by account, also over `kill -9`: each request takes effect at one
moment between its call and its answer, and every answer is the one of that moment.

Clients place orders with and without brackets, repeat, amend and cancel them, close, reverse and protect positions, set dead
man's switches, reset, delete and open accounts, and read, at the same time in the same accounts. Meanwhile the prices of two
markets move and the server is killed. `linearizability.py` looks for an order that explains all answers.

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

import pytest
from linearizability import Operation, problem
from order_model import READS, OrderModel
from order_requests import MIDDLE, PRICES, Choice, Knowledge, answer_of, http_request, switches
from order_state import SYMBOLS
from running_server import RunningServer
from support.polling import eventually

from test_providers import configuration, provider

ROUNDS = int(os.environ.get("CANDLEWIRE_ROUNDS", "1"))
SEED = int(os.environ.get("CANDLEWIRE_SEED", "7"))
SECONDS = 2.4  # of a round, half of it before the kill
OPERATIONS = 500  # of a round, where it needs longer for them
ACCOUNTS, CLIENTS = 3, 3
# Requests of an account in a round whose answer no one waits for.
ABANDONED = 5
# Seconds within which a switch surely goes off, however busy the machine is.
LATE = 30


# Clients, market and server


class Market:
    """A venue where each symbol has one price at a time, at which it trades again and again."""

    def __init__(self) -> None:
        self.prices = dict.fromkeys(SYMBOLS, MIDDLE)
        self._moved = threading.Event()
        self._is_over = False

    def speak(self, socket: Any) -> None:
        socket.recv()
        while not self._is_over:
            for symbol, price in self.prices.items():
                tick = {"type": "tick", "symbol": symbol, "timestamp": time.time(), "price": float(price), "volume": 1}
                socket.send(json.dumps(tick))
            self._moved.wait(0.02)
            self._moved.clear()

    def move(self, symbol: str, price: Decimal) -> None:
        self.prices[symbol] = price
        self._moved.set()

    def stop(self) -> None:
        self._is_over = True


class Account(Knowledge):
    """What its clients share."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.id = f"paper-{name}"
        self.history: list[Operation] = []
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
        self._choice = Choice(number, self._random, account)
        self._connection: http.client.HTTPConnection | None = None
        self._is_over = False
        self.failure: str | None = None

    def stop(self) -> None:
        self._is_over = True

    def run(self) -> None:
        try:
            while not self._is_over:
                self._is_up.wait(0.1)
                if self._is_up.is_set():
                    self.perform(*self._choice.next())
        except Exception as error:  # noqa: BLE001 - the test shows it
            self.failure = repr(error)

    def perform(self, name: str, arguments: tuple[Any, ...] = ()) -> Any:
        """The answer; None: there was none."""
        account = self._account
        method, path, body = http_request(account.id, name, arguments)
        if self._connection is None:
            connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)
            try:
                connection.connect()
            except OSError:
                return None
            self._connection = connection
        is_abandoned = name not in READS and account.abandoned < ABANDONED and self._random.random() < 0.02
        account.abandoned += is_abandoned
        text = None if body is None else json.dumps(body)
        called = time.monotonic()
        answered = answer = None
        try:
            self._connection.request(method, path, text, {"Content-Type": "application/json"})
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
        if answered is not None:
            account.learn(name, answer)
        elif name in ("place", "close", "reverse"):
            # As the documents recommend.
            account.requests.append((name, arguments))
        return answer


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


def send(server: RunningServer, method: str, path: str, body: Any = None) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    connection.request(method, path, body and json.dumps(body))
    status = connection.getresponse().status
    connection.close()
    return status


def wait_for_trades(server: RunningServer, market: Market) -> None:
    """At the present prices. A server that is behind still has others before it, and one that started knows prices of before."""

    def trades() -> int:
        return int(server.get("/health")["feeds"][0]["trades"])

    def have_come() -> bool:
        prices = {each["symbol"]: each.get("price") for each in server.get("/v1/markets")["markets"]}
        return trades() >= before + 2 * len(SYMBOLS) and all(prices[symbol] == price for symbol, price in market.prices.items())

    before = trades()
    eventually(have_come, "the markets trade", every=0.01)


# What happens without a request


def switches_of(history: list[Operation], killed: float, started: float) -> Iterator[Operation]:
    """When the dead man's switches go off. Those that are on when the server is killed have their whole time again after it."""
    sets = [op for op in history if op.name == "cancel_after" and (op.answered is None or op.answer[0] == 200)]
    for op in sets:
        seconds, switch = op.arguments
        first = op.called + seconds
        # One that was surely set again before that can never go off.
        is_renewed = op.answered is not None and any(
            op.answered < other.called and other.answered is not None and other.answered < first for other in sets
        )
        if not seconds or is_renewed:
            continue
        last = op.end + seconds + LATE
        if op.called < killed < last:
            last = started + seconds + LATE
            if first < killed:
                yield Operation("server", "switch_due_again", (switch,), killed + seconds, deadline=last)
            else:
                first = killed + seconds
        if op.answered is not None:
            yield Operation("server", "switch_due", (switch,), first, last, "due")
        else:
            yield Operation("server", "switch_due", (switch,), first, deadline=last)


def play_round(server: RunningServer, market: Market, number: int) -> list[Account]:
    """Lets clients do what they like, moves the prices, kills the server once, and reads everything at the end."""
    pick = random.Random(f"{SEED} {number}")
    accounts = [Account(f"r{number}_{index}") for index in range(ACCOUNTS)]
    for account in accounts:
        assert send(server, "POST", "/v1/accounts", {"name": account.id.removeprefix("paper-")}) == 201
    model = OrderModel([market.prices[symbol] for symbol in SYMBOLS])
    wait_for_trades(server, market)
    events: list[Operation] = []
    is_up = threading.Event()
    is_up.set()
    killed = started = 0.0

    def move(then: Callable[[], None]) -> None:
        symbol = pick.choice(SYMBOLS)
        price = pick.choice([price for price in PRICES if price != market.prices[symbol]])
        called = time.monotonic()
        market.move(symbol, price)
        then()
        wait_for_trades(server, market)
        events.append(Operation("market", "trade", (price, symbol), called, time.monotonic(), "traded"))

    def kill() -> None:
        nonlocal killed, started
        time.sleep(pick.uniform(0, 0.03))
        # Requests that are under way now may be in the ledger or not; no one sends new ones before the price is known again.
        is_up.clear()
        server.kill()
        killed = time.monotonic()
        server.start()
        started = time.monotonic()
        events.append(Operation("server", "restart", (), killed, started, "started"))

    with clients_of(accounts, server, is_up, f"{SEED} {number}"):
        for part in range(2):
            end = time.monotonic() + SECONDS / 2
            while time.monotonic() < end or sum(len(account.history) for account in accounts) < OPERATIONS * (part + 1) / 2:
                assert time.monotonic() < end + 60, "the server is too slow"
                time.sleep(pick.uniform(0.01, 0.1))
                move(lambda: None)
            if part == 0:
                move(kill)
                is_up.set()
    last = [Client(CLIENTS, account, server, is_up, "") for account in accounts]
    for account, client in zip(accounts, last, strict=True):
        account.abandoned = ABANDONED
        for name in ("all", "active", "positions", "portfolio"):
            client.perform(name)
        # And one switch that no one sets again.
        client.perform("create", (None,))
        client.perform("place", ("last", "buy", "limit", Decimal(1), Decimal(50), False, SYMBOLS[0], None, None))
        client.perform("cancel_after", (1, next(switches)))
    for account, client in zip(accounts, last, strict=True):
        eventually(lambda client=client: client.perform("active") == (200, ()), "the switch to go off", every=0.2)
        client.perform("all")
        # What was under way when the server was killed took effect before that, or never.
        account.history = [
            replace(op, deadline=killed) if op.answered is None and op.called < killed else op for op in account.history
        ]
        account.history += [*events, *switches_of(account.history, killed, started)]
    for account in accounts:
        found = problem(account.history, model)
        assert found is None, f"{account.id}, CANDLEWIRE_SEED={SEED}, round {number}:\n{found}"
    return accounts


@pytest.fixture
def market_server(
    serve: Callable[..., RunningServer], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[RunningServer, Market]]:
    monkeypatch.setenv("ACME_TOKEN", "hush")
    market = Market()
    with provider(market.speak) as url:
        feed = configuration(tmp_path, url).removesuffix(SYMBOLS[0]) + ",".join(SYMBOLS)
        server = serve(feed, "--fill-model", "immediate")
        yield server, market
        market.stop()


# What happened in a round at least once; otherwise its history proves nothing.
EXPECTED = (
    "place", "close", "reverse", "bracket", "cancel", "amend", "cancel_after", "reset", "delete", "create", "get", "active",
    "positions", "portfolio", "switch_due", "no answer", "order_done", "version_conflict", "duplicate_client_order_id",
    "unknown_account", "filled take-profit", "filled stop-loss", "cancelled stop-loss",
)  # fmt: skip


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
            legs = {
                order.number: f"{order.status} {order.client.strip('~').rsplit('-', 1)[0]}"
                for op in account.history
                if op.name in ("all", "active") and op.answer and op.answer[0] == 200
                for order in op.answer[1]
                if order.group
            }
            count.update(legs.values())
            assert send(server, "DELETE", f"/v1/accounts/{account.id}?force=true") == 200
    print(dict(count))
    for name in EXPECTED:
        assert count[name] > 0, f"{name}: {dict(count)}"
