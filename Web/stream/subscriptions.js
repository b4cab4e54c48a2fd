import { planSubscriptions } from "./subscription-plan.js";

/** Milliseconds in the background before the streams are slowed: a glance at another tab costs nothing. */
const HIDE_AFTER = 3000;

/**
 * The streams that the parts of the page need, as one plan for the session; fewer of them in a hidden tab.
 */
export class Subscriptions {
    #session;
    #store;
    /** @type {?{symbol: string, timeframe: string}} */
    #selection = null;
    #isHidden = false;
    /** @type {?ReadonlySet<string>} The market list's; null is all. */
    #listed = null;
    /** @type {?ReadonlySet<string>} Those of a long list whose rows are drawn; null: all. */
    #drawn = null;
    /** @type {Map<string, ReadonlySet<string>>} Those of other parts of the page, by the part. */
    #needed = new Map();
    /** @type {ReadonlySet<string>} */
    #watched = new Set();
    /** @type {ReadonlySet<string>} */
    #paused = new Set();
    /** @type {ReadonlySet<string>} Markets whose streams are wanted, but for those that a hidden tab left. */
    #subscribed = new Set();
    #hideTimer = 0;

    /** @param {import("./session.js").Session} session @param {import("./market-store.js").MarketStore} store */
    constructor(session, store) {
        this.#session = session;
        this.#store = store;
    }

    /** Follows the network, the tab and the market list. */
    start() {
        document.addEventListener("visibilitychange", () => this.#visibilityChanged());
        addEventListener("online", () => this.#session.setNetwork(true));
        addEventListener("offline", () => this.#session.setNetwork(false));
        this.#store.addEventListener("list", () => this.#replan());
        this.#session.addEventListener("state", () => {
            const { state, opened } = this.#session;
            if (state === "open" && (opened > 1 || this.#store.status === "failed")) {
                // The 24 h figures missed what the connection missed.
                this.#store.load();
            }
        });
        // A page may be opened in a tab behind the others.
        if (document.visibilityState === "hidden") {
            this.#visibilityChanged();
        }
    }

    /** The stream of the chart.
     * @param {{symbol: string, timeframe: string}} selection */
    select(selection) {
        this.#selection = selection;
        this.#replan();
    }

    /**
     * The markets of the list: the others are not subscribed, unless another part of the page needs them.
     *
     * @param {?Iterable<string>} symbols null: all there are.
     */
    list(symbols) {
        const before = this.#listed;
        this.#listed = symbols === null ? null : new Set(symbols);
        this.#replan();
        const { markets } = this.#store;
        if (before !== null && [...markets.keys()].some((each) => !before.has(each) && this.#isListed(each))) {
            // Its figures are those of the last list.
            this.#store.load();
        }
    }

    /**
     * The rows of a long list that are drawn: the figures of the others are those of the last list.
     *
     * @param {?Iterable<string>} symbols null: all of them.
     */
    draw(symbols) {
        this.#drawn = symbols === null ? null : new Set(symbols);
        this.#replan();
    }

    /**
     * Markets that a part of the page shows beside the list.
     *
     * @param {string} part
     * @param {Iterable<string>} symbols replace those it needed before.
     */
    need(part, symbols) {
        this.#needed.set(part, new Set(symbols));
        this.#replan();
    }

    /** Markets whose streams go on whatever is shown, in the background too.
     * @param {Iterable<string>} symbols */
    watch(symbols) {
        this.#watched = new Set(symbols);
        this.#replan();
    }

    /** Markets that are not subscribed for now, but on the chart.
     * @param {Iterable<string>} symbols */
    pause(symbols) {
        this.#paused = new Set(symbols);
        this.#replan();
    }

    #visibilityChanged() {
        clearTimeout(this.#hideTimer);
        if (document.visibilityState === "hidden") {
            this.#hideTimer = setTimeout(() => this.#setHidden(true), HIDE_AFTER);
            return;
        }
        if (this.#isHidden) {
            this.#setHidden(false);
        }
        // Who comes back need not wait for the next attempt.
        if (this.#session.state === "waiting") {
            this.#session.retry();
        }
    }

    /** @param {boolean} isHidden */
    #setHidden(isHidden) {
        this.#isHidden = isHidden;
        this.#session.setHidden(isHidden);
        this.#replan();
        if (isHidden) {
            this.#store.pause();
        } else {
            this.#store.resume();
        }
    }

    /** @param {string} symbol */
    #isListed(symbol) {
        return (this.#listed === null || this.#listed.has(symbol)) && (this.#drawn === null || this.#drawn.has(symbol));
    }

    /** @param {string} symbol */
    #isWanted(symbol) {
        const isNeeded = () => [...this.#needed.values()].some((symbols) => symbols.has(symbol));
        return !this.#paused.has(symbol) && (this.#isListed(symbol) || this.#watched.has(symbol) || isNeeded());
    }

    #replan() {
        const plan = planSubscriptions({
            symbols: [...this.#store.markets.keys()].filter((symbol) => this.#isWanted(symbol)),
            selection: this.#selection,
            hidden: this.#isHidden,
            watched: this.#watched,
        });
        this.#session.setSubscriptions(plan);
        if (!this.#isHidden) {
            // Without a subscription, silence means nothing.
            const subscribed = new Set(plan.map(({ symbol }) => symbol));
            this.#subscribed.forEach((symbol) => subscribed.has(symbol) || this.#store.fresh(symbol));
            this.#subscribed = subscribed;
        }
    }
}
