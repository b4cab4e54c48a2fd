"""The way to "A server for others" by the documents alone: the commands of install.md and operate.md as they are written, in a
minimal Debian, to a server behind nginx with a token, Prometheus and a backup.

What differs: ports are free ones, `sudo` and `systemctl` are stand-ins because that Debian has no init, and nginx and Prometheus
are this system's, with the files that the package brought.
"""

import contextlib
import json
import os
import re
import shutil
import signal
import ssl
import subprocess
import textwrap
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from bare_system import ROOT, free_port, in_root, only, run, service_command
from certificates import make_certificates
from support.polling import eventually
from websockets.sync.client import connect

NAME = "desk.example.com"
# No authority that this system knows has signed the test's certificate.
TRUST = ssl._create_unverified_context()

pytestmark = pytest.mark.skipif(os.geteuid() != 0 and not os.environ.get("CI"), reason="chroot needs root")

SYSTEMCTL = r"""#!/bin/bash
# What systemd does with the service.
set -e
stop() {
    pid=$(cat /run/candlewire.pid 2>/dev/null) || return 0
    kill "$pid" 2>/dev/null || true
    # One that has ended may not have been waited for.
    while grep -qs '^State:.[^Z]' "/proc/$pid/status"; do sleep 0.1; done
    rm /run/candlewire.pid
}
case "$*" in
    "start candlewire" | "restart candlewire")
        stop
        cd /
        (umask 077; export HOME=/var/lib/candlewire
            exec setpriv --reuid=candlewire --regid=candlewire --init-groups @COMMAND@) \
            </dev/null >>/var/log/candlewire.log 2>&1 &
        echo $! >/run/candlewire.pid
        for _ in $(seq 600); do
            (exec 3<>/dev/tcp/127.0.0.1/@PORT@) 2>/dev/null && exit 0
            sleep 0.1
        done
        cat /var/log/candlewire.log >&2
        exit 1 ;;
    "stop candlewire") stop ;;
    *) echo "systemctl $*: not known here" >&2; exit 1 ;;
esac
"""


def section(document: str, title: str) -> str:
    """The text under a heading, up to the next one."""
    text = (ROOT / "Docs" / document).read_text()
    found = re.search(rf"^##+ {re.escape(title)}\n(.*?)(?=^##|\Z)", text, re.M | re.S)
    assert found, title
    return found.group(1)


def blocks(text: str, language: str) -> list[str]:
    found = re.findall(r"^ *```(\w*)\n(.*?)^ *```$", text, re.M | re.S)
    return [textwrap.dedent(body) for name, body in found if name == language]


def commands(text: str) -> list[str]:
    """Those within sentences."""
    return [" ".join(found.split()) for found in re.findall(r"`(sudo [^`]+)`", text)]


