"""Technical studies by TA-Lib, and bars of real markets to compute them from.

Where TA-Lib begins otherwise or says something else about a case that the formula leaves open, `Check` says what is
compared:

- MACD: TA-Lib seeds the fast average late, so that both begin with the same bar; ours are those of the EMA study, each
  seeded with its own first values. Compared with the distance of two of TA-Lib's EMAs from the first value on, and
  with its MACD once the seeds, which weigh (11/13)^n, are forgotten.
- ADX, +DI, -DI: TA-Lib's first sum has n - 1 values, ours is Wilder's average of n, as in RSI and ATR. Compared once the
  seeds, which weigh (13/14)^n, are forgotten.
- Stochastic, StochRSI: TA-Lib holds %K back until %D begins; %K is taken from a call in which that is at once.
- Nothing moved, no range, no flow: TA-Lib says 0 (MFI: already below a flow of 1), ours says the middle of the scale,
  or 0 for CCI, where TA-Lib divides two roundings. Such bars are left out, and those whose averages hold one.
- StochRSI divides by the range of the RSI; where that is below 0.01 both divide roundings, and the bar is left out.
"""

import csv
import gzip
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import talib
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

Column = NDArray[np.float64]
Mask = NDArray[np.bool_]

# One minute each from a midnight, UTC: what is compared does not depend on when the bars were.
START = 1_700_006_400
MAX_BARS = 4000

# File (without .csv.gz), and the columns of open, high, low, close, volume.
SERIES = {
    "bitfinex_btcusd_1min_2016": (1, 2, 3, 4, 5),
    "lean_coinbase_btcusd_second_2016-10-07": (1, 2, 3, 4, 5),
    "lean_coinbase_btcusd_daily_2014-2018": (1, 2, 3, 4, 5),
    "lean_equity_aapl_daily_1998-2021": (1, 2, 3, 4, 5),
    "lean_equity_aapl_minute_2014-06-09": (1, 2, 3, 4, 5),
    "lean_fxcm_eurusd_hour": (1, 2, 3, 4, 5),
    "yahoo_aapl_daily_2004-2018": (1, 2, 3, 4, 6),
}


@dataclass
class Bars:
    opens: Column
    highs: Column
    lows: Column
    closes: Column
    volumes: Column

    @property
    def count(self) -> int:
        return len(self.closes)

    @property
    def typical(self) -> Column:
        return (self.highs + self.lows + self.closes) / 3

    def write(self, path: Path) -> None:
        rows = zip(self.opens, self.highs, self.lows, self.closes, self.volumes, strict=True)
        lines = [",".join([str(START + 60 * index), *map(repr, map(float, row))]) for index, row in enumerate(rows)]
        path.write_text("timestamp,open,high,low,close,volume\n" + "\n".join(lines) + "\n")


def read_bars(path: Path, columns: tuple[int, ...]) -> Bars:
    """The well-formed bars of a recorded series, the newest `MAX_BARS` of them."""
    kept = []
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for row in csv.reader(file):
            try:
                o, h, l, c, v = (float(row[column]) for column in columns)  # noqa: E741
            except ValueError:
                continue
            if 0 < l <= min(o, c) and max(o, c) <= h and v >= 0:
                kept.append((o, h, l, c, v))
    return Bars(*np.array(kept[-MAX_BARS:]).T.copy())


# MARK: What is left out


def windows(values: Column, length: int) -> NDArray[np.float64]:
    """The last `length` values at each bar from the `length`-th on."""
    return sliding_window_view(values, length)


def since(flags: Mask, length: int) -> Mask:
    """Whether a flag was set at one of the last `length` bars."""
    padded = np.concatenate([np.zeros(length - 1, dtype=bool), flags])
    return sliding_window_view(padded, length).any(axis=1)


def without_range(highs: Column, lows: Column, length: int, least: float = 0) -> Mask:
    ranges = windows(highs, length).max(axis=1) - windows(lows, length).min(axis=1)
    return np.concatenate([np.zeros(length - 1, dtype=bool), ~(ranges > least)])


def without_flow(bars: Bars, length: int) -> Mask:
    change = np.diff(bars.typical, prepend=bars.typical[0])
    flows = np.where(np.abs(change) < 1e-12, 0, bars.typical * bars.volumes)
    sums = windows(flows, length).sum(axis=1)
    return np.concatenate([np.zeros(length - 1, dtype=bool), sums < 1])


def never_moved(bars: Bars) -> Mask:
    return np.cumsum(np.abs(np.diff(bars.closes, prepend=bars.closes[0]))) == 0


# MARK: What is compared

Reference = Callable[[Bars], tuple[Column, ...]]


def nothing(bars: Bars) -> Mask:
    return np.zeros(bars.count, dtype=bool)


