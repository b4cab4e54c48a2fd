import { CHANNELS } from "../engine/boundary.js";
import { SessionMachine } from "../engine/session-machine.js";
import { MachineDriver } from "./machine-driver.js";
import { MessageRate } from "./message-rate.js";

/** @typedef {import("../engine/session-machine.js").SessionState} SessionState */
/** @typedef {import("../engine/session-machine.js").StreamEvent} StreamEvent */
/** @typedef {import("../engine/session-machine.js").ChannelName} ChannelName */
/** @typedef {import("./subscription-plan.js").Subscription} Subscription */

/**
 * The page's one connection to the stream server.
 *
 * Until its machine is attached it is `idle` and remembers what is wanted. The bars of the charted stream go into the chart
 * inside the engine; listeners learn what else there is to show.
 *
 * Events: `state` (whenever `state` changed), `latency`, `channel` (detail: `channel`, `account`, null for a channel without one, and `message`, the
 * parsed object), `channelrefused` (detail: `channel`, `account`, `code`, `message`, a sentence for people).
 *
 * @extends {MachineDriver<?SessionMachine>}
 */
export class Session extends MachineDriver {
    /** @type {SessionState} */
    state = "idle";
    /** When the next attempt is due, `performance.now()` milliseconds; 0 unless waiting. */
    retryAt = 0;
    /** Times an open connection was reached. */
    opened = 0;
    /** Why there is no machine, for people; empty where there is one. */
    reason = "";
    /** @type {?number} round trip in milliseconds, null while unknown. */
    latency = null;
    rate = new MessageRate();
    /** What the server gets first; empty for nothing. */
    #token = "";
    /** Why the machine gave up; empty unless `failed`. */
    #failure = "";
    /** @type {((stream: Subscription, event: StreamEvent) => void)[]} */
    #listeners = [];
    /** @type {?import("../engine/chart.js").EngineChart} The chart that the charted stream feeds. */
    #chart = null;
    /** @type {?number} The subscription that feeds it. */
    #fed = null;
    /** @type {Subscription[]} */
    #wanted = [];
    /** @type {Map<number, Subscription>} by the machine's number. */
    #streams = new Map();
    /** @type {Map<string, {name: ChannelName, account: string}>} channels that are wanted, by their keys. */
    #channels = new Map();
    #isHidden = false;

    /** @param {string} url `ws:` or `wss:` address of the stream. */
    constructor(url) {
        super(null, url);
    }

