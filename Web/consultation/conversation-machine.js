/** Characters of a message. */
export const MAX_MESSAGE_LENGTH = 5000;

/** Most bytes that one UTF-16 unit becomes in UTF-8. */
const BYTES_PER_UNIT = 3;

/** Why a message cannot be sent, as a sentence for people. */
export class SendError extends Error {}

/**
 * Where a message stands. user: `pending` -> `sent`, or `failed` -> `pending` again. assistant: `streaming` -> `complete`,
 * `cancelled`, `interrupted` or `failed`.
 *
 * @typedef {"pending" | "sent" | "streaming" | "complete" | "cancelled" | "interrupted" | "failed"} MessageState
 */

/**
 * Something an assistant made that can be opened.
 *
 * @typedef {object} Template
 * @property {string} id
 * @property {string} type `meal`, `chart_layout` and the like, or a word of a later version.
 * @property {string} name
 * @property {string} description
 * @property {Record<string, unknown>} fields what it consists of.
 * @property {"" | "approved" | "declined"} decision of an order proposal.
 * @property {string} orderID of the order that it became.
 */

/**
 * @typedef {object} ChatMessage
 * @property {string} id
 * @property {"user" | "assistant" | "system"} role
 * @property {string} text
 * @property {number} time seconds since 1970.
 * @property {MessageState} state
 * @property {string} reason why it failed, a sentence.
 * @property {?Template} template
 * @property {string} edits the message that this one replaces; empty for none.
 * @property {string} supersededBy the message that replaces this one; empty for none, `later` where only the server knows.
 * @property {number} revision counts its changes.
 * @property {number} rewrites counts those that were more than text at its end.
 */

/** @typedef {Omit<ChatMessage, "text"> & {text?: string}} ChangedMessage of one that is known, without a text that only grew. */

/**
 * @typedef {"idle" | "connecting" | "authenticating" | "open" | "waiting" | "failed" | "closed"} ConversationState
 */

/**
 * What the page does for the machine.
 *
 * @typedef {{kind: "open" | "drop", socket: number}
 *   | {kind: "send", socket: number, frame: string}
 *   | {kind: "close", socket: number, code: number}
 *   | {kind: "token", wasRejected: boolean}
 *   | {kind: "login"}} ConversationAction
 */

/**
 * What the connection has seen and done.
 *
 * @typedef {object} ConversationDiagnostics
 * @property {boolean} isConnected
 * @property {number} reconnectAttempts since the last stable connection.
 * @property {number} connects connections that became open.
 * @property {number} [openSince] when the present one opened, seconds of the page's clock.
 * @property {number} [roundTrip] smoothed, seconds.
 * @property {number} messageCount
 * @property {number} framesIn
 * @property {number} framesOut
 * @property {number} bytesIn
 * @property {number} bytesOut
 * @property {number} malformed frames that could not be read.
 * @property {number} unknown frames of types that this version does not know.
 * @property {number} binary
 * @property {number} duplicates
 * @property {number} gaps
 * @property {number} resumed
 * @property {number} synced
 * @property {string} lastError
 * @property {string} lastMalformed
 */

/**
 * The engine's answer to an input: how the conversation stands, see `ConversationMachine`, and what has changed.
 *
 * @typedef {object} ConversationOutput
 * @property {ConversationAction[]} actions
 * @property {string[]} [order] the ids of all messages, where the order is another one.
 * @property {(ChangedMessage & {more?: string})[]} [messages] those that changed; `more` is text behind the one that is known.
 * @property {string} [sent] the id of the message.
 * @property {string} [refused] why a message cannot be sent.
 * @property {ChatMessage[]} [described]
 * @property {object[]} [unsent]
 * @property {{time: number, isSent: boolean, bytes: number, text: string}[]} [log]
 * @property {number} [deadline]
 */

/**
 * The machine of one conversation inside the engine, and the messages as it last reported them.
 *
 * It does nothing by itself: report what happened, perform what `next` returns until there is none, and call `timerFired`
 * at `deadline`. Times are seconds of `performance.now()`.
 */
