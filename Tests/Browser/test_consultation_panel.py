"""The assistant's panel against a scripted server: states that a real one is in for moments only."""

import re
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from playwright.sync_api import Page, expect

from support.chat import Chat
from support.polling import eventually
from support.scripted_consultation import ScriptedConsultation
from support.server import Server
from support.spoken import was_said
from support.terminal import Terminal
from test_axe import PHONE, findings

# A browser that recognises speech; the test supplies the words.
EARS = """window.SpeechRecognition = class {
    constructor() { window.listening = this; }
    start() {}
    stop() { this.onend(); }
    abort() { this.isOver = true; }
    recognise(...texts) { this.onresult?.({ results: texts.map(transcript => [{ transcript }]) }); }
};"""


@pytest.fixture
def desk(page: Page) -> ScriptedConsultation:
    page.add_init_script(EARS)
    return ScriptedConsultation(page)


@pytest.fixture
def chat(terminal: Terminal, desk: ScriptedConsultation) -> Chat:
    """Open and connected, with no message."""
    terminal.open("BTC-USD/1m")
    return Chat(terminal.page).open()


def say_everything(desk: ScriptedConsultation) -> None:
    """An answer with every kind of template."""
    desk.begin()
    desk.say("# Here\n\nis *everything*: `code` and\n\n- a list\n")
    desk.template("meal", "Balanced day", "Three meals. " * 30, meals=[{"name": "Breakfast", "items": ["Oats"]}])
    desk.template("workout", "Half an hour", "Whole body.", exercises=[{"name": "Squats", "sets": 3}])
    desk.template("wellness", "Quiet evening", "One hour.", practices=["Breathe"])
    desk.template("alert", "High", "Goes off.", symbol="BTC-USD", condition="above", price="999999")
    desk.template("order_proposal", "Buy", "Paper.", symbol="BTC-USD", side="buy", order_type="market", quantity="0.1")
    desk.template("brand_new", "Unknown", "Of a later version.", thing=None)
    desk.end()


def test_messages_fail_are_sent_again_stay_apart_and_can_be_spoken(chat: Chat, desk: ScriptedConsultation) -> None:
    expect(chat.button("Send")).to_be_disabled()
    desk.refusal = "Too many messages; wait a moment."
    chat.send("one")
    expect(chat.field).to_have_value("")
    failed = chat.message("one")
    expect(failed).to_contain_text("Not sent: Too many messages; wait a moment.")
    desk.refusal = ""
    # By keyboard: what was pressed goes away, and the focus is where one writes.
    chat.page.keyboard.press("Shift+Tab")
    expect(failed.get_by_role("button", name="Discard")).to_be_focused()
    chat.page.keyboard.press("Shift+Tab")
    chat.page.keyboard.press("Enter")
    expect(failed).to_have_attribute("data-state", "sent")
    expect(chat.field).to_be_focused()
    desk.refusal = "No."
    chat.send("never mind")
    expect(chat.message("never mind")).to_contain_text("Not sent: No.")
    desk.refusal = ""
    chat.page.keyboard.press("Shift+Tab")
    chat.page.keyboard.press("Enter")
    expect(chat.message("never mind")).to_have_count(0)
    expect(chat.field).to_be_focused()
    ids = {each["message_id"] for each in desk.sent("user_message") if each["content"] == "one"}
    assert len(ids) == 1, "the same message, not another one"
    for text in ("two", "three"):
        chat.send(text)
    expect(chat.message("three")).to_have_attribute("data-state", "sent")
    assert chat.bubble_text("user") == ["one", "two", "three"], "a burst is not one text"
    context = desk.sent("user_message")[-1]["metadata"]["context"]
    assert context == {"symbol": "BTC-USD", "timeframe": "1m", "account": "paper-main"}, "what is on the screen"
    chat.field.fill("x" * 4999)
    expect(chat.panel.get_by_text("4999 of 5000 characters")).to_be_visible()
    chat.field.fill("x" * 5001)
    expect(chat.button("Send")).to_be_disabled()
    chat.field.fill(" \n ")
    expect(chat.button("Send")).to_be_disabled()
    chat.field.fill("Tell me:")
    chat.button("Speak").click()
    expect(chat.button("Speak")).to_have_attribute("aria-pressed", "true")
    chat.page.evaluate("listening.recognise('price of bitcoin', 'please')")
    expect(chat.field).to_have_value("Tell me: price of bitcoin please")
    chat.page.evaluate("listening.onerror({ error: 'not-allowed' })")
    expect(chat.panel.get_by_text("The browser isn’t allowed to use the microphone here.")).to_be_visible()
    chat.button("Speak").click()
    expect(chat.button("Speak")).to_have_attribute("aria-pressed", "false")


