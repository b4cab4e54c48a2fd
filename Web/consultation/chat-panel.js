import { byId, element, setText } from "../dom.js";
import { iconButton } from "../ui/icon-button.js";

const ICONS = {
    history: "M12 8v4.5l3 2M4 12a8 8 0 1 0 2.5-5.8L4 8.5M4 4v4.5h4.5",
    add: "M12 6v12M6 12h12",
    close: "m6 6 12 12M18 6 6 18",
};
/** Windows in which the panel lies over everything else. */
const NARROW = matchMedia("(max-width: 767px)");

/**
 * The panel beside the chart: its head, the connection's banner, and room for what is shown. On phones it lies over the
 * page, which cannot be reached meanwhile.
 *
 * Events: `open`, `close`, `history`, `new`, `retry`, `cancel`.
 */
export class ChatPanel extends EventTarget {
    element = byId("chat");
    #toggle = byId("chat-toggle");
    #unread = byId("chat-unread");
    #title = element("p", { class: "chat-subject" });
    #state = element("span", {}, "");
    #status = element(
        "p",
        { class: "chat-status", role: "status" },
        element("span", { class: "chat-dot", "aria-hidden": "true" }),
        this.#state,
    );
    #history = iconButton("Conversations", ICONS.history, "", "icon-button");
    #again = element("button", { type: "button", class: "chat-again", hidden: "" }, "Reconnect");
    #retry = element("button", { type: "button", class: "small-button is-main" }, "Retry");
    #bannerText = element("p", { role: "alert" });
    #banner = element("div", { class: "chat-banner", hidden: "" });

    /** @param {HTMLElement[]} parts what stands below the head. */
    constructor(...parts) {
        super();
        const add = iconButton("New conversation", ICONS.add, "", "icon-button");
        const close = iconButton("Close", ICONS.close, "", "icon-button");
        const cancel = element("button", { type: "button", class: "small-button" }, "Cancel");
        this.#history.setAttribute("aria-expanded", "false");
        const heading = element("h2", { id: "chat-title" }, "Assistant");
        const names = element("div", { class: "chat-names" }, heading, this.#status, this.#again, this.#title);
        this.#banner.append(this.#bannerText, element("div", { class: "sheet-row" }, cancel, this.#retry));
        this.element.append(element("header", { class: "chat-head" }, names, this.#history, add, close), this.#banner, ...parts);
        const report = (/** @type {string} */ type) => () => this.dispatchEvent(new Event(type));
        this.#history.addEventListener("click", report("history"));
        add.addEventListener("click", report("new"));
        cancel.addEventListener("click", report("cancel"));
        this.#retry.addEventListener("click", report("retry"));
        this.#again.addEventListener("click", report("retry"));
        close.addEventListener("click", () => this.close());
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
        setText(this.#state, { on: "Connected", off: "Disconnected", coming: "Connecting" }[state]);
        setText(this.#title, title);
    }

    /** @param {string} problem empty: none. @param {string} remedy the word on the button that mends it. */
    showProblem(problem, remedy) {
        const { activeElement } = document;
        const hadFocus = this.#banner.contains(activeElement) || activeElement === this.#again;
        this.#banner.hidden = problem === "";
        this.#again.hidden = problem !== "" || this.element.dataset.connection !== "off";
        setText(this.#bannerText, problem);
        setText(this.#retry, remedy);
        if (hadFocus && this.#banner.hidden) {
            (this.#again.hidden ? this.element.querySelector("textarea") : this.#again)?.focus();
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

    /** What lies below a panel that covers everything is not to be reached. */
    #cover() {
        const isCovered = this.isOpen && NARROW.matches;
        const around = [...(this.element.parentElement?.children ?? []), byId("skip-link"), ...document.querySelectorAll(".topbar")];
        around.forEach((each) => each === this.element || each.toggleAttribute("inert", isCovered));
        document.documentElement.toggleAttribute("data-covered", isCovered);
    }
}
