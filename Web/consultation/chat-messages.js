import { byteLength, withoutBytes } from "./wire.js";

/** Messages in memory; those that somebody waits for stay beyond it. */
export const MEMORY = 100;
/** Of those that failed to be sent, so many stay. */
const MOST_FAILED = 20;
/** What superseded a message where only the server knows. */
export const TOLD = "later";
const ROLES = ["user", "assistant", "system"];

/**
 * Where a message stands. Each has its own: there is no flag that one answer could leave behind for another.
 *
 * user: `pending` -> `sent`, or `failed` -> `pending` again. assistant: `streaming` -> `complete`, `cancelled`,
 * `interrupted` or `failed`.
 *
 * @typedef {"pending" | "sent" | "streaming" | "complete" | "cancelled" | "interrupted" | "failed"} MessageState
 */

/**
 * @typedef {object} ChatMessage
 * @property {string} id
 * @property {"user" | "assistant" | "system"} role
 * @property {string} text
 * @property {number} bytes of the text, in UTF-8.
 * @property {number} time seconds since 1970.
 * @property {MessageState} state
 * @property {string} reason why it failed, a sentence.
 * @property {?import("./template.js").Template} template
 * @property {string} replyTo of an answer: the message it is for; empty where it is not known.
 * @property {?Record<string, any>} metadata that it is sent with.
 * @property {string} supersededBy the message that took its place, and that of what followed; empty for none.
 * @property {number} revision counts its changes, for who shows it.
 * @property {number} rewrites counts those that were more than text at its end.
 */

/** The messages of one conversation that are in memory, in the server's order; what waits for it comes last. */
export class ChatMessages {
    /** @type {ChatMessage[]} */
    all = [];
    /** Whether the server has some before the first. */
    hasOlder = false;
    /** Changes whenever anything here does. */
    revision = 0;

    /** @param {string} id @returns {ChatMessage | undefined} */
    find(id) {
        return this.all.find((each) => each.id === id);
    }

    get streaming() {
        return this.all.findLast(({ state }) => state === "streaming");
    }

    /** Behind what the server has told, before what it does not have yet. @param {ChatMessage} message */
    add(message) {
        const at = this.all.findLastIndex(({ state }) => state !== "pending") + 1;
        this.all.splice(at, 0, message);
        this.touch(message);
    }

    /** @param {ChatMessage} message that waits for the server. */
    addPending(message) {
        this.all.push(message);
        this.touch(message);
    }

    /** @param {ChatMessage} message @param {Partial<ChatMessage>} [change] */
    touch(message, change = {}) {
        Object.assign(message, change);
        message.revision += 1;
        this.revision += 1;
    }

    /** @param {ChatMessage} message @param {string} text in place of what it has. */
    rewrite(message, text) {
        if (message.text !== text) {
            message.rewrites += 1;
            this.touch(message, { text, bytes: byteLength(text) });
        }
    }

    /**
     * Text for a message; what is there already is not put there twice.
     *
     * @param {ChatMessage} message
     * @param {string} text
     * @param {number} [offset] where it belongs, in bytes; at the end without it.
     * @returns {"added" | "known" | "gap"}
     */
    append(message, text, offset = message.bytes) {
        if (offset > message.bytes) {
            return "gap";
        }
        const fresh = offset === message.bytes ? text : withoutBytes(text, message.bytes - offset);
        if (fresh === null || fresh === "") {
            return "known";
        }
        this.touch(message, { text: message.text + fresh, bytes: message.bytes + byteLength(fresh) });
        return offset + byteLength(fresh) === message.bytes ? "added" : "known";
    }

    /** The server has the message: to its place in the server's order. @param {string} id */
    acknowledge(id) {
        const message = this.find(id);
        if (message?.role !== "user" || message.state === "sent") {
            return;
        }
        this.all.splice(this.all.indexOf(message), 1);
        message.state = "sent";
        message.reason = "";
        this.add(message);
        this.fold(message);
    }

    /**
     * What a message replaces, and all that the server had after it, belongs to an earlier version. Where that one is not in
     * memory any more, it was before everything that is.
     *
     * @param {ChatMessage} message
     */
    fold(message) {
        if (!message.metadata?.edits) {
            return;
        }
        const end = this.all.indexOf(message);
        const edited = this.all.findIndex(({ id }) => id === message.metadata?.edits);
        const before = this.all.slice(edited < end ? Math.max(0, edited) : 0, end);
        before
            .filter(({ role, state, supersededBy }) => supersededBy === "" && !(role === "user" && state !== "sent"))
            .forEach((each) => this.touch(each, { supersededBy: message.id }));
    }

