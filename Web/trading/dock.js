import { byId, part, setText } from "../dom.js";
import { onArrows } from "../ui/roving.js";
import { keepTradeSettings, tradeSettings } from "./trade-settings.js";

/**
 * A view of the dock: it shows what there is whenever it is looked at.
 *
 * @typedef {object} DockView
 * @property {string} id its tab is `dock-tab-…`, its panel `dock-…`.
 * @property {() => void} show
 * @property {() => number} [count] shown beside the name.
 */

/**
 * The panel below the chart: its tabs are always there, what they open needs room only while it is wanted.
 *
 * Events: `change` (another tab, opened or closed).
 */
export class Dock extends EventTarget {
    element = byId("trade-dock");
    #frames;
    #toggle = byId("dock-toggle");
    #panels = byId("dock-panels");
    /** @type {DockView[]} */
    #views = [];
    #chosen = tradeSettings().tab ?? "";
    #pass = () => this.#draw();

    /** @param {import("../frame-loop.js").FrameLoop} frames */
    constructor(frames) {
        super();
        this.#frames = frames;
        new DockHeight(this.element, byId("dock-handle"));
        this.#toggle.addEventListener("click", () => this.toggle());
        const tabs = () => this.#views.map(({ id }) => this.#tab(id));
        onArrows(byId("dock-tabs"), tabs, ["ArrowRight", "ArrowLeft"], (tab) => {
            const { id } = this.#views[tabs().indexOf(tab)];
            this.isOpen ? this.open(id) : (this.#chosen = id);
            this.isOpen || this.#draw();
            tab.focus();
        });
        // Escape in a panel leads back to its tab, as in the page's other panels.
        this.#panels.addEventListener("keydown", (event) => {
            if (event.key === "Escape" && !event.defaultPrevented) {
                this.#tab(this.view.id).focus();
            }
        });
    }

    /** @param {DockView} view */
    add(view) {
        this.#views.push(view);
        this.#tab(view.id).addEventListener("click", () => this.open(view.id));
    }

    /** Shows the dock as it was left. */
    start() {
        this.#apply(tradeSettings().isOpen === true);
    }

    get isOpen() {
        return this.element.hasAttribute("data-open");
    }

    /** The view whose tab is chosen. */
    get view() {
        return this.#views.find(({ id }) => id === this.#chosen) ?? this.#views[0];
    }

    /** @param {string} id of a view. */
    open(id) {
        this.#chosen = id;
        this.#apply(true);
        keepTradeSettings({ tab: id, isOpen: true });
    }

    close() {
        const hadFocus = this.#panels.contains(document.activeElement);
        this.#apply(false);
        keepTradeSettings({ isOpen: false });
        hadFocus && this.#toggle.focus();
    }

    toggle() {
        this.isOpen ? this.close() : this.open(this.view.id);
    }

    /** Opens a view and gives its tab the keyboard.
     * @param {string} id */
    enter(id) {
        this.open(id);
        this.#tab(id).focus();
    }

    /** What is shown changed; it is drawn in the next frame. */
    refresh() {
        this.#frames.mark(this.#pass);
    }

    /** @param {boolean} isOpen */
    #apply(isOpen) {
        this.element.toggleAttribute("data-open", isOpen);
        this.#toggle.setAttribute("aria-expanded", String(isOpen));
        const name = isOpen ? "Close the trading panel" : "Open the trading panel";
        this.#toggle.setAttribute("aria-label", name);
        this.#toggle.title = `${name} (P)`;
        this.#draw();
        this.dispatchEvent(new Event("change"));
    }

    #draw() {
        const { view, isOpen } = this;
        this.#views.forEach((each) => {
            const { id } = each;
            const tab = this.#tab(id);
            const isChosen = id === view.id;
            tab.setAttribute("aria-selected", String(isChosen && isOpen));
            tab.tabIndex = isChosen ? 0 : -1;
            byId(`dock-${id}`).hidden = !(isChosen && isOpen);
            const number = each.count?.() ?? 0;
            const badge = part(tab, ".tool-count");
            badge.hidden = number === 0;
            setText(badge, String(number));
        });
        isOpen && view.show();
    }

    /** @param {string} id */
    #tab(id) {
        return byId(`dock-tab-${id}`);
    }
}

/** Pixels per key press. */
const STEP = 24;
/** The least height of what is open, and the least that is left to the chart above. */
const LEAST = 120;
const CHART = 260;

/** The edge between the chart and the dock: dragged, or moved by the arrow keys; a double click resets it. */
class DockHeight {
    #dock;
    #handle;

    /** @param {HTMLElement} dock @param {HTMLElement} handle with the role `separator`. */
    constructor(dock, handle) {
        this.#dock = dock;
        this.#handle = handle;
        const { height } = tradeSettings();
        typeof height === "number" && this.#apply(height);
        handle.addEventListener("pointerdown", (event) => this.#drag(event));
        handle.addEventListener("keydown", (event) => {
            const step = { ArrowUp: STEP, ArrowDown: -STEP }[event.key];
            if (step) {
                event.preventDefault();
                this.#set(this.#height + step);
            }
        });
        handle.addEventListener("dblclick", () => {
            this.#dock.style.removeProperty("--dock-height");
            keepTradeSettings({ height: undefined });
        });
    }

    get #height() {
        return this.#dock.getBoundingClientRect().height;
    }

    /** @param {PointerEvent} event */
    #drag(event) {
        event.preventDefault();
        const start = event.clientY + this.#height;
        const move = (/** @type {PointerEvent} */ each) => this.#set(start - each.clientY);
        this.#handle.setPointerCapture(event.pointerId);
        this.#handle.addEventListener("pointermove", move);
        const end = () => this.#handle.removeEventListener("pointermove", move);
        this.#handle.addEventListener("lostpointercapture", end, { once: true });
    }

    /** @param {number} height */
    #set(height) {
        const most = Math.max(LEAST, (this.#dock.parentElement?.clientHeight ?? 0) - CHART);
        const fitting = Math.round(Math.min(Math.max(height, LEAST), most));
        this.#apply(fitting);
        keepTradeSettings({ height: fitting });
    }

    /** @param {number} height */
    #apply(height) {
        this.#dock.style.setProperty("--dock-height", `${height}px`);
        this.#handle.setAttribute("aria-valuenow", String(height));
    }
}
