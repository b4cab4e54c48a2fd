"""The order ticket, against a scripted desk."""

import itertools
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from support.polling import eventually
from support.scripted_desk import ScriptedDesk, portfolio, position
from support.server import Server
from support.spoken import forget_speech, was_said
from support.terminal import Terminal


@pytest.fixture
def desk(page: Page, simulated: Server) -> ScriptedDesk:
    desk = ScriptedDesk(page)
    Terminal(page, simulated).open("BTC-USD/1m")
    desk.begin()
    return desk


def ticket(page: Page) -> Locator:
    return page.get_by_role("region", name="Order ticket")


def field(page: Page, name: str) -> Locator:
    return ticket(page).get_by_label(name)


def submit(page: Page) -> Locator:
    return ticket(page).get_by_role("button", name="on paper")


def send(page: Page, side: str = "Buy") -> None:
    """Presses the ticket's button, and says yes."""
    submit(page).click()
    page.get_by_role("dialog").get_by_role("button", name=side, exact=True).click()
    expect(page.get_by_role("dialog")).to_be_hidden()


def test_an_order_is_sent_as_it_was_typed(page: Page, desk: ScriptedDesk) -> None:
    page.get_by_role("button", name="Buy", exact=True).click()
    expect(field(page, "Quantity")).to_be_focused()
    field(page, "Type").select_option("limit")
    # No binary number has these digits.
    field(page, "Quantity").fill("0.1000000000000001")
    field(page, "Limit price").fill("61,234.10")
    field(page, "Time in force").select_option("day")
    field(page, "Post-only").check()
    ticket(page).get_by_text("Take profit and stop loss").click()
    field(page, "Stop loss").fill("59000")
    expect(ticket(page).get_by_role("button", name="Buy 0.1000000000000001 BTC-USD on paper")).to_be_visible()
    send(page)
    eventually(lambda: desk.requests_to("POST", "orders"), "the order is sent")
    [order] = desk.requests_to("POST", "orders")
    number = order.pop("client_order_id")
    assert len(number) == 36
    assert order == {
        "account": "paper-main", "symbol": "BTC-USD", "side": "buy", "type": "limit", "time_in_force": "day",
        "quantity": "0.1000000000000001", "limit_price": "61234.1", "leverage": 1, "post_only": True,
        "reduce_only": False, "stop_loss": "59000",
    }  # fmt: skip
    was_said(page, "Order accepted: buy 0.1000000000000001 BTC-USD, limit")


@pytest.mark.parametrize(
    ("type", "fields", "sent"),
    [
        ("market", {}, {}),
        ("stop", {"Stop price": "71000"}, {"stop_price": "71000"}),
        ("stop_limit", {"Stop price": "71000", "Limit price": "71100.5"}, {"stop_price": "71000", "limit_price": "71100.5"}),
        ("trailing_stop", {"Trailing distance": "1.5"}, {"trail": {"percent": "1.5"}}),
    ],
)
def test_each_type_has_its_price_fields(
    page: Page, desk: ScriptedDesk, type: str, fields: dict[str, str], sent: dict[str, str]
) -> None:
    page.locator("#chart").press("Shift+S")
    field(page, "Type").select_option(type)
    for name in ("Stop price", "Limit price", "Trailing distance"):
        expect(field(page, name)).to_be_visible(visible=name in fields)
    for name, text in fields.items():
        field(page, name).fill(text)
    field(page, "Quantity").fill("2")
    send(page, "Sell")
    eventually(lambda: desk.requests_to("POST", "orders"), "the order is sent")
    [order] = desk.requests_to("POST", "orders")
    prices = {name: order[name] for name in ("stop_price", "limit_price", "trail") if name in order}
    assert (order["side"], order["type"], prices) == ("sell", type, sent)


def test_the_preview_says_what_the_order_takes(page: Page, desk: ScriptedDesk) -> None:
    page.locator("#chart").press("Shift+B")
    field(page, "Quantity").fill("3")
    field(page, "Leverage").fill("4")
    shown = ticket(page).get_by_label("Estimate")
    for words in ("Cost3,000.00 USD", "Margin750.00 USD", "Liquidation price800.00", "Available after99,250.00 USD"):
        expect(shown).to_contain_text(words)
    # Many keys are one question.
    before = len(desk.requests_to("POST", "orders/preview"))
    # Typed in one go: on a busy machine the keys of a test come further apart than a person's.
    field(page, "Quantity").evaluate(
        """input => {
            for (let zeros = 1; zeros <= 5; zeros += 1) {
                input.value += '0';
                input.dispatchEvent(new InputEvent('input', { bubbles: true }));
            }
        }"""
    )
    eventually(lambda: any(each["quantity"] == "300000" for each in desk.requests_to("POST", "orders/preview")), "the preview is requested")
    assert len(desk.requests_to("POST", "orders/preview")) <= before + 2
    # No preview is requested for an incomplete order, and none is shown.
    field(page, "Quantity").fill("")
    expect(shown).not_to_contain_text("USD")


