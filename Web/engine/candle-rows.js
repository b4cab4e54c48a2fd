/** What a candle has, in the order of the engine's rows. */
export const CANDLE_FIELDS = /** @type {const} */ (["timestamp", "open", "high", "low", "close", "volume"]);
/** Numbers per candle on the engine's side of the boundary. */
export const ROW = CANDLE_FIELDS.length;

/** @typedef {import("./boundary.js").CandleRecord} Candle */

/**
 * Candles as the engine's flat rows.
 *
 * @param {Candle[]} candles
 * @returns {Float64Array} `candles.length` x 6 numbers.
 */
export function candleRows(candles) {
    const rows = new Float64Array(candles.length * ROW);
    candles.forEach((candle, index) => CANDLE_FIELDS.forEach((name, at) => (rows[index * ROW + at] = candle[name])));
    return rows;
}
