import { moved } from "./roving.js";

/**
 * The keys of a filter field and of the list of buttons below it: the arrow down leads from the field to the first
 * button, Enter presses that one, arrows move in the list, and up from the first leads back.
 *
 * @param {HTMLInputElement} filter
 * @param {HTMLElement} list
 */
export function linkFilterToList(filter, list) {
    const buttons = () => [...list.querySelectorAll("button")];
    filter.addEventListener("keydown", (event) => {
        const [first] = buttons();
        if (first && (event.key === "ArrowDown" || event.key === "Enter")) {
            event.preventDefault();
            if (event.key === "Enter") {
                first.click();
            } else {
                first.focus();
            }
        }
    });
    list.addEventListener("keydown", (event) => {
        const items = buttons();
        const at = items.indexOf(/** @type {HTMLButtonElement} */ (event.target));
        if (event.key === "ArrowUp" && at === 0) {
            event.preventDefault();
            filter.focus();
            return;
        }
        const next = moved(event.key, at, items.length, ["ArrowDown", "ArrowUp"]);
        if (next !== null) {
            event.preventDefault();
            items.forEach((each, place) => (each.tabIndex = place === next ? 0 : -1));
            items[next].focus();
        }
    });
}
