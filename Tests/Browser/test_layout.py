"""Widths, themes, touch and contrast."""

from collections.abc import Callable

import pytest
from playwright.sync_api import CDPSession, Page, expect

from support.polling import eventually
from support.server import Server
from support.terminal import Terminal

PHONE = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}

CONTRASTS = """() => {
    const parse = text => { const [r, g, b, a = 1] = text.match(/[\\d.]+/g).map(Number); return { r, g, b, a }; };
    const linear = part => (part /= 255) <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    const luminance = ({ r, g, b }) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
    const ground = element => {
        for (let each = element; each; each = each.parentElement) {
            const colour = parse(getComputedStyle(each).backgroundColor);
            if (colour.a === 1) return colour;
        }
        return { r: 255, g: 255, b: 255 };
    };
    const found = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const element = texts.currentNode.parentElement;
        const isSeen = element.checkVisibility() && !element.closest('.visually-hidden, .skip-link');
        if (!texts.currentNode.textContent.trim() || !isSeen) continue;
        const light = luminance(parse(getComputedStyle(element).color));
        const dark = luminance(ground(element));
        const ratio = (Math.max(light, dark) + 0.05) / (Math.min(light, dark) + 0.05);
        found.push([texts.currentNode.textContent.trim(), Math.round(ratio * 100) / 100]);
    }
    return found;
}"""


@pytest.fixture
def phone(new_page: Callable[..., Page], simulated: Server) -> Terminal:
    return Terminal(new_page(**PHONE), simulated)


def touch(cdp: CDPSession, kind: str, *points: tuple[float, float]) -> None:
    cdp.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})


def swipe(terminal: Terminal, dx: float, dy: float) -> None:
    """One finger over the middle of the chart, a step a frame."""
    cdp = terminal.page.context.new_cdp_session(terminal.page)
    box = terminal.chart_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    touch(cdp, "touchStart", (x, y))
    for step in range(1, 21):
        touch(cdp, "touchMove", (x + dx * step / 20, y + dy * step / 20))
        terminal.painted()
    touch(cdp, "touchEnd")


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_a_phone_shows_everything_without_scrolling_sideways(
    new_page: Callable[..., Page], simulated: Server, save_picture, scheme: str
) -> None:
    page = new_page(**PHONE, color_scheme=scheme)
    terminal = Terminal(page, simulated).open("BTC-USD/1m")
    terminal.painted()
    save_picture(page, f"phone-{scheme}")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    chart, markets = terminal.chart_box(), page.locator("#market-list").bounding_box()
    assert chart["y"] < markets["y"] and chart["width"] >= 370
    terminal.row("ATOM-USD").scroll_into_view_if_needed()
    save_picture(page, f"phone-{scheme}-markets")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    # Choosing a market brings its chart back on screen.
    terminal.row("ATOM-USD").tap()
    terminal.wait_for_selection("ATOM-USD", "1m")
    eventually(lambda: page.evaluate("scrollY") == 0, "the chart is on screen")
    assert page.complaints == []


