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
        makeResizable(this.element, byId("dock-handle"));
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
        this.#toggle.title = `${name} (Shift+P)`;
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
const MIN_HEIGHT = 120;
const CHART = 260;

/**
 * The edge between the chart and the dock: dragged, or moved by the arrow keys; a double click resets it.
 *
 * @param {HTMLElement} dock
 * @param {HTMLElement} handle with the role `separator`.
 */
function makeResizable(dock, handle) {
    const heightNow = () => dock.getBoundingClientRect().height;
    const apply = (/** @type {number} */ height) => {
        dock.style.setProperty("--dock-height", `${height}px`);
        handle.setAttribute("aria-valuenow", String(height));
    };
    const change = (/** @type {number} */ wanted) => {
        const most = Math.max(MIN_HEIGHT, (dock.parentElement?.clientHeight ?? 0) - CHART);
        const height = Math.round(Math.min(Math.max(wanted, MIN_HEIGHT), most));
        apply(height);
        keepTradeSettings({ height });
    };
    const kept = tradeSettings().height;
    typeof kept === "number" && apply(kept);
    handle.addEventListener("pointerdown", (event) => {
        event.preventDefault();
        const start = event.clientY + heightNow();
        const move = (/** @type {PointerEvent} */ each) => change(start - each.clientY);
        handle.setPointerCapture(event.pointerId);
        handle.addEventListener("pointermove", move);
        const end = () => handle.removeEventListener("pointermove", move);
        handle.addEventListener("lostpointercapture", end, { once: true });
    });
    handle.addEventListener("keydown", (event) => {
        const step = { ArrowUp: STEP, ArrowDown: -STEP }[event.key];
        if (step) {
            event.preventDefault();
            change(heightNow() + step);
        }
    });
    handle.addEventListener("dblclick", () => {
        dock.style.removeProperty("--dock-height");
        keepTradeSettings({ height: undefined });
    });
}
