"""A tab in the background."""

import time

import pytest
from playwright.sync_api import Page

from support.comparison import assert_no_hole
from support.frames import Frames
from support.polling import eventually
from support.server import Server
from support.terminal import Terminal

pytestmark = pytest.mark.serial

SHOW = """visible => {
    const value = visible ? 'visible' : 'hidden';
    Object.defineProperty(document, 'visibilityState', { value, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
}"""


def test_a_hidden_tab_slows_its_streams_and_returns_with_one_snapshot(page: Page, simulated: Server) -> None:
    frames = Frames(page)
    terminal = Terminal(page, simulated).open("ADA-USD/1s")
    terminal.wait_until_complete()
    streams = page.evaluate("candlewire.session.diagnostics.streams")
    assert streams == len(simulated.get("/v1/markets")["markets"])
    frames.clear()
    page.evaluate(SHOW, False)
    page.wait_for_function("() => candlewire.session.diagnostics.streams === 1")
    eventually(lambda: any(frame.get("max_rate") == 1 for frame in frames.sent), "the chart's stream is slowed")

    def left() -> set[str]:
        return {frame["symbol"] for frame in frames.sent if frame["action"] == "unsubscribe"}

    eventually(lambda: len(left() - {"ADA-USD"}) == streams - 1, "the rows of the list are silent")

    # At one update a second and kind, five seconds bring some ten messages and not fifty; bars that ended are exact.
    eventually(lambda: any(each["type"] == "subscribed" for each in frames.received), "the slow stream is answered")
    begun = time.monotonic()
    frames.clear()
    page.wait_for_timeout(5_000)

    def moving() -> list[str]:
        return [each["symbol"] for each in frames.received if each["type"] == "tick"]

    ticks = len(moving())
    assert ticks <= time.monotonic() - begun + 3
    # How often a quiet market trades is chance.
    eventually(lambda: len(moving()) >= 2, "the stream is slow, not silent")
    assert set(moving()) == {"ADA-USD"}

    newest = terminal.bars()[-1]
    frames.clear()
    page.evaluate(SHOW, True)
    eventually(lambda: terminal.bars()[-1]["timestamp"] > newest["timestamp"] + 2, "the chart goes on")
    assert_no_hole(terminal, "ADA-USD", "1s")
    assert frames.snapshots()["ADA-USD/1s"] == 1
    at = next(n for n, each in enumerate(frames.received) if each["type"] == "snapshot" and each["candles"])
    before = [each for each in frames.received[:at] if each["type"] in ("tick", "candle")]
    # A few of the slow stream may still come, more of them where the answer takes longer; a burst would be hundreds.
    assert len(before) <= 20, "no burst before the snapshot"
    assert frames.sockets == 1, "the connection stayed"
    assert page.evaluate("candlewire.session.diagnostics.streams") == streams


def test_a_hidden_tab_receives_the_markets_whose_alerts_wait(page: Page, simulated: Server) -> None:
    terminal = Terminal(page, simulated).open("ADA-USD/1m")
    terminal.wait_until_complete()
    price = page.evaluate("candlewire.store.markets.get('ETH-USD').price")
    page.evaluate("price => candlewire.objects.levels.addAlert('ETH-USD', price * 2)", price)
    page.evaluate(SHOW, False)
    page.wait_for_function("() => candlewire.session.diagnostics.streams === 2")
    page.evaluate(
        """() => {
            const { session } = candlewire;
            window.received = 0;
            session.addListener(({ symbol }, { kind }) => {
                received += symbol === 'ETH-USD' && kind === 'tick' ? 1 : 0;
            });
        }"""
    )
    eventually(lambda: page.evaluate("received"), "its trades come")
    page.evaluate("price => candlewire.store.trade('ETH-USD', price * 3, Date.now() / 1000)", price)
    assert page.evaluate("candlewire.objects.levels.of('ETH-USD').alerts[0].firedAt") is not None
    page.wait_for_function("() => candlewire.session.diagnostics.streams === 1")


def test_a_glance_at_another_tab_costs_nothing(page: Page, simulated: Server) -> None:
    frames = Frames(page)
    Terminal(page, simulated).open("ADA-USD/1m").wait_until_complete()
    frames.clear()
    # By the page's own timers, which keep their order on a busy machine: a tab counts as hidden after three seconds.
    page.evaluate(
        f"""async () => {{
            const show = {SHOW};
            show(false);
            await new Promise((done) => setTimeout(done, 1_000));
            show(true);
            await new Promise((done) => setTimeout(done, 3_500));
        }}"""
    )
    assert [each for each in frames.sent if each["action"] != "ping"] == []
    assert not frames.snapshots()


def test_a_page_opened_behind_others_begins_slowly(page: Page, simulated: Server) -> None:
    page.add_init_script(
        "Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })"
    )
    frames = Frames(page)
    terminal = Terminal(page, simulated).open("ADA-USD/1s")
    page.wait_for_function("() => candlewire.session.diagnostics.streams === 1")
    eventually(lambda: any(frame.get("max_rate") == 1 for frame in frames.sent), "the chart's stream is slowed")
    page.evaluate(SHOW, True)
    terminal.wait_until_complete()
    assert_no_hole(terminal, "ADA-USD", "1s")


STORE = """async () => {
    const { MarketStore } = await import('/stream/market-store.js');
    const answers = [];
    const pauses = [];
    window.fetch = () => new Promise((resolve) => answers.push(resolve));
    const setTimer = window.setTimeout;
    window.setTimeout = (work, pause, ...rest) => {
        if (String(work).includes('load()')) {
            pauses.push(pause);
            return 0;
        }
        return setTimer(work, pause, ...rest);
    };
    const answer = () => answers.pop()(Response.json({ markets: [], timeframes: [], feed: 'sim' }));
    const counts = [];
    const store = new MarketStore();
    let loading = store.load();
    store.pause();
    answer();
    await loading;
    counts.push(pauses.length);
    // A request for the list in a hidden page is answered, once.
    loading = store.load();
    answer();
    await loading;
    counts.push(pauses.length);
    loading = store.resume();
    answer();
    await loading;
    counts.push(pauses.length);
    // Hidden and seen again while one load lasts: it is refreshed again.
    loading = store.load();
    store.pause();
    store.resume();
    answer();
    await loading;
    counts.push(pauses.length);
    return { counts, status: store.status, open: answers.length };
}"""


def test_a_list_that_loads_while_the_tab_is_hidden_is_not_refreshed(page: Page, simulated: Server) -> None:
    Terminal(page, simulated).open("ADA-USD/1m").wait_until_complete()
    assert page.evaluate(STORE) == {"counts": [0, 0, 1, 2], "status": "ready", "open": 0}
