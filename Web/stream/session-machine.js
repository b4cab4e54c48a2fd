import { timeframe } from "../timeframes.js";
import { ROW } from "./candle-rows.js";

/** Kinds of records by their numbers on the WebAssembly boundary. */
const KINDS = [
    ...["", "open", "send", "close", "drop", "token"],
    ...["state", "subscribed", "snapshot", "tick", "candle", "skipped", "gap", "stale", "fresh", "refused"],
    ...["latency", "problem", "unknown", "closing"],
    ...["channelSubscribed", "channelMessage", "channelRefused"],
];

/** @type {ChannelName[]} channels by their numbers on the boundary. */
export const CHANNELS = ["markets", "positions", "orders", "portfolio", "events", "health"];

/**
 * What went wrong, by number on the boundary.
 * @type {((code: number, text: string) => string)[]}
 */
const PROBLEMS = [
    () => "",
    (code, reason) => reason || (code === 1006 ? "the connection broke off" : `closed with code ${code}`),
    (status) => `refused with status ${status}`,
    () => "the server did not answer in time",
    () => "no answer to a ping",
    (_, message) => message,
    (_, detail) => `unreadable message: ${detail}`,
];

/** @type {SessionState[]} states by their numbers on the boundary. */
const STATES = ["idle", "connecting", "authenticating", "open", "waiting", "failed", "closed"];

/** Why the machine gave up, by number on the boundary. */
const FAILURES = ["", "closeCode", "refused", "unauthorized", "attemptsExhausted"];

/** Why a stream begins with a snapshot, by number on the boundary. */
const REASONS = ["first", "reloaded", "gap", "resumed", "server", "behind"];

/** Most bytes that one UTF-16 unit becomes in UTF-8. */
const BYTES_PER_UNIT = 3;

/**
 * - `idle` nothing was asked for yet
 * - `connecting` a socket is being opened
 * - `authenticating` the server looks at a token
 * - `open` messages flow
 * - `waiting` the next attempt is due
 * - `failed` trying again by itself would not help
 * - `closed` ended on purpose
 *
 * @typedef {"idle" | "connecting" | "authenticating" | "open" | "waiting" | "failed" | "closed"} SessionState
 */

/** @typedef {"markets" | "positions" | "orders" | "portfolio" | "events" | "health"} ChannelName */

/**
 * What is told of one channel: that the server serves it and a snapshot follows, a message with its text as it came, or
 * that the server does not want to. `account` is null for a channel without one.
 *
 * @typedef {{kind: "channelSubscribed", channel: ChannelName, account: ?string}
 *   | {kind: "channelMessage", channel: ChannelName, account: ?string, text: string}
 *   | {kind: "channelRefused", channel: ChannelName, account: ?string, code: string, message: string}} ChannelEvent
 */

/**
 * What the machine wants done (`open` to `token`) or tells. `subscription` is the number that `subscribe` returned.
 *
 * @typedef {{kind: "open" | "drop", socket: number}
 *   | {kind: "send", socket: number, frame: string}
 *   | {kind: "close", socket: number, code: number, reason: string}
 *   | {kind: "token", wasRejected: boolean}
 *   | {kind: "state", state: SessionState, until: number, failure: string, code: number, reason: string}
 *   | {kind: "latency" | "closing", seconds: number}
 *   | {kind: "problem", code: string, message: string}
 *   | {kind: "unknown", type: string}
 *   | ChannelEvent
 *   | StreamEvent} SessionRecord
 */

/**
 * What is told of one stream.
 *
 * @typedef {{kind: "subscribed", subscription: number, recovered: boolean}
 *   | {kind: "snapshot", subscription: number, reason: string, rows: Float64Array}
 *   | {kind: "tick", subscription: number, timestamp: number, price: number, volume: number}
 *   | {kind: "candle", subscription: number, candle: import("./candle-rows.js").Candle, final: boolean,
 *      revision: number, quality: number}
 *   | {kind: "skipped", subscription: number, count: number}
 *   | {kind: "gap" | "fresh", subscription: number}
 *   | {kind: "stale", subscription: number, age: number}
 *   | {kind: "refused", subscription: number, code: string, message: string}} StreamEvent
 */

/**
 * What the session has seen and done, over the page's life.
 *
 * @typedef {object} Diagnostics
 * @property {number} attempts to connect, since the last stable connection.
 * @property {boolean} isSlowRetry whether the quick attempts are used up.
 * @property {number} messagesIn
 * @property {number} messagesOut
 * @property {number} bytesIn
 * @property {number} bytesOut
 * @property {?number} roundTrip smoothed, seconds.
 * @property {?number} openSince when the present connection opened, seconds of `performance.now()`.
 * @property {number} connects connections that became open.
 * @property {number} recovered streams that went on with all that they had missed.
 * @property {number} reloaded streams that had to go on with a snapshot.
 * @property {number} gaps losses found inside a connection.
 * @property {number} duplicates
 * @property {number} skipped updates that the server merged for us, and said so.
 * @property {number} malformed messages that could not be read.
 * @property {number} streams wanted.
 * @property {number} live streams that are delivered now.
 * @property {string} problem the last one, for people; empty where there was none.
 */

