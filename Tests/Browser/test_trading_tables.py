"""Positions, orders and fills below the chart, against a scripted desk."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from support.scripted_desk import NOW, ScriptedDesk, position
from support.server import Server
from support.terminal import Terminal


@pytest.fixture
def desk(page: Page, simulated: Server) -> ScriptedDesk:
    """A page that is live, with an account that is known and empty."""
    desk = ScriptedDesk(page)
    Terminal(page, simulated).open("BTC-USD/1m")
    desk.begin()
    return desk


def tab(page: Page, name: str) -> Locator:
    return page.get_by_role("tab", name=name)


def rows(page: Page, table: str) -> Locator:
    """The table's rows below its head."""
    return page.get_by_role("table", name=table).locator("tbody > tr:not(.trade-detail)")


def test_the_page_says_always_that_it_is_paper(page: Page, desk: ScriptedDesk) -> None:
    badge = page.get_by_role("button", name="paper account main")
    expect(badge).to_be_visible()
    expect(badge).to_contain_text("PAPER")


def test_the_panel_opens_from_its_tabs_and_is_remembered(page: Page, desk: ScriptedDesk) -> None:
    chart = page.locator("#chart").bounding_box()
    expect(page.locator("#trade-dock").get_by_role("tabpanel")).to_have_count(0)
    tab(page, "Orders").click()
    expect(page.get_by_role("tabpanel", name="Orders")).to_be_visible()
    expect(tab(page, "Orders")).to_have_attribute("aria-selected", "true")
    smaller = page.locator("#chart").bounding_box()
    assert chart and smaller and smaller["height"] < chart["height"] and smaller["height"] >= 300
    # By keyboard: the tabs are a ring, and the edge moves.
    tab(page, "Orders").press("ArrowRight")
    expect(page.get_by_role("tabpanel", name="Fills")).to_be_visible()
    expect(tab(page, "Fills")).to_be_focused()
    edge = page.get_by_role("separator", name="Height of the trading panel")
    before = page.locator("#trade-dock").bounding_box()
    edge.press("ArrowUp")
    after = page.locator("#trade-dock").bounding_box()
    assert before and after and after["height"] == before["height"] + 24
    page.reload()
    expect(page.get_by_role("tabpanel", name="Fills")).to_be_visible()
    again = page.locator("#trade-dock").bounding_box()
    assert again and again["height"] == after["height"]
    page.get_by_role("button", name="Close the trading panel").click()
    expect(page.locator("#trade-dock").get_by_role("tabpanel")).to_have_count(0)


def test_a_position_shows_its_profit_and_both_percentages(page: Page, desk: ScriptedDesk) -> None:
    """On the margin and on the price, each by its name."""
    tab(page, "Positions").click()
    expect(page.get_by_text("No open positions.")).to_be_visible()
    desk.say("positions", "positions", positions=[position()])
    row = rows(page, "Positions")
    expect(row).to_have_count(1)
    expect(row).to_contain_text("Long · 5×")
    expect(row).to_contain_text("+111.73 USD")
    expect(row).to_contain_text("+17.19% on margin · +3.44% on price")
    expect(row).to_contain_text("52,260.30")
    expect(tab(page, "Positions")).to_contain_text("1")


