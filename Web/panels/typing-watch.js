/** Milliseconds within which one letter follows another. */
const PACE = 1500;
/** Keys with which somebody is done with a field. */
const LEAVING = new Set(["Enter", "Escape", "Tab", "ArrowUp", "ArrowDown"]);
const FIELDS = "input:not([type=checkbox], [type=radio], [type=range]), textarea, [contenteditable]";

/** When the last letter was typed into a field, or in a go with it. */
let last = -Infinity;

/** Begins to watch what is typed, for `isTypingCutOff`. */
export function watchTyping() {
    const leave = () => (last = -Infinity);
    addEventListener("pointerdown", leave, { capture: true });
    addEventListener(
        "keydown",
        (event) => {
            const { key, target, timeStamp } = event;
            const isField = target instanceof Element && target.matches(FIELDS);
            if (LEAVING.has(key)) {
                leave();
            } else if (key.length === 1 && (isField || isTypingCutOff(event))) {
                last = timeStamp;
            }
        },
        { capture: true },
    );
}

/**
 * Whether a key is the rest of what somebody types into a field that the page took away under their hands: it is none of
 * the page's own keys then.
 *
 * @param {KeyboardEvent} event
 * @returns {boolean}
 */
export function isTypingCutOff({ target, timeStamp }) {
    return target === document.body && timeStamp - last < PACE;
}
