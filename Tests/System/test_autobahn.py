"""The Autobahn test suite, without its slow groups: `make autobahn` runs all of it."""

import os
import subprocess

import pytest
from support.server import PACKAGE, binary

SKIPPED = 77


def test_the_quick_run_finds_nothing() -> None:
    answer = subprocess.run(
        [PACKAGE / "Scripts/autobahn", "--quick"],
        env={**os.environ, "CANDLEWIRE_BIN": str(binary())},
        capture_output=True, text=True, timeout=1200, check=False,
    )  # fmt: skip
    if answer.returncode == SKIPPED:
        pytest.skip(answer.stdout.strip().removeprefix("==> skipped: "))
    assert answer.returncode == 0, answer.stdout + answer.stderr
    for side in ("server", "client"):
        assert f"==> {side}: 247 cases, OK " in answer.stdout
        assert "NON-STRICT 0, UNIMPLEMENTED 0, FAILED 0, missing 0" in answer.stdout.split(f"{side}: 247 cases, OK")[1]


def test_without_python_2_7_it_says_so() -> None:
    answer = subprocess.run(
        ["python3", PACKAGE / "Scripts/autobahn", "--quick"],
        env={"PATH": "/usr/bin:/bin", "PYENV_ROOT": "/nowhere", "HOME": "/nowhere"},
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    if answer.returncode != SKIPPED:
        pytest.skip("there is a Python 2.7 of the system")
    assert "there is no Python 2.7" in answer.stdout
