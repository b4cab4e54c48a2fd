import { byId, element, setText } from "../dom.js";
import { QUICK_TIMEFRAMES, TIMEFRAMES, timeframe } from "../timeframes.js";
import { moved } from "./roving.js";

/**
 * The timeframes: buttons for the usual ones (a radio group: one tab stop, arrows choose), a menu for the rest.
 *
 * Events: `choose` (detail: the timeframe's id).
 */
export class TimeframePicker extends EventTarget {
    #group = byId("timeframes");
    #menu = byId("more-timeframes");
    #menuButton = byId("more-timeframes-button");
    #menuLabel = byId("more-timeframes-label");
    #served = TIMEFRAMES.map((each) => each.id);
    #selected = "";

    constructor() {
        super();
        this.#group.addEventListener("click", (event) => this.#clicked(event));
        this.#menu.addEventListener("click", (event) => this.#clicked(event));
        this.#group.addEventListener("keydown", (event) => this.#pressedInGroup(event));
        this.#menu.addEventListener("keydown", (event) => this.#pressedInMenu(event));
        this.#menuButton.addEventListener("keydown", (event) => this.#pressedOnButton(event));
        this.#menu.addEventListener("toggle", (/** @type {ToggleEvent} */ event) => {
            const isOpen = event.newState === "open";
            this.#menuButton.setAttribute("aria-expanded", String(isOpen));
            if (isOpen) {
                this.#enterMenu();
            }
        });
        this.#build();
    }

    /** @param {string[]} ids the timeframes that the server serves. */
    setServed(ids) {
        if (ids.length > 0 && ids.join() !== this.#served.join()) {
            this.#served = ids;
            this.#build();
        }
    }

    /** @param {string} id */
    select(id) {
        this.#selected = id;
        const isQuick = this.#radios().some((radio) => radio.dataset.timeframe === id);
        this.#radios().forEach((radio, index) => {
            const isChecked = radio.dataset.timeframe === id;
            radio.setAttribute("aria-checked", String(isChecked));
            radio.tabIndex = isChecked || (!isQuick && index === 0) ? 0 : -1;
            if (isChecked) {
                keepInView(this.#group, radio);
            }
        });
        this.#items().forEach((item) => item.setAttribute("aria-checked", String(item.dataset.timeframe === id)));
        const isInMenu = id !== "" && !isQuick;
        this.#menuButton.classList.toggle("is-chosen", isInMenu);
        setText(this.#menuLabel, isInMenu ? id : "More");
    }

    /** The served timeframe `step` places longer (or shorter) than `id`, saturating. */
    neighbour(/** @type {string} */ id, /** @type {number} */ step) {
        const ids = TIMEFRAMES.map((each) => each.id).filter((each) => this.#served.includes(each));
        return ids[Math.max(0, Math.min(ids.length - 1, ids.indexOf(id) + step))];
    }

    #build() {
        const isQuick = (/** @type {string} */ id) => QUICK_TIMEFRAMES.includes(id);
        const served = TIMEFRAMES.filter((each) => this.#served.includes(each.id));
        this.#group.replaceChildren(...served.filter(({ id }) => isQuick(id)).map((each) => button("radio", each)));
        const rest = served.filter(({ id }) => !isQuick(id));
        this.#menu.replaceChildren(...rest.map((each) => button("menuitemradio", each)));
        this.#menuButton.hidden = rest.length === 0;
        this.select(this.#selected);
    }

    /** @returns {HTMLElement[]} */
    #radios() {
        return /** @type {HTMLElement[]} */ ([...this.#group.children]);
    }

    /** @returns {HTMLElement[]} */
    #items() {
        return /** @type {HTMLElement[]} */ ([...this.#menu.children]);
    }

    #clicked(event) {
        const chosen = event.target.closest("[data-timeframe]");
        if (chosen) {
            this.#choose(chosen.dataset.timeframe);
        }
    }

    #choose(id) {
        if (this.#menu.matches(":popover-open")) {
            this.#menu.hidePopover();
        }
        this.dispatchEvent(new CustomEvent("choose", { detail: id }));
    }

    #pressedInGroup(event) {
        const radios = this.#radios();
        const next = moved(event.key, radios.indexOf(event.target), radios.length, ["ArrowRight", "ArrowLeft"]);
        if (next !== null) {
            event.preventDefault();
            radios[next].focus();
            this.#choose(radios[next].dataset.timeframe);
        }
    }

    #pressedOnButton(event) {
        if (["Enter", " ", "ArrowDown"].includes(event.key)) {
            event.preventDefault();
            // Now, not at the `toggle` event, which comes after the next key of a fast typist.
            this.#menu.showPopover();
            this.#enterMenu();
        }
    }

    #enterMenu() {
        this.#placeMenu();
        if (!this.#menu.contains(document.activeElement)) {
            this.#focusItem(this.#items().find((item) => item.dataset.timeframe === this.#selected));
        }
    }

    #pressedInMenu(event) {
        const items = this.#items();
        const next = moved(event.key, items.indexOf(event.target), items.length, ["ArrowDown", "ArrowUp"]);
        if (next !== null) {
            event.preventDefault();
            this.#focusItem(items[next]);
        } else if (event.key === "Tab") {
            this.#menu.hidePopover();
        }
    }

    #focusItem(item = this.#items()[0]) {
        this.#items().forEach((each) => (each.tabIndex = each === item ? 0 : -1));
        item?.focus();
    }

    #placeMenu() {
        const box = this.#menuButton.getBoundingClientRect();
        const left = Math.min(box.left, innerWidth - this.#menu.offsetWidth - 8);
        this.#menu.style.translate = `${Math.max(8, left)}px ${box.bottom + 6}px`;
    }
}

/**
 * @param {"radio" | "menuitemradio"} role
 * @param {import("../timeframes.js").Timeframe} each
 */
function button(role, { id, name }) {
    const text = role === "radio" ? id : name;
    const attributes = { type: "button", role, "aria-checked": "false", tabindex: "-1", title: name };
    const made = element("button", attributes, text);
    made.setAttribute("aria-label", name);
    made.dataset.timeframe = id;
    return made;
}

/**
 * Scrolls a row of buttons sideways so that `child` is seen, and nothing but that row.
 *
 * @param {HTMLElement} row
 * @param {HTMLElement} child
 */
function keepInView(row, child) {
    const scroller = row.closest(".scroller") ?? row;
    const outer = scroller.getBoundingClientRect();
    const inner = child.getBoundingClientRect();
    if (inner.left < outer.left || inner.right > outer.right) {
        scroller.scrollLeft += inner.left + inner.width / 2 - (outer.left + outer.width / 2);
    }
}

/** Whether the page knows this timeframe. @param {string} id */
export function isTimeframe(id) {
    return timeframe(id) !== undefined;
}
