import { formatPrice, formatTime, formatVolume } from "../format.js";

/** @typedef {import("../engine/chart.js").Legend} Bar */

/**
 * What a bar's sentence may have beside its six numbers.
 *
 * @typedef {object} BarContext
 * @property {number} precision decimals of a price.
 * @property {number} [count] bars in the series.
 * @property {{name: string, value: string}[]} [studies] their values at the bar.
 * @property {string} [note] a sentence about the feed.
 */

/**
 * A bar in words, as the Swift kit says it: where it is, its prices, which way it went.
 *
 * @param {Bar} bar
 * @param {BarContext} context
 */
export function describeBar(bar, { precision, count = 0, studies = [], note = "" }) {
    const price = (/** @type {number} */ value) => formatPrice(value, precision);
    const place = count > 0 ? `Bar ${bar.index + 1} of ${count}, ` : "";
    const values = studies.map(({ name, value }) => `${name} ${value}`).join(", ");
    return [
        `${place}${formatTime(bar.timestamp)}: open ${price(bar.open)}, high ${price(bar.high)}, ` +
            `low ${price(bar.low)}, close ${price(bar.close)}, ${describeMove(bar.reference, bar.close)}, ` +
            `volume ${formatVolume(bar.volume)}.`,
        values && `${values}.`,
        note,
    ]
        .filter(Boolean)
        .join(" ");
}

/** Which way a price went: `up 1.24%`, `down 0.50%`, `unchanged`.
 * @param {number} from @param {number} to */
export function describeMove(from, to) {
    const percent = from > 0 ? ((to - from) / from) * 100 : 0;
    const size = Math.abs(percent).toFixed(2);
    return size === "0.00" ? "unchanged" : `${percent > 0 ? "up" : "down"} ${size}%`;
}

/**
 * The values of the shown studies at a bar, each with a name of its own.
 *
 * @param {import("../engine/chart.js").EngineChart} chart
 * @param {import("../chart/chart-studies.js").ActiveStudy[]} studies
 * @param {number} index of the bar.
 * @param {number} precision decimals of a price.
 * @returns {{name: string, value: string}[]}
 */
export function studyValues(chart, studies, index, precision) {
    return studies
        .filter(({ isVisible }) => isVisible)
        .flatMap(({ id, kind, parameters }) => {
            const name = [kind.name, ...parameters].join(" ");
            return kind.outputs.map((output, number) => {
                const value = chart.studies.value(id, number, index);
                const digits = kind.isPrice ? precision : Math.abs(value) >= 1000 ? 0 : 2;
                return {
                    name: output.name === kind.name || kind.outputs.length === 1 ? name : `${name} ${output.name}`,
                    value: Number.isFinite(value) ? formatPrice(value, digits).replace("-", "−") : "–",
                };
            });
        });
}
