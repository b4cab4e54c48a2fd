"""`candlewire tracker` in a real terminal and without one, through the echo of a real server and through its own."""

import json
import os
import re
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from running_server import RunningServer
from support.server import binary, free_port
from test_watch import UTF8, Watch
from websockets.sync.server import ServerConnection
from websockets.sync.server import serve as websockets_server

STOCKS = [
    {"symbol": "H2O", "company": "Clear Works", "description": "Filters for wells.", "initial_price": 20.5},
    {"symbol": "BRK.B", "company": "Berk Two", "description": "Owns what others make.", "initial_price": 400},
    {"symbol": "NOVA-2", "company": "Nova", "description": "Rockets.", "initial_price": 90, "delta_price": 1.25},
]  # fmt: skip


class Tracker(Watch):
    COMMAND = "tracker"


@pytest.fixture
def tracker() -> Iterator[Callable[..., Tracker]]:
    started: list[Tracker] = []

    def start(*arguments: str, **more: object) -> Tracker:
        started.append(Tracker(*arguments, **more))  # type: ignore[arg-type]
        return started[-1]

    yield start
    for one in started:
        one.close()


@pytest.fixture
def stocks(tmp_path: Path) -> str:
    path = tmp_path / "stocks.json"
    path.write_text(json.dumps(STOCKS))
    return str(path)


def echo_of(server: RunningServer) -> str:
    return f"ws://127.0.0.1:{server.port}/raw"


def symbols(lines: list[str]) -> list[str]:
    """The symbols of the list, from the top."""
    return [line[2:].split()[0] for line in lines[2:-1] if line[2:].strip()]


def chosen(lines: list[str]) -> str:
    return next((line[2:].split()[0] for line in lines if line.startswith("▸ ")), "")


def test_a_person_follows_chooses_reads_stops_and_starts(
    quiet: RunningServer, tracker: Callable[..., Tracker], stocks: str
) -> None:
    shown = tracker("--stocks", stocks, "--url", echo_of(quiet), "--interval", "0.2", "--seed", "7")
    lines = shown.until(lambda lines: "3 of 3 connected" in lines[0] and "● LIVE" in lines[0], "live prices")
    assert shown.screen.is_alternate and shown.screen.is_cursor_hidden
    assert symbols(lines) == ["BRK.B", "NOVA-2", "H2O"], "by price, highest first"
    row = re.compile(r"^▸ BRK\.B +Berk Two +\d+\.\d\d [↑↓→] +[+-]?\d+\.\d\d +[+-]?\d+\.\d\d%$")
    shown.until(lambda lines: bool(row.match(lines[2])), "symbol, company, last, direction, change, percent")
    before = lines[2]
    shown.until(lambda lines: lines[2] != before, "the price moves")
    shown.until(lambda _: {"38;5;35", "38;5;167"} <= shown.screen.colours, "up and down have colours, too")

    shown.press("\x1b[B")
    shown.until(lambda lines: chosen(lines) == "NOVA-2", "the next stock is chosen")
    shown.press("n")
    shown.until(lambda lines: chosen(lines) == "H2O", "and the last")
    shown.press("\r")
    lines = shown.until(lambda lines: any("Filters for wells." in line for line in lines), "the detail")
    assert "H2O  Clear Works" in lines[2] and "since 20.5" in lines[5]
    before = lines[6]
    shown.until(lambda lines: lines[6] != before, "prices go on coming in the detail")
    shown.press("\r")
    shown.until(lambda lines: chosen(lines) == "H2O", "the list, as it was left")

    shown.press("o")
    shown.until(lambda lines: "o by symbol" in lines[-1], "another order")
    shown.until(lambda lines: symbols(lines) == ["BRK.B", "H2O", "NOVA-2"], "by symbol")
    shown.press("s")
    lines = shown.until(lambda lines: "0 of 3 connected" in lines[0] and "STOPPED" in lines[0], "stopped")
    assert symbols(lines) == ["BRK.B", "H2O", "NOVA-2"], "the prices stay"
    shown.press("s")
    shown.until(lambda lines: "3 of 3 connected" in lines[0], "started again")
    for columns, rows in [(40, 10), (30, 6), (120, 30)]:
        shown.resize(columns, rows)
        shown.until(lambda lines: lines[0].startswith("TRACKER") and "BRK.B" in lines[2], f"{columns} x {rows}")
    shown.press("q")
    assert shown.end() == 0


def test_a_lost_server_is_said_and_comes_back(
    serve: Callable[..., RunningServer], tracker: Callable[..., Tracker], stocks: str
) -> None:
    """Reconnecting, then failed, and started again. Reconnecting is done and not only shown."""
    server = serve("sim:BTC-USD", "--seed", "5")
    url = echo_of(server)
    shown = tracker("--stocks", stocks, "--url", url, "--per-stock", "--interval", "0.2", LANG="C", LC_ALL="C")
    shown.until(lambda lines: "3 of 3 connected  * LIVE" in lines[0], "a connection for each")
    server.stop()
    shown.until(lambda lines: "0 of 3 connected  * FAILED" in lines[0], "it has failed after three retries")
    assert shown.raw.isascii()
    server.start()
    shown.press("s")
    shown.until(lambda lines: "3 of 3 connected  * LIVE" in lines[0], "live again")
    shown.process.send_signal(signal.SIGTERM)
    assert shown.end() == 0


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(binary()), "tracker", *arguments], capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL,
        env={**os.environ, **UTF8, **environment},
    )  # fmt: skip


