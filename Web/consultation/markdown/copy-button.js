import { element } from "../../dom.js";

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
        button.textContent = (await copied(source)) ? "Copied" : "Not copied";
        clearTimeout(timer);
        timer = setTimeout(() => (button.textContent = "Copy"), STAY);
    });
    return button;
}

/** @param {HTMLElement} source @returns {Promise<boolean>} */
async function copied(source) {
    try {
        await navigator.clipboard.writeText(source.textContent ?? "");
        return true;
    } catch {
        return copiedBySelection(source);
    }
}

/** Pages that come over HTTP from another machine have no clipboard, but their selection can be copied. @param {Node} source */
function copiedBySelection(source) {
    const selection = getSelection();
    if (!selection) {
        return false;
    }
    const before = selection.rangeCount > 0 ? selection.getRangeAt(0) : null;
    selection.selectAllChildren(source);
    const isCopied = document.execCommand("copy");
    selection.removeAllRanges();
    before && selection.addRange(before);
    return isCopied;
}
