"""The chart's two canvases, and the hands that lie on it."""

from typing import Any

import pytest

from support.polling import eventually
from support.terminal import Terminal

PAINTS = "({ ...candlewire.chart.surface.paints })"
# The page's canvases one over the other, and the whole picture as the engine draws it at once.
DIFFERENT = """async () => {
    const { Painter } = await import('/engine/painter.js');
    const { chart } = candlewire;
    const [base, overlay] = ['chart-base', 'chart'].map(id => document.getElementById(id));
    const canvas = () => Object.assign(document.createElement('canvas'), { width: base.width, height: base.height });
    const [seen, whole] = [canvas(), canvas()];
    await new Promise(done => chart.addEventListener('drawn', done, { once: true }));
    seen.getContext('2d').drawImage(base, 0, 0);
    seen.getContext('2d').drawImage(overlay, 0, 0);
    const { words, floats } = chart.engineChart.render();
    new Painter(whole).paint(words, floats);
    const [a, b] = [seen, whole].map(each => each.getContext('2d').getImageData(0, 0, base.width, base.height).data);
    let count = 0;
    a.forEach((value, at) => { if (Math.abs(value - b[at]) > 8) count += 1; });
    return count / a.length;
}"""


def quiet(terminal: Terminal) -> None:
    """Nothing of the stream reaches the page any more, and what came before is painted."""
    terminal.silence()


def different_after(terminal: Terminal, change: str) -> float:
    """How far the canvases are from the whole picture once this was drawn."""
    return terminal.page.evaluate(
        f"() => {{ const counted = ({DIFFERENT})(); candlewire.chart.change({change}); return counted; }}"
    )


def paints(terminal: Terminal) -> dict[str, int]:
    terminal.painted()
    return terminal.page.evaluate(PAINTS)


