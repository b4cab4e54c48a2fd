import { CHART_STATUS, NEWS, numberOf } from "./boundary.js";
import { partWith } from "./part.js";

/** `begin`: another market or timeframe. */
const Part = partWith({ begin: "cw_chart_news_begin" });

/** Decides what of live data is announced, and when. Times are seconds of a clock that does not go back. */
export class EngineNews extends Part {
    /** Place of the chart's status. */
    #status = this.engine.exports.cw_chart_status(this.handle) / 8;

    /** @param {boolean} isOn whether bars and moves are announced; alerts always are. */
    setOn(isOn) {
        this.exports.cw_chart_news_on(this.handle, isOn ? 1 : 0);
    }

    barClosed() {
        this.exports.cw_chart_news_add(this.handle, numberOf(NEWS, "bar"));
    }

    alertFired() {
        this.exports.cw_chart_news_add(this.handle, numberOf(NEWS, "alert"));
    }

    /** @param {number} last price. */
    price(last) {
        // The prices of the stream that feeds the chart are there already.
        if (this.engine.numbers[this.#status + CHART_STATUS.newsPrice] !== last) {
            this.exports.cw_chart_news_price(this.handle, last);
        }
    }

    /**
     * @param {number} now
     * @returns {?string} one of `NEWS` to announce now.
     */
    next(now) {
        return now < this.deadline ? null : (NEWS[this.exports.cw_chart_news_next(this.handle, now)] ?? null);
    }

    /** When there is something to announce; infinity while nothing waits. */
    get deadline() {
        return this.engine.numbers[this.#status + CHART_STATUS.newsDeadline];
    }
}
