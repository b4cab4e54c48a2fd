"""Trades of a venue's messages with orjson and plain field access, one core.

Usage: orjson_trades.py FILE.jsonl...   prints a line a file: venue, messages a second (median, best).
The least that a program must do with a trade: its market, number, price, volume, time and side, as numbers.
"""

import sys
import time
from collections.abc import Callable
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


READERS: dict[str, Callable[[Any], Trade]] = {
    "binance": binance, "coinbase": coinbase, "coinbase-advanced": coinbase_advanced, "kraken": kraken,
    "kraken-v1": kraken_arrays, "bitstamp": bitstamp, "gemini": gemini,
}  # fmt: skip


def seconds(lines: list[bytes], read: Callable[[Any], Trade]) -> float:
    loads = orjson.loads
    start = time.perf_counter()
    accepted = 0
    for line in lines:
        trade = read(loads(line))
        # As little as can be called validation.
        accepted += trade[2] > 0 and trade[3] >= 0
    assert accepted == len(lines)
    return time.perf_counter() - start


for name in sys.argv[1:]:
    path = Path(name)
    if path.stem not in READERS:
        continue
    lines = path.read_bytes().splitlines()
    seconds(lines, READERS[path.stem])
    times = sorted(seconds(lines, READERS[path.stem]) for _ in range(9))
    print(path.stem, len(lines) / times[len(times) // 2], len(lines) / times[0], sep="\t")
