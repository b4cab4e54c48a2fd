import { byId, element } from "../dom.js";
import { FeedCard } from "./feed-card.js";
import { Popover } from "../ui/popover.js";

/** Milliseconds between two looks at the figures, while they are shown. */
const PERIOD = 2000;

/** The health of the feeds, one by one: under the badge, or from below on phones. */
export class FeedsPanel {
    #store;
    #panel = byId("feeds");
    #cards = byId("feed-cards");
    /** @type {Map<string, FeedCard>} */
    #byName = new Map();
    #timer = 0;

    /** @param {import("../stream/market-store.js").MarketStore} store */
    constructor(store) {
        this.#store = store;
        for (const id of ["feed", "feeds-link"]) {
            new Popover(byId(id), this.#panel, () => this.#enter(), () => this.#leave());
        }
        store.addEventListener("list", () => this.#isOpen && this.#show());
    }

    get #isOpen() {
        return this.#timer !== 0;
    }

    #enter() {
        this.#timer ||= setInterval(() => this.#store.load(), PERIOD);
        this.#show();
        this.#store.load();
        return this.#panel;
    }

    #leave() {
        clearInterval(this.#timer);
        this.#timer = 0;
    }

    #show() {
        const { feeds, markets } = this.#store;
        for (const feed of feeds) {
            let card = this.#byName.get(feed.name);
            if (!card) {
                card = new FeedCard(feed.name);
                this.#byName.set(feed.name, card);
                this.#cards.append(card.element);
            }
            // Markets name their feed where there are several.
            card.show(feed, [...markets.values()].filter((market) => feeds.length === 1 || market.feed === feed.name));
        }
        if (feeds.length === 0) {
            this.#cards.replaceChildren(element("p", {}, "This server does not report its feeds."));
            this.#byName.clear();
        }
    }
}
