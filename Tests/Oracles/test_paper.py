"""Paper runs over recordings, recomputed from the raw trades to the last digit."""

import copy
import json
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from candle_oracle import Trade, read_lines, read_recording
from paper_oracle import Rules, recompute
from shared_data import recording
from support.server import binary

EVERYTHING = (
    "--entries", "market,limit,stop,ioc,fok,post-only,stop-limit", "--exits", "bracket,trailing", "--fast", "3",
    "--slow", "9", "--capital", "1000000", "--leverage", "3",
)  # fmt: skip
TIGHT = ("--offset", "0.5", "--take-profit", "2", "--stop-loss", "2", "--entry-timeout", "4")
SPOT = "binance_spot_btcusdt_2024-08-09"

# The recording, and how it is traded: at once and late, in small and in large parts of what is traded.
RUNS: dict[str, tuple[str, tuple[str, ...]]] = {
    "spot": (SPOT, (*EVERYTHING, *TIGHT, "--participation", "0.5", "--slippage", "1.5", "--notional", "500")),
    "spot, late and in small parts": (
        SPOT,
        (*EVERYTHING, *TIGHT, "--participation", "0.02", "--slippage", "1.5", "--latency", "0.1", "--notional", "900",
         "--split", "2"),
    ),
    "spot, more than is traded": (
        SPOT,
        (*EVERYTHING, "--entries", "market", "--exits", "trailing,bracket", "--offset", "0.5", "--take-profit", "2",
         "--stop-loss", "1", "--participation", "0.02", "--latency", "0.1", "--notional", "20000"),
    ),
    "the day before": (
        "binance_spot_btcusdt_2024-08-08", (*EVERYTHING, *TIGHT, "--participation", "0.1", "--latency", "2.5"),
    ),
    "three markets": (
        "binance_spot_btcusdt-ethusdt-dotusdt_2021-04-04",
        (*EVERYTHING, *TIGHT, "--participation", "0.05", "--slippage", "2", "--latency", "0.25", "--notional", "3000"),
    ),
    "futures": (
        "binance_usdm-futures_btcusdt_2024-08-08",
        (*EVERYTHING, *TIGHT, "--participation", "1", "--slippage", "0.3", "--notional", "70000", "--maker-fee=-0.0001"),
    ),
    "six markets in two currencies": (
        "coinbase_exchange_ws-feed_6products_2021-04-17",
        ("--fast", "2", "--slow", "3", "--entries", "market,limit", "--offset", "0.1", "--participation", "0.3"),
    ),
    "no volumes": (SPOT, (*EVERYTHING, *TIGHT, "--participation", "0.02", "--slippage", "1.5", "--notional", "900")),
    "volumes from the middle on": (SPOT, (*EVERYTHING, *TIGHT, "--participation", "0.02", "--notional", "900")),
}  # fmt: skip

# The share of a recording's messages whose trades are of no volume, as those of a price tracker are.
WITHOUT_VOLUMES = {"no volumes": 1.0, "volumes from the middle on": 0.5}


@dataclass
class Run:
    report: dict[str, Any]
    trades: list[tuple[Trade, int]]

    @property
    def rules(self) -> Rules:
        return Rules.of(self.report["rules"])

    def differences(self, report: dict[str, Any] | None = None) -> list[str]:
        return list(recompute(report or self.report, self.trades, self.rules))

    def differs(self, rules: Rules) -> bool:
        """Ends at the first difference."""
        return next(recompute(self.report, self.trades, rules), None) is not None


def paper(*arguments: str) -> str:
    answer = subprocess.run(
        [str(binary()), "paper", *arguments, "--json"], capture_output=True, text=True, timeout=120, check=False)
    assert (answer.returncode, answer.stderr) == (0, "")
    return answer.stdout


