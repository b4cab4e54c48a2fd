import { copyOf, element, part, setText } from "../dom.js";
import { showTime } from "../format.js";
import { iconButton } from "../ui/icon-button.js";
import { MarkdownView } from "./markdown/markdown-view.js";
import { TemplateCard } from "./template-card.js";
import { announcement, typeName } from "./template-words.js";

const ICONS = {
    copy: "M9 9h11v11H9ZM15 5.5V4H4v11h1.5",
    edit: "M5 19v-3.5L15.5 5 19 8.5 8.5 19ZM13 7.5l3.5 3.5",
    again: "M19 12a7 7 0 1 1-2-5l2 2M19 4v5h-5",
};

/** @type {Record<string, string>} What is said under a message about its state. */
const STATES = { pending: "Sending…", cancelled: "Stopped", interrupted: "Interrupted" };
/** Said in place of an answer that is over and has neither text nor a card. */
const NOTHING = "The assistant gave no answer.";
const SPEAKERS = { user: "You", assistant: "Assistant", system: "Note" };

/** @typedef {import("./conversation-machine.js").ChatMessage} ChatMessage */

/**
 * What can be done with a message.
 *
 * @typedef {object} MessageCallbacks
 * @property {(message: ChatMessage) => void} copy
 * @property {(message: ChatMessage) => void} edit
 * @property {(message: ChatMessage) => void} again sends it again, or requests another answer.
 * @property {(message: ChatMessage) => void} discard
 * @property {(message: ChatMessage, text: string, isOver: boolean) => void} grew more text came while the message is shown.
 * @property {import("./template-card.js").CardCallbacks} cards
 */

/** One message: its bubble, what stands under it, and what can be done with it. */
export class MessageView {
    element = copyOf("message");
    #callbacks;
    /** @type {ChatMessage} */
    #message;
    #revision = -1;
    #rewrites = 0;
    #hasCard = false;
    /** Letters of the text that are shown. */
    #shown = 0;
    #isFinished = false;
    /** Whether it was seen while it came: what was there before is not read aloud. */
    #isLive;
    #bubble = part(this.element, ".bubble");
    #words = part(this.element, ".bubble-text");
    #tools = part(this.element, ".message-tools");
    /** @type {?MarkdownView} */
    #answer = null;
    /** @type {?TemplateCard} */
    #card = null;

