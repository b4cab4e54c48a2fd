"""The peers of `png, whole`: the same candles, volume, EMA and RSI as a 1200 x 700 PNG by mplfinance, and by matplotlib
as one writes it by hand for speed (two collections for the candles, one for the volume, Agg).

Usage: chart_png.py CANDLES.csv FOLDER. The studies are computed before the clock runs. Prints a line a figure: peer,
step, median and best in seconds, and the bytes of the file; writes a picture of each peer into the folder.
"""

import io
import statistics
import sys
import time
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import mplfinance as mpf
import numpy as np
import pandas as pd
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.figure import Figure

UP, DOWN, LINE, GROUND = "#26A65B", "#E04848", "#5AA0FF", "#141414"


def read(path: str) -> pd.DataFrame:
    frame = pd.read_csv(path)
    frame.index = pd.to_datetime(frame["timestamp"], unit="s")
    return frame


def rsi(close: pd.Series, period: int = 14) -> pd.Series:
    change = close.diff()
    gain = change.clip(lower=0).ewm(alpha=1 / period, min_periods=period).mean()
    loss = (-change.clip(upper=0)).ewm(alpha=1 / period, min_periods=period).mean()
    return 100 - 100 / (1 + gain / loss)


def by_mplfinance(frame: pd.DataFrame, ema: pd.Series, strength: pd.Series) -> bytes:
    file = io.BytesIO()
    mpf.plot(
        frame,
        type="candle",
        volume=True,
        addplot=[mpf.make_addplot(ema, color=LINE), mpf.make_addplot(strength, panel=2, color=LINE, ylabel="RSI")],
        panel_ratios=(3, 1, 1),
        style="nightclouds",
        figsize=(12, 7),
        warn_too_much_data=10_000,
        savefig={"fname": file, "dpi": 100, "format": "png"},
    )
    plt.close("all")
    return file.getvalue()


class ByHand:
    """Built anew for each picture, as for a request; `steps` are its parts."""

    def __init__(self, frame: pd.DataFrame, ema: pd.Series, strength: pd.Series) -> None:
        self.frame = frame
        self.columns = [frame[name].to_numpy() for name in ("open", "high", "low", "close", "volume")]
        self.ema, self.strength = ema.to_numpy(), strength.to_numpy()

    def scene(self) -> None:
        opened, high, low, close, volume = self.columns
        count = len(close)
        x = np.arange(count)
        self.figure = Figure(figsize=(12, 7), dpi=100, facecolor=GROUND)
        self.canvas = FigureCanvasAgg(self.figure)
        price, bars, strength = self.figure.subplots(3, 1, sharex=True, height_ratios=(3, 1, 1))
        self.figure.subplots_adjust(left=0.01, right=0.93, top=0.98, bottom=0.05, hspace=0.02)
        colours = np.where(close >= opened, UP, DOWN)
        wicks = np.stack([np.column_stack([x, low]), np.column_stack([x, high])], axis=1)
        price.add_collection(LineCollection(wicks, colors=colours, linewidths=0.7))
        price.add_collection(PolyCollection(boxes(x, opened, close), facecolors=colours, edgecolors="none"))
        bars.add_collection(PolyCollection(boxes(x, volume * 0, volume), facecolors=colours, edgecolors="none", alpha=0.4))
        price.plot(x, self.ema, color=LINE, linewidth=1.5)
        strength.plot(x, self.strength, color=LINE, linewidth=1.5)
        for guide in (30, 70):
            strength.axhline(guide, color="#777777", linewidth=0.7, linestyle="--")
        price.set_xlim(-1, count)
        price.set_ylim(low.min() * 0.999, high.max() * 1.001)
        bars.set_ylim(0, volume.max() * 1.1)
        strength.set_ylim(0, 100)
        for axes in (price, bars, strength):
            axes.set_facecolor(GROUND)
            axes.grid(color="#333333", linewidth=0.5)
            axes.yaxis.tick_right()
            axes.tick_params(colors="#AAAAAA", labelsize=9)
        ticks = np.arange(0, count, 60)
        strength.set_xticks(ticks, [self.frame.index[tick].strftime("%H:%M") for tick in ticks])
        price.text(0.01, 0.97, "BTC-USD 5m", color="#EEEEEE", transform=price.transAxes, va="top")

    def paint(self) -> None:
        self.canvas.draw()

    def encode(self) -> bytes:
        file = io.BytesIO()
        # What `savefig` does with the painted pixels.
        matplotlib.image.imsave(file, np.asarray(self.canvas.buffer_rgba()), format="png", origin="upper", dpi=100)
        return file.getvalue()

    def whole(self) -> bytes:
        self.scene()
        self.paint()
        return self.encode()


def boxes(x: np.ndarray, bottom: np.ndarray, top: np.ndarray) -> np.ndarray:
    left, right = x - 0.35, x + 0.35
    return np.stack(
        [np.column_stack(corner) for corner in ((left, bottom), (left, top), (right, top), (right, bottom))], axis=1
    )


def report(peer: str, step: str, runs: int, body, prepare=lambda: None) -> None:  # noqa: ANN001
    times, size = [], 0
    for run in range(runs + 3):
        prepare()
        start = time.perf_counter()
        result = body()
        # The first three warm caches up: fonts, imports.
        if run >= 3:
            times.append(time.perf_counter() - start)
        size = len(result) if isinstance(result, bytes) else size
    print(f"{peer}\t{step}\t{statistics.median(times)}\t{min(times)}\t{size}", flush=True)


def main() -> None:
    frame = read(sys.argv[1])
    folder = Path(sys.argv[2])
    ema = frame["close"].ewm(span=20, adjust=False).mean()
    strength = rsi(frame["close"])
    hand = ByHand(frame, ema, strength)
    (folder / "matplotlib.png").write_bytes(hand.whole())
    (folder / "mplfinance.png").write_bytes(by_mplfinance(frame, ema, strength))
    report("matplotlib by hand", "scene", 21, hand.scene)
    report("matplotlib by hand", "painting", 21, hand.paint, prepare=hand.scene)
    report("matplotlib by hand", "encoding", 41, hand.encode)
    report("matplotlib by hand", "whole", 21, hand.whole)
    report("mplfinance", "whole", 9, lambda: by_mplfinance(frame, ema, strength))


main()
