"""`GET /v1/candles.csv`: all stored candles of a market, in memory that does not depend on how many there are."""

import contextlib
import os
import socket
import sqlite3
import subprocess
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from figures import figure
from running_server import RunningServer
from support.polling import eventually
from support.server import binary

COUNT = 300_000
# Most that a program may need more than when it had a part of it; the table of all candles has three times as much.
GROWTH = 8 << 20

# Numbers with all the digits that a double has.
FILL = """
    WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < :count - 1)
    INSERT INTO candles
    SELECT :series, :first + i, 67000 + i % 997 / 7.0, 67200 + i % 991 / 13.0, 66900 + i % 983 / 17.0,
        67000 + i % 977 / 19.0, i % 971 / 23.0, 0, 0 FROM n
"""


def fill(folder: Path) -> int:
    """Puts a second's candle for each of `COUNT` seconds in front of those that a server made; returns the first one's start."""
    with contextlib.closing(sqlite3.connect(folder / "candlewire.sqlite")) as store, store:
        query = "SELECT id FROM series WHERE symbol = 'BTC-USD' AND timeframe = '1s'"
        (series,) = store.execute(query).fetchone()
        (newest,) = store.execute("SELECT min(timestamp) FROM candles WHERE series = ?", [series]).fetchone()
        first = int(newest) - COUNT
        store.execute(FILL, {"count": COUNT, "series": series, "first": first})
    return first


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[RunningServer, int]]:
    """A server with `COUNT` candles of seconds, and the first one's start."""
    server = RunningServer(tmp_path_factory.mktemp("filled") / "data", feed="sim:BTC-USD", flags=("--seed", "3")).start()
    eventually(lambda: server.get("/health")["feeds"][0]["unstored_markets"] == 0, "the history is stored")
    server.stop()
    first = fill(server.data_dir)
    server.start()
    yield server, first
    server.stop()


def path(start: int, count: int) -> str:
    return f"/v1/candles.csv?symbol=BTC-USD&timeframe=1s&from={start}&to={start + count - 1}"


def exported_by_command(server: RunningServer, start: int, count: int, file: Path) -> int:
    """Writes what `candlewire export` prints; returns the most memory that it had, in bytes."""
    period = ("--from", str(start), "--to", str(start + count), "--data-dir", str(server.data_dir))
    with file.open("wb") as output:
        process = subprocess.Popen([str(binary()), "export", "BTC-USD", "--timeframe", "1s", *period], stdout=output)
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return usage.ru_maxrss << 10


def idle_export(server: RunningServer, first: int, stack: contextlib.ExitStack) -> None:
    """Begins an export of all, and does not read it."""
    connection = stack.enter_context(socket.socket())
    # Before the connection is made: it bounds what the system keeps for the reader.
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.connect(("127.0.0.1", server.port))
    connection.sendall(f"GET {path(first, COUNT)} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
    assert connection.recv(12) == b"HTTP/1.1 200"


def test_exports_of_any_length_need_little_memory_beside_clients_that_do_not_read(
    filled: tuple[RunningServer, int], tmp_path: Path
) -> None:
    server, first = filled
    with urllib.request.urlopen(server.address + path(first, 5_000), timeout=60) as answer:
        few = answer.read()
    assert few.count(b"\n") == 5_001
    pieces: list[bytes] = []
    memory: list[int] = []
    with contextlib.ExitStack() as stack:
        for _ in range(3):
            idle_export(server, first, stack)
        # As long as this takes, the server would have made the others.
        with urllib.request.urlopen(server.address + path(first, COUNT), timeout=60) as answer:
            assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
            assert answer.headers["Content-Disposition"] == 'attachment; filename="BTC-USD-1s.csv"'
            while piece := answer.read(1 << 18):
                pieces.append(piece)
                memory.append(server.memory)
    text = b"".join(pieces)
    lines = text.splitlines()
    assert len(lines) == COUNT + 1 and lines[0] == b"timestamp,open,high,low,close,volume"
    assert [int(line[: line.index(b",")]) for line in lines[1:]] == list(range(first, first + COUNT))
    assert len(text) > 3 * GROWTH and text.startswith(few)
    # By then each connection of the database has filled its cache.
    growth = max(memory) - memory[len(memory) // 4]
    figure("memory for the last three quarters of an export", f"{growth / 1e6:.1f} MB, of {len(text) / 1e6:.0f} MB")
    assert growth < GROWTH / 2 and max(memory) - memory[0] < 2 * GROWTH

    little = exported_by_command(server, first, 5_000, tmp_path / "few.csv")
    much = exported_by_command(server, first, COUNT, tmp_path / "all.csv")
    assert (tmp_path / "few.csv").read_bytes() == few and (tmp_path / "all.csv").read_bytes() == text
    figure("memory for an export by the command", f"{(much - little) / 1e6:.1f} MB")
    assert much - little < GROWTH


def test_without_bounds_it_has_what_was_traded_just_now_and_a_head_has_no_body(quiet: RunningServer) -> None:
    eventually(lambda: quiet.get("/health")["feeds"][0]["unstored_markets"] == 0, "the history is stored")
    newest = quiet.recent("BTC-USD", "1s", 2)[0]
    everything = f"{quiet.address}/v1/candles.csv?symbol=BTC-USD&timeframe=1s"
    with urllib.request.urlopen(f"{everything}&limit=1", timeout=60) as answer:
        lines = answer.read().splitlines()
    assert len(lines) > 7_000, "two hours and no limit"
    assert any(line.startswith(f"{newest['timestamp']:.0f},".encode()) for line in lines[-5:]), (newest, lines[-5:])
    request = urllib.request.Request(everything, method="HEAD")
    for _ in range(6):
        with urllib.request.urlopen(request, timeout=60) as answer:
            assert answer.status == 200 and answer.read() == b""
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(f"{everything}&from=yesterday", timeout=60)
    assert refused.value.code == 400 and b'"field":"from"' in refused.value.read()


def test_there_are_four_exports_at_the_same_time_and_clients_that_go_leave_room(filled: tuple[RunningServer, int]) -> None:
    server, first = filled

    def export() -> int:
        """The number of lines."""
        with urllib.request.urlopen(server.address + path(first, 10), timeout=60) as answer:
            return answer.read().count(b"\n")

    def has_room() -> bool:
        try:
            return export() == 11
        except urllib.error.HTTPError as refusal:
            assert refusal.code == 503
            return False

    eventually(has_room, "what went before is over")
    with contextlib.ExitStack() as stack:
        for _ in range(4):
            idle_export(server, first, stack)
        with pytest.raises(urllib.error.HTTPError) as refused:
            export()
        assert refused.value.code == 503 and refused.value.headers["Retry-After"] == "5"
        assert b'"code":"busy"' in refused.value.read()
        assert server.get("/health")["status"] == "ok"
    eventually(has_room, "exports whose clients are gone end")
