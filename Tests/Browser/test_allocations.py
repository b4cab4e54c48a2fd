"""A frame allocates no memory, counted in the module that the page loads."""

import pytest
from playwright.sync_api import Page

from support.server import Server

SET_UP = """async () => {
    const { Engine } = await import('/engine/engine.js');
    const engine = await Engine.load('/candlewire.wasm');
    const chart = engine.createChart();
    const rows = new Float64Array(3000 * 6);
    let price = 60_000;
    let state = 7;
    const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
    for (let i = 0; i < 3000; i += 1) {
        const close = Math.round((price + (random() - 0.5) * 40) * 100) / 100;
        const range = [Math.max(price, close) + 3, Math.min(price, close) - 3];
        rows.set([1_700_000_000 - 1_700_000_000 % 60 + i * 60, price, ...range, close, 1 + random()], i * 6);
        price = close;
    }
    chart.resize(1200, 700, 2);
    chart.setTimeframe(3);
    chart.setSymbol('BTC-USD', 2);
    chart.setData(rows, false);
    for (const study of ['rsi', 'macd', 'bollinger', 'ema', 'supertrend']) {
        chart.studies.add(engine.studies.findIndex(({ identifier }) => identifier === study));
    }
    const last = rows.at(-6);
    const counter = () => engine.exports.cw_allocation_count();
    window.steps = {
        'a pan': (i) => chart.pan(i % 40 < 20 ? 7 : -7),
        'a zoom': (i) => chart.zoom(i % 40 < 20 ? 1.02 : 1 / 1.02, 600),
        'a move of the crosshair': (i) => chart.crosshair(100 + (i * 37) % 1000, 50 + (i * 17) % 600),
        'a trade': (i) => chart.tick(last + 30, 60_000 + (i * 13) % 90, 0.25),
        'a trade while all bars are in view': (i) => {
            if (i === 0) chart.zoom(0.001, 600);
            chart.tick(last + 30, 60_000 + (i * 13) % 90, 0.25);
        },
    };
    // How much memory each of `frames` frames allocates, after twice as many for warming up.
    window.allocations = (name, frames) => {
        const step = window.steps[name];
        chart.fit();
        chart.draw();
        const counts = [];
        for (let i = 0; i < 3 * frames; i += 1) {
            const before = counter();
            step(i);
            chart.draw();
            if (i >= 2 * frames) counts.push(counter() - before);
        }
        return counts;
    };
    // That the counter counts: another chart is memory.
    const before = counter();
    engine.createChart();
    return counter() - before;
}"""


@pytest.fixture
def engine(page: Page, simulated: Server) -> Page:
    page.goto(f"{simulated.address}/health")
    assert page.evaluate(SET_UP) > 3
    return page


@pytest.mark.parametrize(
    "step",
    ["a pan", "a zoom", "a move of the crosshair", "a trade", "a trade while all bars are in view"],
)
def test_a_frame_takes_no_memory(engine: Page, step: str) -> None:
    counts = engine.evaluate("step => window.allocations(step, 200)", step)
    assert len(counts) == 200
    assert sum(counts) == 0, f"{sum(counts)} in 200 frames: {sorted(set(counts))}"
