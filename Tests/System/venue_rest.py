"""REST interfaces of venues with candles of a made market, and what each of them is strict about."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

# No candle of these minutes: nothing was traded.
QUIET = 7


def candle(time: int) -> list[float] | None:
    """open, high, low, close, volume of the minute that begins at `time`; the same for everybody."""
    minute = time // 60
    if minute % QUIET == 0:
        return None
    open_ = 100 + minute % 11
    return [open_, open_ + 2.5, open_ - 1.25, open_ + 0.5, (minute % 13) / 8 + 0.125]


class VenueREST:
    """The requests that the venue received, and how it shall misbehave."""

    def __init__(self) -> None:
        self.requests: list[str] = []
        self.now = 1_723_161_600
        self.refusals: list[tuple[int, dict[str, str]]] = []
        self.fail_after: int | None = None
        self.refuse_second = False
        # Rows of these minutes make no sense.
        self.broken: set[int] = set()
        # What the header Date says; the real time where it is None.
        self.clock: float | None = None
        # Called with each request before it is answered.
        self.on_request: Callable[[int], None] = lambda _: None
        self.lock = threading.Lock()
        self.base = ""

    def answer(self, target: str) -> tuple[int, dict[str, str], Any]:
        with self.lock:
            self.requests.append(target)
            count = len(self.requests)
        self.on_request(count)
        with self.lock:
            if self.refusals:
                status, headers = self.refusals.pop(0)
                return status, headers, {"message": "slow down"}
            if self.refuse_second and len(self.requests) == 2:
                return 429, {"Retry-After": "250"}, {"message": "slow down"}
            if self.fail_after is not None and len(self.requests) > self.fail_after:
                return 404, {}, {"message": "NotFound"}
        parts = urlsplit(target)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        if parts.path == "/products":
            return 200, {}, [
                {"id": f"{base}-USD", "base_currency": base, "quote_currency": "USD", "quote_increment": step,
                 "status": status, "trading_disabled": False}
                for base, step, status in (("ETH", "0.01", "online"), ("BTC", "0.010", "online"), ("OLD", "1", "delisted"))
            ]  # fmt: skip
        if parts.path.startswith("/products/"):
            return self._coinbase(query)
        if parts.path == "/api/v3/klines":
            return self._binance(query)
        if parts.path == "/v1/candles":
            names = ("open", "high", "low", "close", "volume")
            times = range(int(query["from"]), int(query["to"]) + 1, 60)
            bars = [{"timestamp": time, **dict(zip(names, bar, strict=True))} for time in times if (bar := candle(time))]
            return 200, {}, bars
        if parts.path == "/0/public/OHLC":
            return self._kraken(query)
        return 404, {}, {"message": "NotFound"}

    def _coinbase(self, query: dict[str, str]) -> tuple[int, dict[str, str], Any]:
        length = int(query["granularity"])
        start, end = (int(datetime.fromisoformat(query[name]).timestamp()) for name in ("start", "end"))
        if (end - start) / length >= 300:
            return 400, {}, {"message": "granularity too small for the requested time range"}
        rows = []
        # Newest first, and one from before the start.
        for time in range(end // 60 * 60, start - 61, -60):
            bar = candle(time) if time <= self.now else None
            if bar:
                open_, high, low, close, volume = bar
                if time in self.broken:
                    high = low - 1
                rows.append([time, low, high, open_, close, volume])
        return 200, {}, rows

    def _binance(self, query: dict[str, str]) -> tuple[int, dict[str, str], Any]:
        start, end = int(query["startTime"]) // 1000, int(query["endTime"]) // 1000
        rows: list[list[Any]] = []
        close = 100.0
        for time in range(-(-start // 60) * 60, min(end, self.now) + 1, 60):
            bar = candle(time)
            numbers = bar or [close, close, close, close, 0.0]
            close = numbers[3]
            texts = [f"{number:.8f}" for number in numbers]
            rows.append([time * 1000, *texts, time * 1000 + 59_999, "1", 5 if bar else 0, "1", "1", "0"])
        return 200, {}, rows[: int(query.get("limit", 500))]

    def _kraken(self, query: dict[str, str]) -> tuple[int, dict[str, str], Any]:
        if query["pair"] != "XBTUSD":
            return 200, {}, {"error": ["EQuery:Unknown asset pair"]}
        last = self.now // 60 * 60
        rows: list[list[Any]] = []
        close = 100.0
        for time in range(last - 720 * 60, last + 1, 60):
            bar = candle(time)
            numbers = bar or [close, close, close, close, 0.0]
            close = numbers[3]
            texts = [str(number) for number in numbers]
            rows.append([time, *texts[:4], "0.0", texts[4], 5 if bar else 0])
        return 200, {}, {"error": [], "result": {"XXBTZUSD": rows, "last": last - 60}}


@contextmanager
def venue_rest() -> Iterator[VenueREST]:
    venue = VenueREST()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            status, headers, body = venue.answer(self.path)
            data = json.dumps(body).encode()
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def date_time_string(self, timestamp: float | None = None) -> str:
            return super().date_time_string(timestamp if timestamp is not None else venue.clock)

        def log_message(self, format: str, *arguments: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    venue.base = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield venue
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
