"""Our client against Python's `websockets`, and `websockets` and Node's own client against our server: with and without
compression, with and without TLS. None of them shares code with ours."""

import json
import os
import shutil
import ssl
import subprocess
import threading
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from certificates import Certificates, make_certificates
from running_server import RunningServer, subscribe
from test_cli import ADDRESS, INPUT, candlewire, error_of
from websockets.exceptions import ConnectionClosed
from websockets.extensions.permessage_deflate import PerMessageDeflate
from websockets.sync.client import ClientConnection, connect
from websockets.sync.connection import Connection
from websockets.sync.server import ServerConnection
from websockets.sync.server import serve as serve_websocket

MEGABYTE = 1 << 20
MESSAGES: list[str | bytes] = [
    "", "h€llo", "x" * MEGABYTE, b"", bytes(range(256)), os.urandom(MEGABYTE), bytes(MEGABYTE),
]  # fmt: skip

with_compression = pytest.mark.parametrize("compressed", [False, True], ids=["plain", "deflate"])
with_tls = pytest.mark.parametrize("secure", [False, True], ids=["ws", "wss"])


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    return make_certificates(tmp_path_factory.mktemp("certificates"))


def compression_of(connection: Connection) -> PerMessageDeflate | None:
    return next((each for each in connection.protocol.extensions if isinstance(each, PerMessageDeflate)), None)


class CompressedFrames:
    """Counts the frames that come in with the bit that says they are compressed (RFC 7692, section 6)."""

    def __init__(self, connection: Connection) -> None:
        self.count = 0
        extension = compression_of(connection)
        if extension is None:
            return
        decode = extension.decode

        def counting(frame: Any, *arguments: Any, **options: Any) -> Any:
            self.count += frame.rsv1
            return decode(frame, *arguments, **options)

        extension.decode = counting  # type: ignore[method-assign]


def converse(connection: Connection) -> None:
    """Everything a connection is for, with a peer that sends back what it gets."""
    for message in MESSAGES:
        connection.send(message)
        assert connection.recv(timeout=60) == message
    parts = [os.urandom(1000), b"", b"y" * 1000] * 20
    connection.send(parts)
    answered = connection.ping(b"are you there")
    assert connection.recv(timeout=60) == b"".join(parts)
    assert answered.wait(timeout=60)
    connection.send(["hé", "", "llo"])
    assert connection.recv(timeout=60) == "héllo"


# MARK: Our client


def echo(url: str, *flags: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return candlewire("echo", url, "--subprotocol", "other", "--subprotocol", "echo.v1", *flags, folder=folder)


@contextmanager
def peer(
    behave: Callable[[ServerConnection], None], compressed: bool, certificates: Certificates | None
) -> Iterator[tuple[str, list[BaseException]]]:
    """A `websockets` server for one conversation; yields its URL and what went wrong in it."""
    problems: list[BaseException] = []

    def handler(connection: ServerConnection) -> None:
        try:
            behave(connection)
        except BaseException as problem:
            problems.append(problem)

    context = None
    if certificates:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificates.certificate, certificates.key)
    with serve_websocket(
        handler, "127.0.0.1", 0, ssl=context, compression="deflate" if compressed else None,
        subprotocols=["echo.v1"], max_size=None,
    ) as server:  # fmt: skip
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            scheme = "wss" if certificates else "ws"
            yield f"{scheme}://localhost:{server.socket.getsockname()[1]}/", problems
        finally:
            server.shutdown()
            thread.join()


