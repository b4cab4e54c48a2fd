import { ROW } from "../stream/candle-rows.js";
import { EngineComparisons } from "./engine-comparisons.js";
import { EngineDrawings } from "./engine-drawings.js";
import { EngineNews } from "./engine-news.js";
import { EngineObjects } from "./engine-objects.js";
import { EnginePanes } from "./engine-panes.js";
import { PLACED } from "./engine-placed.js";
import { EngineStudies } from "./engine-studies.js";
import { EngineZone } from "./engine-zone.js";

/** Numbers that `cw_chart_legend` writes. */
const LEGEND_LENGTH = 8;

/** Rows that are handed over at once. */
const PIECE = 4096;

/** How much `draw` drew; each level includes those before it. */
export const REDRAW = { none: 0, cursor: 1, lastBar: 2, viewport: 3, everything: 4 };

/** Themes by their number on the boundary. */
export const THEMES = ["dark", "light", "deuteranopia", "high-contrast"];

/** What the price looks like, by number. */
export const KINDS = ["candles", "hollow", "bars", "line", "area", "baseline", "heikin-ashi", "histogram"];

/** How bars are spaced, by number: one beside the other, or each where its time is. */
export const TIME_SCALES = ["bars", "time"];

/** Where volume is shown, by number. */
export const VOLUME = ["off", "price", "pane"];

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
        /** Where the panes are, and their scales. */
        this.panes = new EnginePanes(engine, exports, this.#handle);
        /** The indicators. */
        this.studies = new EngineStudies(engine, exports, this.#handle);
        /** Other symbols as lines. */
        this.comparisons = new EngineComparisons(engine, exports, this.#handle);
        /** What clock times are told by. */
        this.zone = new EngineZone(engine, exports, this.#handle);
        /** Price lines, alerts, markers, orders, the feed's state. */
        this.objects = new EngineObjects(engine, exports, this.#handle);
        /** What is said of live data. */
        this.news = new EngineNews(exports, this.#handle);
        /** The symbol's drawings. */
        this.drawings = new EngineDrawings(engine, exports, this.#handle);
    }

    free() {
        this.#exports.cw_chart_free(this.#handle);
        this.#handle = 0;
    }

    resize(width, height, pixelRatio) {
        this.#exports.cw_chart_resize(this.#handle, width, height, pixelRatio);
    }

    /** @param {string} theme one of `THEMES`. */
    setTheme(theme) {
        this.#exports.cw_chart_set_theme(this.#handle, THEMES.indexOf(theme));
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

    /** The colours of the present theme, as `setThemeColours` takes them. @returns {Uint32Array} */
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

    /** @param {number} scale the user's font size over the usual one. */
    setFontScale(scale) {
        this.#exports.cw_chart_set_font_scale(this.#handle, scale);
    }

    /** @param {string} kind one of `KINDS`. */
    setKind(kind) {
        this.#exports.cw_chart_set_kind(this.#handle, KINDS.indexOf(kind));
    }

    /** @param {?number} price that a baseline series is filled to; null is the middle of the pane. */
    setBaseline(price) {
        this.#exports.cw_chart_set_baseline(this.#handle, price ?? NaN);
    }

    /** @param {string} placement one of `VOLUME`. */
    setVolume(placement) {
        this.#exports.cw_chart_set_volume(this.#handle, VOLUME.indexOf(placement));
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

    /** Whether the view comes close to a newest bar that is not the newest there is. */
    needsNewer() {
        return this.#exports.cw_chart_needs_newer(this.#handle) !== 0;
    }

    /** How many bars the capacity drove out at either end; all of them can be had again. */
    get pagedOut() {
        const [older, newer] = [0, 1].map((end) => this.#exports.cw_chart_paged_out(this.#handle, end));
        return { older, newer };
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

    /** A view that does not follow keeps the time in its middle. @param {string} scale one of `TIME_SCALES`. */
    setTimeScale(scale) {
        this.#exports.cw_chart_set_time_scale(this.#handle, TIME_SCALES.indexOf(scale));
    }

    /** @returns {string} one of `TIME_SCALES`. */
    get timeScale() {
        return TIME_SCALES[this.#exports.cw_chart_time_scale(this.#handle)];
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

    /** @returns {{width: number, height: number}} of all panes together; the axes lie beyond. */
    plot() {
        const [width, height] = this.#engine.floats(this.#exports.cw_chart_plot(this.#handle), 2);
        return { width, height };
    }

    /**
     * What lies under a pixel.
     *
     * @returns {?{pane: number, index: number, time: number, value: number}} null beside the panes and without bars.
     */
    position(x, y) {
        const pointer = this.#exports.cw_chart_position(this.#handle, x, y);
        const [isThere, pane, index, time, value] = this.#engine.floats(pointer, 5);
        return isThere === 0 ? null : { pane, index, time, value };
    }

    /** @returns {?{x: number, y: number}} where a time and a price are, also off the screen. */
    point(time, price) {
        const [isThere, x, y] = this.#engine.floats(this.#exports.cw_chart_point(this.#handle, time, price), 3);
        return isThere === 0 ? null : { x, y };
    }

    // Zoom as a number, and places.

    /** @param {number} zoom 1 shows 100 bars, 10 ten, 0.1 a thousand. */
    setZoom(zoom) {
        this.#exports.cw_chart_set_zoom(this.#handle, zoom);
    }

    get zoomLevel() {
        return this.#exports.cw_chart_zoom_level(this.#handle);
    }

    /** Brings a time to the middle. @param {number} time seconds since 1970 UTC. */
    goTo(time) {
        this.#exports.cw_chart_go_to(this.#handle, time);
    }

    // Pictures.

    /**
     * Draws what changed since the last call.
     *
     * @returns {number} one of `REDRAW`: from `lastBar` on both segments are new, at `cursor` only the overlay.
     */
    draw() {
        return this.#exports.cw_chart_draw(this.#handle);
    }

    /** All but the crosshair, as the last draw left it: paint it before the next call into the engine. */
    base() {
        return this.#segment(0);
    }

    /** The crosshair and the legends, to be painted over the base. */
    overlay() {
        return this.#segment(1);
    }

    #segment(number) {
        const pointer = this.#exports.cw_chart_segment(this.#handle, number);
        return this.#engine.words(pointer, this.#exports.cw_chart_segment_words(this.#handle, number));
    }

    /** The whole picture as one display list, in the engine's memory: paint it before the next call. */
    render() {
        const pointer = this.#exports.cw_chart_render(this.#handle);
        return this.#engine.words(pointer, this.#exports.cw_chart_render_words(this.#handle));
    }
}
