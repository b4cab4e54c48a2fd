"""A context of the browser that another test has used is as good as a new one."""

from collections.abc import Callable

from playwright.sync_api import Page

from support.server import Server

STATE = """async () => ({
    cookies: document.cookie, stored: { ...localStorage },
    location: (await navigator.permissions.query({ name: "geolocation" })).state,
})"""


def test_a_context_that_is_used_again_is_empty(new_page: Callable[..., Page], simulated: Server) -> None:
    def open_empty() -> Page:
        page = new_page(locale="en-NZ")
        # The origin of the server, without the headers that forbid its page some permissions.
        page.route("**/empty", lambda route: route.fulfill(content_type="text/html", body="<title>empty</title>"))
        page.goto(f"{simulated.address}/empty")
        return page

    page = open_empty()
    first = page.evaluate(STATE)
    page.evaluate("() => { document.cookie = 'a=1'; localStorage.setItem('b', '2'); }")
    page.context.grant_permissions(["geolocation"])
    assert page.evaluate(STATE) == {"cookies": "a=1", "stored": {"b": "2"}, "location": "granted"}
    context = page.context
    page.close()
    again = open_empty()
    assert again.context is context, "it is used again"
    assert again.evaluate(STATE) == first == {"cookies": "", "stored": {}, "location": first["location"]}
    assert first["location"] != "granted"
