"""`candlewire serve --feed provider:FILE`: a provider that a configuration describes, followed by the whole server."""

import json
import socket as sockets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from running_server import RunningServer
from support.polling import eventually
from websockets.exceptions import ConnectionClosed
from websockets.sync.server import ServerConnection
from websockets.sync.server import serve as listen

Serve = Callable[..., RunningServer]


@contextmanager
def provider(
    speak: Callable[[ServerConnection], None], answer: Callable[[str, dict[str, str]], tuple[int, Any]] | None = None
) -> Iterator[str]:
    def stream(socket: ServerConnection) -> None:
        try:
            speak(socket)
            while True:
                socket.recv()
        except ConnectionClosed:
            pass

    def respond(socket: ServerConnection, request: Any) -> Any:
        if "Upgrade" in request.headers or answer is None:
            return None
        split = urlsplit(request.path)
        status, body = answer(split.path, {name: values[0] for name, values in parse_qs(split.query).items()})
        return socket.respond(HTTPStatus(status), json.dumps(body))

    with listen(stream, "127.0.0.1", 0, process_request=respond) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"ws://127.0.0.1:{server.socket.getsockname()[1]}/v1?key={{token}}"
        finally:
            server.shutdown()
            thread.join()


def configuration(folder: Path, url: str, **more: Any) -> str:
    path = folder / "acme.json"
    path.write_text(json.dumps({"url": url, "name": "acme", "token_env": "ACME_TOKEN", "history": None, **more}))
    return f"provider:{path}:BTC-USD"


