import { byId } from "../dom.js";
import { switchOff } from "../ui/icon-button.js";
import { openDialog } from "../ui/dialog.js";
import { confirmsOrders } from "./trade-settings.js";
import { readPositive } from "./form-values.js";
import { decimalText, minus, parseDecimal, plus, times } from "../decimal.js";
import { formatDecimal, formatExact, formatMoney, forceName, sideName, statusName, typeName } from "../money.js";
import { errorWords } from "../user-error.js";
import { TableView } from "../ui/table-view.js";
import { shortTime } from "../format.js";
import { isActive, newestFirst } from "./trading-store.js";

/** @typedef {import("./trading-store.js").Order} Order */
/** @typedef {"quantity" | "limit_price" | "stop_price"} Amendable */

/** Orders: what waits, what became of the others, and how to change or cancel them. */
export class OrdersView {
    id = "orders";
    #parts;
    #table;
    #state = byId("orders-state", HTMLSelectElement);
    #market = byId("orders-market", HTMLSelectElement);
    #cancelAll = byId("orders-cancel");

    /** @param {import("./trading.js").Parts} parts */
    constructor(parts) {
        this.#parts = parts;
        this.#state.addEventListener("change", () => this.show());
        this.#market.addEventListener("change", () => this.show());
        this.#cancelAll.addEventListener("click", () => this.cancelAll());
        this.#table = new TableView({
            name: "Orders",
            columns: [
                {
                    name: "Market",
                    cell: ({ symbol, side }) => ({ text: symbol, note: sideName(side), direction: side === "buy" ? "up" : "down" }),
                },
                { name: "Type", cell: (order) => ({ text: kindName(order), note: conditions(order) }) },
                {
                    name: "Price",
                    cell: ({ average_fill_price: average, ...order }) => {
                        const decimals = parts.precision(order.symbol);
                        return { text: priceWords(order, decimals), note: average ? `${formatDecimal(average, decimals)} on average` : "" };
                    },
                },
                {
                    name: "Quantity",
                    cell: ({ quantity, filled_quantity: filled }) => ({ text: formatExact(quantity), note: `${formatExact(filled)} filled` }),
                },
                { name: "Cost", cell: costWords },
                {
                    name: "Take profit, stop loss",
                    cell: ({ symbol, take_profit: profit, stop_loss: loss }) => {
                        const words = [profit, loss].map((price) => formatDecimal(price, parts.precision(symbol)));
                        return profit || loss ? words.join(" / ") : "–";
                    },
                },
                { name: "Status", cell: ({ status, reason }) => ({ text: statusName(status), note: reasonWords(reason) }) },
                { name: "Updated", cell: ({ updated_at: time }) => shortTime(time) },
            ],
            actions: [
                { name: "Amend", label: (order) => `Amend ${nameOf(order)}`, act: (order) => this.amend(order), isThere: isActive },
                { name: "Cancel", label: (order) => `Cancel ${nameOf(order)}`, act: (order) => this.#cancel(order), isThere: isActive },
            ],
        });
        byId("orders-view").append(this.#table.element);
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
        const none = state === "active" ? "No working orders." : "No orders yet.";
        this.#table.show(shown, store.known.has("orders") ? none : store.problem || "Loading orders…");
    }

    /** @param {Order} order */
    amend(order) {
        /** @type {(name: Amendable, label: string) => import("../ui/dialog.js").Field} */
        const field = (name, label) => ({ name, label, value: order[name] ?? "", type: "number" });
        const fields = [
            { ...field("quantity", "Quantity"), hint: `${formatExact(order.filled_quantity)} already filled` },
            ...(order.limit_price ? [field("limit_price", "Limit price")] : []),
            ...(order.stop_price && !order.trail ? [field("stop_price", "Stop price")] : []),
        ];
        return openDialog({
            title: `Amend ${nameOf(order)}`,
            fields,
            confirm: "Amend",
            act: async (values) => {
                /** @type {Record<string, string>} */
                const change = {};
                for (const [name, text] of /** @type {[Amendable, string][]} */ (Object.entries(values))) {
                    const wanted = readPositive(text, name);
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
        const orders = `${count === 1 ? "1 working order" : `${count} working orders`}${only ? ` in ${only}` : ""}`;
        return openDialog({ title: `Cancel ${orders}?`, confirm: "Cancel orders", cancel: "Keep orders", isGrave: true, act: () => desk.cancelAll(only) });
    }

    /** @param {Order} order */
    #cancel(order) {
        return this.#parts.attempt(this.#parts.desk.cancel(order));
    }
}

/** @param {Order} order */
export function nameOf(order) {
    return `${sideName(order.side).toLowerCase()} ${formatExact(order.quantity)} ${order.symbol}, ${kindName(order).toLowerCase()}`;
}

/** Whether an order closes a position at a profit or a loss, and ends with its twin.
 * @param {Order} order */
export function isProtection({ parent, oco_group: group, reduce_only: reduces }) {
    return reduces && (parent !== undefined || group !== undefined);
}

/** What people call an order: its type, or what it protects a position from.
 * @param {Order} order */
export function kindName(order) {
    return isProtection(order) ? (order.stop_price ? "Stop loss" : "Take profit") : typeName(order.type);
}

/** Why the desk ended an order: `quantity: it needs 120000 USD` begins with the field.
 * @param {string} [reason] */
export function reasonWords(reason = "") {
    const [, field = "", message = reason] = /^([a-z_]+): (.*)$/s.exec(reason) ?? [];
    return reason && errorWords({ field, message });
}

/** What was paid, and for a waiting order what the rest takes at its price. An order that only closes costs nothing.
 * @param {Order} order */
function costWords(order) {
    const [quantity, filled, price, paid] = [order.quantity, order.filled_quantity, order.reference_price, order.filled_cost].map(
        (text) => parseDecimal(text ?? ""),
    );
    if (!quantity || !filled || !price || !paid || order.reduce_only) {
        return "–";
    }
    const cost = isActive(order) ? plus(paid, times(minus(quantity, filled), price)) : paid;
    return cost.units === 0n ? "–" : formatMoney(decimalText(cost), order.currency ?? "");
}

/** What an order waits for: `64,000.00`, `Stop 63,000.00`, `Trails by 1.5%`.
 * @param {Pick<Order, "limit_price" | "stop_price" | "trail">} order @param {number} precision */
export function priceWords({ limit_price: limit, stop_price: stop, trail }, precision) {
    const at = (/** @type {string} */ text) => formatDecimal(text, precision);
    const trails = trail ? `Trails by ${trail.percent ? `${formatExact(trail.percent)}%` : at(trail.amount ?? "")}` : "";
    const parts = [trails, stop ? `Stop ${at(stop)}` : "", limit ? (stop ? `Limit ${at(limit)}` : at(limit)) : ""];
    return parts.filter(Boolean).join(", ") || "Market";
}

/** @param {Order} order */
function conditions(order) {
    const { type, time_in_force: force, post_only: post, reduce_only: reduce, leverage, oco_group: group } = order;
    const own = [forceName(force), `${leverage}×`, post && "post-only", reduce && "reduce-only"];
    const words = [...(isProtection(order) ? [typeName(type)] : own), group && "OCO"];
    return words.filter(Boolean).join(" · ");
}
