"""The person's text size: the page and the chart grow with it."""

import pytest
from playwright.sync_api import Page

from support.polling import eventually
from support.server import Server
from support.terminal import Terminal

LARGE = "addEventListener('DOMContentLoaded', () => document.documentElement.style.fontSize = '200%')"
CLIPPED = """() => [...document.querySelectorAll('button, h1, h2, dt, dd, label, .header-price, .row-price')]
    .filter(each => each.checkVisibility() && !each.closest('.visually-hidden, .scroller, .drawing-tools'))
    .filter(each => getComputedStyle(each).textOverflow !== 'ellipsis')
    .filter(each => each.scrollHeight > each.clientHeight + 2 && each.clientHeight > 0
        && getComputedStyle(each).display !== 'inline')
    .map(each => each.id || each.className || each.textContent)"""


def test_fck_55_the_chart_s_text_grows_with_the_person_s_text_size(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1m")
    usual = terminal.chart("plot()")
    terminal.page.evaluate("document.documentElement.style.fontSize = '32px'")
    eventually(lambda: terminal.chart("plot()")["width"] < usual["width"] - 30, "the axis has room for larger labels")
    terminal.page.evaluate("document.documentElement.style.fontSize = ''")
    eventually(lambda: terminal.chart("plot()") == usual, "and back")


@pytest.mark.parametrize(("name", "width", "height"), [("desktop", 1440, 900), ("phone", 390, 844)])
def test_fck_55_at_twice_the_text_size_nothing_is_cut_off(
    new_page, simulated: Server, save_picture, name: str, width: int, height: int
) -> None:
    page: Page = new_page(viewport={"width": width, "height": height})
    page.add_init_script(LARGE)
    terminal = Terminal(page, simulated).open("BTC-USD/1m")
    terminal.painted()
    save_picture(page, f"{name}-large-text")
    assert page.evaluate("getComputedStyle(document.body).fontSize") == "28px"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate(CLIPPED) == []
    assert terminal.chart_box()["height"] >= 240
    page.locator("#options-button").click()
    save_picture(page, f"{name}-large-text-settings")
    sheet = page.locator("#options").bounding_box()
    assert sheet and sheet["x"] >= 0 and sheet["x"] + sheet["width"] <= width
