import { byId, setText } from "../dom.js";

const NAMES = {
    sim: ["Simulated market", "Prices are made up by a random walk"],
    replay: ["Recording", "Trades of a recorded session, played again"],
};

/** Says where the prices come from, where that is not a live venue. */
export class FeedBadge {
    #badge = byId("feed");

    /** @param {string} feed as `GET /v1/markets` names it. */
    show(feed) {
        const [name, title] = NAMES[feed] ?? ["", ""];
        this.#badge.hidden = name === "";
        this.#badge.title = title;
        setText(this.#badge, name);
    }
}
