"""Clients that hold on to a server cost it little, keep nobody else out, and do not keep it from stopping."""

import json
import os
import time
from collections.abc import Callable
from pathlib import Path

from support.polling import eventually

from certificates import make_certificates
from figures import figure
from raw_socket import RawSocket
from running_server import RunningServer
from slow_clients import (
    MANY_CANDLES, crowd, dial, exchange, limit_descriptors, open_descriptors, processor_seconds, read_all, status,
)  # fmt: skip

# How many clients drip at the same time.
DRIPPING = int(os.environ.get("CANDLEWIRE_DRIPPING", "200"))
HEALTH = b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"


def health(server: RunningServer) -> dict:
    return json.loads(exchange(server.port, HEALTH).split(b"\r\n\r\n", 1)[1])


def test_a_server_that_is_stopped_does_not_wait_for_hostile_clients(serve: Callable[..., RunningServer]) -> None:
    server = serve("sim:BTC-USD,ETH-USD", "--shutdown-timeout", "2")
    streams = [RawSocket(server.port) for _ in range(3)]
    with crowd(server) as clients:
        clients.drip(20)
        clients.ignore_answers(5)
        clients.idle(20)
        eventually(lambda: health(server)["connections"]["http"] >= 46, "all are connected", within=60)
        code, seconds = server.terminate(within=60)
    assert code == 0, server.log
    figure("stop with 45 hostile clients, --shutdown-timeout 2", f"{seconds:.1f} s")
    # The two seconds, and what a busy machine needs to write its candles and to exit.
    assert seconds < 15, seconds
    assert "were cut off" in server.log
    for stream in streams:
        with stream:
            text = b""
            while data := stream.read(time.monotonic() + 60):
                text += data
            assert b'"closing"' in text, text[:200]


def test_a_stopped_server_does_not_wait_for_unfinished_handshakes(
    serve: Callable[..., RunningServer], tmp_path: Path
) -> None:
    made = make_certificates(tmp_path)
    server = serve(
        "sim:BTC-USD", "--tls-cert", str(made.certificate), "--tls-key", str(made.key), "--shutdown-timeout", "2"
    )
    with crowd(server) as clients:
        clients.start_handshakes(20)
        clients.idle(5)
        code, seconds = server.terminate(within=60)
    assert code == 0 and seconds < 15, (code, seconds, server.log)


def test_a_server_that_stops_says_so_before_it_stops_listening(serve: Callable[..., RunningServer]) -> None:
    server = serve("sim:BTC-USD", "--drain-delay", "3")
    assert health(server)["status"] == "ok"
    process = server._process
    assert process is not None
    process.terminate()
    eventually(lambda: health(server)["status"] == "closing", "/health says that it is closing", within=60)
    assert status(exchange(server.port, MANY_CANDLES)) == 200, "it goes on meanwhile"
    code, _ = server.terminate(within=60)
    assert code == 0


def test_bodies_that_drip_are_answered_408_and_keep_nobody_out(serve: Callable[..., RunningServer]) -> None:
    server = serve("sim:BTC-USD", "--body-timeout", "3")
    used, began, slowest = processor_seconds(server), time.monotonic(), 0.0

    def connections() -> dict:
        nonlocal slowest
        requested = time.monotonic()
        found = health(server)["connections"]
        slowest = max(slowest, time.monotonic() - requested)
        return found

    with crowd(server) as clients:
        clients.drip(DRIPPING)
        eventually(
            lambda: (found := connections())["http"] + found["closed"]["late_body"] > DRIPPING,
            "health is answered, and all are connected", within=60,
        )  # fmt: skip
        deadline = time.monotonic() + 60
        while clients.more() and time.monotonic() < deadline and connections()["http"] > 1:
            time.sleep(0.2)
        answers = clients.answers()
    load = (processor_seconds(server) - used) / (time.monotonic() - began)
    figure(f"{DRIPPING} clients that drip: slowest answer of /health", f"{slowest * 1000:.0f} ms")
    figure(f"{DRIPPING} clients that drip: share of a processor", f"{load:.0%}")
    refused = sum(answer.startswith(b"HTTP/1.1 408 ") for answer in answers)
    assert refused >= 0.975 * DRIPPING, (refused, answers[:3])
    assert any(b'"body_too_slow"' in answer for answer in answers)
    after = health(server)["connections"]
    assert after["http"] == 1 and after["closed"]["late_body"] == DRIPPING, after
    assert "error" not in server.log.lower(), server.log


