import { byId, copyOf, part } from "../dom.js";
import { isOff, nameButton, switchOff } from "../ui/icon-button.js";
import { keepPlace, showList } from "../ui/keyed-list.js";
import { RowDrag } from "./row-drag.js";

const NAMES = { up: "Move up", down: "Move down", remove: "Remove" };

/**
 * A page being edited: its name, and buttons at each row. What keys and the mouse do in the list itself is here for
 * fingers and for screen readers, which have no use for buttons in a list box.
 *
 * Events: `remove` (detail: symbol), `move` (detail: {symbol, to}), `delete` (the page), `done`.
 */
export class PageEditor extends EventTarget {
    #pages;
    #store;
    #element = byId("page-editor");
    #form = byId("page-form", HTMLFormElement);
    #name = byId("page-name", HTMLInputElement);
    #rows = byId("page-rows");

    /**
     * @param {import("./watchlists.js").Watchlists} pages
     * @param {import("../stream/market-store.js").MarketStore} store
     */
    constructor(pages, store) {
        super();
        this.#pages = pages;
        this.#store = store;
        this.#form.addEventListener("submit", (event) => {
            event.preventDefault();
            this.dispatchEvent(new Event("done"));
        });
        this.#name.addEventListener("input", () => this.#rename());
        this.#name.addEventListener("blur", () => this.show());
        byId("page-delete").addEventListener("click", () => this.dispatchEvent(new Event("delete")));
        this.#rows.addEventListener("click", (event) => this.#clicked(event));
        new RowDrag(this.#rows, {
            mayBegin: (target) => target.closest(".page-grip") !== null,
            moved: (symbol, to) => this.#send("move", { symbol, to }),
            cancelled: () => this.show(),
        });
    }

    /** @param {boolean} isOpen */
    open(isOpen) {
        this.#element.hidden = !isOpen;
        this.show();
    }

    /** Puts the keyboard into the name. */
    focusName() {
        this.#name.focus();
        this.#name.select();
    }

    /** The page's name and rows as they are now. */
    show() {
        const page = this.#pages.shown;
        if (this.#element.hidden || !page) {
            return;
        }
        if (document.activeElement !== this.#name) {
            this.#name.value = page.name;
            this.#name.removeAttribute("aria-invalid");
        }
        const { symbols } = page;
        const update = (/** @type {HTMLElement} */ row, /** @type {string} */ symbol) => {
            const at = symbols.indexOf(symbol);
            const isServed = this.#store.markets.has(symbol);
            row.querySelector("small")?.toggleAttribute("hidden", isServed || this.#store.status !== "ready");
            const [up, down] = row.querySelectorAll("button");
            switchOff(up, at === 0);
            switchOff(down, at === symbols.length - 1);
        };
        showList(this.#rows, [...symbols], (symbol) => symbol, makeRow, update);
    }

    #rename() {
        const page = this.#pages.shown;
        const isNamed = page !== null && this.#pages.rename(page.id, this.#name.value);
        this.#name.setAttribute("aria-invalid", String(!isNamed));
    }

    /** @param {Event} event */
    #clicked(event) {
        const button = /** @type {HTMLElement} */ (event.target).closest("button");
        const row = button?.closest("[data-symbol]");
        if (!button || !(row instanceof HTMLElement) || isOff(button)) {
            return;
        }
        const symbol = row.dataset.symbol ?? "";
        const at = this.#pages.shown?.symbols.indexOf(symbol) ?? -1;
        if (button.dataset.act === "remove") {
            keepPlace(row, () => this.#send("remove", symbol), "[data-act=remove]", this.#name);
        } else {
            this.#send("move", { symbol, to: at + (button.dataset.act === "up" ? -1 : 1) });
            // Put elsewhere in the document, a row loses the focus.
            button.focus();
        }
    }

    /** @param {string} type @param {string | {symbol: string, to: number}} detail */
    #send(type, detail) {
        this.dispatchEvent(new CustomEvent(type, { detail }));
    }
}

/** @param {string} symbol */
function makeRow(symbol) {
    const row = copyOf("page-row");
    row.dataset.symbol = symbol;
    part(row, ".page-symbol").prepend(symbol);
    Object.entries(NAMES).forEach(([act, name]) => nameButton(part(row, `[data-act=${act}]`), `${name} ${symbol}`));
    return row;
}
