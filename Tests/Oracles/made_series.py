"""Files of candles, made in the layouts of their vendors, where the vendors' own are not on the machine.

They have what the tests of real files meet: holes, bars without a trade, rows out of order and rows that are repeated,
times of exchanges with summer time, prices of any scale.
"""

import gzip
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path


@dataclass
class Bar:
    start: datetime
    """On the exchange's clock."""
    index: int
    open: float
    high: float
    low: float
    close: float
    volume: float


def walk(
    name: str, start: str, step: timedelta, count: int, price: float, decimals: int, *,
    hours: tuple[int, int] = (0, 24), holes: float = 0.02, quiet: float = 0.0,
) -> Iterator[Bar]:  # fmt: skip
    """Candles whose close walks at random around a level.

    - hours: of the day in which there are any; an exchange has none at weekends.
    - holes: the share of candles that are missing; quiet: of those without a trade.
    """
    pick = random.Random(name)
    first, level, index, made = datetime.fromisoformat(start), price, -1, 0
    while made < count:
        index += 1
        moment = first + index * step
        is_open = hours[0] <= moment.hour < hours[1] and (hours == (0, 24) or moment.weekday() < 5)
        if not is_open or pick.random() < holes:
            continue
        made += 1
        if pick.random() < quiet:
            yield Bar(moment, index, *[round(price, decimals)] * 4, 0)
            continue
        begin = price
        price = max(level / 10, price * (1 + pick.gauss(0, 0.002)) + (level - price) * 0.001)
        ends = sorted((begin, price))
        high = ends[1] + abs(pick.gauss(0, 0.001)) * level
        low = max(level / 20, ends[0] - abs(pick.gauss(0, 0.001)) * level)
        prices = [round(value, decimals) for value in (begin, high, low, price)]
        yield Bar(moment, index, *prices, round(pick.expovariate(1) * 50 + 0.01, 8))


Row = Callable[[Bar], str]


def scaled(time: Callable[[Bar], object], price_scale: int = 1, whole: bool = False) -> Row:
    """Time, open, high, low, close, volume."""

    def row(bar: Bar) -> str:
        prices = [bar.open, bar.high, bar.low, bar.close]
        texts = [str(round(price * price_scale)) if price_scale > 1 else f"{price}" for price in prices]
        return ",".join([str(time(bar)), *texts, str(int(bar.volume * 100) if whole else bar.volume)])

    return row


def quotes(time: Callable[[Bar], object]) -> Row:
    """Both sides of a market that has no volumes: bid, then ask."""

    def row(bar: Bar) -> str:
        bid = [bar.open, bar.high, bar.low, bar.close]
        ask = [round(price + 0.00003, 5) for price in bid]
        return ",".join(map(str, [time(bar), *bid, 0, *ask, 0]))

    return row


def written(format: str) -> Callable[[Bar], str]:
    return lambda bar: bar.start.strftime(format)


def of_day(bar: Bar) -> int:
    """Milliseconds since the day's midnight."""
    midnight = bar.start.replace(hour=0, minute=0, second=0)
    return (bar.start - midnight) // timedelta(milliseconds=1)


def american(bar: Bar) -> str:
    return f"{bar.start.month}/{bar.start.day}/{bar.start.year} {bar.start.hour}:{bar.start:%M}"


SECOND, MINUTE, HOUR, DAY = (timedelta(seconds=seconds) for seconds in (1, 60, 3600, 86_400))
DATE, LEAN = "date,open,high,low,close,volume", written("%Y%m%d %H:%M")
PLAIN = scaled(written("%Y-%m-%d %H:%M:%S"))
EXCHANGE = {"hours": (4, 20)}


