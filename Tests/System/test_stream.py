"""The stream, read by a client of other make (`websockets`) and by bare sockets."""

import asyncio
import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from websockets.asyncio.client import connect as connect_async
from websockets.exceptions import ConnectionClosedError
from websockets.sync.client import ClientConnection, connect

from raw_socket import CLOSE, PING, TEXT, FrameParser, RawSocket, close_code
from running_server import RunningServer, candle_of, subscribe

Message = dict[str, Any]


def next_of(connection: ClientConnection, kind: str, within: float = 60) -> Message:
    """The next message of a type."""
    deadline = time.monotonic() + within
    while True:
        message = json.loads(connection.recv(timeout=max(0, deadline - time.monotonic())))
        if message["type"] == kind:
            return message
        assert message["type"] != "error", message


# MARK: WebSocket


def test_the_handshake_agrees_to_nothing_that_was_not_implemented(quiet: RunningServer) -> None:
    # `websockets` offers permessage-deflate by itself.
    with connect(quiet.stream, subprotocols=None) as connection:
        assert connection.subprotocol is None
        assert connection.protocol.extensions == []
    with connect(quiet.stream, subprotocols=["candlewire.v1.nonsense"]) as connection:
        assert connection.subprotocol is None


@pytest.mark.parametrize("path", ["/v1/stream", "/ws", "/v1/stream?from=a-bookmark"])
def test_the_stream_is_at_its_addresses(quiet: RunningServer, path: str) -> None:
    with connect(f"ws://127.0.0.1:{quiet.port}{path}") as connection:
        connection.send('{"action":"ping","id":"a"}')
        assert json.loads(connection.recv(timeout=60)) == {"type": "pong", "id": "a"}


def test_pings_are_answered_with_their_own_bytes(quiet: RunningServer) -> None:
    with connect(quiet.stream) as connection:
        # `websockets` matches each pong to its ping by these bytes.
        for payload in (b"", b"once", bytes(range(125))):
            assert connection.ping(payload).wait(60), f"no pong for {payload!r}"
        connection.send('{"action":"ping","id":2}')
        assert json.loads(connection.recv(timeout=60)) == {"type": "pong", "id": 2}


def test_a_message_may_come_in_fragments(quiet: RunningServer) -> None:
    with connect(quiet.stream) as connection:
        text = subscribe("BTC-USD", "1m", id=7)
        connection.send(iter(text))
        answer = json.loads(connection.recv(timeout=60))
        assert (answer["type"], answer["id"]) == ("subscribed", 7)


def test_control_frames_may_come_between_fragments(quiet: RunningServer) -> None:
    with RawSocket(quiet.port) as connection:
        connection.send(TEXT, b'{"action":', final=False)
        connection.send(PING, b"between")
        connection.send(0, '"ping","id":"é"}'.encode())
        parser, frames = FrameParser(), []
        deadline = time.monotonic() + 60
        while len(frames) < 2:
            frames += parser.feed(connection.read(deadline))
        assert frames[0] == (10, b"between")
        assert json.loads(frames[1][1]) == {"type": "pong", "id": "é"}


def test_a_message_beyond_the_limit_ends_the_connection(quiet: RunningServer) -> None:
    with connect(quiet.stream) as connection:
        connection.send('{"action":"ping"}' + " " * (65_536 - 17))
        assert json.loads(connection.recv(timeout=60)) == {"type": "pong"}
        with pytest.raises(ConnectionClosedError) as closed:
            connection.send('{"action":"ping"}' + " " * (65_537 - 17))
            connection.recv(timeout=60)
    assert closed.value.rcvd is not None and closed.value.rcvd.code == 1009


def test_fragments_count_together(quiet: RunningServer) -> None:
    with connect(quiet.stream) as connection:
        with pytest.raises(ConnectionClosedError) as closed:
            connection.send(" " * 16_384 for _ in range(5))
            connection.recv(timeout=60)
    assert closed.value.rcvd is not None and closed.value.rcvd.code == 1009


@pytest.mark.parametrize(
    "payload",
    [b'{"action":"\xff"}', b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b'{"action":"ping"}\xe2\x82'],
    ids=["a byte that never occurs", "overlong", "a surrogate", "beyond the last character", "cut short"],
)
def test_text_that_is_not_utf8_ends_the_connection(quiet: RunningServer, payload: bytes) -> None:
    with RawSocket(quiet.port) as connection:
        connection.send(TEXT, payload)
        assert close_code(connection) == 1007


