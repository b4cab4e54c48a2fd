/**
 * Exact decimals: a whole number of units, and how many decimals a unit has. `1.50` is 150 with 2 decimals.
 *
 * Prices, quantities and money of the paper desk are texts in JSON, and no binary floating point touches them between
 * what a person typed and what is sent, nor between what came and what is shown.
 *
 * @typedef {{units: bigint, decimals: number}} Decimal
 */

/** The most decimals and whole digits of a decimal of the desk. */
const MAX_DECIMALS = 16;
const MAX_DIGITS = 22;

const GROUPED = /^([+-]?)(\d{1,3}(?:,\d{3})+|\d*)(?:\.(\d*))?$/;

/**
 * Reads what a person typed, or a text of the server. Groups of three may have commas, as this page writes them; a comma
 * anywhere else may be meant as a decimal point, and is refused instead of guessed.
 *
 * @param {string} text
 * @returns {?Decimal} null where it is not a number, or has more digits than the desk accepts.
 */
export function parseDecimal(text) {
    const match = GROUPED.exec(text.replace(/\s/g, "").replace("−", "-"));
    if (!match) {
        return null;
    }
    const whole = match[2].replaceAll(",", "");
    const part = match[3] ?? "";
    const isTooLong = part.length > MAX_DECIMALS || whole.replace(/^0+/, "").length > MAX_DIGITS;
    if (whole + part === "" || isTooLong) {
        return null;
    }
    const units = BigInt(whole + part);
    return { units: match[1] === "-" ? -units : units, decimals: part.length };
}

/** The shortest text: `1.5`.
 * @param {Decimal} value */
export function decimalText({ units, decimals }) {
    const digits = digitsOf(units, decimals);
    const text = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`.replace(/\.?0+$/, "");
    return units < 0n ? `-${text}` : text;
}

/** @param {Decimal} a @param {Decimal} b */
export function plus(a, b) {
    const [left, right, decimals] = aligned(a, b);
    return { units: left + right, decimals };
}

/** @param {Decimal} a @param {Decimal} b */
export function minus(a, b) {
    return plus(a, { units: -b.units, decimals: b.decimals });
}

/** @param {Decimal} a @param {Decimal} b */
export function times(a, b) {
    return { units: a.units * b.units, decimals: a.decimals + b.decimals };
}

/**
 * A quotient cut off towards zero, so that it never buys more than there is.
 *
 * @param {Decimal} a
 * @param {Decimal} b not zero.
 * @param {number} decimals of the result.
 * @returns {Decimal}
 */
export function dividedDown(a, b, decimals) {
    const shift = decimals + b.decimals - a.decimals;
    const units = shift >= 0 ? (a.units * 10n ** BigInt(shift)) / b.units : a.units / (b.units * 10n ** BigInt(-shift));
    return { units, decimals };
}

/** @param {Decimal} a @param {Decimal} b @returns {number} negative, 0 or positive, as for `sort`. */
export function compare(a, b) {
    const [left, right] = aligned(a, b);
    return left < right ? -1 : left > right ? 1 : 0;
}

/**
 * Rounded half away from zero, as people expect of money.
 *
 * @param {Decimal} value
 * @param {number} decimals
 * @returns {Decimal}
 */
export function rounded({ units, decimals: from }, decimals) {
    if (decimals >= from) {
        return { units: units * 10n ** BigInt(decimals - from), decimals };
    }
    const step = 10n ** BigInt(from - decimals);
    const size = units < 0n ? -units : units;
    const whole = (size + step / 2n) / step;
    return { units: units < 0n ? -whole : whole, decimals };
}

/** Near the value, for pictures only.
 * @param {string} text */
export function inexact(text) {
    return Number(text);
}

/** @param {Decimal} a @param {Decimal} b @returns {[bigint, bigint, number]} */
function aligned(a, b) {
    const decimals = Math.max(a.decimals, b.decimals);
    return [rounded(a, decimals).units, rounded(b, decimals).units, decimals];
}

/** The digits without a sign, with at least one before the point.
 * @param {bigint} units @param {number} decimals */
export function digitsOf(units, decimals) {
    return String(units < 0n ? -units : units).padStart(decimals + 1, "0");
}