def test_a_problem_of_the_preview_marks_its_field(page: Page, desk: ScriptedDesk) -> None:
    words = "More than is available."
    desk.answer("POST", "orders/preview", lambda _: (200, {"problems": [{"field": "quantity", "message": words}]}))
    page.locator("#chart").press("Shift+B")
    field(page, "Quantity").fill("9999")
    expect(field(page, "Quantity")).to_have_attribute("aria-invalid", "true")
    expect(field(page, "Quantity")).to_have_accessible_description(words)
    expect(field(page, "Quantity")).to_be_focused()
    # What is wrong with none of the fields is said all the same.
    closed = {"problems": [{"field": "symbol", "message": "This market is closed."}]}
    desk.answer("POST", "orders/preview", lambda _: (200, closed))
    field(page, "Quantity").fill("9")
    expect(submit(page)).to_have_accessible_description("This market is closed.")
    expect(field(page, "Quantity")).not_to_have_attribute("aria-invalid", "true")


def test_an_accepted_order_leaves_nothing_of_its_own_to_the_next_one(page: Page, desk: ScriptedDesk) -> None:
    page.locator("#chart").press("Shift+B")
    field(page, "Quantity").fill("0.5")
    field(page, "Leverage").fill("4")
    bracket = ticket(page).get_by_text("Take profit and stop loss")
    bracket.click()
    field(page, "Take profit").fill("70000")
    field(page, "Stop loss").fill("60000")
    # Out of sight, and still a part of this order.
    bracket.click()
    send(page)
    was_said(page, "Order accepted")
    bracket.click()
    expect(field(page, "Take profit")).to_have_value("")
    expect(field(page, "Stop loss")).to_have_value("")
    expect(field(page, "Leverage")).to_have_value("4")
    field(page, "Reduce-only").check()
    send(page)
    eventually(lambda: len(desk.requests_to("POST", "orders")) == 2, "a second order is sent")
    expect(field(page, "Reduce-only")).not_to_be_checked()
    send(page)
    eventually(lambda: len(desk.requests_to("POST", "orders")) == 3, "a third order is sent")
    first, second, third = desk.requests_to("POST", "orders")
    assert (first["take_profit"], first["stop_loss"], first["reduce_only"]) == ("70000", "60000", False)
    assert not {"take_profit", "stop_loss"} & (second.keys() | third.keys())
    assert (second["reduce_only"], third["reduce_only"]) == (True, False)


def test_an_order_that_is_given_up_leaves_nothing_of_its_own_to_the_next_one(page: Page, desk: ScriptedDesk) -> None:
    page.locator("#chart").press("Shift+B")
    field(page, "Quantity").fill("0.5")
    ticket(page).get_by_text("Take profit and stop loss").click()
    field(page, "Take profit").fill("70000")
    desk.answer("POST", "orders", lambda body: lose(desk, body))
    send(page)
    ticket(page).get_by_role("button", name="Start over").click()
    expect(field(page, "Take profit")).to_have_value("")
    # The answer to the second one is lost, too.
    send(page)
    ticket(page).get_by_role("button", name="Send again").click()
    eventually(lambda: len(desk.requests_to("POST", "orders")) == 3, "the next order is sent")
    first, second, again = desk.requests_to("POST", "orders")
    assert first["take_profit"] == "70000" and "take_profit" not in second
    assert first["client_order_id"] != second["client_order_id"] and second == again


def test_a_refused_order_keeps_its_bracket(page: Page, desk: ScriptedDesk) -> None:
    desk.answer("POST", "orders", lambda _: (422, {"error": {"code": "market_closed", "message": "Closed.", "field": "symbol"}}))
    page.locator("#chart").press("Shift+B")
    field(page, "Quantity").fill("0.5")
    ticket(page).get_by_text("Take profit and stop loss").click()
    field(page, "Take profit").fill("70000")
    send(page)
    expect(ticket(page).get_by_role("alert").filter(has_text="Closed.")).to_be_visible()
    expect(field(page, "Take profit")).to_have_value("70000")


