import { byId, element, setText } from "../dom.js";
import { RestError } from "../stream/rest.js";
import { consultations } from "./consultation-api.js";

/**
 * A consultation type as the server describes it.
 *
 * @typedef {object} ConsultationType
 * @property {string} type its name.
 * @property {string} title
 * @property {string} greeting
 * @property {string} placeholder
 * @property {string[]} questions `{symbol}` is the market on screen.
 * @property {string[]} context
 * @property {string[]} safety_notes
 * @property {boolean} listed
 */

/** The part of the page's address that names a type: `/?consultation=nutrition`. */
const PARAMETER = "consultation";

/**
 * The types of consultations, and which one the page is in: the address names it, or the user picks it.
 *
 * Events: `change`: the user picked another type.
 */
export class TypePicker extends EventTarget {
    #select = byId("chat-type", HTMLSelectElement);
    /** @type {ConsultationType[]} */
    #all = [];
    /** What the address names; empty: nothing. */
    #wanted = new URLSearchParams(location.search).get(PARAMETER) ?? "";
    #name = "";

    constructor() {
        super();
        this.#select.addEventListener("change", () => {
            this.choose(this.#select.value);
            this.dispatchEvent(new Event("change"));
        });
    }

    /** Whether the address asks for a consultation. */
    get isRequested() {
        return this.#wanted !== "";
    }

    /** The type's name; the server's default one until another is chosen. */
    get name() {
        return this.#name;
    }

    /** @returns {string} the default type's name. */
    get standard() {
        return this.#all[0]?.type ?? "markets";
    }

    /** @param {string} [name] @returns {?ConsultationType} null for one that the server does not describe. */
    get(name = this.#name) {
        return this.#all.find(({ type }) => type === name) ?? null;
    }

    /** Why the address's type cannot be opened; empty where it can. */
    get problem() {
        if (this.#wanted === "" || this.#all.length === 0 || this.get(this.#wanted)) {
            return "";
        }
        const known = this.#all.map(({ type, title }) => `${type} (${title})`).join(", ");
        return `There is no consultation type “${this.#wanted.slice(0, 40)}” here. There are: ${known}.`;
    }

    /**
     * Gets the types, once.
     *
     * @throws {RestError} unless the server is an older one, which knows the default type alone.
     */
    async load() {
        if (this.#all.length > 0) {
            return;
        }
        try {
            this.#all = await consultations.types();
        } catch (error) {
            if (!(error instanceof RestError) || error.status !== 404) {
                throw error;
            }
        }
        this.#name = this.get(this.#wanted) ? this.#wanted : this.standard;
        this.#fill();
    }

    /** @param {string} name of the type to be in, which the address then names. */
    choose(name) {
        this.#wanted = name === this.standard ? "" : name;
        const search = new URLSearchParams(location.search);
        this.#wanted === "" ? search.delete(PARAMETER) : search.set(PARAMETER, name);
        const text = search.toString();
        history.replaceState(history.state, "", `${location.pathname}${text === "" ? "" : `?${text}`}${location.hash}`);
        this.enter(name);
    }

    /** The page shows a conversation of this type.
     * @param {string} name */
    enter(name) {
        this.#name = name;
        this.#fill();
    }

    /** A type that is not listed is offered while the page is in it. */
    #fill() {
        const offered = this.#all.filter(({ listed, type }) => listed || type === this.#name || type === this.#wanted);
        this.#select.replaceChildren(...offered.map(({ type, title }) => element("option", { value: type }, title)));
        this.#select.value = this.#name;
        this.#select.hidden = offered.length < 2;
        const type = this.get();
        type && this.#describe(type);
    }

    /** @param {ConsultationType} type */
    #describe({ greeting, placeholder, safety_notes: notes }) {
        setText(byId("chat-greeting"), greeting);
        setText(byId("chat-notes"), notes.join(" "));
        byId("chat-notes").hidden = notes.length === 0;
        byId("chat-field", HTMLTextAreaElement).placeholder = placeholder;
    }
}
