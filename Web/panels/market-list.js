import { byId, setText } from "../dom.js";
import { MarketRow } from "./market-row.js";

/**
 * The markets, as a list box: arrows move, enter and space choose, letters go to the filter.
 *
 * Rows keep their places whatever the prices do: a list that sorts itself under the pointer is one nobody can click.
 *
 * Events: `choose` (detail: symbol), `retry`.
 */
export class MarketList extends EventTarget {
    #store;
    #frames;
    #list = byId("market-list");
    #filter = /** @type {HTMLInputElement} */ (byId("market-filter"));
    #message = byId("market-message");
    #text = byId("market-message-text");
    #retry = byId("market-retry");
    /** @type {Map<string, MarketRow>} */
    #rows = new Map();
    /** @type {Set<string>} */
    #changed = new Set();
    #selected = "";
    #active = "";
    #draw = () => this.#showChanged();

    /**
     * @param {import("../stream/market-store.js").MarketStore} store
     * @param {import("../frame-loop.js").FrameLoop} frames
     */
    constructor(store, frames) {
        super();
        this.#store = store;
        this.#frames = frames;
        store.addEventListener("list", () => this.#showList());
        store.addEventListener("market", (/** @type {CustomEvent} */ event) => {
            this.#changed.add(event.detail);
            this.#frames.mark(this.#draw);
        });
        this.#list.addEventListener("click", (event) => this.#clicked(event));
        this.#list.addEventListener("keydown", (event) => this.#pressed(event));
        this.#list.addEventListener("focus", () => this.#activate(this.#active || this.#selected));
        this.#filter.addEventListener("input", () => this.#applyFilter());
        this.#filter.addEventListener("keydown", (event) => this.#pressedInFilter(event));
        this.#retry.addEventListener("click", () => this.dispatchEvent(new Event("retry")));
    }

    /** Marks the chart's market. @param {string} symbol */
    select(symbol) {
        this.#rows.get(this.#selected)?.element.setAttribute("aria-selected", "false");
        this.#selected = symbol;
        this.#rows.get(symbol)?.element.setAttribute("aria-selected", "true");
        this.#activate(symbol);
    }

    /** Puts the keyboard into the filter. */
    focusFilter() {
        this.#filter.focus();
        this.#filter.select();
    }

    #showList() {
        const { markets } = this.#store;
        const isSame = markets.size === this.#rows.size && [...markets.keys()].every((key) => this.#rows.has(key));
        if (!isSame || markets.size === 0) {
            this.#rows = new Map([...markets].map(([symbol, market]) => [symbol, new MarketRow(market)]));
            this.#list.replaceChildren(...[...this.#rows.values()].map((row) => row.element));
            this.select(this.#selected);
            this.#applyFilter();
        } else {
            markets.forEach((market, symbol) => this.#rows.get(symbol)?.show(market));
        }
        this.#list.setAttribute("aria-busy", String(this.#store.status === "loading"));
        this.#showMessage();
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

    #showMessage() {
        const { status, problem } = this.#store;
        let text = "";
        if (status === "failed") {
            text = `${problem} Candlewire keeps trying.`;
        } else if (status === "ready" && this.#rows.size === 0) {
            text = "No markets yet. They appear here with their first trade.";
        } else if (status === "ready" && this.#visible().length === 0) {
            text = `No market matches “${this.#filter.value.trim()}”.`;
        }
        this.#message.hidden = text === "";
        this.#retry.hidden = status !== "failed";
        // The message takes the place of the rows, right below the filter.
        this.#list.hidden = text !== "";
        setText(this.#text, text);
    }

    #applyFilter() {
        const wanted = this.#filter.value.trim().toUpperCase();
        for (const row of this.#rows.values()) {
            row.element.hidden = !row.symbol.toUpperCase().includes(wanted);
        }
        this.#showMessage();
    }

    /** @returns {string[]} symbols that the filter leaves. */
    #visible() {
        return [...this.#rows.values()].filter((row) => !row.element.hidden).map((row) => row.symbol);
    }

    #clicked(event) {
        const row = event.target.closest("[data-symbol]");
        if (row) {
            this.#choose(row.dataset.symbol);
        }
    }

    #pressed(event) {
        const symbols = this.#visible();
        const at = symbols.indexOf(this.#active);
        const last = symbols.length - 1;
        const moves = { ArrowDown: Math.min(at + 1, last), ArrowUp: Math.max(at - 1, 0), Home: 0, End: last };
        if (event.key in moves && last >= 0) {
            event.preventDefault();
            this.#activate(symbols[moves[event.key]]);
        } else if ((event.key === "Enter" || event.key === " ") && at >= 0) {
            event.preventDefault();
            this.#choose(this.#active);
        } else if (/^[a-z0-9]$/i.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey) {
            this.focusFilter();
        }
    }

    #pressedInFilter(event) {
        const [first] = this.#visible();
        if (event.key === "Enter" && first) {
            this.#choose(first);
        } else if (event.key === "ArrowDown" && first) {
            event.preventDefault();
            this.#active = first;
            this.#list.focus();
        } else if (event.key === "Escape") {
            this.#filter.value = "";
            this.#applyFilter();
        }
    }

    #choose(symbol) {
        this.#activate(symbol);
        this.dispatchEvent(new CustomEvent("choose", { detail: symbol }));
    }

    /** The row the keyboard is on. @param {string} symbol */
    #activate(symbol) {
        this.#rows.get(this.#active)?.element.classList.remove("row-active");
        this.#active = symbol;
        const row = this.#rows.get(symbol)?.element;
        if (row) {
            row.classList.add("row-active");
            this.#list.setAttribute("aria-activedescendant", row.id);
            if (document.activeElement === this.#list) {
                row.scrollIntoView({ block: "nearest" });
            }
        } else {
            this.#list.removeAttribute("aria-activedescendant");
        }
    }
}
