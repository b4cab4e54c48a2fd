import { hashOf, isTrackerAddress, selectionOf } from "./address.js";
import { recallText, rememberText } from "./storage.js";
import { LIST_RETRY } from "./stream/market-store.js";
import { DEFAULT_TIMEFRAME } from "./timeframes.js";

const KEY = "candlewire.selection";

/** @typedef {import("./address.js").Selection} Selection */

/**
 * What the page shows: the chosen market and timeframe, and why the chart has nothing to show of them.
 *
 * The selection lives in the address (`#BTC-USD/1m`), so that it can be shared, reloaded and gone back from.
 *
 * Events: `select` (another selection), `gone` (detail: the chart's symbol, which was removed from the server), `unknown` (detail: the symbol in the address, which is not of this server),
 * `signin` (a person chose to sign in).
 */
export class Terminal extends EventTarget {
    /** @type {?Selection} */
    selection = null;
    #page;
    /** The symbol of the last address that was opened. */
    #addressed = "";
    /** Whether the chart's market was in the list. */
    #wasListed = false;

    /** @param {Pick<PageParts, "session" | "store" | "subscriptions" | "data"> & {chart: import("./chart/chart-panel.js").ChartPanel}} page */
    constructor(page) {
        super();
        this.#page = page;
    }

    /** Starts: the selection of the address or of the last visit, and the market list. */
    start() {
        this.#addressed = selectionOf(location.hash)?.symbol ?? "";
        const selection = selectionOf(location.hash) ?? selectionOf(recallText(KEY) ?? "");
        if (selection) {
            this.#select(selection);
        }
        addEventListener("popstate", () => this.#addressChanged());
        this.#page.store.addEventListener("list", () => this.#listChanged());
        this.#page.subscriptions.start();
        this.#page.session.addEventListener("state", () => this.#explainChart());
        this.#page.store.load();
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
        this.#page.session.expectMachine();
    }

    /**
     * The engine is there: the chart can draw, and the session can start.
     *
     * @param {import("./engine/engine.js").Engine} engine
     */
    attach(engine) {
        this.#page.chart.attach(engine);
        this.#page.session.attach(engine, this.#page.chart.engineChart);
        this.#page.store.setStream(true);
        this.#explainChart();
    }

    /** There is no engine: prices come with the market list, requested more often.
     * @param {string} reason */
    engineFailed(reason) {
        this.#page.session.unavailable(reason);
        this.#page.store.setStream(false);
    }

    /** Tries again at once whatever failed. */
    retry() {
        this.#page.session.retry();
        this.#page.store.load();
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
        rememberText(KEY, hashOf(selection));
        this.#page.data.select(selection);
        this.#page.chart.select(selection, this.#page.store.markets.get(selection.symbol)?.precision ?? 2);
        this.#explainChart();
        this.#page.subscriptions.select(selection);
        this.dispatchEvent(new Event("select"));
    }

    #addressChanged() {
        const selection = selectionOf(location.hash);
        if (!selection) {
            return;
        }
        const { symbol, timeframe } = selection;
        const { markets } = this.#page.store;
        if (this.selection && markets.size > 0 && !markets.has(symbol)) {
            // The chart stays as it is, and so does the address.
            history.replaceState(null, "", hashOf(this.selection));
            this.dispatchEvent(new CustomEvent("unknown", { detail: symbol }));
        } else if (symbol !== this.selection?.symbol || timeframe !== this.selection?.timeframe) {
            this.#addressed = symbol;
            this.#select(selection);
            this.#listChanged();
        }
    }

    #listChanged() {
        const { markets } = this.#page.store;
        const market = markets.get(this.selection?.symbol ?? "");
        if (market) {
            this.#page.chart.setPrecision(market.precision);
            this.#wasListed = true;
        } else if (markets.size > 0) {
            // Nothing was chosen yet, or the address names a market that is not traded here.
            const [symbol] = markets.keys();
            const before = this.selection?.symbol;
            this.#select({ symbol, timeframe: this.selection?.timeframe ?? DEFAULT_TIMEFRAME });
            if (before && this.#wasListed) {
                this.#wasListed = false;
                this.dispatchEvent(new CustomEvent("gone", { detail: before }));
            } else if (before && before === this.#addressed) {
                this.dispatchEvent(new CustomEvent("unknown", { detail: before }));
            }
        }
        this.#explainChart();
    }

    /** A chart that waits for the list or for the connection says so, and does not go on loading. */
    #explainChart() {
        const { state } = this.#page.session;
        const retry = () => this.retry();
        if (!this.selection && this.#page.store.status === "failed") {
            const next = `Candlewire retries every ${LIST_RETRY / 1000} seconds.`;
            this.#page.chart.unavailable("No markets yet", `${this.#page.store.problem} ${next}`, retry);
        } else if (!this.selection && this.#page.store.status === "ready") {
            this.#page.chart.unavailable("No markets yet", "The chart starts with the first trade.", retry);
        } else if (state === "waiting") {
            const detail = "Candlewire reconnects automatically.";
            this.#page.chart.unavailable("The server can’t be reached", detail, retry, "Reconnect");
        } else if (this.#page.session.needsToken) {
            const signIn = () => this.dispatchEvent(new Event("signin"));
            this.#page.chart.unavailable("Sign in to see the chart", "This server requires an access token.", signIn, "Sign in");
        } else if (state === "failed" || state === "closed") {
            this.#page.chart.unavailable("The connection is closed", "Reconnect to see the chart.", retry, "Reconnect");
        } else if (state === "open") {
            this.#page.chart.isComing();
        }
    }
}
