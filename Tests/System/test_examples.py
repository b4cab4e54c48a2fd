"""The examples of the chart kit run, not only compile."""

import json
import subprocess
import urllib.request
from pathlib import Path

import pytest

from running_server import RunningServer
from support.server import binary
from support.venue import Venue


def example(name: str, *arguments: str) -> str:
    path = binary().parent / f"example-{name}"
    if not path.exists():
        pytest.fail(f"{path} is missing: run `swift build`")
    answer = subprocess.run([str(path), *arguments], capture_output=True, text=True, timeout=180, check=False)
    assert answer.returncode == 0, answer.stdout + answer.stderr
    return answer.stdout


def test_quick_start_draws_a_picture(tmp_path: Path) -> None:
    said = example("chart-quick-start", str(tmp_path / "a.png"))
    assert said.startswith("BTC-USD ") and "5m LIVE" in said and "1600 x 900" in said
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


def test_trading_at_a_venue_survives_a_lost_answer_a_wrong_clock_and_a_restart() -> None:
    said = example("live-trading")
    lines = dict(line.split(": ", 1) for line in said.splitlines() if line.startswith(("lost", "orders", "after")))
    assert said.startswith("documented signature: true\nclock read: 1 time\n")
    assert "bought: filled 0.01 at 670" in said and "waiting: new live-venue-o2" in said
    assert lines["lost answer"] == "new the same order: true"
    assert lines["orders at the venue"] == "3", "the order whose answer was lost was sent once"
    assert lines["after a restart"] == "true fills 1"
    assert said.count("cancelled: cancelled") == 2
    assert "error: rejected symbol Invalid symbol." in said and "error: rejected quantity Filter failure" in said
    assert "wrong secret: unauthorized Signature for this request is not valid." in said
    assert "printed key: a venue's key hidden" in said and "secret" not in said.replace("wrong secret", "")


def test_trading_at_a_venue_in_another_process(tmp_path: Path) -> None:
    at = 1_700_000_000_000
    fields = {"e": "trade", "E": at, "s": "BTCUSDT", "t": 1, "p": "67000.00", "q": "1", "T": at, "m": True}
    recording = tmp_path / "session.jsonl"
    recording.write_text(json.dumps({"stream": "btcusdt@trade", "data": fields}, separators=(",", ":")) + "\n")
    venue = Venue("binance", recording, "--loop").start()
    said = example("live-trading", venue.url.replace("ws://", "http://").removesuffix("/ws"))
    assert "orders at the venue: 3" in said and said.endswith("done\n")
    assert "secret" not in venue.stop()


def test_limits() -> None:
    assert "1 builder stays, in mid-bar: BTC-USD_1M" in example("chart-limits")


def test_a_simulated_market_ticks() -> None:
    said = example("chart-simulated", "2")
    assert said.startswith("500 bars of history") and said.count("DEMO ") == 2


def test_live_data_from_a_server(quiet_three: RunningServer) -> None:
    said = example("chart-provider", f"127.0.0.1:{quiet_three.port}")
    assert "provider: " in said and " 0 rejected" in said
    assert "history: 1000 older bars" in said
    assert "paused: BTC-USD, SOL-USD" in said
    assert said.count("LIVE") == 3


def test_a_live_chart_has_the_bars_of_its_server(quiet_three: RunningServer) -> None:
    said = example("chart-live", f"http://127.0.0.1:{quiet_three.port}", "ETH-USD", "4").splitlines()
    *lines, summary = said
    bars = [[float(field) for field in line.split()] for line in lines]
    assert [after[0] - before[0] for before, after in zip(bars, bars[1:])] == [1, 1, 1]
    served = {bar["timestamp"]: bar for bar in quiet_three.recent("ETH-USD", "1s", 200)}
    names = ("timestamp", "open", "high", "low", "close", "volume")
    for bar in bars:
        assert bar == [served[bar[0]][name] for name in names]
    assert summary.endswith("LIVE") and int(summary.split()[0]) > 100


def test_a_message_that_was_written_offline_is_sent_later_and_once(quiet_three: RunningServer, tmp_path: Path) -> None:
    body = json.dumps({"consultationType": "markets"}).encode()
    with urllib.request.urlopen(quiet_three.address + "/consultations", data=body, timeout=60) as answer:
        created = json.load(answer)
    file, address = str(tmp_path / "chat.sqlite"), f"127.0.0.1:{quiet_three.port}"
    offline = example("offline-chat", file, "127.0.0.1:1", created["id"], "How is BTC-USD?").splitlines()
    assert offline == ["0 messages on the device", "user: How is BTC-USD? (waiting)"]
    online = example("offline-chat", file, address, created["id"]).splitlines()
    assert online[:2] == ["1 messages on the device", "user: How is BTC-USD?"]
    assert online[2].startswith("assistant: ")
    example("offline-chat", file, address, created["id"])
    messages = quiet_three.get(f"/consultations/{created['id']}/messages")["messages"]
    assert [each["content"] for each in messages if each["role"] == "user"] == ["How is BTC-USD?"]


@pytest.fixture
def quiet_three(tmp_path: Path):  # noqa: ANN201
    server = RunningServer(tmp_path / "data", feed="sim:BTC-USD,ETH-USD,SOL-USD", flags=("--seed", "5")).start()
    yield server
    server.stop()
