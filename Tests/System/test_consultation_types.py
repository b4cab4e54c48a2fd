"""Consultation types from a file: what a type may know and create, and the errors of a wrong file."""

import json
import re
import subprocess
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from model_server import CountingModel
from running_server import RunningServer
from support.polling import eventually
from support.server import binary


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(binary()), *arguments], capture_output=True, text=True, timeout=120, check=False)


def post(server: RunningServer, path: str, body: dict[str, Any]) -> tuple[int, Any]:
    request = urllib.request.Request(
        f"{server.address}{path}", method="POST", data=json.dumps(body).encode(), headers={"Content-Type": "application/json"}
    )
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def answered(server: RunningServer, kind: str, text: str) -> list[dict]:
    """The conversation after the answer to a question."""
    status, begun = post(server, "/consultations", {"consultationType": kind, "initialMessage": text})
    assert status == 201, begun
    path = f"/consultations/{begun['id']}"
    eventually(lambda: not server.get(path)["answering"] and server.get(path)["messages"] > 1, "an answer")
    return server.get(f"{path}/messages")["messages"]


def test_the_printed_example_is_a_configuration_and_other_types_are_refused(
    serve: Callable[..., RunningServer], tmp_path: Path
) -> None:
    printed = run("consultation-types")
    assert printed.returncode == 0
    file = tmp_path / "types.json"
    file.write_text(printed.stdout)
    names = [each["name"] for each in json.loads(printed.stdout)["types"]]
    assert names == ["markets", "nutrition", "workout"]
    server = serve("sim:BTC-USD", "--seed", "5", "--consultation-types", str(file))
    document = server.get("/consultation-types")
    assert [each["type"] for each in document["types"]] == names and document["accepts_others"] is False
    assert all(each["listed"] for each in document["types"]) and "system_prompt" not in json.dumps(document)
    status, refused = post(server, "/consultations", {"consultationType": "cooking"})
    error = refused["error"]
    assert status == 422 and error["field"] == "consultation_type" and "markets, nutrition, workout" in error["message"]
    meal = answered(server, "nutrition", "vegetarian meal plan with 1,500 kcal")
    assert meal[-1]["metadata"]["type"] == "meal" and "salmon" not in json.dumps(meal[-1])
    order = answered(server, "nutrition", "buy 0.1 BTC-USD")
    assert [each["role"] for each in order] == ["user", "assistant"]
    assert "BTC-USD is at" not in order[-1]["content"]


def test_a_model_gets_the_context_and_the_tools_of_its_type_and_no_others(
    serve: Callable[..., RunningServer], tmp_path: Path
) -> None:
    model = CountingModel(count=2, pause=0)
    file = tmp_path / "types.json"
    plain = {"title": "T", "system_prompt": "You are a coach."}
    file.write_text(
        json.dumps(
            {
                "types": [
                    {"name": "markets", "context": ["markets", "positions"], "templates": ["order_proposal"], **plain},
                    {"name": "nutrition", "templates": ["meal"], "model": "other-1", **plain},
                ]
            }
        )
    )
    flags = ("--consultation-url", model.url, "--consultation-model", "counting", "--consultation-types", str(file))
    server = serve("sim:BTC-USD", "--seed", "5", *flags)
    order = {"symbol": "BTC-USD", "side": "buy", "type": "market", "quantity": "0.25", "client_order_id": "a"}
    eventually(lambda: post(server, "/v1/orders", order)[0] < 300, "a market with a price", every=1)
    eventually(lambda: [each["size"] for each in server.get("/v1/positions")["positions"]] == ["0.25"], "a position")
    answered(server, "nutrition", "what do I hold?")
    answered(server, "markets", "what do I hold?")
    model.stop()
    food, markets = model.bodies
    assert food["model"] == "other-1" and markets["model"] == "counting"
    assert [each["function"]["name"] for each in food["tools"]] == ["create_meal"]
    assert [each["function"]["name"] for each in markets["tools"]] == ["create_order_proposal"]
    assert "You are a coach." in food["messages"][0]["content"]
    for secret in ("BTC-USD", "0.25", "Live state"):
        assert secret in json.dumps(markets) and secret not in json.dumps(food), secret


