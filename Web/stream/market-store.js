import { messageOf } from "../format.js";
import { currencyDecimals } from "../money.js";
import { getJSON } from "./rest.js";

/** Milliseconds between two refreshes of the 24 h fields and the sparklines. */
const REFRESH = 60000;
/** The same for feeds that may end or be lost without a word on the stream, and for prices without a stream. */
const FREQUENT_REFRESH = 5000;
/** Milliseconds before a list that did not load is requested again, while there is none to show. */
export const LIST_RETRY = 5000;
/** The least milliseconds between a list and one that is requested because something changed. */
const MIN_PAUSE = 5000;
/** Milliseconds within which the pages request such a list, each at a moment of its own. */
const SPREAD = 2000;

/** A list with more markets is long: it is requested in changes, and shown in part. */
export const LONG_LIST = 200;

/** Feeds whose markets are chosen when the server starts. */
const FIXED = new Set(["sim", "replay", "tracker"]);

/** Decimals of a price of which nothing else is known. */
const DECIMALS = 3;
/** Of a server that does not say. */
const MAX_LEVERAGE = 100;

/** @typedef {"live" | "connecting" | "interrupted" | "refused" | "paused" | "off"} FeedState */

/**
 * @typedef {object} Feed
 * @property {string} name
 * @property {string} state `live`, `playing`, `ended`, `paused`, `off`, `connecting`, `reconnecting`, `unavailable` or `failed`.
 * @property {string} [problem] in a sentence.
 * @property {Record<string, number>} [rejected] ticks that were not accepted, by reason. Its other fields are figures.
 */

/**
 * What a price is compared with: the trading session where the venue knows one, else the last 24 hours.
 *
 * @typedef {object} Day
 * @property {string} name before “high”, “low” and “change”: `Session` or `24 h`.
 * @property {string} since at the end of a sentence about a change.
 * @property {?number} open
 * @property {?number} high
 * @property {?number} low
 * @property {?number} change
 * @property {?number} changePercent null also where the open was 0.
 */

/**
 * @typedef {object} Market
 * @property {string} symbol
 * @property {string} name a company's, for example; empty where it is not known.
 * @property {string} base
 * @property {string} quote
 * @property {string} feed the name of its feed where there are several; else empty.
 * @property {FeedState} feedState how its feed supplies it.
 * @property {string} feedReason what its venue said against it, if anything.
 * @property {boolean} isWaiting whether it is subscribed to and no trade has come since the server's start: what is known is stored.
 * @property {?number} price null until the first trade.
 * @property {?number} bid the best prices in the last list; null where the venue has none.
 * @property {?number} ask
 * @property {Day} day
 * @property {?number} volume24h in the base currency.
 * @property {number} precision decimals of a price.
 * @property {number} maxLeverage the highest of an order.
 * @property {?number} timestamp of the last trade, seconds since 1970 UTC.
 * @property {?number} quietSince when the last trade of a stale market was, `performance.now()` milliseconds; null for
 *   one that is not stale.
 * @property {number[]} sparkline closes, oldest first, the last is the price.
 */

/**
 * The markets and their 24 h figures: a list from the server, kept current by ticks.
 *
 * Events: `list` (other markets, or the loading `status` changed), `market` (detail: the symbol whose figures changed),
 * `recovered` (the server answers again).
 */
export class MarketStore extends EventTarget {
    /** @type {Map<string, Market>} in the server's order, which never changes while the page is open. */
    markets = new Map();
    /** @type {"loading" | "ready" | "failed"} */
    status = "loading";
    /** Why loading failed, for people. */
    problem = "";
    /** @type {string[]} timeframes that the server serves; empty before the first answer. */
    timeframes = [];
    /** @type {string} `sim`, `replay`, or the names of the venues. */
    feed = "";
    /** @type {Feed[]} */
    feeds = [];
    /** @type {"live" | "playing" | "ended"} a server that does not say plays on. */
    feedState = "live";
    #timer = 0;
    /** Which state of the list this is, as the server said. */
    #position = "";
    /** The newest minute of a trade that the list knows, since 1970: the 24 hours begin later with each. */
    #minute = 0;
    /** When the last list came, `performance.now()` milliseconds. */
    #loadedAt = -Infinity;
    /** Whether the next list is requested earlier than usual. */
    #isHastened = false;
    /** The page is hidden: what is loaded is loaded once. */
    #isPaused = false;
    /** @type {?Promise<void>} */
    #loading = null;
    /** Whether a stream keeps the prices current; otherwise the list is all there is. */
    #hasStream = true;
    /** Shows the growing age of stale markets; 0 while there is none. */
    #aging = 0;

    /** Loads the list, and from then on refreshes it unless paused. A second call while one is under way joins that one. */
    load() {
        this.#loading ??= this.#load().finally(() => (this.#loading = null));
        return this.#loading;
    }