def test_a_close_is_answered_with_its_code(quiet: RunningServer) -> None:
    with RawSocket(quiet.port) as connection:
        connection.send(CLOSE, (4321).to_bytes(2, "big") + b"bye")
        assert close_code(connection) == 4321


@pytest.mark.parametrize(
    ("text", "code", "field"),
    [
        ("{", "invalid_json", None),
        ('{"action":"dance"}', "unknown_action", "action"),
        ('{"action":"subscribe","timeframe":"1m","id":3}', "missing_field", "symbol"),
        ('{"action":"subscribe","symbol":"FOO-USD","timeframe":"1m","id":3}', "unknown_symbol", "symbol"),
        ('{"action":"subscribe","symbol":"BTC-USD","timeframe":"7m","id":3}', "unknown_timeframe", "timeframe"),
        ('{"action":"subscribe","symbol":"BTC-USD","timeframe":"1m","history":1001}', "invalid_field", "history"),
        ('{"action":"unsubscribe","symbol":"BTC-USD","id":3}', "not_subscribed", "symbol"),
    ],
)  # fmt: skip
def test_a_wrong_request_is_answered_and_the_connection_goes_on(
    quiet: RunningServer, text: str, code: str, field: str | None
) -> None:
    with connect(quiet.stream) as connection:
        connection.send(text)
        answer = json.loads(connection.recv(timeout=60))
        assert (answer["type"], answer["code"], answer.get("field")) == ("error", code, field)
        assert answer["message"].endswith(".")
        assert ('"id":3' in text) == (answer.get("id") == 3)
        connection.send('{"action":"ping"}')
        assert json.loads(connection.recv(timeout=60)) == {"type": "pong"}


# MARK: What is reported


@pytest.mark.serial
def test_a_simulated_trade_is_sent_when_it_happens(quiet: RunningServer) -> None:
    """A trade's timestamp is the moment it is published. Most of the delay seen here is this program's own."""
    delays = []
    with connect(quiet.stream) as connection:
        connection.send(subscribe("BTC-USD", "1m", history=0))
        while len(delays) < 40:
            tick = next_of(connection, "tick")
            delays.append(time.time() - tick["timestamp"])
    delays.sort()
    print(f"delay of {len(delays)} trades: median {delays[20] * 1e3:.2f} ms, 90 % within {delays[35] * 1e3:.2f} ms")
    # Both clocks are the same; timestamps are rounded down to the microsecond.
    assert delays[0] >= 0
    # Milliseconds where the machine has nothing else to do; a trade that waited for a timer or a batch would take longer.
    assert delays[20] < 1


async def read_all(address: str, streams: list[tuple[str, str]], finals: int) -> list[tuple[str, Message]]:
    """Everything one connection gets until each stream of seconds has reported so many final candles."""
    got: list[tuple[str, Message]] = []
    waiting = {symbol: finals for symbol, timeframe in streams if timeframe == "1s"}
    async with asyncio.timeout(120), connect_async(address, max_size=None, max_queue=None) as connection:
        for number, (symbol, timeframe) in enumerate(streams):
            await connection.send(subscribe(symbol, timeframe, id=number, history=5))
        while any(count > 0 for count in waiting.values()):
            text = await connection.recv()
            message = json.loads(text)
            got.append((text, message))
            if message["type"] == "candle" and message["final"] and message["timeframe"] == "1s":
                waiting[message["symbol"]] -= 1
    return got


class Stream:
    """One stream as a connection saw it. A tick does not name its stream, its offset does."""

    def __init__(self) -> None:
        self.epoch = ""
        self.begin = -1
        self.messages: dict[int, str] = {}


