"""The description of the interface says what is there: every path answers, and documents have its fields."""

import json
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

from running_server import RunningServer
from support.polling import eventually


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
    if "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    kinds = {"object": dict, "array": list, "string": str, "number": (int, float), "integer": int, "boolean": bool}
    if "enum" in schema:
        assert value in schema["enum"]
    if "type" in schema:
        assert isinstance(value, kinds[schema["type"]]), (value, schema)
    if schema.get("type") == "array":
        for element in value:
            fits(element, schema["items"], document)
    if "properties" in schema:
        assert set(schema.get("required", ())) <= set(value), (value, schema)
        for name, field in schema["properties"].items():
            if name in value:
                fits(value[name], field, document)


def test_every_path_of_the_description_answers_as_it_says(quiet: RunningServer) -> None:
    """Roles are user, assistant and system."""
    status, kind, text = send_request(quiet, "GET", "/openapi.json")
    assert status == 200 and kind.startswith("application/json")
    document = json.loads(text)
    begin = {"consultationType": "markets", "initialMessage": "buy 0.01 BTC-USD"}
    # The guide proposes nothing in a market that has not traded yet.
    eventually(lambda: answer_to(quiet, begin).startswith("Created"), "a market with a price", every=2)
    made = json.loads(send_request(quiet, "POST", "/consultations", begin)[2])

    def proposal() -> str | None:
        messages = quiet.get(f"/consultations/{made['id']}/messages")["messages"]
        return next((message["metadata"]["template_id"] for message in messages if message["role"] == "system"), None)

    template = eventually(proposal, "a proposed order")
    spoken = quiet.get(f"/consultations/{made['id']}/messages")["messages"]
    bodies = {"/consultations": begin, "/consultations/{id}/proposals/{template_id}": {"decision": "approve"}}
    # What deletes comes last.
    called = [(path, method) for path, entry in document["paths"].items() for method in entry if method != "parameters"]
    for path, method in sorted(called, key=lambda call: call[1] == "delete"):
        described = document["paths"][path][method]
        body = bodies[path] if "requestBody" in described else None
        place = path.replace("{id}", made["id"]).replace("{template_id}", template)
        status, kind, text = send_request(quiet, method.upper(), place, body)
        answer = described["responses"][str(status)]
        assert 200 <= status < 300, (path, method, text)
        content = answer.get("content", {}).get("application/json", {})
        if "schema" in content:
            fits(json.loads(text), content["schema"], document)
            assert set(content["schema"]) == {"$ref"}
    roles = document["components"]["schemas"]["Message"]["properties"]["role"]["enum"]
    assert {each["role"] for each in spoken} == set(roles) == {"user", "assistant", "system"}
    # A client that must wait gets the time.
    operations = [each for entry in document["paths"].values() for method, each in entry.items() if method != "parameters"]
    refusals = [each["responses"]["429"] for each in operations if "429" in each["responses"]]
    assert {each["$ref"] for each in refusals} == {"#/components/responses/TooOften"} and len(refusals) == 6
    assert document["components"]["responses"]["TooOften"]["headers"]["Retry-After"]["required"] is True
    # The fields of a consultation are all of them.
    fields = document["components"]["schemas"]["Consultation"]
    assert set(fields["required"]) == set(fields["properties"]) == set(made)


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
    for path, entry in document["paths"].items():
        for method, described in entry.items():
            if method == "parameters" or described.get("security") == [{}]:
                continue
            looked += 1
            body = bodies[path] if "requestBody" in described else None
            place = path.replace("{id}", made["id"]).replace("{template_id}", "t1")
            answers = set(described["responses"])
            assert {"401", "503"} <= answers, (path, method)
            status, _, text = send_request(server, method.upper(), place, body)
            assert status == 401, (path, method, text)
            fits(json.loads(text), document["components"]["schemas"]["Error"], document)
            # Lists have nothing of others.
            if "{id}" in path or body is not None:
                assert "403" in answers, (path, method)
                status, _, text = send_request(server, method.upper(), place, body, keys["bob"])
                assert status == 403, (path, method, text)
                fits(json.loads(text), document["components"]["schemas"]["Error"], document)
    assert looked == 9
    # One's own order is not placed without what trading requires, either.
    place = f"/consultations/{made['id']}/proposals/t1"
    status, _, text = send_request(server, "POST", place, {"decision": "approve"}, keys["ada"])
    assert status == 403 and json.loads(text)["error"]["code"] == "trading_forbidden"
    assert send_request(server, "POST", place, {"decision": "decline"}, keys["ada"])[0] == 404


def test_health_and_a_page_that_shows_the_description(quiet: RunningServer) -> None:
    assert json.loads(send_request(quiet, "GET", "/health")[2])["status"] == "ok"
    status, kind, page = send_request(quiet, "GET", "/swagger/index.html")
    assert status == 200 and kind.startswith("text/html") and b"openapi.json" in page
