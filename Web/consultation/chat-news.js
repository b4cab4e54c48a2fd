import { byId, element } from "../dom.js";

/** Sentences that stay; a reader that comes later does not find old news. */
const LIMIT = 6;

/** Reads answers aloud to screen readers, sentence by sentence: a region that only grows. */
export class ChatNews {
    #element = byId("chat-news");

    /** @param {string} sentence */
    say(sentence) {
        this.#element.append(element("p", {}, sentence));
        while (this.#element.children.length > LIMIT) {
            this.#element.firstElementChild?.remove();
        }
    }
}
