import { byId } from "../dom.js";
import { isCovered } from "../ui/cover.js";
import { hasModifier, isTypingCutOff, listenForLetters } from "../ui/keys.js";

/** The keys that work anywhere on the page, and the dialog that lists all of them. */
export class Shortcuts {
    #dialog = byId("shortcuts", HTMLDialogElement);

    /** @param {() => void} focusFilter */
    constructor(focusFilter) {
        // What is typed beside the assistant's field is meant for the assistant.
        listenForLetters(focusFilter, "#chat", "#markets");
        byId("shortcuts-button").addEventListener("click", () => this.#dialog.showModal());
        // A click on the backdrop hits the dialog itself and none of its children.
        this.#dialog.addEventListener("click", (event) => event.target === this.#dialog && this.#dialog.close());
        document.addEventListener("keydown", (event) => {
            const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
            if (isTyping || isTypingCutOff(event) || hasModifier(event) || this.#dialog.open || isCovered("#markets")) {
                return;
            }
            if (event.key === "/") {
                event.preventDefault();
                focusFilter();
            } else if (event.key === "?") {
                event.preventDefault();
                this.#dialog.showModal();
            }
        });
    }
}