@dataclass
class Series:
    bars: Iterator[Bar]
    row: Row
    header: str = ""
    is_descending: bool = False
    is_messy: bool = False
    """Some rows are in the file twice, and some neighbours stand the other way round."""

    def lines(self, name: str) -> list[str]:
        rows = [self.row(bar) for bar in self.bars]
        if self.is_descending:
            rows.reverse()
        if self.is_messy:
            pick = random.Random(name)
            for index in sorted(pick.sample(range(1, len(rows)), len(rows) // 50), reverse=True):
                rows[index - 1], rows[index] = rows[index], rows[index - 1]
                rows.insert(index, rows[pick.randrange(len(rows))])
        return [*self.header.splitlines(), *rows]


def series(name: str) -> dict[str, Callable[[], Series]]:
    def bars(start: str, step: timedelta, count: int, price: float, decimals: int = 2, **more: object) -> Iterator[Bar]:
        return walk(name, start, step, count, price, decimals, **more)  # type: ignore[arg-type]

    def sp500() -> Series:
        def row(bar: Bar) -> str:
            return ",".join(map(str, [american(bar), bar.open, bar.close, bar.high, bar.low, 0]))

        found = bars("2019-11-05 09:30", MINUTE, 1500, 3080.0, hours=(9, 16))
        return Series(found, row, "Date,Open,Close,High,Low,Volume")

    def coinbase_hours() -> Series:
        def row(bar: Bar) -> str:
            prices = [bar.open, bar.high, bar.low, bar.close]
            amount = round(bar.volume * bar.close, 2)
            return ",".join(map(str, [bar.start.strftime("%Y-%m-%d %I-%p"), "BTCUSD", *prices, bar.volume, amount]))

        header = "Timestamps are UTC timezone,https://www.CryptoDataDownload.com\ndate,symbol,open,high,low,close,volume_btc,volume"
        return Series(bars("2017-07-01 11:00", HOUR, 5000, 2505.0), row, header, is_descending=True)

    def yahoo() -> Series:
        def row(bar: Bar) -> str:
            prices = [f"{price:.6f}" for price in (bar.open, bar.high, bar.low, bar.close)]
            volume = int(bar.volume * 1e6)
            return ",".join([f"{bar.start:%Y-%m-%d}", *prices, f"{bar.close * 0.9:.6f}", str(volume)])

        return Series(bars("2004-08-19", DAY, 3000, 22.5, 6), row, "Date,Open,High,Low,Close,Adj Close,Volume")

    return {
        "bitfinex_btcusd_1min_2016": lambda: Series(
            bars("2016-02-09 20:51", MINUTE, 12_000, 373.3, quiet=0.3), PLAIN, DATE, is_messy=True),
        "bitstamp_btcusd_mixed_2016": lambda: Series(
            bars("2016-01-21 17:45", 5 * MINUTE, 9000, 407.8, quiet=0.05), PLAIN, DATE, is_messy=True),
        "coinbase_btcusd_1h_2017-2019": coinbase_hours,
        "lean_binance_btcbusd_minute_2022-12-13": lambda: Series(
            bars("2022-12-13", MINUTE, 1400, 17_212.0), scaled(of_day)),
        "lean_coinbase_btcusd_daily_2014-2018": lambda: Series(bars("2014-12-01", DAY, 1300, 377.0), scaled(LEAN)),
        "lean_coinbase_btcusd_second_2016-10-07": lambda: Series(
            bars("2016-10-07", SECOND, 4000, 611.0, holes=0.95), scaled(of_day)),
        "lean_equity_aapl_daily_1998-2021": lambda: Series(
            bars("1998-01-02", DAY, 5500, 13.6), scaled(LEAN, 10_000, True)),
        "lean_equity_aapl_hour_1998-2021": lambda: Series(
            bars("1998-01-02 09:00", HOUR, 6000, 13.6, hours=(9, 16)), scaled(LEAN, 10_000, True)),
        "lean_equity_spy_minute_2013-10-11": lambda: Series(
            bars("2013-10-11 04:00", MINUTE, 770, 168.9, **EXCHANGE), scaled(of_day, 10_000, True)),
        "lean_equity_aapl_minute_2014-06-09": lambda: Series(
            bars("2014-06-09 04:00", MINUTE, 830, 92.2, **EXCHANGE), scaled(of_day, 10_000, True)),
        "lean_fxcm_eurusd_minute_2014-05-05_quote": lambda: Series(
            bars("2014-05-05", MINUTE, 1400, 1.38756, 5), quotes(of_day)),
        "lean_fxcm_eurusd_hour": lambda: Series(bars("2007-03-30", HOUR, 8000, 1.33141, 5), quotes(LEAN)),
        "sp500_1min_2019-11-05_08": sp500,
        "spx_daily_1950-2012": lambda: Series(
            bars("1968-01-03", DAY, 9000, 16.66), scaled(written("%Y-%m-%d")), "Timestamp,Open,High,Low,Close,Volume", is_descending=True),
        "yahoo_aapl_daily_2004-2018": yahoo,
    }  # fmt: skip


def write_series(folder: Path) -> None:
    folder.mkdir(parents=True)
    for name in series(""):
        lines = series(name)[name]().lines(name)
        text = "".join(f"{line}\n" for line in lines)
        (folder / f"{name}.csv.gz").write_bytes(gzip.compress(text.encode(), 1, mtime=0))
