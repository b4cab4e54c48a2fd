/** Milliseconds from one order to the next. */
const CADENCE = 2000;

/** @typedef {import("./stock.js").Stock} Stock */
/** @typedef {"price" | "change" | "symbol"} OrderKey */

/** @type {Record<OrderKey, (a: Stock, b: Stock) => number>} */
const COMPARE = {
    price: (a, b) => b.price - a.price,
    change: (a, b) => (b.changePercent ?? 0) - (a.changePercent ?? 0),
    symbol: (a, b) => (a.symbol < b.symbol ? -1 : a.symbol > b.symbol ? 1 : 0),
};

/**
 * The order of the list: sorted again on a cadence and not with each price, and not at all while the list is being used,
 * because what one is about to choose must not move away under the finger. Equal stocks keep their places.
 */
export class StockOrder {
    /** @type {Stock[]} */
    stocks = [];
    /** Whether the list is being used. */
    isHeld = false;
    /** @type {OrderKey} */
    #key = "price";
    #dueAt = -Infinity;

    get key() {
        return this.#key;
    }

    /** Another order was chosen: it applies at once, held or not.
     * @param {OrderKey} key */
    setKey(key) {
        if (key !== this.#key) {
            this.#key = key;
            this.#dueAt = -Infinity;
        }
    }

    /** @param {Stock[]} stocks in the order of the list that was loaded. */
    replace(stocks) {
        this.stocks = stocks;
        this.#dueAt = -Infinity;
    }

    /**
     * Sorts, if it is time to.
     *
     * @param {number} now milliseconds on a clock that does not go back.
     * @returns {boolean} whether anything moved.
     */
    update(now) {
        if (now < this.#dueAt || (this.isHeld && this.#dueAt !== -Infinity)) {
            return false;
        }
        this.#dueAt = now + CADENCE;
        // Sorting is stable (ECMA-262, section 23.1.3.30).
        const sorted = [...this.stocks].sort(COMPARE[this.#key]);
        const isSame = sorted.every((stock, index) => stock === this.stocks[index]);
        this.stocks = sorted;
        return !isSame;
    }
}
