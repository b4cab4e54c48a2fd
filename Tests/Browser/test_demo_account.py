"""The demo account in the page: shown at first launch, offered where an account is empty, said to be one, and emptied."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from support.server import Server
from support.terminal import Terminal

TIMEOUT = 60_000
QUIET = ("--rate", "0.01", "--seed", "5")


def positions(page: Page) -> None:
    page.get_by_role("tab", name="Positions").click()


def test_a_server_with_the_demo_shows_it_at_first_launch(
    page: Page, start_server: Callable[..., Server], save_picture: Callable[..., object]
) -> None:
    Terminal(page, start_server(flags=("--demo", "--fill-model", "through", *QUIET))).open("BTC-USD/1h")
    expect(page.locator("#account-button")).to_contain_text("PAPER DEMO", timeout=TIMEOUT)
    positions(page)
    rows = page.get_by_role("table", name="Positions").locator("tbody")
    expect(rows).to_have_count(3, timeout=TIMEOUT)
    expect(page.locator("#demo-note")).to_contain_text("Demo account")
    expect(page.locator("#demo-offer")).to_be_hidden()
    save_picture(page, "demo-account")
    page.locator("#account-button").click()
    expect(page.locator("#account-fills")).to_contain_text("Fill model: through. Fills the whole order at once")


def test_an_empty_account_offers_the_demo_and_its_reset_offers_it_again(
    page: Page, start_server: Callable[..., Server]
) -> None:
    server = start_server(flags=QUIET)
    Terminal(page, server).open("BTC-USD/1h")
    positions(page)
    offer = page.locator("#demo-offer")
    expect(offer).to_be_visible(timeout=TIMEOUT)
    expect(page.locator("#account-mode")).to_have_text("PAPER")
    offer.get_by_role("button", name="Load a demo account").click()
    rows = page.get_by_role("table", name="Positions").locator("tbody")
    expect(rows).to_have_count(3, timeout=TIMEOUT)
    expect(page.locator("#account-mode")).to_have_text("PAPER DEMO", timeout=TIMEOUT)
    # “PAPER DEMO” says the account's name.
    expect(page.locator("#account-name")).to_have_text("")
    assert server.get("/v1/orders", account="paper-main", status="all")["orders"] == []

    page.locator("#demo-reset").click()
    page.get_by_role("dialog").get_by_role("button", name="Reset account").click()
    expect(offer).to_be_visible(timeout=TIMEOUT)
    offer.get_by_role("button", name="Load a demo account").click()
    expect(rows).to_have_count(3, timeout=TIMEOUT)
