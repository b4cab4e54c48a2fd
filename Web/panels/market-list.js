import { byId, detailOf, part, setText } from "../dom.js";
import { LONG_LIST } from "../stream/market-store.js";
import { RowWindow } from "../ui/row-window.js";
import { MarketRow } from "./market-row.js";

/** Milliseconds for which a long list must lie still before other rows' streams are requested. */
const REST = 200;

/**
 * The markets, as a list box: arrows move, enter and space choose. All markets of the server, or the rows of a page of
 * one's own.
 *
 * Rows keep their places whatever the prices do: a list that sorts itself under the pointer can't be clicked.
 *
 * Of a long list only the rows near what is seen are in the page, and only they are kept current by streams.
 *
 * Events: `choose` (detail: symbol), `retry`, `rows` (detail: the symbols whose rows are drawn; null: all), `search` (detail:
 * what no market matches; empty where one does), `remove-market` (detail: symbol that is to be removed from the server); of a
 * page's rows `remove` (detail: symbol) and `move` (detail: {symbol, to}).
 */
export class MarketList extends EventTarget {
    #store;
    #frames;
    #list = byId("market-list");
    #filter = byId("market-filter", HTMLInputElement);
    /** @type {?MarketPage} */
    #page = null;
    /** Whether the page is being edited instead. */
    #isAside = false;
    #window = new RowWindow(this.#list);
    /** @type {string[]} all of them, in their order. */
    #symbols = [];
    /** @type {string[]} those that the filter leaves. */
    #visible = [];
    /** @type {Map<string, MarketRow>} in their order; of a long list those that are drawn. */
    #rows = new Map();
    #resting = 0;
    /** Whether it was long when its rows were last said. */
    #wasLong = false;
    /** @type {Set<string>} */
    #changed = new Set();
    #selected = "";
    #active = "";
    #draw = () => this.#showChanged();
    #follow = () => this.#drawWindow();

    /**
     * @param {import("../stream/market-store.js").MarketStore} store
     * @param {import("../frame-loop.js").FrameLoop} frames
     */
    constructor(store, frames) {
        super();
        this.#store = store;
        this.#frames = frames;
        store.addEventListener("list", () => this.#showList());
        store.addEventListener("market", (event) => {
            this.#changed.add(detailOf(event));
            this.#frames.mark(this.#draw);
        });
        this.#list.addEventListener("click", (event) => this.#clicked(event));
        this.#list.addEventListener("keydown", (event) => this.#pressed(event));
        this.#list.addEventListener("focus", () => this.#activate(this.#active || this.#selected));
        this.#filter.addEventListener("input", () => this.#applyFilter());
        this.#filter.addEventListener("keydown", (event) => this.#pressedInFilter(event));
        byId("market-retry").addEventListener("click", () => this.dispatchEvent(new Event("retry")));
        const moved = () => this.#isLong && this.#frames.mark(this.#follow);
        // The list itself, or on a narrow screen the page.
        addEventListener("scroll", moved, { capture: true, passive: true });
        new ResizeObserver(moved).observe(this.#list);
    }

    get #isLong() {
        return this.#symbols.length > LONG_LIST;
    }

    /**
     * Marks the chart's market.
     *
     * @param {string} symbol
     * @param {string} [active] the row that the keyboard is on then.
     */
    select(symbol, active = symbol) {
        this.#rows.forEach((row) => row.element.setAttribute("aria-selected", String(row.symbol === symbol)));
        this.#selected = symbol;
        this.#activate(active);
    }

    /**
     * @param {?MarketPage} page null: all markets.
     * @param {boolean} isAside whether something else is in the rows' place.
     */
    setPage(page, isAside) {
        this.#page = page;
        this.#isAside = isAside;
        this.#list.toggleAttribute("data-own", page !== null);
        if (this.#store.status !== "loading" || this.#store.markets.size > 0) {
            this.#showList();
        }
    }

    /** Whether there is no row to put the keyboard on. */
    get isEmpty() {
        return this.#list.hidden;
    }

    /** Whether the filter leaves rows out. */
    get isFiltered() {
        return this.#filter.value.trim() !== "";
    }

    /** Puts every row where it belongs. */
    arrange() {
        this.#isLong ? this.#drawWindow() : this.#list.replaceChildren(...[...this.#rows.values()].map((row) => row.element));
    }

    /** Brings a row into view.
     * @param {string} symbol */
    reveal(symbol) {
        this.#bring(symbol);
        this.#activate(symbol);
        this.#rows.get(symbol)?.element.scrollIntoView({ block: "nearest" });
    }

    /** Puts the keyboard into the filter. */
    focusFilter() {
        this.#filter.focus();
        this.#filter.select();
    }

    #showList() {
        const { markets } = this.#store;
        const shown = this.#page?.symbols.flatMap((symbol) => markets.get(symbol) ?? []) ?? [...markets.values()];
        const symbols = shown.map(({ symbol }) => symbol);
        const before = this.#symbols;
        const isSame = before.length === symbols.length && before.every((symbol, at) => symbol === symbols[at]);
        this.#symbols = symbols;
        if (!isSame || symbols.length === 0) {
            // Rows of a long list say which of how many they are.
            const made = this.#wasLong ? new Map() : this.#rows;
            const whole = this.#isLong ? [] : shown;
            this.#rows = new Map(whole.map((market) => [market.symbol, made.get(market.symbol) ?? new MarketRow(market)]));
            this.#filterSymbols();
            this.arrange();
            this.select(this.#selected, symbols.includes(this.#active) ? this.#active : this.#selected);
        }
        this.#rows.forEach((row) => this.#showRow(row));
        if (this.#wasLong && !this.#isLong) {
            this.#sayRows();
        }
        this.#list.setAttribute("aria-busy", String(this.#store.status === "loading"));
        this.#applyFilter();
    }

    #showChanged() {
        for (const symbol of this.#changed) {
            const market = this.#store.markets.get(symbol);
            if (market) {
                this.#rows.get(symbol)?.show(market);
            }
        }
        this.#changed.clear();
    }

