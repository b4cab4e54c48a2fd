import { byId } from "../dom.js";

/** Where the list has no column of its own: as in the style sheets. */
const NARROW = matchMedia("(max-width: 767px)");

/**
 * The symbol above the chart leads to the market list: on a phone the list opens as a sheet over the page, elsewhere its
 * filter gets the keyboard.
 */
export class MarketSwitcher {
    #button = byId("market-switcher");
    #sheet = byId("markets");
    #list;

    /** @param {import("./market-list.js").MarketList} list */
    constructor(list) {
        this.#list = list;
        this.#button.addEventListener("click", () => this.open());
        byId("markets-close").addEventListener("click", () => this.#show(false));
        list.addEventListener("choose", () => this.#show(false));
        this.#sheet.addEventListener("keydown", ({ key }) => key === "Escape" && this.#show(false));
        NARROW.addEventListener("change", () => this.#show(false));
    }

    open() {
        NARROW.matches ? this.#show(true) : this.#list.focusFilter();
    }

    /** @param {boolean} isOpen */
    #show(isOpen) {
        if (isOpen === this.#sheet.hasAttribute("data-open")) {
            return;
        }
        this.#sheet.toggleAttribute("data-open", isOpen);
        this.#button.setAttribute("aria-expanded", String(isOpen));
        // What lies below gets neither the keyboard nor a screen reader's cursor.
        for (const each of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".topbar, .layout > :not(#markets)"))) {
            each.inert = isOpen;
        }
        (isOpen ? byId("market-list") : this.#button).focus({ preventScroll: true });
    }
}
