"""A simulated venue as a process of its own, with a recording made for the test."""

import json
import re
import signal
import subprocess
from datetime import UTC, datetime
from pathlib import Path

from support.server import binary

# 2024-08-08 12:00:00 UTC.
START = 1_723_118_400


def clock(time: float) -> str:
    return datetime.fromtimestamp(time, UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def coinbase(product: str, number: int, time: float, price: float) -> str:
    return json.dumps(
        {
            "type": "match", "trade_id": number, "side": "sell", "size": "0.5", "price": f"{price:.2f}",
            "product_id": product, "sequence": number * 3, "time": clock(time),
        },
        separators=(",", ":"),
    )  # fmt: skip


def kraken(symbol: str, number: int, time: float, price: float) -> str:
    row = {
        "symbol": symbol, "side": "buy", "price": round(price, 1), "qty": 0.25, "ord_type": "limit",
        "trade_id": number, "timestamp": clock(time),
    }  # fmt: skip
    return json.dumps({"channel": "trade", "type": "update", "data": [row]}, separators=(",", ":"))


MESSAGES = {"coinbase": coinbase, "kraken": kraken}


def record(folder: Path, venue: str, symbol: str, seconds: int = 120) -> Path:
    """A session of two trades a second."""
    return record_all(folder, venue, {symbol: [(0, seconds)]})


def record_all(folder: Path, venue: str, symbols: dict[str, list[tuple[int, int]]]) -> Path:
    """A session of two trades a second in each symbol, from the one to the other second; between them it is silent."""
    path = folder / f"{venue}.jsonl"
    sent: list[tuple[float, str]] = []
    for place, (symbol, spans) in enumerate(symbols.items()):
        halves = [half for first, end in spans for half in range(2 * first, 2 * end)]
        for number, half in enumerate(halves):
            time = START + half / 2 + place / 100
            price = (64_000 + (half * 37 % 100) / 4) / 20**place
            sent.append((time, MESSAGES[venue](symbol, 1000 + number, time, price)))
    sent.sort()
    path.write_text("".join(f"{line}\n" for _, line in sent))
    path.with_suffix("").with_name(f"{venue}.times.txt").write_text(
        "".join(f"{int(time * 1e9) + 20_000_000}\n" for time, _ in sent)
    )
    return path


class Venue:
    """`candlewire simulate` with a recording, or with the session that the venue makes, and further flags."""

    def __init__(self, venue: str, recording: Path | None = None, *flags: str) -> None:
        source = [] if recording is None else ["--recording", str(recording)]
        self._command = [str(binary()), "simulate", venue, *source, *flags]
        self._process: subprocess.Popen[str] | None = None
        # What it printed before clients could connect.
        self.head = ""
        self.url = ""

    def start(self) -> "Venue":
        self._process = process = subprocess.Popen(
            self._command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert process.stdout is not None and process.stderr is not None
        self.head = ""
        while "Ctrl-C" not in self.head:
            line = process.stdout.readline()
            assert line, f"{' '.join(self._command)} ended: {self.head}{process.stderr.read()}"
            self.head += line
        found = re.search(r"WebSocket\s+(ws://127\.0\.0\.1:\d+\S*)", self.head)
        assert found, self.head
        self.url = found[1]
        return self

    def __enter__(self) -> "Venue":
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> str:
        """What it has printed since; it must end without an error. Nothing where it has been stopped."""
        process, self._process = self._process, None
        if process is None:
            return ""
        process.send_signal(signal.SIGINT)
        try:
            text, errors = process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise AssertionError("the venue did not stop within a minute") from None
        assert process.returncode == 0, errors
        return text
