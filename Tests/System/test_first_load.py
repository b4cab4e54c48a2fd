"""A store that cannot be read when a feed begins: what is stored comes into memory as soon as it can, and nothing live is lost."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from typing import Any

from running_server import RunningServer
from support.polling import eventually
from test_live_history import bars, coinbase


def rename(server: RunningServer, name: str, new: str) -> None:
    (path,) = server.data_dir.rglob("candlewire.sqlite")
    with closing(sqlite3.connect(path, timeout=60, isolation_level=None)) as store:
        # Else a later query would be the first to see it, and this one ends with the connection.
        store.execute("PRAGMA legacy_alter_table = ON")
        store.execute(f"ALTER TABLE {name} RENAME TO {new}")


def test_stored_candles_that_cannot_be_read_at_first_are_read_when_they_can(
    serve: Callable[..., RunningServer],
) -> None:
    with coinbase() as (venue, url):
        server = serve("coinbase:BTC-USD", "--url", url)

        def feed() -> dict[str, Any]:
            return server.get("/health")["feeds"][0]

        eventually(lambda: len(bars(server, "1m")) > 1000, "the venue's history is joined", every=0.5)
        server.stop()
        stored = set(bars_of(server))
        rename(server, "candles", "away")
        venue.trades.clear()
        venue.requests.clear()
        server.start()
        eventually(lambda: feed()["load_failures"] >= 2, "it is tried again")
        reported = feed()
        assert reported["unloaded_markets"] == 1 and reported["state"] == "live"
        assert reported["problem"] == "The stored candles of one market cannot be read; retrying."
        assert venue.requests == [], "what is missing is known when what is stored is known"
        venue.trades.set()
        eventually(lambda: server.get("/health")["ticks"]["accepted"] >= 20, "trades are accepted")
        accepted = server.get("/health")["ticks"]["accepted"]
        rename(server, "away", "candles")
        eventually(lambda: feed()["unloaded_markets"] == 0, "the store is read")
        assert "problem" not in feed()
        eventually(lambda: len(venue.requests) > 0, "the rest is requested")
        assert stored <= set(bars(server, "1m"))
        seconds = bars(server, "1s", 10_000)
        assert sum(volume for *_, volume in (seconds[start] for start in seconds)) >= accepted
        eventually(lambda: server.get("/health")["status"] == "ok", "what was built meanwhile is written")


def bars_of(server: RunningServer) -> list[int]:
    """The starts of the stored minutes."""
    (path,) = server.data_dir.rglob("candlewire.sqlite")
    with closing(sqlite3.connect(path)) as store:
        rows = store.execute(
            "SELECT timestamp FROM candles JOIN series ON series.id = series WHERE timeframe = '1m' ORDER BY timestamp DESC LIMIT 900"
        )
        return [int(row[0]) for row in rows]
