"""The machine of a conversation in the page's engine: neither a socket nor a clock here."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from support.server import Server

MACHINE = """async () => {
    const { Engine } = await import('/engine/engine.js');
    const { ConversationMachine } = await import('/consultation/conversation-machine.js');
    const engine = await Engine.load(new URL('/candlewire.wasm', location));
    const TIME = '2025-01-27T10:00:00Z';
    window.makeMachine = seed => new ConversationMachine(engine, { seed: new Uint32Array([0, seed]), epoch: 1_737_972_000 });
    window.make = () => { window.m = makeMachine(7); };
    window.say = (type, message_id, more = {}) =>
        m.received(socket, JSON.stringify({ type, message_id, timestamp: TIME, ...more }), now);
    window.drained = () => {
        const actions = [];
        for (let each = m.next(); each; each = m.next()) {
            if (each.kind === 'open') window.socket = each.socket;
            actions.push(each.frame ? { ...each, frame: JSON.parse(each.frame) } : each);
        }
        return actions;
    };
    window.frames = () => drained().filter(({ kind }) => kind === 'send').map(({ frame }) => frame);
    window.now = 0;
    window.socket = 0;
}"""


class Machine:
    """`m` in the page; `run` evaluates with `m`, `say`, `drained`, `frames`, `now` and `socket`."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def begin(self, *, is_open: bool = True) -> "Machine":
        self.page.evaluate(
            """isOpen => {
                window.now = 0; make(); m.connect(now); drained();
                if (isOpen) { m.opened(socket, now); say('sync', 's', { sequence: 0, metadata: { messages: [] } }); drained(); }
            }""",
            is_open,
        )
        return self

    def run(self, script: str, argument: Any = None) -> Any:
        return self.page.evaluate(f"argument => {{ {script} }}", argument)

    def messages(self) -> list[dict[str, Any]]:
        return self.page.evaluate("m.messages")

    def states(self) -> list[tuple[str, str]]:
        return [(each["text"], each["state"]) for each in self.messages()]


@pytest.fixture(scope="module")
def blank(browser: Browser, simulated: Server) -> Iterator[Page]:
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{simulated.address}/health")
    page.evaluate(MACHINE)
    yield page
    context.close()


@pytest.fixture
def machine(blank: Page) -> Machine:
    return Machine(blank)


# From here on a loss begins the count of attempts anew; the timer that says so does not stand before others.
STABLE = "now = 10; m.timerFired(now); drained();"


def test_a_connection_is_tried_for_ten_seconds_and_five_times_again(machine: Machine) -> None:
    machine.begin(is_open=False)
    assert machine.run("return m.deadline") == 10
    machine.run("now = 10; m.timerFired(now);")
    pauses = []
    for _ in range(5):
        pauses.append(machine.run("return m.deadline - now"))
        machine.run("now = m.deadline; m.timerFired(now); drained(); m.refused(socket, 0, now);")
    assert all(0 <= pause <= most for pause, most in zip(pauses, [2, 4, 8, 16, 30], strict=True)), pauses
    assert machine.run("return [m.state, m.problem, m.deadline === Infinity]") == [
        "failed", "Max reconnection attempts reached", True,
    ]  # fmt: skip
    machine.run("m.retryNow(now); drained(); m.opened(socket, now);")
    assert machine.run("return [m.isConnected, m.problem]") == [True, ""], "Retry takes the error back"


def test_attempts_count_anew_after_a_stable_connection_only(machine: Machine) -> None:
    machine.begin()
    machine.run("now = 5; m.closed(socket, 1006, now); now = m.deadline; m.timerFired(now); drained();")
    machine.run("m.opened(socket, now); now += 5; m.closed(socket, 1006, now);")
    assert machine.run("return m.diagnostics.reconnectAttempts") == 2, "it was open for five seconds"
    machine.run("now = m.deadline; m.timerFired(now); drained(); m.opened(socket, now); now += 10; m.closed(socket, 1006, now);")
    assert machine.run("return m.diagnostics.reconnectAttempts") == 1


def test_a_socket_that_is_being_opened_is_no_connection(machine: Machine) -> None:
    machine.begin(is_open=False)
    assert machine.run("return [m.state, m.isConnected]") == ["connecting", False]


@pytest.mark.parametrize(
    ("code", "state"),
    [(1000, "waiting"), (1006, "waiting"), (1011, "waiting"), (4000, "waiting"), (4008, "waiting"), (4100, "failed")]
    + [(4103, "failed"), (4104, "failed")],
)
def test_the_close_code_says_whether_to_come_back(machine: Machine, code: int, state: str) -> None:
    machine.begin()
    machine.run("m.closed(socket, argument, now)", code)
    assert machine.run("return m.state") == state