def test_the_question_shows_what_the_order_costs_and_carries(page: Page, desk: ScriptedDesk, save_picture) -> None:
    page.locator("#chart").press("Shift+B")
    field(page, "Quantity").fill("3000")
    field(page, "Leverage").fill("50")
    ticket(page).get_by_text("Take profit and stop loss").click()
    field(page, "Take profit").fill("70000")
    field(page, "Stop loss").fill("60,000.5")
    field(page, "Stop loss").press("Enter")
    dialog = page.get_by_role("dialog", name="Buy 3,000 BTC-USD on paper?")
    for words in ("Cost3,000,000.00 USD", "Leverage50×", "Take profit70,000.00", "Stop loss60,000.50"):
        expect(dialog).to_contain_text(words)
    save_picture(page, "ticket-question")


def test_a_problem_says_what_must_hold_in_the_words_of_the_page(page: Page, desk: ScriptedDesk, save_picture) -> None:
    rule = "must be above the order's price, 67,151.08"
    words = "Take profit must be above the order's price, 67,151.08."
    page.locator("#chart").press("Shift+B")
    ticket(page).get_by_text("Take profit and stop loss").click()
    field(page, "Take profit").fill("60000")
    ticket(page).get_by_text("Take profit and stop loss").click()
    expect(field(page, "Take profit")).to_be_hidden()
    desk.answer("POST", "orders/preview", lambda _: (200, {"problems": [{"field": "take_profit", "message": rule}]}))
    field(page, "Quantity").fill("1")
    # Its field is opened, so that it can be corrected.
    expect(field(page, "Take profit")).to_be_visible()
    expect(field(page, "Take profit")).to_have_accessible_description(words)
    expect(submit(page)).to_have_accessible_description(words)
    save_picture(page, "ticket-bracket-problem")
    # As the order itself is answered, whose message begins with the field's name.
    desk.answer("POST", "orders/preview", lambda body: desk._preview(body))
    error = {"code": "invalid_field", "message": f"Take profit {rule}.", "field": "take_profit"}
    desk.answer("POST", "orders", lambda _: (422, {"error": error}))
    field(page, "Take profit").fill("60001")
    expect(submit(page)).to_have_attribute("aria-disabled", "false")
    send(page)
    expect(field(page, "Take profit")).to_have_accessible_description(words)
    expect(ticket(page)).not_to_contain_text("take_profit")


def test_an_order_that_cannot_be_is_not_sent(page: Page, desk: ScriptedDesk, save_picture) -> None:
    answer = {
        "cost": "3359345500", "margin": "3359345500", "fee": "1679672.75", "estimated_price": "67186.91", "currency": "USD",
        "problems": [{"field": "quantity", "message": "it needs 3,361,025,172.75 USD, and 100,000 is available"}],
    }  # fmt: skip
    words = "It needs 3,361,025,172.75 USD, and 100,000 is available."
    desk.answer("POST", "orders/preview", lambda body: (200, answer) if body["quantity"] == "50000" else desk._preview(body))
    page.locator("#chart").press("Shift+B")
    field(page, "Quantity").fill("50000")
    shown = ticket(page).get_by_label("Estimate")
    expect(shown).to_contain_text("Cost3,359,345,500.00 USD")
    for words_after in ("Liquidation price–", "Available after–"):
        expect(shown).to_contain_text(words_after)
    expect(submit(page)).to_have_attribute("aria-disabled", "true")
    expect(submit(page)).to_have_accessible_description(words)
    was_said(page, words)
    save_picture(page, "ticket-oversized")
    # The button and the keyboard lead to the field and its reason.
    forget_speech(page)
    # As a mouse does: nothing waits until the button is on.
    submit(page).click(force=True)
    expect(field(page, "Quantity")).to_be_focused()
    expect(field(page, "Quantity")).to_have_accessible_description(words)
    judged = len(desk.requests_to("POST", "orders/preview"))
    field(page, "Quantity").press("Enter")
    eventually(lambda: len(desk.requests_to("POST", "orders/preview")) > judged, "it is judged again")
    expect(field(page, "Quantity")).to_be_focused()
    # A reader reads it with the field; it is not announced besides.
    page.evaluate("candlewire.trading.ticket.close()")
    page.locator("#chart").press("Shift+B")
    was_said(page, words)
    assert len([sentence for sentence in page.evaluate("everythingSaid") if words in sentence]) == 1
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert desk.requests_to("POST", "orders") == []
    # Another quantity, sent before its preview came: the desk judges it first.
    field(page, "Quantity").fill("5")
    field(page, "Quantity").press("Enter")
    page.get_by_role("dialog").get_by_role("button", name="Buy", exact=True).click()
    eventually(lambda: [each["quantity"] for each in desk.requests_to("POST", "orders")] == ["5"], "it is sent")
    expect(submit(page)).to_have_attribute("aria-disabled", "false")


