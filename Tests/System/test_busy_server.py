"""A server with more to deliver than it can carry: what its readers get, and that it answers everybody else."""

import contextlib
import json
import time
import urllib.request
from collections.abc import Callable, Iterator

import pytest

from figures import figure
from raw_socket import TEXT, RawSocket
from running_server import RunningServer, subscribe
from stream_readers import Readers
from test_slow_reader import Recorder, assert_no_silent_hole

pytestmark = pytest.mark.serial

READERS = 150


def test_readers_stay_up_to_date_and_requests_and_new_connections_are_answered(
    serve: Callable[..., RunningServer],
) -> None:
    server = serve("sim:BTC-USD", "--seed", "8", "--rate", "20000")
    waits: dict[str, list[float]] = {"a new connection": [], "/health": [], "/v1/candles": []}
    with contextlib.ExitStack() as stack:
        readers = Readers(server.port, stack)
        with readers.reading():
            readers.add(READERS)
            watcher = stack.enter_context(RawSocket(server.port))
            watcher.send(TEXT, subscribe("BTC-USD", "1s", history=0).encode())
            recorder = Recorder(watcher)
            recorder.start()
            end = time.monotonic() + 3
            while time.monotonic() < end or recorder.finals < 3:
                assert time.monotonic() < end + 120, "no candle ends"
                with timed(waits["a new connection"]), RawSocket(server.port):
                    pass
                for path in ("/health", "/v1/candles?symbol=BTC-USD&timeframe=1s&limit=10"):
                    with timed(waits[path.split("?")[0]]), urllib.request.urlopen(server.address + path, timeout=60) as answer:
                        json.load(answer)
                time.sleep(0.05)
            recorder.stop()
            causes = server.get("/health")["streams"]["skipped_by_cause"]
    messages = recorder.messages()
    live = [(moment, message) for moment, message in messages if message["type"] in ("tick", "candle", "skipped")]
    assert_no_silent_hole([message for _, message in live])
    finals = [message["timestamp"] for _, message in live if message.get("final")]
    assert finals == [finals[0] + second for second in range(len(finals))], "no final candle is left out"
    ages = sorted(moment - message["timestamp"] for moment, message in live if message["type"] == "tick")
    figure("age of a tick, 99 % within", f"{ages[len(ages) * 99 // 100] * 1e3:.0f} ms; left out: {causes}")
    # A busy machine takes its time; a server that works through all that is old needs ever longer.
    assert ages[len(ages) * 99 // 100] < 3
    for name, seconds in waits.items():
        figure(f"{name}, longest of {len(seconds)}", f"{max(seconds) * 1e3:.0f} ms")
        assert max(seconds) < 5, name


@contextlib.contextmanager
def timed(times: list[float]) -> Iterator[None]:
    begin = time.monotonic()
    yield
    times.append(time.monotonic() - begin)
