"""The session of the page: the machine in WebAssembly behind its shell.

Sockets are scripted, and the clock only moves when the test moves it.
"""

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from support.server import Server

SESSION = """async seed => {
    class ScriptedSocket {
        static all = [];
        readyState = 0;
        sent = [];
        constructor(url) { this.url = url; ScriptedSocket.all.push(this); }
        open() { this.readyState = 1; this.onopen?.({}); }
        receive(message) { this.receiveText(JSON.stringify(message)); }
        receiveText(data) { this.onmessage?.({ data }); }
        send(text) { this.sent.push(JSON.parse(text)); }
        close(code = 1000) { if (this.readyState !== 3) { this.readyState = 3; this.onclose?.({ code, reason: '' }); } }
    }
    window.WebSocket = ScriptedSocket;
    window.sockets = ScriptedSocket.all;
    crypto.getRandomValues = words => words.fill(seed);
    const { Session } = await import('/stream/session.js');
    const { Engine } = await import('/engine/engine.js');
    window.engine = await Engine.load('/candlewire.wasm');
    window.session = new Session('ws://example.test/v1/stream');
    window.states = [];
    window.received = [];
    session.addEventListener('state', () => states.push(session.state));
    session.addListener(({ symbol }, event) => received.push({ ...event, symbol }));
    window.requested = socket => socket.sent.filter(({ action }) => action === 'subscribe');
}"""

BTC = {"symbol": "BTC-USD", "timeframe": "1m", "history": 1000, "maxRate": 30}
ETH = {"symbol": "ETH-USD", "timeframe": "1m", "history": 0, "maxRate": 4}
BTC_STREAM = {"symbol": "BTC-USD", "timeframe": "1m"}
CANDLE = {"timestamp": 1_732_129_980, "open": 2, "high": 4, "low": 1, "close": 3, "volume": 5}


@pytest.fixture
def page(new_page: Callable[..., Page]) -> Page:
    """Its clock is the test's."""
    return new_page(is_kept=False)


@pytest.fixture
def machine(page: Page, simulated: Server) -> Page:
    """A page with nothing in it but a session (`session`), its sockets (`sockets`) and its `states`."""
    page.goto(f"{simulated.address}/health")
    page.clock.install(time=0)
    page.clock.pause_at(1_000)
    page.evaluate(SESSION, 7)
    return page


def start(machine: Page, *subscriptions: dict) -> None:
    """Connects with these subscriptions; the first socket is open then."""
    machine.evaluate("all => { session.setSubscriptions(all); session.attach(engine); }", list(subscriptions))
    machine.evaluate("sockets[0].open()")


def receive(machine: Page, *messages: dict) -> None:
    machine.evaluate("all => all.forEach(each => sockets.at(-1).receive(each))", list(messages))


def answers(machine: Page, offset: int, *, epoch: str = "k3x9", recovered: bool = False) -> list[dict]:
    """What a server says to the newest socket's first subscription."""
    request = machine.evaluate("requested(sockets.at(-1))[0]")
    position = {"epoch": epoch, "offset": offset}
    subscribed = {"type": "subscribed", "id": request["id"], "recovered": recovered, **BTC_STREAM, **position}
    snapshot = {"type": "snapshot", "candles": [CANDLE], **BTC_STREAM, **position}
    return [subscribed] if recovered else [subscribed, snapshot]


def tick(offset: int, price: float = 2.5) -> dict:
    return {"type": "tick", "timestamp": 1_732_130_000.25, "price": price, "volume": 1, "offset": offset, **BTC_STREAM}


def pauses(machine: Page, failures: int) -> list[float]:
    """The pauses, in seconds, after `failures` attempts in a row that fail."""
    waits = []
    for _ in range(failures):
        machine.evaluate("sockets.at(-1).close(1006)")
        waits.append(machine.evaluate("session.retryAt - performance.now()") / 1000)
        machine.clock.run_for(int(waits[-1] * 1000) + 50)
    assert machine.evaluate("sockets.length") == failures + 1, "one attempt after each pause"
    return waits


def test_nothing_happens_before_the_machine_is_there(machine: Page) -> None:
    machine.evaluate("all => { session.setSubscriptions(all); session.retry(); session.setHidden(false); }", [BTC])
    assert machine.evaluate("[session.state, sockets.length, session.diagnostics]") == ["idle", 0, None]
    machine.evaluate("session.attach(engine)")
    assert machine.evaluate("[states, sockets.length]") == [["connecting"], 1]


