"""`/api` shows the description of the interface: all of it, found by search, tried out, by keyboard, on a phone, in every theme."""

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, Request, expect
from support.polling import eventually
from support.server import Server
from test_axe import DESKTOP, PHONE, THEMES, findings

pytestmark = pytest.mark.long


def opened(page: Page, server: Server, place: str = "") -> None:
    page.goto(f"{server.address}/api{place}")
    expect(page.get_by_role("status").first).to_contain_text("operations")


def item(page: Page, name: str) -> Locator:
    return page.locator(f"details#{name}")


def test_everything_of_the_description_is_shown_and_nothing_comes_from_elsewhere(
    new_page: Callable[..., Page], simulated: Server
) -> None:
    page = new_page(**DESKTOP)
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url))
    opened(page, simulated)
    document = simulated.get("/openapi.json")
    operations = [each for entry in document["paths"].values() for each in entry.values()]
    assert page.locator("main details[id]:not([id^=schema-])").count() == len(operations)
    assert page.locator("main details[id^=schema-]").count() == len(document["components"]["schemas"])
    for operation in operations:
        summary = item(page, operation["operationId"]).locator("summary").first
        expect(summary).to_contain_text(operation["summary"])
    # A schema is where its name leads to.
    item(page, "getMarket").locator("summary").first.click()
    item(page, "getMarket").get_by_role("link", name="Market", exact=True).click()
    expect(item(page, "schema-Market").get_by_role("cell", name="session", exact=True)).to_be_visible()
    expect(item(page, "schema-Market").locator("summary").first).to_be_focused()
    # All but these is closed to strangers where the server has logins, with --require-login all at the latest.
    for name, count in (("getHealth", 0), ("openStream", 0), ("listFeeds", 1), ("switchFeed", 1), ("listConsultationTypes", 1)):
        assert item(page, name).get_by_text("A token, where the server requires one.").count() == count, name
    assert requested and all(url.startswith(simulated.address) for url in requested)


def test_a_search_finds_by_path_word_and_method(new_page: Callable[..., Page], simulated: Server) -> None:
    page = new_page(**DESKTOP)
    opened(page, simulated)
    page.keyboard.press("/")
    search = page.get_by_role("searchbox", name="Search")
    expect(search).to_be_focused()
    search.fill("delete orders")
    expect(page.locator("#found")).to_have_text("3 found")
    expect(item(page, "cancelOrder")).to_be_visible()
    expect(item(page, "placeOrder")).to_be_hidden()
    expect(page.get_by_role("navigation").get_by_role("link", name="Cancel an order", exact=True)).to_be_visible()
    search.fill("no such thing")
    expect(page.locator("#found")).to_have_text("0 found")
    search.fill("")
    expect(item(page, "placeOrder")).to_be_visible()


def test_a_get_is_tried_by_keyboard_and_its_token_is_in_no_address(
    new_page: Callable[..., Page], simulated: Server
) -> None:
    page = new_page(**DESKTOP)
    requested: list[Request] = []
    page.on("request", lambda request: requested.append(request))
    opened(page, simulated, "#listCandles")
    listed = item(page, "listCandles")
    expect(listed.locator("summary").first).to_be_focused()
    page.get_by_label("Access token").fill("a-token-of-the-test")
    form = listed.get_by_role("form", name="Try GET /v1/candles")
    form.get_by_label("limit").fill("2")
    form.get_by_label("limit").press("Enter")
    expect(form.get_by_role("status")).to_contain_text("200, application/json")
    candles = json.loads(form.locator("pre").inner_text())
    assert len(candles) == 2 and {"timestamp", "open", "close"} <= set(candles[0])
    sent = next(each for each in requested if "/v1/candles" in each.url)
    assert sent.headers["authorization"] == "Bearer a-token-of-the-test"
    assert all("a-token-of-the-test" not in each.url for each in requested) and "token" not in page.url
    # A picture, and a part of a path.
    item(page, "drawChartPng").locator("summary").first.click()
    item(page, "drawChartPng").get_by_role("button", name="Try it").click()
    expect(item(page, "drawChartPng").get_by_alt_text("The picture that was answered")).to_be_visible()
    item(page, "getMarket").locator("summary").first.click()
    market = item(page, "getMarket").get_by_role("form")
    market.get_by_role("button").click()
    expect(market.locator("pre")).to_contain_text('"BTC-USD"')
    # What changes something, and what is no request, are not tried here.
    for name in ("placeOrder", "addMarket", "switchFeed", "openStream"):
        assert item(page, name).locator("form").count() == 0


def test_a_parameter_of_a_header_is_sent_as_one(page: Page, simulated: Server) -> None:
    opened(page, simulated, "#listConsultations")
    form = item(page, "listConsultations").get_by_role("form")
    form.get_by_label("X-Candlewire-Page").fill("1")
    form.get_by_label("limit").fill("2")
    with page.expect_request("**/consultations*") as sent:
        form.get_by_role("button").click()
    assert sent.value.headers["x-candlewire-page"] == "1"
    assert sent.value.url == f"{simulated.address}/consultations?limit=2"
    expect(form.get_by_role("status")).to_contain_text("200, application/json")


def test_an_error_of_the_server_is_shown(page: Page, simulated: Server) -> None:
    opened(page, simulated, "#getMarket")
    form = item(page, "getMarket").get_by_role("form")
    form.get_by_label("symbol").fill("A/B")
    form.get_by_role("button").click()
    expect(form.get_by_role("status")).to_contain_text("/v1/markets/A%2FB: 404")
    expect(form.locator("pre")).to_contain_text("unknown_symbol")


@pytest.mark.parametrize("device", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("theme", THEMES)
def test_axe_finds_nothing_serious_in_any_theme(
    new_page: Callable[..., Page], simulated: Server, theme: str, device: dict[str, object]
) -> None:
    page = new_page(**device)
    page.add_init_script(f"localStorage.setItem('candlewire.theme', '{theme}')")
    opened(page, simulated)
    for name in ("listCandles", "placeOrder", "schema-Market"):
        item(page, name).locator("summary").first.click()
    expect(item(page, "listCandles").locator("table").first).to_be_visible()
    assert findings(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= device["viewport"]["width"]  # type: ignore[index]


def test_the_terminal_and_the_address_before_lead_here(page: Page, simulated: Server) -> None:
    page.goto(f"{simulated.address}/swagger/index.html")
    expect(page).to_have_url(f"{simulated.address}/api/")
    page.get_by_role("link", name="Terminal").click()
    # Its buttons do something when its modules are there.
    eventually(lambda: page.evaluate("typeof candlewire !== 'undefined'"), "the terminal's modules")
    page.get_by_role("button", name="Keyboard shortcuts").click()
    page.get_by_role("link", name="API of this server").click()
    expect(page.get_by_role("heading", name="Candlewire API")).to_be_visible()
