"""A server that requires a token, and the page that requests it from the user."""

import subprocess
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from support.secrets import private_file, remember
from support.server import Server, binary
from support.terminal import Terminal

TOKEN = "a-token-of-some-length-1"
OTHER = "a-token-of-some-length-2"
TIMEOUT = 60_000


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One for all tests that do not stop it."""
    folder = tmp_path_factory.mktemp("guarded")
    server = asking_for(TOKEN, folder).start()
    yield server
    server.stop()


def asking_for(token: str, folder: Path, *flags: str) -> Server:
    private_file(folder / "tokens", f"{token}\n")
    return Server(folder / "data", flags=("--seed", "7", "--stream-token-file", str(folder / "tokens"), *flags))


@pytest.fixture
def terminal(page: Page, guarded: Server) -> Terminal:
    return watched(page, guarded).open(live=False)


def watched(page: Page, server: Server) -> Terminal:
    page.said = []  # type: ignore[attr-defined]
    page.on("console", lambda message: page.said.append(message.text))  # type: ignore[attr-defined]
    return Terminal(page, server)


def dialog(page: Page) -> Locator:
    return page.get_by_role("dialog", name="Sign in")


def sign_in(page: Page, token: str, *, keep: bool = True) -> None:
    expect(dialog(page)).to_be_visible(timeout=TIMEOUT)
    field = dialog(page).get_by_label("Access token")
    expect(field).to_be_focused()
    field.fill(token)
    dialog(page).get_by_role("checkbox").set_checked(keep)
    field.press("Enter")


def live(terminal: Terminal) -> None:
    expect(dialog(terminal.page)).to_be_hidden(timeout=TIMEOUT)
    expect(terminal.page.locator("#desk-health")).to_contain_text("Trading ready", timeout=TIMEOUT)
    terminal.wait_until_live()


def test_a_token_opens_the_stream_and_the_desk_and_is_nowhere_to_be_read(terminal: Terminal, save_picture) -> None:
    page = terminal.page
    expect(dialog(page)).to_be_visible(timeout=TIMEOUT)
    expect(page.locator("#account-mode")).to_have_text("PAPER")
    save_picture(page, "sign-in")
    sign_in(page, TOKEN)
    live(terminal)

    # Reading and writing over REST.
    page.locator("#account-button").click()
    expect(page.get_by_role("radio", name="main")).to_be_checked(timeout=TIMEOUT)
    page.keyboard.press("Escape")
    page.evaluate(
        """() => candlewire.trading.desk.place({ client_order_id: 'one', symbol: 'BTC-USD', side: 'buy', type: 'limit',
            quantity: '0.01', limit_price: '1' })"""
    )
    page.get_by_role("tab", name="Orders").click()
    expect(page.get_by_role("table", name="Orders")).to_contain_text("0.01", timeout=TIMEOUT)

    # A secret has no place in an address, in the page or in a log.
    assert TOKEN not in page.url
    assert TOKEN not in page.content()
    assert TOKEN not in page.evaluate("[...document.querySelectorAll('input')].map(({ value }) => value).join(' ')")
    assert TOKEN not in page.evaluate("JSON.stringify(Object.entries(localStorage))")
    assert not [text for text in page.said if TOKEN in text]  # type: ignore[attr-defined]
    assert TOKEN not in terminal.server.log

    # A reload keeps it, a sign-out does not.
    page.reload()
    live(terminal)
    page.locator("#account-button").click()
    page.get_by_role("button", name="Sign out").click()
    expect(dialog(page)).to_be_visible(timeout=TIMEOUT)
    assert page.evaluate("sessionStorage.length") == 0
    assert page.evaluate("candlewire.trading.store.orders.size") == 0
    page.keyboard.press("Escape")
    page.locator("#account-button").click()
    expect(page.get_by_role("button", name="Sign out")).to_be_hidden()


def test_a_wrong_token_is_shown_beside_the_field_and_can_be_put_right(terminal: Terminal) -> None:
    page = terminal.page
    sign_in(page, "wrong-but-long-enough")
    field = dialog(page).get_by_label("Access token")
    expect(dialog(page)).to_contain_text("The server does not accept this token.", timeout=TIMEOUT)
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_value("")
    sign_in(page, "two words")
    expect(dialog(page)).to_contain_text("A token has no spaces")
    sign_in(page, "")
    expect(dialog(page)).to_contain_text("Enter the token.")
    sign_in(page, f" {TOKEN} ")
    live(terminal)


def test_who_does_not_want_to_be_remembered_is_not(terminal: Terminal) -> None:
    page = terminal.page
    sign_in(page, TOKEN, keep=False)
    live(terminal)
    assert page.evaluate("sessionStorage.length") == 0
    page.reload()
    expect(dialog(page)).to_be_visible(timeout=TIMEOUT)


def test_one_may_look_around_first_and_sign_in_later(terminal: Terminal, save_picture) -> None:
    page = terminal.page
    dialog(page).get_by_role("button", name="Cancel").click(timeout=TIMEOUT)
    expect(dialog(page)).to_be_hidden()
    # What is public is there, and the page says what is missing.
    expect(terminal.row("ETH-USD")).to_be_visible()
    expect(page.locator("#chart-message")).to_contain_text("Sign in to see the chart")
    expect(page.locator("#desk-health")).to_contain_text("Not connected")
    pill = page.locator("#status-pill")
    expect(pill).to_have_text("Sign in")
    save_picture(page, "sign-in-later")
    page.locator("#account-button").click()
    expect(page.locator("#account-note")).to_contain_text("Sign in first", timeout=TIMEOUT)
    page.keyboard.press("Escape")
    page.locator("#trade-buy").click()
    expect(page.locator("#ticket-submit")).to_have_accessible_description("Sign in to send orders.")
    pill.click()
    expect(dialog(page)).to_be_visible()
    page.keyboard.press("Escape")
    expect(pill).to_be_focused()
    page.get_by_role("button", name="Sign in", exact=True).last.click()
    sign_in(page, TOKEN)
    live(terminal)


def test_an_expired_token_is_requested_again(page: Page, tmp_path: Path) -> None:
    server = asking_for(TOKEN, tmp_path).start()
    try:
        terminal = watched(page, server).open(live=False)
        sign_in(page, TOKEN)
        live(terminal)
        server.stop()
        private_file(tmp_path / "tokens", f"{OTHER}\n")
        server.start()
        expect(dialog(page)).to_contain_text("no longer accepts", timeout=TIMEOUT)
        expect(page.locator("#chart-banner")).to_contain_text("Not signed in")
        assert page.evaluate("sessionStorage.length") == 0
        sign_in(page, OTHER)
        live(terminal)
    finally:
        server.stop()


def test_where_candles_need_the_token_too_the_page_works_with_it(page: Page, tmp_path: Path) -> None:
    server = asking_for(TOKEN, tmp_path, "--require-login", "all").start()
    try:
        terminal = watched(page, server).open(live=False)
        sign_in(page, TOKEN)
        live(terminal)
        with page.expect_response(lambda response: "/v1/candles" in response.url) as older:
            page.locator("#chart").focus()
            page.keyboard.press("Home")
        assert older.value.status == 200
    finally:
        server.stop()


def test_a_server_without_tokens_requests_none(terminal: Terminal, simulated: Server) -> None:
    page = terminal.page
    Terminal(page, simulated).open()
    expect(dialog(page)).to_be_hidden()
    expect(page.locator("#status-pill")).not_to_contain_text("Sign in")


def test_a_token_for_one_account_shows_that_account(page: Page, tmp_path: Path) -> None:
    file = str(tmp_path / "tokens.json")

    def token(name: str, scope: str, *more: str) -> str:
        create = [binary(), "tokens", "create", name, "--scope", scope, "--file", file, "--data-dir", str(tmp_path), *more]
        return remember(subprocess.run(create, capture_output=True, text=True, timeout=60, check=True).stdout.strip())

    root, ada = token("root", "admin"), token("ada", "trade", "--account", "paper-ada")
    server = Server(tmp_path / "data", flags=("--seed", "7", "--stream-token-file", file)).start()
    try:
        made = urllib.request.Request(
            server.address + "/v1/accounts", data=b'{"name":"ada"}', headers={"Authorization": f"Bearer {root}"}
        )
        assert urllib.request.urlopen(made, timeout=60).status == 201
        terminal = watched(page, server).open(live=False)
        sign_in(page, ada)
        live(terminal)
        page.locator("#account-button").click()
        expect(page.get_by_role("radio", name="ada")).to_be_checked(timeout=TIMEOUT)
        expect(page.get_by_role("radio", name="main")).to_have_count(0)
        order = page.evaluate(
            """() => candlewire.trading.desk.place({ client_order_id: 'one', symbol: 'BTC-USD', side: 'buy', type: 'limit',
                quantity: '0.001', limit_price: '1000' })"""
        )
        assert order["id"] == "paper-ada-o1"
    finally:
        server.stop()
