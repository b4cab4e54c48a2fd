import { CHART_STATUS, PLACEMENTS, SERIES_KINDS, THEMES, TIME_SCALES, VOLUME_PLACEMENTS, numberOf, readCandleRecord, readChartStatus, readLegendRecord, readPlotRecord, readPointRecord, readPositionRecord } from "./boundary.js";
import { ROW } from "./candle-rows.js";
import { EngineComparisons } from "./comparisons.js";
import { EngineDrawings } from "./drawings.js";
import { EngineNews } from "./news.js";
import { EngineObjects } from "./objects.js";
import { EnginePanes } from "./panes.js";
import { EngineStudies } from "./studies.js";
import { EngineZone } from "./zone.js";

/** Rows that are handed over at once. */
const PIECE = 4096;

/** @typedef {import("./boundary.js").LegendRecord} Legend */

/** One chart inside the engine. Lengths are CSS pixels, times seconds since 1970 UTC. */
export class EngineChart {
    #engine;
    #exports;
    #handle;
    /** Place of the chart's status. */
    #status;

    /** @param {import("./engine.js").Engine} engine */
    constructor(engine) {
        const { exports } = engine;
        this.#engine = engine;
        this.#exports = exports;
        this.#handle = exports.cw_chart_new();
        this.#status = exports.cw_chart_status(this.#handle) / 8;
        /** Where the panes are, and their scales. */
        this.panes = new EnginePanes(engine, this.#handle);
        /** The indicators. */
        this.studies = new EngineStudies(engine, this.#handle);
        /** Other symbols as lines. */
        this.comparisons = new EngineComparisons(engine, this.#handle);
        /** The clock of its times. */
        this.zone = new EngineZone(engine, this.#handle);
        /** Price lines, alerts, markers, orders, the feed's state. */
        this.objects = new EngineObjects(engine, this.#handle);
        /** What of live data is announced. */
        this.news = new EngineNews(engine, this.#handle);
        /** The symbol's drawings. */
        this.drawings = new EngineDrawings(engine, this.#handle);
    }

    /** What the session knows the chart by. */
    get handle() {
        return this.#handle;
    }

    free() {
        this.#exports.cw_chart_free(this.#handle);
        this.#handle = 0;
    }

    /** @param {number} width @param {number} height @param {number} pixelRatio */
    resize(width, height, pixelRatio) {
        this.#exports.cw_chart_resize(this.#handle, width, height, pixelRatio);
    }

    /** @param {string} theme one of `THEMES`. */
    setTheme(theme) {
        this.#exports.cw_chart_set_theme(this.#handle, numberOf(THEMES, theme));
    }

    /**
     * A theme of one's own.
     *
     * @param {Uint32Array} colours `0xRRGGBBAA` in the order of the engine's `Theme`, the palette last.
     * @returns {boolean} false where colours are missing.
     */
    setThemeColours(colours) {
        return this.#engine.withWords(
            colours,
            (pointer) => this.#exports.cw_chart_set_theme_colours(this.#handle, pointer, colours.length) !== 0,
        );
    }

    /** The colours of the present theme, as `setThemeColours` wants them.
     * @returns {Uint32Array} */
    themeColours() {
        const at = (/** @type {number} */ index) => this.#exports.cw_chart_theme_colour(this.#handle, index) >>> 0;
        const colours = [];
        while (at(colours.length) !== 0) {
            colours.push(at(colours.length));
        }
        return Uint32Array.from(colours);
    }

    /** The lowest contrast of a text in the present theme; below 4.5 it is hard to read. */
    get textContrast() {
        return this.#exports.cw_chart_text_contrast(this.#handle);
    }

    /** @param {number} scale the user's font size over the default one. */
    setFontScale(scale) {
        this.#exports.cw_chart_set_font_scale(this.#handle, scale);
    }

    /** @param {string} kind one of `SERIES_KINDS`. */
    setKind(kind) {
        this.#exports.cw_chart_set_kind(this.#handle, numberOf(SERIES_KINDS, kind));
    }

    /** @param {?number} price that a baseline series is filled to; null is the middle of the pane. */
    setBaseline(price) {
        this.#exports.cw_chart_set_baseline(this.#handle, price ?? NaN);
    }

    /** @param {string} placement one of `VOLUME_PLACEMENTS`. */
    setVolume(placement) {
        this.#exports.cw_chart_set_volume(this.#handle, numberOf(VOLUME_PLACEMENTS, placement));
    }

    /** @param {number} size the smallest step of a price, 0 where the precision says it. After `setSymbol`. */
    setTickSize(size) {
        this.#exports.cw_chart_set_tick_size(this.#handle, size);
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

    /** The most bars to keep; the oldest go first.
     * @param {number} bars */
    setCapacity(bars) {
        this.#exports.cw_chart_set_capacity(this.#handle, bars);
    }

    /** Clears the bars.
     * @param {number} index of the timeframe. */
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
     * Puts newer bars behind the newest one, where it is not the newest there is; what is on screen stays where it is.
     *
     * @param {Float64Array} rows n x 6, ascending.
     * @param {boolean} isLast there are no newer ones.
     * @returns {number} bars taken.
     */
    appendPage(rows, isLast) {
        return this.#engine.withFloats(rows, (pointer) =>
            this.#exports.cw_chart_append_page(this.#handle, pointer, rows.length / ROW, isLast ? 1 : 0),
        );
    }

    /** How many bars the capacity drove out at either end; all of them can be had again. */
    get pagedOut() {
        const [older, newer] = [0, 1].map((end) => this.#exports.cw_chart_paged_out(this.#handle, end));
        return { older, newer };
    }

    /**
     * Places an authoritative bar by its timestamp.
     *
     * @param {import("./candle-rows.js").Candle} candle
     * @param {boolean} final
     * @returns {string} one of `PLACEMENTS`.
     */
    place({ timestamp, open, high, low, close, volume }, final) {
        const handle = this.#handle;
        const isFinal = final ? 1 : 0;
        return PLACEMENTS[this.#exports.cw_chart_place(handle, timestamp, open, high, low, close, volume, isFinal)];
    }

    /** A trade.
     * @returns {number} bit 0: the forming bar changed; bit 1: a bar was completed.
     * @param {number} timestamp @param {number} price @param {number} volume */
    tick(timestamp, price, volume) {
        return this.#exports.cw_chart_tick(this.#handle, timestamp, price, volume);
    }

    /** @param {number} dx positive moves the bars to the right, towards the past. */
    pan(dx) {
        this.#exports.cw_chart_pan(this.#handle, dx);
    }

    /** @param {number} bars */
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

    /** A view that does not follow keeps the time in its middle.
     * @param {string} scale one of `TIME_SCALES`. */
    setTimeScale(scale) {
        this.#exports.cw_chart_set_time_scale(this.#handle, numberOf(TIME_SCALES, scale));
    }

    /** @returns {string} one of `TIME_SCALES`. */
    get timeScale() {
        return TIME_SCALES[this.#exports.cw_chart_time_scale(this.#handle)];
    }

    /** @param {number} x @param {number} y */
    crosshair(x, y) {
        this.#exports.cw_chart_crosshair(this.#handle, x, y);
    }

    crosshairOff() {
        this.#exports.cw_chart_crosshair_off(this.#handle);
    }

    /** Moves the crosshair by bars; the first step shows it on the newest visible bar.
     * @param {number} bars */
    stepCrosshair(bars) {
        this.#exports.cw_chart_crosshair_index(this.#handle, bars);
    }

    /** @returns {?Legend} the crosshair's bar, else the last one; null without bars. */
    legend() {
        return this.#engine.record(this.#exports.cw_chart_legend(this.#handle), readLegendRecord);
    }

    /** Bars in the series. */
    get count() {
        return this.#exports.cw_chart_count(this.#handle);
    }

    /**
     * @param {number} index 0 is the oldest.
     * @returns {?import("./candle-rows.js").Candle}
     */
    bar(index) {
        return this.#engine.record(this.#exports.cw_chart_bar(this.#handle, index), readCandleRecord);
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

    /** @returns {{width: number, height: number}} of all panes together; the axes lie beyond. */
    plot() {
        return this.#engine.answer(this.#exports.cw_chart_plot(this.#handle), readPlotRecord);
    }

    /**
     * What lies under a pixel; null beside the panes and without bars.
     *
     * @param {number} x
     * @param {number} y
     */
    position(x, y) {
        return this.#engine.record(this.#exports.cw_chart_position(this.#handle, x, y), readPositionRecord);
    }

    /** Where a time and a price are, also off the screen.
     * @param {number} time @param {number} price */
    point(time, price) {
        return this.#engine.record(this.#exports.cw_chart_point(this.#handle, time, price), readPointRecord);
    }

    // Zoom as a number, and places.

    /** @param {number} zoom 1 shows 100 bars, 10 ten, 0.1 a thousand. */
    setZoom(zoom) {
        this.#exports.cw_chart_set_zoom(this.#handle, zoom);
    }

    get zoomLevel() {
        return this.#exports.cw_chart_zoom_level(this.#handle);
    }

    /** Brings a time to the middle.
     * @param {number} time seconds since 1970 UTC. */
    goTo(time) {
        this.#exports.cw_chart_go_to(this.#handle, time);
    }

    // Pictures.

    /**
     * Draws what changed since the last call.
     *
     * @returns {number} by `REDRAW_LEVELS`: from "lastBar" on both segments are new, at "cursor" only the overlay.
     */
    draw() {
        return this.#exports.cw_chart_draw(this.#handle);
    }

    /** The chart as the last draw left it, and as its stream has fed it since then: read without a call. */
    get drawn() {
        return readChartStatus(this.#engine.numbers, this.#status);
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
        const { numbers } = this.#engine;
        return this.#engine.words(numbers[this.#status + pointer], numbers[this.#status + length]);
    }

    /** The whole picture as one display list, in the engine's memory: paint it before the next call. */
    render() {
        const pointer = this.#exports.cw_chart_render(this.#handle);
        return this.#engine.words(pointer, this.#exports.cw_chart_render_words(this.#handle));
    }
}
