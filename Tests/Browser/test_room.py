"""What must be in view however little room there is: measured boxes, at the widths of a phone, a tablet and a desk."""

import re
from collections.abc import Callable
from contextlib import suppress

import pytest
from playwright.sync_api import Locator, Page, expect

from support.polling import eventually
from support.scripted_desk import NOW, ScriptedDesk, portfolio, position
from support.server import Server
from support.terminal import Terminal
from test_layout import PHONE

WIDE = {"viewport": {"width": 1440, "height": 900}}
NARROW = {"viewport": {"width": 1024, "height": 768}}
SCHEMES = pytest.mark.parametrize("scheme", ["dark", "light"])
Box = dict[str, float]

# The parts of these elements that cannot be seen: cut off by an ancestor or by the window, or covered.
HIDDEN = """elements => elements.flatMap((each) => {
    let { left, top, right, bottom } = each.getBoundingClientRect();
    const name = each.id || each.textContent;
    if (right - left < 1 || bottom - top < 1) return [`${name}: not there`];
    const box = { left, top, right, bottom };
    for (let outer = each.parentElement; outer; outer = outer.parentElement) {
        if (getComputedStyle(outer).overflow === 'visible' || outer === document.body) continue;
        const edge = outer.getBoundingClientRect();
        if (left < edge.left - 1 || right > edge.right + 1 || top < edge.top - 1 || bottom > edge.bottom + 1)
            return [`${name}: cut by ${outer.id || outer.className}, ${JSON.stringify([box, edge])}`];
    }
    if (left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1) return [`${name}: out of view`];
    if (each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 0) return [`${name}: its text is cut`];
    const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return at && (each.contains(at) || at.contains(each)) ? [] : [`${name}: covered by ${at?.id || at?.className}`];
})"""

# What is written on the canvas of the equity curve.
WRITTEN = """window.written = [];
const { fillText } = CanvasRenderingContext2D.prototype;
CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
    if (this.canvas.id === 'equity-canvas') written.push(text);
    fillText.call(this, text, ...place);
};"""


def hidden(page: Page, selector: str) -> list[str]:
    """Which of the elements are not wholly in view, and why."""
    return page.locator(selector).evaluate_all(HIDDEN)


def expect_in_view(page: Page, selector: str, where: object = "") -> None:
    """Waits until the elements are wholly in view; the failure says which are not, and why."""
    with suppress(AssertionError):
        eventually(lambda: not hidden(page, selector), selector)
    assert hidden(page, selector) == [], where


def box(place: Locator) -> Box:
    found = place.bounding_box()
    assert found is not None
    return found


def are_apart(a: Box, b: Box) -> bool:
    return (
        a["x"] + a["width"] <= b["x"] + 1
        or b["x"] + b["width"] <= a["x"] + 1
        or a["y"] + a["height"] <= b["y"] + 1
        or b["y"] + b["height"] <= a["y"] + 1
    )


def begin(page: Page, simulated: Server) -> ScriptedDesk:
    """The terminal with a position, an order and a history of equity."""
    desk = ScriptedDesk(page)
    points = [{"timestamp": NOW - 6000 + 60 * at, "equity": f"{100000 + (at % 30 - 12) * 40}"} for at in range(100)]
    desk.answer("GET", "portfolio/history", lambda _: (200, {"points": points}))
    Terminal(page, simulated).open("BTC-USD/1m")
    desk.keep("paper-main-o1", limit_price="60000")
    desk.begin(positions=[position()], portfolios=[portfolio(equity="100111.73", used_margin="650")])
    return desk


