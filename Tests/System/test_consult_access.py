"""Who may consult, from outside; and that no secret stands in what a server writes, even when it writes all it can."""

import json
import subprocess
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from consult_client import Consult
from model_server import CountingModel, words
from running_server import RunningServer
from support import secrets
from support.server import binary
from support.web_token import SECRET, token
from websockets.exceptions import ConnectionClosedError, InvalidStatus
from websockets.sync.client import connect

KEY = "the-api-key-of-ada-12345"
MODEL_KEY = "sk-the-key-of-the-model-1"


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    named = {"keys": f"ada:{KEY}\n", "jwt": SECRET + "\n", "model": MODEL_KEY + "\n"}
    for name, text in named.items():
        secrets.private_file(tmp_path / name, text)
    return {name: tmp_path / name for name in named}


def send_request(
    server: RunningServer, method: str, path: str, headers: dict[str, str], body: Any = None
) -> tuple[int, Any]:
    request = urllib.request.Request(
        server.address + path, method=method, headers=headers, data=None if body is None else json.dumps(body).encode()
    )
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, json.loads(answer.read() or b"null")
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read())


def test_a_login_of_any_kind_opens_a_consultation_and_no_secret_is_written(
    serve: Callable[..., RunningServer], files: dict[str, Path], tmp_path: Path
) -> None:
    model = CountingModel(count=3, pause=0, key=MODEL_KEY)
    server = serve(
        "sim:BTC-USD", "--consultation-keys", str(files["keys"]), "--jwt-key", str(files["jwt"]),
        "--consultation-url", model.url, "--consultation-model", "counting", "--allow-query-token",
        "--consultation-model-key", str(files["model"]), "--log-level", "trace",
    )  # fmt: skip
    assert send_request(server, "GET", "/consultations", {})[0] == 401
    assert send_request(server, "GET", "/consultations", {"X-API-Key": "a-wrong-key-of-nobody"})[0] == 401
    by_key = {"X-API-Key": KEY}
    by_token = {"Authorization": f"Bearer {token('ada')}"} | by_key
    begin = {"consultationType": "nutrition", "userId": "ada"}
    status, made = send_request(server, "POST", "/consultations", by_token, begin)
    assert status == 201 and made["user"] == "ada"
    assert send_request(server, "GET", f"/consultations/{made['id']}", by_token)[0] == 200
    by_other = {"Authorization": f"Bearer {token('bob')}"} | by_key
    assert send_request(server, "GET", f"/consultations/{made['id']}", by_other)[0] == 403
    for wrong in (token("ada", -100), token("ada", secret="another" + SECRET), token("ada")[:-2] + "xx"):
        status, answer = send_request(server, "GET", "/consultations", {"Authorization": f"Bearer {wrong}"} | by_key)
        assert status == 401 and wrong not in json.dumps(answer)

    address = f"ws://127.0.0.1:{server.port}/ws/consultation?consultation_id={made['id']}"
    ticket = secrets.remember(send_request(server, "POST", f"/consultations/{made['id']}/ticket", by_token)[1]["ticket"])
    ping = json.dumps({"type": "ping", "message_id": "p1", "timestamp": "2025-01-27T10:00:00Z"})
    for url, headers in (
        (address, by_token), (f"{address}&ticket={ticket}", {}), (f"{address}&token={token('ada')}", by_key),
    ):  # fmt: skip
        with connect(url, additional_headers=headers) as socket:
            socket.send(ping)
            assert json.loads(socket.recv(timeout=60))["type"] == "pong"
    with pytest.raises(InvalidStatus) as refused, connect(f"{address}&ticket={ticket}"):
        pass
    assert refused.value.response.status_code == 401
    with connect(address) as socket:
        frame = {"type": "auth", "content": token("eve"), "message_id": "a1", "timestamp": "2025-01-27T10:00:00Z"}
        # A browser has no header for the app's key.
        frame["metadata"] = {"api_key": KEY}
        socket.send(json.dumps(frame))
        assert [json.loads(socket.recv(timeout=60))["type"] for _ in range(2)] == ["ack", "error"]
        with pytest.raises(ConnectionClosedError) as ended:
            socket.recv(timeout=60)
        assert ended.value.rcvd is not None and ended.value.rcvd.code == 4103

    held = tmp_path / "token"
    held.write_text(token("ada") + "\n")
    (tmp_path / "app.key").write_text(KEY + "\n")
    login = ("--token-file", str(held), "--api-key-file", str(tmp_path / "app.key"))
    client = Consult("--url", server.address, *login, "--resume", made["id"])
    client.shows("> ")
    client.type("question one")
    client.shows("".join(words("one", 3)))
    client.close()
    held.write_text(token("ada", -100))
    late = Consult("--url", server.address, *login, "--resume", made["id"])
    assert late.end() == 77
    late.close()
    model.stop()
    # Also those of clients.
    assert not any(secret in client.output + late.output for secret in (KEY, SECRET, MODEL_KEY, ticket))


