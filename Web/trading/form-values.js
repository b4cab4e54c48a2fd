import { RestError } from "../stream/rest.js";
import { compare, decimalText, parseDecimal } from "../decimal.js";

/**
 * The decimal that a person typed, as it is sent.
 *
 * @param {string} text
 * @param {string} field the server's name of it.
 * @param {{above?: string}} bounds
 * @returns {string}
 * @throws {RestError} that names the field, as the server's do.
 */
export function readDecimal(text, field, { above } = {}) {
    const value = parseDecimal(text);
    if (!value) {
        const wrong = text.trim() === "" ? "Enter a number, for example 67,250.50." : "Enter a number, for example 67,250.50.";
        throw new RestError("invalid", wrong, 0, field);
    }
    const least = above === undefined ? null : parseDecimal(above);
    if (least && compare(value, least) <= 0) {
        throw new RestError("invalid", `Enter a number above ${above}.`, 0, field);
    }
    return decimalText(value);
}
