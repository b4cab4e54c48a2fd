import { byId } from "../dom.js";

/** Milliseconds a sentence stays; a reader that comes later does not find old news. */
const STAY = 4000;
/** Sentences that wait for a frame; in a hidden tab none comes for long, and old news is none. */
const LIMIT = 5;

/**
 * Says a sentence to screen readers, politely. For what people did or must know; never for ticks.
 */
export class LiveRegion {
    #element;
    #timer = 0;
    /** @type {{sentence: string, topic: string}[]} What the next frame says. */
    #waiting = [];

    /** @param {string} id of the region: `announcements` waits for a pause, `urgent` interrupts. */
    constructor(id = "announcements") {
        this.#element = byId(id);
    }

    /**
     * @param {string} sentence
     * @param {string} [topic] what it is about: it replaces a sentence on the same that was not yet announced.
     */
    announce(sentence, topic = "") {
        if (this.#waiting.length === 0) {
            clearTimeout(this.#timer);
            // The same sentence again must be a change, or it is not spoken.
            this.#element.textContent = "";
            requestAnimationFrame(() => this.#speak());
        }
        this.#waiting = this.#waiting.filter((each) => topic === "" || each.topic !== topic);
        this.#waiting.push({ sentence, topic });
        this.#waiting.splice(0, this.#waiting.length - LIMIT);
    }

    #speak() {
        this.#element.textContent = this.#waiting.map(({ sentence }) => sentence).join(" ");
        this.#waiting = [];
        this.#timer = setTimeout(() => (this.#element.textContent = ""), STAY);
    }
}
