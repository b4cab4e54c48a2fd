/** Numbers of a row: time, open, high, low, close, volume. */
export const ROW = 6;
const START = 1_500_000_000;

/**
 * A walk of one-minute candles, the same for everybody.
 *
 * @param {number} count
 * @returns {Float64Array} count x 6, prices in cents.
 */
export function candles(count) {
    const rows = new Float64Array(count * ROW);
    const random = generator(20_240_607);
    let price = 60_000;
    for (let i = 0; i < count; i += 1) {
        rows.set(candle(START + i * 60, price, random), i * ROW);
        price = rows[i * ROW + 4];
    }
    return rows;
}

/**
 * Updates that follow `rows`: mostly of the newest candle, every tenth begins the next one.
 *
 * @param {Float64Array} rows
 */
export function* updates(rows) {
    const random = generator(7);
    let last = rows.slice(-ROW);
    for (let i = 1; ; i += 1) {
        if (i % 10 === 0) {
            last = Float64Array.from(candle(last[0] + 60, last[4], random));
        } else {
            const close = cents(Math.max(1, last[4] + (random() - 0.5) * 10));
            last[4] = close;
            last[2] = Math.max(last[2], close);
            last[3] = Math.min(last[3], close);
            last[5] += 1;
        }
        const [time, open, high, low, close, volume] = last;
        yield { time, open, high, low, close, volume };
    }
}

function candle(time, open, random) {
    const close = cents(Math.max(100, open + (random() - 0.5) * 40));
    const high = cents(Math.max(open, close) + random() * 8);
    const low = cents(Math.max(1, Math.min(open, close) - random() * 8));
    return [time, open, high, low, close, Math.round(random() * 10_000) / 100];
}

const cents = (price) => Math.round(price * 100) / 100;

/** Mulberry32: small, and the same numbers everywhere. */
function generator(seed) {
    let state = seed;
    return () => {
        state = (state + 0x6d2b79f5) | 0;
        let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
        mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
        return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
    };
}
