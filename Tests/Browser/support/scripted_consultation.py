"""A server of consultations that a test scripts message by message. The page's other requests reach the real one."""

import json
import re
import time
from datetime import UTC, datetime
from typing import Any

from playwright.sync_api import Page, Request, Route, WebSocketRoute

ID = "11111111-2222-4333-8444-555555555555"


class ScriptedConsultation:
    """One conversation. A message that is sent is acknowledged; everything else the test sends."""

    def __init__(self, page: Page) -> None:
        self.frames: list[dict[str, Any]] = []
        self.messages: list[dict[str, Any]] = []
        self.older: list[dict[str, Any]] = []
        self.sequence = 0
        # Whether sockets are accepted, and whether messages are acknowledged, or refused with this sentence.
        self.is_up = True
        self.acknowledges = True
        self.refusal = ""
        self._sockets: list[WebSocketRoute] = []
        self._answer: dict[str, Any] | None = None
        page.route("**/health", self._health)
        page.route(re.compile(r"/consultations"), self._rest)
        page.route_web_socket(re.compile(r"/ws/consultation"), self._connected)

    # What the test says.

    def begin(self) -> str:
        """An answer begins."""
        name = f"answer-{self.sequence}"
        self._answer = self._message(name, "assistant", "")
        self._answer["end"] = "streaming"
        self._event("ai_message_start", name)
        return name

    def say(self, text: str) -> None:
        assert self._answer is not None
        offset = len(self._answer["content"].encode())
        self._answer["content"] += text
        self._send("ai_message_chunk", self._answer["message_id"], content=text, offset=offset)

    def end(self, end: str = "completed", reason: str | None = None) -> None:
        answer, self._answer = self._answer, None
        assert answer is not None
        metadata = {"end": end, **({"reason": reason} if reason else {})}
        answer.update(metadata)
        length = len(answer["content"].encode())
        self._event("ai_message_complete", answer["message_id"], metadata=metadata, offset=length)

    def answer(self, text: str) -> None:
        self.begin()
        self.say(text)
        self.end()

    def template(self, kind: str, name: str, description: str = "", **fields: Any) -> None:
        """The answer under way makes something."""
        metadata = {
            "template_id": f"t-{self.sequence}", "type": kind, "name": name, "description": description, **fields,
        }  # fmt: skip
        text = f"Created {kind} template: {name}"
        message = self._message(f"m-{self.sequence}", "system", text)
        message["metadata"] = metadata
        self._event("template_created", message["message_id"], content=text, metadata=metadata)

    def cut(self, code: int = 1011) -> None:
        """Every socket is closed."""
        sockets, self._sockets = self._sockets, []
        for each in sockets:
            each.close(code=code)

    def sent(self, kind: str) -> list[dict[str, Any]]:
        return [each for each in self.frames if each["type"] == kind]

    # What the page requests.

    def _health(self, route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=json.dumps({**answer.json(), "consultations": {}}))

    def _rest(self, route: Route) -> None:
        request: Request = route.request
        path = re.sub(r"^.*?/consultations/?([^?]*).*$", r"\1", request.url)
        if path == "":
            route.fulfill(json={"consultations": [self._summary()], "more": False})
        elif path.endswith("/messages"):
            route.fulfill(json={"messages": self.older, "more": False})
        elif path == ID and not self.is_up:
            route.fulfill(status=503, json={"error": {"code": "down", "message": "Down."}})
        else:
            route.fulfill(json=self._summary())

    def _summary(self) -> dict[str, Any]:
        times = {"created_at": time.time(), "updated_at": time.time()}
        rest = {"status": "active", "title": "", "messages": len(self.messages), "answering": False}
        return {"id": ID, "user": "local", "type": "markets", **times, **rest}

    def _connected(self, socket: WebSocketRoute) -> None:
        if not self.is_up:
            socket.close(code=1013)
            return
        self._sockets.append(socket)
        socket.on_message(lambda text: self._received(socket, json.loads(text)))
        socket.on_close(lambda *_: self._sockets.remove(socket) if socket in self._sockets else None)

    def _received(self, socket: WebSocketRoute, frame: dict[str, Any]) -> None:
        self.frames.append(frame)
        name = frame["message_id"]
        match frame["type"]:
            case "ping":
                self._send("pong", name)
            case "sync":
                state = {"messages": self.messages, "left_out": len(self.older)}
                self._send("sync", name, sequence=self.sequence, metadata=state)
            case "user_message" if self.refusal:
                self._send("error", name, content=self.refusal, metadata={"code": "rate_limited", "message_id": name})
            case "user_message" if self.acknowledges and all(each["message_id"] != name for each in self.messages):
                self._supersede((frame.get("metadata") or {}).get("edits"))
                self._message(name, "user", frame["content"])
                self._event("ack", name)
            case "cancel":
                self.end("cancelled")

    def _supersede(self, edits: str | None) -> None:
        at = next((at for at, each in enumerate(self.messages) if each["message_id"] == edits), len(self.messages))
        for each in self.messages[at:]:
            each["superseded"] = True

    def _message(self, name: str, role: str, text: str) -> dict[str, Any]:
        message = {"message_id": name, "role": role, "content": text, "timestamp": time.time()}
        self.messages.append(message)
        return message

    def _event(self, kind: str, name: str, **more: Any) -> None:
        self.sequence += 1
        self._send(kind, name, sequence=self.sequence, **more)

    def _send(self, kind: str, name: str, **more: Any) -> None:
        now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        for each in list(self._sockets):
            each.send(json.dumps({"type": kind, "message_id": name, "timestamp": now, **more}))
