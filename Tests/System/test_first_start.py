"""The first start with an empty folder: the server is open before the simulated history is stored, and nothing depends on that."""

import time
import urllib.request
from collections.abc import Callable

from figures import figure
from running_server import TIMEFRAMES, RunningServer
from support.polling import eventually
from support.server import is_optimised

DAY = 86_400


def unstored(server: RunningServer) -> int:
    return server.get("/health")["feeds"][0]["unstored_markets"]


def check_history(server: RunningServer, symbol: str) -> None:
    """Two years of days, two weeks of minutes and two hours of seconds, each without a hole."""
    newest = server.recent(symbol, "1s", 1)[-1]["timestamp"]
    for timeframe, depth in (("1s", 7000), ("1m", 14 * DAY - 120), ("1h", 170 * DAY), ("1d", 720 * DAY)):
        step = TIMEFRAMES[timeframe]
        starts = [row["timestamp"] for row in server.candles(symbol, timeframe, newest - depth, newest)]
        assert starts == list(range(int(starts[0]), int(starts[-1]) + 1, step)), f"{symbol} {timeframe} has a hole"
        assert starts[0] - (newest - depth) <= step and newest - starts[-1] <= step


def test_the_server_is_open_before_the_history_is_stored_and_old_candles_are_whole_at_once(
    serve: Callable[..., RunningServer],
) -> None:
    began = time.monotonic()
    server = serve("sim")
    with urllib.request.urlopen(f"{server.address}/", timeout=60) as page:
        page.read()
    seconds = time.monotonic() - began
    figure("first start, empty folder, until the page is there", f"{seconds:.2f} s")
    # A debug build beside other tests may need many times as long.
    assert seconds < (2 if is_optimised() else 60)
    assert unstored(server) > 0, "what takes longest goes on behind the open server"
    # Older than what memory holds: the answer waits for the store.
    for symbol in ("BTC-USD", "ATOM-USD"):
        check_history(server, symbol)
    eventually(lambda: unstored(server) == 0, "all histories are stored")


def test_a_power_cut_while_the_history_is_stored_leaves_no_hole(serve: Callable[..., RunningServer]) -> None:
    server = serve("sim:BTC-USD,ETH-USD,SOL-USD,XRP-USD", "--rate", "200")
    eventually(lambda: unstored(server) <= 3, "one history is stored", every=0.02)
    assert unstored(server) > 0
    server.kill()
    server.start()
    for symbol in ("BTC-USD", "ETH-USD", "SOL-USD", "XRP-USD"):
        check_history(server, symbol)
    eventually(lambda: unstored(server) == 0, "all histories are stored")
    server.stop()
    prepared = server.log.count("Preparing market history")
    assert prepared >= 4
    server.start()
    assert server.log.count("Preparing market history") == prepared, "of stored markets nothing is prepared"
    check_history(server, "XRP-USD")


def test_hundreds_of_markets_trade_at_once_and_trade_on_after_a_restart(serve: Callable[..., RunningServer]) -> None:
    server = serve("sim:300", "--rate", "1500")

    def prices() -> dict[str, float]:
        return {each["symbol"]: each["price"] for each in server.get("/v1/markets")["markets"] if each["price"]}

    eventually(lambda: len(prices()) == 300, "all of them trade")

    def changed() -> list[str] | None:
        """Those that have traded since the list before; none where a minute has begun meanwhile."""
        answer = server.get("/v1/markets", since=server.get("/v1/markets")["position"])
        return [each["symbol"] for each in answer["markets"]] if answer.get("changed_only") else None

    assert len(eventually(changed, "the markets that have changed")) < 300
    last = "SIM300-USD"
    eventually(lambda: len(server.recent(last, "1s")) > 4, "some seconds of one that has no history")
    server.stop()
    server.start()
    rows = server.recent(last, "1s")
    began = rows[0]["timestamp"]
    eventually(lambda: server.recent(last, "1s", 1)[0]["timestamp"] > rows[-1]["timestamp"], "it trades on")
    again = server.recent(last, "1s")
    assert again[0]["timestamp"] == began and len(again) > len(rows) > 2
    step = max(abs(late["open"] / early["close"] - 1) for early, late in zip(again, again[1:], strict=False))
    assert step < 0.02, "from the price at which it stopped"
