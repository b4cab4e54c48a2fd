"""`candlewire record`: what it writes is what was sent, and can be played again."""

import gzip
import json
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from running_server import RunningServer, subscribe
from support.polling import eventually
from support.server import binary
from websockets.sync.server import ServerConnection, serve as serve_websocket


def record(*arguments: str, **more: object) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [str(binary()), "record", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more
    )


def lines_so_far(path: Path) -> int:
    """Lines of a file that is still being written; 0 where it is caught in the middle of a write."""
    try:
        return len(lines(path))
    except (EOFError, FileNotFoundError):
        return 0


def lines(path: Path) -> list[str]:
    opened = gzip.open(path, "rt") if path.suffix == ".gz" else path.open()
    with opened as file:
        return file.read().splitlines()


def test_a_recorded_server_can_be_replayed_to_the_same_candles(
    serve: Callable[..., RunningServer], tmp_path: Path
) -> None:
    first = serve("sim:BTC-USD,ETH-USD", "--seed", "5", "--rate", "200")
    out = tmp_path / "session.jsonl.gz"
    process = record(
        first.stream, "--subscribe", "BTC-USD/1s", "--subscribe", "BTC-USD/1m", "--subscribe", "ETH-USD/5s",
        "--out", str(out), "--duration", "12",
    )  # fmt: skip
    text, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    assert "Duration reached:" in text
    # The first tick of the recording: everything after its second is complete.
    ticks = [m for m in map(json.loads, lines(out)) if m["type"] == "tick" and m["timeframe"] == "1s"]
    start, end = ticks[0]["timestamp"], ticks[-1]["timestamp"]
    served = {c["timestamp"]: c for c in first.recent("BTC-USD", "1s")}

    second = serve(f"replay:{out}", "--speed", "max")
    eventually(lambda: second.get("/health")["feed"]["state"] == "ended", "the replay ends", within=60)
    replayed = {c["timestamp"]: c for c in second.recent("BTC-USD", "1s")}
    whole = [t for t in replayed if t > start and t + 1 <= end]
    assert len(whole) >= 5
    assert [replayed[t] for t in whole] == [served[t] for t in whole]
    health = second.get("/health")["feed"]
    assert health["missing"] == 0 and health["malformed"] == 0 and health["duplicates"] == 0
    assert {market["symbol"] for market in second.get("/v1/markets")["markets"]} == {"BTC-USD", "ETH-USD"}


@pytest.fixture
def chatty():
    """A server that greets, echoes, and sends what a line cannot hold."""

    def talk(socket: ServerConnection) -> None:
        for message in socket:
            if message == "bye":
                socket.close(4001, "enough")
            elif message == "odd":
                socket.send(b"\x00\x01")
                socket.send("not\njson")
                socket.send('{\n "a": "b c"\n}')
            elif message == "flood":
                for number in range(1000):
                    socket.send(json.dumps({"number": number}))
            else:
                socket.send(message)

    with serve_websocket(talk, "127.0.0.1", 0) as server:
        import threading

        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"ws://127.0.0.1:{server.socket.getsockname()[1]}/"
        server.shutdown()


def test_odd_messages_are_reported_and_the_servers_end_is_the_recordings(chatty: str, tmp_path: Path) -> None:
    out = tmp_path / "x.jsonl"
    process = record(chatty, "--send", '{"hello": 1}', "--send", "odd", "--send", "bye", "--out", str(out))
    text, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    assert "The server closed the connection (4001, enough): 2 messages" in text
    assert "1 messages had line ends" in text and "1 messages were left out" in text
    assert "1 binary messages were left out" in text
    assert lines(out) == ['{"hello": 1}', '{"a":"b c"}']
    times = [int(line) for line in lines(tmp_path / "x.times.txt")]
    assert len(times) == 2 and times == sorted(times) and abs(times[0] / 1e9 - time.time()) < 120
    assert lines(tmp_path / "x.sent.jsonl") == ['{"hello": 1}', "odd", "bye"]


def test_it_ends_after_so_many_messages(chatty: str, tmp_path: Path) -> None:
    out = tmp_path / "x.jsonl.gz"
    process = record(chatty, "--send", "flood", "--count", "37", "--out", str(out))
    text, _ = process.communicate(timeout=60)
    assert process.returncode == 0 and "Complete: 37 messages" in text
    assert [json.loads(line)["number"] for line in lines(out)] == list(range(37))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_signal_closes_the_files_and_a_kill_loses_at_most_a_second(
    chatty: str, tmp_path: Path, number: signal.Signals
) -> None:
    out = tmp_path / "x.jsonl.gz"
    process = record(chatty, "--send", "flood", "--out", str(out))
    times = tmp_path / "x.times.txt.gz"
    eventually(lambda: lines_so_far(out) == lines_so_far(times) == 1000, "1000 messages on disk", within=60)
    process.send_signal(number)
    text, _ = process.communicate(timeout=60)
    if number == signal.SIGINT:
        assert process.returncode == 0 and "Stopped: 1000 messages" in text
    assert len(lines(out)) == len(lines(times)) == 1000


def test_a_lost_connection_is_reported_and_exits_with_an_error(
    serve: Callable[..., RunningServer], tmp_path: Path
) -> None:
    server = serve("sim:BTC-USD", "--rate", "50")
    out = tmp_path / "x.jsonl"
    process = record(server.stream, "--subscribe", "BTC-USD/1s", "--out", str(out))
    eventually(lambda: out.exists() and out.stat().st_size > 10_000, "messages are recorded", within=60)
    server.kill()
    text, _ = process.communicate(timeout=60)
    assert process.returncode == 1 and "The connection was lost:" in text
    assert json.loads(lines(tmp_path / "x.sent.jsonl")[0]) == json.loads(subscribe("BTC-USD", "1s"))


@pytest.mark.parametrize(
    ("arguments", "part", "code"),
    [
        (["--out", "x.txt"], ".jsonl", 64),
        (["--out", "x.jsonl", "--subscribe", "BTC-USD"], "SYMBOL/TIMEFRAME", 64),
        (["--out", "x.jsonl", "--subscribe", "BTC-USD/7m"], "15m", 64),
        (["--out", "x.jsonl", "--count", "0"], "--count", 64),
        (["--out", "x.jsonl", "--duration", "-1"], "--duration", 64),
        (["--out", "/nowhere/x.jsonl"], "cannot be written", 66),
        (["--out", "x.jsonl"], "cannot connect", 69),
    ],
)
def test_each_mistake_is_one_sentence(arguments: list[str], part: str, code: int, tmp_path: Path) -> None:
    process = record("ws://127.0.0.1:1/", *arguments, cwd=tmp_path)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == code and part.lower() in errors.lower() and errors.count("\n") == 1, errors
    assert list(tmp_path.iterdir()) == []
