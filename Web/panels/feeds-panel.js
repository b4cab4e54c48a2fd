import { byId, element } from "../dom.js";
import { FeedCard } from "./feed-card.js";
import { FeedDetails } from "./feed-details.js";
import { Popover } from "../ui/popover.js";

/** Milliseconds between two looks at the figures, while they are shown. */
const PERIOD = 2000;

/** Shows the health of the feeds, one by one: under the badge, or from below on phones.
 * @param {import("../stream/market-store.js").MarketStore} store */
export function showFeeds(store) {
    const list = byId("feed-cards");
    /** @type {Map<string, FeedCard>} */
    const cards = new Map();
    const details = new FeedDetails(store);
    let timer = 0;
    const show = () => {
        const { feeds, markets } = store;
        for (const feed of feeds) {
            const card = cards.get(feed.name) ?? new FeedCard(feed.name);
            if (!cards.has(feed.name)) {
                cards.set(feed.name, card);
                list.append(card.element);
            }
            // Markets name their feed where there are several.
            card.show(feed, [...markets.values()].filter((market) => feeds.length === 1 || market.feed === feed.name));
        }
        if (feeds.length === 0) {
            list.replaceChildren(element("p", {}, "This server does not report its feeds."));
            cards.clear();
        }
        details.load((name) => cards.get(name)?.element ?? null);
    };
    const enter = () => {
        timer ||= setInterval(() => store.load(), PERIOD);
        show();
        store.load();
        return byId("feeds");
    };
    const leave = () => {
        clearInterval(timer);
        timer = 0;
    };
    for (const id of ["feed", "feeds-link"]) {
        new Popover(byId(id), byId("feeds"), enter, leave);
    }
    store.addEventListener("list", () => timer !== 0 && show());
}
