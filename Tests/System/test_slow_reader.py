"""A reader that does not keep up: what it gets, and what it costs the others."""

import contextlib
import json
import threading
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from raw_socket import CLOSE, TEXT, FrameParser, RawSocket
from running_server import RunningServer, candle_of, subscribe
from support.polling import eventually

pytestmark = pytest.mark.serial

Message = dict[str, Any]


class Recorder(threading.Thread):
    """Reads as fast as it comes and only notes bytes and moments; they are taken apart afterwards."""

    def __init__(self, connection: RawSocket) -> None:
        super().__init__(daemon=True)
        self._connection = connection
        self._halt = threading.Event()
        self._finals_tail = b""
        self.chunks: list[tuple[float, bytes]] = []
        self.finals = 0
        self.size = 0

    def run(self) -> None:
        while not self._halt.is_set():
            try:
                data = self._connection.read(time.monotonic() + 0.5)
            except TimeoutError:
                continue
            if not data:
                return
            self.chunks.append((time.time(), data))
            self.size += len(data)
            # Counted by a glance at the bytes, for parsing them would slow this reader down.
            seen = self._finals_tail + data
            self.finals += seen.count(b'"final":true')
            self._finals_tail = seen[-11:]

    def stop(self) -> None:
        self._halt.set()
        self.join(timeout=60)
        assert not self.is_alive()

    def messages(self) -> list[tuple[float, Message]]:
        """Every message with the moment its last byte came."""
        parser = FrameParser()
        return [
            (moment, json.loads(payload))
            for moment, data in self.chunks
            for opcode, payload in parser.feed(data)
            if opcode == TEXT
        ]


