import { formatExact } from "./money.js";

/** An error that a person can do something about: `message` is a sentence for people. */
export class UserError extends Error {
    /** @param {string} message @param {string} [field] of a form that the message is about; "" for none. */
    constructor(message, field = "") {
        super(message);
        this.field = field;
    }
}

/**
 * What the server says of a request, as a sentence for people.
 *
 * Its messages go on after the name of a field (`must be above 0`) or begin with it as requests have it (`Field
 * "take_profit" must be above 0`). Here the field has the name that people see, and numbers are grouped.
 *
 * @param {{message: string, field?: string}} error
 * @param {string} [name] of the field on the page.
 */
export function errorWords({ message, field = "" }, name = fieldName(field)) {
    const rest = message.replace(/^Field "[^"]*" /, "");
    const goesOn = rest !== message || /^(must|is|needs|makes) /.test(rest);
    const words = goesOn && name ? `${name} ${rest}` : rest;
    const grouped = words.replace(/(?<![\w.,-])\d{4,}(?:\.\d+)?(?![\w-])/g, (number) => formatExact(number));
    return grouped.charAt(0).toUpperCase() + grouped.slice(1) + (/[.!?]$/.test(grouped) ? "" : ".");
}

/** A field's name for people: `limit_price` is “Limit price”.
 * @param {string} field */
export function fieldName(field) {
    const words = field.replaceAll("_", " ").trim();
    return words.charAt(0).toUpperCase() + words.slice(1);
}
