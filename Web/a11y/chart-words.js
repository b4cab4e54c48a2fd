import { formatPrice, formatTime, formatVolume } from "../format.js";
import { timeframe } from "../timeframes.js";

/** @typedef {import("../engine/chart.js").Legend} Bar */

/** What the chart shows, in words: its name, its value, a summary, each bar. */
export class ChartWords {
    #page;

    /** @param {Pick<PageParts, "chart" | "store" | "studies" | "feedMarks">} page */
    constructor(page) {
        this.#page = page;
    }

    /** Decimals of a price. */
    get precision() {
        return this.#page.store.markets.get(this.#symbol)?.precision ?? this.#page.chart.precision;
    }

    /** `Price chart, BTC-USD, 1 minute` */
    get label() {
        return ["Price chart", this.#symbol, this.#timeframe].filter(Boolean).join(", ");
    }

    /** `BTC-USD, 1 minute bars.` */
    get selection() {
        return `${this.#symbol}, ${this.#timeframe} bars.`;
    }

    /** A bar as the Swift kit says it: where it is, its prices, which way it went; its studies, and what the feed has to say.
     * @param {Bar} bar */
    bar(bar) {
        const chart = this.#page.chart.engineChart;
        const price = (/** @type {number} */ value) => formatPrice(value, this.precision);
        const place = chart && chart.count > 0 ? `Bar ${bar.index + 1} of ${chart.count}, ` : "";
        const studies = chart ? studyValues(chart, this.#page.studies.list, bar.index, this.precision) : [];
        const values = studies.map(({ name, value }) => `${name} ${value}`).join(", ");
        const sentences = [
            `${place}${formatTime(bar.timestamp)}: open ${price(bar.open)}, high ${price(bar.high)}, ` +
                `low ${price(bar.low)}, close ${price(bar.close)}, ${describeMove(bar.reference, bar.close)} in the bar, ` +
                `volume ${formatVolume(bar.volume)}.`,
            values && `${values}.`,
            this.note(bar),
        ];
        return sentences.filter(Boolean).join(" ");
    }

    /** What the feed has to say about a bar.
     * @param {Bar} bar */
    note({ timestamp }) {
        return this.#page.feedMarks.describe(timestamp);
    }

    /** The chart as a whole: what it is, its price, what is on screen, and the bar of the crosshair or the last one. */
    summary(/** @type {Bar} */ bar) {
        return [`${this.label}.`, this.#value(), this.#screen(), this.bar(bar)].filter(Boolean).join(" ");
    }

    /** `67,234.50, up 0.12% in 24 hours.` */
    #value() {
        const market = this.#page.store.markets.get(this.#symbol);
        if (market?.price == null) {
            return "";
        }
        const move = market.day.open === null ? "" : `, ${describeMove(market.day.open, market.price)} ${market.day.since}`;
        return `${formatPrice(market.price, this.precision)}${move}.`;
    }

    #screen() {
        const chart = this.#page.chart.engineChart;
        const range = chart && visibleRange(chart);
        if (!range) {
            return "";
        }
        const bars = Array.from({ length: range.last - range.first + 1 }, (_, at) => chart.bar(range.first + at)).flatMap((bar) => bar ?? []);
        const low = formatPrice(Math.min(...bars.map((bar) => bar.low)), this.precision);
        const high = formatPrice(Math.max(...bars.map((bar) => bar.high)), this.precision);
        const from = formatTime(bars[0].timestamp);
        return `${bars.length} of ${chart.count} bars on screen, since ${from}, between ${low} and ${high}.`;
    }

    /** A bar that closed.
     * @param {import("../engine/candle-rows.js").Candle} candle @param {boolean} isFull */
    barClosed(candle, isFull) {
        const chart = this.#page.chart.engineChart;
        let index = (chart?.count ?? 0) - 1;
        while (chart && index > 0 && (chart.bar(index)?.timestamp ?? 0) > candle.timestamp) {
            index -= 1;
        }
        const reference = (index > 0 ? chart?.bar(index - 1)?.close : null) ?? candle.open;
        if (isFull) {
            return `${this.#symbol} bar closed. ${this.bar({ ...candle, index, reference })}`;
        }
        const price = formatPrice(candle.close, this.precision);
        return `${this.#symbol}, ${this.#timeframe} bar closed at ${price}, ${describeMove(reference, candle.close)}.`;
    }

    /** A large move.
     * @param {number} from @param {number} to */
    move(from, to) {
        return `${this.#symbol} ${describeMove(from, to)}, at ${formatPrice(to, this.precision)}.`;
    }

    get #symbol() {
        return this.#page.chart.selection?.symbol ?? "";
    }

    get #timeframe() {
        return timeframe(this.#page.chart.selection?.timeframe ?? "")?.name ?? "";
    }
}

/** More bars than this are not looked through for a sentence. */
const LIMIT = 5000;

/**
 * The bars on screen, at most the newest `LIMIT` of them.
 *
 * @param {import("../engine/chart.js").EngineChart} chart
 * @returns {?{first: number, last: number}} null where none is.
 */
export function visibleRange(chart, most = LIMIT) {
    const last = Math.min(chart.count - 1, Math.ceil(chart.firstVisible + chart.visibleCount) - 1);
    const first = Math.max(0, Math.floor(chart.firstVisible), last - most + 1);
    return last >= first ? { first, last } : null;
}

/** Which way a price went: `up 1.24%`, `down 0.50%`, `unchanged`.
 * @param {number} from @param {number} to */
function describeMove(from, to) {
    const percent = from > 0 ? ((to - from) / from) * 100 : 0;
    const size = Math.abs(percent).toFixed(2);
    return size === "0.00" ? "unchanged" : `${percent > 0 ? "up" : "down"} ${size}%`;
}

/**
 * The values of the shown studies at a bar, each with a name of its own.
 *
 * @param {import("../engine/chart.js").EngineChart} chart
 * @param {StudyOnChart[]} studies
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
