"""The trading commands against the real server with its simulated exchange."""

import contextlib
import json
import re
import socket
import subprocess
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from running_server import RunningServer
from support.polling import eventually
from support.secrets import private_file
from support.server import binary, free_port

from test_cli import USAGE, candlewire, error_of

REFUSED, UNKNOWN = 65, 66


class Desk:
    """The command line of one account of a server."""

    def __init__(self, server: RunningServer, account: str, folder: Path) -> None:
        self.server = server
        self.account = account
        self.folder = folder

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return candlewire(
            *arguments, "--account", self.account, "--url", self.server.address, folder=self.folder)

    def text(self, *arguments: str) -> str:
        answer = self.run(*arguments)
        said = f"{' '.join(arguments)}: {answer.returncode}\n{answer.stdout}{answer.stderr}"
        assert (answer.returncode, answer.stderr) == (0, ""), said
        return answer.stdout

    def json(self, *arguments: str) -> Any:
        return json.loads(self.text(*arguments, "--json"))

    def price(self, symbol: str) -> Decimal:
        return Decimal(str(self.server.get(f"/v1/markets/{symbol}")["price"]))

    def filled(self, order: dict[str, Any]) -> dict[str, Any]:
        """Waits until the order has found enough of the market's volume."""

        def now() -> dict[str, Any] | None:
            state = self.json("orders", "show", order["id"])
            return state if state["status"] == "filled" else None

        return eventually(now, f"{order['id']} is filled", within=120, every=0.2)


