"""The pages of the market list, and what a row shows.

Pages that are made, filled, ordered, swiped, kept, and that end the streams of what is on none of them.
Last, change and percentage against the day's open, `h:` `l:` `o:`, with sign, shape and colour.
"""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from support.frames import Frames
from support.notes import keep_notes
from support.polling import eventually
from support.server import Server
from support.spoken import was_said
from support.terminal import Terminal
from test_axe import DESKTOP, PHONE, findings
from test_layout import touch

KEY = "candlewire.watchlists"


def stored(*pages: tuple[str, list[str]]) -> str:
    """What a browser keeps of pages with these names and symbols; their ids are `p0`, `p1` …"""
    listed = [{"id": f"p{at}", "name": name, "symbols": symbols} for at, (name, symbols) in enumerate(pages)]
    return json.dumps({"version": 1, "pages": listed})


def keep(page: Page, text: str, shown: str = "p0") -> None:
    """Puts pages into the browser before its first load."""
    page.add_init_script(
        f"""(() => {{
            if (sessionStorage.getItem("kept")) return;
            sessionStorage.setItem("kept", "1");
            localStorage.setItem("{KEY}", {json.dumps(text)});
            localStorage.setItem("candlewire.watchlist-shown", {json.dumps(json.dumps(shown))});
        }})()"""
    )


def rows(page: Page) -> list[str]:
    return page.locator("#market-list > :visible").evaluate_all("all => all.map(each => each.dataset.symbol)")


def tabs(page: Page) -> Locator:
    return page.get_by_role("tablist", name="Watchlist pages").get_by_role("tab")


def tab(page: Page, name: str) -> Locator:
    return tabs(page).and_(page.get_by_role("tab", name=name, exact=True))


def add(page: Page, text: str) -> None:
    page.get_by_role("combobox", name="Add a symbol to this page").fill(text)
    page.keyboard.press("Enter")


