"""Tokens with names, scopes and accounts; what each sees; limits; the audit log. From outside, with the real commands."""

import http.client
import json
import os
import sqlite3
import subprocess
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from running_server import RunningServer, subscribe
from support.polling import eventually
from support.secrets import private_file, remember
from support.server import binary
from test_cli import prices
from test_ledger import make_old
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect


def command(*arguments: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    run = subprocess.run([binary(), *arguments], capture_output=True, text=True, timeout=60)
    assert run.returncode == code, run
    return run


class Tokens:
    """The token file of a test."""

    def __init__(self, path: Path) -> None:
        self.path = path
        # The audit log of these commands is not the server's.
        self.file = ("--file", str(path), "--data-dir", str(path.parent / "commands"))

    def create(self, name: str, scope: str, *accounts: str, **options: str) -> str:
        more = [word for account in accounts for word in ("--account", account)]
        more += [word for option, value in options.items() for word in (f"--{option.replace('_', '-')}", value)]
        run = command("tokens", "create", name, "--scope", scope, *self.file, *more)
        assert name in run.stderr
        return remember(run.stdout.strip())

    def revoke(self, name: str) -> None:
        command("tokens", "revoke", name, *self.file)


@pytest.fixture
def tokens(tmp_path: Path) -> Tokens:
    return Tokens(tmp_path / "tokens.json")


def send(
    server: RunningServer, method: str, path: str, token: str | None = None, body: Any = None, **headers: str
) -> tuple[int, Any, dict[str, str]]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    try:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if token is not None:
            sent["Authorization"] = f"Bearer {token}"
        connection.request(method, path, body=None if body is None else json.dumps(body), headers=sent)
        answer = connection.getresponse()
        text = answer.read()
        document = json.loads(text) if text and "json" in (answer.getheader("Content-Type") or "") else text
        return answer.status, document, {name.lower(): value for name, value in answer.getheaders()}
    finally:
        connection.close()


def limit_order(identifier: str, account: str) -> dict[str, Any]:
    return {
        "client_order_id": identifier, "symbol": "BTC-USD", "side": "buy", "type": "limit", "quantity": "0.001",
        "limit_price": "1000", "account": account,
    }  # fmt: skip


def open_orders(server: RunningServer, token: str, account: str) -> int:
    return len(send(server, "GET", f"/v1/orders?status=active&account={account}", token)[1]["orders"])


def wait_for_market(server: RunningServer) -> None:
    eventually(lambda: server.get("/health")["ticks"]["accepted"] > 20, "a market that trades")


def test_the_scopes_that_the_description_names_are_the_ones_that_open_each_route(
    serve: Callable[..., RunningServer], tokens: Tokens
) -> None:
    """Every operation of the description, with every scope: 401 and 403 where it says so, and nowhere else."""
    issued = {scope: tokens.create(scope, scope) for scope in ("read", "trade", "admin")}
    server = serve("sim:BTC-USD", "--stream-token-file", str(tokens.path), "--require-login", "all")
    description = server.get("/openapi.json")
    seen = set()
    for path, operations in description["paths"].items():
        if not path.startswith("/v1/") or path == "/v1/stream":
            continue
        for method, operation in operations.items():
            needs = operation["security"][1]["bearer"][0]
            seen.add(needs)
            address = path.replace("{symbol}", "NONE").replace("{id}", "paper-none").replace("{name}", "none")
            assert send(server, method.upper(), address)[0] == 401, (method, path)
            for scope, token in issued.items():
                status, answer, _ = send(server, method.upper(), address, token, {} if method == "post" else None)
                refused = status == 403 and answer["error"]["code"] == "insufficient_scope"
                may = needs in ("read", scope)
                assert refused is not may, (method, path, scope, status, answer)
    assert seen == {"read", "trade", "admin"}


def test_a_token_for_one_account_sees_no_other(serve: Callable[..., RunningServer], tokens: Tokens) -> None:
    root = tokens.create("root", "trade,admin")
    ada = tokens.create("ada", "trade,admin", "paper-ada")
    server = serve("sim:BTC-USD", "--stream-token-file", str(tokens.path))
    wait_for_market(server)
    for name in ("ada", "bob"):
        assert send(server, "POST", "/v1/accounts", root, {"name": name})[0] == 201
    order = {name: send(server, "POST", "/v1/orders", root, limit_order(f"{name}-1", f"paper-{name}"))[1]["id"]
             for name in ("ada", "bob")}  # fmt: skip
    ids = [each["id"] for each in send(server, "GET", "/v1/accounts", ada)[1]["accounts"]]
    assert ids == ["paper-ada"]
    assert len(send(server, "GET", "/v1/accounts", root)[1]["accounts"]) == 3

    # What is another's looks as if it were not there: the answers differ in nothing but the id.
    def lists(account: str, number: str) -> list[tuple[str, str, Any]]:
        return [
            *[("GET", f"/v1/{what}?account={account}", None)
              for what in ("orders", "positions", "portfolio", "fills", "events", "portfolio/history")],
            ("GET", f"/v1/accounts/{account}", None), ("POST", f"/v1/accounts/{account}/reset", {}),
            ("POST", f"/v1/accounts/{account}/demo", {}), ("GET", f"/v1/orders/{number}", None),
            ("PATCH", f"/v1/orders/{number}", {"quantity": "0.002"}), ("DELETE", f"/v1/orders/{number}", None),
            ("DELETE", f"/v1/orders?account={account}", None),
            ("POST", "/v1/orders", limit_order("x", account)), ("POST", "/v1/orders/preview", limit_order("x", account)),
            ("POST", "/v1/orders/cancel-after", {"seconds": 60, "account": account}),
            *[("POST", f"/v1/positions/BTC-USD/{action}", {"account": account, **more})
              for action, more in (("close", {}), ("reverse", {}), ("bracket", {"take_profit": None}))],
        ]  # fmt: skip

    foreign = lists("paper-bob", order["bob"])
    for (method, path, body), (_, other, absent) in zip(foreign, lists("paper-nil", "paper-nil-o1"), strict=True):
        status, answer, _ = send(server, method, path, ada, body)
        assert status == 404, (method, path, status, answer)
        nothing = send(server, method, other, ada, absent)[1]
        assert json.dumps(answer).replace("paper-bob", "paper-nil") == json.dumps(nothing), (method, path)
    assert open_orders(server, root, "paper-bob") == 1
    for method, path, body in lists("paper-ada", order["ada"]):
        if path.endswith("/demo") or "cancel-after" in path:
            continue
        status, answer, _ = send(server, method, path, ada, body)
        assert status not in (401, 403) and answer.get("error", {}).get("code") != "unknown_account", (path, answer)

    # Events of others are in no list, and are no place to go on from.
    events = send(server, "GET", "/v1/events?limit=1000", root)[1]["events"]
    theirs = [event["id"] for event in events if event.get("account") == "paper-bob"]
    visible = send(server, "GET", "/v1/events?limit=1000", ada)[1]["events"]
    assert theirs and {event.get("account") for event in visible} <= {"paper-ada", None}
    assert send(server, "GET", f"/v1/events?before={theirs[0]}", ada)[0] == 400

    # What all share is changed by those for all.
    for method, path, body in (
        ("POST", "/v1/accounts", {"name": "ada"}), ("POST", "/v1/feeds/sim", {"on": False}),
        ("POST", "/v1/markets", {"symbol": "X"}), ("DELETE", "/v1/markets/BTC-USD", None),
    ):  # fmt: skip
        status, answer, _ = send(server, method, path, ada, body)
        assert (status, answer["error"]["code"]) == (403, "insufficient_scope"), (path, answer)


def test_a_stream_shows_the_accounts_of_its_token(serve: Callable[..., RunningServer], tokens: Tokens) -> None:
    root = tokens.create("root", "admin,trade")
    ada = tokens.create("ada", "read", "paper-ada")
    server = serve("sim:BTC-USD", "--stream-token-file", str(tokens.path))
    for name in ("ada", "bob"):
        assert send(server, "POST", "/v1/accounts", root, {"name": name})[0] == 201

    with connect(server.stream) as reader:
        def ask(**request: Any) -> dict[str, Any]:
            reader.send(json.dumps(request))
            while True:
                message = json.loads(reader.recv(timeout=60))
                if message["type"] in ("subscribed", "error", "authenticated"):
                    return message

        assert ask(action="auth", token=ada)["type"] == "authenticated"
        for channel in ("orders", "positions", "portfolio", "events"):
            assert ask(action="subscribe", channel=channel, account="paper-ada")["type"] == "subscribed"
            foreign = ask(action="subscribe", channel=channel, account="paper-bob")
            absent = ask(action="subscribe", channel=channel, account="paper-nil")
            assert foreign["code"] == "unknown_account"
            assert json.dumps(foreign).replace("paper-bob", "paper-nil") == json.dumps(absent)
        assert ask(action="subscribe", channel="events")["code"] == "forbidden"
        refused = ask(action="subscribe", channel="orders", account="paper-ada", cancel_on_disconnect=True)
        assert (refused["code"], refused["field"]) == ("forbidden", "cancel_on_disconnect")
        assert ask(action="subscribe", symbol="BTC-USD", timeframe="1m")["type"] == "subscribed"
        assert not {"first_account", "demo_accounts"} & health(reader).keys(), "the accounts of others"
        # With a token for more accounts it goes on as it was, and can be ended.
        assert ask(action="auth", token=root)["type"] == "authenticated"
        assert "demo_accounts" not in health(reader)
        reader.send(json.dumps({"action": "unsubscribe", "channel": "health"}))
        while (message := json.loads(reader.recv(timeout=60)))["type"] != "unsubscribed":
            assert message["type"] != "error", message
        assert health(reader)["first_account"] == "paper-main"
        # What a narrower token does not open must not stay open with it.
        refused = ask(action="auth", token=ada)
        assert refused["code"] == "unauthorized" and "connect again" in refused["message"]


def health(reader: Any) -> dict[str, Any]:
    """The second message that the channel sends after the subscription: one that all readers get."""
    reader.send(json.dumps({"action": "subscribe", "channel": "health"}))
    while (message := json.loads(reader.recv(timeout=60)))["type"] != "health":
        assert message["type"] != "error", message
    assert message["connections"] >= 1
    return message


def test_tokens_count_and_cease_to_count_without_a_restart(
    serve: Callable[..., RunningServer], tokens: Tokens
) -> None:
    first = tokens.create("first", "read")
    server = serve("sim:BTC-USD", "--stream-token-file", str(tokens.path))
    second = tokens.create("second", "read")
    eventually(lambda: send(server, "GET", "/v1/accounts", second)[0] == 200, "the new token to count")
    brief = tokens.create("brief", "read", expires_in=str(8 / 86_400))
    with connect(server.stream) as reader, connect(server.stream) as other, connect(server.stream) as short:
        for each, token in ((reader, second), (other, first)):
            each.send(json.dumps({"action": "auth", "token": token}))
            assert json.loads(each.recv(timeout=60))["type"] == "authenticated"
        eventually(lambda: send(server, "GET", "/v1/accounts", brief)[0] == 200, "the brief token to count")
        short.send(json.dumps({"action": "auth", "token": brief}))
        tokens.revoke("second")
        eventually(lambda: send(server, "GET", "/v1/accounts", second)[0] == 401, "the revoked token to cease")
        for each in (reader, short):
            with pytest.raises(ConnectionClosed) as ended:
                while True:
                    each.recv(timeout=60)
            assert ended.value.rcvd is not None and ended.value.rcvd.code == 4101
        other.send(json.dumps({"action": "ping"}))
        assert json.loads(other.recv(timeout=60))["type"] == "pong"
    for token in (brief, second):
        status, answer, _ = send(server, "GET", "/v1/accounts", token)
        assert (status, answer["error"]["message"]) == (401, "The token is wrong, expired or revoked.")
    listed = command("tokens", "list", *tokens.file).stdout
    assert "first" in listed and "second" not in listed and first not in listed and "expired" in listed


def test_wrong_use_of_the_commands_says_what_is_allowed(tokens: Tokens, tmp_path: Path) -> None:
    tokens.create("desk", "read")
    for words, code, *arguments in (
        ("There is a token", 69, "create", "desk"), ("read, trade, admin", 64, "create", "b", "--scope", "write"),
        ("letters, digits", 64, "create", "a b"), ("paper-main", 64, "create", "b", "--account", "live-main"),
        ("days", 64, "create", "b", "--expires-in", "-1"), ("no token \"b\"", 66, "revoke", "b"),
    ):  # fmt: skip
        assert words in command("tokens", *arguments, *tokens.file, code=code).stderr
    tokens.path.chmod(0o644)
    assert "open to others" in command("tokens", "list", *tokens.file, code=69).stderr
    assert "There is no audit log" in command("audit", "--data-dir", str(tmp_path), code=69).stderr
    assert "--since must be" in command("audit", "--since", "soon", "--data-dir", str(tmp_path), code=64).stderr


def test_wrong_tokens_are_refused_for_a_while_counted_and_logged_without_them(
    serve: Callable[..., RunningServer], tmp_path: Path
) -> None:
    token = "a-token-of-some-length-1"
    server = serve("sim:BTC-USD", "--stream-token-file", str(private_file(tmp_path / "tokens", token)))
    wrong = remember("a-wrong-token-of-length")
    assert "requires a token" in send(server, "GET", "/v1/accounts")[1]["error"]["message"]
    answers = [send(server, "GET", "/v1/accounts", wrong) for _ in range(60)]
    assert answers[0][1]["error"]["message"] == "The token is wrong, expired or revoked."
    statuses = [status for status, *_ in answers]
    assert statuses[:20] == [401] * 20 and 429 in statuses
    status, answer, headers = send(server, "GET", "/v1/accounts", wrong)
    while status == 401:
        status, answer, headers = send(server, "GET", "/v1/accounts", wrong)
    assert answer["error"]["code"] == "too_many_wrong_tokens" and headers["retry-after"] == "1"
    # Guessing over the stream is no way around it.
    with connect(server.stream) as reader:
        reader.send(json.dumps({"action": "auth", "token": wrong}))
        assert json.loads(reader.recv(timeout=60))["code"] == "unauthorized"
    eventually(lambda: send(server, "GET", "/v1/accounts", token)[0] == 200, "the right token to be heard again")
    logins = server.get("/health")["logins"]
    assert logins["wrong"] >= 20 and logins["refused_after_wrong"] >= 1
    assert server.log.count("a wrong token or key") >= 10 and "127.0.0.1" in server.log


def test_limits_are_stated_in_headers_and_each_client_has_its_own(
    serve: Callable[..., RunningServer], tokens: Tokens
) -> None:
    ada, bob = tokens.create("ada", "trade"), tokens.create("bob", "trade")
    server = serve(
        "sim:BTC-USD", "--stream-token-file", str(tokens.path), "--limit", "requests=2", "--limit", "orders=0.02",
        "--limit", "renderings=2", "--limit", "open-orders=3", "--limit", "streams=1",
    )  # fmt: skip
    wait_for_market(server)
    # Twenty at once, and a large answer counts for eleven.
    status, _, headers = send(server, "GET", "/v1/candles?symbol=BTC-USD&timeframe=1m&limit=10000")
    assert headers["ratelimit-limit"] == "20" and status in (200, 429)
    statuses = []
    for _ in range(40):
        status, answer, headers = send(server, "GET", "/v1/accounts", ada)
        statuses.append(status)
        if status == 429:
            break
        assert headers["ratelimit-limit"] == "20" and int(headers["ratelimit-reset"]) <= 10
    assert statuses[-1] == 429 and answer["error"]["code"] == "rate_limited"
    assert headers["ratelimit-remaining"] == "0" and int(headers["retry-after"]) >= 1
    status, _, headers = send(server, "GET", "/v1/accounts", bob)
    assert status == 200 and headers["ratelimit-remaining"] == "19"

    placed = [send(server, "POST", "/v1/orders", bob, limit_order(f"b-{number}", "paper-main")) for number in range(4)]
    codes = [(status, answer.get("error", {}).get("code")) for status, answer, _ in placed]
    # One order at once, and the next one in fifty seconds.
    assert codes == [(201, None)] + [(429, "rate_limited")] * 3
    assert "orders" in placed[3][1]["error"]["message"]
    # Cancelling is always possible, as far as requests are.
    assert send(server, "DELETE", "/v1/orders?account=paper-main", bob)[0] == 200

    with connect(server.stream) as one, connect(server.stream) as two, connect(server.stream) as three:
        for reader, token, kind in ((one, bob, "authenticated"), (two, bob, "error"), (three, ada, "authenticated")):
            reader.send(json.dumps({"action": "auth", "token": token}))
            assert json.loads(reader.recv(timeout=60))["type"] == kind


def test_questions_to_the_assistant_are_limited_as_everything_else_is(
    serve: Callable[..., RunningServer], tokens: Tokens
) -> None:
    ada, bob = tokens.create("ada", "read"), tokens.create("bob", "read")
    # One at once, and the next one in a hundred minutes.
    server = serve("sim:BTC-USD", "--stream-token-file", str(tokens.path), "--limit", "questions=0.01")
    begin = {"consultationType": "markets"}
    made = {name: send(server, "POST", "/consultations", token, begin) for name, token in (("ada", ada), ("bob", bob))}
    assert [status for status, *_ in made.values()] == [201, 201], "each client has its own"
    status, answer, headers = send(server, "POST", "/consultations", ada, begin)
    assert (status, answer["error"]["code"]) == (429, "rate_limited") and "questions" in answer["error"]["message"]
    assert (headers["ratelimit-limit"], headers["ratelimit-remaining"]) == ("1", "0") and int(headers["retry-after"]) > 5000
    # Over its WebSocket it is the same client.
    address = f"{server.stream.replace('/v1/stream', '/ws/consultation')}?consultation_id={made['ada'][1]['id']}"
    with connect(address, additional_headers={"Authorization": f"Bearer {ada}"}) as socket:
        question = {"type": "user_message", "message_id": "m1", "content": "How is BTC-USD?"}
        socket.send(json.dumps({**question, "timestamp": "2026-11-26T10:00:00Z"}))
        while (frame := json.loads(socket.recv(timeout=60)))["type"] != "error":
            pass
        assert (frame["metadata"]["code"], frame["metadata"]["message_id"]) == ("rate_limited", "m1")
        assert frame["metadata"]["retry_after"] > 5000
        assert (frame["metadata"]["ratelimit_limit"], frame["metadata"]["ratelimit_remaining"]) == (1, 0)
        assert frame["metadata"]["ratelimit_reset"] >= frame["metadata"]["retry_after"]


def test_pictures_count_by_their_cost_and_open_orders_have_a_bound(serve: Callable[..., RunningServer]) -> None:
    server = serve("sim:BTC-USD", "--limit", "renderings=4", "--limit", "open-orders=3")
    wait_for_market(server)
    picture = "/v1/chart.png?symbol=BTC-USD&timeframe=1m"
    large = picture + "&bars=9000&width=2000&height=2000&pixel_ratio=2"
    status, _, headers = send(server, "GET", large)
    assert status == 200, "less than four small ones"
    # A small one is too much now; without the large one it would be the second of four.
    status, answer, headers = send(server, "GET", picture)
    assert status == 429 and answer["error"]["code"] == "rate_limited" and headers["ratelimit-limit"] == "4"
    assert int(headers["retry-after"]) > 1
    placed = [send(server, "POST", "/v1/orders", None, limit_order(f"o-{number}", "paper-main")) for number in range(4)]
    assert [status for status, _, _ in placed] == [201, 201, 201, 409]
    assert placed[3][1]["error"]["code"] == "too_many_open_orders"
    assert send(server, "POST", "/v1/orders", None, limit_order("o-1", "paper-main"))[0] == 200, "repeated"


def test_clients_of_this_machine_meet_no_limit_by_default(quiet: RunningServer) -> None:
    for _ in range(1100):
        status, _, headers = send(quiet, "GET", "/v1/accounts")
        assert status == 200 and "ratelimit-limit" not in headers


def test_orders_of_a_client_that_is_gone_are_cancelled(serve: Callable[..., RunningServer]) -> None:
    server = serve("sim:BTC-USD")
    wait_for_market(server)

    def place(count: int, run: str) -> None:
        for number in range(count):
            assert send(server, "POST", "/v1/orders", None, limit_order(f"{run}-{number}", "paper-main"))[0] == 201

    def active() -> int:
        return len(send(server, "GET", "/v1/orders?status=active")[1]["orders"])

    def subscribe_orders(reader: Any, **more: Any) -> dict[str, Any]:
        reader.send(json.dumps({"action": "subscribe", "channel": "orders", **more}))
        while (message := json.loads(reader.recv(timeout=60)))["type"] not in ("subscribed", "error"):
            pass
        return message

    place(2, "a")
    with connect(server.stream) as reader:
        assert subscribe_orders(reader)["type"] == "subscribed"
    with connect(server.stream) as reader:
        # Chosen, and chosen otherwise.
        subscribe_orders(reader, cancel_on_disconnect=True)
        subscribe_orders(reader)
    with connect(server.stream) as guard:
        subscribe_orders(guard, cancel_on_disconnect=True)
        assert active() == 2, "of connections without the option nothing is cancelled"
        wrong = subscribe_orders(guard, cancel_on_disconnect="yes")
        assert (wrong["code"], wrong["field"]) == ("invalid_field", "cancel_on_disconnect")
        guard.socket.shutdown(2)
    eventually(lambda: active() == 0, "the orders to be cancelled")
    events = send(server, "GET", "/v1/events?type=system&account=paper-main")[1]["events"]
    assert any("2 open orders were cancelled in paper-main" in event["message"] for event in events)

    # The switch cancels when nobody calls again.
    place(2, "b")
    status, answer, _ = send(server, "POST", "/v1/orders/cancel-after", None, {"seconds": 2})
    assert status == 200 and answer["cancel_at"] > time.time() - 60 and answer["account"] == "paper-main", answer
    eventually(lambda: active() == 0, "the switch")
    # Off, it is not kept.
    assert send(server, "POST", "/v1/orders/cancel-after", None, {"seconds": 60})[0] == 200
    assert json.loads((server.data_dir / "cancel-after.json").read_text()) == {"paper-main": 60}
    off = send(server, "POST", "/v1/orders/cancel-after", None, {"seconds": 0})[1]
    assert off["seconds"] == 0 and "cancel_at" not in off
    assert json.loads((server.data_dir / "cancel-after.json").read_text()) == {}
    # It ends with its account, and is not for one that is opened again under the name.
    assert send(server, "POST", "/v1/accounts", None, {"name": "gone"})[0] == 201
    guarded = {"seconds": 3600, "account": "paper-gone"}
    assert send(server, "POST", "/v1/orders/cancel-after", None, guarded)[0] == 200
    assert "paper-gone" in (server.data_dir / "cancel-after.json").read_text()
    assert send(server, "DELETE", "/v1/accounts/paper-gone")[0] == 200
    eventually(lambda: (server.data_dir / "cancel-after.json").read_text() == "{}", "the switch to end")
    # A restart, even a crash, keeps it: its time begins again.
    place(1, "c")
    assert send(server, "POST", "/v1/orders/cancel-after", None, {"seconds": 5})[0] == 200
    server.kill()
    server.start()
    eventually(lambda: active() == 0, "the switch after the crash")
    assert (server.data_dir / "cancel-after.json").stat().st_mode & 0o777 == 0o600
    for seconds in (-1, 86_401):
        assert send(server, "POST", "/v1/orders/cancel-after", None, {"seconds": seconds})[0] == 400
    assert send(server, "POST", "/v1/orders/cancel-after", None, {})[0] == 422
    actions = [json.loads(line)["action"] for line in audit(server, "--json").splitlines()]
    assert "cancel_on_disconnect" in actions and actions.count("cancel-after") == 2


def audit(server: RunningServer, *arguments: str) -> str:
    return command("audit", "--data-dir", str(server.data_dir), *arguments).stdout


def test_every_change_is_in_the_audit_log_and_no_secret(serve: Callable[..., RunningServer], tokens: Tokens) -> None:
    root = tokens.create("root", "trade,admin")
    ada = tokens.create("ada", "read", "paper-ada")
    server = serve("sim:BTC-USD", "--stream-token-file", str(tokens.path))
    wait_for_market(server)
    before = time.time()
    changes = [
        ("POST", "/v1/accounts", root, {"name": "ada"}, 201), ("POST", "/v1/accounts", root, {"name": "ada"}, 409),
        ("POST", "/v1/orders?token=x", root, limit_order("a-1", "paper-ada"), 201),
        ("PATCH", "/v1/orders/paper-ada-o1", root, {"quantity": "0.002"}, 200),
        ("DELETE", "/v1/orders/paper-ada-o1", root, None, 200), ("DELETE", "/v1/orders/paper-ada-o1", root, None, 409),
        ("POST", "/v1/accounts/paper-ada/reset", root, {}, 200), ("POST", "/v1/feeds/none", root, {"on": True}, 404),
        ("POST", "/v1/orders", ada, limit_order("a-2", "paper-ada"), 403),
        ("POST", "/v1/orders", "a-wrong-token-of-length", limit_order("a-3", "paper-ada"), 401),
        ("POST", "/consultations", root, {"consultationType": "markets"}, 201),
    ]  # fmt: skip
    for number, (method, path, token, body, status) in enumerate(changes):
        answer = send(server, method, path, token, body, X_Correlation_ID=f"c-{number}")
        assert answer[0] == status, (method, path, answer)
    for path in ("/v1/orders", "/v1/accounts", "/v1/portfolio"):
        assert send(server, "GET", path, root)[0] == 200
    assert send(server, "POST", "/v1/orders/preview", root, limit_order("p", "paper-ada"))[0] == 200

    def lines() -> list[dict[str, Any]]:
        return [json.loads(line) for line in audit(server, "--json").splitlines()]

    found = eventually(lambda: lines() if len(lines()) >= len(changes) else None, "the records to be on disk")
    assert [line["action"] for line in found] == [f"{method} {path.split('?')[0]}" for method, path, *_ in changes]
    assert [line["status"] for line in found] == [status for *_, status in changes]
    assert [line["correlation_id"] for line in found] == [f"c-{number}" for number in range(len(changes))]
    assert [line["principal"] for line in found] == ["token:root"] * 8 + ["token:ada", "everyone", "token:root"]
    assert {line["address"] for line in found} == {"127.0.0.1"}
    assert all(before - 1 <= line["time"] <= time.time() + 1 for line in found)
    assert [line.get("account") for line in found][:7] == ["paper-ada"] * 7
    assert found[2]["order"] == found[3]["order"] == "paper-ada-o1" and found[1]["code"] == "account_exists"
    assert len(audit(server, "--principal", "token:ada").splitlines()) == 2
    assert len(audit(server, "--account", "paper-ada", "--json").splitlines()) >= 7
    assert audit(server, "--since", "1h", "--json").count("\n") == len(changes)
    log = server.data_dir / "audit.jsonl"
    assert log.stat().st_mode & 0o777 == 0o600
    written = log.read_text()
    assert root not in written and ada not in written and "a-wrong-token" not in written and "token=x" not in written
    # It goes on after a restart.
    server.terminate(within=60)
    server.start()
    assert send(server, "POST", "/v1/accounts", root, {"name": "more"})[0] == 201
    eventually(lambda: len(lines()) == len(changes) + 1, "one record more")


def test_tokens_that_commands_make_and_revoke_are_in_the_audit_log_of_the_running_server(
    serve: Callable[..., RunningServer], tmp_path: Path
) -> None:
    data = tmp_path / "data-0"
    folder = ("--data-dir", str(data))
    assert command("tokens", "create", "root", "--scope", "admin,trade", *folder).stdout
    server = serve("sim:BTC-USD", "--stream-token-file", str(data / "tokens.json"))
    assert server.data_dir == data
    secret = remember(
        command("tokens", "create", "desk", "--scope", "trade", "--account", "paper-a", "--expires-in", "90", *folder).stdout.strip()
    )
    eventually(lambda: send(server, "GET", "/v1/orders?account=paper-a", secret)[0] == 404, "the token to count")
    for code, *arguments in (
        (69, "create", "desk"), (0, "revoke", "desk"), (66, "revoke", "desk"), (64, "create", "not a name"),
    ):  # fmt: skip
        command("tokens", *arguments, *folder, code=code)
    lines = [json.loads(line) for line in audit(server, "--json").splitlines()]
    changes = [line for line in lines if line["action"].startswith("tokens")]
    assert [(line["action"], line["status"], line.get("code")) for line in changes] == [
        ("tokens create root --scope admin,trade", 200, None),
        ("tokens create desk --scope trade --account paper-a --expires-in 90.0", 200, None),
        ("tokens create desk --scope read", 409, "token_exists"),
        ("tokens revoke desk", 200, None),
        ("tokens revoke desk", 404, "unknown_token"),
    ]
    user = subprocess.run(["id", "-un"], capture_output=True, text=True, check=True).stdout.strip()
    assert {(line["principal"], line["address"]) for line in changes} == {(f"user:{user}", "local command")}
    assert changes[1]["account"] == "paper-a" and abs(changes[1]["time"] - time.time()) < 600
    text = (data / "audit.jsonl").read_text()
    assert secret not in text and (data / "audit.jsonl").stat().st_mode & 0o777 == 0o600
    assert "tokens revoke desk" in audit(server, "--principal", f"user:{user}")
    # The server of real markets has a log of its own, and may use the same tokens.
    live = data / "live"
    live.mkdir()
    (live / "audit.jsonl").touch()
    command("tokens", "create", "both", *folder)
    assert "tokens create both" in (live / "audit.jsonl").read_text()
    assert "tokens create both" in audit(server)
    # Without --data-dir, the log is that beside the file.
    said = command("tokens", "create", "file", "--file", str(data / "tokens.json")).stderr
    assert f"in the audit log of {data};" in said and "tokens create file" in audit(server)
    # Where the log cannot be written, the change is made, and the command says so.
    server.stop()
    (data / "audit.jsonl").unlink()
    (data / "audit.jsonl").mkdir()
    assert "this change is not in it" in command("tokens", "revoke", "both", *folder).stderr


def test_a_token_file_may_have_a_name_of_one_character(tmp_path: Path) -> None:
    command = [Path(binary()).resolve(), "tokens", "create", "desk", "--file", "t"]
    made = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert made.returncode == 0 and '"desk"' in (tmp_path / "t").read_text(), made.stderr


def test_changes_by_commands_are_in_the_audit_log(tmp_path: Path) -> None:
    data, backups = tmp_path / "data", tmp_path / "backups"
    data.mkdir()
    make_old(data, 30)
    prices(tmp_path)
    # Of another server, which is not concerned by all of them.
    live = data / "live" / "audit.jsonl"
    live.parent.mkdir()
    live.touch()
    for arguments in (
        ("compact",), ("import", str(tmp_path / "prices.csv"), "--symbol", "BTC-USD", "--timeframe", "1m"),
        ("prune", "--keep-candles", "1m:1d"), ("prune", "--keep-candles", "1m:1d", "--dry-run"), ("backup", str(backups)),
        ("restore", str(backups)),
    ):  # fmt: skip
        command(*arguments, "--data-dir", str(data))
    backup = next(backups.glob("*.json")).stem
    log = command("audit", "--json", "--data-dir", str(data)).stdout
    assert [(change["action"], change["status"]) for change in map(json.loads, log.splitlines())] == [
        ("compact", 200), (f"import {tmp_path}/prices.csv --symbol BTC-USD", 200), ("prune --keep-candles 1m:1d", 200),
        (f"restore {backups} --backup {backup}", 200),
    ]  # fmt: skip
    assert [json.loads(line)["action"] for line in live.read_text().splitlines()] == [
        "compact", f"restore {backups} --backup {backup}",
    ]  # fmt: skip
    # One that failed, too.
    (data / "ledger.key").write_text("damaged")
    command("compact", "--data-dir", str(data), code=73)
    log = command("audit", "--json", "--data-dir", str(data)).stdout
    assert [json.loads(log.splitlines()[-1])[name] for name in ("action", "status", "code")] == ["compact", 500, "failed"]


def test_rows_of_the_ledger_have_the_name_of_who_changed_something(
    serve: Callable[..., RunningServer], tokens: Tokens
) -> None:
    root, ada = tokens.create("root", "trade,admin"), tokens.create("ada", "trade", "paper-ada")
    server = serve("sim:BTC-USD", "--stream-token-file", str(tokens.path))
    wait_for_market(server)

    def send_all(*requests: tuple[str, str, str, Any]) -> None:
        for method, path, token, body in requests:
            status, answer, _ = send(server, method, path, token, body)
            assert status in (200, 201), (method, path, status, answer)

    market = {"symbol": "BTC-USD", "side": "buy", "type": "market", "quantity": "0.01", "account": "paper-ada"}
    send_all(
        ("POST", "/v1/accounts", root, {"name": "ada"}),
        ("POST", "/v1/orders", ada, limit_order("a-1", "paper-ada")),
        ("PATCH", "/v1/orders/paper-ada-o1", root, {"quantity": "0.002"}),
        ("DELETE", "/v1/orders/paper-ada-o1", ada, None),
        ("POST", "/v1/orders", ada, {**market, "client_order_id": "a-2"}),
    )  # fmt: skip
    eventually(lambda: send(server, "GET", "/v1/positions?account=paper-ada", root)[1]["positions"], "a position")
    send_all(
        ("POST", "/v1/positions/BTC-USD/bracket", ada, {"account": "paper-ada", "stop_loss": "1"}),
        ("POST", "/v1/positions/BTC-USD/close", ada, {"account": "paper-ada", "client_order_id": "a-close"}),
        ("POST", "/v1/orders", root, limit_order("a-3", "paper-ada")),
        ("POST", "/v1/orders/cancel-after", ada, {"seconds": 1, "account": "paper-ada"}),
    )  # fmt: skip
    eventually(lambda: open_orders(server, root, "paper-ada") == 0, "the switch")
    send_all(("POST", "/v1/accounts/paper-ada/reset", root, {}))
    with connect(server.stream) as guard:
        guard.send(json.dumps({"action": "auth", "token": ada}))
        guard.send(json.dumps(
            {"action": "subscribe", "channel": "orders", "account": "paper-ada", "cancel_on_disconnect": True}))
        while json.loads(guard.recv(timeout=60))["type"] != "subscribed":
            pass
        send_all(("POST", "/v1/orders", root, limit_order("a-4", "paper-ada")))
    eventually(lambda: open_orders(server, root, "paper-ada") == 0, "the orders of the one who is gone")

    with closing(sqlite3.connect(f"file:{server.data_dir}/ledger.sqlite?mode=ro", uri=True)) as database:
        sql = "SELECT kind, body, principal FROM ledger WHERE account = 'paper-ada' ORDER BY sequence"
        rows = [(kind, json.loads(body).get("order"), who) for kind, body, who in database.execute(sql)]
    found = [(kind, order and order["client_order_id"], who) for kind, order, who in rows]
    expected = [
        ("account_opened", None, "token:root"), ("order_accepted", "a-1", "token:ada"),
        ("order_amended", "a-1", "token:root"), ("order_cancelled", "a-1", "token:ada"),
        ("order_accepted", "a-2", "token:ada"), ("order_accepted", "a-close", "token:ada"),
        ("order_accepted", "a-3", "token:root"), ("order_cancelled", "a-3", "server"),
        ("account_reset", None, "token:root"), ("order_accepted", "a-4", "token:root"),
        ("order_cancelled", "a-4", "token:ada"),
    ]  # fmt: skip
    assert [row for row in found if row in expected] == expected, found
    brackets = {who for kind, order, who in rows if kind == "order_accepted" and order["type"].startswith("stop")}
    assert brackets == {"token:ada"}, found
    # The market has no name.
    assert {who for kind, _, who in rows if kind == "order_filled"} <= {None, "token:ada"}


def test_the_stream_of_a_plain_token_is_as_before(serve: Callable[..., RunningServer], tmp_path: Path) -> None:
    token = "a-token-of-some-length-1"
    server = serve("sim:BTC-USD", "--stream-token-file", str(private_file(tmp_path / "tokens", token)))
    assert send(server, "POST", "/v1/accounts", token, {"name": "more"})[0] == 201
    with connect(server.stream) as reader:
        reader.send(json.dumps({"action": "auth", "token": token}))
        reader.send(json.dumps({"action": "subscribe", "channel": "events"}))
        reader.send(subscribe("BTC-USD", "1m"))
        kinds = {json.loads(reader.recv(timeout=60))["type"] for _ in range(5)}
        assert {"authenticated", "subscribed", "snapshot"} <= kinds


def test_a_plain_token_that_is_removed_ends_its_streams_and_no_others(
    serve: Callable[..., RunningServer], tmp_path: Path
) -> None:
    first, second = "a-token-of-some-length-1", "a-token-of-some-length-2"
    path = private_file(tmp_path / "tokens", f"{first}\n{second}\n")
    server = serve("sim:BTC-USD", "--stream-token-file", str(path))
    with connect(server.stream) as removed, connect(server.stream) as other:
        for reader, token in ((removed, first), (other, second)):
            reader.send(json.dumps({"action": "auth", "token": token}))
            assert json.loads(reader.recv(timeout=60))["type"] == "authenticated"
        path.write_text(f"{second}\n")
        with pytest.raises(ConnectionClosed) as ended:
            while True:
                removed.recv(timeout=60)
        assert ended.value.rcvd is not None and ended.value.rcvd.code == 4101
        other.send(json.dumps({"action": "ping"}))
        assert json.loads(other.recv(timeout=60))["type"] == "pong"
    assert send(server, "GET", "/v1/accounts", first)[0] == 401
    assert send(server, "GET", "/v1/accounts", second)[0] == 200
