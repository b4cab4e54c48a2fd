"""Two venues in one terminal: their markets side by side, and one of them lost and found again."""

from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect
from support.polling import eventually
from support.server import Server, free_port
from support.terminal import Terminal
from support.venue import Venue, record

ARTIFACTS = Path(__file__).parent / "artifacts"
COINBASE, KRAKEN = "coinbase:BTC-USD", "kraken:BTC/USD"


@pytest.fixture
def venues(tmp_path: Path) -> Iterator[dict[str, Venue]]:
    started = {
        venue: Venue(venue, record(tmp_path, venue, symbol), free_port()).start()
        for venue, symbol in (("coinbase", "BTC-USD"), ("kraken", "BTC/USD"))
    }
    yield started
    for venue in started.values():
        venue.stop()


def test_a_lost_venue_is_told_where_its_prices_are_shown_and_the_other_goes_on(
    venues: dict[str, Venue], start_server: Callable[..., Server], page: Page
) -> None:
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
    # Names without their feed reach the one market that has them.
    assert server.get("/v1/candles", symbol="BTC/USD", timeframe="1m", limit=1)
    terminal = Terminal(page, server).open(f"{quote(KRAKEN, safe='')}/1m")
    terminal.wait_for_selection(KRAKEN, "1m")
    expect(terminal.row(COINBASE)).to_contain_text("coinbase")
    expect(terminal.row(KRAKEN)).to_contain_text("kraken")
    expect(page.locator("#status-state")).to_have_text("Live")
    expect(page.locator("#feed")).to_be_hidden()
    page.screenshot(path=ARTIFACTS / "two-venues.png")

    venues["kraken"].stop()
    expect(page.locator("#status-state")).to_have_text("No feed")
    expect(page.locator("#chart-banner")).to_have_text("The venue is not connected. These prices are not live.")
    expect(page.locator("#feed")).to_contain_text("kraken: reconnecting")
    expect(terminal.row(KRAKEN)).to_contain_text("no feed")
    assert "its feed is interrupted" in (terminal.row(KRAKEN).get_attribute("aria-label") or "")
    page.screenshot(path=ARTIFACTS / "lost-venue.png")
    terminal.row(COINBASE).click()
    terminal.wait_for_selection(COINBASE, "1m")
    expect(page.locator("#status-state")).to_have_text("Live")

    venues["kraken"].start()
    expect(page.locator("#feed")).to_be_hidden()
    expect(terminal.row(KRAKEN)).not_to_contain_text("no feed")
    feeds = {feed["name"]: feed for feed in server.get("/health")["feeds"]}
    assert feeds["kraken"]["state"] == "live" and feeds["kraken"]["outages"] >= 1
    # A machine that stands still for seconds may lose the other one too, but not its trades.
    assert feeds["coinbase"]["state"] == "live" and feeds["coinbase"]["missing"] == 0