def test_the_microphone_is_off_once_the_message_is_sent_or_the_panel_closed(chat: Chat, desk: ScriptedConsultation) -> None:
    speak = chat.button("Speak")
    speak.click()
    chat.page.evaluate("listening.recognise('price of bitcoin')")
    chat.field.press("Enter")
    expect(chat.message("price of bitcoin")).to_have_attribute("data-state", "sent")
    expect(speak).to_have_attribute("aria-pressed", "false")
    # What was on its way belongs to what was sent.
    chat.page.evaluate("listening.recognise('price of bitcoin', 'please')")
    expect(chat.field).to_have_value("")
    assert chat.page.evaluate("listening.isOver") is True
    speak.click()
    chat.button("Close").click()
    assert chat.page.evaluate("listening.isOver") is True, "listening ends with the panel"
    chat.open()
    speak.click()
    desk.is_up = False
    desk.cut()
    expect(chat.panel.get_by_text("Disconnected")).to_be_visible()
    assert chat.page.evaluate("listening.isOver") is True, "there is nothing to fill"


def test_a_lost_connection_is_said_and_mended(chat: Chat, desk: ScriptedConsultation) -> None:
    dot = "each => { const { width, height, backgroundColor } = getComputedStyle(each); return [width, height, backgroundColor]; }"
    expect(chat.panel.get_by_role("heading", name="Assistant")).to_be_visible()
    expect(chat.button("Close")).to_be_visible()
    green = chat.panel.locator(".chat-dot").evaluate(dot)
    assert green[:2] == ["8px", "8px"]
    desk.answer("An answer.")
    desk.begin()
    desk.say("A part ")
    typing = chat.panel.get_by_role("img", name="The assistant is typing")
    expect(typing).to_be_visible()
    desk.is_up = False
    desk.cut()
    expect(chat.panel.get_by_text("Disconnected")).to_be_visible()
    red = chat.panel.locator(".chat-dot").evaluate(dot)
    assert [is_green(colour[2]) for colour in (green, red)] == [True, False]
    expect(chat.panel.get_by_role("alert").get_by_text("Server error. Retrying...")).to_be_visible()
    expect(chat.field).to_be_disabled()
    expect(typing).to_be_hidden()
    # Behind the screen the answer goes on.
    desk.say("and the rest.")
    desk.end()
    chat.button("Cancel").click()
    expect(chat.panel.locator(".chat-banner")).to_be_hidden()
    assert chat.page.evaluate("candlewire.consultation.session.machine.state") == "closed", "no more attempts"
    desk.is_up = True
    chat.button("Reconnect").click()
    chat.wait_until_connected()
    expect(chat.button("Reconnect")).to_be_hidden()
    expect(chat.message("A part and the rest.")).to_have_attribute("data-state", "complete")
    desk.is_up = False
    desk.cut()
    expect(chat.panel.get_by_text("Disconnected")).to_be_visible()
    desk.is_up = True
    chat.button("Retry").click()
    chat.wait_until_connected()
    expect(chat.panel.locator(".chat-banner")).to_be_hidden()
    assert chat.bubble_text("assistant") == ["An answer.", "A part and the rest."]


