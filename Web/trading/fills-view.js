import { byId, copyOf, part, term } from "../dom.js";
import { formatTime, shortTime } from "../format.js";
import { formatDecimal, formatExact, formatMoney, formatSigned, moneyDecimals, sideName, signOf } from "../money.js";
import { actOneByOne } from "../ui/icon-button.js";
import { TableView } from "../ui/table-view.js";
import { newestFirst } from "./trading-store.js";

/** What was bought and sold, each fill with its receipt: why it filled, at this price, with this fee. */
export class FillsView {
    id = "fills";
    #parts;
    #table;
    #older = byId("fills-older");

    /** @param {import("./trading.js").Parts} parts */
    constructor(parts) {
        this.#parts = parts;
        this.#table = new TableView({
            name: "Fills",
            columns: [
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
                { name: "Time", cell: ({ timestamp }) => ({ text: shortTime(timestamp), title: formatTime(timestamp) }) },
            ],
            actions: [{ name: "Receipt", label: (fill) => `Receipt: ${sideName(fill.side)} ${formatExact(fill.quantity)} ${fill.symbol}`, act: () => {} }],
            detail: (fill) => receiptOf(fill, parts.precision(fill.symbol)),
        });
        actOneByOne(this.#older, () => this.#showOlder());
        this.#older.before(this.#table.element);
    }

    show() {
        const { store } = this.#parts;
        const fills = [...store.fills.values()].sort(newestFirst);
        this.#older.hidden = fills.length < 100;
        const none = "No fills yet.";
        this.#table.show(fills, store.known.has("orders") ? none : store.problem || "Loading fills…");
    }

    async #showOlder() {
        const { store, desk, attempt } = this.#parts;
        const [oldest] = [...store.fills.values()].sort(newestFirst).slice(-1);
        return (await attempt(desk.olderFills(oldest.id))) !== 0;
    }
}

/**
 * Why an order was filled: the rule as a sentence, then what it used.
 *
 * @param {import("./trading-store.js").Fill} fill
 * @param {number} precision decimals of its market's price.
 */
function receiptOf(fill, precision) {
    const { receipt = {} } = fill;
    const price = (/** @type {string | undefined} */ text) => formatDecimal(text, precision);
    const rows = [
        ["Model", receipt.model],
        ["Trade used", receipt.trade_price && `${formatExact(receipt.trade_volume)} at ${price(receipt.trade_price)}`],
        ["Trade time", receipt.trade_time && formatTime(receipt.trade_time)],
        ["Volume used", receipt.trade_used && formatExact(receipt.trade_used)],
        ["Price", price(fill.price)],
        ["Slippage", receipt.slippage && formatExact(receipt.slippage)],
        ["Latency", receipt.latency !== undefined && `${formatExact(String(receipt.latency))} s`],
        ["Fee", `${formatMoney(fill.fee, fill.fee_currency)} as ${fill.liquidity}`],
        ["Order", fill.order_id],
        ["Fill", fill.id],
    ];
    const element = copyOf("receipt");
    part(element, "p").append(receipt.rule ?? "");
    part(element, "p").hidden = !receipt.rule;
    part(element, "dl").append(...rows.filter(([, value]) => value).map(([name, value]) => term(String(name), String(value))));
    return element;
}
