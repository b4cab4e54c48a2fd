"""The rows of a messy file, read a second time by polars: what `candlewire import` should make of it."""

from pathlib import Path

import polars as pl

COLUMNS = ("timestamp", "open", "high", "low", "close", "volume")


def read_table(
    path: Path, *, header: bool, skip: int = 0, columns: dict[str, int | str], price_scale: float = 1.0
) -> pl.DataFrame:
    """The columns of a file under our names, times as they are written (text), in the file's order."""
    frame = pl.read_csv(path, has_header=header, skip_rows=skip, infer_schema=False)
    chosen = {
        name: (pl.nth(column - 1) if isinstance(column, int) else pl.col(column)) for name, column in columns.items()
    }
    frame = frame.select(**chosen).with_row_index("row")
    # Divided one by one: polars multiplies by a reciprocal, which is not the same number.
    prices = [
        pl.Series(name, [float(text) / price_scale for text in frame[name]], dtype=pl.Float64) for name in COLUMNS[1:5]
    ]
    volume = pl.col("volume").cast(pl.Float64) if "volume" in columns else pl.lit(0.0).alias("volume")
    return frame.with_columns(*prices, volume)


def candles(frame: pl.DataFrame, times: pl.Expr) -> list[dict[str, float]]:
    """- times: the bucket's start as a datetime in UTC. Of two rows with one time the last counts."""
    frame = (
        frame.with_columns(timestamp=times)
        .filter(pl.col("timestamp").is_not_null() & (pl.col("timestamp").dt.epoch("s") > 0))
        .sort("timestamp", "row")
        .unique("timestamp", keep="last", maintain_order=True)
        .with_columns(pl.col("timestamp").dt.epoch("s").cast(pl.Float64))
    )
    return frame.select(COLUMNS).to_dicts()
