"""Files of ticks as real ones are, imported as trades: each candle against polars, and against the vendor's."""

import gzip
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from zoneinfo import ZoneInfo

import polars as pl
import pytest

from candle_oracle import DECIMALS, Tape, differences
from shared_data import DATA, needs_real_data
from store_files import Store

NEW_YORK = ("--time-zone", "America/New_York", "--price-scale", "10000")

pytestmark = needs_real_data


@dataclass
class Ticks:
    """A file's rows, and where midnight of its day was: 0 where its times are Unix seconds."""

    rows: list[list[str]]
    midnight: int
    scale: int = 1
    unit: int = 1000
    """Microseconds of a time's unit."""

    def candles(self, timeframe: str, *, price: int, volume: int | None) -> list[dict[str, float]]:
        """Those of all rows whose price is one."""
        tape = Tape()
        tape.rows["X"] = [
            (
                int(self.midnight * 1_000_000 + Decimal(row[0]) * self.unit),
                arrival,
                float(row[price]) / self.scale,
                int(Decimal(row[volume]).scaleb(DECIMALS)) if volume else 0,
            )
            for arrival, row in enumerate(self.rows)
            if float(row[price]) > 0
        ]
        return tape.candles("X", timeframe)

    def count(self, is_so: Callable[[list[str]], bool]) -> int:
        return sum(bool(is_so(row)) for row in self.rows)


def path_of(name: str) -> Path:
    return DATA / "ticks" / f"{name}.csv.gz"


def read(name: str, zone: str | None = None, scale: int = 1) -> Ticks:
    """- zone: of the midnight that times are counted from, on the day in the file's name."""
    with gzip.open(path_of(name), "rt", encoding="utf-8") as file:
        rows = [line.strip().split(",") for line in file]
    if zone is None:
        return Ticks(rows, 0, unit=1_000_000)
    day = next(part for part in reversed(name.split("_")) if part[:2] == "20")
    return Ticks(rows, int(datetime.fromisoformat(day).replace(tzinfo=ZoneInfo(zone)).timestamp()), scale)


def vendors(name: str, columns: slice = slice(1, 6)) -> list[tuple[float, ...]]:
    """The vendor's own candles: milliseconds of the day, then these columns."""
    frame = pl.read_csv(DATA / "ohlcv" / f"{name}.csv.gz", has_header=False)
    return [(row[0], *row[columns]) for row in frame.iter_rows()]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


@pytest.mark.parametrize("day, crossed, locked", [("2014-05-05", 4987, 7109), ("2014-05-06", 9999, 12_154)])
def test_crossed_and_locked_quotes_cost_nothing(store: Store, day: str, crossed: int, locked: int) -> None:
    """FXCM: a bid above the ask is what was quoted. Each side's candles are the vendor's, to the bit."""
    name = f"lean_fxcm_eurusd_{day}_quote"
    ticks = read(name, "Etc/GMT+5")
    assert ticks.count(lambda row: float(row[1]) > float(row[2])) == crossed
    assert ticks.count(lambda row: float(row[1]) == float(row[2])) == locked
    for side, column in (("BID", 2), ("ASK", 3)) if day == "2014-05-05" else (("BID", 2),):
        # Milliseconds such as 19040103 look like dates, and are none.
        said = store.call(
            "import", str(path_of(name)), "--symbol", side, "--trades", "--timeframe", "1m", "--time-zone=-05:00",
            "--columns", f"time=1,price={column},volume=none",
        )  # fmt: skip
        assert "rejected  0 trades" in said
        found = store.candles(side, "1m")
        assert list(differences(found, ticks.candles("1m", price=column - 1, volume=None)))[:5] == []
        if day == "2014-05-05":
            theirs = vendors(f"lean_fxcm_eurusd_minute_{day}_quote", slice(1, 5) if side == "BID" else slice(6, 10))
            ours = [
                ((bar["timestamp"] - ticks.midnight) * 1000, *(bar[k] for k in ("open", "high", "low", "close")))
                for bar in found
            ]
            assert len(theirs) == 1410
            assert ours == theirs


