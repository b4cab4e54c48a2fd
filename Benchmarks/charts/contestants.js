/**
 * What is measured, each as its users use it. A contestant has
 * - `prepare(rows)`: the candles in the form it takes them in; not timed
 * - `set(data)`, `show(bars)` (the newest so many), `pan(pixels)`, `update(candle)`: each leads to a frame by itself.
 *
 * @typedef {object} Contestant
 * @property {(rows: Float64Array) => any} prepare
 * @property {(data: any) => void} set
 * @property {(bars: number) => void} show
 * @property {(pixels: number) => void} pan positive: older candles come into view.
 * @property {(candle: {time: number, open: number, high: number, low: number, close: number, volume: number}) => void} update
 * @property {() => number} visible how many candles are in view.
 * @property {() => number} wasmBytes
 */

const WIDTH = 1200;
const HEIGHT = 700;

/** The page's own engine and painter. @returns {Promise<Contestant>} */
export async function candlewire(host) {
    const { Engine } = await import("/web/chart/engine.js");
    const { Painter } = await import("/web/chart/painter.js");
    const { FrameLoop } = await import("/web/frame-loop.js");
    const engine = await Engine.load("/web/candlewire.wasm");
    const canvas = addCanvas(host);
    const painter = new Painter(canvas);
    const chart = engine.createChart();
    const frames = new FrameLoop();
    const draw = () => {
        const { words, floats } = chart.render();
        painter.paint(words, floats);
    };
    const change = (work) => {
        work();
        frames.mark(draw);
    };
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
        update: ({ time, ...prices }) => change(() => chart.place({ timestamp: time, ...prices }, false)),
        visible: () => Math.min(chart.visibleCount, chart.count),
        wasmBytes: () => engine.exports.memory.buffer.byteLength,
    };
}

/** Candles alone: without the volume that the others draw. @returns {Promise<Contestant>} */
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
            newest = candle.time;
            series.update(candle);
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