/**
 * The session machine inside the engine: which socket to open when, what to send on it, and what a message means.
 *
 * It does nothing by itself. Tell it what happened, then take records with `next` until there is none, then wake it at
 * `deadline`. Times are seconds of `performance.now()`.
 */
export class SessionMachine {
    #exports;
    #engine;
    #handle;
    /** Where the record's numbers lie; the address never changes. */
    #numbers;
    #encoder = new TextEncoder();
    #decoder = new TextDecoder();

    /**
     * @param {import("../chart/engine.js").Engine} engine
     * @param {Uint32Array} seed two words; they decide about the jitter.
     */
    constructor(engine, seed) {
        this.#engine = engine;
        this.#exports = engine.exports;
        this.#handle = this.#exports.cw_session_new(seed[0], seed[1]);
        this.#numbers = this.#exports.cw_session_numbers(this.#handle);
    }

    free() {
        this.#exports.cw_session_free(this.#handle);
        this.#handle = 0;
    }

    // What the page wants.

    connect(now) {
        this.#exports.cw_session_connect(this.#handle, now);
    }

    disconnect(now) {
        this.#exports.cw_session_disconnect(this.#handle, now);
    }

    retry(now) {
        this.#exports.cw_session_retry(this.#handle, now);
    }

    setNetwork(isAvailable, now) {
        this.#exports.cw_session_network(this.#handle, isAvailable ? 1 : 0, now);
    }

    setHidden(isHidden, now) {
        this.#exports.cw_session_hidden(this.#handle, isHidden ? 1 : 0, now);
    }

