"""Every candle of every recording, against an implementation that shares nothing with ours."""

import gzip
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest

from candle_oracle import REASONS, TIMEFRAMES, Tape, differences, read_recording, read_tape, roll_up
from support.polling import eventually
from shared_data import recording
from support.server import Server

NAMES = (
    "binance_spot_btcusdt-ethusdt-dotusdt_2021-04-04",
    "binance_spot_btcusdt_2024-08-08",
    "binance_spot_btcusdt_2024-08-09",
    "binance_us_4symbols_2021-08-14",
    "binance_usdm-futures_btcusdt_2024-08-08",
    "bitfinex_v2_2021-04-17",
    "bitstamp_2022-01-05",
    "coinbase_advanced-trade_btcusd-ethusd_2026-08-09",
    "coinbase_exchange_ws-feed_6products_2021-04-17",
    "gemini_v2_2021-06-24",
    "kraken_v1_trade_10pairs_2021-04-17",
    "kraken_v2_trade_btcusd-ethusd_2026-09-26",
)


@dataclass
class Replayed:
    """A recording as the server sees it and as the oracle does."""

    server: Server
    tape: Tape

    @property
    def symbols(self) -> list[str]:
        return [market["symbol"] for market in self.server.get("/v1/markets")["markets"]]

    def candles(self, symbol: str, timeframe: str) -> list[dict[str, float]]:
        return self.server.get("/v1/candles", symbol=symbol, timeframe=timeframe, limit=10_000)


def replay(path: Path, folder: Path, *flags: str) -> Server:
    """The server at the recording's end."""
    server = Server(folder, feed=f"replay:{path}", flags=("--speed", "max", *flags)).start()
    try:
        eventually(lambda: server.get("/health")["feed"]["state"] == "ended", f"{path.name} is over", within=60)
        eventually(lambda: server.get("/health")["store"]["pending_rows"] == 0, f"{path.name} is stored")
    except BaseException:
        server.stop()
        raise
    return server


@pytest.fixture(scope="module", params=NAMES)
def replayed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Replayed]:
    path = recording(request.param)
    server = replay(path, tmp_path_factory.mktemp("oracle") / "data")
    yield Replayed(server, read_recording(path))
    server.stop()


def check_candles(replayed: Replayed) -> int:
    """Compares all candles of all markets and timeframes; returns how many there were."""
    compared = 0
    for symbol in replayed.symbols:
        for timeframe in TIMEFRAMES:
            found = replayed.candles(symbol, timeframe)
            wrong = list(differences(found, replayed.tape.candles(symbol, timeframe)))
            assert not wrong, f"{symbol} {timeframe}: {len(wrong)} differ\n" + "\n".join(wrong[:5])
            compared += len(found)
    return compared


def check_counts(replayed: Replayed) -> None:
    health, tape = replayed.server.get("/health"), replayed.tape
    assert health["ticks"] == {"accepted": tape.accepted, "corrected": tape.corrected, "rejected": tape.rejected}
    figures = ("messages", "trades", "duplicates", "malformed", "missing")
    assert {name: health["feed"][name] for name in figures} == {name: getattr(tape, name) for name in figures}


def test_every_candle_equals_the_oracles(replayed: Replayed) -> None:
    assert set(replayed.symbols) == replayed.tape.symbols
    assert check_candles(replayed) >= len(TIMEFRAMES) * len(replayed.tape.rows)


def test_every_trade_is_accounted_for(replayed: Replayed) -> None:
    check_counts(replayed)


def test_minutes_rolled_up_equal_the_coarser_candles(replayed: Replayed) -> None:
    for symbol in replayed.symbols:
        minutes = replayed.candles(symbol, "1m")
        for timeframe in ("5m", "15m", "1h", "1d"):
            if not minutes:
                # Only trades that were hours old when they were reported.
                assert replayed.candles(symbol, timeframe) == []
                continue
            wrong = list(differences(replayed.candles(symbol, timeframe), roll_up(minutes, timeframe)))
            assert not wrong, f"{symbol} {timeframe}\n" + "\n".join(wrong[:5])


def unruly_messages(seed: int) -> Iterator[tuple[str, int]]:
    """A market that does all that the rules speak of: disorder, bad numbers, gaps, repetitions, broken lines."""
    pick = random.Random(seed)
    # Five seconds before a month, a week and a day end together: Sunday 2024-06-30 24:00 UTC.
    now = 1_719_791_995_000
    trade = 1000
    for _ in range(6000):
        now += pick.choice((0, 0, 1, 3, 20, 40))
        time, price, quantity = now, f"{pick.uniform(90, 110):.2f}", f"{pick.uniform(0, 3):.8f}"
        fate = pick.random()
        if fate < 0.30:
            time -= pick.randrange(0, 9_900)
        elif fate < 0.32:
            time -= pick.randrange(10_000, 14_000)
        elif fate < 0.33:
            time -= 300_000 + pick.randrange(0, 2)
        elif fate < 0.34:
            time += 5_001 + pick.randrange(0, 2)
        elif fate < 0.36:
            price = pick.choice(("0.00", "-1.50", "0"))
        elif fate < 0.37:
            quantity = "-0.5"
        elif fate < 0.38:
            time = pick.choice((0, -5))
        elif fate < 0.40:
            trade += pick.randrange(1, 4)
        trade += 1
        data = {"e": "trade", "E": now, "s": "AAABBB", "t": trade, "p": price, "q": quantity, "T": time, "m": True}
        if pick.random() < 0.02:
            del data[pick.choice(("s", "p", "q", "T", "t"))]
        text = json.dumps(data, separators=(",", ":"))
        if pick.random() < 0.02:
            text = text[: pick.randrange(1, len(text))]
        yield text, now * 1_000_000
        if pick.random() < 0.02:
            yield text, now * 1_000_000


