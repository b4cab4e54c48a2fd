import { copyOf, flash, part, setText } from "../dom.js";
import { stockAddress } from "../address.js";
import { MOVES } from "./stock.js";

/** Milliseconds that a changed price stands out. */
const FLASH = 1000;

/** @typedef {import("./stock.js").Stock} Stock */

/** A price with the shape of its last move, which stands out for a moment when it changes. */
export class StockPrice {
    element = copyOf("stock-price");
    #text = part(this.element, "span");
    #move = part(this.element, ".stock-move");

    /**
     * @param {Stock} stock
     * @param {boolean} [isChanged]
     */
    show(stock, isChanged = false) {
        setText(this.#text, stock.priceText);
        setText(this.#move, MOVES[stock.move]);
        this.element.dataset.move = stock.move;
        isChanged && flash(this.element, stock.move === "up", FLASH);
    }
}

/** One stock of the list: a link to its detail. */
export class StockRow {
    #price = new StockPrice();
    element = copyOf("stock-row");
    link = part(this.element, "a", HTMLAnchorElement);
    #change = part(this.element, ".stock-change");

    /** @param {Stock} stock */
    constructor(stock) {
        this.stock = stock;
        this.link.href = stockAddress(stock.symbol);
        part(this.element, ".stock-symbol").append(stock.symbol);
        part(this.element, ".stock-company").append(stock.company);
        this.#change.before(this.#price.element);
        this.element.dataset.symbol = stock.symbol;
        this.show();
    }

    /** @param {boolean} [isChanged] */
    show(isChanged = false) {
        const { stock } = this;
        this.#price.show(stock, isChanged);
        setText(this.#change, stock.changeText);
        this.element.dataset.direction = stock.trend;
        this.link.setAttribute("aria-label", stock.spoken);
    }
}