def is_green(colour: str) -> bool:
    red, green, _ = (int(each) for each in colour[4:-1].split(","))
    return green > red


def test_the_list_scrolls_to_the_end_unless_the_user_scrolled_up(chat: Chat, desk: ScriptedConsultation) -> None:
    for n in range(12):
        desk.answer(f"Answer {n}. " + "It is a long one. " * 10)
    eventually(lambda: len(chat.bubble_text("assistant")) == 12 and chat.distance_from_end() < 2, "the end is in view")
    desk.begin()
    for _ in range(20):
        desk.say("More of it comes while it streams. ")
    expect(chat.messages("assistant").last).to_contain_text("while it streams.")
    eventually(lambda: chat.distance_from_end() < 2, "it follows a message that grows")
    chat.panel.locator(".chat-scroll").first.hover()
    chat.page.mouse.wheel(0, -600)
    eventually(lambda: chat.distance_from_end() > 300, "scrolled up")
    before = chat.page.evaluate("document.querySelector('#chat .chat-scroll').scrollTop")
    desk.say("\n\nNew at the end. " * 8)
    newest = chat.button("New messages ↓")
    expect(newest).to_be_visible()
    assert chat.page.evaluate("document.querySelector('#chat .chat-scroll').scrollTop") == before
    newest.click()
    eventually(lambda: chat.distance_from_end() < 2, "back at the end")
    expect(newest).to_be_hidden()
    desk.end()


def test_unread_messages_and_the_end_of_an_unused_connection(chat: Chat, desk: ScriptedConsultation) -> None:
    desk.begin()
    desk.say("First sentence. Second, with **bold** words, and a ")
    spoken = chat.page.locator("#chat-news p")
    expect(spoken).to_have_text(["First sentence."])
    expect(chat.button("Stop the answer")).to_be_visible()
    chat.field.press("Escape")
    expect(chat.messages("assistant").first).to_contain_text("Stopped")
    assert [each["message_id"] for each in desk.sent("cancel")] == ["answer-0"]
    desk.begin()
    desk.say("Half of it")
    expect(chat.message("Half of it")).to_be_visible()
    chat.button("Close").click()
    expect(chat.toggle).to_be_focused()
    desk.end()
    expect(chat.toggle).to_have_accessible_name("Assistant, 1 unread message")
    state = "candlewire.consultation.session.machine.state"
    eventually(lambda: chat.page.evaluate(state) == "closed", "an unseen conversation is disconnected")
    chat.open()
    expect(chat.toggle).to_have_accessible_name("Assistant")
    assert spoken.all_text_contents()[:2] == ["First sentence.", "Second, with bold words, and a"]


def test_what_was_not_acknowledged_is_sent_after_a_reload(chat: Chat, desk: ScriptedConsultation) -> None:
    desk.acknowledges = False
    chat.send("keep me")
    expect(chat.message("keep me")).to_contain_text("Sending…")
    desk.acknowledges = True
    chat.page.reload()
    chat.open()
    expect(chat.message("keep me")).to_have_attribute("data-state", "sent")
    first, again = desk.sent("user_message")
    assert first == again
    assert chat.bubble_text("user") == ["keep me"]
    # Deleted elsewhere: it does not come back, and another one may be begun.
    desk.cut(4104)
    expect(chat.panel.get_by_role("alert").get_by_text("Consultation not found.")).to_be_visible()
    expect(chat.panel.locator(".chat-banner").get_by_role("button", name="New conversation")).to_be_visible()


