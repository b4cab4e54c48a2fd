"""`candlewire consult` in a terminal and in a pipe, against a real server."""

import json
import os
import subprocess
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from consult_client import UTF8, Consult
from model_server import CountingModel, words
from running_server import RunningServer
from support.polling import eventually
from support.server import binary


def run(*arguments: str, given: str | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(binary()), "consult", *arguments], input=given, stdin=None if given is not None else subprocess.DEVNULL,
        capture_output=True, text=True, env={**os.environ, **UTF8}, timeout=120, check=False,
    )  # fmt: skip


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    folder = tmp_path_factory.mktemp("quiet") / "data"
    server = RunningServer(folder, feed="sim:BTC-USD,ETH-USD", flags=("--seed", "5")).start()
    yield server
    server.stop()


@pytest.fixture(scope="module", autouse=True)
def traded(quiet: RunningServer) -> None:
    """The guide knows no price before the first trade, and then proposes and finds nothing."""
    eventually(
        lambda: "is at" in run("--url", quiet.address, "How is BTC-USD?").stdout, "BTC-USD has a price", every=2
    )


@pytest.fixture
def consult(quiet: RunningServer) -> Iterator[Callable[..., Consult]]:
    clients: list[Consult] = []

    def start(*arguments: str, server: RunningServer = quiet, piped: bool = False) -> Consult:
        clients.append(Consult("--url", server.address, *arguments, piped=piped))
        return clients[-1]

    yield start
    for client in clients:
        client.close()


@pytest.fixture
def slow(serve: Callable[..., RunningServer]) -> Iterator[tuple[RunningServer, CountingModel]]:
    """A server whose assistant counts, a word in a tenth of a second."""
    model = CountingModel(count=3, pause=0.1)
    yield serve("sim:BTC-USD", "--consultation-url", model.url, "--consultation-model", "counting"), model
    model.stop()


def test_one_question_in_a_pipe(quiet: RunningServer) -> None:
    answer = run("--url", quiet.address, "How", "is", "BTC-USD?")
    assert answer.returncode == 0, answer.stderr
    assert "BTC-USD" in answer.stdout and answer.stdout.endswith("\n")
    piped = run("--url", quiet.address, "--json", given="watchlist of the movers\n")
    assert piped.returncode == 0, piped.stderr
    said = [json.loads(line) for line in piped.stdout.splitlines()]
    assert [message["role"] for message in said].count("assistant") == 1
    assert [message["template"]["type"] for message in said if "template" in message] == ["watchlist"]


def test_what_is_wrong_is_said_with_its_exit_code(quiet: RunningServer) -> None:
    unknown = run("--url", quiet.address, "--resume", "3f1b7a1e-0000-4000-8000-000000000000", "hello")
    assert unknown.returncode == 66 and "3f1b7a1e" in unknown.stderr
    assert run("--url", quiet.address, given="").returncode == 64
    assert run("--url", quiet.address, "x" * 5001).returncode == 64
    assert run("--url", "http://127.0.0.1:1", "hello").returncode == 69


def test_a_conversation_in_the_terminal_is_resumed_listed_and_saved(
    quiet: RunningServer, consult: Callable[..., Consult], tmp_path: Path
) -> None:
    client = consult("--type", "nutrition")
    client.shows(f"Later: candlewire consult --url {quiet.address} --resume ")
    name = client.output.partition("--resume ")[2].split()[0]
    client.type("/help")
    client.shows("/approve [ID]")
    client.type("meal plan")
    client.shows("[meal] ")
    client.type("/nonsense")
    client.shows("There is no /nonsense")
    client.type("/history 2")
    client.shows(" assistant: ")
    saved = tmp_path / "talk.json"
    client.type(f"/export json {saved}")
    client.shows("Saved as")
    assert json.loads(saved.read_text())["consultation"]["type"] == "nutrition"
    client.type(f"/export json {saved}")
    client.shows("is there already")
    client.type("/quit")
    assert client.end() == 0

    listed = run("--url", quiet.address, "--list")
    assert name in listed.stdout and "meal plan" in listed.stdout
    again = consult("--resume", name)
    again.shows("You: meal plan")
    again.shows("[meal] ")
    again.press("\x04")
    assert again.end() == 0


