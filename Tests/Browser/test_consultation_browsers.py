"""Conversations of a server without logins belong to a browser profile; with logins the page sends what it was given."""

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import BrowserContext, Page, expect

from support.chat import Chat
from support.secrets import private_file
from support.server import Server
from support.terminal import Terminal
from support.web_token import SECRET, token

APP = "the-api-key-of-an-app-54321"


def cookies(context: BrowserContext) -> list[dict[str, object]]:
    return [dict(each) for each in context.cookies() if each["name"] == "candlewire_browser"]


def answered(chat: Chat, text: str) -> None:
    before = chat.messages("assistant").count()
    chat.send(text)
    expect(chat.messages("assistant")).to_have_count(before + 1)
    expect(chat.messages("assistant").last).to_have_attribute("data-state", "complete")


def titles(chat: Chat) -> list[str]:
    chat.button("Conversations").click()
    expect(chat.panel.locator(".conversation[aria-current]")).to_be_visible()
    return chat.panel.locator(".conversation").all_inner_texts()


def test_a_new_profile_sees_nothing_of_another_one_s_chat(
    new_page: Callable[..., Page], start_server: Callable[..., Server]
) -> None:
    server = start_server(feed="sim:BTC-USD", flags=("--seed", "7"))
    first, second = new_page(), new_page()
    sockets: list[str] = []
    first.on("websocket", lambda socket: sockets.append(socket.url))
    Terminal(first, server).open("BTC-USD/1m")
    chat = Chat(first).open()
    answered(chat, "price of BTC-USD")
    identifier = next(each.split("consultation_id=")[1] for each in sockets if "consultation_id=" in each)

    Terminal(second, server).open("BTC-USD/1m")
    other = Chat(second).open()
    expect(other.messages("user")).to_have_count(0)
    assert len(titles(other)) == 1
    answered_by = "async (id) => (await fetch(`/consultations/${id}/messages`)).status"
    assert second.evaluate(answered_by, identifier) == 403
    assert first.evaluate(answered_by, identifier) == 200

    # The browser keeps who it is where no script reads it.
    [mine], [theirs] = cookies(first.context), cookies(second.context)
    assert mine["value"] != theirs["value"]
    assert (mine["httpOnly"], mine["sameSite"], mine["secure"]) == (True, "Strict", False)
    assert str(mine["value"]) not in first.evaluate("document.cookie")

    # Another tab and another visit of the same profile go on, also after the server's restart.
    server.stop()
    server.start()
    tab = first.context.new_page()
    tab.goto(f"{server.address}/#BTC-USD/1m")
    again = Chat(tab).open()
    expect(again.message("price of BTC-USD")).to_be_visible()
    answered(again, "what can you do?")
    # Its account is the machine's, as before.
    for page in (first, second):
        assert page.evaluate("async () => (await fetch('/v1/accounts')).status") == 200
    tab.close()


def test_the_page_sends_the_app_s_key_beside_the_user_s_token(
    page: Page, start_server: Callable[..., Server], tmp_path: Path
) -> None:
    private_file(tmp_path / "keys", f"coach:{APP}\n")
    private_file(tmp_path / "jwt", f"{SECRET}\n")
    server = start_server(
        feed="sim:BTC-USD",
        flags=("--seed", "7", "--consultation-keys", str(tmp_path / "keys"), "--jwt-key", str(tmp_path / "jwt")),
    )
    addresses: list[str] = []
    page.on("websocket", lambda socket: addresses.append(socket.url))
    page.on("request", lambda request: addresses.append(request.url))
    Terminal(page, server).open("BTC-USD/1m")
    chat = Chat(page)
    chat.toggle.click()
    chat.panel.locator(".chat-banner").get_by_role("button", name="Sign in").click()
    dialog = page.get_by_role("dialog", name="Sign in to the assistant")
    dialog.get_by_label("Your token or key").fill(token("alice"))
    dialog.get_by_role("button", name="Sign in", exact=True).click()
    expect(dialog).to_contain_text("The server does not accept this login.")
    user = token("alice")
    dialog.get_by_label("Your token or key").fill(user)
    dialog.get_by_label("App key").fill(APP)
    dialog.get_by_role("button", name="Sign in", exact=True).click()
    expect(dialog).to_be_hidden()
    chat.wait_until_connected()
    answered(chat, "price of BTC-USD")
    assert not [each for each in addresses if APP in each or user in each]
    assert APP not in server.log and user not in server.log
    # The login is the assistant's alone: the page trades as before.
    page.evaluate(
        """() => candlewire.trading.desk.place({ client_order_id: 'one', symbol: 'BTC-USD', side: 'buy', type: 'limit',
            quantity: '0.01', limit_price: '1' })"""
    )
    assert len(server.get("/v1/orders")["orders"]) == 1
    page.reload()
    chat = Chat(page).open()
    expect(chat.message("price of BTC-USD")).to_be_visible()
