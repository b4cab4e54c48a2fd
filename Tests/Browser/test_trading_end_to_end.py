"""Paper trading from the page, against the real server: nothing here is scripted but the person."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from support.board import Board
from support.polling import eventually
from support.server import Server
from support.terminal import Terminal

# Milliseconds: some of what is awaited needs several trades of the market.
TIMEOUT = 60_000


@pytest.fixture
def board(page: Page, start_server: Callable[..., Server]) -> Board:
    terminal = Terminal(page, start_server(flags=("--seed", "7"))).open("BTC-USD/1d")
    expect(page.locator("#desk-health")).to_contain_text("Trading ready", timeout=TIMEOUT)
    board = Board(terminal)
    # The market in the middle, wherever it is today: what is lower on the screen is cheaper by a known part.
    page.evaluate(
        """() => {
            const { price } = candlewire.store.markets.get('BTC-USD');
            candlewire.chart.change(chart => chart.panes.setScale(0, { range: [price * 0.8, price * 1.2] }));
        }"""
    )
    terminal.painted()
    return board


def tab(board: Board, name: str) -> None:
    board.page.get_by_role("tab", name=name).click()


def rows(board: Board, table: str) -> Locator:
    return board.page.get_by_role("table", name=table).locator("tbody > tr:not(.trade-detail)")


def orders(board: Board) -> list[dict[str, Any]]:
    return board.terminal.server.get("/v1/orders")["orders"]


def place(board: Board, side: str, type: str, **fields: str) -> None:
    page = board.page
    page.locator("#chart").focus()
    page.keyboard.press("Shift+B" if side == "Buy" else "Shift+S")
    ticket = page.get_by_role("region", name="Order ticket")
    ticket.get_by_label("Type").select_option(type)
    for name, text in fields.items():
        ticket.locator(f"[name={name}]").fill(text)
    # The desk shows the cost before anything is sent.
    expect(ticket.get_by_role("group", name="Estimate")).to_contain_text("USD", timeout=TIMEOUT)
    ticket.locator("[name=quantity]").press("Enter")
    page.get_by_role("dialog").get_by_role("button", name=side, exact=True).click()
    expect(ticket).to_have_attribute("aria-busy", "false", timeout=TIMEOUT)
    page.keyboard.press("Escape")
    expect(ticket).to_be_hidden()


def price_at(board: Board, share: float) -> str:
    return f"{board.market_place((0.5, share))['price']:.2f}"


def test_an_order_is_placed_amended_by_dragging_filled_in_part_cancelled_and_its_position_closed(
    board: Board, save_picture
) -> None:
    page = board.page

    # Placed: a limit below the market waits.
    place(board, "Buy", "limit", quantity="0.5", limit_price=price_at(board, 0.8))
    tab(board, "Orders")
    expect(rows(board, "Orders")).to_have_count(1, timeout=TIMEOUT)
    expect(rows(board, "Orders")).to_contain_text("Working")
    [order] = orders(board)
    assert (order["status"], order["quantity"], order["filled_quantity"]) == ("new", "0.5", "0")
    board.terminal.painted()

    # Amended by dragging: still below the market.
    board.drag(board.at((0.3, place_of(board, order["limit_price"]))), board.at((0.3, 0.9)))
    amended = eventually(
        lambda: next((each for each in pumped(board, orders) if each["limit_price"] != order["limit_price"]), None),
        "the order has the price that its line was dragged to",
        within=60,
    )
    pixel = abs(board.market_place((0.5, 0.5))["price"] - board.market_place((0.5, 0.51))["price"])
    assert abs(float(amended["limit_price"]) - board.market_place((0.3, 0.9))["price"]) < 2 * pixel
    assert amended["version"] > order["version"] and amended["id"] == order["id"]
    save_picture(page, "trading-real-amended")

    # Cancelled.
    page.get_by_role("button", name="Cancel buy 0.5 BTC-USD, limit").click()
    expect(page.get_by_text("No working orders.")).to_be_visible(timeout=TIMEOUT)
    assert orders(board)[0]["status"] == "cancelled"

    # Filled in part: more than is traded in minutes, at any price.
    place(board, "Buy", "limit", quantity="50", limit_price=price_at(board, 0.05), leverage="50")
    expect(rows(board, "Orders")).to_contain_text("Partially filled", timeout=TIMEOUT)
    tab(board, "Fills")
    expect(rows(board, "Fills").first).to_be_visible()
    page.get_by_role("button", name="Receipt").last.click()
    expect(page.locator(".receipt")).to_contain_text("Trade used")
    save_picture(page, "trading-real-filled")
    tab(board, "Orders")
    cancel = page.get_by_role("button", name="Cancel buy 50 BTC-USD, limit")
    cancel.click()
    expect(page.get_by_text("No working orders.")).to_be_visible(timeout=TIMEOUT)
    newest = orders(board)[0]
    assert newest["status"] == "cancelled" and 0 < Decimal(newest["filled_quantity"]) < 50

    # Its position, closed.
    tab(board, "Positions")
    expect(rows(board, "Positions")).to_contain_text("Long · 50×", timeout=TIMEOUT)
    [position] = board.terminal.server.get("/v1/positions")["positions"]
    assert position["size"] == newest["filled_quantity"]
    page.get_by_role("button", name="Close long").click()
    page.get_by_role("button", name="Close at market").click()
    # As much has to be traded again as was bought.
    expect(page.get_by_text("No open positions.")).to_be_visible(timeout=4 * TIMEOUT)
    assert board.terminal.server.get("/v1/positions")["positions"] == []

    # The equity is what the ledger has.
    tab(board, "Portfolio")
    portfolio = board.terminal.server.get("/v1/portfolio")["portfolios"][0]
    equity = f"{Decimal(portfolio['equity']):,.2f} USD"
    assert equity != "100,000.00 USD"
    panel = page.get_by_role("tabpanel", name="Portfolio")
    expect(panel).to_contain_text(equity, timeout=TIMEOUT)
    expect(panel.get_by_role("img", name="Equity in USD")).to_be_visible()
    save_picture(page, "trading-real-portfolio")

    # A reload keeps all of it.
    fills = page.evaluate("candlewire.trading.store.fills.size")
    page.reload()
    board.terminal.wait_until_live()
    expect(page.get_by_role("tabpanel", name="Portfolio")).to_contain_text(equity, timeout=TIMEOUT)
    eventually(lambda: page.evaluate("candlewire.trading.store.fills.size") == fills, "all fills are there")
    tab(board, "Orders")
    page.get_by_role("combobox", name="Order status").select_option("done")
    expect(rows(board, "Orders")).to_have_count(len(orders(board)))
    tab(board, "Events")
    expect(page.get_by_role("list", name="Events")).to_contain_text("Position closed")


def test_a_refused_order_says_which_field_and_an_account_begins_anew(board: Board) -> None:
    page = board.page
    page.locator("#chart").focus()
    page.keyboard.press("Shift+B")
    ticket = page.get_by_role("region", name="Order ticket")
    ticket.get_by_label("Type").select_option("limit")
    quantity = ticket.get_by_label("Quantity")
    quantity.fill("1000000")
    # The preview knows it already.
    expect(quantity).to_have_attribute("aria-invalid", "true", timeout=TIMEOUT)
    quantity.press("Enter")
    expect(ticket).to_have_attribute("aria-busy", "false", timeout=TIMEOUT)
    expect(quantity).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_role("dialog")).to_have_count(0)
    # Half of what is available is a quantity that the desk accepts.
    ticket.get_by_role("button", name="50%").click()
    eventually(lambda: quantity.input_value() not in ("", "0", "1000000"), "there is a quantity")
    quantity.press("Enter")
    page.get_by_role("dialog").get_by_role("button", name="Buy", exact=True).click()
    eventually(lambda: pumped(board, orders), "the desk accepted it")

    # Another account has nothing of it.
    page.locator("#account-button").click()
    page.get_by_role("button", name="New account").click()
    dialog = page.get_by_role("dialog", name="New paper account")
    dialog.get_by_label("Name").fill("scalping")
    dialog.get_by_label("Capital").fill("2,500.50")
    dialog.get_by_role("button", name="Open account").click()
    expect(dialog).to_be_hidden(timeout=TIMEOUT)
    expect(page.locator("#account-button")).to_contain_text("scalping")
    expect(page.locator("#dock-equity")).to_have_text("2,500.50 USD", timeout=TIMEOUT)
    page.locator("#account-button").click()
    page.get_by_role("radio", name="main").check()
    page.get_by_role("button", name="Reset…").click()
    question = page.get_by_role("dialog", name="Reset main?")
    question.get_by_role("button", name="Reset account").click()
    expect(question).to_be_hidden(timeout=TIMEOUT)
    expect(page.locator("#dock-equity")).to_have_text("100,000.00 USD", timeout=TIMEOUT)
    eventually(lambda: page.evaluate("candlewire.trading.store.active.length") == 0, "no order is left")


def pumped(board: Board, read: Callable[[Board], Any]) -> Any:
    """Reads from the server; the page goes on meanwhile."""
    board.page.evaluate("0")
    return read(board)


def place_of(board: Board, price: str) -> float:
    """Where a price is, as a share of the price pane."""
    time = board.market_place((0.5, 0.5))["time"]
    _, y = board.point({"time": time, "price": float(price)})
    _, top = board.at((0, 0))
    _, bottom = board.at((0, 1))
    return (y - top) / (bottom - top)
