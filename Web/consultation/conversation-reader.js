import { chatMessage, describedMessage, endState } from "./chat-messages.js";
import { SyncWait } from "./sync-wait.js";
import { announcement, readTemplate } from "./template.js";

/**
 * What a reader needs of the one who owns the connection.
 *
 * @typedef {object} ReaderOwner
 * @property {(type: string, fields: Record<string, any>, now: number) => void} write sends a frame.
 * @property {(id: string) => void} acknowledged the server has a message.
 * @property {(id: string, sentence: string) => void} failed the server refused a message.
 * @property {(sentence: string) => void} problem what went wrong with all of it.
 */

/**
 * Takes what the server tells of a conversation, in its order: each event once, none left out. What is missing is asked for.
 */
export class ConversationReader {
    /** The last event that is known. */
    sequence = 0;
    sync = new SyncWait();
    /** Answers to be stopped that the server did not say are over. @type {Set<string>} */
    stopping = new Set();
    lastMalformed = "";
    #messages;
    #counts;
    #owner;
    #newID;

    /**
     * @param {import("./chat-messages.js").ChatMessages} messages
     * @param {{malformed: number, unknown: number, duplicates: number, gaps: number, resumed: number, synced: number}} counts
     * @param {() => string} newID
     * @param {ReaderOwner} owner
     */
    constructor(messages, counts, newID, owner) {
        this.#messages = messages;
        this.#counts = counts;
        this.#newID = newID;
        this.#owner = owner;
    }

    /** Asks for what is missing: tells where we stand. */
    requestSync(now) {
        const answer = this.#messages.streaming;
        const id = answer?.id ?? this.#newID();
        this.sync.asked(id, now);
        this.#owner.write("sync", { id, sequence: this.sequence, offset: answer?.bytes }, now);
    }

    /** A server that does not know `sync`: what was streaming when the line broke will not go on. */
    giveUpSync() {
        this.#messages.all
            .filter(({ state }) => state === "streaming")
            .forEach((each) => this.#messages.touch(each, { state: "interrupted" }));
    }

    /**
     * @param {import("./wire.js").Envelope} envelope
     * @param {number} time of it, seconds since 1970.
     * @param {number} now
     */
    take(envelope, time, now) {
        const { type, sequence } = envelope;
        if (type === "sync") {
            this.#synchronise(envelope);
        } else if (type === "ai_message_chunk") {
            this.#append(envelope, now);
        } else if (type === "error") {
            this.#showError(envelope, now);
        } else if (type === "cancelled" && sequence === undefined) {
            this.#end(envelope);
        } else if (this.#follows(envelope, now)) {
            this.#apply(envelope, time, now);
        }
    }

    /** Whether an event is the next one. One that came before is dropped; after a hole the whole is asked for. */
    #follows(envelope, now) {
        const { sequence, type, message_id: id } = envelope;
        if (sequence === undefined) {
            return true;
        }
        if (sequence === this.sequence + 1 && this.#isWhole(envelope)) {
            this.sequence = sequence;
            return true;
        }
        if (sequence <= this.sequence) {
            this.#counts.duplicates += 1;
            // Sent again because its answer was lost.
            type === "ack" && this.#owner.acknowledged(id);
        } else {
            this.#lack(now);
        }
        return false;
    }