@with_tls
@with_compression
def test_our_client_with_websockets(tmp_path: Path, certificates: Certificates, compressed: bool, secure: bool) -> None:
    seen: dict[str, Any] = {}

    def behave(connection: ServerConnection) -> None:
        frames = CompressedFrames(connection)
        seen["subprotocol"] = connection.subprotocol
        seen["negotiated"] = compression_of(connection) is not None
        converse(connection)
        seen["compressed frames"] = frames.count
        connection.close(4001, "enough")

    flags = ["--compress"] if compressed else []
    flags += ["--ca", str(certificates.authority), "--pin", certificates.pin] if secure else []
    with peer(behave, compressed, certificates if secure else None) as (url, problems):
        answer = echo(url, *flags, folder=tmp_path)
    assert problems == []
    assert answer.returncode == 0, answer.stderr
    assert answer.stdout.endswith("; closed with 4001 (enough)\n")
    assert seen["subprotocol"] == "echo.v1"
    assert seen["negotiated"] == compressed
    assert (seen["compressed frames"] > 0) == compressed


@pytest.mark.parametrize("offers", ["client", "server"])
def test_compression_that_only_one_side_offers_is_not_used(tmp_path: Path, offers: str) -> None:
    seen: list[bool] = []

    def behave(connection: ServerConnection) -> None:
        seen.append(compression_of(connection) is not None)
        converse(connection)

    with peer(behave, offers == "server", None) as (url, problems):
        answer = echo(url, *(["--compress"] if offers == "client" else []), folder=tmp_path)
    assert problems == [] and seen == [False]
    assert answer.returncode == 0, answer.stderr


@with_tls
def test_our_client_says_why_it_closes(tmp_path: Path, certificates: Certificates, secure: bool) -> None:
    codes: list[int | None] = []

    def behave(connection: ServerConnection) -> None:
        try:
            connection.send(bytes(17 * MEGABYTE))
            connection.recv(timeout=60)
        except ConnectionClosed as closed:
            codes.append(closed.rcvd.code if closed.rcvd else None)

    flags = ["--ca", str(certificates.authority)] if secure else []
    with peer(behave, False, certificates if secure else None) as (url, problems):
        answer = echo(url, *flags, folder=tmp_path)
    assert problems == []
    assert codes == [1009]
    assert "closed with 1009" in answer.stdout


def test_our_client_trusts_no_other_certificate(tmp_path: Path, certificates: Certificates) -> None:
    other = "sha256/" + "A" * 43 + "="
    refusals = {
        (): "The certificate of localhost is not signed by an authority that is trusted.",
        ("--ca", str(certificates.authority), "--pin", other): "Localhost has none of the pinned keys",
    }
    with peer(lambda connection: connection.close(), False, certificates) as (url, _):
        for flags, sentence in refusals.items():
            answer = echo(url, *flags, folder=tmp_path)
            assert answer.returncode == ADDRESS
            assert error_of(answer).startswith(sentence)
        answer = echo(url, "--insecure", folder=tmp_path)
        assert answer.returncode == 0, answer.stderr
        assert echo(url, "--ca", "gone.pem", folder=tmp_path).returncode == INPUT


# MARK: Our server


class SecureServer(RunningServer):
    """Requested over https."""

    def trust(self, authority: Path) -> None:
        self.address = f"https://localhost:{self.port}"
        self._context = ssl.create_default_context(cafile=authority)

    def get(self, path: str, **_: Any) -> Any:
        with urllib.request.urlopen(self.address + path, timeout=60, context=self._context) as answer:
            return json.load(answer)


@pytest.fixture(scope="module", params=[False, True], ids=["ws", "wss"])
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, certificates: Certificates
) -> Iterator[tuple[RunningServer, Certificates | None]]:
    flags: tuple[str, ...] = ("--seed", "5")
    if request.param:
        flags += ("--tls-cert", str(certificates.certificate), "--tls-key", str(certificates.key))
    kind = SecureServer if request.param else RunningServer
    running = kind(tmp_path_factory.mktemp("interop") / "data", feed="sim:BTC-USD", flags=flags)
    if isinstance(running, SecureServer):
        running.trust(certificates.authority)
    running.start()
    yield running, certificates if request.param else None
    running.stop()


