"""Orders are never left out: who does not read them is closed, and who reads gets each of them in order."""

import http.client
import json
import threading
from collections.abc import Callable
from typing import Any

import pytest
from support.polling import eventually
from websockets.sync.client import connect

from raw_socket import TEXT, RawSocket
from running_server import RunningServer

pytestmark = pytest.mark.serial

ORDERS = 400


class Listener(threading.Thread):
    """Reads a channel of orders to its end."""

    def __init__(self, url: str) -> None:
        super().__init__(daemon=True)
        self._url = url
        self.ready = threading.Event()
        self.versions: dict[str, list[int]] = {}
        self.problems: list[str] = []

    def run(self) -> None:
        with connect(self._url, max_size=None) as connection:
            connection.send(json.dumps({"action": "subscribe", "channel": "orders"}))
            last = 0
            for text in connection:
                message = json.loads(text)
                if message["type"] == "snapshot":
                    self.ready.set()
                if message["type"] != "order":
                    continue
                if message["sequence"] < last:
                    self.problems.append(f"{message['sequence']} after {last}")
                last = message["sequence"]
                order = message["order"]
                self.versions.setdefault(order["id"], []).append(order["version"])


def test_a_reader_of_orders_that_stops_reading_is_closed_and_others_get_all(serve: Callable[..., RunningServer]) -> None:
    server = serve("sim:BTC-USD", "--seed", "3", "--rate", "20")
    desk = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)

    def place(number: int, leverage: int) -> dict[str, Any]:
        order = {
            "client_order_id": f"s-{number}", "symbol": "BTC-USD", "side": "buy", "type": "limit", "quantity": "0.001",
            "limit_price": "1", "leverage": leverage,
        }  # fmt: skip
        desk.request("POST", "/v1/orders", body=json.dumps(order), headers={"Content-Type": "application/json"})
        answer = desk.getresponse()
        document = json.loads(answer.read())
        assert answer.status == 201, document
        return document

    listener = Listener(server.stream)
    listener.start()
    assert listener.ready.wait(60)
    with RawSocket(server.port, receive_buffer=4096) as deaf:
        deaf.send(TEXT, json.dumps({"action": "subscribe", "channel": "orders"}).encode())
        deaf.send(TEXT, json.dumps({"action": "subscribe", "channel": "positions"}).encode())
        eventually(lambda: server.get("/health")["streams"]["connections"] == 2, "both are there", within=60)
        number = 0
        while number < ORDERS:
            number += 1
            place(number, leverage=1)
        # Another leverage gives every waiting order its next version: messages by the hundred.
        while server.get("/health")["streams"]["closed"]["4008"] == 0:
            number += 1
            assert number < ORDERS + 200, "the reader that does not read is still there"
            place(number, leverage=2 + number % 2)
    orders = [order for order in server.get("/v1/orders", limit=1000)["orders"]]
    assert len(orders) == number

    def is_complete() -> bool:
        return all(listener.versions.get(order["id"], [0])[-1] == order["version"] for order in orders)

    eventually(is_complete, "the client that reads has them all", within=60)
    assert not listener.problems
    for order in orders:
        assert listener.versions[order["id"]] == list(range(1, order["version"] + 1)), order["id"]