    /** Something is missing. */
    #lack(now) {
        if (this.sync.isOver) {
            this.#counts.gaps += 1;
            this.requestSync(now);
        }
    }

    /** An answer's end says how long it is: one that is not that long here lacks something that is on its way. */
    #isWhole({ type, offset, message_id: id }) {
        const message = type === "ai_message_complete" && offset !== undefined ? this.#messages.find(id) : undefined;
        return message?.state !== "streaming" || message.bytes === offset;
    }

    #apply(envelope, time, now) {
        const { type, message_id: id, metadata = {} } = envelope;
        const isKnown = this.#messages.find(id) !== undefined;
        switch (type) {
            case "ack":
                this.#owner.acknowledged(id);
                break;
            case "user_message":
                isKnown ? this.#owner.acknowledged(id) : this.#addQuestion(envelope, time);
                break;
            case "ai_message_start":
                isKnown || this.#addAnswer(id, String(metadata.reply_to ?? ""), time, now);
                break;
            case "template_created":
                isKnown || this.#addTemplate(envelope, time);
                break;
            case "template_updated":
                this.#updateTemplate(metadata);
                break;
            case "ai_message_complete":
            case "cancelled":
                this.#end(envelope);
                break;
            default:
                this.#counts.unknown += 1;
        }
    }

    /** Somebody wrote in another tab. */
    #addQuestion({ message_id: id, content: text = "", metadata = {} }, time) {
        const message = chatMessage({ id, role: "user", text, time, state: "sent", metadata });
        this.#messages.add(message);
        this.#messages.fold(message);
    }

    /** It answers everything that waited; where one of that was to have no answer, this one is stopped. */
    #addAnswer(id, replyTo, time, now) {
        this.#messages.add(chatMessage({ id, role: "assistant", text: "", time, state: "streaming", replyTo }));
        const unwanted = this.#messages.all.filter((each) => each.state === "sent" && this.stopping.has(each.id));
        if (unwanted.length > 0) {
            unwanted.forEach((each) => this.stopping.delete(each.id));
            this.stopping.add(id);
            this.#owner.write("cancel", { id }, now);
        }
    }

    #addTemplate({ message_id: id, metadata }, time) {
        const template = readTemplate(metadata);
        if (template) {
            this.#messages.add(chatMessage({ id, role: "system", text: announcement(template), time, template }));
        } else {
            this.#counts.malformed += 1;
            this.lastMalformed = "The message was dropped: its template has no template_id, type or name.";
        }
    }

    /** @param {Record<string, any>} metadata `template_id`, `decision`, `order_id`. */
    #updateTemplate(metadata) {
        const message = this.#messages.all.find(({ template }) => template?.id === metadata.template_id);
        if (message?.template) {
            const { id, type, name, description, fields } = message.template;
            const template = readTemplate({ ...fields, ...metadata, template_id: id, type, name, description });
            this.#messages.touch(message, { template });
        }
    }

    /** An answer is over. */
    #end({ type, message_id: id, content, metadata = {} }) {
        this.stopping.delete(id);
        const message = this.#messages.find(id);
        if (message?.role !== "assistant") {
            return;
        }
        if (type === "cancelled" && content !== undefined) {
            // What the server kept, which is what counts.
            this.#messages.rewrite(message, content);
        }
        const end = metadata.end ?? (type === "cancelled" ? "cancelled" : "completed");
        this.#messages.touch(message, { state: endState(end), reason: String(metadata.reason ?? "") });
    }

    /** Text of the answer that goes on. An unknown id is ignored. */
    #append({ message_id: id, content, offset }, now) {
        const message = this.#messages.find(id);
        if (content === undefined || message?.state !== "streaming") {
            return;
        }
        const result = this.#messages.append(message, content, offset);
        if (result === "known") {
            this.#counts.duplicates += 1;
        } else if (result === "gap") {
            this.#lack(now);
        }
    }

    /** It goes on from where we said we stand, or here is the whole state. */
    #synchronise({ sequence, metadata = {} }) {
        if (sequence === undefined) {
            return;
        }
        const isAwaited = !this.sync.isOver;
        this.sync.end();
        if (!Array.isArray(metadata.messages)) {
            this.#counts.resumed += sequence === this.sequence && isAwaited ? 1 : 0;
            return;
        }
        this.#counts.synced += 1;
        this.sequence = sequence;
        const told = metadata.messages.map((each) => describedMessage(each, readTemplate)).filter((each) => each !== null);
        told.forEach(({ id, role, state }) => {
            this.#owner.acknowledged(id);
            role === "assistant" && state !== "streaming" && this.stopping.delete(id);
        });
        this.#messages.replace(told, metadata.left_out > 0);
    }

    /** Something went wrong: with one message, or with all. */
    #showError({ content: sentence = "Unknown error", message_id: id, metadata = {} }, now) {
        const about = String(metadata.message_id ?? id);
        if (metadata.code === "rate_limited" && this.sync.refused(about, metadata.retry_after, now)) {
            return;
        }
        const message = this.#messages.find(about);
        if (metadata.code === "not_answering") {
            // What is to be stopped has not begun: it is stopped when it does.
            message?.role === "user" || this.stopping.delete(about);
        } else if (message) {
            this.#owner.failed(about, sentence);
        } else {
            this.#owner.problem(sentence);
        }
    }
}
