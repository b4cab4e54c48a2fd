/** Fills, orders and events that are kept; the oldest finished ones go first. */
const LIMIT = 1000;
/** What a snapshot holds at most of fills: fewer are all that there are. */
const SNAPSHOT_FILLS = 100;
/** What the page follows of an account. */
const CHANNELS = /** @type {const} */ (["orders", "positions", "portfolio", "events"]);
const ENDED = ["filled", "cancelled", "rejected", "expired"];

/** @typedef {ServerOrder} Order */

/**
 * @typedef {{id: string, order_id: string, symbol: string, side: "buy" | "sell", price: string, quantity: string,
 *   fee: string, fee_currency: string, liquidity: string, realized_pnl: string, timestamp: number,
 *   receipt?: Receipt}} Fill
 */

/**
 * @typedef {{id: string, symbol: string, side: "long" | "short", size: string, entry_price: string, mark_price: string,
 *   unrealized_pnl: string, unrealized_pnl_percent: string, price_percent: string, leverage: number, margin: string,
 *   liquidation_price?: string, realized_pnl: string, take_profit?: string, stop_loss?: string, currency: string,
 *   created_at: number, updated_at: number}} Position
 */

/**
 * Why an order was filled, and what that used.
 *
 * @typedef {{rule?: string, model?: string, trade_price?: string, trade_volume?: string, trade_time?: number,
 *   trade_used?: string, slippage?: string, latency?: number}} Receipt
 */

/**
 * @typedef {{currency: string, equity: string, available_balance: string, used_margin: string, fees: string,
 *   initial_capital: string, unrealized_pnl: string, realized_pnl: string, last_updated: number}} Portfolio
 */

/**
 * @typedef {{id: string, type: string, symbol?: string, message: string, timestamp: number,
 *   metadata?: Record<string, string | number>}} DeskEvent
 */

/**
 * A message of a channel: a snapshot, or what changed.
 *
 * @typedef {{channel: ChannelName, type: string, account?: string, sequence?: number, order?: Order, fill?: Fill,
 *   event?: DeskEvent, orders?: Order[], fills?: Fill[], events?: DeskEvent[], positions?: Position[],
 *   portfolios?: Portfolio[], ledger?: string, first_account?: string, demo_accounts?: string[]}} Message
 */
/** @typedef {import("../engine/session-machine.js").ChannelName} ChannelName */

/**
 * One account as the stream reports it: a snapshot, then what changes. Whatever order messages and answers come in, an
 * order never goes back to an earlier version, and no fill and no event counts twice.
 *
 * Events: `change` (detail: the channel), `fill` (detail: a fill that is news), `order` (detail: {order, before}, a change
 * that is news), `unknown` (the server has no such account).
 */
export class TradingStore extends EventTarget {
    account;
    /** @type {Map<string, Order>} */
    orders = new Map();
    /** @type {Map<string, Fill>} */
    fills = new Map();
    /** @type {Position[]} */
    positions = [];
    /** @type {Portfolio[]} one for each currency, never summed. */
    portfolios = [];
    /** @type {Map<string, DeskEvent>} */
    events = new Map();
    /** @type {?{ledger?: string, first_account?: string, demo_accounts?: string[]}} of the server and its feed. */
    health = null;
    /** @type {Set<string>} Channels whose state is known. */
    known = new Set();
    /** Why the desk does not serve this account, for people; empty while it does. */
    problem = "";
    /** @type {Record<string, number>} The newest place in the account's ledger, by channel. */
    #sequences = {};
    #session;