export class ConversationMachine {
    /** @type {ChatMessage[]} In the server's order; what waits for it comes last. */
    messages = [];
    /** @type {ConversationState} */
    state = "idle";
    /** When to call `timerFired`; infinity: not at all. */
    deadline = Infinity;
    /** What went wrong, as a sentence; empty where nothing is. */
    problem = "";
    /** Whether an answer is being written, as far as is known now. */
    isTyping = false;
    /** Whether one of the messages is such an answer. */
    isStreaming = false;
    /** Whether the newest message is a question that the server has and no answer has begun for. */
    isAwaited = false;
    /** Whether a message or an answer is under way. */
    isBusy = false;
    /** Whether there is no such conversation, or none any more. */
    isGone = false;
    /** Whether the server requires a token, or another one. */
    needsLogin = false;
    /** Whether the server has messages before the first one here. */
    hasOlder = false;
    diagnostics = /** @type {ConversationDiagnostics} */ ({});
    #engine;
    #handle;
    /** @type {Map<string, number>} the inputs' numbers. */
    #inputs;
    /** @type {Map<string, ChatMessage>} */
    #byID = new Map();
    /** @type {ConversationAction[]} */
    #actions = [];
    #encoder = new TextEncoder();
    #decoder = new TextDecoder();

    /**
     * @param {import("../engine/engine.js").Engine} engine
     * @param {object} options
     * @param {Uint32Array} options.seed two words, for ids and jitter.
     * @param {number} options.epoch seconds since 1970 when the clock shows zero.
     */
    constructor(engine, { seed, epoch }) {
        this.#engine = engine;
        const { exports } = engine;
        const names = engine.bytes(exports.cw_conversation_inputs(), exports.cw_conversation_inputs_length());
        this.#inputs = new Map(this.#decoder.decode(names).split(",").map((name, at) => [name, at]));
        this.#handle = exports.cw_conversation_new(seed[0], seed[1], epoch);
        this.#perform("dismissProblem", 0);
    }

    free() {
        this.#engine.exports.cw_conversation_free(this.#handle);
        this.#handle = 0;
    }

    /** @returns {?ConversationAction} null when there is nothing more to do. */
    next() {
        return this.#actions.shift() ?? null;
    }

    get isConnected() {
        return this.state === "open";
    }

    /** The answer under way. */
    get streaming() {
        return this.isStreaming ? this.messages.findLast(({ state }) => state === "streaming") : undefined;
    }

    // What the page requests.

    /** @param {number} now */
    connect(now) {
        this.#perform("connect", now);
    }

    /** @param {number} now */
    disconnect(now) {
        this.#perform("disconnect", now);
    }

    /** At once instead of later, or again after it was given up.
     * @param {number} now */
    retryNow(now) {
        this.#perform("retryNow", now);
    }

    /** @param {boolean} isOnline @param {number} now */
    networkChanged(isOnline, now) {
        this.#perform(isOnline ? "online" : "offline", now);
    }

    /** @param {string} token empty: there is none. @param {number} now */
    setToken(token, now) {
        this.#perform("token", now, { text: token });
    }

    /** @param {number} now */
    dismissProblem(now) {
        this.#perform("dismissProblem", now);
    }

    /**
     * Shows a message at once and sends it, now or as soon as there is a connection.
     *
     * @param {string} text
     * @param {Record<string, unknown>} metadata `context` and `edits`.
     * @param {number} now
     * @returns {string} its id.
     * @throws {SendError}
     */
    send(text, metadata, now) {
        this.#perform("details", now, { text: JSON.stringify(metadata) });
        const { sent, refused } = this.#perform("send", now, { a: characterCount(text), text });
        if (sent === undefined) {
            throw new SendError(refused);
        }
        return sent;
    }

    /** Messages that the server did not acknowledge, as JSON that `restore` reads; empty where there are none.
     * @param {number} now */
    unsent(now) {
        const { unsent = [] } = this.#perform("unsent", now);
        return unsent.length > 0 ? JSON.stringify(unsent) : "";
    }

    /** Goes on with messages of an earlier page.
     * @param {string} unsent @param {number} now */
    restore(unsent, now) {
        this.#perform("restore", now, { text: unsent });
    }

