import { byId, setText } from "../dom.js";
import { formatTime } from "../format.js";

const NAMES = {
    sim: ["Simulated market", "Prices are made up by a random walk"],
    replay: ["Recording", "Trades of a recorded session, played again"],
};

/** Says where the prices come from, where that is not a live venue, and when nothing more comes. */
export class FeedBadge {
    #badge = byId("feed");

    /**
     * @param {string} feed as `GET /v1/markets` names it.
     * @param {string} state as `GET /v1/markets` names it: `ended` when the recording is over.
     * @param {?number} lastTrade seconds since 1970 UTC.
     */
    show(feed, state, lastTrade) {
        const [name, title] = state === "ended" ? ended(lastTrade) : (NAMES[feed] ?? ["", ""]);
        this.#badge.hidden = name === "";
        this.#badge.title = title;
        setText(this.#badge, name);
    }
}

/** @param {?number} lastTrade */
function ended(lastTrade) {
    const time = lastTrade === null ? "" : ` · ${formatTime(lastTrade)}`;
    return [`Recording ended${time}`, "Every recorded trade has been played. The time is that of the last one."];
}
