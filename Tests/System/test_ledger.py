"""The ledger from outside: what refused orders leave, deleted accounts, the past by pages, and what shows that it was changed."""

import json
import os
import sqlite3
import subprocess
import urllib.error
import urllib.request
from collections.abc import Callable
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from typing import Any

from running_server import RunningServer
from support.polling import eventually
from support.server import PACKAGE

from test_cli import candlewire

REFUSED = 1000  # the newest of an account that are kept


def request(server: RunningServer, method: str, path: str, body: Any = None) -> tuple[int, Any]:
    data = None if body is None else json.dumps(body).encode()
    sent = urllib.request.Request(
        server.address + path, data, {"Content-Type": "application/json"}, method=method)
    try:
        with urllib.request.urlopen(sent, timeout=60) as answer:
            return answer.status, json.loads(answer.read())
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read())


def too_large(number: int) -> dict[str, Any]:
    return {
        "client_order_id": f"r{number}", "symbol": "BTC-USD", "side": "buy", "type": "limit", "quantity": "1000",
        "limit_price": "60000",
    }  # fmt: skip


def small(name: str, account: str = "paper-main") -> dict[str, Any]:
    return {
        "client_order_id": name, "symbol": "BTC-USD", "side": "buy", "type": "limit", "quantity": "0.001",
        "limit_price": "1", "account": account,
    }  # fmt: skip


def verify(folder: Path) -> subprocess.CompletedProcess[str]:
    return candlewire("verify", "--data-dir", str(folder), folder=folder.parent)


def count(folder: Path, table: str = "ledger") -> int:
    with sqlite3.connect(f"file:{folder}/ledger.sqlite?mode=ro", uri=True) as database:
        return int(database.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0])


def make_old(folder: Path, orders: int) -> None:
    """A ledger as version 0.1 wrote it."""
    loader = SourceFileLoader("ledger_benchmark", str(PACKAGE / "Benchmarks/ledger"))
    spec = spec_from_loader("ledger_benchmark", loader)
    assert spec is not None
    benchmark = module_from_spec(spec)
    loader.exec_module(benchmark)
    benchmark.make_old(folder, orders)


def test_refused_orders_leave_a_bounded_trace(serve: Callable[..., RunningServer]) -> None:
    server = serve("sim:BTC-USD", "--seed", "3", "--rate", "100")
    status, kept = request(server, "POST", "/v1/orders", small("kept"))
    assert status == 201
    before = count(server.data_dir)
    for number in range(REFUSED + 300):
        status, answer = request(server, "POST", "/v1/orders", too_large(number))
        assert (status, answer["error"]["code"]) == (422, "insufficient_margin")
    assert count(server.data_dir) == before, "an order that was never accepted is in no ledger"
    assert count(server.data_dir, "refused") == REFUSED
    newest = too_large(REFUSED + 299)
    # A request that is repeated gets its order, and another one under its id is refused.
    status, order = request(server, "POST", "/v1/orders", newest)
    assert (status, order["status"]) == (200, "rejected")
    status, answer = request(server, "POST", "/v1/orders", newest | {"quantity": "0.001"})
    assert (status, answer["error"]["code"]) == (422, "duplicate_client_order_id")
    rejected = server.get("/v1/orders", status="rejected", limit=1000)["orders"]
    assert len(rejected) == REFUSED and rejected[0] == order
    events = server.get("/v1/events", type="order_cancelled", limit=1000)["events"]
    assert events[0]["metadata"]["order_id"] == order["id"]
    # All of it after a crash, too; and numbers are not used twice.
    server.kill()
    server.start()
    assert request(server, "POST", "/v1/orders", newest) == (200, order)
    assert server.get("/v1/orders", status="rejected", limit=1000)["orders"] == rejected
    assert server.get(f"/v1/orders/{order['id']}") == order
    status, other = request(server, "POST", "/v1/orders", small("after"))
    assert status == 201
    assert int(other["id"].rsplit("o", 1)[1]) == int(order["id"].rsplit("o", 1)[1]) + 1
    # One that was forgotten is new.
    status, answer = request(server, "POST", "/v1/orders", small("r0"))
    assert status == 201
    found = verify(server.data_dir)
    assert found.returncode == 0, found.stderr


