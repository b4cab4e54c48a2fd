import { byId } from "../dom.js";
import { timeframe } from "../timeframes.js";
import { AxisDrag } from "./axis-drag.js";
import { ChartMessage } from "./chart-message.js";
import { ChartSurface } from "../engine/chart-surface.js";
import { applyTheme } from "../engine/custom-theme.js";
import { Gestures } from "./gestures.js";
import { HistoryPager } from "./history-pager.js";
import { listenForKeys } from "./keyboard.js";
import { PaneDividers } from "./pane-dividers.js";
import { PointerHandlers, keyHandler } from "./pointer-handlers.js";

/** Milliseconds that an old picture stays when its stream begins again without bars: the first trade is usually near. */
const EMPTY_AFTER = 800;
/** Pixels from which a magnetic crosshair is drawn to a price. */
const PULL = 40;

/** @typedef {import("../engine/chart.js").EngineChart} EngineChart */
/** @typedef {import("../engine/chart.js").Legend} Legend */
/** @typedef {import("../engine/candle-rows.js").Candle} Candle */

/**
 * The chart on the page: one engine chart, its canvases, and what handles the pointer over it.
 *
 * Everything that changes the picture goes through `change`, which marks it dirty; it is laid out and painted at most
 * once per frame, and only as far as it changed.
 *
 * Events, in the order in which they come first:
 * - `ready`: an engine chart is attached, without a symbol and with default settings: give it yours
 * - `selected`: another stream was chosen; its bars are not there yet. Comes again after `ready`
 * - `loaded`: a snapshot's bars are in
 * - `drawn`: after each paint
 * - `bar`: a bar closed (detail: the candle), each once
 * - `read`: a key moved the crosshair
 * - `arranged`: panes were made higher or lower by hand
 * - `open`: a key that opens a panel (detail: `go-to`, `studies`, `compare`, `options` or `export`)
 * - `timeframe-step`: a key that changes the timeframe (detail: 1 or -1)
 */
export class ChartPanel extends EventTarget {
    /** @type {?import("../engine/engine.js").Engine} */
    engine = null;
    /** @type {?EngineChart} */
    engineChart = null;
    /** @type {?{symbol: string, timeframe: string}} */
    selection = null;
    message = new ChartMessage();
    /** @type {HTMLCanvasElement} */
    canvas = byId("chart", HTMLCanvasElement);
    #liveButton = byId("live-button");
    #frames;
    #handlers = new PointerHandlers();
    /** What is painted on. */
    surface = new ChartSurface(byId("chart-base", HTMLCanvasElement), this.canvas, () => this.invalidate());
    /** The bars beyond those that the chart holds. */
    pager = new HistoryPager(this);
    #precision = 2;
    /** @type {import("../engine/custom-theme.js").ChartTheme} */
    #theme = "dark";
    #fontScale = 1;
    #width = 0;
    #height = 0;
    /** Whether the crosshair snaps to the prices of its bar. */
    isMagnetic = false;
    /** Whether the engine failed to load; that message stays until it did. */
    isBroken = false;
    /** The timer that clears a picture whose stream began again without bars; 0 when none is kept so. */
    #clearing = 0;
    /** Start of the newest bar that was reported as closed. */
    #closed = -Infinity;
    #draw = () => this.#paint();

