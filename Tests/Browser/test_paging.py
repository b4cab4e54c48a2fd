"""Bars beyond the chart's cap leave it and come back as the view reaches them."""

from typing import Any

import pytest

from support.polling import eventually
from support.terminal import Terminal

CAPACITY = 1_500


@pytest.fixture
def capped(terminal: Terminal) -> Terminal:
    """Minute bars in a chart that keeps 1,500 of them."""
    terminal.open("BTC-USD/1m")
    terminal.page.evaluate(
        "bars => candlewire.chart.engineChart.setCapacity(bars)",
        CAPACITY,
    )
    return terminal


def paged_out(terminal: Terminal) -> dict[str, Any]:
    return terminal.chart("pagedOut")


def pan_until(terminal: Terminal, bars: int, condition: str) -> None:
    """Pans by `bars` in every frame until `condition` holds for the chart."""
    terminal.page.evaluate(
        """([bars, condition]) => {
            const holds = new Function("chart", `return ${condition}`);
            const panel = candlewire.chart;
            window.panned = new Promise((done) => {
                const step = () => {
                    const chart = panel.engineChart;
                    if (holds(chart)) return done(true);
                    chart.panBars(bars);
                    panel.invalidate();
                    requestAnimationFrame(step);
                };
                step();
            });
        }""",
        [bars, condition],
    )
    terminal.page.evaluate("() => window.panned")


def holes(bars: list[dict[str, float]]) -> list[float]:
    times = [bar["timestamp"] for bar in bars]
    return [later for earlier, later in zip(times, times[1:], strict=False) if later - earlier != 60]


def served(terminal: Terminal, first: float, last: float) -> list[dict[str, float]]:
    return terminal.server.get(f"/v1/candles?symbol=BTC-USD&timeframe=1m&from={first}&to={last}&limit=10000")


def test_bars_beyond_the_cap_go_and_come_back_without_a_hole(capped: Terminal) -> None:
    pan_until(capped, -20, "chart.pagedOut.newer > 500")
    bars = capped.bars()
    assert len(bars) == CAPACITY
    assert holes(bars) == []
    newest = bars[-1]["timestamp"]

    # Live prices go on meanwhile, out of sight, and are not drawn where they do not belong.
    capped.wait_for_ticks(3)
    assert capped.bars()[-1]["timestamp"] == newest

    pan_until(capped, 20, "chart.pagedOut.newer === 0")
    bars = capped.bars()
    assert len(bars) == CAPACITY
    assert holes(bars) == []
    assert bars[-1]["timestamp"] > newest
    assert paged_out(capped)["older"] > 0
    # All but the bar that still moves are what the server has.
    there = served(capped, bars[0]["timestamp"], bars[-2]["timestamp"])
    assert [bar["timestamp"] for bar in there] == [bar["timestamp"] for bar in bars[:-1]]
    assert [bar["close"] for bar in there] == [bar["close"] for bar in bars[:-1]]

    # And prices move it again.
    close = bars[-1]["close"]
    eventually(lambda: capped.bars()[-1]["close"] != close, "the newest bar moves")


def test_back_to_live_fetches_the_newest_bars_at_once(capped: Terminal) -> None:
    pan_until(capped, -20, "chart.pagedOut.newer > 500")
    newest = capped.bars()[-1]["timestamp"]
    capped.page.locator("#live-button").click()
    eventually(lambda: capped.bars()[-1]["timestamp"] > newest, "the newest bars are there")
    assert paged_out(capped)["newer"] == 0
    assert capped.chart("isFollowing()") is True
    bars = capped.bars()
    assert holes(bars) == []
    close = bars[-1]["close"]
    eventually(lambda: capped.bars()[-1]["close"] != close, "the newest bar moves")
