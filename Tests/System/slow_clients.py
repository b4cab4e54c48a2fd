"""Clients that hold on to a server: they drip, do not read, stop within a handshake, or only connect. Raw sockets, no threads."""

import os
import resource
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from running_server import RunningServer

DRIPPING = b"POST /v1/orders HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{"
MANY_CANDLES = b"GET /v1/candles?symbol=BTC-USD&timeframe=1s&limit=10000 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


def dial(port: int, *, receive_buffer: int | None = None) -> socket.socket:
    client = socket.socket()
    if receive_buffer:
        # Before the connection is made: it bounds the window that is announced.
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    client.settimeout(60)
    client.connect(("127.0.0.1", port))
    return client


class Crowd:
    """Connections that are closed together."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.members: list[socket.socket] = []

    def drip(self, count: int) -> None:
        """Requests whose bodies come byte by byte, with `more`."""
        for _ in range(count):
            self._join(dial(self._port), DRIPPING)

    def idle(self, count: int) -> None:
        """Connections without a request."""
        for _ in range(count):
            self._join(dial(self._port), b"")

    def ignore_answers(self, count: int) -> None:
        """Requests for more than the system's buffers hold, of which nothing is read."""
        for _ in range(count):
            self._join(dial(self._port, receive_buffer=4096), MANY_CANDLES * 20)

    def start_handshakes(self, count: int) -> None:
        """TLS that stops behind the first record's head."""
        for _ in range(count):
            self._join(dial(self._port), b"\x16\x03\x01\x02\x00\x01")

    def _join(self, client: socket.socket, first: bytes) -> None:
        client.sendall(first)
        client.setblocking(False)
        self.members.append(client)

    def more(self, data: bytes = b" ") -> int:
        """One byte of each; returns how many were still heard."""
        heard = 0
        for client in self.members:
            try:
                client.send(data)
                heard += 1
            except OSError:
                pass
        return heard

    def answers(self) -> list[bytes]:
        """What each has got; empty where nothing came or the connection was reset."""
        received = []
        for client in self.members:
            try:
                received.append(client.recv(1 << 16))
            except OSError:
                received.append(b"")
        return received

    def close(self) -> None:
        for client in self.members:
            client.close()
        self.members.clear()


@contextmanager
def crowd(server: RunningServer) -> Iterator[Crowd]:
    clients = Crowd(server.port)
    try:
        yield clients
    finally:
        clients.close()


def exchange(port: int, request: bytes, *, within: float = 60) -> bytes:
    """All that a server answers until it closes, or until nothing came for a second after something did."""
    with dial(port) as client:
        client.sendall(request)
        return read_all(client, within=within)


def read_all(client: socket.socket, *, within: float = 60) -> bytes:
    data, deadline = b"", time.monotonic() + within
    while (left := deadline - time.monotonic()) > 0:
        client.settimeout(min(left, 1) if data else left)
        try:
            part = client.recv(1 << 16)
        except (TimeoutError, ConnectionResetError):
            break
        if not part:
            break
        data += part
    return data


def status(answer: bytes) -> int:
    assert answer.startswith(b"HTTP/1.1 "), answer[:200]
    return int(answer[9:12])


def processor_seconds(server: RunningServer) -> float:
    """What the server's process used so far."""
    fields = Path(f"/proc/{server.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def open_descriptors(server: RunningServer) -> int:
    return len(os.listdir(f"/proc/{server.pid}/fd"))


def limit_descriptors(server: RunningServer, more: int) -> None:
    """From now on the server may open only so many more."""
    limit = open_descriptors(server) + more
    resource.prlimit(server.pid, resource.RLIMIT_NOFILE, (limit, limit))
