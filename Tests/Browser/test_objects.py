"""Alerts, price lines and orders on the chart."""

import json

import pytest
from playwright.sync_api import expect

from support.board import Board
from support.notes import keep_notes
from support.polling import eventually
from support.terminal import Terminal


@pytest.fixture
def board(terminal: Terminal) -> Board:
    keep_notes(terminal.page)
    terminal.open("BTC-USD/1d")
    return Board(terminal)


def levels(board: Board, symbol: str = "BTC-USD") -> dict:
    return board.page.evaluate("symbol => candlewire.objects.levels.of(symbol)", symbol)


def trade(board: Board, price: float, symbol: str = "BTC-USD") -> None:
    """A trade, as the stream would bring it."""
    board.page.evaluate(
        "([symbol, price]) => candlewire.store.trade(symbol, price, Date.now() / 1000)", [symbol, price]
    )


def price(board: Board, symbol: str = "BTC-USD") -> float:
    return board.page.evaluate("symbol => candlewire.store.markets.get(symbol).price", symbol)


def watch_urgent(board: Board) -> None:
    board.page.evaluate(
        """() => {
            window.urgent = [];
            const region = document.getElementById('urgent');
            new MutationObserver(() => region.textContent && urgent.push(region.textContent))
                .observe(region, { childList: true, subtree: true, characterData: true });
        }"""
    )


def test_an_alert_is_added_with_the_plus_on_the_axis(board: Board) -> None:
    x, y = board.at((0.5, 0.25))
    board.page.mouse.move(x, y)
    board.terminal.painted()
    plus = board.page.get_by_role("button", name="Add at this price")
    expect(plus).to_be_visible()
    # Along the crosshair's line to the button.
    box = plus.bounding_box()
    assert box and abs(box["y"] + box["height"] / 2 - y) <= 1
    board.page.mouse.move(box["x"] + 12, y, steps=8)
    aimed = board.market_place((0.5, 0.25))["price"]
    board.page.mouse.down()
    board.page.mouse.up()
    board.page.get_by_role("menuitem", name="Alert at").click()
    [alert] = levels(board)["alerts"]
    pixel = abs(board.market_place((0.5, 0.25))["price"] - board.market_place((0.5, 0.26))["price"])
    assert abs(alert["price"] - aimed) < pixel and alert["firedAt"] is None


def test_the_key_a_adds_an_alert_where_the_mouse_is(board: Board) -> None:
    board.page.mouse.move(*board.at((0.4, 0.7)))
    board.page.locator("#chart").focus()
    aimed = board.market_place((0.4, 0.7))["price"]
    board.page.keyboard.press("Shift+A")
    [alert] = levels(board)["alerts"]
    assert abs(alert["price"] - aimed) <= aimed * 0.001


def test_an_alert_is_added_changed_and_removed_by_keyboard(board: Board) -> None:
    """Without a mouse, A opens the list with the price of the crosshair's bar."""
    page = board.page
    page.locator("#chart").focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    close = board.terminal.legend()["close"]
    page.keyboard.press("Shift+A")
    panel = page.get_by_role("dialog", name="Alerts and objects")
    field = panel.get_by_role("textbox", name="Price of the new alert")
    expect(field).to_be_focused()
    expect(field).to_have_value(f"{close:.2f}")
    page.keyboard.type("99,000.5")
    page.keyboard.press("Enter")
    assert [(each["price"], each["direction"]) for each in levels(board)["alerts"]] == [(99000.5, "either")]
    row = panel.get_by_role("list", name="Alerts").get_by_role("listitem")
    row.get_by_role("combobox").select_option("up")
    row.get_by_role("textbox").fill("98000")
    row.get_by_role("textbox").press("Enter")
    assert [(each["price"], each["direction"]) for each in levels(board)["alerts"]] == [(98000, "up")]
    # What is no price changes nothing and is marked.
    row.get_by_role("textbox").fill("dear")
    row.get_by_role("textbox").press("Enter")
    expect(row.get_by_role("textbox")).to_have_attribute("aria-invalid", "true")
    assert levels(board)["alerts"][0]["price"] == 98000
    row.get_by_role("button", name="Remove the alert").press("Enter")
    assert levels(board)["alerts"] == []
    expect(field).to_be_focused()
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(page.locator("#chart")).to_be_focused()