def test_a_slow_reader_learns_what_it_missed_and_slows_no_other_down(serve: Callable[..., RunningServer]) -> None:
    server = serve("sim:BTC-USD", "--seed", "4", "--rate", "50000")
    request = subscribe("BTC-USD", "1s", history=2).encode()
    with RawSocket(server.port) as fast, RawSocket(server.port, receive_buffer=2048) as slow:
        recorder = Recorder(fast)
        fast.send(TEXT, request)
        recorder.start()
        slow.send(TEXT, request)

        def wait_for(finals: int) -> None:
            deadline = time.monotonic() + 120
            while recorder.finals < finals:
                assert time.monotonic() < deadline, "the fast reader gets no candles"
                time.sleep(0.02)

        # For three seconds and more the slow reader does not read a byte.
        wait_for(recorder.finals + 4)
        reported = read_on(slow)
        # It may have seen a candle that the fast one has not looked at yet.
        wait_for(recorder.finals + 1)
        recorder.stop()
    # What follows takes time, which the server would fill with trades.
    server.stop()
    fast_messages = recorder.messages()

    assert [message["type"] for _, message in fast_messages[:2]] == ["subscribed", "snapshot"]
    live = fast_messages[2:]
    # A server that cannot carry 50,000 a second leaves some out for everybody, and says how many.
    assert {message["type"] for _, message in live} <= {"tick", "candle", "skipped"}
    assert_no_silent_hole([message for _, message in live])
    delays = sorted(moment - message["timestamp"] for moment, message in live if message["type"] == "tick")
    seconds = live[-1][0] - live[0][0]
    print(
        f"fast reader: {len(delays) / seconds:,.0f} ticks/s over {seconds:.1f} s, delay median "
        f"{delays[len(delays) // 2] * 1e3:.1f} ms, 99 % within {delays[len(delays) * 99 // 100] * 1e3:.1f} ms"
    )
    assert delays[len(delays) * 99 // 100] < 5, "a busy machine takes its time, but no other reader waits for the slow one"

    fast_finals = [candle_of(message) for _, message in live if message.get("final")]
    if reported.close_code is not None:
        assert reported.close_code == 4008
    else:
        assert reported.skipped > 0
        assert reported.missed == reported.skipped, "every message left out is counted"
    assert reported.finals, "final candles are never left out"
    known = {candle["timestamp"]: candle for candle in fast_finals}
    starts = [candle["timestamp"] for candle in reported.finals]
    assert starts == [start for start in known if starts[0] <= start <= starts[-1]], "once each, in order, none missing"
    assert all(known[candle["timestamp"]] == candle for candle in reported.finals)
    print(f"slow reader: {reported.skipped:,} messages skipped, {len(reported.finals)} final candles, close {reported.close_code}")


# What the server may keep for one reader that reads nothing: what it was given to send (64 KiB and one run of messages),
# and its final candles (64 KiB for each of its streams, before snapshots take their place). That is some hundred KiB; on a
# machine that has much else to do the runs are long, and it was some MiB. Without bounds it is all that was sent.
STALLED_TIMEFRAMES = ["1s", "5s", "15s", "1m", "5m", "1h"]
# Bytes that the reader that reads gets between two looks at the memory.
STEP = 2 << 20


def test_readers_that_read_nothing_cost_a_bounded_amount_and_do_not_harm_others(serve: Callable[..., RunningServer]) -> None:
    stalled_readers = 16
    server = serve("sim:BTC-USD", "--seed", "6", "--rate", "1000")
    requests = [subscribe("BTC-USD", timeframe, history=0).encode() for timeframe in STALLED_TIMEFRAMES]
    with contextlib.ExitStack() as stack:
        fast = stack.enter_context(RawSocket(server.port))
        recorder = Recorder(fast)
        for request in requests:
            fast.send(TEXT, request)
        recorder.start()

        def wait_for(size: int) -> None:
            # By what was sent and not by the clock: a busy machine takes longer for as much.
            eventually(lambda: recorder.size >= size, "the reader that reads gets its trades", within=300)

        # The rings of the streams, which all readers share, fill first.
        wait_for(5 << 20)
        before, stalled = server.memory, recorder.size
        for _ in range(stalled_readers):
            slow = stack.enter_context(RawSocket(server.port, receive_buffer=2048))
            for request in requests:
                slow.send(TEXT, request)
        sizes: list[float] = []
        for step in range(1, 7):
            wait_for(stalled + step * STEP)
            size = (server.memory - before) / stalled_readers
            # Who answers no ping is closed after half a minute, which a busy machine may need for so many messages.
            if server.get("/health")["streams"]["connections"] <= stalled_readers:
                break
            sizes.append(size)
        recorder.stop()
    server.stop()
    messages = recorder.messages()
    live = [(moment, message) for moment, message in messages if message["type"] in ("tick", "candle")]
    sent = sum(len(data) for _, data in recorder.chunks)
    print(
        f"a stalled reader costs {max(sizes) / 1024:,.0f} KiB of memory; {sent / (1 << 20):,.0f} MiB were sent to the "
        f"one that reads; {len(sizes)} looks"
    )
    assert sizes, "the stalled readers were closed before the check"
    assert all(size < step * STEP / 2 for step, size in enumerate(sizes, 1)), sizes

    # It has no hole that it was not informed of; on a busy machine it may be too slow itself for a moment.
    last: dict[str, int] = {}
    missed, reported = Counter[str](), Counter[str]()
    for _, message in messages:
        timeframe = message.get("timeframe", "")
        if message["type"] == "skipped":
            reported[timeframe] += message["count"]
        elif message["type"] in ("tick", "candle"):
            offset = message["offset"]
            assert offset > last.setdefault(timeframe, offset - 1), "the order within a stream is kept"
            missed[timeframe] += offset - last[timeframe] - 1
            last[timeframe] = offset
    assert all(missed[timeframe] <= reported[timeframe] for timeframe in last), (missed, reported)
    assert missed.total() < len(live) / 2, "the reader that reads is left out as well"
    delays = sorted(moment - message["timestamp"] for moment, message in live if message["type"] == "tick")
    median, late = delays[len(delays) // 2], delays[len(delays) * 99 // 100]
    print(f"the reader that reads: delay median {median * 1e3:.1f} ms, 99 % within {late * 1e3:.1f} ms")
    assert late < 5


def test_a_server_that_stops_waits_two_seconds_for_readers_that_do_not_answer(
    serve: Callable[..., RunningServer],
) -> None:
    server = serve("sim:BTC-USD", "--seed", "7")
    with RawSocket(server.port) as silent:
        silent.send(TEXT, subscribe("BTC-USD", "1s").encode())
        silent.read(time.monotonic() + 60)
        code, seconds = server.terminate(within=60)
    assert code in (0, -15)
    print(f"stopped within {seconds:.1f} s")
    # Two seconds, and what a busy machine takes for the rest; without the limit it would be more than a minute.
    assert seconds < 20


def assert_no_silent_hole(messages: list[Message]) -> None:
    """Of one stream: each hole is announced right before the message that shows it, to the message."""
    last, announced = None, 0
    for message in messages:
        if message["type"] == "skipped":
            announced += message["count"]
            continue
        assert last is None or message["offset"] == last + announced + 1, "a hole that was not announced"
        last, announced = message["offset"], 0


class Received:
    """What the slow reader got to know."""

    def __init__(self) -> None:
        self.skipped = 0
        self.missed = 0
        self.finals: list[dict[str, float]] = []
        self.close_code: int | None = None


def read_on(slow: RawSocket) -> Received:
    """Reads at full speed until the server's count of what was skipped equals the holes in the offsets."""
    reported, parser, last = Received(), FrameParser(), -1
    resumed, deadline = time.time(), time.monotonic() + 120
    while time.monotonic() < deadline:
        for opcode, payload in parser.feed(slow.read(deadline)):
            if opcode == CLOSE:
                reported.close_code = int.from_bytes(payload[:2], "big")
                return reported
            message = json.loads(payload)
            if message["type"] == "subscribed":
                last = message["offset"]
            elif message["type"] == "skipped":
                reported.skipped += message["count"]
            elif message["type"] in ("tick", "candle"):
                assert message["offset"] > last, "the order within a stream is kept"
                reported.missed += message["offset"] - last - 1
                last = message["offset"]
                if message.get("final"):
                    reported.finals.append(candle_of(message))
            has_caught_up = reported.finals and reported.finals[-1]["timestamp"] >= int(resumed)
            if has_caught_up and reported.skipped and reported.skipped == reported.missed:
                return reported
    return reported
