import { byId, setText } from "../dom.js";

/** What comes next, where nothing is known against it. */
const FIRST = "The chart starts with the first trade.";

/**
 * What lies over the chart while there is nothing to draw: loading, empty, or what went wrong and what to do.
 */
export class ChartMessage {
    #panel = byId("chart-message");
    #title = byId("chart-message-title");
    #detail = byId("chart-message-detail");
    #button = byId("chart-message-button");

    constructor() {
        this.#button.addEventListener("click", () => this.#retry?.());
    }

    /** @type {?() => void} */
    #retry = null;
    #why = FIRST;

    /** @type {?("loading" | "empty" | "failed" | "unavailable")} what is said; null while the chart can be seen. */
    kind = "loading";

    loading() {
        this.#show("loading", "Loading the chart", "");
    }

    /** @param {string} symbol */
    empty(symbol) {
        this.#show("empty", `No trades in ${symbol} yet`, this.#why);
    }

    /** @param {string} why there are no trades, or what happens next; empty where nothing is against it. */
    explainEmpty(why) {
        this.#why = why || FIRST;
        if (this.kind === "empty") {
            setText(this.#detail, this.#why);
        }
    }

    /**
     * @param {string} title
     * @param {string} detail what happens next, or what the person can do.
     * @param {?() => void} [retry]
     */
    failed(title, detail, retry = null) {
        this.#show("failed", title, detail, retry);
    }

    /**
     * There is nothing to draw yet, and it is being fetched.
     *
     * @param {string} title
     * @param {string} detail what happens next.
     * @param {() => void} retry
     * @param {string} [word] for that, on the button.
     */
    unavailable(title, detail, retry, word) {
        this.#show("unavailable", title, detail, retry, word);
    }

    hide() {
        this.kind = null;
        this.#panel.hidden = true;
    }

    /** @param {NonNullable<ChartMessage["kind"]>} kind @param {string} title @param {string} detail @param {?() => void} [retry] @param {string} [word] */
    #show(kind, title, detail, retry = null, word = "Retry") {
        this.kind = kind;
        this.#panel.hidden = false;
        this.#panel.dataset.kind = kind;
        setText(this.#title, title);
        setText(this.#detail, detail);
        setText(this.#button, word);
        this.#retry = retry;
        this.#button.hidden = retry === null;
    }
}