def test_a_visible_page_waits_three_seconds_at_most_for_each_of_six_attempts(machine: Page) -> None:
    longest = [2, 3, 3, 3, 3, 3, 30, 30, 30, 30]
    machine.evaluate("session.attach(engine)")
    waits = pauses(machine, 12)
    assert all(0 <= wait <= most for wait, most in zip(waits, longest, strict=False)), waits
    assert waits[10:] == pytest.approx([60, 60], abs=0.01)


def test_pauses_double_up_to_thirty_seconds_in_a_hidden_page(machine: Page) -> None:
    machine.evaluate("session.attach(engine)")
    machine.evaluate("session.setHidden(true)")
    longest = [2, 4, 8, 16, 30, 30, 30, 30, 30, 30]
    waits = pauses(machine, 11)
    assert all(0 <= wait <= most for wait, most in zip(waits, longest, strict=False)), waits
    assert max(waits[:6]) > 3
    assert waits[10] == pytest.approx(60, abs=0.01)


def test_two_pages_do_not_come_back_together(page: Page, simulated: Server) -> None:
    page.goto(f"{simulated.address}/health")
    page.clock.install(time=0)
    page.clock.pause_at(1_000)
    seen = set()
    for seed in range(8):
        page.evaluate(SESSION, seed)
        page.evaluate("() => { session.attach(engine); sockets.at(-1).close(1006); }")
        seen.add(page.evaluate("session.retryAt"))
    assert len(seen) == 8


def test_the_counter_is_reset_by_ten_stable_seconds_and_not_by_connecting(machine: Page) -> None:
    machine.evaluate("session.attach(engine)")
    pauses(machine, 4)
    machine.evaluate("sockets.at(-1).open()")
    machine.clock.run_for(4_000)
    assert machine.evaluate("session.diagnostics.attempts") == 4
    machine.clock.run_for(7_000)
    assert machine.evaluate("session.diagnostics.attempts") == 0


def test_one_socket_at_a_time_whatever_people_click(machine: Page) -> None:
    machine.evaluate("() => { session.attach(engine); session.retry(); session.retry(); }")
    assert machine.evaluate("sockets.length") == 1
    machine.evaluate("() => { sockets[0].open(); session.retry(); session.setNetwork(true); }")
    assert machine.evaluate("[sockets.length, states]") == [1, ["connecting", "open"]]
    machine.evaluate("() => { sockets[0].close(1006); session.retry(); session.retry(); }")
    assert machine.evaluate("[sockets.length, states.slice(2)]") == [2, ["waiting", "connecting"]]
    machine.clock.run_for(5_000)
    assert machine.evaluate("sockets.length") == 2, "the timer of the wait is gone"


def test_an_intentional_close_stays_closed_until_the_next_connect(machine: Page) -> None:
    start(machine)
    machine.evaluate("session.close()")
    machine.clock.run_for(120_000)
    assert machine.evaluate("[session.state, sockets.length, sockets[0].readyState]") == ["closed", 1, 3]
    machine.evaluate("session.retry()")
    assert machine.evaluate("[session.state, sockets.length]") == ["connecting", 2]


def test_a_wait_can_be_ended_for_good(machine: Page) -> None:
    start(machine)
    machine.evaluate("() => { sockets[0].close(1006); session.close(); }")
    machine.clock.run_for(120_000)
    assert machine.evaluate("[session.state, sockets.length]") == ["closed", 1]


@pytest.mark.parametrize(
    ("code", "state"),
    [(1000, "waiting"), (1001, "waiting"), (1006, "waiting"), (1012, "waiting"), (4008, "waiting"), (4099, "waiting"),
     (4100, "failed"), (4199, "failed"), (1002, "waiting"), (1003, "failed"), (1008, "failed")],
)  # fmt: skip
def test_the_close_code_decides_about_coming_back(machine: Page, code: int, state: str) -> None:
    start(machine)
    machine.evaluate("code => sockets[0].close(code)", code)
    assert machine.evaluate("session.state") == state
    machine.evaluate("session.retry()")
    assert machine.evaluate("session.state") == "connecting", "a person may try whatever the code was"


def test_a_server_that_goes_says_how_long_to_stay_away(machine: Page) -> None:
    start(machine)
    receive(machine, {"type": "closing", "reconnect_after": 7})
    machine.evaluate("sockets[0].close(1001)")
    assert 6_990 <= machine.evaluate("session.retryAt - performance.now()") <= 8_000


