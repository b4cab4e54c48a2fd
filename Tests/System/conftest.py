"""Finds what the folders of `Tests` share, wherever pytest was started, and starts servers for a test's own use."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from websockets.sync.client import connect

for folder in ("Browser", "Oracles"):
    path = str(Path(__file__).resolve().parents[1] / folder)
    if path not in sys.path:
        sys.path.append(path)

from running_server import RunningServer  # noqa: E402
from support.secrets import no_secret_in_logs  # noqa: E402, F401

# What `websockets` allows a handshake and a pong by itself, a busy machine may need.
connect.__kwdefaults__.update(open_timeout=60, ping_timeout=60)


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., RunningServer]]:
    """Starts servers whose arguments a test chooses; those that still run are stopped after it."""
    servers: list[RunningServer] = []

    def start(feed: str, *flags: str) -> RunningServer:
        servers.append(RunningServer(tmp_path / f"data-{len(servers)}", feed=feed, flags=flags))
        return servers[-1].start()

    yield start
    for server in servers:
        server.stop()


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """Two simulated markets at the default rate, for the tests that leave the server as they found it."""
    folder = tmp_path_factory.mktemp("quiet") / "data"
    server = RunningServer(folder, feed="sim:BTC-USD,ETH-USD", flags=("--seed", "5")).start()
    yield server
    server.stop()
