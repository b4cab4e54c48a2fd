import { candleRows } from "../stream/candle-rows.js";
import { getJSON } from "../stream/rest.js";

/** Bars per page. */
const PAGE = 1000;
/** Milliseconds before a failed page is asked for again. */
const RETRY = 3000;

/** @typedef {import("../stream/candle-rows.js").Candle} Candle */

/**
 * Fetches older bars, page by page, when a chart comes close to its oldest one.
 *
 * A page belongs to the series it was asked for: after `reset` an answer on its way is dropped.
 */
export class HistoryPager {
    #prepend;
    #series = 0;
    #isLoading = false;
    #isExhausted = false;
    #notBefore = 0;

    /** @param {(rows: Float64Array) => number} prepend puts rows in front of the chart, returns how many it took. */
    constructor(prepend) {
        this.#prepend = prepend;
    }

    /** The chart has another series, or the same one anew. */
    reset() {
        this.#series += 1;
        this.#isLoading = false;
        this.#isExhausted = false;
        this.#notBefore = 0;
    }

    /**
     * Asks for the page before `oldest`, unless one is under way or there is none.
     *
     * @param {{symbol: string, timeframe: string}} stream
     * @param {number} oldest timestamp of the oldest bar.
     */
    async load(stream, oldest) {
        if (this.#isLoading || this.#isExhausted || performance.now() < this.#notBefore) {
            return;
        }
        const series = this.#series;
        this.#isLoading = true;
        try {
            /** @type {Candle[]} */
            const candles = await getJSON("/v1/candles", { ...stream, before: oldest, limit: PAGE });
            if (series === this.#series) {
                const older = candles.filter((candle) => candle.timestamp < oldest);
                this.#isExhausted = older.length === 0 || this.#prepend(candleRows(older)) === 0;
            }
        } catch {
            if (series === this.#series) {
                this.#notBefore = performance.now() + RETRY;
            }
        } finally {
            if (series === this.#series) {
                this.#isLoading = false;
            }
        }
    }
}
