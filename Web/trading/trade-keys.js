/**
 * The keys of trading that work anywhere on the page, but not while something is typed, chosen or asked.
 *
 * @param {Record<string, () => void>} keys what each does, by small letter.
 */
export function listenForTradeKeys(keys) {
    document.addEventListener("keydown", (event) => {
        const { target } = event;
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
