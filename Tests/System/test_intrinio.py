"""Intrinio by hand: a simulated one, and what the commands say about it, with and without a key."""

import json
import os
import re
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.server import binary
from support.venue import Venue

SECRET = "s3cr3t-key"


@pytest.fixture(scope="module")
def venue() -> Iterator[str]:
    """`127.0.0.1:PORT` of a simulated one."""
    with Venue("intrinio") as venue:
        assert "intrinio:AAPL,GE,MSFT" in venue.head
        yield venue.url.split("/")[2]
        said = venue.stop()
    assert "GET /companies?query=apple 200" in said and "GET /companies?query=apple 401" in said
    assert "GET /auth?api_key=… 401" in said and SECRET not in said


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("INTRINIO_")}
    return subprocess.run(
        [str(binary()), *arguments], capture_output=True, text=True, timeout=120, env=kept | environment
    )


def test_companies_are_searched_with_the_keys_of_the_environment_or_a_file(venue: str, tmp_path: Path) -> None:
    found = run("symbols", "intrinio", "apple", "--url", f"http://{venue}", INTRINIO_API_KEY="demo")
    assert found.returncode == 0 and "AAPL" in found.stdout and "0000320193" in found.stdout

    keys = tmp_path / "keys.json"
    keys.write_text('{"intrinio":{"user":"demo","password":"demo"}}')
    keys.chmod(0o600)
    arguments = ["symbols", "intrinio", "apple", "--json", "--url", f"http://{venue}", "--credentials", str(keys)]
    found = run(*arguments)
    assert json.loads(found.stdout)["companies"] == [{"symbol": "AAPL", "name": "Apple Inc", "cik": "0000320193"}]
    keys.chmod(0o644)
    refused = run(*arguments)
    assert refused.returncode == 66 and "chmod 600" in refused.stderr

    nothing = run("symbols", "intrinio", "no such", "--url", f"http://{venue}", INTRINIO_API_KEY="demo")
    assert nothing.returncode == 1 and "no such company" in nothing.stdout


def test_reference_prices_of_a_symbol(venue: str) -> None:
    arguments = ["symbols", "intrinio", "AAPL", "--prices", "--url", f"http://{venue}"]
    found = run(*arguments, INTRINIO_USER="demo", INTRINIO_PASSWORD="demo")
    assert found.returncode == 0 and "+5.00 %" in found.stdout and "105.5" in found.stdout
    document = json.loads(run(*arguments, "--json", INTRINIO_API_KEY="demo").stdout)
    assert document["prices"][0] | {"date": ""} == {
        "date": "", "open": 100, "high": 105.5, "low": 98.25, "close": 105, "volume": 51234567,
    }  # fmt: skip


def test_a_missing_or_wrong_key_is_one_sentence_without_the_key(venue: str, tmp_path: Path) -> None:
    for command in (["symbols", "intrinio", "apple"], ["serve", "--feed", "intrinio:AAPL", "--data-dir", str(tmp_path)]):
        missing = run(*command)
        assert missing.returncode == 64 and "INTRINIO_API_KEY" in missing.stderr, missing.stderr
        assert missing.stderr.count("\n") == 1
    wrong = run("symbols", "intrinio", "apple", "--url", f"http://{venue}", INTRINIO_API_KEY=SECRET)
    with pytest.raises(urllib.error.HTTPError, match="401"):
        urllib.request.urlopen(f"http://{venue}/auth?api_key={SECRET}", timeout=60)
    assert wrong.returncode == 69 and "401" in wrong.stderr and SECRET not in wrong.stdout + wrong.stderr


@pytest.mark.parametrize("name", ["intrinio", "intrinio-equities"])
def test_its_candles_and_companies_are_requested_with_the_same_key(name: str, venue: str, tmp_path: Path) -> None:
    url = ("--url", f"http://{venue}")
    call = (f"{name}:AAPL", "--from", str(int(time.time()) - 3600), "--data-dir", str(tmp_path), *url)
    filled = run("backfill", *call, INTRINIO_API_KEY="demo")
    # No client listens: nothing has been played, and the answer is an empty list.
    assert filled.returncode in (0, 75) and filled.stderr == "", filled.stderr
    unknown = run("backfill", f"{name}:ZZZZ", *call[1:], INTRINIO_API_KEY="demo")
    assert unknown.returncode == 69 and "Identifier not found" in unknown.stderr
    found = run("symbols", name, "apple", *url, INTRINIO_API_KEY="demo")
    assert found.returncode == 0 and "AAPL" in found.stdout


def test_it_is_listed_with_what_is_not_known_about_it() -> None:
    listed = run("feeds").stdout
    assert re.search(r"^intrinio +Intrinio +AAPL .* needed$", listed, re.MULTILINE)
    assert "no recording was found" in run("feeds", "intrinio").stdout
    assert "INTRINIO_API_KEY" in run("feeds", "intrinio-equities").stdout
