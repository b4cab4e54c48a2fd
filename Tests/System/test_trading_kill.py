"""Orders stream in from several connections while the server is killed at random moments and started again.

Every acknowledged order is there afterwards, none twice, and the account is what a replay of its log makes it.
CANDLEWIRE_KILLS=200 for the long run; CANDLEWIRE_KILL_SEED for other moments.
"""

import http.client
import json
import os
import random
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from running_server import RunningServer
from support.polling import eventually

KILLS = int(os.environ.get("CANDLEWIRE_KILLS", "4"))
SEED = int(os.environ.get("CANDLEWIRE_KILL_SEED", "11"))
TRADERS = 4
# Of the base currency, for each trader and market.
LARGEST = Decimal("0.05")
# Limit orders that a trader leaves waiting.
WAITING = 10
SYMBOLS = ("BTC-USD", "ETH-USD")


class Trader(threading.Thread):
    """Places orders one after another over a connection of its own; a request without an answer is sent again."""

    def __init__(self, number: int, port: int) -> None:
        super().__init__(daemon=True)
        self._number = number
        self._port = port
        self._random = random.Random(SEED * 1000 + number)
        self._ended = threading.Event()
        self._connection: http.client.HTTPConnection | None = None
        # What this trader bought and sold of each market, all together.
        self._net = dict.fromkeys(SYMBOLS, Decimal(0))
        # Its limit orders that may still wait, the oldest first.
        self._waiting: deque[str] = deque()
        # client_order_id -> the order's id as it was acknowledged
        self.acknowledged: dict[str, str] = {}
        self.requested = 0
        self.repeated = 0
        self.failure: str | None = None

    def stop(self) -> None:
        self._ended.set()

    def run(self) -> None:
        try:
            while not self._ended.is_set():
                self._place(self._order())
                # Each start reads the whole ledger: two hundred of them would take an hour if it grew as fast as it can.
                self._ended.wait(self._random.uniform(0, 0.04))
        except Exception as error:  # noqa: BLE001 - the test shows it
            self.failure = repr(error)

    def _order(self) -> dict[str, Any]:
        self.requested += 1
        symbol, quantity = self._random.choice(SYMBOLS), Decimal(self._random.randint(1, 50)) / 10_000
        side = self._random.choice(("buy", "sell"))
        order: dict[str, Any] = {
            "client_order_id": f"t{self._number}-{self.requested}", "symbol": symbol, "side": side, "quantity": str(quantity),
        }  # fmt: skip
        if self._random.random() < 0.5:
            # However long it goes on, the position stays small and the margin is there.
            if abs(self._net[symbol]) > LARGEST:
                order["side"] = side = "sell" if self._net[symbol] > 0 else "buy"
            self._net[symbol] += quantity if side == "buy" else -quantity
            return order | {"type": "market"}
        # Far from the market: some of these are cancelled at once, the others wait a while.
        return order | {"type": "limit", "limit_price": "1" if order["side"] == "buy" else "200000"}

    def _place(self, order: dict[str, Any]) -> None:
        attempts = 0
        while True:
            answer = self._request("POST", "/v1/orders", order)
            # After a start an account with orders waits for a market's first trade: its price may have gone anywhere.
            if answer is not None and answer[1].get("error", {}).get("code") != "no_price":
                break
            attempts += 1
            if self._ended.is_set() and attempts > 1:
                return
        status, document = answer
        if status not in (200, 201):
            raise AssertionError(f"{order}: {status} {document}")
        if status == 200:
            self.repeated += 1
        known = self.acknowledged.setdefault(order["client_order_id"], document["id"])
        if known != document["id"]:
            raise AssertionError(f"{order['client_order_id']} is {known} and {document['id']}")
        if order["type"] != "limit":
            return
        self._waiting.append(document["id"])
        if self._random.random() < 0.7:
            self._cancel(document["id"])
        while len(self._waiting) > WAITING and not self._ended.is_set():
            self._cancel(self._waiting[0])

    def _cancel(self, order: str) -> None:
        """Tries once. It is cancelled already where only the answer was lost."""
        answer = self._request("DELETE", f"/v1/orders/{order}", None)
        if answer is None:
            return
        if answer[0] not in (200, 409):
            raise AssertionError(f"cancelling {order}: {answer}")
        self._waiting.remove(order)

    def status(self, method: str, path: str, body: Any) -> tuple[int, Any]:
        """An answer of any kind."""
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)
        connection.request(method, path, body=json.dumps(body), headers={"Content-Type": "application/json"})
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())

    def _request(self, method: str, path: str, body: Any) -> tuple[int, Any] | None:
        """The answer; `None` where there was none: what became of the request is unknown."""
        try:
            if self._connection is None:
                self._connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)
            text = None if body is None else json.dumps(body)
            self._connection.request(method, path, body=text, headers={"Content-Type": "application/json"})
            answer = self._connection.getresponse()
            document = json.loads(answer.read())
        except (OSError, http.client.HTTPException, json.JSONDecodeError):
            self._connection = None
            # The server is down; no flood of requests meanwhile.
            self._ended.wait(0.02)
            return None
        return None if answer.status == 503 else (answer.status, document)


