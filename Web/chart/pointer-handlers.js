import { hasModifier } from "../ui/keys.js";

/** How near, in CSS pixels, a mouse has to be to what it grabs. */
const MOUSE_TOLERANCE = 6;
/** A finger hides what it grabs. */
const TOUCH_TOLERANCE = 18;

/**
 * A handler of a letter with Shift, of the chart only.
 *
 * @param {string} key the small letter.
 * @param {() => void} pressed once a press, however long it lasts.
 * @returns {PointerHandler}
 */
export function keyHandler(key, pressed) {
    return {
        key: (event) => {
            const isOurs = event.key.toLowerCase() === key && event.shiftKey && !hasModifier(event);
            if (isOurs && !event.repeat) {
                pressed();
            }
            return isOurs;
        },
    };
}

/** The pointer handlers of a chart, tried in their order. At most one keeps the pointer. */
export class PointerHandlers {
    /** @type {PointerHandler[]} */
    #handlers = [];
    /** @type {?PointerHandler} */
    #holding = null;
    /** Whether a handler kept the last press. */
    #wasKept = false;
    /** How many handlers are tried after all others. */
    #lasts = 0;

    /** @param {PointerHandler} handler @param {boolean} [isLast] whether those that are added later are tried before it. */
    add(handler, isLast = false) {
        if (isLast) {
            this.#handlers.push(handler);
            this.#lasts += 1;
        } else {
            this.#handlers.splice(this.#handlers.length - this.#lasts, 0, handler);
        }
    }

    /** Whether a handler keeps the pointer. */
    get isHolding() {
        return this.#holding !== null;
    }

    /** @param {{x: number, y: number}} point @param {PointerEvent} event @returns {boolean} whether a handler keeps it. */
    press({ x, y }, event) {
        this.#holding = this.#handlers.find((handler) => handler.press?.(x, y, tolerance(event), event)) ?? null;
        this.#wasKept = this.isHolding;
        return this.isHolding;
    }

    /** @param {{x: number, y: number}} point @param {PointerEvent} event */
    move({ x, y }, event) {
        this.#holding?.move?.(x, y, event);
    }

    /** @param {{x: number, y: number}} point @param {PointerEvent} event */
    release({ x, y }, event) {
        const handler = this.#holding;
        this.#holding = null;
        handler?.release?.(x, y, event);
    }

    cancel() {
        const handler = this.#holding;
        this.#holding = null;
        handler?.cancel?.();
    }

    /** @param {{x: number, y: number}} point @returns {string} a cursor, "" for the chart's own. */
    hover({ x, y }) {
        for (const handler of this.#handlers) {
            const cursor = handler.hover?.(x, y);
            if (cursor) {
                return cursor;
            }
        }
        return "";
    }

    /** @param {{x: number, y: number}} point @param {MouseEvent} event @returns {boolean} whether the chart has to leave this double click alone. */
    double({ x, y }, event) {
        return this.#handlers.some((handler) => handler.double?.(x, y, tolerance(event), event)) || this.#wasKept;
    }

    /** @param {KeyboardEvent} event @returns {boolean} */
    key(event) {
        return this.#handlers.some((handler) => handler.key?.(event));
    }
}

/** @param {MouseEvent} event */
function tolerance(event) {
    const isTouch = event instanceof PointerEvent && event.pointerType === "touch";
    return isTouch ? TOUCH_TOLERANCE : MOUSE_TOLERANCE;
}
