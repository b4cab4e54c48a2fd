"""The description of the interface says what is there: every path answers, and documents have its fields."""

import json
import re
import subprocess
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from running_server import RunningServer
from support.polling import eventually
from support.server import binary

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


def answer_to(server: RunningServer, begin: dict[str, str]) -> str:
    """What the guide created for a question, once it has answered."""
    made = json.loads(send_request(server, "POST", "/consultations", begin)[2])
    path = f"/consultations/{made['id']}"
    eventually(lambda: not server.get(path)["answering"] and server.get(path)["messages"] > 1, "an answer")
    return server.get(f"{path}/messages")["messages"][-1]["content"]


def fits(value: Any, schema: dict[str, Any], document: dict[str, Any]) -> None:
    """Checks a value against a schema of the description (JSON Schema 2020-12)."""
    validator = jsonschema_rs.Draft202012Validator({**schema, "components": document["components"]})
    problems = [f"{each.instance_path}: {each.message}" for each in validator.iter_errors(value)]
    assert not problems, problems


def operations_of(document: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    return [(path, method, each) for path, entry in document["paths"].items() for method, each in entry.items()]


def consultation_with_proposal(server: RunningServer) -> tuple[str, str]:
    """The ids of a consultation and of the order that the guide proposed in it."""
    begin = {"consultationType": "markets", "initialMessage": "buy 0.01 BTC-USD"}
    # The guide proposes nothing in a market that has not traded yet.
    eventually(lambda: answer_to(server, begin).startswith("Created"), "a market with a price", every=2)
    made = json.loads(send_request(server, "POST", "/consultations", begin)[2])["id"]

    def proposal() -> str | None:
        messages = server.get(f"/consultations/{made}/messages")["messages"]
        return next((message["metadata"]["template_id"] for message in messages if message["role"] == "system"), None)

    return made, eventually(proposal, "a proposed order")


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
    components = document["components"]

    def resolved(part: dict[str, Any]) -> dict[str, Any]:
        return components[part["$ref"].split("/")[2]][part["$ref"].split("/")[3]] if "$ref" in part else part

    def check(media: dict[str, Any], place: object) -> None:
        shown = [each["value"] for each in map(resolved, media.get("examples", {}).values())]
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
        parameters = [resolved(each) for each in operation.get("parameters", ())]
        assert set(re.findall(r"{(\w+)}", path)) == {each["name"] for each in parameters if each["in"] == "path"}, place
        for parameter in parameters:
            assert parameter["description"], (place, parameter["name"])
            if "example" in parameter:
                fits(parameter["example"], parameter["schema"], document)
        for media in operation.get("requestBody", {}).get("content", {}).values():
            check(media, place)
        for status, answer in operation["responses"].items():
            answer = resolved(answer)
            assert answer["description"] and ("content" in answer or status in ("101", "204")), (place, status)
            for media in answer.get("content", {}).values():
                check(media, (place, status))


@pytest.fixture
def intrinio(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """The address of a simulated Intrinio, which knows sessions, and a file with its key."""
    keys = tmp_path / "keys.json"
    keys.write_text('{"intrinio":{"api_key":"demo"}}')
    keys.chmod(0o600)
    process = subprocess.Popen([str(binary()), "simulate", "intrinio"], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    found = None
    while not found:
        line = process.stdout.readline()
        assert line, "the venue ended"
        found = re.search(r"ws://\S+", line)
    yield found[0], keys
    process.terminate()
    process.communicate(timeout=60)


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
    for path in ("/v1/markets", "/v1/stocks", "/health"):
        schema = document["paths"][path]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
        fits(server.get(path), schema, document)
    fits(server.get(place), {"$ref": "#/components/schemas/Market"}, document)


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
    roles = document["components"]["schemas"]["Message"]["properties"]["role"]["enum"]
    assert {each["role"] for each in spoken} == set(roles) == {"user", "assistant", "system"}
    # A client that must wait gets the time.
    refusals = [each["responses"]["429"] for _, _, each in called if "429" in each["responses"]]
    assert {each["$ref"] for each in refusals} == {"#/components/responses/TooOften"} and len(refusals) == 6
    assert document["components"]["responses"]["TooOften"]["headers"]["Retry-After"]["required"] is True
    # The fields of a consultation are all of them.
    fields = document["components"]["schemas"]["Consultation"]
    assert set(fields["required"]) == set(fields["properties"]) == set(shown)


def test_what_needs_a_login_is_refused_without_one_and_as_another_user_as_the_description_says(
    serve: Callable[..., RunningServer], tmp_path: Path
) -> None:
    keys = {user: {"X-API-Key": f"the-api-key-of-{user}-1234"} for user in ("ada", "bob")}
    (tmp_path / "keys").write_text("".join(f"{user}:{key['X-API-Key']}\n" for user, key in keys.items()))
    (tmp_path / "tokens").write_text("a-token-for-those-who-trade\n")
    server = serve(
        "sim:BTC-USD", "--consultation-keys", str(tmp_path / "keys"), "--stream-token-file", str(tmp_path / "tokens")
    )
    document = server.get("/openapi.json")
    begin = {"consultationType": "markets", "userId": "ada"}
    made = json.loads(send_request(server, "POST", "/consultations", begin, keys["ada"])[2])
    bodies = {"/consultations": begin, "/consultations/{id}/proposals/{template_id}": {"decision": "decline"}}
    looked = 0
    for path, method, described in operations_of(document):
        if described.get("security") == [{}] or described["tags"] == ["Streams"]:
            continue
        looked += 1
        is_consultation = described["tags"] == ["Consultations"]
        body = bodies.get(path) if "requestBody" in described else None
        place = path.replace("{id}", made["id"]).replace("{template_id}", "t1").replace("{symbol}", "BTC-USD")
        answers = set(described["responses"])
        assert {"401", "503"} <= answers, (path, method)
        status, _, text = send_request(server, method.upper(), place, body)
        assert status == 401, (path, method, text)
        fits(json.loads(text), document["components"]["schemas"]["Error"], document)
        # Lists have nothing of others.
        if is_consultation and ("{id}" in path or body is not None):
            assert "403" in answers, (path, method)
            status, _, text = send_request(server, method.upper(), place, body, keys["bob"])
            assert status == 403, (path, method, text)
            fits(json.loads(text), document["components"]["schemas"]["Error"], document)
    assert looked == 9 + 19
    # One's own order is not placed without what trading requires, either.
    place = f"/consultations/{made['id']}/proposals/t1"
    status, _, text = send_request(server, "POST", place, {"decision": "approve"}, keys["ada"])
    assert status == 403 and json.loads(text)["error"]["code"] == "trading_forbidden"
    assert send_request(server, "POST", place, {"decision": "decline"}, keys["ada"])[0] == 404


def test_health_and_a_page_that_shows_the_description(quiet: RunningServer) -> None:
    assert json.loads(send_request(quiet, "GET", "/health")[2])["status"] == "ok"
    status, kind, page = send_request(quiet, "GET", "/swagger/index.html")  # It leads to /api/.
    assert status == 200 and kind.startswith("text/html") and b"openapi.json" in page
