/** Text of an answer as it comes. */
export class AnswerText {
    #element;

    /** @param {HTMLElement} element */
    constructor(element) {
        this.#element = element;
    }

    /** @param {string} text */
    append(text) {
        this.#element.append(text);
    }

    /** @param {string} text */
    replace(text) {
        this.#element.textContent = text;
    }

    finish() {}
}