def test_a_ping_without_an_answer_ends_the_connection(machine: Page) -> None:
    start(machine)
    machine.clock.run_for(5_100)
    pings = machine.evaluate("sockets[0].sent.filter(({ action }) => action === 'ping').length")
    assert pings == 1
    assert machine.evaluate("session.state") == "open"
    machine.clock.run_for(7_000)
    assert machine.evaluate("session.state") == "open"
    machine.clock.run_for(1_500)
    assert machine.evaluate("session.state") == "waiting"
    assert machine.evaluate("session.diagnostics.problem") == "no answer to a ping"
    assert machine.evaluate("sockets[0].readyState") == 3


def test_an_answered_ping_measures_the_way(machine: Page) -> None:
    start(machine)
    machine.clock.run_for(5_020)
    ping = machine.evaluate("sockets[0].sent.find(({ action }) => action === 'ping')")
    machine.clock.run_for(40)
    receive(machine, {"type": "pong", "id": ping["id"]})
    assert machine.evaluate("session.latency") == pytest.approx(50, abs=30)
    machine.clock.run_for(9_000)
    assert machine.evaluate("session.state") == "open"


def test_an_attempt_that_hangs_is_given_up(machine: Page) -> None:
    machine.evaluate("session.attach(engine)")
    machine.clock.run_for(10_100)
    assert machine.evaluate("session.state") == "waiting"
    assert machine.evaluate("sockets[0].readyState") == 3


def test_messages_of_an_abandoned_socket_are_ignored(machine: Page) -> None:
    machine.evaluate("session.attach(engine)")
    machine.clock.run_for(10_100)
    machine.evaluate("sockets[0].open()")
    assert machine.evaluate("session.state") == "waiting"


def test_subscriptions_are_desired_state(machine: Page) -> None:
    start(machine, BTC, ETH)
    sent = machine.evaluate("sockets[0].sent")
    assert [{key: value for key, value in frame.items() if key != "id"} for frame in sent] == [
        {"action": "subscribe", "symbol": "BTC-USD", "timeframe": "1m", "history": 1000, "max_rate": 30},
        {"action": "subscribe", "symbol": "ETH-USD", "timeframe": "1m", "history": 0, "max_rate": 4},
    ]
    # The same again says nothing; another one says only the difference.
    machine.evaluate("([a, b]) => { sockets[0].sent = []; session.setSubscriptions([b, a]); }", [BTC, ETH])
    assert machine.evaluate("sockets[0].sent") == []
    receive(machine, *answers_to_all(machine, [BTC, ETH], sent))
    machine.evaluate("([a]) => session.setSubscriptions([a])", [BTC])
    (left,) = machine.evaluate("sockets[0].sent")
    assert (left["action"], left["symbol"], left["timeframe"]) == ("unsubscribe", "ETH-USD", "1m")


def answers_to_all(machine: Page, subscriptions: list[dict], sent: list[dict]) -> list[dict]:
    return [
        {"type": kind, "id": frame["id"], "symbol": each["symbol"], "timeframe": "1m", "epoch": "k", "offset": 0,
         **({"candles": []} if kind == "snapshot" else {"recovered": False})}
        for each, frame in zip(subscriptions, sent, strict=True)
        for kind in ("subscribed", "snapshot")
    ]  # fmt: skip


def test_messages_arrive_as_numbers(machine: Page) -> None:
    start(machine, BTC)
    forming = {"type": "candle", **CANDLE, "final": False, "revision": 0, "quality": "complete", "offset": 814}
    receive(machine, *answers(machine, 812), tick(813), forming | BTC_STREAM)
    reported = machine.evaluate("received")
    expected = [
        {"kind": "subscribed", "recovered": False},
        {"kind": "snapshot", "reason": "first", "count": 1, "close": 3},
        {"kind": "tick", "timestamp": 1_732_130_000.25, "price": 2.5, "volume": 1},
        {"kind": "candle", **CANDLE, "final": False, "revision": 0, "quality": "complete"},
    ]
    assert reported == [{"subscription": 1, "symbol": "BTC-USD", **each} for each in expected]


