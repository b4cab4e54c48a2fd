/**
 * What a chart must be able to do to follow a stream.
 *
 * @typedef {object} ChartSink
 * @property {(rows: Float64Array, keepViewport: boolean) => void} snapshot replaces every bar.
 * @property {(timestamp: number, price: number, volume: number) => void} tick
 * @property {(candle: import("./candle-rows.js").Candle, final: boolean) => void} candle an authoritative bar.
 * @property {(message: string) => void} refused the server does not serve this stream.
 */

/** @typedef {import("./session-machine.js").StreamEvent} StreamEvent */
/** @typedef {import("./subscription-plan.js").Subscription} Subscription */

/** Place of a row's close, counted from the row's end. */
const CLOSE = -2;

/**
 * Applies what streams bring: prices to the market list, and the selected stream to the chart.
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
    /** @type {?number} the last price that the chart was given. */
    #chartPrice = null;

    /**
     * @param {object} parts
     * @param {import("./market-store.js").MarketStore} parts.store
     * @param {ChartSink} parts.chart
     */
    constructor({ store, chart }) {
        this.#store = store;
        this.#chart = chart;
        // A list that was asked for earlier may come later: the stream's price is the newer one.
        store.addEventListener("list", () => this.#agree());
    }

    /** Another stream for the chart. @param {{symbol: string, timeframe: string}} selection */
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
                    this.#chart.tick(event.timestamp, event.price, event.volume);
                    this.#chartPrice = event.price;
                }
                break;
            case "candle":
                if (isChart && this.#hasBars) {
                    this.#chart.candle(event.candle, event.final);
                    if (!event.final) {
                        this.#chartPrice = event.candle.close;
                        this.#agree();
                    }
                }
                break;
            case "snapshot":
                if (isChart) {
                    this.#snapshot(event.rows);
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

    /** @param {Float64Array} rows */
    #snapshot(rows) {
        this.#chart.snapshot(rows, this.#hasBars);
        this.#hasBars = true;
        this.#chartPrice = rows.at(CLOSE) ?? null;
        this.#agree();
    }

    /** One market, one price: the list and the header show what the chart shows. */
    #agree() {
        if (this.#selection && this.#chartPrice !== null) {
            this.#store.price(this.#selection.symbol, this.#chartPrice);
        }
    }
}
