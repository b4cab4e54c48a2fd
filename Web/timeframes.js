/**
 * @typedef {object} Timeframe
 * @property {string} id name on the wire.
 * @property {number} index number on the WebAssembly boundary.
 * @property {number} seconds length; of a month the nominal 30 days.
 * @property {string} name for people.
 */

/** @type {Timeframe[]} finest first, in the order of the engine. */
export const TIMEFRAMES = /** @type {[string, number, string][]} */ ([
    ["1s", 1, "1 second"],
    ["5s", 5, "5 seconds"],
    ["15s", 15, "15 seconds"],
    ["1m", 60, "1 minute"],
    ["3m", 180, "3 minutes"],
    ["5m", 300, "5 minutes"],
    ["15m", 900, "15 minutes"],
    ["30m", 1800, "30 minutes"],
    ["1h", 3600, "1 hour"],
    ["2h", 7200, "2 hours"],
    ["4h", 14400, "4 hours"],
    ["6h", 21600, "6 hours"],
    ["12h", 43200, "12 hours"],
    ["1d", 86400, "1 day"],
    ["1w", 604800, "1 week"],
    ["1M", 2592000, "1 month"],
]).map(([id, seconds, name], index) => ({ id, index, seconds, name }));

/** What a new visitor sees. */
export const DEFAULT_TIMEFRAME = "1m";

/** Timeframes with a button of their own; the others are in a menu. */
export const QUICK_TIMEFRAMES = ["1s", "5s", "15s", "1m", "5m", "15m", "1h", "4h", "1d"];

/**
 * @param {string} id
 * @returns {Timeframe | undefined}
 */
export function timeframe(id) {
    return TIMEFRAMES.find((each) => each.id === id);
}
