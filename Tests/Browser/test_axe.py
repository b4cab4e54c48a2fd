"""axe-core over the page, in every theme and with everything open that opens: no serious and no critical finding.

Among its rules are contrast (1.4.3), names and roles (4.1.2), target size and focus order (2.1.1, 2.4.7).
"""

from collections.abc import Callable

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, expect

from support.board import Board
from support.server import Server
from support.terminal import Terminal

pytestmark = pytest.mark.long

DESKTOP = {"viewport": {"width": 1440, "height": 900}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
THEMES = ["dark", "light", "deuteranopia", "high-contrast"]


def findings(page: Page) -> list[str]:
    """What axe-core calls serious or critical, each with the first places it is found at."""
    options = {"resultTypes": ["violations"], "rules": {"target-size": {"enabled": True}}}
    # Half a megabyte of script, once for each load of the page.
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    violations = page.evaluate("options => axe.run(options).then(({ violations }) => violations)", options)
    return [
        f"{each['id']} ({each['impact']}): {', '.join(str(node['target'][0]) for node in each['nodes'][:4])} — "
        f"{each['nodes'][0]['failureSummary']}"
        for each in violations
        if each["impact"] in ("serious", "critical")
    ]


def press(page: Page, selector: str) -> None:
    """Presses a button wherever a row of them is scrolled to."""
    page.locator(selector).evaluate("button => button.click()")


def drawn(page: Page) -> None:
    page.evaluate(
        """() => {
            const { chart, drawings, objects } = candlewire;
            const { timestamp, close } = chart.engineChart.bar(chart.engineChart.count - 20);
            const document = { format: 'candlewire-drawings', version: 1, drawings: [
                { kind: 'trend_line', anchors: [{ time: timestamp, price: close },
                    { time: timestamp + 600, price: close * 1.01 }] },
                { kind: 'text', anchors: [{ time: timestamp, price: close }], text: 'note' }] };
            drawings.exchange.importDocument(JSON.stringify(document), 'test.json');
            drawings.select(drawings.board.entries[0].id);
            objects.addAlert(close * 0.1);
            objects.addLine(close * 1.01, 'line');
        }"""
    )
    expect(page.get_by_role("toolbar", name="Selected drawing")).to_be_visible()


def objects(page: Page) -> None:
    # One that waits and one that fired, which leaves a note as well.
    page.evaluate(
        """() => {
            const { price } = candlewire.store.markets.get('BTC-USD');
            candlewire.objects.addAlert(price * 3);
            candlewire.store.trade('BTC-USD', price * 3.1, Date.now() / 1000);
        }"""
    )
    press(page, "#objects-button")
    expect(page.get_by_role("dialog", name="Alerts and objects")).to_be_visible()
    expect(page.get_by_role("region", name="Notifications").get_by_text("crossed")).to_be_visible()


def table(page: Page) -> None:
    page.evaluate("candlewire.objects.panel.close()")
    press(page, "#table-button")
    expect(page.get_by_role("table")).to_be_visible()


def rail_menu(page: Page) -> None:
    press(page, "#table-button")
    page.locator("#drawing-tools").get_by_role("button", name="More drawing actions").evaluate("each => each.click()")
    expect(page.get_by_role("menu", name="More drawing actions")).to_be_visible()


def colours(page: Page) -> None:
    page.keyboard.press("Escape")
    page.get_by_role("toolbar", name="Selected drawing").get_by_role("button", name="Colour").click()
    expect(page.get_by_role("menu", name="Colour")).to_be_visible()


def text_field(page: Page) -> None:
    page.keyboard.press("Escape")
    page.evaluate("candlewire.drawings.editText()")
    expect(page.get_by_role("textbox", name="Text of the drawing")).to_be_visible()


def popover(button: str) -> Callable[[Page], None]:
    def open_it(page: Page) -> None:
        page.keyboard.press("Escape")
        press(page, f"#{button}")
        expect(page.locator(":popover-open")).to_be_visible()

    open_it.__name__ = button
    return open_it


def shortcuts(page: Page) -> None:
    page.keyboard.press("Escape")
    press(page, "#shortcuts-button")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()


def sound(page: Page) -> None:
    page.keyboard.press("Escape")
    press(page, "#sound-open")
    expect(page.get_by_role("group", name="The chart as sound")).to_be_visible()


STEPS = [drawn, objects, table, rail_menu, colours, text_field]
POPOVERS = ["more-timeframes-button", "kind-button", "studies-button", "compare-button", "options-button"]


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("device", ["desktop", "phone"])
def test_axe_finds_nothing_serious(new_page, simulated: Server, theme: str, device: str) -> None:
    page = new_page(**(DESKTOP if device == "desktop" else PHONE))
    terminal = Terminal(page, simulated).open("BTC-USD/1m")
    page.evaluate("theme => candlewire.theme.choose(theme)", theme)
    terminal.painted()
    assert findings(page) == [], "the page as it opens"
    # Dark and light have every colour rule of the page; the others differ in the chart and in few of them.
    every = [*STEPS, *map(popover, POPOVERS), shortcuts, sound]
    for step in every if theme in ("dark", "light") else [drawn, objects, table]:
        step(page)
        terminal.painted()
        assert findings(page) == [], step.__name__


def test_axe_would_find_something(page: Page, simulated: Server) -> None:
    """The check itself: a button without a name is critical."""
    Terminal(page, simulated).open("BTC-USD/1m")
    page.evaluate("document.body.append(document.createElement('button'))")
    assert any("button-name" in each for each in findings(page))


def test_targets_are_large_enough(new_page, simulated: Server) -> None:
    """24 px for a mouse, 44 px for a finger."""
    for options, least in ((DESKTOP, 24), (PHONE, 44)):
        page = new_page(**options)
        board = Board(Terminal(page, simulated).open("BTC-USD/1m"))
        drawn(page)
        page.evaluate("candlewire.objects.panel.open()")
        # With its buttons in the legend.
        page.evaluate("candlewire.studies.add(candlewire.studies.kinds[0])")
        press(page, "#sound-open")
        board.terminal.painted()
        expect(page.locator(".legend-row button")).to_have_count(3)
        small = page.evaluate(
            """least => [...document.querySelectorAll('.chart-panel button, .chart-panel select')]
                .filter(each => each.checkVisibility())
                .map(each => [each.getAttribute('aria-label') ?? each.textContent.trim(), each.getBoundingClientRect()])
                .filter(([, { width, height }]) => width < least || height < least)
                .map(([name, { width, height }]) => `${name} ${width}x${height}`)""",
            least,
        )
        assert small == []
        page.close()
