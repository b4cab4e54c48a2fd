import { byId, copyOf, part, setText } from "../dom.js";
import { linkFilterToList } from "../ui/roving.js";
import { Popover } from "../ui/popover.js";

const STATES = { loading: "loading", shown: "", failed: "not loaded; retries with the next bar" };

/** The panel of symbols to compare with: all markets, those on the chart first. */
export class ComparePanel {
    #comparisons;
    #store;
    #chart;
    #popover;
    #filter = byId("compare-filter", HTMLInputElement);
    #list = byId("compare-list");
    #note = byId("compare-note");

    /**
     * @param {object} parts
     * @param {import("./comparisons.js").Comparisons} parts.comparisons
     * @param {import("../stream/market-store.js").MarketStore} parts.store
     * @param {import("./chart-panel.js").ChartPanel} parts.chart
     */
    constructor({ comparisons, store, chart }) {
        this.#comparisons = comparisons;
        this.#store = store;
        this.#chart = chart;
        this.#popover = new Popover(byId("compare-button"), byId("compare"), () => this.#enter());
        this.#filter.addEventListener("input", () => this.#show());
        linkFilterToList(this.#filter, this.#list);
        this.#list.addEventListener("click", (event) => {
            const item = /** @type {HTMLElement} */ (event.target).closest("button");
            if (item) {
                this.#toggle(item.dataset.symbol ?? "");
            }
        });
        comparisons.addEventListener("change", () => this.#show());
        chart.addEventListener("selected", () => this.#show());
        this.#show();
    }

    #enter() {
        this.#filter.value = "";
        setText(this.#note, "");
        this.#show();
        return matchMedia("(pointer: coarse)").matches ? byId("compare") : this.#filter;
    }

    /** @param {string} symbol */
    #toggle(symbol) {
        if (this.#comparisons.has(symbol)) {
            this.#comparisons.remove(symbol);
            setText(this.#note, `${symbol} removed from the chart.`);
        } else {
            const isThere = this.#comparisons.add(symbol);
            setText(this.#note, isThere ? `${symbol} added to the chart.` : "The chart has no room for another symbol.");
        }
        /** @type {?HTMLElement} */ (this.#list.querySelector(`[data-symbol="${CSS.escape(symbol)}"]`))?.focus();
    }

    #show() {
        const count = byId("compare-count");
        setText(count, String(this.#comparisons.list.length));
        count.hidden = this.#comparisons.list.length === 0;
        if (!this.#popover.isOpen) {
            return;
        }
        const wanted = this.#filter.value.trim().toLowerCase();
        const own = this.#chart.selection?.symbol;
        const symbols = [...this.#store.markets.keys()].filter(
            (symbol) => symbol !== own && symbol.toLowerCase().includes(wanted),
        );
        const focused = /** @type {HTMLElement} */ (document.activeElement)?.dataset.symbol ?? "";
        this.#list.replaceChildren(...symbols.map((symbol, at) => this.#item(symbol, at)));
        if (focused) {
            /** @type {?HTMLElement} */ (this.#list.querySelector(`[data-symbol="${CSS.escape(focused)}"]`))?.focus();
        }
        byId("compare-none").hidden = symbols.length > 0;
    }

    /** @param {string} symbol @param {number} at */
    #item(symbol, at) {
        const comparison = this.#comparisons.list.find((each) => each.symbol === symbol);
        const row = copyOf("compare-row");
        const button = part(row, "button");
        button.dataset.symbol = symbol;
        button.tabIndex = at === 0 ? 0 : -1;
        button.setAttribute("aria-pressed", String(!!comparison));
        part(row, ".menu-name").append(symbol);
        if (comparison) {
            part(row, "small").append(STATES[comparison.state]);
        } else {
            part(row, "small").remove();
            part(row, "svg").remove();
        }
        return row;
    }
}
