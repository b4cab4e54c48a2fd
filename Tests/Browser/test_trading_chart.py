"""Orders, positions and fills on the chart; the portfolio, the events, the market, the accounts; and what is said."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from support.board import Board
from support.polling import eventually
from support.scripted_desk import NOW, ScriptedDesk, portfolio, position
from support.server import Server
from support.terminal import Terminal

LISTEN = """() => {
    window.spoken = [];
    const region = document.getElementById('announcements');
    new MutationObserver(() => region.textContent && spoken.push([performance.now(), region.textContent]))
        .observe(region, { childList: true, subtree: true, characterData: true });
}"""


@pytest.fixture
def desk(page: Page, simulated: Server) -> ScriptedDesk:
    desk = ScriptedDesk(page)
    Terminal(page, simulated).open("BTC-USD/1d")
    desk.begin()
    return desk


@pytest.fixture
def board(page: Page, desk: ScriptedDesk, simulated: Server) -> Board:
    return Board(Terminal(page, simulated))


def lines(page: Page) -> list[dict]:
    return page.evaluate(
        "candlewire.trading.lines.lines().map(({ kind, price, label, move }) => ({ kind, price, label, isFree: move !== null }))"
    )


def is_at(board: Board, place: float) -> bool:
    x, y = board.at((0.3, place))
    box = board.terminal.chart_box()
    return board.page.evaluate(
        "([x, y]) => candlewire.chart.engineChart.objects.hit(x, y, 4)", [x - box["x"], y - box["y"]]
    )


def test_positions_and_orders_are_lines_of_their_market(page: Page, desk: ScriptedDesk) -> None:
    desk.say("positions", "positions", positions=[position()])
    desk.order("paper-main-o1", status="partially_filled", filled_quantity="0.125")
    desk.order("paper-main-o2", side="sell", type="stop", stop_price="64000", limit_price=None, reduce_only=True,
               oco_group="a")  # fmt: skip
    desk.order("paper-main-o3", side="sell", limit_price="70000", reduce_only=True, oco_group="a")
    desk.order("paper-main-o4", symbol="ETH-USD")
    desk.order("paper-main-o5", type="trailing_stop", limit_price=None, stop_price="69000", trail={"percent": "2"})
    assert lines(page) == [
        {"kind": "position", "price": "65000", "label": "Long 0.05  +111.73 USD", "isFree": False},
        {"kind": "order", "price": "69000", "label": "Buy trailing stop 0.5", "isFree": False},
        {"kind": "take_profit", "price": "70000", "label": "Take profit 0.5", "isFree": True},
        {"kind": "stop_loss", "price": "64000", "label": "Stop loss 0.5", "isFree": True},
        {"kind": "order", "price": "60000", "label": "Buy limit 0.5 (0.125 filled)", "isFree": True},
    ]
    desk.order("paper-main-o1", status="filled")
    assert all("filled" not in each["label"] for each in lines(page))


def test_a_stop_that_trails_has_one_line_while_it_moves(page: Page, desk: ScriptedDesk) -> None:
    desk.order("paper-main-o1", side="sell", type="trailing_stop", limit_price=None, stop_price="64000",
               trail={"percent": "1"}, reduce_only=True)  # fmt: skip
    # The position shows the new price before the order does.
    desk.say("positions", "positions", positions=[position(stop_loss="64010", take_profit="70000")])
    assert [(line["kind"], line["price"]) for line in lines(page)] == [
        ("position", "65000"), ("order", "64000"), ("take_profit", "70000")
    ]  # fmt: skip


def test_an_order_is_amended_by_dragging_its_line(page: Page, desk: ScriptedDesk, board: Board) -> None:
    start = f"{board.market_place((0.5, 0.4))['price']:.2f}"
    desk.order("paper-main-o1", limit_price=start)
    board.terminal.painted()
    assert is_at(board, 0.4)
    aim = board.market_place((0.3, 0.6))["price"]
    board.drag(board.at((0.3, 0.4)), board.at((0.3, 0.6)))
    eventually(lambda: desk.requests_to("PATCH", "orders/paper-main-o1"), "the change is sent")
    [change] = desk.requests_to("PATCH", "orders/paper-main-o1")
    pixel = abs(board.market_place((0.5, 0.5))["price"] - board.market_place((0.5, 0.51))["price"])
    assert change["version"] == 1 and abs(float(change["limit_price"]) - aim) < pixel
    # With the market's decimals, not those of a pixel.
    assert len(change["limit_price"].partition(".")[2]) == 2
    eventually(lambda: lines(page)[0]["price"] == change["limit_price"], "the line is where it was dragged to")
    assert is_at(board, 0.6) and not is_at(board, 0.4)


def test_a_refused_drag_goes_back_and_says_why(page: Page, desk: ScriptedDesk, board: Board) -> None:
    desk.answer("PATCH", "orders/paper-main-o1", lambda _: (409, {"error": {"code": "conflict", "message": "The order changed."}}))
    desk.order("paper-main-o1", limit_price=f"{board.market_place((0.5, 0.4))['price']:.2f}")
    board.terminal.painted()
    board.drag(board.at((0.3, 0.4)), board.at((0.3, 0.6)))
    expect(page.get_by_role("region", name="Notifications")).to_contain_text("Not moved: The order changed.")
    eventually(lambda: is_at(board, 0.4) and not is_at(board, 0.6), "the line is back")


def test_fills_are_marked_on_their_bars(page: Page, desk: ScriptedDesk) -> None:
    page.evaluate(
        """() => {
            window.marked = [];
            const { objects } = candlewire.chart.engineChart;
            const set = objects.setMarker.bind(objects);
            objects.setMarker = marker => { marked.push(marker); set(marker); };
        }"""
    )
    desk.fill("paper-main-o1")
    desk.fill("paper-main-o1", symbol="ETH-USD")
    assert [(each["kind"], each["time"], each["text"]) for each in page.evaluate("marked")] == [
        ("buy", NOW, "0.2 at 60,000.00")
    ]
    # Another one in the same bar is no second arrow over it.
    desk.fill("paper-main-o1", price="60100", quantity="0.1")
    assert page.evaluate("marked.at(-1).text") == "0.3 at 60,033.33 (2 fills)"


def test_fills_are_said_politely_and_as_one(page: Page, desk: ScriptedDesk) -> None:
    """At most every five seconds; many fills of an order are one sentence, with their exact sum."""
    # Noted where it is announced: how long a frame takes to show the text says nothing of the pause.
    page.evaluate(
        """async () => {
            const { LiveRegion } = await import('/ui/live-region.js');
            const { announce } = LiveRegion.prototype;
            window.spoken = [];
            LiveRegion.prototype.announce = function (sentence, topic) {
                spoken.push([performance.now(), sentence]);
                return announce.call(this, sentence, topic);
            };
        }"""
    )
    desk.order("paper-main-o1", status="partially_filled", filled_quantity="0.3")
    with desk.at_once():
        desk.fill("paper-main-o1", quantity="0.1")
        desk.fill("paper-main-o1", quantity="0.2")
    said = lambda: [text for _, text in page.evaluate("spoken")]  # noqa: E731
    eventually(lambda: any("Bought 0.3 BTC-USD at 60,000.00 on paper." in text for text in said()), "the fills are said")
    with desk.at_once():
        desk.order("paper-main-o2", status="rejected", reason="Not enough is available.")
        desk.fill("paper-main-o1", quantity="0.2")
    eventually(lambda: any("Rejected: buy 0.5 BTC-USD, limit. Not enough" in text for text in said()), "the rejection")
    times = [at for at, text in page.evaluate("spoken") if "on paper" in text or "Rejected" in text]
    assert len(times) == 2 and times[1] - times[0] > 4_900
    assert "Bought 0.2 BTC-USD" in said()[-1]
    expect(page.get_by_role("region", name="Notifications")).to_contain_text("Rejected")


def test_what_a_page_begins_with_is_no_news(page: Page, desk: ScriptedDesk) -> None:
    page.evaluate(LISTEN)
    desk.fill("paper-main-o1")
    eventually(lambda: any("Bought" in text for _, text in page.evaluate("spoken")), "a fill is said")
    page.reload()
    Terminal(page, None).wait_until_live()  # type: ignore[arg-type]
    desk.keep("paper-main-o9", status="rejected")
    desk.begin()
    expect(page.get_by_role("region", name="Notifications")).not_to_contain_text("Rejected")


def test_the_portfolio_has_stat_cards_and_a_curve_of_the_chart_engine(page: Page, desk: ScriptedDesk) -> None:
    points = [{"timestamp": NOW - 6000 + 60 * at, "equity": f"{100000 + at * 7.5:.2f}"} for at in range(100)]
    desk.answer("GET", "portfolio/history", lambda _: (200, {"points": points}))
    desk.say("portfolio", "portfolio", portfolios=[
        portfolio(equity="100742.5", unrealized_pnl="111.725", realized_pnl="-3.5", fees="12", used_margin="650"),
        portfolio(currency="EUR", equity="500", initial_capital="500"),
    ])  # fmt: skip
    page.get_by_role("tab", name="Portfolio").click()
    panel = page.get_by_role("tabpanel", name="Portfolio")
    for words in ("100,742.50 USD", "+0.74% of 100,000.00 USD", "+111.73 USD", "−3.50 USD", "12.00 USD", "650.00 USD"):
        expect(panel).to_contain_text(words)
    curve = panel.get_by_role("img", name="Equity in USD: 100,000 at the start, 100,742.5 now")
    expect(curve).to_be_visible()
    assert page.evaluate("candlewire.trading.equity.engineChart.count") >= 100
    drawn = """() => { const base = document.querySelector('.equity-chart canvas');
        const { data } = base.getContext('2d').getImageData(0, 0, base.width, base.height);
        return new Set(new Uint32Array(data.buffer)).size; }"""
    eventually(lambda: page.evaluate(drawn) > 4, "the curve is painted")
    # It goes on with the account.
    desk.say("portfolio", "portfolio", portfolios=[portfolio(equity="101000", last_updated=NOW + 60)])
    last = "() => { const chart = candlewire.trading.equity.engineChart; return chart.bar(chart.count - 1).close; }"
    eventually(lambda: page.evaluate(last) == 101000, "the newest figure is in the curve")
    expect(page.locator("#dock-profit")).to_have_text("+1,000.00")


def test_currencies_are_chosen_and_never_summed(page: Page, desk: ScriptedDesk) -> None:
    desk.say("portfolio", "portfolio", portfolios=[portfolio(), portfolio(currency="EUR", equity="500")])
    page.get_by_role("tab", name="Portfolio").click()
    panel = page.get_by_role("tabpanel", name="Portfolio")
    expect(panel).to_contain_text("100,000.00 USD")
    panel.get_by_role("combobox", name="Currency").select_option("EUR")
    expect(panel).to_contain_text("500.00 EUR")
    expect(panel.get_by_text("0.00 USD")).to_have_count(0)


def test_events_are_a_timeline_with_filters(page: Page, desk: ScriptedDesk) -> None:
    events = [
        {"id": "e1", "type": "order_placed", "symbol": "BTC-USD", "message": "Buy 0.5 BTC-USD", "timestamp": NOW},
        {"id": "e2", "type": "risk", "symbol": "ETH-USD", "message": "Margin is short", "timestamp": NOW + 1,
         "metadata": {"margin_ratio": "1.2"}},
        # What this page does not know is shown as it came.
        {"id": "e3", "type": "moon_phase", "message": "<b>Full</b>", "timestamp": NOW + 2},
    ]  # fmt: skip
    for event in events:
        desk.say("event", "events", event=event)
    page.get_by_role("tab", name="Events").click()
    items = page.get_by_role("list", name="Events").get_by_role("listitem")
    expect(items).to_have_count(3)
    expect(items.first).to_contain_text("moon phase")
    expect(items.first).to_contain_text("<b>Full</b>")
    expect(items.nth(1)).to_contain_text("margin ratio 1.2")
    page.get_by_role("combobox", name="Event type").select_option("risk")
    expect(items).to_have_count(1)
    page.get_by_role("combobox", name="Events from").select_option("this")
    expect(page.get_by_text("No matching events yet.")).to_be_visible()
    page.get_by_role("combobox", name="Event type").select_option("all")
    expect(items).to_have_count(1)
    expect(items).to_contain_text("Order placed")


def test_the_market_in_detail_has_its_trades_and_no_order_book(page: Page, desk: ScriptedDesk) -> None:
    page.get_by_role("tab", name="Market").click()
    panel = page.get_by_role("tabpanel", name="Market")
    expect(panel).to_contain_text("Last price")
    trades = panel.get_by_role("list", name="Recent trades").get_by_role("listitem")
    expect(trades.nth(3)).to_be_visible()
    last = page.evaluate("candlewire.store.markets.get('BTC-USD').precision")
    assert last == 2
    expect(panel.get_by_text("Order book")).to_have_count(0)


def test_accounts_are_chosen_opened_and_begun_anew(page: Page, desk: ScriptedDesk) -> None:
    accounts = [{"id": "paper-main", "name": "main"}, {"id": "paper-scalping", "name": "scalping"}]
    desk.answer("GET", "accounts", lambda _: (200, {"accounts": accounts}))
    taken = {"code": "taken", "message": "There is an account of that name.", "field": "name"}
    desk.answer("POST", "accounts", lambda body: (422, {"error": taken}) if body["name"] == "main" else (201, {"id": "paper-" + body["name"]}))
    desk.order("paper-main-o1")
    badge = page.locator("#account-button")
    badge.click()
    panel = page.get_by_role("dialog", name="Accounts")
    expect(panel.get_by_role("radio", name="main")).to_be_checked()
    panel.get_by_role("radio", name="scalping").check()
    expect(badge).to_contain_text("scalping")
    # Nothing of the other account stays.
    assert page.evaluate("candlewire.trading.store.orders.size") == 0
    panel.get_by_role("button", name="New account").click()
    dialog = page.get_by_role("dialog", name="New paper account")
    dialog.get_by_label("Name").fill("main")
    dialog.get_by_label("Name").press("Enter")
    expect(dialog.get_by_label("Name")).to_have_accessible_description(f"{taken['message']} 1 to 32 letters, digits or underscores")
    dialog.get_by_label("Name").fill("swing")
    dialog.get_by_label("Capital").fill("2,500.50")
    dialog.get_by_role("button", name="Open account").click()
    expect(dialog).to_be_hidden()
    assert desk.requests_to("POST", "accounts")[1] == {"name": "swing", "currency": "USD", "capital": "2500.5"}
    expect(badge).to_contain_text("swing")
    badge.click()
    panel.get_by_role("button", name="Reset").click()
    dialog = page.get_by_role("dialog", name="Reset swing?")
    expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    dialog.get_by_role("button", name="Reset account").click()
    expect(dialog).to_be_hidden()
    assert len(desk.requests_to("POST", "accounts/paper-swing/reset")) == 1


def test_a_live_account_would_look_like_nothing_else_and_gets_nothing(page: Page, desk: ScriptedDesk) -> None:
    page.evaluate("candlewire.trading.store.choose('live-main')")
    refused = page.evaluate("candlewire.trading.desk.place({ symbol: 'BTC-USD' }).catch(error => error.code)")
    assert refused == "wrong_mode" and desk.requests_to("POST", "orders") == []
    badge = page.locator("#account-button")
    expect(badge).to_contain_text("LIVE")
    expect(badge).to_have_attribute("data-mode", "live")


def test_an_account_that_is_no_longer_there_gives_way_to_the_main_one(page: Page, desk: ScriptedDesk) -> None:
    page.evaluate("candlewire.trading.store.choose('paper-gone')")
    requested = "() => channelsRequested.findLast(each => each.channel === 'orders' && each.action === 'subscribe')"
    refusal = {"type": "error", "code": "unknown_account", "message": "There is no account paper-gone."}
    desk.send({**refusal, "channel": "orders", "account": "paper-gone", "id": page.evaluate(requested)["id"]})
    expect(page.locator("#account-button")).to_contain_text("main")
    expect(page.get_by_role("region", name="Notifications")).to_contain_text("This server has no account paper-gone")


def test_a_token_that_does_not_open_the_main_account_shows_one_that_it_opens(page: Page, desk: ScriptedDesk) -> None:
    desk.answer("GET", "accounts", lambda _: (200, {"accounts": [{"id": "paper-ada", "portfolios": []}]}))
    page.evaluate("candlewire.trading.store.choose('paper-gone')")
    requested = "() => channelsRequested.findLast(each => each.channel === 'orders' && each.action === 'subscribe')"
    refusal = {"type": "error", "code": "unknown_account", "message": "There is no account paper-gone."}
    desk.send({**refusal, "channel": "orders", "account": "paper-gone", "id": page.evaluate(requested)["id"]})
    expect(page.locator("#account-button")).to_contain_text("ada")
    page.wait_for_function(f"() => ({requested})()?.account === 'paper-ada'")


def tab(page: Page, name: str) -> Locator:
    return page.get_by_role("tab", name=name)


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_the_views_fit_a_phone_and_a_desk(
    new_page: Callable[..., Page], simulated: Server, save_picture, scheme: str
) -> None:
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    points = [{"timestamp": NOW - 6000 + 60 * at, "equity": f"{100000 + (at % 30 - 12) * 40}"} for at in range(100)]
    for name, options in (("desktop", {}), ("phone", phone)):
        page = new_page(**options, color_scheme=scheme)
        desk = ScriptedDesk(page)
        desk.answer("GET", "portfolio/history", lambda _: (200, {"points": points}))
        terminal = Terminal(page, simulated).open("BTC-USD/1d")
        board = Board(terminal)
        prices = [f"{board.market_place((0.5, share))['price']:.2f}" for share in (0.2, 0.4, 0.6, 0.8)]
        desk.keep("paper-main-o1", limit_price=prices[3])
        desk.keep("paper-main-o2", side="sell", limit_price=prices[0], reduce_only=True, oco_group="a")
        desk.keep("paper-main-o3", side="sell", type="stop", limit_price=None, stop_price=prices[2], reduce_only=True, oco_group="a")
        desk.begin(
            positions=[position(entry_price=prices[1])],
            portfolios=[portfolio(equity="100111.725", unrealized_pnl="111.725", used_margin="650")],
            events=[{"id": "e1", "type": "order_placed", "symbol": "BTC-USD", "message": "Buy 0.5 BTC-USD at 60,000.00", "timestamp": NOW},
                    {"id": "e2", "type": "risk", "message": "Margin is short", "timestamp": NOW + 1, "metadata": {"ratio": "1.2"}}],
        )  # fmt: skip
        last = terminal.legend()["timestamp"]
        desk.fill("paper-main-o1", timestamp=last - 86_400 * 5)
        terminal.painted()
        save_picture(page, f"trading-{name}-{scheme}-closed")
        # On a phone the tabs are shown while the dock is open.
        page.locator("#dock-toggle").click()
        for view in ("Portfolio", "Events", "Market"):
            tab(page, view).click()
            expect(page.get_by_role("tabpanel", name=view)).to_be_visible()
            # On a phone, too, one sees what one has.
            expect(page.locator("#dock-equity")).to_be_visible()
            terminal.painted()
            save_picture(page, f"trading-{name}-{scheme}-{view.lower()}")
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert page.complaints == []
        page.close()
