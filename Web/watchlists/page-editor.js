import { byId, element } from "../dom.js";
import { iconButton, isOff, switchOff } from "../ui/icon-button.js";
import { ICONS } from "../ui/icons.js";
import { showList } from "../ui/keyed-list.js";
import { RowDrag } from "./row-drag.js";

const UP = "m6 14 6-6 6 6";
const DOWN = "m6 10 6 6 6-6";

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
            // The keyboard goes on where the row was.
            const next = row.nextElementSibling ?? row.previousElementSibling;
            this.#send("remove", symbol);
            (/** @type {?HTMLElement} */ (next?.querySelector("[data-act=remove]")) ?? this.#name).focus();
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
    const button = (/** @type {string} */ act, /** @type {string} */ name, /** @type {string} */ icon) => {
        const made = iconButton(`${name} ${symbol}`, icon, "", "icon-button");
        made.dataset.act = act;
        return made;
    };
    const row = element(
        "li",
        { class: "page-row" },
        element("span", { class: "page-grip", "aria-hidden": "true" }, "⠿"),
        element("span", { class: "page-symbol" }, symbol, element("small", { hidden: "" }, "not on this server")),
        button("up", "Move up", UP),
        button("down", "Move down", DOWN),
        button("remove", "Remove", ICONS.close),
    );
    row.dataset.symbol = symbol;
    return row;
}
