"""Certificates made when the tests start, by the `openssl` command: none lies in the repository."""

import subprocess
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Certificates:
    """An authority and what it signed for localhost and 127.0.0.1."""

    authority: Path
    certificate: Path
    key: Path
    pin: str
    """Of the authority's key, as RFC 7469 writes it."""


def make_certificates(folder: Path) -> Certificates:
    def openssl(*arguments: str, given: bytes | None = None) -> bytes:
        return subprocess.run(
            ["openssl", *arguments], cwd=folder, input=given, capture_output=True, check=True, timeout=60
        ).stdout

    for name in ("ca", "server"):
        openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", f"{name}.key")
    openssl("req", "-x509", "-new", "-key", "ca.key", "-subj", "/CN=interop authority", "-days", "2", "-out", "ca.pem")
    openssl("req", "-new", "-key", "server.key", "-subj", "/CN=localhost", "-out", "server.csr")
    (folder / "names").write_text("subjectAltName=DNS:localhost,IP:127.0.0.1\n")
    openssl(
        "x509", "-req", "-in", "server.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial",
        "-days", "2", "-extfile", "names", "-out", "server.pem",
    )  # fmt: skip
    key = openssl("x509", "-in", "ca.pem", "-pubkey", "-noout")
    der = openssl("pkey", "-pubin", "-outform", "der", given=key)
    pin = openssl("base64", given=openssl("dgst", "-sha256", "-binary", given=der)).decode().strip()
    return Certificates(folder / "ca.pem", folder / "server.pem", folder / "server.key", f"sha256/{pin}")
