"""axe-core over everything of trading that opens; sizes of targets; twice the text size."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from support.scripted_desk import NOW, ScriptedDesk, portfolio, position
from support.server import Server
from support.terminal import Terminal
from test_axe import DESKTOP, PHONE, THEMES, findings
from test_font_size import CLIPPED, LARGE

pytestmark = pytest.mark.long

VIEWS = ["Positions", "Orders", "Fills", "Portfolio", "Events", "Market"]
EVENT = {"id": "e1", "type": "risk", "message": "Margin is short", "timestamp": NOW, "metadata": {"ratio": "1.2"}}


def open_page(page: Page, server: Server) -> ScriptedDesk:
    desk = ScriptedDesk(page)
    Terminal(page, server).open("BTC-USD/1m")
    desk.keep("paper-main-o1")
    desk.keep("paper-main-o2", side="sell", status="rejected", reason="Not enough is available.")
    both = [portfolio(equity="99000"), portfolio(currency="EUR")]
    desk.begin(positions=[position(), position(id="b", symbol="ETH-USD", side="short")], portfolios=both, events=[EVENT])
    desk.fill("paper-main-o1")
    # Where there is little room the tabs are shown while the dock is open.
    page.locator("#dock-toggle").click()
    return desk


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("device", ["desktop", "phone"])
def test_axe_finds_nothing_serious_in_trading(
    new_page: Callable[..., Page], simulated: Server, save_picture, theme: str, device: str
) -> None:
    page = new_page(**(DESKTOP if device == "desktop" else PHONE))
    open_page(page, simulated)
    page.evaluate("theme => candlewire.theme.choose(theme)", theme)
    for view in VIEWS:
        page.get_by_role("tab", name=view).click()
        if view == "Fills":
            page.get_by_role("button", name="Receipt").click()
        expect(page.get_by_role("tabpanel", name=view)).to_be_visible()
        assert findings(page) == [], view
    save_picture(page, f"trading-{device}-{theme}")
    page.get_by_role("tab", name="Positions").click()
    page.get_by_role("button", name="Close long").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Quantity").fill("x")
    dialog.get_by_label("Quantity").press("Enter")
    expect(dialog.get_by_label("Quantity")).to_have_attribute("aria-invalid", "true")
    assert findings(page) == [], "a question with a problem"
    page.keyboard.press("Escape")
    page.locator("#account-button").click()
    expect(page.get_by_role("radio", name="main")).to_be_visible()
    assert findings(page) == [], "the accounts"
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Buy", exact=True).click()
    ticket = page.get_by_role("region", name="Order ticket")
    ticket.get_by_label("Type").select_option("stop_limit")
    ticket.get_by_text("Take profit and stop loss").click()
    ticket.get_by_label("Quantity").fill("y")
    ticket.get_by_label("Quantity").press("Enter")
    expect(ticket.get_by_label("Quantity")).to_have_attribute("aria-invalid", "true")
    assert findings(page) == [], "the ticket with a problem"
    save_picture(page, f"ticket-{device}-{theme}")


def test_targets_of_trading_are_large_enough(new_page: Callable[..., Page], simulated: Server) -> None:
    """24 px for a mouse, 44 px for a finger."""
    small = """least => [...document.querySelectorAll('.trade-dock :is(button, select), .ticket :is(button, select, input, summary), .account-badge')]
        .filter(each => each.checkVisibility() && !each.closest('.switch') && each.type !== 'radio')
        .map(each => [each.getAttribute('aria-label') ?? each.textContent.trim() ?? each.name, each.getBoundingClientRect()])
        .filter(([, { width, height }]) => width < least || height < least)
        .map(([name, { width, height }]) => `${name} ${width}x${height}`)"""
    for options, least in ((DESKTOP, 24), (PHONE, 44)):
        page = new_page(**options)
        open_page(page, simulated)
        for view in VIEWS:
            page.get_by_role("tab", name=view).click()
            assert page.evaluate(small, least) == [], view
        page.get_by_role("button", name="Buy", exact=True).click()
        assert page.evaluate(small, least) == []
        page.close()


@pytest.mark.parametrize(("name", "width", "height"), [("desktop", 1440, 900), ("phone", 390, 844)])
def test_at_twice_the_text_size_nothing_of_trading_is_cut_off(
    new_page: Callable[..., Page], simulated: Server, save_picture, name: str, width: int, height: int
) -> None:
    page = new_page(viewport={"width": width, "height": height})
    page.add_init_script(LARGE)
    open_page(page, simulated)
    for view in VIEWS:
        page.get_by_role("tab", name=view).click()
        save_picture(page, f"trading-{name}-large-{view.lower()}")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert page.evaluate(CLIPPED) == [], view
    page.get_by_role("button", name="Buy", exact=True).click()
    save_picture(page, f"ticket-{name}-large")
    chart = page.locator("#chart").bounding_box()
    assert chart and chart["width"] >= (480 if name == "desktop" else 320)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate(CLIPPED) == []
