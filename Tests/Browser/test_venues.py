"""Two venues in one terminal: their markets side by side, and one of them lost and found again."""

from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect
from support.comparison import assert_no_hole
from support.polling import eventually
from support.server import Server, free_port
from support.spoken import forget_speech, was_said
from support.terminal import Terminal
from support.venue import Venue, record

ARTIFACTS = Path(__file__).parent / "artifacts"
COMPARED = "candlewire.comparisons.list[0]"
COINBASE, KRAKEN = "coinbase:BTC-USD", "kraken:BTC/USD"


@pytest.fixture
def venues(tmp_path: Path) -> Iterator[dict[str, Venue]]:
    started = {
        venue: Venue(venue, record(tmp_path, venue, symbol), "--loop", "--port", str(free_port())).start()
        for venue, symbol in (("coinbase", "BTC-USD"), ("kraken", "BTC/USD"))
    }
    yield started
    for venue in started.values():
        venue.stop()


@pytest.fixture
def server(venues: dict[str, Venue], start_server: Callable[..., Server]) -> Server:
    server = start_server(
        feed=COINBASE,
        flags=(
            "--feed", KRAKEN,
            "--url", f"coinbase={venues['coinbase'].url}", "--url", f"kraken={venues['kraken'].url}",
        ),
    )  # fmt: skip
    eventually(
        lambda: all(market["price"] for market in server.get("/v1/markets")["markets"]), "both venues trade", within=120
    )
    return server


def test_a_lost_venue_is_shown_beside_its_prices_and_the_other_goes_on(
    venues: dict[str, Venue], server: Server, page: Page
) -> None:
    # Names without their feed reach the one market that has them.
    assert server.get("/v1/candles", symbol="BTC/USD", timeframe="1m", limit=1)
    terminal = Terminal(page, server).open(f"{quote(KRAKEN, safe='')}/1m")
    terminal.wait_for_selection(KRAKEN, "1m")
    expect(terminal.row(COINBASE)).to_contain_text("coinbase")
    expect(terminal.row(KRAKEN)).to_contain_text("kraken")
    expect(page.locator("#status-state")).to_have_text("Live")
    expect(page.locator("#feed-name")).to_have_text("coinbase, kraken")
    page.screenshot(path=ARTIFACTS / "two-venues.png")

    forget_speech(page)
    venues["kraken"].stop()
    expect(page.locator("#status-state")).to_have_text("No feed")
    expect(page.locator("#chart-banner")).to_have_text("The venue is not connected. These prices are not live.")
    expect(page.locator("#feed")).to_contain_text("kraken: reconnecting")
    expect(terminal.row(KRAKEN)).to_contain_text("no feed")
    assert "feed interrupted" in (terminal.row(KRAKEN).get_attribute("aria-label") or "")
    was_said(page, "The feed kraken is reconnecting.")
    page.screenshot(path=ARTIFACTS / "lost-venue.png")
    page.get_by_role("button", name="Feeds: kraken: reconnecting").click()
    card = page.get_by_role("region", name="kraken")
    expect(card.locator(".feed-state")).to_have_text("reconnecting")
    expect(card.locator(".feed-problem")).not_to_be_empty()
    expect(card.locator("[data-figure=outages] dd")).to_have_text("1")
    expect(card.locator("[data-figure=reconnects] dd")).to_have_text("0")
    expect(card.locator(".feed-problem")).not_to_contain_text("errno")
    expect(page.get_by_role("region", name="coinbase").locator("[data-figure=outages] dd")).to_have_text("0")
    page.screenshot(path=ARTIFACTS / "lost-venue-feeds.png")
    page.keyboard.press("Escape")
    terminal.row(COINBASE).click()
    terminal.wait_for_selection(COINBASE, "1m")
    expect(page.locator("#status-state")).to_have_text("Live")

    venues["kraken"].start()
    expect(page.locator("#feed-name")).to_have_text("coinbase, kraken")
    expect(terminal.row(KRAKEN)).not_to_contain_text("no feed")
    was_said(page, "The feed kraken is live again.")
    feeds = {feed["name"]: feed for feed in server.get("/health")["feeds"]}
    assert feeds["kraken"]["state"] == "live" and feeds["kraken"]["outages"] >= 1
    assert feeds["kraken"]["reconnect_attempts"] >= feeds["kraken"]["reconnects"] >= 1
    # A machine that stands still for seconds may lose the other one too, but not its trades.
    assert feeds["coinbase"]["state"] == "live" and feeds["coinbase"]["missing"] == 0


def test_two_venues_are_one_terminal(venues: dict[str, Venue], server: Server, page: Page) -> None:
    """From one venue to the other by keyboard, the same coin of both in one chart, and no hole after a cut."""
    terminal = Terminal(page, server).open(f"{quote(COINBASE, safe='')}/1s")
    terminal.wait_for_selection(COINBASE, "1s")
    terminal.tab_to("#market-list")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    terminal.wait_for_selection(KRAKEN, "1s")
    expect(page.locator("#header-symbol")).to_have_text(KRAKEN)
    assert "kraken" in page.title()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    terminal.wait_for_selection(COINBASE, "1s")

    page.locator("#chart").focus()
    page.keyboard.press("Shift+C")
    expect(page.locator("#compare-filter")).to_be_focused()
    page.keyboard.type("kraken")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    page.wait_for_function(f"() => {COMPARED}?.state === 'shown'")
    assert page.evaluate(f"{COMPARED}.symbol") == KRAKEN
    assert terminal.chart("panes.scale(0)")["kind"] == "percent"
    eventually(lambda: len(page.evaluate(f"{COMPARED}.candles")) > 3, "kraken's bars are beside coinbase's")
    candles = page.evaluate(f"{COMPARED}.candles.slice(0, -2)")
    assert candles == server.candles(KRAKEN, "1s", candles[0]["timestamp"], candles[-1]["timestamp"])
    terminal.painted()
    page.screenshot(path=ARTIFACTS / "two-venues-compared.png")

    for lost in ("kraken", "coinbase"):
        venues[lost].stop()
        expect(page.locator("#feed-name")).to_have_text(f"{lost}: reconnecting")
        venues[lost].start()
        expect(page.locator("#feed-name")).to_have_text("coinbase, kraken")
    for symbol in (COINBASE, KRAKEN):
        terminal.row(symbol).click()
        terminal.wait_for_selection(symbol, "1s")
        count = terminal.chart("count")
        eventually(lambda count=count: terminal.chart("count") > count + 2, "bars go on", within=120)
        assert_no_hole(terminal, symbol, "1s")
