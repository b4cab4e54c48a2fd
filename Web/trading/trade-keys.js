import { isTypingCutOff } from "../panels/typing-watch.js";

/**
 * The keys of trading that work anywhere on the page, but not while something is typed, chosen or asked.
 *
 * @param {Record<string, () => void>} keys what each does, by small letter.
 * @param {string} [apart] a selector of where they are not meant.
 */
export function listenForTradeKeys(keys, apart = ":not(*)") {
    document.addEventListener("keydown", (event) => {
        const { target } = event;
        if (isTypingCutOff(event) || (target instanceof Element && target.closest(apart))) {
            return;
        }
        const isTyping = target instanceof Element && target.closest("input:not([type=checkbox], [type=radio], [type=range]), select, textarea, [role=menu]");
        const isAsking = document.querySelector("dialog[open], :popover-open") !== null;
        if (isTyping || isAsking || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.repeat) {
            return;
        }
        const action = keys[event.key.toLowerCase()];
        if (action && !event.shiftKey) {
            event.preventDefault();
            action();
        }
    });
}
