"""Timeframes, pan, zoom and crosshair with the mouse."""

import pytest
from playwright.sync_api import expect

from support.polling import eventually
from support.terminal import Terminal

SECONDS = {"1s": 1, "5s": 5, "15s": 15, "1m": 60, "5m": 300, "15m": 900, "1h": 3600, "4h": 14_400, "1d": 86_400}
LIVE = "#live-button"


@pytest.mark.parametrize("timeframe", SECONDS)
def test_a_timeframe_button_changes_chart_and_address(terminal: Terminal, timeframe: str) -> None:
    terminal.open("BTC-USD/3m")
    terminal.page.locator(f"#timeframes [data-timeframe='{timeframe}']").click()
    terminal.wait_for_selection("BTC-USD", timeframe)
    assert terminal.page.evaluate("location.hash") == f"#BTC-USD/{timeframe}"
    bars = terminal.bars()
    assert all(bar["timestamp"] % SECONDS[timeframe] == 0 for bar in bars)
    assert terminal.legend()["timestamp"] % SECONDS[timeframe] == 0


def test_the_other_timeframes_are_in_a_menu(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1m")
    terminal.page.locator("#more-timeframes-button").click()
    terminal.page.get_by_role("menuitemradio", name="30 minutes").click()
    terminal.wait_for_selection("BTC-USD", "30m")
    expect(terminal.page.locator("#more-timeframes-label")).to_have_text("30m")
    expect(terminal.page.locator("#more-timeframes")).to_be_hidden()


def test_back_returns_to_the_chart_before(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1m")
    terminal.row("ETH-USD").click()
    terminal.wait_for_selection("ETH-USD", "1m")
    terminal.page.go_back()
    terminal.wait_for_selection("BTC-USD", "1m")


def test_a_market_of_the_list_becomes_the_chart(terminal: Terminal) -> None:
    terminal.open("BTC-USD/5m")
    terminal.row("DOGE-USD").click()
    terminal.wait_for_selection("DOGE-USD", "5m")
    assert terminal.page.evaluate("location.hash") == "#DOGE-USD/5m"
    expect(terminal.row("DOGE-USD")).to_have_attribute("aria-selected", "true")
    # The chart's stream feeds the list too, and the former one's row goes on.
    for symbol in ("DOGE-USD", "BTC-USD"):
        price = terminal.row(symbol).locator(".row-price")
        expect(price).not_to_have_text(price.inner_text())


def test_a_drag_moves_the_bars_and_the_live_button_leads_back(terminal: Terminal, save_picture) -> None:
    terminal.open("BTC-USD/1m")
    expect(terminal.page.locator(LIVE)).to_be_hidden()
    first = terminal.chart("firstVisible")
    spacing = terminal.chart("barSpacing")
    terminal.drag(400)
    moved = first - terminal.chart("firstVisible")
    # The drag began by its slop's length later at most, and a new bar may have come meanwhile.
    assert abs(moved - 400 / spacing) <= 3
    assert not terminal.chart("isFollowing()")
    expect(terminal.page.locator(LIVE)).to_be_visible()
    save_picture(terminal.page, "desktop-panned")
    terminal.page.locator(LIVE).click()
    expect(terminal.page.locator(LIVE)).to_be_hidden()
    assert terminal.chart("isFollowing()")


def test_the_wheel_zooms_about_the_pointer(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1m")
    terminal.drag(500)
    usual = terminal.chart("visibleCount")
    for across in (0.2, 0.5, 0.8):
        terminal.hover(across)
        before = terminal.legend()["index"]
        terminal.page.mouse.wheel(0, -240)
        eventually(lambda: terminal.chart("visibleCount") < usual, "the wheel shows fewer bars")
        assert terminal.legend()["index"] == before
        terminal.page.mouse.wheel(0, 240)
        eventually(
            lambda: abs(terminal.chart("visibleCount") - usual) < 0.01, "the wheel back shows as many as before"
        )
        assert terminal.legend()["index"] == before


def test_shift_and_wheel_pans(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1m")
    first, visible = terminal.chart("firstVisible"), terminal.chart("visibleCount")
    terminal.hover()
    terminal.page.keyboard.down("Shift")
    terminal.page.mouse.wheel(0, -350)
    terminal.page.keyboard.up("Shift")
    eventually(lambda: terminal.chart("firstVisible") < first - 20, "shift and wheel go to older bars")
    assert terminal.chart("visibleCount") == visible


def test_a_double_click_resets_the_view(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1m")
    visible = terminal.chart("visibleCount")
    terminal.drag(600)
    terminal.hover()
    terminal.page.mouse.wheel(0, -300)
    eventually(lambda: terminal.chart("visibleCount") < visible, "zoomed")
    terminal.page.mouse.dblclick(*terminal.hover())
    eventually(lambda: terminal.chart("isFollowing()"), "follows again")
    assert terminal.chart("visibleCount") == pytest.approx(visible)


def test_the_crosshair_reads_the_numbers_of_the_server(terminal: Terminal, save_picture) -> None:
    terminal.open("BTC-USD/1m")
    terminal.drag(120)
    for across in (0.15, 0.4, 0.65):
        terminal.hover(across)
        legend = terminal.legend()
        assert legend["index"] < terminal.chart("count") - 2
        at = legend["timestamp"]
        assert [terminal.legend_bar()] == terminal.server.candles("BTC-USD", "1m", at, at)
    save_picture(terminal.page, "desktop-crosshair")


def test_older_bars_come_as_the_view_reaches_them(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1m")
    count, oldest = terminal.chart("count"), terminal.bars()[0]["timestamp"]
    terminal.page.locator("#chart").focus()
    terminal.page.keyboard.press("Home")
    eventually(lambda: terminal.chart("count") > count + 100, "older bars are in front")
    bars = terminal.bars()
    assert bars[0]["timestamp"] < oldest
    # The crosshair stays on the bar that was the oldest.
    assert terminal.legend()["timestamp"] == oldest
    closed = bars[:-2]
    assert closed == terminal.server.candles("BTC-USD", "1m", closed[0]["timestamp"], closed[-1]["timestamp"])