def test_nothing_reconnects_after_an_intentional_close(machine: Machine) -> None:
    machine.begin()
    closed = machine.run("m.disconnect(now); return drained();")
    assert closed == [{"kind": "close", "socket": machine.run("return socket"), "code": 1000}]
    machine.run("m.closed(socket, 1006, now); m.networkChanged(false, now); m.networkChanged(true, now);")
    assert machine.run("return [m.state, m.deadline === Infinity, drained()]") == ["closed", True, []]


def test_a_network_that_comes_back_ends_the_wait_and_nothing_else(machine: Machine) -> None:
    machine.begin()
    machine.run("m.closed(socket, 1006, now); m.networkChanged(false, now); drained();")
    assert machine.run("m.networkChanged(true, now); return drained().map(({ kind }) => kind);") == ["open"]
    # What reconnects by itself is what waits: not what is open, and not what was refused for good.
    machine.run("m.opened(socket, now); drained(); m.networkChanged(false, now); m.networkChanged(true, now);")
    assert [each["type"] for each in machine.run("return frames()")] == ["ping"], "is the other side still there?"
    machine.run("m.closed(socket, 4103, now); drained(); m.networkChanged(false, now); m.networkChanged(true, now);")
    assert machine.run("return [m.state, drained()]") == ["failed", []]


def test_a_ping_every_thirty_seconds_expects_its_pong_within_ten(machine: Machine) -> None:
    machine.begin()
    # At 10 the connection counts as stable.
    assert machine.run("const stable = m.deadline; now = 10; m.timerFired(now); return [stable, m.deadline];") == [10, 30]
    (ping,) = machine.run("now = 30; m.timerFired(now); return frames();")
    assert ping["type"] == "ping"
    machine.run("now = 31; say('pong', argument);", ping["message_id"])
    assert machine.run("return [m.diagnostics.roundTrip, m.deadline]") == [1, 60]
    machine.run("now = 60; m.timerFired(now); drained(); now = 70; m.timerFired(now);")
    assert machine.run("return [m.state, drained().map(({ kind }) => kind)]") == ["waiting", ["drop"]]
    assert machine.run("return m.problem") == "Connection error: the server does not answer any more."


def test_a_message_is_shown_at_once_and_goes_out_as_the_document_writes_it(machine: Machine) -> None:
    machine.begin()
    (frame,) = machine.run("m.send('I want to lose weight', {}, now); return frames();")
    assert frame == {
        "type": "user_message", "content": "I want to lose weight", "message_id": machine.messages()[0]["id"],
        "timestamp": "2025-01-27T10:00:00Z",
    }  # fmt: skip
    assert machine.states() == [("I want to lose weight", "pending")]
    machine.run("say('ack', m.messages[0].id, { sequence: 1 })")
    assert machine.states() == [("I want to lose weight", "sent")]


def test_a_message_that_is_refused_or_not_acknowledged_fails_and_can_be_sent_again(machine: Machine) -> None:
    machine.begin()
    machine.run("m.send('one', {}, now); m.send('two', {}, now); drained();")
    machine.run("say('error', 'x', { content: 'Wait.', metadata: { message_id: m.messages[0].id, code: 'rate_limited' } })")
    machine.run("now = 15; m.timerFired(now);")
    first, second = machine.messages()
    assert (first["state"], first["reason"]) == ("failed", "Wait.")
    assert (second["state"], second["reason"]) == ("failed", "The server did not acknowledge the message.")
    (again,) = machine.run("m.retry(argument, now); return frames();", second["id"])
    assert (again["type"], again["message_id"], again["content"]) == ("user_message", second["id"], "two")
    machine.run("m.discard(m.messages.find(({ text }) => text === 'one').id, now)")
    assert machine.states() == [("two", "pending")]


def test_what_was_not_acknowledged_is_sent_again_after_a_drop(machine: Machine) -> None:
    machine.begin()
    machine.run("m.send('one', {}, now); drained(); m.closed(socket, 1006, now); m.send('two', {}, now);")
    frames = machine.run("now = m.deadline; m.timerFired(now); drained(); m.opened(socket, now); return frames();")
    assert [each.get("content") for each in frames] == [None, "one", "two"]
    assert frames[0]["type"] == "sync"


def test_messages_in_a_burst_keep_their_texts_apart(machine: Machine) -> None:
    machine.begin()
    frames = machine.run("['a', 'b', 'c'].forEach(each => m.send(each, {}, now)); return frames();")
    assert [each["content"] for each in frames] == ["a", "b", "c"]
    assert len({each["message_id"] for each in frames}) == 3


