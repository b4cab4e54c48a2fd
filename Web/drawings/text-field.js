import { byId } from "../dom.js";

/** A small input over the chart, where a drawing's text is written. */
export class TextField {
    element = byId("drawing-text", HTMLInputElement);
    /** @type {?(text: ?string) => void} */
    #done = null;

    constructor() {
        this.element.addEventListener("keydown", (event) => {
            event.stopPropagation();
            if (event.key === "Enter" && !event.isComposing) {
                this.finish();
            } else if (event.key === "Escape") {
                this.#close(null);
            }
        });
        this.element.addEventListener("blur", () => this.finish());
        this.element.addEventListener("input", () => this.#fit());
    }

    get isOpen() {
        return this.#done !== null;
    }

    /**
     * @param {{x: number, y: number}} place its left end and middle, CSS pixels of the chart.
     * @param {{width: number, height: number}} plot
     * @param {string} text
     * @param {(text: ?string) => void} done null where the person gave up.
     */
    open({ x, y }, plot, text, done) {
        this.#close(null);
        this.#done = done;
        this.element.hidden = false;
        this.element.value = text;
        this.#fit();
        const left = Math.max(4, Math.min(x, plot.width - this.element.offsetWidth - 4));
        const top = Math.max(4, Math.min(y - this.element.offsetHeight / 2, plot.height - this.element.offsetHeight - 4));
        this.element.style.translate = `${Math.round(left)}px ${Math.round(top)}px`;
        this.element.focus({ preventScroll: true });
        this.element.select();
    }

    /** Accepts what is written. */
    finish() {
        this.#close(this.element.value.trim());
    }

    /** Closes without calling back: the drawing is no longer there. */
    cancel() {
        this.#done = null;
        this.element.hidden = true;
    }

    #fit() {
        this.element.style.width = `${Math.max(9, Math.min(28, this.element.value.length + 3))}ch`;
    }

    /** @param {?string} text */
    #close(text) {
        const done = this.#done;
        this.#done = null;
        if (done) {
            this.element.hidden = true;
            done(text);
        }
    }
}
