/** Numbers per candle on the engine's side of the boundary: timestamp, open, high, low, close, volume. */
export const ROW = 6;

/**
 * @typedef {object} Candle
 * @property {number} timestamp start of the bucket, seconds since 1970 UTC.
 * @property {number} open
 * @property {number} high
 * @property {number} low
 * @property {number} close
 * @property {number} volume
 */

/**
 * Candles as the flat rows of the engine.
 *
 * @param {Candle[]} candles
 * @returns {Float64Array} `candles.length` x 6 numbers.
 */
export function candleRows(candles) {
    const rows = new Float64Array(candles.length * ROW);
    candles.forEach((candle, index) => {
        const at = index * ROW;
        rows[at] = candle.timestamp;
        rows[at + 1] = candle.open;
        rows[at + 2] = candle.high;
        rows[at + 3] = candle.low;
        rows[at + 4] = candle.close;
        rows[at + 5] = candle.volume;
    });
    return rows;
}
