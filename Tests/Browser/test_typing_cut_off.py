"""The user types while the page removes the field, or loses its connection: no letter may become a key of the page."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from support.chat import Chat
from support.scripted_consultation import ScriptedConsultation
from support.server import Server
from support.terminal import Terminal

FOCUSED = "document.activeElement.id || document.activeElement.tagName"
# Each of these is a key of trading somewhere in it: b, s, p and x.
REST = "tion about bitcoin spot prices, six of them"


@pytest.fixture
def desk(page: Page) -> ScriptedConsultation:
    return ScriptedConsultation(page)


@pytest.fixture
def chat(terminal: Terminal, desk: ScriptedConsultation) -> Chat:
    terminal.open("BTC-USD/1m")
    return Chat(terminal.page).open()


def nothing_was_pressed(page: Page) -> None:
    expect(page.locator("#ticket")).to_be_hidden()
    expect(page.locator("dialog[open]")).to_have_count(0)
    expect(page.locator("#market-filter")).not_to_be_focused()


def test_a_killed_server_leaves_the_draft_and_the_focus_in_the_message(
    new_page: Callable[..., Page], start_server: Callable[..., Server], save_picture: Callable
) -> None:
    server = start_server(feed="sim:BTC-USD,ETH-USD")
    page = new_page()
    Terminal(page, server).open("BTC-USD/1m").wait_until_complete()
    expect(page.locator("#chat-toggle")).to_be_visible()
    page.keyboard.press("Shift+Q")
    chat = Chat(page)
    chat.wait_until_connected()
    expect(chat.field).to_be_focused()
    page.keyboard.type("half a ques")
    server.kill()
    expect(chat.field).to_be_disabled()
    page.keyboard.type(REST)
    assert page.evaluate(FOCUSED) == "chat-field"
    expect(chat.field).to_have_value("half a ques")
    expect(chat.button("Send")).to_be_disabled()
    expect(chat.panel.get_by_text("Your text is kept.")).to_be_visible()
    nothing_was_pressed(page)
    page.keyboard.press("Enter")
    for width, height, name in ((1440, 900, "wide"), (390, 844, "phone")):
        page.set_viewport_size({"width": width, "height": height})
        save_picture(page, f"assistant-offline-{name}")
        page.emulate_media(color_scheme="light")
        save_picture(page, f"assistant-offline-{name}-light")
        page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 1440, "height": 900})
    # No more attempts of its own: what is pressed is there until it is.
    chat.button("Cancel").click()
    expect(chat.button("Reconnect")).to_be_focused()
    server.start()
    page.keyboard.press("Enter")
    chat.wait_until_connected()
    expect(chat.panel.get_by_text("Your text is kept.")).to_be_hidden()
    # The button goes away, and gives the focus to the field.
    expect(chat.field).to_be_focused()
    page.keyboard.type("tion")
    expect(chat.field).to_have_value("half a question")
    page.keyboard.press("Enter")
    expect(chat.message("half a question")).to_have_attribute("data-state", "sent")
    assert len(chat.bubble_text("user")) == 1, "nothing was sent without a connection"


def test_what_is_typed_before_the_connection_is_there_is_no_key_of_the_page(
    chat: Chat, desk: ScriptedConsultation
) -> None:
    page = chat.page
    chat.button("Close").click()
    expect(chat.toggle).to_be_focused()
    desk.is_up = False
    desk.cut()
    page.locator("#chart").focus()
    page.keyboard.press("Shift+Q")
    page.keyboard.type(REST)
    expect(chat.field).to_be_focused()
    expect(chat.field).to_have_attribute("aria-disabled", "true")
    # What came before the page knew is a draft, and its rest is nowhere.
    assert REST.startswith(chat.field.input_value())
    nothing_was_pressed(page)
    # Beside the field, too: only the assistant's own key is one in its panel.
    chat.panel.locator(".chat-scroll").first.focus()
    page.keyboard.type("bspx")
    nothing_was_pressed(page)
    page.keyboard.press("Shift+Q")
    expect(chat.panel).to_be_hidden()


def test_who_sends_with_the_button_writes_the_next_message_at_once(chat: Chat) -> None:
    page = chat.page
    chat.field.fill("first")
    chat.button("Send").click()
    expect(chat.message("first")).to_have_attribute("data-state", "sent")
    page.keyboard.type("best spot")
    expect(chat.field).to_have_value("best spot")
    # By keyboard too, and the button is none while there is nothing to send.
    chat.button("Send").focus()
    page.keyboard.press("Enter")
    expect(chat.message("best spot")).to_have_attribute("data-state", "sent")
    expect(chat.field).to_be_focused()
    chat.button("Send").focus()
    page.keyboard.press("Enter")
    expect(chat.button("Send")).to_be_focused()
    assert chat.bubble_text("user") == ["first", "best spot"]
    nothing_was_pressed(page)


def test_a_message_that_cannot_be_accepted_stays_in_the_field(chat: Chat, desk: ScriptedConsultation) -> None:
    desk.acknowledges = False
    for number in range(20):
        chat.send(f"message {number}")
    chat.send("one too many")
    expect(chat.panel.get_by_text("20 messages wait for the server; send again when they are through.")).to_be_visible()
    expect(chat.field).to_have_value("one too many")


def test_the_rest_of_the_typing_goes_nowhere_when_its_field_goes_away(terminal: Terminal) -> None:
    page = terminal.open("BTC-USD/1m").page
    page.locator("#market-filter").focus()
    page.keyboard.type("sol")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.type("bspx/?")
    nothing_was_pressed(page)
    # Who is done with the field means the key.
    page.keyboard.press("Escape")
    page.keyboard.press("Shift+B")
    expect(page.locator("#ticket")).to_be_visible()


def test_buttons_that_are_off_keep_the_focus(terminal: Terminal) -> None:
    page = terminal.open("BTC-USD/1m").page
    terminal.wait_until_complete()
    page.locator("#chart").focus()
    page.keyboard.press("Shift+P")
    page.get_by_role("tab", name="Orders").click()
    cancel_all = page.get_by_role("button", name="Cancel all", exact=True)
    expect(cancel_all).to_be_disabled()
    cancel_all.focus()
    page.keyboard.press("Enter")
    expect(cancel_all).to_be_focused()
    expect(page.locator("dialog[open]")).to_have_count(0)
    # The pill, pressed to try again, which it cannot do a second time at once.
    pill = page.locator("#status-pill")
    page.evaluate("candlewire.session.close()")
    expect(page.locator("#status-state")).to_have_text("Disconnected")
    pill.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#status-state")).to_have_text("Live")
    expect(pill).to_be_disabled()
    expect(pill).to_be_focused()
