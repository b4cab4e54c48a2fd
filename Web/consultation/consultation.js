import { byId, detailOf, element } from "../dom.js";
import { messageOf } from "../format.js";
import { RestError } from "../stream/rest.js";
import { access } from "../stream/access.js";
import { listenForPageKeys } from "../ui/keys.js";
import { ChatNews } from "./chat-news.js";
import { ChatPanel } from "./chat-panel.js";
import { Composer } from "./composer.js";
import { consultationAddress, consultations } from "./consultation-api.js";
import { SendError } from "./conversation-machine.js";
import { ConsultationSession } from "./consultation-session.js";
import { ConversationList } from "./conversation-list.js";
import { copyText } from "./copy-text.js";
import { CurrentConversation } from "./current-conversation.js";
import { MessageList } from "./message-list.js";
import { OlderMessages } from "./older-messages.js";
import { SentenceFeeder } from "./sentences.js";
import { TemplateActions } from "./template-actions.js";
import { openDetails } from "./template-details.js";
import { TypePicker } from "./type-picker.js";
import { Unread } from "./unread.js";

/** @typedef {import("./conversation-machine.js").ChatMessage} ChatMessage */

/**
 * What of the page a conversation is about, and what its templates change.
 *
 * @typedef {Pick<PageParts, "session" | "terminal" | "store" | "studies" | "settings" | "levels" | "pages" | "trading" |
 *   "frames" | "say" | "signIn">} ChatParts
 */

/** The assistant: one conversation at a time, beside the chart that it is about. */
export class Consultation {
    /** @type {?ConsultationSession} */
    session = null;
    panel = new ChatPanel();
    list;
    composer = new Composer();
    #history = new ConversationList();
    #news = new ChatNews();
    #sentences = new SentenceFeeder(() => {});
    #spokenID = "";
    #current = new CurrentConversation();
    /** @type {?import("../engine/engine.js").Engine} */
    #engine = null;
    #page;
    #actions;
    /** @type {?import("./consultation-api.js").Conversation} */
    #conversation = null;
    #older = new OlderMessages();
    #unread = new Unread();
    #types = new TypePicker();
    /** Why there is no conversation to connect to; empty where there is. */
    #problem = "";
    /** @type {?string} The token, or none, for which the server refused; null where that is not the reason. */
    #refused = null;
    #isLoading = false;
    /** @type {?boolean} Whether the server has conversations; null while that is not known. */
    #isServed = null;
    #isChecking = false;
    #pass = () => this.#draw();

