import { ARROWS, direction, formatMove, formatPrice } from "../format.js";

/** Which way the last price went: a shape, so that nothing is said by colour alone. */
export const MOVES = { up: "↑", down: "↓", flat: "→" };
const MOVE_WORDS = { up: "up", down: "down", flat: "unchanged" };

/**
 * A stock as the server lists it.
 *
 * @typedef {{symbol: string, market: string, company: string, description: string, initial_price: number, price?: ?number, precision: number}} Entry
 */

/** A stock of the server's tracker, with its price as the page last received it. */
export class Stock {
    /** @type {"up" | "down" | "flat"} the last move. */
    move = "flat";

    /** @param {Entry} entry */
    constructor(entry) {
        this.symbol = entry.symbol;
        /** As `GET /v1/markets` and the chart name it. */
        this.market = entry.market;
        this.company = entry.company;
        this.description = entry.description;
        this.initial = entry.initial_price;
        this.precision = entry.precision;
        this.price = entry.price ?? entry.initial_price;
    }

    /** @param {number} price @returns {boolean} whether it is another one. */
    update(price) {
        this.move = direction(price - this.price);
        const isChanged = price !== this.price;
        this.price = price;
        return isChanged;
    }

    get change() {
        return Number((this.price - this.initial).toFixed(8));
    }

    /** In percent of the initial price; null where that is not above zero. */
    get changePercent() {
        return this.initial > 0 ? (this.change / this.initial) * 100 : null;
    }

    /** Which way it went since the beginning.
     * @returns {"up" | "down" | "flat"} */
    get trend() {
        return this.#shown.way;
    }

    get #shown() {
        return formatMove(this.change, this.changePercent, this.precision);
    }

    get priceText() {
        return formatPrice(this.price, this.precision);
    }

    get changeText() {
        const { way, change, percent } = this.#shown;
        return `${ARROWS[way]} ${change} (${percent})`;
    }

    /** In a sentence. */
    get spoken() {
        const { way, percent } = this.#shown;
        const change = `${MOVE_WORDS[way]} ${percent.replace(/^[+−]/, "")}`;
        return `${this.symbol}, ${this.company}, ${this.priceText}, ${change} since the start`;
    }
}