def test_a_page_is_made_filled_ordered_and_kept_with_the_mouse(
    terminal: Terminal, page: Page, save_picture: Callable[[Page, str], Any]
) -> None:
    keep_notes(page)
    terminal.open("BTC-USD/1m")
    every = rows(page)
    expect(page.get_by_role("button", name="Edit this page")).to_be_hidden()
    page.get_by_role("button", name="New page").click()
    expect(page.get_by_role("textbox", name="Page name")).to_be_focused()
    page.keyboard.type("Coins")
    page.get_by_role("button", name="Done").click()
    expect(tab(page, "Coins")).to_have_attribute("aria-selected", "true")
    expect(page.locator("#market-message-text")).to_contain_text("“Coins” has no symbols yet.")

    field = page.get_by_role("combobox", name="Add a symbol to this page")
    expect(field).to_be_focused()
    page.keyboard.type("do")
    options = page.get_by_role("listbox", name="Markets on this server").get_by_role("option")
    # What begins with the letters comes before what only has them.
    expect(options.first).to_have_text(re.compile("^DO"))
    options.filter(has_text="DOGE-USD").click()
    for symbol in ("sol-usd", "BTC", "ada"):
        add(page, symbol)
    expect(page.locator("#add-note")).to_have_text("ADA-USD added.")
    assert rows(page) == ["DOGE-USD", "SOL-USD", "BTC-USD", "ADA-USD"], "each at the end"
    field.fill("btc")
    expect(options).to_contain_text(["on this page"])
    save_picture(page, "watchlist-search")
    page.keyboard.press("Enter")
    expect(page.locator("#add-note")).to_have_text("BTC-USD is already on this page.")
    add(page, "no such thing")
    expect(page.locator("#add-note")).to_have_text("No market on this server matches “no such thing”.")
    page.keyboard.press("Escape")
    assert len(rows(page)) == 4

    # Dragged to the first place, then one that Escape puts back; neither chooses a market.
    for end, last in (("DOGE-USD", None), ("ADA-USD", "Escape")):
        start, target = terminal.row("BTC-USD").bounding_box(), terminal.row(end).bounding_box()
        assert start and target
        page.mouse.move(start["x"] + 20, start["y"] + 20)
        page.mouse.down()
        goal = target["y"] + (2 if last is None else target["height"] - 2)
        page.mouse.move(start["x"] + 22, goal, steps=6)
        dragged = ["BTC-USD", "DOGE-USD", "SOL-USD", "ADA-USD"] if last is None else None
        assert rows(page) == (dragged or ["DOGE-USD", "SOL-USD", "ADA-USD", "BTC-USD"])
        if last:
            page.keyboard.press(last)
        page.mouse.up()
        assert rows(page) == ["BTC-USD", "DOGE-USD", "SOL-USD", "ADA-USD"]
    assert page.evaluate("location.hash") == "#BTC-USD/1m"

    remove = terminal.row("SOL-USD").locator(".row-remove")
    expect(remove).to_be_hidden()
    terminal.row("SOL-USD").hover()
    save_picture(page, "watchlist")
    remove.click()
    assert rows(page) == ["BTC-USD", "DOGE-USD", "ADA-USD"]
    notes = page.get_by_role("region", name="Notifications")
    expect(notes).to_contain_text("SOL-USD removed from “Coins”.")
    notes.get_by_role("button", name="Undo").click()
    assert rows(page) == ["BTC-USD", "DOGE-USD", "SOL-USD", "ADA-USD"]
    terminal.row("SOL-USD").click()
    terminal.wait_for_selection("SOL-USD", "1m")

    # A second page, of the name that is free; deleted, and brought back to its place.
    page.get_by_role("button", name="New page").click()
    expect(tab(page, "Page 1")).to_be_visible()
    page.get_by_role("button", name="Done").click()
    tab(page, "Coins").click()
    page.get_by_role("button", name="Edit this page").click()
    save_picture(page, "watchlist-edit")
    page.get_by_role("button", name="Delete page").click()
    expect(tab(page, "Coins")).to_have_count(0)
    expect(tab(page, "All")).to_have_attribute("aria-selected", "true")
    assert rows(page) == every
    notes.get_by_role("button", name="Undo").click()
    expect(tabs(page)).to_have_text(["All", "Coins", "Page 1"])

    page.reload()
    terminal.wait_until_live()
    expect(tab(page, "Coins")).to_have_attribute("aria-selected", "true")
    assert rows(page) == ["BTC-USD", "DOGE-USD", "SOL-USD", "ADA-USD"]
    assert page.complaints == []  # type: ignore[attr-defined]


def test_everything_is_done_by_keyboard(terminal: Terminal, page: Page) -> None:
    terminal.open("BTC-USD/1m")
    terminal.tab_to("#page-new")
    page.keyboard.press("Enter")
    page.keyboard.type("One")
    page.keyboard.press("Enter")
    for text in ("btc", "eth", "sol"):
        page.keyboard.type(text)
        page.keyboard.press("Enter")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("#add-note")).to_have_text("BTC-USD is already on this page.")
    page.keyboard.press("Shift+Tab")
    expect(page.locator("#market-list")).to_be_focused()
    described = page.get_by_role("listbox", name="Markets")
    expect(described).to_have_accessible_description(re.compile("Delete removes a row"))

    page.keyboard.press("Home")
    page.keyboard.press("Alt+ArrowDown")
    was_said(page, "BTC-USD is row 2 of 3.")
    assert rows(page) == ["ETH-USD", "BTC-USD", "SOL-USD"]
    page.keyboard.press("Alt+ArrowDown")
    page.keyboard.press("Alt+ArrowDown")
    assert rows(page) == ["ETH-USD", "SOL-USD", "BTC-USD"], "there is no fourth place"
    page.keyboard.press("Delete")
    was_said(page, "BTC-USD removed from “One”.")
    assert rows(page) == ["ETH-USD", "SOL-USD"]
    expect(page.locator("#market-list")).to_have_attribute("aria-activedescendant", "market-SOL-USD")
    page.evaluate("() => { window.undone = 0; candlewire.drawings.undo = () => { undone += 1; }; }")
    page.keyboard.press("Control+z")
    assert rows(page) == ["ETH-USD", "SOL-USD", "BTC-USD"]
    assert page.evaluate("undone") == 0, "the drawings have the same keys, elsewhere"

    page.keyboard.press("Alt+PageUp")
    was_said(page, "Page All.")
    expect(page.locator("#market-list")).to_be_focused()
    page.keyboard.press("Delete")
    assert len(rows(page)) > 3, "of “All” nothing is removed"
    page.keyboard.press("Alt+PageDown")
    page.keyboard.press("Alt+PageDown")
    expect(tab(page, "One")).to_have_attribute("aria-selected", "true")

    # Rows that are all gone leave the keyboard where the next one is added.
    for _ in range(3):
        page.keyboard.press("Delete")
    expect(page.get_by_role("combobox", name="Add a symbol to this page")).to_be_focused()
    tab(page, "One").focus()
    page.keyboard.press("ArrowLeft")
    expect(tab(page, "All")).to_be_focused()
    expect(page.get_by_role("tabpanel", name="All")).to_be_visible()
    page.keyboard.press("End")
    page.keyboard.press("F2")
    page.keyboard.type("   ")
    expect(page.get_by_role("textbox", name="Page name")).to_have_attribute("aria-invalid", "true")
    expect(tab(page, "One")).to_be_visible()
    page.keyboard.type("Two")
    page.keyboard.press("Escape")
    tab(page, "Two").focus()
    page.keyboard.press("Delete")
    expect(tabs(page)).to_have_text(["All"])
    expect(tab(page, "All")).to_be_focused()
    page.keyboard.press("Control+z")
    expect(tabs(page)).to_have_text(["All", "Two"])