    /** @param {import("../frame-loop.js").FrameLoop} frames */
    constructor(frames) {
        super();
        this.#frames = frames;
        new ResizeObserver(() => this.#measure()).observe(this.canvas);
        this.#watchPixelRatio();
        this.#liveButton.addEventListener("click", () => {
            this.live();
            // The button goes away with its reason; the keyboard goes back to the chart.
            this.canvas.focus({ preventScroll: true });
        });
        new Gestures(this, this.#handlers);
        this.#handlers.add(new AxisDrag(this), true);
        new PaneDividers(this, /** @type {HTMLElement} */ (this.canvas.parentElement));
        listenForKeys(this, this.#handlers);
    }

    /** Gives the panel the engine it draws with.
     * @param {import("../engine/engine.js").Engine} engine */
    attach(engine) {
        this.engineChart?.free();
        this.engine = engine;
        this.engineChart = engine.createChart();
        this.surface.forget();
        this.#fit();
        this.setTheme(this.#theme);
        this.setFontScale(this.#fontScale);
        this.dispatchEvent(new Event("ready"));
        if (this.selection) {
            this.select(this.selection, this.#precision);
        }
    }

    /**
     * Lets something that lies on the chart have pointer and keys before the chart's own gestures.
     *
     * @param {PointerHandler} handler tried after those that were added before.
     */
    addHandler(handler) {
        this.#handlers.add(handler);
    }

    /**
     * A letter with Shift, of the focused chart.
     *
     * @param {string} key the small letter.
     * @param {() => void} pressed once a press, however long it lasts.
     */
    addKey(key, pressed) {
        this.#handlers.add(keyHandler(key, pressed));
    }

    /**
     * Changes the engine's chart; what changed is painted in the next frame.
     *
     * @template Result
     * @param {(chart: EngineChart) => Result} change
     * @returns {Result | undefined} what `change` returned; undefined while there is no engine.
     */
    change(change) {
        if (!this.engineChart) {
            return undefined;
        }
        const result = change(this.engineChart);
        this.invalidate();
        return result;
    }

    /** Decimals of the symbol's price. */
    get precision() {
        return this.#precision;
    }

    /** The engine is being loaded. */
    awaitEngine() {
        this.isBroken = false;
        this.message.loading();
    }

    /**
     * There is no engine, and nothing to draw with.
     *
     * @param {string} reason
     * @param {() => void} retry
     */
    engineFailed(reason, retry) {
        this.isBroken = true;
        const detail = `${reason}. The market list still refreshes every few seconds.`;
        this.message.failed("The chart engine did not load", detail, retry);
    }

    /** @param {import("../engine/custom-theme.js").ChartTheme} theme */
    setTheme(theme) {
        this.#theme = theme;
        this.change((chart) => applyTheme(chart, theme));
    }

    /** @param {number} scale the person's text size beside the default one. */
    setFontScale(scale) {
        this.#fontScale = scale;
        this.change((chart) => chart.setFontScale(scale));
    }

    /**
     * Another stream: the bars go, and the chart waits for a snapshot.
     *
     * @param {{symbol: string, timeframe: string}} selection
     * @param {number} precision decimals of a price.
     */
    select(selection, precision) {
        this.selection = selection;
        this.#precision = precision;
        this.pager.reset();
        this.#keepNothing();
        if (!this.isBroken) {
            this.message.loading();
        }
        this.change((chart) => {
            chart.setSymbol(selection.symbol, precision);
            chart.setTimeframe(timeframe(selection.timeframe)?.index ?? 0);
        });
        this.#closed = -Infinity;
        this.dispatchEvent(new Event("selected"));
    }

    /** @param {number} precision decimals of a price, once the market list has them. */
    setPrecision(precision) {
        if (precision !== this.#precision && this.selection) {
            this.#precision = precision;
            const { symbol } = this.selection;
            this.change((chart) => chart.setSymbol(symbol, precision));
        }
    }

    /** The stream's snapshot is in the engine's chart.
     * @param {number} count of its bars; without any, the old ones stay. */
    replaced(count) {
        this.pager.reset();
        this.#keepNothing();
        if (count === 0 && (this.engineChart?.count ?? 0) > 0) {
            this.#clearing = setTimeout(() => this.#clear(), EMPTY_AFTER);
            return;
        }
        this.invalidate();
        this.#showEmptiness();
        this.dispatchEvent(new Event("loaded"));
    }

    /** A trade or a bar of the stream is in the engine's chart, which let old bars go before it. */
    fed() {
        this.#keepNothing();
        this.invalidate();
        if (this.message.kind !== null) {
            this.#showEmptiness();
        }
    }

    /** A bar of the stream is final.
     * @param {Candle} candle */
    closed(candle) {
        if (candle.timestamp > this.#closed) {
            this.#closed = candle.timestamp;
            this.dispatchEvent(new CustomEvent("bar", { detail: candle }));
        }
    }

    /**
     * There are no bars, and it is not the chart's turn: says why in place of "loading", until `isComing`.
     *
     * @param {string} title
     * @param {string} detail what happens next.
     * @param {() => void} retry
     * @param {string} [word] for that, on the button.
     */
    unavailable(title, detail, retry, word) {
        if (!this.isBroken && (this.message.kind === "loading" || this.message.kind === "unavailable")) {
            this.message.unavailable(title, detail, retry, word);
        }
    }

    /** What `unavailable` reported is over. */
    isComing() {
        if (this.message.kind === "unavailable") {
            this.message.loading();
        }
    }

    /** @param {string} reason */
    refused(reason) {
        this.message.failed("This chart is not available", `${reason}. Choose another market or timeframe.`);
    }

    /** @returns {?Legend} the bar under the crosshair, else the last one. */
    legend() {
        return this.engineChart?.legend() ?? null;
    }

    /**
     * @param {number} factor above 1 is closer.
     * @param {number} [x] CSS pixels; the place that stays, by default the middle.
     */
    zoom(factor, x = this.#width / 2) {
        this.change((chart) => chart.zoom(factor, x));
    }

    /** Back to the newest bar, at the present zoom. */
    live() {
        this.change((chart) => {
            chart.crosshairOff();
            chart.followLive();
            this.pager.loadNewest();
        });
    }

    /** Back to the newest bar, the default zoom and scales that fit what is on screen. */
    fit() {
        this.change((chart) => {
            chart.fit();
            for (let pane = 0; pane < chart.panes.count; pane += 1) {
                chart.panes.resetScale(pane);
            }
            this.pager.loadNewest();
        });
    }

    /** Panes have other heights now: `arranged` reports it. */
    arranged() {
        this.dispatchEvent(new Event("arranged"));
    }

    /** @returns {Promise<?Blob>} the picture as PNG. */
    picture() {
        this.#paint();
        return this.surface.picture();
    }

    /**
     * What is on screen, for a painter elsewhere.
     *
     * @returns {{words: Uint32Array, size: {width: number, height: number, pixel_ratio: number}}} device pixels.
     */
    displayList() {
        this.#paint();
        const { width, height } = this.canvas;
        // A copy: the engine's own words are gone with the next call.
        const words = this.engineChart?.render().words.slice() ?? new Uint32Array();
        return { words, size: { width, height, pixel_ratio: devicePixelRatio } };
    }

    /** Lays out and paints in the next frame. */
    invalidate() {
        this.#frames.mark(this.#draw);
    }

    /** Moves the bars; up and down only in a pane whose scale does not fit itself to what is on screen.
     * @param {number} dx @param {number} [dy] @param {number} [y] where the drag began. */
    pan(dx, dy = 0, y = 0) {
        this.change((chart) => {
            chart.pan(dx);
            const pane = dy === 0 ? -1 : chart.panes.at(y);
            if (pane >= 0 && chart.panes.scale(pane)?.isFixed) {
                chart.panes.panScale(pane, dy);
            }
        });
    }

    /** Shows the crosshair; a magnetic one at a price of its bar, where one is near.
     * @param {number} x @param {number} y */
    crosshair(x, y) {
        this.change((chart) => chart.crosshair(x, this.isMagnetic ? snapped(chart, x, y) : y));
    }

    crosshairOff() {
        this.change((chart) => chart.crosshairOff());
    }

    /** Moves the crosshair by a key, for those who read it.
     * @param {(chart: EngineChart) => unknown} change */
    read(change) {
        this.change(change);
        this.dispatchEvent(new Event("read"));
    }

    #keepNothing() {
        clearTimeout(this.#clearing);
        this.#clearing = 0;
    }

    #clear() {
        this.#keepNothing();
        this.change((chart) => chart.setData(new Float64Array(0), true));
        this.#showEmptiness();
    }

    #showEmptiness() {
        if (this.engineChart?.count === 0) {
            this.message.empty(this.selection?.symbol ?? "");
        } else if (this.engineChart) {
            this.message.hide();
        }
    }

    #measure() {
        this.#fit();
        // A resized canvas is blank; painting now instead of in the next frame spares a flash.
        this.#paint();
    }

    /** Gives canvases and chart the size that they have on the page. */
    #fit() {
        const { width, height } = this.canvas.getBoundingClientRect();
        if (width === 0 || height === 0) {
            return;
        }
        const ratio = devicePixelRatio;
        this.#width = width;
        this.#height = height;
        this.surface.resize(width, height, ratio);
        this.change((chart) => chart.resize(width, height, ratio));
    }

