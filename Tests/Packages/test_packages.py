"""Installs each package that `make package` made in a system without anything else, starts it there and uses it.

Needs root, for chroot. The Debian package is installed in a fresh minimal Debian, where debootstrap and its mirror are at hand.
"""

import json
import os
import re
import shutil
import sys
import tarfile
import time
from pathlib import Path

import pytest
from bare_system import ROOT, free_port, get, in_root, module_in, only, run, service_command, started
from websockets.sync.client import connect

# Seconds from the start of the program with an empty folder until a browser has the page and its module: 2 on a machine that
# does nothing else, as in CI.
FIRST_START = float(os.environ.get("CANDLEWIRE_FIRST_START", "6"))

pytestmark = pytest.mark.skipif(os.geteuid() != 0 and not os.environ.get("CI"), reason="chroot needs root")


def check_server(port: int) -> None:
    """What people use of it: the page, its module, candles, a stream and a picture."""
    assert get(port, f"/{module_in(get(port, '/'))}") == (ROOT / "Web/candlewire.wasm").read_bytes()
    assert get(port, "/engine/chart.js") == (ROOT / "Web/engine/chart.js").read_bytes()
    candles = json.loads(get(port, "/v1/candles?symbol=BTC-USD&timeframe=1m&limit=500"))
    assert len(candles) == 500
    with connect(f"ws://127.0.0.1:{port}/v1/stream", open_timeout=30) as stream:
        stream.send(json.dumps({"action": "subscribe", "symbol": "BTC-USD", "timeframe": "1m"}))
        kinds = set()
        deadline = time.monotonic() + 60
        while not {"snapshot", "tick", "candle"} <= kinds:
            assert time.monotonic() < deadline, kinds
            kinds.add(json.loads(stream.recv(timeout=60))["type"])
    assert get(port, "/v1/chart.png?symbol=BTC-USD&timeframe=5m&bars=60").startswith(b"\x89PNG")
    assert b"<svg" in get(port, "/v1/chart.svg?symbol=BTC-USD&timeframe=5m&bars=60")
    assert get(port, "/v1/chart.pdf?symbol=BTC-USD&timeframe=5m&bars=60").startswith(b"%PDF")


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The archive's program."""
    folder = tmp_path_factory.mktemp("archive")
    with tarfile.open(only("*.tar.gz")) as tar:
        tar.extractall(folder, filter="data")
    return next(folder.glob("*/candlewire"))


def test_the_packages_are_small(program: Path) -> None:
    assert program.stat().st_size <= 60_000_000
    for package in (only("*.tar.gz"), only("*.deb"), only("*.whl")):
        assert package.stat().st_size <= 25_000_000, package.name


def test_the_archive_s_program_runs_where_there_is_nothing_but_glibc(program: Path, tmp_path: Path) -> None:
    root = tmp_path / "root"
    for folder in ("proc", "dev", "tmp"):
        (root / folder).mkdir(parents=True)
    shutil.copy(program, root / "candlewire")
    named = re.findall(r"(/\S+) \(0x", run("ldd", program))
    assert {Path(name).name for name in named} <= {
        "libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1", "libgcc_s.so.1",
        "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1",
    }  # fmt: skip
    for name in named:
        target = root / name.lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(name, target)
    assert re.fullmatch(r"\d+\.\d+\.\d+(-dev)?\n", run(*in_root(root, "/candlewire", "--version")))
    port = free_port()
    command = in_root(root, "/candlewire", "serve", "--port", str(port), "--data-dir", "/data")
    with started(command, port, tmp_path / "first.log") as seconds:
        print(f"first start to the open page: {seconds:.2f} s")
        assert seconds <= FIRST_START
        check_server(port)
    with started(command, port, tmp_path / "second.log") as seconds:
        print(f"second start: {seconds:.2f} s")
        check_server(port)


def test_the_debian_package_installs_runs_upgrades_and_leaves_as_it_should(debian: Path, tmp_path: Path) -> None:
    package = only("*.deb")
    shutil.copy(package, debian / "package.deb")
    run(*in_root(debian, "dpkg", "-i", "/package.deb"))
    passwd = (debian / "etc/passwd").read_text()
    assert re.search(r"^candlewire:x:\d+:\d+:Candlewire server:/var/lib/candlewire:/usr/sbin/nologin$", passwd, re.M)
    state, etc = debian / "var/lib/candlewire", debian / "etc/candlewire"
    (uid,) = re.findall(r"^candlewire:x:(\d+):", passwd, re.M)
    assert (state.stat().st_uid, state.stat().st_mode & 0o777) == (int(uid), 0o750)
    assert (etc.stat().st_uid, etc.stat().st_mode & 0o777) == (0, 0o750)
    assert "/etc/candlewire/candlewire.conf" in run(*in_root(debian, "dpkg-query", "-W", "-f=${Conffiles}", "candlewire"))
    wanted = debian / "etc/systemd/system/multi-user.target.wants/candlewire.service"
    assert wanted.is_symlink(), "the service starts with the system"

    port = free_port()
    conf = etc / "candlewire.conf"
    conf.write_text(conf.read_text().replace("port = 8080", f"port = {port}"))
    run(*in_root(debian, "/usr/bin/candlewire", "config", "check", "/etc/candlewire/candlewire.conf", user="candlewire"))
    command = in_root(debian, *service_command(debian), user="candlewire")
    with started(command, port, tmp_path / "service.log") as seconds:
        print(f"first start of the service to the open page: {seconds:.2f} s")
        assert seconds <= FIRST_START
        check_server(port)
    files = [path for path in state.rglob("*") if path.is_file()]
    assert files and {path.stat().st_uid for path in files} == {int(uid)}

    # An upgrade keeps what the administrator wrote, and the data.
    text = conf.read_text()
    run(*in_root(debian, "dpkg", "-i", "/package.deb"))
    assert conf.read_text() == text
    with started(command, port, tmp_path / "upgraded.log"):
        check_server(port)

    run(*in_root(debian, "dpkg", "--remove", "candlewire"))
    assert not (debian / "usr/bin/candlewire").exists() and conf.exists() and (state / "candlewire.sqlite").exists()
    run(*in_root(debian, "dpkg", "-i", "/package.deb"))
    assert conf.read_text() == text and wanted.is_symlink()
    run(*in_root(debian, "dpkg", "--purge", "candlewire"))
    assert not state.exists() and not etc.exists() and not wanted.is_symlink()
    left = run(*in_root(debian, "find", "/usr", "/etc", "/var/lib", "-name", "*candlewire*"))
    assert left == "", "nothing but the user is left"


def test_the_wheel_installs_in_a_fresh_environment(tmp_path: Path) -> None:
    environment = tmp_path / "venv"
    run(sys.executable, "-m", "venv", environment)
    run(environment / "bin/pip", "install", "--no-index", "--no-deps", only("*.whl"))
    clean = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
    version = run(environment / "bin/candlewire", "--version", env=clean)
    assert run(environment / "bin/python", "-m", "candlewire", "--version", env=clean) == version
    port = free_port()
    command = ["env", "-i", f"XDG_DATA_HOME={tmp_path}/share", str(environment / "bin/candlewire"), "serve", "--port", str(port)]
    with started(command, port, tmp_path / "wheel.log"):
        check_server(port)
    assert (tmp_path / "share/candlewire/candlewire.sqlite").exists()
    run(environment / "bin/pip", "uninstall", "--yes", "candlewire")
    assert not (environment / "bin/candlewire").exists()
