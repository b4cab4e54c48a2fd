/** @typedef {import("../stream/market-store.js").Feed} Feed */
/** @typedef {import("../stream/market-store.js").Market} Market */

/** @type {Record<string, [word: string, ofMarket?: string]>} What the state of a feed, or that of a market's, is called; and
 * what follows a market's name in that state. */
const STATES = {
    live: ["live"],
    playing: ["playing"],
    ended: ["ended"],
    paused: ["paused", ", paused"],
    off: ["switched off", ", its feed is switched off"],
    connecting: ["connecting", ", feed connecting"],
    reconnecting: ["reconnecting"],
    unavailable: ["in maintenance"],
    failed: ["failed"],
    interrupted: ["no feed", ", feed interrupted"],
    refused: ["refused", ", refused by its venue"],
};

/** States in which a feed should bring trades and does not. */
const LOST = new Set(["connecting", "reconnecting", "unavailable", "failed"]);

/** @param {Feed} feed */
export const isLost = ({ state }) => LOST.has(state);

/** @param {string} state of a feed. */
export const stateWord = (state) => STATES[state]?.[0] ?? state;

/** Why a market has no trades, in a word: "" where its feed is there.
 * @param {Market} market */
export const marketWord = ({ feedState }) => (feedState === "live" ? "" : stateWord(feedState));

/** The same behind the market's name, as the end of a sentence.
 * @param {Market} market */
export const marketSuffix = ({ feedState }) => STATES[feedState]?.[1] ?? "";

/** @type {Record<string, string>} What the figures of a feed are called; others by their names. */
const FIGURES = {
    messages: "Messages",
    trades: "Trades",
    malformed: "Malformed",
    outages: "Outages",
    reconnects: "Reconnects",
    reconnect_attempts: "Reconnect attempts",
    missing: "Missing trades",
    duplicates: "Duplicates",
    connections: "Connections",
    joined_bars: "Candles fetched",
    history_failures: "Failed candle requests",
};
/** Said even where they are 0: that nothing was lost is news, too. */
const ALWAYS = new Set(["messages", "trades", "malformed", "reconnects", "outages", "written", "received"]);
/** Said as the feed's state or of its ticks. */
const NOT_FIGURES = new Set(["name", "state", "problem", "rejected"]);

/**
 * What a feed has counted since the server began.
 *
 * @param {Feed} feed
 * @returns {{name: string, label: string, value: number}[]}
 */
export function figuresOf(feed) {
    const rejected = Object.entries(feed.rejected ?? {}).map(([name, value]) => [`rejected ${name}`, value]);
    const all = /** @type {[string, unknown][]} */ ([...Object.entries(feed), ...rejected]);
    return all
        .flatMap(([name, value]) => (NOT_FIGURES.has(name) || typeof value !== "number" ? [] : [{ name, value }]))
        .map(({ name, value }) => ({ name, label: FIGURES[name] ?? sentence(name), value }))
        .filter(({ name, value }) => value > 0 || ALWAYS.has(name));
}

/** `bad_value` is “Bad value”.
 * @param {string} name */
function sentence(name) {
    const words = name.replaceAll("_", " ");
    return words[0].toUpperCase() + words.slice(1);
}

/** @type {[string, string, (market: Market) => boolean][]} Kinds of markets by how they do, the worst first. */
const KINDS = [
    ["refused", "refused", ({ feedState }) => feedState === "refused"],
    ["interrupted", "without a feed", ({ feedState }) => feedState === "interrupted"],
    ["connecting", "connecting", ({ feedState }) => feedState === "connecting"],
    ["off", "switched off", ({ feedState }) => feedState === "off"],
    ["paused", "paused", ({ feedState }) => feedState === "paused"],
    ["waiting", "waiting for a first trade", ({ isWaiting }) => isWaiting],
    ["stale", "quiet", ({ quietSince }) => quietSince !== null],
    ["live", "live", () => true],
];

/**
 * How the markets of a feed do.
 *
 * @param {Iterable<Market>} markets
 * @returns {{kind: string, word: string, markets: Market[]}[]} those kinds that there are, the best first.
 */
export function kindsOf(markets) {
    const all = KINDS.map(([kind, word]) => ({ kind, word, markets: /** @type {Market[]} */ ([]) }));
    for (const market of markets) {
        all[KINDS.findIndex(([, , is]) => is(market))].markets.push(market);
    }
    return all.filter(({ markets: found }) => found.length > 0).reverse();
}

/**
 * Why a market has no trades, as far as its feed is to blame.
 *
 * @param {?Market} market
 * @param {Feed[]} feeds
 * @returns {string} empty where it is not.
 */
export function whyEmpty(market, feeds) {
    const feed = feeds.find(({ name }) => feeds.length === 1 || name === market?.feed);
    const problem = feed?.problem ? ` ${feed.problem.replace(/\.$/, "")}.` : "";
    switch (market?.feedState) {
        case "refused":
            return `The venue refuses this market.${market.feedReason ? ` ${market.feedReason}.` : ""}`;
        case "connecting":
        case "interrupted":
            return `The venue is not connected. Candlewire keeps trying.${problem}`;
        case "off":
            return "Its feed is switched off. “Feeds” switches it on again.";
        case "paused":
            return "No one was watching this market, so it was not subscribed. It is being subscribed now.";
        default:
            return "";
    }
}