def test_an_answer_comes_piece_by_piece(machine: Machine) -> None:
    machine.begin()
    machine.run("say('ai_message_start', 'a', { sequence: 1 })")
    assert machine.run("return m.isTyping") is True
    assert machine.states() == [("", "streaming")]
    machine.run("say('ai_message_chunk', 'a', { content: 'Grüße ', offset: 0 });")
    machine.run("say('ai_message_chunk', 'a', { content: 'dir', offset: 8 }); say('ai_message_chunk', 'b', { content: 'no' });")
    assert machine.states() == [("Grüße dir", "streaming")], "offsets are bytes; an unknown id is ignored"
    machine.run("say('ai_message_complete', 'a', { sequence: 2, offset: 11 })")
    assert machine.states() == [("Grüße dir", "complete")]
    assert machine.run("return m.isTyping") is False


def test_templates_and_errors(machine: Machine) -> None:
    machine.begin()
    # Names beyond ASCII: the module compares and hashes texts by functions of its own.
    fields = {"meals": [{"calories": 450, "größe": 2}], "größe": ["한국", "e\u0301"]}
    metadata = {"template_id": "t1", "type": "meal", "name": "Day", "description": "d", **fields}
    machine.run("say('template_created', 'x', { sequence: 1, metadata: argument })", metadata)
    (message,) = machine.messages()
    assert (message["role"], message["text"]) == ("system", "Created meal template: Day")
    assert message["template"]["fields"] == fields
    machine.run("say('template_updated', 'x', { sequence: 2, metadata: { template_id: 't1', decision: 'approved', order_id: 'o1' } })")
    (message,) = machine.messages()
    assert (message["template"]["decision"], message["template"]["orderID"]) == ("approved", "o1")
    machine.run("say('error', 'nobody')")
    assert machine.run("return m.problem") == "Unknown error"


@pytest.mark.parametrize(
    ("frame", "reason"),
    [
        ("{", "not a JSON object"),
        ("[]", "not a JSON object"),
        ('{"message_id":"a","timestamp":"2025-01-27T10:00:00Z"}', "type"),
        ('{"type":"pong","message_id":"","timestamp":"2025-01-27T10:00:00Z"}', "message_id"),
        ('{"type":"pong","message_id":"' + "ü" * 65 + '","timestamp":"2025-01-27T10:00:00Z"}', "may have 128"),
        ('{"type":"pong","message_id":"a","timestamp":""}', "timestamp"),
        ('{"type":"pong","message_id":"a","timestamp":"today"}', "ISO 8601"),
        ('{"type":"pong","message_id":"a","timestamp":"2025-01-27T10:00:00Z","content":7}', "content"),
        ('{"type":"pong","message_id":"a","timestamp":"2025-01-27T10:00:00Z","metadata":[]}', "metadata"),
        ('{"type":"pong","message_id":"a","timestamp":"2025-01-27T10:00:00Z","sequence":-1}', "sequence"),
    ],
)
def test_a_malformed_message_is_dropped_with_its_reason(machine: Machine, frame: str, reason: str) -> None:
    machine.begin()
    machine.run("m.received(socket, argument, now)", frame)
    malformed, why = machine.run("return [m.diagnostics.malformed, m.diagnostics.lastMalformed]")
    assert malformed == 1
    assert reason in why
    machine.run("say('something_new', 'a', { sequence: 1 }); say('ai_message_start', 'b', { sequence: 2 });")
    assert machine.states() == [("", "streaming")], "a type of a later version is passed over"


@pytest.mark.parametrize(
    ("status", "state", "sentence"),
    [
        (403, "failed", "Access denied to this consultation."),
        (404, "failed", "Consultation not found."),
        (500, "waiting", "Server error. Retrying..."),
        (599, "waiting", "Server error. Retrying..."),
        (429, "waiting", "Connection error: the server answered with status 429."),
        (0, "waiting", "Connection error: the server cannot be reached."),
    ],
)
def test_a_status_has_its_sentence(machine: Machine, status: int, state: str, sentence: str) -> None:
    machine.begin(is_open=False)
    machine.run("m.refused(socket, argument, now)", status)
    assert machine.run("return [m.state, m.problem]") == [state, sentence]


def test_a_refused_token_is_replaced_once_then_a_login_is_requested(machine: Machine) -> None:
    machine.begin(is_open=False)
    (auth,) = machine.run("m.log(9, now); m.setToken('first', now); m.opened(socket, now); return frames();")
    assert (auth["type"], auth["content"]) == ("auth", "first")
    assert machine.run("return m.isConnected") is False, "not before the server took it"
    actions = machine.run("say('error', argument, { metadata: { code: 'unauthorized' } }); return drained();", auth["message_id"])
    assert [each["kind"] for each in actions] == ["close", "token"]
    machine.run("m.setToken('second', now); drained(); m.opened(socket, now); frames();")
    machine.run("m.closed(socket, 4101, now); drained();")
    assert machine.run("return [m.needsLogin, m.problem]") == [True, "Authentication failed. Please login again."]
    log = json.dumps(machine.run("return m.log(9, now)"))
    assert "auth (hidden)" in log
    assert "first" not in log and "second" not in log, "the log has no secret"


