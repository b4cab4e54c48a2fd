"""Indicators: added, changed, moved, hidden and removed in the page, and remembered."""

from typing import Any

from playwright.sync_api import Locator, Page, expect

from support.server import Server
from support.terminal import Terminal

NAMES = """() => candlewire.studies.list.map(({ kind, parameters, pane, isVisible }) =>
    ({ study: kind.identifier, parameters, pane, isVisible }))"""
# Overlays and indicators with their parameters.
PRESETS = {
    "EMA 20": ("ema", [20], 0),
    "EMA 50": ("ema", [50], 0),
    "SMA 20": ("sma", [20], 0),
    "SMA 50": ("sma", [50], 0),
    "Bollinger 20": ("bollinger", [20, 2], 0),
    "RSI 14": ("rsi", [14], 1),
    "MACD": ("macd", [12, 26, 9], 2),
    "Stochastic": ("stochastic", [14, 3, 3], 3),
}


def open_panel(terminal: Terminal) -> Page:
    terminal.page.locator("#studies-button").click()
    expect(terminal.page.locator("#studies")).to_be_visible()
    return terminal.page


def studies(terminal: Terminal) -> list[dict[str, Any]]:
    return terminal.page.evaluate(NAMES)


def preset(page: Page, name: str) -> Locator:
    return page.locator("#study-presets").get_by_role("button", name=name, exact=True)


def test_the_usual_studies_are_switched_on_and_off_by_one_touch(terminal: Terminal, save_picture) -> None:
    terminal.open("BTC-USD/1m")
    page = open_panel(terminal)
    for name, (identifier, parameters, pane) in PRESETS.items():
        preset(page, name).click()
        expect(preset(page, name)).to_have_attribute("aria-pressed", "true")
        requested = {"study": identifier, "parameters": parameters, "pane": pane, "isVisible": True}
        assert requested in studies(terminal)
    expect(page.locator("#study-count")).to_have_text("8")
    assert terminal.chart("panes.count") == 4
    save_picture(page, "desktop-indicators")
    for name in PRESETS:
        preset(page, name).click()
        expect(preset(page, name)).to_have_attribute("aria-pressed", "false")
    assert studies(terminal) == []
    assert terminal.chart("panes.count") == 1