@SCHEMES
def test_on_a_phone_the_button_that_sends_the_order_is_always_in_view(
    new_page: Callable[..., Page], simulated: Server, save_picture, scheme: str
) -> None:
    page = new_page(**PHONE, color_scheme=scheme)
    begin(page, simulated)
    page.locator("#trade-buy").tap()
    expect(page.locator("#ticket")).to_be_visible()
    expect_in_view(page, "#ticket-submit")
    save_picture(page, f"room-phone-ticket-{scheme}")
    # The longest form.
    page.locator("#ticket [name=type]").select_option("stop_limit")
    page.locator("#ticket .ticket-bracket summary").tap()
    assert page.locator("#ticket").evaluate("each => each.scrollHeight > each.clientHeight")
    for place in (0, 0.5, 1):
        page.locator("#ticket").evaluate("(each, place) => each.scrollTo(0, place * each.scrollHeight)", place)
        expect_in_view(page, "#ticket-submit", f"scrolled to {place}")
    # Nothing is under it at the end.
    submit = box(page.locator("#ticket-submit"))
    for other in ("#ticket-preview dl", "#ticket label:has(#ticket-confirms)"):
        assert are_apart(submit, box(page.locator(other))), other
    # A field that gets the keyboard is not under it either.
    field = page.locator("#ticket [name=stop_loss]")
    page.locator("#ticket").evaluate("each => each.scrollTo(0, 0)")
    field.focus()
    eventually(lambda: are_apart(submit, box(field)) and not hidden(page, "#ticket [name=stop_loss]"), "the field is in view")


@SCHEMES
def test_on_a_phone_the_symbol_opens_the_markets(
    new_page: Callable[..., Page], simulated: Server, save_picture, scheme: str
) -> None:
    page = new_page(**PHONE, color_scheme=scheme)
    terminal = Terminal(page, simulated).open("BTC-USD/1m")
    symbol = page.get_by_role("button", name="BTC-USD", exact=True)
    expect_in_view(page, "#market-switcher, .header-now")
    for silence in (False, True):
        if silence:
            page.locator("#header-stale").evaluate("each => { each.textContent = 'No trades for 45 s'; each.hidden = false }")
        now, button = box(page.locator(".header-now")), box(symbol)
        assert abs(now["y"] + now["height"] / 2 - button["y"] - button["height"] / 2) < 12, "on one line"
    symbol.tap()
    expect(symbol).to_have_attribute("aria-expanded", "true")
    assert page.evaluate("scrollY") == 0
    rows = "#market-list > :nth-child(-n + 6)"
    expect_in_view(page, f"{rows}, #market-filter, #markets-close")
    expect(page.locator("#market-list")).to_be_focused()
    save_picture(page, f"room-phone-markets-{scheme}")
    below = page.locator("#skip-link[inert], .topbar[inert], .chart-panel[inert], .trade-dock[inert]")
    expect(below).to_have_count(4)
    page.keyboard.press("Escape")
    expect(symbol).to_be_focused()
    expect(symbol).to_have_attribute("aria-expanded", "false")
    # Also over an open dock, which takes the list's place below the chart.
    page.locator("#dock-toggle").tap()
    symbol.tap()
    terminal.row("ETH-USD").tap()
    terminal.wait_for_selection("ETH-USD", "1m")
    expect_in_view(page, "#market-switcher")
    expect(page.locator("#market-switcher")).to_have_attribute("aria-expanded", "false")
    assert page.complaints == []  # type: ignore[attr-defined]


def test_on_a_desk_the_symbol_gives_the_filter_the_keyboard(page: Page, simulated: Server) -> None:
    Terminal(page, simulated).open("BTC-USD/1m")
    page.locator("#market-switcher").click()
    expect(page.locator("#market-filter")).to_be_focused()
    # Nothing expands.
    expect(page.locator("#market-switcher[aria-expanded]")).to_have_count(0)


