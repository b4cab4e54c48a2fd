import { compare, decimalText, dividedDown, minus, parseDecimal, times } from "./decimal.js";

/** The most decimals that a quantity gets from a part of what is available. */
const MOST = 8;
const ZERO = { units: 0n, decimals: 0 };

/**
 * How much a part of what is available buys: a first guess from the price, then the server's own figures for it, in
 * proportion. So margin, fee and whatever the desk asks beside them are in it without this page knowing their rules.
 *
 * @param {object} wish
 * @param {number} wish.percent of what is available.
 * @param {string} wish.available
 * @param {string} wish.price near which it will be filled.
 * @param {number} wish.leverage
 * @param {(quantity: string) => Promise<{available_after: string}>} wish.preview
 * @returns {Promise<string>} "0" where there is nothing to spend.
 */
export async function sizeOf({ percent, available, price, leverage, preview }) {
    const all = parseDecimal(available);
    const each = parseDecimal(price);
    if (!all || !each || compare(all, ZERO) <= 0 || compare(each, ZERO) <= 0) {
        return "0";
    }
    const decimals = decimalsOf(each);
    const budget = times(all, { units: BigInt(percent), decimals: 2 });
    const guess = dividedDown(times(budget, { units: BigInt(leverage), decimals: 0 }), each, decimals);
    if (guess.units === 0n) {
        return "0";
    }
    const after = parseDecimal((await preview(decimalText(guess))).available_after);
    const taken = after ? minus(all, after) : ZERO;
    // An order that makes a position smaller takes nothing.
    const size = compare(taken, ZERO) <= 0 ? guess : dividedDown(times(guess, budget), taken, decimals);
    return decimalText(size);
}

/** A part of a position. @param {string} size @param {number} percent */
export function partOf(size, percent) {
    const whole = parseDecimal(size);
    if (!whole || percent === 100) {
        return whole ? decimalText(whole) : "0";
    }
    return decimalText(dividedDown(times(whole, { units: BigInt(percent), decimals: 2 }), { units: 1n, decimals: 0 }, MOST));
}

/** So many that the last one is worth about a cent: seven for a coin of 67,000, three for one of 0.12. */
function decimalsOf({ units, decimals }) {
    const whole = String(units).length - decimals;
    return Math.min(MOST, Math.max(0, whole) + 2);
}
