"""A conversation over a line that is cut again and again, with a server that is killed in between.

Both sides end with the same text; no message is doubled, and no word of an answer is lost or comes twice, because the
model counts. CANDLEWIRE_CONSULT_SEED for other moments, CANDLEWIRE_CONSULT_CUTS and CANDLEWIRE_CONSULT_KILLS for more of them.
"""

import json
import os
import random
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from consult_client import Consult
from cutting_proxy import CuttingProxy
from model_server import CountingModel, words
from running_server import RunningServer

SEED = int(os.environ.get("CANDLEWIRE_CONSULT_SEED", "46"))
CUTS = int(os.environ.get("CANDLEWIRE_CONSULT_CUTS", "500"))
KILLS = int(os.environ.get("CANDLEWIRE_CONSULT_KILLS", "20"))
# Of each piece that goes over the line, so many are cut.
CHANCE = 0.3
WORDS = 150
PAUSE = 0.004


@pytest.fixture
def model() -> Iterator[CountingModel]:
    model = CountingModel(count=WORDS, pause=PAUSE)
    yield model
    model.stop()


@pytest.fixture
def server(serve: Callable[..., RunningServer], model: CountingModel) -> RunningServer:
    return serve(
        "sim:BTC-USD", "--consultation-url", model.url, "--consultation-model", "counting",
    )  # fmt: skip


@pytest.fixture
def proxy(server: RunningServer) -> Iterator[CuttingProxy]:
    proxy = CuttingProxy(server.port, seed=SEED)
    yield proxy
    proxy.stop()


@pytest.fixture
def client(proxy: CuttingProxy) -> Iterator[Consult]:
    client = Consult(
        "--json", "--url", f"http://127.0.0.1:{proxy.port}", "--reconnect-base", "0.002", "--reconnect-attempts", "100000",
        piped=True,
    )  # fmt: skip
    yield client
    client.close()


def kept(server: RunningServer) -> dict[str, dict[str, Any]]:
    """The messages of the only conversation, as REST has them, by id."""
    (consultation,) = server.get("/consultations")["consultations"]
    path = f"/consultations/{consultation['id']}/messages"
    page = server.get(path, limit=100)
    messages = page["messages"]
    while page["more"]:
        page = server.get(path, limit=100, before=messages[0]["message_id"])
        messages = page["messages"] + messages
    assert len({message["message_id"] for message in messages}) == len(messages)
    return {message["message_id"]: message for message in messages}


def check(client: Consult, server: RunningServer, questions: list[str]) -> None:
    messages = kept(server)
    requested = {key: message["content"] for key, message in messages.items() if message["role"] == "user"}
    # Each question came once, in its order, however often it was sent.
    assert list(requested.values()) == questions
    answers = [message for message in messages.values() if message["role"] == "assistant"]
    shown = client.answers
    assert len({message["message_id"] for message in shown}) == len(shown)
    assert {message["message_id"]: (message["content"], message["end"]) for message in shown} == {
        message["message_id"]: (message["content"], message["end"]) for message in answers
    }
    for answer in answers:
        whole = "".join(words(requested[answer["reply_to"]], WORDS))
        assert whole.startswith(answer["content"]), answer
        assert answer["end"] != "completed" or answer["content"] == whole, answer
        assert answer["end"] in ("completed", "interrupted", "cancelled"), answer


def test_after_500_cuts_and_20_kills_both_sides_have_the_same_text(
    client: Consult, server: RunningServer, proxy: CuttingProxy
) -> None:
    chosen = random.Random(SEED)
    client.until(lambda: "Consultation" in client.notes, "the conversation begins")
    questions: list[str] = []
    kills = 0
    while proxy.cuts < CUTS or kills < KILLS:
        questions.append(f"question q{len(questions)}")
        proxy.chance = CHANCE
        client.type(questions[-1])
        if kills < KILLS:
            time.sleep(chosen.uniform(0, WORDS * PAUSE))
            server.kill()
            kills += 1
            server.start()
        requested = len(questions)
        client.until(lambda: len(client.answers) >= requested, f"answer {requested}")  # noqa: B023
    proxy.chance = 0
    assert len(questions) < 100, "the client keeps no more"
    check(client, server, questions)
    # What is on the disk, and nothing else.
    server.kill()
    server.start()
    check(client, server, questions)
    ends = [message["end"] for message in client.answers]
    assert "completed" in ends and "interrupted" in ends, ends
    print(f"{proxy.cuts} cuts, {kills} kills, {len(questions)} questions, {json.dumps({e: ends.count(e) for e in set(ends)})}")


def test_what_is_stopped_during_an_outage_is_stopped_after_it(
    client: Consult, server: RunningServer, proxy: CuttingProxy, model: CountingModel
) -> None:
    model.pause = 0.5
    client.until(lambda: "Consultation" in client.notes, "the conversation begins")
    client.type("question long")
    client.until(lambda: model.requested, "the model receives the request")
    proxy.is_down = True
    proxy.cut_all()
    client.until(lambda: "the connection is lost" in client.notes, "the outage is seen")
    client.type("/stop")
    client.until(lambda: "stopped as soon as" in client.notes, "the request is noted")
    proxy.is_down = False
    # The whole answer would take more than a minute.
    client.until(lambda: client.answers, "the end of the answer", within=60)
    assert client.answers[0]["end"] == "cancelled"
    check(client, server, ["question long"])
