import { DEFAULT_TIMEFRAME, timeframe as timeframeOf } from "./timeframes.js";

/** The first part of the tracker's addresses: `#stocks`, and `#stocks/AERO` for one stock. */
const TRACKER = "stocks";

/** @typedef {{symbol: string, timeframe: string}} Selection */

/**
 * The chart that an address means: `#BTC-USD/1m`. A symbol with a slash is percent-encoded.
 *
 * @param {string} hash
 * @returns {?Selection} null where there is no symbol; an unknown timeframe becomes the default one.
 */
export function selectionOf(hash) {
    const [symbol, timeframe = ""] = hash.replace(/^#/, "").split("/");
    if (!symbol || isTrackerAddress(hash)) {
        return null;
    }
    const known = unescaped(symbol);
    return known === null ? null : { symbol: known, timeframe: timeframeOf(timeframe) ? timeframe : DEFAULT_TIMEFRAME };
}

/** @param {Selection} selection */
export function hashOf({ symbol, timeframe }) {
    return `#${encodeURIComponent(symbol)}/${timeframe}`;
}

/** Whether an address means the tracker, which lies over the chart, and not the chart's market.
 * @param {string} hash */
export function isTrackerAddress(hash) {
    return stockOf(hash) !== null;
}

/**
 * What an address means to the tracker.
 *
 * @param {string} hash
 * @returns {?string} the stock's symbol, "" for the list, null where it is no address of the tracker.
 */
export function stockOf(hash) {
    const [name, symbol = ""] = hash.replace(/^#/, "").split("/");
    return name === TRACKER ? (unescaped(symbol) ?? "") : null;
}

/** @param {string} [symbol] without one: the list. */
export function stockAddress(symbol = "") {
    return symbol === "" ? `#${TRACKER}` : `#${TRACKER}/${encodeURIComponent(symbol)}`;
}

/** @param {string} text @returns {?string} null where it is not percent-encoded as it should be. */
function unescaped(text) {
    try {
        return decodeURIComponent(text);
    } catch {
        return null;
    }
}
