import { element } from "../dom.js";
import { Popover } from "./popover.js";
import { moved } from "./roving.js";

/**
 * @typedef {object} MenuItem
 * @property {string} id
 * @property {string} name
 * @property {string} [hint] small, at the end.
 * @property {SVGElement} [icon]
 */

/** A menu under a button: arrows, Home and End go round, Enter chooses, Escape leaves. */
export class Menu {
    #popover;
    #panel;
    #choose;
    #chosen = "";

    /**
     * @param {HTMLElement} button
     * @param {HTMLElement} panel an empty `role="menu"`.
     * @param {MenuItem[]} items
     * @param {(id: string) => void} choose
     * @param {boolean} [isChoice] whether one of them is always the chosen one.
     */
    constructor(button, panel, items, choose, isChoice = false) {
        this.#panel = panel;
        this.#choose = choose;
        panel.replaceChildren(...items.map((item) => menuItem(item, isChoice)));
        this.#popover = new Popover(button, panel, () => this.#enter());
        panel.addEventListener("click", (event) => {
            const item = /** @type {HTMLElement} */ (event.target).closest("[data-item]");
            if (item instanceof HTMLElement) {
                this.#popover.close();
                this.#choose(item.dataset.item ?? "");
            }
        });
        panel.addEventListener("keydown", (event) => this.#pressed(event));
    }

    /** @param {string} id of the chosen item. */
    select(id) {
        this.#chosen = id;
        this.#items.forEach((item) => {
            if (item.hasAttribute("aria-checked")) {
                item.setAttribute("aria-checked", String(item.dataset.item === id));
            }
        });
    }

    get #items() {
        return /** @type {HTMLElement[]} */ ([...this.#panel.children]);
    }

    #enter() {
        const first = this.#items.find((item) => item.dataset.item === this.#chosen) ?? this.#items[0];
        this.#rove(first);
        return first;
    }

    #rove(item) {
        this.#items.forEach((each) => (each.tabIndex = each === item ? 0 : -1));
    }

    #pressed(event) {
        const items = this.#items;
        const at = items.indexOf(event.target);
        const next = moved(event.key, at, items.length, ["ArrowDown", "ArrowUp"]) ?? byLetter(event, items, at);
        if (next !== null) {
            event.preventDefault();
            this.#rove(items[next]);
            items[next].focus();
        } else if (event.key === "Tab") {
            this.#popover.close();
        }
    }
}

/** @returns {?number} the next item that begins with the letter that was pressed. */
function byLetter(event, items, at) {
    if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey || event.key === " ") {
        return null;
    }
    const letter = event.key.toLowerCase();
    for (let step = 1; step <= items.length; step += 1) {
        const next = (at + step) % items.length;
        if (items[next].textContent.trim().toLowerCase().startsWith(letter)) {
            return next;
        }
    }
    return null;
}

/** @param {MenuItem} item @param {boolean} isChoice */
function menuItem({ id, name, hint, icon }, isChoice) {
    const role = isChoice ? { role: "menuitemradio", "aria-checked": "false" } : { role: "menuitem" };
    const made = element("button", { type: "button", tabindex: "-1", ...role });
    if (icon) {
        made.append(icon);
    }
    made.append(element("span", { class: "menu-name" }, name));
    if (hint) {
        made.append(element("small", {}, hint));
    }
    made.dataset.item = id;
    return made;
}
