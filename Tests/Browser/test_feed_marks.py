"""What the stream reports of its own state, on the bars it concerns."""

import re

import pytest
from playwright.sync_api import Page, expect

from support.polling import eventually
from support.server import Server
from support.terminal import Terminal

# Colours of the marks at the foot of their bars.
COLOURS = {"stale": (0xB8, 0x86, 0x0B), "gap": (0xC4, 0x50, 0x3A), "corrected": (0x34, 0x78, 0xF6)}


@pytest.fixture
def quiet(page: Page, simulated: Server) -> Terminal:
    """A chart that the stream no longer changes: the test feeds it."""
    terminal = Terminal(page, simulated).open("BTC-USD/1h")
    terminal.silence()
    page.evaluate(
        """() => {
            const { chart, data, feedMarks } = candlewire;
            window.deliver = news => {
                const event = { subscription: 1, ...news };
                data.apply(chart.selection, event);
                feedMarks.apply(event, Date.now() / 1000);
            };
        }"""
    )
    return terminal


def foot(terminal: Terminal, timestamp: float) -> tuple[int, ...]:
    """The colour at the foot of the price pane, at the left edge of a bar's place: its volume is drawn over the rest."""
    terminal.painted()
    return tuple(
        terminal.page.evaluate(
            """timestamp => {
                const chart = candlewire.chart.engineChart;
                const { x } = chart.point(timestamp, 1);
                const { top, height } = chart.panes.place(0);
                const left = Math.round(x - chart.barSpacing / 2) + 1;
                const canvas = document.getElementById('chart-base');
                const { data } = canvas.getContext('2d').getImageData(left, Math.round(top + height) - 2, 1, 1);
                return [...data.slice(0, 3)];
            }""",
            timestamp,
        )
    )


def deliver(terminal: Terminal, **news: object) -> None:
    terminal.page.evaluate("news => deliver(news)", news)


def read(terminal: Terminal, steps: int) -> str:
    """The legend's sentence, so many bars before the newest."""
    terminal.page.locator("#chart").focus()
    terminal.page.keyboard.press("Escape")
    for _ in range(steps + 1):
        terminal.page.keyboard.press("ArrowLeft")
    terminal.painted()
    return terminal.page.locator("#legend").inner_text()


def reads(terminal: Terminal, words: str, times: int = 1) -> None:
    """The newest bar's sentence comes to say this, at the latest five seconds after the one before."""
    legend = terminal.page.locator("#legend")
    eventually(lambda: legend.inner_text().count(words) == times, f"“{words}” is read {times} times")


def silence(terminal: Terminal) -> int:
    """Seconds without a trade in the newest bar's sentence; 0 where it names none."""
    found = re.search(r"Stale: no trade for (\d+) (s|min)\.", terminal.page.locator("#legend").inner_text())
    return 0 if not found else int(found[1]) * (60 if found[2] == "min" else 1)


def test_a_corrected_bar_and_one_with_a_gap_are_marked_and_read(quiet: Terminal) -> None:
    bars = quiet.bars()
    for at, quality, revision in ((-6, "corrected", 2), (-4, "gap", 0)):
        deliver(quiet, kind="candle", **bars[at], final=True, quality=quality, revision=revision)
    assert foot(quiet, bars[-6]["timestamp"]) == COLOURS["corrected"]
    assert foot(quiet, bars[-4]["timestamp"]) == COLOURS["gap"]
    assert foot(quiet, bars[-5]["timestamp"]) not in COLOURS.values()
    assert read(quiet, 5).endswith("Corrected: late trades changed this bar 2 times after it was final.")
    assert read(quiet, 3).endswith("Gap: the feed was down during this bar.")
    assert "Gap" not in read(quiet, 4)


def test_a_stale_market_is_marked_until_it_ticks_again(quiet: Terminal) -> None:
    newest = quiet.bars()[-1]["timestamp"]
    deliver(quiet, kind="stale", age=30)
    assert foot(quiet, newest) == COLOURS["stale"]
    # It is reported once, and the mark grows with the silence, from thirty seconds on.
    first = eventually(lambda: silence(quiet), "it is read how long nothing was traded")
    assert first >= 30
    eventually(lambda: silence(quiet) > first, "the mark grows")
    deliver(quiet, kind="fresh")
    # It was stale then, and stays marked there; the next silence is another one.
    deliver(quiet, kind="stale", age=20)
    reads(quiet, "Stale: ", 2)


def test_lost_updates_are_marked_until_the_snapshot_and_merged_ones_never(quiet: Terminal) -> None:
    newest = quiet.bars()[-1]
    deliver(quiet, kind="skipped", count=17)
    assert quiet.page.evaluate("candlewire.feedMarks.isEmpty")
    deliver(quiet, kind="gap")
    assert foot(quiet, newest["timestamp"]) == COLOURS["gap"]
    reads(quiet, "Gap: messages were lost, reloading the bars.")
    quiet.page.evaluate("candlewire.feedMarks.apply({ kind: 'snapshot' }, 0)")
    assert foot(quiet, newest["timestamp"]) != COLOURS["gap"]


def test_marks_belong_to_their_stream(quiet: Terminal) -> None:
    deliver(quiet, kind="stale", age=30)
    quiet.page.get_by_role("button", name="Data table", exact=True).click()
    heads = quiet.page.get_by_role("columnheader")
    expect(heads.last).to_have_text("Feed")
    expect(quiet.page.locator(".data-table tbody tr").first).to_contain_text("Stale: no trade for 30 s.")
    quiet.page.evaluate("candlewire.terminal.choose({ symbol: 'ETH-USD' })")
    eventually(lambda: quiet.page.evaluate("candlewire.feedMarks.isEmpty"), "the marks went with their stream")


def test_the_streams_own_messages_make_marks(page: Page, simulated: Server) -> None:
    sockets, is_quiet = [], False

    def listen(socket) -> None:
        server = socket.connect_to_server()
        sockets.append(socket)
        moving = ('"type":"tick"', '"type":"candle"', '"type":"skipped"')
        server.on_message(lambda text: is_quiet and any(kind in text for kind in moving) or socket.send(text))

    page.route_web_socket("**/v1/stream", listen)
    terminal = Terminal(page, simulated).open("BTC-USD/1h")
    terminal.wait_until_complete()
    is_quiet = True
    sockets[-1].send('{"type":"stale","symbol":"BTC-USD","age":45.5}')
    newest = terminal.bars()[-1]["timestamp"]
    eventually(lambda: foot(terminal, newest) == COLOURS["stale"], "the newest bar is marked")
