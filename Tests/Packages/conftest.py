"""A minimal Debian, made once."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

import pytest

# Waiting, nginx and certificates, as the other folders have them.
for folder in ("Browser", "System"):
    path = str(Path(__file__).resolve().parents[1] / folder)
    if path not in sys.path:
        sys.path.append(path)


def unavailable(reason: str) -> NoReturn:
    """Elsewhere the other packages are tested all the same; in CI nobody would notice that one of them is not."""
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def debian(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A minimal Debian."""
    if not shutil.which("debootstrap"):
        unavailable("debootstrap is not installed")
    root = tmp_path_factory.mktemp("debian") / "root"
    done = subprocess.run(
        ["debootstrap", "--variant=minbase", "bookworm", str(root)], capture_output=True, text=True, check=False)
    if done.returncode:
        unavailable(f"no Debian can be had: {done.stdout[-400:]}{done.stderr[-400:]}")
    return root
