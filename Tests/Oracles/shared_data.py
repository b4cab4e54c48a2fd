"""Real sessions and series from `../shared/data`; where it is not on the machine, ones that are made take their place.

What a test knows about one real file cannot be made: such tests are marked `needs_real_data`.
"""

import fcntl
import hashlib
import os
import shutil
from pathlib import Path

import made_series
import made_sessions
import pytest
from support.server import PACKAGE

REAL = PACKAGE.parent / "shared" / "data"
IS_REAL = REAL.is_dir()
REASON = "for want of ../shared"
needs_real_data = pytest.mark.skipif(not IS_REAL, reason=REASON)


def _made() -> Path:
    """The folder of made data; the first process to need it makes it, once for each version of its generators."""
    sources = b"".join(Path(module.__file__ or "").read_bytes() for module in (made_sessions, made_series))
    folder = PACKAGE / ".build" / "made-data" / hashlib.sha256(sources).hexdigest()[:12]
    folder.parent.mkdir(parents=True, exist_ok=True)
    with (folder.parent / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            unfinished = folder.with_suffix(f".{os.getpid()}")
            shutil.rmtree(unfinished, ignore_errors=True)
            made_sessions.write_sessions(unfinished / "recordings")
            made_series.write_series(unfinished / "ohlcv")
            unfinished.rename(folder)
    return folder


DATA = REAL if IS_REAL else _made()
RECORDINGS = DATA / "recordings"
OHLCV = DATA / "ohlcv"


def recording(name: str) -> Path:
    """- name: without its end."""
    return next(RECORDINGS / f"{name}{end}" for end in (".jsonl.gz", ".jsonl") if (RECORDINGS / f"{name}{end}").exists())