def test_a_closed_ticket_forgets_why_its_order_could_not_be(page: Page, desk: ScriptedDesk) -> None:
    problem = {"field": "symbol", "message": "This market is closed."}
    desk.answer("POST", "orders/preview", lambda _: (200, {"problems": [problem]}))
    page.locator("#chart").press("Shift+B")
    field(page, "Quantity").fill("9")
    was_said(page, problem["message"])
    field(page, "Quantity").press("Escape")
    expect(page.locator("#ticket-refused")).to_have_text("")
    # It is news again.
    forget_speech(page)
    page.locator("#chart").press("Shift+B")
    was_said(page, problem["message"])


@pytest.mark.parametrize(
    ("status", "error", "is_refused"),
    [
        (429, {"code": "too_many_requests", "message": "Too many requests."}, False),
        (500, {"code": "internal", "message": "Something failed."}, False),
        (404, {"code": "unknown_account", "message": "There is no such account.", "field": "account"}, True),
        (422, {"code": "invalid_field", "message": "This order cannot be."}, True),
    ],
)
def test_a_preview_that_fails_does_not_forbid_the_order(
    page: Page, desk: ScriptedDesk, status: int, error: dict[str, str], is_refused: bool
) -> None:
    page.locator("#chart").press("Shift+B")
    field(page, "Quantity").fill("0.5")
    shown = ticket(page).get_by_label("Estimate")
    expect(shown).to_contain_text("Cost500.00 USD")
    desk.answer("POST", "orders/preview", lambda _: (status, {"error": error}))
    field(page, "Quantity").fill("0.25")
    expect(shown).to_contain_text("Cost–")
    expect(submit(page)).to_have_accessible_description(error["message"] if is_refused else "")
    expect(submit(page)).to_have_attribute("aria-disabled", str(is_refused).lower())
    if not is_refused:
        field(page, "Quantity").press("Enter")
        expect(page.get_by_role("dialog", name="Buy 0.25 BTC-USD on paper?")).to_contain_text("CostNo estimate at the moment")
        page.get_by_role("dialog").get_by_role("button", name="Buy", exact=True).click()
        eventually(lambda: len(desk.requests_to("POST", "orders")) == 1, "the order is sent")


def test_an_order_does_not_change_while_it_is_judged(page: Page, desk: ScriptedDesk) -> None:
    page.locator("#chart").press("Shift+B")
    field(page, "Quantity").fill("0.5")
    expect(ticket(page).get_by_label("Estimate")).to_contain_text("Cost500.00 USD")
    held: list[Route] = []
    page.route("**/v1/orders/preview", lambda route: held.append(route))
    field(page, "Quantity").press("Enter")
    expect(field(page, "Quantity")).to_be_disabled()
    eventually(lambda: page.evaluate("true") and held, "the order is being judged")
    judged = held[-1]
    # Neither another side nor another preview.
    page.locator("#chart").press("Shift+S")
    expect(ticket(page).get_by_role("radio", name="Buy")).to_be_checked()
    judged.fulfill(status=200, json={"cost": "500", "currency": "USD", "problems": []})
    expect(page.get_by_role("dialog", name="Buy 0.5 BTC-USD on paper?")).to_be_visible()
    page.keyboard.press("Escape")
    expect(field(page, "Quantity")).to_be_enabled()
    # A ticket that is closed meanwhile sends nothing, and that is said.
    field(page, "Quantity").press("Enter")
    expect(field(page, "Quantity")).to_be_disabled()
    ticket(page).get_by_role("button", name="Close the ticket").click()
    was_said(page, "Not sent.")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert desk.requests_to("POST", "orders") == []


def test_a_page_without_its_engine_sends_orders_without_a_connection(page: Page, desk: ScriptedDesk) -> None:
    page.locator("#chart").press("Shift+B")
    field(page, "Quantity").fill("0.5")
    page.evaluate("candlewire.session.unavailable('The chart could not be loaded.')")
    expect(submit(page)).to_have_accessible_description("")
    send(page)
    eventually(lambda: len(desk.requests_to("POST", "orders")) == 1, "the order is sent")