def test_a_hundred_messages_are_kept_and_the_streaming_one_always(machine: Machine) -> None:
    machine.begin()
    machine.run("say('ai_message_start', 'slow', { sequence: 1 })")
    machine.run("for (let n = 2; n < 300; n += 1) say('user_message', `u${n}`, { sequence: n, content: `${n}` });")
    messages = machine.messages()
    assert len(messages) == 100
    assert messages[0]["id"] == "slow"
    assert messages[-1]["text"] == "299"
    assert machine.run("return m.hasOlder") is True


def test_a_drop_in_mid_stream_is_resumed_where_it_was(machine: Machine) -> None:
    machine.begin()
    machine.run("say('ai_message_start', 'a', { sequence: 1 }); say('ai_message_chunk', 'a', { content: 'Grüße', offset: 0 });")
    machine.run("m.closed(socket, 1006, now)")
    assert machine.run("return m.isTyping") is False, "unknown for the moment"
    (sync,) = machine.run("now = m.deadline; m.timerFired(now); drained(); m.opened(socket, now); return frames();")
    assert (sync["type"], sync["sequence"], sync["message_id"], sync["offset"]) == ("sync", 1, "a", 7)
    machine.run("say('sync', 's', { sequence: 1, metadata: { resumed: true } });")
    machine.run("say('ai_message_chunk', 'a', { content: 'üße du', offset: 2 });")
    assert machine.states() == [("Grüße du", "streaming")], "what is known is not put there twice"
    machine.run("say('ai_message_chunk', 'a', { content: 'later', offset: 40 });")
    assert [each["type"] for each in machine.run("return frames()")] == ["sync"], "what is missing is requested"
    assert machine.run("return [m.diagnostics.resumed, m.diagnostics.duplicates, m.diagnostics.gaps]") == [1, 1, 1]


REFUSED = """say('error', 'e', { content: 'Too often.', metadata: { code: 'rate_limited', message_id: 'a', ...argument } })"""


def test_a_sync_that_is_refused_as_one_too_many_is_sent_again_and_the_answer_goes_on(machine: Machine) -> None:
    machine.begin()
    machine.run(STABLE)
    machine.run("say('ai_message_start', 'a', { sequence: 1 }); say('ai_message_chunk', 'a', { content: 'Hello ', offset: 0 });")
    machine.run("say('ai_message_chunk', 'a', { content: 'you', offset: 9 }); m.cancel('a', now); drained();")
    machine.run(REFUSED, {"retry_after": 18})
    assert machine.run("return [m.deadline, m.problem, m.isTyping]") == [28, "", True]
    (sync,) = machine.run("now = m.deadline; m.timerFired(now); return frames();")
    assert (sync["type"], sync["sequence"], sync["message_id"], sync["offset"]) == ("sync", 1, "a", 6)
    machine.run("say('sync', 'a', { sequence: 1, metadata: { resumed: true } });")
    machine.run("say('ai_message_chunk', 'a', { content: 'to you', offset: 6 });")
    assert machine.states() == [("Hello to you", "streaming")]
    machine.run("m.closed(socket, 1006, now);")
    frames = machine.run("now = m.deadline; m.timerFired(now); drained(); m.opened(socket, now); return frames();")
    assert [each["type"] for each in frames] == ["sync", "cancel"], "the refusal was not one of the stop"


def test_a_sync_that_is_refused_again_and_again_is_sent_ever_more_rarely(machine: Machine) -> None:
    machine.begin()
    machine.run(STABLE)
    machine.run("say('ai_message_start', 'a', { sequence: 1 }); say('ai_message_chunk', 'a', { content: 'later', offset: 7 });")
    waits = []
    for _ in range(4):
        assert [each["type"] for each in machine.run("return frames()")] == ["sync"]
        machine.run(REFUSED, {})
        waits.append(machine.run("const wait = m.deadline - now; now = m.deadline; m.timerFired(now); return wait;"))
    assert waits == [1, 2, 4, 8]
    assert machine.states() == [("", "streaming")]


def test_an_answers_end_that_comes_before_its_text_requests_the_whole(machine: Machine) -> None:
    machine.begin()
    machine.run("say('ai_message_start', 'a', { sequence: 1 }); say('ai_message_complete', 'a', { sequence: 2, offset: 4 });")
    assert [each["type"] for each in machine.run("return frames()")] == ["sync"]
    whole = [{"message_id": "a", "role": "assistant", "content": "text", "timestamp": 1, "end": "completed"}]
    machine.run("say('sync', 's', { sequence: 2, metadata: { messages: argument, left_out: 3 } })", whole)
    assert machine.states() == [("text", "complete")]
    assert machine.run("return m.hasOlder") is True