def test_one_sided_quotes_cost_the_rows_without_the_side(store: Store) -> None:
    """IBM: each of 109,067 rows, of 11 exchanges, has one price; the other is 0, which is none."""
    name = "lean_equity_ibm_2013-10-07_quote"
    ticks = read(name, "America/New_York", 10_000)
    assert ticks.count(lambda row: (row[1] == "0") != (row[3] == "0")) == len(ticks.rows) == 109_067
    assert len({row[5] for row in ticks.rows}) == 11
    for side, column in (("BID", 2), ("ASK", 4)):
        said = store.call(
            "import", str(path_of(name)), "--symbol", side, "--trades", "--timeframe", "1m", *NEW_YORK,
            "--columns", f"time=1,price={column},volume=none",
        )  # fmt: skip
        without = ticks.count(lambda row, at=column - 1: row[at] == "0")
        assert f"rejected  {without:,} trades" in said
        assert f"column {column}: price is 0.0; prices are above 0" in said
        found = store.candles(side, "1m")
        assert list(differences(found, ticks.candles("1m", price=column - 1, volume=None)))[:5] == []


@pytest.mark.parametrize(
    "name, volumes, prices", [("ibm_2013-10-07", (449, 453), 242), ("bac_2013-10-08", (570, 573), 510)]
)
def test_trades_of_equities_make_the_vendors_minutes(
    store: Store, name: str, volumes: tuple[int, int], prices: int
) -> None:
    """Volumes equal but for a few; prices as often as the vendor leaves no sale condition out of them."""
    file = f"lean_equity_{name}_trade"
    ticks = read(file, "America/New_York", 10_000)
    store.call("import", str(path_of(file)), "--symbol", "X", "--trades", "--timeframe", "1m", *NEW_YORK)
    found = store.candles("X", "1m")
    assert list(differences(found, ticks.candles("1m", price=1, volume=2)))[:5] == []
    stock, day = name.split("_")
    theirs = vendors(f"lean_equity_{stock}_minute_{day}")
    assert [(bar["timestamp"] - ticks.midnight) * 1000 for bar in found] == [bar[0] for bar in theirs]
    assert (sum(bar["volume"] == their[5] for bar, their in zip(found, theirs, strict=True)), len(found)) == volumes
    names = ("open", "high", "low", "close")
    same = [
        [bar[key] for key in names] == [price / 10_000 for price in their[1:5]]
        for bar, their in zip(found, theirs, strict=True)
    ]
    assert sum(same) == prices


def test_equal_trades_are_trades_and_an_amount_of_zero_is_none_too_few(store: Store) -> None:
    """Bitstamp 2011: 1,695 rows repeat another to the digit, one has the amount 0, 4,243 share their second."""
    name = "bitstamp_btcusd_trades_2011-09_2012-05"
    ticks = read(name)
    assert len(ticks.rows) - len({tuple(row) for row in ticks.rows}) == 1695
    assert ticks.count(lambda row: float(row[2]) == 0) == 1
    times = [int(row[0]) for row in ticks.rows]
    steps = [later - time for time, later in zip(times, times[1:], strict=False)]
    assert (steps.count(0), max(steps)) == (4243, 91 * 3600 + 8)
    said = store.call("import", str(path_of(name)), "--symbol", "X", "--trades", "--timeframe", "1m")
    assert "9,999 trades" in said
    assert "rejected  0 trades" in said
    found = store.candles("X", "1m")
    assert list(differences(found, ticks.candles("1m", price=1, volume=2)))[:5] == []
    # Prints at 15.00 while the price fell from 4.39 to 2.70: true ones, which stay.
    day = datetime(2011, 11, 25, tzinfo=UTC).timestamp()
    spikes = [bar["high"] for bar in found if day <= bar["timestamp"] < day + 86_400 and bar["high"] > 10]
    assert spikes == [15.0, 15.0]


def test_times_below_the_millisecond_stand_where_they_were(store: Store) -> None:
    """Oanda: up to four decimals of a millisecond."""
    name = "lean_oanda_xauusd_2014-05-04_quote"
    ticks = read(name, "UTC")
    assert ticks.count(lambda row: len(row[0].partition(".")[2]) == 4) == 3346
    columns = "time=1,price=2,volume=none"
    said = store.call("import", str(path_of(name)), "--symbol", "X", "--trades", "--columns", columns)
    assert "rejected  0 trades" in said
    for timeframe in ("1s", "1m"):
        found = store.candles("X", timeframe)
        assert list(differences(found, ticks.candles(timeframe, price=1, volume=None)))[:5] == []


def test_an_unknown_side_does_not_matter(store: Store) -> None:
    name = "binance_btcusdt_trades_2020-11-16"
    ticks = read(name)
    assert {row[3] for row in ticks.rows} == {"ANY"}
    store.call("import", str(path_of(name)), "--symbol", "X", "--trades")
    assert list(differences(store.candles("X", "1s"), ticks.candles("1s", price=1, volume=2)))[:5] == []