def test_the_charted_stream_feeds_the_chart_inside_the_engine(machine: Page) -> None:
    machine.evaluate("() => { window.chart = engine.createChart(); chart.setTimeframe(3); }")
    machine.evaluate(
        "all => { session.setSubscriptions(all); session.attach(engine, chart); }", [BTC | {"isCharted": True}, ETH]
    )
    machine.evaluate("sockets[0].open()")
    subscribed, snapshot = answers(machine, 812)
    eth = {"symbol": "ETH-USD", "timeframe": "1m"}
    receive(machine, subscribed, tick(813, 9) | {"offset": 812})
    assert machine.evaluate("chart.count") == 0, "no trade begins a series before its snapshot"
    receive(machine, snapshot, tick(813, 3.5), tick(1, 99) | eth)
    assert machine.evaluate("[chart.count, chart.bar(0).close, chart.drawn.newsPrice]") == [1, 3.5, 3.5]
    final = {"type": "candle", **CANDLE, "close": 4, "final": True, "revision": 0, "quality": "complete", "offset": 814}
    receive(machine, final | BTC_STREAM)
    assert machine.evaluate("chart.bar(0)") == {**CANDLE, "close": 4}
    # A new beginning without bars: the old ones stay until the first trade.
    receive(machine, {"type": "snapshot", "candles": [], **BTC_STREAM, "epoch": "next", "offset": 0})
    assert machine.evaluate("chart.count") == 1
    receive(machine, tick(1, 7))
    assert machine.evaluate("[chart.count, chart.bar(0).open]") == [1, 7]
    machine.evaluate("all => session.setSubscriptions(all)", [BTC, ETH])
    receive(machine, tick(2, 8))
    assert machine.evaluate("chart.bar(0).close") == 7, "a stream that is no longer charted feeds no chart"


def drop_and_return(machine: Page) -> None:
    machine.evaluate("sockets.at(-1).close(1006)")
    machine.clock.run_for(4_000)
    machine.evaluate("sockets.at(-1).open()")


def test_a_reconnect_restores_and_requests_what_was_missed(machine: Page) -> None:
    start(machine, BTC)
    restored = "() => requested(sockets.at(-1))[0].recover ?? null"
    receive(machine, answers(machine, 812)[0])
    drop_and_return(machine)
    assert machine.evaluate(restored) is None, "an answer without its snapshot is no position"
    receive(machine, *answers(machine, 812), tick(813))
    drop_and_return(machine)
    assert machine.evaluate(restored) == {"epoch": "k3x9", "offset": 813}
    receive(machine, *answers(machine, 815, recovered=True), tick(814), tick(815), tick(815))
    assert machine.evaluate("received.filter(({ kind }) => kind === 'tick').length") == 3
    seen = machine.evaluate("session.diagnostics")
    assert (seen["recovered"], seen["reloaded"], seen["duplicates"]) == (1, 0, 1)
    drop_and_return(machine)
    receive(machine, *answers(machine, 3, epoch="next"))
    assert machine.evaluate("received.at(-1).reason") == "reloaded"
    assert machine.evaluate("session.diagnostics.reloaded") == 1


def test_an_unreported_gap_is_mended_by_a_snapshot(machine: Page) -> None:
    start(machine, BTC)
    skipped = {"type": "skipped", "count": 2, **BTC_STREAM}
    receive(machine, *answers(machine, 10), skipped, tick(13))
    assert machine.evaluate("[received.at(-1).kind, session.diagnostics.skipped]") == ["tick", 2]
    machine.evaluate("() => { sockets[0].sent = []; }")
    receive(machine, tick(15))
    assert machine.evaluate("received.at(-1).kind") == "gap"
    machine.clock.run_for(2_000)
    (again,) = machine.evaluate("requested(sockets[0])")
    assert "recover" not in again
    receive(machine, *answers(machine, 15))
    assert machine.evaluate("[received.at(-1).kind, received.at(-1).reason]") == ["snapshot", "gap"]


def test_a_hidden_page_slows_down_and_returns_with_one_snapshot(machine: Page) -> None:
    start(machine, BTC)
    receive(machine, *answers(machine, 10))
    machine.evaluate("() => { sockets[0].sent = []; session.setHidden(true); }")
    slow = machine.evaluate("requested(sockets[0])")
    assert [frame["max_rate"] for frame in slow] == [1]
    machine.evaluate("() => { sockets[0].sent = []; received.length = 0; session.setHidden(false); }")
    (back,) = machine.evaluate("requested(sockets[0])")
    assert (back["max_rate"], back["history"], back.get("recover")) == (30, 1000, None)


