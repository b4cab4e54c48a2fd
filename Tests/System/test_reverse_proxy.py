"""Behind a proxy the server knows its clients: by headers of a real nginx, set up as the example is, and by the PROXY protocol."""

import json
import shutil
import socket
import struct
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from support.polling import eventually
from support.server import PACKAGE, binary, free_port

from running_server import RunningServer, subscribe
from slow_clients import dial, exchange, read_all, status

EXAMPLE = PACKAGE / "Examples" / "reverse-proxy" / "nginx.conf"
HEALTH = b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"


class Nginx:
    """The example, on a port of loopback without TLS, in front of a server."""

    def __init__(self, folder: Path, server: RunningServer, *, shares_connections: bool = False) -> None:
        self.port = free_port()
        site = EXAMPLE.read_text()
        for old, new, count in (
            ("listen 443 ssl;", f"listen 127.0.0.1:{self.port};", 1),
            ("server 127.0.0.1:8080;", f"server 127.0.0.1:{server.port};", 2),
        ):
            assert site.count(old) == count, old
            site = site.replace(old, new)
        if shares_connections:
            site = site.replace("default candlewire_streams;", "default candlewire;")
        # No certificate was issued for the test.
        site = "\n".join(line for line in site.splitlines() if not line.strip().startswith("ssl_"))
        folder.mkdir()
        paths = "".join(f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        configuration = folder / "nginx.conf"
        configuration.write_text(
            f"daemon off; pid {folder}/pid; error_log stderr warn; events {{}}\nhttp {{ access_log off; {paths}\n{site}\n}}\n"
        )
        executable = shutil.which("nginx", path="/usr/sbin:/usr/bin:/sbin:/bin")
        assert executable, "nginx is missing; Scripts/setup test installs it"
        self._log = (folder / "log").open("wb")
        self._process = subprocess.Popen(
            [executable, "-p", str(folder), "-c", str(configuration)], stdout=self._log, stderr=self._log
        )
        eventually(self._answers, "nginx answers", within=60)

    def _answers(self) -> bool:
        assert self._process.poll() is None, Path(self._log.name).read_text()
        try:
            return status(exchange(self.port, HEALTH)) == 200
        except OSError:
            return False

    def stop(self) -> None:
        self._process.terminate()
        assert self._process.wait(timeout=60) == 0
        self._log.close()


@pytest.fixture
def behind_nginx(serve: Callable[..., RunningServer], tmp_path: Path) -> Iterator[Callable[..., tuple[RunningServer, Nginx]]]:
    proxies: list[Nginx] = []

    def start(*flags: str) -> tuple[RunningServer, Nginx]:
        server = serve("sim:BTC-USD", *flags)
        proxies.append(Nginx(tmp_path / f"nginx-{len(proxies)}", server))
        return server, proxies[-1]

    yield start
    for proxy in proxies:
        proxy.stop()


def get(port: int, path: str = "/", **headers: str) -> bytes:
    lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in {"Host": "127.0.0.1", **headers}.items())
    return exchange(port, f"GET {path} HTTP/1.1\r\n{lines}Connection: close\r\n\r\n".encode())


def test_page_stream_and_trading_work_through_nginx(behind_nginx: Callable[..., tuple[RunningServer, Nginx]]) -> None:
    server, proxy = behind_nginx("--trusted-proxy", "127.0.0.1", "--allow-origin", "https://desk.example.com")
    page = get(proxy.port, Host="desk.example.com")
    assert status(page) == 200 and b"<!doctype html>" in page.lower()
    # nginx speaks plain HTTP here, and says so.
    assert b"connect-src 'self' ws://desk.example.com;" in page and b"strict-transport-security" not in page.lower()
    with connect(f"ws://127.0.0.1:{proxy.port}/v1/stream") as stream:
        stream.send(subscribe("BTC-USD", "1m"))
        assert json.loads(stream.recv(timeout=60))["type"] == "subscribed"
        assert json.loads(stream.recv(timeout=60))["type"] == "snapshot"
    with connect(f"ws://127.0.0.1:{proxy.port}/v1/stream", origin="https://desk.example.com"):
        pass
    with pytest.raises(InvalidStatus) as refused:
        connect(f"ws://127.0.0.1:{proxy.port}/v1/stream", origin="https://evil.example")
    assert refused.value.response.status_code == 403
    body = json.dumps({"symbol": "BTC-USD", "side": "buy", "quantity": "0.01", "type": "market"}).encode()
    order = exchange(
        proxy.port,
        b"POST /v1/orders HTTP/1.1\r\nHost: desk.example.com\r\nOrigin: https://desk.example.com\r\n"
        b"Content-Type: application/json\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % len(body) + body,
    )
    assert status(order) in (200, 201), order


