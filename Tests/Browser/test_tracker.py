"""The price tracker in the page: list, order, detail, start and stop, and what it says when there is nothing to show."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from support.server import Server
from support.spoken import was_said
from test_axe import DESKTOP, PHONE, findings

NAMES = "#stock-list .stock-symbol"


@pytest.fixture(scope="module")
def tracker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("tracker") / "data", feed="tracker", flags=("--seed", "7")).start()
    yield server
    server.stop()


def open_at(page: Page, server: Server, address: str = "") -> None:
    page.goto(server.address + "/" + address)


def order(page: Page) -> list[str]:
    return page.locator(NAMES).all_inner_texts()


def prices(page: Page) -> list[float]:
    texts = page.locator("#stock-list .stock-price > :first-child").all_inner_texts()
    return [float(text.replace(",", "")) for text in texts]


def test_a_person_opens_sorts_holds_reads_and_stops(new_page: Callable[..., Page], tracker: Server) -> None:
    page = new_page(**DESKTOP)
    open_at(page, tracker)
    page.get_by_role("link", name="Tracker").click()
    dialog = page.get_by_role("dialog", name="Tracker")
    expect(dialog.get_by_role("listitem")).to_have_count(25)
    expect(page.locator("#tracker-count")).to_have_text("25 of 25 connected")
    assert page.url.endswith("#stocks")

    # Live, with sign, shape and colour.
    wren = dialog.locator('[data-symbol="WREN"]')
    before = wren.locator(".stock-price").inner_text()
    expect(wren.locator(".stock-price")).not_to_have_text(before)
    expect(wren.locator(".stock-move")).to_have_text(re.compile("[↑↓→]"))
    expect(wren.locator(".stock-change")).to_have_text(re.compile(r"^[▲▼●] [+−]?[\d,]+\.\d\d \([+−]?\d+\.\d\d%\)$"))
    for way in ("up", "down"):
        # In one go: a row's direction may change at any moment.
        page.wait_for_function(
            """way => {
                const change = document.querySelector(`#stock-list [data-direction="${way}"] .stock-change`);
                const probe = document.createElement("i");
                probe.style.color = `var(--${way})`;
                document.body.append(probe);
                const wanted = getComputedStyle(probe).color;
                probe.remove();
                return change !== null && getComputedStyle(change).color === wanted;
            }""",
            arg=way,
        )

    # Sorted by price on its cadence; by another key at once.
    page.mouse.move(2, 2)
    page.wait_for_function(
        """() => { const texts = [...document.querySelectorAll("#stock-list .stock-price > :first-child")];
        const all = texts.map((each) => Number(each.textContent.replaceAll(",", "")));
        return all.every((price, index) => index === 0 || price <= all[index - 1]); }"""
    )
    dialog.get_by_text("Symbol", exact=True).click()
    page.wait_for_function("names => [...document.querySelectorAll(names)].every((each, index, all) =>"
        " index === 0 || all[index - 1].textContent < each.textContent)", arg=NAMES)  # fmt: skip
    dialog.get_by_text("Change", exact=True).click()
    expect(page.locator("#stock-held")).to_be_hidden()

    # While the keyboard is in the list nothing moves, however long that is, and prices go on.
    first = dialog.locator("#stock-list a").first
    first.focus()
    expect(page.locator("#stock-held")).to_be_visible()
    held = order(page)
    for _ in range(3):
        texts = page.locator("#stock-list .stock-price").all_inner_texts()
        page.wait_for_function(
            "([before]) => [...document.querySelectorAll('#stock-list .stock-price')].filter((each, index) =>"
            " each.innerText !== before[index]).length > 20", arg=[texts],
        )  # fmt: skip
        assert order(page) == held
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(dialog.locator("#stock-list a").nth(2)).to_be_focused()
    page.keyboard.press("Enter")

    # The detail sees what the list sees, and leaving it removes nothing from the list.
    detail = dialog.get_by_role("region", name=held[2])
    expect(detail.get_by_role("heading", name=held[2])).to_be_focused()
    assert page.url.endswith(f"#stocks/{held[2]}")
    assert page.evaluate(
        """symbol => new Promise((resolve) => {
            const same = () => document.querySelector(`[data-symbol="${symbol}"] .stock-price`).innerText ===
                document.querySelector("#stock-now .stock-price").innerText;
            let seen = 0;
            const watch = new MutationObserver(() => requestAnimationFrame(() => {
                seen += 1;
                if (!same() || seen === 3) { watch.disconnect(); resolve(same()); }
            }));
            watch.observe(document.querySelector("#stock-now"), { subtree: true, childList: true, characterData: true });
        })""",
        held[2],
    )
    expect(detail.locator("#stock-description")).not_to_be_empty()
    expect(detail.locator("#stock-low")).to_have_text(re.compile(r"\d"))
    page.go_back()
    expect(detail).to_be_hidden()
    before = wren.locator(".stock-price").inner_text()
    expect(wren.locator(".stock-price")).not_to_have_text(before)

    # Stopped, nothing changes and nothing is requested; started, it goes on.
    dialog.get_by_role("button", name="Stop").click()
    expect(page.locator("#tracker-count")).to_have_text("0 of 25 connected")
    assert page.evaluate("candlewire.session.state") == "open", "the page itself stays connected"
    dialog.get_by_role("button", name="Start").click()
    expect(page.locator("#tracker-count")).to_have_text("25 of 25 connected")
    before = wren.locator(".stock-price").inner_text()
    expect(wren.locator(".stock-price")).not_to_have_text(before)

    # Its chart is one like any other.
    wren.get_by_role("link").click()
    dialog.get_by_role("button", name="Show the chart").click()
    expect(dialog).to_be_hidden()
    expect(page.locator("#header-symbol")).to_have_text("WREN")
    page.wait_for_function("() => (candlewire.chart.engineChart?.count ?? 0) > 0")
    page.get_by_role("link", name="Tracker").click()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    assert page.url.endswith("#WREN/1m")
    assert page.complaints == []  # type: ignore[attr-defined]


def test_the_detail_names_the_day_of_its_low_and_high(page: Page, tracker: Server) -> None:
    def answer(route) -> None:
        document = route.fetch().json()
        for market in document["markets"]:
            if market["symbol"].endswith("WREN"):
                figures = {"open": 1, "high": 2, "low": 1, "change": 1, "change_percent": 100}
                market["session"] = {"date": "2024-08-08", **figures}
        route.fulfill(json=document)

    page.route("**/v1/markets", answer)
    open_at(page, tracker, "#stocks/WREN")
    stats = page.locator(".stock-stats")
    expect(stats).to_contain_text(re.compile(r"Session low[\d.]+"))
    expect(stats).to_contain_text(re.compile(r"Session high[\d.]+"))
    page.evaluate("location.hash = '#stocks/AERO'")
    expect(page.locator("#stock-title")).to_have_text("AERO")
    expect(stats).to_contain_text(re.compile(r"24 h low[\d.]+"))
    expect(stats).to_contain_text(re.compile(r"24 h high[\d.]+"))


def test_a_price_that_changed_stands_out_for_a_second_unless_motion_is_unwelcome(
    new_page: Callable[..., Page], tracker: Server
) -> None:
    watch = """() => {
        window.seen = { changes: 0, held: [] };
        const since = new Map();
        new MutationObserver((entries) => entries.forEach(({ type, target }) => {
            if (type === "attributes") {
                target.dataset.tint ? since.set(target, performance.now()) : since.has(target) && seen.held.push(performance.now() - since.get(target));
            } else if ((target instanceof Element ? target : target.parentElement)?.closest(".stock-price")) {
                seen.changes += 1;
            }
        })).observe(document.querySelector("#stock-list"),
            { subtree: true, childList: true, characterData: true, attributeFilter: ["data-tint"] });
    }"""
    for motion, stands_out in [("no-preference", True), ("reduce", False)]:
        page = new_page(**DESKTOP, reduced_motion=motion)
        open_at(page, tracker, "#stocks")
        expect(page.locator("#tracker-count")).to_have_text("25 of 25 connected")
        page.evaluate(watch)
        page.wait_for_function("() => seen.changes >= 10")
        assert (page.locator("#stock-list [data-tint]").count() > 0) == stands_out
        page.get_by_role("button", name="Stop").click()
        page.wait_for_function("() => document.querySelector('#stock-list [data-tint]') === null")
        held = page.evaluate("seen.held")
        assert bool(held) == stands_out and all(milliseconds >= 999 for milliseconds in held)
        page.close()


def test_a_deep_link_names_a_stock_and_it_is_announced_once(new_page: Callable[..., Page], tracker: Server) -> None:
    """The address of a stock; words for screen readers; no chatter."""
    page = new_page(**PHONE)
    open_at(page, tracker, "#stocks/BLU.B")
    dialog = page.get_by_role("dialog", name="Tracker")
    expect(dialog.get_by_role("heading", name="BLU.B")).to_be_focused()
    expect(dialog.locator("#stock-description")).to_contain_text("Forges tools by hydrogen")
    # One after the other on a phone.
    expect(page.locator("#stock-list")).to_be_hidden()
    was_said(page, "BLU.B, Blue Anvil, ")
    page.evaluate(
        """() => new Promise((resolve) => {
            let seen = 0;
            new MutationObserver(() => { seen += 1; if (seen === 5) resolve(); })
                .observe(document.querySelector("#stock-now"), { childList: true, characterData: true, subtree: true });
        })"""
    )
    said = page.evaluate("everythingSaid.filter((sentence) => sentence.startsWith('BLU.B, '))")
    assert len(said) == 1, "prices are not announced"
    dialog.get_by_role("link", name="All stocks").click()
    row = dialog.locator('[data-symbol="BLU.B"] a')
    expect(row).to_be_focused()
    expect(row).to_have_attribute(
        "aria-label", re.compile(r"^BLU\.B, Blue Anvil, [\d,.]+, (up|down|unchanged) \d+\.\d\d% since the start$")
    )
    open_at(page, tracker, "#stocks/NOPE")
    page.reload()
    expect(page.locator("#stock-message")).to_have_text(re.compile("The tracker has no stock “NOPE”"))
    expect(page.locator("#stock-list")).to_be_visible()


@pytest.mark.parametrize(
    ("path", "address"),
    [
        ("tracker", "#stocks"),
        ("tracker/", "#stocks"),
        ("tracker/BLU.B", "#stocks/BLU.B"),
        ("tracker/symbol/BLU.B", "#stocks/BLU.B"),
        ("tracker/symbol/NO%20PE", "#stocks/NO%20PE"),
    ],
)
def test_the_tracker_has_addresses_of_its_own(
    new_page: Callable[..., Page], tracker: Server, path: str, address: str
) -> None:
    page = new_page(**DESKTOP)
    open_at(page, tracker, path)
    assert page.url == f"{tracker.address}/{address}"
    dialog = page.get_by_role("dialog", name="Tracker")
    expect(dialog.get_by_role("listitem")).to_have_count(25)
    if address.endswith("BLU.B"):
        expect(dialog.get_by_role("heading", name="BLU.B")).to_be_visible()
    if address.endswith("NO%20PE"):
        expect(page.locator("#stock-message")).to_have_text(re.compile("The tracker has no stock “NO PE”. Choose one"))
        dialog.get_by_role("link", name=re.compile("^IRIS,")).click()
        expect(dialog.get_by_role("heading", name="IRIS")).to_be_visible()
    assert page.complaints == []  # type: ignore[attr-defined]


def test_without_a_tracker_there_is_no_button_and_the_address_says_so(
    new_page: Callable[..., Page], simulated: Server
) -> None:
    page = new_page(**DESKTOP)
    open_at(page, simulated, "#stocks")
    expect(page.locator("#stock-message")).to_have_text(re.compile("This server tracks no stocks"))
    page.get_by_role("button", name="Close the tracker").click()
    expect(page.locator("#tracker-link")).to_be_hidden()
    expect(page.locator("#header-symbol")).to_have_text("BTC-USD")
    assert page.complaints == []  # type: ignore[attr-defined]


def test_a_list_that_does_not_load_is_said_and_tried_again(new_page: Callable[..., Page], tracker: Server) -> None:
    page = new_page(**DESKTOP)
    page.route("**/v1/stocks", lambda route: route.abort())
    open_at(page, tracker, "#stocks")
    expect(page.locator("#stock-message")).to_contain_text("The server can’t be reached.")
    page.unroute("**/v1/stocks")
    page.get_by_role("dialog").get_by_role("button", name="Retry").click()
    expect(page.locator("#stock-list").get_by_role("listitem")).to_have_count(25)


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("device", ["desktop", "phone"])
def test_axe_finds_nothing_serious_and_everything_can_be_touched(
    new_page: Callable[..., Page], tracker: Server, save_picture: Callable[[Page, str], Path], theme: str, device: str
) -> None:
    """Light and dark, 44 px targets on touch, large text."""
    page = new_page(**(DESKTOP if device == "desktop" else PHONE))
    open_at(page, tracker, "#stocks")
    page.evaluate("theme => candlewire.theme.choose(theme)", theme)
    expect(page.locator("#tracker-count")).to_have_text("25 of 25 connected")
    assert findings(page) == [], "the list"
    save_picture(page, f"tracker-list-{device}-{theme}")
    if device == "phone":
        small = page.evaluate(
            """() => [...document.querySelectorAll("#tracker :is(a, button, label)")].filter((each) => {
                const { width, height } = each.getBoundingClientRect();
                return width > 0 && (height < 43.5 || width < 43.5); }).map((each) => each.textContent)"""
        )
        assert small == []
        title, close = (page.locator(place).bounding_box() for place in ("#tracker-title", "#tracker-close"))
        assert title and close
        assert abs(title["y"] + title["height"] / 2 - close["y"] - close["height"] / 2) < 2, "on one line"
    page.locator('[data-symbol="IRIS"] a').click()
    expect(page.get_by_role("heading", name="IRIS")).to_be_visible()
    assert findings(page) == [], "the detail"
    save_picture(page, f"tracker-detail-{device}-{theme}")
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    page.wait_for_function("() => document.querySelector('#tracker').scrollWidth <= innerWidth")
    save_picture(page, f"tracker-large-{device}-{theme}")
