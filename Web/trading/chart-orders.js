import { inexact } from "../decimal.js";
import { formatExact, formatSigned, moneyDecimals, sideName, typeName } from "../money.js";
import { errorWords } from "../user-error.js";
import { isProtection, kindName } from "./orders-view.js";

/** The first number of a line: the page's own objects count from 1. */
const FIRST = 1_000_000;

/**
 * A line on the chart, and what a drag of it changes.
 *
 * @typedef {object} Line
 * @property {string} key
 * @property {string} kind of the engine's.
 * @property {boolean} isBuy
 * @property {string} price
 * @property {string} label
 * @property {?((price: string) => Promise<unknown>)} move null for a line that stays.
 */

/**
 * The account's positions and working orders as lines over the bars. A line is dragged to amend its order: the desk gets
 * the change, and until it answers the chart shows both prices.
 */
export class ChartOrders {
    #parts;
    #symbol = "";
    /** @type {Map<string, number>} Numbers of lines by key; a line keeps its number. */
    #numbers = new Map();
    /** @type {Map<number, {line: Line, seen: string}>} What the engine has, by number. */
    #shown = new Map();
    /** @type {Set<number>} Lines whose change the desk has not answered yet. */
    #pending = new Set();

    /** @param {import("./trading.js").Parts} parts */
    constructor(parts) {
        this.#parts = parts;
        const { chart, store } = parts;
        chart.addEventListener("ready", () => {
            this.#shown.clear();
            this.#symbol = "";
        });
        chart.addEventListener("selected", () => this.#show());
        store.addEventListener("change", () => this.#show());
        document.addEventListener("order-drag", (event) => this.#drag(/** @type {CustomEvent} */ (event)));
    }

    /** The lines of the chosen market.
     * @returns {Line[]} */
    lines() {
        const { store, desk, symbol } = this.#parts;
        const mine = (/** @type {{symbol: string}} */ each) => each.symbol === symbol();
        const orders = store.active.filter(mine);
        const positions = store.positions.filter(mine);
        return [
            ...positions.map(positionLine),
            ...orders.flatMap((order) => orderLines(order, desk)),
            // Where the protection is the position's own and no order stands for it.
            ...positions.flatMap((position) => bracketLines(position, orders, desk)),
        ];
    }

    #show() {
        const { chart } = this.#parts;
        if (!chart.engineChart || chart.selection?.symbol === undefined) {
            return;
        }
        const lines = this.lines();
        const wanted = new Set(lines.map(({ key }) => this.#numberOf(key)));
        const gone = [...this.#shown.keys()].filter((id) => !wanted.has(id));
        const changed = lines.filter((line) => {
            const id = this.#numberOf(line.key);
            return !this.#pending.has(id) && this.#shown.get(id)?.seen !== seen(line);
        });
        if (gone.length === 0 && changed.length === 0) {
            return;
        }
        chart.change(({ objects }) => {
            gone.forEach((id) => {
                objects.removeOrder(id);
                this.#shown.delete(id);
            });
            changed.forEach((line) => {
                const id = this.#numberOf(line.key);
                const { kind, isBuy, label } = line;
                objects.setOrder({ id, kind, isBuy, label, price: inexact(line.price), isDraggable: line.move !== null });
                this.#shown.set(id, { line, seen: seen(line) });
            });
        });
    }

    /** @param {CustomEvent<{id: number, price: number, accept: () => void, revert: () => void}>} event */
    #drag(event) {
        const { id, price, accept, revert } = event.detail;
        const line = this.#shown.get(id)?.line;
        if (!line?.move) {
            return;
        }
        event.preventDefault();
        // A height on the screen has no more decimals than the market's price.
        const { toasts, say, precision, symbol } = this.#parts;
        const text = price.toFixed(precision(symbol()));
        this.#pending.add(id);
        const done = (/** @type {() => void} */ answer) => {
            this.#pending.delete(id);
            answer();
            this.#show();
        };
        line.move(text).then(
            () => {
                done(accept);
                say(`${line.label} moved to ${text}.`);
            },
            (error) => {
                done(revert);
                toasts.show(`Not moved: ${errorWords(error)}`, { isError: true });
            },
        );
    }

    /** @param {string} key */
    #numberOf(key) {
        const number = this.#numbers.get(key) ?? FIRST + this.#numbers.size;
        this.#numbers.set(key, number);
        return number;
    }
}

/** @param {Line} line */
function seen({ kind, price, label, move }) {
    return JSON.stringify([kind, price, label, move !== null]);
}

/** @param {import("./trading-store.js").Position} position @returns {Line} */
function positionLine({ id, side, size, entry_price: price, unrealized_pnl: profit, currency }) {
    const words = `${sideName(side)} ${formatExact(size)}  ${formatSigned(profit, moneyDecimals(currency))} ${currency}`;
    return { key: id, kind: "position", isBuy: side === "long", price, label: words, move: null };
}

/**
 * @param {import("./trading-store.js").Order} order
 * @param {import("./trading-desk.js").TradingDesk} desk
 * @returns {Line[]} a stop limit has two.
 */
function orderLines(order, desk) {
    const { id, side, type, quantity, filled_quantity: filled } = order;
    const isBuy = side === "buy";
    const part = /[1-9]/.test(filled) ? ` (${formatExact(filled)} filled)` : "";
    const protects = isProtection(order);
    const line = (/** @type {"stop_price" | "limit_price"} */ field, /** @type {string} */ kind, /** @type {string} */ words) => ({
        key: `${id} ${field}`,
        kind: protects ? kind : "order",
        isBuy,
        price: order[field] ?? "",
        label: `${words} ${formatExact(quantity)}${part}`,
        move: order.trail ? null : (/** @type {string} */ price) => desk.amend(order, { [field]: price }),
    });
    const name = `${sideName(side)} ${typeName(type).toLowerCase()}`;
    const lines = [];
    if (order.stop_price) {
        lines.push(line("stop_price", "stop_loss", protects ? kindName(order) : order.limit_price ? `${sideName(side)} trigger` : name));
    }
    if (order.limit_price) {
        lines.push(line("limit_price", order.stop_price ? "stop_loss" : "take_profit", protects ? kindName(order) : name));
    }
    return lines;
}

/**
 * @param {import("./trading-store.js").Position} position
 * @param {import("./trading-store.js").Order[]} orders
 * @param {import("./trading-desk.js").TradingDesk} desk
 * @returns {Line[]}
 */
function bracketLines(position, orders, desk) {
    const { id, symbol, side, size } = position;
    // Not by its price: while an order is changed or trails, it and the position report it one after the other.
    const protections = orders.filter((order) => order.reduce_only);
    const hasStop = protections.some((order) => order.stop_price);
    const hasLimit = protections.some((order) => order.limit_price && !order.stop_price);
    /** @type {["take_profit" | "stop_loss", boolean, string][]} */
    const fields = [["take_profit", hasLimit, "Take profit"], ["stop_loss", hasStop, "Stop loss"]];
    return fields.flatMap(([field, isCovered, words]) => {
        const price = position[field];
        if (!price || isCovered) {
            return [];
        }
        const move = (/** @type {string} */ wanted) => desk.bracket(symbol, { [field]: wanted });
        return [{ key: `${id} ${field}`, kind: field, isBuy: side === "short", price, label: `${words} ${formatExact(size)}`, move }];
    });
}
