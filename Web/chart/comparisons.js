import { candleRows } from "../engine/candle-rows.js";
import { recall, remember } from "../storage.js";
import { getJSON } from "../stream/rest.js";

const KEY = "candlewire.comparisons";

/** Bars per request, and the most requests for one symbol: as far back as the chart's own bars usually go. */
const PAGE = 1000;
const PAGES = 10;
/** Bars of a comparison; the engine has no more of the chart's own. */
const CAPACITY = PAGE * PAGES;
/** Bars that are requested again when one closed: a trade may have come late. */
const LATE = 3;

/** @typedef {import("../engine/candle-rows.js").Candle} Candle */

/**
 * Another symbol's line on the chart.
 *
 * @typedef {object} Comparison
 * @property {string} symbol
 * @property {number} id the engine's number; 0 while there is no engine.
 * @property {boolean} isVisible a hidden one stays in the legend.
 * @property {?number} colour `0xRRGGBBAA`; null is the theme's.
 * @property {Candle[]} candles ascending.
 * @property {"loading" | "shown" | "failed"} state
 * @property {number} loading the series it is being loaded for; 0 while it is not.
 * @property {boolean} isWhole whether there are no older ones to be had.
 */

/**
 * Other symbols beside the chart's own, in its timeframe. Their bars come over REST, as far back as the chart's; the
 * newest one follows the trades that the market list receives anyway, and is requested again when the chart's bar closes.
 * Which ones there are is remembered in this browser; those that the server has come back with its list.
 *
 * Events: `change`.
 */
export class Comparisons extends EventTarget {
    #panel;
    #store;
    /** @type {Comparison[]} */
    #list = [];
    /** Counts the series of the chart, so that an answer for another one is dropped. */
    #series = 0;
    #oldest = Infinity;

