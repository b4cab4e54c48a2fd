import { recall, remember, setAside } from "../storage.js";
import {
    freeName,
    inserted,
    MAX_PAGES,
    MAX_SYMBOLS,
    newId,
    readPages,
    shifted,
    storedPages,
    trimmedName,
} from "./page-book.js";

const KEY = "candlewire.watchlists";
const SHOWN = "candlewire.watchlist-shown";

/** @typedef {import("./page-book.js").Page} Page */

/**
 * The pages of the market list: “All”, which every server fills and no person can delete, and those that were
 * made in this browser.
 *
 * The pages are the same in all tabs of the browser; which one is shown is each tab's own.
 *
 * Events: `change` (other pages, other symbols, or another page is shown).
 */
export class Watchlists extends EventTarget {
    /** @type {readonly Page[]} without “All”. */
    pages = [];
    #shown = "";

    constructor() {
        super();
        this.pages = this.#read();
        const shown = recall(SHOWN);
        this.#shown = typeof shown === "string" ? shown : "";
        addEventListener("storage", ({ key, storageArea }) => {
            // Null: everything was cleared.
            if (storageArea === localStorage && (key === KEY || key === null)) {
                this.pages = this.#read();
                this.#changed();
            }
        });
    }

    /** The page that is shown; null is “All”.
     * @returns {?Page} */
    get shown() {
        return this.pages.find(({ id }) => id === this.#shown) ?? null;
    }

    /** The symbols that are on a page, each once.
     * @returns {Set<string>} */
    get symbols() {
        return new Set(this.pages.flatMap((page) => page.symbols));
    }

    /** @param {string} id empty: “All”. */
    show(id) {
        this.#shown = id;
        remember(SHOWN, id || null);
        this.#changed();
    }

    /** Shows a neighbour.
     * @param {number} by @returns {boolean} false where there is none. */
    step(by) {
        const ids = ["", ...this.pages.map(({ id }) => id)];
        const next = ids[ids.indexOf(this.shown?.id ?? "") + by];
        if (next === undefined) {
            return false;
        }
        this.show(next);
        return true;
    }

    /** Makes an empty page and shows it.
     * @returns {?Page} null where there are too many. */
    create() {
        if (this.pages.length >= MAX_PAGES) {
            return null;
        }
        const page = { id: newId(), name: freeName(this.pages), symbols: [] };
        this.#keep([...this.pages, page]);
        this.show(page.id);
        return page;
    }

    /** @param {string} id @param {string} name @returns {boolean} false where the name is empty. */
    rename(id, name) {
        const trimmed = trimmedName(name);
        if (trimmed) {
            this.#replace(id, (page) => ({ ...page, name: trimmed }));
        }
        return trimmed !== "";
    }

    /** @param {string} id @returns {() => void} brings it back. */
    delete(id) {
        const at = this.pages.findIndex((page) => page.id === id);
        const page = this.pages[at];
        if (!page) {
            return () => {};
        }
        const wasShown = this.shown === page;
        this.#keep(this.pages.filter((each) => each !== page));
        if (wasShown) {
            this.show(this.pages[at - 1]?.id ?? "");
        }
        return () => {
            if (this.pages.every((each) => each.id !== id) && this.pages.length < MAX_PAGES) {
                this.#keep(inserted(this.pages, page, at));
                this.show(id);
            }
        };
    }

    /** Adds a row at the end of the shown page.
     * @param {string} symbol @returns {boolean} false where it is full. */
    add(symbol) {
        const page = this.shown;
        if (!page || page.symbols.length >= MAX_SYMBOLS) {
            return false;
        }
        this.#insert(page.id, symbol, page.symbols.length);
        return true;
    }

    /** Removes a row of the shown page.
     * @param {string} symbol @returns {() => void} brings it back. */
    remove(symbol) {
        const page = this.shown;
        const at = page?.symbols.indexOf(symbol) ?? -1;
        if (!page || at < 0) {
            return () => {};
        }
        const without = (/** @type {Page} */ each) => each.symbols.filter((other) => other !== symbol);
        this.#replace(page.id, (each) => ({ ...each, symbols: without(each) }));
        return () => this.#insert(page.id, symbol, at);
    }

    /** @param {string} symbol of the shown page. @param {number} to its place afterwards; beyond an end is that end. */
    move(symbol, to) {
        if (this.shown) {
            this.#replace(this.shown.id, (page) => ({ ...page, symbols: shifted(page.symbols, symbol, to) }));
        }
    }

    /** @param {string} id @param {string} symbol @param {number} at */
    #insert(id, symbol, at) {
        this.#replace(id, (page) =>
            page.symbols.includes(symbol) ? page : { ...page, symbols: inserted(page.symbols, symbol, at) },
        );
    }

    /** @param {string} id @param {(page: Page) => Page} change */
    #replace(id, change) {
        this.#keep(this.pages.map((page) => (page.id === id ? change(page) : page)));
    }

    /** @param {Page[]} pages */
    #keep(pages) {
        this.pages = pages;
        remember(KEY, storedPages(pages));
        this.#changed();
    }

    #changed() {
        this.dispatchEvent(new Event("change"));
    }

    /** @returns {Page[]} */
    #read() {
        const stored = /** @type {?{version?: unknown, pages?: unknown}} */ (recall(KEY));
        const { pages, isWhole } = readPages(stored);
        if (!isWhole) {
            setAside(KEY);
        }
        return pages;
    }
}