    /** @param {MarketRow} row */
    #showRow(row) {
        const market = this.#store.markets.get(row.symbol);
        if (market) {
            row.show(market);
            row.element.toggleAttribute("data-removable", this.#page !== null || this.#store.changes(row.symbol));
            part(row.element, ".row-remove").setAttribute("title", `Remove from this ${this.#page ? "page" : "server"} (Del)`);
        }
    }

    /** Draws the rows of a long list that are seen now. */
    #drawWindow() {
        if (!this.#isLong) {
            return;
        }
        const count = this.#visible.length;
        const { first, end } = this.#window.range(count);
        const before = this.#rows;
        const drawn = this.#visible.slice(first, end).flatMap((symbol) => before.get(symbol) ?? this.#makeRow(symbol) ?? []);
        this.#rows = new Map(drawn.map((row) => [row.symbol, row]));
        drawn.forEach(({ element }, at) => {
            element.setAttribute("aria-setsize", String(count));
            element.setAttribute("aria-posinset", String(first + at + 1));
        });
        this.#window.draw(drawn.map((row) => row.element), first, count);
        if (drawn.length !== before.size || drawn.some(({ symbol }) => !before.has(symbol))) {
            this.#markActive();
            clearTimeout(this.#resting);
            // The first time at once: before there are streams for all of them.
            this.#wasLong ? (this.#resting = setTimeout(() => this.#sayRows(), REST)) : this.#sayRows();
        }
    }

    #sayRows() {
        clearTimeout(this.#resting);
        this.#wasLong = this.#isLong;
        this.dispatchEvent(new CustomEvent("rows", { detail: this.#isLong ? [...this.#rows.keys()] : null }));
    }

    /** @param {string} symbol */
    #makeRow(symbol) {
        const market = this.#store.markets.get(symbol);
        if (!market) {
            return null;
        }
        const row = new MarketRow(market);
        row.element.setAttribute("aria-selected", String(symbol === this.#selected));
        this.#showRow(row);
        return row;
    }

    /** Draws a row of a long list that is not seen.
     * @param {string} symbol */
    #bring(symbol) {
        const index = this.#visible.indexOf(symbol);
        if (this.#isLong && index >= 0) {
            this.#window.bring(index);
            this.#drawWindow();
        }
    }

    #showMessage() {
        const { status, problem } = this.#store;
        let text = "";
        if (status === "failed") {
            text = `${problem} Candlewire keeps trying.`;
        } else if (status === "ready" && this.#symbols.length === 0) {
            text = this.#page ? this.#whyEmpty(this.#page) : "No markets yet. A market appears here with its first trade.";
        } else if (status === "ready" && this.#visible.length === 0) {
            text = `No market matches “${this.#filter.value.trim()}”.`;
        }
        this.dispatchEvent(new CustomEvent("search", { detail: text.startsWith("No market matches") ? this.#filter.value.trim() : "" }));
        byId("market-message").hidden = text === "" || this.#isAside;
        byId("market-retry").hidden = status !== "failed";
        // The message replaces the rows, right below the filter.
        this.#list.hidden = text !== "" || this.#isAside;
        setText(byId("market-message-text"), text);
    }

    /** @param {MarketPage} page */
    #whyEmpty({ name, symbols }) {
        if (symbols.length === 0) {
            return `“${name}” has no symbols yet. Search below to add one.`;
        }
        const named = symbols.slice(0, 3).join(", ");
        return `This server has none of the symbols of “${name}”: ${named}${symbols.length > 3 ? ", …" : ""}.`;
    }

    #applyFilter() {
        this.#filterSymbols();
        if (!this.#isLong) {
            const visible = new Set(this.#visible);
            this.#rows.forEach((row) => (row.element.hidden = !visible.has(row.symbol)));
        }
        this.#showMessage();
        this.#drawWindow();
    }

    #filterSymbols() {
        const wanted = this.#filter.value.trim().toUpperCase();
        this.#visible = this.#symbols.filter((symbol) => {
            const name = this.#store.markets.get(symbol)?.name ?? "";
            return [symbol, name].some((each) => each.toUpperCase().includes(wanted));
        });
    }

    /** @param {MouseEvent} event */
    #clicked(event) {
        const target = /** @type {HTMLElement} */ (event.target);
        const symbol = /** @type {?HTMLElement} */ (target.closest("[data-symbol]"))?.dataset.symbol;
        if (symbol !== undefined) {
            const isRemoval = target.closest(".row-remove") !== null;
            isRemoval && this.#page ? this.#remove(symbol) : isRemoval ? this.#removeFromServer(symbol) : this.#choose(symbol);
        }
    }

