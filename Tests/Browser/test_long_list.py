"""A market list of a thousand rows: the page has rows, streams and requests for what is seen of it."""

from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from support.polling import eventually
from support.server import Server
from support.terminal import Terminal

COUNT = 1000
# Rows around those that are seen, and nodes of a row.
MOST_ROWS, MOST_NODES = 80, 40

SEEN = """() => {
    const list = document.getElementById("market-list");
    const { top, bottom } = list.getBoundingClientRect();
    const rows = [...list.querySelectorAll("[data-symbol]")].map((row) => [row.dataset.symbol, row.getBoundingClientRect()]);
    const seen = rows.filter(([, place]) => place.bottom > top && place.top < bottom);
    const room = seen.length > 0 && seen[0][1].top < top + 8 && seen.at(-1)[1].bottom > bottom - 12;
    return room ? seen.map(([symbol]) => symbol) : null;
}"""


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("many") / "data", feed=f"sim:{COUNT}", flags=("--seed", "7", "--rate", "300")).start()
    yield server
    server.stop()


def drawn(page: Page) -> list[str]:
    return page.locator("#market-list > [data-symbol]").evaluate_all("all => all.map(each => each.dataset.symbol)")


def seen(page: Page) -> list[str]:
    """The rows that are seen, as soon as they fill the list."""
    return eventually(lambda: page.evaluate(SEEN), "rows where the list is seen")


def scroll(page: Page, part: float) -> None:
    page.locator("#market-list").evaluate("(list, part) => (list.scrollTop = part * list.scrollHeight)", part)


def test_of_a_thousand_markets_the_page_has_the_rows_and_streams_that_are_seen(page: Page, many: Server) -> None:
    Terminal(page, many).open("BTC-USD/1s")
    symbols = [each["symbol"] for each in many.get("/v1/markets")["markets"]]
    assert len(symbols) == COUNT
    expect(page.locator("#market-list [data-symbol=BTC-USD]")).to_have_attribute("aria-setsize", str(COUNT))
    assert seen(page)[0] == symbols[0]

    for part in (0.2, 0.5, 1.0):
        scroll(page, part)
        there = seen(page)
        first = symbols.index(there[0])
        assert there == symbols[first : first + len(there)] and abs(first / COUNT - part) < 0.1
        # Where the list rests, its rows have the streams, and no others.
        eventually(
            lambda: page.evaluate("candlewire.session.diagnostics.streams") == len({*drawn(page), "BTC-USD"}),
            "the streams of the rows and of the chart",
        )
        assert len(drawn(page)) <= MOST_ROWS
        nodes = page.evaluate("document.querySelectorAll('#market-list *').length")
        assert nodes < MOST_ROWS * MOST_NODES, f"the list has {nodes} nodes"
    assert there[-1] == symbols[-1]

    page.locator("#market-list").focus()
    page.keyboard.press("Home")
    expect(page.locator(".row-active")).to_have_attribute("data-symbol", symbols[0])
    assert seen(page)[0] == symbols[0]
    for _ in range(40):
        page.keyboard.press("ArrowDown")
    expect(page.locator(".row-active")).to_have_attribute("aria-posinset", "41")
    assert symbols[40] in seen(page)
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    page.wait_for_function("symbol => candlewire.terminal.selection.symbol === symbol", arg=symbols[-1])
    assert symbols[-1] in seen(page)

    page.locator("#market-filter").fill("SIM77")
    wanted = [each for each in symbols if "SIM77" in each]
    eventually(lambda: drawn(page) == wanted, "the rows that match")
    page.locator("#market-filter").fill("")
    eventually(lambda: len(drawn(page)) > len(wanted), "all rows again")

    # The figures of the others come with a list of what has changed.
    with page.expect_request(lambda request: urlsplit(request.url).path == "/v1/markets") as later:
        pass
    assert parse_qs(urlsplit(later.value.url).query)["since"][0].count("-") == 3
    answer = later.value.response()
    assert answer and answer.json()["position"]
    assert page.complaints == []  # type: ignore[attr-defined]
