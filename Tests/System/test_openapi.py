"""The description of the interface says what is there: every path answers, and documents have its fields."""

import json
import re
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from running_server import RunningServer
from support.polling import eventually
from support.secrets import private_file
from support.venue import Venue

jsonschema_rs = pytest.importorskip("jsonschema_rs", reason="schemathesis is not installed: make setup-test")


def send_request(
    server: RunningServer, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
) -> tuple[int, str, bytes]:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(server.address + path, method=method, data=data, headers=headers or {})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, answer.headers["Content-Type"] or "", answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers["Content-Type"] or "", error.read()


def fits(value: Any, schema: dict[str, Any], document: dict[str, Any]) -> None:
    """Checks a value against a schema of the description (JSON Schema 2020-12)."""
    validator = jsonschema_rs.Draft202012Validator({**schema, "components": document["components"]})
    problems = [f"{each.instance_path}: {each.message}" for each in validator.iter_errors(value)]
    assert not problems, problems


def resolved(part: dict[str, Any], document: dict[str, Any]) -> dict[str, Any]:
    """What a reference to a component stands for."""
    if "$ref" not in part:
        return part
    kind, name = part["$ref"].split("/")[2:]
    return document["components"][kind][name]


def described_answer(
    server: RunningServer, document: dict[str, Any], method: str, path: str, body: Any = None, at: str | None = None
) -> tuple[int, Any]:
    """The status and the JSON of an answer. The description has both, and a conflict's code in its words.

    `at` is the path as the description has it, where that is not the same.
    """
    operation = document["paths"][at or path.partition("?")[0]][method.lower()]
    status, _, text = send_request(server, method, path, body)
    assert str(status) in operation["responses"], (method, path, status, text)
    value = json.loads(text)
    answer = resolved(operation["responses"][str(status)], document)
    fits(value, answer["content"]["application/json"]["schema"], document)
    if status in (409, 502):
        assert f"({value['error']['code']})" in operation["description"], (method, path, text)
    return status, value


