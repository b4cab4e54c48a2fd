"""`candlewire simulate`: clients of another make subscribe to simulated venues and get what was recorded."""

import gzip
import json
import re
import shlex
import subprocess
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from running_server import RunningServer
from shared_data import RECORDINGS
from support.polling import eventually
from support.server import binary
from support.venue import Venue
from test_cli import candlewire
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect



def recorded(path: Path) -> list[str]:
    opened = gzip.open(path, "rt") if path.suffix == ".gz" else path.open()
    with opened as file:
        return file.read().splitlines()


def test_coinbase_and_kraken_send_every_trade_as_recorded() -> None:
    file = RECORDINGS / "coinbase_exchange_ws-feed_6products_2021-04-17.jsonl.gz"
    lines = [line for line in recorded(file) if json.loads(line)["type"] in ("last_match", "match")]
    products = sorted({json.loads(line)["product_id"] for line in lines})
    venue = Venue("coinbase", file, "--as-recorded", "--speed", "max").start()
    with connect(venue.url) as socket:
        socket.send(json.dumps({"type": "subscribe", "product_ids": products, "channels": ["matches"]}))
        ack = json.loads(socket.recv(timeout=60))
        assert ack == {"type": "subscriptions", "channels": [{"name": "matches", "product_ids": products}]}
        got = [socket.recv(timeout=60) for _ in lines]
        assert sorted(got[:6]) == sorted(lines[:6]) and got[6:] == lines[6:], "the last matches, then all in order"
        socket.send(json.dumps({"type": "subscribe", "product_ids": ["NO-NE"], "channels": ["matches"]}))
        assert json.loads(socket.recv(timeout=60))["reason"] == "NO-NE is not a valid product"
    text = venue.stop()
    assert "#0 subscribed to matches YFI-BTC" in text

    file = RECORDINGS / "kraken_v2_trade_btcusd-ethusd_2026-09-26.jsonl"
    wanted = [line for line in recorded(file) if json.loads(line).get("channel") == "trade"]
    venue = Venue("kraken", file, "--as-recorded", "--speed", "max").start()
    with connect(venue.url) as socket:
        assert json.loads(socket.recv(timeout=60))["channel"] == "status"
        subscription = {"channel": "trade", "symbol": ["BTC/USD", "ETH/USD"], "snapshot": True}
        socket.send(json.dumps({"method": "subscribe", "params": subscription, "req_id": 5}))
        got, acks = [], []
        while len(got) < len(wanted):
            text = socket.recv(timeout=60)
            message = json.loads(text)
            if message.get("channel") == "trade":
                got.append(text)
            elif "method" in message:
                acks.append((message["req_id"], message["result"]["symbol"], message["success"]))
        assert got == wanted and acks == [(5, "BTC/USD", True), (5, "ETH/USD", True)]
    venue.stop()


def test_times_are_moved_to_now_and_nothing_else_is(tmp_path: Path) -> None:
    def trade(number: int) -> dict[str, object]:
        at = 1_700_000_000_000 + number * 1000
        fields = {"e": "trade", "E": at, "s": "ABCUSDT", "t": number, "p": "1.50", "q": "2.00", "T": at, "m": True}
        return {"stream": "abcusdt@trade", "data": fields}

    file = tmp_path / "session.jsonl"
    file.write_text("".join(json.dumps(trade(n), separators=(",", ":")) + "\n" for n in range(20)))
    (tmp_path / "session.times.txt").write_text("".join(f"{1_700_000_000 + n}000000000\n" for n in range(20)))
    venue = Venue("binance", file, "--speed", "max").start()
    with connect(venue.url) as socket:
        socket.send('{"method":"SUBSCRIBE","params":["abcusdt@trade"],"id":1}')
        assert socket.recv(timeout=60) == '{"result":null,"id":1}'
        for number in range(20):
            message = json.loads(socket.recv(timeout=60))
            expected = trade(number)["data"]
            shift = message["E"] - expected["E"]  # type: ignore[index]
            assert shift % 60_000 == 0 and message["T"] - expected["T"] == shift  # type: ignore[index]
            assert -5 < time.time() - message["T"] / 1000 < 600
            assert {**message, "E": 0, "T": 0} == {**expected, "E": 0, "T": 0}  # type: ignore[dict-item]
        with pytest.raises(ConnectionClosed):
            for _ in range(100):
                socket.send('{"method":"LIST_SUBSCRIPTIONS","id":2}')
            while True:
                assert json.loads(socket.recv(timeout=60)) == {"result": ["abcusdt@trade"], "id": 2}
    assert "1 ended by the venue" in venue.stop(), "more than five messages a second"


