import { byId } from "../dom.js";

/** Windows in which a panel lies over the whole page: as in the style sheets. */
export const NARROW = matchMedia("(max-width: 767px)");

/** @type {?{panel: HTMLElement, close: () => void}} The panel that covers the page. */
let covering = null;

/**
 * Whether a panel covers the page.
 *
 * @param {string} [except] a selector of a panel that does not count.
 */
export const isCovered = (except = ":not(*)") => covering !== null && !covering.panel.matches(except);

/**
 * Makes the page around a panel inert while the panel covers it: neither the keyboard nor a screen reader's cursor gets
 * there. Only one panel covers the page: another one that did is closed.
 *
 * @param {HTMLElement} panel in the layout.
 * @param {boolean} isCovered
 * @param {() => void} close closes the panel.
 */
export function coverPage(panel, isCovered, close) {
    const before = covering;
    if (isCovered && before?.panel !== panel) {
        covering = { panel, close };
        before?.close();
    } else if (!isCovered && before?.panel === panel) {
        covering = null;
    }
    const beside = panel.parentElement?.children ?? [];
    const around = [...beside, byId("skip-link"), ...document.querySelectorAll(".topbar")];
    around.forEach((each) => each.toggleAttribute("inert", covering !== null && each !== covering.panel));
    document.documentElement.toggleAttribute("data-covered", covering !== null);
}
