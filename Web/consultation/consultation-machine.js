import { ChatMessages, chatMessage } from "./chat-messages.js";
import { ConnectionMachine } from "./connection-machine.js";
import { ConversationReader } from "./conversation-reader.js";
import { FrameLog } from "./frame-log.js";
import { describeFailure, describeProblem } from "./problem-words.js";
import { byteLength, characterCount, readEnvelope, writeEnvelope } from "./wire.js";

/** Characters of a message. */
export const LONGEST_MESSAGE = 5000;
/** Messages that may wait for the server. */
const MOST_PENDING = 20;
/** Seconds on an open connection until a message that the server does not acknowledge counts as failed. */
const PATIENCE = 15;

/** Why a message cannot be sent, as a sentence for people. */
export class SendError extends Error {}

/** @typedef {import("./chat-messages.js").ChatMessage} ChatMessage */

/**
 * @typedef {{kind: "open" | "drop", socket: number}
 *   | {kind: "send", socket: number, frame: string}
 *   | {kind: "close", socket: number, code: number, reason: string}
 *   | {kind: "token", wasRejected: boolean}} ConsultationAction
 */

/**
 * The page's side of one conversation: connection, messages, what is on its way, and what the person is told. By the rules
 * of `ConsultationClient` in Swift.
 *
 * A value without sockets and clock: what happens goes in with the time (seconds on a clock that does not go back), what
 * is to be done comes out of `next()`, and `timerFired` is called at `deadline`.
 */
export class ConsultationMachine {
    messages = new ChatMessages();
    connection;
    /** What went wrong, as a sentence; empty where nothing is. */
    problem = "";
    counts = {
        ...{ framesIn: 0, framesOut: 0, bytesIn: 0, bytesOut: 0, malformed: 0, unknown: 0, binary: 0 },
        ...{ duplicates: 0, gaps: 0, resumed: 0, synced: 0 },
    };
    lastError = "";
    log = new FrameLog();
    #epoch;
    #newID;
    #token = "";
    #reader;
    /** Not acknowledged, in the order of sending, and since when each waits on an open connection. @type {Map<string, ?number>} */
    #pending = new Map();
    #authentication = "";
    #ping = "";
    /** @type {ConsultationAction[]} */
    #actions = [];

