import { element } from "../../dom.js";
import { copyText } from "../copy-text.js";

/** Milliseconds that the button says what it did. */
const STAY = 2000;

/**
 * A button that copies the text of an element.
 *
 * @param {HTMLElement} source
 * @returns {HTMLButtonElement}
 */
export function copyButton(source) {
    const button = element("button", { type: "button", class: "md-copy" }, "Copy");
    let timer = 0;
    button.addEventListener("click", async () => {
        button.textContent = (await copyText(source.textContent ?? "")) ? "Copied" : "Not copied";
        clearTimeout(timer);
        timer = setTimeout(() => (button.textContent = "Copy"), STAY);
    });
    return button;
}
