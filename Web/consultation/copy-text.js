import { element } from "../dom.js";

/** Puts a text on the clipboard, also on pages that browsers do not call secure.
 * @param {string} text @returns {Promise<boolean>} */
export async function copyText(text) {
    try {
        await navigator.clipboard.writeText(text);
        return true;
    } catch {
        const area = element("textarea", { class: "visually-hidden", "aria-hidden": "true", tabindex: "-1" });
        const focused = document.activeElement;
        area.value = text;
        document.body.append(area);
        area.select();
        const isDone = document.execCommand("copy");
        area.remove();
        focused instanceof HTMLElement && focused.focus({ preventScroll: true });
        return isDone;
    }
}
