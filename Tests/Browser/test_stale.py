"""A market in which nothing trades: its price is old, and the page says how old."""

import re

from playwright.sync_api import Page, Route, expect

from support.polling import eventually
from support.server import Server
from support.terminal import Terminal


def test_a_quiet_market_shows_the_age_of_its_price(page: Page, simulated: Server, save_picture) -> None:
    sockets, is_quiet = [], False

    def quiet(socket) -> None:
        server = socket.connect_to_server()
        sockets.append(socket)
        moving = ('"type":"tick"', '"type":"candle"', '"type":"skipped"')
        server.on_message(lambda text: is_quiet and any(kind in text for kind in moving) or socket.send(text))

    page.route_web_socket("**/v1/stream", quiet)
    terminal = Terminal(page, simulated).open("BTC-USD/1m")
    terminal.wait_until_complete()
    header, row = page.locator("#header-stale"), terminal.row("ETH-USD").locator(".row-stale")
    expect(header).to_be_hidden()
    expect(row).to_be_hidden()
    is_quiet = True
    for symbol, silent in (("BTC-USD", 16.2), ("ETH-USD", 190)):
        sockets[-1].send(f'{{"type":"stale","symbol":"{symbol}","age":{silent}}}')

    def age() -> int:
        """Seconds without a trade that the header shows; 0 where it shows none."""
        found = re.search(r"No trades for (\d+) (s|min)", header.inner_text())
        return 0 if not found else int(found[1]) * (60 if found[2] == "min" else 1)

    first = eventually(age, "the header shows the age")
    assert first >= 16
    expect(row).to_have_text(re.compile(r"^[3-9] min old$"))
    eventually(lambda: age() > first, "the age grows without a message")
    assert "no trades for a while" in terminal.row("ETH-USD").get_attribute("aria-label")
    for width, height, name in ((390, 844, "phone"), (1440, 900, "desktop")):
        page.set_viewport_size({"width": width, "height": height})
        terminal.painted()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        save_picture(page, f"{name}-stale")
    # A list that is loaded anew does not make a price new.
    page.evaluate("candlewire.store.load()")
    page.wait_for_function("() => candlewire.store.status === 'ready'")
    expect(row).to_be_visible()
    is_quiet = False
    expect(header).to_be_hidden()
    expect(row).to_be_hidden()


def test_a_stored_price_says_that_no_trade_has_come_yet(page: Page, simulated: Server) -> None:
    """It may be hours old, and looked like a live one until the silence was noticed."""
    is_waiting = True

    def quiet(socket) -> None:
        server = socket.connect_to_server()
        moving = ('"type":"tick"', '"type":"candle"', '"type":"skipped"', '"type":"stale"')
        server.on_message(lambda text: is_waiting and any(kind in text for kind in moving) or socket.send(text))

    def wait(route: Route) -> None:
        answer = route.fetch()
        reported = answer.json()
        for market in reported["markets"]:
            market["waiting"] = is_waiting
        route.fulfill(response=answer, json=reported)

    page.route_web_socket("**/v1/stream", quiet)
    page.route("**/v1/markets", wait)
    terminal = Terminal(page, simulated).open("BTC-USD/1m")
    header, row = page.locator("#header-stale"), terminal.row("BTC-USD")
    expect(header).to_have_text("No trade yet")
    expect(row.locator(".row-stale")).to_have_text("no trade yet")
    expect(row).to_have_attribute("title", "No trades since the server started.")
    assert row.get_attribute("aria-label").count("no trade yet") == 1
    # No age that began with the server.
    page.evaluate("candlewire.store.stale('BTC-USD', 16)")
    expect(header).to_have_text("No trade yet")
    is_waiting = False
    expect(header).to_be_hidden()
    expect(row.locator(".row-stale")).to_be_hidden()
