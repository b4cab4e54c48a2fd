"""What people read when a connection breaks: sentences, and no names of system calls or numbers of errors."""

import base64
import hashlib
import re
import socket
import struct
import subprocess
import threading
from collections.abc import Callable, Iterator

import pytest
from raw_socket import GUID
from running_server import RunningServer
from support.polling import eventually
from support.server import binary

RAW = re.compile(r"descriptor|errno|IOError|NIO|\b\w+\(\w*:")


@pytest.fixture
def resetting() -> Iterator[int]:
    """The port of a server that opens each WebSocket and then resets its connection."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def answer(client: socket.socket) -> None:
            with client:
                head = b""
                while not head.endswith(b"\r\n\r\n"):
                    piece = client.recv(4096)
                    if not piece:
                        return
                    head += piece
                key = re.search(rb"(?i)sec-websocket-key: *(\S+)", head)
                if key is None:
                    return
                accept = base64.b64encode(hashlib.sha1(key[1] + GUID).digest())
                client.sendall(
                    b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    b"Sec-WebSocket-Accept: " + accept + b"\r\n\r\n"
                )
                # What the client sends shows that it has the answer; unread, it makes the end a reset.
                client.recv(1)
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

        def accept() -> None:
            while True:
                try:
                    client, _ = listener.accept()
                except OSError:
                    return
                threading.Thread(target=answer, args=(client,), daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()
        yield listener.getsockname()[1]


def test_a_command_says_that_the_connection_was_cut(resetting: int) -> None:
    ended = subprocess.run(
        [str(binary()), "tracker", "--url", f"ws://127.0.0.1:{resetting}/raw", "--once"],
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert ended.returncode == 69
    assert "the connection was cut" in ended.stderr and not RAW.search(ended.stderr), ended.stderr


def test_a_servers_log_says_it_too(resetting: int, serve: Callable[..., RunningServer]) -> None:
    server = serve("coinbase:BTC-USD", "--url", f"ws://127.0.0.1:{resetting}/")

    def losses() -> list[str]:
        return [line for line in server.log.splitlines() if "feed lost" in line]

    eventually(lambda: len(losses()) > 1, "the feed is lost again and again")
    assert all("the connection was cut" in line and not RAW.search(line) for line in losses()), losses()
