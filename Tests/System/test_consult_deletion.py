"""What of a deleted conversation is still to be removed, `/health` says so until it is."""

import json
import sqlite3
import urllib.request
from collections.abc import Callable
from contextlib import closing

from running_server import RunningServer
from support.polling import eventually


def test_health_counts_the_conversations_whose_remains_a_reader_of_the_store_keeps(
    serve: Callable[..., RunningServer],
) -> None:
    server = serve("sim:BTC-USD")

    def send_request(method: str, path: str, body: dict[str, str] | None = None) -> bytes:
        data = None if body is None else json.dumps(body).encode()
        with urllib.request.urlopen(urllib.request.Request(server.address + path, data=data, method=method), timeout=60) as answer:
            return answer.read()

    def remains() -> tuple[bool, int]:
        health = server.get("/health")["consultations"]
        return health["remains"], health["deleted_remaining"]

    begin = {"consultationType": "wellness", "initialMessage": "sleep"}
    ids = [json.loads(send_request("POST", "/consultations", begin))["id"] for _ in range(3)]
    send_request("DELETE", f"/consultations/{ids[0]}")
    eventually(lambda: remains() == (False, 0), "nothing remains", every=0.2)
    # A backup, for example: it sees the moment at which it began.
    (path,) = server.data_dir.rglob("conversations.sqlite")
    with closing(sqlite3.connect(path, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        assert reader.execute("SELECT count(*) FROM conversation").fetchone() == (2,)
        send_request("DELETE", f"/consultations/{ids[1]}")
        send_request("DELETE", f"/consultations/{ids[2]}")
        assert remains() == (True, 2)
        reader.execute("COMMIT")
    eventually(lambda: remains() == (False, 0), "the remains are gone", every=0.2)
