"""Trades of a venue's messages, read a second time by other means.

`json` reads the lines, numbers stay the text that they are on the wire. Nothing here knows how the server does it; only
what the venues document, and what was measured on the recordings, is the same:

- Binance: `trade` and `aggTrade`; `m` says that the buyer waited.
- Coinbase Exchange: `match`, `last_match` and `ticker` with a trade's number. `match.side` is that of the order that
  waited. What a subscription begins with (`last_match`, the first `ticker`) is no trade of the session.
- Coinbase Advanced Trade: `market_trades`, newest first; `side` is that of the order that waited.
- Kraken: version 2 oldest first; version 1 without numbers.
- Bitstamp: the strings, not the numbers beside them. Gemini and Bitfinex begin a market with its last trades, newest first.
- A trade whose number is known was reported before.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from typing import Any

CONSECUTIVE = {"binance", "coinbase", "coinbase-advanced", "kraken"}
"""Venues whose numbers count up by one within a market, so that a missing trade shows."""

OPPOSITE = {"buy": "sell", "sell": "buy"}


class Number(str):
    """A number as it is written."""

    __slots__ = ()


class NotATrade(Exception):
    """A message that claims to be a trade and cannot be read as one."""


@dataclass(frozen=True)
class Trade:
    symbol: str
    stream: str
    id: int | str
    name: str
    """The number as the venue writes it; empty where there is none."""
    microseconds: int
    price: str
    quantity: str
    side: str
    may_be_old: bool = False


@dataclass
class Reader:
    """Reads a session's messages in order; what they reported so far decides what is new."""

    venue: str
    messages: int = 0
    duplicates: int = 0
    malformed: int = 0
    trades: int = 0
    _known: dict[str, set[int | str]] = field(default_factory=dict)
    _streams: dict[str, str] = field(default_factory=dict)
    _channels: dict[str, str] = field(default_factory=dict)

    @property
    def missing(self) -> int:
        if self.venue not in CONSECUTIVE:
            return 0
        numbers = [sorted(known) for known in self._known.values()]
        return sum(known[-1] - known[0] + 1 - len(known) for known in numbers)

    def read(self, text: str) -> list[Trade]:
        """The message's new trades, oldest first."""
        self.messages += 1
        try:
            reported = list(self._parse(text))
        except NotATrade:
            self.malformed += 1
            return []
        return [trade for trade in reported if self._is_new(trade)]

    def _is_new(self, trade: Trade) -> bool:
        if self._streams.get(trade.symbol, trade.stream) != trade.stream:
            return False
        if trade.name:
            known = self._known.setdefault(trade.symbol, set())
            is_first = not known
            if trade.id in known:
                self.duplicates += 1
                return False
            known.add(trade.id)
            if is_first and trade.may_be_old:
                return False
        self._streams[trade.symbol] = trade.stream
        self.trades += 1
        return True

    def _parse(self, text: str) -> Iterable[Trade]:
        try:
            message = json.loads(text, parse_float=Number, parse_int=Number)
        except ValueError:
            raise NotATrade from None
        try:
            if self.venue == "bitfinex":
                return list(self._bitfinex(message))
            return list(PARSERS[self.venue](message))
        except (KeyError, TypeError, ValueError, ArithmeticError, IndexError, AttributeError):
            raise NotATrade from None

    def _bitfinex(self, message: Any) -> Iterator[Trade]:
        if isinstance(message, dict):
            if message["event"] == "subscribed":
                self._channels[message["chanId"]] = (
                    message["symbol"] if message["channel"] == "trades" else ""
                )
            return
        if message[1] == "hb":
            return
        symbol = self._channels[message[0]]
        if not symbol:
            return
        if isinstance(message[1], Number):
            raise NotATrade
        rows = [message[2]] if message[1] in ("te", "tu") else reversed(message[1])
        for number, time, amount, price in rows:
            side = "sell" if amount.startswith("-") else "buy"
            yield Trade(
                symbol, "trades", int(number), number, int(time) * 1000, price, amount.removeprefix("-"), side
            )


def _decimal(text: Any) -> str:
    if not isinstance(text, str):
        raise NotATrade
    Fraction(text)
    return str(text)


def _instant(text: str) -> int:
    """Microseconds of an RFC 3339 time."""
    time = datetime.fromisoformat(text)
    if time.utcoffset() is None:
        raise NotATrade
    return int(time.replace(microsecond=0).timestamp()) * 1_000_000 + time.microsecond


