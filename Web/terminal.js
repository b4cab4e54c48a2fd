import { hashOf, isTrackerAddress, selectionOf } from "./address.js";
import { LIST_RETRY } from "./stream/market-store.js";
import { planSubscriptions } from "./stream/subscription-plan.js";
import { DEFAULT_TIMEFRAME } from "./timeframes.js";

/** Milliseconds in the background before the streams are slowed: a glance at another tab costs nothing. */
const HIDE_AFTER = 3000;
const KEY = "candlewire.selection";

/** @typedef {{symbol: string, timeframe: string}} Selection */

/**
 * What the page shows, and the streams it needs for that.
 *
 * The selection lives in the address (`#BTC-USD/1m`), so that it can be shared, reloaded and gone back from.
 *
 * Events: `select` (another selection), `signin` (a person wants to sign in).
 */
export class Terminal extends EventTarget {
    /** @type {?Selection} */
    selection = null;
    #session;
    #store;
    #data;
    #chart;
    #isHidden = false;
    /** @type {?ReadonlySet<string>} The market list's; null is all. */
    #listed = null;
    /** @type {Map<string, ReadonlySet<string>>} Those of other parts of the page, by the part. */
    #needed = new Map();
    /** @type {ReadonlySet<string>} */
    #watched = new Set();
    /** @type {ReadonlySet<string>} */
    #paused = new Set();
    /** @type {ReadonlySet<string>} Markets whose streams are wanted, but for those that a hidden tab left. */
    #subscribed = new Set();
    #hideTimer = 0;

    /**
     * @param {object} parts
     * @param {import("./stream/session.js").Session} parts.session
     * @param {import("./stream/market-store.js").MarketStore} parts.store
     * @param {import("./stream/market-data.js").MarketData} parts.data
     * @param {import("./chart/chart-panel.js").ChartPanel} parts.chart
     */
    constructor({ session, store, data, chart }) {
        super();
        this.#session = session;
        this.#store = store;
        this.#data = data;
        this.#chart = chart;
    }