def test_an_account_is_deleted_and_its_name_goes_on(serve: Callable[..., RunningServer]) -> None:
    server = serve("sim:BTC-USD", "--seed", "3", "--rate", "100")
    assert request(server, "POST", "/v1/accounts", {"name": "gone"})[0] == 201
    for number in range(30):
        status, order = request(server, "POST", "/v1/orders", small(f"g{number}", "paper-gone"))
        assert status == 201
    status, answer = request(server, "DELETE", "/v1/accounts/paper-gone")
    assert (status, answer["error"]["code"]) == (409, "account_in_use")
    assert "30 open orders" in answer["error"]["message"]
    status, answer = request(server, "DELETE", "/v1/accounts/paper-gone?force=maybe")
    assert (status, answer["error"]["field"]) == (400, "force")
    status, answer = request(server, "DELETE", "/v1/accounts/paper-main")
    assert (status, answer["error"]["code"]) == (409, "default_account")
    status, answer = request(server, "DELETE", "/v1/accounts/paper-none")
    assert (status, answer["error"]["code"]) == (404, "unknown_account")
    status, answer = request(server, "DELETE", "/v1/accounts/paper-gone?force=true")
    assert (status, answer["id"]) == (200, "paper-gone")
    server.kill()
    server.start()
    assert [account["id"] for account in server.get("/v1/accounts")["accounts"]] == ["paper-main"]
    assert request(server, "GET", f"/v1/orders/{order['id']}")[0] == 404
    with sqlite3.connect(f"file:{server.data_dir}/ledger.sqlite?mode=ro", uri=True) as database:
        sql = "SELECT kind FROM ledger WHERE account = 'paper-gone'"
        eventually(lambda: database.execute(sql).fetchall() == [("account_deleted",)], "one entry is left")
    assert request(server, "POST", "/v1/accounts", {"name": "gone"})[0] == 201
    assert server.get("/v1/orders", account="paper-gone")["orders"] == []
    status, again = request(server, "POST", "/v1/orders", small("g0", "paper-gone"))
    assert status == 201
    assert int(again["id"].rsplit("o", 1)[1]) == int(order["id"].rsplit("o", 1)[1]) + 1
    found = verify(server.data_dir)
    assert found.returncode == 0, found.stderr
    said = candlewire(
        "accounts", "delete", "paper-gone", "--yes", "--force", "--url", server.address, folder=server.data_dir.parent)
    assert said.returncode == 0, said.stderr
    assert "paper-gone" in said.stdout
    refused = candlewire("accounts", "delete", "paper-main", "--yes", "--url", server.address, folder=server.data_dir.parent)
    assert refused.returncode == 65 and "Reset it instead" in refused.stderr


def test_a_changed_ledger_is_noticed(serve: Callable[..., RunningServer]) -> None:
    server = serve("sim:BTC-USD", "--seed", "3", "--rate", "100")
    folder = server.data_dir
    for number in range(20):
        assert request(server, "POST", "/v1/orders", small(f"v{number}"))[0] == 201
    running = verify(folder)
    assert running.returncode == 0, running.stderr
    assert "paper-main: 21 entries" in running.stdout and "head: ok" in running.stdout
    assert server.terminate(within=60)[0] == 0
    assert verify(folder).returncode == 0
    with sqlite3.connect(folder / "ledger.sqlite") as database:
        database.execute("DROP TRIGGER ledger_is_not_shortened")
        database.execute("DELETE FROM ledger WHERE sequence = 21")
    database.close()
    said = verify(folder)
    assert said.returncode == 65
    assert "account paper-main ends at entry 20, and by its head" in said.stderr
    start = ["serve", "--feed", "sim:BTC-USD", "--port", "0", "--data-dir", str(folder)]
    refused = candlewire(*start, folder=folder.parent)
    assert refused.returncode != 0
    assert "ends at entry 20" in refused.stderr and "--accept-ledger-loss" in refused.stderr
    (folder / "ledger.sqlite").rename(folder / "away")
    refused = candlewire(*start, folder=folder.parent)
    assert "is missing: by its head" in refused.stderr
    (folder / "away").rename(folder / "ledger.sqlite")
    for name in ("ledger.sqlite", "ledger.head", "ledger.key"):
        assert os.stat(folder / name).st_mode & 0o777 == 0o600
    accepting = RunningServer(folder, feed="sim:BTC-USD", flags=("--accept-ledger-loss",)).start()
    assert len(accepting.get("/v1/orders", status="active")["orders"]) == 19
    accepting.stop()
    assert '"start with --accept-ledger-loss"' in (folder / "audit.jsonl").read_text()
    server.start()
    assert verify(folder).returncode == 0
    # By the key, also where no file is left that would have shown it.
    assert server.terminate(within=60)[0] == 0
    for name in ("ledger.sqlite", "ledger.head"):
        (folder / name).unlink()
    refused = candlewire(*start, folder=folder.parent)
    assert refused.returncode != 0 and "are missing: by the key" in refused.stderr
    assert not (folder / "ledger.sqlite").exists()


