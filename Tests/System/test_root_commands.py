"""What root's commands do in the folder of a service: what they make is the service's, and no link of its leads them elsewhere."""

import json
import os
import shutil
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


def contents(folder: Path) -> dict[str, tuple[int, int, bytes]]:
    """Owner, mode and bytes of all in a folder, and of the folder."""
    found = {}
    for path in (folder, *folder.rglob("*")):
        status = path.lstat()
        found[str(path)] = (status.st_uid, status.st_mode, path.read_bytes() if path.is_file() else b"")
    return found


@pytest.fixture
def elsewhere(data: Path) -> Path:
    """A folder of root's that others may look into, with files that a data folder has, too."""
    folder = data.parent / "elsewhere"
    folder.mkdir(mode=0o755)
    for name in ("secret", "markets.json", "ledger.head", "tokens.json", "audit.jsonl"):
        (folder / name).write_text(f"root's {name}\n")
        (folder / name).chmod(0o644 if name == "secret" else 0o600)
    return folder


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


def test_a_restore_makes_everything_as_the_service_and_follows_no_link_of_its(data: Path, elsewhere: Path) -> None:
    run(data, "compact")
    (data / "live").mkdir()
    os.chown(data / "live", *SERVICE)
    (data / "notes").write_text("the user's")
    os.symlink(elsewhere / "secret", data / "certificate")
    for name in ("notes", "certificate"):
        os.lchown(data / name, *SERVICE)
    backups = data.parent / "backups"
    run(data, "backup", str(backups))
    before = contents(elsewhere)
    run(data, "restore", str(backups))
    restored = {path.name: path.lstat() for path in (data, *data.rglob("*"))}
    assert {"notes", "certificate", "ledger.sqlite", "ledger.key", "audit.jsonl"} <= restored.keys()
    for name, status in restored.items():
        assert (status.st_uid, status.st_gid) == SERVICE, name
    assert stat.S_IMODE(data.stat().st_mode) == 0o700
    assert (data / "certificate").is_symlink() and (data / "notes").read_text() == "the user's"
    # What only root may read is not given to the service.
    (data / "roots").write_text("secret")
    (data / "roots").chmod(0o600)
    assert "cannot be copied" in run(data, "restore", str(backups), code=OUTPUT)
    assert not data.with_name("data.restoring").exists()
    (data / "roots").unlink()
    shutil.rmtree(data / "live", ignore_errors=True)
    os.symlink(elsewhere, data / "live")
    os.lchown(data / "live", *SERVICE)
    assert "live is a link" in run(data, "restore", str(backups), code=OUTPUT)
    assert contents(elsewhere) == before and not data.with_name("data.restoring").exists()
    # A folder that is missing is its parent's owner's.
    made = candlewire("restore", str(backups), "--data-dir", str(data / "new" / "one"), folder=data.parent)
    assert made.returncode == 0, made
    assert {path.stat().st_uid for path in (data / "new").rglob("*")} == {SERVICE[0]}


READERS = (
    ("export", "BTC-USD", "--timeframe", "1m", "--out", "{}/out.csv"), ("chart", "BTC-USD", "--out", "{}/out.png"),
    ("compare", "coinbase:BTC-USD"), ("verify",), ("backup", "{}/backups"),
)  # fmt: skip


@pytest.mark.parametrize("command", READERS, ids=lambda command: command[0])
def test_no_reading_command_of_root_s_changes_or_reads_what_a_link_leads_to(
    data: Path, elsewhere: Path, command: tuple[str, ...]
) -> None:
    private = data.parent / "private"
    private.mkdir(mode=0o700)
    arguments = tuple(argument.format(private) for argument in command)
    run(data, "compact")
    run(data, *IMPORT)
    if command[0] != "compare":
        # The index of the fixture's ledger is empty.
        run(data, *arguments, code=65 if command[0] == "verify" else 0)
        assert {path.stat().st_uid for path in private.rglob("*")} <= {0}
    before = contents(elsewhere)
    run(data, *PRUNE, "--live")
    for name in ("candlewire.sqlite", "ledger.sqlite", "live/candlewire.sqlite"):
        for suffix in ("-wal", "-shm"):
            (data / f"{name}{suffix}").unlink(missing_ok=True)
            os.symlink(elsewhere / ("secret" if suffix == "-wal" else "new"), data / f"{name}{suffix}")
    candlewire(*arguments, "--data-dir", str(data), folder=data.parent)
    assert contents(elsewhere) == before
    # Where there is nothing yet.
    for name in ("candlewire.sqlite", "ledger.sqlite"):
        (data / f"{name}-wal").unlink(missing_ok=True)
        os.symlink(elsewhere / "new", data / f"{name}-wal")
    candlewire(*arguments, "--data-dir", str(data), folder=data.parent)
    assert contents(elsewhere) == before


@pytest.mark.parametrize("name", ["markets.json", "ledger.head", "audit.jsonl", "live"])
def test_a_backup_by_root_has_nothing_that_a_link_leads_to(data: Path, elsewhere: Path, name: str) -> None:
    run(data, "compact")
    (data / name).unlink(missing_ok=True)
    os.symlink(elsewhere if name == "live" else elsewhere / name, data / name)
    os.lchown(data / name, *SERVICE)
    backups = data.parent / "backups"
    reason = "Permission denied" if name == "live" else "it is a link"
    assert reason in run(data, "backup", str(backups), code=OUTPUT)
    assert not any(b"root's" in path.read_bytes() for path in backups.rglob("*") if path.is_file())
    # The owner's own link is refused, too.
    if name != "live":
        for path in (data, *data.iterdir()):
            os.lchown(path, 0, 0)
        assert reason in run(data, "backup", str(backups), code=OUTPUT)


def test_a_link_to_a_folder_is_of_who_made_it_also_before_a_slash(data: Path, elsewhere: Path) -> None:
    elsewhere.chmod(0o700)
    before = contents(elsewhere)
    link = data.parent / "link"
    os.symlink(elsewhere, link)
    os.lchown(link, *SERVICE)
    for end in ("", "/", "/.", "//"):
        said = candlewire("tokens", "create", "desk", "--data-dir", f"{link}{end}", folder=data.parent)
        assert said.returncode != 0 and contents(elsewhere) == before, (end, said)
    # Root's own link leads to the service's folder.
    link.unlink()
    os.symlink(data, link)
    run(data.parent / "link", "tokens", "create", "desk")
    assert (data / "tokens.json").stat().st_uid == SERVICE[0]
    # A folder that is missing is of the nearest one's owner.
    made = candlewire("tokens", "create", "desk", "--data-dir", str(data / "new" / "one"), folder=data.parent)
    assert made.returncode == 0, made
    assert {path.stat().st_uid for path in (data / "new").rglob("*")} == {SERVICE[0]}


def test_tokens_in_a_folder_of_root_s_are_recorded_by_the_service(data: Path, elsewhere: Path) -> None:
    os.symlink(elsewhere, data / "live")
    os.lchown(data / "live", *SERVICE)
    tokens = data.parent / "root" / "tokens.json"
    tokens.parent.mkdir(mode=0o700)
    log = (elsewhere / "audit.jsonl").read_bytes()
    assert f"audit log in {data}/live cannot be written" in run(data, "tokens", "create", "desk", "--file", str(tokens))
    assert (elsewhere / "audit.jsonl").read_bytes() == log
    assert tokens.stat().st_uid == 0 and (data / "audit.jsonl").stat().st_uid == SERVICE[0]
