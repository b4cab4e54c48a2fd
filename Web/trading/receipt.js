import { element } from "../dom.js";
import { formatTime } from "../format.js";
import { formatDecimal, formatExact, formatMoney } from "./money-words.js";

/**
 * Why an order was filled: the rule as a sentence, then what it used.
 *
 * @param {import("./trading-store.js").Fill} fill
 * @param {number} precision decimals of its market's price.
 */
export function receiptOf(fill, precision) {
    const { receipt = {} } = fill;
    const price = (/** @type {string} */ text) => formatDecimal(text, precision);
    const rows = [
        ["Model", receipt.model],
        ["Trade used", receipt.trade_price && `${formatExact(receipt.trade_volume)} at ${price(receipt.trade_price)}`],
        ["Its time", receipt.trade_time && formatTime(receipt.trade_time)],
        ["Taken of it", receipt.trade_used && formatExact(receipt.trade_used)],
        ["Price", price(fill.price)],
        ["Slippage", receipt.slippage && formatExact(receipt.slippage)],
        ["Latency", receipt.latency !== undefined && `${formatExact(String(receipt.latency))} s`],
        ["Fee", `${formatMoney(fill.fee, fill.fee_currency)} as ${fill.liquidity}`],
        ["Order", fill.order_id],
        ["Fill", fill.id],
    ];
    const list = rows
        .filter(([, value]) => value)
        .map(([name, value]) => element("div", {}, element("dt", {}, String(name)), element("dd", {}, String(value))));
    return element(
        "div",
        { class: "receipt" },
        ...(receipt.rule ? [element("p", {}, receipt.rule)] : []),
        element("dl", {}, ...list),
    );
}
