import { TOOLS } from "./tools.js";

/**
 * The keys that work wherever the focus is, but not while somebody types or a dialog is open: undo, redo, and a tool
 * by Alt and its letter.
 *
 * @param {import("./drawings.js").Drawings} drawings
 */
export function listenForDrawingKeys(drawings) {
    document.addEventListener("keydown", (event) => {
        if (isTyping(event.target) || document.querySelector("dialog[open]:modal")) {
            return;
        }
        if ((event.ctrlKey || event.metaKey) && !event.altKey) {
            const isUndo = event.code === "KeyZ" && !event.shiftKey;
            const isRedo = (event.code === "KeyZ" && event.shiftKey) || event.code === "KeyY";
            if (isUndo || isRedo) {
                event.preventDefault();
                isUndo ? drawings.undo() : drawings.redo();
            }
        } else if (event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
            // By code: with Alt, some keyboards make other letters.
            const tool = TOOLS.find(({ letter }) => event.code === `Key${letter}`);
            if (tool) {
                event.preventDefault();
                drawings.choose(tool.kind);
                document.getElementById("chart")?.focus({ preventScroll: true });
            }
        }
    });
}

/** @param {?EventTarget} target */
function isTyping(target) {
    return target instanceof HTMLElement && target.matches("input, textarea, select, [contenteditable]");
}
