"""`candlewire import` on files as they are found, against polars: each candle kept, to the bit, and what was rejected."""

from dataclasses import dataclass, field
from pathlib import Path

import polars as pl
import pytest

from candle_oracle import TIMEFRAMES, differences, roll_up
from import_oracle import candles, read_table
from shared_data import IS_REAL, OHLCV
from store_files import Store

PLAIN = dict(timestamp=1, open=2, high=3, low=4, close=5, volume=6)
QUOTES = dict(timestamp=1, open=2, high=3, low=4, close=5)


def wall(format: str, zone: str = "UTC", ambiguous: str = "earliest") -> pl.Expr:
    """Local times written in a format (chrono's letters)."""
    local = pl.col("timestamp").str.to_datetime(format, time_unit="us")
    return local.dt.replace_time_zone(zone, ambiguous=ambiguous, non_existent="null").dt.convert_time_zone("UTC")


def of_day(day: str, zone: str = "UTC") -> pl.Expr:
    """Milliseconds since the local midnight of a day."""
    midnight = pl.lit(day).str.to_datetime("%Y-%m-%d")
    local = midnight + pl.duration(milliseconds=pl.col("timestamp").cast(pl.Int64))
    return local.dt.replace_time_zone(zone).dt.convert_time_zone("UTC")


@dataclass
class File:
    """A file, how it is imported, and how polars reads it."""

    timeframe: str
    times: pl.Expr
    flags: tuple[str, ...] = ()
    columns: dict[str, int | str] = field(default_factory=lambda: PLAIN)
    header: bool = False
    skip: int = 0
    price_scale: float = 1.0


EQUITY = ("--time-zone", "America/New_York", "--price-scale", "10000")
CASES = {
    "bitfinex_btcusd_1min_2016": File("1m", wall("%Y-%m-%d %H:%M:%S"), header=True),
    "bitstamp_btcusd_mixed_2016": File("5m", wall("%Y-%m-%d %H:%M:%S"), header=True),
    "coinbase_btcusd_1h_2017-2019": File(
        "1h", (pl.col("timestamp") + ":00").str.to_datetime("%Y-%m-%d %I-%p:%M", time_zone="UTC"), ("--columns", "volume=volume_btc"), header=True, skip=1,
        columns=dict(timestamp="date", open="open", high="high", low="low", close="close", volume="volume_btc")),
    "lean_binance_btcbusd_minute_2022-12-13": File("1m", of_day("2022-12-13")),
    "lean_coinbase_btcusd_daily_2014-2018": File("1d", wall("%Y%m%d %H:%M")),
    "lean_coinbase_btcusd_second_2016-10-07": File("1s", of_day("2016-10-07")),
    "lean_equity_aapl_daily_1998-2021": File("1d", wall("%Y%m%d %H:%M"), EQUITY, price_scale=10_000),
    "lean_equity_aapl_hour_1998-2021": File(
        "1h", wall("%Y%m%d %H:%M", "America/New_York"), EQUITY, price_scale=10_000),
    "lean_equity_spy_minute_2013-10-11": File("1m", of_day("2013-10-11", "America/New_York"), EQUITY, price_scale=10_000),
    "lean_fxcm_eurusd_minute_2014-05-05_quote": File(
        "1m", of_day("2014-05-05", "Etc/GMT+5"), ("--time-zone", "-05:00", "--columns", "volume=none"), columns=QUOTES),
    "sp500_1min_2019-11-05_08": File(
        "1m", wall("%m/%d/%Y %H:%M", "America/New_York"),
        ("--time-format", "M/D/YYYY H:MM", "--time-zone", "America/New_York"), header=True,
        columns=dict(timestamp="Date", open="Open", high="High", low="Low", close="Close", volume="Volume")),
    "spx_daily_1950-2012": File("1d", wall("%Y-%m-%d"), header=True),
    "yahoo_aapl_daily_2004-2018": File(
        "1d", wall("%Y-%m-%d"), header=True, columns=PLAIN | {"volume": 7}),
}  # fmt: skip


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return Store(tmp_path_factory.mktemp("import"))


def rounded(bars: list[dict[str, float]]) -> list[dict[str, float]]:
    return [bar | {"volume": float(f"{bar['volume']:.12g}")} for bar in bars]


@pytest.mark.parametrize("name", CASES)
def test_a_messy_file_is_imported_as_polars_reads_it(name: str, store: Store) -> None:
    path = OHLCV / f"{name}.csv.gz"
    case = CASES[name]
    call = ("import", str(path), "--symbol", name, "--timeframe", case.timeframe, *case.flags)
    said = store.call(*call)
    found = store.candles(name, case.timeframe)

    rows = read_table(
        path, header=case.header, skip=case.skip, columns=case.columns, price_scale=case.price_scale)  # fmt: skip
    expected = candles(rows, case.times)
    assert list(differences(found, expected))[:5] == []
    assert len(found) == len(expected) > 0
    if name.startswith("bitfinex"):
        empty = sum(bar["volume"] == 0 for bar in found)
        assert empty == 18_362 if IS_REAL else empty > 0, "bars without a trade that the file has are kept"
    assert f"kept      {len(expected):,} candles: {len(expected):,} new" in said
    # What is not kept was repeated, or rejected: rows of before 1970, and none else in these files.
    before = rows.filter(case.times.dt.epoch("s") <= 0).height
    assert f"rejected  {before:,} rows" in said
    assert f"repeated  {rows.height - before - len(expected):,} rows" in said

    for coarser in ("1h", "1d", "1w"):
        if list(TIMEFRAMES).index(coarser) > list(TIMEFRAMES).index(case.timeframe):
            rolled = store.candles(name, coarser)
            # Some files print volumes with the errors of earlier sums: more decimals than any trade has.
            assert list(differences(rounded(rolled), rounded(roll_up(found, coarser))))[:5] == []
    assert "Nothing changed: all of it was in the store already." in store.call(*call)
