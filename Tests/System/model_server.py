"""A small server with OpenAI's streamed chat completions: it counts, so that a test detects any loss or repetition."""

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


def words(question: str, count: int) -> list[str]:
    """What is answered to a question: its name and a number in each word."""
    name = question.split()[-1]
    return [f"{name}:{index} " for index in range(count)]


class CountingModel:
    """Answers `count` numbered words, one every `pause` seconds."""

    def __init__(self, *, count: int, pause: float, key: str | None = None) -> None:
        self.count = count
        self.pause = pause
        self.requested: list[str] = []
        self.bodies: list[dict[str, Any]] = []
        self._key = key
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        model = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                if model._key and self.headers["Authorization"] != f"Bearer {model._key}":
                    self.send_error(401)
                    return
                question = [message for message in request["messages"] if message["role"] == "user"][-1]["content"]
                model.requested.append(question)
                model.bodies.append(request)
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.end_headers()
                try:
                    for word in words(question, model.count):
                        self._send_event({"choices": [{"index": 0, "delta": {"content": word}}]})
                        time.sleep(model.pause)
                    self._send_event({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
                    self.wfile.write(b"data: [DONE]\n\n")
                except OSError:
                    # The server stopped the answer, or was killed.
                    pass

            def _send_event(self, event: dict[str, Any]) -> None:
                self.wfile.write(f"data: {json.dumps(event)}\n\n".encode())
                self.wfile.flush()

            def log_message(self, *_: object) -> None:
                pass

        return Handler