@pytest.mark.parametrize(
    ("type", "problem", "words"),
    [
        ("trailing_stop", {"field": "trail", "message": "must be above 0 and below 100 percent"},
         "Trailing distance must be above 0 and below 100 percent."),
        ("limit", {"field": "post_only", "message": "is only for limit orders that may wait (gtc or day)"},
         "Post-only is only for limit orders that may wait (Good till cancelled or Day)."),
        ("market", {"field": "reduce_only", "message": "must be off"}, "Reduce-only must be off."),
    ],
)  # fmt: skip
def test_a_field_has_one_name_on_the_ticket(
    page: Page, desk: ScriptedDesk, type: str, problem: dict[str, str], words: str
) -> None:
    desk.answer("POST", "orders/preview", lambda _: (200, {"problems": [problem]}))
    page.locator("#chart").press("Shift+B")
    field(page, "Type").select_option(type)
    field(page, "Quantity").fill("1")
    if type == "trailing_stop":
        field(page, "Trailing distance").fill("1")
    expect(submit(page)).to_have_accessible_description(words)
    expect(ticket(page).locator(".field-problem")).to_have_text(words)


def test_a_problem_that_moves_with_the_market_leaves_closed_what_was_closed(page: Page, desk: ScriptedDesk) -> None:
    prices = itertools.count(67151)

    def judge(_: dict) -> tuple[int, dict]:
        rule = f"must be above the order's price, {next(prices)}"
        return 200, {"problems": [{"field": "take_profit", "message": rule}]}

    desk.answer("POST", "orders/preview", judge)
    page.locator("#chart").press("Shift+B")
    field(page, "Quantity").fill("1")
    note = ticket(page).locator(".field-problem")
    expect(note).to_be_visible()
    ticket(page).get_by_text("Take profit and stop loss").click()
    expect(note).to_be_hidden()
    before = note.text_content()
    number = note.get_attribute("id")
    eventually(lambda: note.text_content() != before, "the price is another one")
    expect(submit(page)).to_have_accessible_description(note.text_content() or "")
    expect(note).to_be_hidden()
    assert note.get_attribute("id") == number


def test_nothing_is_sent_without_a_connection(page: Page, desk: ScriptedDesk, save_picture) -> None:
    page.locator("#chart").press("Shift+B")
    field(page, "Quantity").fill("0.5")
    expect(submit(page)).to_have_attribute("aria-disabled", "false")
    words = "Not connected. Orders can be sent when the connection is back."
    page.evaluate("candlewire.session.close()")
    expect(submit(page)).to_have_attribute("aria-disabled", "true")
    expect(submit(page)).to_have_accessible_description(words)
    was_said(page, words)
    save_picture(page, "ticket-not-connected")
    forget_speech(page)
    field(page, "Quantity").press("Enter")
    was_said(page, words)
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.locator("#status-pill").click()
    expect(submit(page)).to_have_attribute("aria-disabled", "false")
    assert desk.requests_to("POST", "orders") == []


def test_a_refused_order_names_its_field_and_may_be_sent_again_as_another(page: Page, desk: ScriptedDesk) -> None:
    problem = {"code": "price_band", "message": "Too far from the market.", "field": "limit_price"}
    desk.answer("POST", "orders", lambda _: (422, {"error": problem}))
    page.locator("#chart").press("Shift+B")
    field(page, "Type").select_option("limit")
    field(page, "Quantity").fill("1")
    field(page, "Limit price").fill("1")
    send(page)
    expect(field(page, "Limit price")).to_have_accessible_description("Too far from the market.")
    expect(field(page, "Limit price")).to_be_focused()
    field(page, "Limit price").fill("60000")
    expect(field(page, "Limit price")).not_to_have_attribute("aria-invalid", "true")
    send(page)
    eventually(lambda: len(desk.requests_to("POST", "orders")) == 2, "it is sent again")
    first, second = desk.requests_to("POST", "orders")
    assert first["client_order_id"] != second["client_order_id"], "what was refused is no order"


def test_missing_fields_are_requested_before_anything_is_sent(page: Page, desk: ScriptedDesk) -> None:
    page.locator("#chart").press("Shift+B")
    field(page, "Quantity").fill("0")
    field(page, "Quantity").press("Enter")
    expect(field(page, "Quantity")).to_have_accessible_description("Enter a number above 0.")
    field(page, "Quantity").fill("1,5")
    field(page, "Quantity").press("Enter")
    expect(field(page, "Quantity")).to_have_accessible_description("Use a point for decimals: 1.5.")
    assert desk.requests_to("POST", "orders") == []