def test_the_start_screen_says_who_answers_and_wrong_options_are_named(files: dict[str, Path], tmp_path: Path) -> None:
    def refused(*flags: str) -> str:
        command = [str(binary()), "serve", "--port", "0", "--data-dir", str(tmp_path / "none"), *flags]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert ended.returncode in (64, 69), ended
        assert MODEL_KEY not in ended.stderr and SECRET not in ended.stderr
        return ended.stderr

    assert "belong together" in refused("--consultation-url", "http://127.0.0.1:1/v1")
    assert "must be http://" in refused("--consultation-url", "localhost", "--consultation-model", "m")
    with_key = f"http://me:{MODEL_KEY}@127.0.0.1:1/v1"
    assert "--consultation-model-key" in refused("--consultation-url", with_key, "--consultation-model", "m")
    assert "36500" in refused("--consultation-retention", "-1")
    model = ("--consultation-url", "http://127.0.0.1:1/v1", "--consultation-model", "m")
    assert "from 1 to 3600 seconds; it is 0.5" in refused(*model, "--consultation-timeout", "0.5")
    assert "from 1 to 3600 seconds; it is nan" in refused(*model, "--consultation-timeout", "nan")
    assert "belongs to --consultation-url" in refused("--consultation-timeout", "600")
    assert "--jwt-key" in refused("--jwt-issuer", "me")
    assert "USER:KEY" in refused("--consultation-keys", str(files["jwt"]))
    assert "private key" in refused("--jwt-key", str(private_key(tmp_path)))
    page = tmp_path / "page"
    page.write_text("<html><body>502 Bad Gateway: this is longer than any secret needs to be</body></html>\n")
    assert "is a page" in refused("--jwt-key", str(page))
    secrets.private_file(tmp_path / "names", f"local:{KEY}\n")
    assert 'line 1: the user name "local" is reserved' in refused("--consultation-keys", str(tmp_path / "names"))


def private_key(folder: Path) -> Path:
    path = folder / "private.pem"
    path.write_text("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n")
    return path


def test_a_model_that_is_not_there_keeps_no_server_from_starting(serve: Callable[..., RunningServer]) -> None:
    server = serve("sim:BTC-USD", "--consultation-url", "http://127.0.0.1:1/v1", "--consultation-model", "none")
    assert "Chat    none at http://127.0.0.1:1/v1" in server.log
    command = [str(binary()), "consult", "--url", server.address, "hello"]
    result = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False
    )  # fmt: skip
    # There is no prompt: a remark is no part of the answer, and names no command.
    assert (result.returncode, result.stdout) == (1, ""), result
    assert "(failed: The model's server cannot be reached.)" in result.stderr and "/retry" not in result.stderr


def test_without_consultations_there_are_none(serve: Callable[..., RunningServer]) -> None:
    server = serve("sim:BTC-USD", "--no-consultation")
    assert "Chat    off" in server.log
    assert send_request(server, "GET", "/consultations", {})[0] == 404