def test_a_finger_swipes_pages_and_edits_them(
    new_page: Callable[..., Page], simulated: Server, save_picture: Callable[[Page, str], Any]
) -> None:
    page = new_page(**PHONE)
    keep_notes(page)
    keep(page, stored(("One", ["BTC-USD", "ETH-USD", "SOL-USD"]), ("Two", ["ADA-USD"])))
    terminal = Terminal(page, simulated).open("BTC-USD/1m")
    cdp = page.context.new_cdp_session(page)

    def swipe(dx: float, dy: float = 0) -> None:
        page.locator("#markets").evaluate("each => each.scrollIntoView()")
        box = page.locator("#market-list").bounding_box()
        assert box
        x, y = box["x"] + box["width"] / 2 - dx / 2, box["y"] + 30
        touch(cdp, "touchStart", (x, y))
        for step in range(1, 9):
            touch(cdp, "touchMove", (x + dx * step / 8, y + dy * step / 8))
            terminal.painted()
        touch(cdp, "touchEnd")

    swipe(-200)
    expect(tab(page, "Two")).to_have_attribute("aria-selected", "true")
    assert rows(page) == ["ADA-USD"]
    swipe(-200)
    expect(tab(page, "Two")).to_have_attribute("aria-selected", "true")
    swipe(200)
    expect(tab(page, "One")).to_have_attribute("aria-selected", "true")
    swipe(200)
    expect(tab(page, "All")).to_have_attribute("aria-selected", "true")
    swipe(-30, 200)
    swipe(-200)
    expect(tab(page, "One")).to_have_attribute("aria-selected", "true")
    assert page.evaluate("location.hash") == "#BTC-USD/1m", "a swipe chooses no market"
    assert page.locator("#page-panel").evaluate("each => each.style.translate") == ""

    page.get_by_role("button", name="Edit this page").tap()
    page.get_by_role("button", name="Move down BTC-USD").tap()
    page.get_by_role("button", name="Remove SOL-USD").tap()
    assert page.evaluate("candlewire.pages.shown.symbols") == ["ETH-USD", "BTC-USD"]
    note, dock = page.locator(".toast").bounding_box(), page.locator(".dock-bar").bounding_box()
    assert note and dock and 0 < note["y"] < note["y"] + note["height"] <= dock["y"], "in sight, above the dock"
    save_picture(page, "phone-watchlist-edit")
    small = """() => [...document.querySelectorAll('#markets button, #markets input, #markets [role=option]')]
        .filter(each => each.checkVisibility())
        .map(each => [each.id || each.textContent || each.title, each.getBoundingClientRect()])
        .filter(([, box]) => box.height < 44 || box.width < 44)
        .map(([name, box]) => `${name}: ${box.width} x ${box.height}`)"""
    assert page.evaluate(small) == []
    assert findings(page) == []
    page.locator(".toast").get_by_role("button", name="Undo").tap()
    page.get_by_role("button", name="Done").tap()
    expect(page.locator("#market-list")).to_be_focused()
    page.get_by_role("combobox", name="Add a symbol to this page").tap()
    expect(page.get_by_role("listbox", name="Markets on this server")).to_be_visible()
    assert page.evaluate(small) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    offered, dock = page.locator("#add-options").bounding_box(), page.locator(".dock-bar").bounding_box()
    assert offered and dock and offered["y"] + offered["height"] <= dock["y"], "not below the dock"
    save_picture(page, "phone-watchlist")


