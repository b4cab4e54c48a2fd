"""Clients as Intrinio's own connectors are written: the channels in JSON, and the binary stream of equities.

They share no code with Candlewire, and know of a venue only its address and an account.
"""

import base64
import json
import struct
import threading
import time
import urllib.parse
import urllib.request
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

HEARTBEAT = 15.0


def fetch_token(address: str, *, user: str = "demo", password: str = "demo") -> str:
    """The token as the answer's plain text; an HTTPError of 401 where the account is not known."""
    basic = base64.b64encode(f"{user}:{password}".encode()).decode()
    request = urllib.request.Request(f"http://{address}/auth", headers={"Authorization": f"Basic {basic}"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return answer.read().decode()


def socket_url(address: str, token: str) -> str:
    return f"ws://{address}/socket/websocket?vsn=1.0.0&token={urllib.parse.quote(token, safe='')}"


def channel_frame(topic: str, event: str) -> str:
    return json.dumps({"topic": topic, "event": event, "payload": {}, "ref": None})


def topic_of(symbol: str) -> str:
    return f"iex:securities:{symbol}"


@dataclass
class ChannelClient:
    """Token, connect, join, quotes, leave. After a drop it fetches a new token, connects and joins again."""

    address: str
    sends_heartbeats: bool = True
    is_ready: bool = False
    joined: list[str] = field(default_factory=list)
    # Every frame in order, and of those the quotes as they came.
    frames: list[dict[str, Any]] = field(default_factory=list)
    quotes: list[str] = field(default_factory=list)
    tokens: int = 0
    closed: threading.Event = field(default_factory=threading.Event)
    _socket: ClientConnection | None = None
    _open: ExitStack = field(default_factory=ExitStack)
    _readers: list[threading.Thread] = field(default_factory=list)

    def start(self) -> None:
        token = fetch_token(self.address)
        self.tokens += 1
        self.closed.clear()
        # The protocol has heartbeats of its own: a ping would hide that one is missing.
        self._open.close()
        self._socket = self._open.enter_context(connect(socket_url(self.address, token), ping_interval=None))
        self.is_ready = True
        bodies: list[Callable[[ClientConnection], None]] = [self._read] + [self._beat] * self.sends_heartbeats
        self._readers = [threading.Thread(target=body, args=(self._socket,), daemon=True) for body in bodies]
        for reader in self._readers:
            reader.start()

    def restart(self) -> None:
        """What the connector does after a drop: the venue has forgotten the joins."""
        wanted, self.joined = self.joined, []
        self.start()
        for symbol in wanted:
            self.join(symbol)

    def join(self, symbol: str) -> None:
        if symbol not in self.joined:
            self.joined.append(symbol)
            self.send(channel_frame(topic_of(symbol), "phx_join"))

    def leave(self, symbol: str) -> None:
        if symbol in self.joined:
            self.joined.remove(symbol)
            self.send(channel_frame(topic_of(symbol), "phx_leave"))

    def send(self, text: str) -> None:
        assert self._socket
        self._socket.send(text)

    def stop(self) -> None:
        self._open.close()
        for reader in self._readers:
            reader.join(timeout=60)
            assert not reader.is_alive()

    def replies(self, topic: str) -> list[Any]:
        return [frame["payload"] for frame in self.frames if frame["event"] == "phx_reply" and frame["topic"] == topic]

    def _read(self, socket: ClientConnection) -> None:
        try:
            for text in socket:
                frame = json.loads(text)
                if frame["event"] == "quote":
                    self.quotes.append(str(text))
                self.frames.append(frame)
        except ConnectionClosed:
            pass
        self.is_ready = False
        self.closed.set()

    def _beat(self, socket: ClientConnection) -> None:
        while not self.closed.wait(HEARTBEAT):
            try:
                socket.send(channel_frame("phoenix", "heartbeat"))
            except ConnectionClosed:
                return


@dataclass(frozen=True)
class Item:
    type: int
    symbol: str
    price: float
    size: int
    nanoseconds: int
    day_volume: int | None


def items_of(frame: bytes) -> list[Item]:
    """The items of a binary frame. An AssertionError where a length does not fit."""
    items, at = [], 1
    for _ in range(frame[0]):
        kind, length, name = frame[at], frame[at + 1], frame[at + 2]
        rest = at + 3 + name
        # Behind the name: where it comes from, the market centre, then the numbers.
        price, size, nanoseconds = struct.unpack_from("<fIQ", frame, rest + 3)
        volume = struct.unpack_from("<I", frame, rest + 19)[0] if kind == 0 else None
        condition = rest + (23 if kind == 0 else 19)
        assert kind in (0, 1, 2) and condition + 1 + frame[condition] == at + length
        symbol = frame[at + 3 : rest].decode("ascii")
        items.append(Item(kind, symbol, round(price, 4), size, nanoseconds, volume))
        at += length
    assert at == len(frame)
    return items


class EquitiesClient:
    """Token, connect, joins and leaves as bytes, frames of items."""

    def __init__(self, address: str, opened: ExitStack) -> None:
        with urllib.request.urlopen(f"http://{address}/auth?api_key=demo", timeout=60) as answer:
            token = answer.read().decode()
        headers = {"UseNewEquitiesFormat": "v2", "Client-Information": "OriginalClient"}
        self._socket = opened.enter_context(connect(socket_url(address, token), additional_headers=headers))
        self.received = 0

    def join(self, symbol: str, *, trades_only: bool = False) -> None:
        self._socket.send(b"J" + bytes([trades_only]) + symbol.encode())

    def leave(self, symbol: str) -> None:
        self._socket.send(b"L" + symbol.encode())

    def read(self, count: int) -> list[Item]:
        """So many items."""
        items: list[Item] = []
        while len(items) < count:
            items += items_of(self._receive(60))
        return items

    def read_until_quiet(self, seconds: float) -> None:
        end = time.monotonic() + 60
        while time.monotonic() < end:
            try:
                self._receive(seconds)
            except TimeoutError:
                return
        raise AssertionError("it never becomes quiet")

    def _receive(self, within: float) -> bytes:
        frame = self._socket.recv(timeout=within)
        assert isinstance(frame, bytes)
        self.received += 1
        return frame