@pytest.fixture(scope="module")
def trading(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    folder = tmp_path_factory.mktemp("trading") / "data"
    server = RunningServer(folder, feed="sim:BTC-USD,ETH-USD", flags=("--seed", "5", "--rate", "200")).start()
    yield server
    server.stop()


@pytest.fixture
def desk(trading: RunningServer, request: pytest.FixtureRequest, tmp_path: Path) -> Desk:
    """An account of the test's own, made with the command line as well."""
    name = "".join(character for character in request.node.name if character.isalnum())[-24:]
    arguments = ("accounts", "create", name, "--currency", "USD", "--capital", "50000")
    made = candlewire(*arguments, "--json", "--url", trading.address, folder=tmp_path)
    assert made.returncode == 0, made.stderr
    return Desk(trading, json.loads(made.stdout)["id"], tmp_path)


def test_a_market_order_becomes_a_position(desk: Desk) -> None:
    order = desk.json("order", "buy", "BTC-USD", "0.5", "--leverage", "3")
    assert order["client_order_id"].startswith("cli-") and order["quantity"] == "0.5"
    filled = desk.filled(order)
    fills = desk.json("fills", "--order", order["id"])["fills"]
    assert sum(Decimal(fill["quantity"]) for fill in fills) == Decimal("0.5")
    cost = sum(Decimal(fill["quantity"]) * Decimal(fill["price"]) for fill in fills)
    assert abs(cost / Decimal("0.5") - Decimal(filled["average_fill_price"])) < Decimal("1e-12")
    [position] = desk.json("positions")["positions"]
    assert (position["side"], position["size"], position["leverage"]) == ("long", "0.5", 3)
    [money] = desk.json("portfolio")["portfolios"]
    fees = sum(Decimal(fill["fee"]) for fill in fills)
    assert Decimal(money["fees"]) == fees
    assert Decimal(money["equity"]) == 50_000 - fees + Decimal(money["unrealized_pnl"])
    for command, part in (
        (("orders", "--status", "done"), "filled"), (("positions",), "long"), (("portfolio",), "USD"),
        (("fills", "--receipts"), fills[-1]["receipt"]["rule"]), (("orders", "show", order["id"]), "BTC-USD"),
    ):  # fmt: skip
        text = desk.text(*command)
        assert text.startswith(f"PAPER  {desk.account}  ") and part in text
    # Money has the digits of its currency, where --json has all.
    decimals = [len(digits) for digits in re.findall(r"\.(\d+)", desk.text("portfolio"))]
    assert decimals and max(decimals) <= 2, desk.text("portfolio")
    margin = Decimal(position["margin"])
    assert margin != round(margin, 2)
    assert re.search(rf" {round(margin, 2).normalize():f}\s", desk.text("positions")), (margin, desk.text("positions"))


def test_an_orders_id_names_its_account(desk: Desk) -> None:
    away = str((desk.price("ETH-USD") / 2).quantize(Decimal("0.01")))
    order = desk.json("order", "buy", "ETH-USD", "1", "--limit", away)["id"]
    for command in (("show", order), ("amend", order, "--quantity", "2"), ("cancel", order)):
        answer = candlewire("orders", *command, "--url", desk.server.address, folder=desk.folder)
        assert answer.stdout.startswith(f"PAPER  {desk.account}  "), answer
    again = desk.run("orders", "cancel", order)
    assert again.stderr.startswith(f"Error: {order} is cancelled"), again
    # A name is a paper account's.
    short = candlewire(
        "orders", "--account", desk.account.removeprefix("paper-"), "--url", desk.server.address, folder=desk.folder)
    assert short.stdout.startswith(f"PAPER  {desk.account}  "), short


def test_an_order_without_a_leverage_leaves_the_positions(desk: Desk) -> None:
    desk.filled(desk.json("order", "buy", "BTC-USD", "0.01", "--leverage", "5"))
    away = str((desk.price("BTC-USD") / 2).quantize(Decimal("0.01")))
    for more, expected in ((), 5), (("--leverage", "1"), 1), ((), 1):
        order = desk.json("order", "BUY", "BTC-USD", "0.01", "--limit", away, "--tif", "GTC", *more)
        assert (order["side"], order["time_in_force"], order["leverage"]) == ("buy", "gtc", expected)
        [position] = desk.json("positions")["positions"]
        assert position["leverage"] == expected


def test_a_limit_order_waits_is_amended_and_cancelled(desk: Desk) -> None:
    away = str((desk.price("ETH-USD") / 2).quantize(Decimal("0.01")))
    order = desk.json("order", "buy", "ETH-USD", "1.5", "--limit", away, "--tif", "day", "--post-only")
    assert order["status"] == "new" and Decimal(order["limit_price"]) == Decimal(away)
    assert [one["id"] for one in desk.json("orders")["orders"]] == [order["id"]]
    amended = desk.json("orders", "amend", order["id"], "--quantity", "1.25", "--if-version", str(order["version"]))
    assert (amended["quantity"], amended["version"]) == ("1.25", order["version"] + 1)
    late = desk.run("orders", "amend", order["id"], "--quantity", "1", "--if-version", str(order["version"]))
    assert late.returncode == REFUSED and error_of(late).startswith("--if-version: ")
    assert "cancelled" in desk.text("orders", "cancel", order["id"])
    again = desk.run("orders", "cancel", order["id"])
    assert again.returncode == REFUSED and "cancelled" in error_of(again)
    assert desk.text("orders").endswith("no active orders\n")


def test_all_orders_of_a_market_are_cancelled(desk: Desk) -> None:
    for symbol in ("BTC-USD", "BTC-USD", "ETH-USD"):
        desk.json("order", "buy", symbol, "0.01", "--limit", "1")
    gone = desk.json("orders", "cancel", "--all", "--symbol", "BTC-USD")["orders"]
    assert [one["status"] for one in gone] == ["cancelled"] * 2
    assert [one["symbol"] for one in desk.json("orders")["orders"]] == ["ETH-USD"]
    assert len(desk.json("orders", "cancel", "--all")["orders"]) == 1


def test_a_client_order_id_is_executed_once(desk: Desk) -> None:
    command = ("order", "buy", "BTC-USD", "0.01", "--limit", "1", "--client-order-id", "once")
    first, second = desk.json(*command), desk.json(*command)
    assert first["id"] == second["id"]
    assert "an order with this client order id already exists" in desk.text(*command)
    other = desk.run("order", "buy", "BTC-USD", "0.02", "--limit", "1", "--client-order-id", "once")
    assert other.returncode == REFUSED and error_of(other).startswith("--client-order-id: ")
    assert len(desk.json("orders")["orders"]) == 1


def test_orders_through_a_bad_network_are_placed_once(desk: Desk) -> None:
    """A proxy cuts connections, before the request, inside it, and after it when only the answer is lost."""
    port = free_port()
    command = [
        str(binary()), "chaos", "--listen", f"127.0.0.1:{port}", "--target", desk.server.address.removeprefix("http://"),
        "--drop", "0.2", "--refuse", "0.1", "--seed", "7",
    ]  # fmt: skip
    names = [f"order-{number}" for number in range(6)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as proxy:
        try:
            eventually(lambda: accepts(port), "the proxy listens", within=60)
            for name in names:
                order = ("order", "buy", "BTC-USD", "0.01", "--limit", "1", "--client-order-id", name, "--json")
                address = ("--account", desk.account, "--url", f"http://127.0.0.1:{port}")
                answers = (candlewire(*order, *address, folder=desk.folder) for _ in range(30))
                placed = next(answer for answer in answers if answer.returncode == 0)
                assert json.loads(placed.stdout)["client_order_id"] == name
        finally:
            proxy.terminate()
    assert [order["client_order_id"] for order in desk.json("orders")["orders"]] == names[::-1]


def accepts(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=5):
        return True
    return False


def test_a_position_is_protected_turned_and_closed(desk: Desk) -> None:
    desk.filled(desk.json("order", "sell", "ETH-USD", "2"))
    price = desk.price("ETH-USD")
    bracket = [str((price * factor).quantize(Decimal("0.01"))) for factor in (Decimal("0.5"), Decimal("1.5"))]
    desk.json("positions", "bracket", "ETH-USD", "--take-profit", bracket[0], "--stop-loss", bracket[1])
    [position] = desk.json("positions")["positions"]
    assert position["side"] == "short"
    assert [Decimal(position[name]) for name in ("take_profit", "stop_loss")] == [Decimal(one) for one in bracket]
    desk.json("positions", "bracket", "ETH-USD", "--stop-loss", "none")
    [position] = desk.json("positions")["positions"]
    assert "take_profit" in position and "stop_loss" not in position
    # What all orders are includes what protects a position, and the command says so.
    cancelled = desk.run("orders", "cancel", "--all")
    assert "Cancelled take profits and stop losses too: ETH-USD." in cancelled.stderr, cancelled
    assert desk.run("orders", "cancel", "--all").stderr == ""
    desk.filled(desk.json("positions", "reverse", "ETH-USD"))
    [position] = desk.json("positions")["positions"]
    assert (position["side"], position["size"]) == ("long", "2")
    desk.filled(desk.json("positions", "close", "ETH-USD", "--quantity", "0.5"))
    assert desk.json("positions")["positions"][0]["size"] == "1.5"
    desk.filled(desk.json("positions", "close", "ETH-USD"))
    assert desk.text("positions").endswith("no positions\n")


def test_a_preview_says_what_an_order_would_take(desk: Desk) -> None:
    preview = desk.json("order", "buy", "BTC-USD", "0.1", "--limit", "50000.5", "--leverage", "10", "--preview")
    assert (Decimal(preview["cost"]), Decimal(preview["margin"])) == (Decimal("5000.05"), Decimal("500.005"))
    answer = desk.run("order", "buy", "BTC-USD", "1000", "--limit", "50000", "--preview")
    assert answer.returncode == REFUSED
    assert "Problem QUANTITY: it needs 50,025,000 USD, and 50,000 is available.\n" in answer.stdout
    # What would be after an order that cannot be is not known.
    assert "50,000,000" in answer.stdout and "available after" not in answer.stdout
    refused = desk.run("order", "buy", "BTC-USD", "1", "--limit", "50000.5", "--take-profit", "49000", "--yes")
    assert refused.returncode == REFUSED
    assert error_of(refused) == "--take-profit: must be above the order's price, 50,000.5."
    assert not desk.json("orders", "--status", "all")["orders"]


def test_a_new_account_knows_the_prices_at_once(serve: Callable[..., RunningServer], tmp_path: Path) -> None:
    """Not from the next trade of a market on, which may be long in coming."""
    server = serve("sim:BTC-USD,ADA-USD", "--seed", "5", "--rate", "0.01")
    for name in ("first", "second"):
        made = candlewire("accounts", "create", name, "--json", "--url", server.address, folder=tmp_path)
        assert made.returncode == 0, made.stderr
        desk = Desk(server, json.loads(made.stdout)["id"], tmp_path)
        for symbol in ("BTC-USD", "ADA-USD"):
            assert desk.json("order", "buy", symbol, "0.01")["quantity"] == "0.01"
    # Also the account that was made when the server began.
    assert Desk(server, "paper-main", tmp_path).json("order", "buy", "ADA-USD", "1")["quantity"] == "1"


REFUSALS: dict[str, tuple[list[str], int, str]] = {
    "an unknown market": (["order", "buy", "FOO-USD", "1"], REFUSED, "SYMBOL: "),
    "too much": (["order", "buy", "BTC-USD", "1000", "--limit", "50000"], REFUSED, "QUANTITY: "),
    "too many digits": (["order", "buy", "BTC-USD", "0.12345678901234567"], USAGE, "at most 16 decimals"),
    "nothing to reduce": (["order", "sell", "BTC-USD", "1", "--reduce-only"], REFUSED, "--reduce-only: "),
    "a leverage of dreams": (["order", "buy", "BTC-USD", "1", "--leverage", "5000"], REFUSED, "--leverage: "),
    "an unknown order": (["orders", "show", "paper-main-o999999"], UNKNOWN, "paper-main-o999999"),
    "an order that is none": (["orders", "cancel", "o7"], UNKNOWN, "o7"),
    "an order of no number": (["orders", "cancel", "paper-main-ox"], UNKNOWN, "it must be like paper-main-o17"),
    "an unknown status": (["orders", "--status", "sleeping"], USAGE, "--status: "),
    "no position": (["positions", "close", "BTC-USD"], UNKNOWN, "here is no position in BTC-USD"),
    "an unknown type": (["events", "--type", "rumour"], USAGE, "--type: "),
    "too many events": (["events", "--limit", "100000"], USAGE, "--limit: "),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSALS)
def test_a_refusal_says_what_and_where(trading: RunningServer, tmp_path: Path, case: str) -> None:
    arguments, code, part = REFUSALS[case]
    answer = candlewire(*arguments, "--url", trading.address, folder=tmp_path)
    assert part in error_of(answer)
    assert answer.returncode == code


def test_an_account_that_is_not_there(trading: RunningServer, tmp_path: Path) -> None:
    answer = candlewire("orders", "--account", "paper-nobody", "--url", trading.address, folder=tmp_path)
    assert answer.returncode == UNKNOWN and "paper-nobody" in error_of(answer)


def test_a_reset_begins_anew(desk: Desk) -> None:
    desk.json("order", "buy", "BTC-USD", "0.01", "--limit", "1")
    reset = candlewire(
        "accounts", "reset", desk.account, "--yes", "--capital", "700", "--url", desk.server.address, folder=desk.folder)
    assert reset.returncode == 0 and desk.account in reset.stdout
    assert desk.json("orders", "--status", "all")["orders"] == []
    assert desk.json("portfolio")["portfolios"][0]["equity"] == "700"
    listed = candlewire("accounts", "--url", desk.server.address, folder=desk.folder).stdout
    assert desk.account in listed and "paper-main" in listed


def test_events_come_as_they_happen(desk: Desk) -> None:
    command = [
        str(binary()), "events", "--follow", "--json", "--type", "order_placed,order_cancelled", "--account", desk.account,
        "--url", desk.server.address,
    ]  # fmt: skip
    first = desk.json("order", "buy", "BTC-USD", "0.01", "--limit", "1")
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        events = [json.loads(process.stdout.readline())]
        second = desk.json("order", "buy", "BTC-USD", "0.02", "--limit", "1")
        desk.json("orders", "cancel", second["id"])
        events += [json.loads(process.stdout.readline()) for _ in range(2)]
        process.terminate()
    assert [event["type"] for event in events] == ["order_placed", "order_placed", "order_cancelled"]
    assert [event["metadata"]["order_id"] for event in events] == [first["id"], second["id"], second["id"]]


def test_json_is_what_the_server_says(desk: Desk) -> None:
    desk.json("order", "buy", "BTC-USD", "0.01", "--limit", "1")
    found = desk.json("orders", "--status", "all", "--symbol", "BTC-USD", "--limit", "10")
    assert found == desk.server.get("/v1/orders", account=desk.account, status="all")
    assert desk.json("fills") == desk.server.get("/v1/fills", account=desk.account)
    history = desk.json("portfolio", "--history", "--currency", "USD", "--limit", "5")
    assert history["points"][-1]["equity"] == "50000"


def test_a_server_with_tokens_requires_one(serve: Callable[..., RunningServer], tmp_path: Path) -> None:
    private_file(tmp_path / "tokens", "open-sesame-open-sesame\n")
    server = serve("sim:BTC-USD", "--stream-token-file", str(tmp_path / "tokens"))
    refused = candlewire("orders", "--url", server.address, folder=tmp_path)
    assert refused.returncode == 77 and "token" in error_of(refused)
    allowed = candlewire("orders", "--url", server.address, "--token-file", "tokens", folder=tmp_path)
    assert allowed.returncode == 0