def test_escape_in_the_markets_of_a_phone_undoes_one_thing_at_a_time(
    new_page: Callable[..., Page], simulated: Server
) -> None:
    page = new_page(**PHONE)
    terminal = Terminal(page, simulated).open("BTC-USD/1m")
    sheet, symbol = page.locator("#markets[data-open]"), page.locator("#market-switcher")
    # No row is left: the filter gets the keyboard.
    page.locator("#market-filter").fill("zzz")
    expect(page.locator("#market-list")).to_be_hidden()
    symbol.tap()
    expect(page.locator("#market-filter")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#market-filter")).to_have_value("")
    expect(terminal.row("BTC-USD")).to_be_visible()
    expect(sheet).to_be_visible()
    # A page that is edited, and the field that adds rows to it.
    page.locator("#page-new").tap()
    expect(page.locator("#page-editor")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#page-editor")).to_be_hidden()
    expect(sheet).to_be_visible()
    page.locator("#add-symbol").fill("et")
    expect(page.locator("#add-options")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#add-options")).to_be_hidden()
    expect(sheet).to_be_visible()
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    expect(symbol).to_be_focused()


def test_on_a_phone_one_panel_covers_the_page(new_page: Callable[..., Page], simulated: Server) -> None:
    page = new_page(**PHONE)
    Terminal(page, simulated).open("BTC-USD/1m")
    expect(page.locator("#chat-toggle")).to_be_visible()
    page.locator("#market-switcher").tap()
    expect(page.locator("#market-list")).to_be_focused()
    page.keyboard.press("Shift+Q")
    expect(page.locator("#chat")).to_be_visible()
    expect(page.locator("#markets")).not_to_have_attribute("data-open", "")
    expect(page.locator("#skip-link[inert], .topbar[inert], .chart-panel[inert], #markets[inert]")).to_have_count(4)
    expect(page.locator("#chat[inert]")).to_have_count(0)
    page.locator("#chat-close").tap()
    expect(page.locator("[inert]")).to_have_count(0)


def test_letters_search_the_markets_of_a_phone_whose_dock_is_open(
    new_page: Callable[..., Page], simulated: Server
) -> None:
    page = new_page(**PHONE)
    terminal = Terminal(page, simulated).open("BTC-USD/1m")
    field = page.locator("#market-filter")
    page.locator("#dock-toggle").tap()
    expect(field).to_be_hidden()
    for keys, text in (("e", "e"), ("/", "")):
        page.locator("#chart").focus()
        page.keyboard.press(keys)
        expect(field).to_be_focused()
        expect(field).to_have_value(text)
        expect(page.locator("#markets[data-open]")).to_be_visible()
        if text:
            page.keyboard.press("Escape")
        page.keyboard.press("Escape")
        expect(field).to_be_hidden()
    page.locator("#chart").focus()
    page.keyboard.type("eth")
    page.keyboard.press("Enter")
    terminal.wait_for_selection("ETH-USD", "1m")
    expect(field).to_be_hidden()


@SCHEMES
def test_no_tab_of_the_dock_is_cut(new_page: Callable[..., Page], simulated: Server, save_picture, scheme: str) -> None:
    for name, options in (("phone", PHONE), ("narrow", NARROW), ("wide", WIDE)):
        page = new_page(**options, color_scheme=scheme)
        begin(page, simulated)
        save_picture(page, f"room-{name}-{scheme}")
        expect_in_view(page, "#dock-equity, #trade-buy, #trade-sell, #dock-toggle", name)
        if name != "phone":
            expect_in_view(page, ".dock-tab", name)
        page.locator("#dock-toggle").click()
        expect(page.locator(".dock-tab .tool-count:visible")).to_have_count(2)
        expect_in_view(page, ".dock-tab, #dock-equity", name)
        save_picture(page, f"room-{name}-{scheme}-open")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.close()


@SCHEMES
def test_equity_volume_and_countdown_stay_beside_a_panel(
    new_page: Callable[..., Page], simulated: Server, save_picture, scheme: str
) -> None:
    page = new_page(**WIDE, color_scheme=scheme)
    begin(page, simulated)
    figures = "#dock-equity, #header-volume, #countdown-left"
    for panel, button in ((None, None), ("#ticket", "#trade-buy"), ("#chat", "#chat-toggle")):
        if panel:
            page.locator(button).click()
            expect(page.locator(panel)).to_be_visible()
        expect_in_view(page, f"{figures}, .dock-tab, .header-price, .header-change", panel)
        assert are_apart(box(page.locator(".header-now")), box(page.locator(".header-stats"))), panel
        assert are_apart(box(page.locator("#dock-tabs")), box(page.locator("#dock-figures"))), panel
        save_picture(page, f"room-beside-{(panel or 'nothing').strip('#')}-{scheme}")
        page.keyboard.press("Escape")
    left = page.locator("#countdown-left").inner_text()
    assert left.split(":")[0] in ("0", "1") and 0 <= int(left.split(":")[1]) < 60


@SCHEMES
def test_the_market_tab_is_whole_at_the_docks_usual_height(
    new_page: Callable[..., Page], simulated: Server, save_picture, scheme: str
) -> None:
    for name, options in (("wide", WIDE), ("narrow", NARROW), ("phone", PHONE)):
        page = new_page(**options, color_scheme=scheme)
        begin(page, simulated)
        page.locator("#dock-toggle").click()
        page.get_by_role("tab", name="Market").click()
        expect(page.locator("#trade-tape li").nth(1)).to_be_visible()
        for panel in ("", "#trade-buy", "#chat-toggle") if name == "wide" else ("",):
            if panel:
                page.locator(panel).click()
            expect_in_view(page, "#ticker-cards > *, #ticker .sparkline, .tape", (name, panel))
            view = page.locator("#dock-market")
            assert view.evaluate("each => each.scrollHeight <= each.clientHeight"), (name, panel)
            save_picture(page, f"room-market-{name}{panel.replace('#', '-')}-{scheme}")
            page.keyboard.press("Escape")
        page.close()


@SCHEMES
def test_the_equity_curve_is_true_to_time_and_says_nothing_of_a_market(
    new_page: Callable[..., Page], simulated: Server, save_picture, scheme: str
) -> None:
    for name, options in (("wide", WIDE), ("narrow", NARROW), ("phone", PHONE)):
        page = new_page(**options, color_scheme=scheme)
        desk = ScriptedDesk(page)
        # A quarter of an hour of minutes, half an hour of nothing, and the end.
        times = [NOW - 2700 + 60 * at for at in range(16)] + [NOW]
        points = [{"timestamp": time, "equity": f"{100000 + at * 5}"} for at, time in enumerate(times)]
        desk.answer("GET", "portfolio/history", lambda _, points=points: (200, {"points": points}))
        page.add_init_script(WRITTEN)
        Terminal(page, simulated).open("BTC-USD/1m")
        desk.begin(portfolios=[portfolio(equity="100080")])
        page.locator("#dock-toggle").click()
        page.get_by_role("tab", name="Portfolio").click()
        chart = page.locator("#equity-chart")
        chart.scroll_into_view_if_needed()
        page.wait_for_function("() => candlewire.trading.equity.engineChart?.count > 2")
        places = page.evaluate(
            """times => { const chart = candlewire.trading.equity.engineChart;
            return times.map((time) => chart.point(time, 100000).x); }""",
            [NOW - 2700, NOW - 1800, NOW],
        )
        width = box(chart)["width"]
        assert 0 <= places[0] < places[1] < places[2] <= width, name
        assert abs((places[2] - places[1]) / (places[1] - places[0]) - 2) < 0.1, (name, places)
        assert places[2] - places[0] > width / 2, "the curve has most of the width"
        # The title stands over the curve and not on it; the canvas has numbers and times, and no open, high, low or volume.
        expect(page.locator("#equity-legend")).to_have_text("Equity in USD")
        assert are_apart(box(page.locator("#equity-legend")), box(page.locator("#equity-canvas")))
        written = set(page.evaluate("written"))
        assert any("100,0" in text for text in written), written
        assert all(re.fullmatch(r"[\d,.]+|UTC|[\d:]+|\d+ \w{3}( [\d:]+)?", text) for text in written), written
        save_picture(page, f"room-equity-{name}-{scheme}")
        # What lies under the pointer is said where the title was.
        if name != "phone":
            at = box(page.locator("#equity-canvas"))
            page.mouse.move(at["x"] + places[0] + 2, at["y"] + at["height"] / 2)
            expect(page.locator("#equity-legend")).to_contain_text("100,000.00 USD ·")
        page.close()
