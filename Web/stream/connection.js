import { reconnectDelay } from "./backoff.js";
import { mayReconnect } from "./close-codes.js";
import { Heartbeat } from "./heartbeat.js";
import { MessageRate } from "./message-rate.js";
import { SubscriptionSet } from "./subscription-set.js";

/** A connection counts as good, and its failures as forgotten, after this long. */
const STABLE_SECONDS = 10;
/** An attempt that neither opens nor fails is given up after this long. */
const CONNECT_DEADLINE_SECONDS = 10;

/**
 * - `idle` nothing was asked for yet
 * - `connecting` a socket is being opened
 * - `open` messages flow
 * - `waiting` the next attempt is due at `retryAt`
 * - `closed` ended on purpose, or by a close code that forbids coming back
 *
 * @typedef {"idle" | "connecting" | "open" | "waiting" | "closed"} ConnectionState
 */

/** @typedef {import("./subscription-set.js").Subscription} Subscription */

/**
 * The page's one connection to the stream server.
 *
 * One socket, one timer: every path into another state goes through `#enter`, which ends what the old state had
 * running. Subscriptions are desired state and come back after every reconnect.
 *
 * Events: `state` (whenever `state` changed), `message` (detail: the parsed message), `latency`.
 */
export class Connection extends EventTarget {
    /** @type {ConnectionState} */
    state = "idle";
    /** Failed attempts since the last stable connection. */
    attempt = 0;
    /** When the next attempt is due, `performance.now()` milliseconds; 0 unless waiting. */
    retryAt = 0;
    /** Why the last connection ended, for people. */
    reason = "";
    /** Times an open connection was reached. */
    opened = 0;
    rate = new MessageRate();
    subscriptions = new SubscriptionSet();
    #url;
    #random;
    /** @type {?WebSocket} */
    #socket = null;
    #timer = 0;
    #stable = 0;
    #stayAway = 0;
    #heartbeat;

    /**
     * @param {string} url `ws:` or `wss:` address of the stream.
     * @param {() => number} [random] source of the jitter, in [0, 1).
     */
    constructor(url, random = Math.random) {
        super();
        this.#url = url;
        this.#random = random;
        this.#heartbeat = new Heartbeat({
            send: (frame) => this.#send(frame),
            onLatency: () => this.dispatchEvent(new Event("latency")),
            onDead: () => this.#lost("no answer to a ping"),
        });
    }

    /** @returns {?number} smoothed round trip in milliseconds, null while unknown. */
    get latency() {
        return this.#heartbeat.latency;
    }

    /** Opens the connection, or tries at once when one is waited for. While open or connecting it does nothing. */
    connect() {
        if (this.state === "open" || this.state === "connecting") {
            return;
        }
        this.#enter("connecting");
        const socket = new WebSocket(this.#url);
        this.#socket = socket;
        this.#timer = setTimeout(() => this.#lost("the server did not answer"), CONNECT_DEADLINE_SECONDS * 1000);
        // A socket that was given up may still speak; it is no longer ours then.
        const ours = (handle) => (event) => socket === this.#socket && handle(event);
        socket.onopen = ours(() => this.#established());
        socket.onmessage = ours((event) => this.#received(event.data));
        socket.onclose = ours((event) => this.#lost(event.reason || `close code ${event.code}`, event.code));
    }

    /** Ends the connection on purpose: it stays closed until `connect()` is called. */
    close() {
        this.reason = "";
        this.#enter("closed");
    }

    /** Makes `subscriptions` the desired ones, now and after every reconnect. */
    setSubscriptions(/** @type {Subscription[]} */ subscriptions) {
        const frames = this.subscriptions.replace(subscriptions);
        if (this.state === "open") {
            frames.forEach((frame) => this.#send(frame));
        }
    }

    #established() {
        this.opened += 1;
        this.reason = "";
        this.#enter("open");
        this.#stable = setTimeout(() => (this.attempt = 0), STABLE_SECONDS * 1000);
        this.#heartbeat.start();
        this.subscriptions.restore().forEach((frame) => this.#send(frame));
    }

    /** @param {string | ArrayBuffer | Blob} data */
    #received(data) {
        this.rate.count();
        const message = parse(data);
        if (!message) {
            return;
        }
        if (message.type === "pong") {
            this.#heartbeat.pong(message.id);
        } else if (message.type === "closing") {
            this.#stayAway = Number(message.reconnect_after) || 0;
        }
        this.subscriptions.note(message);
        this.dispatchEvent(new CustomEvent("message", { detail: message }));
    }

    /**
     * @param {string} reason
     * @param {number} [code]
     */
    #lost(reason, code = 1006) {
        this.reason = reason;
        if (!mayReconnect(code)) {
            this.#enter("closed");
            return;
        }
        const isWatched = document.visibilityState === "visible";
        const delay = reconnectDelay(this.attempt, this.#random, { atLeast: this.#stayAway, isWatched }) * 1000;
        this.#stayAway = 0;
        this.attempt += 1;
        this.retryAt = performance.now() + delay;
        this.#enter("waiting");
        this.#timer = setTimeout(() => this.connect(), delay);
    }

    /** @param {ConnectionState} state */
    #enter(state) {
        clearTimeout(this.#timer);
        if (state !== "open") {
            clearTimeout(this.#stable);
            this.#heartbeat.stop();
            const socket = this.#socket;
            this.#socket = null;
            socket?.close();
        }
        if (state !== "waiting") {
            this.retryAt = 0;
        }
        this.state = state;
        this.dispatchEvent(new Event("state"));
    }

    /** @param {object} frame */
    #send(frame) {
        if (this.#socket?.readyState === WebSocket.OPEN) {
            this.#socket.send(JSON.stringify(frame));
        }
    }
}

/**
 * @param {string | ArrayBuffer | Blob} data
 * @returns {?{type: string}} null for what is not a message: it costs that message only.
 */
function parse(data) {
    if (typeof data !== "string") {
        return null;
    }
    try {
        const value = JSON.parse(data);
        return value !== null && typeof value === "object" && typeof value.type === "string" ? value : null;
    } catch {
        return null;
    }
}