    /**
     * @param {object} options
     * @param {() => number} options.random from 0 to 1: the jitter.
     * @param {() => string} options.newID random and unique.
     * @param {number} options.epoch seconds since 1970 when the clock shows zero.
     */
    constructor({ random, newID, epoch }) {
        this.connection = new ConnectionMachine(random);
        this.#newID = newID;
        this.#epoch = epoch;
        this.#reader = new ConversationReader(this.messages, this.counts, newID, {
            write: (type, fields, now) => this.#write(this.connection.writable, type, fields, now),
            acknowledged: (id) => {
                this.#pending.delete(id);
                this.messages.acknowledge(id);
            },
            failed: (id, sentence) => {
                this.lastError = sentence;
                this.#fail(id, sentence);
            },
            problem: (sentence) => this.#tell(sentence),
        });
    }

    /** Of the last frame that was dropped: why. */
    get lastMalformed() {
        return this.#reader.lastMalformed;
    }

    /** @returns {?ConsultationAction} null when there is nothing more to do. */
    next() {
        return this.#actions.shift() ?? null;
    }

    get deadline() {
        if (!this.connection.isOpen) {
            return this.connection.deadline;
        }
        const waits = [...this.#pending.values()].filter((since) => since !== null).map((since) => since + PATIENCE);
        return Math.min(this.connection.deadline, this.#reader.sync.deadline(PATIENCE), ...waits);
    }

    get isConnected() {
        return this.connection.isOpen;
    }

    /** Whether an answer is being written, as far as is known now: not while there is no connection. */
    get isTyping() {
        return this.isConnected && this.messages.streaming !== undefined;
    }

    /** Whether something is under way that somebody waits for. */
    get isBusy() {
        return this.#pending.size > 0 || this.messages.all.some(({ state }) => state === "streaming") || this.isAwaited;
    }

    /** Whether the newest message is a question that the server has, and that nobody answers yet. */
    get isAwaited() {
        const last = this.messages.all.findLast(({ state, role }) => role !== "system" && state !== "pending");
        return last?.role === "user" && last.state === "sent";
    }

    /** Whether there is no such conversation, or none any more. */
    get isGone() {
        const { failure, failureCode } = this.connection;
        return (failure === "status" && failureCode === 404) || (failure === "code" && failureCode === 4104);
    }

    /** Whether the server wants a token, or another one: `setToken` goes on. */
    get needsLogin() {
        return this.connection.failure === "unauthorized";
    }

    // The connection's owner.

    connect(now) {
        this.problem = "";
        this.connection.connect(now);
        this.#settle(now);
    }

    /** What is pending stays so for the next `connect`. */
    disconnect(now) {
        this.connection.disconnect();
        this.#settle(now);
    }

    /** At once instead of later, or anew after it was given up. */
    retryNow(now) {
        this.problem = "";
        this.connection.retryNow(now);
        this.#settle(now);
    }

    networkChanged(isOnline, now) {
        this.connection.networkChanged(isOnline, now);
        this.#settle(now);
    }

    /** @param {string} token empty: there is none. @param {number} now */
    setToken(token, now) {
        this.#token = token;
        this.connection.tokenChanged(token !== "", now);
        this.#settle(now);
    }

    // What the socket reports. Reports of sockets that were let go are ignored.

    opened(socket, now) {
        this.connection.opened(socket, now);
        this.#settle(now);
    }

    refused(socket, status, now) {
        this.connection.refused(socket, status, now);
        this.#settle(now);
    }

    closed(socket, code, now) {
        this.connection.closed(socket, code, now);
        this.#settle(now);
    }

    /** @param {number} socket @param {string} text one frame. @param {number} now */
    received(socket, text, now) {
        if (!this.connection.isOurs(socket)) {
            return;
        }
        const bytes = byteLength(text);
        this.counts.framesIn += 1;
        this.counts.bytesIn += bytes;
        this.log.add(false, bytes, text, now);
        this.connection.heard(socket, now);
        try {
            this.#handle(readEnvelope(text), socket, now);
        } catch (error) {
            if (!(error instanceof RangeError)) {
                throw error;
            }
            this.counts.malformed += 1;
            this.#reader.lastMalformed = error.message;
        }
        this.#settle(now);
    }

    /** The protocol has no binary frames. */
    receivedBinary(socket, bytes, now) {
        if (this.connection.isOurs(socket)) {
            this.counts.binary += 1;
            this.counts.bytesIn += bytes;
            this.log.add(false, bytes, "(binary)", now);
            this.connection.heard(socket, now);
        }
    }

    /** To be called at or after `deadline`. */
    timerFired(now) {
        this.connection.timerFired(now);
        this.#settle(now);
        if (!this.isConnected) {
            return;
        }
        for (const [id, since] of [...this.#pending]) {
            if (since !== null && now >= since + PATIENCE) {
                this.#fail(id, "The server did not acknowledge the message.");
            }
        }
        switch (this.#reader.sync.due(PATIENCE, now)) {
            case "ask":
                this.#reader.requestSync(now);
                break;
            case "give up":
                this.#reader.giveUpSync();
        }
        this.#settle(now);
    }

    // What the person says.

    /**
     * Shows a message at once and sends it, now or as soon as there is a connection; messages in a burst go out one by one,
     * each as it was written.
     *
     * @param {string} text
     * @param {Record<string, any>} metadata `context` and `edits`.
     * @param {number} now
     * @returns {string} its id.
     * @throws {SendError}
     */
    send(text, metadata, now) {
        if (text.trim() === "") {
            throw new SendError("The message has no text.");
        }
        const characters = characterCount(text);
        if (characters > LONGEST_MESSAGE) {
            throw new SendError(`The message has ${characters} characters; it may have ${LONGEST_MESSAGE}.`);
        }
        if (this.#pending.size >= MOST_PENDING) {
            throw new SendError(`${this.#pending.size} messages wait for the server; send again when they are through.`);
        }
        const message = chatMessage({ id: this.#newID(), role: "user", text, time: this.#date(now), state: "pending", metadata });
        this.messages.addPending(message);
        this.messages.fold(message);
        this.#dispatch(message, now);
        this.#settle(now);
        return message.id;
    }

    /** Messages that the server did not acknowledge, oldest first. @returns {import("./unsent.js").Unsent[]} */
    get unsent() {
        const waiting = this.messages.all.filter(({ role, state }) => role === "user" && (state === "pending" || state === "failed"));
        return waiting.map(({ id, text, time, metadata }) => ({ id, text, time, metadata: metadata ?? {} }));
    }

    /** Goes on with messages of an earlier page. @param {import("./unsent.js").Unsent[]} messages @param {number} now */
    restore(messages, now) {
        for (const { id, text, time, metadata } of messages.slice(0, MOST_PENDING)) {
            const message = chatMessage({ id, role: "user", text, time, state: "pending", metadata });
            this.messages.addPending(message);
            this.#dispatch(message, now);
        }
        this.#settle(now);
    }

    /** Sends what failed again, under the same id; of an answer, asks for another one. @param {string} id @param {number} now */
    retry(id, now) {
        const message = this.messages.find(id);
        const socket = this.connection.writable;
        if (message?.role === "user" && message.state === "failed") {
            this.messages.touch(message, { state: "pending", reason: "" });
            this.#dispatch(message, now);
        } else if (message?.role === "assistant" && message.state !== "streaming" && socket) {
            this.#write(socket, "retry", { id }, now);
        }
        this.#settle(now);
    }

    /** Takes back a message that failed. @param {string} id */
    discard(id) {
        this.messages.discard(id);
    }

    /**
     * Stops an answer, or whatever answers the message named. Without a connection it is stopped as soon as there is one.
     *
     * @param {string} id
     * @param {number} now
     */
    cancel(id, now) {
        const at = this.messages.all.findIndex((each) => each.id === id);
        const answer = this.messages.all.slice(Math.max(0, at)).find(({ role }) => role === "assistant");
        if (at < 0 || (answer ? answer.state !== "streaming" : this.messages.all[at].role !== "user")) {
            return;
        }
        const what = answer?.id ?? id;
        this.#reader.stopping.add(what);
        const socket = this.connection.writable;
        socket && this.#write(socket, "cancel", { id: what }, now);
        this.#settle(now);
    }

    #dispatch(message, now) {
        const socket = this.connection.writable;
        this.#pending.delete(message.id);
        this.#pending.set(message.id, socket ? now : null);
        socket && this.#writeMessage(socket, message, now);
    }

    #writeMessage(socket, { id, text, time, metadata }, now) {
        const more = metadata && Object.keys(metadata).length > 0 ? metadata : undefined;
        this.#write(socket, "user_message", { id, time, content: text, metadata: more }, now);
    }

    #fail(id, reason) {
        this.#pending.delete(id);
        this.#reader.stopping.delete(id);
        const message = this.messages.find(id);
        message?.state === "pending" && this.messages.touch(message, { state: "failed", reason });
    }

    // What the connection decides.

    #settle(now) {
        for (let action = this.connection.next(); action; action = this.connection.next()) {
            this.#perform(action, now);
        }
    }

    /** @param {import("./connection-machine.js").ConnectionAction} action @param {number} now */
    #perform(action, now) {
        switch (action.kind) {
            case "open":
            case "drop":
            case "close":
            case "token":
                this.#actions.push(action);
                break;
            case "authenticate":
                this.#authentication = this.#newID();
                this.#write(action.socket, "auth", { id: this.#authentication, content: this.#token }, now);
                break;
            case "ready":
                this.#begin(action.socket, now);
                break;
            case "lost":
                this.#reader.sync.end();
                this.#authentication = this.#ping = "";
                this.#pending.forEach((_, id) => this.#pending.set(id, null));
                break;
            case "ping":
                this.#ping = this.#newID();
                this.#write(action.socket, "ping", { id: this.#ping }, now);
                break;
            case "problem":
                this.#tell(describeProblem(action));
                break;
            case "state":
                this.#tell(describeFailure(this.connection));
        }
    }

    #tell(sentence) {
        if (sentence !== "") {
            this.problem = this.lastError = sentence;
        }
    }

    /** A connection that may be used: where we stand, what must be stopped, and what was not acknowledged. */
    #begin(socket, now) {
        this.problem = "";
        this.#reader.requestSync(now);
        [...this.#reader.stopping].sort().forEach((id) => this.#write(socket, "cancel", { id }, now));
        for (const id of this.#pending.keys()) {
            const message = this.messages.find(id);
            if (message) {
                this.#pending.set(id, now);
                this.#writeMessage(socket, message, now);
            }
        }
    }

    #write(socket, type, fields, now) {
        const frame = writeEnvelope(type, { time: this.#date(now), ...fields });
        const bytes = byteLength(frame);
        this.counts.framesOut += 1;
        this.counts.bytesOut += bytes;
        this.log.add(true, bytes, type === "auth" ? "auth (hidden)" : frame, now);
        this.#actions.push({ kind: "send", socket, frame });
    }

    #date(now) {
        return Math.round((this.#epoch + now) * 1000) / 1000;
    }

    /** What is about the connection, and not about the conversation. */
    #handle({ envelope, time }, socket, now) {
        const { type, message_id: id, metadata = {} } = envelope;
        const isAboutToken = this.#authentication !== "" && id === this.#authentication;
        if (type === "ack" && isAboutToken) {
            this.#authentication = "";
            this.connection.authenticated(socket, now);
        } else if (type === "error" && (metadata.code === "unauthorized" || isAboutToken)) {
            this.#authentication = "";
            this.connection.unauthorized(socket);
        } else if (type === "ping") {
            this.#write(socket, "pong", { id }, now);
        } else if (type === "pong") {
            if (this.#ping === "" || id === this.#ping) {
                this.#ping = "";
                this.connection.answered(socket, now);
            }
        } else {
            this.#reader.take(envelope, time, now);
        }
    }
}