class System:
    """A Debian in which an administrator types."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.port = free_port()

    def type(self, script: str) -> str:
        return run(*in_root(self.root, "sh", "-ec", f"cd /root\n{script}", environment={"HOME": "/root"}))

    def add_stand_ins(self) -> None:
        (self.root / "etc/apt/apt.conf.d/99test").write_text(
            'APT::Install-Recommends "false";\nAPT::Get::Assume-Yes "true";\nDpkg::Use-Pty "false";\n'
        )
        self.add_command("sudo", '#!/bin/sh\nexec "$@"\n')

    def add_command(self, name: str, text: str) -> None:
        path = self.root / "usr/local/bin" / name
        path.write_text(text)
        path.chmod(0o755)

    def end(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            os.kill(int((self.root / "run/candlewire.pid").read_text()), signal.SIGKILL)
        subprocess.run(in_root(self.root, "dpkg", "--purge", "candlewire"), check=False)
        for path in ("usr/local/bin/sudo", "usr/local/bin/systemctl", "etc/apt/apt.conf.d/99test"):
            (self.root / path).unlink(missing_ok=True)
        # What stays by intention: replaced folders, backups.
        for pattern in ("var/lib/candlewire*", "var/backups/candlewire", "var/log/candlewire.log", "root/*.token"):
            for left in self.root.glob(pattern):
                shutil.rmtree(left) if left.is_dir() else left.unlink()


@pytest.fixture
def system(debian: Path) -> Iterator[System]:
    system = System(debian)
    system.add_stand_ins()
    try:
        yield system
    finally:
        system.end()


def replaced(text: str, **changes: tuple[str, str]) -> str:
    """What the document leaves to the reader, and ports. Each is there."""
    for old, new in changes.values():
        assert old in text, old
        text = text.replace(old, new)
    return text


@contextlib.contextmanager
def process(log: Path, *command: str | Path) -> Iterator[None]:
    with log.open("wb") as output:
        started = subprocess.Popen([str(part) for part in command], stdout=output, stderr=output)
    try:
        yield
        assert started.poll() is None, log.read_text()
    finally:
        started.terminate()
        started.wait(timeout=60)


def request(port: int, path: str, token: str = "", body: Any = None) -> tuple[int, bytes]:
    """Over nginx, as a browser at the public name sends it; 0 where nobody listens."""
    headers = {"Host": NAME, "Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    sent = urllib.request.Request(
        f"https://127.0.0.1:{port}{path}", None if body is None else json.dumps(body).encode(), headers
    )
    try:
        with urllib.request.urlopen(sent, timeout=60, context=TRUST) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()
    except OSError:
        return 0, b""


def test_the_documents_lead_to_a_server_for_others(system: System, tmp_path: Path) -> None:
    guide = section("install.md", "A server for others")
    make_tokens, check = blocks(guide, "sh")
    (options,) = blocks(guide, "")
    examples = system.root / "usr/share/doc/candlewire/Examples"
    metrics_port, https = free_port(), free_port()

    shutil.copy(only("*.deb"), system.root / "root")
    (install,) = blocks(section("install.md", "Debian package"), "sh")
    system.type(install.replace("_amd64", "_*"))
    conf = system.root / "etc/candlewire/candlewire.conf"
    conf.write_text(replaced(conf.read_text(), port=("port = 8080", f"port = {system.port}")))
    unit = replaced(
        SYSTEMCTL, command=("@COMMAND@", " ".join(service_command(system.root))), port=("@PORT@", str(system.port)))
    system.add_command("systemctl", unit)
    # As systemd does when the package is installed.
    system.type("systemctl start candlewire")

    system.type(make_tokens)
    made = system.root / "root/ada.token"
    assert made.stat().st_mode & 0o777 == 0o600
    token = made.read_text().strip()
    conf.write_text(conf.read_text() + replaced(options, metrics=("9464", str(metrics_port))))
    said = system.type(check)
    assert re.search(r"candlewire \(process \d+\) listens", said), said

    assert "sudo nginx -t && sudo systemctl reload nginx" in commands(guide)
    with nginx(examples / "reverse-proxy/nginx.conf", https, system.port, tmp_path):
        eventually(lambda: request(https, "/")[0] == 200, "the page is there")
        assert b"<!doctype html>" in request(https, "/")[1].lower()
        assert request(https, "/v1/accounts")[0] == 401 and request(https, "/metrics")[0] == 404
        assert request(https, "/v1/accounts", token)[0] == 200
        order = {
            "client_order_id": "first", "symbol": "BTC-USD", "side": "buy", "type": "limit", "quantity": "0.001",
            "limit_price": "1000",
        }  # fmt: skip
        eventually(lambda: request(https, "/v1/orders", token, order)[0] in (200, 201), "an order is accepted")
        read_stream(https, token)
        check_prometheus(examples / "operate", metrics_port, tmp_path)

        backups = section("operate.md", "Backups")
        (make_folder,) = [line for line in commands(backups) if line.startswith("sudo install")]
        system.type(make_folder)
        (service,) = [block for block in blocks(backups, "") if "ExecStart=" in block]
        (command,) = re.findall(r"^ExecStart=(.*)$", service, re.M)
        (user,) = re.findall(r"^User=(.*)$", service, re.M)
        run(*in_root(system.root, *command.split(), user=user))

        verify, audit = (line for line in commands(guide) if line.startswith("sudo candlewire"))
        assert "candlewire verify" in verify and "candlewire audit" in audit
        system.type(verify)
        assert "token:ada" in system.type(audit)

        (restore,) = blocks(section("operate.md", "Restore"), "")[:1]
        system.type(restore)
        eventually(lambda: b'"first"' in request(https, "/v1/orders?status=active", token)[1], "the order is there again")
    system.type("sudo systemctl stop candlewire")


@contextlib.contextmanager
def nginx(example: Path, port: int, server: int, folder: Path) -> Iterator[None]:
    """The package's file, with a name and a certificate."""
    made = make_certificates(folder)
    site = replaced(
        example.read_text(), port=("listen 443 ssl;", f"listen 127.0.0.1:{port} ssl;"),
        server=("server 127.0.0.1:8080;", f"server 127.0.0.1:{server};"),
        certificate=(f"/etc/letsencrypt/live/{NAME}/fullchain.pem", str(made.certificate)),
        key=(f"/etc/letsencrypt/live/{NAME}/privkey.pem", str(made.key)),
    )  # fmt: skip
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    paths = "".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/pid; error_log stderr warn; events {{}}\nhttp {{ access_log off; {paths}\n{site}\n}}\n"
    )
    executable = shutil.which("nginx", path="/usr/sbin:/usr/bin:/sbin:/bin")
    assert executable, "nginx is missing; Scripts/setup test installs it"
    command = (executable, "-p", folder, "-c", folder / "nginx.conf")
    run(*command, "-t")
    with process(folder / "nginx.log", *command):
        yield


def read_stream(port: int, token: str) -> None:
    with connect(
        f"wss://127.0.0.1:{port}/v1/stream", ssl=TRUST, origin=f"https://{NAME}",  # type: ignore[arg-type]
        open_timeout=60,
    ) as stream:  # fmt: skip
        stream.send(json.dumps({"action": "auth", "token": token}))
        stream.send(json.dumps({"action": "subscribe", "symbol": "BTC-USD", "timeframe": "1m"}))
        while json.loads(stream.recv(timeout=60))["type"] != "snapshot":
            pass


def check_prometheus(examples: Path, metrics_port: int, folder: Path) -> None:
    """The package's configuration finds the server."""
    assert shutil.which("prometheus"), "prometheus is missing; Scripts/setup test installs it"
    port = free_port()
    (folder / "prometheus.yml").write_text(replaced(
        (examples / "prometheus.yml").read_text(), target=("127.0.0.1:9464", f"127.0.0.1:{metrics_port}"),
        pace=("interval: 15s", "interval: 1s"),
        alerts=("candlewire-alerts.yml", str(examples / "candlewire-alerts.yml")),
    ))  # fmt: skip

    def answer(path: str) -> Any:
        with contextlib.suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1{path}", timeout=60) as found:
            return json.load(found)["data"]
        return None

    def is_up() -> bool:
        found = answer("/query?query=up")
        return bool(found) and [each["value"][1] for each in found["result"]] == ["1"]

    command = (
        "prometheus", f"--config.file={folder}/prometheus.yml", f"--storage.tsdb.path={folder}/prometheus",
        f"--web.listen-address=127.0.0.1:{port}",
    )  # fmt: skip
    with process(folder / "prometheus.log", *command):
        eventually(is_up, "Prometheus has scraped the server")
        assert answer("/rules")["groups"], "the alerts are loaded"
