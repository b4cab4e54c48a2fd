import { ROW } from "../stream/candle-rows.js";
import { EngineZone } from "./engine-zone.js";

/** Numbers that `cw_chart_legend` writes. */
const LEGEND_LENGTH = 8;

/** Rows that are handed over at once. */
const PIECE = 4096;

/** What `place` says about a bar. */
export const PLACED = ["applied", "merged", "rejected"];

/**
 * @typedef {object} Legend
 * @property {number} timestamp start of the bar, seconds since 1970 UTC.
 * @property {number} open
 * @property {number} high
 * @property {number} low
 * @property {number} close
 * @property {number} volume
 * @property {number} index position in the series.
 * @property {number} reference what the bar's change is measured against, as in the picture: the close of the bar
 *   before, of the first bar its own open.
 */

/** One chart inside the engine. Lengths are CSS pixels, times seconds since 1970 UTC. */
export class EngineChart {
    #engine;
    #exports;
    #handle;

    /**
     * @param {import("./engine.js").Engine} engine
     * @param {Record<string, any>} exports
     */
    constructor(engine, exports) {
        this.#engine = engine;
        this.#exports = exports;
        this.#handle = exports.cw_chart_new();
        /** What clock times are told by. */
        this.zone = new EngineZone(engine, exports, this.#handle);
    }

    free() {
        this.#exports.cw_chart_free(this.#handle);
        this.#handle = 0;
    }

    resize(width, height, pixelRatio) {
        this.#exports.cw_chart_resize(this.#handle, width, height, pixelRatio);
    }

    /** @param {"dark" | "light"} theme */
    setTheme(theme) {
        this.#exports.cw_chart_set_theme(this.#handle, theme === "light" ? 1 : 0);
    }

    /**
     * @param {string} symbol
     * @param {number} precision decimals of a price.
     */
    setSymbol(symbol, precision) {
        this.#engine.withText(symbol, (pointer, length) => {
            this.#exports.cw_chart_set_symbol(this.#handle, pointer, length, precision);
        });
    }

    /** The most bars to keep; the oldest go first. @param {number} bars */
    setCapacity(bars) {
        this.#exports.cw_chart_set_capacity(this.#handle, bars);
    }

    /** Clears the bars. @param {number} index of the timeframe. */
    setTimeframe(index) {
        this.#exports.cw_chart_set_timeframe(this.#handle, index);
    }

    /**
     * Replaces every bar.
     *
     * @param {Float64Array} rows n x 6.
     * @param {boolean} keepViewport whether the view stays where it is; otherwise it follows the newest bar.
     * @returns {number} bars taken.
     */
    setData(rows, keepViewport) {
        const exports = this.#exports;
        exports.cw_chart_data_begin(this.#handle, rows.length / ROW, keepViewport ? 1 : 0);
        // In pieces: the engine's memory would keep the room of a second copy of all rows for ever.
        this.#engine.inPieces(rows, PIECE * ROW, (pointer, length) =>
            exports.cw_chart_data_rows(this.#handle, pointer, length / ROW),
        );
        return exports.cw_chart_data_end(this.#handle);
    }

    /**
     * Puts older bars in front; what is on screen stays where it is.
     *
     * @param {Float64Array} rows n x 6.
     * @returns {number} bars taken.
     */
    prepend(rows) {
        return this.#engine.withFloats(rows, (pointer) =>
            this.#exports.cw_chart_prepend(this.#handle, pointer, rows.length / ROW),
        );
    }

    /**
     * Places an authoritative bar by its timestamp.
     *
     * @param {import("../stream/candle-rows.js").Candle} candle
     * @param {boolean} final
     * @returns {string} one of `PLACED`.
     */
    place({ timestamp, open, high, low, close, volume }, final) {
        const handle = this.#handle;
        return PLACED[
            this.#exports.cw_chart_place(handle, timestamp, open, high, low, close, volume, final ? 1 : 0)
        ];
    }

    /** A trade. @returns {number} bit 0: the forming bar changed; bit 1: a bar was completed. */
    tick(timestamp, price, volume) {
        return this.#exports.cw_chart_tick(this.#handle, timestamp, price, volume);
    }

    /** @param {number} dx positive moves the bars to the right, towards the past. */
    pan(dx) {
        this.#exports.cw_chart_pan(this.#handle, dx);
    }

    panBars(bars) {
        this.#exports.cw_chart_pan_bars(this.#handle, bars);
    }

    /**
     * @param {number} factor above 1 is closer.
     * @param {number} x the place that stays where it is.
     */
    zoom(factor, x) {
        this.#exports.cw_chart_zoom(this.#handle, factor, x);
    }

    followLive() {
        this.#exports.cw_chart_follow_live(this.#handle);
    }

    isFollowing() {
        return this.#exports.cw_chart_is_following(this.#handle) !== 0;
    }

    /** The default zoom, at the newest bar. */
    fit() {
        this.#exports.cw_chart_fit(this.#handle);
    }

    crosshair(x, y) {
        this.#exports.cw_chart_crosshair(this.#handle, x, y);
    }

    crosshairOff() {
        this.#exports.cw_chart_crosshair_off(this.#handle);
    }

    /** Moves the crosshair by bars; the first step shows it on the newest visible bar. @param {number} bars */
    stepCrosshair(bars) {
        this.#exports.cw_chart_crosshair_index(this.#handle, bars);
    }

    /** @returns {?Legend} the crosshair's bar, else the last one; null without bars. */
    legend() {
        const pointer = this.#exports.cw_chart_legend(this.#handle);
        if (pointer === 0) {
            return null;
        }
        const [hasBar, timestamp, open, high, low, close, volume, index] = this.#engine.floats(pointer, LEGEND_LENGTH);
        if (hasBar === 0) {
            return null;
        }
        const reference = (index > 0 ? this.bar(index - 1)?.close : null) ?? open;
        return { timestamp, open, high, low, close, volume, index, reference };
    }

    /** Bars in the series. */
    get count() {
        return this.#exports.cw_chart_count(this.#handle);
    }

    /**
     * @param {number} index 0 is the oldest.
     * @returns {?import("../stream/candle-rows.js").Candle}
     */
    bar(index) {
        const pointer = this.#exports.cw_chart_bar(this.#handle, index);
        if (pointer === 0) {
            return null;
        }
        const [timestamp, open, high, low, close, volume] = this.#engine.floats(pointer, ROW);
        return { timestamp, open, high, low, close, volume };
    }

    /** Index of the leftmost visible bar. */
    get firstVisible() {
        return this.#exports.cw_chart_first_visible(this.#handle);
    }

    /** Bars that fit the view, with fractions. */
    get visibleCount() {
        return this.#exports.cw_chart_visible_count(this.#handle);
    }

    /** Distance from bar to bar. */
    get barSpacing() {
        return this.#exports.cw_chart_bar_spacing(this.#handle);
    }

    /** Whether the view comes close to the oldest bar. */
    needsHistory() {
        return this.#exports.cw_chart_needs_history(this.#handle) !== 0;
    }

    /** The picture as a display list, in the engine's memory: paint it before the next call. */
    render() {
        const pointer = this.#exports.cw_chart_render(this.#handle);
        return this.#engine.words(pointer, this.#exports.cw_chart_render_words(this.#handle));
    }
}
