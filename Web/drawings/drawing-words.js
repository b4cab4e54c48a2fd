import { formatPrice, formatTime } from "../format.js";
import { toolOf } from "./tools.js";

/** @typedef {{time: number, price: number}} Anchor */

/** A drawing of the engine's, with the places that the document has.
 * @typedef {import("../engine/drawings.js").DrawingInfo & {anchors: Anchor[]}} DrawingEntry */

/** @param {string} kind */
export function nameOf(kind) {
    return toolOf(kind)?.name ?? kind;
}

/** A place in words.
 * @param {Anchor} anchor @param {number} precision decimals of a price. */
export function describePlace({ time, price }, precision) {
    return `${formatPrice(price, precision)} at ${formatTime(time)}`;
}

/**
 * A drawing in words: what it is, where, and what it says.
 *
 * @param {DrawingEntry} drawing
 * @param {number} precision decimals of a price.
 */
export function describeDrawing({ kind, anchors, text, locked, hidden }, precision) {
    const [first, second] = anchors;
    const name = text ? `${nameOf(kind)} “${text}”` : nameOf(kind);
    const state = (locked ? ", locked" : "") + (hidden ? ", hidden" : "");
    return `${name}${state}: ${whereOf(kind, first, second, precision)}`;
}

/** @param {string} kind @param {Anchor} first @param {Anchor | undefined} second @param {number} precision */
function whereOf(kind, first, second, precision) {
    if (kind === "horizontal_line") {
        return formatPrice(first.price, precision);
    }
    if (kind === "vertical_line") {
        return formatTime(first.time);
    }
    const from = describePlace(first, precision);
    return second ? `${from}, to ${describePlace(second, precision)}` : from;
}
