import { candleRows } from "../engine/candle-rows.js";
import { getJSON } from "../stream/rest.js";

/** Bars per page. */
const PAGE = 1000;
/** Milliseconds before a failed page is requested again. */
const RETRY = 3000;

/** @typedef {import("../engine/candle-rows.js").Candle} Candle */

/**
 * Fetches the bars that a chart does not hold, page by page: older ones when it comes close to its oldest one, newer
 * ones where it let its newest go.
 *
 * A page belongs to the series it was requested for: after `reset` an answer on its way is dropped.
 */
export class HistoryPager {
    #prepend;
    #append;
    #replace;
    #series = 0;
    #isLoading = false;
    /** The oldest bar before which there was none. */
    #oldest = NaN;
    #notBefore = 0;

    /**
     * @param {(rows: Float64Array) => number} prepend puts rows in front of the chart, returns how many it accepted.
     * @param {(rows: Float64Array, isLast: boolean) => number} append puts rows behind its newest bar.
     * @param {(rows: Float64Array) => void} replace shows other rows, the newest one at the right.
     */
    constructor(prepend, append, replace) {
        this.#prepend = prepend;
        this.#append = append;
        this.#replace = replace;
    }

    /** The chart has another series, or the same one anew. */
    reset() {
        this.#series += 1;
        this.#isLoading = false;
        this.#oldest = NaN;
        this.#notBefore = 0;
    }

    /**
     * Requests the page before `oldest`, unless one is under way or there is none.
     *
     * @param {{symbol: string, timeframe: string}} stream
     * @param {number} oldest timestamp of the oldest bar.
     */
    loadOlder(stream, oldest) {
        // Bars that the chart let go since then may be requested again.
        if (oldest === this.#oldest) {
            return;
        }
        this.#load({ ...stream, before: oldest, limit: PAGE }, (candles) => {
            const older = candles.filter((candle) => candle.timestamp < oldest);
            if (older.length === 0 || this.#prepend(candleRows(older)) === 0) {
                this.#oldest = oldest;
            }
        });
    }

    /**
     * Requests the page after `newest`, unless one is under way.
     *
     * @param {{symbol: string, timeframe: string}} stream
     * @param {number} newest timestamp of the newest bar in the chart.
     */
    loadNewer(stream, newest) {
        this.#load({ ...stream, from: newest, limit: PAGE }, (candles) => {
            this.#append(candleRows(candles), candles.length < PAGE);
        });
    }

    /** Requests the newest page.
     * @param {{symbol: string, timeframe: string}} stream */
    loadNewest(stream) {
        this.#load({ ...stream, limit: PAGE }, (candles) => {
            if (candles.length > 0) {
                this.#replace(candleRows(candles));
            }
        });
    }

    /**
     * The page before `oldest`, now: for a caller who waits for it.
     *
     * @param {{symbol: string, timeframe: string}} stream
     * @param {number} oldest timestamp of the oldest bar.
     * @returns {Promise<boolean>} false where the chart accepted none of it.
     * @throws {import("../stream/rest.js").RestError}
     */
    async fetchOlder(stream, oldest) {
        const series = this.#series;
        const candles = await getJSON("/v1/candles", { ...stream, before: oldest, limit: PAGE });
        return series === this.#series && candles.length > 0 && this.#prepend(candleRows(candles)) > 0;
    }

    /**
     * The newest page, now.
     *
     * @param {{symbol: string, timeframe: string}} stream
     * @throws {import("../stream/rest.js").RestError}
     */
    async fetchNewest(stream) {
        const series = this.#series;
        const candles = await getJSON("/v1/candles", { ...stream, limit: PAGE });
        if (series === this.#series && candles.length > 0) {
            this.#replace(candleRows(candles));
        }
    }

    /** @param {Record<string, string | number>} query @param {(candles: Candle[]) => void} use */
    async #load(query, use) {
        if (this.#isLoading || performance.now() < this.#notBefore) {
            return;
        }
        const series = this.#series;
        this.#isLoading = true;
        try {
            /** @type {Candle[]} */
            const candles = await getJSON("/v1/candles", query);
            if (series === this.#series) {
                use(candles);
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
