import { byId } from "../dom.js";

/**
 * Leads the skip link to the chart without touching the address, whose fragment is the selection.
 *
 * @param {HTMLElement} target
 */
export function leadSkipLinkTo(target) {
    byId("skip-link").addEventListener("click", (event) => {
        event.preventDefault();
        target.focus();
    });
}
