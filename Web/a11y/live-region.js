import { byId } from "../dom.js";

/** Milliseconds a sentence stays; a reader that comes later does not find old news. */
const STAY = 4000;

/**
 * Says a sentence to screen readers, politely. For what people did or must know; never for ticks.
 */
export class LiveRegion {
    #element;
    #timer = 0;

    /** @param {string} id of the region: `announcements` waits for a pause, `urgent` interrupts. */
    constructor(id = "announcements") {
        this.#element = byId(id);
    }

    /** @param {string} sentence */
    announce(sentence) {
        clearTimeout(this.#timer);
        // The same sentence again must be a change, or it is not spoken.
        this.#element.textContent = "";
        requestAnimationFrame(() => (this.#element.textContent = sentence));
        this.#timer = setTimeout(() => (this.#element.textContent = ""), STAY);
    }
}
