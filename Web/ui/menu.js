import { element } from "../dom.js";
import { hasModifier } from "./keys.js";
import { Popover } from "./popover.js";
import { movedEitherWay, stopAt } from "./roving.js";

/**
 * @typedef {object} MenuItem
 * @property {string} name
 * @property {() => void} act
 * @property {boolean} [isChecked] makes it one of a choice.
 * @property {boolean} [isOff] not to be chosen now.
 * @property {string} [hint] small, at the end.
 * @property {SVGElement} [icon]
 * @property {string} [swatch] a colour to show.
 * @property {string} [className]
 */

/** Pixels between a menu and its button, and between it and the edges of the window. */
const GAP = 6;
const MARGIN = 8;

/**
 * A menu under or beside a button, filled again each time it opens. Arrows, Home, End and first letters move, Enter chooses,
 * Escape closes it, as the browser has it, and Tab, and the focus goes back to the button.
 */
export class Menu extends Popover {
    #items;
    #isBeside;

    /**
     * @param {HTMLButtonElement} button
     * @param {string} name
     * @param {() => MenuItem[]} items
     * @param {{id?: string, side?: "below" | "beside", className?: string}} options
     */
    constructor(button, name, items, { id = "", side = "below", className = "" } = {}) {
        const attributes = { class: `menu ${className}`, role: "menu", popover: "auto", "aria-label": name };
        const panel = element("div", id === "" ? attributes : { ...attributes, id });
        document.body.append(panel);
        button.setAttribute("aria-haspopup", "menu");
        button.popoverTargetElement = panel;
        super(button, panel, () => this.#fill());
        this.#items = items;
        this.#isBeside = side === "beside";
        panel.addEventListener("keydown", (event) => this.#pressed(event));
    }

    /** Below the button, or above it where there is no room below; else beside it.
     * @override */
    place() {
        const box = this.button.getBoundingClientRect();
        this.panel.style.maxHeight = `${innerHeight - 2 * MARGIN}px`;
        const { offsetWidth: width, offsetHeight: height } = this.panel;
        const left = this.#isBeside ? box.right + GAP : box.left;
        const below = this.#isBeside ? box.top : box.bottom + GAP;
        const isAbove = !this.#isBeside && below + height > innerHeight - MARGIN;
        const top = isAbove ? box.top - height - GAP : below;
        const x = Math.max(MARGIN, Math.min(left, innerWidth - width - MARGIN));
        const y = Math.max(MARGIN, Math.min(top, innerHeight - height - MARGIN));
        this.panel.style.translate = `${x}px ${y}px`;
    }

    #fill() {
        this.panel.replaceChildren(...this.#items().map((item) => this.#entry(item)));
        const entries = this.#entries;
        const chosen = entries.find((entry) => entry.getAttribute("aria-checked") === "true") ?? entries[0];
        stopAt(entries, chosen);
        return chosen;
    }

    get #entries() {
        return /** @type {HTMLElement[]} */ ([...this.panel.children]);
    }

    /** @param {MenuItem} item */
    #entry({ name, act, isChecked, isOff = false, hint, icon, swatch, className = "" }) {
        const role = isChecked === undefined ? "menuitem" : "menuitemradio";
        const entry = element("button", { type: "button", role, tabindex: "-1", class: className });
        isChecked === undefined || entry.setAttribute("aria-checked", String(isChecked));
        isOff && entry.setAttribute("aria-disabled", "true");
        icon && entry.append(icon);
        swatch && entry.append(element("span", { class: "swatch", style: `--swatch: ${swatch}`, "aria-hidden": "true" }));
        entry.append(element("span", { class: "menu-name" }, name));
        hint && entry.append(element("small", {}, hint));
        entry.addEventListener("click", () => {
            if (!isOff) {
                this.close();
                act();
            }
        });
        return entry;
    }

    /** @param {KeyboardEvent} event */
    #pressed(event) {
        const entries = this.#entries;
        const at = entries.findIndex((entry) => entry === event.target);
        const next = movedEitherWay(event.key, at, entries.length) ?? byLetter(event, entries, at);
        if (next !== null) {
            event.preventDefault();
            stopAt(entries, entries[next]);
            entries[next].focus();
        } else if (event.key === "Tab") {
            event.preventDefault();
            this.close();
        }
        // What the menu belongs to has keys of its own.
        event.stopPropagation();
    }
}

/**
 * @param {KeyboardEvent} event
 * @param {HTMLElement[]} entries
 * @param {number} at
 * @returns {?number} the next entry that begins with the letter that was pressed.
 */
function byLetter(event, entries, at) {
    if (event.key.length !== 1 || hasModifier(event) || event.key === " ") {
        return null;
    }
    const letter = event.key.toLowerCase();
    const order = entries.map((_, step) => (at + step + 1) % entries.length);
    return order.find((next) => entries[next].textContent?.trim().toLowerCase().startsWith(letter)) ?? null;
}
