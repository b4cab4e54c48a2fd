import { timeframe } from "../timeframes.js";
import { CHANNELS, SESSION_MAILBOX, SESSION_RECORDS, numberOf, readDiagnosticsRecord, readSessionMailbox } from "./boundary.js";
import { partWith } from "./part.js";

/**
 * What went wrong last, in words.
 * @type {Record<import("./boundary.js").DiagnosticsRecord["lastProblem"], (code: number, text: string) => string>}
 */
const PROBLEMS = {
    none: () => "",
    closed: (code, reason) => reason || (code === 1006 ? "the connection broke off" : `closed with code ${code}`),
    refused: (status) => `refused with status ${status}`,
    timedOut: () => "the server did not answer in time",
    heartbeatMissed: () => "no answer to a ping",
    server: (_, message) => message,
    malformed: (_, detail) => `unreadable message: ${detail}`,
};

/** Most bytes that one UTF-16 unit becomes in UTF-8. */
const BYTES_PER_UNIT = 3;

/**
 * - `idle` nothing was requested yet
 * - `connecting` a socket is being opened
 * - `authenticating` the server checks a token
 * - `open` messages flow
 * - `waiting` the next attempt is due
 * - `failed` trying again by itself would not help
 * - `closed` ended on purpose
 *
 * @typedef {import("./boundary.js").StateEvent["state"]} SessionState
 */

/** @typedef {import("./boundary.js").ChannelSubscribedEvent["channel"]} ChannelName */

/** What is reported of one stream.
 * @typedef {Extract<import("./boundary.js").SessionEvent, {subscription: number}>} StreamEvent */

/** What the session has seen and done; `problem` is the last one, in words.
 * @typedef {import("./boundary.js").DiagnosticsRecord & {problem: string}} Diagnostics */

const Part = partWith({
    connect: "cw_session_connect",
    disconnect: "cw_session_disconnect",
    retry: "cw_session_retry",
    unsubscribe: "cw_session_unsubscribe",
    /** A socket is open. */
    opened: "cw_session_opened",
    timerFired: "cw_session_timer",
});

/**
 * The session machine inside the engine: which socket to open when, what to send on it, and what a message means.
 *
 * It does nothing by itself. Give it an input, then read what it requires with `next` until there is no more, then call
 * `timerFired` at `deadline`. The answers are in memory that both sides share, so an input is one call. Times are seconds
 * of `performance.now()`.
 */
export class SessionMachine extends Part {
    /** Place of the mailbox; it never changes. */
    #mailbox = this.exports.cw_session_mailbox(this.handle) / 8;
    #encoder = new TextEncoder();
    /** How much of the records and of their texts is read. */
    #at = 0;
    #textAt = 0;
    #texts = { read: (/** @type {number} */ length) => this.#text(length) };

    /**
     * @param {import("./engine.js").Engine} engine
     * @param {Uint32Array} seed two words; they decide about the jitter.
     */
    constructor(engine, seed) {
        super(engine, engine.exports.cw_session_new(seed[0], seed[1]));
    }

    free() {
        this.exports.cw_session_free(this.handle);
        this.handle = 0;
    }

    // What the page requests.

    /** @param {boolean} isAvailable @param {number} now */
    setNetwork(isAvailable, now) {
        this.exports.cw_session_network(this.handle, isAvailable ? 1 : 0, now);
    }

    /** @param {boolean} isHidden @param {number} now */
    setHidden(isHidden, now) {
        this.exports.cw_session_hidden(this.handle, isHidden ? 1 : 0, now);
    }

    /**
     * @param {import("../stream/subscription-plan.js").Subscription} subscription
     * @param {number} now
     * @returns {number} what the stream is called from now on.
     */
    subscribe({ symbol, timeframe: id, history, maxRate }, now) {
        const index = timeframe(id)?.index ?? -1;
        return this.engine.withText(symbol, (pointer, length) =>
            this.exports.cw_session_subscribe(this.handle, pointer, length, index, history, maxRate, now),
        );
    }

