import { byId, copyOf, part } from "../dom.js";
import { ARROWS, direction, formatMove, formatPrice, formatVolume, shortTime } from "../format.js";
import { showList } from "../ui/keyed-list.js";
import { Sparkline } from "../ui/sparkline.js";
import { showCards } from "./stat-cards.js";

/** Trades that are kept. */
const LIMIT = 60;

/**
 * The chosen market in detail: its ticker, and its trades as they come. The feed has trades and no order book, so there
 * is none here.
 */
export class MarketView {
    id = "market";
    #parts;
    #sparkline = new Sparkline();
    /** @type {{id: number, timestamp: number, price: number, volume: number, way: "up" | "down" | "flat"}[]} newest first. */
    #tape = [];
    #symbol = "";
    #count = 0;

    /** @param {import("./trading.js").Parts} parts @param {import("../stream/session.js").Session} session @param {() => void} onChange */
    constructor(parts, session, onChange) {
        this.#parts = parts;
        byId("ticker").append(this.#sparkline.element);
        session.addListener((stream, event) => {
            if (event.kind === "tick" && stream.symbol === parts.symbol()) {
                this.#addTrade(stream.symbol, event);
                onChange();
            }
        });
    }

    show() {
        const { markets, precision } = this.#parts;
        const symbol = this.#parts.symbol();
        const market = markets.markets.get(symbol);
        if (symbol !== this.#symbol) {
            this.#begin(symbol);
        }
        const decimals = precision(symbol);
        const price = (/** @type {?number} */ value) => formatPrice(value, decimals);
        const day = market?.day;
        const { way, change, percent } = formatMove(day?.change ?? null, day?.changePercent ?? null, decimals);
        const quoted = market?.bid != null || market?.ask != null;
        showCards(byId("ticker-cards"), [
            ["Last price", price(market?.price ?? null)],
            [`${day?.name ?? "24 h"} change`, `${market ? `${ARROWS[way]} ` : ""}${change} (${percent})`, way],
            [`${day?.name ?? "24 h"} high`, price(day?.high ?? null)],
            [`${day?.name ?? "24 h"} low`, price(day?.low ?? null)],
            ["24 h volume", `${formatVolume(market?.volume24h ?? null)} ${market?.base ?? ""}`],
            ["Last trade", market?.timestamp ? `${shortTime(market.timestamp)} UTC` : "–"],
            ...(quoted ? [["Bid / ask", `${price(market?.bid ?? null)} / ${price(market?.ask ?? null)}`]] : []),
        ]);
        this.#sparkline.show(market?.sparkline ?? []);
        byId("tape-empty").hidden = this.#tape.length > 0;
        showList(byId("trade-tape"), this.#tape, ({ id }) => String(id), (trade) => rowOf(trade, decimals), () => {});
    }

    /** @param {string} symbol @param {Extract<import("../engine/session-machine.js").StreamEvent, {kind: "tick"}>} tick */
    #addTrade(symbol, { timestamp, price, volume }) {
        if (symbol !== this.#symbol) {
            this.#begin(symbol);
        }
        const before = this.#tape[0]?.price ?? price;
        const way = direction(price - before);
        this.#count += 1;
        this.#tape = [{ id: this.#count, timestamp, price, volume, way }, ...this.#tape].slice(0, LIMIT);
    }

    /** @param {string} symbol */
    #begin(symbol) {
        this.#symbol = symbol;
        this.#tape = [];
    }
}

/** @param {{timestamp: number, price: number, volume: number, way: "up" | "down" | "flat"}} trade @param {number} decimals */
function rowOf({ timestamp, price, volume, way }, decimals) {
    const row = copyOf("trade-row");
    row.dataset.direction = way;
    part(row, ".tape-price").append(`${ARROWS[way]} ${formatPrice(price, decimals)}`);
    part(row, ".tape-volume").append(formatVolume(volume));
    part(row, "time").append(shortTime(timestamp));
    return row;
}
