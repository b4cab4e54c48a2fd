"""Market data in the compact encoding, read beside JSON by a program that knows only Docs/protocol.md."""

import asyncio
import json
import struct
import time
from collections.abc import Callable
from typing import Any

import pytest
from websockets.asyncio.client import connect as connect_async
from websockets.sync.client import ClientConnection, connect

from running_server import CANDLE, TIMEFRAMES, RunningServer, subscribe

Message = dict[str, Any]

BINARY = "candlewire.v1.binary"
QUALITIES = ("complete", "partial", "gap", "no_trade", "corrected")


def decode(data: str | bytes) -> Message:
    """A message of either encoding, as JSON has it."""
    if isinstance(data, str):
        return json.loads(data)
    kind, timeframe, detail, length = data[:4]
    at = 4 + length
    head = {"symbol": data[4:at].decode(), "timeframe": list(TIMEFRAMES)[timeframe]}
    if kind == 1:
        offset, timestamp, price, volume = struct.unpack("<qddd", data[at:])
        return {"type": "tick", **head, "timestamp": timestamp, "price": price, "volume": volume, "offset": offset}
    if kind == 2:
        offset, revision, *prices = struct.unpack("<qqdddddd", data[at:])
        rest = {"final": detail >= 128, "revision": revision, "quality": QUALITIES[detail % 128], "offset": offset}
        return {"type": "candle", **head, **dict(zip(CANDLE, prices, strict=True)), **rest}
    if kind == 3:
        epoch = data[at : at + detail].decode()
        offset, count = struct.unpack_from("<qq", data, at + detail)
        rows = list(struct.iter_unpack("<dddddd", data[at + detail + 16 :]))
        assert len(rows) == count
        candles = [dict(zip(CANDLE, row, strict=True)) for row in rows]
        return {"type": "snapshot", **head, "candles": candles, "epoch": epoch, "offset": offset}
    assert kind == 4
    return {"type": "skipped", **head, "count": struct.unpack("<q", data[at:])[0]}


def receive(connection: ClientConnection) -> Message:
    return decode(connection.recv(timeout=60))


@pytest.mark.parametrize("path", ["/v1/stream", "/ws"])
def test_a_client_that_offers_it_gets_it_and_everything_else_stays_json(quiet: RunningServer, path: str) -> None:
    offered = ["candlewire.v9", BINARY]
    with connect(f"ws://127.0.0.1:{quiet.port}{path}", subprotocols=offered) as connection:
        assert connection.subprotocol == BINARY
        connection.send('{"action":"ping","id":"a"}')
        assert connection.recv(timeout=60) == '{"type":"pong","id":"a"}'
        connection.send(subscribe("FOO", "1m", id=2))
        assert json.loads(connection.recv(timeout=60))["code"] == "unknown_symbol"
        connection.send(subscribe("BTC-USD", "1m", id=3, history=5))
        assert json.loads(connection.recv(timeout=60))["type"] == "subscribed"
        snapshot = connection.recv(timeout=60)
        assert isinstance(snapshot, bytes) and len(decode(snapshot)["candles"]) == 5
        connection.send('{"action":"subscribe","channel":"markets"}')
        texts: list[str] = []
        while len(texts) < 2:
            data = connection.recv(timeout=60)
            if isinstance(data, str):
                texts.append(json.loads(data)["type"])
            else:
                assert decode(data)["type"] in ("tick", "candle")
        assert texts == ["subscribed", "snapshot"]


Streams = dict[str, list[Message]]


async def read(server: RunningServer, encoding: str, finals: int, sizes: list[int]) -> Streams:
    """What a connection gets of a fast stream, all of it, and of another at most five times a second."""
    got: Streams = {"BTC-USD": [], "ETH-USD": []}
    protocols = [BINARY] if encoding == "binary" else None
    async with asyncio.timeout(120), connect_async(server.stream, subprotocols=protocols, max_queue=None) as connection:
        await connection.send(subscribe("BTC-USD", "1s", history=20))
        await connection.send(subscribe("ETH-USD", "1m", history=20, max_rate=5))
        while finals > 0:
            data = await connection.recv()
            message = decode(data)
            is_data = message["type"] in ("tick", "candle", "snapshot", "skipped")
            assert isinstance(data, bytes) == (encoding == "binary" and is_data)
            got[message["symbol"]].append(message)
            if message["type"] == "tick":
                sizes.append(len(data))
            if message["type"] == "candle" and message["symbol"] == "BTC-USD":
                finals -= message["final"]
    return got


