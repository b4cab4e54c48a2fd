import { RestError } from "../stream/rest.js";
import { decimalText, parseDecimal } from "../decimal.js";

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
    throw new RestError("invalid", value ? "Enter a number above 0." : "Enter a number, for example 67,250.50.", 0, field);
}