    /** @param {ChatParts} page */
    constructor(page) {
        this.#page = page;
        const decide = (/** @type {string} */ template, /** @type {"approve" | "decline"} */ decision, /** @type {string} */ account) =>
            consultations.decide(this.session?.id ?? "", template, decision, account);
        this.#actions = new TemplateActions(page, decide);
        this.list = new MessageList({
            copy: ({ text }) => this.#copy(text),
            edit: (message) => this.composer.edit(message),
            again: ({ id }) => this.#afterwards(() => this.session?.resend(id)),
            discard: ({ id }) => this.#afterwards(() => this.session?.discard(id)),
            grew: ({ id }, text, isOver) => this.#speak(id, text, isOver),
            cards: { offer: (template) => this.#actions.offer(template), open: openDetails, say: page.say },
        });
        this.#listen();
    }

    /** Gives conversations their machine.
     * @param {import("../engine/engine.js").Engine} engine */
    attach(engine) {
        this.#engine = engine;
    }

    #listen() {
        const { panel, list, composer } = this;
        const { session, store, trading, frames } = this.#page;
        // Ticket and assistant have one place: the one that is opened replaces the other.
        panel.addEventListener("open", () => {
            trading.ticket.isOpen && trading.ticket.close();
            this.#opened();
        });
        trading.ticket.addEventListener("change", () => trading.ticket.isOpen && panel.close());
        panel.addEventListener("close", () => this.#closed());
        panel.addEventListener("history", () => this.#showHistory(!panel.element.hasAttribute("data-history")));
        panel.addEventListener("new", () => this.#enter(() => this.#current.fresh(this.#types.name)));
        panel.addEventListener("retry", () => this.#retry());
        this.#types.addEventListener("change", () => this.#enter(() => this.#current.find(this.#types.name)));
        panel.addEventListener("cancel", () => this.#cancel());
        this.#history.addEventListener("open", (event) => this.#enter(() => consultations.one(detailOf(event))));
        this.#history.addEventListener("deleted", () => this.#deleted());
        list.addEventListener("older", () => this.#loadOlder());
        composer.addEventListener("send", (event) => {
            const { text, edits } = /** @type {CustomEvent<{text: string, edits: string}>} */ (event).detail;
            this.#send(text, edits) || event.preventDefault();
        });
        composer.addEventListener("stop", () => this.stop());
        trading.store.addEventListener("change", () => frames.mark(this.#pass));
        // On a phone it replaces the panel that covers the page.
        listenForPageKeys({ q: () => this.#isServed === true && this.panel.toggle() }, undefined, "*");
        session.addEventListener("state", () => this.#checkServer());
        store.addEventListener("list", () => this.#checkServer());
        this.#checkServer();
    }

    /** Only a server that has conversations gets a button for them. */
    async #checkServer() {
        this.session?.signedIn();
        if (this.panel.isOpen && this.#refused !== null && this.#refused !== access.token) {
            this.#enter(() => this.#current.find(this.#types.name));
        }
        if (this.#isServed !== null || this.#isChecking || this.#page.session.state !== "open") {
            return;
        }
        this.#isChecking = true;
        this.#isServed = await consultations.areServed().catch(() => null);
        this.#isChecking = false;
        this.#isServed && this.panel.offer();
        // An address that names a consultation opens it.
        this.#isServed && this.#types.isRequested && this.panel.open();
    }

    /** Stops the answer that is under way, or the one that is awaited. */
    stop() {
        const { session } = this;
        const machine = session?.machine;
        const isQuestion = (/** @type {ChatMessage} */ { role, state }) => role === "user" && state === "sent";
        const last = machine?.streaming ?? (machine?.isAwaited ? machine.messages.findLast(isQuestion) : undefined);
        last && session?.cancel(last.id);
    }

    // Which conversation.

    #opened() {
        this.#focus();
        if (this.session) {
            this.session.machine.state === "closed" && this.session.connect();
            this.#mark();
        } else {
            this.#enter(() => this.#current.find(this.#types.name));
        }
    }

    /** What was pressed goes away with what it does, and must not lose the focus.
     * @param {() => void} act */
    #afterwards(act) {
        act();
        this.#focus();
    }

    /** To where one writes; but on a phone that brings the keyboard over everything. */
    #focus() {
        matchMedia("(pointer: coarse)").matches ? this.panel.element.focus({ preventScroll: true }) : this.composer.focus();
    }

    /** The panel is closed: what is under way ends first, and the mark on the button shows it. */
    #closed() {
        this.composer.stopListening();
        this.#showHistory(false);
        this.#mark();
    }

    /** @param {() => Promise<import("./consultation-api.js").Conversation>} find */
    async #enter(find) {
        if (this.#isLoading) {
            return;
        }
        this.#isLoading = true;
        this.#problem = "";
        this.#refused = null;
        const { token } = access;
        this.#mark();
        try {
            await this.#types.load();
            this.#problem = this.#types.problem;
            if (this.#problem !== "") {
                return;
            }
            const conversation = await find();
            this.#showHistory(false);
            if (conversation.id !== this.session?.id) {
                this.#show(conversation);
            }
            this.#focus();
        } catch (error) {
            if (!(error instanceof RestError)) {
                throw error;
            }
            this.#problem = error.message;
            this.#refused = error.status === 401 ? token : null;
        } finally {
            this.#isLoading = false;
            this.#mark();
        }
    }

    /** @param {import("./consultation-api.js").Conversation} conversation */
    #show(conversation) {
        this.#leave();
        if (!this.#engine) {
            throw new Error("The engine is not loaded.");
        }
        const { id } = conversation;
        this.#conversation = conversation;
        this.#current.remember(conversation.type, id);
        this.#types.enter(conversation.type);
        this.session = new ConsultationSession(this.#engine, {
            id,
            url: consultationAddress(location, id),
            token: () => access.firstToken,
            ticket: () => (access.login.key === "" ? null : consultations.ticket(id)),
            status: () => consultations.status(id),
        });
        this.session.addEventListener("change", () => this.#mark());
        const keep = (/** @type {Event} */ event) => this.#older.keep(/** @type {CustomEvent<ChatMessage[]>} */ (event).detail);
        this.session.addEventListener("trimmed", keep);
        this.session.connect();
        this.#offerQuestions();
    }

    #leave() {
        this.session?.end();
        this.session = null;
        this.#conversation = null;
        this.#older.clear();
        this.#unread.clear();
        this.list.clear();
        this.composer.clear();
    }

    #deleted() {
        this.#current.remember(this.#types.name, "");
        this.#leave();
        this.#page.say("Conversation deleted.");
        this.#enter(() => this.#current.find(this.#types.name));
    }

    #retry() {
        const { session } = this;
        if (session?.machine.needsLogin || this.#needsLogin) {
            this.#signIn();
        } else if (this.#types.problem !== "") {
            this.#types.choose(this.#types.standard);
            this.#enter(() => this.#current.find(this.#types.name));
        } else if (session?.machine.isGone) {
            this.#enter(() => this.#current.fresh(this.#types.name));
        } else if (session) {
            session.retry();
        } else {
            this.#enter(() => this.#current.find(this.#types.name));
        }
    }

    /** With the stream's token, where that is missing; else with the assistant's own login. */
    async #signIn() {
        const { session, signIn } = this.#page;
        if (session.needsToken) {
            signIn.open();
        } else if (await signIn.openForAssistant()) {
            this.session ? this.session.connect() : this.#enter(() => this.#current.find(this.#types.name));
        }
    }

    get #needsLogin() {
        return !this.session && access.token === "" && this.#refused === "";
    }

