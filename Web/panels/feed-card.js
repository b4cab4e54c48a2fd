import { element, setText } from "../dom.js";
import { formatAge } from "../format.js";
import { quietSeconds } from "../stream/market-store.js";
import { figuresOf, isLost, kindsOf, stateWord } from "./feed-words.js";

/** Markets of a kind that are named one by one. */
const MOST = 8;

let number = 0;

/** One feed: its state, how its markets do, and what it has counted. */
export class FeedCard {
    #state = element("span", { class: "feed-state" });
    #problem = element("p", { class: "feed-problem" });
    #markets = element("p", { class: "feed-markets" });
    #troubles = element("ul", { class: "feed-troubles" });
    #figures = element("dl", { class: "feed-figures" });
    /** @type {Map<string, HTMLElement>} */
    #values = new Map();
    element;

    /** @param {string} name */
    constructor(name) {
        number += 1;
        const id = `feed-${number}`;
        const title = element("h4", { id }, name);
        this.element = element(
            "section",
            { class: "feed-card", "aria-labelledby": id },
            element("div", { class: "feed-head" }, title, this.#state),
            this.#problem,
            this.#markets,
            this.#troubles,
            this.#figures,
        );
    }

    /**
     * Shows what it is now; what did not change is not touched, so that one may read while it counts.
     *
     * @param {import("../stream/market-store.js").Feed} feed
     * @param {import("../stream/market-store.js").Market[]} markets
     */
    show(feed, markets) {
        this.element.dataset.state = isLost(feed) ? "lost" : feed.state;
        setText(this.#state, stateWord(feed.state));
        setText(this.#problem, feed.problem ?? "");
        this.#problem.hidden = !feed.problem;
        const kinds = kindsOf(markets);
        const counts = kinds.map(({ word, markets: found }) => `${kinds.length > 1 ? `${found.length} ` : ""}${word}`);
        const all = markets.length === 1 ? "1 market" : `${markets.length} markets`;
        setText(this.#markets, counts.length > 0 ? `${all}: ${counts.join(" · ")}` : all);
        // Of a feed that is lost all markets are; that is said already.
        this.#showTroubles(kinds.filter(({ kind }) => kind !== "live" && !(isLost(feed) && kind !== "refused")));
        this.#showFigures(figuresOf(feed));
    }

    /** @param {ReturnType<typeof kindsOf>} kinds */
    #showTroubles(kinds) {
        const lines = kinds.flatMap(({ word, markets }) => {
            const named = markets.slice(0, MOST).map((market) => troubled(market, word));
            return markets.length > MOST ? [...named, `And ${markets.length - MOST} more ${word}`] : named;
        });
        const old = [...this.#troubles.children];
        lines.forEach((line, at) => (old[at] ? setText(old[at], line) : this.#troubles.append(element("li", {}, line))));
        old.slice(lines.length).forEach((each) => each.remove());
        this.#troubles.hidden = lines.length === 0;
    }

    /** @param {ReturnType<typeof figuresOf>} figures */
    #showFigures(figures) {
        // What a server counted that began anew meanwhile.
        const named = new Set(figures.map(({ name }) => name));
        for (const [name, value] of this.#values) {
            if (!named.has(name)) {
                value.parentElement?.remove();
                this.#values.delete(name);
            }
        }
        for (const { name, label, value } of figures) {
            const shown = this.#values.get(name) ?? this.#newFigure(name, label);
            setText(shown, value.toLocaleString("en-US"));
        }
    }

    /** @param {string} name @param {string} label */
    #newFigure(name, label) {
        const value = element("dd");
        this.#values.set(name, value);
        this.#figures.append(element("div", { "data-figure": name }, element("dt", {}, label), value));
        return value;
    }
}

/** @param {import("../stream/market-store.js").Market} market @param {string} word */
function troubled(market, word) {
    const quiet = quietSeconds(market);
    const what = word === "quiet" && quiet !== null ? `no trades for ${formatAge(quiet)}` : word;
    return `${market.symbol}: ${what}${market.feedReason ? ` (${market.feedReason})` : ""}`;
}
