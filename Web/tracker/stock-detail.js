import { byId, setText } from "../dom.js";
import { formatPrice } from "../format.js";
import { StockPrice } from "./stock-row.js";

/** @typedef {import("./stock.js").Stock} Stock */

/** One stock: the same prices as the list, and what the company does. */
export class StockDetail {
    #panel = byId("stock-detail");
    #title = byId("stock-title");
    #company = byId("stock-company");
    #description = byId("stock-description");
    #change = byId("stock-change");
    #initial = byId("stock-initial");
    #low = byId("stock-low");
    #high = byId("stock-high");
    #price = new StockPrice();
    /** @type {?Stock} */
    stock = null;

    constructor() {
        byId("stock-now").prepend(this.#price.element);
    }

    /** @param {?Stock} stock null: none is chosen. */
    choose(stock) {
        this.stock = stock;
        this.#panel.hidden = stock === null;
        if (stock) {
            setText(this.#title, stock.symbol);
            setText(this.#company, stock.company);
            setText(this.#description, stock.description);
        }
    }

    /**
     * @param {import("../stream/market-store.js").Market | undefined} market
     * @param {boolean} [isChanged]
     */
    show(market, isChanged = false) {
        const { stock } = this;
        if (!stock) {
            return;
        }
        this.#price.show(stock, isChanged);
        setText(this.#change, stock.changeText);
        this.#panel.dataset.direction = stock.trend;
        setText(this.#initial, formatPrice(stock.initial, stock.precision));
        setText(this.#low, formatPrice(market?.low24h ?? null, stock.precision));
        setText(this.#high, formatPrice(market?.high24h ?? null, stock.precision));
    }

    focus() {
        this.#title.focus();
    }
}