def test_an_alert_fires_once_is_said_shown_and_armed_again(board: Board) -> None:
    watch_urgent(board)
    level = round(price(board) * 1.2, 2)
    board.page.evaluate("level => candlewire.objects.addAlert(level)", level)
    board.terminal.wait_for_ticks(2)
    assert levels(board)["alerts"][0]["firedAt"] is None
    trade(board, level + 1)
    trade(board, level - 1)
    trade(board, level + 1)
    notes = board.page.get_by_role("region", name="Notifications")
    words = f"BTC-USD crossed {level:,.2f}"
    expect(notes).to_contain_text(words)
    expect(notes.get_by_role("button", name="Set again")).to_have_count(1)
    eventually(lambda: f"Alert: {words}." in board.page.evaluate("urgent"), "the alert is said, urgently")
    assert levels(board)["alerts"][0]["firedAt"] is not None
    trade(board, level * 0.9)
    notes.get_by_role("button", name="Set again").click()
    assert levels(board)["alerts"][0]["firedAt"] is None
    trade(board, level + 5)
    expect(notes.get_by_role("button", name="Set again")).to_have_count(1)
    assert levels(board)["alerts"][0]["firedAt"] is not None


def test_alerts_of_other_markets_fire_too(board: Board) -> None:
    board.terminal.row("ETH-USD").click()
    board.terminal.wait_for_selection("ETH-USD", "1d")
    level = round(price(board, "ETH-USD") * 1.3, 2)
    board.page.evaluate("level => candlewire.objects.addAlert(level, 'up')", level)
    board.terminal.row("BTC-USD").click()
    board.terminal.wait_for_selection("BTC-USD", "1d")
    assert levels(board)["alerts"] == []
    trade(board, level + 1, "ETH-USD")
    expect(board.page.get_by_role("region", name="Notifications")).to_contain_text(f"ETH-USD rose to {level:,.2f}")


def test_alerts_and_lines_are_kept_and_a_damaged_document_is_set_aside(board: Board) -> None:
    board.page.evaluate("candlewire.objects.addAlert(12345.67, 'down')")
    board.page.evaluate("candlewire.objects.addLine(23456.78, 'resistance')")
    before = levels(board)
    board.page.reload()
    board.terminal.wait_until_live()
    assert levels(board) == before
    stored = json.loads(board.page.evaluate("localStorage.getItem('candlewire.levels:BTC-USD')"))
    assert (stored["format"], stored["version"]) == ("candlewire-levels", 1)
    board.page.evaluate("localStorage.setItem('candlewire.levels:BTC-USD', '{\"version\":9}')")
    board.page.reload()
    board.terminal.wait_until_live()
    assert levels(board)["alerts"] == []
    expect(board.page.get_by_role("region", name="Notifications")).to_contain_text("The alerts of BTC-USD could not be read")
    assert board.page.evaluate("localStorage.getItem('candlewire.levels.damaged:BTC-USD')") == '{"version":9}'


def test_a_damaged_document_keeps_other_symbols_alerts_while_storage_is_full(board: Board) -> None:
    page = board.page
    page.evaluate("candlewire.objects.addAlert(12345.67, 'down')")
    page.evaluate("localStorage.setItem('candlewire.levels:AAA-USD', 'torn')")
    page.evaluate("localStorage.setItem('candlewire.levels:ZZZ-USD', 'torn')")
    page.add_init_script("Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError'); };")
    page.reload()
    board.terminal.wait_until_live()
    notes = page.get_by_role("region", name="Notifications")
    expect(notes).to_contain_text("The alerts of AAA-USD could not be read. They stay where they are")
    assert [each["price"] for each in levels(board)["alerts"]] == [12345.67]
    page.evaluate("candlewire.objects.levels.addAlert('AAA-USD', 5)")
    page.evaluate("candlewire.objects.levels.addAlert('ZZZ-USD', 5)")
    expect(notes).to_contain_text("Your browser can’t save alerts: its storage is full.")
    for symbol in ("AAA-USD", "ZZZ-USD"):
        assert page.evaluate("symbol => localStorage.getItem(`candlewire.levels:${symbol}`)", symbol) == "torn"