def test_words_come_as_they_are_said_and_ctrl_c_stops_and_then_leaves(
    slow: tuple[RunningServer, CountingModel], consult: Callable[..., Consult]
) -> None:
    server, model = slow
    client = consult(server=server)
    client.shows("> ")
    client.type("question one")
    client.shows("one:0 ")
    assert "one:2" not in client.output
    client.shows("".join(words("one", 3)))
    model.count = 100_000
    client.type("question two")
    client.shows("two:2 ")
    client.press("\x03")
    client.shows("(stopped)")
    client.press("\x03")
    assert client.end() == 130


def test_a_restart_of_the_server_is_seen_and_survived(
    slow: tuple[RunningServer, CountingModel], consult: Callable[..., Consult]
) -> None:
    server, model = slow
    client = consult("--reconnect-base", "0.1", server=server)
    client.shows("> ")
    model.count = 100_000
    client.type("question one")
    client.shows("one:1 ")
    server.kill()
    client.shows("the connection is lost")
    server.start()
    client.shows("connected again")
    # Text is on the screen before it is on the disk.
    client.shows("(the server lost ")
    client.shows("interrupted: the server stopped meanwhile")
    model.count = 3
    client.type("/retry")
    client.shows("".join(words("one", 3)))


def test_a_proposed_order_is_placed_when_the_user_says_so_and_not_before(
    quiet: RunningServer, consult: Callable[..., Consult]
) -> None:
    def orders() -> list[dict[str, str]]:
        return quiet.get("/v1/orders", status="all")["orders"]

    before = len(orders())
    client = consult()
    client.shows("> ")
    client.type("buy 0.01 BTC-USD")
    client.shows("Place this paper order? [y/n]")
    name = client.output.partition("  id: ")[2].split()[0]
    assert len(orders()) == before
    client.type("y")
    client.until(lambda: len(orders()) == before + 1, "the order")
    assert orders()[0]["client_order_id"] == name
    # Once more is the same order.
    client.type(f"/approve {name}")
    client.type("sell 0.01 BTC-USD")
    client.until(lambda: client.output.count("[y/n]") == 2, "the second question")
    client.type("n")
    client.shows("(declined)")
    client.type("/approve")
    client.shows("No order is proposed.")
    assert len(orders()) == before + 1


def test_a_refused_question_leaves_no_consultation(serve: Callable[..., RunningServer]) -> None:
    # One at once, and the next in a hundred minutes.
    server = serve("sim:BTC-USD", "--limit", "questions=0.01")
    body = json.dumps({"consultationType": "markets", "userId": "local"}).encode()
    with urllib.request.urlopen(server.address + "/consultations", data=body, timeout=60) as answer:
        assert answer.status == 201
    result = run("--url", server.address, "How is BTC-USD?")
    assert result.returncode == 75 and "Too many questions" in result.stderr, result
    assert result.stdout == "" and "/retry" not in result.stderr
    assert len(server.get("/consultations")["consultations"]) == 1


def test_an_answer_that_fails_or_is_empty_is_said_beside_it(serve: Callable[..., RunningServer]) -> None:
    model = CountingModel(count=0, pause=0.0)
    server = serve("sim:BTC-USD", "--consultation-url", model.url, "--consultation-model", "counting")
    result = run("--url", server.address, "question one")
    assert (result.returncode, result.stdout, result.stderr) == (1, "", "(failed: The model answered nothing.)\n")
    said = run("--url", server.address, "--json", "question two")
    assert said.returncode == 1 and json.loads(said.stdout)["reason"] == "The model answered nothing."
    model.stop()
