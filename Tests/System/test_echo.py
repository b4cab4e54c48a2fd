"""`/raw` on the server and `candlewire echo` as a client: every message comes back, whatever its size."""

import os
import socket
import subprocess
import threading
from pathlib import Path

import pytest
from raw_socket import RawSocket
from support.server import binary
from test_cli import candlewire, error_of
from websockets.sync.client import connect
from websockets.sync.server import ServerConnection
from websockets.sync.server import serve as serve_websocket

MESSAGES = ["", "é" * 1000, b"", bytes(range(256)) * 4, os.urandom(1 << 20), "x" * (16 << 20)]


def test_the_server_sends_every_message_back(quiet) -> None:
    with connect(f"ws://127.0.0.1:{quiet.port}/raw", max_size=None, compression=None) as connection:
        for message in MESSAGES:
            connection.send(message)
            assert connection.recv(timeout=60) == message
        parts = [os.urandom(16) for _ in range(20_000)]
        connection.send(parts)
        assert connection.recv(timeout=60) == b"".join(parts)


def test_the_server_stops_reading_while_its_echoes_are_not_read(quiet) -> None:
    part = b"x" * (1 << 20)
    with RawSocket(quiet.port, path="/raw", receive_buffer=1 << 16) as connection:
        sent = 0
        with pytest.raises(TimeoutError):
            # More than the buffers of both sides hold and than the server may keep.
            while sent < 256:
                connection.send_within(3, 2, part)
                sent += 1
        assert sent < 64


@pytest.mark.parametrize("size", [len(message) for message in MESSAGES])
def test_the_client_sends_every_message_back(tmp_path: Path, size: int) -> None:
    message = next(message for message in MESSAGES if len(message) == size)
    answers: list[str | bytes] = []

    def converse(connection: ServerConnection) -> None:
        connection.send(message)
        answers.append(connection.recv(timeout=60))
        connection.close(1000, "enough")

    with serve_websocket(converse, "127.0.0.1", 0, max_size=None, compression=None) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        port = server.socket.getsockname()[1]
        answer = candlewire("echo", f"ws://127.0.0.1:{port}/", folder=tmp_path)
        server.shutdown()
        thread.join()
    assert answers == [message]
    count = len(message.encode() if isinstance(message, str) else message)
    assert answer.stdout == f"1 messages, {count} bytes sent back; closed with 1000 (enough)\n"
    assert (answer.returncode, answer.stderr) == (0, "")


def test_an_address_without_a_server_is_reported_in_one_sentence(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    answer = candlewire("echo", f"ws://127.0.0.1:{port}/", folder=tmp_path)
    assert f"Cannot connect to 127.0.0.1:{port}" in error_of(answer)
    assert answer.returncode == 69


def test_a_refusal_is_reported_with_its_status(quiet, tmp_path: Path) -> None:
    answer = candlewire("echo", f"ws://127.0.0.1:{quiet.port}/nowhere", folder=tmp_path)
    assert "The server refused the WebSocket: HTTP 404 Not Found" in error_of(answer)
    assert answer.returncode == 69


def test_a_connection_that_breaks_off_ends_the_client(tmp_path: Path) -> None:
    def converse(connection: ServerConnection) -> None:
        connection.socket.shutdown(socket.SHUT_RDWR)

    with serve_websocket(converse, "127.0.0.1", 0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        port = server.socket.getsockname()[1]
        answer = subprocess.run(
            [binary(), "echo", f"ws://127.0.0.1:{port}/"], capture_output=True, text=True, timeout=120, check=False
        )
        server.shutdown()
        thread.join()
    assert answer.returncode == 1
    assert "closed with 1006 (connection lost)" in answer.stdout