    /** @param {import("../stream/session.js").Session} session @param {string} account */
    constructor(session, account) {
        super();
        this.#session = session;
        this.account = account;
        session.addEventListener("channel", (event) => this.apply(/** @type {CustomEvent} */ (event).detail.message));
        session.addEventListener("channelrefused", (event) => this.#refused(/** @type {CustomEvent} */ (event).detail));
        session.subscribeChannel("health");
        this.#subscribe();
    }

    /** Another account: all of the present one is forgotten.
     * @param {string} account */
    choose(account) {
        this.#unsubscribe();
        this.account = account;
        this.#clear();
        this.#subscribe();
        CHANNELS.forEach((channel) => this.#publish(channel));
    }

    /** Requests the whole state again, as after a reset. */
    reload() {
        this.choose(this.account);
    }

    /** Orders that can still be filled, newest first. */
    get active() {
        return [...this.orders.values()].filter(isActive).sort(newestFirst);
    }

    /** @param {Message} message */
    apply(message) {
        const { channel, type } = message;
        if (message.account !== undefined && message.account !== this.account) {
            return;
        }
        if (type === "snapshot") {
            this.#replace(channel, message);
        } else if (type !== "subscribed" && !this.#isOld(channel, message.sequence)) {
            message.order && this.#acceptOrder(message.order);
            message.fill && this.#acceptFill(message.fill, true);
            message.event && this.#acceptEvent(message.event);
            this.#acceptLatest(channel, message);
        } else {
            return;
        }
        this.#publish(channel);
    }

    /** An answer to a request, which may come later than the stream's own news.
     * @param {Order} order */
    answer(order) {
        this.#acceptOrder(order);
        this.#publish("orders");
    }

    /** Older fills or events that were requested.
     * @param {{fills?: Fill[], events?: DeskEvent[]}} older */
    addOlder({ fills = [], events = [] }) {
        fills.forEach((fill) => this.#acceptFill(fill, false));
        events.forEach((event) => this.#acceptEvent(event));
        this.#publish(fills.length > 0 ? "orders" : "events");
    }

    /** @param {ChannelName} channel @param {Message} message */
    #replace(channel, message) {
        const before = this.#sequences[channel] ?? 0;
        const isFirst = !this.known.has(channel);
        if (channel === "orders") {
            // A ledger that is behind what was seen is another one: versions start again there.
            const isBehind = (message.sequence ?? 0) < before;
            /** @type {Map<string, Order>} */
            const known = isBehind ? new Map() : this.orders;
            this.orders = new Map();
            message.orders?.forEach((order) => {
                const mine = known.get(order.id);
                mine && mine.version > order.version ? this.orders.set(order.id, mine) : this.#keepOrder(order, mine, !isFirst);
            });
            const fills = [...(message.fills ?? [])].sort(newestFirst).reverse();
            if (isBehind || fills.length < SNAPSHOT_FILLS) {
                const listed = new Set(fills.map(({ id }) => id));
                [...this.fills.keys()].forEach((id) => listed.has(id) || this.fills.delete(id));
            }
            fills.forEach((fill) => this.#acceptFill(fill, !isFirst));
        }
        if (channel === "events") {
            this.events.clear();
            [...(message.events ?? [])].sort(newestFirst).reverse().forEach((event) => this.#acceptEvent(event));
        }
        this.#sequences[channel] = message.sequence ?? 0;
        this.#acceptLatest(channel, message);
        this.known.add(channel);
        this.problem = "";
    }

    /** Figures of which only the latest count.
     * @param {ChannelName} channel @param {Message} message */
    #acceptLatest(channel, message) {
        if (channel === "positions" && message.positions) {
            this.positions = message.positions;
        } else if (channel === "portfolio" && message.portfolios) {
            this.portfolios = message.portfolios;
        } else if (channel === "health") {
            this.health = message;
            this.known.add(channel);
        }
        this.#sequences[channel] = Math.max(this.#sequences[channel] ?? 0, message.sequence ?? 0);
    }

    /** @param {Order} order */
    #acceptOrder(order) {
        const before = this.orders.get(order.id);
        if (!before || before.version < order.version) {
            this.#keepOrder(order, before, true);
            this.#trim(this.orders, (each) => !isActive(each));
        }
    }

    /** @param {Order} order @param {Order | undefined} before @param {boolean} isNews */
    #keepOrder(order, before, isNews) {
        this.orders.set(order.id, order);
        if (isNews && before?.version !== order.version) {
            this.dispatchEvent(new CustomEvent("order", { detail: { order, before } }));
        }
    }

    /** @param {Fill} fill @param {boolean} isNews */
    #acceptFill(fill, isNews) {
        if (!this.fills.has(fill.id)) {
            this.fills.set(fill.id, fill);
            this.#trim(this.fills);
            isNews && this.dispatchEvent(new CustomEvent("fill", { detail: fill }));
        }
    }

    /** @param {DeskEvent} event */
    #acceptEvent(event) {
        this.events.set(event.id, event);
        this.#trim(this.events);
    }

    /**
     * @template {Dated} Item
     * @param {Map<string, Item>} map
     * @param {(item: Item) => boolean} [mayGo]
     */
    #trim(map, mayGo = () => true) {
        if (map.size > LIMIT) {
            const oldest = [...map.values()].filter(mayGo).sort(newestFirst).at(-1);
            oldest && map.delete(oldest.id);
        }
    }

    /** @param {string} channel @param {number | undefined} sequence */
    #isOld(channel, sequence) {
        return sequence !== undefined && sequence < (this.#sequences[channel] ?? 0);
    }

    /** @param {{channel: ChannelName, account?: string, code: string, message: string}} refusal */
    #refused({ channel, account, code, message }) {
        if (channel === "health" || (account ?? this.account) !== this.account) {
            return;
        }
        this.problem = message;
        this.#publish(channel);
        code === "unknown_account" && this.dispatchEvent(new Event("unknown"));
    }

    #clear() {
        this.problem = "";
        this.orders = new Map();
        this.fills = new Map();
        this.positions = [];
        this.portfolios = [];
        this.events = new Map();
        this.known.clear();
        this.#sequences = {};
    }

    #subscribe() {
        CHANNELS.forEach((channel) => this.#session.subscribeChannel(channel, this.account));
    }

    #unsubscribe() {
        CHANNELS.forEach((channel) => this.#session.unsubscribeChannel(channel, this.account));
    }

    /** @param {string} channel */
    #publish(channel) {
        this.dispatchEvent(new CustomEvent("change", { detail: channel }));
    }
}

/** @param {Order} order */
export function isActive(order) {
    return !ENDED.includes(order.status);
}

/** Compares orders, fills or events.
 * @param {Dated} a @param {Dated} b */
export function newestFirst(a, b) {
    return timeOf(b) - timeOf(a) || numberOf(b.id) - numberOf(a.id);
}

/** @typedef {{id: string, created_at?: number, timestamp?: number}} Dated */

/** @param {Dated} item */
function timeOf({ created_at: created, timestamp }) {
    return created ?? timestamp ?? 0;
}

/** Ids end with a number that counts up, events with a second one: `…-e12.1`.
 * @param {string} id */
function numberOf(id) {
    const [, whole = "0", part = "0"] = /(\d+)(?:\.(\d+))?$/.exec(id) ?? [];
    return Number(whole) + Number(part) / 1000;
}