def test_bubbles_cards_and_dots_have_their_measures(chat: Chat, desk: ScriptedConsultation) -> None:
    chat.send("A question")
    expect(chat.messages("user")).to_have_attribute("data-state", "sent")
    desk.begin()
    dots = chat.panel.locator(".typing-dot")
    expect(dots).to_have_count(3)
    style = "(each, names) => names.map(name => getComputedStyle(each)[name])"
    assert dots.nth(2).evaluate(style, ["width", "animationDuration", "animationTimingFunction", "animationDelay"]) == [
        "8px", "0.6s", "ease", "0.4s",
    ]  # fmt: skip
    chat.page.emulate_media(reduced_motion="reduce")
    assert dots.first.evaluate(style, ["animationName"]) == ["none"]
    desk.end()
    say_everything(desk)
    expect(chat.card("brand_new")).to_be_visible()
    user, assistant = (chat.messages(role).locator(".bubble").first for role in ("user", "assistant"))
    assert user.evaluate(style, ["paddingTop", "borderTopLeftRadius", "marginLeft", "color"]) == [
        "12px", "16px", "60px", "rgb(255, 255, 255)",
    ]  # fmt: skip
    assert assistant.evaluate(style, ["marginRight", "borderTopLeftRadius"]) == ["60px", "16px"]
    red, _, blue = (int(each) for each in user.evaluate(style, ["backgroundColor"])[0][4:-1].split(","))
    assert blue > 2 * red
    assert chat.panel.locator(".chat-messages").evaluate(style, ["rowGap"]) == ["16px"]
    # What was made is said in a line of its own, over the card.
    line = chat.messages("system").first.locator(".bubble")
    expect(line).to_have_text("Note: Created meal template: Balanced day")
    expect(chat.messages("system").nth(4).locator(".bubble-text")).to_have_text("Created order proposal template: Buy")
    assert line.evaluate(style, ["paddingTop", "borderTopLeftRadius"]) == ["12px", "16px"]
    # In the middle, smaller, and lighter than a message.
    around, middle = (each.bounding_box() for each in (chat.messages("system").first, line))
    assert around and middle
    assert abs((around["x"] + around["width"] / 2) - (middle["x"] + middle["width"] / 2)) < 2
    assert middle["width"] < around["width"]
    [size, colour] = line.evaluate(style, ["fontSize", "color"])
    assert float(size[:-2]) < float(assistant.evaluate(style, ["fontSize"])[0][:-2])
    assert colour != assistant.evaluate(style, ["color"])[0]
    # Under each message stands when it was said.
    now = datetime.now(UTC)
    for each in chat.panel.locator(".message").all():
        stamp = each.locator(".message-foot time")
        expect(stamp).to_have_text(re.compile(r"\d\d:\d\d"))
        said = datetime.fromisoformat(stamp.get_attribute("datetime") or "")
        assert abs((now - said).total_seconds()) < 3600
        above, below = each.locator(".bubble").first.bounding_box(), stamp.bounding_box()
        assert above and below and above["y"] + above["height"] <= below["y"] + 1
    # Its type, and what opens it.
    types = {kind: chat.card(kind).locator(".card-type").inner_text() for kind in ("meal", "order_proposal", "brand_new")}
    assert types == {"meal": "Meal", "order_proposal": "Order proposal", "brand_new": "brand new"}
    expect(chat.card("meal").locator(".card-hint")).to_have_text("Tap to view")
    icons = {kind: chat.card(kind).locator("svg").get_attribute("data-icon") for kind in ("meal", "workout", "wellness", "brand_new")}
    assert icons == {"meal": "fork.knife", "workout": "dumbbell.fill", "wellness": "heart.fill", "brand_new": "doc.fill"}
    description = chat.card("meal").locator(".card-description")
    height, line = description.evaluate("each => [each.clientHeight, parseFloat(getComputedStyle(each).lineHeight)]")
    assert height <= 2 * line + 1
    chat.card("meal").get_by_role("button", name="Balanced day").click()
    details = chat.page.get_by_role("dialog", name="Balanced day")
    expect(details).to_contain_text("Oats")
    chat.page.keyboard.press("Escape")
    expect(details).to_be_hidden()


