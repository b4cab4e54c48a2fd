"""The code of Docs/from-the-guide.md, without access to what is internal to the package, run against a server in each mode."""

import re
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from running_server import CANDLE, RunningServer

BUILT = Path(__file__).resolve().parents[2] / ".build" / "debug"
# Swift 5, Swift 6, and that with everything on the main actor.
MODES = ("5", "6", "main")

# What the program prints for each block of the guide.
LINES = [
    r"provider: LIVE, bars of 1s and 5s without a hole, disconnected: closed with 1000 ?",
    r"messages: snapshot, candle and tick shown; incomplete tick dropped; unknown message type: weather; "
    r"no message: 8 bytes",
    r"aggregation: 12 bars, the same from ticks up to 8 s late",
    r"connection: [3-9] attempts, disconnected: .+",
    r"history: 1000 bars joined to live ones without a hole; no history: the answer of the API has no candles; "
    r"no history: the address of the API is none",
    r"rate limit: 4 requests, one at a time, 0\.2 s apart",
    r"validation: 4 reasons; tick dropped: tick is too old",
    r"recovery: 2 4 8 16 30 30 30 30 30 30 s, then given up; anew after a connection",
    r"several symbols: paused, resumed and removed",
    r"throttling: at most 30 changes a second, and no tick is missing",
    r"memory: 10000 of 12000 bars kept, 1 idle builder of 3 gone",
    r"mock: 100 bars of history, live ticks, stopped",
]

# Throttling measures real time.
pytestmark = pytest.mark.serial


def test_each_block_of_the_guide_does_what_it_promises_in_each_mode(quiet: RunningServer) -> None:
    commands = [[BUILT / f"guide-user-{mode}", f"127.0.0.1:{quiet.port}"] for mode in MODES]
    # They mostly wait.
    with ThreadPoolExecutor() as pool:
        runs = list(pool.map(lambda each: subprocess.run(each, capture_output=True, text=True, timeout=600), commands))
    for run in runs:
        assert run.returncode == 0, run.stdout + run.stderr
        lines = run.stdout.splitlines()
        assert len(lines) == len(LINES), run.stdout
        assert [line for line, expected in zip(lines, LINES) if not re.fullmatch(expected, line)] == []


@pytest.mark.parametrize("mode", MODES)
def test_a_chart_has_the_servers_bars_after_the_server_was_killed(
    mode: str, serve: Callable[..., RunningServer]
) -> None:
    server = serve("sim:BTC-USD", "--seed", "5")
    command = [BUILT / f"guide-user-{mode}", f"127.0.0.1:{server.port}", "outage"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "connected; live\n"
        server.kill()
        assert re.fullmatch(r"disconnected: .+; reconnecting\n", program.stdout.readline())
        server.start()
        assert program.stdout.readline() == "connected again; live\n"
        bars = [[float(field) for field in line.split()] for line in program.stdout]
        assert program.wait(timeout=60) == 0
    served = [[bar[name] for name in CANDLE] for bar in server.recent("BTC-USD", "1s")]
    *closed, forming = bars
    assert len(closed) > 300
    assert closed == [bar for bar in served if closed[0][0] <= bar[0] < forming[0]]
