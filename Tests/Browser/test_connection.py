"""The connection as a machine: a scripted socket and a clock that only moves when told to."""

import pytest
from playwright.sync_api import Page

from support.server import Server

MACHINE = """async () => {
    class ScriptedSocket {
        static OPEN = 1;
        static all = [];
        readyState = 0;
        sent = [];
        constructor(url) { this.url = url; ScriptedSocket.all.push(this); }
        open() { this.readyState = 1; this.onopen({}); }
        receive(message) { this.onmessage({ data: JSON.stringify(message) }); }
        send(text) { this.sent.push(JSON.parse(text)); }
        close(code = 1000) { if (this.readyState !== 3) { this.readyState = 3; this.onclose({ code, reason: '' }); } }
    }
    window.WebSocket = ScriptedSocket;
    window.sockets = ScriptedSocket.all;
    const { Connection } = await import('/stream/connection.js');
    window.jitter = 0.5;
    window.connection = new Connection('ws://example.test/v1/stream', () => window.jitter);
    window.states = [];
    connection.addEventListener('state', () => states.push(connection.state));
}"""


@pytest.fixture
def machine(page: Page, simulated: Server) -> Page:
    """A page with nothing in it but a connection (`connection`), its sockets (`sockets`) and its `states`."""
    page.goto(f"{simulated.address}/health")
    page.clock.install(time=0)
    page.clock.pause_at(1_000)
    page.evaluate(MACHINE)
    return page


def pauses(machine: Page, failures: int) -> list[float]:
    """The pauses, in seconds, after `failures` attempts in a row that fail."""
    machine.evaluate("connection.connect()")
    waits = []
    for _ in range(failures):
        waits.append(
            machine.evaluate("() => { sockets.at(-1).close(1006); return connection.retryAt - performance.now(); }")
            / 1000
        )
        machine.clock.run_for(int(waits[-1] * 1000) + 50)
    return waits


HIDDEN = "Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })"


def test_somebody_who_looks_waits_three_seconds_at_most_for_each_of_six_attempts(machine: Page) -> None:
    expected = [0.5, 1, 1.5, 1.5, 1.5, 1.5, 15, 15, 15, 15, 60]
    assert pauses(machine, len(expected)) == pytest.approx(expected, abs=0.01)


def test_pauses_double_up_to_thirty_seconds_and_then_a_minute(machine: Page) -> None:
    machine.evaluate(HIDDEN)
    expected = [0.5, 1, 2, 4, 8, 15, 15, 15, 15, 15, 60, 60]
    assert pauses(machine, len(expected)) == pytest.approx(expected, abs=0.01)
    assert machine.evaluate("sockets.length") == len(expected) + 1


def test_jitter_is_full_from_the_first_retry(machine: Page) -> None:
    machine.evaluate("window.jitter = 0.02")
    assert pauses(machine, 3) == pytest.approx([0.02, 0.04, 0.06], abs=0.005)


def test_the_counter_is_reset_by_ten_stable_seconds_and_not_by_connecting(machine: Page) -> None:
    pauses(machine, 4)
    machine.evaluate("sockets.at(-1).open()")
    machine.clock.run_for(4_000)
    assert machine.evaluate("connection.attempt") == 4
    machine.evaluate("sockets.at(-1).receive({ type: 'pong', id: 1 })")
    machine.clock.run_for(7_000)
    assert machine.evaluate("connection.attempt") == 0


def test_an_intentional_close_never_reconnects(machine: Page) -> None:
    machine.evaluate("() => { connection.connect(); sockets[0].open(); connection.close(); }")
    machine.clock.run_for(600_000)
    assert machine.evaluate("states") == ["connecting", "open", "closed"]
    assert machine.evaluate("sockets.length") == 1


def test_a_close_while_waiting_cancels_the_attempt(machine: Page) -> None:
    machine.evaluate("() => { connection.connect(); sockets[0].close(1006); connection.close(); }")
    machine.clock.run_for(600_000)
    assert machine.evaluate("[states, sockets.length]") == [["connecting", "waiting", "closed"], 1]


@pytest.mark.parametrize(
    ("code", "state"),
    [(1000, "waiting"), (1001, "waiting"), (1006, "waiting"), (1012, "waiting"), (4008, "waiting"), (4099, "waiting"),
     (4100, "closed"), (4199, "closed"), (1002, "closed"), (1008, "closed")],
)  # fmt: skip
def test_the_close_code_decides_about_coming_back(machine: Page, code: int, state: str) -> None:
    machine.evaluate("code => { connection.connect(); sockets[0].open(); sockets[0].close(code); }", code)
    assert machine.evaluate("connection.state") == state


def test_a_server_that_goes_says_how_long_to_stay_away(machine: Page) -> None:
    machine.evaluate(
        """() => { connection.connect(); sockets[0].open(); sockets[0].receive({ type: 'closing', reconnect_after: 7 });
        sockets[0].close(1001); }"""
    )
    assert machine.evaluate("connection.retryAt - performance.now()") == pytest.approx(7_500, abs=10)


