"""What a client may agree on with the server's TLS. With a key of RSA, which older suites use as well."""

import ssl
import subprocess
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from running_server import RunningServer
from slow_clients import dial


@pytest.fixture(scope="module")
def encrypted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[RunningServer, Path]]:
    folder = tmp_path_factory.mktemp("tls")
    certificate, key = folder / "server.pem", folder / "server.key"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", str(key), "-out", str(certificate),
         "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"],
        check=True, capture_output=True, timeout=60,
    )  # fmt: skip
    flags = ("--tls-cert", str(certificate), "--tls-key", str(key))
    server = RunningServer(folder / "data", feed="sim:BTC-USD", flags=flags).start()
    yield server, certificate
    server.stop()


@pytest.mark.parametrize(
    ("version", "ciphers", "is_accepted"),
    [
        (ssl.TLSVersion.TLSv1_2, "ECDHE-RSA-AES128-GCM-SHA256", True),
        (ssl.TLSVersion.TLSv1_2, "ECDHE-RSA-CHACHA20-POLY1305", True),
        (ssl.TLSVersion.TLSv1_2, "AES128-GCM-SHA256:AES256-GCM-SHA384", False),
        (ssl.TLSVersion.TLSv1_2, "AES128-SHA:AES256-SHA", False),
        (ssl.TLSVersion.TLSv1_2, "ECDHE-RSA-AES128-SHA:ECDHE-RSA-AES256-SHA", False),
        (ssl.TLSVersion.TLSv1_3, None, True),
    ],
)
def test_tls_has_forward_secrecy_and_authenticated_encryption_alone(
    encrypted: tuple[RunningServer, Path], version: ssl.TLSVersion, ciphers: str | None, is_accepted: bool
) -> None:
    server, certificate = encrypted
    context = ssl.create_default_context(cafile=str(certificate))
    context.minimum_version = context.maximum_version = version
    if ciphers:
        context.set_ciphers(ciphers + ":@SECLEVEL=0")
    if is_accepted:
        with urllib.request.urlopen(server.address + "/health", timeout=60, context=context) as answer:
            assert answer.headers["Strict-Transport-Security"] == "max-age=31536000"
            assert f"wss://127.0.0.1:{server.port}" in answer.headers["Content-Security-Policy"]
    else:
        with pytest.raises(OSError, match="(?i)handshake|alert"), dial(server.port) as raw:
            context.wrap_socket(raw, server_hostname="127.0.0.1")


def test_an_answer_before_the_body_arrives_over_tls_too(encrypted: tuple[RunningServer, Path]) -> None:
    server, certificate = encrypted
    context = ssl.create_default_context(cafile=str(certificate))
    with dial(server.port) as raw, context.wrap_socket(raw, server_hostname="127.0.0.1") as client:
        client.sendall(b"POST /nothing HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 200000\r\n\r\n" + b" " * 50_000)
        answer = b""
        while part := client.recv(1 << 16):
            answer += part
    assert answer.startswith(b"HTTP/1.1 404 ") and b"strict-transport-security" in answer.lower(), answer
