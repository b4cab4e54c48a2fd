import { element } from "../dom.js";
import { isOff, switchOff } from "../drawings/icon-button.js";
import { receiptOf } from "./receipt.js";
import { formatDecimal, formatExact, formatMoney, formatSigned, moneyDecimals, sideName, signOf } from "./money-words.js";
import { TableView } from "./table-view.js";
import { shortTime } from "./trade-times.js";
import { newestFirst } from "./trading-store.js";
import { formatTime } from "../format.js";

/** What was bought and sold, each fill with its receipt: why it filled, at this price, with this fee. */
export class FillsView {
    id = "fills";
    name = "Fills";
    element = element("div", { class: "trade-view" });
    #parts;
    #table;
    #older = element("button", { type: "button", class: "small-button trade-older" }, "Older fills");

    /** @param {import("./trading.js").Parts} parts */
    constructor(parts) {
        this.#parts = parts;
        this.#table = new TableView({
            name: "Fills",
            columns: [
                { name: "Time", cell: ({ timestamp }) => ({ text: shortTime(timestamp), title: formatTime(timestamp) }) },
                {
                    name: "Market",
                    cell: ({ symbol, side }) => ({ text: symbol, note: sideName(side), direction: side === "buy" ? "up" : "down" }),
                },
                { name: "Price", cell: ({ price, symbol }) => formatDecimal(price, parts.precision(symbol)) },
                { name: "Quantity", cell: ({ quantity }) => formatExact(quantity) },
                { name: "Fee", cell: ({ fee, fee_currency: currency, liquidity }) => ({ text: formatMoney(fee, currency), note: liquidity }) },
                {
                    name: "Realized profit",
                    cell: ({ realized_pnl: profit, fee_currency: currency }) => ({
                        text: `${formatSigned(profit, moneyDecimals(currency))} ${currency}`,
                        direction: signOf(profit, moneyDecimals(currency)),
                    }),
                },
            ],
            actions: [{ name: "Receipt", label: (fill) => `Receipt: ${sideName(fill.side)} ${formatExact(fill.quantity)} ${fill.symbol}`, act: () => {} }],
            detail: (fill) => receiptOf(fill, parts.precision(fill.symbol)),
        });
        this.#older.addEventListener("click", () => this.#showOlder());
        this.element.append(this.#table.element, this.#older);
    }

    show() {
        const { store } = this.#parts;
        const fills = [...store.fills.values()].sort(newestFirst);
        this.#older.hidden = fills.length < 100;
        const none = "Nothing was filled yet. Each fill has a receipt here that says why.";
        this.#table.show(fills, store.known.has("orders") ? none : store.problem || "Fills are being loaded.");
    }

    async #showOlder() {
        if (isOff(this.#older)) {
            return;
        }
        const { store, desk, attempt } = this.#parts;
        const [oldest] = [...store.fills.values()].sort(newestFirst).slice(-1);
        switchOff(this.#older, true);
        const found = await attempt(desk.olderFills(oldest.id));
        switchOff(this.#older, found === 0);
    }
}