def test_verify_says_where_there_is_no_ledger(tmp_path: Path) -> None:
    said = verify(tmp_path)
    assert said.returncode == 66 and "There is no ledger" in said.stderr


def test_a_restart_has_the_same_account_from_its_snapshot(serve: Callable[..., RunningServer]) -> None:
    server = serve("sim:BTC-USD", "--seed", "3", "--rate", "100")
    for number in range(400):
        status, order = request(server, "POST", "/v1/orders", small(f"s{number}"))
        assert status == 201
        if number % 2:
            assert request(server, "DELETE", f"/v1/orders/{order['id']}")[0] == 200
    orders = server.get("/v1/orders", limit=1000)
    events = [event for event in server.get("/v1/events", account="paper-main", limit=1000)["events"] if "-e" in event["id"]]
    assert server.terminate(within=60)[0] == 0
    assert count(server.data_dir, "snapshots") == 1
    server.start()
    assert server.get("/v1/orders", limit=1000) == orders
    again = [event for event in server.get("/v1/events", account="paper-main", limit=1000)["events"] if "-e" in event["id"]]
    assert again == events
    found = verify(server.data_dir)
    assert found.returncode == 0, found.stderr


def test_the_past_is_compressed(serve: Callable[..., RunningServer]) -> None:
    server = serve("sim:BTC-USD", "--seed", "3", "--rate", "100")
    for number in range(700):
        status, order = request(server, "POST", "/v1/orders", small(f"s{number}"))
        assert status == 201
        assert request(server, "DELETE", f"/v1/orders/{order['id']}")[0] == 200
    orders = server.get("/v1/orders", limit=1000)
    folder = server.data_dir
    busy = candlewire("compact", "--data-dir", str(folder), folder=folder.parent)
    assert busy.returncode == 73 and "in use by another candlewire" in busy.stderr
    assert server.terminate(within=60)[0] == 0
    before = (folder / "ledger.sqlite").stat().st_size
    said = candlewire("compact", "--data-dir", str(folder), folder=folder.parent)
    assert said.returncode == 0, said.stderr
    assert " before, " in said.stdout
    assert (folder / "ledger.sqlite").stat().st_size < before * 0.7
    assert count(folder, "blocks") == 10
    found = verify(folder)
    assert found.returncode == 0, found.stderr
    server.start()
    assert server.get("/v1/orders", limit=1000) == orders


def test_a_ledger_of_version_0_1_is_converted_and_the_old_file_is_kept(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    make_old(folder, 120)
    server = RunningServer(folder, feed="sim:BTC-USD").start()
    try:
        orders = server.get("/v1/orders", limit=1000)["orders"]
        assert [order["id"] for order in orders] == [f"paper-main-o{number}" for number in range(120, 0, -1)]
        assert "Converting the ledger for this version: 50 %\n" in server.log
        assert "Converting the ledger for this version: 100 %\n" in server.log
        found = verify(folder)
        assert found.returncode == 0 and "paper-main: 241 entries, 120 completed orders, 120 fills: ok" in found.stdout
        with sqlite3.connect(f"file:{folder}/ledger.sqlite.before-schema-2?mode=ro", uri=True) as old:
            assert old.execute("SELECT identifier FROM grdb_migrations").fetchall() == [("1 ledger",)]
            assert old.execute("SELECT COUNT(*) FROM ledger").fetchone() == (241,)
    finally:
        server.stop()
    assert not (folder / "ledger.sqlite.part").exists()