    /**
     * Gives the session its machine, and starts.
     *
     * @param {import("../engine/engine.js").Engine} engine
     * @param {?import("../engine/chart.js").EngineChart} [chart] fed by the charted stream.
     */
    attach(engine, chart = null) {
        this.#chart = chart;
        this.#fed = null;
        this.machine = new SessionMachine(engine, crypto.getRandomValues(new Uint32Array(2)));
        this.setSubscriptions(this.#wanted);
        this.input((machine, now) => {
            this.#token === "" || machine.setToken(this.#token, now);
            this.#channels.forEach(({ name, account }) => machine.subscribeChannel(name, account, now));
            machine.setHidden(this.#isHidden, now);
            machine.setNetwork(navigator.onLine, now);
            machine.connect(now);
        });
    }

    /** There is no machine, and so no connection.
     * @param {string} reason for people. */
    unavailable(reason) {
        this.reason = reason;
        this.#enter("failed", 0);
    }

    /** The machine is being loaded. */
    expectMachine() {
        this.reason = "";
        this.#enter("idle", 0);
    }

    /** Whether the server requires a token, or another one than it got: `setToken` goes on. */
    get needsToken() {
        return this.#failure === "unauthorized";
    }

    /**
     * The token for the server, now and after every reconnect; an open connection goes on with it.
     *
     * @param {string} token empty: none.
     */
    setToken(token) {
        this.#token = token;
        this.input((machine, now) => {
            machine.setToken(token, now);
            machine.retry(now);
        });
    }

    /** What the session has seen and done; null before there is a machine. */
    get diagnostics() {
        return this.machine?.diagnostics() ?? null;
    }

    /** Tries at once, after whatever ended the connection; while there is one it does nothing. */
    retry() {
        this.input((machine, now) => machine.retry(now));
    }

    /** Ends the connection on purpose: it stays closed until `retry()`. */
    close() {
        this.input((machine, now) => machine.disconnect(now));
    }

    /** @param {boolean} isOnline what the browser believes of the network. */
    setNetwork(isOnline) {
        this.input((machine, now) => machine.setNetwork(isOnline, now));
    }

    /** @param {boolean} isHidden whether the page is hidden: the streams slow down then. */
    setHidden(isHidden) {
        this.#isHidden = isHidden;
        this.input((machine, now) => machine.setHidden(isHidden, now));
    }

    /** Makes `subscriptions` the desired ones, now and after every reconnect.
     * @param {Subscription[]} subscriptions */
    setSubscriptions(subscriptions) {
        this.#wanted = subscriptions;
        this.input((machine, now) => {
            const before = this.#streams;
            const keys = new Map([...before].map(([number, stream]) => [streamKey(stream), number]));
            for (const stream of subscriptions) {
                keys.delete(streamKey(stream));
            }
            // What ends goes first: a symbol moves from the list to the chart without having two streams.
            keys.forEach((number) => machine.unsubscribe(number, now));
            this.#streams = new Map(subscriptions.map((stream) => [machine.subscribe(stream, now), stream]));
            this.#feedChart(machine);
        });
    }

    /** Lets the charted stream feed the chart, from its next snapshot on.
     * @param {SessionMachine} machine */
    #feedChart(machine) {
        const [number] = [...this.#streams].find(([, { isCharted }]) => isCharted) ?? [null];
        if (this.#chart && number !== this.#fed) {
            this.#fed = number;
            machine.feed(number, this.#chart.handle);
        }
    }

    /**
     * What is reported of any stream.
     *
     * @param {(stream: Subscription, event: StreamEvent) => void} listener called in the order of addition. Not an event of
     *   the DOM's: a busy market has a thousand a second.
     */
    addListener(listener) {
        this.#listeners.push(listener);
    }

    /**
     * Subscribes to a channel, now and after every reconnect: each begins with the server's snapshot, then its messages follow,
     * none left out. Again for one that is there already: a new snapshot, for a part of the page that opens later. While
     * the page is hidden only `orders` and `events` go on; the others return with a snapshot.
     *
     * @param {ChannelName} name
     * @param {string} [account] of `positions`, `orders`, `portfolio` and, narrowing them, `events`; `paper-main` where
     *   one is needed and none is named.
     * @throws {RangeError} for a channel that there is not.
     */
    subscribeChannel(name, account = "") {
        if (!CHANNELS.includes(name)) {
            throw new RangeError(`There is no channel “${name}”, only ${CHANNELS.join(", ")}`);
        }
        this.#channels.set(channelKey(name, account), { name, account });
        this.input((machine, now) => machine.subscribeChannel(name, account, now));
    }

    /**
     * @param {ChannelName} name
     * @param {string} [account]
     */
    unsubscribeChannel(name, account = "") {
        if (this.#channels.delete(channelKey(name, account))) {
            this.input((machine, now) => machine.unsubscribeChannel(name, account, now));
        }
    }

    /** @param {import("../engine/boundary.js").SessionEvent} record */
    perform(record) {
        switch (record.kind) {
            case "open":
                this.openSocket(record.socket);
                break;
            case "send":
                this.sendFrame(record);
                break;
            case "close":
            case "drop":
                this.closeSocket(record);
                break;
            case "token":
                // After a rejection the person signs in again, in their own time.
                this.input((machine, now) => machine.setToken(record.wasRejected ? "" : this.#token, now));
                break;
            case "state":
                this.#stateChanged(record);
                break;
            case "latency":
                this.latency = record.seconds * 1000;
                this.dispatchEvent(new Event("latency"));
                break;
            case "problem":
                console.debug(`The server reports: ${record.message} (${record.code})`);
                break;
            case "unknown":
                console.debug(`A message of an unknown type: ${record.type}`);
                break;
            case "closing":
                console.debug(`The server closes and requests to reconnect in ${record.seconds} s`);
                break;
            case "channelSubscribed":
                break;
            case "channelMessage":
                this.#channelReceived(record);
                break;
            case "channelRefused":
                this.dispatchEvent(new CustomEvent("channelrefused", { detail: record }));
                break;
            default:
                this.#streamReceived(record);
        }
    }

    /** @param {{state: SessionState, until: number, failure: string}} record */
    #stateChanged({ state, until, failure }) {
        this.#failure = failure;
        if (state === "open") {
            this.opened += 1;
        } else {
            this.latency = null;
        }
        this.#enter(state, until * 1000);
    }

    /**
     * @param {SessionState} state
     * @param {number} retryAt
     */
    #enter(state, retryAt) {
        this.state = state;
        this.retryAt = retryAt;
        this.dispatchEvent(new Event("state"));
    }

    /** @param {StreamEvent} event */
    #streamReceived(event) {
        const stream = this.#streams.get(event.subscription);
        if (stream) {
            this.#listeners.forEach((listener) => listener(stream, event));
        }
    }

    /** @param {{channel: ChannelName, account: ?string, text: string}} record */
    #channelReceived({ channel, account, text }) {
        const message = JSON.parse(text);
        this.dispatchEvent(new CustomEvent("channel", { detail: { channel, account, message } }));
    }

    /** @param {number} socket @param {unknown} data */
    received(socket, data) {
        this.rate.count();
        if (typeof data === "string") {
            this.input((machine, now) => machine.received(socket, data, now));
        }
    }

    /** @param {number} socket @param {CloseEvent} event */
    closed(socket, { code, reason }) {
        this.input((machine, now) => machine.closed(socket, code, reason, now));
    }
}

/** Equal for what the machine holds to be the same channel.
 * @param {ChannelName} name @param {string} account */
function channelKey(name, account) {
    switch (name) {
        case "positions":
        case "orders":
        case "portfolio":
            return `${name} ${account || "paper-main"}`;
        case "events":
            return `${name} ${account}`;
        default:
            return name;
    }
}

/** @param {{symbol: string, timeframe: string}} stream */
function streamKey({ symbol, timeframe }) {
    return `${timeframe} ${symbol}`;
}
