"""The log of the real server as JSON lines with levels that change while it runs, and spans in a file."""

import json
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

from running_server import RunningServer, subscribe
from support.polling import eventually
from test_openapi import send_request
from websockets.sync.client import connect

TOKEN = "a-token-of-some-length-1"


def log_of(server: RunningServer) -> list[dict[str, Any]]:
    """The lines of the log as JSON; the banner of the start is none of it."""
    text = (server.data_dir.parent / f"{server.data_dir.name}.log").read_text()
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


def request(server: RunningServer, path: str, correlation: str, method: str = "GET", body: Any = None) -> int:
    return send_request(server, method, path, body, {"X-Correlation-ID": correlation})[0]


def test_each_line_is_json_and_names_its_request_and_its_subsystem(serve: Callable[..., RunningServer]) -> None:
    server = serve("sim:BTC-USD", "--log-format", "json", "--log-level", "debug")
    hostile = 'id-{"a":"b"}-\\-end'
    assert request(server, "/v1/markets", "id-one") == 200
    assert request(server, "/v1/nowhere%0a%22%7d", hostile) in (400, 404)
    found = eventually(
        lambda: [line for line in log_of(server) if line["metadata"].get("correlation_id") == hostile], "the line"
    )
    assert found[0]["subsystem"] == "http" and found[0]["level"] == "debug" and "\n" not in found[0]["message"]
    (answered,) = [line for line in log_of(server) if line["metadata"].get("correlation_id") == "id-one"]
    assert answered["message"] == "a request was answered" and answered["metadata"]["status"] == "200"
    assert {line["subsystem"] for line in log_of(server)} >= {"server", "http"}
    server.stop()
    # To the last one.
    assert all(set(line) == {"time", "level", "subsystem", "message", "source", "metadata"} for line in log_of(server))


def test_levels_change_while_the_server_runs(serve: Callable[..., RunningServer]) -> None:
    server = serve("sim:BTC-USD", "--log-format", "json", "--log-level-of", "http=error")
    levels = json.loads(send_request(server, "GET", "/v1/log-levels")[2])["levels"]
    assert levels == {name: "notice" for name in levels} | {"http": "error"} and len(levels) == 6
    request(server, "/v1/markets", "before")
    status, _, text = send_request(server, "PATCH", "/v1/log-levels", {"http": "debug"})
    assert status == 200 and json.loads(text)["levels"] == levels | {"http": "debug"}
    request(server, "/v1/markets", "between")
    status, _, text = send_request(server, "PATCH", "/v1/log-levels", {"all": "error", "feeds": "trace"})
    assert json.loads(text)["levels"] == {name: "error" for name in levels} | {"feeds": "trace"}
    request(server, "/v1/markets", "after")
    named = {line["metadata"].get("correlation_id") for line in log_of(server)}
    assert "between" in named and not {"before", "after"} & named
    (changed,) = [line for line in log_of(server) if line["message"] == "log levels changed"]
    assert changed["metadata"]["http"] == "debug" and changed["subsystem"] == "server"


def test_wrong_levels_are_refused_and_change_nothing(serve: Callable[..., RunningServer], tmp_path: Path) -> None:
    tokens = tmp_path / "tokens"
    tokens.write_text(f"{TOKEN}\n")
    tokens.chmod(0o600)
    server = serve("sim:BTC-USD", "--stream-token-file", str(tokens))
    head = {"Authorization": f"Bearer {TOKEN}"}
    assert send_request(server, "GET", "/v1/log-levels")[0] == 401
    assert send_request(server, "PATCH", "/v1/log-levels", {"all": "trace"})[0] == 401
    for body, status, words in (
        ({"http": "loud"}, 422, "allowed are trace, debug, info"),
        ({"chart": "debug"}, 400, "chart"),
        ({}, 422, "a level for all"),
        ({"http": 3}, 400, "must be a string"),
        ({"feeds": "debug", "http": "loud"}, 422, "loud"),
    ):
        answered, _, text = send_request(server, "PATCH", "/v1/log-levels", body, head)
        assert answered == status and words in text.decode(), (body, answered, text)
    levels = json.loads(send_request(server, "GET", "/v1/log-levels", headers=head)[2])["levels"]
    assert set(levels.values()) == {"notice"}


def test_spans_of_an_order_and_of_ticks_are_in_the_file(serve: Callable[..., RunningServer], tmp_path: Path) -> None:
    path = tmp_path / "spans"
    server = serve("sim:BTC-USD", "--rate", "200", "--trace-file", str(path), "--trace-sample", "1")
    with connect(server.stream) as connection:
        connection.send(subscribe("BTC-USD", "1m"))
        while json.loads(connection.recv(timeout=60))["type"] != "tick":
            pass
        head = {
            "traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "X-Correlation-ID": "order-1",
            "Content-Type": "application/json",
        }  # fmt: skip
        body = json.dumps({"symbol": "BTC-USD", "side": "buy", "type": "market", "quantity": "0.01"}).encode()
        order = urllib.request.Request(server.address + "/v1/orders", data=body, headers=head)
        assert urllib.request.urlopen(order, timeout=60).status == 201

        def spans() -> list[dict[str, Any]]:
            lines = path.read_text().split("\n")[:-1]
            return [json.loads(line) for line in lines]

        def of_order() -> dict[str, dict[str, Any]]:
            return {each["name"]: each for each in spans() if each["trace_id"] == "0af7651916cd43dd8448eb211c80319c"}

        eventually(lambda: len(of_order()) == 3, "the order's spans are in the file")
        eventually(lambda: any(each["name"] == "tick deliver" for each in spans()), "a tick's spans are in the file")
    found = of_order()
    root, work, commit = found["POST /v1/orders"], found["market loop"], found["ledger commit"]
    assert root["parent_id"] == "b7ad6b7169203331" and root["attributes"]["correlation_id"] == "order-1"
    assert (work["parent_id"], commit["parent_id"]) == (root["span_id"], work["span_id"])
    assert root["duration_nano"] >= commit["duration_nano"] > 0
    ticks = {each["span_id"]: each for each in spans() if each["name"] == "tick publish"}
    delivered = [each for each in spans() if each["name"] == "tick deliver"]
    assert all(each["parent_id"] in ticks for each in delivered[:-1])
    assert delivered[0]["attributes"]["messages"] >= 1
    assert path.stat().st_mode & 0o777 == 0o600
