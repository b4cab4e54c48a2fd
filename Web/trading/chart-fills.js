import { timeframe } from "../timeframes.js";
import { groupFills } from "./fill-groups.js";
import { formatDecimal, formatExact } from "./money-words.js";
import { newestFirst } from "./trading-store.js";

/** The first number of a marker. */
const FIRST = 1_000_000;
/** Arrows on the chart; what is older is in the list. */
const MOST = 100;

/** The account's fills of the chosen market as arrows at their bars, one for each bar and side. */
export class ChartFills {
    #parts;
    /** What the engine has, in the order of the numbers. @type {string[]} */
    #shown = [];

    /** @param {import("./trading.js").Parts} parts */
    constructor(parts) {
        this.#parts = parts;
        const { chart, store } = parts;
        chart.addEventListener("ready", () => (this.#shown = []));
        chart.addEventListener("selected", () => this.#show());
        store.addEventListener("change", (event) => /** @type {CustomEvent} */ (event).detail === "orders" && this.#show());
    }

    #show() {
        const { chart, store, symbol, precision } = this.#parts;
        const frame = timeframe(chart.selection?.timeframe ?? "");
        if (!chart.engineChart || !frame) {
            return;
        }
        const market = symbol();
        const decimals = precision(market);
        const fills = [...store.fills.values()].filter((fill) => fill.symbol === market).sort(newestFirst);
        const groups = groupFills(fills, frame, decimals).slice(0, MOST);
        const seen = groups.map((group) => JSON.stringify(group));
        if (seen.join() === this.#shown.join()) {
            return;
        }
        chart.change(({ objects }) => {
            this.#shown.forEach((_, at) => objects.removeMarker(FIRST + at));
            groups.forEach(({ time, side: kind, count, quantity, price }, at) => {
                const many = count > 1 ? ` in ${count}` : "";
                const text = `${formatExact(quantity)} at ${formatDecimal(price, decimals)}${many}`;
                objects.setMarker({ id: FIRST + at, time, kind, text });
            });
        });
        this.#shown = seen;
    }
}
