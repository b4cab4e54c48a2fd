"""`candlewire order`, `orders`, `positions`, `portfolio`, `fills`, `events`, `accounts`: their requests and output.

Here a script answers, so that every answer can be given, also those that a server gives once in a thousand years.
`test_trading_cli_server.py` has the same commands against a real server.
"""

import json
import os
import pty
import re
import select
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from scripted_trading import LOST, Reply, Request, ScriptedTrading, refusal
from support.server import binary
from test_cli import USAGE, candlewire, error_of

REFUSED, UNKNOWN, NO_SERVER, LATER, STRANGE = 65, 66, 69, 75, 76

ORDER = {
    "id": "paper-main-o17", "client_order_id": "mine", "account": "paper-main", "mode": "paper", "symbol": "BTC-USD",
    "side": "buy", "type": "limit", "time_in_force": "gtc", "status": "new", "quantity": "0.05",
    "filled_quantity": "0", "limit_price": "64000.15", "leverage": 5, "post_only": True, "reduce_only": False,
    "created_at": 1_732_130_000.5, "updated_at": 1_732_130_000.5, "version": 1,
}  # fmt: skip
POSITION = {
    "id": "paper-main-BTC-USD", "account": "paper-main", "mode": "paper", "symbol": "BTC-USD", "side": "long",
    "size": "0.05", "entry_price": "65000", "mark_price": "67234.55", "unrealized_pnl": "111.725",
    "unrealized_pnl_percent": "17.1885", "price_percent": "3.4377", "leverage": 5, "margin": "650",
    "liquidation_price": "52325", "realized_pnl": "0", "take_profit": "70000", "currency": "USD",
    "created_at": 1_732_130_000, "updated_at": 1_732_130_001,
}  # fmt: skip
PORTFOLIO = {
    "currency": "USD", "equity": "100111.725", "available_balance": "99350", "used_margin": "650",
    "unrealized_pnl": "111.725", "realized_pnl": "-0.5", "fees": "1.625", "initial_capital": "100000",
    "last_updated": 1_732_130_001,
}  # fmt: skip
FILL = {
    "id": "paper-main-f9", "order_id": "paper-main-o17", "symbol": "BTC-USD", "side": "buy", "price": "64000.15",
    "quantity": "0.0123456789", "fee": "0.64", "fee_currency": "USD", "liquidity": "maker", "realized_pnl": "0",
    "timestamp": 1_732_130_002, "receipt": {
        "model": "volume", "trade_price": "63999", "trade_volume": "2", "trade_time": 1_732_130_002,
        "trade_used": "0.0123456789", "slippage": "0", "latency": 0, "rule": "A trade below the limit fills it."},
}  # fmt: skip
PREVIEW = {
    "cost": "3361.725", "margin": "672.345", "fee": "1.68", "estimated_price": "67234.55",
    "liquidation_price": "54000", "available_after": "99325.975", "currency": "USD", "problems": [],
}  # fmt: skip
ACCOUNT = {
    "id": "paper-scalping", "name": "scalping", "mode": "paper", "sequence": 1, "created_at": 1_732_130_000,
    "portfolios": [PORTFOLIO],
}  # fmt: skip


def event(number: int, **more: Any) -> dict[str, Any]:
    return {
        "id": f"e{number}", "type": "order_filled", "symbol": "BTC-USD", "message": f"message {number}",
        "timestamp": 1_732_130_000 + number, **more,
    }  # fmt: skip


Script = Callable[..., ScriptedTrading]
Answer = subprocess.CompletedProcess[str]


@pytest.fixture
def script() -> Iterator[Script]:
    """Starts scripted servers, which end with the test."""
    servers: list[ScriptedTrading] = []

    def start(*replies: Reply, **more: Any) -> ScriptedTrading:
        servers.append(ScriptedTrading(*replies, **more))
        return servers[-1]

    yield start
    for server in servers:
        server.close()


def run(server: ScriptedTrading, *arguments: str, folder: Path) -> Answer:
    return candlewire(*arguments, "--url", server.url, folder=folder)


# MARK: What is requested