def test_a_position_is_closed_reversed_and_protected(page: Page, desk: ScriptedDesk) -> None:
    desk.say("positions", "positions", positions=[position()])
    tab(page, "Positions").click()
    page.get_by_role("button", name="Close long 0.05 BTC-USD").click()
    dialog = page.get_by_role("dialog", name="Close long 0.05 BTC-USD")
    expect(dialog.get_by_label("Quantity")).to_have_value("0.05")
    dialog.get_by_role("button", name="Close at market").click()
    expect(dialog).to_be_hidden()
    assert desk.requests_to("POST", "positions/BTC-USD/close") == [{"account": "paper-main"}]
    # Part of it, as it was typed.
    page.get_by_role("button", name="Close long 0.05 BTC-USD").click()
    dialog.get_by_label("Quantity").fill("0.0200000000000001")
    dialog.get_by_label("Quantity").press("Enter")
    expect(dialog).to_be_hidden()
    assert desk.requests_to("POST", "positions/BTC-USD/close")[1]["quantity"] == "0.0200000000000001"
    page.get_by_role("button", name="Reverse long 0.05 BTC-USD").click()
    page.get_by_role("button", name="Reverse at market").click()
    expect(page.get_by_role("dialog")).to_be_hidden()
    assert len(desk.requests_to("POST", "positions/BTC-USD/reverse")) == 1
    page.get_by_role("button", name="Take profit and stop loss of long").click()
    page.get_by_role("dialog").get_by_label("Take profit").fill("70,000")
    page.get_by_role("button", name="Set", exact=True).click()
    expect(page.get_by_role("dialog")).to_be_hidden()
    assert desk.requests_to("POST", "positions/BTC-USD/bracket") == [
        {"account": "paper-main", "take_profit": "70000", "stop_loss": None}
    ]


def test_orders_are_filtered_amended_and_cancelled(page: Page, desk: ScriptedDesk) -> None:
    desk.order("paper-main-o1")
    desk.order("paper-main-o2", symbol="ETH-USD", side="sell", limit_price="3900.5", status="partially_filled",
               filled_quantity="0.125")  # fmt: skip
    desk.order("paper-main-o3", status="rejected", reason="Not enough is available.")
    tab(page, "Orders").click()
    expect(tab(page, "Orders")).to_contain_text("2")
    expect(rows(page, "Orders")).to_have_count(2)
    expect(rows(page, "Orders").first).to_contain_text("0.125 filled")
    page.get_by_role("combobox", name="Orders from").select_option("this")
    expect(rows(page, "Orders")).to_have_count(1)
    page.get_by_role("combobox", name="Order status").select_option("done")
    expect(rows(page, "Orders")).to_contain_text("Not enough is available.")
    expect(page.get_by_role("button", name="Cancel buy")).to_be_hidden()
    page.get_by_role("combobox", name="Order status").select_option("active")
    page.get_by_role("button", name="Amend buy 0.5 BTC-USD, limit").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Limit price").fill("60,100.5")
    dialog.get_by_role("button", name="Amend", exact=True).click()
    expect(dialog).to_be_hidden()
    assert desk.requests_to("PATCH", "orders/paper-main-o1") == [{"limit_price": "60100.5", "version": 1}]
    expect(rows(page, "Orders")).to_contain_text("60,100.50")
    page.get_by_role("combobox", name="Orders from").select_option("all")
    page.get_by_role("button", name="Cancel buy 0.5 BTC-USD, limit").press("Enter")
    expect(rows(page, "Orders")).to_have_count(1)
    # The keyboard goes on with the row that is left.
    expect(page.get_by_role("button", name="Amend sell 0.5 ETH-USD, limit")).to_be_focused()
    page.get_by_role("button", name="Cancel all").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("button")).to_have_text(["Keep orders", "Cancel orders"])
    dialog.get_by_role("button", name="Keep orders").click()
    expect(dialog).to_be_hidden()
    assert desk.requests_to("DELETE", "orders") == []
    page.get_by_role("button", name="Cancel all").click()
    page.get_by_role("button", name="Cancel orders").click()
    expect(page.get_by_text("No working orders.")).to_be_visible()


