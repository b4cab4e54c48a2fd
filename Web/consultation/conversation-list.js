import { byId, copyOf, part, setText } from "../dom.js";
import { saveFile } from "../ui/files.js";
import { openDialog } from "../ui/dialog.js";
import { messageOf, shortTime } from "../format.js";
import { consultations } from "./consultation-api.js";

/**
 * The conversations that there are, newest first, and what can be done with the one that is open.
 *
 * Events: `open` (detail: an id), `deleted` (detail: an id).
 */
export class ConversationList extends EventTarget {
    element = byId("chat-history");
    #list = byId("conversations");
    #note = byId("conversations-note");
    #more = byId("conversations-older");
    #own = byId("conversation-actions");
    #current = "";
    /** @type {import("./consultation-api.js").Conversation[]} */
    #known = [];

    constructor() {
        super();
        const acts = [() => this.#save("markdown"), () => this.#save("json"), () => this.#delete()];
        this.#own.querySelectorAll("button").forEach((button, at) => button.addEventListener("click", acts[at]));
        this.#more.addEventListener("click", () => this.#load(this.#known.at(-1)?.id));
        this.#list.addEventListener("click", (event) => {
            const row = /** @type {HTMLElement} */ (event.target).closest("button");
            row && this.dispatchEvent(new CustomEvent("open", { detail: row.dataset.id }));
        });
    }

    /** @param {string} current the id of the open conversation; empty where there is none. */
    async show(current) {
        this.#current = current;
        this.element.hidden = false;
        this.#own.hidden = current === "";
        this.#known = [];
        setText(this.#note, "Loading…");
        await this.#load();
        this.#list.querySelector("button")?.focus();
    }

    hide() {
        this.element.hidden = true;
    }

    /** @param {string} [before] the id of the last one known. */
    async #load(before) {
        const known = this.#known;
        try {
            const { consultations: page, more } = await consultations.list(before);
            if (known !== this.#known) {
                // Requested again meanwhile.
                return;
            }
            // One that was begun and never used is no conversation yet.
            known.push(...page);
            const shown = known.filter(({ messages, id }) => messages > 0 || id === this.#current);
            this.#list.replaceChildren(...shown.map((each) => this.#row(each)));
            this.#more.hidden = !more;
            setText(this.#note, shown.length === 0 ? "No conversations yet." : "");
        } catch (error) {
            setText(this.#note, messageOf(error));
        }
    }

    /** @param {import("./consultation-api.js").Conversation} conversation */
    #row({ id, title, messages, updated_at: updated, created_at: created }) {
        const time = seconds(updated ?? created);
        const count = `${messages} message${messages === 1 ? "" : "s"}`;
        const row = copyOf("conversation-row");
        const button = part(row, "button");
        button.dataset.id = id;
        id === this.#current && button.setAttribute("aria-current", "true");
        part(row, "span").append(title || "New conversation");
        part(row, "small").append(Number.isFinite(time) ? `${shortTime(time)} · ${count}` : count);
        return row;
    }

    /** @param {"markdown" | "json"} format */
    async #save(format) {
        try {
            const content = await consultations.export(this.#current, format);
            saveFile(content, `consultation-${this.#current.slice(0, 8)}.${format === "json" ? "json" : "md"}`);
            setText(this.#note, "Saved.");
        } catch (error) {
            setText(this.#note, messageOf(error));
        }
    }

    #delete() {
        const id = this.#current;
        openDialog({
            title: "Delete this conversation?",
            text: "All of its messages will be permanently deleted, on the server too.",
            confirm: "Delete",
            isGrave: true,
            act: async () => {
                await consultations.delete(id);
                this.dispatchEvent(new CustomEvent("deleted", { detail: id }));
            },
        });
    }
}

/** @param {number | string} time @returns {number} seconds since 1970. */
function seconds(time) {
    return typeof time === "number" ? time : Date.parse(time) / 1000;
}