def _binance(message: dict) -> Iterator[Trade]:
    data = message.get("data", message)
    kind = data.get("e")
    if kind not in ("trade", "aggTrade"):
        return
    name = data["t"] if kind == "trade" else data["a"]
    # A time may be anything; whoever ingests the trade judges it.
    yield Trade(
        data["s"], kind, int(name), name, int(data["T"]) * 1000, _decimal(data["p"]), _decimal(data["q"]),
        "unknown" if "m" not in data else "sell" if data["m"] else "buy",
    )  # fmt: skip


def _coinbase(message: dict) -> Iterator[Trade]:
    kind = message["type"]
    if kind in ("match", "last_match"):
        size, side = message["size"], OPPOSITE[message["side"]]
    elif kind == "ticker" and "trade_id" in message:
        size, side = message["last_size"], message["side"]
    else:
        return
    yield Trade(
        message["product_id"], "trades", int(message["trade_id"]), message["trade_id"], _instant(message["time"]),
        _decimal(message["price"]), _decimal(size), side, kind != "match",
    )  # fmt: skip


def _coinbase_advanced(message: dict) -> Iterator[Trade]:
    if message["channel"] != "market_trades":
        return
    for row in reversed([row for event in message["events"] for row in event["trades"]]):
        yield Trade(
            row["product_id"], "trades", int(row["trade_id"]), row["trade_id"], _instant(row["time"]),
            _decimal(row["price"]), _decimal(row["size"]), OPPOSITE[row["side"].lower()],
        )  # fmt: skip


def _kraken(message: dict) -> Iterator[Trade]:
    if message.get("channel") != "trade":
        return
    for row in message["data"]:
        yield Trade(
            row["symbol"], "trades", int(row["trade_id"]), row["trade_id"], _instant(row["timestamp"]),
            _decimal(row["price"]), _decimal(row["qty"]), row["side"],
        )  # fmt: skip


def _kraken_arrays(message: Any) -> Iterator[Trade]:
    if isinstance(message, dict) or message[-2] != "trade":
        return
    for price, volume, time, side, *_ in message[1]:
        microseconds = Fraction(time) * 1_000_000
        yield Trade(
            message[-1], "trades", 0, "", int(microseconds), _decimal(price), _decimal(volume),
            {"b": "buy", "s": "sell"}[side],
        )  # fmt: skip


def _bitstamp(message: dict) -> Iterator[Trade]:
    if message["event"] != "trade":
        return
    data = message["data"]
    yield Trade(
        message["channel"].removeprefix("live_trades_"), "trades", int(data["id"]), data["id"],
        int(data["microtimestamp"]), _decimal(data["price_str"]), _decimal(data["amount_str"]),
        ("buy", "sell")[int(data["type"])],
    )  # fmt: skip


def _gemini(message: dict) -> Iterator[Trade]:
    rows = [message] if message["type"] == "trade" else reversed(message.get("trades", []))
    for row in rows:
        yield Trade(
            row["symbol"], "trades", int(row["event_id"]), row["event_id"], int(row["timestamp"]) * 1000,
            _decimal(row["price"]), _decimal(row["quantity"]), row["side"],
        )  # fmt: skip


def _bybit(message: dict) -> Iterator[Trade]:
    if not message.get("topic", "").startswith("publicTrade."):
        return
    for row in message["data"]:
        yield Trade(
            row["s"], "trades", row["i"], row["i"], int(row["T"]) * 1000, _decimal(row["p"]), _decimal(row["v"]),
            row["S"].lower(),
        )  # fmt: skip


PARSERS = {
    "binance": _binance,
    "coinbase": _coinbase,
    "coinbase-advanced": _coinbase_advanced,
    "kraken": _kraken,
    "kraken-v1": _kraken_arrays,
    "bitstamp": _bitstamp,
    "gemini": _gemini,
    "bybit": _bybit,
}

VENUES = {
    "binance_": "binance", "coinbase_exchange": "coinbase", "coinbase_advanced": "coinbase-advanced",
    "kraken_v1": "kraken-v1", "kraken_v2": "kraken", "bitstamp_": "bitstamp", "gemini_": "gemini",
    "bitfinex_": "bitfinex", "bybit_": "bybit",
}  # fmt: skip


def venue_of(name: str) -> str:
    """Whose session a recording of this name is."""
    return next(venue for prefix, venue in VENUES.items() if name.startswith(prefix))