def test_orders_show_their_cost_and_what_is_attached(page: Page, desk: ScriptedDesk, save_picture) -> None:
    priced = {"currency": "USD", "reference_price": "60000", "filled_cost": "0"}
    desk.order("paper-main-o1", leverage=5, take_profit="70000", stop_loss="55000.5", filled_quantity="0.2", quantity="1.5",
               status="partially_filled", average_fill_price="59950", **priced | {"filled_cost": "11990"})  # fmt: skip
    leg = {"side": "sell", "reduce_only": True, "parent": "paper-main-o1", "oco_group": "order:1", "quantity": "0.2"} | priced
    desk.order("paper-main-o2", limit_price="70000", **leg)
    desk.order("paper-main-o3", type="stop", limit_price=None, stop_price="55000.5", **leg)
    desk.order("paper-main-o4", status="rejected", reason="quantity: it needs 3361025172.75 USD, and 100000 is available",
               **priced)  # fmt: skip
    tab(page, "Orders").click()
    entry = rows(page, "Orders").filter(has_text="Buy")
    # 11,990 for the 0.2 that were filled, 60,000 each for the rest.
    expect(entry).to_contain_text("89,990.00 USD")
    expect(entry).to_contain_text("70,000.00 / 55,000.50")
    expect(entry).to_contain_text("59,950.00 on average")
    expect(entry).to_contain_text("5×")
    for name, type in (("Take profit", "Limit"), ("Stop loss", "Stop")):
        row = rows(page, "Orders").filter(has=page.get_by_role("button", name=f"Amend sell 0.2 BTC-USD, {name.lower()}"))
        expect(row.get_by_role("cell").first).to_have_text(f"{name}{type} · OCO")
    save_picture(page, "orders-with-legs")
    panel = page.get_by_role("tabpanel", name="Orders")
    assert panel.evaluate("panel => panel.scrollWidth <= panel.clientWidth")
    page.get_by_role("combobox", name="Order status").select_option("done")
    expect(rows(page, "Orders")).to_contain_text("It needs 3,361,025,172.75 USD, and 100,000 is available.")


def test_fills_are_coloured_like_orders(page: Page, desk: ScriptedDesk, save_picture) -> None:
    desk.order("paper-main-o1", side="sell")
    desk.order("paper-main-o2", side="buy")
    desk.fill("paper-main-o1", side="sell", realized_pnl="-1204.5")
    desk.fill("paper-main-o2", side="buy", realized_pnl="12")
    colour = "cell => getComputedStyle(cell).color"
    tab(page, "Orders").click()
    of_orders = rows(page, "Orders").get_by_role("rowheader").locator("> *").all()
    neutral, of_buys, _, of_sells = [each.evaluate(colour) for each in of_orders]
    assert len({neutral, of_buys, of_sells}) == 3
    tab(page, "Fills").click()
    bought, first = rows(page, "Fills").all()
    for row, name, of_side in ((first, "Sell", of_sells), (bought, "Buy", of_buys)):
        market, side = row.get_by_role("rowheader").locator("> *").all()
        expect(side).to_have_text(name)
        assert market.evaluate(colour) == neutral
        assert side.evaluate(colour) == of_side
        assert row.locator("[data-label='Realized profit'] .cell-value").evaluate(colour) == side.evaluate(colour)
    save_picture(page, "fills-coloured")


def test_an_error_names_the_field_and_keeps_what_was_typed(page: Page, desk: ScriptedDesk) -> None:
    desk.order("paper-main-o1")
    problem = {"code": "invalid_price", "message": "The limit price has more than 2 decimals.", "field": "limit_price"}
    desk.answer("PATCH", "orders/paper-main-o1", lambda _: (422, {"error": problem}))
    tab(page, "Orders").click()
    page.get_by_role("button", name="Amend buy").click()
    dialog = page.get_by_role("dialog")
    field = dialog.get_by_label("Limit price")
    field.fill("60000.123")
    field.press("Enter")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_be_focused()
    expect(field).to_have_accessible_description(problem["message"])
    expect(field).to_have_value("60000.123")
    # What is no number is not sent at all.
    field.fill("1,5")
    field.press("Enter")
    expect(field).to_have_accessible_description("Use a point for decimals: 1.5.")
    assert len(desk.requests_to("PATCH", "orders/paper-main-o1")) == 1
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Amend buy")).to_be_focused()