def test_an_edited_message_folds_what_it_replaces(machine: Machine) -> None:
    machine.begin()
    machine.run("m.send('old', {}, now); say('ack', m.messages[0].id, { sequence: 1 });")
    machine.run("say('ai_message_start', 'a', { sequence: 2 }); say('ai_message_complete', 'a', { sequence: 3, offset: 0 }); drained();")
    (frame,) = machine.run("m.send('new', { edits: m.messages[0].id }, now); return frames();")
    assert frame["metadata"]["edits"] == machine.messages()[0]["id"]
    machine.run("say('ack', argument, { sequence: 4 })", frame["message_id"])
    assert [bool(each["supersededBy"]) for each in machine.messages()] == [True, True, False]


@pytest.mark.parametrize("is_own", [True, False])
def test_what_an_edit_replaces_is_folded_where_the_replaced_message_left_the_memory(machine: Machine, is_own: bool) -> None:
    """The rule of `ConsultationClient.supersede(by:)`: it was before everything that is in memory."""
    machine.begin()
    machine.run("say('user_message', 'u', { sequence: 1, content: 'q' }); say('ai_message_start', 'a', { sequence: 2 });")
    machine.run("say('ai_message_complete', 'a', { sequence: 3, offset: 0 }); m.send('not taken', {}, now); drained();")
    machine.run("say('error', 'e', { metadata: { message_id: m.messages.at(-1).id } });")
    if is_own:
        machine.run("m.send('new', { edits: 'gone' }, now); say('ack', m.messages.at(-1).id, { sequence: 4 });")
    else:
        machine.run("say('user_message', 'new', { sequence: 4, content: 'new', metadata: { edits: 'gone' } });")
    folded = [(each["text"], each["state"], bool(each["supersededBy"])) for each in machine.messages()]
    assert folded == [
        ("q", "sent", True), ("", "complete", True), ("not taken", "failed", False), ("new", "sent", False),
    ], "what the server does not have can still be sent again"  # fmt: skip
    machine.run("say('user_message', 'more', { sequence: 5, content: 'more' });")
    assert machine.messages()[-1]["supersededBy"] == ""


def test_what_an_edit_replaces_is_folded_among_older_messages_until_it_is_taken_back(machine: Machine) -> None:
    machine.begin()
    shown = """
        const { OlderMessages } = await import('/consultation/older-messages.js');
        const older = new OlderMessages();
        older.all = m.describe(['o1', 'o2', 'o3'].map(id => ({ message_id: id, role: 'assistant', content: id, timestamp: 1 })), now);
        older.all[0].supersededBy = 'later';
        const folds = () => older.with(m.messages).map(({ id, supersededBy }) => [id, supersededBy !== '']);
        say('user_message', 'u', { sequence: 1, content: 'q' });
        const edit = m.send('new', { edits: 'o2' }, now);
        const before = folds();
        say('error', 'e', { metadata: { message_id: edit } });
        m.discard(edit, now);
        return [edit, before, folds()];
    """
    edit, before, after = machine.page.evaluate(f"async () => {{ {shown} }}")
    assert before == [["o1", True], ["o2", True], ["o3", True], ["u", True], [edit, False]]
    assert after == [["o1", True], ["o2", False], ["o3", False], ["u", False]], "what the server folded stays so"


def test_an_edit_from_a_sync_folds_what_it_replaces_among_older_messages(machine: Machine) -> None:
    machine.begin()
    reported = [{"message_id": "n", "role": "user", "content": "new", "timestamp": 1, "metadata": {"edits": "o"}}]
    machine.run("say('sync', 's', { sequence: 9, metadata: { messages: argument } })", reported)
    assert machine.messages()[0]["edits"] == "o"


def test_a_stop_during_an_outage_is_sent_after_it(machine: Machine) -> None:
    machine.begin()
    machine.run("say('ai_message_start', 'a', { sequence: 1 }); say('ai_message_chunk', 'a', { content: 'abc', offset: 0 });")
    machine.run("m.closed(socket, 1006, now); m.cancel('a', now);")
    frames = machine.run("now = m.deadline; m.timerFired(now); drained(); m.opened(socket, now); return frames();")
    assert [(each["type"], each["message_id"]) for each in frames] == [("sync", "a"), ("cancel", "a")]
    machine.run("say('sync', 's', { sequence: 1 }); say('cancelled', 'a', { sequence: 2, content: 'ab', metadata: { end: 'cancelled' } });")
    assert machine.states() == [("ab", "cancelled")], "what the server kept is what counts"


def test_what_is_counted_is_counted(machine: Machine) -> None:
    machine.begin()
    machine.run("m.send('one', {}, now); m.receivedBinary(socket, 12, now);")
    counts = machine.run("return m.diagnostics")
    assert counts["framesOut"] == 2 and counts["framesIn"] == 1 and counts["binary"] == 1
    assert counts["bytesIn"] > 12 and counts["bytesOut"] > 100


