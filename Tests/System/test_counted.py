"""What a delivered message costs the server, counted and not timed: a change that makes it more fails, and says by how much.

The cost of one more reader: the difference between few readers and many, for each published message. What the server does
besides, and for each message only once, is in both. The limits are in `data/delivery_costs.json`, for debug and release builds.
"""

import contextlib
import json
import struct
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from figures import figure
from prometheus_text import scrape
from running_server import RunningServer
from stream_readers import Readers
from support.polling import eventually
from support.server import PACKAGE, is_optimised

FEW, MANY = 10, 110
# Messages of a measurement.
MESSAGES = 100
LIMITS = json.loads(Path(__file__).with_name("data").joinpath("delivery_costs.json").read_text())


@pytest.fixture
def calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], tuple[int, int, int]]:
    """Allocations, writes to sockets and other calls so far, of servers that are started while it is in use."""
    library, file = tmp_path / "count_calls.so", tmp_path / "calls"
    source = PACKAGE / "Benchmarks/peers/count_calls.c"
    # The Swift toolchain's own compiler.
    subprocess.run(["clang", "-O1", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    monkeypatch.setenv("CANDLEWIRE_CALLS", str(file))
    monkeypatch.setenv("LD_PRELOAD", str(library))
    return lambda: struct.unpack("3L", file.read_bytes())


def cost(server: RunningServer, calls: Callable[[], tuple[int, int, int]]) -> list[float]:
    """Of each kind of call, how many there are for each message that is published."""

    def published() -> float:
        return scrape(server.address).value("candlewire_stream_messages_published_total")

    first = published()
    before = calls()
    # By the clock, so that nothing asks the server meanwhile; a busy machine publishes fewer.
    time.sleep(MESSAGES / 50)
    after = calls()
    messages = published() - first
    assert messages > MESSAGES / 4
    return [(late - early) / messages for early, late in zip(before, after, strict=True)]


def test_a_message_costs_each_further_reader_one_write_and_next_to_no_memory(
    calls: Callable[[], tuple[int, int, int]], serve: Callable[..., RunningServer]
) -> None:
    server = serve("sim:BTC-USD", "--seed", "3", "--rate", "50")
    with contextlib.ExitStack() as stack:
        readers = Readers(server.port, stack)
        readers.add(FEW)
        with readers.reading():

            def connected(count: int) -> bool:
                return server.get("/health")["streams"]["connections"] == count

            eventually(lambda: connected(FEW), "the first readers are there")
            few = cost(server, calls)
            readers.add(MANY - FEW)
            eventually(lambda: connected(MANY), "all readers are there")
            time.sleep(0.5)
            many = cost(server, calls)
    kinds = ("allocations", "writes", "other_calls")
    found = {kind: (more - less) / (MANY - FEW) for kind, more, less in zip(kinds, many, few, strict=True)}
    limits = LIMITS["release" if is_optimised() else "debug"]
    for kind, count in found.items():
        figure(f"{kind} for each message and further reader", f"{count:.3f}, at most {limits[kind]}")
    over = {kind: f"{count:.3f} instead of {limits[kind]}" for kind, count in found.items() if count > limits[kind]}
    assert not over, f"a delivered message costs more than it did: {over}"
