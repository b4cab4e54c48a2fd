import { byId, copyOf, part, setText } from "../dom.js";
import { MAX_SYMBOLS } from "./page-book.js";

/** Markets that are offered at a time. */
const LIMIT = 30;

/** @typedef {import("../stream/market-store.js").Market} Market */

/**
 * The field at a page's end: searches the server's markets and adds the chosen one as the last row.
 *
 * Events: `add` (detail: the symbol), `there` (detail: a symbol that the page has already).
 */
export class AddSymbol extends EventTarget {
    #store;
    #pages;
    #field = byId("add-symbol", HTMLInputElement);
    #options = byId("add-options");
    #note = byId("add-note");
    /** @type {Market[]} */
    #found = [];
    #active = -1;

    /**
     * @param {import("../stream/market-store.js").MarketStore} store
     * @param {import("./watchlists.js").Watchlists} pages
     */
    constructor(store, pages) {
        super();
        this.#store = store;
        this.#pages = pages;
        this.#field.addEventListener("input", () => this.#search());
        this.#field.addEventListener("click", () => this.#search());
        this.#field.addEventListener("keydown", (event) => this.#pressed(event));
        this.#field.addEventListener("blur", () => (this.#field.value ? this.clear() : this.#close()));
        // The field keeps the focus, and the keyboard of a phone stays.
        this.#options.addEventListener("mousedown", (event) => event.preventDefault());
        this.#options.addEventListener("click", (event) => {
            const option = /** @type {HTMLElement} */ (event.target).closest("[role=option]");
            if (option instanceof HTMLElement) {
                this.#choose(option.dataset.market ?? "");
            }
        });
        pages.addEventListener("change", () => {
            // What was said of the page may be so no longer.
            setText(this.#note, "");
            this.#isOpen && this.#search();
        });
    }

    focus() {
        this.#field.focus();
    }

    /** Another page is shown. */
    clear() {
        this.#field.value = "";
        setText(this.#note, "");
        this.#close();
    }

    get #isOpen() {
        return !this.#options.hidden;
    }

    #search() {
        const wanted = this.#field.value.trim().toUpperCase();
        const matches = [...this.#store.markets.values()].filter(({ symbol }) => symbol.toUpperCase().includes(wanted));
        const rank = (/** @type {Market} */ { symbol, base }) =>
            [symbol, base].some((each) => each.toUpperCase().startsWith(wanted)) ? 0 : 1;
        // Sorting is stable: among equals the server's order stays.
        this.#found = matches.sort((a, b) => rank(a) - rank(b)).slice(0, LIMIT);
        this.#options.replaceChildren(...this.#found.map((market, at) => this.#option(market, at)));
        const wasOpen = this.#isOpen;
        this.#options.hidden = this.#found.length === 0;
        this.#field.setAttribute("aria-expanded", String(this.#isOpen));
        // Enter in an empty field adds nothing.
        this.#activate(wanted === "" || this.#found.length === 0 ? -1 : 0);
        if (!wasOpen) {
            // On a phone the dock lies over the page's end.
            this.#options.scrollIntoView({ block: "nearest" });
        }
        const more = matches.length - this.#found.length;
        if (wanted !== "" && matches.length === 0) {
            setText(this.#note, `No market on this server matches “${this.#field.value.trim()}”.`);
        } else {
            setText(this.#note, more > 0 ? `${more} more. Keep typing to narrow the list.` : "");
        }
    }

    /** @param {Market} market @param {number} at */
    #option({ symbol, feed }, at) {
        const option = copyOf("add-option");
        option.id = `add-option-${at}`;
        option.dataset.market = symbol;
        part(option, "span").append(symbol);
        const hint = this.#pages.shown?.symbols.includes(symbol) ? "on this page" : feed;
        part(option, "small").append(hint);
        part(option, "small").hidden = hint === "";
        return option;
    }

    /** @param {number} at */
    #activate(at) {
        this.#active = at;
        [...this.#options.children].forEach((each, place) => each.setAttribute("aria-selected", String(place === at)));
        const option = this.#options.children[at];
        if (option) {
            this.#field.setAttribute("aria-activedescendant", option.id);
            option.scrollIntoView({ block: "nearest" });
        } else {
            this.#field.removeAttribute("aria-activedescendant");
        }
    }

    #close() {
        this.#options.hidden = true;
        this.#field.setAttribute("aria-expanded", "false");
        this.#activate(-1);
    }

    /** @param {KeyboardEvent} event */
    #pressed(event) {
        const count = this.#found.length;
        if (event.key === "ArrowDown" || event.key === "ArrowUp") {
            event.preventDefault();
            const by = event.key === "ArrowDown" ? 1 : -1;
            if (!this.#isOpen) {
                this.#search();
            } else if (count > 0) {
                this.#activate((Math.max(this.#active, by < 0 ? 0 : -1) + by + count) % count);
            }
        } else if (event.key === "Enter" && this.#isOpen && this.#found[this.#active]) {
            event.preventDefault();
            this.#choose(this.#found[this.#active].symbol);
        } else if (event.key === "Escape") {
            if (this.#isOpen || this.#field.value !== "") {
                event.preventDefault();
            }
            this.clear();
        }
    }

    /** @param {string} symbol */
    #choose(symbol) {
        const isThere = this.#pages.shown?.symbols.includes(symbol) ?? true;
        const isAdded = !isThere && this.#pages.add(symbol);
        this.clear();
        if (isAdded) {
            setText(this.#note, `${symbol} added.`);
            this.dispatchEvent(new CustomEvent("add", { detail: symbol }));
        } else if (isThere) {
            setText(this.#note, `${symbol} is already on this page.`);
            this.dispatchEvent(new CustomEvent("there", { detail: symbol }));
        } else {
            setText(this.#note, `A page can have at most ${MAX_SYMBOLS} rows.`);
        }
    }
}
