import { byId, setText } from "../dom.js";
import { formatPrice } from "../format.js";
import { StockPrice } from "./stock-row.js";

/** @typedef {import("./stock.js").Stock} Stock */

/** One stock: the same prices as the list, and what the company does. */
export class StockDetail {
    #panel = byId("stock-detail");
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
            setText(byId("stock-title"), stock.symbol);
            setText(byId("stock-company"), stock.company);
            setText(byId("stock-description"), stock.description);
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
        setText(byId("stock-change"), stock.changeText);
        this.#panel.dataset.direction = stock.trend;
        setText(byId("stock-initial"), formatPrice(stock.initial, stock.precision));
        const { name, low, high } = market?.day ?? { name: "24 h", low: null, high: null };
        setText(byId("stock-low-name"), `${name} low`);
        setText(byId("stock-high-name"), `${name} high`);
        setText(byId("stock-low"), formatPrice(low, stock.precision));
        setText(byId("stock-high"), formatPrice(high, stock.precision));
    }

    focus() {
        byId("stock-title").focus();
    }
}
