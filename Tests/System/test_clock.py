"""A system clock that is wrong: the real server with a wall clock that the tests set."""

import json
import struct
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest

from figures import figure
from running_server import RunningServer
from support.polling import eventually
from support.server import is_optimised

DAY = 86_400


class Clock:
    """The system's wall clock, as processes see it that are started while it is in use."""

    def __init__(self, file: Path) -> None:
        self._file = file
        file.write_bytes(struct.pack("d", 0))

    def set(self, days: float) -> None:
        """How far it is ahead from now on."""
        with self._file.open("r+b") as file:
            file.write(struct.pack("d", days * DAY))


@pytest.fixture
def clock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Clock:
    library = tmp_path / "wall_clock.so"
    source = Path(__file__).with_name("wall_clock.c")
    # The Swift toolchain's own compiler.
    subprocess.run(["clang", "-O1", "-shared", "-fPIC", "-o", library, source, "-ldl", "-lm"], check=True)
    monkeypatch.setenv("CANDLEWIRE_CLOCK_FILE", str(tmp_path / "clock"))
    clock = Clock(tmp_path / "clock")
    monkeypatch.setenv("LD_PRELOAD", str(library))
    return clock


def post(server: RunningServer, path: str, body: dict[str, object]) -> tuple[int, dict[str, object]]:
    request = urllib.request.Request(
        server.address + path, json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def is_now(timestamp: float) -> bool:
    return abs(timestamp - time.time()) < 60


def newest(server: RunningServer) -> float:
    return server.recent("BTC-USD", "1s", limit=1)[-1]["timestamp"]


def test_a_jump_of_400_days_and_back_dates_nothing(clock: Clock, serve: Callable[..., RunningServer]) -> None:
    server = serve("sim:BTC-USD", "--rate", "200")
    assert server.get("/health")["clock"] == {"state": "ok", "system_ahead": 0}
    clock.set(400)
    eventually(lambda: server.get("/health")["clock"]["state"] == "held", "the jump is noticed")
    health = server.get("/health")
    assert health["status"] == "degraded" and abs(health["clock"]["system_ahead"] - 400 * DAY) < 60
    assert "the system clock jumped" in server.log
    events = server.get("/v1/events", type="system")["events"]
    assert any("The system clock jumped by" in event["message"] for event in events)
    # Candles, orders and fills get the right time meanwhile.
    before = newest(server)
    eventually(lambda: newest(server) > before, "the market goes on")
    assert is_now(newest(server))
    status, order = post(
        server, "/v1/orders", {"symbol": "BTC-USD", "side": "buy", "type": "market", "quantity": "0.01"}
    )
    assert status == 201 and is_now(order["created_at"]), order
    eventually(lambda: server.get("/v1/fills")["fills"], "the order is filled")
    assert is_now(server.get("/v1/fills")["fills"][0]["timestamp"])
    clock.set(0)
    eventually(lambda: server.get("/health")["status"] == "ok", "the jump is over")
    assert server.get("/health")["clock"] == {"state": "ok", "system_ahead": 0}
    # The next start finds nothing of the future.
    server.stop()
    server.start()
    assert "quarantined_candles" not in server.log
    assert is_now(newest(server))


def test_candles_of_the_future_are_put_aside_and_a_store_of_100_days_ago_opens(
    clock: Clock, serve: Callable[..., RunningServer]
) -> None:
    clock.set(100)
    server = serve("sim:BTC-USD")
    status, order = post(
        server, "/v1/orders", {"symbol": "BTC-USD", "side": "buy", "type": "market", "quantity": "0.01"}
    )
    assert status == 201 and not is_now(order["created_at"])
    server.stop()
    clock.set(0)
    server.start()
    assert "quarantined_candles" in server.log and "dated in the future" in server.log
    before = newest(server)
    assert is_now(before)
    eventually(lambda: newest(server) > before, "the market goes on")
    status, order = post(
        server, "/v1/orders", {"symbol": "BTC-USD", "side": "buy", "type": "market", "quantity": "0.01"}
    )
    assert status == 201 and is_now(order["created_at"]), order
    filled = f"/v1/orders/{order['id']}"
    eventually(lambda: server.get(filled)["status"] == "filled", "orders are filled at the present time")
    server.stop()
    # A hundred days later: what is missing is made.
    clock.set(100)
    server.start()
    gap = server.candles("BTC-USD", "1d", before - 5 * DAY, before + 99 * DAY)
    assert len(gap) >= 103


def test_a_store_of_100_days_ago_with_all_markets_opens_in_ten_seconds(
    clock: Clock, serve: Callable[..., RunningServer]
) -> None:
    server = serve("sim")
    eventually(lambda: server.get("/health")["feeds"][0]["unstored_markets"] == 0, "all histories are stored", within=180)
    newest_before = newest(server)
    server.stop()
    clock.set(100)
    began = time.monotonic()
    server.start()
    seconds = time.monotonic() - began
    figure("start with a store of 100 days ago, all markets", f"{seconds:.1f} s")
    assert newest(server) > newest_before + 99 * DAY
    # A debug build beside other tests may need many times as long.
    assert seconds < (10 if is_optimised() else 120)
