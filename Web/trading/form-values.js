import { RestError } from "../stream/rest.js";
import { decimalText, parseDecimal } from "../decimal.js";

/** @type {Record<string, string>} What may be entered in fields that are no price. */
const EXAMPLES = { quantity: "0.25", trail: "1.5" };

/**
 * The decimal above zero that a person typed, as it is sent.
 *
 * @param {string} text
 * @param {string} field the server's name of it.
 * @returns {string}
 * @throws {RestError} that names the field, as the server's do.
 */
export function readPositive(text, field) {
    const value = parseDecimal(text);
    if (value && value.units > 0n) {
        return decimalText(value);
    }
    if (/^\s*\d*,\d+\s*$/.test(text)) {
        throw new RestError("invalid", `Use a point for decimals: ${text.trim().replace(",", ".")}.`, 0, field);
    }
    const example = EXAMPLES[field] ?? "67,250.50";
    throw new RestError("invalid", value ? "Enter a number above 0." : `Enter a number, for example ${example}.`, 0, field);
}