    /** The banner's other button: no more attempts, until the user requests one. */
    #cancel() {
        this.#problem = "";
        this.#refused = null;
        if (this.session) {
            this.session.dismissProblem();
            this.session.disconnect();
        }
        this.#mark();
    }

    /** @param {boolean} isShown */
    #showHistory(isShown) {
        this.panel.showHistory(isShown);
        this.list.element.hidden = isShown;
        this.composer.element.hidden = isShown;
        if (isShown) {
            this.#history.show(this.session?.id ?? "");
        } else {
            const hadFocus = this.#history.element.contains(document.activeElement);
            this.#history.hide();
            hadFocus && this.#focus();
        }
    }

    // Messages.

    /** @param {string} text @param {string} edits @returns {boolean} whether it is on its way. */
    #send(text, edits) {
        const { symbol, timeframe } = this.#page.terminal.selection ?? {};
        // What is on the screen is sent only to those who may know it.
        const isShared = (this.#types.get()?.context ?? ["markets"]).length > 0;
        const context = symbol && isShared ? { symbol, timeframe, account: this.#page.trading.store.account } : undefined;
        try {
            this.session?.send(text, { ...(context ? { context } : {}), ...(edits ? { edits } : {}) });
            this.composer.showProblem("");
            this.#showHistory(false);
            this.#draw();
            this.list.tail.resume();
            return true;
        } catch (error) {
            if (!(error instanceof SendError)) {
                throw error;
            }
            this.composer.showProblem(error.message);
            return false;
        }
    }

    /** @param {string} text */
    async #copy(text) {
        this.#page.say((await copyText(text)) ? "Copied." : "The browser did not allow copying.");
    }

    /** What is written is read aloud sentence by sentence.
     * @param {string} id of the answer. @param {string} text what comes next. @param {boolean} isOver */
    #speak(id, text, isOver) {
        if (id !== this.#spokenID) {
            this.#spokenID = id;
            this.#sentences = new SentenceFeeder((sentence) => this.panel.isOpen && this.#news.say(sentence));
        }
        this.#sentences.append(text);
        isOver && this.#sentences.finish();
    }

    async #loadOlder() {
        const { session, list } = this;
        const [first] = this.#messages;
        if (!session || !first) {
            return;
        }
        try {
            const read = await this.#older.load(session.id, first.id, (described) => session.describe(described));
            if (session === this.session) {
                this.#unread.see(read);
                list.tail.hold(() => {
                    this.#older.all.unshift(...read);
                    this.#draw();
                });
            }
        } catch (error) {
            this.composer.showProblem(messageOf(error));
        }
    }

    /** All that are on the page. */
    get #messages() {
        return this.#older.with(this.session?.messages ?? []);
    }

    #offerQuestions() {
        const symbol = this.#page.terminal.selection?.symbol ?? "BTC-USD";
        const { questions } = this.#types.get() ?? { questions: [] };
        const buttons = questions.map((question) => {
            const text = question.replaceAll("{symbol}", symbol);
            const button = element("button", { type: "button", class: "chip" }, text);
            button.addEventListener("click", () => {
                this.#send(text, "");
                this.composer.focus();
            });
            return button;
        });
        byId("chat-questions").replaceChildren(...buttons);
    }

    // What is shown.

    #mark() {
        if (document.visibilityState === "hidden") {
            // No frame comes in a hidden tab, and what ends there is to be counted.
            this.#account();
        }
        this.#page.frames.mark(this.#pass);
    }

    #draw() {
        const { panel, composer, session } = this;
        this.#account();
        if (!panel.isOpen) {
            return;
        }
        const machine = session?.machine;
        const messages = this.#messages;
        const isOn = machine?.isConnected === true;
        panel.show(isOn ? "on" : this.#isComing ? "coming" : "off", this.#title(messages));
        panel.showProblem(machine?.problem || this.#problem, this.#remedy);
        const isAnswering = machine !== undefined && (machine.streaming !== undefined || machine.isAwaited);
        composer.show(isOn, isAnswering);
        panel.element.toggleAttribute("data-typing", machine?.isTyping === true);
        this.list.show(messages, {
            hasOlder: this.#older.hasMore ?? machine?.hasOlder ?? false,
            isKnown: (machine?.diagnostics.synced ?? 0) > 0,
            canSend: isOn && !isAnswering,
        });
    }

    /** The label of the button that resolves the problem. */
    get #remedy() {
        const { needsLogin, isGone } = this.session?.machine ?? {};
        if (this.#types.problem !== "") {
            return `Open ${this.#types.get(this.#types.standard)?.title}`;
        }
        return needsLogin || this.#needsLogin ? "Sign in" : isGone ? "New conversation" : "Retry";
    }

    get #isComing() {
        const state = this.session?.machine.state;
        return this.session ? state === "connecting" || state === "authenticating" : this.#isLoading;
    }

    /** @param {ChatMessage[]} messages */
    #title(messages) {
        const first = messages.find(({ role }) => role === "user");
        return this.#conversation?.messages ? this.#conversation.title : (first?.text.split("\n")[0].slice(0, 80) ?? "");
    }

    /** Counts what is unread, and ends a connection that is not needed. */
    #account() {
        const { session, panel } = this;
        const unread = this.#unread.count(session?.messages ?? [], panel.isOpen && document.visibilityState === "visible");
        panel.showUnread(panel.isOpen ? 0 : unread);
        if (session && !panel.isOpen && !session.machine.isBusy && session.machine.state !== "closed") {
            session.disconnect();
        }
    }
}
