import { element } from "../dom.js";
import { Popover } from "../panels/popover.js";
import { moved } from "../panels/roving.js";

/**
 * @typedef {object} MenuItem
 * @property {string} name
 * @property {() => void} act
 * @property {boolean} [isChecked] makes it one of a choice.
 * @property {boolean} [isOff] not to be chosen now.
 * @property {string} [swatch] a colour to show.
 * @property {string} [className]
 */

/** Beside its button, or where there is room. */
class SidePopover extends Popover {
    /** @type {"below" | "beside"} */
    side = "below";

    place() {
        const box = this.button.getBoundingClientRect();
        const { offsetWidth: width, offsetHeight: height } = this.panel;
        const isBeside = this.side === "beside";
        const left = isBeside ? box.right + 6 : box.left;
        const below = isBeside ? box.top : box.bottom + 6;
        // Above the button where there is no room below it.
        const top = below + height > innerHeight - 8 && !isBeside ? box.top - height - 6 : below;
        const x = Math.max(8, Math.min(left, innerWidth - width - 8));
        const y = Math.max(8, Math.min(top, innerHeight - height - 8));
        this.panel.style.translate = `${x}px ${y}px`;
    }
}

/**
 * A menu whose items are asked for each time it opens. Arrows move, Enter chooses, Escape and Tab close, and the focus
 * goes back to the button.
 */
export class PopupMenu {
    #menu;
    #items;
    #popover;

    /**
     * @param {HTMLButtonElement} button
     * @param {string} name
     * @param {() => MenuItem[]} items
     * @param {{side?: "below" | "beside", className?: string}} [options]
     */
    constructor(button, name, items, { side = "below", className = "" } = {}) {
        this.#items = items;
        this.#menu = element("div", { class: `menu ${className}`, role: "menu", popover: "auto", "aria-label": name });
        document.body.append(this.#menu);
        button.setAttribute("aria-haspopup", "menu");
        button.popoverTargetElement = this.#menu;
        this.#popover = new SidePopover(button, this.#menu, () => this.#fill());
        this.#popover.side = side;
        this.#menu.addEventListener("keydown", (event) => this.#pressed(event));
    }

    get isOpen() {
        return this.#popover.isOpen;
    }

    #fill() {
        this.#menu.replaceChildren(...this.#items().map((item) => this.#entry(item)));
        const chosen = this.#entries.find((entry) => entry.getAttribute("aria-checked") === "true");
        return this.#rove(chosen ?? this.#entries[0]);
    }

    /** @returns {HTMLElement[]} */
    get #entries() {
        return /** @type {HTMLElement[]} */ ([...this.#menu.children]);
    }

    /** @param {MenuItem} item */
    #entry({ name, act, isChecked, isOff = false, swatch, className = "" }) {
        const role = isChecked === undefined ? "menuitem" : "menuitemradio";
        const entry = element("button", { type: "button", role, tabindex: "-1", class: className });
        if (isChecked !== undefined) {
            entry.setAttribute("aria-checked", String(isChecked));
        }
        if (isOff) {
            entry.setAttribute("aria-disabled", "true");
        }
        if (swatch) {
            entry.append(element("span", { class: "swatch", style: `--swatch: ${swatch}`, "aria-hidden": "true" }));
        }
        entry.append(element("span", { class: "menu-name" }, name));
        entry.addEventListener("click", () => {
            if (!isOff) {
                this.#popover.close();
                act();
            }
        });
        return entry;
    }

    #pressed(event) {
        const entries = this.#entries;
        const at = entries.indexOf(event.target);
        const next =
            moved(event.key, at, entries.length, ["ArrowDown", "ArrowUp"]) ??
            moved(event.key, at, entries.length, ["ArrowRight", "ArrowLeft"]);
        if (next !== null) {
            event.preventDefault();
            this.#rove(entries[next]).focus();
        } else if (event.key === "Tab" || event.key === "Escape") {
            event.preventDefault();
            this.#popover.close();
        }
        // The bar that the menu belongs to has keys of its own.
        event.stopPropagation();
    }

    /** @param {HTMLElement} entry */
    #rove(entry) {
        this.#entries.forEach((each) => (each.tabIndex = each === entry ? 0 : -1));
        return entry;
    }
}
