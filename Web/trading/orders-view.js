import { element } from "../dom.js";
import { switchOff } from "../drawings/icon-button.js";
import { ask } from "./ask.js";
import { choice } from "./choice.js";
import { readDecimal } from "./form-values.js";
import { formatDecimal, formatExact, sideName, statusName, typeName } from "./money-words.js";
import { TableView } from "./table-view.js";
import { confirmsOrders } from "./trade-settings.js";
import { shortTime } from "./trade-times.js";
import { isActive, newestFirst } from "./trading-store.js";

/** @typedef {import("./trading-store.js").Order} Order */

const STATES = { active: "Working", done: "Done", all: "All" };
const MARKETS = { all: "All markets", this: "This market" };

/** Orders: what waits, what became of the others, and how to change or cancel them. */
export class OrdersView {
    id = "orders";
    name = "Orders";
    element = element("div", { class: "trade-view" });
    #parts;
    #table;
    #state = choice("Which orders", STATES, () => this.show());
    #market = choice("Orders of", MARKETS, () => this.show());
    #cancelAll = element("button", { type: "button", class: "small-button" }, "Cancel all");

    /** @param {import("./trading.js").Parts} parts */
    constructor(parts) {
        this.#parts = parts;
        this.#cancelAll.addEventListener("click", () => this.cancelAll());
        this.#table = new TableView({
            name: "Orders",
            columns: [
                {
                    name: "Market",
                    cell: ({ symbol, side }) => ({ text: symbol, note: sideName(side), direction: side === "buy" ? "up" : "down" }),
                },
                { name: "Type", cell: ({ type, ...order }) => ({ text: typeName(type), note: conditions(order) }) },
                { name: "Price", cell: (order) => ({ text: priceWords(order, parts.precision(order.symbol)) }) },
                {
                    name: "Quantity",
                    cell: ({ quantity, filled_quantity: filled }) => ({ text: formatExact(quantity), note: `${formatExact(filled)} filled` }),
                },
                {
                    name: "Average price",
                    cell: ({ symbol, average_fill_price: price }) => formatDecimal(price, parts.precision(symbol)),
                },
                { name: "Status", cell: ({ status, reason }) => ({ text: statusName(status), note: reason ?? "" }) },
                { name: "Updated", cell: ({ updated_at: time }) => shortTime(time) },
            ],
            actions: [
                { name: "Amend", label: (order) => `Amend ${nameOf(order)}`, act: (order) => this.amend(order), isThere: isActive },
                { name: "Cancel", label: (order) => `Cancel ${nameOf(order)}`, act: (order) => this.#cancel(order), isThere: isActive },
            ],
        });
        const bar = element("div", { class: "trade-filters" }, this.#state.element, this.#market.element, this.#cancelAll);
        this.element.append(bar, this.#table.element);
    }

    count() {
        return this.#parts.store.active.length;
    }

    show() {
        const { store, symbol } = this.#parts;
        const state = this.#state.value;
        const all = [...store.orders.values()].sort(newestFirst);
        const shown = all
            .filter((order) => state === "all" || isActive(order) === (state === "active"))
            .filter((order) => this.#market.value === "all" || order.symbol === symbol());
        switchOff(this.#cancelAll, store.active.length === 0);
        const none = state === "active" ? "No working order." : "No order here yet.";
        this.#table.show(shown, store.known.has("orders") ? none : store.problem || "Orders are being loaded.");
    }

    /** @param {Order} order */
    amend(order) {
        const field = (/** @type {string} */ name, /** @type {string} */ label) => ({ name, label, value: order[name] ?? "", type: "number" });
        const fields = [
            { ...field("quantity", "Quantity"), hint: `${formatExact(order.filled_quantity)} of it is filled` },
            ...(order.limit_price ? [field("limit_price", "Limit price")] : []),
            ...(order.stop_price && !order.trail ? [field("stop_price", "Stop price")] : []),
        ];
        return ask({
            title: `Amend ${nameOf(order)}`,
            fields,
            confirm: "Amend",
            act: async (values) => {
                const change = {};
                for (const [name, text] of Object.entries(values)) {
                    const wanted = readDecimal(text, name, { above: "0" });
                    if (wanted !== order[name]) {
                        change[name] = wanted;
                    }
                }
                if (Object.keys(change).length > 0) {
                    // With the version that was looked at: an order that changed meanwhile is not amended blindly.
                    await this.#parts.desk.amend(order, change);
                }
            },
        });
    }

    cancelAll() {
        const { store, desk, symbol, attempt } = this.#parts;
        const only = this.#market.value === "this" ? symbol() : undefined;
        const count = store.active.filter((order) => !only || order.symbol === only).length;
        if (count === 0) {
            return;
        }
        if (!confirmsOrders()) {
            return attempt(desk.cancelAll(only));
        }
        const orders = `${count === 1 ? "1 working order" : `${count} working orders`}${only ? ` of ${only}` : ""}`;
        return ask({ title: `Cancel ${orders}?`, confirm: "Cancel orders", isGrave: true, act: () => desk.cancelAll(only) });
    }

    #cancel(order) {
        return this.#parts.attempt(this.#parts.desk.cancel(order));
    }
}

/** @param {Order} order */
export function nameOf({ side, quantity, symbol, type }) {
    return `${sideName(side).toLowerCase()} ${formatExact(quantity)} ${symbol}, ${typeName(type).toLowerCase()}`;
}

/** What an order waits for: `64,000.00`, `Stop 63,000.00`, `Trails by 1.5%`. @param {Order} order @param {number} precision */
export function priceWords({ limit_price: limit, stop_price: stop, trail }, precision) {
    const at = (/** @type {string} */ text) => formatDecimal(text, precision);
    const trails = trail ? `Trails by ${trail.percent ? `${formatExact(trail.percent)}%` : at(trail.amount ?? "")}` : "";
    const parts = [trails, stop ? `Stop ${at(stop)}` : "", limit ? (stop ? `Limit ${at(limit)}` : at(limit)) : ""];
    return parts.filter(Boolean).join(", ") || "At market";
}

function conditions({ time_in_force: force = "", post_only: post, reduce_only: reduce, leverage, oco_group: group }) {
    const words = [force.toUpperCase(), `${leverage}×`, post && "post-only", reduce && "reduce-only", group && "OCO"];
    return words.filter(Boolean).join(" · ");
}