def operations_of(document: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    return [(path, method, each) for path, entry in document["paths"].items() for method, each in entry.items()]


def is_reading(described: dict[str, Any]) -> bool:
    """Whether an operation shows market data, which is open until --require-login all."""
    return not {"Consultations", "Streams", "Server"} & set(described["tags"]) and (
        "401" in described["responses"]
        and not described["responses"].get("403", {}).get("$ref", "").endswith("/TradingForbidden")
    )


def consultation_with_proposal(server: RunningServer, text: str = "buy 0.01 BTC-USD") -> tuple[str, str]:
    """The ids of a consultation and of the order that the guide proposed in it."""
    begin = {"consultationType": "markets", "initialMessage": text}

    def proposal() -> tuple[str, str] | None:
        made = json.loads(send_request(server, "POST", "/consultations", begin)[2])["id"]
        path = f"/consultations/{made}"
        eventually(lambda: not server.get(path)["answering"] and server.get(path)["messages"] > 1, "an answer")
        last = server.get(f"{path}/messages")["messages"][-1]
        return (made, last["metadata"]["template_id"]) if last["role"] == "system" else None

    # The guide proposes nothing in a market that has not traded yet.
    eventually(lambda: "waiting" not in server.get("/v1/markets/BTC-USD"), "a market that trades")
    return eventually(proposal, "a proposed order", every=2)


def test_the_description_has_every_route_of_the_server_and_no_other(serve: Callable[..., RunningServer]) -> None:
    server = serve("sim:BTC-USD", "--log-level", "debug")
    log = (server.data_dir.parent / f"{server.data_dir.name}.log").read_text()
    served = re.findall(r"route=(\S+ \S+) .*a route is served", log)
    described = [f"{method.upper()} {path}" for path, method, _ in operations_of(server.get("/openapi.json"))]
    assert sorted(served) == sorted(described) and len(set(served)) == len(served) > 40
    # The middleware that answers 405 knows the same.
    methods: dict[str, set[str]] = {}
    for name in served:
        method, path = name.split()
        methods.setdefault(path, set()).add(method)
    for path, allowed in methods.items():
        if "ws" not in path and path not in ("/v1/stream", "/raw"):
            status, _, text = send_request(server, "PUT", path.replace("{", "").replace("}", ""))
            assert status == 405, (path, text)
            named = json.loads(text)["error"]["message"].rpartition("allowed: ")[2].rstrip(".").split(", ")
            assert set(named) - {"HEAD"} == allowed, path


def test_every_operation_is_whole_and_every_example_fits(quiet: RunningServer) -> None:
    document = quiet.get("/openapi.json")
    tags = {each["name"] for each in document["tags"]}

    def check(media: dict[str, Any], place: object) -> None:
        shown = [resolved(each, document)["value"] for each in media.get("examples", {}).values()]
        shown += [media["example"]] if "example" in media else []
        for example in shown:
            fits(example, media["schema"], document)
        # JSON is shown.
        assert shown or media["schema"].get("type") == "string" or "Error" in str(media["schema"]), place

    names = [each["operationId"] for _, _, each in operations_of(document)]
    assert len(set(names)) == len(names)
    for path, method, operation in operations_of(document):
        place = (path, method)
        assert operation["summary"] and set(operation["tags"]) <= tags, place
        parameters = [resolved(each, document) for each in operation.get("parameters", ())]
        assert set(re.findall(r"{(\w+)}", path)) == {each["name"] for each in parameters if each["in"] == "path"}, place
        for parameter in parameters:
            assert parameter["description"], (place, parameter["name"])
            if "example" in parameter:
                fits(parameter["example"], parameter["schema"], document)
        for media in operation.get("requestBody", {}).get("content", {}).values():
            check(media, place)
        for status, answer in operation["responses"].items():
            answer = resolved(answer, document)
            assert answer["description"] and ("content" in answer or status in ("101", "204")), (place, status)
            for media in answer.get("content", {}).values():
                check(media, (place, status))


@pytest.fixture
def intrinio(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """The address of a simulated Intrinio, which knows sessions, and a file with its key."""
    keys = tmp_path / "keys.json"
    keys.write_text('{"intrinio":{"api_key":"demo"}}')
    keys.chmod(0o600)
    with Venue("intrinio") as venue:
        yield venue.url, keys


def test_quotes_with_a_session_stocks_and_several_feeds_are_described(
    serve: Callable[..., RunningServer], intrinio: tuple[str, Path]
) -> None:
    venue, keys = intrinio
    server = serve(
        *["intrinio:AAPL", "--feed", "tracker", "--feed", "sim:BTC-USD", "--url", f"intrinio={venue}"],
        *["--credentials", str(keys)],
    )
    document = server.get("/openapi.json")
    place = "/v1/markets/intrinio:AAPL"
    session = eventually(lambda: server.get(place).get("session"), "a market with a session")
    assert {"date", "open", "change"} <= set(session)
    for path in ("/v1/markets", "/v1/stocks", "/v1/feeds", "/health"):
        assert described_answer(server, document, "GET", path)[0] == 200
    assert described_answer(server, document, "GET", place, at="/v1/markets/{symbol}")[1]["name"] == "Apple Inc"


def test_markets_that_come_and_go_and_feeds_that_are_switched_are_described(
    serve: Callable[..., RunningServer], intrinio: tuple[str, Path]
) -> None:
    venue, keys = intrinio
    server = serve(
        *["sim:BTC-USD", "--feed", "intrinio:AAPL", "--feed", "tracker", "--url", f"intrinio={venue}"],
        *["--credentials", str(keys)],
    )
    document = server.get("/openapi.json")

    def answered(method: str, path: str, body: Any = None, at: str | None = None) -> tuple[int, Any]:
        """The status, and the error's code or the JSON."""
        status, value = described_answer(server, document, method, path, body, at)
        return status, value["error"]["code"] if status >= 400 else value

    def added(**body: str) -> tuple[int, Any]:
        return answered("POST", "/v1/markets", body)

    def removed(symbol: str) -> tuple[int, Any]:
        return answered("DELETE", f"/v1/markets/{symbol}", at="/v1/markets/{symbol}")

    def switched(name: str, body: dict[str, Any]) -> tuple[int, Any]:
        return answered("POST", f"/v1/feeds/{name}", body, at="/v1/feeds/{name}")

    (found,) = answered("GET", "/v1/listings?query=micro")[1]["listings"]
    assert (found["symbol"], found["name"], found["feed"]) == ("MSFT", "Microsoft Corp", "intrinio")
    assert answered("GET", "/v1/listings?query=a&feed=sim") == (404, "unknown_feed")
    assert answered("GET", "/v1/listings") == (400, "invalid_field")
    status, market = added(symbol="MSFT")
    assert (status, market["symbol"], market["name"]) == (201, "intrinio:MSFT", "Microsoft Corp")
    assert added(symbol="intrinio:MSFT")[0] == 200
    assert added(symbol="ZZZZ") == (404, "not_listed") and added(symbol="GE", feed="mars") == (404, "unknown_feed")
    assert added(symbol="no such") == (400, "invalid_field") and added() == (422, "missing_field")
    assert removed("sim:BTC-USD") == (409, "fixed_markets") and removed("XYZ") == (404, "unknown_symbol")
    order = {"symbol": "MSFT", "side": "buy", "type": "limit", "quantity": "1", "limit_price": "1"}
    assert answered("POST", "/v1/orders", order)[0] == 201
    assert removed("MSFT") == (409, "market_in_use")
    assert switched("intrinio", {"on": False})[1] == {
        "feed": "intrinio", "on": False, "open_orders": 1, "positions_in": [],
    }  # fmt: skip
    assert answered("POST", "/v1/orders", order) == (409, "feed_off")
    assert answered("GET", "/v1/markets/MSFT", at="/v1/markets/{symbol}")[1]["feed_state"] == "off"
    states = {feed["name"]: (feed["state"], feed["on"]) for feed in answered("GET", "/v1/feeds")[1]["feeds"]}
    assert states["intrinio"] == ("off", False) and states["sim"] == ("live", True)
    assert switched("intrinio", {"on": True})[1]["on"] is True
    assert switched("tracker", {"on": False}) == (409, "not_switchable")
    assert switched("mars", {"on": False}) == (404, "unknown_feed") and switched("sim", {}) == (422, "missing_field")
    assert answered("DELETE", "/v1/orders")[0] == 200
    assert removed("MSFT")[1] == {"symbol": "intrinio:MSFT", "removed": True, "back_after_restart": False}
    # The demo.
    path = "/v1/accounts/{id}/demo"
    eventually(lambda: server.get("/v1/markets/sim:BTC-USD")["price"], "a market with a price")
    status, account = answered("POST", path.format(id="paper-demo"), {}, at=path)
    assert (status, account["demo"], account["fill_model"]) == (201, True, "volume")
    assert answered("POST", path.format(id="paper-demo"), at=path) == (409, "account_used")
    assert answered("POST", path.format(id="live-demo"), at=path) == (404, "paper_only")
    # Without feeds whose markets can change, and with a venue that cannot be reached.
    server = serve("sim:BTC-USD")
    assert added(symbol="MSFT") == (409, "fixed_markets")
    assert answered("GET", "/v1/listings?query=a")[1] == {"listings": [], "problems": []}
    server = serve("intrinio:AAPL", "--url", "intrinio=ws://127.0.0.1:1", "--credentials", str(keys))
    assert added(symbol="MSFT") == (502, "venue_unavailable") and removed("AAPL") == (409, "last_market")
    (problem,) = answered("GET", "/v1/listings?query=a")[1]["problems"]
    assert problem["feed"] == "intrinio" and "cannot be reached" in problem["message"]


def test_every_path_of_a_consultation_answers_as_the_description_says(quiet: RunningServer) -> None:
    """Roles are user, assistant and system."""
    status, kind, text = send_request(quiet, "GET", "/openapi.json")
    assert status == 200 and kind.startswith("application/json")
    document = json.loads(text)
    begin = {"consultationType": "markets", "initialMessage": "buy 0.01 BTC-USD"}
    made, template = consultation_with_proposal(quiet)
    spoken = quiet.get(f"/consultations/{made}/messages")["messages"]
    shown = quiet.get(f"/consultations/{made}")
    bodies = {"/consultations": begin, "/consultations/{id}/proposals/{template_id}": {"decision": "approve"}}
    called = [each for each in operations_of(document) if each[2]["tags"] == ["Consultations"]]
    # What deletes comes last.
    for path, method, described in sorted(called, key=lambda call: call[1] == "delete"):
        body = bodies[path] if "requestBody" in described else None
        place = path.replace("{id}", made).replace("{template_id}", template)
        status, kind, text = send_request(quiet, method.upper(), place, body)
        answer = described["responses"][str(status)]
        assert 200 <= status < 300, (path, method, text)
        content = answer.get("content", {}).get("application/json", {})
        if "schema" in content:
            fits(json.loads(text), content["schema"], document)
    # What an order in words can have.
    proposed = document["components"]["schemas"]["Template"]
    for text, fields in (
        ("Buy 0.05 BTC with stop loss 2 % below and take profit 4 % above", {"stop_loss", "take_profit"}),
        ("Sell 0.01 BTC when it falls to 100", {"stop_price"}),
    ):
        other, card = consultation_with_proposal(quiet, text)
        shown_card = quiet.get(f"/consultations/{other}/templates/{card}")
        fits(shown_card, proposed, document)
        assert fields <= set(shown_card) & set(proposed["properties"]), shown_card
    roles = document["components"]["schemas"]["Message"]["properties"]["role"]["enum"]
    assert {each["role"] for each in spoken} == set(roles) == {"user", "assistant", "system"}
    # A client that must wait gets the time.
    refusals = [each["responses"]["429"] for _, _, each in called if "429" in each["responses"]]
    assert {each["$ref"] for each in refusals} == {"#/components/responses/TooOften"} and len(refusals) == 8
    assert document["components"]["responses"]["TooOften"]["headers"]["Retry-After"]["required"] is True
    # The fields of a consultation are all of them.
    fields = document["components"]["schemas"]["Consultation"]
    assert set(fields["required"]) == set(fields["properties"]) == set(shown)


def test_what_needs_a_login_is_refused_without_one_and_as_another_user_as_the_description_says(
    serve: Callable[..., RunningServer], tmp_path: Path
) -> None:
    keys = {user: {"X-API-Key": f"the-api-key-of-{user}-1234"} for user in ("ada", "bob")}
    private_file(tmp_path / "keys", "".join(f"{user}:{key['X-API-Key']}\n" for user, key in keys.items()))
    token = "a-token-for-those-who-trade"
    private_file(tmp_path / "tokens", f"{token}\n")
    server = serve(
        "sim:BTC-USD", "--consultation-keys", str(tmp_path / "keys"), "--stream-token-file", str(tmp_path / "tokens")
    )
    document = server.get("/openapi.json")
    begin = {"consultationType": "markets", "userId": "ada"}
    made = json.loads(send_request(server, "POST", "/consultations", begin, keys["ada"])[2])
    bodies = {"/consultations": begin, "/consultations/{id}/proposals/{template_id}": {"decision": "decline"}}
    looked = 0
    for path, method, described in operations_of(document):
        if described.get("security") == [{}] or described["tags"] == ["Streams"] or is_reading(described):
            continue
        # Who reads these is in test_metrics.py.
        if path == "/metrics":
            continue
        looked += 1
        is_consultation = described["tags"] == ["Consultations"]
        body = bodies.get(path) if "requestBody" in described else None
        place = path.replace("{id}", made["id"]).replace("{template_id}", "t1").replace("{symbol}", "BTC-USD")
        answers = set(described["responses"])
        # 503: everything else reads or writes the disk.
        kept = described["operationId"] not in (
            "searchListings", "switchFeed", "listConsultationTypes", "getLogLevels", "changeLogLevels",
        )  # fmt: skip
        assert "401" in answers and ("503" in answers) == kept, (path, method)
        status, _, text = send_request(server, method.upper(), place, body)
        assert status == 401, (path, method, text)
        fits(json.loads(text), document["components"]["schemas"]["Error"], document)
        # Lists have nothing of others.
        if is_consultation and ("{id}" in path or body is not None):
            assert "403" in answers, (path, method)
            status, _, text = send_request(server, method.upper(), place, body, keys["bob"])
            assert status == 403, (path, method, text)
            fits(json.loads(text), document["components"]["schemas"]["Error"], document)
        if not is_consultation and method == "get":
            account = place.replace(made["id"], "paper-main") + ("?query=a" if path == "/v1/listings" else "")
            for name, value in (("Authorization", f"Bearer {token}"), ("X-Stream-Token", token)):
                status, _, text = send_request(server, "GET", account, headers={name: value})
                # There is no order of such an id.
                assert status == (404 if path == "/v1/orders/{id}" else 200), (path, name, text)
    assert looked == 10 + 28
    # One's own order is not placed without what trading requires, either.
    place = f"/consultations/{made['id']}/proposals/t1"
    status, _, text = send_request(server, "POST", place, {"decision": "approve"}, keys["ada"])
    assert status == 403 and json.loads(text)["error"]["code"] == "trading_forbidden"
    assert send_request(server, "POST", place, {"decision": "decline"}, keys["ada"])[0] == 404


def test_market_data_needs_the_token_where_all_need_a_login(serve: Callable[..., RunningServer], tmp_path: Path) -> None:
    token = "a-token-for-those-who-read"
    private_file(tmp_path / "tokens", f"{token}\n")
    file = str(tmp_path / "tokens")
    for required in ("trading", "all"):
        server = serve("sim:BTC-USD", "--stream-token-file", file, "--require-login", required)
        document = server.get("/openapi.json")
        reading = [each for each in operations_of(document) if is_reading(each[2])]
        assert len(reading) == 12
        for path, method, described in reading:
            place = path.replace("{symbol}", "BTC-USD")
            if "chart" in place or "candles" in place:
                place += "?symbol=BTC-USD"
            opened = send_request(server, method.upper(), place, headers={"Authorization": f"Bearer {token}"})
            assert opened[0] not in (401, 403), (place, opened)
            assert send_request(server, method.upper(), place, headers={"X-Stream-Token": token})[0] == opened[0]
            status, _, text = send_request(server, method.upper(), place)
            assert status == (401 if required == "all" else opened[0]), (required, place, text)
            if required == "all":
                fits(json.loads(text), document["components"]["schemas"]["Error"], document)


def test_what_is_missing_of_a_login_is_in_the_words_of_the_description(
    serve: Callable[..., RunningServer], tmp_path: Path
) -> None:
    key = {"X-API-Key": "the-api-key-of-ada-1234"}
    private_file(tmp_path / "keys", f"ada:{key['X-API-Key']}\n")
    private_file(tmp_path / "secret", "x9" * 20 + "\n")
    server = serve("sim:BTC-USD", "--consultation-keys", str(tmp_path / "keys"), "--jwt-key", str(tmp_path / "secret"))
    document = server.get("/openapi.json")

    def examples(name: str) -> dict[str, Any]:
        media = document["components"]["responses"][name]["content"]["application/json"]
        found = [each["value"] for each in media.get("examples", {}).values()] or [media["example"]]
        return {each["error"]["code"]: each for each in found}

    logins, forbidden = examples("LoginRequired"), examples("TradingForbidden")
    assert len(logins) == 3 and len(forbidden) == 1
    for headers, code in (
        ({}, "unauthorized"), ({"Authorization": "Bearer a.b.c"}, "app_key_required"), (key, "user_token_required"),
    ):  # fmt: skip
        status, _, text = send_request(server, "GET", "/consultations", headers=headers)
        assert status == 401 and json.loads(text) == logins[code]
    # A login gives no right to trade, to see accounts, or to change markets and feeds.
    looked = 0
    for path, method, described in operations_of(document):
        if described.get("security", [{}]) == [{}] or described["tags"] in (["Consultations"], ["Streams"]):
            continue
        if is_reading(described) or path == "/metrics":
            continue
        looked += 1
        assert described["responses"]["403"]["$ref"].endswith("/TradingForbidden"), (path, method)
        status, _, text = send_request(server, method.upper(), path.replace("{", "").replace("}", ""), headers=key)
        assert status == 403 and json.loads(text) == forbidden["trading_forbidden"], (path, method, text)
    assert looked == 28


def test_a_browser_gets_the_cookie_of_the_description(quiet: RunningServer) -> None:
    document = quiet.get("/openapi.json")
    cookie = document["components"]["securitySchemes"]["browser"]
    page = document["components"]["parameters"]["page"]

    def sent(method: str, path: str, headers: dict[str, str]) -> tuple[str | None, Any]:
        body = json.dumps({"consultationType": "nutrition"}).encode() if method == "POST" else None
        request = urllib.request.Request(quiet.address + path, method=method, data=body, headers=headers)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.headers["Set-Cookie"], json.load(answer)

    assert sent("GET", "/consultations", {})[0] is None, "another program"
    given, made = sent("POST", "/consultations", {page["name"]: page["example"]})
    assert given is not None and given.startswith(f"{cookie['name']}=") and made["user"] == "browser"
    assert send_request(quiet, "GET", f"/consultations/{made['id']}")[0] == 403
    own = {page["name"]: page["example"], "Cookie": given.partition(";")[0]}
    assert sent("GET", f"/consultations/{made['id']}", own) == (None, made)
    assert sent("GET", "/consultations", own)[0] == given, "kept longer with each list"
    for path, _, described in operations_of(document):
        for status, answer in described["responses"].items():
            if path.startswith("/consultations") and status[0] == "2":
                assert "Set-Cookie" in answer["headers"], (path, status)


def test_health_and_a_page_that_shows_the_description(quiet: RunningServer) -> None:
    assert json.loads(send_request(quiet, "GET", "/health")[2])["status"] == "ok"
    status, kind, page = send_request(quiet, "GET", "/swagger/index.html")  # It leads to /api/.
    assert status == 200 and kind.startswith("text/html") and b"openapi.json" in page
