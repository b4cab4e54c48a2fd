import { Studies } from "./studies.js";

/**
 * What is measured, each as its users use it. A contestant has
 * - `prepare(rows)`: the candles in the form it takes them in; not timed
 * - `set(data)`, `show(bars)` (the newest so many), `pan(pixels)`, `update(candle)`: each leads to a frame by itself.
 * - what the hand-written loop does not have: `point(x, y)` moves the crosshair, `addStudies()` shows RSI, MACD and
 *   Bollinger bands from now on.
 *
 * @typedef {object} Contestant
 * @property {(rows: Float64Array) => any} prepare
 * @property {(data: any) => void} set
 * @property {(bars: number) => void} show
 * @property {(pixels: number) => void} pan positive: older candles come into view.
 * @property {(candle: {time: number, open: number, high: number, low: number, close: number, volume: number}) => void} update
 * @property {(x: number, y: number) => void} [point]
 * @property {() => void} [addStudies]
 * @property {() => number} visible how many candles are in view.
 * @property {() => number} wasmBytes
 */

const WIDTH = 1200;
const HEIGHT = 700;

/** The page's own engine on the page's own two canvases. @returns {Promise<Contestant>} */
export async function candlewire(host) {
    const { Engine } = await import("/web/engine/engine.js");
    const { ChartSurface } = await import("/web/engine/chart-surface.js");
    const { FrameLoop } = await import("/web/frame-loop.js");
    const engine = await Engine.load("/web/candlewire.wasm");
    const chart = engine.createChart();
    const frames = new FrameLoop();
    const surface = new ChartSurface(addCanvas(host), addCanvas(host), () => frames.mark(draw));
    const draw = () => surface.paint(chart);
    const change = (work) => {
        work();
        frames.mark(draw);
    };
    surface.resize(WIDTH, HEIGHT, devicePixelRatio);
    chart.resize(WIDTH, HEIGHT, devicePixelRatio);
    chart.setCapacity(2_000_000);
    chart.setSymbol("BTC-USD", 2);
    return {
        prepare: (rows) => rows,
        set: (rows) => change(() => chart.setData(rows, false)),
        show: (bars) =>
            change(() => {
                for (let i = 0; i < 5 && Math.abs(chart.visibleCount - bars) > 0.5; i += 1) {
                    chart.zoom(chart.visibleCount / bars, WIDTH);
                    chart.followLive();
                }
            }),
        pan: (pixels) => change(() => chart.pan(pixels)),
        update: ({ time, open, high, low, close, volume }) =>
            change(() => engine.exports.cw_chart_place(chart.handle, time, open, high, low, close, volume, 0)),
        point: (x, y) => change(() => chart.crosshair(x, y)),
        addStudies: () =>
            change(() => {
                for (const id of ["rsi", "macd", "bollinger"]) {
                    chart.studies.add(engine.studies.findIndex((study) => study.identifier === id));
                }
            }),
        visible: () => Math.min(chart.visibleCount, chart.count),
        wasmBytes: () => engine.exports.memory.buffer.byteLength,
    };
}

/**
 * Candles alone: without the volume that the others draw. It calculates no studies: its users do, and give it lines.
 *
 * @returns {Promise<Contestant>}
 */
export async function lightweight(host) {
    await addScript("/peers/lightweight-charts.js");
    const library = window.LightweightCharts;
    const chart = library.createChart(host, {
        width: WIDTH,
        height: HEIGHT,
        layout: { background: { color: "#141414" }, textColor: "#e6e6e6" },
        timeScale: { timeVisible: true, minBarSpacing: 0.0001 },
    });
    // Version 5 has one method for all kinds of series.
    const series = chart.addCandlestickSeries
        ? chart.addCandlestickSeries()
        : chart.addSeries(library.CandlestickSeries);
    let count = 0;
    let newest = 0;
    let shown = [];
    /** @type {?Studies} */
    let studies = null;
    /** @type {any[]} */
    let lines = [];
    return {
        prepare: (rows) => {
            const data = [];
            for (let at = 0; at < rows.length; at += 6) {
                const [time, open, high, low, close] = rows.subarray(at, at + 5);
                data.push({ time, open, high, low, close });
            }
            return data;
        },
        set: (data) => {
            count = data.length;
            newest = data[count - 1].time;
            shown = data;
            series.setData(data);
        },
        show: (bars) => chart.timeScale().setVisibleLogicalRange({ from: count - bars, to: count }),
        pan: (pixels) => {
            const scale = chart.timeScale();
            const { from, to } = scale.getVisibleLogicalRange();
            const bars = (pixels / scale.width()) * (to - from);
            scale.setVisibleLogicalRange({ from: from - bars, to: to - bars });
        },
        update: ({ volume, ...candle }) => {
            if (candle.time > newest) count += 1;
            shown[count - 1] = candle;
            newest = candle.time;
            series.update(candle);
            if (studies) {
                const values = studies.update(candle.time, candle.close);
                lines.forEach((line, at) => line.update({ time: candle.time, value: values[at] }));
            }
        },
        point: (x, y) => {
            const time = chart.timeScale().coordinateToTime(x);
            chart.setCrosshairPosition(series.coordinateToPrice(y), time, series);
        },
        addStudies: () => {
            // This version has no panes: scales of their own in the same one, as its examples do it.
            const add = (name, top, bottom, histogram = false) => {
                const options = { priceScaleId: name, lineWidth: 1, lastValueVisible: false, priceLineVisible: false };
                const line = histogram ? chart.addHistogramSeries(options) : chart.addLineSeries(options);
                line.priceScale().applyOptions({ scaleMargins: { top, bottom } });
                return line;
            };
            series.priceScale().applyOptions({ scaleMargins: { top: 0.05, bottom: 0.45 } });
            lines = [
                add("rsi", 0.58, 0.22),
                ...[false, false, true].map((histogram) => add("macd", 0.8, 0.02, histogram)),
                ...[0, 1, 2].map(() => add("right", 0.05, 0.45)),
            ];
            const calculated = new Studies();
            const columns = lines.map(() => []);
            for (const { time, close } of shown) {
                calculated.update(time, close).forEach((value, at) => {
                    columns[at].push(Number.isNaN(value) ? { time } : { time, value });
                });
            }
            columns.forEach((column, at) => lines[at].setData(column));
            studies = calculated;
        },
        visible: () => {
            const { from, to } = chart.timeScale().getVisibleLogicalRange();
            return Math.min(to - from, count);
        },
        wasmBytes: () => 0,
    };
}

/** @returns {Promise<Contestant>} */
export async function floor(host) {
    const { HandWritten } = await import("./floor.js");
    const chart = new HandWritten(addCanvas(host), devicePixelRatio);
    return {
        prepare: (rows) => rows,
        set: (rows) => chart.set(rows),
        show: (bars) => chart.show(bars),
        pan: (pixels) => chart.pan(pixels),
        update: (candle) => chart.update(candle),
        visible: () => Math.min(chart.bars, chart.count),
        wasmBytes: () => 0,
    };
}

function addCanvas(host) {
    const canvas = document.createElement("canvas");
    canvas.width = WIDTH * devicePixelRatio;
    canvas.height = HEIGHT * devicePixelRatio;
    host.append(canvas);
    return canvas;
}

function addScript(address) {
    return new Promise((resolve, reject) => {
        const script = document.createElement("script");
        script.src = address;
        script.onload = resolve;
        script.onerror = () => reject(new Error(`${address} is missing`));
        document.head.append(script);
    });
}
