"""Readers that vanish in the middle of everything must not take the server with them."""

import base64
import json
import os
import socket
import struct
import threading
import time
from collections.abc import Callable

from running_server import RunningServer


def frame(text: str) -> bytes:
    """A masked text frame; the mask of zeros leaves the payload readable."""
    payload = text.encode()
    head = bytes([0x81, 0x80 | len(payload)]) if len(payload) < 126 else struct.pack("!BBH", 0x81, 0xFE, len(payload))
    return head + bytes(4) + payload


def read_and_vanish(port: int) -> None:
    """Subscribes rate-limited and unlimited streams, reads for a moment and resets the connection."""
    with socket.create_connection(("127.0.0.1", port)) as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        key = base64.b64encode(os.urandom(16)).decode()
        client.sendall(
            f"GET /v1/stream HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n".encode()
        )
        client.recv(4096)
        for symbol, limit in (("BTC-USD", {"max_rate": 3}), ("ETH-USD", {"max_rate": 3}), ("SOL-USD", {})):
            subscription = {"action": "subscribe", "symbol": symbol, "timeframe": "1m", "history": 0, **limit}
            client.sendall(frame(json.dumps(subscription)))
        until = time.monotonic() + 0.2 + os.urandom(1)[0] / 1000
        while time.monotonic() < until:
            client.recv(65536)


def test_connections_that_are_reset_do_no_harm(serve: Callable[..., RunningServer]) -> None:
    server = serve("sim", "--rate", "4000", "--seed", "3")
    until = time.monotonic() + 8

    def come_and_go() -> None:
        while time.monotonic() < until:
            try:
                read_and_vanish(server.port)
            except OSError:
                continue

    threads = [threading.Thread(target=come_and_go) for _ in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert server.get("/health")["status"] == "ok"
