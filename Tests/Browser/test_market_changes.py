"""Markets that are added and removed in the page, the feeds behind them, and what is over the page on a phone."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from support.polling import eventually
from support.server import Server
from support.terminal import Terminal
from support.venue import Venue

ARTIFACTS = Path(__file__).parent / "artifacts"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@pytest.fixture
def server(
    start_server: Callable[..., Server], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Server]:
    """Apple's shares of a simulated Intrinio."""
    monkeypatch.setenv("INTRINIO_API_KEY", "demo")
    with Venue("intrinio") as venue:
        server = start_server(feed="intrinio:AAPL", flags=("--url", f"intrinio={venue.url}"))
        eventually(lambda: server.get("/v1/markets")["markets"][0]["price"], "it trades", within=120)
        yield server


def test_a_market_that_the_venue_lists_is_added_by_typing_and_removed_again(server: Server, page: Page) -> None:
    terminal = Terminal(page, server).open("AAPL/1m")
    expect(terminal.row("AAPL")).to_contain_text("Apple Inc")
    page.locator("#market-filter").fill("microsoft")
    offer = page.get_by_role("button", name="Add MSFT Microsoft Corp · intrinio")
    expect(offer).to_be_visible()
    page.screenshot(path=ARTIFACTS / "add-market.png")
    offer.click()
    terminal.wait_for_selection("MSFT", "1m")
    expect(terminal.row("MSFT")).to_contain_text("Microsoft Corp")
    expect(terminal.row("AAPL")).to_be_visible()
    assert [each["symbol"] for each in server.get("/v1/markets")["markets"]] == ["AAPL", "MSFT"]

    page.locator("#market-filter").fill("zzzz")
    expect(page.locator("#market-offers-note")).to_have_text("No venue of this server lists such a market.")
    page.keyboard.press("Escape")

    terminal.row("MSFT").click()
    page.locator("#market-list").focus()
    page.keyboard.press("Delete")
    page.get_by_role("button", name="Remove MSFT").click()
    expect(terminal.row("MSFT")).to_have_count(0)
    terminal.wait_for_selection("AAPL", "1m")
    expect(page.locator("#toasts")).to_contain_text("MSFT was removed from this server. The chart shows AAPL.")


def test_the_feeds_say_what_they_are_and_are_switched_off_and_on(server: Server, page: Page) -> None:
    terminal = Terminal(page, server).open("AAPL/1m")
    page.locator("#feed").click()
    card = page.get_by_role("region", name="intrinio")
    expect(card.locator(".feed-kind")).to_have_text("Live prices, paper money · Intrinio")
    expect(card.locator(".feed-facts")).to_contain_text("ws://127.0.0.1")
    expect(card.locator(".feed-facts")).to_contain_text("open, 1 symbols")
    expect(card.locator(".feed-facts")).to_contain_text("ago")
    facts = page.locator("#feeds-server")
    expect(facts).to_contain_text(f"{server.address}/v1")
    expect(facts).to_contain_text("off: the log begins at notice")
    for name, path in (("Health and counters", "/health"), ("API of this server", "/api/")):
        address = page.get_by_role("dialog", name="Feeds").get_by_role("link", name=name).get_attribute("href")
        assert address == path and page.request.get(f"{server.address}{path}").ok
    page.screenshot(path=ARTIFACTS / "feeds.png")
    page.get_by_role("button", name="Switch intrinio off…").click()
    page.get_by_role("button", name="Switch off", exact=True).click()
    expect(terminal.row("AAPL")).to_contain_text("switched off")
    assert server.get("/v1/feeds")["feeds"][0]["on"] is False
    page.locator("#chart").press("Shift+B")
    ticket = page.get_by_role("region", name="Order ticket")
    ticket.get_by_label("Quantity").fill("1")
    expect(page.locator("#ticket-refused")).to_contain_text("The feed of AAPL is switched off.")
    expect(ticket.get_by_role("button", name="on paper")).to_have_attribute("aria-disabled", "true")
    page.locator("#feed").click()
    page.get_by_role("button", name="Switch intrinio on").click()
    expect(terminal.row("AAPL")).not_to_contain_text("switched off")


def test_on_a_phone_the_feeds_of_the_market_sheet_can_be_used_and_keys_do_nothing_below_it(
    server: Server, new_page: Callable[..., Page]
) -> None:
    page = new_page(**PHONE)
    Terminal(page, server).open("AAPL/1m")
    page.locator("#market-switcher").tap()
    expect(page.locator("#markets[data-open]")).to_be_visible()
    page.locator("#markets-title").evaluate("each => each.parentElement.focus()")
    page.keyboard.press("Shift+B")
    expect(page.locator("#markets[data-open]")).to_be_visible()
    expect(page.locator("#ticket")).to_be_hidden()
    page.locator("#feeds-link").tap()
    feeds = page.locator("#feeds")
    expect(feeds).to_be_visible()
    assert feeds.evaluate("each => each.closest('[inert]')") is None
    page.screenshot(path=ARTIFACTS / "feeds-phone.png")
    page.get_by_role("button", name="Switch intrinio off…").tap()
    expect(page.get_by_role("dialog", name="Switch intrinio off?")).to_be_visible()
