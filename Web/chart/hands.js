/** How near, in CSS pixels, a mouse has to be to what it grabs. */
const MOUSE_TOLERANCE = 6;
/** A finger hides what it grabs. */
const TOUCH_TOLERANCE = 18;

/**
 * Something on the chart that gets the pointer and the keys before the chart itself: an order's line, a drawing,
 * an axis. Lengths are CSS pixels from the chart's top left corner. A hand has what it needs of these.
 *
 * @typedef {object} Hand
 * @property {(x: number, y: number, tolerance: number, event: PointerEvent) => boolean} [press] true: this hand keeps the
 *   pointer until it is up.
 * @property {(x: number, y: number, event: PointerEvent) => void} [move] of the pointer that it keeps.
 * @property {(x: number, y: number, event: PointerEvent) => void} [release]
 * @property {(x: number, y: number) => string} [hover] the cursor that says what a press would do; "" where nothing. Also
 *   called for a mouse that moves without being pressed.
 * @property {() => void} [cancel] the pointer it kept is gone: everything as before the press.
 * @property {(event: KeyboardEvent) => boolean} [key] whether it was for this hand.
 * @property {(x: number, y: number, tolerance: number, event: MouseEvent) => boolean} [double] a double click.
 */

/**
 * A hand without a grip: a key of the chart, with no other key held.
 *
 * @param {string} key as the event has it, in lower case.
 * @param {() => void} pressed once a press, however long it lasts.
 * @returns {Hand}
 */
export function keyHand(key, pressed) {
    return {
        key: (event) => {
            const isOurs = event.key.toLowerCase() === key && !event.ctrlKey && !event.metaKey && !event.altKey;
            if (isOurs && !event.repeat) {
                pressed();
            }
            return isOurs;
        },
    };
}

/** The hands of a chart, tried in their order. At most one keeps the pointer. */
export class Hands {
    /** @type {Hand[]} */
    #hands = [];
    /** @type {?Hand} */
    #holding = null;
    /** Whether the last press was some hand's. */
    #isHandsPress = false;
    /** How many hands are tried after all others. */
    #lasts = 0;

    /** @param {Hand} hand @param {boolean} [isLast] whether those that are added later are tried before it. */
    add(hand, isLast = false) {
        if (isLast) {
            this.#hands.push(hand);
            this.#lasts += 1;
        } else {
            this.#hands.splice(this.#hands.length - this.#lasts, 0, hand);
        }
    }

    /** Whether a hand keeps the pointer. */
    get isHolding() {
        return this.#holding !== null;
    }

    /** @param {{x: number, y: number}} point @param {PointerEvent} event @returns {boolean} whether a hand keeps it. */
    press({ x, y }, event) {
        this.#holding = this.#hands.find((hand) => hand.press?.(x, y, tolerance(event), event)) ?? null;
        this.#isHandsPress = this.isHolding;
        return this.isHolding;
    }

    /** @param {{x: number, y: number}} point @param {PointerEvent} event */
    move({ x, y }, event) {
        this.#holding?.move?.(x, y, event);
    }

    /** @param {{x: number, y: number}} point @param {PointerEvent} event */
    release({ x, y }, event) {
        const hand = this.#holding;
        this.#holding = null;
        hand?.release?.(x, y, event);
    }

    cancel() {
        const hand = this.#holding;
        this.#holding = null;
        hand?.cancel?.();
    }

    /** @param {{x: number, y: number}} point @returns {string} a cursor, "" for the chart's own. */
    hover({ x, y }) {
        for (const hand of this.#hands) {
            const cursor = hand.hover?.(x, y);
            if (cursor) {
                return cursor;
            }
        }
        return "";
    }

    /** @param {{x: number, y: number}} point @param {MouseEvent} event @returns {boolean} whether the chart has to leave this double click alone. */
    double({ x, y }, event) {
        return this.#hands.some((hand) => hand.double?.(x, y, tolerance(event), event)) || this.#isHandsPress;
    }

    /** @param {KeyboardEvent} event @returns {boolean} */
    key(event) {
        return this.#hands.some((hand) => hand.key?.(event));
    }
}

/** @param {MouseEvent} event */
function tolerance(event) {
    const isTouch = event instanceof PointerEvent && event.pointerType === "touch";
    return isTouch ? TOUCH_TOLERANCE : MOUSE_TOLERANCE;
}