def test_a_provider_is_explained_and_played_by_its_configuration(tmp_path: Path) -> None:
    config = tmp_path / "acme.json"
    config.write_text('{"url": "wss://stream.example.com/v1", "name": "acme", "time": "ms"}')
    tick = '{"type":"tick","symbol":"A","timestamp":1732130000500,"price":5.25,"volume":1}'

    def feeds(*arguments: str) -> str:
        done = subprocess.run(
            [str(binary()), "feeds", str(config), *arguments], capture_output=True, text=True, timeout=60
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert '{"action":"subscribe","symbol":"{symbol}","timeframe":"{timeframe}"}' in feeds()
    assert feeds("--message", tick) == "trade of A: price 5.25, volume 1, 2024-11-20T19:13:20Z\n"

    venue = Venue("provider", None, "--config", str(config), "--symbols", "BTC-USD").start()
    assert f"--feed provider:{config}:BTC-USD --url {venue.url}" in venue.head
    with connect(venue.url) as socket:
        socket.send('{"action":"subscribe","symbol":"BTC-USD","timeframe":"1m"}')
        assert json.loads(socket.recv(timeout=60))["type"] == "snapshot"
        message = json.loads(socket.recv(timeout=60))
        assert message["type"] == "tick" and -5 < time.time() - message["timestamp"] / 1000 < 300
        socket.send('{"action":"subscribe","symbol":"NONE","timeframe":"1m"}')
        while message["type"] != "error":
            message = json.loads(socket.recv(timeout=60))
        assert message == {"type": "error", "message": "unknown symbol NONE", "symbol": "NONE"}
    venue.stop()

    config.write_text('{"url": "wss://a",\n "tick": {"prize": "p"}}')
    done = subprocess.run([str(binary()), "feeds", str(config)], capture_output=True, text=True, timeout=60)
    assert done.returncode == 66
    assert 'acme.json, line 2: "tick.prize" is not a valid key; did you mean "price"?' in done.stderr


def test_a_provider_sends_the_requested_timeframes_and_its_minutes_join(tmp_path: Path) -> None:
    config = tmp_path / "acme.json"
    config.write_text('{"url": "wss://stream.example.com/v1"}')
    venue = Venue("provider", None, "--config", str(config), "--symbols", "BTC-USD").start()
    with connect(venue.url) as socket:
        snapshots = {}
        for timeframe in ("5s", "5m"):
            socket.send(json.dumps({"action": "subscribe", "symbol": "BTC-USD", "timeframe": timeframe}))
            while timeframe not in snapshots:
                message = json.loads(socket.recv(timeout=60))
                if message["type"] == "snapshot":
                    snapshots[message["timeframe"]] = [candle["timestamp"] for candle in message["candles"]]
        for length, starts in ((5, snapshots["5s"]), (300, snapshots["5m"])):
            assert len(starts) == 10 and [b - a for a, b in zip(starts, starts[1:])] == [length] * 9
        # Longer than a minute: the next round begins within it.
        ticks, candles, end = [], {}, time.monotonic() + 66
        while time.monotonic() < end:
            message = json.loads(socket.recv(timeout=60))
            if message["type"] == "tick":
                ticks.append(message["timestamp"])
            elif message["type"] == "candle":
                candles.setdefault(message.get("timeframe"), []).append(message)
    assert 125 <= len(ticks) <= 140 and {b - a for a, b in zip(ticks, ticks[1:])} == {0.5}
    venue.stop()
    fives = [one for one in candles["5s"] if one["final"]]
    assert len(fives) >= 12 and all(one["timestamp"] % 5 == 0 and one["volume"] == 5 for one in fives)
    assert {one["timestamp"] % 300 for one in candles["5m"]} == {0}
    volumes = [one["volume"] for one in candles["5m"]]
    assert len(volumes) >= 12 and max(volumes) > 60 or len({one["timestamp"] for one in candles["5m"]}) == 2


def test_history_is_requested_at_the_same_address(tmp_path: Path) -> None:
    start = 1_700_000_040
    lines = []
    for number in range(18):
        at = datetime.fromtimestamp(start + number * 10, UTC).strftime("%Y-%m-%dT%H:%M:%S.000000Z")
        match = {"type": "match", "trade_id": number + 1, "side": "sell", "size": "0.5", "price": str(100 + number)}
        lines.append(json.dumps(match | {"product_id": "AB-CD", "sequence": number, "time": at}, separators=(",", ":")))
    file = tmp_path / "session.jsonl"
    file.write_text("\n".join(lines) + "\n")
    (tmp_path / "session.times.txt").write_text("".join(f"{start + n * 10}000000000\n" for n in range(18)))
    venue = Venue("coinbase", file, "--as-recorded", "--speed", "max").start()
    url = ("--url", venue.url.replace("ws://", "http://").rstrip("/"))
    listed = candlewire("symbols", "coinbase", *url, "--json", folder=tmp_path)
    assert [market["symbol"] for market in json.loads(listed.stdout)["symbols"]] == ["AB-CD"]
    market = ("coinbase:AB-CD", "--from", str(start), "--to", str(start + 240), *url, "--data-dir", "data")
    filled = candlewire("backfill", *market, folder=tmp_path)
    assert (filled.returncode, filled.stderr) == (0, ""), filled.stdout
    rows = candlewire("export", "coinbase:AB-CD", "--timeframe", "1m", "--data-dir", "data/live", folder=tmp_path).stdout
    assert rows.splitlines()[1:] == [
        f"{start + 60 * n},{100 + 6 * n},{105 + 6 * n},{100 + 6 * n},{105 + 6 * n},3" for n in range(3)
    ]
    assert candlewire("compare", *market, folder=tmp_path).returncode == 0
    unknown = candlewire("backfill", "coinbase:NO-NE", *market[1:], folder=tmp_path)
    assert unknown.returncode == 69 and "NotFound" in unknown.stderr
    assert "GET /products 200" in venue.stop()


# Of Intrinio and of providers prices are made; the others are played with what was recorded of them.
RECORDED = {
    "binance": "binance_spot_btcusdt-ethusdt-dotusdt_2021-04-04.jsonl.gz",
    "binance-us": "binance_us_4symbols_2021-08-14.jsonl.gz",
    "coinbase": "coinbase_exchange_ws-feed_6products_2021-04-17.jsonl.gz",
    "coinbase-advanced": "coinbase_advanced-trade_btcusd-ethusd_2026-08-09.jsonl.gz",
    "kraken": "kraken_v2_trade_btcusd-ethusd_2026-09-26.jsonl",
    "kraken-v1": "kraken_v1_trade_10pairs_2021-04-17.jsonl.gz",
    "bitstamp": "bitstamp_2022-01-05.jsonl.gz",
    "gemini": "gemini_v2_2021-06-24.jsonl.gz",
    "bitfinex": "bitfinex_v2_2021-04-17.jsonl.gz",
    "bybit": "bybit_v5_spot_2025-06-13.jsonl.gz",
}


def test_no_simulated_venue_is_forgotten_here(tmp_path: Path) -> None:
    feeds = json.loads(candlewire("feeds", "--json", folder=tmp_path).stdout)["feeds"]
    assert [feed["name"] for feed in feeds if feed["simulated_by"] == "recording"] == list(RECORDED)


@pytest.mark.parametrize("name", list(RECORDED))
def test_each_venue_names_its_markets_a_line_to_try_it_and_has_its_candles(name: str, tmp_path: Path) -> None:
    file = RECORDINGS / RECORDED[name]
    venue = Venue(name, file, "--as-recorded", "--speed", "max").start()
    found = re.search(r"Markets(?: with trades)? +(.+)", venue.head)
    assert found
    market = found[1].split(", ")[0]
    assert re.search(rf"Try +candlewire serve --feed '?{name}:{market}", venue.head)
    times = file.with_name(file.name.removesuffix(".gz").removesuffix(".jsonl") + ".times.txt.gz")
    # Kraken has its newest candles only.
    is_newest = name.startswith("kraken")
    start = int(time.time()) - 7200 if is_newest else int(recorded(times)[0]) // 60_000_000_000 * 60
    url = f"http://{venue.url.removeprefix('ws://').split('/')[0]}"
    call = (f"{name}:{market}", "--from", str(start), "--to", str(start + 3600), "--url", url, "--data-dir", "data")
    filled = candlewire("backfill", *call, folder=tmp_path)
    said = venue.stop()
    if name == "gemini":
        assert filled.returncode == 64 and "cannot be requested by time" in filled.stderr
    else:
        assert filled.returncode in (0, 75) and filled.stderr == "", filled.stderr
        assert filled.stdout.startswith(f"{name}:{market}, 1m, ")
        assert "GET /" in said


@pytest.mark.parametrize("name", list(RECORDED))
def test_the_line_to_try_follows_the_simulated_venue(name: str, serve: Callable[..., RunningServer]) -> None:
    venue = Venue(name, RECORDINGS / RECORDED[name], "--speed", "10").start()
    found = re.search(r"Try +candlewire serve --feed (.+)", venue.head)
    assert found
    feed, *flags = shlex.split(found[1])
    server = serve(feed, *flags)
    eventually(lambda: any(one["state"] == "live" for one in server.get("/health")["feeds"]), "it is live", within=120)
    assert "subscribed to" in venue.stop()


def test_markets_that_do_not_trade_are_named_and_can_be_subscribed_to() -> None:
    venue = Venue("coinbase", RECORDINGS / RECORDED["coinbase"], "--loop").start()
    venue.stop()
    traded = re.search(r"Markets with trades +(.+)", venue.head)
    assert traded and set(traded[1].split(", ")) == {"BAND-BTC", "BAND-GBP", "SKL-GBP", "SKL-USD"}, venue.head
    assert re.search(r"Quiet markets +CRV-EUR, YFI-BTC \(can be subscribed to", venue.head), venue.head


@pytest.mark.parametrize(
    ("arguments", "part", "code"),
    [
        (["provider"], "--config FILE", 64),
        (["provider", "--config", "none.json"], "cannot be opened", 66),
        (["provider", "--config", "bare.json"], "names no symbols", 64),
        (["coinbase"], "needs a recorded session", 64),
        (["coinbase", "--recording", "x.jsonl", "--config", "bare.json"], "belong to candlewire simulate provider", 64),
        (["nasdaq", "--recording", "x.jsonl"], "binance, binance-us, coinbase, coinbase-advanced, kraken", 64),
        (["tracker"], "needs no simulation", 64),
        (["coinbase", "--recording", "none.jsonl"], "There is no file", 66),
        (["coinbase", "--recording", "x.jsonl", "--speed", "fast"], "or max", 64),
        (["coinbase", "--recording", "x.jsonl", "--port", "70000"], "--port", 64),
        (["coinbase", "--recording", "x.jsonl", "--max-age", "0"], "--max-age", 64),
        (["coinbase", "--recording", "x.jsonl"], "none of its messages is of a kind that this venue sends", 66),
        (["kraken", "--recording", "long.jsonl", "--speed", "3"], "290 s", 64),
    ],
)
def test_each_mistake_is_one_sentence(arguments: list[str], part: str, code: int, tmp_path: Path) -> None:
    (tmp_path / "bare.json").write_text('{"url": "wss://a"}')
    (tmp_path / "x.jsonl").write_text('{"what":"nothing"}\n')
    (tmp_path / "long.jsonl").write_text('{"channel":"heartbeat"}\n' * 2)
    (tmp_path / "long.times.txt").write_text("1700000000000000000\n1700000400000000000\n")
    done = subprocess.run(
        [str(binary()), "simulate", *arguments], capture_output=True, text=True, timeout=60, cwd=tmp_path
    )
    assert done.returncode == code and part in done.stderr and done.stderr.count("\n") == 1, done.stderr
