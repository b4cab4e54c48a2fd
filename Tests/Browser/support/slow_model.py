"""A language model behind the protocol of OpenAI-compatible servers: a test decides what it sends, and when."""

import json
import queue
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

# Seconds for a server to send a request, and for a test to send more.
TIMEOUT = 120.0


class SlowModel:
    """After `listen`, `say` goes into the answer to the request that was received. Only the client that requested an answer ends it."""

    def __enter__(self) -> "SlowModel":
        self._requested: queue.Queue[queue.Queue[str]] = queue.Queue()
        self._answers: list[queue.Queue[str]] = []
        requested = self._requested

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self.rfile.read(int(self.headers.get("content-length", 0)))
                answer: queue.Queue[str] = queue.Queue()
                requested.put(answer)
                self.send_response(200)
                self.send_header("content-type", "text/event-stream")
                self.end_headers()
                try:
                    while (text := answer.get(timeout=TIMEOUT)) != "":
                        event = {"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": None}]}
                        self.wfile.write(f"data: {json.dumps(event)}\n\n".encode())
                        self.wfile.flush()
                except (OSError, queue.Empty):
                    return

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        for answer in self._answers:
            answer.put("")
        self._server.shutdown()
        self._server.server_close()

    @property
    def flags(self) -> tuple[str, ...]:
        """The options by which `candlewire serve` uses it."""
        address = f"http://127.0.0.1:{self._server.server_port}/v1"
        return ("--consultation-url", address, "--consultation-model", "scripted")

    def listen(self) -> None:
        """Waits until the server sends a request."""
        self._answers.append(self._requested.get(timeout=TIMEOUT))

    def say(self, *texts: str) -> None:
        for text in texts:
            self._answers[-1].put(text)
