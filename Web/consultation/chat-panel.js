import { byId, setText } from "../dom.js";
import { NARROW, coverPage } from "../ui/cover.js";

/**
 * The panel beside the chart: its head, and the connection's banner. On phones it lies over the
 * page, which cannot be reached meanwhile.
 *
 * Events: `open`, `close`, `history`, `new`, `retry`, `cancel`.
 */
export class ChatPanel extends EventTarget {
    element = byId("chat");
    #toggle = byId("chat-toggle");
    #unread = byId("chat-unread");
    #history = byId("chat-conversations");
    #again = byId("chat-again");
    #retry = byId("chat-retry");
    #banner = byId("chat-banner");

    constructor() {
        super();
        const report = (/** @type {string} */ type) => () => this.dispatchEvent(new Event(type));
        this.#history.addEventListener("click", report("history"));
        byId("chat-new").addEventListener("click", report("new"));
        byId("chat-cancel").addEventListener("click", report("cancel"));
        this.#retry.addEventListener("click", report("retry"));
        this.#again.addEventListener("click", report("retry"));
        byId("chat-close").addEventListener("click", () => this.close());
        this.#toggle.addEventListener("click", () => this.toggle());
        // Escape closes the panel where nothing else uses it.
        this.element.addEventListener("keydown", (event) => {
            if (event.key === "Escape" && !event.defaultPrevented) {
                event.preventDefault();
                this.element.hasAttribute("data-history") ? this.dispatchEvent(new Event("history")) : this.close();
            }
        });
        NARROW.addEventListener("change", () => this.#cover());
    }

    get isOpen() {
        return !this.element.hidden;
    }

    /** There is something to open. */
    offer() {
        this.#toggle.hidden = false;
    }

    open() {
        if (!this.isOpen) {
            this.element.hidden = false;
            this.#apply();
            this.dispatchEvent(new Event("open"));
        }
    }

    close() {
        if (this.isOpen) {
            const hadFocus = this.element.contains(document.activeElement);
            this.element.hidden = true;
            this.#apply();
            hadFocus && this.#toggle.focus({ preventScroll: true });
            this.dispatchEvent(new Event("close"));
        }
    }

    toggle() {
        this.isOpen ? this.close() : this.open();
    }

    /** To be followed by `showProblem`.
     * @param {"on" | "off" | "coming"} state of the connection. @param {string} title of the conversation. */
    show(state, title) {
        this.element.dataset.connection = state;
        setText(byId("chat-state"), { on: "Connected", off: "Disconnected", coming: "Connecting" }[state]);
        setText(byId("chat-subject"), title);
    }

    /** @param {string} problem empty: none. @param {string} remedy the label of the button that resolves it. */
    showProblem(problem, remedy) {
        const { activeElement } = document;
        const hadFocus = this.#banner.contains(activeElement) || activeElement === this.#again;
        this.#banner.hidden = problem === "";
        this.#again.hidden = problem !== "" || this.element.dataset.connection !== "off";
        setText(byId("chat-banner-text"), problem);
        setText(this.#retry, remedy);
        if (hadFocus && this.#banner.hidden) {
            (this.#again.hidden ? byId("chat-field") : this.#again).focus();
        }
    }

    /** @param {boolean} isShown whether the conversations are listed. */
    showHistory(isShown) {
        this.#history.setAttribute("aria-expanded", String(isShown));
        this.element.toggleAttribute("data-history", isShown);
    }

    /** @param {number} count unread messages. */
    showUnread(count) {
        this.#unread.hidden = count === 0;
        setText(this.#unread, count > 9 ? "9+" : String(count));
        const name = count === 0 ? "Assistant" : `Assistant, ${count} unread message${count === 1 ? "" : "s"}`;
        this.#toggle.getAttribute("aria-label") === name || this.#toggle.setAttribute("aria-label", name);
    }

    #apply() {
        this.#toggle.setAttribute("aria-expanded", String(this.isOpen));
        this.#cover();
    }

    #cover() {
        coverPage(this.element, this.isOpen && NARROW.matches, () => this.close());
    }
}
