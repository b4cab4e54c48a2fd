"""What the chart looks like: the menu of types and the panel of settings, by pointer and by keyboard, and remembered."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from support.polling import eventually
from support.server import Server
from support.terminal import Terminal

KINDS = {
    "Candles": "candles",
    "Hollow candles": "hollow",
    "Bars": "bars",
    "Line": "line",
    "Area": "area",
    "Baseline": "baseline",
    "Heikin-Ashi": "heikin-ashi",
    "Histogram": "histogram",
}
# The base canvas as one number, so that another picture is seen.
PICTURE = """() => {
    const canvas = document.getElementById('chart-base');
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    let sum = 0;
    for (let at = 0; at < data.length; at += 1) sum = (sum * 31 + data[at]) >>> 0;
    return sum;
}"""


def picture(terminal: Terminal) -> int:
    terminal.painted()
    return terminal.page.evaluate(PICTURE)


def open_options(terminal: Terminal) -> None:
    terminal.page.locator("#options-button").click()
    expect(terminal.page.locator("#options")).to_be_visible()


def choose(terminal: Terminal, name: str, value: str) -> None:
    """One of the radio buttons that look like a bar: the label receives the click."""
    terminal.page.locator(f"#options label:has([name={name}][value={value}])").click()


def test_every_kind_of_series_is_chosen_in_the_menu_and_looks_different(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1m")
    terminal.freeze()
    pictures = set()
    for name, kind in KINDS.items():
        terminal.page.locator("#kind-button").click()
        terminal.page.get_by_role("menuitemradio", name=name, exact=True).click()
        expect(terminal.page.locator("#kind-menu")).to_be_hidden()
        expect(terminal.page.locator("#kind-name")).to_have_text(name)
        assert terminal.page.evaluate("candlewire.settings.get('kind')") == kind
        pictures.add(picture(terminal))
    assert len(pictures) == len(KINDS)


def test_the_menu_of_types_works_by_keyboard(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1m")
    page = terminal.page
    terminal.tab_to("#kind-button")
    page.keyboard.press("Enter")
    expect(page.locator(":focus")).to_have_attribute("aria-checked", "true")
    expect(page.locator("#kind-button")).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("h")
    expect(page.locator(":focus")).to_have_text("Heikin-Ashi")
    page.keyboard.press("Escape")
    expect(page.locator("#kind-button")).to_be_focused()
    expect(page.locator("#kind-button")).to_have_attribute("aria-expanded", "false")
    assert page.evaluate("candlewire.settings.get('kind')") == "candles", "leaving is not choosing"
    page.keyboard.press("ArrowDown")
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    expect(page.locator("#kind-button")).to_be_focused()
    assert page.evaluate("candlewire.settings.get('kind')") == "histogram"


def test_scales_and_volume_are_chosen_in_the_panel(terminal: Terminal, save_picture) -> None:
    terminal.open("BTC-USD/1m")
    terminal.freeze()
    open_options(terminal)
    for kind in ("logarithmic", "percent", "indexed", "linear"):
        choose(terminal, "scale", kind)
        assert terminal.chart("panes.scale(0)")["kind"] == kind
    terminal.page.get_by_label("Inverted").check()
    assert terminal.chart("panes.scale(0)")["inverted"]
    pictures = set()
    for placement, panes in (("off", 1), ("pane", 2), ("price", 1)):
        choose(terminal, "volume", placement)
        assert terminal.chart("panes.count") == panes
        pictures.add(picture(terminal))
    assert len(pictures) == 3
    save_picture(terminal.page, "desktop-settings")
    automatic = terminal.page.get_by_label("Fit automatically")
    expect(automatic).to_be_checked()
    before = terminal.chart("panes.scale(0)")
    automatic.uncheck()
    fixed = terminal.chart("panes.scale(0)")
    assert fixed["isFixed"] and fixed["range"] == pytest.approx(before["range"])
    terminal.page.evaluate("candlewire.chart.change(chart => chart.panes.resetScale(0))")
    expect(automatic).to_be_checked()


def test_the_panel_of_settings_works_by_keyboard(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1m")
    page = terminal.page
    terminal.tab_to("#options-button")
    page.keyboard.press("Enter")
    expect(page.locator(":focus")).to_have_attribute("value", "linear")
    page.keyboard.press("ArrowRight")
    assert terminal.chart("panes.scale(0)")["kind"] == "logarithmic"
    terminal.tab_to("[name=volume]")
    page.keyboard.press("ArrowRight")
    assert terminal.chart("panes.count") == 2
    page.keyboard.press("Escape")
    expect(page.locator("#options")).to_be_hidden()
    expect(page.locator("#options-button")).to_be_focused()


def test_times_are_shown_in_the_chosen_zone(new_page, simulated: Server) -> None:
    page: Page = new_page(timezone_id="Australia/Sydney")
    terminal = Terminal(page, simulated).open("BTC-USD/1m")
    now = page.evaluate("Math.floor(Date.now() / 1000)")
    assert terminal.chart(f"zone.offset({now})") == 0
    open_options(terminal)
    zones = page.locator("#option-zone")
    assert zones.locator("option").count() > 60
    zones.select_option("America/New_York")
    assert terminal.chart(f"zone.offset({now})") in (-4 * 3600, -5 * 3600)
    zones.select_option(label="Local (Australia/Sydney)")
    assert terminal.chart(f"zone.offset({now})") in (10 * 3600, 11 * 3600)


def test_settings_survive_a_reload_and_another_market(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1m")
    page = terminal.page
    open_options(terminal)
    choose(terminal, "scale", "logarithmic")
    choose(terminal, "volume", "pane")
    page.locator("#option-zone").select_option("Asia/Tokyo")
    page.keyboard.press("Escape")
    page.locator("#kind-button").click()
    page.get_by_role("menuitemradio", name="Line", exact=True).click()
    drawn = lambda: (  # noqa: E731
        terminal.chart("panes.scale(0)")["kind"],
        terminal.chart("panes.count"),
        terminal.chart("zone.offset(0)"),
        page.locator("#kind-name").inner_text(),
    )
    requested = ("logarithmic", 2, 9 * 3600, "Line")
    assert drawn() == requested
    page.evaluate("candlewire.terminal.choose({ symbol: 'ETH-USD' })")
    terminal.wait_for_selection("ETH-USD", "1m")
    assert drawn() == requested
    page.reload()
    terminal.wait_until_live()
    assert drawn() == requested


def test_a_stored_nonsense_is_left_out(terminal: Terminal) -> None:
    terminal.page.add_init_script(
        """localStorage.setItem('candlewire.chart', '{"kind":"pie","scale":7,"volume":"pane","zone":"Nowhere/At_All"}');
        localStorage.setItem('candlewire.studies', '{"version":1,"studies":[null,{"study":"magic","pane":0}],"shares":"x"}');
        localStorage.setItem('candlewire.theme', 'custom');"""
    )
    terminal.open("BTC-USD/1m")
    assert terminal.page.evaluate("candlewire.settings.get('kind')") == "candles"
    assert terminal.chart("panes.count") == 2
    assert terminal.chart("studies.all()") == []
    assert terminal.page.complaints == []


def test_themes_are_switched_while_the_chart_runs(terminal: Terminal, save_picture) -> None:
    terminal.open("BTC-USD/1m")
    terminal.freeze()
    open_options(terminal)
    themes = terminal.page.locator("#option-theme")
    pictures = set()
    for theme in ("dark", "light", "deuteranopia", "high-contrast"):
        themes.select_option(theme)
        pictures.add(picture(terminal))
        assert terminal.chart("textContrast") >= 4.5
        save_picture(terminal.page, f"desktop-theme-{theme}")
    assert len(pictures) == 4
    colours = terminal.chart("themeColours()")
    terminal.page.reload()
    terminal.wait_until_live()
    assert terminal.chart("themeColours()") == colours, "the choice is remembered"
    terminal.page.locator("#theme-toggle").click()
    assert terminal.page.evaluate("candlewire.theme.choice") == "light"


def test_a_theme_of_ones_own_is_saved_and_loaded_as_a_document(terminal: Terminal, tmp_path: Path) -> None:
    terminal.open("BTC-USD/1m")
    open_options(terminal)
    with terminal.page.expect_download() as download:
        terminal.page.locator("#theme-save").click()
    document = json.loads(download.value.path().read_text())
    assert document["background"] == "#141414" and document["up"] == "#2EBD6B" and len(document["palette"]) == 8
    own = tmp_path / "own.json"

    def load(text: str) -> None:
        own.write_text(text)
        terminal.page.locator("#theme-file").set_input_files(own)

    note = terminal.page.locator("#theme-note")
    load(json.dumps({"base": "light", "up": "#123456", "palette": ["#AB1234"]}))
    eventually(lambda: terminal.page.evaluate("candlewire.theme.choice") == "custom", "the document is the theme")
    colours = list(terminal.page.evaluate("[...candlewire.chart.engineChart.themeColours()]"))
    assert colours[0] == 0xFFFFFFFF and colours[5] == 0x123456FF and colours[18:] == [0xAB1234FF]
    expect(note).to_be_hidden()
    for text, reason in (
        ("nonsense", "is not JSON"),
        ('{"up": "green"}', "up is “green”"),
        ('{"sideways": "#123456"}', "no colour “sideways”"),
        ('{"base": "grey"}', "base is “grey”"),
    ):
        load(text)
        expect(note).to_contain_text(reason)
    assert terminal.page.evaluate("[...candlewire.chart.engineChart.themeColours()]") == colours
    load('{"base": "light", "axisText": "#CCCCCC"}')
    expect(note).to_contain_text("Below 4.5:1 it is hard to read")
    terminal.page.reload()
    terminal.wait_until_live()
    assert terminal.page.evaluate("candlewire.chart.engineChart.themeColours()[3]") == 0xCCCCCCFF
    assert terminal.page.evaluate("document.documentElement.dataset.theme") == "light"


@pytest.mark.parametrize("theme", ["deuteranopia", "high-contrast"])
def test_the_page_around_these_themes_has_contrast_too(terminal: Terminal, theme: str) -> None:
    from test_layout import CONTRASTS

    terminal.open("BTC-USD/1m")
    terminal.page.evaluate("theme => candlewire.theme.choose(theme)", theme)
    open_options(terminal)
    measured = terminal.page.evaluate(CONTRASTS)
    assert len(measured) > 60
    assert [(text, ratio) for text, ratio in measured if ratio < 4.5] == []


def test_bars_are_spaced_by_their_time_or_one_like_the_other(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1m")
    terminal.freeze()
    # Sixty bars of a minute, with a quarter of an hour missing in their middle.
    terminal.page.evaluate(
        """() => {
            const rows = Array.from({ length: 60 }, (_, at) =>
                [1795000020 + at * 60 + (at < 30 ? 0 : 900), 100, 101 + at % 3, 99, 100, 1]);
            candlewire.chart.change(chart => chart.setData(new Float64Array(rows.flat()), false));
        }"""
    )
    terminal.painted()
    gaps = """() => {
        const { engineChart } = candlewire.chart;
        // The newest ones: older pages come in front.
        const bars = Array.from({ length: 60 }, (_, at) => engineChart.bar(engineChart.count - 60 + at));
        const places = bars.map(({ timestamp, close }) => engineChart.point(timestamp, close).x);
        return bars.slice(1).map((bar, at) => [bar.timestamp - bars[at].timestamp, places[at + 1] - places[at]]);
    }"""
    spaced = terminal.page.evaluate(gaps)
    assert {seconds for seconds, _ in spaced} == {60, 960}
    assert [width for _, width in spaced] == pytest.approx([spaced[0][1]] * len(spaced))
    open_options(terminal)
    choose(terminal, "timeScale", "time")
    terminal.painted()
    timed = terminal.page.evaluate(gaps)
    second = timed[0][1] / timed[0][0]
    assert [width for _, width in timed] == pytest.approx([seconds * second for seconds, _ in timed], rel=1e-3)
    terminal.page.reload()
    terminal.wait_until_live()
