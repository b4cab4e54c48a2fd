"""A server that answers trading requests from a script, and remembers the requests."""

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    query: dict[str, str]
    body: Any
    authorization: str | None = None


@dataclass(frozen=True)
class Reply:
    status: int = 200
    document: Any = None
    text: str | None = None
    headers: dict[str, str] = field(default_factory=dict)
    is_lost: bool = False
    """The request is read, and the connection closed without a word."""


def refusal(status: int, code: str, message: str, name: str | None = None) -> Reply:
    error = {"code": code, "message": message} | ({"field": name} if name else {})
    return Reply(status, {"error": error})


LOST = Reply(is_lost=True)


class ScriptedTrading:
    """Answers with `replies` in their order, the last one again and again; or as `answer` decides."""

    def __init__(self, *replies: Reply, answer: Callable[[Request], Reply] | None = None) -> None:
        self.requests: list[Request] = []
        self._replies = list(replies)
        self._answer = answer
        self._lock = threading.Lock()
        scripted = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self) -> None:
                length = int(self.headers.get("Content-Length") or 0)
                body = json.loads(self.rfile.read(length)) if length else None
                parts = urlsplit(self.path)
                request = Request(self.command, unquote(parts.path), dict(parse_qsl(parts.query)), body, self.headers["Authorization"])
                reply = scripted.reply(request)
                if reply.is_lost:
                    self.close_connection = True
                    return
                text = reply.text if reply.text is not None else json.dumps(reply.document)
                data = text.encode()
                self.send_response(reply.status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(data)

            do_GET = do_POST = do_PATCH = do_DELETE = handle_any

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def reply(self, request: Request) -> Reply:
        with self._lock:
            self.requests.append(request)
            if self._answer:
                return self._answer(request)
            return self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