def test_a_provider_of_candles_has_prices_charts_and_final_candles(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a single trade. The token goes where the file says, and is shown nowhere."""
    monkeypatch.setenv("ACME_TOKEN", "hush-hush")
    minute = int(time.time() / 60)
    paths = []

    def candle(number: int, close: float, volume: float, final: bool) -> str:
        return json.dumps(
            {"kind": "bar", "s": "BTC-USD", "k": [number * 60_000, 100, 120, 90, close, volume], "done": final}
        )

    def speak(socket: ServerConnection) -> None:
        assert socket.request is not None
        paths.append((socket.request.path, socket.request.headers.get("X-Key")))
        assert json.loads(socket.recv()) == {"sub": ["BTC-USD"]}
        socket.send(candle(minute - 2, 105, 3, True))
        socket.send(candle(minute - 1, 110, 4, False))
        socket.send(candle(minute - 1, 111, 5, True).encode())
        socket.send(candle(minute, 101, 1, False))
        socket.send(f"[{candle(minute, 102.125, 1.5, False)}]")

    shape = {
        "type": "kind", "time": "ms", "subscribe": {"sub": "{symbols}"}, "headers": {"X-Key": "{token}"},
        "tick": None, "snapshot": None,
        "candle": {
            "type": "bar", "rows": "k", "symbol": "$.s", "timestamp": "0", "open": "1", "high": "2", "low": "3",
            "close": "4", "volume": "5", "timeframe": None, "final": "$.done",
        },
    }  # fmt: skip
    with provider(speak) as url:
        server = serve(configuration(tmp_path, url, **shape))
        eventually(lambda: server.get("/v1/markets")["markets"][0]["price"] == 102.125, "a price")
        assert server.get("/v1/markets")["markets"][0]["precision"] == 3
        rows = server.get("/v1/candles", symbol="BTC-USD", timeframe="1m")
        assert [(row["timestamp"] // 60 - minute, row["close"], row["volume"]) for row in rows] == [
            (-2, 105, 3), (-1, 111, 5), (0, 102.125, 1.5),
        ]  # fmt: skip
        assert all((row["open"], row["high"], row["low"]) == (100, 120, 90) for row in rows)
        feed = server.get("/health")["feeds"][0]
        assert feed["state"] == "live" and feed["trades"] == 0
        server.stop()
        assert paths == [("/v1?key=hush-hush", "hush-hush")]
        assert "hush" not in server.log


def test_rejected_ticks_are_counted_by_reason_feed_by_feed(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Price, volume and timestamp are checked, and messages that were not requested are counted."""
    monkeypatch.setenv("ACME_TOKEN", "hush")
    now = int(time.time())

    def speak(socket: ServerConnection) -> None:
        socket.recv()
        for when, price, volume, symbol in [
            (now, 0, 1, "BTC-USD"), (now, -5, 1, "BTC-USD"), (now, 5, -1, "BTC-USD"), (0, 5, 1, "BTC-USD"),
            (now - 301, 5, 1, "BTC-USD"), (now, 5, 1, "OTHER"), (now, None, 1, "BTC-USD"), (now, 5, 0, "BTC-USD"),
        ]:  # fmt: skip
            socket.send(
                json.dumps({"type": "tick", "symbol": symbol, "timestamp": when, "price": price, "volume": volume})
            )
        socket.send('{"type":"news"}')

    with provider(speak) as url:
        server = serve(configuration(tmp_path, url), "--feed", "sim:ETH-USD")
        eventually(lambda: server.get("/health")["feeds"][0]["unknown_types"] == 1, "the news")
        acme, simulated = server.get("/health")["feeds"]
        reasons = {"price": 2, "volume": 1, "timestamp": 1, "too_old": 1}
        assert {name: count for name, count in acme["rejected"].items() if count} == reasons
        assert not any(simulated["rejected"].values())
        assert (acme["other_symbols"], acme["missing_field"], acme["missing_price"]) == (1, 1, 1)
        assert server.get("/v1/markets")["markets"][0]["price"] == 5


def test_the_past_is_joined_from_rest_and_a_failure_is_reported_and_harms_nothing(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Newest first, as some have it; of the other symbol it says no."""
    monkeypatch.setenv("ACME_TOKEN", "hush")
    minute = int(time.time() / 60)
    ended = threading.Event()

    def answer(path: str, query: dict[str, str]) -> tuple[int, Any]:
        assert path == "/v1/candles" and query["limit"] == "1000"
        if query["symbol"] != "BTC-USD":
            return 404, {"error": {"code": "unknown_symbol", "message": "no such symbol"}}
        if query["timeframe"] != "1m":
            return 200, []
        return 200, [
            {"timestamp": at * 60, "open": 10, "high": 13, "low": 9, "close": 11 + at % 2, "volume": 2}
            for at in range(minute, minute - 300, -1)
        ]

    def speak(socket: ServerConnection) -> None:
        for _ in range(2):
            socket.recv()
        while not ended.wait(0.1):
            tick = {"type": "tick", "symbol": "BTC-USD", "timestamp": time.time(), "price": 12.5, "volume": 1}
            socket.send(json.dumps(tick))

    with provider(speak, answer) as url:
        server = serve(configuration(tmp_path, url, history={}) + ",NONE")
        eventually(lambda: server.get("/health")["feeds"][0]["joined_bars"] >= 250, "the past")
        eventually(lambda: server.get("/health")["feeds"][0]["history_failures"] > 0, "the refusal")
        rows = {
            row["timestamp"] // 60: row["close"]
            for row in server.get("/v1/candles", symbol="BTC-USD", timeframe="1m", limit=1000)
        }
        assert all(rows[at] == 11 + at % 2 for at in range(minute - 290, minute - 2))
        assert rows[max(rows)] == 12.5, "the present goes on"
        assert "no such symbol" in server.log
        ended.set()


def test_a_provider_that_never_answers_is_given_up_after_five_seconds_and_tried_again(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The market says meanwhile that it is not supplied."""
    monkeypatch.setenv("ACME_TOKEN", "hush")
    with sockets.create_server(("127.0.0.1", 0)) as mute:
        mute.settimeout(60)
        url = f"ws://127.0.0.1:{mute.getsockname()[1]}/v1?key={{token}}"
        server = serve(configuration(tmp_path, url))
        connection, _ = mute.accept()
        accepted = time.monotonic()
        with connection:
            connection.settimeout(60)
            assert b"websocket" in connection.recv(4096)
            assert server.get("/v1/markets")["markets"][0]["feed_state"] == "connecting"
            try:
                assert connection.recv(1) == b"", "it hangs up"
            except ConnectionResetError:
                pass
        assert time.monotonic() - accepted > 4
        mute.accept()[0].close()
        assert "hush" not in server.log
