import { decimalText, parseDecimal, plus } from "../decimal.js";
import { formatDecimal, formatExact } from "../money.js";
import { nameOf, reasonWords } from "./orders-view.js";

/** Milliseconds between two sentences, as the page's policy for news of the data has it. */
const PAUSE = 5000;
/** Sentences of one breath; what is more is a number. */
const LIMIT = 3;
const ICON = "M5 12.5l4.5 4.5L19 7.5";

/**
 * Says fills, rejections and what the desk cancelled by itself: politely, at most every five seconds, many fills of an
 * order as one. Orders that ended are shown as notes, too.
 */
export class TradeNews {
    #parts;
    /** Fills that wait to be said, by order.
     * @type {Map<string, {fill: import("./trading-store.js").Fill, quantity: import("../decimal.js").Decimal}>} */
    #fills = new Map();
    /** @type {string[]} */
    #others = [];
    #saidAt = -Infinity;
    #timer = 0;

    /** @param {import("./trading.js").Parts} parts */
    constructor(parts) {
        this.#parts = parts;
        parts.store.addEventListener("fill", (event) => this.#fill(/** @type {CustomEvent} */ (event).detail));
        parts.store.addEventListener("order", (event) => this.#order(/** @type {CustomEvent} */ (event).detail));
    }

    /** @param {import("./trading-store.js").Fill} fill */
    #fill(fill) {
        const quantity = parseDecimal(fill.quantity);
        const waiting = this.#fills.get(fill.order_id);
        quantity && this.#fills.set(fill.order_id, { fill, quantity: waiting ? plus(waiting.quantity, quantity) : quantity });
        this.#schedule();
    }

    /** @param {{order: import("./trading-store.js").Order, before: import("./trading-store.js").Order | undefined}} news */
    #order({ order, before }) {
        if (before?.status === order.status) {
            return;
        }
        const words = nameOf(order);
        const reason = order.reason ? ` ${reasonWords(order.reason)}` : "";
        if (order.status === "filled") {
            const price = formatDecimal(order.average_fill_price, this.#parts.precision(order.symbol));
            this.#parts.toasts.show(`Filled: ${words}, at ${price} on paper.`, { icon: ICON, isAnnounced: true });
        } else if (order.status === "rejected" || order.status === "expired") {
            const sentence = `${order.status === "rejected" ? "Rejected" : "Expired"}: ${words}.${reason}`;
            this.#parts.toasts.show(sentence, { isError: order.status === "rejected", stays: false, isAnnounced: true });
            this.#others.push(sentence);
            this.#schedule();
        } else if (order.status === "cancelled" && reason) {
            this.#others.push(`Cancelled: ${words}.${reason}`);
            this.#schedule();
        }
    }

    #schedule() {
        this.#timer ||= setTimeout(() => this.#speak(), Math.max(100, this.#saidAt + PAUSE - performance.now()));
    }

    #speak() {
        this.#timer = 0;
        this.#saidAt = performance.now();
        const fills = [...this.#fills.values()].map(({ fill, quantity }) => {
            const price = formatDecimal(fill.price, this.#parts.precision(fill.symbol));
            return `${fill.side === "buy" ? "Bought" : "Sold"} ${formatExact(decimalText(quantity))} ${fill.symbol} at ${price} on paper.`;
        });
        const all = [...this.#others, ...fills];
        this.#fills.clear();
        this.#others = [];
        const more = all.length > LIMIT ? ` And ${all.length - LIMIT} more.` : "";
        this.#parts.say(all.slice(0, LIMIT).join(" ") + more);
    }
}
