"""Who may open the stream: tokens, origins, limits, TLS. From outside, with clients of other make."""

import http.client
import json
import ssl
import subprocess
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosedError, InvalidStatus
from websockets.sync.client import connect

from support.polling import eventually
from support.secrets import private_file

from running_server import RunningServer, subscribe

TOKEN = "a-token-of-some-length-1"
OTHER = "a-token-of-some-length-2"


@pytest.fixture
def guarded(serve: Callable[..., RunningServer], tmp_path: Path) -> RunningServer:
    tokens = tmp_path / "tokens"
    private_file(tokens, f"# desk\n{OTHER}\n\n  {TOKEN}  \n")
    return serve("sim:BTC-USD", "--stream-token-file", str(tokens), "--log-level", "trace")


def auth(token: str) -> str:
    return json.dumps({"action": "auth", "token": token})


def closed_with(connection, code: int) -> dict:
    """The last message before the server's close, whose code is checked."""
    last = {}
    with pytest.raises(ConnectionClosedError) as ended:
        while True:
            last = json.loads(connection.recv(timeout=60))
    assert ended.value.rcvd is not None and ended.value.rcvd.code == code
    return last


def test_a_token_opens_the_stream_and_may_be_renewed(guarded: RunningServer) -> None:
    with connect(guarded.stream) as connection:
        connection.send(auth(TOKEN))
        assert json.loads(connection.recv(timeout=60)) == {"type": "authenticated"}
        connection.send(auth(OTHER))
        assert json.loads(connection.recv(timeout=60)) == {"type": "authenticated"}
        connection.send(auth("a-wrong-token-of-length"))
        assert json.loads(connection.recv(timeout=60))["code"] == "unauthorized"
        connection.send(subscribe("BTC-USD", "1m"))
        assert json.loads(connection.recv(timeout=60))["type"] == "subscribed"


@pytest.mark.parametrize("first", [auth("wrong-but-long-enough"), auth(TOKEN[:-1]), subscribe("BTC-USD", "1m")])
def test_without_a_token_the_stream_stays_shut(guarded: RunningServer, first: str) -> None:
    with connect(guarded.stream) as connection:
        connection.send(first)
        assert closed_with(connection, 4101)["code"] == "unauthorized"


def test_who_says_nothing_is_closed_too(guarded: RunningServer) -> None:
    with connect(guarded.stream) as connection:
        assert closed_with(connection, 4101)["code"] == "unauthorized"


def test_a_server_without_tokens_accepts_any(quiet: RunningServer) -> None:
    with connect(quiet.stream) as connection:
        connection.send(auth("whatever"))
        assert json.loads(connection.recv(timeout=60)) == {"type": "authenticated"}


def test_pages_of_others_may_not_open_the_stream(quiet: RunningServer) -> None:
    with pytest.raises(InvalidStatus) as refused:
        connect(quiet.stream, origin="https://elsewhere.example")
    assert refused.value.response.status_code == 403
    with connect(quiet.stream, origin=f"http://127.0.0.1:{quiet.port}"):
        pass


def test_a_name_pointed_at_this_machine_reaches_nothing(quiet: RunningServer) -> None:
    """DNS rebinding: the browser takes the page for this server's own, and only its `Host` shows the difference."""
    upgrade = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13"}
    upgrade["Sec-WebSocket-Key"] = "dGhlIHNhbXBsZSBub25jZQ=="
    for path, headers in (("/v1/portfolio", {}), ("/", {}), ("/health", {}), ("/v1/stream", upgrade)):
        connection = http.client.HTTPConnection("127.0.0.1", quiet.port, timeout=30)
        connection.request("GET", path, headers=headers | {"Host": f"evil.example:{quiet.port}"})
        answer = connection.getresponse()
        assert answer.status == 421, path
        assert "--allow-origin" in answer.read().decode(), path


def test_an_allowed_origin_may(serve: Callable[..., RunningServer]) -> None:
    server = serve("sim:BTC-USD", "--allow-origin", "https://desk.example.com")
    with connect(server.stream, origin="https://desk.example.com"):
        pass


def test_the_number_of_connections_has_a_bound(serve: Callable[..., RunningServer]) -> None:
    server = serve("sim:BTC-USD", "--max-connections", "2")
    with connect(server.stream), connect(server.stream):
        with pytest.raises(InvalidStatus) as refused:
            connect(server.stream)
        assert refused.value.response.status_code == 503
        assert refused.value.response.headers["Retry-After"] == "10"
    # The place of one that went is free again, as soon as the server has seen it go.
    def is_let_in() -> bool:
        try:
            with connect(server.stream):
                return True
        except InvalidStatus:
            return False

    eventually(is_let_in, "a place became free")


def test_a_flood_of_messages_ends_the_connection(serve: Callable[..., RunningServer]) -> None:
    server = serve("sim:BTC-USD", "--max-client-messages", "5")
    with connect(server.stream) as connection:
        for _ in range(60):
            connection.send('{"action":"ping"}')
        closed_with(connection, 4009)


def test_a_client_that_sends_unknown_actions_is_not_answered_for_ever(quiet: RunningServer) -> None:
    with connect(quiet.stream) as connection:
        for round_ in range(2):
            for _ in range(19):
                connection.send('{"action":"dance"}')
                assert json.loads(connection.recv(timeout=60))["code"] == "unknown_action"
            if round_ == 0:
                # A request that makes sense begins the count anew; one that is merely refused does, too.
                connection.send(subscribe("FOO-USD", "1m"))
                assert json.loads(connection.recv(timeout=60))["code"] == "unknown_symbol"
        connection.send("{")
        assert closed_with(connection, 4100)["code"] == "invalid_json"


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate for 127.0.0.1 that signs itself, made for this run."""
    folder = tmp_path_factory.mktemp("tls")
    cert, key = folder / "cert.pem", folder / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
         "-keyout", key, "-out", cert, "-days", "2", "-subj", "/CN=127.0.0.1", "-addext",
         "subjectAltName=IP:127.0.0.1"],
        check=True, capture_output=True, timeout=60,
    )  # fmt: skip
    return cert, key


def test_https_and_wss_on_one_port(serve: Callable[..., RunningServer], certificate: tuple[Path, Path]) -> None:
    cert, key = certificate
    server = serve("sim:BTC-USD", "--tls-cert", str(cert), "--tls-key", str(key))
    trust = ssl.create_default_context(cafile=str(cert))
    with urllib.request.urlopen(f"https://127.0.0.1:{server.port}/v1/markets", context=trust, timeout=60) as answer:
        assert json.load(answer)["markets"][0]["symbol"] == "BTC-USD"
        assert answer.headers["Strict-Transport-Security"] == "max-age=31536000"
        assert f"connect-src 'self' wss://127.0.0.1:{server.port};" in answer.headers["Content-Security-Policy"]
    with connect(f"wss://127.0.0.1:{server.port}/v1/stream", ssl=trust) as connection:
        connection.send(subscribe("BTC-USD", "1m", history=1000))
        kinds = [json.loads(connection.recv(timeout=60))["type"] for _ in range(3)]
        assert kinds[:2] == ["subscribed", "snapshot"]
    with pytest.raises((urllib.error.URLError, ConnectionError)):
        urllib.request.urlopen(f"https://127.0.0.1:{server.port}/health", timeout=60)