    /** Sends what failed again, under the same id; for an answer, requests another one.
     * @param {string} id @param {number} now */
    retry(id, now) {
        this.#perform("retry", now, { text: id });
    }

    /** Stops an answer, or whatever answers the message named.
     * @param {string} id @param {number} now */
    cancel(id, now) {
        this.#perform("cancel", now, { text: id });
    }

    /** Removes a message that failed.
     * @param {string} id @param {number} now */
    discard(id, now) {
        this.#perform("discard", now, { text: id });
    }

    /** Messages as the server's history describes them.
     * @param {object[]} described @param {number} now @returns {ChatMessage[]} */
    describe(described, now) {
        return this.#perform("describe", now, { text: JSON.stringify(described) }).described ?? [];
    }

    /** The last frames, without secrets, for a developer.
     * @param {number} limit how many are kept from now on. @param {number} now */
    log(limit, now) {
        return this.#perform("log", now, { a: limit }).log ?? [];
    }

    // Reports of the sockets and the timer. Those of sockets that were released are ignored.

    /** @param {number} socket @param {number} now */
    opened(socket, now) {
        this.#perform("opened", now, { a: socket });
    }

    /** The handshake failed.
     * @param {number} socket @param {number} status 0 where it is not known. @param {number} now */
    refused(socket, status, now) {
        this.#perform("refused", now, { a: socket, b: status });
    }

    /** @param {number} socket @param {number} code @param {number} now */
    closed(socket, code, now) {
        this.#perform("closed", now, { a: socket, b: code });
    }

    /** @param {number} socket @param {string} text one frame. @param {number} now */
    received(socket, text, now) {
        this.#perform("received", now, { a: socket, text });
    }

    /** @param {number} socket @param {number} bytes how many. @param {number} now */
    receivedBinary(socket, bytes, now) {
        this.#perform("binary", now, { a: socket, b: bytes });
    }

    /** @param {number} now */
    timerFired(now) {
        this.#perform("timer", now);
    }

    /**
     * @param {string} input
     * @param {number} now
     * @param {{a?: number, b?: number, text?: string}} more
     * @returns {ConversationOutput}
     */
    #perform(input, now, { a = 0, b = 0, text = "" } = {}) {
        const { exports } = this.#engine;
        const number = this.#inputs.get(input);
        if (number === undefined) {
            throw new Error(`candlewire.wasm knows no input “${input}”: reload the page to get the matching engine.`);
        }
        const capacity = text.length * BYTES_PER_UNIT;
        const inbox = exports.cw_conversation_inbox(this.#handle, capacity);
        const { written = 0 } = this.#encoder.encodeInto(text, this.#engine.bytes(inbox, capacity));
        const length = exports.cw_conversation_perform(this.#handle, number, a, b, written, now);
        const bytes = this.#engine.bytes(exports.cw_conversation_output(this.#handle), length);
        /** @type {ConversationOutput} */
        const output = JSON.parse(this.#decoder.decode(bytes));
        const { actions, messages, order, sent, refused, described, unsent, log, deadline = Infinity, ...status } = output;
        Object.assign(this, status, { deadline });
        this.#actions.push(...actions);
        messages?.forEach(({ more = "", ...message }) => this.#update(message, more));
        if (order) {
            this.messages = order.map((id) => /** @type {ChatMessage} */ (this.#byID.get(id)));
            this.#byID = new Map(this.messages.map((each) => [each.id, each]));
        }
        return output;
    }

    /** The same object stands for the same message.
     * @param {ChangedMessage} message @param {string} more */
    #update(message, more) {
        const known = this.#byID.get(message.id);
        if (known) {
            Object.assign(known, { text: known.text + more, ...message });
        } else {
            this.#byID.set(message.id, /** @type {ChatMessage} */ (message));
        }
    }
}

/** Letters as people count them: what a limit of characters is about.
 * @param {string} text */
export function characterCount(text) {
    // No text has more characters than units; segmenting a megabyte would need seconds.
    return text.length > 100_000 ? text.length : [...segmenter.segment(text)].length;
}

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
