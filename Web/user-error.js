import { FORCES, formatExact } from "./money.js";

/** Fields that are amounts, or whose messages have some: a year is none. */
const AMOUNTS = /(^|[._])(price|quantity|amount|cost|profit|loss|trail|capital|margin|fee|volume|value|balance|leverage|post_only)s?([._]|$)/;

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
 * Its messages go on after the name of a field (`must be above 0`) or begin with it (`Take profit must be above 0`, `Field
 * "take_profit" must be a decimal`). Here the field has the name that the page has for it, and amounts are grouped.
 *
 * @param {{message: string, field?: string}} error
 * @param {string} [name] of the field on the page.
 */
export function errorWords({ message, field = "" }, name = fieldName(field)) {
    const rest = withoutName(message, field);
    const goesOn = rest !== message || /^(must|is|needs|makes) /.test(rest);
    const words = goesOn && name ? `${name} ${rest}` : rest;
    const shown = groupAmounts(words, field).replace("(gtc or day)", `(${FORCES.gtc} or ${FORCES.day})`);
    return shown.charAt(0).toUpperCase() + shown.slice(1) + (/[.!?]$/.test(shown) ? "" : ".");
}

/** What a message says of its field.
 * @param {string} message @param {string} field */
function withoutName(message, field) {
    const words = `${fieldName(field)} `;
    return field && message.startsWith(words) ? message.slice(words.length) : message.replace(/^Field "[^"]*" /, "");
}

/** A text that belongs to a field, with its numbers grouped where they are amounts: `−1,204.50`.
 * @param {string} text @param {string} field */
export function groupAmounts(text, field) {
    const number = /(?<![\w.,-])-?\d{4,}(?:\.\d+)?(?![\w-])/g;
    return AMOUNTS.test(field) ? text.replace(number, (digits) => formatExact(digits)) : text;
}

/** What a sentence says but for its numbers, which move with the market.
 * @param {string} sentence */
export function withoutNumbers(sentence) {
    return sentence.replace(/[\d.,]+/g, "");
}

/** A field's name for people: `limit_price` is “Limit price”.
 * @param {string} field */
export function fieldName(field) {
    const words = field.replaceAll("_", " ").trim();
    return words.charAt(0).toUpperCase() + words.slice(1);
}
