import { byId, setText } from "../dom.js";

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

    loading() {
        this.#show("loading", "Loading the chart", "");
    }

    /** @param {string} symbol */
    empty(symbol) {
        this.#show("empty", `No trades in ${symbol} yet`, "The chart begins with the first one.");
    }

    /**
     * @param {string} title
     * @param {string} detail what happens next, or what the person can do.
     * @param {?() => void} [retry]
     */
    failed(title, detail, retry = null) {
        this.#show("failed", title, detail, retry);
    }

    hide() {
        this.#panel.hidden = true;
    }

    #show(kind, title, detail, retry = null) {
        this.#panel.hidden = false;
        this.#panel.dataset.kind = kind;
        setText(this.#title, title);
        setText(this.#detail, detail);
        this.#retry = retry;
        this.#button.hidden = retry === null;
    }
}
