import { byId, setText } from "../dom.js";

/** Milliseconds between two texts while only ticks change them. */
const PAUSE = 5000;
const NUMBERS = /** @type {const} */ (["timestamp", "open", "high", "low", "close", "volume", "index"]);

/** @typedef {import("../engine/chart.js").Legend} Bar */

/**
 * The chart's numbers as text, for those who can not see the canvas.
 *
 * `#legend` carries the bar under the crosshair (else the last one) in data attributes, exact and always current. Its
 * sentence and the summary change at most every five seconds, except when the person moves to another bar: text that
 * changes with each tick can not be read.
 */
export class ChartLegend {
    #legend = byId("legend");
    #summary = byId("chart-summary");
    #spokenAt = 0;
    #spokenBar = NaN;
    #spokenStream = "";
    #spokenNote = "";
    /** Comes back for what the feed says of a bar when nothing else moves; 0 while there is nothing to come back for. */
    #later = 0;

    #page;

    /** @param {Pick<PageParts, "chart" | "live"> & {words: import("./chart-words.js").ChartWords}} page */
    constructor(page) {
        this.#page = page;
        const { chart, words, live } = page;
        chart.addEventListener("drawn", () => this.#show());
        chart.addEventListener("read", () => {
            const bar = chart.legend();
            bar && live.announce(words.bar(bar), "bar");
        });
    }

    /** Another market or timeframe was chosen. */
    announceSelection() {
        this.#page.chart.canvas.setAttribute("aria-label", this.#page.words.label);
        this.#page.live.announce(this.#page.words.selection);
    }

    #show() {
        const words = this.#page.words;
        const bar = this.#page.chart.legend();
        const stream = this.#page.chart.selection ?? { symbol: "", timeframe: "" };
        const data = this.#legend.dataset;
        if (!bar) {
            clearTimeout(this.#later);
            this.#later = 0;
            NUMBERS.forEach((name) => delete data[name]);
            setText(this.#legend, "");
            setText(this.#summary, `${stream.symbol} has no bars yet.`);
            this.#spokenBar = NaN;
            return;
        }
        data.symbol = stream.symbol;
        data.timeframe = stream.timeframe;
        for (const name of NUMBERS) {
            data[name] = String(bar[name]);
        }
        const now = performance.now();
        const name = `${stream.symbol} ${stream.timeframe}`;
        const note = words.note(bar);
        const isSame = bar.timestamp === this.#spokenBar && name === this.#spokenStream;
        if (isSame && note !== this.#spokenNote) {
            const again = () => {
                this.#later = 0;
                this.#show();
            };
            this.#later ||= setTimeout(again, Math.max(0, this.#spokenAt + PAUSE - now));
        }
        if (!isSame || now - this.#spokenAt >= PAUSE) {
            this.#spokenNote = note;
            this.#spokenAt = now;
            this.#spokenBar = bar.timestamp;
            this.#spokenStream = name;
            setText(this.#legend, words.bar(bar));
            setText(this.#summary, words.summary(bar));
        }
    }
}
