import { byId, setText } from "../dom.js";
import { formatCountdown } from "../format.js";
import { timeframe } from "../timeframes.js";

/** Zoom per click. */
const ZOOM = 1.4;
/** Above a day the countdown says less than the axis. */
const MAX_COUNTDOWN = 86400;

/** The chart's tools beside the timeframes, zoom and reset, and the time left to the bar above them. */
export class Toolbar {
    #countdown = byId("countdown");
    #timer = 0;

    /** @param {import("./chart-panel.js").ChartPanel} chart @param {import("../stream/market-store.js").MarketStore} store */
    constructor(chart, store) {
        byId("zoom-in").addEventListener("click", () => chart.zoom(ZOOM));
        byId("zoom-out").addEventListener("click", () => chart.zoom(1 / ZOOM));
        byId("fit").addEventListener("click", () => chart.fit());
        // A recording's clock is not the wall clock.
        const count = () => chart.selection && this.#countDown(chart.selection.timeframe, store.feed === "sim");
        chart.addEventListener("selected", count);
        store.addEventListener("list", count);
    }

    /**
     * Counts down to the end of the forming bar.
     *
     * @param {string} id the timeframe.
     * @param {boolean} isLive whether the feed's clock is the wall clock; a recording's is not.
     */
    #countDown(id, isLive) {
        clearInterval(this.#timer);
        const { seconds } = timeframe(id) ?? { seconds: 0 };
        this.#countdown.hidden = !isLive || seconds < 60 || seconds > MAX_COUNTDOWN;
        if (this.#countdown.hidden) {
            return;
        }
        const show = () => {
            const left = seconds - ((Date.now() / 1000) % seconds);
            setText(byId("countdown-left"), formatCountdown(left));
        };
        this.#timer = setInterval(show, 1000);
        show();
    }
}