READ = """async (values) => {
    const { readPages } = await import('/watchlists/page-book.js');
    return values.map((value) => {
        const { pages, isWhole } = readPages(value);
        return [isWhole, ...pages.map(({ name, symbols }) => [name, ...symbols])];
    });
}"""


def test_damaged_pages_never_break_the_list(terminal: Terminal, page: Page) -> None:
    keep(page, '{"version":1,"pages":[{"id":"p0","na')
    terminal.open("BTC-USD/1m")
    expect(tabs(page)).to_have_text(["All"])
    assert len(rows(page)) > 3
    page.get_by_role("button", name="New page").click()
    assert page.evaluate(f"localStorage.getItem('{KEY}.damaged')") == '{"version":1,"pages":[{"id":"p0","na', "aside"
    good = {"id": "a1", "name": "Good", "symbols": ["BTC-USD"]}

    def book(*pages: object) -> object:
        return {"version": 1, "pages": list(pages)}

    assert page.evaluate(
        READ,
        [
            None, 7, "text", [], {}, {"version": 2, "pages": [good]}, {"version": 1, "pages": "none"},
            book(good),
            book(None, 3, {}, good, {"id": "b", "name": 5, "symbols": []}, {"id": "b", "name": "B", "symbols": "x"}),
            book({"id": "<b>", "name": " a\n\u0007b ", "symbols": ["X", "X", "", 3, None, "y" * 256]}),
            book(good, good | {"name": "Same id"}),
            book({"id": "l", "name": "n" * 80, "symbols": [f"S{at}" for at in range(600)]}),
            book(*[{"id": f"p{at}", "name": "P", "symbols": []} for at in range(40)]),
        ],
    ) == [
        *[[False]] * 7,
        [True, ["Good", "BTC-USD"]],
        [False, ["Good", "BTC-USD"]],
        [False, ["a b", "X"]],
        [False, ["Good", "BTC-USD"], ["Same id", "BTC-USD"]],
        [False, ["n" * 40, *[f"S{at}" for at in range(500)]]],
        [False, *[["P"]] * 24],
    ]  # fmt: skip
    # A page of a server that had other markets says so, and can be cleaned.
    page.evaluate("([key, text]) => localStorage.setItem(key, text)", [KEY, stored(("Old", ["GONE-1", "GONE-2"]))])
    page.reload()
    terminal.wait_until_live()
    tab(page, "Old").click()
    expect(page.locator("#market-message-text")).to_contain_text("none of the symbols of “Old”: GONE-1, GONE-2.")
    page.get_by_role("button", name="Edit this page").click()
    expect(page.locator("#page-rows")).to_contain_text("not on this server")
    page.get_by_role("button", name="Remove GONE-1").click()
    assert page.evaluate("candlewire.pages.shown.symbols") == ["GONE-2"]
    assert page.complaints == []  # type: ignore[attr-defined]


def test_two_tabs_of_a_browser_agree(terminal: Terminal, page: Page) -> None:
    terminal.open("BTC-USD/1m")
    other = Terminal(page.context.new_page(), terminal.server).open("ETH-USD/1m")
    page.get_by_role("button", name="New page").click()
    page.get_by_role("button", name="Done").click()
    add(page, "btc")
    add(page, "sol")
    expect(tab(other.page, "Page 1")).to_have_attribute("aria-selected", "false")
    tab(other.page, "Page 1").click()
    eventually(lambda: rows(other.page) == ["BTC-USD", "SOL-USD"], "the other tab has the rows")
    other.page.locator("#market-list").focus()
    other.page.keyboard.press("Home")
    other.page.keyboard.press("Delete")
    eventually(lambda: rows(page) == ["SOL-USD"], "this tab lost the row")
    # A page that is deleted elsewhere is left.
    tab(other.page, "Page 1").focus()
    other.page.keyboard.press("Delete")
    expect(tab(page, "All")).to_have_attribute("aria-selected", "true")
    eventually(lambda: len(rows(page)) > 3, "this tab shows all")


