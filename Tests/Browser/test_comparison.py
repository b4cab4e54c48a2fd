"""Other markets beside the chart's own, and the way to a date."""

import re

from playwright.sync_api import Page, expect

from support.polling import eventually
from support.terminal import Terminal


def open_panel(terminal: Terminal) -> Page:
    terminal.page.locator("#compare-button").click()
    expect(terminal.page.locator("#compare")).to_be_visible()
    return terminal.page


def compared(terminal: Terminal) -> list[str]:
    return terminal.page.evaluate("candlewire.comparisons.list.map(({ symbol }) => symbol)")


def wait_until_shown(terminal: Terminal) -> None:
    eventually(
        lambda: terminal.page.evaluate("candlewire.comparisons.list.every(({ state }) => state === 'shown')"),
        "the bars of every comparison are there",
    )


def test_another_market_is_compared_in_percent_and_removed(terminal: Terminal, save_picture) -> None:
    terminal.open("BTC-USD/1m")
    page = open_panel(terminal)
    expect(page.locator("#compare-list button")).to_have_count(len(terminal.server.get("/v1/markets")["markets"]) - 1)
    page.locator("#compare").get_by_role("button", name="ETH-USD").click()
    page.locator("#compare").get_by_role("button", name="SOL-USD").click()
    wait_until_shown(terminal)
    assert compared(terminal) == ["ETH-USD", "SOL-USD"]
    assert terminal.chart("panes.scale(0)")["kind"] == "percent"
    expect(page.locator("#compare-count")).to_have_text("2")
    save_picture(page, "desktop-compare")
    # What it shows is what the server has.
    candles = page.evaluate("candlewire.comparisons.list[0].candles.slice(-30, -2)")
    at = [candle["timestamp"] for candle in candles]
    assert candles == terminal.server.candles("ETH-USD", "1m", at[0], at[-1])
    for name in ("ETH-USD", "SOL-USD"):
        page.locator("#compare").get_by_role("button", name=name).click()
    assert compared(terminal) == []
    assert terminal.chart("panes.scale(0)")["kind"] == "linear"


