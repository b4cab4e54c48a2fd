import { DEFAULT_TIMEFRAME } from "../timeframes.js";
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
    if (!symbol) {
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

/** @param {Selection} selection */
export function hashOf({ symbol, timeframe }) {
    return `#${encodeURIComponent(symbol)}/${timeframe}`;
}