@pytest.mark.parametrize("width", [320, 360, 768, 1024, 1280, 1920])
def test_no_width_scrolls_sideways(page: Page, simulated: Server, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    terminal = Terminal(page, simulated).open("BTC-USD/1m")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert terminal.chart_box()["height"] >= 300


def test_the_connections_figures_give_way_on_a_phone(phone: Terminal) -> None:
    phone.open("BTC-USD/1m")
    for width in (320, 360, 390, 430):
        phone.page.set_viewport_size({"width": width, "height": 844})
        # In one go: the figures are measured anew every second.
        *wide, cut = phone.page.evaluate(
            """() => {
                const figures = document.getElementById('status-figures');
                figures.textContent = '1,112 msg/s · 1,112 ms';
                const toggle = document.getElementById('theme-toggle').getBoundingClientRect();
                return [document.documentElement.scrollWidth, toggle.right, figures.scrollWidth > figures.clientWidth];
            }"""
        )
        assert max(wide) <= width
        assert not cut, "half a number says nothing"


def test_more_timeframes_and_the_last_market_are_in_reach_on_a_phone(phone: Terminal) -> None:
    phone.open("BTC-USD/1m")
    reached = phone.page.evaluate(
        """() => {
            const isOnTop = (each, below) => {
                const box = each.getBoundingClientRect();
                const points = [box.left + 4, box.right - 4].map(x => document.elementFromPoint(x, box.top + box.height / 2));
                return points.every(point => each.contains(point)) && box.bottom <= below;
            };
            const more = isOnTop(document.getElementById('more-timeframes-button'), innerHeight);
            scrollTo(0, document.documentElement.scrollHeight);
            const bar = document.getElementById('trade-dock').getBoundingClientRect();
            return [more, isOnTop(document.querySelector('#market-list > :last-child'), bar.top)];
        }"""
    )
    assert reached == [True, True]


@pytest.mark.parametrize("width", ["100%", "70%"])
def test_targets_have_room_for_a_finger(phone: Terminal, width: str) -> None:
    """With a font as narrow as any, too."""
    phone.open("BTC-USD/1m")
    phone.page.evaluate(
        """async width => {
            const font = new FontFace('Resized', 'local("DejaVu Sans")', { sizeAdjust: width });
            document.fonts.add(await font.load());
            document.documentElement.style.setProperty('--font', 'Resized');
        }""",
        width,
    )
    phone.page.locator("#more-timeframes-button").tap()
    small = phone.page.evaluate(
        """() => [...document.querySelectorAll('button, input, [role=option]')]
            .filter(each => each.checkVisibility() && !each.disabled)
            .map(each => [each.id || each.textContent, each.getBoundingClientRect()])
            .filter(([, box]) => box.height < 44 || box.width < 44)
            .map(([name, box]) => `${name}: ${box.width} x ${box.height}`)"""
    )
    assert small == []


def test_a_finger_pans_sideways_and_scrolls_the_page_up_and_down(phone: Terminal) -> None:
    phone.open("BTC-USD/1m")
    first = phone.chart("firstVisible")
    swipe(phone, 120, 0)
    eventually(lambda: phone.chart("firstVisible") < first - 10, "the chart pans")
    assert phone.page.evaluate("scrollY") == 0
    expect(phone.page.locator("#live-button")).to_be_visible()
    swipe(phone, 0, -200)
    eventually(lambda: phone.page.evaluate("scrollY") > 100, "the page scrolls")


def test_two_fingers_zoom(phone: Terminal) -> None:
    phone.open("BTC-USD/1m")
    cdp = phone.page.context.new_cdp_session(phone.page)
    box = phone.chart_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    visible = phone.chart("visibleCount")
    touch(cdp, "touchStart", (x - 30, y), (x + 30, y))
    for apart in range(35, 95, 5):
        touch(cdp, "touchMove", (x - apart, y), (x + apart, y))
    touch(cdp, "touchEnd")
    eventually(lambda: phone.chart("visibleCount") < visible * 0.6, "a pinch outwards comes closer")
    assert phone.page.evaluate("visualViewport.scale") == 1


def test_a_long_press_reads_values(phone: Terminal) -> None:
    phone.open("BTC-USD/1h")
    cdp = phone.page.context.new_cdp_session(phone.page)
    box = phone.chart_box()
    x, y = box["x"] + box["width"] / 3, box["y"] + box["height"] / 2
    last = phone.chart("count") - 1
    touch(cdp, "touchStart", (x, y))
    eventually(lambda: phone.legend()["index"] < last - 5, "the legend reads the bar under the finger")
    first, index = phone.chart("firstVisible"), phone.legend()["index"]
    touch(cdp, "touchMove", (x - 60, y))
    eventually(lambda: phone.legend()["index"] < index, "the crosshair follows the finger")
    assert phone.chart("firstVisible") == first, "the chart stays"
    touch(cdp, "touchEnd")


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_text_has_contrast(new_page: Callable[..., Page], simulated: Server, scheme: str) -> None:
    page = new_page(color_scheme=scheme)
    Terminal(page, simulated).open("BTC-USD/1m")
    # The list of markets and the desk come after the chart.
    eventually(lambda: len(page.evaluate(CONTRASTS)) > 60, "all of the page is there", within=60)
    measured = page.evaluate(CONTRASTS)
    assert [(text, ratio) for text, ratio in measured if ratio < 4.5] == []


def test_the_light_theme_is_the_systems_or_chosen_and_remembered(
    new_page: Callable[..., Page], simulated: Server, save_picture
) -> None:
    page = new_page(color_scheme="light")
    terminal = Terminal(page, simulated).open("BTC-USD/1m")
    terminal.painted()
    save_picture(page, "desktop-light")
    ground = "getComputedStyle(document.body).backgroundColor"
    # Most of a corner: a line of the grid may run through it.
    corner = """() => {
        const { data } = document.getElementById("chart-base").getContext("2d").getImageData(2, 2, 12, 12);
        const counts = new Map();
        for (let at = 0; at < data.length; at += 4) {
            const colour = String([...data.slice(at, at + 3)]);
            counts.set(colour, (counts.get(colour) ?? 0) + 1);
        }
        return [...counts].sort((a, b) => b[1] - a[1])[0][0].split(",").map(Number);
    }"""
    light = page.evaluate(ground)
    eventually(lambda: page.evaluate(corner) == [255, 255, 255], "the chart is light", within=60)
    page.locator("#theme-toggle").click()
    eventually(lambda: page.evaluate(ground) != light, "the page is dark", within=60)
    eventually(lambda: max(page.evaluate(corner)) < 64, "the chart is dark", within=60)
    page.reload()
    terminal.wait_until_live()
    assert page.evaluate(ground) != light, "the choice is remembered"


def test_the_canvas_is_sharp_and_follows_its_size(
    page: Page, simulated: Server, new_page: Callable[..., Page]
) -> None:
    page = new_page(device_scale_factor=2)
    terminal = Terminal(page, simulated).open("BTC-USD/1m")
    for width, height in ((1440, 900), (1000, 700), (500, 900)):
        page.set_viewport_size({"width": width, "height": height})
        terminal.painted()
        box = terminal.chart_box()
        sizes = page.evaluate("[...document.querySelectorAll('.chart-canvas')].map(each => [each.width, each.height])")
        assert sizes == [[round(box["width"] * 2), round(box["height"] * 2)]] * 2


def test_no_stylesheet_is_loaded_twice(terminal: Terminal) -> None:
    terminal.open("BTC-USD/1m")
    links = terminal.page.locator("link[rel=stylesheet]").evaluate_all("links => links.map(link => link.href)")
    imported = terminal.page.evaluate(
        "[...document.styleSheets].flatMap(sheet => [...sheet.cssRules].map(rule => rule.styleSheet?.href ?? []).flat())"
    )
    assert len(links) > 20 and sorted(links + imported) == sorted({*links, *imported})


def test_less_motion_is_respected(new_page: Callable[..., Page], simulated: Server) -> None:
    page = new_page(reduced_motion="reduce")
    terminal = Terminal(page, simulated).open("BTC-USD/1m")
    terminal.wait_for_ticks(20)
    assert page.evaluate("document.getAnimations().length") == 0
