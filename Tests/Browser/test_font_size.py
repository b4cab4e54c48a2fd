"""The person's text size: the page and the chart grow with it."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from support.chat import Chat
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


def test_the_chart_s_text_grows_with_the_person_s_text_size(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1m")
    usual = terminal.chart("plot()")
    terminal.page.evaluate("document.documentElement.style.fontSize = '32px'")
    eventually(lambda: terminal.chart("plot()")["width"] < usual["width"] - 30, "the axis has room for larger labels")
    terminal.page.evaluate("document.documentElement.style.fontSize = ''")
    eventually(lambda: terminal.chart("plot()") == usual, "and back")


@pytest.mark.parametrize(("name", "width", "height"), [("desktop", 1440, 900), ("phone", 390, 844)])
def test_at_twice_the_text_size_nothing_is_cut_off(
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


@pytest.mark.parametrize("size", [{"width": 1440, "height": 900}, {"width": 390, "height": 844}], ids=["wide", "phone"])
def test_at_twice_the_size_nothing_of_a_market_or_of_the_assistants_head_is_cut_or_covered(
    new_page: Callable[..., Page], simulated: Server, size: dict
) -> None:
    page = new_page(viewport=size)
    page.add_init_script(LARGE)
    Terminal(page, simulated).open("BTC-USD/1m")

    def cut(parts: str) -> list[str]:
        return page.evaluate(
            """parts => [...document.querySelectorAll(parts)].filter((each) => {
                const { left, right, top, bottom, width } = each.getBoundingClientRect();
                const isCovered = () => {
                    const found = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
                    // Rows of the list may be scrolled under something.
                    return !each.closest('#market-list') && !each.contains(found) && !found.contains(each);
                };
                return width < 8 || each.scrollWidth > each.clientWidth + 5 || isCovered()
                    || right > each.parentElement.getBoundingClientRect().right + 1;
            }).map((each) => each.textContent)""",
            parts,
        )

    names = "#market-list .row-name, #market-list .row-figures"
    assert cut(names) == []
    chat = Chat(page).open()
    page.evaluate("candlewire.consultation.session.disconnect()")
    expect(chat.panel.get_by_text("Disconnected")).to_be_visible()
    expect(chat.button("Reconnect")).to_be_visible()
    assert cut(".chat-names h2, .chat-status, .chat-again, .chat-head button") == []
    dot = chat.panel.locator(".chat-dot").bounding_box()
    assert dot is not None and dot["width"] == 8, "it gives no way to the word"
    if size["width"] > 1000:
        assert cut(names) == []
