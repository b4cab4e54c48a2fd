"""What a server that other machines reach leaves open, and what browsers are told to keep from it."""

import http.client
import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from support.secrets import private_file
from support.server import binary

from running_server import RunningServer

TOKEN = "a-token-of-some-length-1"


@pytest.fixture
def tokens(tmp_path: Path) -> str:
    path = tmp_path / "tokens"
    return str(private_file(path, TOKEN))


def answer(server: RunningServer, method: str, path: str, **headers: str) -> tuple[int, dict[str, str]]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    try:
        connection.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        response = connection.getresponse()
        response.read()
        return response.status, {name.lower(): value for name, value in response.getheaders()}
    finally:
        connection.close()


def refusal(tmp_path: Path, *flags: str) -> str:
    run = subprocess.run(
        [binary(), "serve", "--port", "0", "--data-dir", str(tmp_path / "data"), *flags],
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert run.returncode not in (0, -9), run
    assert not (tmp_path / "data").exists(), "nothing is made by a server that does not start"
    return run.stderr


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "127.example.net"])
def test_a_server_for_others_without_a_login_is_refused(tmp_path: Path, host: str) -> None:
    words = refusal(tmp_path, "--host", host)
    assert host in words and "--stream-token-file" in words and "--open-to-everyone" in words
    assert words.count("\n") == 1, words


def test_a_login_for_all_needs_tokens(tmp_path: Path) -> None:
    assert "--stream-token-file" in refusal(tmp_path, "--require-login", "all")
    assert "'all' and 'trading'" in refusal(tmp_path, "--require-login", "some")


def test_a_server_for_others_starts_with_a_token_or_when_stated(serve: Callable[..., RunningServer], tokens: str) -> None:
    for flags in (["--open-to-everyone"], ["--stream-token-file", tokens]):
        server = serve("sim:BTC-USD", "--host", "0.0.0.0", *flags)
        expected = 200 if "--open-to-everyone" in flags else 401
        assert answer(server, "GET", "/v1/orders")[0] == expected
        assert answer(server, "GET", "/v1/markets")[0] == 200
        # What it says: an address that a browser opens, and who can do what.
        assert f"Open    http://localhost:{server.port}/" in server.log and "http://0.0.0.0" not in server.log
        assert "everyone who can reach this machine can read its" in server.log
        assert ("tokens travel unencrypted" in server.log) == (expected == 401)


def test_a_login_for_all_closes_every_route_and_no_file(serve: Callable[..., RunningServer], tokens: str) -> None:
    server = serve("sim:BTC-USD", "--stream-token-file", tokens, "--require-login", "all")
    description = json.loads((Path(__file__).parents[2] / "Web" / "openapi.json").read_text())
    paths = [path for path in description["paths"] if path.startswith("/v1/")]
    assert len(paths) > 15
    for described in paths:
        path = described.replace("{symbol}", "BTC-USD").replace("{id}", "1").replace("{name}", "sim")
        if path == "/v1/stream":
            # A stream has the token in its first message.
            assert answer(server, "GET", path)[0] == 426
            continue
        for way in (path, path + "/", path.replace("/v1/", "/%761/")):
            status = answer(server, "GET", way)[0]
            # A path that is no route's is none without its slash either, and is not found.
            closed = 401 if "get" in description["paths"][described] else 405
            assert status == closed or (status == 404 and way != path), (way, status)
        assert answer(server, "GET", path, Authorization=f"Bearer {TOKEN}")[0] not in (401, 403), path
    assert answer(server, "GET", "/health")[0] == 200
    assert answer(server, "GET", "/")[0] == 200


def test_the_echo_needs_the_token_too(serve: Callable[..., RunningServer], tokens: str) -> None:
    server = serve("sim:BTC-USD", "--stream-token-file", tokens)
    address = f"ws://127.0.0.1:{server.port}/raw"
    for headers in ({}, {"Authorization": "Bearer another-token-of-length"}):
        with pytest.raises(InvalidStatus) as refused:
            connect(address, additional_headers=headers)
        assert refused.value.response.status_code == 401
    with connect(address, additional_headers={"Authorization": f"Bearer {TOKEN}"}) as connection:
        connection.send("hello")
        assert connection.recv(timeout=60) == "hello"


@pytest.mark.parametrize("path", ["/", "/main.js", "/health", "/v1/markets", "/nothing-here", "/v1/nothing"])
def test_every_answer_has_the_headers_that_bound_a_browser(quiet: RunningServer, path: str) -> None:
    status, headers = answer(quiet, "GET", path)
    assert (status == 404) == ("nothing" in path)
    policy = headers["content-security-policy"]
    directives = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert directives["connect-src"] == f"'self' ws://127.0.0.1:{quiet.port}"
    assert directives["form-action"] == directives["frame-ancestors"] == "'self'"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert headers["x-content-type-options"] == "nosniff"
    # Only over TLS, where RFC 6797 gives it a meaning.
    assert "strict-transport-security" not in headers


def test_a_host_adds_nothing_to_the_policy(serve: Callable[..., RunningServer], tokens: str) -> None:
    server = serve("sim:BTC-USD", "--host", "0.0.0.0", "--stream-token-file", tokens)
    for host in ("evil.example; script-src *", "a b", "x'y"):
        _, headers = answer(server, "GET", "/health", Host=host)
        policy = headers.get("content-security-policy", "")
        assert "*" not in policy and host not in policy
