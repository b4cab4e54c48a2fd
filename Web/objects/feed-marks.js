import { timeframe } from "../timeframes.js";
import { formatAge } from "../format.js";

/** Marks of a stream; the oldest go first. */
const LIMIT = 300;
/** Milliseconds between two looks at a silence that lasts. */
const GROWTH = 5000;

/**
 * @typedef {object} Mark
 * @property {string} key the same for the same mark.
 * @property {number} start seconds since 1970 UTC.
 * @property {number} end
 * @property {string} state one of the engine's `FEED_STATES`.
 * @property {string} reason
 */

/** @type {Record<string, string>} What is called how. */
const NAMES = { stale: "Stale", gap: "Gap", corrected: "Corrected", partial: "Partial" };

/**
 * What the stream reports of its own state, drawn on the bars it concerns: nothing received for too long, updates lost,
 * a bar that a late trade changed after it was final.
 *
 * A mark says what is wrong now: updates that were lost are made up for by the snapshot that follows, and their mark goes
 * then. Updates that the server merges into one, as the page requested, leave no hole and no mark.
 */
export class FeedMarks {
    #chart;
    /** @type {Mark[]} by start. */
    #marks = [];
    /** Grows the mark of a silence; 0 while there is none. */
    #growth = 0;

    /**
     * @param {ChartHandle} chart
     * @param {import("../stream/session.js").Session} session
     */
    constructor(chart, session) {
        this.#chart = chart;
        chart.addEventListener("selected", () => {
            this.#marks = [];
            this.#stopGrowth();
            this.#show();
        });
        session.addListener((stream, event) => {
            const { symbol, timeframe: id } = chart.selection ?? {};
            if (stream.symbol === symbol && stream.timeframe === id) {
                this.apply(event, Date.now() / 1000);
            }
        });
    }

    /**
     * @param {import("../engine/session-machine.js").StreamEvent} event of the chart's stream.
     * @param {number} now seconds since 1970 UTC.
     */
    apply(event, now) {
        switch (event.kind) {
            case "stale":
                this.#stale(now - event.age, now);
                break;
            case "fresh":
            case "tick":
                this.#fresh(now);
                break;
            case "gap":
                this.#mark("gap", this.#bar(now), "messages were lost, reloading the bars", "lost");
                break;
            case "snapshot":
                this.#remove(({ key }) => key === "lost");
                break;
            case "candle":
                this.#candle(event);
                break;
        }
    }

    /** Whether nothing was ever wrong. */
    get isEmpty() {
        return this.#marks.length === 0;
    }

    /** What is wrong with a bar, in words; "" where nothing is.
     * @param {number} timestamp its start. */
    describe(timestamp) {
        const { seconds } = timeframe(this.#chart.selection?.timeframe ?? "") ?? { seconds: 60 };
        const isOn = (/** @type {Mark} */ { start, end }) => start < timestamp + seconds && end >= timestamp;
        return this.#marks
            .filter(isOn)
            .map(({ state, reason }) => `${NAMES[state]}: ${reason}.`)
            .join(" ");
    }

    /** Nothing comes. It is reported once; the mark grows until something does.
     * @param {number} start @param {number} now */
    #stale(start, now) {
        if (!this.#marks.some(({ key }) => key === "stale")) {
            this.#add({ key: "stale", start, end: now, state: "stale", reason: "" });
        }
        this.#grow(now);
        this.#growth ||= setInterval(() => this.#grow(Date.now() / 1000), GROWTH);
    }

    /** @param {number} now up to when nothing came. */
    #grow(now) {
        const open = this.#marks.find(({ key }) => key === "stale");
        if (open) {
            open.end = now;
            open.reason = `no trade for ${formatAge(now - open.start)}`;
            this.#show();
        }
    }

    /** Something came: what was stale is over, and stays where it was.
     * @param {number} now */
    #fresh(now) {
        const open = this.#marks.find(({ key }) => key === "stale");
        if (open) {
            this.#grow(now);
            open.key = `stale ${open.start}`;
            this.#stopGrowth();
        }
    }

    #stopGrowth() {
        clearInterval(this.#growth);
        this.#growth = 0;
    }

    /** @param {import("../engine/boundary.js").CandleEvent} event */
    #candle({ timestamp, quality, revision }) {
        if (quality === "corrected") {
            const times = revision > 1 ? `${revision} times` : "once";
            this.#mark("corrected", timestamp, `late trades changed this bar ${times} after it was final`);
        } else if (quality === "gap") {
            this.#mark("gap", timestamp, "the feed was down during this bar");
        } else if (quality === "partial") {
            this.#mark("partial", timestamp, "trades before the feed began are missing");
        }
    }

    /** @param {string} state @param {number} timestamp @param {string} reason @param {string} [key] */
    #mark(state, timestamp, reason, key = `${state} ${timestamp}`) {
        const known = this.#marks.find((mark) => mark.key === key);
        if (known?.reason === reason) {
            return;
        }
        if (known) {
            known.reason = reason;
        } else {
            this.#add({ key, start: timestamp, end: timestamp, state, reason });
        }
        this.#show();
    }

    /** @param {Mark} mark */
    #add(mark) {
        this.#marks.push(mark);
        this.#marks.splice(0, this.#marks.length - LIMIT);
    }

    /** @param {(mark: Mark) => boolean} isOver */
    #remove(isOver) {
        const { length } = this.#marks;
        this.#marks = this.#marks.filter((mark) => !isOver(mark));
        if (this.#marks.length !== length) {
            this.#show();
        }
    }

    /** Start of the bar that forms, or the time where there is none.
     * @param {number} now */
    #bar(now) {
        const chart = this.#chart.engineChart;
        return chart?.count ? (chart.bar(chart.count - 1)?.timestamp ?? now) : now;
    }

    #show() {
        this.#chart.change(({ objects }) => {
            objects.clearFeed();
            this.#marks.forEach(({ start, end, state, reason }) => objects.markFeed(start, end, state, reason));
        });
    }
}