    /** @param {KeyboardEvent} event */
    #pressed(event) {
        const symbols = this.#visible;
        const at = symbols.indexOf(this.#active);
        const last = symbols.length - 1;
        /** @type {Record<string, number>} */
        const moves = { ArrowDown: Math.min(at + 1, last), ArrowUp: Math.max(at - 1, 0), Home: 0, End: last };
        if (this.#page && at >= 0 && event.altKey && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
            event.preventDefault();
            this.#moveBy(event.key === "ArrowUp" ? -1 : 1);
        } else if (at >= 0 && event.key === "Delete") {
            event.preventDefault();
            this.#page ? this.#remove(this.#active) : this.#removeFromServer(this.#active);
        } else if (event.key in moves && last >= 0 && !event.altKey) {
            event.preventDefault();
            this.#activate(symbols[moves[event.key]]);
        } else if ((event.key === "Enter" || event.key === " ") && at >= 0) {
            event.preventDefault();
            this.#choose(this.#active);
        }
    }

    /** @param {KeyboardEvent} event */
    #pressedInFilter(event) {
        const [first] = this.#visible;
        if (event.key === "Enter" && first) {
            event.preventDefault();
            // The next letters are commands of the page or another search.
            this.#clearFilter();
            this.#list.focus();
            this.#choose(first);
        } else if (event.key === "ArrowDown" && first) {
            event.preventDefault();
            this.#active = first;
            this.#list.focus();
        } else if (event.key === "Escape" && this.#filter.value !== "") {
            event.preventDefault();
            this.#clearFilter();
        }
    }

    /** Shows every market again, and this one as the chart's.
     * @param {string} symbol */
    show(symbol) {
        this.#clearFilter();
        this.#choose(symbol);
    }

    #clearFilter() {
        this.#filter.value = "";
        this.#applyFilter();
    }

    /** @param {string} symbol */
    #remove(symbol) {
        const symbols = this.#visible;
        const at = symbols.indexOf(symbol);
        if (symbol === this.#active) {
            this.#activate(symbols[at + 1] ?? symbols[at - 1] ?? "");
        }
        this.dispatchEvent(new CustomEvent("remove", { detail: symbol }));
    }

    /** Only a venue's markets change while the server runs.
     * @param {string} symbol */
    #removeFromServer(symbol) {
        if (this.#store.changes(symbol)) {
            this.dispatchEvent(new CustomEvent("remove-market", { detail: symbol }));
        }
    }

    /** Moves the row that the keyboard is on past the next one that is seen.
     * @param {number} by */
    #moveBy(by) {
        const symbols = this.#visible;
        const neighbour = symbols[symbols.indexOf(this.#active) + by];
        const to = this.#page?.symbols.indexOf(neighbour) ?? -1;
        if (to >= 0) {
            this.dispatchEvent(new CustomEvent("move", { detail: { symbol: this.#active, to } }));
            this.#activate(this.#active);
        }
    }

    /** @param {string} symbol */
    #choose(symbol) {
        this.#activate(symbol);
        this.dispatchEvent(new CustomEvent("choose", { detail: symbol }));
    }

    /** The row the keyboard is on.
     * @param {string} symbol */
    #activate(symbol) {
        if (document.activeElement === this.#list && !this.#rows.has(symbol)) {
            this.#bring(symbol);
        }
        this.#rows.get(this.#active)?.element.classList.remove("row-active");
        this.#active = symbol;
        this.#markActive();
        if (document.activeElement === this.#list) {
            this.#rows.get(symbol)?.element.scrollIntoView({ block: "nearest" });
        }
    }

    #markActive() {
        const row = this.#rows.get(this.#active)?.element;
        if (row) {
            row.classList.add("row-active");
            this.#list.setAttribute("aria-activedescendant", row.id);
        } else {
            this.#list.removeAttribute("aria-activedescendant");
        }
    }
}
