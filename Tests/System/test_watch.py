"""`candlewire watch` in a real terminal (a pseudo terminal), against a real server."""

import codecs
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from running_server import RunningServer
from support.secrets import private_file
from support.server import binary

UTF8 = {"LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "TERM": "xterm-256color"}


class Screen:
    """What a terminal shows: the few escape sequences that the program uses, played onto rows of characters."""

    SEQUENCE = re.compile(r"\x1b\[([?0-9;]*)([A-Za-z])")

    def __init__(self, columns: int, rows: int) -> None:
        self.resize(columns, rows)
        self.colours: set[str] = set()
        self.is_alternate = False
        self.is_cursor_hidden = False

    def resize(self, columns: int, rows: int) -> None:
        self.columns, self.rows = columns, rows
        self.cells = [[" "] * columns for _ in range(rows)]
        self.x = self.y = 0

    def feed(self, text: str) -> None:
        at = 0
        while at < len(text):
            match = self.SEQUENCE.match(text, at)
            if match:
                self.control(*match.groups())
                at = match.end()
                continue
            assert text[at] != "\x1b", repr(text[at : at + 20])
            if text[at] not in "\r\n" and self.y < self.rows:
                assert self.x < self.columns, f"a row is wider than the terminal: {''.join(self.cells[self.y])}"
                self.cells[self.y][self.x] = text[at]
                self.x += 1
            at += 1

    def control(self, parameters: str, final: str) -> None:
        if final == "H":
            row, column = parameters.split(";")
            self.y, self.x = int(row) - 1, int(column) - 1
        elif final == "J":
            self.cells = [[" "] * self.columns for _ in range(self.rows)]
        elif final == "K" and self.y < self.rows:
            self.cells[self.y][self.x :] = [" "] * (self.columns - self.x)
        elif final == "m":
            self.colours.add(parameters)
        elif parameters == "?1049":
            self.is_alternate = final == "h"
        elif parameters == "?25":
            self.is_cursor_hidden = final == "l"

    @property
    def lines(self) -> list[str]:
        return ["".join(row).rstrip() for row in self.cells]


class Watch:
    """The program with a pseudo terminal for its screen and keyboard."""

    COMMAND = "watch"
    UNFINISHED = re.compile(r"\x1b(\[[?0-9;]*)?$")

    def __init__(self, *arguments: str, columns: int = 90, rows: int = 30, **environment: str) -> None:
        self.master, slave = pty.openpty()
        self.settings = termios.tcgetattr(slave)
        self.slave = slave
        self.screen = Screen(columns, rows)
        self.raw = ""
        self._size(columns, rows)
        self.process = subprocess.Popen(
            [str(binary()), self.COMMAND, *arguments], stdin=slave, stdout=slave, stderr=slave,
            env={**os.environ, **UTF8, **environment}, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0) and None,
        )  # fmt: skip
        self._pending = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")()

    def _size(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def resize(self, columns: int, rows: int) -> None:
        self.read(0.2)
        self.screen.resize(columns, rows)
        self._size(columns, rows)

    def press(self, keys: str) -> None:
        os.write(self.master, keys.encode())

    def read(self, seconds: float) -> None:
        """Reads what the program writes for so long."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if not select.select([self.master], [], [], left)[0]:
                return
            try:
                data = os.read(self.master, 65536)
            except OSError:
                return
            if not data:
                return
            text = self._pending + self._decoder.decode(data)
            # The beginning of a sequence waits for its end.
            cut = self.UNFINISHED.search(text)
            text, self._pending = (text[: cut.start()], cut.group()) if cut else (text, "")
            self.raw += text
            self.screen.feed(text)

    def until(self, is_there: Callable[[list[str]], bool], what: str, within: float = 60) -> list[str]:
        end = time.monotonic() + within
        while time.monotonic() < end:
            self.read(0.1)
            if is_there(self.screen.lines):
                return self.screen.lines
            assert self.process.poll() is None, f"ended with {self.process.returncode}:\n{self.raw[-2000:]}"
        raise AssertionError(f"not within {within} s: {what}\n" + "\n".join(self.screen.lines))

    def end(self) -> int:
        """Waits for the program's end and checks that the terminal is as it was."""
        end = time.monotonic() + 60
        while self.process.poll() is None and time.monotonic() < end:
            self.read(0.1)
        self.read(0.2)
        code = self.process.wait(timeout=60)
        assert not self.screen.is_alternate, "the screen was not given back"
        assert not self.screen.is_cursor_hidden, "the cursor was not given back"
        assert termios.tcgetattr(self.slave) == self.settings, "the keyboard was not given back"
        return code

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.master)
        os.close(self.slave)