def test_an_order_without_an_answer_is_sent_again_with_the_same_id(page: Page, desk: ScriptedDesk) -> None:
    """field.md 3c-9: the number stays until an answer came, and the order is one."""
    page.locator("#chart").press("Shift+B")
    field(page, "Quantity").fill("0.25")
    desk.answer("POST", "orders", lambda body: lose(desk, body))
    send(page)
    alert = ticket(page).get_by_role("alert").filter(has_text="The server did not answer")
    expect(alert).to_be_visible()
    expect(field(page, "Quantity")).to_be_disabled()
    again = alert.get_by_role("button", name="Send again")
    expect(again).to_be_focused()
    again.click()
    eventually(lambda: len(desk.requests_to("POST", "orders")) == 2, "it is sent again")
    expect(alert).to_be_visible()
    again.click()
    expect(alert).to_be_hidden()
    expect(field(page, "Quantity")).to_be_enabled()
    sent = desk.requests_to("POST", "orders")
    assert len(sent) == 3 and sent[0] == sent[1] == sent[2]
    assert len(desk.orders) == 1


def lose(desk: ScriptedDesk, body: dict) -> tuple[int, dict]:
    """The desk places the order; its first two answers are lost."""
    answer = desk._place(body)
    desk.aborts = 1 if len(desk.counted("POST", "orders")) <= 2 else 0
    return answer


def test_the_stream_resolves_a_lost_answer(page: Page, desk: ScriptedDesk) -> None:
    page.locator("#chart").press("Shift+B")
    field(page, "Quantity").fill("0.25")
    desk.answer("POST", "orders", lambda body: lose(desk, body))
    send(page)
    alert = ticket(page).get_by_role("alert").filter(has_text="The server did not answer")
    expect(alert).to_be_visible()
    [order] = desk.orders.values()
    desk.say("order", "orders", order=order)
    expect(alert).to_be_hidden()
    was_said(page, "Order accepted")
    assert len(desk.requests_to("POST", "orders")) == 1


def test_the_confirmation_can_be_switched_off_and_on(page: Page, desk: ScriptedDesk) -> None:
    page.locator("#chart").press("Shift+B")
    field(page, "Quantity").fill("0.5")
    field(page, "Quantity").press("Enter")
    dialog = page.get_by_role("dialog", name="Buy 0.5 BTC-USD on paper?")
    expect(dialog).to_contain_text("Market order at the market price. No real money.")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    assert desk.requests_to("POST", "orders") == []
    field(page, "Quantity").press("Enter")
    dialog.get_by_label("Don’t ask again").check()
    dialog.get_by_role("button", name="Buy").click()
    eventually(lambda: len(desk.requests_to("POST", "orders")) == 1, "the order is sent")
    expect(ticket(page)).to_have_attribute("aria-busy", "false")
    field(page, "Quantity").press("Enter")
    eventually(lambda: len(desk.requests_to("POST", "orders")) == 2, "the second one without a question")
    page.reload()
    expect(ticket(page).get_by_label("Confirm before sending an order")).not_to_be_checked()
    ticket(page).get_by_label("Confirm before sending an order").check()
    field(page, "Quantity").fill("1")
    field(page, "Quantity").press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()


def test_a_part_of_what_is_available_becomes_a_quantity(page: Page, desk: ScriptedDesk) -> None:
    desk.say("portfolio", "portfolio", portfolios=[portfolio(available_balance="100000")])
    page.locator("#chart").press("Shift+B")
    field(page, "Leverage").fill("2")
    # Half of 100,000, at 1000 a piece of which the desk takes 500.
    ticket(page).get_by_role("button", name="50%").click()
    eventually(lambda: field(page, "Quantity").input_value() not in ("", "0"), "there is a quantity")
    eventually(lambda: abs(float(field(page, "Quantity").input_value()) - 100) < 0.001, "it is what the budget pays for")
    # Of a position that it makes smaller.
    desk.say("positions", "positions", positions=[position(size="0.3")])
    field(page, "Reduce-only").check()
    ticket(page).get_by_role("button", name="25%").click()
    expect(field(page, "Quantity")).to_have_value("0.075")


