"""The screens of a trading terminal, each with its parts: each requirement of a page in turn."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from support.scripted_desk import NOW, ScriptedDesk, portfolio, position
from support.server import Server
from support.terminal import Terminal


@pytest.fixture
def desk(page: Page, simulated: Server) -> ScriptedDesk:
    """A page that is live, with a position, an order, a fill and two events."""
    desk = ScriptedDesk(page)
    Terminal(page, simulated).open("BTC-USD/1m")
    desk.order("paper-main-o1")
    desk.order("paper-main-o2", status="filled", filled_quantity="0.5", type="market")
    desk.fill("paper-main-o2")
    event = {"account": "paper-main", "symbol": "BTC-USD", "timestamp": NOW}
    desk.begin(
        positions=[position()],
        portfolios=[portfolio(equity="100111.73", used_margin="650")],
        events=[
            event | {"id": "e1", "type": "signal", "message": "Long signal on BTC-USD"},
            event | {"id": "e2", "type": "order_placed", "message": "Order placed: buy 0.5 BTC-USD"},
        ],
    )
    return desk


def panel(page: Page, name: str) -> Locator:
    page.get_by_role("tab", name=name).click()
    return page.get_by_role("tabpanel", name=name)


def test_every_screen_is_there_with_its_parts(page: Page, desk: ScriptedDesk) -> None:
    """Dashboard, markets, trade, orders, positions, activity, settings; no order book, as feeds bring trades."""
    # Dashboard: what the account is worth, and how the desk is doing, whatever else is shown.
    expect(page.locator("#dock-equity")).to_have_text("100,111.73 USD")
    expect(page.locator("#desk-health")).to_contain_text("Trading ready")
    # Markets: the list, and the ticker and trades of the chosen one.
    expect(page.get_by_role("listbox", name="Markets").get_by_role("option")).to_have_count(12)
    market = panel(page, "Market")
    for words in ("Last price", "24 h change", "24 h high", "24 h low", "24 h volume", "Recent trades"):
        expect(market).to_contain_text(words)
    expect(market.get_by_role("list", name="Recent trades").get_by_role("listitem").first).to_be_visible()
    # Trade: the form, the leverage, what it would take.
    page.get_by_role("button", name="Buy", exact=True).click()
    ticket = page.get_by_role("region", name="Order ticket")
    ticket.get_by_label("Type").select_option("limit")
    ticket.get_by_label("Quantity").fill("1")
    ticket.get_by_label("Limit price").fill("60000")
    ticket.get_by_label("Leverage").fill("5")
    would = ticket.get_by_role("group", name="Estimate")
    for words in ("Margin", "200.00 USD", "Liquidation", "800.00"):
        expect(would).to_contain_text(words)
    page.keyboard.press("Escape")
    expect(ticket).to_be_hidden()
    # Orders: filtered.
    orders = panel(page, "Orders")
    expect(orders.get_by_role("button", name="Cancel buy 0.5 BTC-USD, limit")).to_be_visible()
    orders.get_by_role("combobox", name="Order status").select_option("done")
    expect(orders).to_contain_text("Filled")
    expect(orders.get_by_role("button", name="Cancel buy")).to_be_hidden()
    # Positions: in detail, and to be closed.
    positions = panel(page, "Positions")
    expect(positions).to_contain_text("+111.73 USD")
    expect(positions.get_by_role("button", name="Close long 0.05 BTC-USD")).to_be_visible()
    # Activity: a timeline, filtered.
    events = panel(page, "Events").get_by_role("list", name="Events").get_by_role("listitem")
    expect(events).to_have_count(2)
    page.get_by_role("combobox", name="Event type").select_option("signal")
    expect(events).to_have_count(1)
    expect(events).to_contain_text("Long signal on BTC-USD")
    # Settings: of the chart, and whose account it is.
    page.get_by_role("button", name="Chart settings").click()
    expect(page.get_by_role("dialog", name="Chart settings")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="paper account main").click()
    expect(page.get_by_role("dialog", name="Accounts")).to_contain_text("no real money")


def test_sparklines_line_and_candle_charts_stat_cards_and_the_health_indicator(
    page: Page, desk: ScriptedDesk
) -> None:
    """All but haptics: a page has none on most devices, and where it has they are not wanted."""
    expect(page.locator("#market-list .sparkline-line").first).to_have_attribute("d", re.compile(r"^M[\d.]+"))
    for kind in ("Line", "Candles"):
        page.get_by_role("button", name="Chart type").click()
        page.get_by_role("menu", name="Chart type").get_by_role("menuitemradio", name=kind, exact=True).click()
        expect(page.locator("#kind-name")).to_have_text(kind)
    cards = panel(page, "Portfolio").locator(".stat-card")
    expect(cards.filter(has_text="Equity")).to_contain_text("100,111.73 USD")
    expect(cards.filter(has_text="Margin").first).to_contain_text("650.00 USD")
    # The indicator follows: a ledger that cannot be written, and one that can again.
    health = page.locator("#desk-health")
    for ledger, state, words in (("failing", "bad", "Orders off"), ("ok", "good", "Trading ready")):
        desk.send({"type": "health", "channel": "health", "feed": {"state": "live"}, "connections": 1, "ledger": ledger})
        expect(health).to_have_attribute("data-state", state)
        expect(health).to_contain_text(words)


def test_the_best_prices_are_shown_of_markets_whose_venue_sends_them(page: Page, simulated: Server) -> None:
    def quoted(route) -> None:
        answer = route.fetch().json()
        for market in answer["markets"]:
            if market["symbol"] == "BTC-USD":
                market |= {"bid": 61999.5, "ask": 62000.25}
        route.fulfill(json=answer)

    page.route("**/v1/markets", quoted)
    Terminal(page, simulated).open("BTC-USD/1m")
    market = panel(page, "Market")
    card = market.locator(".stat-card").filter(has_text="Bid / ask")
    expect(card).to_contain_text("61,999.50 / 62,000.25")
    page.locator("#market-list [data-symbol='ETH-USD']").click()
    expect(market).to_contain_text("Last price")
    expect(card).to_have_count(0)
