"""The assistant from the page, against the real server and its guide: nothing here is scripted but the person."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from support.chat import Chat
from support.polling import eventually
from support.secrets import private_file
from support.server import Server
from support.slow_model import SlowModel
from support.terminal import Terminal

TOKEN = "consultation-token-0123456789abcdef"


@pytest.fixture
def chat(terminal: Terminal) -> Chat:
    terminal.open("BTC-USD/1m")
    chat = Chat(terminal.page).open()
    # The server is the other tests' as well; what they said is another conversation.
    chat.button("New conversation").click()
    expect(chat.panel.get_by_text("Ask about the markets on screen")).to_be_visible()
    chat.wait_until_connected()
    return chat


def send_and_wait(chat: Chat, text: str) -> None:
    """Sends a question and waits for the end of its answer."""
    answered = chat.messages("assistant").count()
    chat.send(text)
    expect(chat.messages("assistant")).to_have_count(answered + 1)
    expect(chat.messages("assistant").last).to_have_attribute("data-state", "complete")


def test_the_guide_answers_from_the_live_market_and_two_tabs_show_the_same(chat: Chat) -> None:
    page = chat.page
    send_and_wait(chat, "price of BTC-USD")
    answer = chat.messages("assistant").last
    expect(answer).to_contain_text("built-in guide, not a language model")
    expect(answer).to_contain_text("BTC-USD is at")
    expect(answer).to_contain_text("UTC")
    other = page.context.new_page()
    other.goto(page.url)
    second = Chat(other).open()
    expect(second.messages("assistant")).to_have_count(1)
    send_and_wait(chat, "what can you do?")
    expect(second.messages("assistant").last).to_have_attribute("data-state", "complete")
    assert second.bubble_text("assistant") == chat.bubble_text("assistant")
    assert second.bubble_text("user") == ["price of BTC-USD", "what can you do?"]
    items = chat.messages("assistant").last.locator(".bubble-text li")
    # The list in the markdown is a list.
    expect(items).to_have_count(10)
    chat.message("what can you do?").hover()
    chat.button("Edit and send again").last.click()
    chat.field.fill("biggest movers")
    chat.field.press("Enter")
    for each in (chat, second):
        expect(each.panel.get_by_text("Earlier version · 2 messages")).to_be_visible()
        expect(each.messages("assistant").last).to_contain_text("in 24 hours")
    other.close()
    # It is all there after a reload.
    page.reload()
    chat = Chat(page).open()
    expect(chat.panel.get_by_text("Earlier version · 2 messages")).to_be_visible()
    expect(chat.messages("assistant")).to_have_count(3)
    chat.button("Conversations").click()
    expect(chat.panel.locator(".conversation[aria-current]")).to_contain_text("price of BTC-USD")
    with page.expect_download() as download:
        chat.button("Save as Markdown").click()
    assert "what can you do?" in download.value.path().read_text()
    chat.button("Delete…").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete", exact=True).click()
    chat.wait_until_connected()
    expect(chat.message("what can you do?")).to_have_count(0)
    assert page.complaints == []  # type: ignore[attr-defined]


def test_cards_are_applied_to_the_chart_the_alerts_and_the_list(chat: Chat, terminal: Terminal) -> None:
    page = chat.page
    send_and_wait(chat, "chart layout ETH-USD 5m with RSI")
    card = chat.card("chart_layout")
    expect(card).to_contain_text("Tap to view")
    card.get_by_role("button", name="Apply").click()
    terminal.wait_for_selection("ETH-USD", "5m")
    expect(card).to_contain_text("Applied to the chart: ETH-USD, 5m.")
    assert page.evaluate("candlewire.studies.list.map(({ kind }) => kind.identifier)") == ["rsi"]
    send_and_wait(chat, "alert BTC-USD above 999999")
    chat.card("alert").get_by_role("button", name="Set alert").click()
    expect(chat.card("alert")).to_contain_text("Alert set: BTC-USD above 999,999.00.")
    alerts = page.evaluate("candlewire.objects.levels.of('BTC-USD').alerts")
    assert [(each["price"], each["direction"]) for each in alerts] == [(999_999, "up")]
    send_and_wait(chat, "watchlist BTC-USD SOL-USD")
    chat.card("watchlist").get_by_role("button", name="Add page").click()
    expect(page.get_by_role("tab", name="Watchlist", selected=True)).to_be_visible()
    assert page.evaluate("candlewire.pages.shown.symbols") == ["BTC-USD", "SOL-USD"]
    send_and_wait(chat, "meal plan")
    # The page talks about markets.
    expect(chat.messages("assistant").last).to_contain_text("I have no meal plans in it")
    expect(chat.card("meal")).to_have_count(0)
    assert page.complaints == []  # type: ignore[attr-defined]


def test_a_proposed_order_is_traded_on_paper_once_it_is_approved_and_a_declined_one_never(
    page: Page, start_server: Callable[..., Server]
) -> None:
    # A server of its own: others count what is traded.
    server = start_server(feed="sim:BTC-USD,ETH-USD", flags=("--seed", "7"))
    Terminal(page, server).open("BTC-USD/1m")
    expect(page.locator("#desk-health")).to_contain_text("Trading ready")
    chat = Chat(page).open()

    def traded() -> list[dict]:
        return server.get("/v1/orders")["orders"]

    send_and_wait(chat, "buy 0.1 BTC-USD")
    card = chat.card("order_proposal")
    expect(card).to_contain_text("Nothing is traded until you approve.")
    assert traded() == []
    # By keyboard, from where one writes.
    expect(chat.field).to_be_focused()
    tab_back_to(page, "Approve")
    page.keyboard.press("Enter")
    expect(card).to_contain_text("Approved: filled at")
    [order] = traded()
    assert (order["symbol"], order["quantity"], order["status"]) == ("BTC-USD", "0.1", "filled")
    expect(card.locator(".card-open")).to_be_focused()
    page.get_by_role("tab", name="Positions").click()
    expect(page.get_by_role("table", name="Positions")).to_contain_text("BTC-USD")
    send_and_wait(chat, "sell 1 ETH-USD")
    chat.card("order_proposal").last.get_by_role("button", name="Decline").click()
    expect(chat.card("order_proposal").last).to_contain_text("Declined. Nothing was traded.")
    assert len(traded()) == 1
    page.reload()
    chat.open()
    expect(chat.card("order_proposal").first).to_contain_text("Approved: filled at")
    expect(chat.card("order_proposal").last).to_contain_text("Declined")
    expect(chat.button("Approve")).to_have_count(0)


def test_the_token_is_said_on_the_socket_and_in_no_address(
    page: Page, start_server: Callable[..., Server], tmp_path: Path
) -> None:
    tokens = tmp_path / "tokens"
    private_file(tokens, f"{TOKEN}\n")
    tokens.chmod(0o600)
    server = start_server(feed="sim:BTC-USD", flags=("--seed", "7", "--stream-token-file", str(tokens)))
    addresses: list[str] = []
    page.on("websocket", lambda socket: addresses.append(socket.url))
    page.on("request", lambda request: addresses.append(request.url))
    page.goto(f"{server.address}/#BTC-USD/1m")
    # A user who puts it off is prompted again where a token is needed, and is in the conversation then.
    expect(page.get_by_label("Access token")).to_be_focused()
    page.keyboard.press("Escape")
    chat = Chat(page)
    chat.toggle.click()
    expect(chat.panel.get_by_role("alert")).to_have_text("Sign in first: this server requires an access token.")
    chat.panel.locator(".chat-banner").get_by_role("button", name="Sign in").click()
    page.get_by_label("Access token").fill(TOKEN)
    page.keyboard.press("Enter")
    chat.wait_until_connected()
    send_and_wait(chat, "price of BTC-USD")
    # While we are alone on a server: another answer to the same question.
    chat.messages("assistant").hover()
    chat.button("Answer again").click()
    expect(chat.messages("assistant")).to_have_count(2)
    expect(chat.messages("assistant").last).to_have_attribute("data-state", "complete")
    assert any("/ws/consultation?" in each for each in addresses)
    assert not any(TOKEN in each for each in addresses)
    assert TOKEN not in server.log


def test_a_server_without_consultations_has_no_button_for_them(page: Page, terminal: Terminal) -> None:
    def health(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json={name: value for name, value in answer.json().items() if name != "consultations"})

    page.route("**/health", health)
    with page.expect_response("**/health"):
        terminal.open("BTC-USD/1m")
    terminal.painted()
    chat = Chat(page)
    expect(chat.toggle).to_be_hidden()
    page.keyboard.press("Shift+Q")
    expect(chat.panel).to_be_hidden()
    assert page.complaints == []  # type: ignore[attr-defined]


def test_an_answer_goes_on_after_a_cut_is_stopped_on_demand_and_marked_after_a_crash(
    page: Page, start_server: Callable[..., Server], tmp_path: Path
) -> None:
    with SlowModel() as model:
        server = start_server(feed="sim:BTC-USD", flags=("--seed", "7", *model.flags))
        Terminal(page, server).open("BTC-USD/1m")
        chat = Chat(page).open()
        chat.send("Tell me something long")
        model.listen()
        model.say("One. ", "Two. ")
        answer = chat.messages("assistant").last
        expect(answer).to_contain_text("One. Two.")
        expect(answer).to_have_attribute("data-state", "streaming")
        # A cut connection stops nothing.
        page.evaluate("candlewire.consultation.session.disconnect()")
        model.say("Three. ")
        page.evaluate("candlewire.consultation.session.retry()")
        expect(answer).to_contain_text("One. Two. Three.")
        assert page.evaluate("candlewire.consultation.session.diagnostics.resumed") >= 1
        chat.button("Stop the answer").click()
        expect(answer).to_have_attribute("data-state", "cancelled")
        expect(answer).to_contain_text("Stopped")
        # A server that dies in mid-sentence comes back with what it had, and says that there is no more.
        chat.send("And now?")
        model.listen()
        model.say("Half of the ")
        answer = chat.messages("assistant").last
        expect(answer).to_contain_text("Half of the")
        # It is written within a second; before that, a crash may take it back.
        eventually(lambda: is_on_disk(b"Half of the", tmp_path), "the text is on the disk")
        server.kill()
        expect(chat.panel.get_by_text("Disconnected")).to_be_visible()
        server.start()
        page.evaluate("candlewire.consultation.session.retry()")
        chat.wait_until_connected()
        expect(answer).to_have_attribute("data-state", "interrupted")
        expect(answer).to_contain_text("Half of the")
        assert chat.bubble_text("user") == ["Tell me something long", "And now?"]


def tab_back_to(page: Page, name: str) -> None:
    """To the last button with that name before the focus."""
    for _ in range(30):
        page.keyboard.press("Shift+Tab")
        if page.evaluate("document.activeElement.textContent") == name:
            return
    raise AssertionError(f"no {name} before the focus")


def is_on_disk(text: bytes, folder: Path) -> bool:
    return any(text in path.read_bytes() for path in folder.rglob("*.sqlite*") if path.is_file())


def test_everything_is_done_with_the_keyboard_alone(terminal: Terminal) -> None:
    page = terminal.open("BTC-USD/1m").page
    chat = Chat(page)
    keys = page.keyboard
    # The key works as soon as the page knows that this server has conversations.
    expect(chat.toggle).to_be_visible()
    keys.press("Shift+Q")
    chat.wait_until_connected()
    expect(chat.field).to_be_focused()
    keys.type("chart layout ETH-USD 15m")
    keys.press("Shift+Enter")
    keys.type("/ and ? are letters here, and so is q")
    expect(chat.field).to_have_value("chart layout ETH-USD 15m\n/ and ? are letters here, and so is q")
    keys.press("Enter")
    expect(chat.card("chart_layout").filter(has_text="ETH-USD 15m")).to_be_visible()
    tab_back_to(page, "Apply")
    keys.press("Enter")
    terminal.wait_for_selection("ETH-USD", "15m")
    keys.press("Shift+Tab")
    keys.press("Enter")
    expect(page.get_by_role("dialog", name="ETH-USD 15m")).to_be_visible()
    keys.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    keys.press("Escape")
    expect(chat.panel).to_be_hidden()
    expect(chat.toggle).to_be_focused()
