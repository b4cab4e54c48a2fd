"""Many feeds in one process, and what the page says of each: two venues and a list of stocks, a market that its venue
refuses, one that falls silent, one that no client watches, and a venue that is not there.
"""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Locator, Page, expect

from support.polling import eventually
from support.server import Server, free_port
from support.terminal import Terminal
from support.venue import Venue, record, record_all
from test_axe import DESKTOP, PHONE, findings
from test_watchlists import add, keep, stored

ARTIFACTS = Path(__file__).parent / "artifacts"
BTC, ETH, FOO, KRAKEN = "coinbase:BTC-USD", "coinbase:ETH-USD", "coinbase:FOO-USD", "kraken:BTC/USD"
STOCKS = [
    {"symbol": "AAPL", "company": "Apple", "description": "Telephones.", "initial_price": 190},
    {"symbol": "MSFT", "company": "Microsoft", "description": "Windows.", "initial_price": 410},
]
# A simulated venue begins its session anew with a minute. Silence is reported after fifteen seconds.
MINUTE = [(0, 60)]
SILENT = [(0, 3), (31, 34)]


@pytest.fixture(scope="module")
def feeds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The trio of the issue in one process. Coinbase's ETH-USD trades twice a minute for three seconds; it has no FOO-USD."""
    folder = tmp_path_factory.mktemp("feeds")
    (folder / "stocks.json").write_text(json.dumps(STOCKS))
    recording = record_all(folder, "coinbase", {"BTC-USD": MINUTE, "ETH-USD": SILENT})
    coinbase = Venue("coinbase", recording, "--loop", "--port", str(free_port())).start()
    kraken = Venue("kraken", record(folder, "kraken", "BTC/USD"), "--loop", "--port", str(free_port())).start()
    flags = (
        "--feed", KRAKEN, "--feed", str(folder / "stocks.json"),
        "--url", f"coinbase={coinbase.url}", "--url", f"kraken={kraken.url}",
    )  # fmt: skip
    server = Server(folder / "data", feed=f"{BTC},ETH-USD,FOO-USD", flags=flags).start()
    traded = [BTC, ETH, KRAKEN, "tracker:AAPL", "tracker:MSFT"]
    eventually(
        lambda: {each["symbol"] for each in server.get("/v1/markets")["markets"] if each["price"]} == set(traded),
        "all feeds trade", within=120,
    )  # fmt: skip
    yield server
    server.stop()
    coinbase.stop()
    kraken.stop()


def at(symbol: str, timeframe: str = "1s") -> str:
    return f"{quote(symbol, safe='')}/{timeframe}"


def card(page: Page, feed: str) -> Locator:
    return page.get_by_role("dialog", name="Feeds").get_by_role("region", name=feed, exact=True)


def figure(page: Page, feed: str, name: str) -> int:
    return int(card(page, feed).locator(f"[data-figure={name}] dd").inner_text().replace(",", ""))


def test_two_venues_and_a_list_of_stocks_are_one_page(new_page: Callable[..., Page], feeds: Server) -> None:
    """All markets with the name of their feed, a chart of each, and the tracker's view beside them."""
    page = new_page(**DESKTOP)
    terminal = Terminal(page, feeds).open(at(BTC))
    for symbol in (BTC, ETH, FOO, KRAKEN, "tracker:AAPL", "tracker:MSFT"):
        expect(terminal.row(symbol)).to_contain_text(symbol.split(":")[0])
    for symbol in (BTC, ETH, KRAKEN, "tracker:AAPL", "tracker:MSFT"):
        terminal.row(symbol).click()
        terminal.wait_for_selection(symbol, "1s")
        expect(page.locator("#header-symbol")).to_have_text(symbol)
        last = feeds.get("/v1/candles", symbol=symbol, timeframe="1s", limit=1)[0]
        eventually(lambda last=last: terminal.bars()[-1]["timestamp"] >= last["timestamp"], "the chart has the last bar")

    page.get_by_role("link", name="Tracker").click()
    dialog = page.get_by_role("dialog", name="Tracker")
    expect(dialog.get_by_role("listitem")).to_have_count(2)
    expect(page.locator("#tracker-count")).to_have_text("2 of 2 connected")
    dialog.get_by_role("link", name=re.compile("^AAPL, Apple")).click()
    dialog.get_by_role("button", name="Show the chart").click()
    expect(page.locator("#header-symbol")).to_have_text("tracker:AAPL")
    terminal.wait_for_selection("tracker:AAPL", "1s")
    assert page.complaints == []  # type: ignore[attr-defined]


