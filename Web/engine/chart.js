import { CHART_STATUS, SERIES_KINDS, THEMES, TIME_SCALES, VOLUME_PLACEMENTS, numberOf, readCandleRecord, readChartStatus, readLegendRecord, readLegendRowRecord, readPlotRecord, readPointRecord, readPositionRecord } from "./boundary.js";
import { ROW } from "./candle-rows.js";
import { partWith } from "./part.js";
import { EngineComparisons } from "./comparisons.js";
import { EngineDrawings } from "./drawings.js";
import { EngineNews } from "./news.js";
import { EngineObjects } from "./objects.js";
import { EnginePanes } from "./panes.js";
import { EngineStudies } from "./studies.js";
import { EngineZone } from "./zone.js";

/** Rows that are passed at once. */
const PIECE = 4096;

/** @typedef {import("./boundary.js").LegendRecord} Legend */

const Part = partWith({
    /** Width, height and device pixels per CSS pixel. */
    resize: "cw_chart_resize",
    /** The user's font size over the default one. */
    setFontScale: "cw_chart_set_font_scale",
    /** The most bars to keep; the oldest go first. */
    setCapacity: "cw_chart_set_capacity",
    /** By the timeframe's index; clears the bars. */
    setTimeframe: "cw_chart_set_timeframe",
    /** A trade: its time, price and volume. Bit 0 of the result: the forming bar changed; bit 1: a bar was completed. */
    tick: "cw_chart_tick",
    /** Positive moves the bars to the right, towards the past. */
    pan: "cw_chart_pan",
    panBars: "cw_chart_pan_bars",
    /** A factor above 1 is closer; the place x stays where it is. */
    zoom: "cw_chart_zoom",
    /** 1 shows 100 bars, 10 ten, 0.1 a thousand. */
    setZoom: "cw_chart_set_zoom",
    followLive: "cw_chart_follow_live",
    /** The default zoom, at the newest bar. */
    fit: "cw_chart_fit",
    /** Brings a time to the middle. */
    goTo: "cw_chart_go_to",
    crosshair: "cw_chart_crosshair",
    crosshairOff: "cw_chart_crosshair_off",
    /** Moves the crosshair by bars; the first step shows it on the newest visible bar. */
    stepCrosshair: "cw_chart_crosshair_index",
    /** Draws what changed since the last call. By `REDRAW_LEVELS`: from "lastBar" on both lists are new, at "cursor" only the overlay. */
    draw: "cw_chart_draw",
});

/** One chart inside the engine. Lengths are CSS pixels, times seconds since 1970 UTC. */
export class EngineChart extends Part {
    /** Place of the chart's status. */
    #status = this.exports.cw_chart_status(this.handle) / 8;
    /** Where the panes are, and their scales. */
    panes = new EnginePanes(this.engine, this.handle);
    /** The indicators. */
    studies = new EngineStudies(this.engine, this.handle);
    /** Other symbols as lines. */
    comparisons = new EngineComparisons(this.engine, this.handle);
    /** The clock of its times. */
    zone = new EngineZone(this.engine, this.handle);
    /** Price lines, alerts, markers, orders, the feed's state. */
    objects = new EngineObjects(this.engine, this.handle);
    /** What of live data is announced. */
    news = new EngineNews(this.engine, this.handle);
    /** The symbol's drawings. */
    drawings = new EngineDrawings(this.engine, this.handle);

    /** @param {import("./engine.js").Engine} engine */
    constructor(engine) {
        super(engine, engine.exports.cw_chart_new());
    }

    free() {
        this.exports.cw_chart_free(this.handle);
        this.handle = 0;
    }

    /** @param {string} theme one of `THEMES`. */
    setTheme(theme) {
        this.exports.cw_chart_set_theme(this.handle, numberOf(THEMES, theme));
    }

    /**
     * A theme of one's own.
     *
     * @param {Uint32Array} colours `0xRRGGBBAA` in the order of the engine's `Theme`, the palette last.
     * @returns {boolean} false where colours are missing.
     */
    setThemeColours(colours) {
        return this.engine.withNumbers(
            colours,
            (pointer) => this.exports.cw_chart_set_theme_colours(this.handle, pointer, colours.length) !== 0,
        );
    }

    /** The colours of the present theme, as `setThemeColours` expects them.
     * @returns {Uint32Array} */
    themeColours() {
        const at = (/** @type {number} */ index) => this.exports.cw_chart_theme_colour(this.handle, index) >>> 0;
        const colours = [];
        while (at(colours.length) !== 0) {
            colours.push(at(colours.length));
        }
        return Uint32Array.from(colours);
    }

    /** The lowest contrast of a text in the present theme; below 4.5 it is hard to read. */
    get textContrast() {
        return this.exports.cw_chart_text_contrast(this.handle);
    }

    /** @param {string} kind one of `SERIES_KINDS`. */
    setKind(kind) {
        this.exports.cw_chart_set_kind(this.handle, numberOf(SERIES_KINDS, kind));
    }

    /** @param {?number} price that a baseline series is filled to; null is the middle of the pane. */
    setBaseline(price) {
        this.exports.cw_chart_set_baseline(this.handle, price ?? NaN);
    }

    /** @param {string} placement one of `VOLUME_PLACEMENTS`. */
    setVolume(placement) {
        this.exports.cw_chart_set_volume(this.handle, numberOf(VOLUME_PLACEMENTS, placement));
    }

