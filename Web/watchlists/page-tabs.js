import { byId, element, setText } from "../dom.js";
import { showList } from "../ui/keyed-list.js";
import { hasModifier } from "../ui/keys.js";
import { onArrows } from "../ui/roving.js";

/**
 * The pages as tabs: arrows go round and show, F2 edits, Delete deletes.
 *
 * Events: `show`, `edit`, `delete` (detail: the page's id, empty for “All”).
 */
export class PageTabs extends EventTarget {
    #pages;
    #list = byId("page-tabs");

    /** @param {import("./watchlists.js").Watchlists} pages */
    constructor(pages) {
        super();
        this.#pages = pages;
        this.#list.addEventListener("click", (event) => {
            const tab = /** @type {HTMLElement} */ (event.target).closest("[role=tab]");
            if (tab instanceof HTMLElement) {
                this.#send("show", tab);
            }
        });
        this.#list.addEventListener("keydown", (event) => this.#pressed(event));
        const tabs = () => /** @type {HTMLElement[]} */ ([...this.#list.children]);
        onArrows(this.#list, tabs, ["ArrowRight", "ArrowLeft"], (tab) => {
            this.#send("show", tab);
            tab.focus();
        });
        pages.addEventListener("change", () => this.#show());
        this.#show();
    }

    /** Puts the keyboard on the shown page's tab. */
    focus() {
        this.#shown?.focus();
    }

    /** @returns {?HTMLElement} */
    get #shown() {
        return this.#list.querySelector("[aria-selected=true]");
    }

    #show() {
        const shown = this.#pages.shown?.id ?? "";
        const before = this.#shown?.id;
        const all = [{ id: "", name: "All" }, ...this.#pages.pages];
        showList(this.#list, all, ({ id }) => id, makeTab, (tab, { id, name }) => {
            setText(tab, name);
            tab.title = id === "" ? "Every market on this server" : name;
            tab.setAttribute("aria-selected", String(id === shown));
            tab.tabIndex = id === shown ? 0 : -1;
        });
        const tab = this.#shown;
        byId("page-panel").setAttribute("aria-labelledby", tab?.id ?? "");
        if (tab && tab.id !== before) {
            // Not `scrollIntoView`, which would scroll the whole page on a phone.
            this.#list.scrollLeft = tab.offsetLeft - (this.#list.clientWidth - tab.offsetWidth) / 2;
        }
    }

    /** @param {KeyboardEvent} event */
    #pressed(event) {
        const tab = /** @type {HTMLElement} */ (event.target);
        const isPlain = !hasModifier(event) && !event.shiftKey;
        if (isPlain && (event.key === "F2" || event.key === "Delete") && tab.dataset.key) {
            event.preventDefault();
            this.#send(event.key === "F2" ? "edit" : "delete", tab);
        }
    }

    /** @param {string} type @param {HTMLElement} tab */
    #send(type, tab) {
        this.dispatchEvent(new CustomEvent(type, { detail: tab.dataset.key ?? "" }));
    }
}

/** @param {{id: string}} page */
function makeTab({ id }) {
    return element("button", {
        type: "button",
        role: "tab",
        class: "page-tab",
        id: `page-tab-${id || "all"}`,
        "aria-controls": "page-panel",
    });
}