@cache
def played(case: str) -> Run:
    name, flags = RUNS[case]
    with tempfile.TemporaryDirectory() as folder:
        path = recording(name)
        if share := WITHOUT_VOLUMES.get(case):
            lines = read_lines(path)
            for times in path.parent.glob(f"{name}.times.txt*"):
                shutil.copy(times, folder)
            path = Path(folder, f"{name}.jsonl")
            bare = int(share * len(lines))
            lines[:bare] = [re.sub(r'"q":"[0-9.]+"', '"q":"0"', line) for line in lines[:bare]]
            path.write_text("\n".join(lines) + "\n")
        return Run(json.loads(paper(str(path), *flags)), read_recording(path).accepted_trades)


@pytest.mark.parametrize("case", RUNS)
def test_fills_and_profit_agree_to_the_last_digit(case: str) -> None:
    run = played(case)
    wrong = run.differences()
    assert not wrong, f"{len(wrong)} differ\n" + "\n".join(wrong[:10])
    assert run.report["fills"] and run.report["requests"] and len(run.report["snapshots"]) >= 1


def test_the_runs_put_every_rule_to_the_test() -> None:
    reports = [played(case).report for case in RUNS]
    orders = [order for report in reports for order in report["orders"]]
    fills = [fill for report in reports for fill in report["fills"]]
    assert {order["type"] for order in orders} == {"market", "limit", "stop", "stop_limit", "trailing_stop"}
    assert {order["status"] for order in orders} >= {"filled", "cancelled", "rejected"}
    assert {order["time_in_force"] for order in orders} == {"gtc", "ioc", "fok"}
    assert {fill["liquidity"] for fill in fills} == {"maker", "taker"}
    assert {request["action"] for report in reports for request in report["requests"]} == {"place", "amend", "cancel"}
    parts = {fill["order_id"] for fill in fills if fill["quantity"] != fill["receipt"]["trade_volume"]}
    assert len(parts) > 50, "most orders are filled in parts"
    assert sum(Decimal(fill["realized_pnl"]) > 0 for fill in fills) > 50
    assert sum(Decimal(fill["realized_pnl"]) < 0 for fill in fills) > 50
    assert sum(len(report["positions"]) for report in reports) > 0
    assert len(fills) > 3000


@pytest.mark.parametrize("name", [name for name, _ in Rules(*[Decimal(0)] * 4, 0.0, Decimal(0)).mutants()])
def test_a_bent_rule_is_noticed(name: str) -> None:
    for case in RUNS:
        run = played(case)
        bent = dict(run.rules.mutants())[name]
        try:
            if run.differs(bent):
                return
        except (AssertionError, LookupError):
            # It came to a request that this account cannot have had.
            return
    raise AssertionError(f"nothing of {len(RUNS)} runs is another way where an exchange {name.replace('_', ' ')}")


def test_a_digit_is_noticed() -> None:
    """Each figure of a fill, of an order and of the money, changed in its last digit."""
    run = played("spot")
    places = [
        *((("fills", 7, name)) for name in ("price", "quantity", "fee", "realized_pnl")),
        *((("fills", 7, "receipt", name)) for name in ("trade_price", "trade_volume", "trade_used", "slippage")),
        *((("snapshots", 4, "portfolios", 0, name)) for name in (
            "equity", "available_balance", "used_margin", "held_margin", "unrealized_pnl", "realized_pnl", "fees",
            "maintenance_margin")),
        *((("orders", 3, name)) for name in ("quantity", "filled_quantity")),
    ]  # fmt: skip
    report = copy.deepcopy(run.report)
    for place in places:
        document = report
        for step in place[:-1]:
            document = document[step]
        document[place[-1]] = str(Decimal(document[place[-1]]) + Decimal("0.0000000000000001"))
    found = [difference.partition(": ")[2].split(" is ")[0].split()[-1] for difference in run.differences(report)]
    assert sorted(found) == sorted(place[-1] for place in places)


def test_the_same_run_is_the_same_bytes() -> None:
    name, flags = RUNS["three markets"]
    path = recording(name)
    assert paper(str(path), *flags) == paper(str(path), *flags)


