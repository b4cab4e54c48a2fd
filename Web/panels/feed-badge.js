import { byId, setText } from "../dom.js";
import { formatTime } from "../format.js";
import { isLost, stateWord } from "./feed-words.js";

/** @type {Record<string, [string, string]>} */
const NAMES = {
    sim: ["Simulated market", "Prices follow a random walk"],
    tracker: ["Price tracker", "Random prices, echoed by a server"],
    replay: ["Recording", "Trades of a recorded session, replayed"],
};
/** Feeds that are named one by one. */
const LIMIT = 3;

/**
 * Says where the prices come from, and what is wrong with one of the feeds. It is the button of their figures.
 *
 * @typedef {import("../stream/market-store.js").MarketStore} MarketStore
 */
export class FeedBadge {
    #badge = byId("feed");
    /** Where there is no room for the badge. */
    #link = byId("feeds-link");
    /** Announces that a feed is lost, and that it is back. */
    #say;
    #feedState;
    /** @type {?Set<string>} Those that were lost when they were last looked at. */
    #lost = null;

    /** @param {MarketStore} store @param {(sentence: string) => void} say */
    constructor(store, say) {
        this.#say = say;
        this.#feedState = store.feedState;
        store.addEventListener("list", () => this.#show(store));
    }

    /** @param {MarketStore} store */
    #show(store) {
        const { text, title, state } = described(store);
        this.#badge.hidden = this.#link.hidden = text === "";
        this.#badge.title = this.#link.title = title;
        this.#badge.dataset.state = this.#link.dataset.state = state;
        setText(byId("feed-name"), text);
        this.#link.setAttribute("aria-label", state === "lost" ? `Feeds: ${text}` : "Feeds");
        this.#announceChange(store);
    }

    /** @param {MarketStore} store */
    #announceChange({ feeds, status, feedState }) {
        if (feedState === "ended" && this.#feedState !== "ended") {
            this.#say("The recording has ended. Prices no longer change.");
        }
        this.#feedState = feedState;
        if (status !== "ready") {
            return;
        }
        const lost = new Set(feeds.filter(isLost).map(({ name }) => name));
        for (const { name, state } of feeds) {
            const isNew = this.#lost !== null && lost.has(name) !== this.#lost.has(name);
            isNew && this.#say(lost.has(name) ? `The feed ${name} is ${stateWord(state)}.` : `The feed ${name} is live again.`);
        }
        this.#lost = lost;
    }
}

/** @param {MarketStore} store @returns {{text: string, title: string, state: "fine" | "lost" | "ended"}} */
function described({ feed, feedState, feeds, lastTrade, markets }) {
    if (feedState === "ended") {
        const time = lastTrade === null ? "" : ` · ${formatTime(lastTrade)}`;
        const title = "Every recorded trade has been replayed. The time is that of the last trade.";
        return { text: `Recording ended${time}`, title, state: "ended" };
    }
    if (NAMES[feed]) {
        const [text, title] = NAMES[feed];
        return { text, title, state: "fine" };
    }
    const lost = feeds.filter(isLost);
    const refused = [...markets.values()].filter((market) => market.feedState === "refused");
    const problems = lost.map(({ name, state }) => `${name}: ${stateWord(state)}`);
    if (refused.length > 0) {
        problems.push(refused.length === 1 ? `${refused[0].symbol} refused` : `${refused.length} markets refused`);
    }
    if (problems.length > 0) {
        const reasons = [...lost.map(({ problem }) => problem), ...refused.map(({ feedReason }) => feedReason)];
        return { text: problems.join(", "), title: reasons.filter(Boolean).join("\n"), state: "lost" };
    }
    const text = feeds.length <= LIMIT ? feeds.map(({ name }) => name).join(", ") : `${feeds.length} feeds`;
    return { text, title: "Feed status", state: "fine" };
}