@contextmanager
def websockets_client(
    server: tuple[RunningServer, Certificates | None], path: str, compressed: bool, **more: Any
) -> Iterator[ClientConnection]:
    running, certificates = server
    context = ssl.create_default_context(cafile=certificates.authority) if certificates else None
    url = f"{'wss' if certificates else 'ws'}://localhost:{running.port}{path}"
    compression = "deflate" if compressed else None
    with connect(url, ssl=context, compression=compression, max_size=None, **more) as connection:
        yield connection


@with_compression
def test_websockets_with_our_echo(server: Any, compressed: bool) -> None:
    with websockets_client(server, "/raw", compressed) as connection:
        frames = CompressedFrames(connection)
        assert (compression_of(connection) is not None) == compressed
        converse(connection)
        assert (frames.count > 0) == compressed
        connection.close(3000, "tschüß")
        assert (connection.close_code, connection.close_reason) == (3000, "")
    with websockets_client(server, "/raw", compressed) as connection:
        with pytest.raises(ConnectionClosed) as closed:
            connection.send(bytes(17 * MEGABYTE))
            connection.recv(timeout=60)
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 1009


@with_compression
def test_websockets_with_our_stream(server: Any, compressed: bool) -> None:
    with websockets_client(server, "/v1/stream", compressed, subprotocols=["unheard.of"]) as connection:
        assert connection.subprotocol is None
        # Market data of many connections goes out as it is.
        assert compression_of(connection) is None
        connection.send(subscribe("BTC-USD", "1m", id=7, history=5))
        types: list[str] = []
        while "tick" not in types:
            types.append(json.loads(connection.recv(timeout=60))["type"])
        assert types[0] == "subscribed" and "snapshot" in types
        assert connection.ping(b"p").wait(timeout=60)
        connection.close(1000)
        assert connection.close_code == 1000


# MARK: Node


def node(url: str, *arguments: str, authority: Path | None) -> dict[str, Any]:
    """What Node's own client saw; it offers compression always."""
    found = shutil.which("node")
    if found is None:
        pytest.skip("Node is not installed")
    version = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    major, minor = (int(part) for part in version.removeprefix("v").split(".")[:2])
    if (major, minor) < (20, 10):
        pytest.skip(f"Node {version} has no WebSocket client")
    flags = [] if major >= 22 else ["--experimental-websocket"]
    environment = os.environ | ({"NODE_EXTRA_CA_CERTS": str(authority)} if authority else {})
    answer = subprocess.run(
        [found, *flags, str(Path(__file__).with_name("node_client.mjs")), url, *arguments],
        capture_output=True, text=True, timeout=120, env=environment, check=False,
    )  # fmt: skip
    assert answer.returncode == 0, answer.stderr
    return json.loads(answer.stdout)


def address(server: tuple[RunningServer, Certificates | None], path: str) -> tuple[str, Path | None]:
    running, certificates = server
    url = f"{'wss' if certificates else 'ws'}://localhost:{running.port}{path}"
    return url, certificates.authority if certificates else None


def test_node_with_our_echo(server: Any) -> None:
    url, authority = address(server, "/raw")
    seen = node(url, "echo", authority=authority)
    assert seen["same"] == [True] * 6
    assert seen["extensions"].startswith("permessage-deflate")
    assert (seen["code"], seen["wasClean"]) == (4001, True)


def test_node_with_our_stream(server: Any) -> None:
    url, authority = address(server, "/v1/stream")
    seen = node(url, "stream", authority=authority)
    assert seen["types"][0] == "subscribed" and "snapshot" in seen["types"]
    # Offered by Node and declined by us: no compression for market data.
    assert seen["extensions"] == ""
    assert (seen["code"], seen["wasClean"]) == (1000, True)


def test_node_does_not_trust_a_stranger(server: Any) -> None:
    url, authority = address(server, "/raw")
    if authority is None:
        pytest.skip("there is no certificate to trust without TLS")
    seen = node(url, "echo", authority=None)
    assert "error" in seen and "extensions" not in seen and "same" not in seen
