"""The frames that stand in `Docs/consultation.md` do what it says of them, sent as they stand there to a real server."""

import json
import re
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

from model_server import CountingModel, words
from running_server import RunningServer
from support import secrets
from websockets.sync.client import ClientConnection, connect

PAGE = Path(__file__).parents[2] / "Docs" / "consultation.md"
KEY = "the-api-key-of-ada-for-frames"


def documented(consultation: str) -> dict[str, str]:
    """The example frame of each type; what stands for the reader's own is filled in."""
    chapter = PAGE.read_text().partition("\n## Over a WebSocket\n")[2].partition("\n## ")[0]
    lines = "".join(re.findall(r"```json\n(.*?)```", chapter, re.DOTALL)).splitlines()
    frames = {json.loads(line)["type"]: line.replace("TOKEN", KEY).replace("ID-", f"{consultation}-") for line in lines}
    assert len(frames) == len(lines), "one of each type"
    return frames


class Conversation:
    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    def until(self, kind: str) -> list[dict[str, Any]]:
        """Frames up to the next one of this type."""
        received: list[dict[str, Any]] = []
        while not received or received[-1]["type"] != kind:
            received.append(json.loads(self.socket.recv(timeout=60)))
            assert received[-1]["type"] != "error", received[-1]
        return received

    def exchange(self, frame: str, kind: str) -> list[dict[str, Any]]:
        self.socket.send(frame)
        return self.until(kind)


def said(received: list[dict[str, Any]]) -> str:
    return "".join(each["content"] for each in received if each["type"] == "ai_message_chunk")


def test_every_frame_in_the_document_gets_the_answer_that_stands_there(
    serve: Callable[..., RunningServer], tmp_path: Path
) -> None:
    keys = tmp_path / "keys"
    secrets.private_file(keys, f"ada:{secrets.remember(KEY)}\n")
    # Two seconds an answer: time enough to stop one.
    model = CountingModel(count=40, pause=0.05)
    server = serve(
        "sim:BTC-USD", "--consultation-keys", str(keys), "--consultation-url", model.url, "--consultation-model", "counting"
    )
    request = urllib.request.Request(
        f"{server.address}/consultations", method="POST", headers={"X-API-Key": KEY},
        data=b'{"consultationType":"nutrition","userId":"ada"}',
    )  # fmt: skip
    with urllib.request.urlopen(request, timeout=60) as answer:
        consultation = json.load(answer)["id"]
    frames = documented(consultation)
    text = "".join(words(json.loads(frames["user_message"])["content"], model.count))
    assert set(frames) == {"user_message", "auth", "ping", "cancel", "retry", "sync"}
    question = json.loads(frames["user_message"])["message_id"]
    with connect(f"ws://127.0.0.1:{server.port}/ws/consultation?consultation_id={consultation}") as socket:
        client = Conversation(socket)
        # A client receives nothing before its token is accepted.
        [ack] = client.exchange(frames["auth"], "ack")
        assert ack["message_id"] == json.loads(frames["auth"])["message_id"]
        assert client.exchange(frames["ping"], "pong")[-1]["message_id"] == json.loads(frames["ping"])["message_id"]

        received = client.exchange(frames["user_message"], "ai_message_complete")
        assert [(each["type"], each["message_id"]) for each in received[:1]] == [("ack", question)]
        first = received[-1]["message_id"]
        assert [each["sequence"] for each in received if "sequence" in each] == [1, 2, 3]
        assert said(received) == text

        # It goes on in the middle of the answer that the document names.
        received = client.exchange(frames["sync"], "ai_message_complete")
        assert received[0]["type"] == "sync" and received[0]["metadata"]["resumed"] is True
        assert said(received) == text[4:]
        assert (received[-1]["message_id"], received[-1]["sequence"]) == (first, 3)

        received = client.exchange(frames["retry"], "ai_message_start")
        again = received[-1]
        assert again["metadata"]["reply_to"] == question
        assert again["message_id"] != first
        stopped = client.exchange(frames["cancel"], "cancelled")[-1]
        assert stopped["message_id"] == again["message_id"]
        assert len(stopped["content"]) < len(text)
    model.stop()
