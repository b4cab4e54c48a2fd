"""Channels of the page's session: requested again after each connection, handed on as parsed objects.

Sockets are scripted, and the clock only moves when the test moves it; the last test has a real one.
"""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from support.polling import eventually
from support.scripted_stream import ScriptedStream
from support.server import Server
from test_session import BTC, SESSION, drop_and_return, receive, start

LISTEN = """() => {
    window.reported = [];
    window.refused = [];
    session.addEventListener('channel', ({ detail }) => reported.push(detail));
    session.addEventListener('channelrefused', ({ detail }) => refused.push(detail));
    window.channels = socket => socket.sent.filter(({ channel }) => channel);
}"""

ORDERS = {"channel": "orders", "account": "paper-main"}


@pytest.fixture
def page(new_page: Callable[..., Page]) -> Page:
    """Its clock is the test's."""
    return new_page(is_kept=False)


@pytest.fixture
def machine(page: Page, simulated: Server) -> Page:
    """A page with nothing in it but a session, and what its channels report (`reported`, `refused`)."""
    page.goto(f"{simulated.address}/health")
    page.clock.install(time=0)
    page.clock.pause_at(1_000)
    page.evaluate(SESSION, 7)
    page.evaluate(LISTEN)
    return page


def requested(machine: Page) -> list[dict]:
    """What was said about channels on the newest socket, without the requests' numbers."""
    sent = machine.evaluate("channels(sockets.at(-1))")
    return [{key: value for key, value in frame.items() if key != "id"} for frame in sent]


def begin(machine: Page, channel: dict = ORDERS, **snapshot: object) -> None:
    """The server answers the newest request for this channel, and sends its snapshot."""
    requests = machine.evaluate("channels(sockets.at(-1)).filter(({ action }) => action === 'subscribe')")
    number = [each["id"] for each in requests if each["channel"] == channel["channel"]][-1]
    receive(
        machine,
        {"type": "subscribed", **channel, "id": number, "sequence": 4},
        {"type": "snapshot", **channel, "sequence": 4, **snapshot},
    )


def order(number: int, **more: object) -> dict:
    return {"type": "order", **ORDERS, "sequence": number, "order": {"id": f"paper-main-o{number}", **more}}


def test_a_channel_wanted_before_there_is_a_machine_is_delivered_unchanged(machine: Page) -> None:
    machine.evaluate("() => { session.subscribeChannel('orders'); session.subscribeChannel('health'); }")
    start(machine)
    assert requested(machine) == [{"action": "subscribe", **ORDERS}, {"action": "subscribe", "channel": "health"}]
    receive(machine, order(3))
    begin(machine, orders=[], fills=[])
    receive(machine, order(5, message="“é” 🕯", price="67234.50", nested=[{"a": None}]))
    begin(machine, {"channel": "health"}, ledger="ok")
    seen = machine.evaluate("reported")
    assert [(each["channel"], each["account"], each["message"]["type"]) for each in seen] == [
        ("orders", "paper-main", "snapshot"),
        ("orders", "paper-main", "order"),
        ("health", None, "snapshot"),
    ], "what came before the answer is in the snapshot"
    assert seen[1]["message"] == order(5, message="“é” 🕯", price="67234.50", nested=[{"a": None}])
    assert seen[2]["message"]["ledger"] == "ok"


def test_each_connection_subscribes_again_and_begins_with_the_snapshot(machine: Page) -> None:
    start(machine, BTC)
    machine.evaluate("session.subscribeChannel('orders', 'paper-main')")
    begin(machine, orders=[])
    drop_and_return(machine)
    assert requested(machine) == [{"action": "subscribe", **ORDERS}]
    receive(machine, order(8))
    begin(machine, orders=[{"id": "paper-main-o8"}])
    receive(machine, order(9))
    reported = machine.evaluate("reported.map(({ message }) => [message.type, message.sequence])")
    assert reported == [["snapshot", 4], ["snapshot", 4], ["order", 9]]


def test_a_channel_that_is_left_stays_left(machine: Page) -> None:
    start(machine)
    machine.evaluate("() => { session.subscribeChannel('orders'); session.subscribeChannel('events'); }")
    begin(machine)
    machine.evaluate("() => { sockets[0].sent = []; session.unsubscribeChannel('orders', 'paper-main'); }")
    machine.evaluate("session.unsubscribeChannel('orders')")
    assert requested(machine) == [{"action": "unsubscribe", **ORDERS}]
    machine.evaluate("() => { reported.length = 0; }")
    receive(machine, order(5))
    assert machine.evaluate("reported") == []
    drop_and_return(machine)
    assert requested(machine) == [{"action": "subscribe", "channel": "events"}]


def test_wanting_a_channel_again_brings_a_new_snapshot(machine: Page) -> None:
    start(machine)
    machine.evaluate("session.subscribeChannel('orders')")
    begin(machine)
    machine.evaluate("session.subscribeChannel('orders')")
    receive(machine, order(5))
    begin(machine)
    assert len(requested(machine)) == 2
    assert machine.evaluate("reported.map(({ message }) => message.type)") == ["snapshot", "order", "snapshot"]