def test_a_stop_and_a_target_in_words_are_in_the_placed_order(quiet: RunningServer) -> None:
    def proposal() -> dict | None:
        said = answered(quiet, "markets", "Buy 0.05 BTC with stop loss 2 % below and take profit 4 % above")
        return said[-1] if said[-1]["role"] == "system" else None

    card = eventually(proposal, "a market with a price", every=2)
    fields = card["metadata"]
    reference = float(re.search(r"2 % below ([\d,.]+)", fields["description"])[1].replace(",", ""))
    assert float(fields["stop_loss"]) == pytest.approx(reference * 0.98, abs=0.006)
    assert float(fields["take_profit"]) == pytest.approx(reference * 1.04, abs=0.006)
    [consultation] = [
        each["id"] for each in quiet.get("/consultations")["consultations"]
        if any(one["message_id"] == card["message_id"] for one in quiet.get(f"/consultations/{each['id']}/messages")["messages"])
    ]  # fmt: skip
    path = f"/consultations/{consultation}/proposals/{fields['template_id']}"
    status, order = post(quiet, path, {"decision": "approve"})
    assert status == 201 and (order["quantity"], order["stop_loss"], order["take_profit"]) == (
        "0.05", fields["stop_loss"], fields["take_profit"],
    )  # fmt: skip


def test_each_request_of_a_message_is_answered_and_its_cards_are_made(quiet: RunningServer) -> None:
    def answer() -> tuple[str, list[dict]] | None:
        said = answered(quiet, "markets", "Buy 0.05 BTC, stop loss 2% below, set an alert at 9999999, and are the feeds healthy?")
        cards = [each["metadata"] for each in said if each["role"] == "system"]
        return (" ".join(each["content"] for each in said if each["role"] == "assistant"), cards) if len(cards) == 2 else None

    text, cards = eventually(answer, "a market with a price", every=2)
    order, alert = sorted(cards, key=lambda card: card["type"], reverse=True)
    assert (order["quantity"], order["symbol"]) == ("0.05", "BTC-USD") and float(order["stop_loss"]) > 0
    assert (alert["price"], alert["symbol"]) == ("9999999", "BTC-USD") and "is connected" in text
    assert re.search(r"BTC-USD is at \d{2,3},\d{3}\.\d\d", text) and "above 9,999,999" in text


def test_a_comparison_is_answered_from_candles(quiet: RunningServer) -> None:
    def compared() -> str | None:
        text = answered(quiet, "markets", "Compare BTC and ETH over the last hour, which was stronger and why?")[-1]["content"]
        return text if "**" in text else None

    text = eventually(compared, "two markets with candles", every=2)
    assert re.search(r"\*\*(BTC|ETH)-USD was stronger\*\*", text) and "volatility" in text and "range" in text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"types": [\n{"name": "a"}]}', 'line 2: Field "types[0].title" must be a text of 1 to 80 bytes; it is missing.'),
        ('{"types": []', "is not JSON"),
        (
            '{"types": [{"name": "a", "title": "A", "system_prompt": "p",\n\n"context": ["account"]}]}',
            'line 3: Field "types[0].context[0]" must be one of markets, positions, feeds; it is "account".',
        ),
        (
            '{"types": [{"name": "a", "title": "A", "system_prompt": "p", "model": "m"}]}',
            'types[0].model is "m", a language model, which needs --consultation-url',
        ),
    ],
)
def test_a_wrong_file_is_reported_with_line_and_field(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "types.json"
    file.write_text(text)
    started = run("serve", "--port", "1", "--data-dir", str(tmp_path / "data"), "--consultation-types", str(file))
    assert started.returncode == 64 and words in started.stderr, started.stderr


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    started = run("serve", "--data-dir", str(tmp_path / "data"), "--consultation-types", str(tmp_path / "none.json"))
    assert started.returncode == 64 and "none.json of --consultation-types cannot be read" in started.stderr