def streams_of(got: list[tuple[str, Message]], only: tuple[str, str]) -> Stream:
    """Checks the order of one stream on a connection that reads just this one."""
    symbol, timeframe = only
    kinds = [message["type"] for _, message in got]
    assert kinds[:2] == ["subscribed", "snapshot"]
    assert set(kinds[2:]) <= {"tick", "candle"}
    stream = Stream()
    answer, snapshot = got[0][1], got[1][1]
    assert answer["recovered"] is False
    for message in (answer, snapshot):
        assert (message["symbol"], message["timeframe"]) == only
    assert (answer["epoch"], answer["offset"]) == (snapshot["epoch"], snapshot["offset"])
    assert len(snapshot["candles"]) == 5
    stream.epoch, stream.begin = answer["epoch"], answer["offset"]
    for index, (text, message) in enumerate(got[2:]):
        assert message["offset"] == stream.begin + 1 + index, f"{only}: a hole or an overlap"
        assert message["symbol"] == symbol and message.get("timeframe", timeframe) == timeframe
        stream.messages[message["offset"]] = text
    return stream


def test_offsets_have_no_hole_under_load(serve: Callable[..., RunningServer]) -> None:
    server = serve("sim:BTC-USD,ETH-USD", "--seed", "3", "--rate", "2000")

    async def run() -> list[list[tuple[str, Message]]]:
        # Two connections on several timeframes each, and two that read one of these streams alone.
        both = [("BTC-USD", "1s"), ("BTC-USD", "1m"), ("ETH-USD", "1s"), ("ETH-USD", "5s")]
        return await asyncio.gather(
            read_all(server.stream, both, 4),
            read_all(server.stream, both, 4),
            read_all(server.stream, [("BTC-USD", "1s")], 4),
            read_all(server.stream, [("ETH-USD", "1s")], 4),
        )

    first, second, *alone = asyncio.run(run())
    for got in (first, second):
        assert not [message for _, message in got if message["type"] in ("skipped", "error")]
        check_interleaved(got)
    for got, only in zip(alone, [("BTC-USD", "1s"), ("ETH-USD", "1s")], strict=True):
        stream = streams_of(got, only)
        check_candles(got)
        # Everybody gets the same bytes under the same offset.
        for other in (first, second):
            shared = 0
            for text, message in other:
                if message["type"] == "candle" and (message["symbol"], message["timeframe"]) == only:
                    if message["offset"] in stream.messages:
                        assert stream.messages[message["offset"]] == text
                        shared += 1
            assert shared > 10


def check_interleaved(got: list[tuple[str, Message]]) -> None:
    """Several streams of a market share a connection: each trade comes once per stream, with the stream's next offset.

    A tick does not say which stream's it is. So all ways to deal the offsets of a market out to its streams are
    followed at once; there must be one in which no stream has a hole.
    """
    ways: dict[str, set[tuple[tuple[str, int], ...]]] = {}
    for _, message in got:
        kind, symbol, offset = message["type"], message["symbol"], message["offset"]
        before = ways.setdefault(symbol, {()})
        if kind == "subscribed":
            after = {(*way, (message["timeframe"], offset + 1)) for way in before}
        elif kind == "snapshot":
            after = {way for way in before if (message["timeframe"], offset + 1) in way}
        else:
            after = {
                (*way[:index], (name, offset + 1), *way[index + 1 :])
                for way in before
                for index, (name, expected) in enumerate(way)
                if expected == offset and message.get("timeframe", name) == name
            }
        assert after, f"{message} continues none of {before}"
        ways[symbol] = after


def check_candles(got: list[tuple[str, Message]]) -> None:
    """Each second's final candle is made of just the trades that were reported before it."""
    seconds: dict[int, list[Message]] = {}
    compared = 0
    for _, message in got:
        if message["type"] == "tick":
            seconds.setdefault(int(message["timestamp"]), []).append(message)
        elif message["type"] == "candle" and message["final"]:
            ticks = seconds.pop(int(message["timestamp"]))
            assert not seconds, "a candle becomes final before the first trade of the next one"
            if compared or message["timestamp"] > first_second(got):
                prices = [tick["price"] for tick in ticks]
                bar = candle_of(message)
                assert (bar["open"], bar["close"]) == (prices[0], prices[-1])
                assert (bar["high"], bar["low"]) == (max(prices), min(prices))
                assert bar["volume"] == pytest.approx(sum(tick["volume"] for tick in ticks), rel=1e-12)
                compared += 1
    assert compared >= 2


def first_second(got: list[tuple[str, Message]]) -> int:
    """The second in which the reader came: of its trades some were reported before."""
    return next(int(message["timestamp"]) for _, message in got if message["type"] == "tick")
