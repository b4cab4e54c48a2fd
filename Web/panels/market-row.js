import { element, prefersReducedMotion, setText } from "../dom.js";
import { ARROWS, formatAge, formatMove, formatPrice } from "../format.js";
import { quietSeconds } from "../stream/market-store.js";
import { Sparkline } from "../ui/sparkline.js";

/** Milliseconds of the flash on a changed price. */
const FLASH = 600;

/** What a row says of its feed, where that is not simply there. */
const FEED_WORDS = { live: "", connecting: "connecting", interrupted: "no feed", refused: "refused", paused: "paused" };
const FEED_SENTENCES = {
    live: "",
    connecting: ", its feed is connecting",
    interrupted: ", its feed is interrupted",
    refused: ", its venue refuses it",
    paused: ", paused",
};

/** @typedef {import("../stream/market-store.js").Market} Market */

/**
 * One market of the list: name, sparkline, price, its change since the day's open, and that day's high, low and open;
 * and how long a stale one has had no trade. The day is the last 24 hours.
 */
export class MarketRow {
    #price = element("span", { class: "row-price" });
    #move = element("span", { class: "row-move" });
    #change = element("span", { class: "row-change" });
    #high = element("span", {});
    #low = element("span", {});
    #open = element("span", {});
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
            element(
                "span",
                { class: "row-figures" },
                this.#price,
                element("span", { class: "row-changes" }, this.#move, this.#change),
            ),
            element("span", { class: "row-day" }, this.#high, this.#low, this.#open),
            // For the mouse. A list box has no room for buttons: keys have Delete, and the rest has the page's editor.
            element("span", { class: "row-remove", "aria-hidden": "true", title: "Remove from this page (Del)" }, "×"),
        );
        this.element.dataset.symbol = market.symbol;
        this.show(market);
    }

    /** @param {Market} market */
    show(market) {
        const { way, change, percent } = formatMove(market.change24h, market.changePercent24h, market.precision);
        this.element.dataset.direction = way;
        setText(this.#price, formatPrice(market.price, market.precision));
        const { precision } = market;
        setText(this.#move, change);
        setText(this.#change, `${ARROWS[way]} ${percent}`);
        setText(this.#high, `h: ${formatPrice(market.high24h, precision)}`);
        setText(this.#low, `l: ${formatPrice(market.low24h, precision)}`);
        setText(this.#open, `o: ${formatPrice(market.open24h, precision)}`);
        const quiet = quietSeconds(market);
        this.element.toggleAttribute("data-stale", quiet !== null || market.isWaiting);
        this.element.dataset.feed = market.feedState;
        const age = market.isWaiting ? "no trade yet" : quiet === null ? "" : `${formatAge(quiet)} old`;
        setText(this.#stale, FEED_WORDS[market.feedState] || age);
        this.#explain(market, quiet);
        this.#sparkline.show(market.sparkline);
        this.element.setAttribute("aria-label", spoken(market));
        if (market.price !== null && this.#shown !== null && market.price !== this.#shown) {
            this.#flashPrice(market.price > this.#shown);
        }
        this.#shown = market.price;
    }

    /**
     * Says under the mouse what is wrong with the price.
     *
     * @param {Market} market
     * @param {?number} quiet
     */
    #explain({ symbol, feedState, feedReason, isWaiting }, quiet) {
        const feed = FEED_SENTENCES[feedState] ?? "";
        const silence = isWaiting ? "No trade since the server's start." : quiet === null ? "" : `No trades for ${formatAge(quiet)}.`;
        const sentence = feed ? `${symbol}${feed}.` : silence;
        const title = [sentence, feedReason].filter(Boolean).join(" ");
        if (this.element.title !== title) {
            this.element.title = title;
        }
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
    const [price, high, low, open] = [market.price, market.high24h, market.low24h, market.open24h].map((each) =>
        formatPrice(each, market.precision),
    );
    const quiet = market.isWaiting ? ", no trade yet" : quietSeconds(market) === null ? "" : ", no trades for a while";
    const { change, percent } = formatMove(market.change24h, market.changePercent24h, market.precision);
    return `${market.symbol}, ${price}, ${change}, ${percent} in 24 hours${feed || quiet}; high ${high}, low ${low}, open ${open}`;
}
