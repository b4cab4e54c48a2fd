import { byId, setText } from "../dom.js";
import { formatPercent, formatPrice, formatTime, formatVolume } from "../format.js";

/** Milliseconds between two texts while only ticks change them. */
const PAUSE = 5000;

/** @typedef {import("../chart/engine-chart.js").Legend} Bar */

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

    /**
     * @param {?Bar} bar
     * @param {{symbol: string, timeframe: string, precision: number}} stream
     */
    show(bar, stream) {
        const data = this.#legend.dataset;
        if (!bar) {
            ["timestamp", "open", "high", "low", "close", "volume", "index"].forEach((name) => delete data[name]);
            setText(this.#legend, "");
            setText(this.#summary, `${stream.symbol} has no bars yet.`);
            this.#spokenBar = NaN;
            return;
        }
        data.symbol = stream.symbol;
        data.timeframe = stream.timeframe;
        for (const name of /** @type {const} */ (["timestamp", "open", "high", "low", "close", "volume", "index"])) {
            data[name] = String(bar[name]);
        }
        const now = performance.now();
        const name = `${stream.symbol} ${stream.timeframe}`;
        if (bar.timestamp !== this.#spokenBar || name !== this.#spokenStream || now - this.#spokenAt >= PAUSE) {
            this.#spokenAt = now;
            this.#spokenBar = bar.timestamp;
            this.#spokenStream = name;
            const sentence = describeBar(bar, stream.precision);
            setText(this.#legend, sentence);
            setText(this.#summary, `${stream.symbol}, bars of ${stream.timeframe}. ${sentence}`);
        }
    }
}

/**
 * A bar in words.
 *
 * @param {Bar} bar
 * @param {number} precision decimals of a price.
 */
export function describeBar(bar, precision) {
    const price = (/** @type {number} */ value) => formatPrice(value, precision);
    const percent = bar.reference === 0 ? null : ((bar.close - bar.reference) / bar.reference) * 100;
    return (
        `${formatTime(bar.timestamp)}: open ${price(bar.open)}, high ${price(bar.high)}, low ${price(bar.low)}, ` +
        `close ${price(bar.close)}, change ${formatPercent(percent)}, volume ${formatVolume(bar.volume)}.`
    );
}
