"""Candles of a recording, made a second time by other means.

The trades are those of `venue_oracle`, quantities are read with `Decimal`, and polars groups the trades by its own
calendar. Nothing here knows how the server does it; only the documented rules are the same:

- A price of zero or less, a negative quantity, and a time that is 300 s or more behind the receive time, or more than
  5 s ahead of it, is no trade; neither is one more than 10 s behind the newest of its market.
- Open is the earliest trade, close the latest; of equal times the first and the last to arrive.
"""

import gzip
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path

import polars as pl

from venue_oracle import Reader, Trade, venue_of

# What polars calls our timeframes; its weeks start on Monday, its months are those of the calendar.
TIMEFRAMES = {
    "1s": "1s", "5s": "5s", "15s": "15s", "1m": "1m", "3m": "3m", "5m": "5m", "15m": "15m", "30m": "30m",
    "1h": "1h", "2h": "2h", "4h": "4h", "6h": "6h", "12h": "12h", "1d": "1d", "1w": "1w", "1M": "1mo",
}  # fmt: skip
REASONS = ("not_finite", "price", "volume", "timestamp", "too_old", "too_far_ahead", "late", "deviation")

# Quantities are counted in these units, so that their sums are whole numbers.
DECIMALS = 12


@dataclass
class Tape:
    """The trades that count, and what became of the others."""

    messages: int = 0
    trades: int = 0
    duplicates: int = 0
    malformed: int = 0
    missing: int = 0
    accepted: int = 0
    corrected: int = 0
    rejected: dict[str, int] = field(default_factory=lambda: dict.fromkeys(REASONS, 0))
    symbols: set[str] = field(default_factory=set)
    """The markets that traded, also those none of whose trades counts."""
    rows: dict[str, list[tuple[int, int, float, int]]] = field(default_factory=dict)
    accepted_trades: list[tuple[Trade, int]] = field(default_factory=list)
    """The accepted trades of all markets as they came, each with the nanosecond by which it was received."""

    def frame(self, symbol: str) -> pl.DataFrame:
        """A market's trades: time, arrival, price, and the quantity in units."""
        return pl.DataFrame(
            self.rows.get(symbol, []),
            schema={"time": pl.Int64, "arrival": pl.Int64, "price": pl.Float64, "units": pl.Int128},
            orient="row",
        ).with_columns(pl.from_epoch("time", time_unit="us"))

    def candles(self, symbol: str, timeframe: str) -> list[dict[str, float]]:
        bars = (
            self.frame(symbol)
            .sort("time", "arrival")
            .group_by(pl.col("time").dt.truncate(TIMEFRAMES[timeframe]).alias("bucket"))
            .agg(
                open=pl.col("price").sort_by("time", "arrival").first(),
                high=pl.col("price").max(),
                low=pl.col("price").min(),
                close=pl.col("price").sort_by("time", "arrival").last(),
                units=pl.col("units").sum(),
            )
            .sort("bucket")
            .with_columns(pl.col("bucket").dt.epoch("s"))
        )
        return [
            {
                "timestamp": float(bar["bucket"]),
                "open": bar["open"],
                "high": bar["high"],
                "low": bar["low"],
                "close": bar["close"],
                "volume": float(Decimal(bar["units"]).scaleb(-DECIMALS)),
            }
            for bar in bars.iter_rows(named=True)
        ]


def roll_up(candles: list[dict[str, float]], timeframe: str) -> list[dict[str, float]]:
    """Coarser candles out of finer ones, by polars."""
    units = [int(Decimal(repr(candle["volume"])).scaleb(DECIMALS)) for candle in candles]
    finer = pl.DataFrame(candles).with_columns(
        pl.from_epoch("timestamp", time_unit="s"), pl.Series("units", units, dtype=pl.Int128)
    )
    bars = (
        finer.sort("timestamp")
        .group_by(pl.col("timestamp").dt.truncate(TIMEFRAMES[timeframe]).alias("bucket"), maintain_order=True)
        .agg(
            open=pl.col("open").first(),
            high=pl.col("high").max(),
            low=pl.col("low").min(),
            close=pl.col("close").last(),
            units=pl.col("units").sum(),
        )
        .with_columns(pl.col("bucket").dt.epoch("s"))
    )
    return [
        {
            "timestamp": float(bar["bucket"]),
            **{name: bar[name] for name in ("open", "high", "low", "close")},
            "volume": float(Decimal(bar["units"]).scaleb(-DECIMALS)),
        }
        for bar in bars.iter_rows(named=True)
    ]


