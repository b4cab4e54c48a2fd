"""Systems with nothing but what a package brings, and servers in them."""

import contextlib
import json
import os
import re
import shlex
import signal
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = Path(os.environ.get("CANDLEWIRE_PACKAGES", ROOT / ".build/packages")).resolve()
UNIT = "usr/lib/systemd/system/candlewire.service"


def only(pattern: str) -> Path:
    (path,) = PACKAGES.glob(pattern)
    return path


def run(*command: str | Path, **options: object) -> str:
    done = subprocess.run(
        [str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **options
    )  # type: ignore[call-overload]
    assert done.returncode == 0, f"{command}: {done.stdout}"
    return str(done.stdout)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def get(port: int, path: str) -> bytes:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=30) as answer:
        return bytes(answer.read())


def in_root(root: Path, *command: str, user: str | None = None, environment: dict[str, str] | None = None) -> list[str]:
    """A command in another root, with its own /proc and /dev/null; what is mounted goes with the process."""
    mounts = f"mount -t proc proc {root}/proc && mount --bind /dev {root}/dev"
    # setpriv of this system, so that the other root needs none.
    identity = ""
    if user:
        entry = next(line for line in (root / "etc/passwd").read_text().splitlines() if line.startswith(f"{user}:"))
        identity = f"--userspec={':'.join(entry.split(':')[2:4])} "
    variables = " ".join(f"{name}={shlex.quote(value)}" for name, value in (environment or {}).items())
    inner = f"exec env -i {variables} PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin chroot {identity}{root} {shlex.join(command)}"
    return ["unshare", "--mount", "sh", "-c", f"{mounts} && {inner}"]


def module_in(page: bytes) -> str:
    """The name of the module that a package's page loads."""
    found = re.search(r"candlewire-[0-9a-f]{16}\.wasm", page.decode())
    assert found
    return found[0]


@contextlib.contextmanager
def started(command: list[str], port: int, log: Path) -> Iterator[float]:
    """Runs a server; yields the seconds until the page and its module were there, and stops it by SIGTERM."""
    began = time.monotonic()
    with log.open("wb") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output)
    try:
        while True:
            assert process.poll() is None, log.read_text()
            assert time.monotonic() - began < 60, log.read_text()
            with contextlib.suppress(OSError):
                if json.loads(get(port, "/health"))["status"] == "ok":
                    break
            time.sleep(0.01)
        get(port, f"/{module_in(get(port, '/'))}")
        yield time.monotonic() - began
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=60) in (0, -signal.SIGTERM), log.read_text()
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


def unit_value(root: Path, name: str) -> str:
    found = re.search(rf"^{name}=(.*)$", (root / UNIT).read_text(), re.M)
    assert found
    return found.group(1)


def service_command(root: Path) -> list[str]:
    """What the unit starts."""
    return unit_value(root, "ExecStart").split()
