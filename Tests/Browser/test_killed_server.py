"""The server is killed again and again (kill -9), and the page shows the truth all the time."""

import re
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from support.comparison import assert_no_hole
from support.frames import Frames
from support.pill import claims_of_life, faults, pill_history, watch_pill
from support.polling import eventually
from support.server import Server
from support.spoken import was_said
from support.terminal import Terminal

pytestmark = pytest.mark.long

KILLS = 20
# Seconds the page has to see that the server is gone: the system closes a killed process's sockets at once, but a busy
# machine lets the page wait for its turn.
DETECTION = 15.0
# A longer wait than this is what the pill's button is for.
MAX_WAIT = 3.0
# Seconds all of it may take, with twenty starts of the server on a machine that has much else to do.
BUDGET = 900.0


def reconnected(page: Page, opened: int) -> None:
    """Waits for a connection of its own making, and presses the pill where the page would wait longer."""

    def is_open() -> bool:
        remaining = page.evaluate("(candlewire.session.retryAt - performance.now()) / 1000")
        if remaining > MAX_WAIT:
            page.locator("#status-pill").click()
        return page.evaluate(f"candlewire.session.opened > {opened}")

    eventually(is_open, "the page reconnects")


def test_twenty_killed_servers_leave_no_trace(
    new_page: Callable[..., Page], start_server: Callable[..., Server], save_picture
) -> None:
    server = start_server(feed="sim:BTC-USD,ETH-USD,SOL-USD", flags=("--seed", "11"))
    seconds, minutes = (Terminal(new_page(), server) for _ in range(2))
    terminals = {"1s": seconds, "1m": minutes}
    frames = {timeframe: Frames(terminal.page) for timeframe, terminal in terminals.items()}
    for timeframe, terminal in terminals.items():
        watch_pill(terminal.page)
        terminal.open(f"BTC-USD/{timeframe}")
        terminal.wait_until_complete()
    newest = seconds.bars()[-1]["timestamp"]
    begun = time.monotonic()
    outages: list[tuple[float, float]] = []
    for _ in range(KILLS):
        for each in frames.values():
            each.clear()
        opened = {timeframe: each.page.evaluate("candlewire.session.opened") for timeframe, each in terminals.items()}
        server.kill()
        gone = time.time()
        for terminal in terminals.values():
            expect(terminal.page.locator("#status-state")).to_contain_text("Reconnecting")
        back = time.time()
        server.start()
        outages.append((gone, back))
        for timeframe, terminal in terminals.items():
            reconnected(terminal.page, opened[timeframe])
            terminal.wait_until_complete()
            terminal.wait_for_ticks(2)
        for timeframe, each in frames.items():
            counts = each.snapshots()
            assert set(counts.values()) == {1}, f"one snapshot for each stream of the {timeframe} page: {counts}"
            assert f"BTC-USD/{timeframe}" in counts
    took = time.monotonic() - begun
    assert took < BUDGET, f"{KILLS} outages took {took:.0f} s"

    for timeframe, terminal in terminals.items():
        assert_no_hole(terminal, "BTC-USD", timeframe)
        history = pill_history(terminal.page)
        assert faults(history) == []
        states = [each.state for each in history]
        assert states.count("waiting") >= KILLS
        assert terminal.page.evaluate("candlewire.session.opened") == KILLS + 1, "one connection after each outage"
        for gone, back in outages:
            assert claims_of_life(history, gone + DETECTION, back) == []
        assert frames[timeframe].sockets >= KILLS + 1
        # What a browser says of a connection that is refused is no error of the page.
        ours = [each for each in terminal.page.complaints if "ERR_CONNECTION" not in each and "failed: " not in each]
        assert ours == []
    assert seconds.bars()[-1]["timestamp"] > newest + KILLS
    save_picture(seconds.page, "desktop-after-twenty-outages")
    print(f"{KILLS} outages in {took:.0f} s")


def test_the_pill_and_the_banner_show_the_outage(
    page: Page, start_server: Callable[..., Server], save_picture
) -> None:
    server = start_server(feed="sim:BTC-USD,ETH-USD,SOL-USD")
    terminal = Terminal(page, server).open("BTC-USD/1m")
    terminal.wait_until_complete()
    pill, banner = page.locator("#status-pill"), page.locator("#chart-banner")
    for width, height, name in ((1440, 900, "desktop"), (390, 844, "phone")):
        page.set_viewport_size({"width": width, "height": height})
        terminal.painted()
        save_picture(page, f"{name}-live")
    server.kill()
    expect(pill).to_contain_text("Reconnecting")
    was_said(page, "Connection lost")
    expect(banner).to_contain_text("These prices are not live")
    assert "Last problem: the connection broke off" in pill.get_attribute("title")
    for width, height, name in ((390, 844, "phone"), (1440, 900, "desktop")):
        page.set_viewport_size({"width": width, "height": height})
        terminal.painted()
        save_picture(page, f"{name}-reconnecting")
    server.start()
    expect(page.locator("#status-state")).to_have_text("Live")
    expect(banner).to_be_hidden()
    was_said(page, "Connected again")
    # Each stream began anew, because the new server does not know the old one's positions.
    expect(pill).to_have_attribute("title", re.compile("recovered: 0, reloaded: 3, gaps: 0"))
    expect(pill).to_have_attribute("title", re.compile("Last problem: "))
