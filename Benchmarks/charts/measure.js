import * as contestants from "./contestants.js";
import { candles, updates } from "./data.js";

const host = /** @type {HTMLElement} */ (document.getElementById("host"));
const frame = () => new Promise(requestAnimationFrame);

/** Waits until what was requested is on the canvases: not in a queue of commands, but painted. */
async function painted() {
    await frame();
    await frame();
    for (const canvas of host.querySelectorAll("canvas")) {
        // Reading one pixel makes the browser carry out all that was drawn.
        if (canvas.width > 0 && canvas.height > 0) canvas.getContext("2d").getImageData(0, 0, 1, 1);
    }
}

/** @param {() => void} work @returns {Promise<number>} milliseconds until it was painted. */
async function time(work) {
    const start = performance.now();
    work();
    await painted();
    return performance.now() - start;
}

/** Repeats until there are enough figures, or little time is left. */
async function repeat(work, { runs = 40, budget = 2500, least = 3 } = {}) {
    const figures = [];
    const start = performance.now();
    await time(work);
    while (figures.length < least || (figures.length < runs && performance.now() - start < budget)) {
        figures.push(await time(work));
    }
    return figures;
}

/** All figures of one contestant with so many candles, in milliseconds. */
async function run(name, count) {
    const rows = candles(count);
    const news = updates(rows);
    const chart = await contestants[name](host);
    const result = { visible: {} };
    result["empty frame"] = await repeat(() => {}, { runs: 20 });
    // One candle some times over, so that fonts are loaded, code is compiled and the browser has its buffers: the first
    // frames of a page take it tens of milliseconds now and then, with any library.
    for (let i = 0; i < 20; i += 1) {
        chart.set(chart.prepare(rows.slice(0, 6)));
        await painted();
    }
    let data = chart.prepare(rows);
    result.set = [await time(() => chart.set(data))];
    data = null;
    for (const [view, bars] of [["200", 200], ["all", count]]) {
        chart.show(bars);
        await painted();
        result.visible[view] = chart.visible();
        let step = 0;
        const pan = () => chart.pan(((step += 1) % 8 < 4 ? 1 : -1) * 3);
        result[`pan ${view}`] = await repeat(pan);
        chart.show(bars);
        await painted();
        result[`update ${view}`] = await repeat(() => chart.update(news.next().value));
    }
    chart.show(200);
    await painted();
    if (chart.point) {
        let place = 0;
        const point = () => chart.point(300 + ((place += 37) % 600), 200 + (place % 150));
        result.crosshair = await repeat(point);
    }
    // The burst: no frame between the updates, as when a socket delivers many at once.
    const burst = () => {
        for (let i = 0; i < 100; i += 1) chart.update(news.next().value);
    };
    result["100 updates"] = await repeat(burst, { runs: 20 });
    // What the peer's users write takes seconds with more candles.
    if (chart.addStudies && count <= 10_000) {
        chart.addStudies();
        await painted();
        result["100 updates, studies"] = await repeat(burst, { runs: 20 });
    }
    result.wasm = chart.wasmBytes();
    // The rows were ours; what is left belongs to the chart.
    window.chart = chart;
    return result;
}

/** What a visitor waits for once the data is there: the first picture of a page, before code, fonts and buffers are warm. */
async function first(name, count) {
    const rows = candles(count);
    const chart = await contestants[name](host);
    // What runs on after the chart was made, such as the engine's compilation, is over.
    await new Promise((resolve) => setTimeout(resolve, 300));
    const data = chart.prepare(rows);
    return time(() => chart.set(data));
}

Object.assign(window, { run, first });
