"""Schemathesis sends a server what its description allows, and much that it does not.

All checks are on. What a check cannot know of an operation is a line of `REFUSALS`, with its reason.
"""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from running_server import RunningServer
from support.polling import eventually
from support.venue import Venue
from test_openapi import consultation_with_proposal, send_request

pytest.importorskip("schemathesis", reason="schemathesis is not installed: make setup-test")

SEED = 20_261_123
EXAMPLES = 8
# 422: well-formed, and refused by a rule of the exchange or of conversations, as for want of margin.
ACCEPTED = ["2xx", "3xx", "401", "403", "404", "409", "422", "429", "5xx"]
# Requests that fit the description and are answered 400, since JSON Schema cannot state why.
REFUSALS = {
    "a picture has a most of pixels, and studies and time zones have names": (
        "drawChartPng", "drawChartSvg", "drawChartPdf", "listChartValues", "paintPictureSvg", "paintPicturePdf",
    ),
    "a number has at most 16 decimals; the account of the query is that of the body": (
        "openAccount", "resetAccount", "placeOrder", "previewOrder", "amendOrder", "closePosition", "reversePosition",
        "bracketPosition", "decideProposal",
    ),
    "a symbol is one as the venue has them; a text has 64 bytes": ("addMarket", "searchListings"),
    "the item that a page ends before is one of the same list": (
        "listOrders", "listFills", "listEvents", "listMessages",
    ),
}  # fmt: skip


def description_for(server: RunningServer) -> dict[str, Any]:
    """The server's description; symbols are those of its markets, and examples name what there is, so that requests reach
    more than an error."""
    document = server.get("/openapi.json")
    paths, parameters = document["paths"], document["components"]["parameters"]
    schemas = document["components"]["schemas"]
    # The simulated markets stay and trade; the venue's other one comes and goes.
    traded = ["sim:BTC-USD", "sim:ETH-USD"]
    for name in ("symbol", "symbolInPath", "market"):
        parameters[name] |= {"schema": {"type": "string", "enum": traded}, "example": traded[0]}
    schemas["NewOrder"]["properties"]["symbol"]["enum"] = traded
    schemas["NewMarket"]["properties"]["symbol"]["enum"] = ["ETH-USDT"]
    schemas["NewMarket"]["properties"]["feed"]["enum"] = ["okx", None]
    added = {"schema": {"type": "string", "enum": ["ETH-USDT"]}, "example": "ETH-USDT"}
    paths["/v1/markets/{symbol}"]["delete"]["parameters"] = [parameters["symbolInPath"] | added]
    (feed,) = paths["/v1/feeds/{name}"]["post"]["parameters"]
    feed |= {"schema": {"type": "string", "enum": ["okx"]}, "example": "okx"}
    # The account that is traded in stays as it is.
    for action in ("demo", "reset"):
        other = parameters["accountInPath"] | {"example": "paper-other"}
        paths[f"/v1/accounts/{{id}}/{action}"]["post"]["parameters"] = [other]
    # A browser that keeps no cookie could not see what it began.
    page = {"$ref": "#/components/parameters/page"}
    for operation in (each for path, entry in paths.items() if path.startswith("/consultations") for each in entry.values()):
        operation["parameters"] = [each for each in operation.get("parameters", []) if each != page]
    consultation, template = consultation_with_proposal(server)
    parameters["id"]["example"] = consultation
    for path in ("/consultations/{id}/templates/{template_id}", "/consultations/{id}/proposals/{template_id}"):
        for operation in paths[path].values():
            next(each for each in operation["parameters"] if each.get("in") == "path")["example"] = template
    # An order that waits, which is the one of the examples, and one that makes a position.
    waiting = {"symbol": traded[1], "side": "buy", "type": "limit", "quantity": "0.01", "limit_price": "100"}
    filled = {"symbol": traded[0], "side": "buy", "type": "market", "quantity": "0.2"}
    for order in (waiting, filled):
        status, _, text = send_request(server, "POST", "/v1/orders", order)
        assert status == 201, text
    eventually(lambda: server.get("/v1/positions")["positions"], "a position")
    for operation, example in (
        (paths["/v1/orders"]["post"], filled | {"quantity": "0.01"}),
        (paths["/v1/orders/preview"]["post"], waiting | {"take_profit": "9000", "stop_loss": "90"}),
        (paths["/v1/positions/{symbol}/close"]["post"], {"quantity": "0.01"}),
        (paths["/v1/orders/{id}"]["patch"], {"limit_price": "101"}),
        (paths["/v1/markets"]["post"], {"symbol": "ETH-USDT"}),
    ):
        operation["requestBody"]["content"]["application/json"]["example"] = example
    for parameter in paths["/v1/listings"]["get"]["parameters"]:
        parameter["example"] = {"query": "eth", "feed": "okx"}[parameter["name"]]
    return document


