import { formatDecimal, formatExact } from "./money-words.js";
import { newestFirst } from "./trading-store.js";

/** The first number of a marker. */
const FIRST = 1_000_000;
/** Fills that are marked; older ones are in the list. */
const MOST = 100;

/** The account's fills of the chosen market as arrows at their bars. */
export class ChartFills {
    #parts;
    /** Fills that the engine has, in the order of their numbers. @type {string[]} */
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
        if (!chart.engineChart) {
            return;
        }
        const fills = [...store.fills.values()].filter((fill) => fill.symbol === symbol()).sort(newestFirst).slice(0, MOST);
        const ids = fills.map(({ id }) => id);
        if (ids.join() === this.#shown.join()) {
            return;
        }
        chart.change(({ objects }) => {
            this.#shown.forEach((_, at) => objects.removeMarker(FIRST + at));
            fills.forEach(({ timestamp: time, side: kind, quantity, price, symbol: market }, at) => {
                const text = `${formatExact(quantity)} at ${formatDecimal(price, precision(market))}`;
                objects.setMarker({ id: FIRST + at, time, kind, text });
            });
        });
        this.#shown = ids;
    }
}
