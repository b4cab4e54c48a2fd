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
    path = folder / f"{venue}.jsonl"
    times = [START + index / 2 for index in range(2 * seconds)]
    prices = [64_000 + (index * 37 % 100) / 4 for index in range(len(times))]
    lines = [MESSAGES[venue](symbol, 1000 + index, time, prices[index]) for index, time in enumerate(times)]
    path.write_text("\n".join(lines) + "\n")
    path.with_suffix("").with_name(f"{venue}.times.txt").write_text(
        "".join(f"{int(time * 1e9) + 20_000_000}\n" for time in times)
    )
    return path


class Venue:
    """`candlewire simulate`, playing that session again and again."""

    def __init__(self, venue: str, recording: Path, port: int) -> None:
        self._command = [
            str(binary()), "simulate", venue, "--recording", str(recording), "--port", str(port), "--loop",
        ]  # fmt: skip
        self._process: subprocess.Popen[str] | None = None
        self.url = ""

    def start(self) -> "Venue":
        self._process = subprocess.Popen(self._command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert self._process.stdout is not None
        head = ""
        while "Ctrl-C" not in head:
            line = self._process.stdout.readline()
            assert line, f"{' '.join(self._command)} ended: {head}"
            head += line
        found = re.search(r"WebSocket\s+(ws://127\.0\.0\.1:\d+\S*)", head)
        assert found, head
        self.url = found[1]
        return self

    def stop(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.send_signal(signal.SIGINT)
        try:
            process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise AssertionError("the venue did not stop within a minute") from None
