"""`candlewire backfill` and `candlewire compare` against servers that behave as the venues do."""

import json
import os
import pty
import signal
import sqlite3
import subprocess
import time
from pathlib import Path

from support.polling import eventually
from support.server import binary
from test_cli import ADDRESS, INPUT, USAGE, candlewire, error_of
from venue_rest import candle, venue_rest

STORE = ("--data-dir", "data")
# Real markets are kept apart from the simulated ones.
LIVE = "data/live"
# 2024-08-08 00:00:00 UTC.
START = 1_723_075_200


def exported(symbol: str, timeframe: str, folder: Path) -> dict[int, list[float]]:
    # Those of real markets are found without their folder.
    answer = candlewire("export", symbol, "--timeframe", timeframe, "--data-dir", STORE[1], folder=folder)
    assert answer.returncode == 0, answer.stderr
    rows = [line.split(",") for line in answer.stdout.splitlines()[1:]]
    return {int(row[0]): [float(value) for value in row[1:]] for row in rows}


def expected(start: int, minutes: int) -> dict[int, list[float]]:
    times = range(start, start + 60 * minutes, 60)
    return {time: bar for time in times if (bar := candle(time))}


def test_an_interrupted_run_goes_on_where_it_stopped_and_leaves_no_hole(tmp_path: Path) -> None:
    with venue_rest() as venue:
        call = (
            "backfill", "coinbase:BTC-USD", "--from", "2024-08-08", "--to", "2024-08-09", "--url", venue.base, *STORE,
        )  # fmt: skip
        venue.fail_after = 2
        cut = candlewire(*call, folder=tmp_path)
        assert cut.returncode == ADDRESS
        assert "answered with HTTP status 404: “NotFound”" in error_of(cut)
        # A page has a minute less than the venue allows, so that its end may be included or not.
        assert exported("coinbase:BTC-USD", "1m", tmp_path) == expected(START, 598)

        venue.fail_after = None
        # Once the venue requests a pause: it waits, and goes on.
        venue.refusals = [(429, {"Retry-After": "1"})]
        whole = candlewire(*call, folder=tmp_path)
        assert (whole.returncode, whole.stderr) == (0, "")
        assert f"fetched   {len(expected(START + 598 * 60, 842)):,} candles in 3 pages" in whole.stdout
        assert exported("coinbase:BTC-USD", "1m", tmp_path) == expected(START, 1440)
        hours = exported("coinbase:BTC-USD", "1h", tmp_path)
        assert len(hours) == 24 and list(exported("coinbase:BTC-USD", "1d", tmp_path)) == [START]
        # What it fetched is known: nothing is requested twice, not even where nothing was traded.
        requested = len(venue.requests)
        again = candlewire(*call, folder=tmp_path)
        assert again.returncode == 0 and "all of it is in the store" in again.stdout
        assert len(venue.requests) == requested
        log = (tmp_path / "data" / "audit.jsonl").read_text()
        assert log.count('"action":"backfill coinbase:BTC-USD --timeframe 1m","status":200') == 2
        assert log.count('"action":"backfill coinbase:BTC-USD --timeframe 1m","status":500') == 1

        # A hole that is made is found, and repaired with one request; so is a candle that did not see all trades.
        with sqlite3.connect(tmp_path / LIVE / "candlewire.sqlite") as store:
            store.execute("DELETE FROM coverage")
            store.execute("DELETE FROM candles WHERE timestamp BETWEEN ? AND ?", (START + 600, START + 1200))
            store.execute("UPDATE candles SET high = 999, quality = 2 WHERE timestamp = ?", (START + 6000,))
        store.close()
        repaired = candlewire(*call, folder=tmp_path)
        assert repaired.returncode == 0 and "1 replaced" in repaired.stdout
        assert exported("coinbase:BTC-USD", "1m", tmp_path) == expected(START, 1440)


