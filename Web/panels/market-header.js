import { byId, detailOf, setText } from "../dom.js";
import { ARROWS, formatAge, formatMove, formatPrice, formatVolume } from "../format.js";
import { quietSeconds } from "../stream/market-store.js";

/** @typedef {import("../stream/market-store.js").Market} Market */

/** The chosen market above the chart: price, the day's change and range, and the same price in the tab's title. */
export class MarketHeader {
    /** @param {Pick<PageParts, "store" | "chart" | "frames">} page */
    constructor({ store, chart, frames }) {
        const show = () => chart.selection && this.#show(chart.selection.symbol, store.markets.get(chart.selection.symbol));
        const isShown = (/** @type {Event} */ event) => detailOf(event) === chart.selection?.symbol;
        chart.addEventListener("selected", show);
        store.addEventListener("list", show);
        store.addEventListener("market", (event) => isShown(event) && frames.mark(show));
    }

    /** @param {string} symbol @param {Market | undefined} market nothing while the list is loading. */
    #show(symbol, market) {
        setText(byId("header-symbol"), symbol);
        document.title = market?.price == null ? `${symbol} · Candlewire` : titleOf(market);
        if (!market) {
            return;
        }
        byId("market-header").dataset.known = market.price === null ? "name" : "price";
        const { precision, day } = market;
        const { way, change, percent } = formatMove(day.change, day.changePercent, precision);
        const shown = byId("header-change");
        shown.dataset.direction = way;
        setText(byId("header-price"), formatPrice(market.price, precision));
        setText(shown, `${ARROWS[way]} ${change} (${percent})`);
        setText(byId("header-day"), day.name);
        setText(byId("header-high-name"), `${day.name} high`);
        setText(byId("header-low-name"), `${day.name} low`);
        setText(byId("header-high"), formatPrice(day.high, precision));
        setText(byId("header-low"), formatPrice(day.low, precision));
        setText(byId("header-volume"), market.volume24h ? `${formatVolume(market.volume24h)} ${market.base}` : "–");
        byId("header-range").style.setProperty("--at", String(placeInRange(market)));
        const quiet = quietSeconds(market);
        const silence = market.isWaiting ? "No trade yet" : quiet === null ? "" : `No trades for ${formatAge(quiet)}`;
        const stale = byId("header-stale");
        stale.hidden = silence === "";
        setText(stale, silence);
    }
}

/** Where the price lies between the day's low and high, 0 to 1.
 * @param {Market} market */
function placeInRange({ price, day: { high, low } }) {
    if (price === null || high === null || low === null || high === low) {
        return 0.5;
    }
    return (price - low) / (high - low);
}

/** @param {Market} market */
function titleOf({ symbol, price, precision, day }) {
    const arrow = ARROWS[formatMove(day.change, day.changePercent, precision).way];
    return `${formatPrice(price, precision)} ${arrow} ${symbol} · Candlewire`;
}