@pytest.fixture
def watch() -> Iterator[Callable[..., Watch]]:
    started: list[Watch] = []

    def start(*arguments: str, **more: object) -> Watch:
        started.append(Watch(*arguments, **more))  # type: ignore[arg-type]
        return started[-1]

    yield start
    for one in started:
        one.close()


def is_live(lines: list[str]) -> bool:
    return "● LIVE" in lines[-1]


def test_draws_live_candles_and_follows_them(quiet: RunningServer, watch: Callable[..., Watch]) -> None:
    shown = watch("BTC-USD", "--url", quiet.address, "--timeframe", "1s")
    lines = shown.until(is_live, "live candles")
    assert lines[0].startswith("BTC-USD 1s")
    picture = "\n".join(lines[1:])
    assert "█" in picture and "│" in picture and re.search(r"\d,\d{3}\.\d", picture)
    assert any(":" in line for line in lines[-2:-1]), "times stand under the candles"
    assert shown.screen.is_alternate and shown.screen.is_cursor_hidden
    assert {"38;5;35", "38;5;167"} <= shown.screen.colours
    before = lines[1:-1]
    shown.until(lambda now: now[1:-1] != before, "the candles move")
    shown.press("q")
    assert shown.end() == 0


def test_keys_choose_symbol_timeframe_and_width(quiet: RunningServer, watch: Callable[..., Watch]) -> None:
    shown = watch("BTC-USD", "--url", quiet.stream)
    shown.until(lambda lines: is_live(lines) and lines[0].startswith("BTC-USD 1m"), "BTC-USD, 1m")
    for key, title in [
        ("\x1b[B", "ETH-USD 1m"), ("\x1b[C", "ETH-USD 3m"), ("\x1bOD", "ETH-USD 1m"), ("n", "BTC-USD 1m"),
        ("p", "ETH-USD 1m"), ("t", "ETH-USD 3m"), ("T", "ETH-USD 1m"), ("\x1b[A", "BTC-USD 1m"),
    ]:  # fmt: skip
        shown.press(key)
        shown.until(lambda lines: is_live(lines) and lines[0].startswith(title), title)  # noqa: B023
    assert "███" not in "\n".join(shown.screen.lines[:-6])
    shown.press("++")
    shown.until(lambda lines: "███" in "\n".join(lines[:-6]), "wider candles")
    shown.press("q")
    assert shown.end() == 0


def test_follows_the_size_of_the_window(quiet: RunningServer, watch: Callable[..., Watch]) -> None:
    shown = watch("BTC-USD", "--url", quiet.stream)
    shown.until(is_live, "live candles")
    for columns, rows in [(120, 40), (50, 12), (24, 6), (100, 20)]:
        shown.resize(columns, rows)
        shown.until(lambda lines: lines[0].startswith("BTC-USD") and "LIVE" in lines[-1], f"{columns} x {rows}")
    shown.resize(20, 3)
    shown.until(lambda lines: lines[0].startswith("BTC-USD") and lines[1:] == ["", ""], "one line in a tiny window")
    shown.press("q")
    assert shown.end() == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_gives_the_terminal_back_on_a_signal(
    quiet: RunningServer, watch: Callable[..., Watch], number: signal.Signals
) -> None:
    shown = watch("BTC-USD", "--url", quiet.stream)
    shown.until(is_live, "live candles")
    assert termios.tcgetattr(shown.slave) != shown.settings
    shown.process.send_signal(number)
    assert shown.end() == 0


def test_control_c_is_a_signal(quiet: RunningServer, watch: Callable[..., Watch]) -> None:
    shown = watch("BTC-USD", "--url", quiet.stream)
    shown.until(is_live, "live candles")
    shown.press("\x03")
    assert shown.end() == 0


def test_says_that_the_connection_is_lost_and_comes_back(serve: Callable[..., RunningServer], watch: Callable[..., Watch]) -> None:
    server = serve("sim:BTC-USD", "--seed", "5")
    shown = watch("BTC-USD", "--url", server.stream)
    shown.until(is_live, "live candles")
    server.stop()
    shown.until(lambda lines: "RECONNECTING" in lines[-1] or "CONNECTING" in lines[-1], "the loss is reported")
    assert "█" in "\n".join(shown.screen.lines), "the bars stay"
    server.start()
    shown.until(is_live, "live again", within=60)
    shown.press("q")
    assert shown.end() == 0