def test_what_is_on_no_page_is_not_streamed(page: Page, simulated: Server) -> None:
    keep(page, stored(("One", ["BTC-USD", "ETH-USD"]), ("Two", ["ETH-USD", "SOL-USD"])))
    frames = Frames(page)
    terminal = Terminal(page, simulated).open("ADA-USD/1m")

    def streams(count: int) -> None:
        page.wait_for_function(
            "count => { const { live, streams } = candlewire.session.diagnostics;"
            " return live === count && streams === count; }",
            arg=count,
        )

    def sent(action: str) -> set[str]:
        return {frame["symbol"] for frame in frames.sent if frame["action"] == action}

    # Those of both pages, so that turning one shows no old price, and the chart's.
    streams(4)
    assert sent("subscribe") == {"BTC-USD", "ETH-USD", "SOL-USD", "ADA-USD"}
    page.locator("#market-list").focus()
    for symbol, left in (("ETH-USD", set()), ("BTC-USD", {"BTC-USD"})):
        frames.clear()
        quiet = page.evaluate(
            """symbol => {
                const { pages, store } = candlewire;
                store.stale(symbol, 60);
                pages.remove(symbol);
                return store.markets.get(symbol).quietSince !== null;
            }""",
            symbol,
        )
        assert quiet == (not left), "without a subscription, silence means nothing"
        streams(4 - len(left))
        assert sent("unsubscribe") == left, "ETH-USD is on the other page"
    # Markets with an alert, and those the chart compares with, are received whatever page the list shows.
    price = page.evaluate("candlewire.store.markets.get('LTC-USD').price")
    page.evaluate("price => candlewire.objects.levels.addAlert('LTC-USD', price * 2)", price)
    streams(4)
    page.evaluate("candlewire.comparisons.add('XRP-USD')")
    streams(5)
    page.evaluate("candlewire.comparisons.remove('XRP-USD')")
    streams(4)
    # “All” receives every market, and requests those that were not received before.
    frames.clear()
    with page.expect_response("**/v1/markets"):
        tab(page, "All").click()
    terminal.wait_until_complete()
    assert sent("unsubscribe") == set()
    tab(page, "Two").click()
    streams(4)


MARKETS: list[dict[str, Any]] = [
    {"symbol": "UP-USD", "price": 110, "open_24h": 100, "high_24h": 112.5, "low_24h": 99, "change_24h": 10,
     "change_percent_24h": 10, "precision": 2},
    {"symbol": "DOWN-USD", "price": 0.5, "open_24h": 0.625, "high_24h": 0.7, "low_24h": 0.5, "change_24h": -0.125,
     "change_percent_24h": -20, "precision": 4},
    # A session where the venue knows one: its figures, and its name.
    {"symbol": "STOCK", "price": 105, "open_24h": 90, "high_24h": 120, "low_24h": 80, "change_24h": 15,
     "change_percent_24h": 16.67, "precision": 3, "session": {"date": "2024-08-08", "open": 100, "high": 105.5,
     "low": 98.25, "change": 5, "change_percent": 5}},
    {"symbol": "SAME-USD", "price": 7, "open_24h": 7, "high_24h": 7, "low_24h": 7, "change_24h": 0,
     "change_percent_24h": 0, "precision": 2},
    {"symbol": "ZERO-USD", "price": 3, "open_24h": 0, "high_24h": 3, "low_24h": 0, "change_24h": 3,
     "change_percent_24h": None, "precision": 2},
    {"symbol": "PLAIN", "price": 12.5, "open_24h": 12.25, "high_24h": 13, "low_24h": 12, "change_24h": 0.25,
     "change_percent_24h": 2.04},
    {"symbol": "DUST", "price": 5.001, "open_24h": 5.0014, "high_24h": 6, "low_24h": 5, "change_24h": -0.0004,
     "change_percent_24h": -0.008, "precision": 2},
    {"symbol": "TINY", "price": 67234.5, "open_24h": 67231.8, "high_24h": 67300, "low_24h": 67100, "change_24h": 2.7,
     "change_percent_24h": 0.004, "precision": 2},
    {"symbol": "FLECK", "price": 100, "open_24h": 100.004, "high_24h": 101, "low_24h": 99, "change_24h": -0.004,
     "change_percent_24h": -0.004, "precision": 2},
    {"symbol": "NONE", "price": None, "precision": 2},
    {"symbol": "LOST", "price": 1, "open_24h": 1, "high_24h": 1, "low_24h": 1, "change_24h": 0,
     "change_percent_24h": 0, "precision": 2, "feed_state": "refused", "feed_reason": "Unknown product."},
]  # fmt: skip


