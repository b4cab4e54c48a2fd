"""Backups of a running server under load, and what a restored folder has."""

import json
import shutil
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from figures import figure
from running_server import RunningServer
from support.polling import eventually
from support.server import binary
from test_trading_kill import Trader

TRADERS = 3


def candlewire(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [str(binary()), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=180, check=False)


def done(*arguments: str | Path) -> str:
    answer = candlewire(*arguments)
    assert answer.returncode == 0, answer.stderr
    return answer.stdout


def rows(folder: Path, name: str, query: str) -> list[tuple[Any, ...]]:
    with sqlite3.connect(f"file:{folder}/{name}?mode=ro", uri=True) as database:
        return database.execute(query).fetchall()


LEDGER = "SELECT account, sequence, time, kind, body, checksum FROM ledger ORDER BY account, sequence"
CANDLES = "SELECT symbol, timeframe, timestamp, open, high, low, close, volume FROM candles JOIN series ON id = series ORDER BY 1, 2, 3"


def order_ids(ledger: list[tuple[Any, ...]]) -> set[str]:
    return {found for row in ledger if (found := json.loads(row[4]).get("order", {}).get("id"))}


def test_a_backup_under_load_is_one_moment_of_all_that_was_acknowledged(serve: Callable[..., RunningServer], tmp_path: Path) -> None:
    server = serve("sim:BTC-USD,ETH-USD", "--seed", "5", "--rate", "200")
    backups, restored = tmp_path / "backups", tmp_path / "restored"
    traders = [Trader(number, server.port) for number in range(TRADERS)]
    for trader in traders:
        trader.start()
    before: list[set[str]] = []
    try:
        for _ in range(2):
            eventually(lambda: all(len(each.acknowledged) > 30 * (len(before) + 1) for each in traders), "orders", within=120)
            before.append({order for trader in traders for order in list(trader.acknowledged.values())})
            # So slow that orders arrive while it copies.
            done("backup", backups, "--data-dir", server.data_dir, "--max-rate", "4")
        eventually(lambda: sum(len(each.acknowledged) for each in traders) > len(before[1]) + 30, "more orders", within=120)
        refused = candlewire("restore", backups, "--data-dir", server.data_dir)
        assert refused.returncode == 73 and "is in use by another candlewire" in refused.stderr, refused
    finally:
        for trader in traders:
            trader.stop()
    for trader in traders:
        trader.join(timeout=60)
        assert trader.failure is None
    ids = [line.split()[0] for line in done("backup", "--list", backups).splitlines()]
    assert len(ids) == 2
    server.stop()
    whole = rows(server.data_dir, "ledger.sqlite", LEDGER)
    candles = set(rows(server.data_dir, "candlewire.sqlite", CANDLES))
    compared = 0
    for number, (backup, acknowledged) in enumerate(zip(ids, before, strict=True)):
        place = restored / str(number)
        done("restore", backups, "--backup", backup, "--data-dir", place)
        ledger = rows(place, "ledger.sqlite", LEDGER)
        assert ledger == whole[: len(ledger)], "it is the beginning of the ledger"
        assert acknowledged <= order_ids(ledger)
        assert len(ledger) < len(whole)
        kept = rows(place, "candlewire.sqlite", CANDLES)
        assert kept
        # Only a candle that was still forming may have changed since.
        assert len(set(kept) - candles) < 100
        compared += len(ledger) + len(kept)
    figure("two backups under load: rows compared with the server's", f"{compared:,}")
    # The server itself accepts it.
    again = RunningServer(restored / "1", feed="sim:BTC-USD,ETH-USD", flags=("--seed", "5")).start()
    try:
        listed = {order["id"] for order in again.get("/v1/orders", limit=1000)["orders"]}
        assert listed and listed <= order_ids(ledger)
    finally:
        again.stop()


def test_a_second_backup_adds_what_changed_and_a_killed_one_destroys_nothing(
    serve: Callable[..., RunningServer], tmp_path: Path
) -> None:
    server = serve("sim:BTC-USD", "--seed", "6")
    eventually(lambda: server.get("/health")["feeds"][0]["unstored_markets"] == 0, "the history is stored")
    server.stop()
    backups = tmp_path / "backups"
    done("backup", backups, "--data-dir", server.data_dir, "--max-rate", "0")
    first = sum(path.stat().st_size for path in backups.glob("*.pack"))
    done("backup", backups, "--data-dir", server.data_dir, "--max-rate", "0")
    second = sum(path.stat().st_size for path in backups.glob("*.pack")) - first
    # A chunk of each database: SQLite counts its copies in the first page.
    assert first > 1_000_000 and second <= 3 * 65_536
    listed = done("backup", "--list", backups)
    slow = subprocess.Popen([str(binary()), "backup", str(backups), "--data-dir", str(server.data_dir), "--max-rate", "1"])
    eventually(lambda: any((backups / "work").glob("*")) or slow.poll() is not None, "it copies")
    slow.send_signal(signal.SIGKILL)
    assert slow.wait() == -signal.SIGKILL
    assert done("backup", "--list", backups) == listed
    assert "is whole" in done("restore", "--check", backups)
    # Its lock went with it, and its remains go with the next.
    done("backup", backups, "--data-dir", server.data_dir, "--keep", "1")
    assert len(list(backups.glob("*.json"))) == 1 and not (backups / "work").exists()
    done("restore", backups, "--data-dir", server.data_dir)
    assert len(list(server.data_dir.parent.glob(f"{server.data_dir.name}.replaced-*"))) == 1
    server.start()
    assert server.recent("BTC-USD", "1m", 10)


def test_files_of_a_backup_are_their_owners_alone(serve: Callable[..., RunningServer], tmp_path: Path) -> None:
    server = serve("sim:BTC-USD", "--seed", "6")
    done("backup", tmp_path / "backups", "--data-dir", server.data_dir)
    for path in [tmp_path / "backups", *(tmp_path / "backups").iterdir()]:
        if path.name != "lock":
            assert path.stat().st_mode & 0o077 == 0, path


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["backup", "{}/b", "--data-dir", "{}/none"], "There is no data in"),
        (["backup", "{}/b", "--max-rate", "-1"], "--max-rate must be from 1"),
        (["backup", "{}/b", "--keep", "0"], "--keep must be 1 or more"),
        (["restore", "{}/none"], "There is no backup in"),
        (["restore", "{}/none", "--backup", "../x"], "There is no backup ../x"),
    ],
)
def test_what_cannot_be_done_is_said(tmp_path: Path, arguments: list[str], sentence: str) -> None:
    answer = candlewire(*(argument.format(tmp_path) for argument in arguments))
    assert answer.returncode in (64, 73) and sentence in answer.stderr, answer


