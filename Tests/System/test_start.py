"""Clients that wait for a server to come back find it in the very moment in which it looks whether its port is free."""

import socket
import threading
from pathlib import Path

from running_server import RunningServer

REQUEST = b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
# Descriptors are not without end.
LIMIT = 300


class Knocking(threading.Thread):
    """Connects again and again, and sends a request to whatever accepts."""

    def __init__(self, port: int) -> None:
        super().__init__(daemon=True)
        self._port = port
        self._halt = threading.Event()
        self.opened: list[socket.socket] = []

    def run(self) -> None:
        while not self._halt.is_set() and len(self.opened) < LIMIT:
            try:
                connection = socket.create_connection(("127.0.0.1", self._port), timeout=60)
            except OSError:
                continue
            self.opened.append(connection)
            try:
                connection.sendall(REQUEST)
            except OSError:
                continue

    def stop(self) -> None:
        self._halt.set()
        self.join(timeout=60)


def end_of(connection: socket.socket) -> str:
    """What became of a connection; a `TimeoutError` where nothing does."""
    answer = b""
    with connection:
        try:
            while data := connection.recv(65_536):
                answer += data
        except ConnectionResetError:
            return "turned away"
    if not answer:
        return "turned away"
    assert answer.startswith(b"HTTP/1.1 200 "), answer
    return "answered"


def test_who_connects_while_the_server_starts_is_answered_or_turned_away(tmp_path: Path) -> None:
    server = RunningServer(tmp_path / "data", feed="sim:BTC-USD", flags=("--seed", "3"))
    try:
        for _ in range(3):
            knocking = Knocking(server.port)
            knocking.start()
            server.start()
            knocking.stop()
            ends = [end_of(connection) for connection in knocking.opened]
            assert "answered" in ends
            print(f"{ends.count('turned away')} turned away, {ends.count('answered')} answered")
            server.kill()
    finally:
        server.stop()