    /** Starts: the selection of the address or of the last visit, and the market list. */
    start() {
        const selection = selectionOf(location.hash) ?? remembered();
        if (selection) {
            this.#select(selection);
        }
        addEventListener("popstate", () => this.#addressChanged());
        document.addEventListener("visibilitychange", () => this.#visibilityChanged());
        addEventListener("online", () => this.#session.setNetwork(true));
        addEventListener("offline", () => this.#session.setNetwork(false));
        this.#store.addEventListener("list", () => this.#listChanged());
        this.#session.addEventListener("state", () => this.#connectionChanged());
        this.#session.addListener((stream, event) => this.#data.apply(stream, event));
        this.#store.load();
        // A page may be opened in a tab behind the others.
        if (document.visibilityState === "hidden") {
            this.#visibilityChanged();
        }
    }

    /** Shows another market or timeframe.
     * @param {Partial<Selection>} change */
    choose(change) {
        const { symbol, timeframe = DEFAULT_TIMEFRAME } = { ...this.selection, ...change };
        if (!symbol || (symbol === this.selection?.symbol && timeframe === this.selection?.timeframe)) {
            return;
        }
        history.pushState(null, "", hashOf({ symbol, timeframe }));
        this.#select({ symbol, timeframe });
    }

    /** The engine is being loaded. */
    awaitEngine() {
        this.#session.expectMachine();
    }

    /**
     * The engine is there: the chart can draw, and the session can start.
     *
     * @param {import("./engine/engine.js").Engine} engine
     */
    attach(engine) {
        this.#chart.attach(engine);
        this.#session.attach(engine, this.#chart.engineChart);
        this.#store.setStream(true);
        this.#explainChart();
    }

    /** There is no engine: prices come with the market list, requested more often.
     * @param {string} reason */
    engineFailed(reason) {
        this.#session.unavailable(reason);
        this.#store.setStream(false);
    }

    /** Tries again at once whatever failed. */
    retry() {
        this.#session.retry();
        this.#store.load();
    }

    /**
     * The markets of the list: the others are not subscribed, unless another part of the page needs them.
     *
     * @param {?Iterable<string>} symbols null: all there are.
     */
    list(symbols) {
        const before = this.#listed;
        this.#listed = symbols === null ? null : new Set(symbols);
        this.#replan();
        const { markets } = this.#store;
        if (before !== null && [...markets.keys()].some((each) => !before.has(each) && this.#isListed(each))) {
            // Its figures are those of the last list.
            this.#store.load();
        }
    }

    /**
     * Markets that a part of the page shows beside the list.
     *
     * @param {string} part
     * @param {Iterable<string>} symbols replace those it needed before.
     */
    need(part, symbols) {
        this.#needed.set(part, new Set(symbols));
        this.#replan();
    }

    /** Markets that are listened to whatever is shown, in the background too.
     * @param {Iterable<string>} symbols */
    watch(symbols) {
        this.#watched = new Set(symbols);
        this.#replan();
    }

    /** Markets that are not subscribed for now, but on the chart.
     * @param {Iterable<string>} symbols */
    pause(symbols) {
        this.#paused = new Set(symbols);
        this.#replan();
    }

    /** Back from a view over the chart. */
    showAddress() {
        if (this.selection) {
            history.pushState(null, "", hashOf(this.selection));
        }
    }

    /** @param {Selection} selection */
    #select(selection) {
        this.selection = selection;
        if (location.hash !== hashOf(selection) && !isTrackerAddress(location.hash)) {
            history.replaceState(null, "", hashOf(selection));
        }
        remember(selection);
        this.#data.select(selection);
        this.#chart.select(selection, this.#store.markets.get(selection.symbol)?.precision ?? 2);
        this.#explainChart();
        this.#replan();
        this.dispatchEvent(new Event("select"));
    }

    #addressChanged() {
        const selection = selectionOf(location.hash);
        if (!selection) {
            return;
        }
        const { symbol, timeframe } = selection;
        if (symbol !== this.selection?.symbol || timeframe !== this.selection?.timeframe) {
            this.#select(selection);
        }
    }

    #listChanged() {
        const { markets } = this.#store;
        const market = markets.get(this.selection?.symbol ?? "");
        if (market) {
            this.#chart.setPrecision(market.precision);
        } else if (markets.size > 0) {
            // Nothing was chosen yet, or the address names a market that is not traded here.
            const [symbol] = markets.keys();
            this.#select({ symbol, timeframe: this.selection?.timeframe ?? DEFAULT_TIMEFRAME });
        }
        this.#replan();
        this.#explainChart();
    }

    #connectionChanged() {
        const { state, opened } = this.#session;
        if (state === "open" && (opened > 1 || this.#store.status === "failed")) {
            // The 24 h figures missed what the connection missed.
            this.#store.load();
        }
        this.#explainChart();
    }

    /** A chart that waits for the list or for the connection says so, and does not load for ever. */
    #explainChart() {
        const { state } = this.#session;
        const retry = () => this.retry();
        if (!this.selection && this.#store.status === "failed") {
            const next = `Candlewire retries every ${LIST_RETRY / 1000} seconds.`;
            this.#chart.unavailable("No markets yet", `${this.#store.problem} ${next}`, retry);
        } else if (!this.selection && this.#store.status === "ready") {
            this.#chart.unavailable("No markets yet", "The chart starts with the first trade.", retry);
        } else if (state === "waiting") {
            const detail = "Candlewire reconnects automatically.";
            this.#chart.unavailable("The server can’t be reached", detail, retry);
        } else if (this.#session.needsToken) {
            const signIn = () => this.dispatchEvent(new Event("signin"));
            this.#chart.unavailable("Sign in to see the chart", "This server requires an access token.", signIn, "Sign in");
        } else if (state === "failed" || state === "closed") {
            this.#chart.unavailable("The connection is closed", "Try again to see the chart.", retry);
        } else if (state === "open") {
            this.#chart.isComing();
        }
    }

    #visibilityChanged() {
        clearTimeout(this.#hideTimer);
        if (document.visibilityState === "hidden") {
            this.#hideTimer = setTimeout(() => this.#setHidden(true), HIDE_AFTER);
            return;
        }
        if (this.#isHidden) {
            this.#setHidden(false);
        }
        // Who comes back need not wait for the next attempt.
        if (this.#session.state === "waiting") {
            this.#session.retry();
        }
    }

    /** @param {boolean} isHidden */
    #setHidden(isHidden) {
        this.#isHidden = isHidden;
        this.#session.setHidden(isHidden);
        this.#replan();
        if (isHidden) {
            this.#store.pause();
        } else {
            this.#store.resume();
        }
    }

    /** @param {string} symbol */
    #isListed(symbol) {
        return this.#listed === null || this.#listed.has(symbol);
    }

    /** @param {string} symbol */
    #isWanted(symbol) {
        const isNeeded = () => [...this.#needed.values()].some((symbols) => symbols.has(symbol));
        return !this.#paused.has(symbol) && (this.#isListed(symbol) || this.#watched.has(symbol) || isNeeded());
    }

    #replan() {
        const plan = planSubscriptions({
            symbols: [...this.#store.markets.keys()].filter((symbol) => this.#isWanted(symbol)),
            selection: this.selection,
            hidden: this.#isHidden,
            watched: this.#watched,
        });
        this.#session.setSubscriptions(plan);
        if (!this.#isHidden) {
            // Without a subscription, silence means nothing.
            const subscribed = new Set(plan.map(({ symbol }) => symbol));
            this.#subscribed.forEach((symbol) => subscribed.has(symbol) || this.#store.fresh(symbol));
            this.#subscribed = subscribed;
        }
    }
}

/** @returns {?Selection} what this browser showed last. */
function remembered() {
    try {
        return selectionOf(localStorage.getItem(KEY) ?? "");
    } catch {
        return null;
    }
}

/** @param {Selection} selection */
function remember(selection) {
    try {
        localStorage.setItem(KEY, hashOf(selection));
    } catch {
        // Storage may be forbidden; the page then opens with the first market.
    }
}