def test_the_five_first_rules_of_the_document(machine: Machine) -> None:
    machine.begin()
    # 1: reconnection is handled.
    machine.run("m.closed(socket, 1006, now); now = m.deadline; m.timerFired(now);")
    assert [each["kind"] for each in machine.run("return drained()")] == ["open"]
    machine.run("m.opened(socket, now); say('sync', 's', { sequence: 0, metadata: { messages: [] } }); drained();")
    # 2: there is a heartbeat.
    machine.run("now += 30; m.timerFired(now);")
    (ping,) = machine.run("return frames()")
    assert ping["type"] == "ping"
    # 3: messages are validated, those that come and those that go.
    machine.run("say('pong', argument); m.received(socket, '{}', now);", ping["message_id"])
    assert machine.run("return [m.diagnostics.malformed, m.isConnected]") == [1, True]
    assert machine.run("try { m.send(' ', {}, now); } catch (error) { return error.message; }") == "The message has no text."
    # 4: what is shown of the connection is what it is.
    assert machine.run("return [m.isConnected, m.problem]") == [True, ""]
    machine.run("m.closed(socket, 1011, now);")
    assert machine.run("return [m.isConnected, m.problem]") == [
        False, "Connection error: the connection was closed (1011).",
    ]  # fmt: skip
    # 5: old messages go.
    machine.run("now = m.deadline; m.timerFired(now); drained(); m.opened(socket, now);")
    machine.run("for (let n = 1; n < 150; n += 1) say('user_message', `u${n}`, { sequence: n, content: `${n}` });")
    assert [each["text"] for each in machine.messages()] == [str(n) for n in range(50, 150)]


def test_the_five_later_rules_of_the_document(machine: Machine) -> None:
    # 6: the backoff is exponential.
    machine.begin(is_open=False)
    pauses = machine.run(
        "return [1, 2, 3].map(() => { m.refused(socket, 0, now); const pause = m.deadline - now;"
        " now = m.deadline; m.timerFired(now); drained(); return pause; })"
    )
    assert all(0 <= pause <= most for pause, most in zip(pauses, [2, 4, 8], strict=True)), pauses
    # 7, a token that expires is renewed on the open connection: `ConsultationClientTests`.
    machine.run("m.opened(socket, now); say('sync', 's', { sequence: 0, metadata: { messages: [] } }); drained();")
    assert machine.run("return m.isConnected") is True
    # 8 and 9: typing is shown, and the answer while it comes.
    machine.run("say('ai_message_start', 'a', { sequence: 1 });")
    assert machine.run("return m.isTyping") is True
    machine.run("say('ai_message_chunk', 'a', { content: 'Word ', offset: 0 });")
    assert machine.states() == [("Word ", "streaming")]
    # 10: a client that disconnects leaves nothing behind: no timer, no socket, no frame.
    (closed,) = machine.run("m.disconnect(now); return drained();")
    assert (closed["kind"], closed["code"]) == ("close", 1000)
    machine.run("now += 10_000; m.timerFired(now); say('ai_message_chunk', 'a', { content: 'late', offset: 5 });")
    assert machine.run("return [m.deadline === Infinity, m.isTyping, drained()]") == [True, False, []]
    assert machine.states()[0][0] == "Word "


def test_what_the_document_says_not_to_do_first(machine: Machine) -> None:
    """3, block the thread of the page: `test_a_piece_costs_the_same_however_long_the_answer_is`. 4: the next test."""
    machine.begin(is_open=False)
    # 5: nothing is sent while there is no connection.
    machine.run("m.send('one', {}, now);")
    assert machine.run("return frames()") == []
    # 1: an error is reported; 2: and the client does not retry for ever.
    reported = machine.run(
        "const reported = []; for (let n = 0; n < 50 && m.state !== 'failed'; n += 1) {"
        " m.refused(socket, 500, now); reported.push(m.problem); now = Math.min(m.deadline, now + 60); m.timerFired(now); drained(); }"
        " return reported;"
    )
    assert reported == ["Server error. Retrying..."] * 5 + ["Max reconnection attempts reached"]
    assert machine.run("now += 1e6; m.timerFired(now); return [drained(), m.deadline === Infinity];") == [[], True]
    frames = machine.run("m.retryNow(now); drained(); m.opened(socket, now); return frames();")
    assert [each.get("content") for each in frames] == [None, "one"]


