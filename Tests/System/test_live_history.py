"""`candlewire serve --feed coinbase:...`: the past comes from the venue's REST interface, the present from its stream."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qs, urlsplit

from running_server import RunningServer
from support.polling import eventually
from venue_rest import candle
from websockets.exceptions import ConnectionClosed
from websockets.sync.server import ServerConnection, serve

MINUTE, HOUR, DAY = 60, 3600, 86_400


def made(start: int, length: int, now: float) -> list[float] | None:
    """Open, high, low, close and volume of any length, of the minutes that are over."""
    bars = [bar for minute in range(start, start + length, MINUTE) if minute + 60 <= now and (bar := candle(minute))]
    if not bars:
        return None
    volume = sum(bar[4] for bar in bars)
    return [bars[0][0], max(bar[1] for bar in bars), min(bar[2] for bar in bars), bars[-1][3], volume]


class Coinbase:
    """Candles of a made market, and a trade in each fifth of a second."""

    def __init__(self) -> None:
        self.requests: list[dict[str, str]] = []
        self.ended = threading.Event()
        # Cleared, new connections bring no trades.
        self.trades = threading.Event()
        self.trades.set()

    def candles(self, target: str) -> Any:
        query = {name: values[0] for name, values in parse_qs(urlsplit(target).query).items()}
        self.requests.append(query)
        length = int(query["granularity"])
        start, end = (int(datetime.fromisoformat(query[name]).timestamp()) for name in ("start", "end"))
        rows = []
        # Days of so many minutes would take the test its time: a few are enough to see where they go.
        for begin in range(max(start, end - (20 if length == DAY else 10**6) * length) // length * length, end + 1, length):
            bar = made(begin, length, time.time())
            if bar:
                rows.append([begin, bar[2], bar[1], bar[0], bar[3], bar[4]])
        return rows[::-1]

    def stream(self, socket: ServerConnection) -> None:
        try:
            assert json.loads(socket.recv())["product_ids"] == ["BTC-USD"]
            socket.send('{"type":"subscriptions","channels":[{"name":"matches","product_ids":["BTC-USD"]}]}')
            number = 1
            self.trades.wait()
            while not self.ended.wait(0.2):
                now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
                match = {
                    "type": "match", "trade_id": number, "side": "sell", "size": "1", "price": "150.25",
                    "product_id": "BTC-USD", "sequence": number, "time": now,
                }  # fmt: skip
                socket.send(json.dumps(match))
                number += 1
        except ConnectionClosed:
            pass


@contextmanager
def coinbase() -> Iterator[tuple[Coinbase, str]]:
    venue = Coinbase()

    def answer(socket: ServerConnection, request: Any) -> Any:
        if "Upgrade" in request.headers:
            return None
        return socket.respond(HTTPStatus.OK, json.dumps(venue.candles(request.path)))

    with serve(venue.stream, "127.0.0.1", 0, process_request=answer) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield venue, f"ws://127.0.0.1:{server.socket.getsockname()[1]}"
        finally:
            venue.ended.set()
            venue.trades.set()
            server.shutdown()
            thread.join()


def bars(server: RunningServer, timeframe: str, limit: int = 2000) -> dict[int, list[float]]:
    rows = server.get("/v1/candles", symbol="BTC-USD", timeframe=timeframe, limit=limit)
    return {
        int(row["timestamp"]): [row[name] for name in ("open", "high", "low", "close", "volume")] for row in rows
    }


def test_the_past_is_the_venues_and_goes_over_into_the_present_without_a_hole(
    serve: Callable[..., RunningServer],
) -> None:
    with coinbase() as (venue, url):
        server = serve("coinbase:BTC-USD", "--url", url)
        begun = time.time()
        eventually(lambda: len(bars(server, "1m", 1000)) >= 900, "a day of minutes is there", within=120)
        eventually(lambda: server.get("/v1/markets")["markets"][0]["price"] == 150.25, "it trades", within=60)
        complete = int(begun) // MINUTE * MINUTE - MINUTE
        found = bars(server, "1m")
        first = min(found)
        assert begun - DAY - MINUTE <= first <= begun - DAY + 10 * MINUTE
        expected = {at: bar for at in range(first, complete, MINUTE) if (bar := candle(at))}
        assert {at: bar for at, bar in found.items() if at < complete} == expected

        # Coarser candles are made of the minutes, or fetched where there are none: when all minutes are there.
        eventually(lambda: len(bars(server, "1h")) > 700, "a month of hours is there", within=60)
        eventually(lambda: len(bars(server, "1d")) >= 20, "and days", within=60)
        for timeframe, length in (("5m", 300), ("15m", 900), ("1h", HOUR), ("4h", 4 * HOUR)):
            found = bars(server, timeframe)
            whole = [at for at in found if at >= first and at + length <= complete]
            assert len(whole) >= DAY // length - 2, timeframe
            assert all(found[at] == made(at, length, begun) for at in whole), timeframe

        # The hour that is open began with what the venue has, and goes on with what comes.
        hour = int(time.time()) // HOUR * HOUR
        if hour + 3 * MINUTE < complete:
            # A minute that was over just before the start is requested when it has been over for 12 s.
            first_price = made(hour, HOUR, begun)[0]
            eventually(lambda: bars(server, "1h")[hour][0] == first_price, "the hour is whole", within=90)
            opened = bars(server, "1h")[hour]
            assert opened[3] == 150.25
            assert opened[4] > made(hour, complete - hour, begun)[4]

        feed = server.get("/health")["feeds"][0]
        assert feed["state"] == "live" and feed["missing"] == 0 and feed["history_failures"] == 0
        assert feed["joined_bars"] > 1000
        assert all(int(query["granularity"]) in (MINUTE, HOUR, DAY) for query in venue.requests)

        # What is stored is not fetched again.
        server.stop()
        requested = len(venue.requests)
        server.start()
        eventually(lambda: len(bars(server, "1m", 1000)) >= 900, "it is there again", within=60)

        def minutes_since() -> list[float]:
            newest = [query for query in venue.requests[requested:] if query["granularity"] == "60"]
            return [datetime.fromisoformat(query["start"]).timestamp() for query in newest]

        eventually(lambda: minutes_since(), "the newest minutes are requested", within=60)
        # The hour that was open is requested as a whole: what is stored of it may have holes.
        assert min(minutes_since()) >= (complete - 5 * MINUTE) // HOUR * HOUR
