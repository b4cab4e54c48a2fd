"""`candlewire feeds`: what each feed can do, as a table, one by one, and as JSON."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from test_cli import USAGE, candlewire, error_of

NAMES = [
    "binance", "binance-us", "binance-aggregates", "coinbase", "coinbase-advanced", "kraken", "kraken-v1", "bitstamp",
    "gemini", "bitfinex", "bybit", "okx", "okx-all", "intrinio", "intrinio-equities", "provider", "tracker",
]  # fmt: skip


def listed(folder: Path, *arguments: str) -> list[dict[str, Any]]:
    answer = candlewire("feeds", *arguments, "--json", folder=folder)
    assert (answer.returncode, answer.stderr) == (0, "")
    return json.loads(answer.stdout)["feeds"]


def test_all_of_them_are_listed_with_history_markets_and_simulation(tmp_path: Path) -> None:
    feeds = {feed["name"]: feed for feed in listed(tmp_path)}
    assert list(feeds) == NAMES
    assert feeds["coinbase"]["history"] == {
        "timeframes": ["1m", "5m", "15m", "1h", "6h", "1d"], "candles_per_request": 299, "newest_only": False,
        "requests_per_second": 5,
    }  # fmt: skip
    assert feeds["kraken"]["history"]["newest_only"] and feeds["kraken"]["history"]["candles_per_request"] == 720
    assert feeds["binance-us"]["history"] == feeds["binance"]["history"]
    assert feeds["bitfinex"]["history"]["requests_per_second"] == 0.5
    assert feeds["gemini"]["history"] is None and "by time" in feeds["gemini"]["no_history"]
    assert feeds["tracker"]["history"] is None and feeds["tracker"]["live"] is None
    assert [name for name in NAMES if feeds[name]["credentials"]] == ["intrinio", "intrinio-equities"]
    assert {name: feeds[name]["markets"] for name in NAMES if feeds[name]["markets"] != "listed"} == {
        "bitstamp": "none", "gemini": "none", "bitfinex": "none", "intrinio": "searched", "intrinio-equities": "searched",
        "provider": "none", "tracker": "none",
    }  # fmt: skip
    assert {name: feeds[name]["simulated_by"] for name in NAMES if feeds[name]["simulated_by"] != "recording"} == {
        "okx": "made", "okx-all": "made", "intrinio": "made", "intrinio-equities": "made", "provider": "configuration", "tracker": "none",
        "binance-aggregates": "none",
    }  # fmt: skip
    assert feeds["binance"]["live"]["replaced_after"] == 82_800


def test_the_table_says_the_same(tmp_path: Path) -> None:
    text = candlewire("feeds", folder=tmp_path).stdout
    live, rest = text.split("Over REST, and on this machine:\n")
    for part in (live, rest):
        assert [line.split()[0] for line in part.splitlines()[1:] if line] == NAMES
    assert max(map(len, text.splitlines())) <= 120
    assert re.search(r"^kraken +Kraken +BTC/USD +by outage|^kraken +Kraken +BTC/USD +by number", live, re.MULTILINE)
    assert re.search(r"^kraken +listed +newest 720 +1 +by recording +1m 5m 15m 30m 1h 4h 1d$", rest, re.MULTILINE)
    assert re.search(r"^intrinio +searched +1000 +2 +by synthetic prices +1m 5m 15m 30m 1h$", rest, re.MULTILINE)
    assert re.search(r"^gemini +not +none +by recording +none$", rest, re.MULTILINE)


@pytest.mark.parametrize("name", NAMES)
def test_each_feed_is_reported_by_itself(name: str, tmp_path: Path) -> None:
    text = candlewire("feeds", name, folder=tmp_path).stdout
    (feed,) = listed(tmp_path, name)
    assert text.startswith(f"{feed['title']} ({name})\n")
    if feed["history"]:
        assert f"  candles       {', '.join(feed['history']['timeframes'])}\n" in text
        assert f"{feed['history']['candles_per_request']} candles a request, " in text
    else:
        assert f"  candles       none: {feed['no_history']}\n" in text
    assert f"  try           candlewire serve --feed {name}:{feed['symbol']}\n" in text
    if feed["live"]:
        assert feed["live"]["address"] in text
    if feed["credentials"]:
        assert "INTRINIO_API_KEY" in text
    # What is said to be there, is: the commands know it, and those that do not say why.
    if feed["markets"] == "none":
        assert candlewire("symbols", name, folder=tmp_path).returncode == USAGE
    if not feed["history"]:
        assert candlewire("backfill", f"{name}:X", "--from", "2024-08-08", folder=tmp_path).returncode == USAGE
    if feed["simulated_by"] != "made":
        assert candlewire("simulate", name, folder=tmp_path).returncode == USAGE
    if name == "binance-aggregates":
        assert "candlewire simulate binance" in text


def test_an_unknown_one_is_answered_with_those_that_there_are(tmp_path: Path) -> None:
    answer = candlewire("feeds", "mars", folder=tmp_path)
    assert answer.returncode == USAGE
    assert f'Unknown venue "mars"; allowed are {", ".join(NAMES)}, and the file' in error_of(answer)
