"""A client as the first description of the consultation protocol has it, over a line that is cut at random points.

It keeps its messages when it reconnects, and knows no `sync`, no `sequence` and no offsets. What it shows is exactly the
answer, it never keeps an empty bubble, and it never goes on typing. CANDLEWIRE_ORIGINAL_SEED for other points, and
CANDLEWIRE_ORIGINAL_CUTS for more of them.
"""

import json
import os
import random
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from model_server import CountingModel
from raw_socket import CLOSE, PING, TEXT, FrameParser, RawSocket
from running_server import RunningServer

SEED = int(os.environ.get("CANDLEWIRE_ORIGINAL_SEED", "17"))
CUTS = int(os.environ.get("CANDLEWIRE_ORIGINAL_CUTS", "200"))
PONG = 10
KNOWN = {
    "user_message", "ai_message_start", "ai_message_chunk", "ai_message_complete", "template_created", "error", "ping", "pong",
}  # fmt: skip


@dataclass
class Message:
    id: str
    role: str
    content: str
    is_streaming: bool = False


@dataclass
class Manager:
    """The original manager: its state, and what it does with each message. It has one connection at a time."""

    port: int
    consultation: str
    messages: list[Message] = field(default_factory=list)
    is_connected: bool = False
    is_typing: bool = False
    connection_error: str | None = None
    _socket: RawSocket | None = None
    _parser: FrameParser = field(default_factory=FrameParser)

    # The connection. After the wait of its backoff it does the same again, and keeps its messages.

    def connect(self) -> None:
        self._socket = RawSocket(self.port, path=f"/ws/consultation?consultation_id={self.consultation}&token=original")
        self._parser = FrameParser()
        self.is_connected = True
        self.connection_error = None

    def cut(self) -> None:
        """The line is lost: no close frame, and what was not read yet is gone."""
        assert self._socket
        self._socket.__exit__()
        self._socket = None
        self.is_connected = False

    def send_user_message(self, text: str) -> None:
        assert self._socket
        message = Message(f"msg_{uuid.uuid4()}", "user", text)
        self.messages.append(message)
        envelope = {
            "type": "user_message", "content": text, "message_id": message.id, "timestamp": "2025-01-27T10:00:00Z"
        }  # fmt: skip
        self._socket.send(TEXT, json.dumps(envelope).encode())

    def read(self, within: float) -> bytes:
        """What the line has brought, at least a byte; empty where nothing came in time."""
        assert self._socket
        try:
            data = self._socket.read(time.monotonic() + within)
        except TimeoutError:
            return b""
        assert data, "the server closed the connection"
        return data

    def handle(self, data: bytes) -> int:
        """Handles the whole frames of what was read, as the WebSocket library and then the manager do."""
        handled = 0
        for opcode, payload in self._parser.feed(data):
            if opcode == PING and self._socket:
                self._socket.send(PONG, payload)
            assert opcode != CLOSE, payload
            if opcode == TEXT:
                handled += 1
                self.handle_text(payload.decode())
        return handled

    # The messages.

    def handle_text(self, text: str) -> None:
        envelope = json.loads(text)
        if envelope.get("type") not in KNOWN or not envelope.get("message_id") or not envelope.get("timestamp"):
            return
        identifier, content = envelope["message_id"], envelope.get("content")
        match envelope["type"]:
            case "ai_message_start":
                self.is_typing = True
                self.messages.append(Message(identifier, "assistant", "", is_streaming=True))
            case "ai_message_chunk":
                if (known := self.message(identifier)) and content:
                    known.content += content
            case "ai_message_complete":
                self.is_typing = False
                if known := self.message(identifier):
                    known.is_streaming = False
            case "template_created":
                card = envelope["metadata"]
                self.messages.append(
                    Message(card["template_id"], "system", f"Created {card['type']} template: {card['name']}")
                )
            case "error":
                self.connection_error = content or "Unknown error"
            case "user_message" | "ping" | "pong":
                pass

    def message(self, identifier: str) -> Message | None:
        return next((message for message in self.messages if message.id == identifier), None)

    def of(self, role: str) -> list[Message]:
        return [message for message in self.messages if message.role == role]


def begin(server: RunningServer) -> str:
    request = urllib.request.Request(
        f"{server.address}/consultations", method="POST", data=b'{"userId":"ada","consultationType":"wellness"}'
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)["id"]


def kept(server: RunningServer, consultation: str, role: str) -> list[dict[str, Any]]:
    messages = server.get(f"/consultations/{consultation}/messages", limit=100)["messages"]
    return [message for message in messages if message["role"] == role]