def test_what_the_document_says_not_to_do_then(machine: Machine) -> None:
    machine.begin()
    # 6: a connection that is let go is closed, with the code of one that is meant to end.
    assert machine.run("m.disconnect(now); return drained().map(({ kind, code }) => [kind, code]);") == [["close", 1000]]
    # 7: no address is written down: it is that of the page.
    addresses = machine.page.evaluate(
        """async () => {
            const { consultationAddress } = await import('/consultation/consultation-api.js');
            return ['http://127.0.0.1:8080/#BTC-USD/1m', 'https://desk.example.com/terminal/?token=secret#x']
                .map((href) => consultationAddress(new URL(href), 'a b'));
        }"""
    )
    assert addresses == [
        "ws://127.0.0.1:8080/ws/consultation?consultation_id=a%20b",
        "wss://desk.example.com/terminal/ws/consultation?consultation_id=a%20b",
    ]
    # 8: neither a connection nor a message is waited for without end.
    machine.begin(is_open=False)
    assert machine.run("now = m.deadline; m.timerFired(now); return [now, m.state];") == [10, "waiting"]
    machine.begin()
    machine.run("m.send('one', {}, now); now = 15; m.timerFired(now);")
    assert machine.states() == [("one", "failed")]
    # 9: the client does not flood the server, which has limits of its own.
    machine.begin()
    sentence = "20 messages wait for the server; send again when they are through."
    flood = "for (let n = 0; n < 25; n += 1) m.send(`${n}`, {}, now);"
    assert machine.run(f"try {{ {flood} }} catch (error) {{ return error.message; }}") == sentence
    assert len(machine.messages()) == 20
    # 10: an error's words are passed on.
    machine.run("say('error', 'e', { content: 'The kitchen is on fire.' });")
    assert machine.run("return m.problem") == "The kitchen is on fire."


def test_nothing_of_what_was_said_is_kept_in_the_browser(machine: Machine) -> None:
    """4: a tab keeps messages that the server does not have, and those until it has them."""
    kept = machine.page.evaluate(
        """async () => {
            const { keepUnsent, popUnsent } = await import('/consultation/unsent.js');
            const all = () => JSON.stringify({ ...localStorage, ...sessionStorage });
            make(); m.connect(now); drained(); m.opened(socket, now); drained();
            m.send('my secret diet', {}, now);
            keepUnsent('c', m.unsent(now));
            const waiting = all();
            const kept = popUnsent('c');
            say('ack', m.messages[0].id, { sequence: 1 });
            keepUnsent('c', m.unsent(now));
            return [waiting.includes('my secret diet'), JSON.parse(kept).length, all().includes('my secret diet')];
        }"""
    )
    assert kept == [True, 1, False]


def test_the_list_of_conversations_is_requested_twice_and_has_each_once(machine: Machine) -> None:
    shown = machine.page.evaluate(
        """async () => {
            const { ConversationList } = await import('/consultation/conversation-list.js');
            const { consultations } = await import('/consultation/consultation-api.js');
            const requested = [];
            const before = consultations.list;
            consultations.list = () => new Promise((resolve) => requested.push(resolve));
            const page = new DOMParser().parseFromString(await (await fetch('/')).text(), 'text/html');
            document.body.append(page.getElementById('chat-history'), page.getElementById('conversation-row'));
            const list = new ConversationList();
            const shows = [list.show('a'), list.show('')];
            const one = (id) => ({ consultations: [{ id, messages: 1, title: id, updated_at: 1 }], more: false });
            requested[1](one('new'));
            requested[0](one('old'));
            await Promise.all(shows);
            consultations.list = before;
            const rows = [...list.element.querySelectorAll('.conversation span')].map((each) => each.textContent);
            const own = list.element.querySelector('.chat-own').checkVisibility();
            list.element.remove();
            return [rows, own];
        }"""
    )
    assert shown == [["new"], False], "the later answer counts, and where nothing is open nothing can be deleted"