def test_the_leverage_is_that_of_the_position_until_it_is_moved(page: Page, desk: ScriptedDesk) -> None:
    desk.say("positions", "positions", positions=[position()])
    page.locator("#chart").press("Shift+B")
    slider = field(page, "Leverage")
    expect(slider).to_have_value("5")
    desk.say("positions", "positions", positions=[position(leverage=8)])
    expect(slider).to_have_value("8")
    # Another one is another one for the position, too, and that is said.
    slider.fill("2")
    reported = ticket(page).get_by_text("Your position and orders in BTC-USD change from 8× to 2× leverage.")
    expect(reported).to_be_visible()
    field(page, "Reduce-only").check()
    expect(reported).to_be_hidden()
    field(page, "Reduce-only").uncheck()
    desk.say("positions", "positions", positions=[position(leverage=4)])
    expect(ticket(page)).to_contain_text("change from 4× to 2× leverage")
    expect(slider).to_have_value("2")
    page.locator("#market-list [data-symbol='ETH-USD']").click()
    expect(slider).to_have_value("1")


def test_the_slider_ends_at_the_leverage_that_the_server_allows(page: Page, simulated: Server) -> None:
    def answer(route: Route) -> None:
        listed = route.fetch().json()
        for market in listed["markets"]:
            assert market["max_leverage"] == 100, "the server says it"
            market["max_leverage"] = {"BTC-USD": 20}.get(market["symbol"], 50)
        route.fulfill(json=listed)

    page.route("**/v1/markets", answer)
    desk = ScriptedDesk(page)
    Terminal(page, simulated).open("BTC-USD/1m")
    desk.begin()
    page.locator("#chart").press("Shift+B")
    slider = field(page, "Leverage")
    expect(slider).to_have_attribute("max", "20")
    slider.fill("20")
    page.locator("#market-list [data-symbol='ETH-USD']").click()
    expect(slider).to_have_attribute("max", "50")


def test_keys_open_the_ticket_and_escape_gives_the_focus_back(page: Page, desk: ScriptedDesk) -> None:
    page.locator("#chart").focus()
    page.keyboard.press("Shift+S")
    expect(ticket(page).get_by_role("radio", name="Sell")).to_be_checked()
    page.keyboard.press("Escape")
    expect(ticket(page)).to_be_hidden()
    expect(page.locator("#chart")).to_be_focused()
    # Not while something is typed.
    page.locator("#market-filter").press("b")
    expect(ticket(page)).to_be_hidden()
    page.locator("#market-filter").press("Escape")
    page.locator("#chart").focus()
    page.keyboard.press("Shift+P")
    expect(page.get_by_role("tab", name="Positions")).to_be_focused()
    # A letter alone searches the markets.
    titles = page.locator("[title]").evaluate_all("all => all.map(({ title }) => title)")
    assert [title for title in titles if re.search(r"\([A-Z]\)", title)] == []
    desk.order("paper-main-o1")
    page.keyboard.press("Shift+X")
    page.get_by_role("button", name="Cancel orders").press("Enter")
    eventually(lambda: len(desk.requests_to("DELETE", "orders")) == 1, "all are cancelled")