def test_a_row_shows_change_and_day_by_sign_shape_and_colour(
    page: Page, simulated: Server, save_picture: Callable[[Page, str], Any]
) -> None:
    def answer(route) -> None:
        document = route.fetch().json()
        route.fulfill(json=document | {"markets": MARKETS})

    page.route("**/v1/markets", answer)
    page.route_web_socket("**/v1/stream", lambda socket: None)
    page.goto(simulated.address)
    expect(page.locator("#market-list > [data-symbol]")).to_have_count(len(MARKETS))
    shown = page.locator("#market-list").evaluate(
        """list => Object.fromEntries([...list.children].map((row) => [row.dataset.symbol, [
            row.dataset.direction,
            ...['price', 'move', 'change', 'day'].map((part) =>
                part === 'day' ? [...row.querySelectorAll('.row-day span')].map((each) => each.innerText).join(' ')
                    : row.querySelector('.row-' + part).innerText),
        ]]))"""
    )
    assert shown == {
        "UP-USD": ["up", "110.00", "+10.00", "▲ +10.00%", "h: 112.50 l: 99.00 o: 100.00 (24 h)"],
        "DOWN-USD": ["down", "0.5000", "−0.1250", "▼ −20.00%", "h: 0.7000 l: 0.5000 o: 0.6250 (24 h)"],
        "STOCK": ["up", "105.000", "+5.000", "▲ +5.00%", "h: 105.500 l: 98.250 o: 100.000 (Session)"],
        "SAME-USD": ["flat", "7.00", "0.00", "● 0.00%", "h: 7.00 l: 7.00 o: 7.00 (24 h)"],
        # Nothing is divided by zero, and no percentage is made up.
        "ZERO-USD": ["up", "3.00", "+3.00", "▲ –", "h: 3.00 l: 0.00 o: 0.00 (24 h)"],
        # Three decimals where nothing else is known.
        "PLAIN": ["up", "12.500", "+0.250", "▲ +2.04%", "h: 13.000 l: 12.000 o: 12.250 (24 h)"],
        # What is shown as zero has no sign.
        "DUST": ["down", "5.00", "0.00", "▼ −0.01%", "h: 6.00 l: 5.00 o: 5.00 (24 h)"],
        # What is seen points where it went, however little of the price it is; what is not seen, nowhere.
        "TINY": ["up", "67,234.50", "+2.70", "▲ +0.00%", "h: 67,300.00 l: 67,100.00 o: 67,231.80 (24 h)"],
        "FLECK": ["flat", "100.00", "0.00", "● 0.00%", "h: 101.00 l: 99.00 o: 100.00 (24 h)"],
        "NONE": ["flat", "–", "–", "● –", "h: – l: – o: – (24 h)"],
        "LOST": ["flat", "1.00", "0.00", "● 0.00%", "h: 1.00 l: 1.00 o: 1.00 (24 h)"],
    }
    colours = page.locator("#market-list").evaluate(
        """list => {
            const probe = document.body.appendChild(document.createElement('i'));
            const named = Object.fromEntries(['up', 'down', 'quiet'].map((name) => {
                probe.style.color = `var(--${name})`;
                return [getComputedStyle(probe).color, name];
            }));
            probe.remove();
            const change = (symbol) => list.querySelector(`[data-symbol=${symbol}] .row-change`);
            const colour = (symbol) => named[getComputedStyle(change(symbol)).color];
            return ['UP-USD', 'DOWN-USD', 'SAME-USD', 'NONE'].map(colour);
        }"""
    )
    assert colours == ["up", "down", "quiet", "quiet"]
    row = lambda symbol: page.locator(f"#market-list [data-symbol='{symbol}']")  # noqa: E731
    expect(row("UP-USD")).to_have_attribute(
        "aria-label", "UP-USD, 110.00, +10.00, +10.00% in 24 hours; high 112.50, low 99.00, open 100.00"
    )
    expect(row("STOCK")).to_have_attribute(
        "aria-label",
        "STOCK, 105.000, +5.000, +5.00% since the session’s open; high 105.500, low 98.250, open 100.000",
    )
    expect(row("NONE")).to_have_attribute("aria-label", "NONE, no trades yet")
    # The header and the detail have the same words and numbers.
    row("STOCK").click()
    expect(page.locator(".header-stats")).to_contain_text("Session low98.250")
    expect(page.locator(".header-stats")).to_contain_text("Session high105.500")
    expect(page.locator("#header-change")).to_have_text("▲ +5.000 (+5.00%)")
    expect(page.locator("#header-day")).to_have_text("Session")
    row("UP-USD").click()
    expect(page.locator("#header-day")).to_have_text("24 h")
    expect(page.locator(".header-stats")).to_contain_text("24 h low99.00")
    # Each row's feed: a word in it, the reason under the mouse, a sentence for screen readers.
    expect(row("LOST").locator(".row-stale")).to_have_text("refused")
    expect(row("LOST")).to_have_attribute("title", "LOST, refused by its venue. Unknown product.")
    expect(row("LOST")).to_have_attribute("aria-label", re.compile("refused by its venue; high"))
    # A market whose trades stop, while the others' go on.
    page.evaluate("candlewire.store.stale('UP-USD', 75)")
    expect(row("UP-USD").locator(".row-stale")).to_have_text("1 min old")
    expect(row("UP-USD")).to_have_attribute("title", "No trades for 1 min.")
    expect(row("DOWN-USD").locator(".row-stale")).to_be_hidden()
    # Prices turn the order around, and no row moves.
    page.evaluate("candlewire.store.trade('UP-USD', 0.01, 1); candlewire.store.trade('PLAIN', 99999.5, 1)")
    expect(row("UP-USD")).to_have_attribute("data-direction", "down")
    expect(row("UP-USD").locator(".row-day")).to_contain_text("l: 0.01")
    assert rows(page) == [market["symbol"] for market in MARKETS]
    expect(row("UP-USD").locator(".row-stale")).to_be_hidden()
    for width in (1440, 900, 390):
        page.set_viewport_size({"width": width, "height": 844})
        cut = page.locator("#market-list").evaluate(
            """list => [...list.querySelectorAll('.row-price, .row-changes, .row-day')].filter((each) => {
                const box = each.getBoundingClientRect();
                const row = each.closest('.row').getBoundingClientRect();
                return each.scrollWidth > each.clientWidth + 1 || box.right > row.right || box.bottom > row.bottom;
            }).map((each) => each.innerText)"""
        )
        assert cut == [], width
        save_picture(page, f"rows-{width}")


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_axe_finds_nothing_serious_on_a_page(new_page, simulated: Server, theme: str, save_picture) -> None:
    page = new_page(**DESKTOP)
    keep(page, stored(("One", ["BTC-USD", "ETH-USD", "SOL-USD"]), ("Nothing yet", [])))
    terminal = Terminal(page, simulated).open("BTC-USD/1m")
    page.evaluate("theme => candlewire.theme.choose(theme)", theme)
    page.get_by_role("combobox", name="Add a symbol to this page").fill("b")
    terminal.row("ETH-USD").hover()
    terminal.painted()
    assert findings(page) == []
    save_picture(page, f"watchlist-{theme}")
    page.get_by_role("button", name="Edit this page").click()
    assert findings(page) == []
    tab(page, "Nothing yet").click()
    assert findings(page) == []