def test_the_assistant_has_the_theme_s_colours_and_groups_what_it_counts(
    chat: Chat, desk: ScriptedConsultation, save_picture: Callable
) -> None:
    page = chat.page
    desk.begin()
    desk.template("order_proposal", "Large", "Paper.", symbol="BTC-USD", side="buy", order_type="limit", quantity="1250.5",
                  limit_price="67000", stop_loss="61000.25", target=[{"take_profit": "70000", "year": 2026}], cost=83783500, profit=-1204.5)  # fmt: skip
    desk.end()
    chat.send("Buy them")
    card = chat.card("order_proposal")
    expect(card).to_contain_text("Buy 1,250.5 BTC-USD at 67,000, stop loss 61,000.25, on paper.")
    save_picture(page, "assistant-proposal")
    card.get_by_role("button", name="Large").click()
    details = page.get_by_role("dialog", name="Large")
    for words in ("1,250.5", "67,000", "61,000.25", "70,000", "2026", "83,783,500", "−1,204.5"):
        expect(details).to_contain_text(words)
    save_picture(page, "assistant-proposal-details")
    page.keyboard.press("Escape")
    # What the desk answers to an approval, in the words of the page.
    problem = {"code": "invalid_field", "message": 'Field "limit_price" must be below 67151.08.', "field": "limit_price"}
    page.route("**/proposals/**", lambda route: route.fulfill(status=422, json={"error": problem}))
    card.get_by_role("button", name="Approve").click()
    expect(card).to_contain_text("Limit price must be below 67,151.08.")
    own = chat.messages("user").locator(".bubble").first
    shown = set()
    for palette in ("", "deuteranopia", "high-contrast"):
        page.evaluate("name => name ? document.documentElement.dataset.palette = name : 0", palette)
        [colour, theme] = own.evaluate(
            """each => {
                const probe = document.createElement('i');
                probe.style.color = 'var(--own)';
                document.documentElement.append(probe);
                const theme = getComputedStyle(probe).color;
                probe.remove();
                return [getComputedStyle(each).backgroundColor, theme];
            }"""
        )
        assert colour == theme
        shown.add(colour)
    assert len(shown) == 3, "each theme has its own"


def test_an_answer_without_text_is_its_card_or_says_that_it_is_nothing(
    chat: Chat, desk: ScriptedConsultation, save_picture: Callable
) -> None:
    spoken = chat.page.locator("#chat-news p")
    desk.begin()
    desk.template("watchlist", "Movers", "Two markets.", symbols=["BTC-USD"])
    # A question that came meanwhile does not part the card from its answer.
    chat.send("And ether?")
    expect(chat.message("And ether?")).to_have_attribute("data-state", "sent")
    desk.template("alert", "High", "Goes off.", symbol="BTC-USD", condition="above", price="999999")
    desk.end()
    made = chat.messages("assistant").nth(0)
    expect(chat.card("alert")).to_be_visible()
    expect(made).to_be_hidden()
    # A screen reader announces the cards and no empty answer.
    listed = chat.panel.get_by_role("list").first.get_by_role("listitem").filter(has_text=re.compile("Assistant:"))
    expect(listed).to_have_count(0)
    expect(spoken).to_have_count(0)
    desk.begin()
    desk.template("alert", "Low", "Goes off.", symbol="BTC-USD", condition="below", price="1")
    desk.end("failed", "The model broke off.")
    failed = chat.messages("assistant").nth(1)
    expect(failed).to_contain_text("Failed: The model broke off.")
    expect(failed.locator(".bubble")).to_be_hidden()
    desk.begin()
    expect(chat.panel.get_by_role("img", name="The assistant is typing")).to_be_visible()
    desk.end()
    silent = chat.messages("assistant").nth(2)
    expect(silent.locator(".bubble")).to_have_text("Assistant: The assistant gave no answer.")
    expect(spoken).to_have_text(["The assistant gave no answer."])
    expect(silent.get_by_role("button", name="Answer again")).to_have_text("Answer again")
    expect(silent.get_by_role("button", name="Copy")).to_have_count(0)
    for width, height, name in ((1440, 900, "wide"), (390, 844, "phone")):
        chat.page.set_viewport_size({"width": width, "height": height})
        save_picture(chat.page, f"assistant-nothing-{name}")
        chat.page.emulate_media(color_scheme="light")
        save_picture(chat.page, f"assistant-nothing-{name}-light")
        chat.page.emulate_media(color_scheme="dark")
    chat.page.set_viewport_size({"width": 1440, "height": 900})
    # The same after a reload, when all of it is reported at once.
    chat.page.reload()
    chat.open()
    expect(silent.locator(".bubble")).to_have_text("Assistant: The assistant gave no answer.")
    expect(made).to_be_hidden()
    silent.get_by_role("button", name="Answer again").click()
    eventually(lambda: len(desk.sent("retry")) == 1, "it is requested again")


