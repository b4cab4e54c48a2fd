"""Orders in a market whose trades have no volume, from the ticket and from the assistant: both are filled, and say so."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from support.chat import Chat
from support.server import Server
from support.terminal import Terminal


def test_the_ticket_and_the_assistant_trade_where_trades_have_no_volume(
    page: Page, start_server: Callable[..., Server]
) -> None:
    server = start_server(feed="tracker", flags=("--seed", "7"))
    Terminal(page, server).open("WREN/1m")
    expect(page.locator("#desk-health")).to_contain_text("Trading ready")
    expect(page.locator("#header-price")).not_to_have_text("–")
    page.locator("#chart").press("Shift+B")
    ticket = page.get_by_role("region", name="Order ticket")
    ticket.get_by_label("Type").select_option("market")
    ticket.locator("[name=quantity]").fill("12.5")
    expect(ticket.get_by_role("group", name="Estimate")).to_contain_text("USD")
    ticket.locator("[name=quantity]").press("Enter")
    page.get_by_role("dialog").get_by_role("button", name="Buy", exact=True).click()
    page.get_by_role("tab", name="Positions").click()
    positions = page.get_by_role("table", name="Positions")
    expect(positions).to_contain_text("12.5")
    ticket.get_by_role("button", name="Close the ticket").click()
    chat = Chat(page).open()
    chat.send("buy 2 WREN")
    card = chat.card("order_proposal")
    card.get_by_role("button", name="Approve").click()
    expect(card).to_contain_text("Approved: filled at")
    expect(positions).to_contain_text("14.5")
    made = [(order["status"], order["filled_quantity"]) for order in server.get("/v1/orders")["orders"]]
    assert made == [("filled", "2"), ("filled", "12.5")]
    rules = {fill["receipt"]["rule"] for fill in server.get("/v1/fills")["fills"]}
    assert len(rules) == 1 and "have no volume" in rules.pop()
