"""Files of candles with the holes and the bad prints that real ones have: nothing is made up, nothing is left out."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from shared_data import OHLCV, needs_real_data
from store_files import Store

NEW_YORK = ("--time-zone", "America/New_York", "--price-scale", "10000")

pytestmark = needs_real_data


@dataclass
class Imported:
    candles: dict[str, dict[str, float]]
    """By their start, `YYYY-MM-DD HH:MM:SS` UTC."""
    said: str


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


def imported(store: Store, name: str, timeframe: str, *flags: str) -> Imported:
    said = store.call("import", str(OHLCV / f"{name}.csv.gz"), "--symbol", "X", "--timeframe", timeframe, *flags)
    bars = store.candles("X", timeframe)
    return Imported({str(datetime.fromtimestamp(bar["timestamp"], UTC))[:19]: bar for bar in bars}, said)


def missing(starts: Iterable[str], step: timedelta) -> int:
    """Buckets between the first and the last that are not there."""
    times = [datetime.fromisoformat(start) for start in starts]
    return (max(times) - min(times)) // step + 1 - len(times)


@pytest.mark.parametrize(
    "name, timeframe, step, candles, holes",
    [
        ("lean_coinbase_btcusd_minute_2016-10-09", "1m", timedelta(minutes=1), 1397, 43),
        ("lean_coinbase_btcusd_daily_2014-2018", "1d", timedelta(days=1), 1318, 34),
        ("lean_coinbase_btcusd_second_2016-10-07", "1s", timedelta(seconds=1), 4063, None),
    ],
)
def test_where_nothing_traded_there_is_no_candle(
    store: Store, name: str, timeframe: str, step: timedelta, candles: int, holes: int | None
) -> None:
    found = imported(store, name, timeframe)
    assert len(found.candles) == candles
    if holes is not None:
        assert missing(found.candles, step) == holes
    assert all(bar["volume"] > 0 for bar in found.candles.values())


def test_a_file_that_stops_early_ends_where_it_stops(store: Store) -> None:
    """Coinbase 2018-04-04 stops at 16:47 UTC: the day's last candles are not filled."""
    found = imported(store, "lean_coinbase_btcusd_minute_2018-04-04", "1m")
    assert max(found.candles) == "2018-04-04 16:47:00"
    hours = [datetime.fromtimestamp(bar["timestamp"], UTC).hour for bar in store.candles("X", "1h")]
    assert hours == list(range(17))


def test_true_extremes_are_kept_and_pointed_out(store: Store) -> None:
    """Coinbase fell to 0.06 on 2017-04-15; 2017-12-22 was a bad day like others."""
    found = imported(store, "lean_coinbase_btcusd_daily_2014-2018", "1d")
    crash = found.candles["2017-04-15 00:00:00"]
    assert (crash["low"], crash["close"]) == (0.06, 1178.85)
    assert found.candles["2017-12-22 00:00:00"]["low"] == 10_400
    assert "2017-04-15 00:00:00" in wide(found.said)
    assert "2017-12-22" not in wide(found.said)
    # Coarser candles have it, too: nothing was smoothed on the way.
    assert min(bar["low"] for bar in store.candles("X", "1w")) == 0.06


def test_bad_prints_are_kept_and_pointed_out(store: Store) -> None:
    """AAPL's three days that range over more than three times their low."""
    found = imported(store, "lean_equity_aapl_daily_1998-2021", "1d", *NEW_YORK)
    lows = {"2009-09-21": 10.59, "2010-08-31": 25.30, "2011-01-03": 32.65}
    for day, low in lows.items():
        assert found.candles[f"{day} 00:00:00"]["low"] == low
        assert day in wide(found.said)
    assert found.candles["2009-09-21 00:00:00"]["close"] == 184.02
    assert "3 candles" in wide(found.said)
    again = store.call("import", str(OHLCV / "lean_equity_aapl_minute_2014-06-05.csv.gz"), "--symbol", "Y",
                       "--timeframe", "1m", *NEW_YORK)  # fmt: skip
    assert wide(again) == "", "a day like others has none"


def test_prices_from_before_and_after_a_split_in_one_candle_are_pointed_out(store: Store) -> None:
    found = imported(store, "lean_equity_aapl_minute_2014-06-09", "1m", *NEW_YORK)
    first = found.candles["2014-06-09 08:00:00"]
    assert [first[key] for key in ("open", "high", "low", "close")] == [645.57, 645.57, 92.23, 92.42]
    assert "1 candle with" in wide(found.said)
    assert "2014-06-09 08:00:00" in wide(found.said)


def wide(said: str) -> str:
    return next((line for line in said.splitlines() if line.startswith("  wide ")), "")