    #watchPixelRatio() {
        const query = matchMedia(`(resolution: ${devicePixelRatio}dppx)`);
        const changed = () => {
            this.#measure();
            this.#watchPixelRatio();
        };
        query.addEventListener("change", changed, { once: true });
    }

    #paint() {
        const chart = this.engineChart;
        if (!chart || this.#width === 0) {
            return;
        }
        this.surface.paint(chart);
        const { drawn } = chart;
        this.#liveButton.hidden = drawn.count === 0 || drawn.isFollowing;
        if (this.selection && this.#clearing === 0) {
            this.pager.fill(drawn);
        }
        this.dispatchEvent(new Event("drawn"));
    }
}

/** The height of the nearest of a bar's four prices, where it is near enough; else that of the pointer.
 * @param {EngineChart} chart @param {number} x @param {number} y */
function snapped(chart, x, y) {
    const place = chart.position(x, y);
    const bar = place?.pane === 0 ? chart.bar(Math.min(Math.max(Math.round(place.index), 0), chart.count - 1)) : null;
    if (!bar) {
        return y;
    }
    const heights = [bar.open, bar.high, bar.low, bar.close].map((price) => chart.point(bar.timestamp, price)?.y ?? NaN);
    const nearest = heights.reduce((best, each) => (Math.abs(each - y) < Math.abs(best - y) ? each : best), Infinity);
    return Math.abs(nearest - y) <= PULL ? nearest : y;
}
