import { decimalText, digitsOf, parseDecimal, rounded } from "./decimal.js";

/**
 * A decimal of the server for people, grouped and rounded: `67,234.50`. Without one, an en dash.
 *
 * @param {?string | undefined} text
 * @param {number} decimals
 */
export function formatDecimal(text, decimals) {
    const value = text == null ? null : parseDecimal(text);
    if (!value) {
        return "–";
    }
    const { units } = rounded(value, decimals);
    const digits = digitsOf(units, decimals);
    const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(\d{3})+$)/g, ",");
    return `${units < 0n ? "−" : ""}${whole}${decimals > 0 ? `.${digits.slice(-decimals)}` : ""}`;
}

/** All digits that there are, grouped: a quantity.
 * @param {?string | undefined} text */
export function formatExact(text) {
    const value = text == null ? null : parseDecimal(text);
    if (!value) {
        return "–";
    }
    const shortest = decimalText(value);
    return formatDecimal(shortest, shortest.split(".")[1]?.length ?? 0);
}

/** With a sign, for profit: `+111.73`, `−4.20`, `0.00`.
 * @param {?string | undefined} text @param {number} [decimals] */
export function formatSigned(text, decimals = 2) {
    const words = formatDecimal(text, decimals);
    return /[1-9]/.test(words) && !words.startsWith("−") ? `+${words}` : words;
}

/** Which way a profit points, as it is shown.
 * @param {?string | undefined} text @param {number} [decimals] */
export function signOf(text, decimals = 2) {
    const value = text == null ? null : parseDecimal(text);
    const units = value ? rounded(value, decimals).units : 0n;
    return units > 0n ? "up" : units < 0n ? "down" : "flat";
}

/** The decimals of each currency's money, as the server's markets have them.
 * @type {Map<string, number>} */
export const currencyDecimals = new Map();
const NATIONAL = new Set(Intl.supportedValuesOf("currency"));

/** Of a currency that no market is in: two of a national one, eight of another.
 * @param {string} currency */
export const moneyDecimals = (currency) => currencyDecimals.get(currency) ?? (NATIONAL.has(currency) ? 2 : 8);

/** An amount with its currency: `1,204.50 USD`.
 * @param {?string | undefined} text @param {string} currency */
export function formatMoney(text, currency) {
    return `${formatDecimal(text, moneyDecimals(currency))} ${currency}`;
}

const TYPES = { market: "Market", limit: "Limit", stop: "Stop", stop_limit: "Stop limit", trailing_stop: "Trailing stop" };
/** How long an order is in force, in words. */
export const FORCES = { gtc: "Good till cancelled", day: "Day", ioc: "Immediate or cancel", fok: "Fill or kill" };
const STATUSES = {
    new: "Working",
    partially_filled: "Partially filled",
    filled: "Filled",
    cancelled: "Cancelled",
    rejected: "Rejected",
    expired: "Expired",
};

/** A word that this page does not know is shown as it came.
 * @param {Record<string, string>} words @param {string} key */
function wordOf(words, key) {
    return Object.hasOwn(words, key) ? words[key] : key.replaceAll("_", " ");
}

/** @param {string} type */
export const typeName = (type) => wordOf(TYPES, type);
/** @param {string} status */
export const statusName = (status) => wordOf(STATUSES, status);
/** @param {string} force how long an order is in force. */
export const forceName = (force) => wordOf(FORCES, force);
/** @param {string} side */
export const sideName = (side) => wordOf({ buy: "Buy", sell: "Sell", long: "Long", short: "Short" }, side);
