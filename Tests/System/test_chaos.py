"""`candlewire chaos`: what it does to connections, and what it says about it."""

import re
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator

import pytest
from support.server import binary


@pytest.fixture
def echo() -> Iterator[int]:
    """A TCP server that sends everything back."""
    listener = socket.create_server(("127.0.0.1", 0))

    def answer(connection: socket.socket) -> None:
        with connection:
            try:
                while data := connection.recv(65_536):
                    connection.sendall(data)
            except OSError:
                pass

    def accept() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=answer, args=(connection,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    yield listener.getsockname()[1]
    listener.close()


class Proxy:
    def __init__(self, target: int, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [str(binary()), "chaos", "--listen", "0", "--target", f"127.0.0.1:{target}", *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert self.process.stdout is not None
        self.head = ""
        while "Ctrl-C" not in self.head:
            line = self.process.stdout.readline()
            assert line, self.process.stderr.read() if self.process.stderr else ""
            self.head += line
        found = re.search(r"Connect to\s+127\.0\.0\.1:(\d+)", self.head)
        assert found
        self.port = int(found[1])

    def stop(self) -> str:
        self.process.send_signal(signal.SIGINT)
        text, errors = self.process.communicate(timeout=60)
        assert self.process.returncode == 0, errors
        return text


def receive(connection: socket.socket, count: int) -> bytes:
    """What comes, until so many bytes, the end, or a reset."""
    got = b""
    try:
        while len(got) < count:
            data = connection.recv(65_536)
            if not data:
                break
            got += data
    except ConnectionResetError:
        pass
    return got


def test_without_faults_everything_goes_through(echo: int) -> None:
    proxy = Proxy(echo)
    assert "Faults      none" in proxy.head
    with socket.create_connection(("127.0.0.1", proxy.port), timeout=60) as client:
        payload = bytes(range(256)) * 4000
        threading.Thread(target=client.sendall, args=(payload,)).start()
        assert receive(client, len(payload)) == payload
    text = proxy.stop()
    assert "#1 opened" in text and "Chaos proxy ends after" in text
    assert f"{len(payload)} up, {len(payload)} down, 0 lost, 0 corrupted" in text


def test_a_connection_is_cut_after_so_many_bytes(echo: int) -> None:
    proxy = Proxy(echo, "--cut-after", "1000", "--direction", "down")
    with socket.create_connection(("127.0.0.1", proxy.port), timeout=60) as client:
        client.sendall(b"x" * 5000)
        assert receive(client, 5000) == b"x" * 1000
    text = proxy.stop()
    assert "#1 cut after" in text and "cut          1" in text


def test_many_events_are_printed_at_a_readable_rate(echo: int) -> None:
    proxy = Proxy(echo, "--refuse", "1")
    begun = time.monotonic()
    for _ in range(200):
        try:
            with socket.create_connection(("127.0.0.1", proxy.port), timeout=60) as client:
                receive(client, 1)
        except ConnectionResetError:
            pass
    text = proxy.stop()
    assert "200 refused" in text
    reported = text.count("#")
    assert reported <= 10 * (time.monotonic() - begun + 2), "ten lines a second, however many connections come"


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["--listen", "0", "--target", "nowhere"], "--target"),
        (["--listen", "70000", "--target", "127.0.0.1:1"], "--listen"),
        (["--listen", "0", "--target", "127.0.0.1:1", "--drop", "2"], "--drop"),
        (["--listen", "0", "--target", "127.0.0.1:1", "--delay", "-1"], "--delay"),
        (["--listen", "0", "--target", "127.0.0.1:1", "--throttle", "0"], "--throttle"),
        (["--listen", "0", "--target", "127.0.0.1:1", "--direction", "left"], "up or down"),
    ],
)
def test_each_mistake_is_one_sentence(arguments: list[str], part: str) -> None:
    done = subprocess.run([str(binary()), "chaos", *arguments], capture_output=True, text=True, timeout=60)
    assert done.returncode == 64 and part in done.stderr and done.stderr.count("\n") == 1, done.stderr