def test_a_refusal_says_why_once_and_is_not_requested_again_by_itself(machine: Page) -> None:
    start(machine)
    machine.evaluate("session.subscribeChannel('portfolio', 'paper-none')")
    (request,) = machine.evaluate("channels(sockets[0])")
    refusal = {"code": "unknown_account", "message": "There is no account “paper-none”."}
    receive(machine, {"type": "error", "id": request["id"], "field": "account", **refusal})
    (reported,) = machine.evaluate("refused")
    assert (reported["channel"], reported["account"]) == ("portfolio", "paper-none")
    assert {key: reported[key] for key in refusal} == refusal
    drop_and_return(machine)
    assert requested(machine) == []
    machine.evaluate("session.subscribeChannel('portfolio', 'paper-none')")
    assert len(requested(machine)) == 1


def test_there_are_six_channels_and_no_others(machine: Page) -> None:
    names = ["markets", "positions", "orders", "portfolio", "events", "health"]
    machine.evaluate("all => all.forEach(each => session.subscribeChannel(each))", names)
    start(machine)
    assert [frame["channel"] for frame in requested(machine)] == names
    message = machine.evaluate(
        "() => { try { session.subscribeChannel('fills'); return ''; } catch (error) { return String(error); } }"
    )
    assert message.startswith("RangeError: There is no channel “fills”, only markets, positions")


def test_a_hidden_page_keeps_orders_and_events(machine: Page) -> None:
    start(machine)
    machine.evaluate("['orders', 'events', 'positions', 'markets'].forEach(each => session.subscribeChannel(each))")
    begin(machine)
    begin(machine, {"channel": "positions", "account": "paper-main"}, positions=[])
    machine.evaluate("() => { sockets[0].sent = []; reported.length = 0; session.setHidden(true); }")
    assert [(each["action"], each["channel"]) for each in requested(machine)] == [
        ("unsubscribe", "positions"),
        ("unsubscribe", "markets"),
    ]
    receive(machine, order(5), {"type": "positions", "channel": "positions", "account": "paper-main", "positions": []})
    assert machine.evaluate("reported.map(({ channel }) => channel)") == ["orders"]
    machine.evaluate("() => { sockets[0].sent = []; session.setHidden(false); }")
    assert [(each["action"], each["channel"]) for each in requested(machine)] == [
        ("subscribe", "positions"),
        ("subscribe", "markets"),
    ]


HOSTILE = [
    '{"type":"subscribed","channel":"orders","account":"paper-main","id":9007199254740993}',
    '{"type":"subscribed","channel":"orders","id":{}}',
    '{"type":"order","channel":"orders","account":5}',
    '{"type":"order","channel":"orders","sequence":1e300}',
    '{"type":"order","channel":["orders"]}',
    '{"type":"order","channel":"orders","account":"paper-main","order":[}',
    '{"channel":"orders","account":"paper-main"}',
    '{"type":"book","channel":"depth"}',
    '{"type":"order","channel":"orders","account":"' + "x" * 100_000 + '"}',
    '{"type":"order","channel":"orders","account":"paper-main","order":' + "[" * 100_000,
]


def test_hostile_messages_cost_only_themselves(machine: Page) -> None:
    start(machine)
    machine.evaluate("session.subscribeChannel('orders')")
    begin(machine)
    machine.evaluate("all => all.forEach(text => sockets[0].receiveText(text))", HOSTILE)
    receive(machine, order(5))
    assert machine.evaluate("[session.state, reported.map(({ message }) => message.type)]") == [
        "open",
        ["snapshot", "order"],
    ]
    assert machine.complaints == []


def test_channels_over_a_real_socket(new_page: Callable[..., Page], simulated: Server) -> None:
    # The page of one server may not connect to another one.
    page = new_page(bypass_csp=True)
    stream = ScriptedStream({}, channels={"orders": {"orders": [{"id": "paper-main-o1"}], "fills": []}})
    try:
        page.goto(f"{simulated.address}/health")
        page.evaluate(
            """async port => {
                const { Session } = await import('/stream/session.js');
                const { Engine } = await import('/engine/engine.js');
                window.session = new Session(`ws://127.0.0.1:${port}/v1/stream`);
                window.reported = [];
                session.addEventListener('channel', ({ detail }) => reported.push(detail.message));
                session.subscribeChannel('orders');
                session.attach(await Engine.load('/candlewire.wasm'));
            }""",
            stream.port,
        )
        stream.wait_for_channel("orders", "paper-main")
        stream.send('{"type":"order","channel":"orders","account":"paper-main","sequence":%d,"order":{}}' % number
                    for number in range(1, 2001))  # fmt: skip
        eventually(lambda: page.evaluate("reported.length") == 2001, "every order arrives")
        reported = page.evaluate("reported.map(({ type, sequence }) => [type, sequence])")
        assert reported == [["snapshot", 0], *(["order", number] for number in range(1, 2001))]
        page.evaluate("session.close()")
    finally:
        stream.stop()