def test_a_comparison_follows_live_trades(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1m")
    page = open_panel(terminal)
    page.locator("#compare").get_by_role("button", name="ETH-USD").click()
    wait_until_shown(terminal)
    close = "candlewire.comparisons.list[0].candles.at(-1).close"
    before = page.evaluate(close)
    eventually(lambda: page.evaluate(close) != before, "a trade moves its newest bar")
    # The chart's closed bars are the server's, those of the other symbol as well.
    page.evaluate("candlewire.terminal.choose({ timeframe: '1s' })")
    terminal.wait_for_selection("BTC-USD", "1s")
    count = "candlewire.comparisons.list[0].candles.length"
    wait_until_shown(terminal)
    begun = page.evaluate(count)
    eventually(lambda: page.evaluate(count) > begun + 2, "new bars come")


def test_comparisons_stay_with_another_market_and_go_where_they_are_the_market(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1m")
    page = open_panel(terminal)
    for name in ("ETH-USD", "SOL-USD"):
        page.locator("#compare").get_by_role("button", name=name).click()
    wait_until_shown(terminal)
    page.keyboard.press("Escape")
    terminal.row("ETH-USD").click()
    terminal.wait_for_selection("ETH-USD", "1m")
    assert compared(terminal) == ["SOL-USD"]
    wait_until_shown(terminal)
    assert page.evaluate("candlewire.comparisons.list[0].candles.length") > 100
    assert page.complaints == []


def test_the_panel_of_markets_works_by_keyboard(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1m")
    page = terminal.page
    terminal.tab_to("#compare-button")
    page.keyboard.press("Enter")
    expect(page.locator("#compare-filter")).to_be_focused()
    page.keyboard.type("doge")
    page.keyboard.press("ArrowDown")
    expect(page.locator(":focus")).to_have_text("DOGE-USD")
    page.keyboard.press("Enter")
    wait_until_shown(terminal)
    expect(page.locator(":focus")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Space")
    assert compared(terminal) == []
    page.keyboard.press("Escape")
    expect(page.locator("#compare-button")).to_be_focused()


def test_a_failed_comparison_says_so_and_comes_with_the_next_bar(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1s")
    page = open_panel(terminal)
    pattern = re.compile(r"/v1/candles\?.*symbol=ETH-USD")
    page.route(pattern, lambda route: route.fulfill(status=503, body="{}"))
    page.locator("#compare").get_by_role("button", name="ETH-USD").click()
    expect(page.locator("#compare").get_by_role("button", name="ETH-USD")).to_contain_text("not loaded")
    page.unroute(pattern)
    wait_until_shown(terminal)
    expect(page.locator("#compare").get_by_role("button", name="ETH-USD")).not_to_contain_text("not loaded")


def go(page: Page, text: str) -> None:
    page.locator("#go-to-date").fill(text)
    page.locator("#go-to-submit").click()


def wall(page: Page, time: float) -> str:
    return page.evaluate("time => new Date(time * 1000).toISOString().slice(0, 16)", time)


def test_a_date_far_back_is_loaded_page_by_page_and_comes_to_the_middle(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1m")
    page = terminal.page
    requested = terminal.bars()[0]["timestamp"] - 3000 * 60
    page.locator("#chart").focus()
    page.keyboard.press("Shift+G")
    expect(page.locator("#go-to-date")).to_be_focused()
    go(page, wall(page, requested))
    expect(page.locator("#go-to")).to_be_hidden()
    assert terminal.legend()["timestamp"] == requested, "the crosshair is on its bar"
    bars = terminal.bars()
    middle = terminal.chart("position(candlewire.chart.engineChart.plot().width / 2, 100)")
    assert abs(middle["time"] - requested) <= 120
    closed = bars[:50]
    assert closed == terminal.server.candles("BTC-USD", "1m", closed[0]["timestamp"], closed[-1]["timestamp"])


def test_a_date_before_all_bars_shows_the_oldest_and_says_so(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1d")
    page = terminal.page
    page.locator("#go-to-button").click()
    go(page, "1999-12-31T00:00")
    expect(page.locator("#go-to-note")).to_contain_text("There are no bars before")
    assert terminal.legend()["timestamp"] == terminal.bars()[0]["timestamp"]
    page.keyboard.press("Escape")
    expect(page.locator("#go-to-button")).to_be_focused()


def test_a_date_that_can_not_be_loaded_says_why(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1m")
    page = terminal.page
    page.route(re.compile("/v1/candles"), lambda route: route.fulfill(status=503, body="{}"))
    page.locator("#go-to-button").click()
    go(page, "1999-12-31T00:00")
    expect(page.locator("#go-to-note")).to_contain_text("The server answered 503.")
    expect(page.locator("#go-to")).to_be_visible()


def test_a_date_is_meant_in_the_zone_of_the_chart(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1m")
    page = terminal.page
    page.evaluate("candlewire.settings.set('zone', 'Asia/Kolkata')")
    requested = terminal.bars()[-200]["timestamp"]
    page.locator("#go-to-button").click()
    expect(page.locator("#go-to-zone")).to_contain_text("Asia/Kolkata")
    go(page, wall(page, requested + 5.5 * 3600))
    expect(page.locator("#go-to")).to_be_hidden()
    assert terminal.legend()["timestamp"] == requested


def test_comparisons_come_back_with_the_page(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1m")
    page = open_panel(terminal)
    page.locator("#compare").get_by_role("button", name="ETH-USD").click()
    page.locator("#compare").get_by_role("button", name="SOL-USD").click()
    wait_until_shown(terminal)
    # A market that this server does not have was chosen on another one.
    page.evaluate(
        "localStorage.setItem('candlewire.comparisons', JSON.stringify(['ETH-USD', 'NOPE-USD', 7, 'SOL-USD']))"
    )
    page.reload()
    terminal.wait_until_live()
    eventually(lambda: compared(terminal) == ["ETH-USD", "SOL-USD"], "those that the server has are there again")
    wait_until_shown(terminal)
    page.evaluate("candlewire.terminal.choose({ symbol: 'SOL-USD' })")
    eventually(lambda: compared(terminal) == ["ETH-USD"], "no market is compared with itself")
