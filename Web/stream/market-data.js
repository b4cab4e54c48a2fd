import { candleRows } from "./candle-rows.js";

/**
 * What a chart must be able to do to follow a stream.
 *
 * @typedef {object} ChartSink
 * @property {(rows: Float64Array, keepViewport: boolean) => void} snapshot replaces every bar.
 * @property {(timestamp: number, price: number, volume: number) => void} tick
 * @property {(candle: import("./candle-rows.js").Candle, final: boolean) => void} candle an authoritative bar.
 * @property {(message: string) => void} refused the server does not serve this stream.
 */

/**
 * Applies the server's messages: prices to the market list, and the selected stream to the chart.
 *
 * The chart's stream is state, then live: nothing touches the bars between the choice of a stream and its snapshot, so
 * a message of the stream before never ends up in the new one.
 */
export class MarketData {
    #store;
    #chart;
    #subscriptions;
    /** @type {?{symbol: string, timeframe: string}} */
    #selection = null;
    /** Whether the server has answered the chart's present subscription; what comes before belongs to an older one. */
    #isAnswered = false;
    /** Whether the chart holds the state that live messages continue. */
    #isLive = false;
    /** Whether the chart holds bars of the selected stream, live or not. */
    #hasBars = false;
    /** @type {?number} the last price that the chart was given. */
    #chartPrice = null;
    /** @type {Map<string, number>} symbol to updates that the server merged for us, for the curious. */
    skipped = new Map();

    /**
     * @param {object} parts
     * @param {import("./market-store.js").MarketStore} parts.store
     * @param {ChartSink} parts.chart
     * @param {import("./subscription-set.js").SubscriptionSet} parts.subscriptions
     */
    constructor({ store, chart, subscriptions }) {
        this.#store = store;
        this.#chart = chart;
        this.#subscriptions = subscriptions;
        // A list that was asked for earlier may come later: the stream's price is the newer one.
        store.addEventListener("list", () => this.#agree());
    }

    /** Another stream for the chart. @param {{symbol: string, timeframe: string}} selection */
    select(selection) {
        this.#selection = selection;
        this.#hasBars = false;
        this.#chartPrice = null;
        this.suspend();
    }

    /** The chart's stream stopped (a drop, a hidden tab): it goes on with a snapshot or a recovery. */
    suspend() {
        this.#isAnswered = false;
        this.#isLive = false;
    }

    /** @param {any} message a message of protocol version 1; unknown types are ignored. */
    apply(message) {
        switch (message.type) {
            case "tick":
                this.#store.trade(message.symbol, message.price, message.timestamp);
                if (this.#isLive && message.symbol === this.#selection?.symbol) {
                    this.#chart.tick(message.timestamp, message.price, message.volume);
                    this.#chartPrice = message.price;
                }
                break;
            case "candle":
                if (this.#isLive && this.#isSelected(message)) {
                    this.#chart.candle(message, message.final === true);
                    if (message.final === false) {
                        this.#chartPrice = message.close;
                        this.#agree();
                    }
                }
                break;
            case "snapshot":
                this.#snapshot(message);
                break;
            case "subscribed":
                this.#subscribed(message);
                break;
            case "stale":
                this.#store.stale(message.symbol, message.age);
                break;
            case "skipped":
                this.skipped.set(message.symbol, (this.skipped.get(message.symbol) ?? 0) + message.count);
                break;
            case "error":
                this.#refused(message);
                break;
        }
    }

    #subscribed(message) {
        const subscription = this.#subscriptions.withId(message.id);
        // Only the chart's own subscription recovers; a hidden tab's has the same name and no candles.
        if (subscription?.recovers && this.#isSelected(subscription)) {
            this.#isAnswered = true;
            this.#isLive = message.recovered === true && this.#hasBars;
        }
    }

    #snapshot(message) {
        if (!this.#isAnswered || !this.#isSelected(message)) {
            return;
        }
        this.#chart.snapshot(candleRows(message.candles), this.#hasBars);
        this.#isLive = true;
        this.#hasBars = true;
        this.#chartPrice = message.candles.at(-1)?.close ?? null;
        this.#agree();
    }

    /** One market, one price: the list and the header show what the chart shows. */
    #agree() {
        if (this.#isLive && this.#selection && this.#chartPrice !== null) {
            this.#store.price(this.#selection.symbol, this.#chartPrice);
        }
    }

    #refused(message) {
        const subscription = this.#subscriptions.withId(message.id);
        if (subscription && this.#isSelected(subscription)) {
            this.#chart.refused(message.message);
        }
    }

    /** @param {{symbol: string, timeframe?: string}} stream */
    #isSelected({ symbol, timeframe }) {
        return symbol === this.#selection?.symbol && timeframe === this.#selection?.timeframe;
    }
}
