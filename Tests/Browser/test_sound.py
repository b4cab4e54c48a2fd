"""The chart as sound: which tones are played, how they are controlled, and what screen readers announce."""

import math

import pytest
from playwright.sync_api import Page, expect

from support.polling import eventually
from support.terminal import Terminal

# Every oscillator that starts, with its frequency, its duration, and its place between the ears.
RECORD = """() => {
    window.tones = [];
    window.contexts = 0;
    const Context = window.AudioContext;
    window.AudioContext = class extends Context { constructor(...rest) { super(...rest); contexts += 1; } };
    const { start, stop } = OscillatorNode.prototype;
    const panners = [];
    const Panner = window.StereoPannerNode;
    window.StereoPannerNode = class extends Panner { constructor(...rest) { super(...rest); panners.push(this); } };
    OscillatorNode.prototype.start = function (when) {
        this.recorded = { frequency: this.frequency.value, type: this.type, pan: panners.at(-1).pan.value, start: when,
            index: candlewire.chart.legend().index };
        tones.push(this.recorded);
        return start.call(this, when);
    };
    OscillatorNode.prototype.stop = function (when) {
        this.recorded.seconds = when - this.recorded.start;
        return stop.call(this, when);
    };
}"""

LOWEST, HIGHEST = 130.8128, 1046.502


@pytest.fixture
def chart(terminal: Terminal) -> Terminal:
    terminal.open("BTC-USD/1d")
    terminal.page.evaluate(RECORD)
    # Fewer bars: a test does not listen to 200.
    terminal.page.evaluate("candlewire.chart.zoom(4)")
    terminal.painted()
    terminal.page.locator("#chart").focus()
    return terminal


def tones(page: Page) -> list[dict]:
    return page.evaluate("tones")


def visible(page: Page) -> list[dict]:
    """The bars on screen: index and close."""
    return page.evaluate(
        """() => {
            const chart = candlewire.chart.engineChart;
            const last = Math.min(chart.count - 1, Math.ceil(chart.firstVisible + chart.visibleCount) - 1);
            const first = Math.max(0, Math.floor(chart.firstVisible));
            return Array.from({ length: last - first + 1 }, (_, at) => ({ index: first + at, close: chart.bar(first + at).close }));
        }"""
    )


def expected_pitch(close: float, closes: list[float]) -> float:
    """Of a price: its place between the lowest and the highest, in logarithms of price and of pitch."""
    low, high = min(closes), max(closes)
    place = (math.log(close) - math.log(low)) / (math.log(high) - math.log(low))
    return LOWEST * (HIGHEST / LOWEST) ** place


def test_nothing_sounds_until_someone_plays(chart: Terminal) -> None:
    page = chart.page
    expect(page.locator("#sound")).to_be_hidden()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Space")
    assert page.evaluate("contexts") == 0 and tones(page) == []


def test_shift_l_plays_the_bars_on_screen_from_left_to_right(chart: Terminal) -> None:
    page = chart.page
    page.locator("#sound-speed").evaluate("select => (select.value = 'fast')")
    bars = visible(page)
    page.keyboard.press("Shift+L")
    expect(page.get_by_role("group", name="The chart as sound")).to_be_visible()
    last = bars[-1]["index"]
    eventually(lambda: any(tone["index"] == last for tone in tones(page)), "the last bar sounds")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    played = tones(page)
    # The newest bar still changes; the others are as they were.
    closed = bars[:-1]
    assert [tone["index"] for tone in played][: len(closed)] == [bar["index"] for bar in closed]
    closes = [bar["close"] for bar in bars]
    for tone, bar in zip(played, closed):
        assert tone["frequency"] == pytest.approx(expected_pitch(bar["close"], closes), rel=0.02)
        assert LOWEST - 0.01 <= tone["frequency"] <= HIGHEST + 0.01
        assert tone["seconds"] <= 0.2 and tone["type"] == "sine"
    assert played[0]["pan"] == -1 and played[-1]["pan"] == 1
    pans = [tone["pan"] for tone in played]
    assert pans == sorted(pans)
    assert len(played) == len(bars), "a tone a bar"
    assert page.evaluate("contexts") == 1


def test_space_pauses_and_reads_the_bar_and_arrows_step_with_the_bar_read(chart: Terminal) -> None:
    page = chart.page
    page.locator("#sound-speed").evaluate("select => (select.value = 'slow')")
    page.keyboard.press("Shift+L")
    eventually(lambda: len(tones(page)) >= 3, "it plays")
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    at = tones(page)[-1]["index"]
    expect(page.locator("#announcements")).to_contain_text(f"Bar {at + 1} of")
    count = len(tones(page))
    page.keyboard.press("ArrowRight")
    eventually(lambda: len(tones(page)) == count + 1, "the next bar sounds")
    assert tones(page)[-1]["index"] == at + 1
    expect(page.locator("#announcements")).to_contain_text(f"Bar {at + 2} of")
    page.keyboard.press("ArrowLeft")
    eventually(lambda: tones(page)[-1]["index"] == at, "the bar before sounds")
    page.keyboard.press(">")
    expect(page.locator("#announcements")).to_contain_text("Speed: normal.")
    page.keyboard.press("Escape")
    expect(page.locator("#sound")).to_be_hidden()
    expect(page.locator("#announcements")).to_contain_text("Sound off.")
    count = len(tones(page))
    page.keyboard.press("ArrowLeft")
    chart.painted()
    assert len(tones(page)) == count


