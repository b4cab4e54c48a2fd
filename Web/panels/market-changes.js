import { byId, detailOf, element, setText } from "../dom.js";
import { messageOf } from "../format.js";
import { getJSON, requestJSON } from "../stream/rest.js";
import { openDialog } from "../ui/dialog.js";

/** Milliseconds after the last letter: a venue's search is a request of the server's to it. */
const PAUSE = 350;
/** Markets that are offered at a time. */
const MAX_OFFERS = 8;
/** Milliseconds before an addition is given up: the server waits for its venue. */
const ANSWER_TIMEOUT = 30000;

/** @typedef {{symbol: string, name?: string, feed: string, market?: string}} Listing */

/**
 * Markets of the server that come and go: where no market matches the filter, those that the feeds' venues list are offered;
 * and a market is removed from the server.
 */
export class MarketChanges {
    #parts;
    #offers = byId("market-offers");
    #note = byId("market-offers-note");
    #text = "";
    #timer = 0;

    /** @param {{list: import("./market-list.js").MarketList} & Pick<PageParts, "store" | "toasts">} parts */
    constructor(parts) {
        this.#parts = parts;
        parts.list.addEventListener("search", (event) => this.#search(detailOf(event)));
        parts.list.addEventListener("remove-market", (event) => this.#remove(detailOf(event)));
    }

    /** @param {string} text */
    #search(text) {
        if (text === this.#text) {
            return;
        }
        this.#text = text;
        clearTimeout(this.#timer);
        this.#show([], "");
        if (text !== "" && this.#parts.store.feeds.some(({ name }) => name !== "sim")) {
            this.#timer = setTimeout(() => this.#find(text), PAUSE);
        }
    }

    /** @param {string} text */
    async #find(text) {
        setText(this.#note, "Searching the venues…");
        let [found, note] = [/** @type {Listing[]} */ ([]), ""];
        try {
            const answer = await getJSON("/v1/listings", { query: text });
            const { listings, problems } = /** @type {{listings: Listing[], problems: {message: string}[]}} */ (answer);
            found = listings.slice(0, MAX_OFFERS);
            note = problems.map(({ message }) => message).join(" ");
            note ||= found.length === 0 ? "No venue of this server lists such a market." : "";
        } catch (error) {
            note = messageOf(error);
        }
        // What is typed meanwhile is another search.
        if (text === this.#text) {
            this.#show(found, note);
        }
    }

    /** @param {Listing[]} found @param {string} note */
    #show(found, note) {
        this.#offers.replaceChildren(...found.map((listing) => element("li", {}, this.#offer(listing))));
        this.#offers.hidden = found.length === 0;
        setText(this.#note, note);
    }

    /** @param {Listing} listing */
    #offer({ symbol, name = "", feed, market }) {
        const button = element("button", { type: "button", class: "market-offer" }, element("b", {}, `${market ? "Show" : "Add"} ${symbol}`));
        button.append(element("small", {}, [name, feed].filter(Boolean).join(" · ")));
        button.addEventListener("click", () => (market ? this.#parts.list.show(market) : this.#add(symbol, feed)));
        return button;
    }

    /** @param {string} symbol @param {string} feed */
    async #add(symbol, feed) {
        this.#show([], `Adding ${symbol}…`);
        try {
            const answer = await requestJSON("POST", "/v1/markets", { body: { symbol, feed }, timeout: ANSWER_TIMEOUT });
            await this.#parts.store.load();
            const added = /** @type {{symbol: string}} */ (answer).symbol;
            this.#parts.toasts.show(`${added} was added. It stays after a restart of the server.`);
            this.#parts.list.show(added);
        } catch (error) {
            setText(this.#note, messageOf(error));
        }
    }

    /** @param {string} symbol */
    async #remove(symbol) {
        await openDialog({
            title: `Remove ${symbol} from this server?`,
            text: "Charts of it end, for everyone. Its candles and its trades in the ledger stay; a market with a position or open orders is not removed.",
            confirm: `Remove ${symbol}`,
            isGrave: true,
            act: async () => {
                const answer = await requestJSON("DELETE", `/v1/markets/${encodeURIComponent(symbol)}`);
                const { back_after_restart: returns } = /** @type {{back_after_restart: boolean}} */ (answer);
                this.#parts.toasts.show(`${symbol} was removed${returns ? "; it is back after a restart of the server" : ""}.`);
                await this.#parts.store.load();
            },
        });
    }
}
