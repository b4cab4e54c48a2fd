"""A drop leaves no hole: what the page shows afterwards is what the server has."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from support.polling import eventually
from support.server import Server
from support.terminal import Terminal

PILL = "#status-pill"


def holes(terminal: Terminal, symbol: str, timeframe: str) -> list[str]:
    """How the closed bars in the engine differ from the server's. The newest two may still be on their way."""
    closed = {bar["timestamp"]: bar for bar in terminal.bars()[:-2]}
    if not closed:
        return ["the page has no closed bar"]
    candles = terminal.server.candles(symbol, timeframe, min(closed), max(closed))
    server = {candle["timestamp"]: candle for candle in candles}
    return [
        f"at {at:.0f}: page {closed.get(at)}, server {server.get(at)}"
        for at in sorted(closed.keys() | server.keys())
        if closed.get(at) != server.get(at)
    ]


def assert_no_hole(terminal: Terminal, symbol: str, timeframe: str) -> None:
    """The page's series becomes the server's, bar for bar and digit for digit, within some seconds."""
    found: list[str] = []

    def is_equal() -> bool:
        found[:] = holes(terminal, symbol, timeframe)
        return not found

    try:
        eventually(is_equal, "the page's series is the server's")
    except AssertionError as error:
        raise AssertionError("\n".join([str(error), *found[:10]])) from None


@pytest.mark.parametrize("timeframe", ["1s", "1m"])
def test_a_restarted_server_leaves_no_hole(
    page: Page, start_server: Callable[..., Server], save_picture, timeframe: str
) -> None:
    server = start_server(feed="sim:BTC-USD,ETH-USD", flags=("--seed", "3"))
    terminal = Terminal(page, server).open(f"BTC-USD/{timeframe}")
    newest = terminal.bars()[-1]["timestamp"]
    for _ in range(2):
        server.stop()
        expect(page.locator(PILL)).to_have_attribute("data-state", re.compile("waiting|connecting"), timeout=10_000)
        expect(page.locator("#status-state")).to_contain_text("Reconnecting")
        expect(page.locator("#chart-banner")).to_contain_text("not live")
        save_picture(page, f"desktop-reconnecting-{timeframe}")
        server.start()
        # The pill is the button that does not wait for the next attempt; it may have come by itself meanwhile.
        page.evaluate("document.getElementById('status-pill').click()")
        expect(page.locator(PILL)).to_have_attribute("data-state", "open", timeout=35_000)
        expect(page.locator("#chart-banner")).to_be_hidden()
        before = page.locator("#header-price").inner_text()
        expect(page.locator("#header-price")).not_to_have_text(before, timeout=10_000)
        terminal.wait_until_live()
        assert_no_hole(terminal, "BTC-USD", timeframe)
    eventually(lambda: terminal.bars()[-1]["timestamp"] > newest, "the series goes on", within=65)
    assert_no_hole(terminal, "BTC-USD", timeframe)


def test_a_page_reconnects_by_itself(page: Page, start_server: Callable[..., Server]) -> None:
    server = start_server(feed="sim:BTC-USD")
    Terminal(page, server).open("BTC-USD/1m")
    server.stop()
    expect(page.locator(PILL)).to_have_attribute("data-state", re.compile("waiting|connecting"), timeout=10_000)
    server.start()
    expect(page.locator(PILL)).to_have_attribute("data-state", "open", timeout=60_000)
    expect(page.locator("#status-state")).to_have_text("Live")


def test_a_view_of_the_past_stays_where_it_is(page: Page, start_server: Callable[..., Server]) -> None:
    server = start_server(feed="sim:BTC-USD")
    terminal = Terminal(page, server).open("BTC-USD/1m")
    terminal.drag(700)
    first = terminal.bars()[terminal.chart("firstVisible")]["timestamp"]
    server.stop()
    expect(page.locator(PILL)).to_have_attribute("data-state", re.compile("waiting|connecting"), timeout=10_000)
    server.start()
    page.evaluate("document.getElementById('status-pill').click()")
    expect(page.locator(PILL)).to_have_attribute("data-state", "open", timeout=35_000)
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
    expect(page.locator("#status-state")).to_contain_text("Reconnecting in 6")
    page.evaluate("name => (name === 'online' ? window : document).dispatchEvent(new Event(name))", event)
    page.wait_for_function("() => candlewire.connection.opened === 2", timeout=5_000)


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
        opened = terminal.page.evaluate("candlewire.connection.opened")
        terminal.page.evaluate("window.sockets.at(-1).close()")
        terminal.page.wait_for_function("opened => candlewire.connection.opened > opened", arg=opened, timeout=35_000)
    newest = terminal.bars()[-1]["timestamp"]
    eventually(lambda: terminal.bars()[-1]["timestamp"] > newest + 2, "live again")
    assert_no_hole(terminal, "SOL-USD", "1s")


def test_a_hidden_tab_slows_its_streams_and_returns_with_one_snapshot(terminal: Terminal) -> None:
    sent, snapshots = [], []

    def listen(socket) -> None:
        socket.on("framesent", lambda text: sent.append(text))
        socket.on("framereceived", lambda text: snapshots.append(text) if '"snapshot"' in text else None)

    terminal.page.on("websocket", listen)
    terminal.open("ADA-USD/1s")
    show = """visible => {
        const value = visible ? 'visible' : 'hidden';
        Object.defineProperty(document, 'visibilityState', { value, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
    }"""
    terminal.page.evaluate(show, False)
    terminal.page.wait_for_function("() => candlewire.connection.subscriptions.size === 1", timeout=10_000)
    assert any('"max_rate":1' in text for text in sent)
    newest = terminal.bars()[-1]
    terminal.hear_ticks(3)
    assert terminal.bars()[-1] == newest, "a hidden chart takes no trades"
    snapshots.clear()
    terminal.page.evaluate(show, True)
    eventually(lambda: terminal.bars()[-1]["timestamp"] > newest["timestamp"], "the chart catches up")
    assert_no_hole(terminal, "ADA-USD", "1s")
    charts = [text for text in snapshots if '"ADA-USD"' in text]
    assert len(charts) == 1
