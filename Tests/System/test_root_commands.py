"""What root's commands do in the folder of a service: what they make is the service's, and no link of its leads them elsewhere."""

import json
import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from test_cli import OUTPUT, candlewire, prices
from test_ledger import make_old

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="needs root")

SERVICE = (12_345, 23_456)


@pytest.fixture
def data() -> Iterator[Path]:
    """The data folder of another account, which that account can reach, with a ledger of version 0.1."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        data = Path(folder) / "data"
        data.mkdir(0o700)
        make_old(data, 30)
        for path in (data, *data.iterdir()):
            os.chown(path, *SERVICE)
        # A file that root alone can read.
        os.chmod(data.parent / prices(data.parent), 0o600)
        yield data


def run(data: Path, *arguments: str, code: int = 0) -> str:
    said = candlewire(*arguments, "--data-dir", str(data), folder=data.parent)
    assert said.returncode == code, said
    return said.stderr


IMPORT = ("import", "prices.csv", "--symbol", "BTC-USD", "--timeframe", "1m")
PRUNE = ("prune", "--keep-candles", "1m:1d")


def test_what_root_makes_in_a_service_s_folder_belongs_to_the_service(data: Path) -> None:
    run(data, "tokens", "create", "desk")
    run(data, "compact")
    run(data, *IMPORT, "--rejects", "rejects.csv")
    run(data, *PRUNE)
    run(data, *PRUNE, "--live")
    made = {str(path.relative_to(data)): path.stat() for path in data.rglob("*")}
    assert {
        "tokens.json", "audit.jsonl", "ledger.sqlite", "ledger.sqlite.before-schema-2", "ledger.head", "ledger.key",
        "candlewire.sqlite", "lock", "live", "live/candlewire.sqlite", "live/lock",
    } <= made.keys()  # fmt: skip
    for name, status in made.items():
        assert (status.st_uid, status.st_gid) == SERVICE, name
        if not stat.S_ISDIR(status.st_mode) and not name.endswith("lock"):
            assert status.st_mode & 0o077 == 0, name
    assert (data.parent / "rejects.csv").stat().st_uid == 0
    changes = [json.loads(line) for line in (data / "audit.jsonl").read_text().splitlines()]
    assert [change["action"] for change in changes] == [
        "tokens create desk --scope read", "compact", "import prices.csv --symbol BTC-USD",
        "prune --keep-candles 1m:1d", "prune --keep-candles 1m:1d --live",
    ]  # fmt: skip
    assert {change["principal"] for change in changes} == {"user:root"}


def test_no_link_of_a_service_leads_root_elsewhere(data: Path) -> None:
    run(data, "compact")
    backups = data.parent / "backups"
    run(data, "backup", str(backups))
    elsewhere = data.parent / "elsewhere"
    (data / "lock").unlink()
    os.symlink(elsewhere, data / "lock")
    for arguments in (("compact",), IMPORT, PRUNE, ("restore", str(backups))):
        assert "cannot be locked" in run(data, *arguments, code=OUTPUT)
        assert not elsewhere.exists(), arguments
    secret = data.parent / "secret"
    tokens = '{"version":2,"tokens":[]}'
    secret.write_text(tokens)
    secret.chmod(0o600)
    os.symlink(secret, data / "tokens.json")
    run(data, "tokens", "create", "desk", code=69)
    assert (secret.stat().st_uid, secret.read_text()) == (0, tokens)
    (data / "tokens.json").unlink()
    for link in (os.symlink, os.link):
        (data / "audit.jsonl").unlink()
        link(secret, data / "audit.jsonl")
        assert "this change is not in it" in run(data, "tokens", "create", link.__name__)
        assert (secret.stat().st_uid, secret.read_text()) == (0, tokens), link