def test_every_study_of_the_catalogue_is_added(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1m")
    page = open_panel(terminal)
    items = page.locator("#study-catalogue button")
    kinds = page.evaluate("candlewire.engine.studies.map(({ identifier }) => identifier)")
    assert len(kinds) >= 24
    expect(items).to_have_count(len(kinds))
    # A chart has 16 panes at most: those that went are added again one by one.
    for identifier in kinds:
        page.locator(f"#study-catalogue [data-study={identifier}]").click()
        assert [each["study"] for each in studies(terminal)] == [identifier]
        page.locator("#active-studies").get_by_role("button", name="Remove").click()
        expect(page.locator("#active-studies li")).to_have_count(0)
    assert page.complaints == []


def test_the_catalogue_is_filtered_and_used_by_keyboard(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1m")
    page = terminal.page
    terminal.tab_to("#studies-button")
    page.keyboard.press("Enter")
    expect(page.locator("#study-filter")).to_be_focused()
    page.keyboard.type("stoch")
    expect(page.locator("#study-catalogue button")).to_have_count(2)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert [each["study"] for each in studies(terminal)] == ["stochrsi"]
    expect(page.locator("#study-note")).to_contain_text("StochRSI added to the chart")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowUp")
    expect(page.locator("#study-filter")).to_be_focused()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("nothing at all")
    expect(page.locator("#study-none")).to_be_visible()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("wilder")
    page.keyboard.press("Enter")
    assert "rma" in [each["study"] for each in studies(terminal)]
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(page.locator("#studies")).to_be_hidden()
    expect(page.locator("#studies-button")).to_be_focused()


def test_parameters_source_and_colours_are_edited(terminal: Terminal, save_picture) -> None:
    terminal.open("BTC-USD/1m")
    page = open_panel(terminal)
    preset(page, "Bollinger 20").click()
    page.locator("#studies").get_by_role("button", name="Settings of BB 20 2").click()
    editor = page.get_by_role("group", name="Settings of BB")
    save_picture(page, "desktop-indicator-settings")
    period = editor.get_by_label("Period")
    period.fill("30")
    assert studies(terminal)[0]["parameters"] == [30, 2]
    expect(page.locator(".study-name")).to_have_text("BB 30 2")
    period.fill("-5")
    period.blur()
    expect(period).to_have_value("30")
    identity = page.evaluate("candlewire.studies.list[0].id")
    value = f"studies.value({identity}, 0, candlewire.chart.engineChart.count - 2)"
    closes = terminal.chart(value)
    editor.get_by_label("Source").select_option(label="(High + low) / 2")
    assert terminal.chart(value) != closes
    usual = terminal.chart(f"studies.colour({identity}, 0)")
    colours = editor.locator("input[type=color]")
    colours.first.fill("#12ab34")
    assert terminal.chart(f"studies.colour({identity}, 0)") >> 8 == 0x12AB34
    editor.get_by_role("button", name="Default colours").click()
    assert terminal.chart(f"studies.colour({identity}, 0)") == usual
    expect(colours.first).to_have_value(f"#{usual >> 8:06x}")


def test_a_study_moves_to_another_pane_and_a_pane_up_and_down(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1m")
    page = open_panel(terminal)
    for name in ("EMA 20", "RSI 14", "MACD"):
        preset(page, name).click()
    panes = lambda: {each["study"]: each["pane"] for each in studies(terminal)}  # noqa: E731
    assert panes() == {"ema": 0, "rsi": 1, "macd": 2}
    page.locator("#studies").get_by_role("button", name="Settings of MACD").click()
    page.locator("#studies").get_by_role("button", name="Pane up").click()
    assert panes() == {"ema": 0, "macd": 1, "rsi": 2}
    expect(page.locator("#studies").get_by_role("button", name="Pane up")).to_be_disabled()
    page.locator("#studies").get_by_role("button", name="Pane down").click()
    assert panes() == {"ema": 0, "rsi": 1, "macd": 2}
    page.get_by_label("Shown in").select_option(label="Pane 2")
    assert panes() == {"ema": 0, "rsi": 1, "macd": 1}
    assert "Price" not in page.get_by_label("Shown in").locator("option").all_inner_texts(), "it is no price"
    page.locator("#studies").get_by_role("button", name="Settings of EMA").click()
    page.get_by_label("Shown in").select_option(label="New pane")
    assert panes()["ema"] == 2


def test_a_study_is_hidden_and_shown(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1m")
    page = open_panel(terminal)
    preset(page, "EMA 20").click()
    show = page.locator("#studies").get_by_role("button", name="Show EMA 20")
    expect(show).to_have_attribute("aria-pressed", "true")
    show.click()
    expect(show).to_have_attribute("aria-pressed", "false")
    expect(show).to_be_focused()
    assert not studies(terminal)[0]["isVisible"]
    show.click()
    assert studies(terminal)[0]["isVisible"]


def test_studies_panes_and_colours_survive_a_reload_and_another_market(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1m")
    page = open_panel(terminal)
    for name in ("MACD", "EMA 50"):
        preset(page, name).click()
    page.evaluate("candlewire.settings.set('volume', 'pane')")
    preset(page, "RSI 14").click()
    page.evaluate(
        """() => {
            const { studies, chart } = candlewire;
            const rsi = studies.list.find(({ kind }) => kind.identifier === 'rsi');
            studies.set(rsi.id, { parameters: [9], source: 2 });
            studies.setColour(rsi.id, 0, 0x11aa55ff);
            studies.show(studies.list.find(({ kind }) => kind.identifier === 'ema').id, false);
            chart.change(each => each.panes.dragDivider(0, -60));
            chart.arranged();
        }"""
    )
    described = """() => {
        const { studies, chart } = candlewire;
        const { panes: all } = chart.engineChart;
        const panes = Array.from({ length: all.count }, (_, pane) => all.place(pane).top);
        return [panes, studies.list.map(({ id, ...rest }) => ({ ...rest, kind: rest.kind.identifier }))];
    }"""
    before = page.evaluate(described)
    assert [each["pane"] for each in before[1]] == [0, 1, 3], "the volume's pane is between the two"
    page.evaluate("candlewire.terminal.choose({ symbol: 'ETH-USD', timeframe: '5m' })")
    terminal.wait_for_selection("ETH-USD", "5m")
    assert page.evaluate(described) == before
    page.reload()
    terminal.wait_until_live()
    assert page.evaluate(described) == before


def test_the_panel_fits_a_phone(new_page, simulated: Server, save_picture) -> None:
    page: Page = new_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    Terminal(page, simulated).open("BTC-USD/1m")
    page.locator("#studies-button").tap()
    preset(page, "RSI 14").tap()
    page.locator("#studies").get_by_role("button", name="Settings of RSI 14").tap()
    save_picture(page, "phone-indicators")
    box = page.locator("#studies").bounding_box()
    assert box and box["x"] == 0 and box["width"] == 390 and box["y"] > 150
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    small = page.evaluate(
        """() => [...document.querySelectorAll('#studies :is(button, input, select)')]
            .filter(each => each.checkVisibility())
            .map(each => [each.outerHTML, each.getBoundingClientRect()])
            .filter(([, box]) => box.height < 44 || box.width < 44)"""
    )
    assert small == []
