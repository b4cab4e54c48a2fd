"""An app's key and a user's token together: who is who, what neither may do, and where stored conversations go."""

import json
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from consult_client import Consult
from running_server import RunningServer
from support.polling import eventually
from support.secrets import private_file
from support.web_token import SECRET, token
from test_consult_access import send_request
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

ADA = "the-api-key-of-ada-12345"
APP = "the-api-key-of-an-app-54321"
STREAM = "a-token-of-the-stream-1"
BEFORE = Path(__file__).parent / "data" / "conversations-before-namespaces.sql"


@pytest.fixture
def flags(tmp_path: Path) -> dict[str, tuple[str, ...]]:
    named = {"keys": f"ada:{ADA}\ncoach:{APP}\n", "jwt": SECRET + "\n", "tokens": STREAM + "\n"}
    for name, text in named.items():
        private_file(tmp_path / name, text)
    options = {"keys": "--consultation-keys", "jwt": "--jwt-key", "tokens": "--stream-token-file"}
    return {name: (options[name], str(tmp_path / name)) for name in named}


def bearer(text: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {text}"}


def begin(server: RunningServer, headers: dict[str, str], **more: Any) -> dict[str, Any]:
    status, made = send_request(server, "POST", "/consultations", headers, {"consultationType": "nutrition", **more})
    assert status == 201, made
    return made


def listed(server: RunningServer, headers: dict[str, str]) -> list[str]:
    status, answer = send_request(server, "GET", "/consultations", headers)
    assert status == 200, answer
    return [each["id"] for each in answer["consultations"]]


def refusal(server: RunningServer, consultation: str, headers: dict[str, str], more: str = "") -> int | None:
    address = f"ws://127.0.0.1:{server.port}/ws/consultation?consultation_id={consultation}{more}"
    try:
        with connect(address, additional_headers=headers):
            return None
    except InvalidStatus as refused:
        return refused.response.status_code


def proposal(server: RunningServer, headers: dict[str, str]) -> str:
    """The path of an order that the assistant proposes: in a market without a price it proposes none."""
    eventually(lambda: server.get("/health")["ticks"]["accepted"] > 0, "a price")
    made = begin(server, headers, consultationType="markets", initialMessage="Buy 0.01 BTC-USD")
    path = f"/consultations/{made['id']}"

    def card() -> str | None:
        _, answer = send_request(server, "GET", f"{path}/messages", headers)
        cards = [each["metadata"] for each in answer["messages"] if each["role"] == "system"]
        return next((each["template_id"] for each in cards if each["type"] == "order_proposal"), None)

    return f"{path}/proposals/{eventually(card, 'the assistant proposed an order')}"


ORDER = {"client_order_id": "o1", "symbol": "BTC-USD", "side": "buy", "type": "market", "quantity": "0.01"}


def test_a_key_and_a_token_of_the_same_name_are_two_users(
    serve: Callable[..., RunningServer], flags: dict[str, tuple[str, ...]]
) -> None:
    """The same data under three configurations, as an operator changes them."""
    server = serve("sim:BTC-USD", *flags["keys"])
    of_key = begin(server, {"X-API-Key": ADA})["id"]
    server.stop()
    server._flags = ("--feed", "sim:BTC-USD", *flags["jwt"])
    server.start()
    by_token = bearer(token("ada"))
    made = begin(server, by_token)
    # What a client sees is the name, without where it comes from.
    assert made["user"] == "ada"
    of_token = made["id"]
    assert listed(server, by_token) == [of_token]
    assert refusal(server, of_key, by_token) == 403
    for method, path in (("GET", ""), ("GET", "/messages"), ("GET", "/export"), ("POST", "/ticket"), ("DELETE", "")):
        assert send_request(server, method, f"/consultations/{of_key}{path}", by_token)[0] == 403, (method, path)
    server.stop()
    server._flags = ("--feed", "sim:BTC-USD", *flags["keys"])
    server.start()
    assert listed(server, {"X-API-Key": ADA}) == [of_key]
    assert refusal(server, of_token, {"X-API-Key": ADA}) == 403
    assert refusal(server, of_key, {"X-API-Key": ADA}) is None


def test_with_both_configured_both_are_required_and_the_token_names_the_user(
    serve: Callable[..., RunningServer], flags: dict[str, tuple[str, ...]]
) -> None:
    server = serve("sim:BTC-USD", *flags["keys"], *flags["jwt"], "--allow-query-token")
    app, user = {"X-API-Key": APP}, bearer(token("alice"))
    made = begin(server, app | user)
    assert made["user"] == "alice"
    path = f"/consultations/{made['id']}"
    for headers, code in (
        (app, "user_token_required"), (user, "app_key_required"), (bearer(APP), "app_key_required"),
        ({}, "unauthorized"), (app | bearer(token("alice", -100)), "unauthorized"),
        ({"X-API-Key": "a-wrong-key-of-none"} | user, "unauthorized"),
    ):  # fmt: skip
        status, answer = send_request(server, "GET", path, headers)
        assert (status, answer["error"]["code"]) == (401, code), headers
    # Another app of the same user shows the same conversations; another user of the same app does not.
    assert send_request(server, "GET", path, {"X-API-Key": ADA} | user)[0] == 200
    assert send_request(server, "GET", path, app | bearer(token("coach")))[0] == 403
    # As the original protocol has it: the key in a header, the token in the address.
    assert refusal(server, made["id"], app, f"&token={token('alice')}") is None
    assert refusal(server, made["id"], {}, f"&token={token('alice')}") == 401
    assert refusal(server, made["id"], app | user) is None
    assert refusal(server, made["id"], user) == 401


def test_a_login_of_the_assistant_gives_no_right_to_trade(
    serve: Callable[..., RunningServer], flags: dict[str, tuple[str, ...]]
) -> None:
    by_key = {"X-API-Key": ADA}
    server = serve("sim:BTC-USD", "--rate", "200", *flags["keys"])
    path = proposal(server, by_key)
    status, answer = send_request(server, "POST", path, by_key, {"decision": "approve"})
    assert (status, answer["error"]["code"]) == (403, "trading_forbidden")
    for headers in (by_key, bearer(ADA)):
        for method, place, body in (("POST", "/v1/orders", ORDER), ("GET", "/v1/orders", None), ("GET", "/v1/fills", None)):
            status, answer = send_request(server, method, place, headers, body)
            assert (status, answer["error"]["code"]) == (403, "trading_forbidden"), (headers, place)
    assert send_request(server, "POST", path, by_key, {"decision": "decline"})[0] == 200
    # The machine's own users have their account as before.
    assert send_request(server, "POST", "/v1/orders", {}, ORDER)[0] == 201

    # Where others reach a server with logins, no client trades without its stream's token.
    far = serve("sim:BTC-USD", "--host", "0.0.0.0", *flags["keys"])
    for headers in ({}, by_key):
        assert send_request(far, "POST", "/v1/orders", headers, ORDER)[0] == 403
        assert send_request(far, "GET", "/v1/accounts", headers)[0] == 403
    assert "trading needs --stream-token-file" in far.log
    with connect(far.stream) as stream:
        for channel, kind in (("orders", "error"), ("positions", "error"), ("events", "error"), ("health", "subscribed")):
            stream.send(json.dumps({"action": "subscribe", "channel": channel, "id": channel}))
            answer = json.loads(stream.recv(timeout=60))
            assert (answer["type"], answer["id"]) == (kind, channel)
            assert answer.get("code") == ("forbidden" if kind == "error" else None)


def test_the_stream_s_token_beside_a_login_gives_it(
    serve: Callable[..., RunningServer], flags: dict[str, tuple[str, ...]], tmp_path: Path
) -> None:
    server = serve("sim:BTC-USD", "--rate", "200", *flags["keys"], *flags["jwt"], *flags["tokens"])
    login = {"X-API-Key": APP} | bearer(token("alice"))
    assert send_request(server, "POST", "/v1/orders", login, ORDER)[0] == 401
    path = proposal(server, login)
    assert send_request(server, "POST", path, login, {"decision": "approve"})[0] == 403
    wrong = login | {"X-Stream-Token": "a-wrong-token-of-none"}
    assert send_request(server, "POST", path, wrong, {"decision": "approve"})[0] == 401
    both = login | {"X-Stream-Token": STREAM}
    assert send_request(server, "POST", path, both, {"decision": "approve"})[0] == 201
    assert len(send_request(server, "GET", "/v1/orders", bearer(STREAM))[1]["orders"]) == 1

    # The command line sends all three.
    named = {"--api-key-file": APP, "--token-file": token("alice"), "--stream-token-file": STREAM}
    flags_of_files: list[str] = []
    for option, text in named.items():
        private_file(tmp_path / option, text + "\n")
        flags_of_files += [option, str(tmp_path / option)]
    client = Consult("--url", server.address, *flags_of_files)
    client.shows("> ")
    client.type("Buy 0.01 BTC-USD")
    client.shows("Place this paper order? [y/n]")
    client.type("y")

    def count() -> int:
        return len(send_request(server, "GET", "/v1/orders", bearer(STREAM))[1]["orders"])

    eventually(lambda: count() == 2, "the order was placed")
    client.close()


@pytest.mark.parametrize(
    ("kinds", "ada", "eve"),
    # The data has conversations of `ada` and `eve`. While keys and subjects were one namespace, nothing said which
    # they are: at the first start those whom the key file names stay users of keys.
    [(("keys",), True, None), (("jwt",), True, True), (("keys", "jwt"), False, True)],
)
def test_conversations_of_earlier_versions_are_found_again(
    serve: Callable[..., RunningServer], flags: dict[str, tuple[str, ...]], tmp_path: Path, kinds: tuple[str, ...],
    ada: bool, eve: bool | None,
) -> None:  # fmt: skip
    folder = tmp_path / "data-0"
    folder.mkdir()
    with sqlite3.connect(folder / "conversations.sqlite") as database:
        database.executescript(BEFORE.read_text())
        # They are not older than conversations are kept.
        database.execute("UPDATE conversation SET updated_at = ?", (time.time(),))
    ids = dict(database.execute("SELECT user, id FROM conversation").fetchall())
    database.close()
    server = serve("sim:BTC-USD", *(flag for kind in kinds for flag in flags[kind]))
    app = {"X-API-Key": APP} if len(kinds) == 2 else {}
    for user, is_found in (("ada", ada), ("eve", eve)):
        if is_found is None:
            continue
        headers = {"X-API-Key": ADA} if kinds == ("keys",) else app | bearer(token(user))
        assert listed(server, headers) == ([ids[user]] if is_found else []), user
        if not is_found:
            continue
        path = f"/consultations/{ids[user]}"
        assert send_request(server, "GET", path, headers)[1]["user"] == user
        _, answer = send_request(server, "GET", f"{path}/messages", headers)
        assert [each["role"] for each in answer["messages"]] == ["user", "assistant"]
        assert refusal(server, ids[user], headers) is None
    # Once and no more: a name that leaves the key file later is no subject's.
    if kinds == ("keys", "jwt"):
        server.stop()
        server._flags = ("--feed", "sim:BTC-USD", *flags["jwt"])
        server.start()
        assert listed(server, bearer(token("ada"))) == []
