import { DEFAULT_TIMEFRAME } from "../timeframes.js";
import { stockOf } from "../tracker/stock-address.js";
import { isTimeframe } from "./timeframe-picker.js";

/** @typedef {{symbol: string, timeframe: string}} Selection */

/**
 * The chart that an address means: `#BTC-USD/1m`. A symbol with a slash is percent-encoded.
 *
 * @param {string} hash
 * @returns {?Selection} null where there is no symbol; an unknown timeframe becomes the default one.
 */
export function selectionOf(hash) {
    const [symbol, timeframe = ""] = hash.replace(/^#/, "").split("/");
    if (!symbol || isElsewhere(hash)) {
        return null;
    }
    try {
        return {
            symbol: decodeURIComponent(symbol),
            timeframe: isTimeframe(timeframe) ? timeframe : DEFAULT_TIMEFRAME,
        };
    } catch {
        return null;
    }
}

/** Whether an address means a view over the chart, and not the chart's market. @param {string} hash */
export function isElsewhere(hash) {
    return stockOf(hash) !== null;
}

/** @param {Selection} selection */
export function hashOf({ symbol, timeframe }) {
    return `#${encodeURIComponent(symbol)}/${timeframe}`;
}
