"""What was final before the power cut is there after it, and nothing is missing in between."""

import json
import signal
import time
from collections.abc import Callable
from contextlib import ExitStack

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from candle_oracle import differences, roll_up
from raw_socket import TEXT, RawSocket
from running_server import TIMEFRAMES, RunningServer, candle_of, subscribe
from support.polling import eventually

SYMBOLS = ("BTC-USD", "ETH-USD")


class Finals:
    """Final candles as they come from the stream, each with its moment of arrival."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection
        self.arrived: dict[tuple[str, str], list[tuple[float, dict[str, float]]]] = {}
        for symbol in SYMBOLS:
            for timeframe in TIMEFRAMES:
                # Final candles are never thinned out; the rest is not of interest here.
                connection.send(subscribe(symbol, timeframe, history=0, max_rate=1))

    def of(self, symbol: str, timeframe: str) -> list[tuple[float, dict[str, float]]]:
        return self.arrived.get((symbol, timeframe), [])

    def listen(self, until: Callable[[], bool], within: float) -> None:
        deadline = time.monotonic() + within
        while not until():
            assert time.monotonic() < deadline, f"not within {within} s; finals: {self.arrived}"
            try:
                message = json.loads(self._connection.recv(timeout=0.02))
            except TimeoutError:
                continue
            assert message["type"] != "error", message
            if message["type"] == "candle" and message["final"]:
                key = (message["symbol"], message["timeframe"])
                self.arrived.setdefault(key, []).append((time.monotonic(), candle_of(message)))


def written_until(server: RunningServer) -> float:
    """The moment up to which everything is on disk; 0 where something waits to be written."""
    requested = time.monotonic()
    return requested if server.get("/health")["store"]["pending_rows"] == 0 else 0.0


def missing_buckets(candles: list[dict[str, float]], seconds: int) -> list[float]:
    """The starts of buckets that a series should have between its first and its last candle."""
    present = {candle["timestamp"] for candle in candles}
    first, last = int(min(present)), int(max(present))
    return [start for start in range(first, last, seconds) if start not in present]


def test_final_candles_survive_kill_9(serve: Callable[..., RunningServer]) -> None:
    server = serve("sim:" + ",".join(SYMBOLS), "--seed", "11", "--rate", "100")
    kept: dict[tuple[str, str], list[dict[str, float]]] = {}
    for outage in range(2):
        with connect(server.stream) as connection:
            finals = Finals(connection)
            finals.listen(
                lambda: all(len(finals.of(symbol, "1s")) >= 3 and finals.of(symbol, "5s") for symbol in SYMBOLS), 120
            )
            # What the store may lose is what it says that it has not written yet.
            written = eventually(lambda: written_until(server), "the store has written all it was given")
            server.kill()
        for key, arrivals in finals.arrived.items():
            kept.setdefault(key, []).extend(candle for arrived, candle in arrivals if arrived <= written)
        assert all(kept[symbol, "1s"] and kept[symbol, "5s"] for symbol in SYMBOLS)
        server.start()
        restarted = time.time()
        for (symbol, timeframe), candles in kept.items():
            served = {candle["timestamp"]: candle for candle in server.recent(symbol, timeframe)}
            for candle in candles:
                assert served.get(candle["timestamp"]) == candle, f"{symbol} {timeframe} after outage {outage + 1}"
        check_series(server, restarted)


def check_series(server: RunningServer, restarted: float) -> None:
    """The simulated venue fills the pause, so that no bucket is missing, and the timeframes agree with each other."""
    for symbol in SYMBOLS:
        eventually(
            lambda: server.recent(symbol, "1s", 1)[-1]["timestamp"] >= restarted + 2,
            f"{symbol} trades after the restart",
        )
        coarse = {name: server.recent(symbol, name)[:-1] for name in ("5s", "15s", "1m", "5m", "15m", "30m", "1h")}
        seconds = server.recent(symbol, "1s", 5000)[:-1]
        for timeframe, candles in {"1s": seconds, **coarse}.items():
            missing = missing_buckets(candles, TIMEFRAMES[timeframe])
            assert not missing, f"{symbol} {timeframe}: no candle at {missing[:10]}, restarted at {restarted}"
        for timeframe in ("5s", "15s", "1m", "5m", "15m"):
            length = TIMEFRAMES[timeframe]
            # Whole buckets that are over, in both series.
            whole = [
                candle
                for candle in roll_up(seconds, timeframe)
                if seconds[0]["timestamp"] <= candle["timestamp"] <= seconds[-1]["timestamp"] + 1 - length
            ]
            starts = {candle["timestamp"] for candle in coarse[timeframe]} & {candle["timestamp"] for candle in whole}
            assert len(starts) >= 4
            wrong = list(
                differences(
                    [candle for candle in coarse[timeframe] if candle["timestamp"] in starts],
                    [candle for candle in whole if candle["timestamp"] in starts],
                )
            )
            assert not wrong, f"{symbol} {timeframe} is not its seconds:\n" + "\n".join(wrong[:5])


def test_every_start_joins_history_and_live_trading(serve: Callable[..., RunningServer]) -> None:
    """The border between the generated past and the first live trade must not swallow a second, wherever in the second
    the server happens to start."""
    # Not so many trades that a busy machine gives some up, and with them perhaps all of a second.
    server = serve("sim:BTC-USD,ETH-USD,SOL-USD,XRP-USD,ADA-USD,DOGE-USD", "--seed", "2", "--rate", "200")
    symbols = [market["symbol"] for market in server.get("/v1/markets")["markets"]]
    began = server.recent("BTC-USD", "1s", 1)[-1]["timestamp"] - 5
    for phase in (0, 0.25, 0.5, 0.75):
        # What came after the border is final, so that the next start cannot repair it.
        newest = server.recent("BTC-USD", "1s", 1)[-1]["timestamp"]
        eventually(lambda: server.recent("BTC-USD", "1s", 1)[-1]["timestamp"] >= newest + 2, "trading")  # noqa: B023
        server.stop()
        eventually(lambda: 0 <= time.time() % 1 - phase < 0.04, "that part of a second", every=0.005)  # noqa: B023
        server.start()
    holes = {
        symbol: [at for at in missing_buckets(server.recent(symbol, "1s"), 1) if at >= began] for symbol in symbols
    }
    assert not any(holes.values()), f"seconds without a candle: {holes}"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_server_that_is_stopped_closes_its_connections(
    serve: Callable[..., RunningServer], number: signal.Signals
) -> None:
    server = serve("sim:BTC-USD", "--seed", "1")
    with ExitStack() as stack:
        readers = [stack.enter_context(connect(server.stream)) for _ in range(3)]
        # The third one subscribes to nothing.
        for reader in readers[:2]:
            reader.send(subscribe("BTC-USD", "1m"))
            assert json.loads(reader.recv(timeout=60))["type"] == "subscribed"
        code, _ = server.terminate(within=60, number=number)
        assert code == 0, server.log
        for reader in readers:
            messages = []
            with pytest.raises(ConnectionClosed) as closed:
                while True:
                    messages.append(json.loads(reader.recv(timeout=60)))
            assert messages[-1]["type"] == "closing"
            assert 0 < messages[-1]["reconnect_after"] < 60
            assert closed.value.rcvd is not None and closed.value.rcvd.code == 1001
    # The log says what is waited for and until when, and when it is over.
    begun, ended = [line for line in server.log.splitlines() if "subsystem=server" in line]
    assert "shutting down" in begun and "websockets=3" in begun and "deadline_seconds=10.0" in begun
    assert "everything is written" in ended
    assert " error " not in server.log, "what was not stored yet is made again at the next start"


def test_a_reader_that_does_not_answer_cannot_hold_the_server_up(serve: Callable[..., RunningServer]) -> None:
    server = serve("sim:BTC-USD", "--seed", "1")
    with RawSocket(server.port, receive_buffer=4096) as deaf:
        deaf.send(TEXT, subscribe("BTC-USD", "1s").encode())
        eventually(lambda: server.get("/health")["streams"]["active"] == 1, "it is subscribed")
        # Five seconds is what the close handshake may take; the rest is a busy machine's.
        code, _ = server.terminate(within=45)
        assert code == 0, server.log
