"""What stands on the chart beside its bars: tags on the axis, pills, fills, the legend and its buttons."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from support.polling import eventually
from support.scripted_desk import ScriptedDesk, position
from support.server import Server
from support.terminal import Terminal

SIZES = {1440: 900, 1024: 768, 390: 844}

# Each text with the box before it, as the browser's own font measures it: CSS pixels.
WRITTEN = """() => {
    const { words } = candlewire.chart.displayList();
    const floats = new Float32Array(words.buffer, words.byteOffset, words.length);
    const context = document.createElement("canvas").getContext("2d");
    const found = [];
    let box = null;
    for (let at = 0; at < words.length; at += words[at] >> 8) {
        const opcode = words[at] & 0xff;
        if (opcode === 5) {
            box = { left: floats[at + 2], top: floats[at + 3], right: floats[at + 2] + floats[at + 4], bottom: floats[at + 3] + floats[at + 5] };
        } else if (opcode === 6) {
            const text = new TextDecoder().decode(new Uint8Array(words.buffer, words.byteOffset + (at + 7) * 4, words[at + 6]));
            const [x, y, size] = floats.subarray(at + 2, at + 5);
            const weight = words[at + 5] >> 8 ? "600 " : "";
            context.font = `${weight}${size}px "Segoe UI", Roboto, "Helvetica Neue", Arial, "Liberation Sans", sans-serif`;
            const isBoxed = box && x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
            found.push({ text, x, y, align: words[at + 5] & 0xff, width: context.measureText(text).width, box: isBoxed ? box : null });
            box = null;
        }
    }
    const { width, height } = candlewire.chart.canvas;
    return { found, width, height, plot: candlewire.chart.engineChart.plot().width * devicePixelRatio };
}"""


def crowd(page: Page, desk: ScriptedDesk, terminal: Terminal) -> None:
    """Lines at the last price and far from it, fills, indicators and a compared market."""
    last = terminal.bars()[-1]["close"]
    low, high = terminal.chart("panes.scale(0)")["range"]
    price = lambda share: f"{last + share * (high - low):.2f}"  # noqa: E731
    desk.say("positions", "positions", positions=[position(entry_price=price(0.01), unrealized_pnl="-4.15")])
    desk.order("paper-main-o1", limit_price=price(-0.01))
    desk.order("paper-main-o2", side="sell", limit_price=price(0.02), reduce_only=True, oco_group="a")
    desk.order("paper-main-o3", side="sell", type="stop", stop_price=price(-0.3), limit_price=None, reduce_only=True,
               oco_group="a")  # fmt: skip
    desk.order("paper-main-o4", limit_price=price(-4))
    desk.order("paper-main-o5", side="sell", limit_price=f"{last * 1.6:.2f}")
    bars = terminal.bars()
    for at, side in [(-4, "buy"), (-7, "sell"), (-20, "buy"), (-21, "buy")]:
        desk.fill("paper-main-o1", side=side, timestamp=bars[at]["timestamp"] + 1, price=f"{bars[at]['close']:.2f}")
    page.evaluate(
        """() => {
            for (const name of ["ema", "bollinger", "rsi"]) {
                candlewire.studies.add(candlewire.engine.studies.find(({ identifier }) => identifier === name));
            }
        }"""
    )


@pytest.mark.parametrize("scheme", ["dark", "light"])
@pytest.mark.parametrize("width", SIZES)
def test_pictures_of_a_crowded_chart(
    new_page: Callable[..., Page], simulated: Server, save_picture: Callable[[Page, str], Path], width: int, scheme: str
) -> None:
    page = new_page(viewport={"width": width, "height": SIZES[width]}, color_scheme=scheme, has_touch=width < 500)
    desk = ScriptedDesk(page)
    terminal = Terminal(page, simulated).open("BTC-USD/1m")
    desk.begin()
    crowd(page, desk, terminal)
    terminal.painted()
    save_picture(page, f"labels-{width}-{scheme}")
    page.evaluate("candlewire.comparisons.add('ETH-USD')")
    eventually(
        lambda: page.evaluate("candlewire.comparisons.list.every(({ state }) => state === 'shown')"), "the bars are there"
    )
    terminal.painted()
    save_picture(page, f"labels-{width}-{scheme}-compared")
    assert page.complaints == []


@pytest.mark.parametrize("width", [1440, 390])
def test_what_is_in_a_box_or_on_the_axis_has_room_there(
    new_page: Callable[..., Page], simulated: Server, width: int
) -> None:
    page = new_page(viewport={"width": width, "height": SIZES[width]})
    desk = ScriptedDesk(page)
    terminal = Terminal(page, simulated).open("BTC-USD/1m")
    desk.begin()
    crowd(page, desk, terminal)
    desk.order("paper-main-o6", side="sell", type="stop_limit", stop_price="66000", limit_price="65900",
               quantity="1234.5678", filled_quantity="0.0025", status="partially_filled")  # fmt: skip
    for kind in ("linear", "percent", "indexed", "logarithmic"):
        page.evaluate("kind => candlewire.chart.change(chart => chart.panes.setScale(0, { kind }))", kind)
        terminal.painted()
        written = page.evaluate(WRITTEN)
        boxed = [each for each in written["found"] if each["box"]]
        assert len(boxed) > 6
        for each in boxed:
            assert each["align"] == 1 or each["x"] + each["width"] <= each["box"]["right"], each
        for each in written["found"]:
            if each["x"] > written["plot"] and each["align"] == 0:
                assert each["x"] + each["width"] <= written["width"], each


def rows(page: Page) -> Locator:
    return page.locator("#legend-rows .legend-row")


def row(page: Page, name: str) -> Locator:
    return page.get_by_role("group", name=name, exact=True)


def add_rows(terminal: Terminal) -> Page:
    """An average over the price, an oscillator below it, and a compared market."""
    page = terminal.open("BTC-USD/1m").page
    page.evaluate(
        """() => {
            for (const name of ["ema", "rsi"]) {
                candlewire.studies.add(candlewire.engine.studies.find(({ identifier }) => identifier === name));
            }
            candlewire.comparisons.add("ETH-USD");
        }"""
    )
    expect(rows(page)).to_have_count(3)
    return page


def test_the_legend_hides_sets_and_removes_by_mouse(terminal: Terminal) -> None:
    page = add_rows(terminal)
    show = row(page, "EMA 20").get_by_role("button", name="Show EMA 20")
    expect(show).to_have_css("opacity", "0")
    box = row(page, "EMA 20").bounding_box()
    assert box is not None
    # The name is in the picture; the buttons come beside it.
    page.mouse.move(box["x"] + 12, box["y"] + box["height"] / 2)
    expect(show).to_have_css("opacity", "1")
    show.click()
    assert page.evaluate("candlewire.studies.list.map(({ isVisible }) => isVisible)") == [False, True]
    expect(show).to_have_attribute("aria-pressed", "false")
    show.click()
    expect(show).to_have_attribute("aria-pressed", "true")
    row(page, "EMA 20").get_by_role("button", name="Settings of EMA 20").click()
    expect(page.locator("#studies")).to_be_visible()
    length = page.get_by_role("group", name="Settings of EMA 20").get_by_role("spinbutton").first
    expect(length).to_be_focused()
    length.fill("30")
    expect(row(page, "EMA 30")).to_have_count(1)
    page.keyboard.press("Escape")
    row(page, "RSI 14").hover(position={"x": 10, "y": 12})
    row(page, "RSI 14").get_by_role("button", name="Remove RSI 14").click()
    expect(rows(page)).to_have_count(2)
    assert terminal.chart("panes.count") == 1
    assert page.complaints == []


def test_a_compared_market_is_hidden_coloured_and_removed_in_the_legend(terminal: Terminal) -> None:
    page = add_rows(terminal)
    ether = row(page, "ETH-USD")
    ether.hover(position={"x": 10, "y": 12})
    ether.get_by_role("button", name="Show ETH-USD").click()
    expect(ether.get_by_role("button", name="Show ETH-USD")).to_have_attribute("aria-pressed", "false")
    expect(ether.get_by_role("button", name="Colour of ETH-USD")).to_have_count(1)
    ether.locator("input").evaluate("input => { input.value = '#ff8800'; input.dispatchEvent(new Event('input')); }")
    assert page.evaluate("candlewire.comparisons.colour('ETH-USD')") == 0xFF8800FF
    # Both stay with the browser.
    page.reload()
    terminal.wait_until_live()
    expect(rows(page)).to_have_count(3)
    expect(row(page, "ETH-USD").get_by_role("button", name="Show ETH-USD")).to_have_attribute("aria-pressed", "false")
    assert page.evaluate("candlewire.comparisons.colour('ETH-USD')") == 0xFF8800FF
    row(page, "ETH-USD").hover(position={"x": 10, "y": 12})
    row(page, "ETH-USD").get_by_role("button", name="Remove ETH-USD").click()
    expect(rows(page)).to_have_count(2)
    assert terminal.chart("panes.scale(0)")["kind"] == "linear"


def test_the_legend_works_by_keyboard(terminal: Terminal) -> None:
    page = add_rows(terminal)
    page.locator("#chart").focus()
    page.keyboard.press("Tab")
    focused = page.locator(":focus")
    # One stop for all: arrows lead on, in the order of the legend.
    expect(focused).to_have_attribute("aria-label", "Show ETH-USD")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(focused).to_have_attribute("aria-label", "Show EMA 20")
    expect(focused).to_have_css("opacity", "1")
    page.keyboard.press("Space")
    assert page.evaluate("candlewire.studies.list[0].isVisible") is False
    expect(focused).to_have_attribute("aria-label", "Show EMA 20")
    page.keyboard.press("End")
    expect(focused).to_have_attribute("aria-label", "Remove RSI 14")
    page.keyboard.press("Enter")
    expect(rows(page)).to_have_count(2)
    expect(focused).to_have_attribute("aria-label", "Remove EMA 20")
    page.keyboard.press("Tab")
    assert not page.evaluate("document.getElementById('legend-rows').contains(document.activeElement)")


def test_a_finger_on_a_name_shows_its_buttons(new_page: Callable[..., Page], simulated: Server) -> None:
    page = new_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    add_rows(Terminal(page, simulated))
    box = row(page, "EMA 20").bounding_box()
    assert box is not None and box["height"] >= 24
    page.touchscreen.tap(box["x"] + 10, box["y"] + 12)
    expect(row(page, "EMA 20").get_by_role("button", name="Remove EMA 20")).to_have_css("opacity", "1")
    row(page, "EMA 20").get_by_role("button", name="Remove EMA 20").tap()
    expect(rows(page)).to_have_count(2)
