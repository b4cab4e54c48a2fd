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
