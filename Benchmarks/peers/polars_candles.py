"""The peer of `aggregate, batch`: the same kind of ticks through polars, one group-by a timeframe, all cores.

Prints ticks a second for one and for five timeframes, median and best, tab-separated.
"""

import time

import numpy as np
import polars as pl

COUNT = 2_000_000
random = np.random.default_rng(1)
milliseconds = 1_700_000_000_000 + np.cumsum(np.round(random.exponential(50, COUNT))).astype(np.int64)
frame = pl.DataFrame(
    {
        "bucket_source": milliseconds,
        "price": np.round(61_837.63 + np.cumsum(random.uniform(-1, 1, COUNT)), 2),
        "volume": np.round(random.uniform(0, 2, COUNT), 8),
    }
)
CANDLE = [
    pl.col("price").first().alias("open"),
    pl.col("price").max().alias("high"),
    pl.col("price").min().alias("low"),
    pl.col("price").last().alias("close"),
    pl.col("volume").sum(),
]


def candles(seconds: int) -> pl.DataFrame:
    return (
        frame.lazy()
        .with_columns((pl.col("bucket_source") // (seconds * 1000)).set_sorted().alias("bucket"))
        .group_by("bucket", maintain_order=True)
        .agg(CANDLE)
        .collect()
    )


for name, timeframes in [("one", [60]), ("five", [60, 300, 900, 3600, 86400])]:
    times = []
    for run in range(8):
        start = time.perf_counter()
        rows = sum(candles(seconds).height for seconds in timeframes)
        times.append(time.perf_counter() - start)
        assert rows > 1000 or name == "one"
    times = sorted(times[1:])
    print(f"{name}\t{COUNT / times[len(times) // 2]}\t{COUNT / times[0]}")
