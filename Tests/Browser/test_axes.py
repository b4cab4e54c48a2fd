"""Axes and dividers under the pointer and the keys."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from support.polling import eventually
from support.server import Server
from support.terminal import Terminal

CURSOR = "getComputedStyle(document.getElementById('chart')).cursor"


def add_study(terminal: Terminal, identifier: str) -> None:
    terminal.page.evaluate(
        """identifier => {
            const { kind } = candlewire.engine.studies.find(each => each.identifier === identifier);
            candlewire.chart.change(chart => chart.studies.add(kind));
        }""",
        identifier,
    )
    terminal.painted()


def place(terminal: Terminal, x: float, y: float) -> tuple[float, float]:
    """Page coordinates of a place in the chart."""
    box = terminal.chart_box()
    return box["x"] + x, box["y"] + y


def drag(terminal: Terminal, start: tuple[float, float], dx: float, dy: float) -> None:
    x, y = place(terminal, *start)
    terminal.page.mouse.move(x, y)
    terminal.page.mouse.down()
    terminal.page.mouse.move(x + dx, y + dy, steps=6)
    terminal.page.mouse.up()
    terminal.painted()


# A mouse that moves 12 pixels each 8 milliseconds, by its own clock however busy the machine is, and lets go.
THROW = """() => {
    const canvas = document.getElementById('chart');
    const { left, top } = canvas.getBoundingClientRect();
    const send = (type, x, timeStamp) => {
        const place = { clientX: left + x, clientY: top + 200, pointerId: 1, pointerType: 'mouse', bubbles: true };
        const event = new PointerEvent(type, { ...place, button: 0 });
        Object.defineProperty(event, 'timeStamp', { value: timeStamp });
        canvas.dispatchEvent(event);
    };
    send('pointerdown', 200, 1000);
    for (let step = 1; step <= 20; step += 1) send('pointermove', 200 + step * 12, 1000 + step * 8);
    send('pointerup', 440, 1168);
    return candlewire.chart.engineChart.firstVisible;
}"""


def throw(terminal: Terminal) -> float:
    """Throws the chart towards the past; returns its first bar at the moment of letting go."""
    terminal.page.mouse.move(*place(terminal, 200, 200))
    return terminal.page.evaluate(THROW)


def span(scale: dict[str, Any]) -> float:
    return scale["range"][1] - scale["range"][0]


def test_a_drag_along_the_price_axis_stretches_it_and_a_double_click_fits_it_again(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1m")
    terminal.freeze()
    plot = terminal.chart("plot()")
    axis = (plot["width"] + 20, plot["height"] / 2)
    terminal.page.mouse.move(*place(terminal, *axis))
    assert terminal.page.evaluate(CURSOR) == "ns-resize"
    before = terminal.chart("panes.scale(0)")
    assert not before["isFixed"]
    first = terminal.chart("firstVisible")
    drag(terminal, axis, 0, -120)
    near = terminal.chart("panes.scale(0)")
    assert near["isFixed"] and span(near) < span(before) * 0.7
    drag(terminal, axis, 0, 200)
    assert span(terminal.chart("panes.scale(0)")) > span(near) * 1.5
    assert terminal.chart("firstVisible") == first
    terminal.page.mouse.dblclick(*place(terminal, *axis))
    terminal.painted()
    assert terminal.chart("panes.scale(0)") == before


def test_a_fixed_scale_is_panned_up_and_down(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1m")
    terminal.freeze()
    plot = terminal.chart("plot()")
    middle = (plot["width"] / 2, plot["height"] / 2)
    fitting = terminal.chart("panes.scale(0)")["range"]
    drag(terminal, middle, 0, 80)
    assert terminal.chart("panes.scale(0)")["range"] == fitting, "a scale that fits stays"
    drag(terminal, (plot["width"] + 20, middle[1]), 0, -100)
    low, high = terminal.chart("panes.scale(0)")["range"]
    drag(terminal, middle, 0, 80)
    after = terminal.chart("panes.scale(0)")["range"]
    assert after[0] > low and after[1] > high, "what is dragged down shows what is above"
    assert after[1] - after[0] == pytest.approx(high - low)
    terminal.page.locator("#chart").focus()
    terminal.page.keyboard.press("Shift+F")
    assert not terminal.chart("panes.scale(0)")["isFixed"], "the reset of the view fits the scale again"


def test_a_drag_along_the_time_axis_zooms_about_the_right_edge(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1m")
    terminal.freeze()
    plot = terminal.chart("plot()")
    axis = (plot["width"] / 2, plot["height"] + 10)
    terminal.page.mouse.move(*place(terminal, *axis))
    assert terminal.page.evaluate(CURSOR) == "ew-resize"
    visible = terminal.chart("visibleCount")
    drag(terminal, axis, -plot["width"] / 4, 0)
    assert terminal.chart("visibleCount") == pytest.approx(visible / 1.5, rel=0.02)
    drag(terminal, (plot["width"] / 4, axis[1]), plot["width"] / 4, 0)
    assert terminal.chart("visibleCount") == pytest.approx(visible, rel=0.02)
    terminal.page.mouse.dblclick(*place(terminal, *axis))
    terminal.painted()
    assert terminal.chart("isFollowing()")


def test_a_divider_is_dragged_and_a_pane_becomes_higher(terminal: Terminal, save_picture) -> None:
    terminal.open("BTC-USD/1m")
    add_study(terminal, "rsi")
    below = terminal.chart("panes.place(1)")
    assert below["height"] == pytest.approx(terminal.chart("plot()")["height"] * 0.3, abs=3), "30 % of the height"
    divider = (300, below["top"])
    terminal.page.mouse.move(*place(terminal, *divider))
    assert terminal.page.evaluate(CURSOR) == "row-resize"
    drag(terminal, divider, 0, -90)
    assert terminal.chart("panes.place(1)")["height"] == pytest.approx(below["height"] + 90, abs=2)
    save_picture(terminal.page, "desktop-panes")


def test_a_divider_is_moved_by_keyboard(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1m")
    add_study(terminal, "rsi")
    add_study(terminal, "macd")
    separators = terminal.page.get_by_role("separator")
    expect(separators).to_have_count(2)
    terminal.tab_to("[role=separator]")
    focused = terminal.page.locator(":focus")
    expect(focused).to_have_attribute("aria-label", "Height of the price pane")
    part = int(focused.get_attribute("aria-valuenow") or "")
    height = terminal.chart("panes.place(0)")["height"]
    for _ in range(4):
        terminal.page.keyboard.press("ArrowUp")
    terminal.painted()
    assert terminal.chart("panes.place(0)")["height"] == pytest.approx(height - 40, abs=4)
    eventually(lambda: int(focused.get_attribute("aria-valuenow") or "") < part, "its value is reported")
    terminal.page.keyboard.press("End")
    terminal.painted()
    assert terminal.chart("panes.place(1)")["height"] == pytest.approx(60, abs=2), "a pane keeps its least height"
    # A separator that goes gives the focus to the chart.
    terminal.page.evaluate(
        "candlewire.chart.change(chart => chart.studies.all().forEach(({ id }) => chart.studies.remove(id)))"
    )
    expect(separators).to_have_count(0)
    expect(terminal.page.locator("#chart")).to_be_focused()


def test_the_scale_of_a_study_s_pane_is_worked_by_keyboard(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1m")
    terminal.freeze()
    add_study(terminal, "macd")
    price = terminal.chart("panes.scale(0)")["range"]
    low, high = terminal.chart("panes.scale(1)")["range"]
    terminal.tab_to("[role=separator]")

    def pressed(key: str) -> list[float]:
        terminal.page.keyboard.press(key)
        terminal.painted()
        return terminal.chart("panes.scale(1)")["range"]

    closer = pressed("+")
    assert closer[1] - closer[0] == pytest.approx((high - low) / 1.15)
    assert pressed("-") == pytest.approx([low, high])
    below, above = pressed("PageUp")
    assert below > low and above - below == pytest.approx(high - low)
    assert terminal.chart("panes.scale(1)")["isFixed"]
    assert pressed("Shift+F") == pytest.approx([low, high])
    assert not terminal.chart("panes.scale(1)")["isFixed"]
    assert terminal.chart("panes.scale(0)")["range"] == price, "the prices stay"


def test_a_thrown_chart_goes_on_and_comes_to_rest(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1m")
    thrown = throw(terminal)
    eventually(lambda: terminal.chart("firstVisible") < thrown - 3, "it goes on")
    places: list[float] = []

    def rests() -> bool:
        terminal.painted()
        places.append(terminal.chart("firstVisible"))
        return len(places) > 5 and len(set(places[-5:])) == 1

    eventually(rests, "it comes to rest")


def test_with_less_motion_nothing_is_thrown(new_page, simulated: Server) -> None:
    page: Page = new_page(reduced_motion="reduce")
    terminal = Terminal(page, simulated).open("BTC-USD/1m")
    terminal.freeze()
    first = terminal.chart("firstVisible")
    places = [throw(terminal)]
    assert places[0] < first
    for _ in range(20):
        terminal.painted()
        places.append(terminal.chart("firstVisible"))
    assert len(set(places)) == 1


def test_a_finger_stretches_the_price_axis(new_page, simulated: Server) -> None:
    page: Page = new_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    terminal = Terminal(page, simulated).open("BTC-USD/1m")
    terminal.freeze()
    cdp = page.context.new_cdp_session(page)
    plot = terminal.chart("plot()")
    x, y = place(terminal, plot["width"] + 20, plot["height"] / 2)
    before = span(terminal.chart("panes.scale(0)"))

    def touch(kind: str, *points: tuple[float, float]) -> None:
        cdp.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": a, "y": b} for a, b in points]})

    touch("touchStart", (x, y))
    for step in range(1, 11):
        touch("touchMove", (x, y - step * 10))
        terminal.painted()
    touch("touchEnd")
    eventually(lambda: span(terminal.chart("panes.scale(0)")) < before * 0.8, "it is stretched")
    assert page.evaluate("scrollY") == 0, "the page stays"


def test_the_price_scale_is_stretched_and_moved_by_keyboard(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1m")
    terminal.freeze()
    terminal.page.locator("#chart").focus()
    fitting = terminal.chart("panes.scale(0)")
    terminal.page.keyboard.press("Shift+ArrowUp")
    near = terminal.chart("panes.scale(0)")
    assert near["isFixed"] and span(near) == pytest.approx(span(fitting) / 1.15)
    terminal.page.keyboard.press("Shift+PageUp")
    above = terminal.chart("panes.scale(0)")
    assert above["range"][0] > near["range"][0] and span(above) == pytest.approx(span(near))
    terminal.page.keyboard.press("Shift+PageDown")
    assert terminal.chart("panes.scale(0)")["range"] == pytest.approx(near["range"])
    terminal.page.keyboard.press("Shift+ArrowDown")
    assert span(terminal.chart("panes.scale(0)")) == pytest.approx(span(fitting))


def test_a_magnetic_crosshair_snaps_to_the_prices_of_its_bar(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1m")
    terminal.freeze()
    terminal.page.locator("#chart").focus()
    terminal.page.locator("#options-button").click()
    terminal.page.get_by_label("Crosshair snaps to prices").check()
    terminal.page.keyboard.press("Escape")
    heights = """() => {
        const { chart } = candlewire;
        const bar = chart.engineChart.bar(chart.engineChart.count - 20);
        window.given = [];
        const { crosshair } = chart.engineChart;
        chart.engineChart.crosshair = function (x, y) { given.push(y); return crosshair.call(this, x, y); };
        return [chart.engineChart.point(bar.timestamp, bar.high), chart.engineChart.point(bar.timestamp, bar.low)];
    }"""
    high, low = terminal.page.evaluate(heights)
    terminal.page.mouse.move(*place(terminal, high["x"], high["y"] - 15))
    terminal.painted()
    assert terminal.page.evaluate("given.at(-1)") == pytest.approx(high["y"])
    terminal.page.mouse.move(*place(terminal, low["x"], low["y"] + 15))
    terminal.painted()
    assert terminal.page.evaluate("given.at(-1)") == pytest.approx(low["y"])
    # Far from every price it goes with the pointer; so it does in other panes.
    plot = terminal.chart("plot()")
    terminal.page.mouse.move(*place(terminal, high["x"], plot["height"] + 10))
    terminal.painted()
    assert terminal.page.evaluate("given.at(-1)") == pytest.approx(plot["height"] + 10, abs=1)
