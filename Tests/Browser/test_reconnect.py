"""A drop leaves no hole: what the page shows afterwards is what the server has."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from support.comparison import assert_no_hole
from support.polling import eventually
from support.server import Server
from support.terminal import Terminal

PILL = "#status-pill"


@pytest.mark.parametrize("timeframe", ["1s", "1m"])
def test_a_restarted_server_leaves_no_hole(
    page: Page, start_server: Callable[..., Server], save_picture, timeframe: str
) -> None:
    server = start_server(feed="sim:BTC-USD,ETH-USD", flags=("--seed", "3"))
    terminal = Terminal(page, server).open(f"BTC-USD/{timeframe}")
    newest = terminal.bars()[-1]["timestamp"]
    for _ in range(2):
        server.stop()
        expect(page.locator(PILL)).to_have_attribute("data-state", re.compile("waiting|connecting"))
        expect(page.locator("#status-state")).to_contain_text("Reconnecting")
        expect(page.locator("#chart-banner")).to_contain_text("not live")
        save_picture(page, f"desktop-reconnecting-{timeframe}")
        server.start()
        # The pill is the button that does not wait for the next attempt; it may have come by itself meanwhile.
        page.evaluate("document.getElementById('status-pill').click()")
        expect(page.locator(PILL)).to_have_attribute("data-state", "open")
        expect(page.locator("#chart-banner")).to_be_hidden()
        before = page.locator("#header-price").inner_text()
        expect(page.locator("#header-price")).not_to_have_text(before)
        terminal.wait_until_live()
        assert_no_hole(terminal, "BTC-USD", timeframe)
    eventually(lambda: terminal.bars()[-1]["timestamp"] > newest, "the series goes on", within=150)
    assert_no_hole(terminal, "BTC-USD", timeframe)


def test_a_page_reconnects_by_itself(page: Page, start_server: Callable[..., Server]) -> None:
    server = start_server(feed="sim:BTC-USD")
    Terminal(page, server).open("BTC-USD/1m")
    server.stop()
    expect(page.locator(PILL)).to_have_attribute("data-state", re.compile("waiting|connecting"))
    server.start()
    expect(page.locator(PILL)).to_have_attribute("data-state", "open")
    expect(page.locator("#status-state")).to_have_text("Live")


def test_a_view_of_the_past_stays_where_it_is(page: Page, start_server: Callable[..., Server]) -> None:
    server = start_server(feed="sim:BTC-USD")
    terminal = Terminal(page, server).open("BTC-USD/1m")
    terminal.drag(700)
    first = terminal.bars()[terminal.chart("firstVisible")]["timestamp"]
    server.stop()
    expect(page.locator(PILL)).to_have_attribute("data-state", re.compile("waiting|connecting"))
    server.start()
    page.evaluate("document.getElementById('status-pill').click()")
    expect(page.locator(PILL)).to_have_attribute("data-state", "open")
    terminal.wait_until_live()
    assert_no_hole(terminal, "BTC-USD", "1m")
    assert terminal.bars()[terminal.chart("firstVisible")]["timestamp"] == first
    assert not terminal.chart("isFollowing()")


@pytest.mark.parametrize("event", ["online", "visibilitychange"])
def test_a_network_or_a_person_that_comes_back_does_not_wait(terminal: Terminal, event: str) -> None:
    sockets = []

    def through(socket) -> None:
        sockets.append(socket)
        socket.connect_to_server()

    page = terminal.page
    page.route_web_socket("**/v1/stream", through)
    terminal.open("BTC-USD/1m")
    sockets[-1].send('{"type":"closing","reconnect_after":600}')
    sockets[-1].close(code=1001)
    expect(page.locator("#status-state")).to_contain_text(re.compile(r"Reconnecting in [1-9]\d\d s"))
    if event == "online":
        page.evaluate("() => { dispatchEvent(new Event('offline')); dispatchEvent(new Event('online')); }")
    else:
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.wait_for_function("() => candlewire.session.opened === 2")


def test_a_cut_socket_leaves_no_hole(terminal: Terminal) -> None:
    """The network goes, the server stays: the stream recovers what was missed, or sends a snapshot."""
    terminal.page.add_init_script(
        """window.sockets = [];
        window.WebSocket = class extends WebSocket {
            constructor(...all) { super(...all); window.sockets.push(this); }
        };"""
    )
    terminal.open("SOL-USD/1s")
    for _ in range(3):
        opened = terminal.page.evaluate("candlewire.session.opened")
        terminal.page.evaluate("window.sockets.at(-1).close()")
        terminal.page.wait_for_function("opened => candlewire.session.opened > opened", arg=opened)
    newest = terminal.bars()[-1]["timestamp"]
    eventually(lambda: terminal.bars()[-1]["timestamp"] > newest + 2, "live again")
    assert_no_hole(terminal, "SOL-USD", "1s")