def test_a_ping_without_an_answer_ends_the_connection(machine: Page) -> None:
    machine.evaluate("() => { connection.connect(); sockets[0].open(); }")
    assert machine.evaluate("sockets[0].sent") == [{"action": "ping", "id": 1}]
    machine.clock.run_for(7_900)
    assert machine.evaluate("connection.state") == "open"
    machine.clock.run_for(200)
    assert machine.evaluate("connection.state") == "waiting"
    assert machine.evaluate("connection.reason") == "no answer to a ping"


def test_pings_come_every_five_seconds_and_measure_the_way(machine: Page) -> None:
    machine.evaluate("() => { connection.connect(); sockets[0].open(); }")
    machine.clock.run_for(40)
    machine.evaluate("sockets[0].receive({ type: 'pong', id: 1 })")
    assert machine.evaluate("connection.latency") == pytest.approx(40, abs=5)
    machine.clock.run_for(5_000)
    assert machine.evaluate("sockets[0].sent.map(({ id }) => id)") == [1, 2]


def test_an_attempt_that_hangs_is_given_up(machine: Page) -> None:
    machine.evaluate("connection.connect()")
    machine.clock.run_for(10_100)
    assert machine.evaluate("connection.state") == "waiting"


def test_subscriptions_are_desired_state(machine: Page) -> None:
    btc = {"symbol": "BTC-USD", "timeframe": "1m", "history": 1000, "maxRate": 60, "recovers": True}
    eth = {"symbol": "ETH-USD", "timeframe": "1m", "history": 0, "maxRate": 4}
    machine.evaluate(
        "([a, b]) => { connection.setSubscriptions([a, b]); connection.connect(); sockets[0].open(); }", [btc, eth]
    )
    sent = [frame for frame in machine.evaluate("sockets[0].sent") if frame["action"] != "ping"]
    assert sent == [
        {
            "action": "subscribe",
            "symbol": "BTC-USD",
            "timeframe": "1m",
            "id": sent[0]["id"],
            "history": 1000,
            "max_rate": 60,
        },
        {
            "action": "subscribe",
            "symbol": "ETH-USD",
            "timeframe": "1m",
            "id": sent[1]["id"],
            "history": 0,
            "max_rate": 4,
        },
    ]
    # The same again says nothing; another one says only the difference.
    machine.evaluate("([a, b]) => { sockets[0].sent = []; connection.setSubscriptions([b, a]); }", [btc, eth])
    assert machine.evaluate("sockets[0].sent") == []
    machine.evaluate("([a]) => connection.setSubscriptions([a])", [btc])
    assert machine.evaluate("sockets[0].sent") == [{"action": "unsubscribe", "symbol": "ETH-USD", "timeframe": "1m"}]


def test_a_reconnect_restores_and_asks_for_what_was_missed(machine: Page) -> None:
    btc = {"symbol": "BTC-USD", "timeframe": "1m", "history": 1000, "recovers": True}
    stream = {"symbol": "BTC-USD", "timeframe": "1m"}
    answer = {"type": "subscribed", "epoch": "k3x9", "offset": 812, **stream}
    snapshot = {"type": "snapshot", "epoch": "k3x9", "offset": 812, "candles": [], **stream}
    tick = {"type": "tick", "symbol": "BTC-USD", "timestamp": 1.5, "price": 2, "volume": 1, "offset": 813}
    machine.evaluate("a => { connection.setSubscriptions([a]); connection.connect(); sockets[0].open(); }", btc)
    restored = "() => sockets.at(-1).sent.find(({ action }) => action === 'subscribe').recover ?? null"

    def drop_and_return() -> None:
        machine.evaluate("sockets.at(-1).close(1006)")
        machine.clock.run_for(40_000)
        machine.evaluate("sockets.at(-1).open()")

    machine.evaluate("m => sockets.at(-1).receive(m)", answer)
    drop_and_return()
    assert machine.evaluate(restored) is None, "an answer without its snapshot is no position"
    machine.evaluate("all => all.forEach(m => sockets.at(-1).receive(m))", [answer, snapshot, tick])
    drop_and_return()
    assert machine.evaluate(restored) == {"epoch": "k3x9", "offset": 813}


def test_bytes_that_are_no_message_cost_only_themselves(machine: Page) -> None:
    machine.evaluate(
        """() => {
            window.heard = [];
            connection.addEventListener('message', ({ detail }) => heard.push(detail.type));
            connection.connect();
            sockets[0].open();
            for (const data of ['', '{', 'null', '7', '[]', '{"type":3}', new ArrayBuffer(4), '{"type":"tick"}'])
                sockets[0].onmessage({ data });
        }"""
    )
    assert machine.evaluate("[heard, connection.state]") == [["tick"], "open"]