def entries(folder: str) -> list[tuple[int, dict[str, Any]]]:
    """The log of the account, read by another program than the one that wrote it."""
    with sqlite3.connect(f"file:{folder}/ledger.sqlite?mode=ro", uri=True) as database:
        rows = database.execute("SELECT sequence, body FROM ledger WHERE account = 'paper-main' ORDER BY sequence")
        return [(sequence, json.loads(body)) for sequence, body in rows]


def replay(log: list[tuple[int, dict[str, Any]]]) -> dict[str, Any]:
    """The account by the log alone, with arithmetic of our own: orders, sizes, cash, fees."""
    assert [sequence for sequence, _ in log] == list(range(1, len(log) + 1)), "the log has a hole"
    orders: dict[str, dict[str, Any]] = {}
    clients: dict[str, set[str]] = {}
    sizes: dict[str, Decimal] = {}
    fees = realized = Decimal(0)
    fills: set[str] = set()
    for _, entry in log:
        if order := entry.get("order"):
            orders[order["id"]] = order
            clients.setdefault(order["client_order_id"], set()).add(order["id"])
        if fill := entry.get("fill"):
            assert fill["id"] not in fills
            fills.add(fill["id"])
            sign = 1 if fill["side"] == "buy" else -1
            sizes[fill["symbol"]] = sizes.get(fill["symbol"], Decimal(0)) + sign * Decimal(fill["quantity"])
            fees += Decimal(fill["fee"])
            realized += Decimal(fill["realized_pnl"])
    return {"orders": orders, "clients": clients, "sizes": sizes, "fees": fees, "realized": realized}


def check(server: RunningServer, folder: str, traders: list[Trader]) -> None:
    # Read first: what the server has now is in the log, which may only be longer by then.
    acknowledged = [dict(trader.acknowledged) for trader in traders]
    portfolio = server.get("/v1/portfolio")
    positions = server.get("/v1/positions")
    log = entries(folder)
    account = replay(log)
    for client, ids in account["clients"].items():
        assert len(ids) == 1, f"{client} was executed as {ids}"
    for orders in acknowledged:
        for client, order in orders.items():
            assert account["clients"].get(client) == {order}, f"{client} was acknowledged as {order} and is not there"
    then = replay([line for line in log if line[0] <= portfolio["sequence"]])
    assert Decimal(portfolio["portfolios"][0]["fees"]) == then["fees"]
    assert Decimal(portfolio["portfolios"][0]["realized_pnl"]) == then["realized"]
    then = replay([line for line in log if line[0] <= positions["sequence"]])
    sizes = {
        position["symbol"]: Decimal(position["size"]) * (1 if position["side"] == "long" else -1)
        for position in positions["positions"]
    }
    assert sizes == {symbol: size for symbol, size in then["sizes"].items() if size}


