import { element, prefersReducedMotion, setText } from "../dom.js";
import { stockAddress } from "../address.js";
import { MOVES } from "./stock.js";

/** Milliseconds that a changed price stands out. */
const FLASH = 1000;

/** @typedef {import("./stock.js").Stock} Stock */

/** A price with the shape of its last move, which stands out for a moment when it changes. */
export class StockPrice {
    #text = element("span");
    #move = element("span", { class: "stock-move", "aria-hidden": "true" });
    /** @type {?Animation} */
    #flash = null;
    element = element("span", { class: "stock-price" }, this.#text, " ", this.#move);

    /**
     * @param {Stock} stock
     * @param {boolean} [isChanged]
     */
    show(stock, isChanged = false) {
        setText(this.#text, stock.priceText);
        setText(this.#move, MOVES[stock.move]);
        this.element.dataset.move = stock.move;
        if (isChanged && !prefersReducedMotion()) {
            this.#flash?.cancel();
            const tint = `var(${stock.move === "up" ? "--up-tint" : "--down-tint"})`;
            this.#flash = this.element.animate([{ backgroundColor: tint }, { backgroundColor: "transparent" }], FLASH);
        }
    }
}

/** One stock of the list: a link to its detail. */
export class StockRow {
    #price = new StockPrice();
    #change = element("span", { class: "stock-change" });
    element;
    link;

    /** @param {Stock} stock */
    constructor(stock) {
        this.stock = stock;
        this.link = element(
            "a",
            { class: "stock-row", href: stockAddress(stock.symbol), tabindex: "-1" },
            element(
                "span",
                { class: "stock-names" },
                element("span", { class: "stock-symbol" }, stock.symbol),
                element("span", { class: "stock-company" }, stock.company),
            ),
            element("span", { class: "stock-figures" }, this.#price.element, this.#change),
        );
        this.element = element("li", {}, this.link);
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