def test_without_colour_and_without_unicode(quiet: RunningServer, watch: Callable[..., Watch]) -> None:
    shown = watch("BTC-USD", "--url", quiet.stream, NO_COLOR="1")
    lines = shown.until(is_live, "live candles")
    assert not any("38;5" in colour for colour in shown.screen.colours)
    assert "░" in "\n".join(lines), "rising candles are light"
    shown.press("q")
    assert shown.end() == 0
    plain = watch("BTC-USD", "--url", quiet.stream, LANG="C", LC_ALL="C")
    plain.until(lambda lines: "* LIVE" in lines[-1], "live candles")
    assert plain.raw.isascii()
    plain.press("q")
    assert plain.end() == 0


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(binary()), "watch", *arguments], capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL,
        env={**os.environ, **UTF8, **environment},
    )  # fmt: skip


def test_once_writes_one_plain_frame(quiet: RunningServer) -> None:
    answer = run("ETH-USD", "--url", quiet.stream, "--timeframe", "5m", "--once")
    assert answer.returncode == 0, answer.stderr
    lines = answer.stdout.splitlines()
    assert len(lines) == 24 and all(len(line) <= 80 for line in lines)
    assert "ETH-USD" in lines[0] and "\x1b" not in answer.stdout
    assert "█" in answer.stdout and "LIVE" in lines[-1]


def test_without_a_symbol_it_shows_the_first_market(quiet: RunningServer) -> None:
    assert "BTC-USD" in run("--url", quiet.stream, "--once").stdout.splitlines()[0]


def test_a_server_that_needs_a_token_gets_it(serve: Callable[..., RunningServer], tmp_path: Path) -> None:
    tokens = tmp_path / "tokens"
    private_file(tokens, "a-token-for-those-who-watch\n")
    tokens.chmod(0o600)
    server = serve("sim:BTC-USD", "--stream-token-file", str(tokens), "--require-login", "all")
    for symbol in ([], ["BTC-USD"]):
        shown = run(*symbol, "--url", server.address, "--once", "--token-file", str(tokens))
        assert shown.returncode == 0, shown.stderr
        assert "BTC-USD" in shown.stdout and "LIVE" in shown.stdout.splitlines()[-1]
    other = tmp_path / "other"
    other.write_text("a-token-that-is-not-the-server's\n")
    other.chmod(0o600)
    for required in ("all", "trading"):
        server = serve("sim:BTC-USD", "--stream-token-file", str(tokens), "--require-login", required)
        for symbol in ([], ["BTC-USD"]):
            without = run(*symbol, "--url", server.address, "--once")
            assert (without.returncode, without.stdout) == (77, "") and "--token-file FILE" in without.stderr
            wrong = run(*symbol, "--url", server.address, "--once", "--token-file", str(other))
            assert (wrong.returncode, wrong.stdout) == (77, "") and f"does not accept the token in {other}" in wrong.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["BTC-USD"], 64, "The output is not a terminal; --once writes one frame"),
        (["XX-USD", "--once"], 66, "XX-USD"),
        (["BTC-USD", "--once", "--timeframe", "7m"], 64, "“7m” is not a timeframe"),
        (["BTC-USD", "--once", "--token-file", "/nonexistent"], 66, "/nonexistent cannot be read"),
    ],
)
def test_refuses(quiet: RunningServer, arguments: list[str], code: int, sentence: str) -> None:
    answer = run(*arguments, "--url", quiet.stream)
    assert (answer.returncode, answer.stdout) == (code, "")
    assert sentence in answer.stderr and answer.stderr.startswith("Error: ")


def test_says_that_there_is_no_server(unused_port: int) -> None:
    for address in (f"ws://127.0.0.1:{unused_port}/v1/stream", f"ws://127.0.0.1:{unused_port}", f"http://127.0.0.1:{unused_port}/"):
        answer = run("BTC-USD", "--once", "--url", address)
        assert answer.returncode == 69 and "No candlewire server answers" in answer.stderr
    answer = run("BTC-USD", "--once", "--url", "127.0.0.1")
    assert answer.returncode == 64 and "--url must be http://HOST" in answer.stderr


@pytest.fixture
def unused_port() -> int:
    from support.server import free_port

    return free_port()