def configuration() -> str:
    lines = ["[checks.positive_data_acceptance]", f"expected-statuses = {json.dumps(ACCEPTED)}"]
    for reason, operations in REFUSALS.items():
        for operation in operations:
            lines += [
                *["[[operations]]", f"# {reason}", f"include-operation-id = {json.dumps(operation)}"],
                f"checks.positive_data_acceptance.expected-statuses = {json.dumps([*ACCEPTED, '400'])}",
            ]
            # It answers 200 with the problems of an order whose fields have the right types.
            if operation == "previewOrder":
                lines.append('checks.negative_data_rejection.expected-statuses = ["200", "4xx"]')
    # Of those with the same parameters or body one is sent every bound: half of all requests would be for charts.
    for operation in ("drawChartPng", "drawChartPdf", "listChartValues", "previewOrder"):
        lines += ["[[operations]]", f"include-operation-id = {json.dumps(operation)}"]
        lines.append("phases.coverage.enabled = false")
    # It would be sent the names of other feeds from answers: nothing is filled and no demo loaded while all are off.
    lines += ["[[operations]]", 'include-operation-id = "switchFeed"', "phases.stateful.enabled = false"]
    return "\n".join(lines) + "\n"


@pytest.fixture
def okx() -> Iterator[str]:
    """The address of a simulated venue whose list of markets is fetched once."""
    with Venue("okx") as venue:
        yield venue.url


@pytest.mark.long
def test_the_server_answers_as_its_description_says(
    serve: Callable[..., RunningServer], okx: str, tmp_path: Path
) -> None:
    arguments = ["--seed", "5", "--feed", "okx:BTC-USDT", "--url", f"okx={okx}"]
    server = serve("sim:BTC-USD,ETH-USD", *arguments)
    document = description_for(server)
    known = {each for names in REFUSALS.values() for each in names}
    operations = [each for entry in document["paths"].values() for each in entry.values()]
    assert known <= {each["operationId"] for each in operations}
    (tmp_path / "openapi.json").write_text(json.dumps(document))
    (tmp_path / "schemathesis.toml").write_text(configuration())
    arguments = [
        *["--config-file", "schemathesis.toml", "run", "openapi.json", "--url", server.address, "--checks", "all"],
        # A WebSocket is no request with an answer.
        *["--exclude-tag", "Streams"],
        *["--seed", str(SEED), "--max-examples", str(EXAMPLES), "--continue-on-failure", "--no-color"],
        # Threads of it fail in Python 3.11 now and then: SystemError, "AST constructor recursion depth mismatch".
        *["--workers", "1", "--request-timeout", "30"],
    ]
    command = [sys.executable, "-c", "from schemathesis.cli import schemathesis; schemathesis()", *arguments]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=1800, check=False)
    assert run.returncode == 0, run.stdout[-20_000:] + run.stderr[-2_000:]
    tested = len([each for each in operations if "Streams" not in each["tags"]])
    assert f"Tested: {tested}" in run.stdout, run.stdout
    assert server.get("/health")["status"] == "ok"
