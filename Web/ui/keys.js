import { isCovered } from "./cover.js";

/** Milliseconds within which one letter comes after another. */
const PACE = 1500;
/** Keys with which a person is done with a field. */
const LEAVING = new Set(["Enter", "Escape", "Tab", "ArrowUp", "ArrowDown"]);
/** Where letters are written, and not keys of the page. */
const FIELDS = "input:not([type=checkbox], [type=radio], [type=range]), textarea, [contenteditable]";

/** When the last letter was typed into a field, or right after one that went away. */
let last = -Infinity;

/** Begins to watch what is typed, for `isTypingCutOff`. */
export function watchTyping() {
    const leave = () => (last = -Infinity);
    addEventListener("pointerdown", leave, { capture: true });
    addEventListener(
        "keydown",
        (event) => {
            if (LEAVING.has(event.key)) {
                leave();
            } else if (event.key.length === 1 && (isTyping(event.target) || isTypingCutOff(event))) {
                last = event.timeStamp;
            }
        },
        { capture: true },
    );
}

/** Whether a key goes into a field.
 * @param {?EventTarget} target */
export function isTyping(target) {
    return target instanceof Element && target.matches(FIELDS);
}

/** Whether a key other than Shift is held down with it.
 * @param {KeyboardEvent} event */
export function hasModifier(event) {
    return event.ctrlKey || event.metaKey || event.altKey;
}

/**
 * Whether a key is the rest of what a person types into a field that the page removed meanwhile: it is none of the page's
 * own keys then.
 *
 * @param {KeyboardEvent} event
 * @returns {boolean}
 */
export function isTypingCutOff({ target, timeStamp }) {
    return target === document.body && timeStamp - last < PACE;
}

/**
 * Letters with Shift that work anywhere on the page, but not while a person types or chooses, nor while a dialog is open
 * or a panel covers the page.
 *
 * @param {Record<string, () => void>} keys what each does, by small letter.
 * @param {string} [apart] a selector of where they do nothing.
 * @param {string} [cover] a selector of the panel they work on, also while it covers the page.
 */
export function listenForPageKeys(keys, apart, cover) {
    document.addEventListener("keydown", (event) => {
        const action = !isCovered(cover) && isForPage(event, apart) && event.shiftKey && !event.repeat && keys[event.key.toLowerCase()];
        if (action) {
            event.preventDefault();
            action();
        }
    });
}

/**
 * Letters and digits without Shift: the first one begins a search.
 *
 * @param {() => void} search puts the focus into its field, which the letter goes into then.
 * @param {string} [apart] a selector of where they do nothing.
 * @param {string} [cover] a selector of the panel with the field, which may cover the page.
 */
export function listenForLetters(search, apart, cover) {
    document.addEventListener("keydown", (event) => {
        if (!isCovered(cover) && isForPage(event, apart) && !event.shiftKey && /^[\p{L}\p{N}]$/u.test(event.key)) {
            search();
        }
    });
}

/** @param {KeyboardEvent} event @param {string} [apart] a selector of where it is none of the page's keys. */
function isForPage(event, apart = ":not(*)") {
    const { target } = event;
    const isElsewhere = target instanceof Element && target.closest(`${FIELDS}, select, [role=menu], ${apart}`);
    const isOpen = document.querySelector("dialog[open], :popover-open") !== null;
    return !isElsewhere && !isOpen && !hasModifier(event) && !event.defaultPrevented && !isTypingCutOff(event);
}
