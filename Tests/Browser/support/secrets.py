"""No secret that a test used stands in anything that a server wrote.

Every `Server` gives its log here, and the secrets of the files it was started with; a test adds what it made otherwise
(`remember`): tokens, tickets, keys of models. After each test everything new in the logs is looked through.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

# What is shorter could stand in a log by chance.
SHORTEST = 12
FILES = (
    "--stream-token-file", "--consultation-keys", "--consultation-model-key", "--jwt-key", "--credentials", "--tls-key",
)  # fmt: skip

_secrets: set[str] = set()
_logs: dict[Path, int] = {}


def remember(secret: str) -> str:
    assert len(secret) >= SHORTEST, "too short to be looked for"
    _secrets.add(secret)
    return secret


def private_file(path: Path, text: str) -> Path:
    """A file of secrets, which only its owner may read."""
    path.write_text(text)
    path.chmod(0o600)
    return path


def watch(log: Path, flags: tuple[str, ...]) -> None:
    """Adds a server's log, and what the files among its flags hold: lines, and in `USER:KEY` the key."""
    _logs.setdefault(log, 0)
    for flag, value in zip(flags, flags[1:], strict=False):
        if flag not in FILES or not Path(value).is_file():
            continue
        for line in Path(value).read_text(errors="replace").splitlines():
            if not line.startswith(("#", "-----", "{", "}")):
                _secrets.update(part for part in (line.strip(), line.strip().partition(":")[2]) if len(part) >= SHORTEST)


def leaks() -> list[str]:
    """Where secrets stand in what was written since the last look."""
    found = []
    longest = max(map(len, _secrets), default=0)
    for log, seen in _logs.items():
        if not log.exists():
            continue
        with log.open("rb") as file:
            # A secret may lie across the place where the last look ended.
            file.seek(max(0, min(seen, log.stat().st_size) - longest))
            written = file.read().decode(errors="replace")
            _logs[log] = file.tell()
        found += [f"{log}: {secret[:4]}... ({len(secret)} characters)" for secret in _secrets if secret in written]
    return found


@pytest.fixture(autouse=True)
def no_secret_in_logs() -> Iterator[None]:
    yield
    assert not leaks(), "a server wrote a secret"