    get #isLong() {
        return this.markets.size > LONG_LIST;
    }

    /** When the last trade of any market was, seconds since 1970 UTC; null before the first.
     * @returns {?number} */
    get lastTrade() {
        const times = [...this.markets.values()].flatMap((market) => market.timestamp ?? []);
        return times.length > 0 ? Math.max(...times) : null;
    }

    /** Whether a market may be removed while the server runs: it is one of a venue's.
     * @param {string} symbol */
    changes(symbol) {
        const feed = this.feeds.length > 1 ? this.markets.get(symbol)?.feed : this.feeds[0]?.name;
        return feed !== undefined && !FIXED.has(feed);
    }

    /** @param {boolean} hasStream whether prices come on a stream; without one the list is requested more often. */
    setStream(hasStream) {
        if (hasStream !== this.#hasStream) {
            this.#hasStream = hasStream;
            this.load();
        }
    }

    /** Stops refreshing while the page is hidden: also after a load that is under way. */
    pause() {
        this.#isPaused = true;
        clearTimeout(this.#timer);
    }

    /** The page is visible again: loads the list and goes on refreshing it. */
    resume() {
        this.#isPaused = false;
        return this.load();
    }

    /** Requests the list before its time: something in it changed that the stream does not report. */
    #loadSoon() {
        if (!this.#isPaused && !this.#isHastened && !this.#loading) {
            this.#isHastened = true;
            clearTimeout(this.#timer);
            const rest = this.#loadedAt + MIN_PAUSE - performance.now();
            this.#timer = setTimeout(() => this.load(), Math.max(rest, SPREAD * (0.5 + Math.random() / 2)));
        }
    }

    async #load() {
        clearTimeout(this.#timer);
        this.#isHastened = false;
        const hadProblem = this.problem !== "";
        try {
            const known = this.#isLong ? `?since=${encodeURIComponent(this.#position)}` : "";
            this.#replace(/** @type {ListAnswer} */ (await getJSON(`/v1/markets${known}`)));
            this.status = "ready";
            this.problem = "";
        } catch (error) {
            this.problem = messageOf(error);
            // An old list is better than none: only a page that has nothing to show becomes an error page.
            this.status = this.markets.size > 0 ? "ready" : "failed";
        }
        this.#loadedAt = performance.now();
        if (!this.#isPaused) {
            // Of a long list only what is seen has streams.
            const isFrequent = this.feed !== "sim" || !this.#hasStream || this.#isLong;
            const pause = this.status === "failed" ? LIST_RETRY : isFrequent ? FREQUENT_REFRESH : REFRESH;
            this.#timer = setTimeout(() => this.load(), pause);
        }
        this.dispatchEvent(new Event("list"));
        if (hadProblem && this.problem === "") {
            this.dispatchEvent(new Event("recovered"));
        }
    }

    /**
     * A trade: raises the high, lowers the low, and recalculates the change.
     *
     * @param {string} symbol
     * @param {number} price
     * @param {number} timestamp
     */
    trade(symbol, price, timestamp) {
        const market = this.markets.get(symbol);
        if (!market) {
            return;
        }
        market.timestamp = timestamp;
        this.#minute < Math.floor(timestamp / 60) && this.#loadSoon();
        this.#setQuietSince(symbol, null);
        if (market.isWaiting) {
            market.isWaiting = false;
            this.dispatchEvent(new CustomEvent("market", { detail: symbol }));
        }
        this.price(symbol, price);
    }

    /**
     * The market's price, known from its candles.
     *
     * @param {string} symbol
     * @param {number} price
     */
    price(symbol, price) {
        const market = this.markets.get(symbol);
        if (market && market.price !== price) {
            applyPrice(market, price);
            this.dispatchEvent(new CustomEvent("market", { detail: symbol }));
        }
    }

    /**
     * No trades of `symbol` arrive.
     *
     * @param {string} symbol
     * @param {number} age seconds since the last trade.
     */
    stale(symbol, age) {
        // Its feed may be switched off.
        this.markets.get(symbol)?.quietSince === null && this.#loadSoon();
        this.#setQuietSince(symbol, performance.now() - age * 1000);
        this.#aging ||= setInterval(() => this.#age(), 1000);
    }

    /** Trades of `symbol` arrive again.
     * @param {string} symbol */
    fresh(symbol) {
        this.#setQuietSince(symbol, null);
    }

    /**
     * @param {string} symbol
     * @param {?number} quietSince
     */
    #setQuietSince(symbol, quietSince) {
        const market = this.markets.get(symbol);
        if (market && market.quietSince !== quietSince) {
            market.quietSince = quietSince;
            this.dispatchEvent(new CustomEvent("market", { detail: symbol }));
        }
    }

    #age() {
        const stale = [...this.markets.values()].filter((market) => market.quietSince !== null);
        stale.forEach(({ symbol }) => this.dispatchEvent(new CustomEvent("market", { detail: symbol })));
        if (stale.length === 0) {
            clearInterval(this.#aging);
            this.#aging = 0;
        }
    }

    /** @param {ListAnswer} answer */
    #replace(answer) {
        const before = this.markets;
        const came = new Map(answer.markets.map((each) => [each.symbol, marketOf(each)]));
        this.markets = answer.changed_only ? new Map([...before, ...came]) : came;
        this.#position = answer.position ?? "";
        answer.markets.forEach(({ quote = "", quote_decimals: decimals }) => decimals !== undefined && currencyDecimals.set(quote, decimals));
        for (const [symbol, market] of came) {
            const known = before.get(symbol);
            market.quietSince = known?.quietSince ?? null;
            // The answer was written before the ticks that overtook it on the socket.
            if (known?.price != null && (known.timestamp ?? 0) > (market.timestamp ?? 0)) {
                market.timestamp = known.timestamp;
                applyPrice(market, known.price);
            }
        }
        this.#minute = Math.floor((this.lastTrade ?? 0) / 60);
        this.timeframes = answer.timeframes ?? [];
        this.feed = answer.feed ?? "";
        this.feedState = answer.feed_state ?? "live";
        this.feeds = answer.feeds ?? [];
    }
}