def test_the_health_indicator_says_when_the_desk_accepts_no_orders(page: Page, desk: ScriptedDesk) -> None:
    page.locator("#chart").press("Shift+B")
    expect(page.locator("#desk-health")).to_contain_text("Trading ready")
    desk.send({"type": "health", "channel": "health", "feed": {}, "connections": 1, "ledger": "failing"})
    expect(ticket(page)).to_contain_text("Orders are not accepted at the moment")
    expect(page.locator("#desk-health")).to_contain_text("Orders off")


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_the_ticket_fits(new_page: Callable[..., Page], simulated: Server, save_picture, scheme: str) -> None:
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    for name, options in (("desktop", {}), ("phone", phone), ("tablet", {"viewport": {"width": 900, "height": 800}})):
        page = new_page(**options, color_scheme=scheme)
        desk = ScriptedDesk(page)
        terminal = Terminal(page, simulated).open("BTC-USD/1m")
        desk.begin()
        page.get_by_role("button", name="Sell", exact=True).click()
        field(page, "Type").select_option("stop_limit")
        field(page, "Quantity").fill("0.5")
        expect(ticket(page)).to_contain_text("500.00 USD")
        terminal.painted()
        save_picture(page, f"ticket-{name}-{scheme}")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        box = ticket(page).bounding_box()
        assert box and box["x"] >= 0 and box["x"] + box["width"] <= page.viewport_size["width"]
        assert page.complaints == []
        page.close()


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1024, 768), (390, 844)])
def test_the_distance_of_a_trailing_stop_has_room_beside_its_unit(page: Page, desk: ScriptedDesk, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    page.locator("#trade-buy").click()
    field(page, "Type").select_option("trailing_stop")
    distance, unit, whole = [each.bounding_box() for each in (field(page, "Trailing distance"), field(page, "Unit"), ticket(page))]
    assert distance and unit and whole
    assert distance["width"] > 100
    assert unit["x"] + unit["width"] <= whole["x"] + whole["width"]


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1024, 768), (390, 844)])
def test_ticket_and_assistant_replace_each_other(page: Page, desk: ScriptedDesk, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    page.locator("#trade-buy").click()
    toggle, assistant = page.locator("#chat-toggle"), page.locator("#chat")
    toggle.click()
    expect(assistant).to_be_visible()
    expect(ticket(page)).to_be_hidden()
    expect(page.locator("#chat-field")).to_be_focused()
    if width > 767:  # On phones the assistant has the whole page.
        page.locator("#trade-sell").click()
        expect(assistant).to_be_hidden()
        expect(toggle).to_have_attribute("aria-expanded", "false")
        expect(field(page, "Quantity")).to_be_focused()


def test_beside_the_ticket_the_chart_is_narrower_and_whole(page: Page, desk: ScriptedDesk) -> None:
    page.set_viewport_size({"width": 1024, "height": 768})
    page.locator("#trade-buy").click()
    chart, column = page.locator("#chart").bounding_box(), ticket(page).bounding_box()
    assert chart and column
    assert chart["x"] + chart["width"] <= column["x"]


def test_the_ticket_that_is_opened_again_has_the_price_of_the_header(page: Page, desk: ScriptedDesk) -> None:
    page.locator("#trade-buy").click()
    page.keyboard.press("Escape")
    # No trade comes from here on.
    page.evaluate(
        "() => { candlewire.store.trade('BTC-USD', 12345.67, Date.now() / 1000);"
        " candlewire.store.trade = candlewire.store.price = () => {}; candlewire.store.pause(); }"
    )
    page.locator("#trade-buy").click()
    expect(page.locator("#header-price")).to_have_text("12,345.67")
    expect(page.locator("#ticket-price")).to_have_text("12,345.67")


def test_a_feed_that_is_switched_off_is_said_where_one_trades(page: Page, desk: ScriptedDesk) -> None:
    page.locator("#trade-buy").click()
    field(page, "Quantity").fill("1")
    expect(submit(page)).to_have_attribute("aria-disabled", "false")

    def switch_off(route: Route) -> None:
        answer = route.fetch()
        markets = answer.json()
        route.fulfill(response=answer, json={**markets, "markets": [{**each, "feed_state": "off"} for each in markets["markets"]]})

    page.route("**/v1/markets", switch_off)
    page.evaluate("candlewire.store.load()")
    expect(page.locator("#status-state")).to_have_text("Feed off")
    expect(page.locator("#chart-banner")).to_have_text("The feed is switched off. These prices are not live.")
    expect(submit(page)).to_have_attribute("aria-disabled", "true")
    expect(ticket(page).get_by_text("The feed of BTC-USD is switched off.")).to_be_visible()
    expect(page.locator("#desk-health")).to_contain_text("Feed off")

    page.unroute("**/v1/markets")
    page.evaluate("candlewire.store.load()")
    expect(submit(page)).to_have_attribute("aria-disabled", "false")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("0,5", "Use a point for decimals: 0.5."),
        ("-1", "Enter a number above 0."),
        ("abc", "Enter a number, for example 0.25."),
        ("1e3", "Enter a number, for example 0.25."),
    ],
)
def test_a_quantity_that_is_no_number_is_said_when_its_field_is_left(page: Page, desk: ScriptedDesk, text: str, words: str) -> None:
    page.locator("#trade-buy").click()
    quantity = field(page, "Quantity")
    quantity.fill(text)
    quantity.press("Tab")
    expect(ticket(page).get_by_text(words)).to_be_visible()
    expect(quantity).to_have_attribute("aria-invalid", "true")
    quantity.fill("1")
    expect(ticket(page).get_by_text(words)).to_be_hidden()


def test_an_accepted_order_that_waits_is_shown(page: Page, desk: ScriptedDesk) -> None:
    page.locator("#trade-buy").click()
    field(page, "Type").select_option("limit")
    field(page, "Quantity").fill("2")
    send(page)
    note = page.locator("#toasts .toast").filter(has_text="Order accepted: buy 2 BTC-USD, limit, on paper.")
    expect(note).to_be_visible()
    expect(note).not_to_have_attribute("data-stays", "")