    /**
     * @param {import("./subscription-plan.js").Subscription} subscription
     * @param {number} now
     * @returns {number} what the stream is called from now on.
     */
    subscribe({ symbol, timeframe: id, history, maxRate }, now) {
        const { index } = timeframe(id);
        return this.#engine.withText(symbol, (pointer, length) =>
            this.#exports.cw_session_subscribe(this.#handle, pointer, length, index, history, maxRate, now),
        );
    }

    unsubscribe(subscription, now) {
        this.#exports.cw_session_unsubscribe(this.#handle, subscription, now);
    }

    /**
     * Wants a channel; for one that is live already, a new snapshot.
     *
     * @param {ChannelName} name
     * @param {string} account empty: `paper-main` where the channel needs one.
     * @param {number} now
     */
    subscribeChannel(name, account, now) {
        this.#engine.withText(account, (pointer, length) =>
            this.#exports.cw_session_channel_subscribe(this.#handle, CHANNELS.indexOf(name), pointer, length, now),
        );
    }

    /**
     * @param {ChannelName} name
     * @param {string} account
     * @param {number} now
     */
    unsubscribeChannel(name, account, now) {
        this.#engine.withText(account, (pointer, length) =>
            this.#exports.cw_session_channel_unsubscribe(this.#handle, CHANNELS.indexOf(name), pointer, length, now),
        );
    }

    // What the sockets and the timer report.

    opened(socket, now) {
        this.#exports.cw_session_opened(this.#handle, socket, now);
    }

    /** @param {string} token empty: none, also where the machine asks for one. */
    setToken(token, now) {
        this.#exports.cw_session_token(this.#handle, this.#post(token), now);
    }

    /** @param {string} text one message. */
    received(socket, text, now) {
        this.#exports.cw_session_received(this.#handle, socket, this.#post(text), now);
    }

    closed(socket, code, reason, now) {
        this.#exports.cw_session_closed(this.#handle, socket, code, this.#post(reason), now);
    }

    timerFired(now) {
        this.#exports.cw_session_timer(this.#handle, now);
    }

    // What the machine answers.

    /** When to call `timerFired`; infinity when there is nothing to wait for. */
    get deadline() {
        return this.#exports.cw_session_deadline(this.#handle);
    }

    /** @returns {Diagnostics} */
    diagnostics() {
        const numbers = this.#engine.floats(this.#exports.cw_session_diagnostics(this.#handle), 20).slice();
        const known = (/** @type {number} */ number) => (Number.isNaN(number) ? null : number);
        return {
            attempts: numbers[0],
            isSlowRetry: numbers[1] !== 0,
            messagesIn: numbers[2],
            messagesOut: numbers[3],
            bytesIn: numbers[4],
            bytesOut: numbers[5],
            roundTrip: known(numbers[6]),
            openSince: known(numbers[7]),
            connects: numbers[8],
            recovered: numbers[10],
            reloaded: numbers[11],
            gaps: numbers[12],
            duplicates: numbers[13],
            skipped: numbers[14],
            malformed: numbers[15],
            streams: numbers[16],
            live: numbers[17],
            problem: PROBLEMS[numbers[18]](numbers[19], this.#text()),
        };
    }

    /** @returns {?SessionRecord} null when there is no more. */
    next() {
        const kind = KINDS[this.#exports.cw_session_next(this.#handle)];
        if (!kind) {
            return null;
        }
        const at = this.#engine.floats(this.#numbers, 10);
        switch (kind) {
            case "open":
            case "drop":
                return { kind, socket: at[0] };
            case "send":
                return { kind, socket: at[0], frame: this.#text() };
            case "close":
                return { kind, socket: at[0], code: at[1], reason: this.#text() };
            case "token":
                return { kind, wasRejected: at[0] !== 0 };
            case "state": {
                const [state, until, failure, code] = at;
                return { kind, state: STATES[state], until, failure: FAILURES[failure], code, reason: this.#text() };
            }
            case "latency":
            case "closing":
                return { kind, seconds: at[0] };
            case "problem": {
                const [code, message] = this.#texts(at[0]);
                return { kind, code, message };
            }
            case "unknown":
                return { kind, type: this.#text() };
            case "channelSubscribed":
            case "channelMessage":
            case "channelRefused":
                return this.#channelEvent(kind, at);
            default:
                return this.#streamEvent(kind, at);
        }
    }

    /**
     * @param {ChannelEvent["kind"]} kind
     * @param {Float64Array} at
     * @returns {ChannelEvent}
     */
    #channelEvent(kind, at) {
        const channel = CHANNELS[at[0]];
        const hasAccount = at[1] >= 0;
        const lengths = [hasAccount ? at[1] : 0, ...(kind === "channelRefused" ? [at[2]] : [])];
        const [name, ...texts] = this.#texts(...lengths);
        const account = hasAccount ? name : null;
        switch (kind) {
            case "channelMessage":
                return { kind, channel, account, text: texts[0] };
            case "channelRefused":
                return { kind, channel, account, code: texts[0], message: texts[1] };
            default:
                return { kind, channel, account };
        }
    }

    /**
     * @param {string} kind
     * @param {Float64Array} at
     * @returns {StreamEvent}
     */
    #streamEvent(kind, at) {
        const subscription = at[0];
        switch (kind) {
            case "tick":
                return { kind, subscription, timestamp: at[1], price: at[2], volume: at[3] };
            case "candle": {
                const [, timestamp, open, high, low, close, volume, final, revision, quality] = at;
                const candle = { timestamp, open, high, low, close, volume };
                return { kind, subscription, candle, final: final !== 0, revision, quality };
            }
            case "subscribed":
                return { kind, subscription, recovered: at[1] !== 0 };
            case "snapshot": {
                const rows = this.#engine.floats(this.#exports.cw_session_rows(this.#handle), at[2] * ROW).slice();
                return { kind, subscription, reason: REASONS[at[1]], rows };
            }
            case "skipped":
                return { kind, subscription, count: at[1] };
            case "stale":
                return { kind, subscription, age: at[1] };
            case "refused": {
                const [code, message] = this.#texts(at[1]);
                return { kind, subscription, code, message };
            }
            default:
                return { kind, subscription };
        }
    }

    /** Writes `text` where the machine looks for it. @returns {number} its length in bytes. */
    #post(text) {
        const capacity = text.length * BYTES_PER_UNIT;
        const pointer = this.#exports.cw_session_inbox(this.#handle, capacity);
        return this.#encoder.encodeInto(text, this.#engine.bytes(pointer, capacity)).written;
    }

    /** The record's text. */
    #text() {
        const length = this.#exports.cw_session_text_length(this.#handle);
        return this.#decoder.decode(this.#engine.bytes(this.#exports.cw_session_text(this.#handle), length));
    }

    /** The record's text in parts: one for each of `lengths`, in bytes, and what is left. */
    #texts(...lengths) {
        const length = this.#exports.cw_session_text_length(this.#handle);
        const bytes = this.#engine.bytes(this.#exports.cw_session_text(this.#handle), length);
        let start = 0;
        const parts = lengths.map((each) => {
            const end = start + each;
            const part = this.#decoder.decode(bytes.subarray(start, end));
            start = end;
            return part;
        });
        return [...parts, this.#decoder.decode(bytes.subarray(start))];
    }
}
