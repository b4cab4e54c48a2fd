import { formatExact, sideName } from "../money.js";

/** @type {Record<string, string>} Pictures by the names of the symbols that stand for them on other platforms. */
const PICTURES = {
    "fork.knife": "M7 3v7m-3-7v4a3 3 0 0 0 6 0V3M7 10v11M17 21v-7m0 0c-2 0-3-2-3-5s1-6 3-6Z",
    "dumbbell.fill": "M3 10v4M6 7v10M6 12h12M18 7v10M21 10v4",
    "heart.fill": "M12 20s-7.5-4.6-7.5-10A4.3 4.3 0 0 1 12 7.3 4.3 4.3 0 0 1 19.5 10c0 5.4-7.5 10-7.5 10Z",
    "doc.fill": "M6 3h8l4 4v14H6ZM14 3v4h4M9 12h6M9 16h6",
};

/** @type {Record<string, [string, string]>} what a type is called, and its picture. */
const TYPES = {
    meal: ["Meal", "fork.knife"],
    workout: ["Workout", "dumbbell.fill"],
    wellness: ["Wellness", "heart.fill"],
    chart_layout: ["Chart layout", "doc.fill"],
    alert: ["Alert", "doc.fill"],
    watchlist: ["Watchlist", "doc.fill"],
    order_proposal: ["Order proposal", "doc.fill"],
};

/** What a template's type is called; a word of a later version is shown as it is.
 * @param {string} type */
export function typeName(type) {
    return TYPES[type]?.[0] ?? type.replaceAll("_", " ");
}

/** @param {string} type @returns {{name: string, path: string}} */
export function pictureOf(type) {
    const name = TYPES[type]?.[1] ?? "doc.fill";
    return { name, path: PICTURES[name] };
}

/** An order proposal in one line: “Buy 0.1 BTC-USD at the market, stop loss 65,889.81”.
 * @param {Record<string, unknown>} fields */
export function orderWords({ side, quantity, symbol, order_type: type, limit_price: limit, stop_price: stop, ...legs }) {
    const number = (/** @type {unknown} */ value) => formatExact(String(value));
    const how = type === "limit" ? `at ${number(limit)}` : type === "stop" ? `when the market reaches ${number(stop)}` : "at the market";
    const words = [`${sideName(String(side))} ${number(quantity)} ${symbol} ${how}`];
    legs.stop_loss !== undefined && words.push(`stop loss ${number(legs.stop_loss)}`);
    legs.take_profit !== undefined && words.push(`take profit ${number(legs.take_profit)}`);
    return words.join(", ");
}

/** The line that stands in the conversation.
 * @param {import("./conversation-machine.js").Template} template @param {string} [kind] its type, for people. */
export function announcement({ type, name }, kind = type) {
    return `Created ${kind} template: ${name}`;
}