/**
 * How long a stale market has had no trade.
 *
 * @param {Market} market
 * @returns {?number} seconds, null for a market that is not stale, and for one whose last trade is unknown.
 */
export function quietSeconds({ quietSince, isWaiting }) {
    return quietSince === null || isWaiting ? null : (performance.now() - quietSince) / 1000;
}

/**
 * @param {Market} market
 * @param {number} price
 */
function applyPrice(market, price) {
    market.price = price;
    const { day } = market;
    day.open ??= price;
    day.high = day.high === null ? price : Math.max(day.high, price);
    day.low = day.low === null ? price : Math.min(day.low, price);
    day.change = price - day.open;
    day.changePercent = day.open === 0 ? null : (day.change / day.open) * 100;
    if (market.sparkline.length > 0) {
        market.sparkline[market.sparkline.length - 1] = price;
    } else {
        market.sparkline = [price];
    }
}

/**
 * A market as the server lists it.
 *
 * @typedef {{symbol: string, name?: string, base?: string, quote?: string, quote_decimals?: number, feed?: string, feed_state?: Market["feedState"], feed_reason?: string,
 *   waiting?: boolean, price?: number, bid?: number, ask?: number, open_24h?: number, change_24h?: number,
 *   change_percent_24h?: number, high_24h?: number, low_24h?: number, volume_24h?: number, precision?: number,
 *   timestamp?: number, sparkline?: number[], session?: SessionEntry, max_leverage?: number}} Entry
 *
 * @typedef {{date: string, open: number, high: number, low: number, change: number, change_percent: number}} SessionEntry
 */

/**
 * The answer of `GET /v1/markets`.
 *
 * @typedef {{markets: Entry[], position?: string, changed_only?: boolean, timeframes?: string[], feed?: string, feed_state?: MarketStore["feedState"], feeds?: Feed[]}} ListAnswer
 */

/** @param {Entry} entry @returns {Day} */
function dayOf({ session, ...entry }) {
    if (session) {
        const { open, high, low, change, change_percent: changePercent } = session;
        return { name: "Session", since: "since the session’s open", open, high, low, change, changePercent };
    }
    return {
        name: "24 h",
        since: "in 24 hours",
        open: entry.open_24h ?? null,
        high: entry.high_24h ?? null,
        low: entry.low_24h ?? null,
        change: entry.change_24h ?? null,
        changePercent: entry.change_percent_24h ?? null,
    };
}

/** @param {Entry} entry @returns {Market} */
function marketOf(entry) {
    return {
        symbol: entry.symbol,
        name: entry.name ?? "",
        base: entry.base ?? entry.symbol,
        quote: entry.quote ?? "",
        feed: entry.feed ?? "",
        feedState: entry.feed_state ?? "live",
        feedReason: entry.feed_reason ?? "",
        isWaiting: entry.waiting === true,
        price: entry.price ?? null,
        bid: entry.bid ?? null,
        ask: entry.ask ?? null,
        day: dayOf(entry),
        volume24h: entry.volume_24h ?? null,
        precision: entry.precision ?? DECIMALS,
        maxLeverage: entry.max_leverage ?? MAX_LEVERAGE,
        timestamp: entry.timestamp ?? null,
        quietSince: null,
        sparkline: (entry.sparkline ?? []).slice(),
    };
}
