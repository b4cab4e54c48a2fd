import { keepTradeSettings, tradeSettings } from "./trade-settings.js";

/** Pixels per key press. */
const STEP = 24;
/** The least height of what is open, and the least that is left to the chart above. */
const LEAST = 120;
const CHART = 260;

/** The edge between the chart and the dock: dragged, or moved by the arrow keys; a double click takes it back. */
export class DockHeight {
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

    #drag(event) {
        event.preventDefault();
        const start = event.clientY + this.#height;
        const move = (/** @type {PointerEvent} */ each) => this.#set(start - each.clientY);
        this.#handle.setPointerCapture(event.pointerId);
        this.#handle.addEventListener("pointermove", move);
        const end = () => this.#handle.removeEventListener("pointermove", move);
        this.#handle.addEventListener("lostpointercapture", end, { once: true });
    }

    #set(height) {
        const most = Math.max(LEAST, (this.#dock.parentElement?.clientHeight ?? 0) - CHART);
        const fitting = Math.round(Math.min(Math.max(height, LEAST), most));
        this.#apply(fitting);
        keepTradeSettings({ height: fitting });
    }

    #apply(height) {
        this.#dock.style.setProperty("--dock-height", `${height}px`);
        this.#handle.setAttribute("aria-valuenow", String(height));
    }
}
