import { byId, setText } from "../dom.js";
import { formatPrice, formatTime } from "../format.js";
import { Painter } from "../engine/painter.js";
import { applyTheme } from "../engine/custom-theme.js";
import { TIMEFRAMES } from "../timeframes.js";
import { inexact } from "../decimal.js";

/** Bars that a curve has at most: as long a stretch as that decides its timeframe. */
const BARS = 400;

/**
 * The account's equity over time, drawn by the chart engine itself as a baseline series: above the capital that it began
 * with in the colour of a rise, below it in that of a fall.
 */
export class EquityChart {
    element = byId("equity-chart");
    #canvas = byId("equity-canvas", HTMLCanvasElement);
    #painter = new Painter(this.#canvas);
    /** @type {?import("../engine/chart.js").EngineChart} */
    #chart = null;
    /** @type {import("../engine/custom-theme.js").ChartTheme} */
    #theme = "dark";
    #fontScale = 1;
    #legend = byId("equity-legend");
    #dot = byId("equity-dot");
    #currency = "";
    #decimals = 2;
    #end = 0;

    constructor() {
        new ResizeObserver(() => this.#measure()).observe(this.#canvas);
        this.#canvas.addEventListener("contextrestored", () => this.#draw());
        this.#canvas.addEventListener("pointermove", ({ offsetX, offsetY }) => this.#point(offsetX, offsetY));
        this.#canvas.addEventListener("pointerleave", () => this.#point(-1, -1));
    }

    /** @param {import("../engine/engine.js").Engine} engine */
    attach(engine) {
        this.#chart?.free();
        this.#chart = engine.createChart();
        this.setTheme(this.#theme);
        this.setFontScale(this.#fontScale);
        this.#measure();
    }

    /** The chart inside, for tests. */
    get engineChart() {
        return this.#chart;
    }

    /** @param {import("../engine/custom-theme.js").ChartTheme} theme */
    setTheme(theme) {
        this.#theme = theme;
        this.#change((chart) => applyTheme(chart, theme));
    }

    /** @param {number} scale the person's text size beside the usual one. */
    setFontScale(scale) {
        this.#fontScale = scale;
        this.#change((chart) => chart.setFontScale(scale));
    }

    /**
     * @param {{timestamp: number, equity: string}[]} points ascending.
     * @param {{currency: string, capital: string, decimals: number}} about
     */
    show(points, { currency, capital, decimals }) {
        const rows = rowsOf(points);
        this.#end = rows.at(-6) ?? 0;
        this.#currency = currency;
        this.#decimals = decimals;
        this.#point(-1, -1);
        this.#canvas.setAttribute("aria-label", wordsOf(points, currency));
        this.#change((chart) => {
            chart.setSymbol(currency, decimals);
            chart.setTimeframe(frameOf(points).index);
            chart.setTimeScale("time");
            chart.setKind("baseline");
            chart.setVolume("off");
            chart.setBaseline(inexact(capital));
            chart.setData(rows, false);
            chart.setZoom(100 / Math.max(12, 1.05 * slotsOf(points)));
        });
    }

    /** The equity now, between two looks at the history.
     * @param {number} timestamp @param {string} equity */
    update(timestamp, equity) {
        const value = inexact(equity);
        if (timestamp >= this.#end) {
            this.#end = timestamp;
            this.#change((chart) => chart.count > 0 && chart.tick(timestamp, value, 0));
        }
    }

    /** Reads the curve under the pointer; beside it, says what it is of.
     * @param {number} x @param {number} y */
    #point(x, y) {
        const chart = this.#chart;
        const place = x < 0 ? null : chart?.position(x, y);
        const bar = place ? chart?.bar(Math.min(Math.max(Math.round(place.index), 0), chart.count - 1)) : null;
        const point = bar ? chart?.point(bar.timestamp, bar.close) : null;
        this.#dot.hidden = !point;
        if (bar && point) {
            this.#dot.style.translate = `${point.x}px ${point.y}px`;
            setText(this.#legend, `${formatPrice(bar.close, this.#decimals)} ${this.#currency} · ${formatTime(bar.timestamp)}`);
        } else {
            setText(this.#legend, this.#currency && `Equity in ${this.#currency}`);
        }
    }

    /** @param {(chart: import("../engine/chart.js").EngineChart) => void} change */
    #change(change) {
        if (this.#chart) {
            change(this.#chart);
            this.#draw();
        }
    }

    #measure() {
        const { width, height } = this.#canvas.getBoundingClientRect();
        if (width > 0 && height > 0) {
            // Down, as the engine does.
            const [across, down] = [width, height].map((length) => Math.floor(length * devicePixelRatio));
            Object.assign(this.#canvas, { width: across, height: down });
            this.#change((chart) => chart.resize(width, height, devicePixelRatio));
        }
    }

    #draw() {
        if (this.#chart && this.#canvas.checkVisibility()) {
            // The base alone: the overlay's legend is that of a market, and a curve of money has its own.
            this.#chart.draw();
            const { words, floats } = this.#chart.base();
            this.#painter.paint(words, floats);
        }
    }
}

/** Bars of its timeframe from the first point to the last one, with those that have no point.
 * @param {{timestamp: number}[]} points */
function slotsOf(points) {
    return spanOf(points) / frameOf(points).seconds + 1;
}

/** @param {{timestamp: number}[]} points @returns {number} seconds. */
function spanOf(points) {
    return (points.at(-1)?.timestamp ?? 0) - (points[0]?.timestamp ?? 0);
}

/** The shortest timeframe in which all points fit.
 * @param {{timestamp: number}[]} points */
function frameOf(points) {
    const span = spanOf(points);
    return TIMEFRAMES.find(({ seconds }) => span / seconds <= BARS) ?? TIMEFRAMES[TIMEFRAMES.length - 1];
}

/** One row for each bar of the timeframe: the equity at its end.
 * @param {{timestamp: number, equity: string}[]} points */
function rowsOf(points) {
    const { seconds } = frameOf(points);
    /** @type {Map<number, number>} */
    const values = new Map();
    points.forEach(({ timestamp, equity }) => values.set(Math.floor(timestamp / seconds) * seconds, inexact(equity)));
    return Float64Array.from([...values].flatMap(([time, value]) => [time, value, value, value, value, 0]));
}

/** @param {{equity: string}[]} points @param {string} currency */
function wordsOf(points, currency) {
    if (points.length === 0) {
        return `Equity in ${currency}: no history yet`;
    }
    const values = points.map(({ equity }) => inexact(equity));
    const money = (/** @type {number} */ value) => value.toLocaleString("en-US", { maximumFractionDigits: 2 });
    const range = `between ${money(Math.min(...values))} and ${money(Math.max(...values))}`;
    return `Equity in ${currency}: ${money(values[0])} at the start, ${money(values[values.length - 1])} now, ${range}`;
}
