import { byId } from "../dom.js";
import { openDialog } from "../ui/dialog.js";
import { readPositive } from "./form-values.js";
import { formatDecimal, formatExact, formatMoney, formatSigned, moneyDecimals, sideName, signOf } from "../money.js";
import { TableView } from "../ui/table-view.js";
import { confirmsOrders } from "./trade-settings.js";

/** @typedef {import("./trading-store.js").Position} Position */

/** Open positions: what they are worth, and how to leave, turn or protect them. */
export class PositionsView {
    id = "positions";
    #parts;
    #table;

    /** @param {import("./trading.js").Parts} parts */
    constructor(parts) {
        this.#parts = parts;
        const price = (/** @type {Position} */ { symbol }, /** @type {?string | undefined} */ text) => formatDecimal(text, parts.precision(symbol));
        const whyNot = (/** @type {Position} */ { symbol }) => parts.offWords(symbol);
        this.#table = new TableView({
            name: "Positions",
            columns: [
                {
                    name: "Market",
                    cell: ({ symbol, side, leverage }) => ({
                        text: symbol,
                        note: `${sideName(side)} · ${leverage}×`,
                        direction: side === "long" ? "up" : "down",
                    }),
                },
                { name: "Size", cell: ({ size }) => formatExact(size) },
                { name: "Entry", cell: (item) => price(item, item.entry_price) },
                { name: "Mark", cell: (item) => price(item, item.mark_price) },
                { name: "Liquidation", cell: (item) => price(item, item.liquidation_price) },
                { name: "Margin", cell: ({ margin, currency }) => formatMoney(margin, currency) },
                { name: "Unrealized profit", cell: profitCell },
                {
                    name: "Take profit, stop loss",
                    cell: (item) => `${price(item, item.take_profit)} / ${price(item, item.stop_loss)}`,
                },
            ],
            actions: [
                { name: "Close", label: (item) => `Close ${nameOf(item)}`, act: (item) => this.close(item), whyNot },
                { name: "Reverse", label: (item) => `Reverse ${nameOf(item)}`, act: (item) => this.#reverse(item), whyNot },
                {
                    name: "TP/SL",
                    label: (item) => `TP/SL: take profit and stop loss of ${nameOf(item)}`,
                    act: (item) => this.#bracket(item),
                },
            ],
        });
        byId("positions-view").append(this.#table.element);
    }

    count() {
        return this.#parts.store.positions.length;
    }

    show() {
        const { store } = this.#parts;
        const none = "No open positions.";
        this.#table.show(store.positions, store.known.has("positions") ? none : store.problem || "Loading positions…");
    }

    /** @param {Position} position */
    close(position) {
        const { desk, attempt } = this.#parts;
        if (!confirmsOrders()) {
            return attempt(desk.close(position.symbol));
        }
        return openDialog({
            title: `Close ${nameOf(position)}`,
            text: "Closes the position at market. Enter a smaller quantity to close only part of it.",
            fields: [{ name: "quantity", label: "Quantity", value: position.size, type: "number" }],
            confirm: "Close at market",
            act: async ({ quantity }) => {
                const wanted = readPositive(quantity, "quantity");
                await desk.close(position.symbol, wanted === position.size ? undefined : wanted);
            },
        });
    }

    /** @param {Position} position */
    #reverse(position) {
        const { desk, attempt } = this.#parts;
        if (!confirmsOrders()) {
            return attempt(desk.reverse(position.symbol));
        }
        const other = position.side === "long" ? "short" : "long";
        return openDialog({
            title: `Reverse ${nameOf(position)}`,
            text: `Closes the position at market and opens a ${other} one of the same size.`,
            confirm: "Reverse at market",
            act: async () => {
                await desk.reverse(position.symbol);
            },
        });
    }

    /** @param {Position} position */
    #bracket(position) {
        const { desk } = this.#parts;
        return openDialog({
            title: `Take profit and stop loss of ${nameOf(position)}`,
            text:
                "The take profit is a limit order at its price; the stop loss closes the position at market when the price " +
                "reaches it. Each cancels the other. Leave a field empty to remove it.",
            fields: [
                { name: "take_profit", label: "Take profit", value: position.take_profit ?? "", type: "number" },
                { name: "stop_loss", label: "Stop loss", value: position.stop_loss ?? "", type: "number" },
            ],
            confirm: "Set",
            act: async ({ take_profit: profit, stop_loss: loss }) => {
                await desk.bracket(position.symbol, {
                    take_profit: profit ? readPositive(profit, "take_profit") : null,
                    stop_loss: loss ? readPositive(loss, "stop_loss") : null,
                });
            },
        });
    }
}

/** @param {Position} position */
function nameOf({ symbol, side, size }) {
    return `${side} ${formatExact(size)} ${symbol}`;
}

/** Profit as money, and both percentages by their names: on the margin that it took, and on the price alone.
 * @param {Position} position */
function profitCell({ unrealized_pnl: profit, unrealized_pnl_percent: onMargin, price_percent: onPrice, currency }) {
    const decimals = moneyDecimals(currency);
    return {
        text: `${formatSigned(profit, decimals)} ${currency}`,
        note: `${formatSigned(onMargin)}% on margin · ${formatSigned(onPrice)}% on price`,
        direction: signOf(profit, decimals),
    };
}
