"""A day of trades through a page with studies on: `make soak`. The tests play half an hour of it."""

import json
import os
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import CDPSession, Page

from support.scripted_stream import ScriptedStream
from support.server import Server
from support.terminal import Terminal

pytestmark = pytest.mark.long

HOURS = float(os.environ.get("CANDLEWIRE_SOAK_HOURS", "0.5"))
# Bars of a second, so that a day is several times what a chart keeps; a short run keeps fewer.
CAPACITY = 10_000 if HOURS >= 12 else 500
TICKS_PER_SECOND = 20
SYMBOL = "BTC-USD"
STUDIES = ("rsi", "macd", "bollinger", "ema", "vwap", "adx", "supertrend")
BEGIN = 1_732_060_800
# Seconds of the market between two looks at the memory.
STRIDE = 600 if HOURS >= 12 else 120


@dataclass
class Market:
    """Twenty trades in each second of a random walk, and the bars they come to."""

    seed: int
    second: int = BEGIN
    offset: int = 0
    bars: dict[int, list[float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)
        self._cents = 6_000_000

    def seconds(self, count: int) -> Iterator[str]:
        """The messages of the next seconds: every trade, and the finished bar of all but every tenth second, which the
        page has to know from its trades alone.
        """
        for _ in range(count):
            bar: list[float] = []
            for trade in range(TICKS_PER_SECOND):
                self._cents = max(100, self._cents + self._random.randint(-900, 900))
                price, volume = self._cents / 100, self._random.randint(1, 400) / 256
                time = self.second + trade / TICKS_PER_SECOND
                if not bar:
                    bar = [price, price, price, price, 0.0]
                bar[1], bar[2], bar[3] = max(bar[1], price), min(bar[2], price), price
                bar[4] += volume
                self.offset += 1
                yield (
                    f'{{"type":"tick","symbol":"{SYMBOL}","timestamp":{time},"price":{price},"volume":{volume},'
                    f'"offset":{self.offset}}}'
                )
            if self.second % 10 != 0:
                self.offset += 1
                prices = dict(zip(("open", "high", "low", "close", "volume"), bar, strict=True))
                message = {"type": "candle", "symbol": SYMBOL, "timeframe": "1s", "timestamp": self.second, **prices}
                yield json.dumps(message | {"final": True, "revision": 0, "quality": "complete", "offset": self.offset})
            self.bars[self.second] = bar
            self.second += 1


@pytest.fixture
def market() -> Market:
    return Market(seed=20_261_121)


@pytest.fixture
def stream(market: Market) -> Iterator[ScriptedStream]:
    list(market.seconds(300))
    names = ("timestamp", "open", "high", "low", "close", "volume")
    candles = [dict(zip(names, (second, *bar), strict=True)) for second, bar in market.bars.items()]
    market.offset = 0
    stream = ScriptedStream({(SYMBOL, "1s"): candles})
    yield stream
    stream.stop()


@pytest.fixture
def page(new_page: Callable[..., Page]) -> Page:
    """One that may connect to another server than its own."""
    return new_page(bypass_csp=True)


def follow(page: Page, simulated: Server, stream: ScriptedStream) -> Terminal:
    """The real page, connected to the scripted stream, with its studies on."""
    page.add_init_script(
        f"""window.WebSocket = class extends WebSocket {{
            constructor() {{ super("ws://127.0.0.1:{stream.port}/v1/stream"); }}
        }};"""
    )
    page.route("**/v1/candles*", lambda route: route.fulfill(json=[]))
    terminal = Terminal(page, simulated).open(f"{SYMBOL}/1s")
    stream.wait_for(SYMBOL, "1s")
    page.evaluate(
        """([capacity, studies]) => candlewire.chart.change((chart) => {
            chart.setCapacity(capacity);
            for (const each of studies) {
                chart.studies.add(candlewire.engine.studies.findIndex(({ identifier }) => identifier === each));
            }
        })""",
        [CAPACITY, STUDIES],
    )
    return terminal


def memory(page: Page, session: CDPSession) -> tuple[float, float]:
    """Megabytes of JavaScript, after its garbage is gone, and of the engine."""
    session.send("HeapProfiler.collectGarbage")
    usage = session.send("Runtime.getHeapUsage")
    engine = page.evaluate("candlewire.engine.exports.memory.buffer.byteLength")
    return (usage["usedSize"] + usage["backingStorageSize"]) / 1e6, engine / 1e6


def average_since_midnight(market: Market) -> float:
    """The volume-weighted average of typical prices over the newest bar's day."""
    midnight = (market.second - 1) // 86_400 * 86_400
    bars = [bar for second, bar in market.bars.items() if second >= midnight]
    money = sum((high + low + close) / 3 * volume for _, high, low, close, volume in bars)
    return money / sum(volume for *_, volume in bars)


# Seven studies of the newest bar, beside those of a chart that was given the same bars at once.
STUDY_VALUES = """() => {
    const chart = candlewire.chart.engineChart;
    const other = candlewire.engine.createChart();
    const rows = new Float64Array(chart.count * 6);
    for (let i = 0; i < chart.count; i += 1) {
        const { timestamp, open, high, low, close, volume } = chart.bar(i);
        rows.set([timestamp, open, high, low, close, volume], i * 6);
    }
    other.setCapacity(chart.count);
    other.setTimeframe(0);
    other.setData(rows, false);
    const values = ({ studies, count }, id, study) =>
        study.outputs.map((_, output) => studies.value(id, output, count - 1));
    const pairs = chart.studies.all().map(({ id, kind }) => {
        const study = candlewire.engine.studies[kind];
        return [study.identifier, values(chart, id, study), values(other, other.studies.add(kind), study)];
    });
    other.free();
    return pairs;
}"""


def test_a_day_of_trades_leaves_the_memory_flat_and_loses_nothing(
    page: Page, simulated: Server, market: Market, stream: ScriptedStream, save_picture
) -> None:
    terminal = follow(page, simulated, stream)
    session = page.context.new_cdp_session(page)
    received = page.evaluate("candlewire.session.diagnostics.messagesIn")
    end = market.second + int(HOURS * 3600)
    full: list[tuple[float, float]] = []
    while market.second < end:
        messages = list(market.seconds(min(STRIDE, end - market.second)))
        stream.send(messages)
        received += len(messages)
        page.wait_for_function(
            "count => candlewire.session.diagnostics.messagesIn >= count", arg=received, timeout=120_000
        )
        terminal.painted()
        if len(market.bars) >= CAPACITY:
            full.append(memory(page, session))

    diagnostics = page.evaluate("candlewire.session.diagnostics")
    reported = {name: diagnostics[name] for name in ("gaps", "duplicates", "skipped", "malformed", "reloaded")}
    assert reported == {"gaps": 0, "duplicates": 0, "skipped": 0, "malformed": 0, "reloaded": 0}
    assert diagnostics["connects"] == 1

    bars = terminal.bars()
    expected = list(market.bars.items())[-CAPACITY:]
    assert [bar["timestamp"] for bar in bars] == [second for second, _ in expected]
    for bar, (second, prices) in zip(bars, expected, strict=True):
        assert [bar[name] for name in ("open", "high", "low", "close", "volume")] == prices, second

    for study, streamed, at_once in page.evaluate(STUDY_VALUES):
        if study == "vwap":
            # The average since midnight knows the bars that the chart no longer keeps.
            at_once = [average_since_midnight(market)]
        assert streamed == pytest.approx(at_once, rel=1e-9, nan_ok=True), study

    # The first looks see room that is made once, for instance where a study's columns move up.
    steady = full[len(full) // 2 :]
    engine = {megabytes for _, megabytes in steady}
    scripts = [megabytes for megabytes, _ in steady]
    print(
        f"{HOURS:g} h, {market.offset:,} messages, {len(full)} looks at a full chart: JavaScript"
        f" {full[0][0]:.1f} MB at first, {min(scripts):.1f} to {max(scripts):.1f} MB then, {scripts[-1]:.1f} MB at the end;"
        f" engine {full[0][1]:.1f} MB, {max(engine):.1f} MB at the end"
    )
    assert len(engine) == 1, "the engine's memory no longer grows"
    assert scripts[-1] <= scripts[0] + 1, "JavaScript's memory no longer grows"
    save_picture(page, "desktop-soak")
