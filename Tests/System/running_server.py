"""A server whose process a test may treat badly, and readers of its stream that share no code with it."""

import json
import signal
import time
from pathlib import Path
from typing import Any

from support.server import Server

TIMEFRAMES = {
    "1s": 1, "5s": 5, "15s": 15, "1m": 60, "3m": 180, "5m": 300, "15m": 900, "30m": 1800, "1h": 3600, "2h": 7200,
    "4h": 14_400, "6h": 21_600, "12h": 43_200, "1d": 86_400, "1w": 604_800, "1M": None,
}  # fmt: skip
CANDLE = ("timestamp", "open", "high", "low", "close", "volume")


class RunningServer(Server):
    @property
    def stream(self) -> str:
        return f"ws://127.0.0.1:{self.port}/v1/stream"

    @property
    def data_dir(self) -> Path:
        return self._data_dir

    def kill(self) -> None:
        """What a power cut does: no handler runs, nothing is flushed."""
        process, self._process = self._process, None
        assert process is not None
        process.kill()
        assert process.wait(timeout=60) == -signal.SIGKILL

    def terminate(self, within: float, number: signal.Signals = signal.SIGTERM) -> tuple[int, float]:
        """Sends the process SIGTERM; returns its exit code and the seconds it took."""
        process, self._process = self._process, None
        assert process is not None
        requested = time.monotonic()
        process.send_signal(number)
        try:
            return process.wait(timeout=within), time.monotonic() - requested
        except Exception:
            process.kill()
            process.wait()
            raise

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def memory(self) -> int:
        """Bytes of the process in memory (RSS)."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS:")) * 1024

    def recent(self, symbol: str, timeframe: str, limit: int = 1000) -> list[dict[str, float]]:
        return self.get("/v1/candles", symbol=symbol, timeframe=timeframe, limit=limit)


def subscribe(symbol: str, timeframe: str, **more: Any) -> str:
    return json.dumps({"action": "subscribe", "symbol": symbol, "timeframe": timeframe, **more})


def candle_of(message: dict[str, Any]) -> dict[str, float]:
    """A candle message without what only the stream has."""
    return {name: message[name] for name in CANDLE}
