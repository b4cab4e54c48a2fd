"""The real server as a process of its own."""

import itertools
import json
import os
import random
import signal
import socket
import ssl
import subprocess
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from support import secrets
from support.polling import eventually

PACKAGE = Path(__file__).resolve().parents[3]
WEB = PACKAGE / "Web"


def binary() -> Path:
    """The `candlewire` to test: `CANDLEWIRE_BIN`, else the newest that `swift build` left in the package."""
    named = os.environ.get("CANDLEWIRE_BIN")
    if named:
        return Path(named).resolve()
    built = [PACKAGE / ".build" / kind / "candlewire" for kind in ("release", "debug")]
    present = [path for path in built if path.exists()]
    if not present:
        raise FileNotFoundError("no candlewire binary: run `swift build` or set CANDLEWIRE_BIN")
    return max(present, key=lambda path: path.stat().st_mtime)


def is_optimised() -> bool:
    """Whether it is no debug build: what such a build takes says nothing about a server's speed."""
    return "debug" not in binary().resolve().parts


def _ports() -> Iterator[int]:
    """Ports of this worker alone, below those that the system gives to connections."""
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:])
    first = random.randrange(1250)
    for number in itertools.count(first):
        yield 10_000 + 16 * (number % 1250) + worker % 16


_own_ports = _ports()


def free_port() -> int:
    """A port that is free, and that no other worker looks at before its server listens."""
    for port in _own_ports:
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise AssertionError("the ports never end")


class Server:
    """`candlewire serve` on one port and one data directory; it can be stopped and started again."""

    def __init__(self, data_dir: Path, *, feed: str = "sim", web: Path = WEB, flags: tuple[str, ...] = ()) -> None:
        self.port = free_port()
        # A test's certificate is trusted by that test only; a request for a server's health needs no trust.
        self._trust = ssl._create_unverified_context() if "--tls-cert" in flags else None
        self.address = f"{'https' if self._trust else 'http'}://127.0.0.1:{self.port}"
        self._data_dir = data_dir
        self._flags = ("--web-dir", str(web), "--feed", feed, *flags)
        self._log_path = data_dir.parent / f"{data_dir.name}.log"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> "Server":
        command = [
            str(binary()), "serve", "--host", "127.0.0.1", "--port", str(self.port),
            "--data-dir", str(self._data_dir), *self._flags,
        ]  # fmt: skip
        secrets.watch(self._log_path, self._flags)
        with self._log_path.open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log)
        eventually(self._is_healthy, f"{' '.join(command)} answers /health", within=180)
        return self

    def stop(self) -> None:
        """Sends the server SIGTERM, as a service manager does, and checks that it exits by itself."""
        process, self._process = self._process, None
        if process is None:
            return
        process.send_signal(signal.SIGTERM)
        try:
            code = process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise AssertionError(f"the server did not stop within a minute of SIGTERM\n{self.log}") from None
        assert code in (0, -signal.SIGTERM), f"the server stopped with code {code}\n{self.log}"

    def kill(self) -> None:
        """Ends the server as a crash or a power cut does: without a word (SIGKILL)."""
        process, self._process = self._process, None
        assert process is not None
        process.kill()
        process.wait()

    @property
    def log(self) -> str:
        return self._log_path.read_text(errors="replace")[-4000:]

    def get(self, path: str, **parameters: Any) -> Any:
        """The JSON answer to a GET."""
        query = f"?{urllib.parse.urlencode(parameters)}" if parameters else ""
        with urllib.request.urlopen(self.address + path + query, timeout=60, context=self._trust) as answer:
            return json.load(answer)

    def candles(self, symbol: str, timeframe: str, start: float, end: float) -> list[dict[str, float]]:
        """Every candle with `start <= timestamp <= end`, page by page, ascending."""
        pages: list[dict[str, float]] = []
        before = end + 0.5
        while True:
            page = self.get("/v1/candles", symbol=symbol, timeframe=timeframe, before=before, limit=1000)
            pages = page + pages
            if not page or page[0]["timestamp"] <= start:
                return [candle for candle in pages if start <= candle["timestamp"] <= end]
            before = page[0]["timestamp"]

    def _is_healthy(self) -> bool:
        assert self._process is not None and self._process.poll() is None, f"the server ended at once\n{self.log}"
        try:
            return self.get("/health")["status"] == "ok"
        except (urllib.error.URLError, OSError):
            return False