def ages(folder: Path) -> dict[str, tuple[float, int]]:
    """Seconds since the first candle of each timeframe, and how many there are."""
    query = "SELECT timeframe, min(timestamp), count(*) FROM candles JOIN series ON id = series GROUP BY 1"
    return {timeframe: (time.time() - first, count) for timeframe, first, count in rows(folder, "candlewire.sqlite", query)}


def test_old_candles_are_deleted_by_a_running_server_and_by_prune(serve: Callable[..., RunningServer], tmp_path: Path) -> None:
    server = serve("sim:BTC-USD", "--seed", "7")
    eventually(lambda: server.get("/health")["feeds"][0]["unstored_markets"] == 0, "the history is stored")
    server.stop()
    day = 86_400
    made = ages(server.data_dir)
    assert made["1h"][0] > 20 * day and made["1m"][0] > 2 * day
    copy = tmp_path / "copy"
    shutil.copytree(server.data_dir, copy)
    arguments = ("prune", "--keep-candles", "1m:1d,1h:10d", "--data-dir", copy)
    planned = done(*arguments, "--dry-run")
    assert ages(copy)["1h"][1] == made["1h"][1] and "would be deleted" in planned
    size = (copy / "candlewire.sqlite").stat().st_size
    pruned = done(*arguments)
    assert "candles deleted" in pruned and (copy / "candlewire.sqlite").stat().st_size < size
    left = ages(copy)
    assert left["1h"][0] < 10 * day + 7200 and left["1m"][0] < day + 7200
    assert left["5m"][1] == made["5m"][1]
    again = RunningServer(server.data_dir, feed="sim:BTC-USD", flags=("--seed", "7", "--keep-candles", "1m:1d,1h:10d")).start()
    try:
        eventually(lambda: ages(server.data_dir)["1h"][0] < 10 * day + 7200, "the server deletes them", within=60)
        assert again.recent("BTC-USD", "1h", 10)
        refused = candlewire("prune", "--keep-candles", "1h:2d", "--data-dir", server.data_dir)
        assert refused.returncode == 73 and "in use" in refused.stderr
        eventually(lambda: "old candles were deleted" in again.log, "it says what that freed", within=60)
    finally:
        again.stop()