ORDERED = {
    "market": (["buy", "BTC-USD", "0.05"], {"type": "market", "quantity": "0.05", "side": "buy"}),
    "limit": (
        ["sell", "ETH-USD", "1", "--limit", "3500", "--tif", "ioc", "--reduce-only", "--leverage", "5"],
        {"type": "limit", "limit_price": "3500", "time_in_force": "ioc", "reduce_only": True, "leverage": 5},
    ),
    "post-only": (["buy", "BTC-USD", "1", "--limit", "1", "--post-only"], {"post_only": True, "limit_price": "1"}),
    "stop": (["sell", "BTC-USD", "1", "--stop", "60000"], {"type": "stop", "stop_price": "60000"}),
    "stop-limit": (
        ["sell", "BTC-USD", "1", "--stop", "60000", "--limit", "59900"],
        {"type": "stop_limit", "stop_price": "60000", "limit_price": "59900"},
    ),
    "trailing percent": (
        ["sell", "BTC-USD", "1", "--trail", "1.5%"], {"type": "trailing_stop", "trail": {"percent": "1.5"}}),
    "trailing amount": (["sell", "BTC-USD", "1", "--trail", "250"], {"trail": {"amount": "250"}}),
    "bracket": (
        ["buy", "BTC-USD", "1", "--take-profit", "70000", "--stop-loss", "60000.5", "--oco-group", "a"],
        {"take_profit": "70000", "stop_loss": "60000.5", "oco_group": "a"},
    ),
    "letters of either case": (
        ["BUY", "BTC-USD", "1", "--limit", "5", "--tif", "IOC"],
        {"side": "buy", "type": "limit", "limit_price": "5", "time_in_force": "ioc"},
    ),
    "a leverage of one": (["buy", "BTC-USD", "1", "--leverage", "1"], {"leverage": 1}),
    "all digits": (
        ["buy", "BTC-USD", "0.1234567890123456", "--limit", "67234.550000000001"],
        {"quantity": "0.1234567890123456", "limit_price": "67234.550000000001"},
    ),
    "another account": (
        ["buy", "BTC-USD", "1", "--account", "paper-scalping", "--client-order-id", "x"],
        {"account": "paper-scalping", "client_order_id": "x"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", ORDERED)
def test_an_order_is_sent_as_it_was_typed(script: Script, tmp_path: Path, case: str) -> None:
    arguments, expected = ORDERED[case]
    server = script(Reply(201, ORDER))
    answer = run(server, "order", *arguments, folder=tmp_path)
    assert (answer.returncode, answer.stderr) == (0, "")
    [request] = server.requests
    assert (request.method, request.path) == ("POST", "/v1/orders")
    assert {name: request.body.get(name) for name in expected} == expected
    assert request.body["account"] and request.body["client_order_id"]
    left_out = {"limit_price", "stop_price", "trail", "leverage", "post_only", "time_in_force", "take_profit"}
    assert not (left_out - set(expected)) & set(request.body), "what was not said is not sent"


def test_each_order_has_an_id_of_its_own(script: Script, tmp_path: Path) -> None:
    server = script(Reply(201, ORDER))
    for _ in range(2):
        run(server, "order", "buy", "BTC-USD", "1", folder=tmp_path)
    first, second = (request.body["client_order_id"] for request in server.requests)
    assert first != second


# The command, the method, the path, the query's or body's fields, and what the server answers.
REQUESTED: dict[str, tuple[list[str], str, str, dict[str, Any], Any]] = {
    "orders": (
        ["orders"], "GET", "/v1/orders", {"account": "paper-main", "status": "active"},
        {"account": "paper-main", "mode": "paper", "sequence": 3, "orders": [ORDER]}),
    "orders of a market": (
        ["orders", "--status", "all", "--symbol", "BTC/USD", "--limit", "5", "--before", "paper-main-o20"], "GET",
        "/v1/orders", {"status": "all", "symbol": "BTC/USD", "limit": "5", "before": "paper-main-o20"},
        {"account": "paper-main", "mode": "paper", "sequence": 3, "orders": []}),
    "one order": (["orders", "show", "paper-main-o17"], "GET", "/v1/orders/paper-main-o17", {}, ORDER),
    "cancel": (["orders", "cancel", "paper-main-o17"], "DELETE", "/v1/orders/paper-main-o17", {}, ORDER),
    "cancel all": (
        ["orders", "cancel", "--all", "--symbol", "BTC-USD"], "DELETE", "/v1/orders",
        {"account": "paper-main", "symbol": "BTC-USD"}, {"account": "paper-main", "mode": "paper", "orders": [ORDER]}),
    "amend": (
        ["orders", "amend", "paper-main-o17", "--price", "64100.15", "--quantity", "0.04", "--if-version", "1"],
        "PATCH", "/v1/orders/paper-main-o17", {"limit_price": "64100.15", "quantity": "0.04", "version": 1}, ORDER),
    "amend a stop": (
        ["orders", "amend", "paper-main-o17", "--stop", "1"], "PATCH", "/v1/orders/paper-main-o17",
        {"stop_price": "1"}, ORDER),
    "positions": (
        ["positions", "--account", "paper-a"], "GET", "/v1/positions", {"account": "paper-a"},
        {"account": "paper-a", "mode": "paper", "sequence": 3, "positions": [POSITION]}),
    "close": (["positions", "close", "BTC/USD"], "POST", "/v1/positions/BTC/USD/close", {"account": "paper-main"}, ORDER),
    "close a part": (
        ["positions", "close", "BTC-USD", "--quantity", "0.02"], "POST", "/v1/positions/BTC-USD/close",
        {"quantity": "0.02"}, ORDER),
    "reverse": (["positions", "reverse", "BTC-USD"], "POST", "/v1/positions/BTC-USD/reverse", {}, ORDER),
    "bracket": (
        ["positions", "bracket", "BTC-USD", "--take-profit", "70000.5", "--stop-loss", "none"], "POST",
        "/v1/positions/BTC-USD/bracket", {"take_profit": "70000.5", "stop_loss": None}, POSITION),
    "portfolio": (
        ["portfolio"], "GET", "/v1/portfolio", {"account": "paper-main"},
        {"account": "paper-main", "mode": "paper", "sequence": 3, "portfolios": [PORTFOLIO]}),
    "equity": (
        ["portfolio", "--history", "--currency", "USD", "--limit", "2"], "GET", "/v1/portfolio/history",
        {"currency": "USD", "limit": "2"}, {"points": [{"timestamp": 1_732_130_000, "equity": "100000.5"}]}),
    "fills": (
        ["fills", "--symbol", "BTC-USD", "--order", "paper-main-o17", "--limit", "3", "--before", "f"], "GET",
        "/v1/fills", {"symbol": "BTC-USD", "order": "paper-main-o17", "limit": "3", "before": "f"}, {"fills": [FILL]}),
    "fills of another account's order": (
        ["fills", "--order", "paper-two-o1"], "GET", "/v1/fills", {"account": "paper-two", "order": "paper-two-o1"},
        {"fills": [FILL]}),
    "receipts": (["fills", "--receipts"], "GET", "/v1/fills", {"account": "paper-main"}, {"fills": [FILL]}),
    "events": (
        ["events", "--type", "risk", "--symbol", "BTC-USD", "--limit", "9", "--before", "e"], "GET", "/v1/events",
        {"type": "risk", "symbol": "BTC-USD", "limit": "9", "before": "e"}, {"events": [event(1)]}),
    "accounts": (["accounts"], "GET", "/v1/accounts", {}, {"accounts": [ACCOUNT]}),
    "a new account": (
        ["accounts", "create", "scalping", "--currency", "USD", "--capital", "50000"], "POST", "/v1/accounts",
        {"name": "scalping", "currency": "USD", "capital": "50000"}, ACCOUNT),
    "a reset": (
        ["accounts", "reset", "paper-scalping", "--capital", "7", "--yes"], "POST",
        "/v1/accounts/paper-scalping/reset", {"capital": "7"}, ACCOUNT),
}  # fmt: skip


@pytest.mark.parametrize("case", REQUESTED)
def test_each_command_sends_its_request(script: Script, tmp_path: Path, case: str) -> None:
    arguments, method, path, fields, document = REQUESTED[case]
    server = script(Reply(200, document))
    answer = run(server, *arguments, folder=tmp_path)
    assert (answer.returncode, answer.stderr) == (0, "")
    [request] = server.requests
    assert (request.method, request.path) == (method, path)
    said = {**request.query, **(request.body or {})}
    assert {name: said[name] for name in fields} == fields
    assert "PAPER" in answer.stdout, "the mode is in every table"
    assert "\x1b" not in answer.stdout, "colours are for terminals"


@pytest.mark.parametrize("case", REQUESTED)
def test_json_is_the_servers_document_as_it_is(script: Script, tmp_path: Path, case: str) -> None:
    arguments, _, _, _, document = REQUESTED[case]
    # No program would write it like that; so what comes out is what came in.
    text = json.dumps({"unknown": [1.50, None], **document}, indent=3)
    answer = run(script(Reply(200, text=text)), *arguments, "--json", folder=tmp_path)
    assert (answer.returncode, answer.stderr, answer.stdout) == (0, "", text + "\n")


def test_the_token_is_sent(script: Script, tmp_path: Path) -> None:
    (tmp_path / "token").write_text("secret\n")
    server = script(Reply(200, {"events": []}))
    assert run(server, "events", "--token-file", "token", folder=tmp_path).returncode == 0
    assert server.requests[0].authorization == "Bearer secret"
    assert run(server, "events", folder=tmp_path).returncode == 0
    assert server.requests[1].authorization is None
    answer = run(server, "events", "--token-file", "gone", folder=tmp_path)
    assert "gone cannot be read" in error_of(answer) and answer.returncode == UNKNOWN


# MARK: What is said


def test_a_table_of_orders(script: Script, tmp_path: Path) -> None:
    orders = [
        ORDER,
        {
            **ORDER, "id": "paper-main-o9", "symbol": "ETH-USD", "side": "sell", "type": "trailing_stop", "quantity": "1",
            "limit_price": None, "trail": {"percent": "1.5"}, "status": "frozen", "reason": "an unknown state",
            "post_only": False, "filled_quantity": "0.5", "average_fill_price": "3456.7",
        },
    ]  # fmt: skip
    document = {"account": "paper-main", "mode": "paper", "sequence": 3, "orders": orders}
    answer = run(script(Reply(200, document)), "orders", folder=tmp_path)
    assert answer.stdout.splitlines() == [
        "PAPER  paper-main  active orders",
        "ID              CREATED (UTC)        SYMBOL   SIDE  TYPE           TIF  QUANTITY  FILLED     LIMIT  STOP"
        "  AVERAGE  LEVERAGE  STATUS  FLAGS      REASON",
        "paper-main-o17  2024-11-20 19:13:20  BTC-USD  buy   limit          gtc      0.05     0    64000.15      "
        "                 5x  new     post-only",
        "paper-main-o9   2024-11-20 19:13:20  ETH-USD  sell  trailing_stop  gtc      1        0.5            1.5%"
        "   3456.7        5x  frozen             an unknown state",
    ]


def test_a_table_of_positions_names_both_percentages(script: Script, tmp_path: Path) -> None:
    document = {"account": "paper-main", "mode": "paper", "sequence": 3, "positions": [POSITION]}
    head, titles, row = run(script(Reply(200, document)), "positions", folder=tmp_path).stdout.splitlines()
    assert head == "PAPER  paper-main  positions"
    assert re.split(r" {2,}", titles) == [
        "SYMBOL", "SIDE", "SIZE", "ENTRY", "MARK", "PROFIT", "CURRENCY", "ON PRICE", "ON MARGIN", "LEVERAGE", "MARGIN",
        "LIQUIDATION", "TAKE PROFIT",
    ]  # fmt: skip
    assert row.split() == [
        "BTC-USD", "long", "0.05", "65000", "67234.55", "111.72", "USD", "3.4377%", "17.1885%", "5x", "650", "52325",
        "70000",
    ]  # fmt: skip


def test_a_portfolio_has_the_digits_of_its_currencies(script: Script, tmp_path: Path) -> None:
    other = {**PORTFOLIO, "currency": "BTC", "equity": "1.0000000100000001"}
    document = {"account": "paper-main", "mode": "paper", "sequence": 3, "portfolios": [PORTFOLIO, other]}
    lines = run(script(Reply(200, document)), "portfolio", folder=tmp_path).stdout.splitlines()
    assert [line.split()[:2] for line in lines[2:]] == [["USD", "100111.72"], ["BTC", "1.00000001"]]
    points = {line.index(".") for line in lines[2:]}
    assert len(points) == 1, "the points stand below one another"


def test_a_receipt_says_which_trade_it_was(script: Script, tmp_path: Path) -> None:
    with_it, without = (
        run(script(Reply(200, {"fills": [FILL]})), "fills", *flags, folder=tmp_path).stdout
        for flags in (["--receipts"], [])
    )
    for part in ("volume", "63999", "0.0123456789", "A trade below the limit fills it."):
        assert part in with_it
    assert "63999" not in without and "0.0123456789" in without


EMPTY: dict[str, tuple[list[str], Any, str]] = {
    "orders": (["orders"], {"account": "paper-main", "orders": []}, "no active orders"),
    "all orders": (["orders", "--status", "all"], {"account": "paper-main", "orders": []}, "no orders"),
    "nothing to cancel": (
        ["orders", "cancel", "--all"], {"account": "paper-main", "orders": []}, "there was no order to cancel"),
    "positions": (["positions"], {"account": "paper-main", "positions": []}, "no positions"),
    "fills": (["fills"], {"fills": []}, "no fills"),
    "events": (["events"], {"events": []}, "no events"),
    "equity": (["portfolio", "--history"], {"points": []}, "equity: nothing yet"),
}  # fmt: skip


@pytest.mark.parametrize("case", EMPTY)
def test_nothing_is_said_in_words(script: Script, tmp_path: Path, case: str) -> None:
    arguments, document, sentence = EMPTY[case]
    answer = run(script(Reply(200, document)), *arguments, folder=tmp_path)
    assert (answer.returncode, answer.stdout) == (0, f"PAPER  paper-main  {sentence}\n")


def test_what_the_server_says_does_nothing_to_the_terminal(script: Script, tmp_path: Path) -> None:
    document = {"events": [event(1, message="a\x1b[2Jb\r\nc\x9b31m", symbol="\x07")]}
    answer = run(script(Reply(200, document)), "events", folder=tmp_path)
    assert answer.stdout.splitlines()[-1].endswith("a\ufffd[2Jb\ufffd\ufffdc\ufffd31m")
    assert not set(answer.stdout) & set("\x1b\x07\r\x9b")


# MARK: The preview


def test_a_preview_places_nothing(script: Script, tmp_path: Path) -> None:
    server = script(Reply(200, PREVIEW))
    answer = run(server, "order", "buy", "BTC-USD", "0.05", "--leverage", "5", "--preview", folder=tmp_path)
    assert answer.returncode == 0
    assert [request.path for request in server.requests] == ["/v1/orders/preview"]
    figures = {line[:19].strip(): line[19:].split()[0] for line in answer.stdout.splitlines()[2:]}
    assert figures == {
        "estimated price": "67,234.55", "cost": "3,361.72", "margin": "672.34", "fee": "1.68",
        "liquidation price": "54,000", "available after": "99,325.98",
    }  # fmt: skip
    assert answer.stdout.startswith("PAPER  paper-main  preview: buy 0.05 BTC-USD at the market\n")


def test_a_preview_with_problems_fails(script: Script, tmp_path: Path) -> None:
    problems = [
        {"field": "quantity", "message": "At most 0.5 can be bought."},
        {"field": "take_profit", "message": "must be above the order's price, 67,234.55"},
        {"message": "the market is closed"},
    ]
    after = ("liquidation_price", "available_after")
    figures = {name: value for name, value in PREVIEW.items() if name not in after}
    server = script(Reply(200, {**figures, "problems": problems}))
    answer = run(server, "order", "buy", "BTC-USD", "9", "--preview", folder=tmp_path)
    assert answer.returncode == REFUSED
    assert answer.stdout.endswith(
        "Problem QUANTITY: At most 0.5 can be bought.\n"
        "Problem --take-profit: must be above the order's price, 67,234.55.\n"
        "Problem: the market is closed.\n"
    )
    assert "67,234.55  USD" in answer.stdout and "after" not in answer.stdout and "liquidation" not in answer.stdout
    # Where nothing is known there is no table.
    server = script(Reply(200, {"currency": "USD", "problems": problems[:1]}))
    answer = run(server, "order", "buy", "BTC-USD", "9", "--preview", folder=tmp_path)
    assert answer.stdout.splitlines()[1:] == ["Problem QUANTITY: At most 0.5 can be bought."]


# MARK: Errors

REFUSALS = {
    "wrong": (refusal(400, "bad_value", "It is gtc, ioc, fok or day", "time_in_force"), USAGE, "--tif: It is gtc, ioc"),
    "unknown": (refusal(404, "unknown_symbol", "There is no FOO-USD.", "symbol"), UNKNOWN, "SYMBOL: There is no FOO-USD."),
    "known otherwise": (
        refusal(422, "conflict", "mine was another order.", "client_order_id"), REFUSED, "--client-order-id: mine was"),
    "done": (refusal(409, "order_done", "It is filled."), REFUSED, "It is filled."),
    "a field by its words": (
        refusal(422, "invalid_field", "Take profit must be above the order's price, 67,151.08.", "take_profit"), REFUSED,
        "--take-profit: must be above the order's price, 67,151.08."),
    "a field by its name": (
        refusal(400, "invalid_field", 'Field "quantity" must be a decimal.', "quantity"), USAGE,
        "QUANTITY: must be a decimal."),
    "a fault": (refusal(500, "internal", "Something broke."), NO_SERVER, "Something broke."),
    "no such route": (Reply(404, text="<html>"), STRANGE, "answered with status 404 and without a reason"),
    "no JSON": (Reply(200, text="<html>"), STRANGE, "cannot be understood: it is not JSON"),
    "another document": (Reply(200, {"id": 1}), STRANGE, "cannot be understood"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSALS)
def test_an_error_says_what_and_where(script: Script, tmp_path: Path, case: str) -> None:
    reply, code, part = REFUSALS[case]
    answer = run(script(reply), "order", "buy", "BTC-USD", "1", folder=tmp_path)
    assert part in error_of(answer)
    assert (answer.returncode, answer.stdout) == (code, "")


def test_an_error_names_the_flag_of_its_command(script: Script, tmp_path: Path) -> None:
    for field, arguments, flag in (
        ("limit_price", ["order", "buy", "BTC-USD", "1", "--limit", "1"], "--limit"),
        ("limit_price", ["orders", "amend", "paper-main-o1", "--price", "1"], "--price"),
        ("quantity", ["orders", "amend", "paper-main-o1", "--quantity", "1"], "--quantity"),
        ("quantity", ["positions", "close", "BTC-USD", "--quantity", "1"], "--quantity"),
    ):
        answer = run(script(refusal(422, "invalid", "is wrong", field)), *arguments, folder=tmp_path)
        assert (error_of(answer), answer.returncode) == (f"{flag}: is wrong.", REFUSED)


def test_json_shows_the_document_of_an_error(script: Script, tmp_path: Path) -> None:
    reply = refusal(422, "rejected", "Too much.", "quantity")
    answer = run(script(reply), "order", "buy", "BTC-USD", "1", "--json", folder=tmp_path)
    assert json.loads(answer.stdout) == reply.document
    assert (error_of(answer), answer.returncode) == ("QUANTITY: Too much.", REFUSED)


def test_no_server(tmp_path: Path) -> None:
    # The discard port: nothing listens there.
    for arguments in (["orders"], ["order", "buy", "BTC-USD", "1"], ["events", "--follow"]):
        answer = candlewire(*arguments, "--url", "http://127.0.0.1:9", folder=tmp_path)
        assert error_of(answer) == "No candlewire server answers at http://127.0.0.1:9. Give another address with --url."
        assert answer.returncode == NO_SERVER


WRONG = {
    "no order": (["order"], "Missing expected argument '<side>'"),
    "neither buy nor sell": (["order", "hold", "BTC-USD", "1"], "provide one of 'buy' and 'sell'"),
    "no quantity": (["order", "buy", "BTC-USD"], "Missing expected argument '<QUANTITY>'"),
    "a word": (["order", "buy", "BTC-USD", "much"], "“much” is not a decimal number above 0"),
    "a comma": (["order", "buy", "BTC-USD", "0,5"], "“0,5” is not a decimal number above 0"),
    "nothing": (["order", "buy", "BTC-USD", "0.000"], "“0.000” is not a decimal number above 0"),
    "a point alone": (["order", "buy", "BTC-USD", "1."], "“1.” is not a decimal number above 0"),
    "a negative price": (["order", "buy", "BTC-USD", "1", "--limit", "-5"], "“-5” is not a decimal number above 0"),
    "an infinite price": (["order", "buy", "BTC-USD", "1", "--stop", "inf"], "“inf” is not a decimal number above 0"),
    "a trail that is none": (["order", "sell", "BTC-USD", "1", "--trail", "%"], "“%” is not a distance"),
    "a trail with a limit": (["order", "sell", "BTC-USD", "1", "--trail", "1%", "--limit", "1"], "--trail cannot be combined"),
    "a time that is none": (["order", "buy", "BTC-USD", "1", "--tif", "gtx"], "one of 'gtc', 'ioc', 'fok' or 'day'"),
    "post-only at the market": (["order", "buy", "BTC-USD", "1", "--post-only"], "--post-only needs --limit"),
    "no leverage": (["order", "buy", "BTC-USD", "1", "--leverage", "0"], "--leverage must be at least 1; it is 0"),
    "an empty id": (["order", "buy", "BTC-USD", "1", "--client-order-id", ""], "--client-order-id must not be empty"),
    "a file as a server": (["orders", "--url", "file:///etc"], '--url must be http://HOST[:PORT] or https://HOST'),
    "no address": (["orders", "--url", "127.0.0.1:8080"], "--url must be http://HOST[:PORT]"),
    "no time": (["orders", "--timeout", "0"], "--timeout must be above 0"),
    "nothing to cancel": (["orders", "cancel"], "Name the orders, or use --all"),
    "one and all": (["orders", "cancel", "--all", "x"], "Name the orders, or use --all"),
    "orders of two accounts": (["orders", "cancel", "paper-main-o1", "paper-two-o1"], "Give orders of one account at a time"),
    "orders of two accounts and modes": (
        ["orders", "cancel", "paper-main-o1", "live-main-o1"],
        "live-main-o1 is an order of live-main, paper-main-o1 one of paper-main. Give orders of one account at a time."),
    "an order and another account": (
        ["orders", "show", "paper-two-o1", "--account", "paper-main"],
        "paper-two-o1 is an order of paper-two, and --account names paper-main."),
    "an order and the name of another account": (
        ["orders", "cancel", "paper-two-o1", "--account", "main"],
        "paper-two-o1 is an order of paper-two, and --account names paper-main."),
    "an order and an account of another mode": (
        ["orders", "amend", "paper-main-o1", "--quantity", "1", "--account", "live-main"],
        "paper-main-o1 is an order of paper-main, and --account names live-main."),
    "fills of an order and another account": (
        ["fills", "--order", "paper-two-o1", "--account", "paper-main"],
        "paper-two-o1 is an order of paper-two, and --account names paper-main."),
    "fills of no order": (["fills", "--order", "paper-main-ox"], "--order: paper-main-ox is not an id; it must be like paper-main-o17"),
    "a market of one": (["orders", "cancel", "x", "--symbol", "BTC-USD"], "--symbol goes with --all"),
    "nothing to amend": (["orders", "amend", "x"], "Nothing to change: use --price, --stop or --quantity"),
    "nothing to protect": (["positions", "bracket", "BTC-USD"], "Nothing to change: use --take-profit or --stop-loss"),
    "a bracket of words": (["positions", "bracket", "BTC-USD", "--stop-loss", "no"], "“no” is not a decimal number"),
    "back and ahead": (["events", "--follow", "--before", "x"], "--before looks back, --follow ahead"),
    "a currency of now": (["portfolio", "--currency", "USD"], "--currency and --limit go with --history"),
    "a reset unasked": (["accounts", "reset", "paper-main"], "confirm it with --yes"),
    "live without a word": (["order", "buy", "BTC-USD", "1", "--account", "live-main"], "live-main is not a paper account"),
    "closing live": (["positions", "close", "BTC-USD", "--account", "live-main"], "live-main is not a paper account"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_wrong_usage_sends_nothing(tmp_path: Path, case: str) -> None:
    arguments, part = WRONG[case]
    answer = candlewire(*arguments, folder=tmp_path)
    assert part in error_of(answer)
    assert (answer.returncode, answer.stdout) == (USAGE, "")


# MARK: Lost answers


def test_a_request_without_an_answer_is_repeated_with_the_same_id(script: Script, tmp_path: Path) -> None:
    server = script(LOST, Reply(200, ORDER))
    answer = run(server, "order", "buy", "BTC-USD", "1", folder=tmp_path)
    assert answer.returncode == 0
    assert answer.stdout.startswith("PAPER  paper-main  order placed\n")
    first, second = server.requests
    assert first == second and first.body["client_order_id"]


def test_a_request_to_an_unavailable_server_is_repeated(script: Script, tmp_path: Path) -> None:
    busy = refusal(503, "ledger_unavailable", "The ledger cannot be written.")
    server = script(busy, Reply(201, ORDER))
    assert run(server, "order", "buy", "BTC-USD", "1", folder=tmp_path).returncode == 0
    assert len(server.requests) == 2
    server = script(busy)
    answer = run(server, "order", "buy", "BTC-USD", "1", folder=tmp_path)
    assert (error_of(answer), answer.returncode) == ("The ledger cannot be written.", LATER)
    assert len(server.requests) == 3 and len({request.body["client_order_id"] for request in server.requests}) == 1


def test_an_unknown_outcome_names_the_way_out(script: Script, tmp_path: Path) -> None:
    server = script(LOST)
    answer = run(server, "order", "buy", "BTC-USD", "1", folder=tmp_path)
    assert answer.returncode == LATER
    assert len(server.requests) == 3
    known = server.requests[0].body["client_order_id"]
    assert f"Repeat the command with --client-order-id {known}; the order is placed at most once." in error_of(answer)


def test_an_order_that_was_known_is_said_to_be(script: Script, tmp_path: Path) -> None:
    server = script(Reply(200, ORDER))
    answer = run(server, "order", "buy", "BTC-USD", "1", "--client-order-id", "mine", folder=tmp_path)
    assert answer.stdout.startswith("PAPER  paper-main  an order with this client order id already exists\n")


def test_a_cancellation_whose_answer_got_lost_is_one(script: Script, tmp_path: Path) -> None:
    done = refusal(409, "order_done", "It is done.")
    server = script(LOST, done, Reply(200, {**ORDER, "status": "cancelled"}))
    answer = run(server, "orders", "cancel", "paper-main-o17", folder=tmp_path)
    assert answer.returncode == 0 and "cancelled" in answer.stdout
    assert [request.method for request in server.requests] == ["DELETE", "DELETE", "GET"]
    server = script(LOST, done, Reply(200, {**ORDER, "status": "filled"}))
    answer = run(server, "orders", "cancel", "paper-main-o17", folder=tmp_path)
    assert (error_of(answer), answer.returncode) == ("It is done.", REFUSED)


@pytest.mark.parametrize("action", ["close", "reverse"])
def test_a_position_is_not_turned_twice(script: Script, tmp_path: Path, action: str) -> None:
    """The server knows it by its id when it is said again."""
    server = script(LOST, Reply(503, {"error": {"code": "later", "message": "Not now."}}), Reply(201, ORDER))
    answer = run(server, "positions", action, "BTC-USD", folder=tmp_path)
    assert (answer.returncode, answer.stderr) == (0, "")
    first, *others = server.requests
    assert first.body["client_order_id"].startswith("cli-") and len(others) == 2
    assert all(request == first for request in others)
    server = script(LOST)
    answer = run(server, "positions", action, "BTC-USD", folder=tmp_path)
    assert len(server.requests) == 3
    assert "The outcome is unknown; check `candlewire positions`." in error_of(answer) and answer.returncode == LATER


def test_several_cancellations_show_those_that_succeeded(script: Script, tmp_path: Path) -> None:
    def answer(request: Request) -> Reply:
        if request.path.endswith("o2"):
            return refusal(404, "unknown_order", "There is no order o2.")
        return Reply(200, {**ORDER, "id": request.path.split("/")[-1], "status": "cancelled"})

    shown = run(script(answer=answer), "orders", "cancel", "paper-main-o1", "paper-main-o2", "paper-main-o3", folder=tmp_path)
    assert (error_of(shown), shown.returncode) == ("There is no order o2.", UNKNOWN)
    assert [line.split()[0] for line in shown.stdout.splitlines()] == ["PAPER", "ID", "paper-main-o1"]


# MARK: Following


def follow(server: ScriptedTrading, *flags: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [str(binary()), "events", "--follow", "--url", server.url, *flags], stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def test_events_are_followed_without_a_hole_and_none_comes_twice(script: Script) -> None:
    """Pages of three; between two questions more happens than fits on a page, and once the server is away."""
    happened = [event(number) for number in range(1, 6)]
    requested = 0

    def answer(request: Request) -> Reply:
        nonlocal requested
        requested += 1
        if requested == 2:
            happened.extend(event(number) for number in range(6, 14))
        if requested == 7:
            return Reply(503, {"error": {"code": "later", "message": "Not now."}})
        if requested == 11:
            happened.append(event(14))
        known = happened
        if "before" in request.query:
            end = next(index for index, one in enumerate(happened) if one["id"] == request.query["before"])
            known = happened[:end]
        return Reply(200, {"events": known[::-1][:3]})

    server = script(answer=answer)
    with follow(server, "--json") as process:
        assert process.stdout is not None
        lines = [json.loads(process.stdout.readline()) for _ in range(12)]
        process.terminate()
    assert lines == [event(number) for number in range(3, 15)]


def test_events_are_lines_in_columns(script: Script) -> None:
    server = script(Reply(200, {"events": [event(2, symbol=None, type="risk"), event(1)]}))
    with follow(server) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(3)]
        process.terminate()
    assert lines == [
        "PAPER  paper-main  events\n",
        "2024-11-20 19:13:21  order_filled     BTC-USD   message 1\n",
        "2024-11-20 19:13:22  risk                       message 2\n",
    ]


# MARK: On a terminal


class Terminal:
    """The program with a pseudo terminal for all three streams."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        self.master, slave = pty.openpty()
        self.text = ""
        self.process = subprocess.Popen(
            [str(binary()), *arguments], stdin=slave, stdout=slave, stderr=slave, start_new_session=True,
            env={**os.environ, "TERM": "xterm-256color", "NO_COLOR": "", **environment},
        )  # fmt: skip
        os.close(slave)

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())

    def until(self, part: str, within: float = 60) -> str:
        end = time.monotonic() + within
        while part not in self.text:
            assert time.monotonic() < end and self.read(), f"{part!r} did not come:\n{self.text}"
        return self.text

    def read(self) -> bool:
        """Reads what comes within a second; false at the end."""
        if not select.select([self.master], [], [], 1)[0]:
            return True
        try:
            data = os.read(self.master, 65536)
        except OSError:  # Linux: the other end is closed
            return False
        self.text += data.decode(errors="replace")
        return bool(data)

    def end(self) -> int:
        end = time.monotonic() + 60
        while self.read() and time.monotonic() < end:
            pass
        os.close(self.master)
        return self.process.wait(timeout=60)


def order_in_terminal(server: ScriptedTrading, *more: str, **environment: str) -> Terminal:
    return Terminal("order", "buy", "BTC-USD", "0.05", "--url", server.url, *more, **environment)


def preview_then_order(request: Request) -> Reply:
    return Reply(200, PREVIEW) if request.path.endswith("preview") else Reply(201, ORDER)


def test_a_terminal_confirms_an_order(script: Script) -> None:
    server = script(answer=preview_then_order)
    shown = order_in_terminal(server)
    shown.until("Place this order, PAPER? [y/N] ")
    assert "3,361.72" in shown.text
    assert [request.path for request in server.requests] == ["/v1/orders/preview"]
    shown.type("y\n")
    assert shown.end() == 0
    assert [request.path for request in server.requests] == ["/v1/orders/preview", "/v1/orders"]
    preview, order = (request.body for request in server.requests)
    assert preview == order, "what was shown is what is placed"


@pytest.mark.parametrize("word", ["n\n", "\n", "yess\n", "\x04"])
def test_anything_but_yes_places_nothing(script: Script, word: str) -> None:
    server = script(answer=preview_then_order)
    shown = order_in_terminal(server)
    shown.until("[y/N] ")
    shown.type(word)
    assert shown.end() == 1
    assert "The order was not placed." in shown.text
    assert [request.path for request in server.requests] == ["/v1/orders/preview"]


def test_yes_skips_the_confirmation(script: Script) -> None:
    server = script(answer=preview_then_order)
    shown = order_in_terminal(server, "--yes")
    assert shown.end() == 0
    assert [request.path for request in server.requests] == ["/v1/orders"]


def test_an_order_with_problems_is_refused_before_the_confirmation(script: Script) -> None:
    server = script(Reply(200, {**PREVIEW, "problems": [{"field": "quantity", "message": "Too much."}]}))
    shown = order_in_terminal(server)
    assert shown.end() == REFUSED
    assert "Too much." in shown.text and "[y/N]" not in shown.text
    assert len(server.requests) == 1


def test_closing_needs_a_confirmation_too(script: Script) -> None:
    server = script(Reply(200, ORDER))
    shown = Terminal("positions", "close", "BTC-USD", "--url", server.url)
    shown.until("Close the position in BTC-USD, PAPER? [y/N] ")
    assert not server.requests
    shown.type("yes\n")
    assert shown.end() == 0 and len(server.requests) == 1


@pytest.mark.parametrize(
    ("environment", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)])
def test_colours_are_for_terminals_that_want_them(
    script: Script, environment: dict[str, str], coloured: bool
) -> None:  # fmt: skip
    document = {"account": "paper-main", "mode": "paper", "sequence": 3, "positions": [POSITION]}
    shown = Terminal("positions", "--url", script(Reply(200, document)).url, **environment)
    assert shown.end() == 0
    assert ("\x1b[38;5;35m111.72\x1b[0m" in shown.text) == coloured
    assert ("\x1b" in shown.text) == coloured
    plain = re.sub(r"\x1b\[[0-9;]*m", "", shown.text)
    assert "111.72" in plain and "PAPER" in plain
