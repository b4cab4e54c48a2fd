"""Every trade of every recording as `candlewire trades` reads it, against an extraction that shares nothing with ours."""

import json
import subprocess
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from candle_oracle import read_lines
from shared_data import RECORDINGS, needs_real_data
from support.server import binary
from venue_oracle import CONSECUTIVE, Reader, Trade, venue_of

FILES = sorted(path for path in RECORDINGS.glob("*.jsonl*") if ".sent." not in path.name and ".http." not in path.name)


@cache
def document(path: Path) -> dict[str, Any]:
    run = subprocess.run((str(binary()), "trades", str(path), "--json"), capture_output=True, timeout=300, check=False)
    assert (run.returncode, run.stderr) == (0, b"")
    return json.loads(run.stdout, parse_float=str, parse_int=str)


@cache
def oracle(path: Path) -> tuple[list[Trade], Reader]:
    reader = Reader(venue_of(path.name))
    return [trade for line in read_lines(path) for trade in reader.read(line)], reader


def row(trade: Trade) -> tuple[str, ...]:
    time = repr(trade.microseconds / 1e6).removesuffix(".0")
    return trade.symbol, trade.name, trade.price, trade.quantity, time, trade.side


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_trades_equal_the_oracles(path: Path) -> None:
    found = document(path)
    expected, reader = oracle(path)
    assert found["venue"] == reader.venue
    rows = [(t["symbol"], t["id"], t["price"], t["volume"], t["time"], t["side"]) for t in found["trades"]]
    assert len(rows) == len(expected)
    assert rows == [row(trade) for trade in expected]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_message_is_accounted_for(path: Path) -> None:
    found = {name: int(value) for name, value in document(path).items() if isinstance(value, str) and value.isdigit()}
    reader = oracle(path)[1]
    figures = {name: getattr(reader, name) for name in ("messages", "duplicates", "missing", "malformed")}
    assert found == {**figures, "renumberings": 0}
    kinds = {name: int(count) for name, count in document(path)["kinds"].items()}
    assert sum(kinds.values()) == reader.messages
    assert kinds["other"] == kinds["malformed"] == kinds["refusal"] == 0, "nothing in a recording is unknown"
    assert set(document(path)["flaws"].values()) == {"0"}
    # The sessions were recorded without a break.
    assert reader.missing == 0


@needs_real_data
def test_the_recordings_hold_what_their_description_says() -> None:
    """What the recordings' description says of them, so that the tests above are known to have met it."""
    trades = {path.name.split(".")[0]: oracle(path)[0] for path in FILES}
    spot = trades["binance_spot_btcusdt_2024-08-08"] + trades["binance_spot_btcusdt_2024-08-09"]
    times = [trade.microseconds for trade in spot]
    assert Counter(times).most_common(1)[0][1] == 735, "735 trades in one millisecond"
    assert sum(a == b for a, b in zip(times, times[1:], strict=False)) == 12_796
    kraken = trades["kraken_v2_trade_btcusd-ethusd_2026-09-26"]
    assert len(kraken) == 102
    assert sum(
        a.microseconds == b.microseconds
        for symbol in ("BTC/USD", "ETH/USD")
        for a, b in zip(*(lambda t: (t, t[1:]))([t for t in kraken if t.symbol == symbol]), strict=False)
    ) == 26  # fmt: skip
    for name, found in trades.items():
        if venue_of(name) in CONSECUTIVE:
            for symbol in {trade.symbol for trade in found}:
                numbers = [trade.id for trade in found if trade.symbol == symbol]
                assert sorted(numbers) == list(range(min(numbers), max(numbers) + 1)), f"{name} {symbol}"


@needs_real_data
def test_closed_klines_equal_the_trades_as_far_as_they_were_recorded() -> None:
    """The recording begins inside the first minute: close and last trade can be rebuilt, the high here, and two of three
    lows."""
    path = RECORDINGS / "binance_spot_btcusdt-ethusdt-dotusdt_2021-04-04.jsonl.gz"
    candles = document(path)["candles"]
    last_of: dict[str, int] = {}
    minute = 1_617_566_580
    for line in read_lines(path):
        data = json.loads(line)["data"]
        if data["e"] == "aggTrade" and data["T"] < (minute + 60) * 1000:
            last_of[data["s"]] = data["l"]
    lows = 0
    assert sorted(candle["symbol"] for candle in candles) == ["BTCUSDT", "DOTUSDT", "ETHUSDT"]
    for candle in candles:
        assert (candle["seconds"], candle["timestamp"]) == ("60", str(minute))
        prices = [
            float(trade.price)
            for trade in oracle(path)[0]
            if trade.symbol == candle["symbol"] and minute <= trade.microseconds / 1e6 < minute + 60
        ]
        assert float(candle["close"]) == prices[-1]
        assert float(candle["high"]) == max(prices)
        assert int(candle["last_trade"]) == last_of[candle["symbol"]]
        lows += float(candle["low"]) == min(prices)
    assert lows == 2


def test_a_recording_without_trades_is_read_and_said_to_have_none(tmp_path: Path) -> None:
    path = next(path for path in FILES if path.name.startswith("bybit_v5_spot"))
    run = subprocess.run((str(binary()), "trades", str(path)), capture_output=True, text=True, timeout=60, check=False)
    assert run.returncode == 0
    assert "bybit, 145 messages, 0 trades" in run.stdout
    assert "139 book, 6 acknowledgement" in run.stdout
    served = subprocess.run(
        (str(binary()), "serve", "--feed", f"replay:{path}", "--data-dir", str(tmp_path / "data"), "--port", "0"),
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert served.returncode == 66
    assert "holds no bybit trades" in served.stderr
    assert "139 book, 6 acknowledgement messages" in served.stderr
