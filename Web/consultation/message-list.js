import { byId, copyOf, part, setText } from "../dom.js";
import { showList } from "../ui/keyed-list.js";
import { FollowTail } from "./follow-tail.js";
import { MessageView } from "./message-view.js";

/** @typedef {import("./conversation-machine.js").ChatMessage} ChatMessage */
/** @typedef {{key: string, isFold: boolean, messages: ChatMessage[]}} Entry a message, or some that are folded away. */

/**
 * The messages of a conversation, oldest first. Those of an earlier version, that an edited message replaced, are folded away.
 *
 * Events: `older` (those before the first are to be loaded).
 */
export class MessageList extends EventTarget {
    tail;
    #callbacks;
    element = byId("chat-body");
    #list = byId("chat-messages");
    #older = byId("chat-older");
    /** @type {Map<string, MessageView>} */
    #views = new Map();
    #last = "";
    /** @type {Set<string>} Answers that made something. */
    #makers = new Set();

    /** @param {import("./message-view.js").MessageCallbacks} callbacks */
    constructor(callbacks) {
        super();
        this.#callbacks = callbacks;
        this.tail = new FollowTail(byId("chat-scroller"), this.#list, byId("chat-newest"));
        this.#older.addEventListener("click", () => this.dispatchEvent(new Event("older")));
    }

    /** Another conversation. */
    clear() {
        this.#views.clear();
        this.#list.replaceChildren();
        this.#last = "";
        this.tail.resume();
    }

    /**
     * @param {ChatMessage[]} messages
     * @param {object} state
     * @param {boolean} state.hasOlder
     * @param {boolean} state.isKnown whether these are all that there are, as far as is known.
     * @param {boolean} state.canSend
     */
    show(messages, { hasOlder, isKnown, canSend }) {
        this.#older.hidden = !hasOlder;
        byId("chat-empty").hidden = messages.length > 0 || !isKnown;
        this.#makers = makers(messages);
        const entries = folded(messages);
        const wanted = new Set(messages.map(({ id }) => id));
        this.#views.forEach((_, id) => wanted.has(id) || this.#views.delete(id));
        const update = (/** @type {HTMLElement} */ row, /** @type {Entry} */ entry) => this.#update(row, entry, canSend);
        showList(this.#list, entries, ({ key }) => key, (entry) => this.#make(entry), update);
        const end = messages.at(-1);
        const last = end ? `${end.id} ${end.revision}` : "";
        const isNews = last !== this.#last;
        this.#last = last;
        this.tail.changed(isNews);
    }

    /** @param {Entry} entry */
    #make(entry) {
        return entry.isFold ? copyOf("message-fold") : this.#viewOf(entry.messages[0]).element;
    }

    /** @param {HTMLElement} row @param {Entry} entry @param {boolean} canSend */
    #update(row, entry, canSend) {
        if (entry.isFold) {
            const count = entry.messages.length;
            const words = `Earlier version · ${count} message${count === 1 ? "" : "s"}`;
            setText(part(row, "summary"), words);
            const make = (/** @type {ChatMessage} */ message) => this.#viewOf(message).element;
            const update = (/** @type {HTMLElement} */ _, /** @type {ChatMessage} */ message) => this.#show(message, false);
            showList(part(row, "ol"), entry.messages, ({ id }) => id, make, update);
        } else {
            this.#show(entry.messages[0], canSend);
        }
    }

    /** @param {ChatMessage} message @param {boolean} canSend */
    #show(message, canSend) {
        this.#viewOf(message).show(message, canSend, this.#makers.has(message.id));
    }

    /** @param {ChatMessage} message */
    #viewOf(message) {
        let view = this.#views.get(message.id);
        if (!view) {
            view = new MessageView(message, this.#callbacks);
            this.#views.set(message.id, view);
        }
        return view;
    }
}

/**
 * The answers that something was made in: a template follows the answer that it is from.
 *
 * @param {ChatMessage[]} messages
 * @returns {Set<string>} their ids.
 */
function makers(messages) {
    const found = new Set();
    let answer = "";
    for (const { id, role, template } of messages) {
        answer = role === "assistant" ? id : answer;
        template && found.add(answer);
    }
    return found;
}

/**
 * Messages one by one, and those that were superseded together.
 *
 * @param {ChatMessage[]} messages
 * @returns {Entry[]}
 */
function folded(messages) {
    /** @type {Entry[]} */
    const entries = [];
    for (const message of messages) {
        const last = entries.at(-1);
        if (message.supersededBy === "") {
            entries.push({ key: message.id, isFold: false, messages: [message] });
        } else if (last?.isFold) {
            last.messages.push(message);
        } else {
            entries.push({ key: `fold ${message.id}`, isFold: true, messages: [message] });
        }
    }
    return entries;
}