def test_ctrl_c_keeps_what_was_fetched(tmp_path: Path) -> None:
    with venue_rest() as venue:
        call = ("backfill", "coinbase:BTC-USD", "--from", "2024-08-08", "--to", "2024-08-09", "--url", venue.base, *STORE)
        # The second page is refused for minutes: the program waits when the signal comes.
        venue.refuse_second = True
        process = subprocess.Popen([str(binary()), *call], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        eventually(lambda: len(venue.requests) >= 2, "the second page is requested", within=60)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        assert (process.returncode, err) == (130, b"")
        assert b"the same command goes on from there" in out
        assert exported("coinbase:BTC-USD", "1m", tmp_path) == expected(START, 299)
        assert len(exported("coinbase:BTC-USD", "1h", tmp_path)) == 5


def test_ctrl_c_while_the_store_is_busy_is_no_failure_of_the_store(tmp_path: Path) -> None:
    with venue_rest() as venue:
        call = ("backfill", "coinbase:BTC-USD", "--from", "2024-08-08", "--to", "2024-08-09", "--url", venue.base, *STORE)
        locks: list[sqlite3.Connection] = []

        def lock(count: int) -> None:
            # The second page cannot be written: another process holds the store.
            if count == 2:
                locks.append(sqlite3.connect(tmp_path / LIVE / "candlewire.sqlite", check_same_thread=False))
                locks[0].execute("BEGIN IMMEDIATE")

        venue.on_request = lock
        process = subprocess.Popen([str(binary()), *call], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        eventually(lambda: bool(locks), "the store is locked", within=60)
        # The answer is read and staged, and waits for the lock.
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        locks[0].rollback()
        locks[0].close()
        assert (process.returncode, err) == (130, b"")
        assert b"the same command goes on from there" in out
        assert exported("coinbase:BTC-USD", "1m", tmp_path) == expected(START, 299)


def test_rows_that_make_no_sense_are_reported_and_requested_again(tmp_path: Path) -> None:
    with venue_rest() as venue:
        period = ("--from", "2024-08-08", "--to", "2024-08-08 02:00", "--url", venue.base, *STORE)
        venue.broken = set(list(expected(START, 120))[5:7])
        report = candlewire("backfill", "coinbase:BTC-USD", *period, folder=tmp_path)
        assert (report.returncode, report.stderr) == (75, "")
        assert "invalid   2 of the venue's candles were skipped" in report.stdout
        assert len(exported("coinbase:BTC-USD", "1m", tmp_path)) == len(expected(START, 120)) - 2
        differs = candlewire("compare", "coinbase:BTC-USD", *period, folder=tmp_path)
        assert differs.returncode == 0 and "2 invalid candles of the venue" in differs.stdout
        requested = len(venue.requests)
        venue.broken = set()
        again = candlewire("backfill", "coinbase:BTC-USD", *period, folder=tmp_path)
        assert again.returncode == 0 and "kept      2 new" in again.stdout
        assert len(venue.requests) == requested + 1
        assert exported("coinbase:BTC-USD", "1m", tmp_path) == expected(START, 120)


def test_a_venue_whose_clock_is_behind_is_reported_and_not_counted_as_complete(tmp_path: Path) -> None:
    with venue_rest() as venue:
        call = ("backfill", "binance:BTCUSDT", "--from", "2024-08-08", "--to", "2024-08-08 02:00", "--url", venue.base, *STORE)
        venue.clock = START - 600
        nothing = candlewire(*call, folder=tmp_path)
        assert (nothing.returncode, nothing.stderr) == (75, "")
        assert "the venue has nothing that is missing" in nothing.stdout
        assert "open      the venue says the candles from 2024-08-08 00:00:00 UTC are not closed yet" in nothing.stdout
        venue.clock = START + 3605
        part = candlewire(*call, folder=tmp_path)
        assert part.returncode == 75 and "open      the venue says the candles from 2024-08-08 01:00:00 UTC" in part.stdout
        assert exported("binance:BTCUSDT", "1m", tmp_path) == expected(START, 60)

        # What runs by the venue's clock is nothing to compare: here, a candle that was whole when it was fetched.
        venue.clock = None
        assert candlewire(*call, folder=tmp_path).returncode == 0
        venue.clock = START + 3605
        same = candlewire("compare", *call[1:], folder=tmp_path)
        assert (same.returncode, same.stderr) == (0, "")
        assert "2024-08-08 00:00:00 to 2024-08-08 01:00:00 UTC" in same.stdout
        venue.clock = START - 600
        none = candlewire("compare", *call[1:], folder=tmp_path)
        assert none.returncode == INPUT and "has not closed the candles from 2024-08-08 00:00:00 UTC" in error_of(none)


def test_a_request_that_fails_without_a_reason_is_repeated(tmp_path: Path) -> None:
    with venue_rest() as venue:
        call = ("backfill", "candlewire:X", "--from", "2024-08-08", "--to", "2024-08-08 01:00", "--url", venue.base, *STORE)
        quiet = 60 - len(expected(START, 60))
        for requested in (1, 2):
            answer = candlewire(*call, folder=tmp_path)
            assert (answer.returncode, answer.stderr) == (0, "")
            assert f"unknown   {quiet} candles are not there" in answer.stdout
            assert len(venue.requests) == requested
        assert exported("candlewire:X", "1m", tmp_path) == expected(START, 60)


def test_other_venues_and_names(tmp_path: Path) -> None:
    with venue_rest() as venue:
        period = ("--from", "2024-08-08", "--to", "2024-08-09")
        binance = ("backfill", "binance:BTCUSDT", *period, "--url", venue.base, "--as", "mine", *STORE)
        answer = candlewire(*binance, folder=tmp_path)
        assert answer.returncode == 0, answer.stderr
        assert "in 2 pages" in answer.stdout
        # Rows without trades are no candles.
        assert exported("mine", "1m", tmp_path) == expected(START, 1440)

        # Binance.US has Binance's requests, and is a venue of its own.
        us = ("binance-us:BTCUSD", *period, "--url", venue.base, *STORE)
        answer = candlewire("backfill", *us, folder=tmp_path)
        assert (answer.returncode, answer.stderr) == (0, "")
        assert answer.stdout.startswith("binance-us:BTCUSD, 1m, ")
        assert exported("binance-us:BTCUSD", "1m", tmp_path) == expected(START, 1440)
        # A feed that shares its history with another one has a name of its own.
        answer = candlewire("backfill", "binance-aggregates:BTCUSDT", *period, "--url", venue.base, *STORE, folder=tmp_path)
        assert answer.stdout.startswith("binance-aggregates:BTCUSDT, 1m, ")
        assert exported("binance-aggregates:BTCUSDT", "1m", tmp_path) == expected(START, 1440)
        assert candlewire("compare", *us, folder=tmp_path).returncode == 0
        wrong = candlewire("backfill", "binance-us:BTCUSD", "--from", "2024-08-08", "--timeframe", "5s", folder=tmp_path)
        assert "binance-us has no 5s candles; --timeframe can be 1s, 1m" in error_of(wrong)

        # Kraken has its newest 720 only; what is older is reported.
        venue.now = int(time.time())
        newest = venue.now // 60 * 60
        kraken = ("backfill", "kraken:BTC/USD", "--from", str(newest - 86_400), "--url", venue.base, *STORE)
        answer = candlewire(*kraken, folder=tmp_path)
        assert answer.returncode == 75, answer.stderr
        assert "the venue has only its newest candles" in answer.stdout
        found = exported("kraken:BTC/USD", "1m", tmp_path)
        first = min(found)
        assert newest - 720 * 60 <= first <= newest - 700 * 60
        assert found == {time: bar for time, bar in expected(first, 721).items() if time <= max(found)}
        assert max(found) >= newest - 180


def test_a_provider_is_requested_as_its_configuration_says(tmp_path: Path) -> None:
    path = "/v1/candles?symbol={symbol}&timeframe={timeframe}&from={from}&to={to}"
    config = {"url": "wss://stream.example.com", "name": "acme", "history": {"path": path}}
    (tmp_path / "acme.json").write_text(json.dumps(config))
    with venue_rest() as venue:
        period = ("--from", "2024-08-08", "--to", "2024-08-08 01:00", "--url", venue.base, *STORE)
        answer = candlewire("backfill", "provider:acme.json:X", *period, folder=tmp_path)
        assert (answer.returncode, answer.stderr) == (0, "")
        # In the store as the server has it.
        assert exported("acme:X", "1m", tmp_path) == expected(START, 60)
        assert candlewire("compare", "provider:acme.json:X", *period, folder=tmp_path).returncode == 0


def test_a_terminal_shows_how_far_it_is(tmp_path: Path) -> None:
    with venue_rest() as venue:
        call = ["backfill", "coinbase:BTC-USD", "--from", "2024-08-08", "--to", "2024-08-09", "--url", venue.base, *STORE]
        ours, theirs = pty.openpty()
        process = subprocess.Popen(
            [str(binary()), *call], cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=theirs,
            env=os.environ | {"TERM": "xterm"},
        )  # fmt: skip
        os.close(theirs)
        shown = b""
        while True:
            try:
                piece = os.read(ours, 4096)
            except OSError:
                break
            if not piece:
                break
            shown += piece
        assert process.wait(timeout=120) == 0
        os.close(ours)
        text = shown.decode()
        assert "fetching coinbase:BTC-USD [" in text and " candles" in text
        # The line is removed at the end.
        assert text.endswith("\x1b[2K")


def test_differences_are_listed_with_their_reason(tmp_path: Path) -> None:
    with venue_rest() as venue:
        period = ("--from", "2024-08-08", "--to", "2024-08-08 02:00", "--url", venue.base, *STORE)
        assert candlewire("backfill", "binance:BTCUSDT", *period, folder=tmp_path).returncode == 0
        same = candlewire("compare", "binance:BTCUSDT", *period, folder=tmp_path)
        assert (same.returncode, same.stderr) == (0, "")
        traded = len(expected(START, 120))
        assert f"{traded} of 120 candles are the same, {120 - traded} without trades have a row" in same.stdout

        # Whole minutes of START that trade: 1 and on, but for each seventh.
        times = [time for time in expected(START, 60)][:7]
        quiet = next(time for time in range(START, START + 600, 60) if candle(time) is None)
        with sqlite3.connect(tmp_path / LIVE / "candlewire.sqlite") as store:
            change = "UPDATE candles SET {} WHERE timestamp = ? AND series = (SELECT id FROM series WHERE timeframe = '1m')"
            store.execute("DELETE FROM candles WHERE timestamp = ?", (times[0],))
            store.execute(change.format("high = high + 1, quality = 1"), (times[1],))
            store.execute(change.format("volume = volume / 2, quality = 2"), (times[2],))
            store.execute(change.format("close = open"), (times[3],))
            store.execute(change.format("volume = volume * 2"), (times[4],))
            store.execute(change.format("low = low - 1, quality = 4"), (times[5],))
            store.execute("UPDATE candles SET volume = 9 WHERE timestamp = ?", (times[6],))
            store.execute(change.format(f"timestamp = {quiet}"), (times[6],))
        store.close()
        answer = candlewire("compare", "binance:BTCUSDT", *period, "--json", folder=tmp_path)
        assert (answer.returncode, answer.stderr) == (1, "")
        document = json.loads(answer.stdout)
        reasons = {entry["timestamp"]: entry["reason"] for entry in document["differences"]}
        assert reasons == {
            times[0]: "missing_here", times[1]: "partial", times[2]: "gap", times[3]: "prices", times[4]: "volume",
            times[5]: "corrected", times[6]: "missing_here", quiet: "prices",
        }  # fmt: skip
        assert document["equal"] == traded - 7 and document["timeframe"] == "1m"
        assert document["differences"][-1]["theirs"] is not None
        text = candlewire("compare", "binance:BTCUSDT", *period, folder=tmp_path)
        assert text.returncode == 1
        assert "2 missing here" in text.stdout and "our stream began inside it" in text.stdout

        # Coinbase has no row for a quiet minute: there, ours is one too many.
        more = candlewire("compare", "coinbase:BTC-USD", "--as", "binance:BTCUSDT", *period, "--json", folder=tmp_path)
        reasons = {entry["timestamp"]: entry["reason"] for entry in json.loads(more.stdout)["differences"]}
        assert reasons[quiet] == "missing_there"


def test_a_venues_markets_are_listed(tmp_path: Path) -> None:
    with venue_rest() as venue:
        listed = candlewire("symbols", "coinbase", "--url", venue.base, folder=tmp_path)
        assert (listed.returncode, listed.stderr) == (0, "")
        lines = listed.stdout.splitlines()
        assert [line.split() for line in lines[1:4]] == [
            ["BTC-USD", "BTC", "USD", "2", "online"], ["ETH-USD", "ETH", "USD", "2", "online"],
            ["OLD-USD", "OLD", "USD", "0", "delisted"],
        ]  # fmt: skip
        document = candlewire("symbols", "coinbase", "bt", "--json", "--url", venue.base, folder=tmp_path)
        assert json.loads(document.stdout) == {
            "symbols": [{"symbol": "BTC-USD", "base": "BTC", "quote": "USD", "precision": 2, "status": "online"}]
        }
        none = candlewire("symbols", "coinbase", "xyz", "--url", venue.base, folder=tmp_path)
        assert (none.returncode, none.stdout) == (1, "no such market\n")
        unknown = candlewire("symbols", "gemini", folder=tmp_path)
        assert unknown.returncode == USAGE
        assert error_of(unknown).startswith("No list of markets is known of gemini; its symbols look like ")
        assert "are binance, binance-us, binance-aggregates, coinbase, coinbase-advanced, kraken" in error_of(unknown)
        for name, words in [
            ("mars", "“mars” is not a venue whose markets can be listed"), ("provider", "those that its configuration names"),
            ("tracker", "those of its file"),
        ]:  # fmt: skip
            other = candlewire("symbols", name, folder=tmp_path)
            assert other.returncode == USAGE and words in error_of(other)


def test_a_wrong_call_says_what_is_wrong(tmp_path: Path) -> None:
    with venue_rest() as venue:
        since = ("--from", "2024-08-08", *STORE)
        (tmp_path / "bare.json").write_text('{"url": "wss://a"}')
        (tmp_path / "past.json").write_text('{"url": "wss://a", "name": "acme", "history": null}')
        for arguments, code, words in [
            (("backfill", "BTC-USD", *since), USAGE, "use VENUE:SYMBOL, for example coinbase:BTC-USD. The venues are binance"),
            (("backfill", "mars:BTC", *since), USAGE, "“mars” is not a venue whose history can be fetched"),
            (("backfill", "gemini:BTCUSD", *since), USAGE, "Gemini's candles cannot be requested by time. The venues"),
            (("compare", "tracker:AERO", *STORE), USAGE, "The prices of tracker are made here, and have no past"),
            (("backfill", "sim:BTC-USD", *since), USAGE, "The prices of sim are made here, and have no past"),
            (("backfill", "provider:none.json:X", *since), INPUT, "none.json"),
            (("backfill", "provider:bare.json", *since), USAGE, "needs at least one symbol"),
            (("backfill", "provider:bare.json:X,Y", *since), USAGE, "is not one market; it is provider:FILE:SYMBOL"),
            (("backfill", "provider:past.json:X", *since), USAGE, "acme has no history: \"history\" of its configuration is null"),
            (("backfill", "binance-us", *since), USAGE, "The venues are binance, binance-us, binance-aggregates, coinbase"),
            (("backfill", "coinbase:BTC-USD", *STORE), USAGE, "--from is missing"),
            (("backfill", "coinbase:BTC-USD", "--timeframe", "3m", *since), USAGE, "--timeframe can be 1m, 5m, 15m"),
            (("backfill", "coinbase:BTC-USD", "--url", "nowhere", *since), USAGE, "must be http:// or https://"),
            (("backfill", "kraken:FOO/BAR", "--from", "1h", *STORE), USAGE, "“1h” is not a time"),
            (
                ("backfill", "kraken:FOO/BAR", "--from", str(int(time.time()) - 7200), "--url", venue.base, *STORE),
                ADDRESS, "EQuery:Unknown asset pair",
            ),
            (("compare", "coinbase:BTC-USD", "--url", venue.base, *STORE), INPUT, "has no 1m candles of coinbase:BTC-USD"),
        ]:  # fmt: skip
            answer = candlewire(*arguments, folder=tmp_path)
            assert words in error_of(answer), arguments
            assert (answer.returncode, answer.stdout) == (code, ""), arguments
