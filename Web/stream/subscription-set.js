/**
 * What the page wants to hear of one stream. Only symbol and timeframe name the stream; the rest says how.
 *
 * @typedef {object} Subscription
 * @property {string} symbol
 * @property {string} timeframe
 * @property {number} [history] candles in the snapshot.
 * @property {number} [maxRate] ticks and forming candles per second at most.
 * @property {boolean} [recovers] whether a reconnect asks for what was missed instead of a snapshot.
 */

/** @typedef {{epoch: string, offset: number}} Position */

/** @typedef {{subscription: Subscription, id: number, position: ?Position}} Entry */

/**
 * The subscriptions as desired state, and the frames that make the server agree with it.
 *
 * Nothing is sent from here: `replace` and `restore` return the frames, so that the order of a reconnect is decided in
 * one place. Streams are told apart by (symbol, timeframe).
 */
export class SubscriptionSet {
    /** @type {Map<string, Entry>} */
    #entries = new Map();
    #nextId = 1;

    /** Streams wanted. */
    get size() {
        return this.#entries.size;
    }

    /**
     * Makes `subscriptions` the desired ones.
     *
     * @param {Subscription[]} subscriptions
     * @returns {object[]} frames for an open connection: first what ends, then what begins.
     */
    replace(subscriptions) {
        const wanted = new Map(subscriptions.map((each) => [streamKey(each), each]));
        const frames = [];
        for (const [key, entry] of this.#entries) {
            const next = wanted.get(key);
            if (!next || !isSame(next, entry.subscription)) {
                frames.push(unsubscribeFrame(entry.subscription));
                this.#entries.delete(key);
            }
        }
        for (const [key, subscription] of wanted) {
            if (!this.#entries.has(key)) {
                const entry = { subscription, id: this.#nextId++, position: null };
                this.#entries.set(key, entry);
                frames.push(subscribeFrame(entry));
            }
        }
        return frames;
    }

    /** @returns {object[]} the frames that bring a fresh connection to the desired state. */
    restore() {
        return [...this.#entries.values()].map((entry) => {
            entry.id = this.#nextId++;
            return subscribeFrame(entry);
        });
    }

    /**
     * Remembers how far a stream has been heard.
     *
     * Ticks name no timeframe: a symbol has one subscription at a time in this page, and that one is meant.
     *
     * @param {object} message any message of the server.
     */
    note(message) {
        // The answer to a subscription is no position yet: a drop before its snapshot would leave a hole behind it.
        if (typeof message.offset !== "number" || message.type === "subscribed") {
            return;
        }
        const entry = this.#find(message.symbol, message.timeframe);
        if (entry && typeof message.epoch === "string") {
            entry.position = { epoch: message.epoch, offset: message.offset };
        } else if (entry?.position) {
            entry.position.offset = message.offset;
        }
    }

    /**
     * The subscription that an answer with this `id` is about.
     * @param {number} id
     * @returns {?Subscription}
     */
    withId(id) {
        for (const entry of this.#entries.values()) {
            if (entry.id === id) {
                return entry.subscription;
            }
        }
        return null;
    }

    /**
     * @param {string} symbol
     * @param {string} [timeframe]
     * @returns {Entry | undefined}
     */
    #find(symbol, timeframe) {
        if (timeframe) {
            return this.#entries.get(streamKey({ symbol, timeframe }));
        }
        for (const entry of this.#entries.values()) {
            if (entry.subscription.symbol === symbol) {
                return entry;
            }
        }
        return undefined;
    }
}

/** @param {{symbol: string, timeframe: string}} stream */
function streamKey({ symbol, timeframe }) {
    return `${timeframe} ${symbol}`;
}

/**
 * @param {Subscription} a
 * @param {Subscription} b
 */
function isSame(a, b) {
    return a.history === b.history && a.maxRate === b.maxRate && a.recovers === b.recovers;
}

/** @param {Subscription} subscription */
function unsubscribeFrame({ symbol, timeframe }) {
    return { action: "unsubscribe", symbol, timeframe };
}

/** @param {Entry} entry */
function subscribeFrame({ subscription, id, position }) {
    const { symbol, timeframe, history, maxRate, recovers } = subscription;
    const frame = { action: "subscribe", symbol, timeframe, id };
    if (history !== undefined) {
        frame.history = history;
    }
    if (maxRate !== undefined) {
        frame.max_rate = maxRate;
    }
    if (recovers && position) {
        frame.recover = { ...position };
    }
    return frame;
}