class CutLine:
    """Plays a manager's connection and cuts it at random points: before an answer, in it, after it, between a frame that
    arrives and the one after it, and while a frame is on its way."""

    def __init__(self, manager: Manager, chosen: random.Random) -> None:
        self.manager = manager
        self.cuts = 0
        self._random = chosen
        manager.connect()

    def cut(self) -> None:
        self.cuts += 1
        self.manager.cut()
        time.sleep(self._random.choice([0, 0, 0.001, 0.01, 0.05]))
        self.manager.connect()

    def until(self, is_so: Callable[[], bool], chance: float, within: float = 30) -> None:
        end = time.monotonic() + within
        while not is_so():
            assert time.monotonic() < end, f"after {self.cuts} cuts it shows {self.manager.messages[-3:]}"
            data = self.manager.read(0.5)
            if not data or self._random.random() >= chance:
                self.manager.handle(data)
                continue
            if self._random.random() < 0.5:
                # It was on its way.
                self.manager.handle(data[: self._random.randrange(len(data) // 2)])
            else:
                self.manager.handle(data)
            self.cut()


QUESTIONS = ["help", "price of BTC-USD", "workout", "are the feeds healthy?", "meal plan", "wellness routine"]


def check(manager: Manager, server: RunningServer) -> None:
    answers = kept(server, manager.consultation, "assistant")
    shown = manager.of("assistant")
    assert [(message.id, message.content) for message in shown] == [
        (answer["message_id"], answer["content"]) for answer in answers
    ]
    assert all(message.content for message in shown), "an empty bubble"
    assert not any(message.is_streaming for message in shown) and not manager.is_typing
    cards = [card["metadata"]["template_id"] for card in kept(server, manager.consultation, "system")]
    assert [message.id for message in manager.of("system")] == cards


def play(server: RunningServer, cuts: int, chance: float, questions: list[str]) -> None:
    """Asks until there were so many cuts, with a new consultation where one has had all the questions."""
    chosen = random.Random(SEED)
    done = 0
    while done < cuts:
        manager = Manager(server.port, begin(server))
        line = CutLine(manager, chosen)
        for number, question in enumerate(questions):
            manager.send_user_message(question)

            def is_over(requested: int = number + 1) -> bool:
                answers = kept(server, manager.consultation, "assistant")  # noqa: B023
                return len(answers) == requested and all(answer["end"] == "completed" for answer in answers)

            # Its own message has to arrive: it is not sent again.
            while len(kept(server, manager.consultation, "user")) <= number:
                time.sleep(0.002)
            line.until(lambda: bool(manager.of("assistant")) and is_over(), chance)  # noqa: B023
            if chosen.random() < 0.5:
                line.cut()
            # What it lacks comes without a further message of its own.
            line.until(
                lambda: not manager.is_typing  # noqa: B023
                and len(manager.of("assistant")) == number + 1  # noqa: B023
                and len(manager.of("system")) == len(kept(server, manager.consultation, "system")),  # noqa: B023
                chance,
            )
            check(manager, server)
        done += line.cuts
        manager.cut()
    print(f"{done} cuts")


@pytest.fixture
def server(serve: Callable[..., RunningServer]) -> RunningServer:
    return serve("sim:BTC-USD", "--allow-query-token")


def test_after_200_cuts_it_shows_exactly_the_answers_of_the_guide(server: RunningServer) -> None:
    play(server, CUTS, 0.3, QUESTIONS)


def test_a_long_answer_that_streams_is_cut_in_its_middle(serve: Callable[..., RunningServer]) -> None:
    model = CountingModel(count=60, pause=0.004)
    server = serve(
        "sim:BTC-USD", "--consultation-url", model.url, "--consultation-model", "counting",
        "--allow-query-token",
    )  # fmt: skip
    try:
        play(server, 60, 0.1, ["question one", "question two"])
    finally:
        model.stop()


def test_an_answer_that_ends_while_it_is_away_is_there_when_it_is_back(server: RunningServer) -> None:
    manager = Manager(server.port, begin(server))
    line = CutLine(manager, random.Random(SEED))
    manager.send_user_message("help")
    line.until(lambda: bool(manager.of("assistant")), 0)
    manager.cut()
    end = time.monotonic() + 30
    while not any(answer["end"] == "completed" for answer in kept(server, manager.consultation, "assistant")):
        assert time.monotonic() < end
        time.sleep(0.01)
    manager.connect()
    line.until(lambda: not manager.is_typing, 0)
    check(manager, server)


def test_a_template_is_created_after_the_end_of_its_answer(server: RunningServer) -> None:
    manager = Manager(server.port, begin(server))
    types: list[str] = []
    original = manager.handle_text

    def record(text: str) -> None:
        types.append(json.loads(text)["type"])
        original(text)

    manager.handle_text = record  # type: ignore[method-assign]
    line = CutLine(manager, random.Random(SEED))
    manager.send_user_message("meal plan")
    line.until(lambda: bool(manager.of("system")), 0)
    assert types.index("template_created") > types.index("ai_message_complete")
    card = kept(server, manager.consultation, "system")[0]["metadata"]
    assert server.get(f"/consultations/{manager.consultation}/templates/{card['template_id']}") == card
    with pytest.raises(urllib.error.HTTPError) as refused:
        server.get(f"/consultations/{manager.consultation}/templates/other")
    assert refused.value.code == 404 and json.load(refused.value)["error"]["code"] == "unknown_template"