def test_acknowledged_orders_survive_kill_9(serve: Callable[..., RunningServer]) -> None:
    moments = random.Random(SEED)
    server = serve("sim:" + ",".join(SYMBOLS), "--seed", "3", "--rate", "400")
    folder = str(server.data_dir)
    traders = [Trader(number, server.port) for number in range(TRADERS)]
    for trader in traders:
        trader.start()
    try:
        for kill in range(KILLS):
            before = sum(len(trader.acknowledged) for trader in traders)
            deadline = time.monotonic() + 180
            # Orders are under way before each kill, and its moment has nothing to do with theirs.
            while sum(len(trader.acknowledged) for trader in traders) < before + 5:
                assert time.monotonic() < deadline, [trader.failure for trader in traders]
                assert not any(trader.failure for trader in traders), [trader.failure for trader in traders]
                time.sleep(0.005)
            time.sleep(moments.uniform(0, 0.4))
            server.kill()
            server.start()
            check(server, folder, traders)
            assert not any(trader.failure for trader in traders), f"after kill {kill + 1}"
    finally:
        for trader in traders:
            trader.stop()
    for trader in traders:
        trader.join(timeout=120)
    assert not any(trader.failure for trader in traders), [trader.failure for trader in traders]
    check(server, folder, traders)
    count = sum(len(trader.acknowledged) for trader in traders)
    print(f"{KILLS} kills, {count} orders acknowledged, {sum(trader.repeated for trader in traders)} found again")
    # All of them are known to the interface too.
    for trader in traders:
        for client, order in list(trader.acknowledged.items())[-20:]:
            assert server.get(f"/v1/orders/{order}")["client_order_id"] == client


def test_while_the_ledger_cannot_be_written_no_order_is_accepted(serve: Callable[..., RunningServer]) -> None:
    server = serve("sim:BTC-USD", "--seed", "3", "--rate", "100")
    trader = Trader(0, server.port)
    order = {
        "client_order_id": "x", "symbol": "BTC-USD", "side": "buy", "type": "limit", "quantity": "1", "limit_price": "1",
    }  # fmt: skip
    first = order | {"client_order_id": "first"}
    status, kept = trader.status("POST", "/v1/orders", first)
    assert status == 201
    blocker = sqlite3.connect(f"{server.data_dir}/ledger.sqlite", isolation_level=None)
    blocker.execute("BEGIN IMMEDIATE")
    status, answer = trader.status("POST", "/v1/orders", order)
    assert (status, answer["error"]["code"]) == (503, "ledger_unavailable")
    health = server.get("/health")
    assert health["trading"]["ledger"] == "failing"
    assert health["status"] == "degraded"
    blocker.execute("ROLLBACK")
    blocker.close()
    deadline = time.monotonic() + 60
    while (outcome := trader.status("POST", "/v1/orders", order))[0] == 503:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert outcome[0] in (200, 201)
    assert server.get("/health")["trading"]["ledger"] == "ok"
    orders = server.get("/v1/orders")["orders"]
    assert [order["client_order_id"] for order in orders] == ["x", "first"]
    assert orders[1] == kept
    log = replay(entries(str(server.data_dir)))
    assert {client: len(ids) for client, ids in log["clients"].items()} == {"first": 1, "x": 1}


def test_a_switch_that_goes_off_while_the_ledger_cannot_be_written_cancels_when_it_can(
    serve: Callable[..., RunningServer],
) -> None:
    """And is kept until its orders are cancelled on disk."""
    server = serve("sim:BTC-USD", "--seed", "3")
    trader = Trader(0, server.port)
    order = {"symbol": "BTC-USD", "side": "buy", "type": "limit", "quantity": "1", "limit_price": "1"}
    kept = server.data_dir / "cancel-after.json"

    def has_no_orders() -> bool:
        status, answer = trader.status("GET", "/v1/orders?status=active", None)
        return status == 200 and not answer["orders"]

    assert trader.status("POST", "/v1/orders", order)[0] == 201
    assert trader.status("POST", "/v1/orders/cancel-after", {"seconds": 1})[0] == 200
    blocker = sqlite3.connect(f"{server.data_dir}/ledger.sqlite", isolation_level=None)
    blocker.execute("BEGIN IMMEDIATE")
    eventually(lambda: server.get("/health")["trading"]["ledger"] == "failing", "the switch goes off")
    # A crash now would begin its time again.
    assert json.loads(kept.read_text()) == {"paper-main": 1}
    blocker.execute("ROLLBACK")
    blocker.close()
    eventually(has_no_orders, "the orders are cancelled", within=30)
    eventually(lambda: json.loads(kept.read_text()) == {}, "the switch is off")