def test_a_handshake_on_a_used_connection_is_tried_again(serve: Callable[..., RunningServer], tmp_path: Path) -> None:
    server = serve("sim:BTC-USD")
    with dial(server.port) as client:
        client.sendall(HEALTH.replace(b"Connection: close\r\n", b""))
        assert status(read_all(client)) == 200
        client.sendall(
            b"GET /v1/stream HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        )
        assert read_all(client) == b"", "closed without an answer"
    # With connections that streams and requests share, as other proxies have them.
    proxy = Nginx(tmp_path / "nginx", server, shares_connections=True)
    try:
        for _ in range(5):
            assert status(get(proxy.port, "/health")) == 200
            with connect(f"ws://127.0.0.1:{proxy.port}/v1/stream"):
                pass
    finally:
        proxy.stop()


def test_nginx_names_its_client_whatever_that_says_of_itself(behind_nginx: Callable[..., tuple[RunningServer, Nginx]]) -> None:
    server, proxy = behind_nginx("--trusted-proxy", "127.0.0.1", "--log-level", "debug")
    with socket.socket() as client:
        client.settimeout(60)
        client.bind(("127.0.0.3", 0))
        client.connect(("127.0.0.1", proxy.port))
        client.sendall(HEALTH.replace(b"Connection", b"Forwarded: for=6.6.6.6\r\nX-Forwarded-For: 6.6.6.6\r\nConnection"))
        assert status(read_all(client)) == 200
    log = server._log_path.read_text()
    assert "client=127.0.0.3" in log and "6.6.6.6" not in log


def test_streams_behind_nginx_count_for_their_own_address(behind_nginx: Callable[..., tuple[RunningServer, Nginx]]) -> None:
    server, proxy = behind_nginx("--trusted-proxy", "127.0.0.1", "--max-connections-per-address", "2")
    address = f"ws://127.0.0.1:{proxy.port}/v1/stream"

    # nginx adds its peer, which is 127.0.0.1 and trusted here: what stands left of it is a proxy's further out.
    def stream(client: str):
        return connect(address, additional_headers={"X-Forwarded-For": client})

    with stream("198.51.100.1"), stream("198.51.100.1"), stream("198.51.100.2"):
        for spoofed in ("198.51.100.1", "203.0.113.77, 198.51.100.1", "127.0.0.1, 198.51.100.1"):
            with pytest.raises(InvalidStatus) as refused:
                stream(spoofed)
            assert refused.value.response.status_code == 429
            assert refused.value.response.headers["Retry-After"] == "10"
    def is_free() -> bool:
        try:
            stream("198.51.100.1").close()
            return True
        except InvalidStatus:
            return False
    eventually(is_free, "its places are free again")


def test_without_trust_no_header_is_believed(serve: Callable[..., RunningServer]) -> None:
    server = serve("sim:BTC-USD", "--max-connections-per-address", "1", "--max-http-connections-per-address", "1", "--log-level", "debug")
    for _ in range(2):
        answer = get(server.port, "/health", X_Forwarded_For="198.51.100.1", X_Forwarded_Proto="https", X_Candlewire_Client="6.6.6.6")
        assert status(answer) == 200 and b"strict-transport-security" not in answer.lower()
    log = server._log_path.read_text()
    assert "client=127.0.0.1" in log and "198.51.100.1" not in log and "6.6.6.6" not in log


def test_the_log_names_the_client_and_the_scheme_is_the_proxys(serve: Callable[..., RunningServer]) -> None:
    server = serve("sim:BTC-USD", "--trusted-proxy", "127.0.0.0/8", "--forwarded-header", "forwarded", "--log-level", "debug")
    answer = get(server.port, "/health", Forwarded='for="[2001:db8::7]:4711";proto=https', X_Forwarded_For="6.6.6.6")
    assert b"strict-transport-security: max-age=31536000" in answer.lower() and b"wss://127.0.0.1" in answer
    log = server._log_path.read_text()
    assert "client=2001:db8::7" in log and "6.6.6.6" not in log


def test_requests_of_a_proxy_count_for_their_client(serve: Callable[..., RunningServer]) -> None:
    # The clients below hold their places as long as the test takes on a busy machine.
    server = serve(
        "sim:BTC-USD", "--trusted-proxy", "127.0.0.1", "--max-http-connections-per-address", "2",
        "--body-timeout", "600", "--min-transfer-rate", "0",
    )  # fmt: skip
    head = (
        b"POST /v1/orders HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-For: %s\r\nContent-Type: application/json\r\n"
        b"Content-Length: 9\r\n\r\n{"
    )
    dripping: list[socket.socket] = []

    def refused() -> bool:
        return status(get(server.port, "/v1/markets", X_Forwarded_For="198.51.100.1")) == 429

    def is_full() -> bool:
        # The one that asks may be counted before those that drip, and take their place.
        dripping.append(dial(server.port))
        dripping[-1].sendall(head % b"198.51.100.1")
        return refused()

    eventually(is_full, "the address has its share")
    assert status(get(server.port, "/v1/markets", X_Forwarded_For="198.51.100.2")) == 200
    for client in dripping:
        client.close()
    eventually(lambda: not refused(), "its places are free again")


def header(client: str, *, command: int = 1) -> bytes:
    addresses = socket.inet_aton(client) + socket.inet_aton("192.0.2.1") + struct.pack(">HH", 4711, 443)
    return b"\r\n\r\n\x00\r\nQUIT\n" + bytes([0x20 | command, 0x11]) + struct.pack(">H", len(addresses)) + addresses


def test_the_proxy_protocol_names_the_client(serve: Callable[..., RunningServer]) -> None:
    server = serve(
        "sim:BTC-USD", "--log-level", "debug", "--max-http-connections-per-address", "2",
        "--trusted-proxy", "127.0.0.2", "--proxy-protocol", "--header-timeout", "600",
    )  # fmt: skip

    def proxied(first: bytes) -> socket.socket:
        client = socket.socket()
        client.settimeout(60)
        client.bind(("127.0.0.2", 0))
        client.connect(("127.0.0.1", server.port))
        client.sendall(first)
        return client

    # Byte by byte, and with the request behind it.
    with proxied(b"") as client:
        for byte in header("198.51.100.9") + HEALTH:
            client.sendall(bytes([byte]))
        assert status(read_all(client)) == 200
    with proxied(header("198.51.100.9", command=0) + HEALTH) as client:
        assert status(read_all(client)) == 200, "a health check of the proxy's own"
    assert "client=198.51.100.9" in server._log_path.read_text()
    with proxied(HEALTH) as client:
        assert read_all(client) == b"", "a trusted proxy must send the header"
    # From others it is no HTTP.
    assert status(exchange(server.port, header("198.51.100.9") + HEALTH)) == 400
    held: list[socket.socket] = []

    def refused() -> bool:
        with proxied(header("198.51.100.1") + HEALTH.replace(b"/health", b"/v1/markets")) as client:
            return status(read_all(client)) == 429

    def is_full() -> bool:
        # The one that asks may be counted before those that hold, and take their place.
        held.append(proxied(header("198.51.100.1")))
        return refused()

    eventually(is_full, "the address has its share")
    for client in held:
        client.close()
    eventually(lambda: not refused(), "its places are free again")


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["--trusted-proxy", "10.1.2.3/8"], "--trusted-proxy must be an address or a range"),
        (["--trusted-proxy", "proxy.example"], "--trusted-proxy must be an address or a range"),
        (["--proxy-protocol"], "--proxy-protocol needs --trusted-proxy"),
        (["--shutdown-timeout", "0"], "--shutdown-timeout must be from 0.1"),
        (["--forwarded-header", "x-real-ip"], "forwarded"),
    ],
)
def test_wrong_options_are_named(tmp_path: Path, flags: list[str], words: str) -> None:
    run = subprocess.run(
        [binary(), "serve", "--port", "0", "--data-dir", str(tmp_path / "data"), *flags],
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert run.returncode not in (0, -9) and words in run.stderr, run