    /**
     * Subscribes to a channel; for one that is live already, a new snapshot.
     *
     * @param {ChannelName} name
     * @param {string} account empty: `paper-main` where the channel needs one.
     * @param {number} now
     */
    subscribeChannel(name, account, now) {
        this.engine.withText(account, (pointer, length) =>
            this.exports.cw_session_channel_subscribe(this.handle, numberOf(CHANNELS, name), pointer, length, now),
        );
    }

    /**
     * @param {ChannelName} name
     * @param {string} account
     * @param {number} now
     */
    unsubscribeChannel(name, account, now) {
        this.engine.withText(account, (pointer, length) =>
            this.exports.cw_session_channel_unsubscribe(this.handle, numberOf(CHANNELS, name), pointer, length, now),
        );
    }

    /**
     * Feeds a chart with a subscription's snapshots, ticks and candles, inside of the engine.
     *
     * @param {?number} subscription null: none any more.
     * @param {number} chart the chart's handle.
     */
    feed(subscription, chart) {
        this.exports.cw_session_feed(this.handle, subscription ?? -1, chart);
    }

    // What the sockets and the timer report.

    /** @param {string} token @param {number} now */
    setToken(token, now) {
        this.exports.cw_session_token(this.handle, this.#post(token), now);
    }

    /** @param {number} socket @param {string} text @param {number} now */
    received(socket, text, now) {
        this.exports.cw_session_received(this.handle, socket, this.#post(text), now);
    }

    /** @param {number} socket @param {number} code @param {string} reason @param {number} now */
    closed(socket, code, reason, now) {
        this.exports.cw_session_closed(this.handle, socket, code, this.#post(reason), now);
    }

    // What the machine answers.

    /** When to call `timerFired`; infinity when there is nothing to wait for. */
    get deadline() {
        return this.engine.numbers[this.#mailbox + SESSION_MAILBOX.deadline];
    }

    /** @returns {Diagnostics} */
    diagnostics() {
        const record = this.engine.answer(this.exports.cw_session_diagnostics(this.handle), readDiagnosticsRecord);
        const text = this.engine.text(
            this.exports.cw_session_text(this.handle),
            this.exports.cw_session_text_length(this.handle),
        );
        return { ...record, problem: PROBLEMS[record.lastProblem](record.problemCode, text) };
    }

    /** What the machine requires or reports; null when there is no more.
     * @returns {?import("./boundary.js").SessionEvent} */
    next() {
        const { numbers } = this.engine;
        const { records, recordsLength } = readSessionMailbox(numbers, this.#mailbox);
        if (this.#at >= recordsLength) {
            this.#at = 0;
            this.#textAt = 0;
            numbers[this.#mailbox + SESSION_MAILBOX.isRead] = 1;
            numbers[this.#mailbox + SESSION_MAILBOX.recordsLength] = 0;
            return null;
        }
        const place = records / 8 + this.#at;
        const { read, size } = /** @type {NonNullable<typeof SESSION_RECORDS[number]>} */ (SESSION_RECORDS[numbers[place]]);
        this.#at += 1 + size;
        return read(numbers, place + 1, this.#texts);
    }

    /** Writes `text` where the machine looks for it.
     * @returns {number} its length in bytes.
     * @param {string} text */
    #post(text) {
        const most = text.length * BYTES_PER_UNIT;
        if (most > this.engine.numbers[this.#mailbox + SESSION_MAILBOX.inboxCapacity]) {
            this.exports.cw_session_inbox(this.handle, most);
        }
        const pointer = this.engine.numbers[this.#mailbox + SESSION_MAILBOX.inbox];
        return this.#encoder.encodeInto(text, this.engine.bytes(pointer, most)).written ?? 0;
    }

    /** The next text of the records.
     * @param {number} length in bytes. */
    #text(length) {
        const pointer = this.engine.numbers[this.#mailbox + SESSION_MAILBOX.texts] + this.#textAt;
        this.#textAt += length;
        return this.engine.text(pointer, length);
    }
}