def test_what_is_too_slow_for_ten_seconds_is_given_up(serve: Callable[..., RunningServer]) -> None:
    server = serve("sim:BTC-USD", "--min-transfer-rate", "1000")
    with crowd(server) as bodies, crowd(server) as readers:
        bodies.drip(2)
        readers.ignore_answers(2)
        def ended() -> bool:
            bodies.more()
            closed = health(server)["connections"]["closed"]
            return closed["late_body"] == 2 and closed["late_reader"] == 2
        eventually(ended, "both are given up", within=60)


def test_a_head_that_does_not_come_is_answered_408(serve: Callable[..., RunningServer]) -> None:
    server = serve("sim:BTC-USD", "--header-timeout", "1")
    answer = exchange(server.port, b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ")
    assert status(answer) == 408
    assert b"referrer-policy" in answer.lower()
    assert health(server)["connections"]["closed"]["late_head"] == 1


def test_without_file_descriptors_health_is_still_answered(serve: Callable[..., RunningServer]) -> None:
    server = serve("sim:BTC-USD")
    limit_descriptors(server, 60)
    with crowd(server) as clients:
        clients.idle(200)
        eventually(lambda: "no file descriptor is left" in server.log, "the shortage is logged", within=60)
        began, used = time.monotonic(), processor_seconds(server)
        for _ in range(5):
            found = health(server)
            assert found["status"] == "ok" and found["connections"]["out_of_descriptors"] > 0
        refused = exchange(server.port, b"GET /v1/markets HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert status(refused) == 503 and b"retry-after: 10" in refused.lower(), refused
        assert b'"too_many_connections"' in refused
        eventually(lambda: time.monotonic() - began > 3, "a while passes", within=60)
        load = (processor_seconds(server) - used) / (time.monotonic() - began)
        assert load < 0.6, f"the server used {load:.0%} of a processor"
        assert server.log.count("no file descriptor is left") == 1, server.log
        figure("no file descriptor left: share of a processor", f"{load:.0%}")
    ended = time.monotonic()
    eventually(
        lambda: status(exchange(server.port, b"GET /v1/markets HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")) == 200,
        "all is served again", within=60,
    )  # fmt: skip
    figure("file descriptors again, until all is served", f"{time.monotonic() - ended:.2f} s")
    assert server.log.count("no file descriptor is left") == 1, server.log
    eventually(lambda: "file descriptors for connections again" in server.log, "the end is logged too", within=60)


def test_a_server_that_is_full_answers_health_and_503(serve: Callable[..., RunningServer]) -> None:
    server = serve("sim:BTC-USD", "--max-http-connections", "20")
    with crowd(server) as clients:
        clients.idle(20)
        eventually(lambda: health(server)["connections"]["http"] == 21, "it is full", within=60)
        answer = exchange(server.port, b"GET /v1/markets HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert status(answer) == 503 and b"retry-after: 10" in answer.lower()
        with dial(server.port) as upgrade:
            upgrade.sendall(
                b"GET /v1/stream HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
            )
            assert status(read_all(upgrade)) == 503
        # Beyond those that are told, none is accepted.
        clients.idle(40)
        assert open_descriptors(server) < 120
    eventually(
        lambda: status(exchange(server.port, b"GET /v1/markets HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")) == 200,
        "there is room again", within=60,
    )  # fmt: skip


def test_a_stream_leaves_its_place_to_requests(serve: Callable[..., RunningServer]) -> None:
    server = serve("sim:BTC-USD", "--max-http-connections", "5")
    streams = [RawSocket(server.port) for _ in range(12)]
    found = health(server)["connections"]
    assert (found["http"], found["websockets"]) == (1, 12)
    for stream in streams:
        stream.__exit__()
    eventually(lambda: health(server)["connections"]["websockets"] == 0, "they are gone", within=60)


def test_a_connection_that_lies_idle_between_requests_is_closed(serve: Callable[..., RunningServer]) -> None:
    server = serve("sim:BTC-USD", "--idle-timeout", "0.5")
    with dial(server.port) as connection:
        connection.settimeout(30)
        for _ in range(2):
            connection.sendall(b"HEAD /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            assert connection.recv(65_536).startswith(b"HTTP/1.1 200")
        while connection.recv(65_536):
            pass
