"""Everything by keyboard, and what screen readers get."""

import pytest
from playwright.sync_api import expect

from support.polling import eventually
from support.spoken import forget_speech, was_said
from support.terminal import Terminal


def test_timeframes_are_reached_and_switched_by_keyboard(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1m")
    terminal.tab_to("#timeframes [role=radio]")
    expect(terminal.page.locator(":focus")).to_have_attribute("data-timeframe", "1m")
    terminal.page.keyboard.press("ArrowRight")
    terminal.wait_for_selection("BTC-USD", "5m")
    expect(terminal.page.locator(":focus")).to_have_attribute("aria-checked", "true")
    terminal.tab_to("#more-timeframes-button")
    terminal.page.keyboard.press("Enter")
    terminal.page.keyboard.press("End")
    terminal.page.keyboard.press("ArrowUp")
    terminal.page.keyboard.press("Enter")
    terminal.wait_for_selection("BTC-USD", "1w")


def test_markets_are_reached_and_switched_by_keyboard(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1m")
    terminal.tab_to("#market-list")
    terminal.page.keyboard.press("ArrowDown")
    terminal.page.keyboard.press("ArrowDown")
    expect(terminal.page.locator("#market-list")).to_have_attribute("aria-activedescendant", "market-SOL-USD")
    # Moving is not choosing.
    assert terminal.page.evaluate("location.hash") == "#BTC-USD/1m"
    terminal.page.keyboard.press("Enter")
    terminal.wait_for_selection("SOL-USD", "1m")


def test_the_filter_narrows_the_markets(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1m")
    terminal.page.keyboard.press("/")
    terminal.page.keyboard.type("doge")
    expect(terminal.page.locator("#market-list [role=option]:visible")).to_have_count(1)
    terminal.page.keyboard.press("Enter")
    terminal.wait_for_selection("DOGE-USD", "1m")
    terminal.page.keyboard.type("zzz")
    message = terminal.page.locator("#market-message-text")
    expect(message).to_contain_text("No market matches")
    expect(terminal.page.locator("#market-list")).to_be_hidden()
    tabs, said = terminal.page.locator("#page-tabs").bounding_box(), message.bounding_box()
    assert tabs and said and 0 <= said["y"] - (tabs["y"] + tabs["height"]) < 40, "right below the filter and the tabs"
    terminal.page.keyboard.press("Escape")
    expect(terminal.page.locator("#market-message")).to_be_hidden()


@pytest.mark.parametrize("place", ["#market-list", "#chart", "#fit", "#dock-tabs [role=tab]", "body"])
def test_letters_search_the_markets(terminal: Terminal, save_picture, place: str) -> None:
    """Commands have Shift: a name that is typed is none."""
    terminal.open("BTC-USD/1m")
    page = terminal.page
    field = page.locator("#market-filter")
    for name in ("eth", "xbox", "spot"):
        page.locator(place).first.focus() if place != "body" else page.evaluate("document.activeElement.blur()")
        page.keyboard.type(name)
        expect(field).to_have_value(name)
        expect(field).to_be_focused()
        expect(page.locator("#ticket, #export-menu, #studies, #chat").filter(visible=True)).to_have_count(0)
        expect(page.locator("dialog[open]")).to_have_count(0)
        if name == "eth":
            save_picture(page, "letters-search")
            page.keyboard.press("Enter")
            terminal.wait_for_selection("ETH-USD", "1m")
        page.keyboard.press("Escape")


def test_after_a_search_letters_are_commands_again(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1m")
    page = terminal.page
    page.locator("#chart").focus()
    page.keyboard.type("eth")
    page.keyboard.press("Enter")
    terminal.wait_for_selection("ETH-USD", "1m")
    expect(page.locator("#market-filter")).to_have_value("")
    expect(terminal.row("BTC-USD")).to_be_visible()
    page.keyboard.press("Shift+B")
    ticket = page.get_by_role("region", name="Order ticket")
    expect(ticket.get_by_role("heading", name="ETH-USD")).to_be_visible()
    expect(ticket.get_by_role("radio", name="Buy")).to_be_checked()
    expect(page.locator("#market-filter")).to_have_value("")


def test_letters_stay_where_they_are_typed_or_choose(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1m")
    page = terminal.page
    page.locator("#chart").press("Shift+B")
    ticket = page.get_by_role("region", name="Order ticket")
    ticket.locator("[name=type]").focus()
    page.keyboard.press("l")
    expect(ticket.locator("[name=type]")).to_have_value("limit")
    page.locator("#kind-button").click()
    page.keyboard.press("h")
    expect(page.locator(":focus")).to_have_text("Hollow candles")
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    page.keyboard.press("e")
    expect(page.locator("#market-filter")).to_have_value("")


def test_the_skip_link_leads_to_the_chart(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1m")
    terminal.page.keyboard.press("Tab")
    expect(terminal.page.locator(":focus")).to_have_class("skip-link")
    terminal.page.keyboard.press("Enter")
    expect(terminal.page.locator("#chart")).to_be_focused()
    assert terminal.page.evaluate("location.hash") == "#BTC-USD/1m"


def test_arrows_read_the_chart_bar_by_bar(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1h")
    terminal.tab_to("#chart")
    terminal.page.keyboard.press("ArrowLeft")
    newest = terminal.legend()["index"]
    forget_speech(terminal.page)
    for back in range(1, 4):
        terminal.page.keyboard.press("ArrowLeft")
        legend = terminal.legend()
        assert legend["index"] == newest - back
        at = legend["timestamp"]
        assert [terminal.legend_bar()] == terminal.server.candles("BTC-USD", "1h", at, at)
    was_said(terminal.page, "open ")
    terminal.page.keyboard.press("PageUp")
    assert terminal.legend()["index"] == newest - 13
    terminal.page.keyboard.press("ArrowRight")
    assert terminal.legend()["index"] == newest - 12
    terminal.page.keyboard.press("Escape")
    eventually(
        lambda: terminal.legend()["index"] == terminal.chart("count") - 1, "the legend is back at the last bar"
    )


def test_keys_zoom_scroll_and_return_to_live(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1m")
    terminal.page.locator("#chart").focus()
    visible = terminal.chart("visibleCount")
    terminal.page.keyboard.press("+")
    assert terminal.chart("visibleCount") < visible
    terminal.page.keyboard.press("-")
    assert abs(terminal.chart("visibleCount") - visible) < 0.01
    for _ in range(5):
        terminal.page.keyboard.press("Shift+ArrowLeft")
    assert not terminal.chart("isFollowing()")
    terminal.page.keyboard.press("End")
    assert terminal.chart("isFollowing()")
    terminal.page.keyboard.press("ArrowUp")
    terminal.wait_for_selection("BTC-USD", "3m")
    terminal.page.keyboard.press("ArrowDown")
    terminal.wait_for_selection("BTC-USD", "1m")


def test_ticks_are_never_announced(terminal: Terminal) -> None:
    # Bars that close are: here none does.
    terminal.open("BTC-USD/1d")
    eventually(lambda: terminal.page.locator("#announcements").inner_text() == "", "the greeting is gone")
    terminal.page.evaluate(
        """() => {
            window.spoken = [];
            const region = document.getElementById('announcements');
            new MutationObserver(() => spoken.push(region.textContent))
                .observe(region, { childList: true, subtree: true, characterData: true });
        }"""
    )
    terminal.wait_for_ticks(25)
    assert terminal.page.evaluate("spoken") == []


def test_the_summary_changes_at_most_every_five_seconds(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1d")
    gaps = terminal.page.evaluate(
        """() => new Promise(done => {
            const times = [];
            const summary = document.getElementById('chart-summary');
            new MutationObserver(() => {
                times.push(performance.now());
                if (times.length === 3) done([times[1] - times[0], times[2] - times[1]]);
            }).observe(summary, { childList: true, characterData: true, subtree: true });
        })"""
    )
    assert all(gap >= 4_900 for gap in gaps), gaps


def test_roles_and_names_are_there(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1m")
    page = terminal.page
    expect(page.get_by_role("radiogroup", name="Timeframe")).to_be_visible()
    expect(page.get_by_role("radio", name="1 minute", exact=True)).to_be_checked()
    expect(page.get_by_role("listbox", name="Markets")).to_be_visible()
    expect(page.get_by_role("application", name="Price chart, BTC-USD, 1 minute")).to_be_visible()
    unnamed = page.evaluate(
        """() => [...document.querySelectorAll('button, input')]
            .filter(each => !(each.getAttribute('aria-label') || each.textContent.trim() || each.labels?.length))
            .map(each => each.outerHTML)"""
    )
    assert unnamed == []


def test_every_panel_is_opened_by_a_key_of_the_chart_and_gives_the_focus_back(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1m")
    page = terminal.page
    for key, panel in (("I", "studies"), ("C", "compare"), ("G", "go-to"), ("O", "options"), ("E", "export-menu")):
        page.locator("#chart").focus()
        page.keyboard.press(f"Shift+{key}")
        expect(page.locator(f"#{panel}")).to_be_visible()
        assert page.evaluate("panel => document.getElementById(panel).contains(document.activeElement)", panel)
        page.keyboard.press("Escape")
        expect(page.locator(f"#{panel}")).to_be_hidden()
        expect(page.locator("#chart")).to_be_focused()


def test_space_shows_the_crosshair_and_reads_its_bar(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1h")
    eventually(lambda: terminal.page.locator("#announcements").inner_text() == "", "the greeting is gone")
    terminal.page.locator("#chart").focus()
    forget_speech(terminal.page)
    terminal.page.keyboard.press("Space")
    was_said(terminal.page, "open ")


def test_the_list_of_keys_names_them_all_and_fits(terminal: Terminal, save_picture) -> None:
    terminal.open("BTC-USD/1m")
    page = terminal.page
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(dialog).to_be_visible()
    for key in ("I", "C", "G", "O", "E", "F", "Space", "Home", "End"):
        expect(dialog.locator("kbd", has_text=key).first).to_be_visible()
    save_picture(page, "desktop-shortcuts")
    box = dialog.bounding_box()
    assert box and box["y"] >= 0 and box["y"] + box["height"] <= 900
    assert dialog.evaluate("each => each.scrollHeight <= each.clientHeight"), "without scrolling"