STORM = """seed => {
    let state = seed;
    const random = () => (state = (state * 1664525 + 1013904223) % 4294967296) / 4294967296;
    const pick = n => Math.floor(random() * n);
    let questions = 0, now = 0, socket = 0, answers = 0;
    const machine = makeMachine(seed);
    const bytes = text => new TextEncoder().encode(text).length;
    // The server: what happened, in order, and for each client where it stands.
    const log = [], queue = [], up = [];
    let streaming = null;
    let client = null;
    const write = (type, id, more) => queue.push({ to: client, text: JSON.stringify({ type, message_id: id, timestamp: '2025-01-27T10:00:00Z', ...more }) });
    const event = (type, id, more = {}) => {
        log.push({ type, id, more });
        if (client) write(type, id, { sequence: log.length, ...more });
    };
    const texts = new Map();
    const messages = () => {
        const all = [];
        log.forEach(({ type, id, more }) => {
            if (type === 'ack') all.push({ message_id: id, role: 'user', content: texts.get(id), timestamp: 1 });
            if (type === 'ai_message_start') all.push({ message_id: id, role: 'assistant', content: texts.get(id), timestamp: 1, end: 'streaming' });
            if (type === 'ai_message_complete') all.find(each => each.message_id === id).end = more.metadata.end;
        });
        return all;
    };
    const serve = frame => {
        const { type, message_id: id, content, sequence, offset } = JSON.parse(frame);
        if (type === 'user_message' && !texts.has(id)) { texts.set(id, content); event('ack', id); }
        else if (type === 'user_message') write('ack', id, { sequence: log.findIndex(each => each.id === id) + 1 });
        else if (type === 'ping') write('pong', id);
        else if (type === 'cancel' && streaming === id) finish('cancelled');
        else if (type === 'sync') {
            const last = log.slice(0, sequence).findLast(each => each.type !== 'ack');
            const known = last?.type === 'ai_message_start' && last.id === id ? offset : 0;
            if (sequence > 0 && random() < 0.7) {
                write('sync', id, { sequence, metadata: { resumed: true } });
                if (last?.type === 'ai_message_start') {
                    const rest = new TextDecoder().decode(new TextEncoder().encode(texts.get(last.id)).subarray(known));
                    if (rest) write('ai_message_chunk', last.id, { content: rest, offset: known });
                }
                log.slice(sequence).forEach((each, at) => {
                    write(each.type, each.id, { sequence: sequence + at + 1, ...each.more });
                    if (each.type === 'ai_message_start' && texts.get(each.id)) write('ai_message_chunk', each.id, { content: texts.get(each.id), offset: 0 });
                });
            } else write('sync', id, { sequence: log.length, metadata: { messages: messages(), left_out: 0 } });
        }
    };
    const finish = end => {
        event('ai_message_complete', streaming, { metadata: { end }, offset: bytes(texts.get(streaming)) });
        streaming = null;
    };
    const flush = () => {
        for (let each = machine.next(); each; each = machine.next()) {
            if (each.kind === 'open') socket = each.socket;
            if (each.kind === 'send' && each.socket === client) up.push(each.frame);
            if (each.kind === 'close' || each.kind === 'drop') { client = null; queue.length = up.length = 0; }
        }
    };
    const cut = () => { client = null; queue.length = up.length = 0; machine.closed(socket, 1006, now); flush(); };
    const step = calm => {
        now += 0.01;
        const what = pick(calm ? 8 : 10);
        const state = machine.state;
        if (state === 'connecting') { client = socket; machine.opened(socket, now); }
        else if (state === 'waiting' || machine.deadline <= now) { now = Math.max(now, machine.deadline); machine.timerFired(now); }
        else if (state === 'failed') machine.retryNow(now);
        else if (what < 3 && up.length && random() < 0.5) serve(up.shift());
        else if (what < 3 && queue.length) { const { to, text } = queue.shift(); if (to === socket) machine.received(socket, text, now); }
        else if (what === 3 && !calm && random() < 0.4 && machine.messages.filter(({ state }) => state === 'pending').length < 20)
            machine.send(`question ${++questions} ü`, {}, now);
        else if (what === 4 && !streaming && !calm) { streaming = `a${++answers}`; texts.set(streaming, ''); event('ai_message_start', streaming); }
        else if (what <= 6 && streaming) {
            if (calm || random() < 0.1) finish('completed');
            else {
                const text = ['wort ', 'größer ', '📈 ', 'x'][pick(4)];
                const offset = bytes(texts.get(streaming));
                texts.set(streaming, texts.get(streaming) + text);
                if (client) write('ai_message_chunk', streaming, { content: text, offset });
            }
        }
        else if (what === 7 && streaming && random() < 0.2) machine.cancel(streaming, now);
        else if (what === 8 && random() < 0.3 && machine.isConnected) cut();
        flush();
    };
    machine.connect(now); flush();
    for (let n = 0; n < 600; n += 1) step(false);
    for (let n = 0; n < 3000; n += 1) step(true);
    const reported = messages().slice(-60).map(({ message_id, content, end }) => [message_id, content, end ?? '']);
    const ends = { complete: 'completed', sent: '' };
    const shown = machine.messages.slice(-60).map(({ id, text, state }) => [id, text, ends[state] ?? state]);
    return { isSame: JSON.stringify(reported) === JSON.stringify(shown), reported, shown, connects: machine.diagnostics.connects, resumed: machine.diagnostics.resumed };
}"""


def test_storms_of_cuts_end_with_the_same_text_on_both_sides(machine: Machine) -> None:
    resumed = 0
    for seed in range(40):
        result = machine.page.evaluate(STORM, seed)
        assert result["isSame"], f"seed {seed}: {result['reported'][-3:]} {result['shown'][-3:]}"
        assert result["connects"] > 1 or seed % 7, f"seed {seed} was never cut"
        resumed += result["resumed"]
    assert resumed > 40, "resuming is what most of it is about"