def test_the_controls_do_the_same_with_visible_focus(chart: Terminal) -> None:
    page = chart.page
    page.get_by_role("button", name="Chart settings").click()
    page.get_by_role("button", name="Play the bars as sound").click()
    eventually(lambda: len(tones(page)) >= 2, "it plays")
    pause = page.get_by_role("button", name="Pause", exact=True)
    pause.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_focused()
    outline = page.locator("#sound-play").evaluate("each => getComputedStyle(each).outlineStyle")
    assert outline != "none"
    at, count = tones(page)[-1]["index"], len(tones(page))
    page.get_by_role("button", name="Next bar").click()
    eventually(lambda: len(tones(page)) == count + 1 and tones(page)[-1]["index"] == at + 1, "one bar on")
    page.get_by_role("button", name="Previous bar").click()
    eventually(lambda: tones(page)[-1]["index"] == at, "one bar back")
    page.get_by_role("button", name="Sound off").click()
    expect(page.locator("#chart")).to_be_focused()


def test_another_market_and_a_hidden_tab_end_it(chart: Terminal) -> None:
    page = chart.page
    page.keyboard.press("Shift+L")
    eventually(lambda: len(tones(page)) >= 2, "it plays")
    page.evaluate("candlewire.terminal.choose({ timeframe: '1h' })")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    chart.painted()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause", exact=True)).to_be_visible()
    page.evaluate(
        """() => {
            Object.defineProperty(document, 'hidden', { get: () => true, configurable: true });
            document.dispatchEvent(new Event('visibilitychange'));
        }"""
    )
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_the_keyboard_help_lists_it(chart: Terminal) -> None:
    chart.page.keyboard.press("?")
    expect(chart.page.locator("#shortcuts")).to_contain_text("The chart as sound")


@pytest.mark.parametrize(("frequency", "pan"), [(LOWEST, -1), (440, 0), (HIGHEST, 1)])
def test_a_rendered_tone_has_its_pitch_its_side_and_no_click(chart: Terminal, frequency: float, pan: float) -> None:
    """Rendered without a loudspeaker: what is counted is the sound itself."""
    found = chart.page.evaluate(
        """async ([frequency, pan]) => {
            const { playTone } = await import('/a11y/tones.js');
            const rate = 48000;
            const audio = new OfflineAudioContext(2, rate / 2, rate);
            playTone(audio, { frequency, pan, seconds: 1 });
            const sound = await audio.startRendering();
            const sides = [0, 1].map(side => sound.getChannelData(side));
            const power = sides.map(side => side.reduce((sum, each) => sum + each * each, 0));
            const loud = power[0] >= power[1] ? sides[0] : sides[1];
            let [ups, first, last, end, jump] = [0, 0, 0, 0, 0];
            for (let at = 1; at < loud.length; at += 1) {
                if (loud[at - 1] < 0 && loud[at] >= 0) { ups += 1; first ||= at; last = at; }
                if (Math.abs(loud[at]) > 1e-4) end = at;
                jump = Math.max(jump, Math.abs(loud[at] - loud[at - 1]));
            }
            return { hertz: (ups - 1) / ((last - first) / rate), seconds: end / rate, power, jump,
                peak: loud.reduce((most, each) => Math.max(most, Math.abs(each)), 0) };
        }""",
        [frequency, pan],
    )
    assert found["hertz"] == pytest.approx(frequency, rel=0.005)
    assert 0.18 < found["seconds"] <= 0.2
    assert 0.1 < found["peak"] <= 0.26
    left, right = found["power"]
    if pan == 0:
        assert left == pytest.approx(right, rel=0.01)
    else:
        assert (left > 100 * right) if pan < 0 else (right > 100 * left)
    # No step is larger than a sine of this pitch makes: it neither begins nor ends at once.
    assert found["jump"] < 1.1 * 0.25 * 2 * math.pi * frequency / 48000


def test_the_mapping_of_prices(chart: Terminal) -> None:
    found = chart.page.evaluate(
        """async () => {
            const { pitch, pan, priceRange } = await import('/a11y/tones.js');
            return {
                ratios: [100, 110, 121].map(price => pitch(price, { low: 100, high: 200 })),
                ends: [100, 200, 50, 400].map(price => pitch(price, { low: 100, high: 200 })),
                flat: pitch(5, { low: 5, high: 5 }),
                negative: [-10, 0, 10].map(price => pitch(price, { low: -10, high: 10 })),
                pans: [3, 5, 7, 9, 1].map(index => pan(index, { first: 3, last: 7 })),
                one: pan(3, { first: 3, last: 3 }),
                range: priceRange([3, 1, 2]),
            };
        }"""
    )
    one, two, three = found["ratios"]
    assert two / one == pytest.approx(three / two), "an equal percentage is an equal interval"
    assert found["ends"] == pytest.approx([LOWEST, HIGHEST, LOWEST, HIGHEST])
    middle = math.sqrt(LOWEST * HIGHEST)
    assert found["flat"] == pytest.approx(middle)
    assert found["negative"] == pytest.approx([LOWEST, middle, HIGHEST])
    assert found["pans"] == [-1, 0, 1, 1, -1] and found["one"] == 0
    assert found["range"] == {"low": 1, "high": 3}
