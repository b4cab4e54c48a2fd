"""Trades of a venue's messages with orjson and plain field access, one core.

Usage: orjson_trades.py VENUE.jsonl... VENUE.NAME.session...
Prints a line a file: what it is, messages a second (median, best). The first hold messages of one trade each, the
others a session as it was recorded. Done is the least that a program must do with a trade: its market, number, price, volume,
time and side, as numbers.
"""

import sys
import time
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import orjson

Trade = tuple[str, int, float, float, float, bool]


def binance(m: dict[str, Any]) -> Trade:
    d = m["data"]
    return d["s"], d["t"], float(d["p"]), float(d["q"]), d["T"] / 1000, d["m"]


def coinbase(m: dict[str, Any]) -> Trade:
    instant = datetime.fromisoformat(m["time"]).timestamp()
    return m["product_id"], m["trade_id"], float(m["price"]), float(m["size"]), instant, m["side"] == "buy"


def coinbase_advanced(m: dict[str, Any]) -> Trade:
    d = m["events"][0]["trades"][0]
    instant = datetime.fromisoformat(d["time"]).timestamp()
    return d["product_id"], int(d["trade_id"]), float(d["price"]), float(d["size"]), instant, d["side"] == "BUY"


def kraken(m: dict[str, Any]) -> Trade:
    d = m["data"][0]
    instant = datetime.fromisoformat(d["timestamp"]).timestamp()
    return d["symbol"], d["trade_id"], d["price"], d["qty"], instant, d["side"] == "sell"


def kraken_arrays(m: list[Any]) -> Trade:
    d = m[1][0]
    return m[3], 0, float(d[0]), float(d[1]), float(d[2]), d[3] == "s"


def bitstamp(m: dict[str, Any]) -> Trade:
    d = m["data"]
    instant = int(d["microtimestamp"]) / 1e6
    return m["channel"][12:], d["id"], float(d["price_str"]), float(d["amount_str"]), instant, d["type"] == 1


def gemini(m: dict[str, Any]) -> Trade:
    instant = m["timestamp"] / 1000
    return m["symbol"], m["event_id"], float(m["price"]), float(m["quantity"]), instant, m["side"] == "sell"


def bitfinex(m: list[Any]) -> Trade:
    d = m[2]
    amount = float(d[2])
    # The market is what the channel's number was said to mean.
    return CHANNELS.get(m[0], ""), d[0], float(d[3]), abs(amount), d[1] / 1000, amount < 0


def bybit(m: dict[str, Any]) -> Trade:
    d = m["data"][0]
    return d["s"], int(d["i"]), float(d["p"]), float(d["v"]), d["T"] / 1000, d["S"] == "Sell"


def intrinio(m: dict[str, Any]) -> Trade:
    d = m["payload"]
    return d["ticker"], 0, d["price"], float(d["size"]), d["timestamp"], d["type"] == "last"


def provider(m: dict[str, Any]) -> Trade:
    return m["symbol"], 0, m["price"], m["volume"], m["timestamp"], m["type"] == "tick"


READERS: dict[str, Callable[[Any], Trade]] = {
    "binance": binance, "coinbase": coinbase, "coinbase-advanced": coinbase_advanced, "kraken": kraken,
    "kraken-v1": kraken_arrays, "bitstamp": bitstamp, "gemini": gemini, "bitfinex": bitfinex, "bybit": bybit,
    "intrinio": intrinio, "provider": provider,
}  # fmt: skip
CHANNELS: dict[int, str] = {}


def single_trades(venue: str, m: Any) -> Iterator[Any]:
    """Messages of one trade each, one for each trade that this message reports."""
    if venue == "binance":
        if m["data"].get("e") == "trade":
            yield m
    elif venue == "coinbase":
        if m["type"] == "match":
            yield m
    elif venue == "coinbase-advanced":
        if m["channel"] == "market_trades":
            for event in m["events"]:
                for row in event["trades"]:
                    yield {"events": [{"trades": [row]}]}
    elif venue == "kraken":
        if m.get("channel") == "trade":
            for row in m["data"]:
                yield {"data": [row]}
    elif venue == "kraken-v1":
        if isinstance(m, list) and m[-2] == "trade":
            for row in m[1]:
                yield [m[0], [row], m[2], m[3]]
    elif venue == "bitstamp":
        if m["event"] == "trade":
            yield m
    elif venue == "gemini":
        if m["type"] == "trade":
            yield m
        else:
            yield from m.get("trades", ())
    elif venue == "bitfinex":
        if isinstance(m, dict):
            if m["event"] == "subscribed" and m["channel"] == "trades":
                CHANNELS[m["chanId"]] = m["symbol"]
        elif m[0] in CHANNELS and m[1] != "hb":
            for row in [m[2]] if m[1] in ("te", "tu") else m[1]:
                yield [m[0], "te", row]
    elif m.get("topic", "").startswith("publicTrade."):
        for row in m["data"]:
            yield {"data": [row]}


def single(lines: list[bytes], venue: str) -> float:
    loads, read = orjson.loads, READERS[venue]
    start = time.perf_counter()
    accepted = 0
    for line in lines:
        trade = read(loads(line))
        # As little as can be called validation.
        accepted += trade[2] > 0 and trade[3] >= 0
    assert accepted == len(lines)
    return time.perf_counter() - start


def session(lines: list[bytes], venue: str) -> float:
    loads, read = orjson.loads, READERS[venue]
    start = time.perf_counter()
    accepted = 0
    for line in lines:
        for one in single_trades(venue, loads(line)):
            trade = read(one)
            accepted += trade[2] > 0 and trade[3] >= 0
    return time.perf_counter() - start


for name in sys.argv[1:]:
    path = Path(name)
    venue = path.name.split(".")[0]
    if venue not in READERS:
        continue
    lines = path.read_bytes().splitlines()
    is_session = path.suffix == ".session"
    if is_session:
        lines *= max(1, 20_000 // len(lines))
    seconds = session if is_session else single
    seconds(lines, venue)
    times = sorted(seconds(lines, venue) for _ in range(9))
    what = "whole recorded session" if is_session else "venue bytes to validated trade"
    of = path.name.split(".")[1] if is_session else venue
    print(f"{what}, {of}", len(lines) / times[len(times) // 2], len(lines) / times[0], sep="\t")
