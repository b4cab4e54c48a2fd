import { element } from "../dom.js";
import { recall, remember } from "../storage.js";

const KEY = "candlewire.trading";

/**
 * What this browser remembers of the trading panels: `account`, `isOpen`, `tab`, `height`, `hasTicket`, `confirms`.
 *
 * @typedef {{account?: string, isOpen?: boolean, tab?: string, height?: number, hasTicket?: boolean, confirms?: boolean}} Kept
 */

/** @returns {Kept} */
export function tradeSettings() {
    const kept = recall(KEY);
    return typeof kept === "object" && kept !== null ? kept : {};
}

/** @param {Kept} change */
export function keepTradeSettings(change) {
    remember(KEY, { ...tradeSettings(), ...change });
}

/** Whether an order is sent only after a question. */
export function confirmsOrders() {
    return tradeSettings().confirms !== false;
}

/**
 * A choice of few words, as a select: it is small, and phones have their own way of showing it.
 *
 * @param {string} name for those who do not see what it is beside.
 * @param {Record<string, string>} options words by value.
 * @param {() => void} onChange
 */
export function choice(name, options, onChange) {
    const select = element("select", { "aria-label": name, class: "trade-choice" });
    for (const [value, words] of Object.entries(options)) {
        select.append(element("option", { value }, words));
    }
    select.addEventListener("change", onChange);
    return {
        element: select,
        get value() {
            return select.value;
        },
    };
}
