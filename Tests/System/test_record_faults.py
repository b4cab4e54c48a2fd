"""`candlewire record` where it is not let in, killed, or out of room."""

import contextlib
import json
import resource
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from certificates import make_certificates
from running_server import RunningServer, subscribe
from support.secrets import private_file
from test_record import lines, record
from websockets.exceptions import ConnectionClosed
from websockets.sync.server import ServerConnection, serve as serve_websocket

pytestmark = pytest.mark.serial

TOKEN = "a-token-of-some-length-1"


@pytest.fixture
def guarded(serve: Callable[..., RunningServer], tmp_path: Path) -> RunningServer:
    tokens = tmp_path / "tokens"
    private_file(tokens, TOKEN + "\n")
    return serve("sim:BTC-USD", "--rate", "200", "--stream-token-file", str(tokens))


def auth(token: str) -> str:
    return json.dumps({"action": "auth", "token": token})


def test_the_token_goes_first_and_not_into_the_recording(
    guarded: RunningServer, serve: Callable[..., RunningServer], tmp_path: Path
) -> None:
    out = tmp_path / "x.jsonl"
    process = record(
        guarded.stream, "--subscribe", "BTC-USD/1s", "--send", auth(TOKEN), "--count", "300", "--out", str(out)
    )
    text, errors = process.communicate(timeout=60)
    assert process.returncode == 0 and "Complete: 300 messages" in text, errors
    assert [json.loads(line)["type"] for line in lines(out)[:2]] == ["authenticated", "subscribed"]
    sent = [json.loads(line) for line in lines(tmp_path / "x.sent.jsonl")]
    assert sent[0] == {"action": "auth", "token": "***"}
    assert sent[1]["action"] == "subscribe" and len(sent) == 2
    assert not any(TOKEN in path.read_text() for path in tmp_path.glob("x.*"))
    # What was hidden is not needed to play it again.
    replay = serve(f"replay:{out}", "--speed", "max")
    assert {market["symbol"] for market in replay.get("/v1/markets")["markets"]} == {"BTC-USD"}


@pytest.mark.parametrize("first", [auth("another-token-of-length-2"), subscribe("BTC-USD", "1m")])
def test_a_refusal_for_good_is_an_error(guarded: RunningServer, tmp_path: Path, first: str) -> None:
    process = record(guarded.stream, "--send", first, "--out", str(tmp_path / "x.jsonl"))
    text, _ = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "The server closed the connection permanently (4101, " in text and text.rstrip().endswith("sent.")


def test_a_certificate_of_an_own_authority(serve: Callable[..., RunningServer], tmp_path: Path) -> None:
    certificates = make_certificates(tmp_path)
    server = serve(
        "sim:BTC-USD", "--rate", "200", "--tls-cert", str(certificates.certificate), "--tls-key", str(certificates.key)
    )
    url = server.stream.replace("ws://127.0.0.1", "wss://localhost")
    wanted = ["--subscribe", "BTC-USD/1s", "--count", "5"]
    process = record(url, *wanted, "--out", str(tmp_path / "a.jsonl"))
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 69 and "certificate" in errors.lower(), errors
    assert not (tmp_path / "a.jsonl").exists()
    for name, options in {"b": ["--ca", str(certificates.authority)], "c": ["--insecure"]}.items():
        process = record(url, *wanted, *options, "--out", str(tmp_path / f"{name}.jsonl"))
        text, errors = process.communicate(timeout=60)
        assert process.returncode == 0 and "Complete: 5 messages" in text, errors
        assert len(lines(tmp_path / f"{name}.jsonl")) == 5


@contextlib.contextmanager
def serving(talk: Callable[[ServerConnection], None]) -> Iterator[str]:
    def until_closed(socket: ServerConnection) -> None:
        with contextlib.suppress(ConnectionClosed):
            talk(socket)

    with serve_websocket(until_closed, "127.0.0.1", 0) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"ws://127.0.0.1:{server.socket.getsockname()[1]}/"
        server.shutdown()


def trade(number: int, padding: str = "") -> str:
    """A trade as Binance sends it."""
    return json.dumps(
        {"e": "trade", "s": "A", "t": number, "p": "1.5", "q": "2", "T": 1_700_000_000_000 + number, "x": padding}
    )


@pytest.mark.parametrize("name", ["x.jsonl", "x.jsonl.gz"])
def test_a_kill_loses_at_most_a_second(serve: Callable[..., RunningServer], tmp_path: Path, name: str) -> None:
    sendings: list[float] = []

    def trickle(socket: ServerConnection) -> None:
        while True:
            socket.send(trade(len(sendings) + 1))
            sendings.append(time.time())
            time.sleep(0.01)

    with serving(trickle) as url:
        out = tmp_path / name
        process = record(url, "--out", str(out))
        deadline = time.monotonic() + 180
        while not (out.exists() and out.stat().st_size > 0 and len(sendings) > 800):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        killed = time.time()
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=60)
    messages = lines(out)
    times = lines(tmp_path / name.replace(".jsonl", ".times.txt"))
    assert [json.loads(line)["t"] for line in messages] == list(range(1, len(messages) + 1))
    assert sendings[0] - 1 < int(times[0]) / 1e9 and int(times[-1]) / 1e9 <= killed + 0.1
    # The server went on until the end, so that what is missing was lost by the recorder.
    assert min(killed - at for at in sendings if at <= killed) < 2
    # A second, and what a busy machine takes for it; without that writing everything would be lost.
    assert killed - int(times[-1]) / 1e9 < 4
    assert killed - sendings[len(messages) - 1] < 4
    replay = serve(f"replay:{out}", "--speed", "max", "--venue", "binance")
    assert [market["symbol"] for market in replay.get("/v1/markets")["markets"]] == ["A"]


@pytest.mark.parametrize("name", ["x.jsonl", "x.jsonl.gz"])
def test_a_full_disk_ends_the_recording_and_leaves_it_whole(
    serve: Callable[..., RunningServer], tmp_path: Path, name: str
) -> None:
    room = 20_000

    def flood(socket: ServerConnection) -> None:
        number = 0
        while True:
            number += 1
            # Nothing that a packer could shorten much.
            socket.send(trade(number, f"{hash((number, 'a')):x}{hash((number, 'b')):x}"))
            time.sleep(0.002)

    def full_disk() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

    with serving(flood) as url:
        out = tmp_path / name
        process = record(url, "--out", str(out), preexec_fn=full_disk, restore_signals=False)
        text, errors = process.communicate(timeout=60)
    assert process.returncode == 74, errors
    assert f"{out} cannot be written any further" in text
    messages = [json.loads(line)["t"] for line in lines(out)]
    times = lines(tmp_path / name.replace(".jsonl", ".times.txt"))
    # Whole pieces, each once, and as many times as messages.
    assert messages == list(range(1, len(messages) + 1)) and len(messages) > 10
    assert len(times) == len(messages) and out.stat().st_size <= room
    replay = serve(f"replay:{out}", "--speed", "max", "--venue", "binance")
    assert [market["symbol"] for market in replay.get("/v1/markets")["markets"]] == ["A"]