def test_a_symbol_that_falls_silent_is_shown_while_the_others_of_its_venue_go_on(
    new_page: Callable[..., Page], feeds: Server, save_picture: Callable[[Page, str], Path]
) -> None:
    """Said of the symbol, not of its venue, and withdrawn with its next trade."""
    page = new_page(**DESKTOP)
    terminal = Terminal(page, feeds).open(at(ETH))
    page.locator("#feed").click()
    coinbase = card(page, "coinbase")
    expect(coinbase.locator(".feed-problems")).to_contain_text(f"{ETH}: no trades for ")
    # At one moment: silence of half a minute is short for a slow machine.
    reported = page.evaluate(
        """() => Object.fromEntries(Object.entries({
            row: "#market-list [data-symbol='coinbase:ETH-USD'] .row-stale", header: "#header-stale", state: "#status-state",
            other: "#market-list [data-symbol='coinbase:BTC-USD'] .row-stale", markets: "#feeds .feed-markets",
        }).map(([name, place]) => [name, document.querySelector(place).textContent]))"""
    )
    save_picture(page, "silent-symbol")
    assert re.fullmatch(r"(1[5-9]|2\d|3\d) s old", reported["row"])
    assert re.fullmatch(r"No trades for (1[5-9]|2\d|3\d) s", reported["header"])
    assert reported["other"] == ""
    assert reported["state"] == "Live"
    assert reported["markets"] == "3 markets: 1 live · 1 quiet · 1 refused"
    expect(terminal.row(ETH).locator(".row-stale")).to_be_hidden()
    expect(page.locator("#header-stale")).to_be_hidden()
    expect(coinbase.locator(".feed-markets")).to_have_text("3 markets: 2 live · 1 refused")
    expect(coinbase.locator(".feed-state")).to_have_text("live")


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_the_badge_shows_what_each_feed_has_counted_by_keyboard(
    new_page: Callable[..., Page], feeds: Server, theme: str
) -> None:
    page = new_page(**DESKTOP, color_scheme=theme)
    terminal = Terminal(page, feeds).open(at(BTC))
    terminal.tab_to("#feed")
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Feeds")
    expect(dialog).to_be_focused()
    expect(page.locator("#feed")).to_have_attribute("aria-expanded", "true")
    expect(dialog.get_by_role("region")).to_have_count(3)
    before = figure(page, "kraken", "messages")
    eventually(lambda: figure(page, "kraken", "messages") > before, "messages are counted on")
    reported = next(feed for feed in feeds.get("/health")["feeds"] if feed["name"] == "kraken")
    assert before > 0 and reported["messages"] >= before
    assert [figure(page, "kraken", name) for name in ("malformed", "outages", "connections")] == [0, 0, 1]
    assert figure(page, "tracker", "received") > 0
    expect(card(page, "tracker").locator(".feed-markets")).to_have_text("2 markets: live")
    refused = card(page, "coinbase").get_by_role("listitem").filter(has_text=FOO)
    expect(refused).to_have_text(f"{FOO}: refused (Failed to subscribe: FOO-USD is not a valid product)")
    assert findings(page) == []
    page.screenshot(path=ARTIFACTS / f"feeds-{theme}.png")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(page.locator("#feed")).to_be_focused()
    assert page.complaints == []  # type: ignore[attr-defined]


def test_a_server_that_begins_anew_begins_to_count_anew(page: Page, simulated: Server) -> None:
    """Figures that are said only where they are above zero go when they are zero again."""
    page.goto(simulated.address)
    shown = page.evaluate(
        """async () => {
            const { FeedCard } = await import('/panels/feed-card.js');
            const card = new FeedCard('kraken');
            const feed = { name: 'kraken', state: 'live', messages: 10, trades: 9, malformed: 0, outages: 1 };
            const figures = () => [...card.element.querySelectorAll('[data-figure]')].map((each) => each.dataset.figure);
            const reported = [];
            for (const more of [{ missing: 2, rejected: { price: 1 } }, {}, { missing: 1 }]) {
                card.show({ ...feed, ...more }, []);
                reported.push(figures());
            }
            return reported;
        }"""
    )
    always = ["messages", "trades", "malformed", "outages"]
    assert [set(each) - set(always) for each in shown] == [{"missing", "rejected price"}, set(), {"missing"}]
    assert all(each[:4] == always for each in shown)


def test_on_a_phone_the_feeds_come_from_below(new_page: Callable[..., Page], feeds: Server) -> None:
    page = new_page(**PHONE)
    Terminal(page, feeds).open(at(BTC))
    expect(page.locator("#feed")).to_be_hidden()
    page.get_by_role("button", name="Feeds").tap()
    dialog = page.get_by_role("dialog", name="Feeds")
    expect(dialog.get_by_role("region")).to_have_count(3)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert findings(page) == []
    page.screenshot(path=ARTIFACTS / "feeds-phone.png")
    page.touchscreen.tap(195, 60)
    expect(dialog).to_be_hidden()


