import { copyOf, element, part, setText } from "../dom.js";
import { messageOf } from "../format.js";
import { UserError, errorWords } from "../user-error.js";
import { pictureOf, typeName } from "./template-words.js";

/**
 * What a card can do. `actions` are what can be done with a template now, and what became of it.
 *
 * @typedef {object} CardAction
 * @property {string} name
 * @property {boolean} [isMain]
 * @property {() => Promise<string> | string} act does it; returns what was done, for people; throws an Error with why not.
 */

/**
 * @typedef {object} CardCallbacks
 * @property {(template: import("./conversation-machine.js").Template) => {actions: CardAction[], state: string}} offer
 * @property {(template: import("./conversation-machine.js").Template, card: TemplateCard) => void} open its details.
 * @property {(sentence: string) => void} say
 */

/** A template in the conversation: what it is, and what can be done with it. */
export class TemplateCard {
    element = copyOf("template-card");
    #callbacks;
    /** @type {?import("./conversation-machine.js").Template} */
    #template = null;
    #button = part(this.element, ".card-open");
    #actions = part(this.element, ".card-actions");
    #note = part(this.element, ".card-note");
    #offered = "";
    #isBusy = false;
    /** What came of the last action; it is shown until the state says more. */
    #result = { text: "", isError: false };

    /** @param {CardCallbacks} callbacks */
    constructor(callbacks) {
        this.#callbacks = callbacks;
        this.#button.addEventListener("click", () => this.#template && callbacks.open(this.#template, this));
    }

    /** @param {import("./conversation-machine.js").Template} template */
    show(template) {
        this.#template = template;
        const { id, type, name, description } = template;
        const { name: icon, path } = pictureOf(type);
        Object.assign(this.element.dataset, { type, template: id });
        part(this.#button, "svg").dataset.icon = icon;
        part(this.#button, "path").setAttribute("d", path);
        setText(part(this.#button, ".card-name"), name);
        setText(part(this.#button, ".card-type"), typeName(type));
        setText(part(this.#button, ".card-description"), description);
        part(this.#button, ".card-description").hidden = !description;
        this.refresh();
    }

    /** What can be done may be something else now. */
    refresh() {
        if (!this.#template) {
            return;
        }
        const { actions, state } = this.#callbacks.offer(this.#template);
        const text = this.#result.isError || !state ? this.#result.text : state;
        setText(this.#note, text);
        this.#note.toggleAttribute("data-error", this.#result.isError);
        const offered = actions.map(({ name }) => name).join();
        if (offered !== this.#offered) {
            this.#offered = offered;
            const hadFocus = this.#actions.contains(document.activeElement);
            this.#actions.replaceChildren(...this.buttons());
            hadFocus && this.#button.focus({ preventScroll: true });
        }
    }

    /** Buttons of what can be done now, for the card and for its details.
     * @param {() => void} [after] */
    buttons(after = () => {}) {
        const { actions } = this.#template ? this.#callbacks.offer(this.#template) : { actions: [] };
        return actions.map((action) => {
            const button = element("button", { type: "button", class: `small-button${action.isMain ? " is-main" : ""}` }, action.name);
            button.addEventListener("click", async () => {
                await this.#do(action);
                after();
            });
            return button;
        });
    }

    /** @param {CardAction} action */
    async #do({ act }) {
        if (this.#isBusy) {
            return;
        }
        this.#isBusy = true;
        this.element.setAttribute("aria-busy", "true");
        try {
            this.#result = { text: await act(), isError: false };
        } catch (error) {
            this.#result = { text: error instanceof UserError ? errorWords(error) : messageOf(error), isError: true };
        } finally {
            this.#isBusy = false;
            this.element.removeAttribute("aria-busy");
        }
        this.refresh();
        this.#callbacks.say(this.#result.text);
    }
}