    /** @param {ChatMessage} message @param {MessageCallbacks} callbacks */
    constructor(message, callbacks) {
        this.#message = message;
        this.#callbacks = callbacks;
        this.#isLive = message.state === "streaming";
        const { id, role, time } = message;
        Object.assign(this.element.dataset, { role, id });
        part(this.#bubble, "span").append(`${SPEAKERS[role]}: `);
        showTime(part(this.element, "time", HTMLTimeElement), time);
        if (message.template) {
            this.#card = new TemplateCard(callbacks.cards);
            this.#bubble.after(this.#card.element);
        }
        if (role === "assistant") {
            this.#answer = new MarkdownView(this.#words);
        } else {
            part(this.#bubble, ".typing").remove();
        }
    }

    /**
     * @param {ChatMessage} message as it is now.
     * @param {boolean} canSend whether a question can be sent.
     * @param {boolean} hasCard whether the answer made something, which is shown below it.
     */
    show(message, canSend, hasCard) {
        if (message !== this.#message || hasCard !== this.#hasCard) {
            this.#message = message;
            this.#hasCard = hasCard;
            this.#revision = -1;
        }
        this.#tools.toggleAttribute("data-busy", !canSend);
        if (message.revision !== this.#revision) {
            this.#revision = message.revision;
            this.element.dataset.state = message.state;
            this.#card && message.template && this.#card.show(message.template);
            this.#showText(message);
            this.#showNothing(message);
            this.#showFoot(message);
        }
        this.#card?.refresh();
    }

    /** @param {ChatMessage} message */
    #showText(message) {
        const { text, state, rewrites, template } = message;
        const isOver = state !== "streaming";
        if (!this.#answer) {
            setText(this.#words, template ? announcement(template, typeName(template.type).toLowerCase()) : text);
            return;
        }
        if (rewrites !== this.#rewrites) {
            this.#rewrites = rewrites;
            this.#answer.replace(text);
        } else if (text.length > this.#shown) {
            const more = text.slice(this.#shown);
            this.#answer.append(more);
            this.#isLive && this.#callbacks.grew(message, more, false);
        }
        this.#shown = text.length;
        if (isOver && !this.#isFinished) {
            this.#isFinished = true;
            this.#answer.finish();
            this.#isLive && this.#callbacks.grew(message, this.#isSilent ? NOTHING : "", true);
        } else if (!isOver) {
            this.#isFinished = false;
        }
    }

    /**
     * An answer without text has no bubble: its card says what there is to say, or its foot why there is nothing. Where
     * neither does, the bubble says so.
     *
     * @param {ChatMessage} message
     */
    #showNothing({ role, text, state }) {
        const isEmpty = role === "assistant" && text === "" && state !== "streaming";
        this.element.hidden = isEmpty && state === "complete" && this.#hasCard;
        this.#bubble.hidden = isEmpty && !this.#isSilent;
        setText(part(this.#bubble, ".bubble-nothing"), this.#isSilent ? NOTHING : "");
    }

    get #isSilent() {
        const { role, text, state } = this.#message;
        return role === "assistant" && text === "" && state === "complete" && !this.#hasCard;
    }

    /** @param {ChatMessage} message */
    #showFoot(message) {
        const { role, state, reason } = message;
        const isFailed = state === "failed";
        const words = isFailed ? `${role === "user" ? "Not sent" : "Failed"}: ${reason || "Unknown error"}` : (STATES[state] ?? "");
        setText(part(this.element, ".message-state"), words);
        const tools = [];
        if (role === "user" && isFailed) {
            tools.push(this.#textButton("Retry", this.#callbacks.again, ""), this.#textButton("Discard", this.#callbacks.discard, ""));
        } else if (role === "user" && state === "sent" && !message.supersededBy) {
            tools.push(this.#tool("Edit and send again", ICONS.edit, this.#callbacks.edit, "sends"));
        } else if (role === "assistant" && (isFailed || state === "interrupted" || this.#isSilent) && !message.supersededBy) {
            tools.push(this.#textButton("Answer again", this.#callbacks.again, "sends"));
        } else if (role === "assistant" && state !== "streaming" && !message.supersededBy) {
            tools.push(this.#tool("Answer again", ICONS.again, this.#callbacks.again, "sends"));
        }
        if (role !== "system" && message.text !== "") {
            const copy = this.#tool("Copy", ICONS.copy, this.#callbacks.copy, "");
            // Words stand at the side where the message is; what shows under the mouse only, beyond them.
            role === "user" || tools.every((each) => each.matches(".message-tool")) ? tools.unshift(copy) : tools.push(copy);
        }
        // The same ones stay, with the focus that they may have.
        const names = (/** @type {Iterable<Element>} */ each) => Array.from(each, (tool) => tool.getAttribute("title")).join();
        names(tools) === names(this.#tools.children) || this.#tools.replaceChildren(...tools);
    }

    /** @param {string} name @param {string} icon @param {(message: ChatMessage) => void} act @param {string} kind a class. */
    #tool(name, icon, act, kind) {
        const button = iconButton(name, icon, "", `message-tool ${kind}`);
        button.addEventListener("click", () => act(this.#message));
        return button;
    }

    /** @param {string} name @param {(message: ChatMessage) => void} act @param {string} kind a class. */
    #textButton(name, act, kind) {
        const button = element("button", { type: "button", class: `row-action ${kind}`, title: name }, name);
        button.addEventListener("click", () => act(this.#message));
        return button;
    }
}