    /** Takes back a message that was never sent. @param {string} id */
    discard(id) {
        const message = this.find(id);
        if (message?.role === "user" && message.state === "failed") {
            this.all = this.all.filter((each) => each !== message);
            this.all.forEach((each) => each.supersededBy === id && this.touch(each, { supersededBy: "" }));
            this.revision += 1;
        }
    }

    /**
     * The whole state as a server tells it; what it does not have yet stays.
     *
     * @param {ChatMessage[]} told
     * @param {boolean} hasOlder
     */
    replace(told, hasOlder) {
        const known = new Map(told.map((each) => [each.id, each]));
        const kept = this.all.filter(
            ({ id, role, state }) => !known.has(id) && role === "user" && (state === "pending" || state === "failed"),
        );
        const whole = [...known.values()].map((each) => this.#merged(each));
        this.all = [...whole, ...kept];
        this.hasOlder = hasOlder;
        this.revision += 1;
    }

    /**
     * Keeps the newest messages, and whatever somebody waits for.
     *
     * @returns {ChatMessage[]} those that went.
     */
    trim() {
        let excess = this.all.length - MEMORY;
        if (excess <= 0) {
            return [];
        }
        let failed = this.all.filter(hasFailedToSend).length - MOST_FAILED;
        /** @type {ChatMessage[]} */
        const gone = [];
        this.all = this.all.filter((message) => {
            const isWaitedFor = message.state === "streaming" || message.state === "pending";
            if (excess <= 0 || isWaitedFor || (hasFailedToSend(message) && failed-- <= 0)) {
                return true;
            }
            excess -= 1;
            gone.push(message);
            return false;
        });
        this.hasOlder ||= gone.length > 0;
        this.revision += 1;
        return gone;
    }

    /** The same object stands for the same message, and its text is only rewritten where it is another one. */
    #merged(told) {
        const here = this.find(told.id);
        if (!here) {
            return told;
        }
        const { text, bytes, state, reason, template, time, replyTo } = told;
        const isLonger = text.startsWith(here.text);
        here.rewrites += isLonger ? 0 : 1;
        this.touch(here, { text, bytes, state, reason, template, time, replyTo });
        here.supersededBy = told.supersededBy && (here.supersededBy || told.supersededBy);
        return here;
    }
}

/** @param {Partial<ChatMessage> & {id: string, role: ChatMessage["role"], text: string, time: number}} fields */
export function chatMessage(fields) {
    return /** @type {ChatMessage} */ ({
        ...{ bytes: byteLength(fields.text), state: "complete", reason: "", template: null, replyTo: "" },
        ...{ metadata: null, supersededBy: "", revision: 0, rewrites: 0 },
        ...fields,
    });
}

/**
 * A message as a `sync` or the history describes it.
 *
 * @param {any} told
 * @param {(metadata: any) => ?import("./template.js").Template} readTemplate
 * @returns {?ChatMessage} null where it cannot be read.
 */
export function describedMessage(told, readTemplate) {
    const { message_id: id, role, content, timestamp, end = "completed", reason = "", reply_to: replyTo = "" } = told ?? {};
    const time = typeof timestamp === "string" ? Date.parse(timestamp) / 1000 : timestamp;
    if (typeof id !== "string" || !ROLES.includes(role) || typeof content !== "string" || !Number.isFinite(time)) {
        return null;
    }
    const state = { user: "sent", system: "complete", assistant: end === "streaming" ? end : endState(end) }[role];
    const template = role === "system" ? readTemplate(told.metadata) : null;
    const supersededBy = told.superseded === true ? TOLD : "";
    const metadata = role === "user" ? (told.metadata ?? null) : null;
    return chatMessage({ id, role, text: content, time, state, reason, replyTo, template, metadata, supersededBy });
}

/** A word of a later version counts as interrupted: the answer is over, and perhaps not whole. @param {string} end */
export function endState(end) {
    return /** @type {MessageState} */ ({ completed: "complete", cancelled: "cancelled", failed: "failed" }[end] ?? "interrupted");
}

/** @param {ChatMessage} message */
function hasFailedToSend({ role, state }) {
    return role === "user" && state === "failed";
}
