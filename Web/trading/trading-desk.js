import { newID, RestError, requestJSON } from "../stream/rest.js";

/** @typedef {import("./trading-store.js").Order} Order */
/** @typedef {import("./trading-store.js").Fill} Fill */
/** @typedef {import("./trading-store.js").DeskEvent} DeskEvent */
/** @typedef {{id: string, name?: string, capital?: string, currency?: string, fill_model?: string,
 *   fill_rule?: string, portfolios?: {equity: string, currency: string}[]}} Account */

/**
 * An order as the ticket sends it; decimals are texts.
 *
 * @typedef {{symbol: string, side: "buy" | "sell", type: string, time_in_force: string, leverage: number, post_only: boolean,
 *   reduce_only: boolean, quantity: string, limit_price?: string, stop_price?: string, trail?: Trail, take_profit?: string,
 *   stop_loss?: string, client_order_id?: string}} OrderRequest
 */
/** @typedef {{amount?: string, percent?: string}} Trail */

/**
 * What an order would cost, as the desk says.
 *
 * @typedef {{currency?: string, estimated_price?: string, cost?: string, margin?: string, fee?: string,
 *   liquidation_price?: string, available_after?: string, problems?: Problem[]}} Preview
 */
/** @typedef {{field?: string, message: string}} Problem why the desk would refuse it. */

/**
 * The requests to the paper desk: each call is one. Answers that have an order go to the store, which keeps the newer of
 * it and of what the stream brought.
 */
export class TradingDesk {
    #store;

    /** @param {import("./trading-store.js").TradingStore} store */
    constructor(store) {
        this.#store = store;
    }

    get account() {
        return this.#store.account;
    }

    /** @param {OrderRequest} order with its `client_order_id`. @returns {Promise<Order>} */
    async place(order) {
        const answer = /** @type {Order} */ (await this.#send("POST", "/v1/orders", { body: this.#mine(order) }));
        this.#store.answer(answer);
        return answer;
    }

    /** What an order would cost.
     * @param {OrderRequest} order @param {AbortSignal} [signal] @returns {Promise<Preview>} */
    preview(order, signal) {
        // The desk judges a whole order, and its number is a part of it; this one is used for nothing else.
        const body = this.#mine({ ...order, client_order_id: newID() });
        return /** @type {Promise<Preview>} */ (requestJSON("POST", "/v1/orders/preview", { body, signal, timeout: 10_000 }));
    }

    /** @param {Order} order @param {Record<string, string>} change */
    async amend({ id, version }, change) {
        const body = { ...change, version };
        const answer = await this.#send("PATCH", `/v1/orders/${encodeURIComponent(id)}`, { body });
        this.#store.answer(/** @type {Order} */ (answer));
    }

    /** @param {Order} order */
    async cancel({ id }) {
        const answer = /** @type {Order} */ (await this.#send("DELETE", `/v1/orders/${encodeURIComponent(id)}`));
        answer.id && this.#store.answer(answer);
    }

    /** @param {string} [symbol] all markets without one. */
    async cancelAll(symbol) {
        const parameters = { account: this.account, ...(symbol ? { symbol } : {}) };
        const { orders } = /** @type {{orders?: Order[]}} */ (await this.#send("DELETE", "/v1/orders", { parameters }));
        orders?.forEach((order) => this.#store.answer(order));
    }

    /** @param {string} symbol @param {string} [quantity] all of it without one. */
    close(symbol, quantity) {
        return this.#position(symbol, "close", quantity ? { quantity } : {});
    }

    /** @param {string} symbol */
    reverse(symbol) {
        return this.#position(symbol, "reverse", {});
    }

    /** @param {string} symbol @param {{take_profit?: ?string, stop_loss?: ?string}} prices null removes one. */
    bracket(symbol, prices) {
        return this.#position(symbol, "bracket", prices);
    }

    /** Fills before those that are known.
     * @param {string} before the oldest one's id. */
    async olderFills(before) {
        const { fills } = /** @type {{fills: Fill[]}} */ (await this.#list("fills", { before, limit: 100 }));
        this.#store.addOlder({ fills });
        return fills.length;
    }

    /** @param {string} before the oldest one's id. */
    async olderEvents(before) {
        const { events } = /** @type {{events: DeskEvent[]}} */ (await this.#list("events", { before, limit: 100 }));
        this.#store.addOlder({ events });
        return events.length;
    }

    /** @param {string} currency */
    async equity(currency) {
        const answer = await this.#list("portfolio/history", { currency, limit: 1000 });
        return /** @type {{points: {timestamp: number, equity: string}[]}} */ (answer).points;
    }

    async accounts() {
        return /** @type {{accounts: Account[]}} */ (await requestJSON("GET", "/v1/accounts")).accounts;
    }

    /** @param {{name: string, currency: string, capital: string}} terms */
    async open(terms) {
        const answer = await requestJSON("POST", "/v1/accounts", { body: terms });
        return /** @type {Partial<Account> & {account?: Account}} */ (answer);
    }

    /** Lets the demo's orders happen in an account without any, which is opened where there is none.
     * @param {string} account */
    async loadDemo(account) {
        return /** @type {Account} */ (await requestJSON("POST", `/v1/accounts/${encodeURIComponent(account)}/demo`, { body: {} }));
    }

    /** Begins again with the account's capital. */
    async reset() {
        await this.#send("POST", `/v1/accounts/${encodeURIComponent(this.account)}/reset`, { body: {} });
        this.#store.reload();
    }

    /** @param {string} symbol @param {string} action @param {object} body */
    #position(symbol, action, body) {
        return this.#send("POST", `/v1/positions/${encodeURIComponent(symbol)}/${action}`, { body: this.#mine(body) });
    }

    /** Sends what changes something. Nothing of this page may reach an account with real money, whatever id it was made to show.
     * @param {string} method @param {string} path @param {import("../stream/rest.js").RequestOptions} options */
    async #send(method, path, options = {}) {
        if (!isPaper(this.account)) {
            throw new RestError("wrong_mode", `This page trades paper accounts only; ${this.account} is not one.`);
        }
        return requestJSON(method, path, options);
    }

    /** @param {string} what @param {Record<string, string | number>} parameters */
    #list(what, parameters) {
        return requestJSON("GET", `/v1/${what}`, { parameters: { account: this.account, ...parameters } });
    }

    /** @param {object} body */
    #mine(body) {
        return { account: this.account, ...body };
    }
}

/** Whether an account is one without real money: its id says so.
 * @param {string} account */
export function isPaper(account) {
    return account.startsWith("paper-");
}
