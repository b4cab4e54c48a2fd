"""Markets that are added and removed while the server runs, with a simulated Intrinio, by the command line and REST."""

import json
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from running_server import RunningServer, subscribe
from support.polling import eventually
from support.server import binary
from support.venue import Venue
from websockets.sync.client import ClientConnection, connect


@pytest.fixture
def venue() -> Iterator[str]:
    with Venue("intrinio") as venue:
        yield venue.url


@pytest.fixture
def server(venue: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[RunningServer]:
    monkeypatch.setenv("INTRINIO_API_KEY", "demo")
    server = RunningServer(tmp_path / "data", feed="intrinio:AAPL", flags=("--url", f"intrinio={venue}"))
    server.start()
    yield server
    server.stop()


def markets(server: RunningServer, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [str(binary()), "markets", *arguments, "--url", server.address]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def send(server: RunningServer, method: str, path: str, body: Any = None) -> tuple[int, Any]:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(server.address + path, data=data, method=method)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def symbols(server: RunningServer) -> list[str]:
    return [market["symbol"] for market in server.get("/v1/markets")["markets"]]


def ticks(stream: ClientConnection, count: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    while len(found) < count:
        message = json.loads(stream.recv(timeout=60))
        if message["type"] == "tick":
            found.append(message)
    return found


def test_the_command_line_searches_adds_and_removes(server: RunningServer) -> None:
    eventually(lambda: "Apple Inc" in markets(server).stdout, "the company's name is there", within=60)
    found = markets(server, "search", "micro")
    assert found.returncode == 0 and "MSFT" in found.stdout and "Microsoft Corp" in found.stdout
    added = markets(server, "add", "MSFT")
    assert added.returncode == 0 and added.stdout.startswith("added\n"), added.stderr
    assert markets(server, "add", "MSFT").stdout.startswith("there already\n")
    unknown = markets(server, "add", "ZZZZ")
    assert unknown.returncode == 66 and 'Intrinio lists no "ZZZZ".' in unknown.stderr
    server.stop()
    server.start()
    assert symbols(server) == ["AAPL", "MSFT"], "it survives a restart"
    assert markets(server, "remove", "MSFT").stdout == "removed MSFT\n"
    server.stop()
    server.start()
    assert symbols(server) == ["AAPL"]
    last = markets(server, "remove", "AAPL")
    assert last.returncode == 65 and "the last market" in last.stderr


def test_adding_loses_no_tick_of_the_others_and_needs_no_new_connection(server: RunningServer) -> None:
    with connect(server.stream) as stream:
        stream.send(subscribe("AAPL", "1m"))
        before = ticks(stream, 3)
        connections = server.get("/v1/feeds")["feeds"][0]
        for symbol in ("MSFT", "GE"):
            status, added = send(server, "POST", "/v1/markets", {"symbol": symbol})
            assert status == 201 and added["symbol"] == symbol
        eventually(lambda: server.get("/v1/markets/MSFT").get("price"), "the new one trades", within=60)
        offsets = [tick["timestamp"] for tick in before + ticks(stream, 10)]
        feed = server.get("/v1/feeds")["feeds"][0]
    assert feed["connections"] == connections["connections"] == 1 and feed["outages"] == 0
    assert feed["sockets"] == [{"state": "open", "symbols": 3}]
    # Each trade of the venue is kept as a candle of a second: those that were streamed are all there are.
    seconds = {int(time) for time in offsets}
    kept = server.get("/v1/candles", symbol="AAPL", timeframe="1s", limit=1000)
    traded = {int(c["timestamp"]) for c in kept if c["volume"] > 0 and min(seconds) < c["timestamp"] < max(seconds)}
    assert traded <= seconds, "every second with a trade was streamed"


def test_a_market_in_use_stays_and_who_watches_a_removed_one_gets_its_end(server: RunningServer) -> None:
    assert send(server, "POST", "/v1/markets", {"symbol": "MSFT"})[0] == 201
    order = {"client_order_id": "a", "symbol": "MSFT", "side": "buy", "type": "limit", "limit_price": "1", "quantity": "1"}
    status, placed = send(server, "POST", "/v1/orders", order)
    assert status == 201, placed
    status, refused = send(server, "DELETE", "/v1/markets/MSFT")
    assert status == 409 and refused["error"]["code"] == "market_in_use"
    assert refused["error"]["message"] == "MSFT cannot be removed: it has an open order."
    assert send(server, "DELETE", f"/v1/orders/{placed['id']}")[0] == 200
    with connect(server.stream) as stream, connect(server.stream) as other:
        stream.send(subscribe("MSFT", "1m"))
        other.send(subscribe("AAPL", "1m"))
        while json.loads(stream.recv(timeout=60))["type"] != "snapshot":
            pass
        status, gone = send(server, "DELETE", "/v1/markets/MSFT")
        assert status == 200 and gone == {"symbol": "MSFT", "removed": True, "back_after_restart": False}
        while (end := json.loads(stream.recv(timeout=60)))["type"] != "unsubscribed":
            pass
        assert end == {"type": "unsubscribed", "symbol": "MSFT", "timeframe": "1m"}
        assert len(ticks(other, 3)) == 3, "the others go on"
    assert symbols(server) == ["AAPL"]


def test_a_feed_is_switched_off_and_on(server: RunningServer) -> None:
    eventually(lambda: server.get("/v1/markets/AAPL").get("price"), "it trades", within=60)
    assert send(server, "POST", "/v1/feeds/intrinio", {"on": False}) == (
        200, {"feed": "intrinio", "on": False, "open_orders": 0, "positions_in": []},
    )  # fmt: skip
    assert server.get("/v1/markets/AAPL")["feed_state"] == "off"
    order = {"client_order_id": "b", "symbol": "AAPL", "side": "buy", "type": "market", "quantity": "1"}
    status, refused = send(server, "POST", "/v1/orders", order)
    assert status == 409 and refused["error"]["code"] == "feed_off"
    assert send(server, "POST", "/v1/feeds/intrinio", {"on": True})[0] == 200
    with connect(server.stream) as stream:
        stream.send(subscribe("AAPL", "1m"))
        assert len(ticks(stream, 2)) == 2
    assert "feed_state" not in server.get("/v1/markets/AAPL")


def test_nothing_trades_while_the_feed_is_off_and_repeats_are_answered(server: RunningServer) -> None:
    def order(id: str, **more: str) -> tuple[int, Any]:
        basis = {"client_order_id": id, "symbol": "AAPL", "side": "buy", "type": "market", "quantity": "1"}
        return send(server, "POST", "/v1/orders", basis | more)

    def change(path: str, method: str = "POST", **body: str) -> tuple[int, Any]:
        status, answer = send(server, method, f"/v1/{path}", body)
        return status, answer.get("error", answer).get("code") or answer["id"]

    eventually(lambda: server.get("/v1/markets/AAPL").get("price"), "it trades", within=60)
    bought, waiting = order("buy")[1]["id"], order("wait", type="limit", limit_price="1")[1]["id"]
    eventually(lambda: server.get("/v1/positions")["positions"], "a position", within=60)
    closed = change("positions/AAPL/close", quantity="0.25", client_order_id="close")
    turned = change("positions/AAPL/reverse", client_order_id="turn")
    assert (closed[0], turned[0]) == (201, 201)
    (position,) = eventually(
        lambda: [p for p in server.get("/v1/positions")["positions"] if (p["side"], p["size"]) == ("short", "0.75")],
        "it turned", within=60,
    )  # fmt: skip
    assert send(server, "POST", "/v1/feeds/intrinio", {"on": False})[0] == 200
    try:
        off = (409, "feed_off")
        assert change("positions/AAPL/close") == off
        assert change("positions/AAPL/close", quantity="0.1", client_order_id="other") == off
        assert change("positions/AAPL/reverse", client_order_id="another") == off
        # Over the market it would be filled at once, at the price of an old trade.
        assert change(f"orders/{waiting}", "PATCH", limit_price="1000000") == off
        assert order("late")[0] == 409
        body = {"symbol": "AAPL", "side": "buy", "type": "market", "quantity": "1", "client_order_id": "late"}
        status, preview = send(server, "POST", "/v1/orders/preview", body)
        assert (status, preview["problems"][0]) == (200, {"field": "symbol", "message": "The feed of AAPL is switched off."})
        # What was accepted before is known.
        status, again = order("buy")
        assert (status, again["id"]) == (200, bought)
        assert change("positions/AAPL/close", quantity="0.25", client_order_id="close") == (200, closed[1])
        assert change("positions/AAPL/reverse", client_order_id="turn") == (200, turned[1])
        status, other = order("buy", quantity="2")
        assert status == 422 and other["error"]["code"] == "duplicate_client_order_id"
        (unchanged,) = server.get("/v1/positions")["positions"]
        assert (unchanged["side"], unchanged["size"]) == ("short", position["size"])
        assert send(server, "DELETE", f"/v1/orders/{waiting}")[1]["status"] == "cancelled"
    finally:
        assert send(server, "POST", "/v1/feeds/intrinio", {"on": True})[0] == 200
    eventually(lambda: "feed_state" not in server.get("/v1/markets/AAPL"), "it is live again", within=60)
    assert change("positions/AAPL/close")[0] == 201


def test_the_venues_answer_is_the_error(server: RunningServer) -> None:
    status, refused = send(server, "POST", "/v1/markets", {"symbol": "no such"})
    assert status == 400 and "AAPL" in refused["error"]["message"], "says how symbols look"
    status, refused = send(server, "POST", "/v1/markets", {"symbol": "GE", "feed": "kraken"})
    assert status == 404 and "allowed are intrinio" in refused["error"]["message"]
    status, refused = send(server, "GET", "/v1/listings?query=" + "a" * 65)
    assert status == 400 and refused["error"]["field"] == "query"