def read_recording(path: Path) -> Tape:
    venue = venue_of(path.name)
    lines = read_lines(path)
    return read_tape(zip(lines, _received(path, lines, venue), strict=True), venue)


def read_lines(path: Path) -> list[str]:
    return [line for line in _text(path).splitlines() if line]


def _received(path: Path, lines: list[str], venue: str) -> list[int]:
    """The nanosecond in which each message was received; without a recorder's clock, that of the newest trade by then."""
    stem = path.name.removesuffix(".gz").removesuffix(".jsonl")
    recorded = next(path.parent.glob(f"{stem}.times.txt*"), None)
    if recorded is not None:
        return [int(line) for line in read_lines(recorded)]
    reader = Reader(venue)
    newest, received = 0, []
    for line in lines:
        newest = max([newest, *(trade.microseconds * 1000 for trade in reader.read(line))])
        received.append(newest)
    first = next(time for time in received if time)
    return [time or first for time in received]


class Deviation:
    """Of one market: which prices are too far from the last one that passed, until the third in a row says the same."""

    def __init__(self, percent: float) -> None:
        self.most = percent / 100
        self.last: float | None = None
        self.level: float | None = None
        self.prints = 0

    def passes(self, price: float) -> bool:
        if self.last is not None and abs(price - self.last) > self.most * self.last:
            agrees = self.level is not None and abs(price - self.level) <= self.most * self.level
            self.prints = self.prints + 1 if agrees else 1
            self.level = price
            if self.prints < 3:
                return False
        self.last, self.level, self.prints = price, None, 0
        return True


def read_tape(
    messages: Iterable[tuple[str, int]], venue: str = "binance", max_deviation: float | None = None
) -> Tape:
    """- messages: each with the nanosecond it was received in."""
    tape = Tape()
    filters: dict[str, Deviation] = {}
    reader = Reader(venue)
    newest: dict[str, int] = {}
    now = arrival = 0
    for text, received in messages:
        now = max(now, received)
        for trade in reader.read(text):
            arrival += 1
            tape.symbols.add(trade.symbol)
            reason = _flaw(trade, now)
            if reason is None and max_deviation is not None:
                held_back = filters.setdefault(trade.symbol, Deviation(max_deviation))
                reason = None if held_back.passes(float(trade.price)) else "deviation"
            reason = reason or _lateness(trade, newest.get(trade.symbol))
            if reason:
                tape.rejected[reason] += 1
                continue
            tape.accepted += 1
            tape.accepted_trades.append((trade, now))
            latest = newest.get(trade.symbol, trade.microseconds)
            # A trade of a second that is over changes a candle that was final.
            tape.corrected += trade.microseconds // 1_000_000 < latest // 1_000_000
            newest[trade.symbol] = max(latest, trade.microseconds)
            units = Decimal(trade.quantity).scaleb(DECIMALS)
            assert units == int(units), f"{trade.quantity} has more than {DECIMALS} decimals"
            tape.rows.setdefault(trade.symbol, []).append(
                (trade.microseconds, arrival, float(trade.price), int(units))
            )
    tape.messages, tape.trades = reader.messages, reader.trades
    tape.duplicates, tape.malformed, tape.missing = reader.duplicates, reader.malformed, reader.missing
    return tape


def _flaw(trade: Trade, now: int) -> str | None:
    price, quantity = float(trade.price), float(trade.quantity)
    if not (math.isfinite(price) and math.isfinite(quantity)):
        return "not_finite"
    if price <= 0:
        return "price"
    if quantity < 0:
        return "volume"
    if not 0 < trade.microseconds <= 100_000_000_000 * 1_000_000:
        return "timestamp"
    age = now / 1e9 - trade.microseconds / 1e6
    if age >= 300:
        return "too_old"
    return "too_far_ahead" if age < -5 else None


def _lateness(trade: Trade, newest: int | None) -> str | None:
    return "late" if newest is not None and trade.microseconds < newest - 10_000_000 else None


def _text(path: Path) -> str:
    if path.suffix == ".gz":
        with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
            return file.read()
    return path.read_text(encoding="utf-8")


def differences(found: list[dict[str, float]], expected: list[dict[str, float]]) -> Iterator[str]:
    """How two series differ, bar by bar."""
    left = {bar["timestamp"]: bar for bar in found}
    right = {bar["timestamp"]: bar for bar in expected}
    if [bar["timestamp"] for bar in found] != sorted(left):
        yield "the bars are not ascending, or one comes twice"
    for at in sorted(left.keys() | right.keys()):
        if left.get(at) != right.get(at):
            yield f"at {at:.0f}: found {left.get(at)}, expected {right.get(at)}"