def test_a_refused_market_says_who_refused_it_and_why(new_page: Callable[..., Page], feeds: Server) -> None:
    page = new_page(**DESKTOP)
    terminal = Terminal(page, feeds).open(at(FOO), live=False)
    message = page.locator("#chart-message")
    expect(message).to_contain_text(f"No trades in {FOO} yet")
    expect(message).to_contain_text("The venue refuses this market. Failed to subscribe: FOO-USD is not a valid product.")
    expect(page.locator("#status-state")).to_have_text("Refused")
    expect(page.locator("#chart-banner")).to_have_text("The venue refuses this market. These prices are not live.")
    expect(page.locator("#feed-name")).to_have_text(f"{FOO} refused")
    expect(terminal.row(FOO).locator(".row-stale")).to_have_text("refused")
    assert "refused by its venue" in (terminal.row(FOO).get_attribute("aria-label") or "")
    page.screenshot(path=ARTIFACTS / "refused-market.png")
    terminal.row(BTC).click()
    terminal.wait_for_selection(BTC, "1s")
    expect(page.locator("#status-state")).to_have_text("Live")
    expect(page.locator("#chart-banner")).to_be_hidden()


@pytest.fixture
def pausing(tmp_path: Path, start_server: Callable[..., Server]) -> Iterator[Server]:
    """Markets without a viewer for two seconds are paused; where Kraken should be, no server listens."""
    recording = record_all(tmp_path, "coinbase", {"BTC-USD": MINUTE, "ETH-USD": MINUTE})
    venue = Venue("coinbase", recording, "--loop", "--port", str(free_port())).start()
    flags = (
        "--feed", KRAKEN, "--pause-unwatched", "2",
        "--url", f"coinbase={venue.url}", "--url", f"kraken=ws://127.0.0.1:{free_port()}/v2",
    )  # fmt: skip
    yield start_server(feed=f"{BTC},ETH-USD", flags=flags)
    venue.stop()


def test_an_unwatched_market_is_paused_and_comes_back_when_it_is_opened(
    new_page: Callable[..., Page], pausing: Server
) -> None:
    """A venue that cannot be reached is shown with its reason, in the chart as well."""
    page = new_page(**DESKTOP)
    keep(page, stored(("Mine", [BTC, KRAKEN])))
    terminal = Terminal(page, pausing).open(at(BTC))
    expect(page.locator("#feed-name")).to_have_text("kraken: connecting")
    page.locator("#feed").click()
    expect(card(page, "coinbase").locator(".feed-markets")).to_have_text("2 markets: 1 live · 1 paused")
    expect(card(page, "coinbase").locator(".feed-problems")).to_have_text(f"{ETH}: paused")
    expect(card(page, "kraken").locator(".feed-state")).to_have_text("connecting")
    expect(card(page, "kraken").locator(".feed-problem")).to_have_text(
        re.compile(r"Cannot connect to 127\.0\.0\.1:\d+: the connection was refused\.$")
    )
    page.screenshot(path=ARTIFACTS / "paused-market.png")
    page.keyboard.press("Escape")

    # On the list a paused market says so until its feed is there again.
    add(page, ETH)
    row = terminal.row(ETH)
    expect(row).to_have_attribute("data-feed", "live")
    expect(row.locator(".row-stale")).to_be_hidden()
    before = row.locator(".row-price").inner_text()
    expect(row.locator(".row-price")).not_to_have_text(before)
    row.click()
    terminal.wait_for_selection(ETH, "1s")
    terminal.wait_for_ticks(2)
    expect(page.locator("#status-state")).to_have_text("Live")

    # No viewer any more: paused, and opened by its address it goes on.
    page.goto("about:blank")
    eventually(
        lambda: {each["symbol"]: each.get("feed_state") for each in pausing.get("/v1/markets")["markets"]}[ETH] == "paused",
        "the market is paused", within=120,
    )  # fmt: skip
    other = new_page(**DESKTOP)
    seen = Terminal(other, pausing).open(at(ETH))
    seen.wait_for_selection(ETH, "1s")
    seen.wait_for_ticks(2)
    expect(seen.row(ETH)).to_have_attribute("data-feed", "live")

    seen.row(KRAKEN).click()
    message = other.locator("#chart-message")
    expect(message).to_contain_text("The venue is not connected. Candlewire keeps trying.")
    expect(message).to_contain_text("Cannot connect to 127.0.0.1")
    expect(other.locator("#status-state")).to_have_text("No feed")
    expect(seen.row(KRAKEN).locator(".row-stale")).to_have_text("connecting")
    other.screenshot(path=ARTIFACTS / "unreachable-venue.png")
