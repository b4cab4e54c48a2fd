import { element, prefersReducedMotion, setText } from "../dom.js";
import { ARROWS, direction, formatAge, formatPercent, formatPrice } from "../format.js";
import { quietSeconds } from "../stream/market-store.js";
import { Sparkline } from "./sparkline.js";

/** Milliseconds of the flash on a changed price. */
const FLASH = 600;

/** What a row says of its feed, where that is not simply there. */
const FEED_WORDS = { live: "", connecting: "connecting", interrupted: "no feed", refused: "refused", paused: "paused" };
const FEED_SENTENCES = {
    live: "",
    connecting: ", its feed is being connected",
    interrupted: ", its feed is interrupted",
    refused: ", its venue refuses it",
    paused: ", paused",
};

/** @typedef {import("../stream/market-store.js").Market} Market */

/** One market of the list: name, sparkline, price, 24 h change, and how long a stale one has had no trade. */
export class MarketRow {
    #price = element("span", { class: "row-price" });
    #change = element("span", { class: "row-change" });
    #stale = element("span", { class: "row-stale" });
    #sparkline = new Sparkline();
    /** @type {?Animation} */
    #flash = null;
    /** @type {?number} */
    #shown = null;
    element;

    /** @param {Market} market */
    constructor(market) {
        this.symbol = market.symbol;
        const quote = market.quote && market.base !== market.symbol ? `/${market.quote}` : "";
        this.element = element(
            "li",
            { role: "option", class: "row", id: `market-${market.symbol}`, "aria-selected": "false" },
            element(
                "span",
                { class: "row-name" },
                element("span", { class: "row-base" }, market.base),
                element("span", { class: "row-quote" }, quote),
                element("span", { class: "row-feed" }, market.feed),
                this.#stale,
            ),
            this.#sparkline.element,
            element("span", { class: "row-figures" }, this.#price, this.#change),
        );
        this.element.dataset.symbol = market.symbol;
        this.show(market);
    }

    /** @param {Market} market */
    show(market) {
        const way = direction(market.change24h, market.changePercent24h);
        this.element.dataset.direction = way;
        setText(this.#price, formatPrice(market.price, market.precision));
        setText(this.#change, `${ARROWS[way]} ${formatPercent(market.changePercent24h)}`);
        const quiet = quietSeconds(market);
        this.element.toggleAttribute("data-stale", quiet !== null);
        this.element.dataset.feed = market.feedState;
        this.element.title = market.feedReason;
        setText(this.#stale, FEED_WORDS[market.feedState] || (quiet === null ? "" : `${formatAge(quiet)} old`));
        this.#sparkline.show(market.sparkline);
        this.element.setAttribute("aria-label", spoken(market));
        if (market.price !== null && this.#shown !== null && market.price !== this.#shown) {
            this.#flashPrice(market.price > this.#shown);
        }
        this.#shown = market.price;
    }

    /** @param {boolean} isUp */
    #flashPrice(isUp) {
        if (prefersReducedMotion()) {
            return;
        }
        this.#flash?.cancel();
        // A tint behind the number and not its colour: that one means the day's direction.
        const tint = `var(${isUp ? "--up-tint" : "--down-tint"})`;
        this.#flash = this.#price.animate([{ backgroundColor: tint }, { backgroundColor: "transparent" }], FLASH);
    }
}

/** @param {Market} market */
function spoken(market) {
    const feed = FEED_SENTENCES[market.feedState] ?? "";
    if (market.price === null) {
        return `${market.symbol}, no trades yet${feed}`;
    }
    const price = formatPrice(market.price, market.precision);
    const quiet = quietSeconds(market) === null ? "" : ", no trades for a while";
    return `${market.symbol}, ${price}, ${formatPercent(market.changePercent24h)} in 24 hours${feed || quiet}`;
}
