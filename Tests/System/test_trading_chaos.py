"""Orders over a network that cuts: a client that does not know whether its order arrived sends it again.

The same client order id until there is an answer, as the API requires; none of the project's own code on the
client's side.
"""

import json
import threading
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from http.client import HTTPConnection, HTTPException
from typing import Any

from websockets.exceptions import InvalidHandshake, InvalidMessage, WebSocketException
from websockets.sync.client import connect

from cutting_proxy import CuttingProxy
from running_server import RunningServer
from support.polling import eventually

# So many that a snapshot of the channel holds them all.
ORDERS = 60
QUANTITY = "0.001"


class OrdersReader:
    """Follows the channel `orders` and comes back whenever the connection is cut; each time a snapshot comes first."""

    def __init__(self, port: int) -> None:
        self.orders: dict[str, dict[str, Any]] = {}
        self.fills: set[str] = set()
        self.snapshots = 0
        self.problems: list[str] = []
        self._address = f"ws://127.0.0.1:{port}/v1/stream"
        self._is_over = False
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while not self._is_over:
            try:
                with connect(self._address, open_timeout=60, compression=None) as socket:
                    self._read(socket)
            except (OSError, EOFError, TimeoutError, WebSocketException, InvalidHandshake, InvalidMessage):
                continue

    def _read(self, socket: Any) -> None:
        socket.send(json.dumps({"action": "subscribe", "channel": "orders", "id": 7}))
        expected = ["subscribed", "snapshot"]
        sequence = -1
        for text in socket:
            message = json.loads(text)
            if expected and message["type"] != expected.pop(0):
                self.problems.append(f"too early: {text}")
            # The ledger's order is the channel's order.
            if message["sequence"] < sequence:
                self.problems.append(f"after {sequence}: {text}")
            sequence = message["sequence"]
            self._take(message)
            if self._is_over:
                return

    def _take(self, message: dict[str, Any]) -> None:
        match message["type"]:
            case "snapshot":
                self.snapshots += 1
                self.orders = {order["id"]: order for order in message["orders"]}
                self.fills = {fill["id"] for fill in message["fills"]}
            case "order":
                order = message["order"]
                if order["version"] > self.orders.get(order["id"], {"version": 0})["version"]:
                    self.orders[order["id"]] = order
            case "fill":
                self.fills.add(message["fill"]["id"])

    def stop(self) -> None:
        self._is_over = True


def request(number: int) -> dict[str, str]:
    """Two that trade at once, in both directions, and one that waits for ever."""
    kinds = [
        {"side": "buy", "type": "market"},
        {"side": "sell", "type": "market"},
        {"side": "buy", "type": "limit", "limit_price": "1"},
    ]
    return {"client_order_id": f"chaos-{number}", "symbol": "BTC-USD", "quantity": QUANTITY, **kinds[number % 3]}


def place(port: int, order: dict[str, str]) -> tuple[int, dict[str, Any], int]:
    """Says the order until there is an answer: its status, the order, and how often it was said."""
    for tries in range(1, 1000):
        connection = HTTPConnection("127.0.0.1", port, timeout=60)
        try:
            connection.request("POST", "/v1/orders", json.dumps(order), {"Content-Type": "application/json"})
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read()), tries
        except (OSError, HTTPException):
            continue
        finally:
            connection.close()
    raise AssertionError(f"no answer to {order}")


def test_each_client_order_id_executes_once_and_the_channel_ends_where_rest_is(
    serve: Callable[..., RunningServer],
) -> None:
    server = serve("sim:BTC-USD", "--seed", "5")
    proxy = CuttingProxy(server.port, seed=21)
    reader = OrdersReader(proxy.port)
    try:
        eventually(lambda: reader.snapshots > 0, "the channel begins", within=60)
        proxy.chance = 0.2
        acknowledged: dict[str, str] = {}
        said = repeated = 0
        for number in range(ORDERS):
            status, order, tries = place(proxy.port, request(number))
            assert status in (200, 201), order
            acknowledged[order["client_order_id"]] = order["id"]
            said += tries
            repeated += status == 200
            if number % 10 == 9:
                proxy.cut_all()
        proxy.chance = 0.0

        def orders() -> list[dict[str, Any]]:
            return server.get("/v1/orders", status="all", limit=1000)["orders"]

        eventually(
            lambda: all(order["status"] == "filled" for order in orders() if order["type"] == "market"),
            "all market orders are filled",
            within=180,
        )
        final = {order["id"]: order for order in orders()}
        assert {order["client_order_id"]: order["id"] for order in final.values()} == acknowledged
        assert len(final) == len(acknowledged) == ORDERS
        fills = server.get("/v1/fills", limit=1000)["fills"]
        assert max(Counter(fill["id"] for fill in fills).values()) == 1
        for order in final.values():
            expected = Decimal(QUANTITY) if order["type"] == "market" else Decimal(0)
            executed = sum((Decimal(fill["quantity"]) for fill in fills if fill["order_id"] == order["id"]), Decimal(0))
            assert executed == Decimal(order["filled_quantity"]) == expected, order

        # A snapshot holds the newest hundred fills.
        newest = {fill["id"] for fill in fills[:100]}
        eventually(
            lambda: reader.orders == final and newest <= reader.fills,
            "the channel says what REST says",
            within=60,
        )
        assert reader.fills <= {fill["id"] for fill in fills}
        assert reader.problems == []
        # A network that did nothing proves nothing: orders were said again that were there already.
        assert said > ORDERS and repeated > 0 and reader.snapshots > 3 and proxy.cuts > 20
        print(f"{ORDERS} orders said {said} times, {repeated} of them known already; {proxy.cuts} cuts, "
              f"{reader.snapshots} snapshots, {len(fills)} fills")  # fmt: skip
    finally:
        reader.stop()
        proxy.stop()