    /**
     * @param {import("./chart-panel.js").ChartPanel} panel
     * @param {import("../stream/market-store.js").MarketStore} store
     * @param {import("../stream/session.js").Session} session
     */
    constructor(panel, store, session) {
        super();
        this.#panel = panel;
        this.#store = store;
        panel.addEventListener("ready", () => this.#list.forEach((each) => this.#attach(each)));
        panel.addEventListener("selected", () => this.#selected());
        panel.addEventListener("loaded", () => this.#loadAll());
        panel.addEventListener("drawn", () => this.#extend());
        panel.addEventListener("bar", () => this.#list.forEach((each) => this.#refresh(each)));
        const remembered = recall(KEY);
        store.addEventListener("list", () => Array.isArray(remembered) && this.#restore(remembered), { once: true });
        session.addListener((stream, event) => {
            if (event.kind === "tick" && this.#list.length > 0) {
                this.#tick(stream.symbol, event.timestamp, event.price);
            }
        });
    }

    /** @returns {readonly Comparison[]} */
    get list() {
        return this.#list;
    }

    /** @param {string} symbol */
    has(symbol) {
        return this.#list.some((each) => each.symbol === symbol);
    }

    /**
     * @param {string} symbol
     * @param {{isVisible?: boolean, colour?: ?number}} look
     * @returns {boolean} false where the chart has no room for another one.
     */
    add(symbol, { isVisible = true, colour = null } = {}) {
        if (this.has(symbol) || symbol === this.#panel.selection?.symbol) {
            return true;
        }
        /** @type {Comparison} */
        const comparison = { symbol, id: 0, isVisible, colour, candles: [], state: "loading", loading: 0, isWhole: false };
        if (this.#panel.engineChart && !this.#attach(comparison)) {
            return false;
        }
        this.#list.push(comparison);
        this.#load(comparison);
        this.#changed();
        return true;
    }

    /** @param {string} symbol */
    remove(symbol) {
        const comparison = this.#list.find((each) => each.symbol === symbol);
        if (comparison) {
            this.#list = this.#list.filter((each) => each !== comparison);
            this.#panel.change((chart) => chart.comparisons.remove(comparison.id));
            this.#changed();
        }
    }

    /** @param {string} symbol @param {boolean} isVisible */
    show(symbol, isVisible) {
        this.#setLook(symbol, { isVisible });
    }

    /** @param {string} symbol @param {?number} colour `0xRRGGBBAA`; null is the theme's. */
    setColour(symbol, colour) {
        this.#setLook(symbol, { colour });
    }

    /** The colour that it is drawn in, `0xRRGGBBAA`.
     * @param {string} symbol */
    colour(symbol) {
        const id = this.#list.find((each) => each.symbol === symbol)?.id ?? 0;
        return this.#panel.engineChart?.comparisons.colour(id) ?? 0;
    }

    /** @param {string} symbol @param {{isVisible?: boolean, colour?: ?number}} look */
    #setLook(symbol, look) {
        const comparison = this.#list.find((each) => each.symbol === symbol);
        if (comparison) {
            Object.assign(comparison, look);
            this.#look(comparison);
            this.#changed();
        }
    }

    /** @param {Comparison} comparison */
    #look({ id, isVisible, colour }) {
        this.#panel.change(({ comparisons }) => {
            comparisons.show(id, isVisible);
            comparisons.setColour(id, colour);
        });
    }

    /** What this browser keeps: a symbol, or one with its look. Whoever wrote it may have written anything.
     * @param {unknown[]} remembered */
    #restore(remembered) {
        for (const each of remembered) {
            const stored = /** @type {?{symbol?: unknown, isVisible?: unknown, colour?: unknown}} */ (
                typeof each === "string" ? { symbol: each } : each
            );
            if (typeof stored?.symbol === "string" && this.#store.markets.has(stored.symbol)) {
                const colour = typeof stored.colour === "number" && Number.isInteger(stored.colour) ? stored.colour : null;
                this.add(stored.symbol, { isVisible: stored.isVisible !== false, colour });
            }
        }
    }

    #changed() {
        const kept = this.#list.map(({ symbol, isVisible, colour }) =>
            isVisible && colour === null ? symbol : { symbol, isVisible, colour },
        );
        remember(KEY, kept.length > 0 ? kept : null);
        this.dispatchEvent(new Event("change"));
    }

    /** @param {Comparison} comparison @returns {boolean} */
    #attach(comparison) {
        const precision = this.#store.markets.get(comparison.symbol)?.precision ?? 2;
        comparison.id = this.#panel.change((chart) => chart.comparisons.add(comparison.symbol, precision)) ?? 0;
        this.#look(comparison);
        return comparison.id !== 0;
    }

    /** Another stream: the bars of all belong to it, and a symbol is not compared with itself. */
    #selected() {
        this.#series += 1;
        this.#oldest = Infinity;
        this.remove(this.#panel.selection?.symbol ?? "");
        for (const comparison of this.#list) {
            Object.assign(comparison, { candles: [], state: "loading", loading: 0, isWhole: false });
            this.#show(comparison);
        }
    }

    #loadAll() {
        this.#series += 1;
        this.#oldest = this.#panel.engineChart?.bar(0)?.timestamp ?? Infinity;
        for (const comparison of this.#list) {
            Object.assign(comparison, { candles: [], isWhole: false });
            this.#load(comparison);
        }
    }

    /** The chart's own bars reach further back now: so do the others. */
    #extend() {
        if (this.#list.length === 0) {
            return;
        }
        const oldest = (this.#panel.engineChart?.drawn.oldest ?? NaN) || Infinity;
        if (oldest < this.#oldest) {
            this.#oldest = oldest;
            this.#list.forEach((each) => this.#load(each));
        }
    }

    /** Requests bars until they reach as far back as the chart's.
     * @param {Comparison} comparison */
    async #load(comparison) {
        const stream = this.#panel.selection;
        const series = this.#series;
        if (!stream || !this.#panel.engineChart?.count || comparison.loading === series) {
            return;
        }
        comparison.loading = series;
        const isCurrent = () => series === this.#series && this.#list.includes(comparison);
        try {
            for (let page = 0; page < PAGES && !comparison.isWhole; page += 1) {
                const oldest = comparison.candles[0]?.timestamp;
                if (oldest <= (this.#panel.engineChart?.bar(0)?.timestamp ?? Infinity)) {
                    break;
                }
                /** @type {Record<string, string | number>} */
                const query = { symbol: comparison.symbol, timeframe: stream.timeframe, limit: PAGE };
                oldest === undefined || (query.before = oldest);
                const candles = /** @type {Candle[]} */ (await getJSON("/v1/candles", query));
                if (!isCurrent()) {
                    return;
                }
                const first = comparison.candles[0]?.timestamp ?? Infinity;
                const older = candles.filter(({ timestamp }) => timestamp < first);
                comparison.isWhole = older.length === 0;
                comparison.candles = [...older, ...comparison.candles];
                this.#show(comparison);
            }
            comparison.state = "shown";
        } catch {
            if (!isCurrent()) {
                return;
            }
            comparison.state = "failed";
        }
        comparison.loading = 0;
        this.#changed();
    }

    /** @param {Comparison} comparison */
    #show({ id, candles }) {
        this.#panel.change((chart) => chart.comparisons.set(id, candleRows(candles)));
    }

    /** A bar of the chart closed: what the others' bars became.
     * @param {Comparison} comparison */
    async #refresh(comparison) {
        const stream = this.#panel.selection;
        const series = this.#series;
        if (comparison.state !== "shown") {
            this.#load(comparison);
            return;
        }
        try {
            const query = { symbol: comparison.symbol, timeframe: stream?.timeframe ?? "", limit: LATE };
            const candles = /** @type {Candle[]} */ (await getJSON("/v1/candles", query));
            if (series === this.#series && this.#list.includes(comparison)) {
                candles.forEach((candle) => this.#place(comparison, candle));
            }
        } catch {
            // The next bar retries.
        }
    }

    /** A trade: the newest bar goes on, or the one that the chart's own newest bar stands for begins.
     * @param {string} symbol @param {number} timestamp @param {number} price */
    #tick(symbol, timestamp, price) {
        const comparison = this.#list.find((each) => each.symbol === symbol);
        const chart = this.#panel.engineChart;
        const newest = chart && chart.count > 0 ? chart.bar(chart.count - 1) : null;
        const last = comparison?.candles.at(-1);
        if (!comparison || !last || !newest || timestamp < newest.timestamp || last.timestamp > newest.timestamp) {
            return;
        }
        const isNew = last.timestamp < newest.timestamp;
        const { open, high, low, volume } = isNew ? { open: price, high: price, low: price, volume: 0 } : last;
        const prices = { open, high: Math.max(high, price), low: Math.min(low, price), close: price, volume };
        this.#place(comparison, { timestamp: newest.timestamp, ...prices });
    }

    /** @param {Comparison} comparison @param {Candle} candle */
    #place({ id, candles }, candle) {
        const last = candles.length - 1;
        const at = candles.findLastIndex(({ timestamp }) => timestamp <= candle.timestamp);
        if (at >= 0 && candles[at].timestamp === candle.timestamp) {
            candles[at] = candle;
        } else if (at === last) {
            candles.push(candle);
            candles.splice(0, candles.length - CAPACITY);
        } else {
            return;
        }
        this.#panel.change((chart) => chart.comparisons.place(id, candle));
    }
}