@dataclass
class Check:
    study: str
    parameters: tuple[float, ...]
    reference: Reference
    """The outputs in our order, NaN where there is none."""
    left_out: Callable[[Bars], Mask] = nothing
    after: int = 0
    """Bars before which the seeds still count; 0 compares from the first value on, and that it is the first."""
    scale: float = 0
    """Below this, a difference is relative to this and not to the value: one point of a scale that passes through 0."""
    needs_volume: bool = False
    source: str | None = None
    names: tuple[str, ...] = field(default=())

    def __str__(self) -> str:
        return "-".join([self.study, *(f"{parameter:g}" for parameter in self.parameters), *self.names])


def bands(bars: Bars, period: int, factor: float) -> tuple[Column, ...]:
    upper, middle, lower = talib.BBANDS(bars.closes, period, factor, factor)
    return middle, upper, lower


def own_macd(bars: Bars, fast: int, slow: int, period: int) -> tuple[Column, ...]:
    macd = talib.EMA(bars.closes, fast) - talib.EMA(bars.closes, slow)
    first = max(fast, slow) - 1
    signal = np.concatenate([np.full(first, np.nan), talib.EMA(macd[first:], period)])
    return macd, signal, macd - signal


def keltner(bars: Bars, period: int, atr: int, factor: float) -> tuple[Column, ...]:
    middle = talib.EMA(bars.closes, period)
    distance = factor * talib.ATR(bars.highs, bars.lows, bars.closes, atr)
    return middle, middle + distance, middle - distance


def middle_of_range(bars: Bars, period: int) -> Column:
    return (talib.MAX(bars.highs, period) + talib.MIN(bars.lows, period)) / 2


def donchian(bars: Bars, period: int) -> tuple[Column, ...]:
    return middle_of_range(bars, period), talib.MAX(bars.highs, period), talib.MIN(bars.lows, period)


def ichimoku(bars: Bars, conversion: int, base: int, span: int) -> tuple[Column, ...]:
    tenkan, kijun = middle_of_range(bars, conversion), middle_of_range(bars, base)
    return tenkan, kijun, (tenkan + kijun) / 2, middle_of_range(bars, span), bars.closes


def adx(bars: Bars, period: int) -> tuple[Column, ...]:
    columns = bars.highs, bars.lows, bars.closes
    return (
        talib.ADX(*columns, timeperiod=period),
        talib.PLUS_DI(*columns, timeperiod=period),
        talib.MINUS_DI(*columns, timeperiod=period),
    )


def stochastic(bars: Bars, period: int, k: int, d: int) -> tuple[Column, ...]:
    # As below: %K from a call whose %D has one bar.
    columns = bars.highs, bars.lows, bars.closes
    return talib.STOCH(*columns, period, k, 0, 1, 0)[0], talib.STOCH(*columns, period, k, 0, d, 0)[1]


def stochastic_rsi(bars: Bars, rsi: int, period: int, signal: int) -> tuple[Column, ...]:
    # TA-Lib holds %K back until %D begins; with a %D of one bar it begins at once.
    k, _ = talib.STOCHRSI(bars.closes, timeperiod=rsi, fastk_period=period, fastd_period=1, fastd_matype=0)
    _, d = talib.STOCHRSI(bars.closes, timeperiod=rsi, fastk_period=period, fastd_period=signal, fastd_matype=0)
    return k, d


def smoothed_stochastic_rsi(bars: Bars, rsi: int, period: int, k: int, d: int) -> tuple[Column, ...]:
    raw, _ = stochastic_rsi(bars, rsi, period, 1)
    first = rsi + period - 1
    smooth = np.concatenate([np.full(first, np.nan), talib.SMA(raw[first:], k)])
    first += k - 1
    return smooth, np.concatenate([np.full(first, np.nan), talib.SMA(smooth[first:], d)])


def still_rsi(bars: Bars, rsi: int, period: int) -> Mask:
    values = np.nan_to_num(talib.RSI(bars.closes, rsi))
    return without_range(values, values, period, least=0.01)


# Those that TA-Lib lacks, written out plainly.


def money_flow(bars: Bars, period: int) -> tuple[Column, ...]:
    ranges = bars.highs - bars.lows
    share = np.divide(2 * bars.closes - bars.highs - bars.lows, ranges, out=np.zeros(bars.count), where=ranges > 0)
    flows = windows(share * bars.volumes, period).sum(axis=1)
    volumes = windows(bars.volumes, period).sum(axis=1)
    values = np.divide(flows, volumes, out=np.zeros(len(flows)), where=volumes > 0)
    return (np.concatenate([np.full(period - 1, np.nan), values]),)


def vwap(bars: Bars, start: int) -> tuple[Column, ...]:
    values, traded, volume, session = [], 0.0, 0.0, None
    for index in range(bars.count):
        current = (START + 60 * index - 60 * start) // 86_400
        if current != session:
            session, traded, volume = current, 0.0, 0.0
        traded += bars.typical[index] * bars.volumes[index]
        volume += bars.volumes[index]
        values.append(traded / volume if volume > 0 else np.nan)
    return (np.array(values),)


