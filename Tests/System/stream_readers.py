"""Readers of a stream whose messages are read and dropped: an audience, for tests of what happens beside it."""

import contextlib
import selectors
import threading
import time
from collections.abc import Iterator

from raw_socket import TEXT, RawSocket
from running_server import subscribe


class Readers:
    def __init__(self, port: int, stack: contextlib.ExitStack) -> None:
        self._port = port
        self._stack = stack
        self._selector = selectors.DefaultSelector()
        self._halt = threading.Event()
        self._thread = threading.Thread(target=self._read, daemon=True)

    def add(self, count: int) -> None:
        request = subscribe("BTC-USD", "1m", history=0).encode()
        for _ in range(count):
            reader = self._stack.enter_context(RawSocket(self._port))
            reader.send(TEXT, request)
            self._selector.register(reader, selectors.EVENT_READ)

    @contextlib.contextmanager
    def reading(self) -> Iterator[None]:
        self._thread.start()
        try:
            yield
        finally:
            self._halt.set()
            self._thread.join(timeout=60)

    def _read(self) -> None:
        while not self._halt.is_set():
            for key, _ in self._selector.select(timeout=0.2):
                reader = key.fileobj
                assert isinstance(reader, RawSocket)
                assert reader.read(time.monotonic() + 60), "the server ended a connection"
