"""Requests that no well-behaved client sends, byte by byte: each gets its answer, and none an ERROR in the log."""

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from support.polling import eventually

from running_server import RunningServer
from slow_clients import dial, exchange, read_all, status

HOST = b"Host: 127.0.0.1\r\n"
ORDER = b"POST /v1/orders HTTP/1.1\r\n" + HOST + b"Content-Type: application/json\r\n"
CHUNKED = ORDER + b"Transfer-Encoding: chunked\r\n\r\n"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    folder = tmp_path_factory.mktemp("hostile") / "data"
    server = RunningServer(folder, feed="sim:BTC-USD", flags=("--log-level", "debug")).start()
    yield server
    server.stop()
    assert " error " not in server._log_path.read_text().lower()


REFUSED = {
    "no Host": b"GET /health HTTP/1.1\r\n\r\n",
    "two Hosts": b"GET /health HTTP/1.1\r\n" + HOST + HOST + b"\r\n",
    "two different Hosts": b"GET /health HTTP/1.1\r\n" + HOST + b"Host: evil.example\r\n\r\n",
    "an invalid Host": b"GET /health HTTP/1.1\r\nHost: a b\r\n\r\n",
    "two Hosts for a stream": b"GET /v1/stream HTTP/1.1\r\n" + HOST + HOST + b"Upgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
    "Transfer-Encoding in HTTP/1.0": b"POST /v1/orders HTTP/1.0\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "both lengths": ORDER + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "a chunk size that is none": CHUNKED + b"zz\r\n{}\r\n0\r\n\r\n",
    "a chunk longer than its size": CHUNKED + b"2\r\n{}{}\r\n0\r\n\r\n",
    "a chunk size of 17 digits": CHUNKED + b"fffffffffffffffff\r\n{}",
    "a second request that is none": b"GET /health HTTP/1.1\r\n" + HOST + b"\r\n" + b"nonsense\r\n\r\n",
    "no HTTP": b"SSH-2.0-OpenSSH_9.2\r\n\r\n",
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_ambiguous_or_malformed_is_answered_400(server: RunningServer, name: str) -> None:
    answer = exchange(server.port, REFUSED[name])
    if name == "a second request that is none":
        assert status(answer) == 200
        answer = answer[answer.index(b"HTTP/1.1 400 ") :]
    assert status(answer) == 400, answer
    head, body = answer.split(b"\r\n\r\n", 1)
    assert b"connection: close" in head.lower() and b"referrer-policy: no-referrer" in head.lower(), head
    assert b"form-action 'self'" in head and b"cross-origin-resource-policy: same-origin" in head.lower()
    assert json.loads(body)["error"]["message"]


def test_an_old_client_without_a_host_is_answered(server: RunningServer) -> None:
    assert status(exchange(server.port, b"GET /health HTTP/1.0\r\n\r\n")) == 200


def test_a_refused_handshake_has_the_headers_too(server: RunningServer) -> None:
    answer = exchange(
        server.port,
        b"GET /nothing HTTP/1.1\r\n" + HOST + b"Upgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
    )
    assert status(answer) == 404 and b"referrer-policy" in answer.lower() and b"form-action" in answer


def test_chunk_extensions_end(server: RunningServer) -> None:
    with dial(server.port) as client:
        client.sendall(CHUNKED + b"1;")
        sent = 0
        try:
            while sent < 8 << 20:
                sent += client.send(b"a" * 4096)
        except OSError:
            pass
        assert sent < 4 << 20, "an extension without an end is read on and on"
        answer = b""
        try:
            answer = read_all(client)
        except OSError:
            pass
    assert not answer or status(answer) == 400


def test_small_chunks_with_small_extensions_are_no_attack(server: RunningServer) -> None:
    body = json.dumps({"symbol": "BTC-USD", "side": "buy", "quantity": "-1", "type": "market"}).encode()
    chunks = b"".join(b"1;a=b\r\n%c\r\n" % byte for byte in body)
    answer = exchange(server.port, CHUNKED + chunks + b"0\r\n\r\n")
    assert status(answer) == 422 and b"quantity" in answer, answer


def test_what_is_answered_before_its_body_is_not_read_to_its_end(server: RunningServer) -> None:
    for path in (b"/v1/orders", b"/nothing", b"/health"):
        with dial(server.port) as client:
            client.sendall(b"POST " + path + b" HTTP/1.1\r\n" + HOST + b"Content-Length: 1000000000\r\n\r\n")
            sent = 0
            try:
                while sent < 64 << 20:
                    sent += client.send(b" " * 65536)
            except OSError:
                pass
            # Two directions of loopback sockets hold some megabytes by themselves.
            assert sent < 32 << 20, (path, sent)


@pytest.mark.parametrize(("path", "expected"), [(b"/nothing", 404), (b"/v1/orders", 413)])
def test_the_answer_to_a_body_that_is_too_large_arrives(server: RunningServer, path: bytes, expected: int) -> None:
    with dial(server.port) as client:
        client.sendall(b"POST " + path + b" HTTP/1.1\r\n" + HOST + b"Content-Length: 200000\r\n\r\n" + b" " * 100_000)
        asked = time.monotonic()
        answer = read_all(client)
        assert time.monotonic() - asked < 30
    assert status(answer) == expected and b"connection: close" in answer.lower(), answer


def test_a_connection_goes_on_after_a_body_that_was_read(server: RunningServer) -> None:
    request = ORDER + b"Content-Length: 2\r\n\r\n{}"
    answer = exchange(server.port, request + b"GET /nothing HTTP/1.1\r\n" + HOST + b"\r\n")
    assert answer.count(b"HTTP/1.1 ") == 2 and b"HTTP/1.1 404 " in answer, answer


def test_an_aborted_body_is_no_error_of_the_server(serve: Callable[..., RunningServer], tmp_path: Path) -> None:
    server = serve("sim:BTC-USD", "--log-level", "debug")
    for end in (b"", b"5\r\n{"):
        for _ in range(20):
            with dial(server.port) as client:
                client.sendall(CHUNKED + end if end else ORDER + b"Content-Length: 100\r\n\r\n{")
    eventually(lambda: server.get("/health")["connections"]["http"] == 1, "they are gone", within=60)
    log = server._log_path.read_text()
    assert "a request failed" not in log and " error " not in log, log[-3000:]
    assert server.get("/v1/orders")["orders"] == []
