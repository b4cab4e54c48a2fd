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
    #panel;
    #series = 0;
    #isLoading = false;
    /** The oldest bar before which there was none. */
    #oldest = NaN;
    #notBefore = 0;

    /** @param {import("./chart-panel.js").ChartPanel} panel */
    constructor(panel) {
        this.#panel = panel;
    }

    /** The chart has another series, or the same one again. */
    reset() {
        this.#series += 1;
        this.#isLoading = false;
        this.#oldest = NaN;
        this.#notBefore = 0;
    }

    /** Requests what is missing beside the bars on screen, unless a page is under way.
     * @param {import("../engine/boundary.js").ChartStatus} drawn */
    fill({ count, needsHistory, oldest, needsNewer, newest }) {
        // Bars that the chart let go since then may be requested again.
        if (count > 0 && needsHistory && oldest !== this.#oldest) {
            this.#load({ before: oldest }, (candles) => this.#prepend(candles, oldest) || (this.#oldest = oldest));
        }
        if (needsNewer) {
            this.#load({ from: newest }, (candles) =>
                this.#panel.change((chart) => chart.appendPage(candleRows(candles), candles.length < PAGE)),
            );
        }
    }

    /** Requests the newest page, where the newest bars made room for old ones that were looked at. */
    loadNewest() {
        if (this.#panel.engineChart?.pagedOut.newer) {
            this.#load({}, (candles) => this.#replace(candles));
        }
    }

    /**
     * Brings a time to the middle; loads the bars before it page by page until it is among them.
     *
     * @param {number} time seconds since 1970 UTC.
     * @param {{signal: AbortSignal, progress: (oldest: number) => void}} watcher gets the oldest bar after each page.
     * @returns {Promise<?number>} null once the time is there; the oldest bar, which is shown then, where it is after it.
     * @throws {import("../stream/rest.js").RestError} a page could not be loaded.
     */
    async goTo(time, { signal, progress }) {
        const panel = this.#panel;
        const { engineChart: chart, selection } = panel;
        if (!chart || !selection || chart.count === 0) {
            return null;
        }
        const oldest = () => chart.bar(0)?.timestamp ?? -Infinity;
        const isCurrent = () => !signal.aborted && chart === panel.engineChart && selection === panel.selection;
        if (chart.pagedOut.newer > 0 && time > (chart.bar(chart.count - 1)?.timestamp ?? Infinity)) {
            await this.#fetch({}, (candles) => this.#replace(candles));
        }
        while (isCurrent() && oldest() > time) {
            // Bars on screen are not paged out to make room, so what is on screen are the oldest ones.
            panel.change((each) => each.goTo(oldest()));
            const before = oldest();
            await this.#fetch({ before }, (candles) => this.#prepend(candles, before));
            if (oldest() === before) {
                break;
            }
            progress(oldest());
        }
        if (!isCurrent()) {
            return null;
        }
        panel.change((each) => {
            each.goTo(Math.max(time, oldest()));
            pointAt(each, Math.max(time, oldest()));
        });
        return oldest() > time ? oldest() : null;
    }

    /** @param {Candle[]} candles @param {number} oldest bar of the chart. @returns {boolean} whether the chart accepted any. */
    #prepend(candles, oldest) {
        const older = candles.filter((candle) => candle.timestamp < oldest);
        return older.length > 0 && (this.#panel.change((chart) => chart.prepend(candleRows(older))) ?? 0) > 0;
    }

    /** Shows other bars, the newest one at the right.
     * @param {Candle[]} candles */
    #replace(candles) {
        if (candles.length > 0) {
            this.#panel.change((chart) => chart.setData(candleRows(candles), false));
        }
    }

    /** A page of the chart's stream, now: for a caller who waits for it.
     * @param {Record<string, number>} query @param {(candles: Candle[]) => unknown} use */
    async #fetch(query, use) {
        const series = this.#series;
        const candles = await getJSON("/v1/candles", { ...this.#panel.selection, ...query, limit: PAGE });
        series === this.#series && use(/** @type {Candle[]} */ (candles));
    }

    /** The same, unless one is under way or failed a moment ago.
     * @param {Record<string, number>} query @param {(candles: Candle[]) => unknown} use */
    async #load(query, use) {
        if (this.#isLoading || performance.now() < this.#notBefore) {
            return;
        }
        const series = this.#series;
        this.#isLoading = true;
        let notBefore = 0;
        try {
            await this.#fetch(query, use);
        } catch {
            notBefore = performance.now() + RETRY;
        }
        if (series === this.#series) {
            this.#notBefore = notBefore;
            this.#isLoading = false;
        }
    }
}

/** Puts the crosshair over the bar of a time, in the middle of the price pane.
 * @param {import("../engine/chart.js").EngineChart} chart @param {number} time */
function pointAt(chart, time) {
    const { top, height } = chart.panes.place(0) ?? { top: 0, height: 0 };
    const range = chart.panes.scale(0)?.range ?? [0, 0];
    const x = chart.point(time, range[0])?.x;
    if (x !== undefined) {
        chart.crosshair(x, top + height / 2);
    }
}
