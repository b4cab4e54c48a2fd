import { moved } from "../panels/roving.js";

/**
 * Makes the buttons of a toolbar one stop of the Tab key; arrows lead from one to the next, Home and End to the ends.
 *
 * @param {HTMLElement} toolbar
 */
export function roveIn(toolbar) {
    const buttons = () =>
        /** @type {HTMLElement[]} */ ([...toolbar.querySelectorAll("button")]).filter((each) => each.offsetParent !== null);
    const stopAt = (/** @type {HTMLElement} */ stop) =>
        toolbar.querySelectorAll("button").forEach((each) => (each.tabIndex = each === stop ? 0 : -1));
    toolbar.addEventListener("focusin", (event) => {
        if (event.target instanceof HTMLButtonElement) {
            stopAt(event.target);
        }
    });
    toolbar.addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof HTMLButtonElement)) {
            return;
        }
        const all = buttons();
        const at = all.indexOf(event.target);
        const next =
            moved(event.key, at, all.length, ["ArrowDown", "ArrowUp"]) ??
            moved(event.key, at, all.length, ["ArrowRight", "ArrowLeft"]);
        if (next !== null) {
            event.preventDefault();
            event.stopPropagation();
            all[next].focus();
        }
    });
    /** Sees to it that exactly one visible button is a stop, after some came or went. */
    return () => {
        const all = buttons();
        if (all.length > 0 && !all.some((each) => each.tabIndex === 0)) {
            stopAt(all[0]);
        } else if (all.filter((each) => each.tabIndex === 0).length > 1) {
            stopAt(all.find((each) => each.tabIndex === 0) ?? all[0]);
        }
    };
}