def test_an_alert_and_a_price_line_are_dragged(board: Board) -> None:
    for place, add in (((0.5, 0.3), "addAlert"), ((0.5, 0.6), "addLine")):
        at = board.market_place(place)["price"]
        board.page.evaluate(f"price => candlewire.objects.{add}(price, {json.dumps('either' if add == 'addAlert' else 'mine')})", at)
    board.terminal.painted()
    aims = []
    for name, start, end in (("alerts", (0.4, 0.3), (0.4, 0.4)), ("lines", (0.4, 0.6), (0.4, 0.75))):
        aims.append((name, board.market_place(end)["price"]))
        board.drag(board.at(start), board.at(end))
    pixel = abs(board.market_place((0.5, 0.5))["price"] - board.market_place((0.5, 0.51))["price"])
    for name, aim in aims:
        [level] = levels(board)[name]
        assert abs(level["price"] - aim) < pixel, name
    assert board.terminal.chart("isFollowing()"), "the chart did not pan"
    # A click opens the list there.
    board.page.mouse.click(*board.at((0.3, 0.4)))
    panel = board.page.get_by_role("dialog", name="Alerts and objects")
    expect(panel.get_by_role("list", name="Alerts").get_by_role("textbox")).to_be_focused()


def test_the_chart_pans_and_reads_while_every_alert_has_fired(board: Board) -> None:
    level = round(price(board) * 1.2, 2)
    board.page.evaluate("level => candlewire.objects.addAlert(level)", level)
    trade(board, level + 1)
    eventually(lambda: levels(board)["alerts"][0]["firedAt"] is not None, "the alert fired")
    errors = []
    board.page.on("pageerror", lambda error: errors.append(error))
    board.page.mouse.move(*board.at((0.3, 0.5)))
    board.terminal.painted()
    assert board.terminal.legend()["index"] < board.terminal.chart("count") - 1, "the crosshair is on an older bar"
    board.drag(board.at((0.3, 0.5)), board.at((0.7, 0.5)))
    assert not board.terminal.chart("isFollowing()"), "the chart panned"
    assert errors == []


def test_price_lines_are_named_in_the_list(board: Board) -> None:
    board.page.get_by_role("button", name="Alerts and objects").click()
    panel = board.page.get_by_role("dialog", name="Alerts and objects")
    form = panel.get_by_role("form", name="New price line")
    form.get_by_role("textbox", name="Name of the new line").fill("support")
    form.get_by_role("textbox", name="Price of the new line").fill("61234.5")
    form.get_by_role("button", name="Add").click()
    row = panel.get_by_role("list", name="Price lines").get_by_role("listitem")
    expect(row.get_by_role("textbox", name="Name of the line")).to_have_value("support")
    row.get_by_role("textbox", name="Name of the line").fill("old low")
    row.get_by_role("textbox", name="Name of the line").press("Enter")
    assert [(each["price"], each["label"]) for each in levels(board)["lines"]] == [(61234.5, "old low")]
    row.get_by_role("button", name="Remove the line").click()
    assert levels(board)["lines"] == []


def test_the_list_shows_drawings_and_brings_hidden_ones_back(board: Board) -> None:
    board.draw("Rectangle", (0.2, 0.3), (0.4, 0.5))
    board.draw("Horizontal line", (0.6, 0.7))
    board.setting("Hide").click()
    board.page.get_by_role("button", name="Alerts and objects").click()
    drawn = board.page.get_by_role("list", name="Drawings")
    expect(drawn.get_by_role("listitem")).to_have_count(2)
    hide = drawn.get_by_role("button", name="Hide Horizontal line")
    expect(hide).to_have_attribute("aria-pressed", "true")
    hide.click()
    assert not any(each["hidden"] for each in board.entries())
    drawn.get_by_role("button", name="Rectangle ·").click()
    assert board.entries()[0]["id"] == board.selection
    drawn.get_by_role("button", name="Lock Rectangle").click()
    assert board.entries()[0]["locked"]
    drawn.get_by_role("button", name="Delete Rectangle").click()
    assert [each["kind"] for each in board.entries()] == ["horizontal_line"]


