/** What is said, in the engine's order. */
export const NEWS = ["bar", "move", "alert"];

/** Decides what of live data is said, and when. Times are seconds of a clock that does not go back. */
export class EngineNews {
    #exports;
    #handle;

    /**
     * @param {Record<string, any>} exports
     * @param {number} handle of the chart.
     */
    constructor(exports, handle) {
        this.#exports = exports;
        this.#handle = handle;
    }

    /** @param {boolean} isOn whether bars and moves are told; alerts always are. */
    setOn(isOn) {
        this.#exports.cw_chart_news_on(this.#handle, isOn ? 1 : 0);
    }

    /** Another market or timeframe. */
    begin() {
        this.#exports.cw_chart_news_begin(this.#handle);
    }

    barClosed() {
        this.#exports.cw_chart_news_tell(this.#handle, NEWS.indexOf("bar"));
    }

    alertFired() {
        this.#exports.cw_chart_news_tell(this.#handle, NEWS.indexOf("alert"));
    }

    /** @param {number} last price. */
    price(last) {
        this.#exports.cw_chart_news_price(this.#handle, last);
    }

    /** @param {number} now @returns {?string} one of `NEWS` to say now. */
    next(now) {
        return NEWS[this.#exports.cw_chart_news_next(this.#handle, now)] ?? null;
    }

    /** When there is something to say; infinity while nothing waits. */
    get deadline() {
        return this.#exports.cw_chart_news_deadline(this.#handle);
    }
}