def test_edited_messages_fold_what_they_replace_and_older_ones_are_loaded(chat: Chat, desk: ScriptedConsultation) -> None:
    chat.send("old question")
    expect(chat.message("old question")).to_have_attribute("data-state", "sent")
    desk.answer("old answer")
    chat.message("old question").hover()
    chat.button("Edit and send again").click()
    expect(chat.field).to_have_value("old question")
    chat.send("new question")
    expect(chat.panel.get_by_text("Earlier version · 2 messages")).to_be_visible()
    expect(chat.message("old answer").last).to_be_hidden()
    desk.begin()
    desk.say("new answer")
    desk.end("failed", "The model broke off.")
    answer = chat.message("new answer")
    expect(answer).to_contain_text("Failed: The model broke off.")
    # The remedy must not need the mouse.
    again = answer.get_by_role("button", name="Answer again")
    expect(again).to_have_text("Answer again")
    expect(again).to_have_css("opacity", "1")
    answer.hover()
    answer.get_by_role("button", name="Copy").click()
    was_said(chat.page, "Copied.")
    edited = desk.sent("user_message")
    assert edited[1]["metadata"]["edits"] == edited[0]["message_id"]
    desk.older = [{"message_id": "o1", "role": "user", "content": "long ago", "timestamp": 1_737_972_000}]
    chat.page.evaluate("candlewire.consultation.session.disconnect()")
    chat.page.evaluate("candlewire.consultation.session.retry()")
    chat.button("Earlier messages").click()
    expect(chat.messages("user").locator(".bubble-text").first).to_have_text("long ago")
    expect(chat.button("Earlier messages")).to_be_hidden()


@pytest.mark.parametrize("options", [{"color_scheme": "dark"}, {"color_scheme": "light", **PHONE}], ids=["wide", "phone"])
def test_axe_finds_nothing_in_any_state_of_the_assistant(
    new_page: Callable[..., Page], simulated: Server, save_picture: Callable, options: dict
) -> None:
    page = new_page(**options)
    desk = ScriptedConsultation(page)
    Terminal(page, simulated).open("BTC-USD/1m")
    chat = Chat(page).open()
    assert findings(page) == [], "empty"
    desk.refusal = "No."
    chat.send("A message that fails")
    desk.refusal = ""
    chat.send("Everything, please")
    say_everything(desk)
    desk.begin()
    desk.say("And so ")
    expect(chat.messages("assistant").last).to_contain_text("And so")
    save_picture(page, f"assistant-{'phone' if 'is_mobile' in options else 'wide'}")
    assert findings(page) == [], "messages"
    chat.card("meal").get_by_role("button").first.click()
    assert findings(page) == [], "details"
    page.keyboard.press("Escape")
    desk.is_up = False
    desk.cut()
    expect(chat.panel.get_by_text("Disconnected")).to_be_visible()
    chat.button("Conversations").click()
    expect(chat.button("Save as JSON")).to_be_visible()
    assert findings(page) == [], "disconnected, with the list of conversations"
    if "is_mobile" in options:
        box = chat.panel.bounding_box()
        assert box is not None
        assert (box["x"], box["y"], box["width"], box["height"]) == (0, 0, 390, 844), "a sheet over the whole phone"
        assert page.evaluate("document.querySelector('.topbar').inert") is True