    /**
     * @param {string} symbol
     * @param {number} precision decimals of a price.
     */
    setSymbol(symbol, precision) {
        this.engine.withText(symbol, (pointer, length) => {
            this.exports.cw_chart_set_symbol(this.handle, pointer, length, precision);
        });
    }

    /**
     * Replaces every bar.
     *
     * @param {Float64Array} rows n x 6.
     * @param {boolean} keepViewport whether the view stays where it is; otherwise it follows the newest bar.
     * @returns {number} bars accepted.
     */
    setData(rows, keepViewport) {
        const exports = this.exports;
        exports.cw_chart_data_begin(this.handle, rows.length / ROW, keepViewport ? 1 : 0);
        // In pieces: the engine's memory would keep the room of a second copy of all rows for good.
        this.engine.inPieces(rows, PIECE * ROW, (pointer, length) =>
            exports.cw_chart_data_rows(this.handle, pointer, length / ROW),
        );
        return exports.cw_chart_data_end(this.handle);
    }

    /**
     * Puts older bars in front; what is on screen stays where it is.
     *
     * @param {Float64Array} rows n x 6.
     * @returns {number} bars accepted.
     */
    prepend(rows) {
        return this.engine.withNumbers(rows, (pointer) =>
            this.exports.cw_chart_prepend(this.handle, pointer, rows.length / ROW),
        );
    }

    /**
     * Puts newer bars behind the newest one, where it is not the newest there is; what is on screen stays where it is.
     *
     * @param {Float64Array} rows n x 6, ascending.
     * @param {boolean} isLast there are no newer ones.
     * @returns {number} bars accepted.
     */
    appendPage(rows, isLast) {
        return this.engine.withNumbers(rows, (pointer) =>
            this.exports.cw_chart_append_page(this.handle, pointer, rows.length / ROW, isLast ? 1 : 0),
        );
    }

    /** How many bars the capacity drove out at either end; all of them can be had again. */
    get pagedOut() {
        const [older, newer] = [0, 1].map((end) => this.exports.cw_chart_paged_out(this.handle, end));
        return { older, newer };
    }

    isFollowing() {
        return this.exports.cw_chart_is_following(this.handle) !== 0;
    }

    /** A view that does not follow keeps the time in its middle.
     * @param {string} scale one of `TIME_SCALES`. */
    setTimeScale(scale) {
        this.exports.cw_chart_set_time_scale(this.handle, numberOf(TIME_SCALES, scale));
    }

    /** @returns {?Legend} the crosshair's bar, else the last one; null without bars. */
    legend() {
        return this.engine.record(this.exports.cw_chart_legend(this.handle), readLegendRecord);
    }

    /** Where the legend names a study or a compared symbol; null after the last one.
     * @param {number} index in the order of the legend. */
    legendRow(index) {
        return this.engine.record(this.exports.cw_chart_legend_row(this.handle, index), readLegendRowRecord);
    }

    /** Bars in the series. */
    get count() {
        return this.exports.cw_chart_count(this.handle);
    }

    /**
     * @param {number} index 0 is the oldest.
     * @returns {?import("./candle-rows.js").Candle}
     */
    bar(index) {
        return this.engine.record(this.exports.cw_chart_bar(this.handle, index), readCandleRecord);
    }

    /** Index of the leftmost visible bar. */
    get firstVisible() {
        return this.exports.cw_chart_first_visible(this.handle);
    }

    /** Bars that fit the view, with fractions. */
    get visibleCount() {
        return this.exports.cw_chart_visible_count(this.handle);
    }

    /** Distance from bar to bar. */
    get barSpacing() {
        return this.exports.cw_chart_bar_spacing(this.handle);
    }

    /** @returns {{width: number, height: number}} of all panes together; the axes lie beyond. */
    plot() {
        return this.engine.answer(this.exports.cw_chart_plot(this.handle), readPlotRecord);
    }

    /**
     * What lies under a pixel; null beside the panes and without bars.
     *
     * @param {number} x
     * @param {number} y
     */
    position(x, y) {
        return this.engine.record(this.exports.cw_chart_position(this.handle, x, y), readPositionRecord);
    }

    /** Where a time and a price are, also off the screen.
     * @param {number} time @param {number} price */
    point(time, price) {
        return this.engine.record(this.exports.cw_chart_point(this.handle, time, price), readPointRecord);
    }

    // Pictures.

    /** The chart as the last draw left it, and as its stream has fed it since then: read without a call. */
    get drawn() {
        return readChartStatus(this.engine.numbers, this.#status);
    }

    /** All but the crosshair, as the last draw left it: paint it before the next call into the engine. */
    base() {
        return this.#words(CHART_STATUS.base, CHART_STATUS.baseLength);
    }

    /** The crosshair and the legends, to be painted over the base. */
    overlay() {
        return this.#words(CHART_STATUS.overlay, CHART_STATUS.overlayLength);
    }

    /** @param {number} pointer @param {number} length */
    #words(pointer, length) {
        const { numbers } = this.engine;
        return this.engine.words(numbers[this.#status + pointer], numbers[this.#status + length]);
    }

    /** The whole picture as one display list, in the engine's memory: paint it before the next call. */
    render() {
        const pointer = this.exports.cw_chart_render(this.handle);
        return this.engine.words(pointer, this.exports.cw_chart_render_words(this.handle));
    }
}
