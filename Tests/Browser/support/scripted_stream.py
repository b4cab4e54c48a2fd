"""A stream server that sends what a test scripts, as fast as its client reads."""

import json
import threading
from collections.abc import Iterable

from websockets.sync.server import Server as SocketServer
from websockets.sync.server import ServerConnection, serve


class ScriptedStream:
    """Answers subscriptions with an empty state, and sends prepared messages to the newest connection.

    A blocked `send` is the reader's back-pressure; nothing is dropped, and nothing waits in memory but what the
    system's own buffers hold.
    """

    def __init__(
        self, snapshots: dict[tuple[str, str], list[dict]], channels: dict[str, dict] | None = None
    ) -> None:
        """`channels`: what the snapshot of each says; one that is not there begins without one."""
        self._snapshots = snapshots
        self._channels = channels or {}
        self._connection: ServerConnection | None = None
        self._subscribed: set[tuple[str, str]] = set()
        self._changed = threading.Condition()
        self._server: SocketServer = serve(self._serve, "127.0.0.1", 0, compression=None, max_queue=None)
        self.port: int = self._server.socket.getsockname()[1]
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def _serve(self, connection: ServerConnection) -> None:
        for text in connection:
            request = json.loads(text)
            if request["action"] == "ping":
                connection.send(json.dumps({"type": "pong", "id": request.get("id")}))
            if request["action"] != "subscribe":
                continue
            if "channel" in request:
                self._begin(connection, request)
                continue
            key = (request["symbol"], request["timeframe"])
            position = {"symbol": key[0], "timeframe": key[1], "epoch": "soak", "offset": 0}
            connection.send(json.dumps({"type": "subscribed", "id": request["id"], "recovered": False, **position}))
            candles = self._snapshots.get(key, [])
            connection.send(json.dumps({"type": "snapshot", "candles": candles, **position}))
            with self._changed:
                self._connection = connection
                self._subscribed.add(key)
                self._changed.notify_all()

    def _begin(self, connection: ServerConnection, request: dict) -> None:
        head = {key: request[key] for key in ("channel", "account") if key in request}
        connection.send(json.dumps({"type": "subscribed", **head, "id": request["id"], "sequence": 0}))
        snapshot = self._channels.get(request["channel"])
        if snapshot is not None:
            connection.send(json.dumps({"type": "snapshot", **head, "sequence": 0, **snapshot}))
        with self._changed:
            self._connection = connection
            self._subscribed.add((request["channel"], head.get("account", "")))
            self._changed.notify_all()

    def wait_for_channel(self, channel: str, account: str = "") -> None:
        """Waits until the page follows this channel."""
        with self._changed:
            assert self._changed.wait_for(lambda: (channel, account) in self._subscribed, timeout=60)

    def wait_for(self, symbol: str, timeframe: str) -> None:
        """Waits until the page follows this stream."""
        with self._changed:
            assert self._changed.wait_for(lambda: (symbol, timeframe) in self._subscribed, timeout=60)

    def send(self, messages: Iterable[str]) -> None:
        assert self._connection is not None
        for message in messages:
            self._connection.send(message)

    def stop(self) -> None:
        self._server.shutdown()