def test_a_quiet_symbol_becomes_stale_and_fresh_again(machine: Page) -> None:
    start(machine, BTC)
    receive(machine, *answers(machine, 10), tick(11))
    machine.evaluate("() => { received.length = 0; }")
    receive(machine, {"type": "stale", "symbol": "BTC-USD", "age": 16.5})
    assert machine.evaluate("received.map(({ kind, age }) => [kind, age])") == [["stale", 16.5]]
    receive(machine, tick(12))
    assert machine.evaluate("received.slice(1).map(({ kind }) => kind).sort()") == ["fresh", "tick"]


def test_a_refused_stream_says_why(machine: Page) -> None:
    start(machine, BTC)
    request = machine.evaluate("requested(sockets[0])[0]")
    refusal = {"type": "error", "id": request["id"], "code": "unknown_symbol", "message": "There is no “BTC-USD” here."}
    receive(machine, refusal)
    event = machine.evaluate("received.at(-1)")
    assert (event["kind"], event["code"], event["message"]) == ("refused", refusal["code"], refusal["message"])


HOSTILE = [
    "",
    "{",
    "null",
    "7",
    "[]",
    '{"type":3}',
    '{"type":"tick"}',
    '{"type":"something","else":[1,{"a":null}]}',
    '{"type":"pong","id":1e15}',
    '{"type":"pong","id":9007199254740993}',
    '{"type":"skipped","symbol":"BTC-USD","timeframe":"1m","count":99999999999}',
    '{"type":"skipped","symbol":"BTC-USD","timeframe":"1m","count":-5}',
    '{"type":"closing","reconnect_after":1e308}',
    '{"type":"closing","reconnect_after":-1}',
    '{"type":"stale","symbol":"BTC-USD","age":1e308}',
    '{"type":"snapshot","symbol":"BTC-USD","timeframe":"1m","candles":[],"epoch":"k","offset":1e300}',
    '{"type":"tick","symbol":"BTC-USD","timeframe":"1m","timestamp":1,"price":2,"volume":1,"offset":4294967296}',
    '{"type":"tick","symbol":"BTC-USD","timeframe":"1m","timestamp":1,"price":2,"volume":1,"offset":-2147483648}',
    '{"type":"tick","symbol":"BTC-USD","timeframe":"1m","timestamp":1e300,"price":2,"volume":1,"offset":2147483647}',
    "[" * 100_000,
    '{"a":' * 100_000,
    '{"type":"unknown","text":"' + "\U0001f56f" * 50_000 + '"}',
]


def test_hostile_messages_cost_only_themselves(machine: Page) -> None:
    start(machine, BTC)
    receive(machine, *answers(machine, 10))
    machine.evaluate("all => all.forEach(text => sockets[0].receiveText(text))", HOSTILE)
    machine.evaluate("sockets[0].receiveText(new ArrayBuffer(4))")
    assert machine.evaluate("session.state") == "open"
    # The stream goes on; where a hole was claimed, after a snapshot.
    machine.clock.run_for(11_000)
    machine.evaluate("() => { received.length = 0; }")
    receive(machine, *answers_to_newest(machine, 20), tick(21))
    assert machine.evaluate("received.at(-1)?.kind") == "tick"
    assert machine.complaints == []


def answers_to_newest(machine: Page, offset: int) -> list[dict]:
    request = machine.evaluate("requested(sockets.at(-1)).at(-1)")
    position = {"epoch": "k9", "offset": offset, **BTC_STREAM}
    return [
        {"type": "subscribed", "id": request["id"], "recovered": False, **position},
        {"type": "snapshot", "candles": [CANDLE], **position},
    ]


def test_a_long_session_does_not_grow(machine: Page) -> None:
    """Memory after 200,000 messages is what it was after 20,000."""
    start(machine, BTC)
    receive(machine, *answers(machine, 0))
    feed = """([from, to, head, tail]) => {
        for (let offset = from; offset <= to; offset += 1) sockets[0].receiveText(head + offset + tail);
        received.length = 0;
        return engine.exports.memory.buffer.byteLength;
    }"""
    head, tail = json.dumps(tick(0)).replace('"offset": 0', '"offset": @').split("@")
    before = machine.evaluate(feed, [1, 20_000, head, tail])
    after = machine.evaluate(feed, [20_001, 200_000, head, tail])
    assert after == before
    assert machine.evaluate("session.diagnostics.messagesIn") >= 200_000
