import { byId, element, setText } from "../dom.js";
import { QUICK_TIMEFRAMES, TIMEFRAMES } from "../timeframes.js";
import { Menu } from "../ui/menu.js";
import { onArrows } from "../ui/roving.js";

/**
 * The timeframes: buttons for the usual ones (a radio group: one tab stop, arrows choose), a menu for the rest.
 *
 * Events: `choose` (detail: the timeframe's id).
 */
export class TimeframePicker extends EventTarget {
    #group = byId("timeframes");
    #menuButton = byId("more-timeframes-button", HTMLButtonElement);
    #menuLabel = byId("more-timeframes-label");
    #served = TIMEFRAMES;
    #selected = "";

    constructor() {
        super();
        this.#group.addEventListener("click", (event) => {
            const radio = this.#radios.find((each) => each === event.target);
            radio && this.#choose(radio.dataset.timeframe ?? "");
        });
        onArrows(this.#group, () => this.#radios, ["ArrowRight", "ArrowLeft"], (radio) => {
            radio.focus();
            this.#choose(radio.dataset.timeframe ?? "");
        });
        const item = (/** @type {import("../timeframes.js").Timeframe} */ { id, name }) => ({
            name,
            isChecked: id === this.#selected,
            act: () => this.#choose(id),
        });
        const items = () => this.#served.filter(({ id }) => !isQuick(id)).map(item);
        new Menu(this.#menuButton, "More timeframes", items, { id: "more-timeframes" });
        this.#build();
    }

    /** @param {string[]} ids the timeframes that the server serves. */
    setServed(ids) {
        const served = TIMEFRAMES.filter(({ id }) => ids.includes(id));
        if (ids.length > 0 && served.length !== this.#served.length) {
            this.#served = served;
            this.#build();
        }
    }

    /** @param {string} id */
    select(id) {
        this.#selected = id;
        const isShown = this.#radios.some((radio) => radio.dataset.timeframe === id);
        this.#radios.forEach((radio, index) => {
            const isChecked = radio.dataset.timeframe === id;
            radio.setAttribute("aria-checked", String(isChecked));
            radio.tabIndex = isChecked || (!isShown && index === 0) ? 0 : -1;
            isChecked && keepInView(this.#group, radio);
        });
        const isInMenu = id !== "" && !isQuick(id);
        this.#menuButton.classList.toggle("is-chosen", isInMenu);
        setText(this.#menuLabel, isInMenu ? id : "More");
    }

    /**
     * The served timeframe some places longer or shorter; at the ends the last one.
     *
     * @param {string} id
     * @param {number} step negative: shorter.
     */
    neighbour(id, step) {
        const ids = this.#served.map((each) => each.id);
        return ids[Math.max(0, Math.min(ids.length - 1, ids.indexOf(id) + step))];
    }

    #build() {
        const radios = this.#served.filter(({ id }) => isQuick(id)).map(({ id, name }) => {
            const attributes = { type: "button", role: "radio", "aria-checked": "false", title: name, "aria-label": name };
            return element("button", { ...attributes, "data-timeframe": id, tabindex: "-1" }, id);
        });
        this.#group.replaceChildren(...radios);
        this.#menuButton.hidden = this.#served.every(({ id }) => isQuick(id));
        this.select(this.#selected);
    }

    get #radios() {
        return /** @type {HTMLElement[]} */ ([...this.#group.children]);
    }

    /** @param {string} id */
    #choose(id) {
        this.dispatchEvent(new CustomEvent("choose", { detail: id }));
    }
}

/** @param {string} id */
function isQuick(id) {
    return QUICK_TIMEFRAMES.includes(id);
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
