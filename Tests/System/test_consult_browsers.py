"""On a server without logins a conversation belongs to the browser that began it; other programs share theirs.

What a browser sends is written out here; that browsers do send it, `Tests/Browser/test_consultation_browsers.py` shows.
"""

import http.client
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from support.secrets import private_file
from running_server import RunningServer
from test_consult_access import send_request
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

BEGIN = {"consultationType": "markets", "initialMessage": "help"}


class Browser:
    """A profile of a browser with the server's page: it says where its requests come from, and keeps cookies."""

    def __init__(self, server: RunningServer, site: dict[str, str] | None = None) -> None:
        self.server = server
        self.site = {"Sec-Fetch-Site": "same-origin"} if site is None else site
        self.cookies: list[str] = []

    @property
    def cookie(self) -> dict[str, str]:
        return {"Cookie": f"theme=dark; {self.cookies[-1].split(';')[0]}"} if self.cookies else {}

    def send(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=60)
        connection.request(method, path, None if body is None else json.dumps(body), self.site | self.cookie)
        answer = connection.getresponse()
        if given := answer.getheader("Set-Cookie"):
            self.cookies.append(given)
        return answer.status, json.loads(answer.read() or b"null")

    def begin(self, **more: Any) -> dict[str, Any]:
        status, made = self.send("POST", "/consultations", BEGIN | more)
        assert status == 201, made
        return made

    def listed(self) -> list[str]:
        return [each["id"] for each in self.send("GET", "/consultations")[1]["consultations"]]

    def handshake(self, consultation: str, origin: str | None = None) -> int:
        address = f"ws://127.0.0.1:{self.server.port}/ws/consultation?consultation_id={consultation}"
        origin = origin or f"http://127.0.0.1:{self.server.port}"
        try:
            with connect(address, additional_headers=self.cookie, origin=origin):  # type: ignore[arg-type]
                return 101
        except InvalidStatus as refused:
            return refused.response.status_code


@pytest.mark.parametrize("site", [{"Sec-Fetch-Site": "same-origin"}, {"X-Candlewire-Page": "1"}])
def test_one_browser_s_conversation_is_no_other_s(quiet: RunningServer, site: dict[str, str]) -> None:
    one, other = Browser(quiet, site), Browser(quiet, site)
    made = one.begin()["id"]
    assert one.listed() == [made]
    assert one.handshake(made) == 101
    assert other.listed() == []
    for method, path in (("GET", ""), ("GET", "/messages"), ("GET", "/export"), ("POST", "/ticket"), ("DELETE", "")):
        assert other.send(method, f"/consultations/{made}{path}")[0] == 403, (method, path)
    assert other.send("POST", f"/consultations/{made}/proposals/{made}-t1", {"decision": "decline"})[0] == 403
    assert other.handshake(made) == 403
    # Nor that of programs without an identity, in either direction.
    shared = send_request(quiet, "POST", "/consultations", {}, BEGIN)[1]["id"]
    assert send_request(quiet, "GET", f"/consultations/{made}", {})[0] == 403
    assert made not in [each["id"] for each in quiet.get("/consultations", limit=100)["consultations"]]
    assert one.send("GET", f"/consultations/{shared}")[0] == 403 and shared not in one.listed()
    assert one.handshake(shared) == 403
    assert one.send("DELETE", f"/consultations/{made}")[0] == 204


def test_the_cookie_is_random_and_no_script_s_and_stays_the_same(quiet: RunningServer) -> None:
    one, other = Browser(quiet), Browser(quiet)
    one.begin()
    first = one.cookies[-1]
    assert re.fullmatch(
        r"candlewire_browser=[\w-]{43}; Path=/; Max-Age=34560000; HttpOnly; SameSite=Strict", first
    ), first
    one.listed()
    assert one.cookies[-1] == first
    other.listed()
    assert other.cookies[-1] != first
    # It stands nowhere where it could be read.
    value = first.split("=")[1].split(";")[0]
    assert one.begin(userId="ada")["user"] == "browser"
    assert value not in json.dumps(one.send("GET", "/consultations")[1]) and value not in quiet.log
    # One that this server cannot have made is replaced.
    forged = Browser(quiet)
    forged.cookies.append("candlewire_browser=me")
    forged.begin()
    assert len(forged.cookies) == 2


def test_pages_of_elsewhere_are_not_the_browser_s_own(quiet: RunningServer) -> None:
    one = Browser(quiet)
    made = one.begin()["id"]
    # Another port of this machine is the same site, and its page's requests come with the cookie.
    for site in ("same-site", "cross-site"):
        stranger = Browser(quiet, {"Sec-Fetch-Site": site})
        stranger.cookies = one.cookies[:1]
        assert stranger.listed() == [] and stranger.send("GET", f"/consultations/{made}")[0] == 403
        assert len(stranger.cookies) == 1, "it is given none either"
    # A name that was pointed at this machine (DNS rebinding) reaches nothing, with the cookie or without.
    evil = {"Host": f"evil.example:{quiet.port}"}
    for headers in (evil, evil | one.site | one.cookie):
        connection = http.client.HTTPConnection("127.0.0.1", quiet.port, timeout=60)
        connection.request("GET", "/consultations", headers=headers)
        answer = connection.getresponse()
        assert answer.status == 421 and answer.getheader("Set-Cookie") is None
    assert one.handshake(made, "http://127.0.0.1:1") == 403
    assert one.handshake(made, "https://elsewhere.example") == 403
    assert one.handshake(made) == 101


def test_conversations_are_the_same_browser_s_after_a_restart(serve: Callable[..., RunningServer]) -> None:
    server = serve("sim:BTC-USD")
    one = Browser(server)
    made = one.begin()["id"]
    stored = (server.data_dir / "conversations.sqlite-wal").read_bytes()
    assert one.cookies[0].split("=")[1].split(";")[0].encode() not in stored, "the store has its digest"
    server.stop()
    server.start()
    assert one.listed() == [made] and one.handshake(made) == 101


def test_paper_accounts_stay_shared(quiet: RunningServer) -> None:
    one, other = Browser(quiet), Browser(quiet)
    assert one.send("POST", "/v1/accounts", {"name": "shared"})[0] == 201
    assert other.send("GET", "/v1/accounts/paper-shared")[0] == 200


def test_with_a_login_there_are_no_cookies(serve: Callable[..., RunningServer], tmp_path: Any) -> None:
    private_file(tmp_path / "tokens", "a-token-of-the-stream-1\n")
    server = serve("sim:BTC-USD", "--stream-token-file", str(tmp_path / "tokens"))
    browser = Browser(server)
    assert browser.send("GET", "/consultations")[0] == 401 and browser.cookies == []
