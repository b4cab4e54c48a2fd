import { byId, part, setText, term } from "../dom.js";
import { formatAge, messageOf } from "../format.js";
import { getJSON, requestJSON } from "../stream/rest.js";
import { openDialog } from "../ui/dialog.js";
import { showList } from "../ui/keyed-list.js";

/**
 * @typedef {object} Details
 * @property {string} name
 * @property {string} title
 * @property {"simulated" | "recording" | "live"} kind
 * @property {string} [address]
 * @property {boolean} on
 * @property {boolean} can_switch
 * @property {number} [room]
 * @property {number} [last_message_at]
 * @property {{symbols_per_connection: number, requests_per_second: number}} [limits]
 * @property {{state: string, symbols: number}[]} sockets
 */

const KINDS = {
    simulated: "Simulated prices, paper money",
    recording: "A recording, paper money",
    live: "Live prices, paper money",
};

/** Levels of the server's log that have every request. */
const LOGS_REQUESTS = new Set(["trace", "debug"]);

/** What the feeds are, from `/v1/feeds`, and their switches. */
export class FeedDetails {
    #store;
    #note = byId("feeds-note");

    /** @param {import("../stream/market-store.js").MarketStore} store */
    constructor(store) {
        this.#store = store;
    }

    /** Shows what the server says of its feeds in their cards.
     * @param {(name: string) => ?HTMLElement} card */
    async load(card) {
        /** @type {{version: string, log_level: string, trading: string, feeds: Details[]}} */
        let answer;
        try {
            answer = /** @type {typeof answer} */ (await getJSON("/v1/feeds"));
        } catch (error) {
            return setText(this.#note, messageOf(error));
        }
        setText(this.#note, "");
        answer.feeds.forEach((feed) => {
            const element = card(feed.name);
            element && this.#show(feed, element);
        });
        showFacts(byId("feeds-server"), [
            ["API", `${location.origin}/v1`],
            ["Server", answer.version],
            ["Trading", `${answer.trading} money`],
            ["Debug", `${LOGS_REQUESTS.has(answer.log_level) ? "on" : "off"}: the log begins at ${answer.log_level}`],
        ]);
    }

    /** @param {Details} feed @param {HTMLElement} card */
    #show(feed, card) {
        setText(part(card, ".feed-kind"), `${KINDS[feed.kind]} · ${feed.title}`);
        const { limits, sockets, room, last_message_at: last } = feed;
        /** @type {[string, string][]} */
        const facts = [];
        feed.address && facts.push(["Address", feed.address]);
        last && facts.push(["Last message", `${formatAge(Math.max(0, Date.now() / 1000 - last))} ago`]);
        sockets.forEach(({ state, symbols }, at) => facts.push([`Connection ${at + 1}`, `${state}, ${symbols} symbols`]));
        limits && facts.push(["Limits", `${limits.symbols_per_connection} symbols a connection, ${limits.requests_per_second} requests/s`]);
        room !== undefined && facts.push(["Room", `${room} more markets`]);
        showFacts(part(card, ".feed-facts"), facts);
        const button = part(card, ".feed-switch", HTMLButtonElement);
        button.hidden = !feed.can_switch;
        setText(button, feed.on ? `Switch ${feed.name} off…` : `Switch ${feed.name} on`);
        button.onclick = () => (feed.on ? this.#confirm(feed) : this.#set(feed, true).catch((error) => setText(this.#note, messageOf(error))));
    }

    /** @param {Details} feed */
    #confirm(feed) {
        return openDialog({
            title: `Switch ${feed.name} off?`,
            text: "Charts of its markets stop where they are, and say so. Positions and orders stay; nothing fills until it is on again. What is missed is fetched from the venue then, where it has history. Other feeds go on.",
            confirm: "Switch off",
            act: () => this.#set(feed, false),
        });
    }

    /** @param {Details} feed @param {boolean} on */
    async #set({ name }, on) {
        await requestJSON("POST", `/v1/feeds/${encodeURIComponent(name)}`, { body: { on } });
        await this.#store.load();
    }
}

/** @param {HTMLElement} list @param {[string, string][]} facts */
function showFacts(list, facts) {
    showList(list, facts, ([name]) => name, ([name]) => term(name), (row, [, value]) => setText(part(row, "dd"), value));
}
