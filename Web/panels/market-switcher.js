import { byId } from "../dom.js";
import { NARROW, coverPage } from "../ui/cover.js";

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
        this.#sheet.addEventListener("keydown", (event) => {
            if (event.key === "Escape" && !event.defaultPrevented) {
                this.#show(false);
            }
        });
        NARROW.addEventListener("change", () => {
            this.#show(false);
            this.#sayExpanded();
        });
        this.#sayExpanded();
    }

    open() {
        NARROW.matches ? this.#show(true) : this.#list.focusFilter();
    }

    /** Puts the keyboard into the filter; where the list gives way to the dock, in the sheet. */
    search() {
        if (NARROW.matches && !this.#sheet.inert && !this.#sheet.checkVisibility()) {
            this.#show(true);
        }
        this.#list.focusFilter();
    }

    get #isOpen() {
        return this.#sheet.hasAttribute("data-open");
    }

    /** @param {boolean} isOpen */
    #show(isOpen) {
        if (isOpen === this.#isOpen) {
            return;
        }
        this.#sheet.toggleAttribute("data-open", isOpen);
        this.#sayExpanded();
        coverPage(this.#sheet, isOpen, () => this.#show(false));
        if (!isOpen) {
            this.#button.focus({ preventScroll: true });
        } else if (this.#list.isEmpty) {
            this.#list.focusFilter();
        } else {
            byId("market-list").focus({ preventScroll: true });
        }
    }

    /** Where the list has a column of its own nothing expands. */
    #sayExpanded() {
        NARROW.matches
            ? this.#button.setAttribute("aria-expanded", String(this.#isOpen))
            : this.#button.removeAttribute("aria-expanded");
    }
}
