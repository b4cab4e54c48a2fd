import { copyOf, element, part, setText, term } from "../dom.js";
import { formatAge } from "../format.js";
import { showList } from "../ui/keyed-list.js";
import { quietSeconds } from "../stream/market-store.js";
import { figuresOf, isLost, kindsOf, stateWord } from "./feed-words.js";

/** Markets of a kind that are named one by one. */
const LIMIT = 8;

let number = 0;

/** One feed: its state, how its markets do, and what it has counted. */
export class FeedCard {
    element = copyOf("feed-card");
    #problem = part(this.element, ".feed-problem");
    #problems = part(this.element, ".feed-problems");

    /** @param {string} name */
    constructor(name) {
        number += 1;
        const title = part(this.element, "h4");
        title.id = `feed-${number}`;
        title.append(name);
        this.element.setAttribute("aria-labelledby", title.id);
    }

    /**
     * Shows what it is now; what did not change is not touched, so that one may read while it counts.
     *
     * @param {import("../stream/market-store.js").Feed} feed
     * @param {import("../stream/market-store.js").Market[]} markets
     */
    show(feed, markets) {
        this.element.dataset.state = isLost(feed) ? "lost" : feed.state;
        setText(part(this.element, ".feed-state"), stateWord(feed.state));
        setText(this.#problem, feed.problem ?? "");
        this.#problem.hidden = !feed.problem;
        const kinds = kindsOf(markets);
        const counts = kinds.map(({ word, markets: found }) => `${kinds.length > 1 ? `${found.length} ` : ""}${word}`);
        const all = markets.length === 1 ? "1 market" : `${markets.length} markets`;
        setText(part(this.element, ".feed-markets"), counts.length > 0 ? `${all}: ${counts.join(" · ")}` : all);
        // Of a feed that is lost or switched off all markets are; that is said already.
        const isSaid = (/** @type {string} */ kind) => kind === "live" || (kind === "off" && kinds.length === 1) || (isLost(feed) && kind !== "refused");
        this.#showProblems(kinds.filter(({ kind }) => !isSaid(kind)));
        this.#showFigures(figuresOf(feed));
    }

    /** @param {ReturnType<typeof kindsOf>} kinds */
    #showProblems(kinds) {
        const lines = kinds.flatMap(({ word, markets }) => {
            const named = markets.slice(0, LIMIT).map((market) => marketWithReason(market, word));
            return markets.length > LIMIT ? [...named, `And ${markets.length - LIMIT} more ${word}`] : named;
        });
        const old = [...this.#problems.children];
        lines.forEach((line, at) => (old[at] ? setText(old[at], line) : this.#problems.append(element("li", {}, line))));
        old.slice(lines.length).forEach((each) => each.remove());
        this.#problems.hidden = lines.length === 0;
    }

    /** @param {ReturnType<typeof figuresOf>} figures */
    #showFigures(figures) {
        // A figure of a server that restarted may be gone.
        const list = part(this.element, ".feed-figures");
        const keyOf = (/** @type {{name: string}} */ { name }) => name;
        showList(list, figures, keyOf, ({ label }) => term(label), (row, { name, value }) => {
            row.dataset.figure = name;
            setText(part(row, "dd"), value.toLocaleString("en-US"));
        });
    }
}

/** @param {import("../stream/market-store.js").Market} market @param {string} word */
function marketWithReason(market, word) {
    const quiet = quietSeconds(market);
    const what = word === "quiet" && quiet !== null ? `no trades for ${formatAge(quiet)}` : word;
    return `${market.symbol}: ${what}${market.feedReason ? ` (${market.feedReason})` : ""}`;
}