@pytest.mark.parametrize(("seed", "deviation"), [(1, None), (2, None), (3, 8.0)])
def test_an_unruly_market_is_judged_by_the_rules(tmp_path: Path, seed: int, deviation: float | None) -> None:
    messages = list(unruly_messages(seed))
    path = tmp_path / "unruly.jsonl.gz"
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.writelines(f"{text}\n" for text, _ in messages)
    (tmp_path / "unruly.times.txt").write_text("".join(f"{received}\n" for _, received in messages))
    tape = read_tape(messages, max_deviation=deviation)
    # Far prices are held back only where that is requested.
    flags = ("--max-deviation", str(deviation)) if deviation else ()
    expected = set(REASONS) - {"not_finite"} - (set() if deviation else {"deviation"})
    assert {reason for reason, count in tape.rejected.items() if count} == expected, "each rule is put to the test"
    assert min(tape.corrected, tape.duplicates, tape.malformed, tape.missing) > 0
    server = replay(path, tmp_path / "data", "--venue", "binance", *flags)
    try:
        replayed = Replayed(server, tape)
        check_counts(replayed)
        check_candles(replayed)
    finally:
        server.stop()


def long_messages(seed: int) -> Iterator[tuple[str, int]]:
    """Two hours of a market that trades about once a second: more seconds than the server keeps in memory."""
    pick = random.Random(seed)
    now = 1_719_791_995_000
    for trade in range(9500):
        now += pick.randrange(200, 1700)
        data = {
            "e": "trade", "E": now, "s": "AAABBB", "t": trade, "p": f"{pick.uniform(90, 110):.2f}",
            "q": f"{pick.uniform(0, 3):.8f}", "T": now - pick.choice((0, 0, 0, 3000)), "m": True,
        }  # fmt: skip
        yield json.dumps(data), now * 1_000_000


def test_memory_and_store_make_one_series(tmp_path: Path) -> None:
    messages = list(long_messages(3))
    path = tmp_path / "long.jsonl"
    path.write_text("".join(f"{text}\n" for text, _ in messages))
    (tmp_path / "long.times.txt").write_text("".join(f"{received}\n" for _, received in messages))
    server = replay(path, tmp_path / "data")
    try:
        replayed = Replayed(server, read_tape(messages))
        check_counts(replayed)
        check_candles(replayed)
        expected = replayed.tape.candles("AAABBB", "1s")
        assert len(expected) > 5000
        assert pages(server, lambda page: {"before": page[0]["timestamp"]} if page else {}, reverse=True) == expected
        assert pages(server, lambda page: {"from": page[-1]["timestamp"] + 1 if page else 0}) == expected
        # Stretches of the store alone, of both, and of the memory alone.
        for first, last in ((10, 3000), (2000, -5), (-1500, -5)):
            start, end = expected[first]["timestamp"], expected[last]["timestamp"]
            bounds = {"from": start, "to": end, "limit": 10_000}
            found = server.get("/v1/candles", symbol="AAABBB", timeframe="1s", **bounds)
            assert found == [candle for candle in expected if start <= candle["timestamp"] <= end]
    finally:
        server.stop()


def test_a_series_has_no_hole_while_it_is_played(tmp_path: Path) -> None:
    """What has left the memory and has not reached the file yet must be answered, too."""
    trade = '{"e":"trade","E":%d,"s":"AAABBB","t":%d,"p":"100","q":"1","T":%d,"m":true}\n'
    times = [1_719_792_000_000 + 1000 * index for index in range(30_000)]
    path = tmp_path / "seconds.jsonl"
    path.write_text("".join(trade % (time, index, time) for index, time in enumerate(times)))
    (tmp_path / "seconds.times.txt").write_text("".join(f"{time}000000\n" for time in times))
    server = Server(tmp_path / "data", feed=f"replay:{path}", flags=("--speed", "max")).start()
    try:
        state = ""
        while state != "ended":
            state = server.get("/health")["feed"]["state"]
            candles = server.get("/v1/candles", symbol="AAABBB", timeframe="1s", limit=10_000)
            starts = [candle["timestamp"] for candle in candles]
            holes = [(a, b) for a, b in pairwise(starts) if b != a + 1]
            assert not holes, f"{len(starts)} candles with nothing between {holes[0]}; the feed is {state}"
            # Only a page's worth is requested; whatever there is fills it.
            assert len(starts) == min(10_000, starts[-1] - times[0] / 1000 + 1 if starts else 0)
    finally:
        server.stop()


def pages(
    server: Server, bounds: Callable[[list[dict[str, float]]], dict[str, float]], *, reverse: bool = False
) -> list[dict[str, float]]:
    """A whole series, read page by page; `bounds` says what follows a page, and an empty one is followed by nothing."""
    series: list[dict[str, float]] = []
    page: list[dict[str, float]] = []
    while True:
        page = server.get("/v1/candles", symbol="AAABBB", timeframe="1s", limit=777, **bounds(page))
        if not page:
            return series
        series = page + series if reverse else series + page
