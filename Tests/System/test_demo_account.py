"""`candlewire serve --demo` and `--fill-model`: the demo account goes through the paper exchange, and is never mixed in."""

import json
import subprocess
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from running_server import RunningServer
from support.polling import eventually
from support.secrets import private_file
from support.server import binary

from test_cli import candlewire

DEMO = "paper-demo"
MODELS = "volume, immediate, through, spread, random"


def post(server: RunningServer, path: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    data = json.dumps(body).encode()
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(server.address + path, data=data, headers=headers, method="POST")
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def account(server: RunningServer, name: str = DEMO) -> dict[str, Any] | None:
    found = [one for one in server.get("/v1/accounts")["accounts"] if one["id"] == name]
    return found[0] if found else None


def loaded(server: RunningServer) -> dict[str, Any]:
    return eventually(lambda: account(server), "the demo account is opened", within=60)


def state(server: RunningServer, name: str = DEMO) -> dict[str, Any]:
    """What does not change with the prices."""
    orders = server.get("/v1/orders", account=name, status="all")["orders"]
    fills = server.get("/v1/fills", account=name)["fills"]
    positions = server.get("/v1/positions", account=name)["positions"]
    fixed = ("symbol", "side", "size", "entry_price", "leverage", "margin", "created_at")
    return {
        "orders": orders, "fills": fills, "positions": [{key: one[key] for key in fixed} for one in positions],
    }  # fmt: skip


@pytest.fixture
def quiet(tmp_path: Path) -> Iterator[RunningServer]:
    """Trades are so few that none fills an order while a test looks."""
    server = RunningServer(tmp_path / "data", feed="sim", flags=("--demo", "--rate", "0.01", "--seed", "5"))
    yield server.start()
    server.stop()


def test_the_demo_has_positions_orders_fills_and_events_that_add_up_and_survive_a_restart(
    quiet: RunningServer,
) -> None:
    summary = loaded(quiet)
    assert summary["demo"] is True and summary["fill_model"] == "volume"
    before = state(quiet)
    assert [(one["symbol"], one["side"], one["leverage"]) for one in before["positions"]] == [
        ("BTC-USD", "long", 5), ("ETH-USD", "short", 3), ("SOL-USD", "long", 2),
    ]  # fmt: skip
    statuses = sorted(order["status"] for order in before["orders"])
    assert statuses == ["cancelled", "filled", "filled", "filled", "new", "new"]
    assert len(before["fills"]) == 3

    # Each fill is at a price that its market had then, and has the exchange's receipt.
    for fill in before["fills"]:
        hour = fill["timestamp"] // 3600 * 3600
        (candle,) = quiet.get("/v1/candles", symbol=fill["symbol"], timeframe="1h", **{"from": hour, "to": hour + 3599})
        assert candle["timestamp"] == hour and candle["close"] == float(fill["price"])
        assert fill["receipt"]["model"] == "volume" and fill["receipt"]["trade_used"] == fill["quantity"]

    # The ledger and the positions make the equity.
    (portfolio,) = quiet.get("/v1/portfolio", account=DEMO)["portfolios"]
    positions = quiet.get("/v1/positions", account=DEMO)["positions"]
    profit = sum(Decimal(one["unrealized_pnl"]) for one in positions)
    fees = sum(Decimal(one["fee"]) for one in before["fills"])
    assert Decimal(portfolio["unrealized_pnl"]) == profit and Decimal(portfolio["fees"]) == fees > 0
    assert Decimal(portfolio["equity"]) == 100_000 - fees + profit
    kinds = {event["type"] for event in quiet.get("/v1/events", account=DEMO)["events"]}
    assert kinds >= {"order_placed", "order_filled", "order_cancelled", "position_opened", "system"}

    # Nothing of it is in the other account.
    assert state(quiet, "paper-main") == {"orders": [], "fills": [], "positions": []}

    quiet.stop()
    quiet.start()
    loaded(quiet)
    assert state(quiet) == before


def test_the_demo_is_loaded_into_accounts_without_orders_only(quiet: RunningServer) -> None:
    loaded(quiet)
    status, answer = post(quiet, f"/v1/accounts/{DEMO}/demo", {})
    assert (status, answer["error"]["code"]) == (409, "account_used")
    assert "Reset it first" in answer["error"]["message"]

    order = {"client_order_id": "mine", "symbol": "BTC-USD", "side": "buy", "type": "limit", "quantity": "0.01",
             "limit_price": "1000"}  # fmt: skip
    assert post(quiet, "/v1/orders", order)[0] == 201
    used = state(quiet, "paper-main")
    assert post(quiet, "/v1/accounts/paper-main/demo", {})[0] == 409
    assert state(quiet, "paper-main") == used

    # After a reset it can begin again, and an account that was never there is opened.
    assert post(quiet, f"/v1/accounts/{DEMO}/reset", {})[1]["demo"] is False
    status, again = post(quiet, f"/v1/accounts/{DEMO}/demo", {})
    assert (status, again["demo"]) == (201, True) and len(state(quiet)["positions"]) == 3
    assert post(quiet, "/v1/accounts/paper-second/demo", {})[0] == 201
    assert len(state(quiet, "paper-second")["orders"]) == 6
    assert post(quiet, "/v1/accounts/live-x/demo", {})[0] == 404


def test_a_start_leaves_a_used_account_of_the_name_alone_and_says_so(tmp_path: Path) -> None:
    server = RunningServer(tmp_path / "data", feed="sim:BTC-USD", flags=("--rate", "0.01")).start()
    assert post(server, "/v1/accounts", {"name": "demo"})[0] == 201
    order = {"account": DEMO, "client_order_id": "mine", "symbol": "BTC-USD", "side": "buy", "type": "limit",
             "quantity": "0.01", "limit_price": "1000"}  # fmt: skip
    assert post(server, "/v1/orders", order)[0] == 201
    used = state(server)
    server.stop()
    again = RunningServer(tmp_path / "data", feed="sim:BTC-USD", flags=("--rate", "0.01", "--demo")).start()
    try:
        words = "The demo was not loaded: The account paper-demo has orders already"
        eventually(
            lambda: any(words in event["message"] for event in again.get("/v1/events")["events"]), "it says so")
        assert state(again) == used
        assert "the demo was not loaded" in again.log
    finally:
        again.stop()


def test_loading_the_demo_needs_the_token_of_trading(tmp_path: Path) -> None:
    private_file(tmp_path / "tokens", "a-token-of-the-test-1\n")
    server = RunningServer(
        tmp_path / "data", feed="sim:BTC-USD", flags=("--stream-token-file", str(tmp_path / "tokens")),
    ).start()  # fmt: skip
    try:
        assert post(server, f"/v1/accounts/{DEMO}/demo", {})[0] == 401
    finally:
        server.stop()


@pytest.mark.parametrize("name", MODELS.split(", "))
def test_the_chosen_fill_model_is_named_and_fills(name: str, serve: Callable[..., RunningServer]) -> None:
    server = serve("sim:BTC-USD", "--rate", "50", "--fill-model", name)
    summary = account(server, "paper-main")
    assert summary and summary["fill_model"] == name and summary["fill_rule"].endswith(".")
    assert server.get("/health")["trading"]["fill_model"] == name
    order = {"client_order_id": "m", "symbol": "BTC-USD", "side": "buy", "type": "market", "quantity": "0.5"}
    assert post(server, "/v1/orders", order)[0] == 201
    fills = eventually(lambda: server.get("/v1/fills")["fills"], "it is filled")
    receipt = fills[-1]["receipt"]
    assert receipt["model"] == {"spread": "immediate"}.get(name, name)
    share = Decimal(receipt["slippage"]) / Decimal(receipt["trade_price"])
    assert round(share, 7) == (Decimal("0.0005") if name == "spread" else 0)


def test_an_unknown_fill_model_is_an_error_with_the_names(tmp_path: Path) -> None:
    done = subprocess.run(
        [str(binary()), "serve", "--fill-model", "best", "--data-dir", str(tmp_path)],
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.returncode == 64
    assert f'Unknown fill model "best"; allowed are {MODELS}.' in done.stderr
    text = candlewire("serve", "--help", folder=tmp_path).stdout
    assert all(word in text for word in ("--demo", "--fill-model", *MODELS.split(", ")))
