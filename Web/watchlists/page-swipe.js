import { prefersReducedMotion } from "../dom.js";

/** Pixels before a finger's way is judged. */
const SLOP = 12;
/** Share of the width that turns the page, and pixels per millisecond that do it, too. */
const FAR = 0.3;
const FAST = 0.5;
/** How much of the finger's way is followed where there is no further page. */
const RESISTANCE = 0.2;

/**
 * Turns pages by a finger that goes sideways over the list. Up and down stays the browser's, by `touch-action`.
 *
 * @param {HTMLElement} panel what moves with the finger.
 * @param {object} parts
 * @param {() => boolean} parts.mayBegin
 * @param {(by: number) => boolean} parts.has whether there is a page on that side.
 * @param {(by: number) => void} parts.turn
 */
export function swipePages(panel, { mayBegin, has, turn }) {
    /** @type {?{pointer: number, x: number, y: number, at: number, isSideways: boolean}} */
    let swipe = null;

    const reset = () => {
        swipe = null;
        panel.style.translate = "";
    };
    panel.addEventListener("pointerdown", (event) => {
        if (event.pointerType !== "touch" || !event.isPrimary || !mayBegin()) {
            // A second finger means something else.
            reset();
            return;
        }
        const { pointerId: pointer, clientX: x, clientY: y, timeStamp: at } = event;
        swipe = { pointer, x, y, at, isSideways: false };
    });
    panel.addEventListener("pointermove", (event) => {
        if (event.pointerId !== swipe?.pointer) {
            return;
        }
        const dx = event.clientX - swipe.x;
        const dy = event.clientY - swipe.y;
        if (!swipe.isSideways && Math.hypot(dx, dy) >= SLOP) {
            if (Math.abs(dx) < Math.abs(dy) * 1.5) {
                reset();
                return;
            }
            swipe.isSideways = true;
            panel.setPointerCapture(event.pointerId);
        }
        if (swipe.isSideways && !prefersReducedMotion()) {
            panel.style.translate = `${has(dx < 0 ? 1 : -1) ? dx : dx * RESISTANCE}px 0`;
        }
    });
    panel.addEventListener("pointerup", (event) => {
        if (event.pointerId !== swipe?.pointer) {
            return;
        }
        const { x, at, isSideways } = swipe;
        const dx = event.clientX - x;
        const isFar = Math.abs(dx) > panel.clientWidth * FAR;
        const isFast = Math.abs(dx) > 2 * SLOP && Math.abs(dx) / Math.max(1, event.timeStamp - at) > FAST;
        const by = dx < 0 ? 1 : -1;
        reset();
        if (isSideways && (isFar || isFast) && has(by)) {
            turn(by);
        }
    });
    panel.addEventListener("pointercancel", reset);
}