def test_a_crosshair_move_repaints_the_overlay_alone(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1m")
    quiet(terminal)
    terminal.hover(0.3)
    before = paints(terminal)
    for step in range(20):
        terminal.hover(0.3 + step / 100, 0.3 + step / 100)
        terminal.painted()
    after = paints(terminal)
    assert after["base"] == before["base"]
    assert after["overlay"] - before["overlay"] >= 20
    # The same count does see a base that is painted.
    terminal.page.evaluate("candlewire.chart.change(chart => chart.pan(30))")
    assert paints(terminal)["base"] == after["base"] + 1


def test_a_frame_without_a_change_paints_nothing(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1m")
    quiet(terminal)
    before = paints(terminal)
    terminal.page.evaluate("candlewire.chart.invalidate()")
    assert paints(terminal) == before


def test_while_bars_move_one_canvas_is_painted_and_the_pointer_parts_them_again(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1m")
    quiet(terminal)
    terminal.hover(0.4)

    def moved(steps: int) -> dict[str, int]:
        before = paints(terminal)
        for _ in range(steps):
            terminal.page.evaluate("candlewire.chart.change(chart => chart.pan(7))")
            terminal.painted()
        after = paints(terminal)
        return {name: after[name] - before[name] for name in after}

    # Three as two pictures, and with the fourth the overlay is emptied.
    assert moved(8) == {"base": 8, "overlay": 4}
    assert moved(5) == {"base": 5, "overlay": 0}
    assert different_after(terminal, "chart => chart.pan(7)") < 1e-4
    before = paints(terminal)
    terminal.hover(0.45)
    after = paints(terminal)
    # Its lists are read from the base once, and the crosshair goes on alone.
    assert after["base"] == before["base"] + 1 and after["overlay"] > before["overlay"]
    assert different_after(terminal, "chart => chart.crosshair(200, 200)") < 1e-4


def test_both_canvases_together_are_the_whole_picture(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1m")
    for across in (0.2, 0.6, 0.9):
        terminal.hover(across)
        terminal.page.evaluate("candlewire.chart.change(chart => chart.pan(11))")
        assert terminal.page.evaluate(DIFFERENT) < 1e-4
    terminal.page.set_viewport_size({"width": 1000, "height": 700})
    terminal.painted()
    assert terminal.page.evaluate(DIFFERENT) < 1e-4


def test_the_saved_picture_has_bars_and_crosshair(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1m")
    quiet(terminal)
    terminal.hover(0.4)
    terminal.painted()
    found = terminal.page.evaluate(
        """async () => {
            const picture = await createImageBitmap(await candlewire.chart.picture());
            const canvas = document.createElement('canvas');
            Object.assign(canvas, { width: picture.width, height: picture.height });
            const pixels = each => each.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
            canvas.getContext('2d').drawImage(picture, 0, 0);
            const [saved, base] = [canvas, document.getElementById('chart-base')].map(pixels);
            let different = 0;
            saved.forEach((value, at) => { if (value !== base[at]) different += 1; });
            return different / saved.length;
        }"""
    )
    assert 0 < found < 0.2, "the bars of the base, and over them the crosshair and the legend"


RECORD = """() => {
    window.received = [];
    window.accepts = true;
    const record = name => (...all) => { received.push([name, ...all.slice(0, 3).filter(each => typeof each === 'number')]); };
    candlewire.chart.addHandler({
        press: (...all) => { record('press')(...all); return accepts; },
        move: record('move'),
        release: record('release'),
        hover: (x, y) => x < 300 ? 'grab' : '',
        cancel: record('cancel'),
        key: event => event.key === 'd',
    });
}"""


def received(terminal: Terminal) -> list[list[Any]]:
    return terminal.page.evaluate("received.splice(0)")


def test_a_hand_keeps_the_pointer_until_it_is_up(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1m")
    terminal.page.evaluate(RECORD)
    first = terminal.chart("firstVisible")
    terminal.drag(200)
    names = [name for name, *_ in received(terminal)]
    assert names[0] == "press" and names[-1] == "release" and names.count("move") >= 5
    assert terminal.chart("firstVisible") == pytest.approx(first, abs=1.5), "the chart stays but for a new bar"
    terminal.page.evaluate("accepts = false")
    terminal.drag(200)
    assert [name for name, *_ in received(terminal)] == ["press"]
    assert terminal.chart("firstVisible") < first - 5


def test_a_hand_gives_the_cursor_and_takes_its_keys(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1m")
    terminal.page.evaluate(RECORD)
    cursor = "getComputedStyle(document.getElementById('chart')).cursor"
    box = terminal.chart_box()
    terminal.page.mouse.move(box["x"] + 200, box["y"] + 200)
    assert terminal.page.evaluate(cursor) == "grab"
    terminal.page.mouse.move(box["x"] + 500, box["y"] + 200)
    assert terminal.page.evaluate(cursor) == "crosshair"
    terminal.page.locator("#chart").focus()
    prevented = """key => {
        const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
        document.getElementById('chart').dispatchEvent(event);
        return event.defaultPrevented;
    }"""
    assert terminal.page.evaluate(prevented, "d")
    assert not terminal.page.evaluate(prevented, "ö"), "a key without a meaning"


def test_a_second_finger_takes_the_chart_back_from_a_hand(new_page, simulated) -> None:
    page = new_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    terminal = Terminal(page, simulated).open("BTC-USD/1m")
    page.evaluate(RECORD)
    cdp = page.context.new_cdp_session(page)
    box = terminal.chart_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    visible = terminal.chart("visibleCount")

    def touch(kind: str, *points: tuple[float, float]) -> None:
        cdp.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": a, "y": b} for a, b in points]})

    touch("touchStart", (x - 30, y))
    assert received(terminal)[0][-1] == 18, "a finger needs more room"
    touch("touchStart", (x - 30, y), (x + 30, y))
    for apart in range(35, 95, 5):
        touch("touchMove", (x - apart, y), (x + apart, y))
    touch("touchEnd")
    eventually(lambda: terminal.chart("visibleCount") < visible * 0.7, "the pinch is the chart's")
    assert "cancel" in [name for name, *_ in received(terminal)]


def test_the_panel_announces_each_closed_bar_once(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1s")
    closed = terminal.page.evaluate(
        """() => new Promise(done => {
            const closed = [];
            candlewire.chart.addEventListener('bar', ({ detail }) => {
                closed.push(detail.timestamp);
                if (closed.length === 4) done(closed);
            });
        })"""
    )
    assert closed == sorted(set(closed))
    # All of them, but for seconds without a trade.
    bars = [bar["timestamp"] for bar in terminal.bars()]
    assert closed == [at for at in bars if closed[0] <= at <= closed[-1]]


def test_the_panel_reports_another_stream_and_its_bars(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1m")
    terminal.page.evaluate(
        """() => {
            window.reported = [];
            for (const name of ['ready', 'selected', 'loaded']) {
                candlewire.chart.addEventListener(name, () => reported.push([name, candlewire.chart.selection.symbol]));
            }
        }"""
    )
    terminal.row("ETH-USD").click()
    terminal.wait_for_selection("ETH-USD", "1m")
    assert terminal.page.evaluate("reported") == [["selected", "ETH-USD"], ["loaded", "ETH-USD"]]