def test_the_ledger_holds_every_step() -> None:
    """Numbered without a hole, its fills those of the report, and each order's versions ascending by one."""
    report = played("spot").report
    ledger = report["ledger"]
    assert [entry["sequence"] for entry in ledger] == list(range(1, len(ledger) + 1))
    assert [entry["event"]["fill"] for entry in ledger if "fill" in entry["event"]] == report["fills"]
    versions: dict[str, int] = {}
    last: dict[str, Any] = {}
    for entry in ledger:
        order = entry["event"].get("order")
        if order is not None:
            assert order["version"] == versions.get(order["id"], 0) + 1
            versions[order["id"]] = order["version"]
            last[order["id"]] = order
    assert list(last.values()) == report["orders"]


TRADE = '{"e":"trade","E":%d,"s":"AAAUSDT","t":%d,"p":"100","q":"1","T":%d,"m":true}'

WRONG: dict[str, tuple[list[str], int, str]] = {
    "no file": (["gone.jsonl"], 66, "There is no file gone.jsonl"),
    "more than there is": (["trades.jsonl", "--participation", "2"], 64, "--participation: it must be above 0 and at most 1"),
    "half a decimal": (["trades.jsonl", "--participation", "1/2"], 64, "“1/2” is not a decimal number"),
    "a rebate for takers": (["trades.jsonl", "--taker-fee=-0.1"], 64, "--taker-fee: it must be at least 0"),
    "a slippage of all": (["trades.jsonl", "--slippage", "501"], 64, "--slippage: it must be between 0 and 500"),
    "a day's latency": (["trades.jsonl", "--latency", "86400"], 64, "--latency: it must be between 0 and 3600"),
    "no leverage": (["trades.jsonl", "--leverage", "0"], 64, "--leverage must be from 1 to 100; it is 0"),
    "no capital": (["trades.jsonl", "--capital", "0"], 64, "--capital must be above 0"),
    "averages the wrong way round": (["trades.jsonl", "--fast", "9", "--slow", "9"], 64, "--fast 9 must be below"),
    "an unknown entry": (["trades.jsonl", "--entries", "limit,hope"], 64, "--entries “hope” is not one of market, limit"),
    "an unknown exit": (["trades.jsonl", "--exits", ""], 64, "--exits “” is not one of bracket, trailing"),
    "an unknown venue": (["trades.jsonl", "--venue", "x"], 64, 'Unknown venue "x"; allowed are binance'),
    "nothing at all": ([], 64, "Missing expected argument"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_wrong_usage_says_what_is_allowed(tmp_path: Path, case: str) -> None:
    arguments, code, part = WRONG[case]
    time = 1_719_792_000_000
    (tmp_path / "trades.jsonl").write_text(TRADE % (time, 1, time) + "\n")
    answer = subprocess.run(
        [str(binary()), "paper", *arguments], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert (answer.returncode, answer.stdout) == (code, "")
    assert answer.stderr.startswith("Error: ") and part in answer.stderr.splitlines()[0]


def test_a_table_is_printed_without_json(tmp_path: Path) -> None:
    time = 1_719_792_000_000
    lines = [TRADE % (time + 500 * number, number, time + 500 * number) for number in range(100)]
    (tmp_path / "trades.jsonl").write_text("\n".join(lines) + "\n")
    answer = subprocess.run(
        [str(binary()), "paper", "trades.jsonl"], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert (answer.returncode, answer.stderr) == (0, "")
    head, figures, _, titles, row = answer.stdout.splitlines()
    assert head == "PAPER  paper-run  trades.jsonl, averages of 5 and 20 candles of 1s"
    # A price that does not move crosses nothing.
    assert figures == "100 trades in 1 market; 0 requests, 0 refused; 0 orders; 0 fills, 0 as maker; 1 ledger entry"
    assert titles.split()[0] == "CURRENCY" and row.split() == ["USDT", "100000", "100000", *"00000", "100000"]
