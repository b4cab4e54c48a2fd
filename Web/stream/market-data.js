/**
 * What a chart must be able to do beside a stream that feeds it inside the engine.
 *
 * @typedef {object} ChartSink
 * @property {(count: number) => void} replaced the engine received this many bars that replace all others. Of none, the
 *   old ones stay until `fed`.
 * @property {() => void} fed the engine's bars changed.
 * @property {(candle: import("../engine/candle-rows.js").Candle) => void} closed a bar is final.
 * @property {(message: string) => void} refused the server does not serve this stream.
 */

/** @typedef {import("../engine/session-machine.js").StreamEvent} StreamEvent */
/** @typedef {import("./subscription-plan.js").Subscription} Subscription */

/**
 * Applies what streams bring: prices to the market list, and what the engine does not know of the chart to the chart.
 *
 * The session sees to it that a stream is state, then live: the chart's bars are replaced by a snapshot or go on where
 * they were.
 */
export class MarketData {
    #store;
    #chart;
    /** @type {?{symbol: string, timeframe: string}} */
    #selection = null;
    /** Whether the chart holds bars of the selected stream. */
    #hasBars = false;
    /** @type {?number} the last price in the chart. */
    #chartPrice = null;

    /**
     * @param {object} parts
     * @param {import("./market-store.js").MarketStore} parts.store
     * @param {ChartSink} parts.chart
     */
    constructor({ store, chart }) {
        this.#store = store;
        this.#chart = chart;
        // A list that was requested earlier may come later: the stream's price is the newer one.
        store.addEventListener("list", () => this.#agree());
    }

    /** Another stream for the chart.
     * @param {{symbol: string, timeframe: string}} selection */
    select(selection) {
        this.#selection = selection;
        this.#hasBars = false;
        this.#chartPrice = null;
    }

    /**
     * @param {Subscription} stream
     * @param {StreamEvent} event
     */
    apply(stream, event) {
        const isChart = stream.symbol === this.#selection?.symbol && stream.timeframe === this.#selection?.timeframe;
        switch (event.kind) {
            case "tick":
                this.#store.trade(stream.symbol, event.price, event.timestamp);
                if (isChart && this.#hasBars) {
                    this.#chart.fed();
                    this.#chartPrice = event.price;
                }
                break;
            case "candle":
                if (isChart && this.#hasBars) {
                    this.#chart.fed();
                    if (event.final) {
                        this.#chart.closed(event);
                    } else {
                        this.#chartPrice = event.close;
                        this.#agree();
                    }
                }
                break;
            case "snapshot":
                if (isChart) {
                    this.#hasBars = true;
                    this.#chart.replaced(event.count);
                    this.#chartPrice = event.close;
                    this.#agree();
                }
                break;
            case "stale":
                this.#store.stale(stream.symbol, event.age);
                break;
            case "fresh":
                this.#store.fresh(stream.symbol);
                break;
            case "refused":
                if (isChart) {
                    this.#chart.refused(event.message);
                }
                break;
        }
    }

    /** One market, one price: the list and the header show what the chart shows. */
    #agree() {
        if (this.#selection && this.#chartPrice !== null) {
            this.#store.price(this.#selection.symbol, this.#chartPrice);
        }
    }
}