def wilder(bars: Bars, period: int) -> tuple[Column, ...]:
    values = [np.nan] * (period - 1) + [bars.closes[:period].mean()]
    for close in bars.closes[period:]:
        values.append((values[-1] * (period - 1) + close) / period)
    return (np.array(values),)


def supertrend(bars: Bars, period: int, factor: float) -> tuple[Column, ...]:
    atr = talib.ATR(bars.highs, bars.lows, bars.closes, period)
    rising, falling = np.full(bars.count, np.nan), np.full(bars.count, np.nan)
    upper = lower = None
    up = False
    for index in range(period, bars.count):
        middle = (bars.highs[index] + bars.lows[index]) / 2
        high, low = middle + factor * atr[index], middle - factor * atr[index]
        before, close = bars.closes[index - 1], bars.closes[index]
        upper = high if upper is None or high < upper or before > upper else upper
        lower = low if lower is None or low > lower or before < lower else lower
        if up and close < lower:
            up = False
        elif not up and close > upper:
            up = True
        (rising if up else falling)[index] = lower if up else upper
    return rising, falling


CHECKS = [
    *(Check("sma", (n,), lambda bars, n=n: (talib.SMA(bars.closes, n),)) for n in (20, 7, 200)),
    Check("sma", (5,), lambda bars: (talib.SMA(bars.typical, 5),), source="hlc3", names=("hlc3",)),
    *(Check("ema", (n,), lambda bars, n=n: (talib.EMA(bars.closes, n),)) for n in (20, 50)),
    *(Check("wma", (n,), lambda bars, n=n: (talib.WMA(bars.closes, n),)) for n in (20, 9)),
    Check("rma", (14,), lambda bars: wilder(bars, 14)),
    Check("vwap", (0,), lambda bars: vwap(bars, 0), needs_volume=True),
    Check("vwap", (570,), lambda bars: vwap(bars, 570), needs_volume=True),
    Check("bollinger", (20, 2), lambda bars: bands(bars, 20, 2)),
    Check("bollinger", (50, 2.5), lambda bars: bands(bars, 50, 2.5)),
    Check("keltner", (20, 10, 2), lambda bars: keltner(bars, 20, 10, 2)),
    Check("donchian", (20,), lambda bars: donchian(bars, 20)),
    Check("ichimoku", (9, 26, 52), lambda bars: ichimoku(bars, 9, 26, 52)),
    *(
        Check("sar", (step, most), lambda bars, s=step, m=most: (talib.SAR(bars.highs, bars.lows, s, m),))
        for step, most in ((0.02, 0.2), (0.05, 0.5))
    ),
    Check("supertrend", (10, 3), lambda bars: supertrend(bars, 10, 3)),
    *(Check("rsi", (n,), lambda bars, n=n: (talib.RSI(bars.closes, n),), never_moved) for n in (14, 2)),
    Check("macd", (12, 26, 9), lambda bars: own_macd(bars, 12, 26, 9), names=("of-emas",)),
    Check("macd", (12, 26, 9), lambda bars: talib.MACD(bars.closes, 12, 26, 9), after=500),
    *(
        Check(
            "stochastic",
            (14, k, 3),
            lambda bars, k=k: stochastic(bars, 14, k, 3),
            lambda bars, k=k: since(without_range(bars.highs, bars.lows, 14), k + 2),
            scale=1,
        )
        for k in (3, 1)
    ),
    Check(
        "stochrsi", (14, 14, 1, 3), lambda bars: stochastic_rsi(bars, 14, 14, 3),
        lambda bars: since(still_rsi(bars, 14, 14), 3), scale=1,
    ),
    Check(
        "stochrsi", (14, 14, 3, 3), lambda bars: smoothed_stochastic_rsi(bars, 14, 14, 3, 3),
        lambda bars: since(still_rsi(bars, 14, 14), 5), scale=1,
    ),
    Check("atr", (14,), lambda bars: (talib.ATR(bars.highs, bars.lows, bars.closes, 14),)),
    Check("adx", (14, 14), lambda bars: adx(bars, 14), after=800),
    Check(
        "cci", (20,), lambda bars: (talib.CCI(bars.highs, bars.lows, bars.closes, 20),),
        lambda bars: without_range(bars.typical, bars.typical, 20), scale=1,
    ),
    Check("obv", (), lambda bars: (talib.OBV(bars.closes, bars.volumes),)),
    Check(
        "mfi", (14,), lambda bars: (talib.MFI(bars.highs, bars.lows, bars.closes, bars.volumes, 14),),
        lambda bars: without_flow(bars, 14), scale=1, needs_volume=True,
    ),
    Check(
        "williams", (14,), lambda bars: (talib.WILLR(bars.highs, bars.lows, bars.closes, 14),),
        lambda bars: without_range(bars.highs, bars.lows, 14),
    ),
    Check("roc", (10,), lambda bars: (talib.ROC(bars.closes, 10),)),
    Check("aroon", (14,), lambda bars: talib.AROON(bars.highs, bars.lows, 14)[::-1]),
    Check("cmf", (20,), lambda bars: money_flow(bars, 20)),
]  # fmt: skip