def test_once_lists_every_stock_with_an_echo_of_its_own() -> None:
    """25 stocks without a file and without any server."""
    answer = run("--once", "--interval", "0.1", "--port", str(free_port()))
    assert answer.returncode == 0, answer.stderr
    head, *rows, foot = answer.stdout.splitlines()
    assert head.split() == ["SYMBOL", "COMPANY", "LAST", "CHANGE", "CHANGE", "%"]
    assert len(rows) == 25 and "\x1b" not in answer.stdout
    prices = [float(re.search(r"(\d+\.\d\d) [↑↓→ ]", row).group(1)) for row in rows]  # type: ignore[union-attr]
    assert prices == sorted(prices, reverse=True)
    assert foot == "25 of 25 connected; the echo is in this program"


def test_a_server_of_this_machine_is_found(quiet: RunningServer) -> None:
    answer = run("--once", "--interval", "0.1", "--port", str(quiet.port))
    assert answer.returncode == 0, answer.stderr
    assert answer.stdout.endswith(f"the echo is ws://127.0.0.1:{quiet.port}/raw\n")


def test_once_ends_where_prices_do_not_come_back() -> None:
    """An echo that swallows some messages, or all, is reported with those that are missing."""

    def forgetful(socket: ServerConnection) -> None:
        for message in socket:
            if swallowed not in str(message):
                socket.send(message)

    with websockets_server(forgetful, "127.0.0.1", 0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            url = f"ws://127.0.0.1:{server.socket.getsockname()[1]}/"
            swallowed = '"A'
            some = run("--once", "--interval", "0.1", "--timeout", "2", "--url", url)
            swallowed = "symbol"
            none = run("--once", "--interval", "0.1", "--timeout", "1", "--url", url)
            silent = run("--interval", "0.1", "--timeout", "1", "--url", url)
        finally:
            server.shutdown()
            thread.join()
    assert (some.returncode, some.stdout) == (69, "")
    assert re.search(r"no price back of \d of 25 stocks within 2 s \(A", some.stderr), some.stderr
    for answer in (none, silent):
        assert (answer.returncode, answer.stdout) == (69, "")
        assert "sent nothing back within 1 s" in answer.stderr


def test_a_servers_words_do_nothing_to_a_terminal(tracker: Callable[..., Tracker], stocks: str) -> None:
    def rude(socket: ServerConnection) -> None:
        socket.close(4150, "go\x1b[2Jaway\x07")

    with websockets_server(rude, "127.0.0.1", 0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            url = f"ws://127.0.0.1:{server.socket.getsockname()[1]}/"
            answer = run("--once", "--stocks", stocks, "--url", url)
            shown = tracker("--stocks", stocks, "--url", url)
            shown.until(lambda lines: "FAILED" in lines[0] and "go\ufffd[2Jaway\ufffd" in lines[0], "the reason, printable")
            assert "\x1b[2Jaway" not in shown.raw and "\x07" not in shown.raw
            shown.press("q")
            assert shown.end() == 0
        finally:
            server.shutdown()
            thread.join()
    assert answer.returncode == 69 and "go\ufffd[2Jaway\ufffd" in answer.stderr


def test_without_a_terminal_each_price_is_a_line(quiet: RunningServer, stocks: str) -> None:
    """Current = initial + delta, and back through the echo."""
    arguments = ["tracker", "--stocks", stocks, "--url", echo_of(quiet), "--interval", "0.1"]
    with subprocess.Popen(
        [str(binary()), *arguments], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True,
        env={**os.environ, **UTF8},
    ) as process:  # fmt: skip
        assert process.stdout
        seen: dict[str, float] = {}
        for _ in range(12):
            symbol, last, arrow, change, _ = process.stdout.readline().split()
            assert arrow in "↑↓→"
            initial = next(stock["initial_price"] for stock in STOCKS if stock["symbol"] == symbol)
            assert round(initial + float(change), 2) == float(last)
            seen[symbol] = float(last)
        assert set(seen) == {"H2O", "BRK.B", "NOVA-2"}
        process.send_signal(signal.SIGTERM)
        process.stdout.read()
        assert process.wait(timeout=60) == 0


@pytest.mark.parametrize(
    ("content", "arguments", "code", "sentence"),
    [
        ("[{}]", [], 66, 'stocks.json, entry 1, field "symbol": it is missing.'),
        (None, [], 66, "cannot be opened: No such file or directory."),
        (json.dumps(STOCKS), ["--url", "http://127.0.0.1/"], 64, "it must be ws or wss"),
        (json.dumps(STOCKS), ["--sort", "luck"], 64, "“luck” is not a sort order; use price, symbol or change."),
        (json.dumps(STOCKS), ["--interval", "0"], 64, "--interval must be from 0.05 to 3600 seconds"),
        (
            json.dumps([{**STOCKS[0], "symbol": f"S{number}"} for number in range(101)]), ["--per-stock"], 64,
            "--per-stock is for up to 100 stocks; the list has 101.",
        ),
    ],
)  # fmt: skip
def test_refuses(tmp_path: Path, content: str | None, arguments: list[str], code: int, sentence: str) -> None:
    """What cannot work is said before anything is tried."""
    path = tmp_path / "stocks.json"
    if content is not None:
        path.write_text(content)
    answer = run("--once", "--stocks", str(path), *arguments)
    assert (answer.returncode, answer.stdout) == (code, "")
    assert sentence in answer.stderr and answer.stderr.startswith("Error: ")


def test_says_that_there_is_no_echo(quiet: RunningServer) -> None:
    answer = run("--once", "--url", f"ws://127.0.0.1:{free_port()}/raw")
    assert answer.returncode == 69 and "is lost: " in answer.stderr
    answer = run("--once", "--url", f"ws://127.0.0.1:{quiet.port}/nothing-here")
    assert answer.returncode == 69 and "answered 404" in answer.stderr