def test_orders_are_dragged_and_the_trading_code_accepts_or_reverts(board: Board) -> None:
    """What the trading issue needs: draggable lines, a DOM event, an answer now or later."""
    start = round(board.market_place((0.5, 0.4))["price"], 2)
    board.page.evaluate(
        """price => {
            candlewire.chart.change(({ objects }) =>
                objects.setOrder({ id: 7, kind: 'order', isBuy: true, price, label: 'Buy 0.5 limit' }));
            window.proposals = [];
            document.addEventListener('order-drag', event => {
                event.preventDefault();
                proposals.push(event.detail);
            });
        }""",
        start,
    )
    board.terminal.painted()
    aim = board.market_place((0.3, 0.6))["price"]
    board.drag(board.at((0.3, 0.4)), board.at((0.3, 0.6)))
    proposed = board.page.evaluate("proposals.map(({ id, price }) => ({ id, price }))")
    pixel = abs(board.market_place((0.5, 0.5))["price"] - board.market_place((0.5, 0.51))["price"])
    assert len(proposed) == 1 and proposed[0]["id"] == 7 and abs(proposed[0]["price"] - aim) < pixel

    def is_at(place: float) -> bool:
        x, y = board.at((0.3, place))
        box = board.terminal.chart_box()
        return board.page.evaluate(
            "([x, y]) => candlewire.chart.engineChart.objects.hit(x, y, 4)", [x - box["x"], y - box["y"]]
        )

    assert is_at(0.6) and not is_at(0.4)
    board.page.evaluate("proposals[0].revert()")
    assert is_at(0.4) and not is_at(0.6)
    board.drag(board.at((0.3, 0.4)), board.at((0.3, 0.7)))
    board.page.evaluate("proposals[1].accept()")
    assert is_at(0.7) and not is_at(0.4)
    # The chart stayed where it was, and a press without a move proposes nothing.
    board.page.mouse.click(*board.at((0.3, 0.7)))
    assert board.page.evaluate("proposals.length") == 2
    assert board.terminal.chart("isFollowing()")


def test_a_moved_order_without_an_answer_goes_back(board: Board) -> None:
    start = round(board.market_place((0.5, 0.4))["price"], 2)
    board.page.evaluate(
        """price => candlewire.chart.change(({ objects }) =>
            objects.setOrder({ id: 1, kind: 'stop_loss', isBuy: false, price, label: 'Stop' }))""",
        start,
    )
    board.terminal.painted()
    board.drag(board.at((0.3, 0.4)), board.at((0.3, 0.6)))
    x, y = board.at((0.3, 0.4))
    box = board.terminal.chart_box()
    assert board.page.evaluate(
        "([x, y]) => candlewire.chart.engineChart.objects.hit(x, y, 4)", [x - box["x"], y - box["y"]]
    )
    # Escape in the middle of a drag gives it up.
    board.page.evaluate("document.addEventListener('order-drag', () => (window.wasProposed = true))")
    board.page.locator("#chart").focus()
    board.page.mouse.move(x, y)
    board.page.mouse.down()
    board.page.mouse.move(x, y + 60, steps=3)
    board.page.keyboard.press("Escape")
    board.page.mouse.up()
    assert not board.page.evaluate("window.wasProposed ?? false")


def test_the_sound_is_off_until_it_is_chosen(board: Board) -> None:
    board.page.evaluate(
        """() => {
            window.tones = 0;
            OscillatorNode.prototype.start = () => { tones += 1; };
        }"""
    )
    level = round(price(board) * 1.5, 2)
    board.page.evaluate("level => candlewire.objects.addAlert(level)", level)
    trade(board, level + 1)
    assert board.page.evaluate("tones") == 0
    board.page.get_by_role("button", name="Alerts and objects").click()
    board.page.get_by_role("checkbox", name="Sound when an alert fires").check()
    before = board.page.evaluate("tones")
    trade(board, level * 0.5)
    board.page.evaluate("level => candlewire.objects.addAlert(level)", level)
    trade(board, level + 1)
    assert board.page.evaluate("tones") > before
    board.page.reload()
    board.terminal.wait_until_live()
    board.page.get_by_role("button", name="Alerts and objects").click()
    expect(board.page.get_by_role("checkbox", name="Sound when an alert fires")).to_be_checked()


def test_the_list_has_rows_of_its_own_for_each_symbol(board: Board) -> None:
    """Alerts are numbered for each symbol: what is typed into one's row must not become the other's."""
    page = board.page
    eth = price(board, "ETH-USD") * 3
    page.evaluate("eth => candlewire.objects.levels.addAlert('ETH-USD', eth)", eth)
    page.evaluate("price => candlewire.objects.addAlert(price)", price(board) * 3)
    before = levels(board, "ETH-USD")
    page.get_by_role("button", name="Alerts and objects").click()
    rows = page.get_by_role("list", name="Alerts").get_by_role("listitem")
    rows.get_by_role("textbox").fill("99")
    page.evaluate("candlewire.terminal.choose({ symbol: 'ETH-USD' })")
    board.terminal.wait_for_selection("ETH-USD", "1d")
    expect(rows).to_have_count(1)
    expect(rows.get_by_role("textbox")).to_have_value(f"{eth:.2f}")
    assert levels(board, "ETH-USD") == before