def check(messages: list[Message]) -> dict[int, Message]:
    """The data by offset, when all that is missing was announced."""
    assert [message["type"] for message in messages[:2]] == ["subscribed", "snapshot"]
    position, announced = messages[1]["offset"], 0
    data: dict[int, Message] = {}
    for message in messages[2:]:
        if message["type"] == "skipped":
            announced += message["count"]
            continue
        assert message["offset"] - position - 1 == announced
        position, announced = message["offset"], 0
        data[position] = message
    return data


def test_both_encodings_say_the_same(serve: Callable[..., RunningServer]) -> None:
    server = serve("sim:BTC-USD,ETH-USD", "--seed", "3", "--rate", "2000")
    sizes: dict[str, list[int]] = {"json": [], "binary": []}

    async def run() -> list[Streams]:
        return await asyncio.gather(*(read(server, encoding, 3, sizes[encoding]) for encoding in sizes))

    json_streams, binary_streams = asyncio.run(run())
    for symbol, least in (("BTC-USD", 100), ("ETH-USD", 0)):
        one, other = json_streams[symbol], binary_streams[symbol]
        assert one[0]["epoch"] == other[0]["epoch"] == one[1]["epoch"] == other[1]["epoch"]
        # All but the last, which was still forming.
        history = {candle["timestamp"]: candle for candle in one[1]["candles"][:-1]}
        shared = [candle for candle in other[1]["candles"][:-1] if candle["timestamp"] in history]
        assert len(shared) > 10 and all(history[candle["timestamp"]] == candle for candle in shared)
        expected, seen = check(one), check(other)
        common = expected.keys() & seen.keys()
        assert len(common) >= least
        for offset in common:
            assert seen[offset] == expected[offset]
    assert {message["type"] for message in binary_streams["ETH-USD"]} >= {"skipped", "tick"}
    print({encoding: sum(all) / len(all) for encoding, all in sizes.items()}, "bytes a tick")
    assert 2.5 * sum(sizes["binary"]) / len(sizes["binary"]) < sum(sizes["json"]) / len(sizes["json"])


def test_a_reader_recovers_and_nothing_is_written_in_binary_without_one(serve: Callable[..., RunningServer]) -> None:
    server = serve("sim:BTC-USD,ETH-USD", "--seed", "3", "--rate", "400")

    def counts() -> tuple[int, int]:
        streams = server.get("/health")["streams"]
        return streams["published"], streams["published_in_binary"]

    with connect(server.stream) as witness:
        witness.send(subscribe("BTC-USD", "1m", history=0))
        assert [receive(witness)["type"] for _ in range(2)] == ["subscribed", "snapshot"]
        expected = {message["offset"]: message for message in (receive(witness) for _ in range(5))}
        assert counts()[0] > 0 and counts()[1] == 0
        with connect(server.stream, subprotocols=[BINARY]) as connection:
            connection.send(subscribe("BTC-USD", "1m", history=0))
            epoch = receive(connection)["epoch"]
            assert receive(connection)["type"] == "snapshot"
            seen = {message["offset"]: message for message in (receive(connection) for _ in range(5))}
        # The server hears of the end, and from then on writes JSON alone.
        deadline = time.monotonic() + 60
        while True:
            before = counts()
            for _ in range(20):
                message = receive(witness)
                expected[message["offset"]] = message
            after = counts()
            if after[0] > before[0] and after[1] == before[1] > 0:
                break
            assert time.monotonic() < deadline
        with connect(server.stream, subprotocols=[BINARY]) as connection:
            recover = {"epoch": epoch, "offset": max(seen)}
            connection.send(subscribe("BTC-USD", "1m", recover=recover))
            assert receive(connection)["recovered"] is True
            frames = [connection.recv(timeout=60)]
            while not isinstance(frames[-1], bytes):
                frames.append(connection.recv(timeout=60))
            # What it missed was kept in JSON.
            assert len(frames) > 10 and not any(isinstance(frame, bytes) for frame in frames[:-1])
            messages = [decode(frame) for frame in frames]
            begin = recover["offset"] + 1
            assert [message["offset"] for message in messages] == list(range(begin, begin + len(messages)))
            seen |= {message["offset"]: message for message in messages}
        while max(expected) < max(seen):
            message = receive(witness)
            expected[message["offset"]] = message
        assert all(expected[offset] == message for offset, message in seen.items())
