import { copyOf, flash, part, setText } from "../dom.js";
import { ARROWS, formatAge, formatMove, formatPrice } from "../format.js";
import { quietSeconds } from "../stream/market-store.js";
import { Sparkline } from "../ui/sparkline.js";
import { marketSuffix, marketWord } from "./feed-words.js";

/** Milliseconds of the flash on a changed price. */
const FLASH = 600;

/** @typedef {import("../stream/market-store.js").Market} Market */

/**
 * One market of the list: name, sparkline, price, its change since the day's open, and that day's high, low and open;
 * and how long a stale one has had no trade. Which day that is, is written beside it.
 */
export class MarketRow {
    element = copyOf("market-row");
    #price = part(this.element, ".row-price");
    #move = part(this.element, ".row-move");
    #change = part(this.element, ".row-change");
    #day = part(this.element, ".row-day").children;
    #stale = part(this.element, ".row-stale");
    #sparkline = new Sparkline();
    /** @type {?number} */
    #shown = null;

    /** @param {Market} market */
    constructor(market) {
        this.symbol = market.symbol;
        this.element.id = `market-${market.symbol}`;
        part(this.element, ".row-base").append(market.base);
        part(this.element, ".row-feed").append(market.feed);
        part(this.element, ".row-name").after(this.#sparkline.element);
        this.element.dataset.symbol = market.symbol;
        this.show(market);
    }

    /** @param {Market} market */
    show(market) {
        const { precision, day } = market;
        const quote = market.quote && market.base !== market.symbol ? `/${market.quote}` : "";
        setText(part(this.element, ".row-quote"), market.name || quote);
        this.element.toggleAttribute("data-named", market.name !== "");
        const { way, change, percent } = formatMove(day.change, day.changePercent, precision);
        this.element.dataset.direction = way;
        setText(this.#price, formatPrice(market.price, precision));
        setText(this.#move, change);
        setText(this.#change, `${ARROWS[way]} ${percent}`);
        const [high, low, open, name] = this.#day;
        setText(high, `h: ${formatPrice(day.high, precision)}`);
        setText(low, `l: ${formatPrice(day.low, precision)}`);
        setText(open, `o: ${formatPrice(day.open, precision)}`);
        setText(name, `(${day.name})`);
        const quiet = quietSeconds(market);
        this.element.toggleAttribute("data-stale", quiet !== null || market.isWaiting);
        this.element.dataset.feed = market.feedState;
        const age = market.isWaiting ? "no trade yet" : quiet === null ? "" : `${formatAge(quiet)} old`;
        setText(this.#stale, marketWord(market) || age);
        this.#explain(market, quiet);
        this.#sparkline.show(market.sparkline);
        this.element.setAttribute("aria-label", spoken(market));
        if (market.price !== null && this.#shown !== null && market.price !== this.#shown) {
            flash(this.#price, market.price > this.#shown, FLASH);
        }
        this.#shown = market.price;
    }

    /**
     * Says under the mouse what is wrong with the price.
     *
     * @param {Market} market
     * @param {?number} quiet
     */
    #explain(market, quiet) {
        const { symbol, feedReason, isWaiting } = market;
        const feed = marketSuffix(market);
        const silence = isWaiting ? "No trades since the server started." : quiet === null ? "" : `No trades for ${formatAge(quiet)}.`;
        const sentence = feed ? `${symbol}${feed}.` : silence;
        const title = [sentence, feedReason].filter(Boolean).join(" ");
        if (this.element.title !== title) {
            this.element.title = title;
        }
    }
}

/** @param {Market} market */
function spoken(market) {
    const feed = marketSuffix(market);
    if (market.price === null) {
        return `${market.symbol}, no trades yet${feed}`;
    }
    const { day } = market;
    const [price, high, low, open] = [market.price, day.high, day.low, day.open].map((each) => formatPrice(each, market.precision));
    const quiet = market.isWaiting ? ", no trade yet" : quietSeconds(market) === null ? "" : ", no trades for a while";
    const { change, percent } = formatMove(day.change, day.changePercent, market.precision);
    return `${market.symbol}${market.name ? `, ${market.name}` : ""}, ${price}, ${change}, ${percent} ${day.since}${feed || quiet}; high ${high}, low ${low}, open ${open}`;
}