def test_an_order_never_goes_back(page: Page, desk: ScriptedDesk) -> None:
    """field.md 3c-8: a late answer does not open a filled order again; reported twice, a fill counts once."""
    first = desk.order("paper-main-o1")
    done = desk.order("paper-main-o1", status="filled", filled_quantity="0.5")
    fill = desk.fill("paper-main-o1", quantity="0.5")
    desk.send({"type": "order", "channel": "orders", "account": "paper-main", "sequence": 99, "order": first})
    page.evaluate("order => candlewire.trading.store.answer(order)", first)
    desk.say("fill", "orders", fill=fill)
    state = "() => [...candlewire.trading.store.orders.values()].map(({ status, version }) => [status, version])"
    assert page.evaluate(state) == [["filled", done["version"]]]
    assert page.evaluate("candlewire.trading.store.fills.size") == 1
    # A new connection begins with a snapshot of the same.
    desk.begin()
    assert page.evaluate(state) == [["filled", done["version"]]]
    assert page.evaluate("candlewire.trading.store.fills.size") == 1
    tab(page, "Fills").click()
    expect(rows(page, "Fills")).to_have_count(1)


def test_another_account_s_news_are_not_shown(page: Page, desk: ScriptedDesk) -> None:
    order = desk.keep("paper-other-o1")
    desk.send({"type": "order", "channel": "orders", "account": "paper-other", "sequence": 5, "order": order})
    assert page.evaluate("candlewire.trading.store.orders.size") == 0


def test_a_fill_opens_its_receipt(page: Page, desk: ScriptedDesk) -> None:
    desk.order("paper-main-o1", status="partially_filled", filled_quantity="0.2")
    desk.fill("paper-main-o1")
    tab(page, "Fills").click()
    button = page.get_by_role("button", name="Receipt: Buy 0.2 BTC-USD")
    button.press("Enter")
    expect(button).to_have_attribute("aria-expanded", "true")
    receipt = page.locator(".receipt")
    for words in ("up to a quarter of the trade", "volume 25%", "0.8 at 59,990.50", "6.00 USD as taker", "paper-main-o1"):
        expect(receipt).to_contain_text(words)
    # Another fill comes above; the receipt stays open.
    desk.fill("paper-main-o1", timestamp=NOW + 9)
    expect(rows(page, "Fills")).to_have_count(2)
    expect(receipt).to_be_visible()
    expect(button.last).to_be_focused()


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_the_tables_fit_a_phone_and_a_desk(
    new_page: Callable[..., Page], simulated: Server, save_picture, scheme: str
) -> None:
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    for name, options in (("desktop", {}), ("phone", phone)):
        page = new_page(**options, color_scheme=scheme)
        desk = ScriptedDesk(page)
        Terminal(page, simulated).open("BTC-USD/1m")
        desk.keep("paper-main-o1", status="partially_filled", filled_quantity="0.2")
        desk.keep("paper-main-o2", type="stop_limit", stop_price="71000", limit_price="71100", reduce_only=True)
        desk.begin(positions=[position(), position(id="paper-main-ETH-USD", symbol="ETH-USD", side="short",
                                                   unrealized_pnl="-21.61", unrealized_pnl_percent="-1.2")])  # fmt: skip
        desk.fill("paper-main-o1")
        # On a phone the tabs are shown while the dock is open.
        page.locator("#dock-toggle").click()
        for view in ("Positions", "Orders", "Fills"):
            tab(page, view).click()
            if view == "Fills":
                page.get_by_role("button", name="Receipt").click()
            expect(page.get_by_role("table", name=view)).to_be_visible()
            save_picture(page, f"trading-{name}-{scheme}-{view.lower()}")
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        # Beside the ticket there is less room: what closes a position is still there.
        page.get_by_role("button", name="Buy", exact=True).click()
        tab(page, "Positions").evaluate("tab => tab.click()")
        save_picture(page, f"trading-{name}-{scheme}-beside-ticket")
        panel = page.get_by_role("tabpanel", name="Positions")
        assert panel.evaluate("panel => panel.scrollWidth <= panel.clientWidth")
        assert page.complaints == []
        page.close()
