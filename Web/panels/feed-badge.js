import { byId, setText } from "../dom.js";
import { formatTime } from "../format.js";

const NAMES = {
    sim: ["Simulated market", "Prices are made up by a random walk"],
    tracker: ["Price tracker", "Random prices, sent to an echo server and back"],
    replay: ["Recording", "Trades of a recorded session, played again"],
};

/** What a venue's connection is called while it does not bring trades. */
const STATES = {
    connecting: "connecting",
    reconnecting: "reconnecting",
    unavailable: "in maintenance",
    failed: "failed",
};

/** Says where the prices come from, where that is not a live venue, and what is wrong with one. */
export class FeedBadge {
    #badge = byId("feed");

    /**
     * @param {string} feed as `GET /v1/markets` names it.
     * @param {string} state as `GET /v1/markets` names it: `ended` when the recording is over.
     * @param {?number} lastTrade seconds since 1970 UTC.
     * @param {import("../stream/market-store.js").Feed[]} feeds one by one.
     */
    show(feed, state, lastTrade, feeds) {
        const [name, title] = state === "ended" ? ended(lastTrade) : (NAMES[feed] ?? troubled(feeds));
        this.#badge.hidden = name === "";
        this.#badge.title = title;
        setText(this.#badge, name);
    }
}

/**
 * The feeds that do not bring trades, and why.
 * @param {import("../stream/market-store.js").Feed[]} feeds
 * @returns {[string, string]}
 */
function troubled(feeds) {
    const lost = feeds.filter(({ state }) => state in STATES);
    return [
        lost.map(({ name, state }) => `${name}: ${STATES[state]}`).join(", "),
        lost.map(({ problem }) => problem ?? "").filter((problem) => problem !== "").join("\n"),
    ];
}

/** @param {?number} lastTrade */
function ended(lastTrade) {
    const time = lastTrade === null ? "" : ` · ${formatTime(lastTrade)}`;
    return [`Recording ended${time}`, "Every recorded trade has been played. The time is that of the last one."];
}
