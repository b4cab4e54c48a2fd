import { copyOf } from "../dom.js";
import { hasModifier } from "../ui/keys.js";
import { SHIFT, STRETCH, keyOf } from "./keyboard.js";

/** Pixels per arrow key; with shift ten times as many. */
const STEP = 10;

/**
 * The dividers between panes for those without a pointer: a focusable separator over each, which arrows move. Other keys
 * are for the scale of the pane below it: plus and minus stretch it, page keys move it, F fits it. They lie over the
 * canvas and let every pointer through; dragging is `AxisDrag`'s.
 */
export class PaneDividers {
    #panel;
    #area;
    /** @type {HTMLElement[]} */
    #separators = [];
    /** What is on screen, so that a frame in which no pane changes touches no element. */
    #shown = "";

    /**
     * @param {import("./chart-panel.js").ChartPanel} panel
     * @param {HTMLElement} area that the canvas fills.
     */
    constructor(panel, area) {
        this.#panel = panel;
        this.#area = area;
        panel.addEventListener("drawn", () => this.#show());
    }

    #show() {
        const chart = this.#panel.engineChart;
        const count = chart?.panes.count ?? 0;
        // Most charts have one pane, and most frames change nothing about it.
        if (count < 2 && this.#separators.length === 0) {
            return;
        }
        const places = Array.from({ length: count }, (_, pane) => chart?.panes.place(pane) ?? { top: 0, height: 0 });
        const key = places.map(({ top, height }) => `${top} ${height}`).join();
        if (key === this.#shown) {
            return;
        }
        this.#shown = key;
        this.#setCount(Math.max(0, count - 1));
        this.#separators.forEach((separator, pane) => {
            const { top, height } = places[pane];
            const both = height + places[pane + 1].height;
            separator.style.top = `${top + height}px`;
            separator.setAttribute("aria-valuenow", String(Math.round((height / Math.max(both, 1)) * 100)));
        });
    }

    /** @param {number} count */
    #setCount(count) {
        while (this.#separators.length > count) {
            const last = this.#separators.pop();
            if (last === document.activeElement) {
                this.#panel.canvas.focus({ preventScroll: true });
            }
            last?.remove();
        }
        while (this.#separators.length < count) {
            const pane = this.#separators.length;
            const separator = copyOf("pane-divider");
            separator.setAttribute("aria-label", pane === 0 ? "Height of the price pane" : `Height of pane ${pane + 1}`);
            separator.addEventListener("keydown", (event) => this.#pressed(event, pane));
            this.#separators.push(separator);
            this.#area.append(separator);
        }
    }

    /** @param {KeyboardEvent} event @param {number} pane */
    #pressed(event, pane) {
        if (hasModifier(event)) {
            return;
        }
        if (this.#scaled(keyOf(event), pane + 1)) {
            event.preventDefault();
            return;
        }
        const far = this.#panel.canvas.clientHeight;
        const step = event.shiftKey ? STEP * 10 : STEP;
        const dy = { ArrowUp: -step, ArrowDown: step, Home: -far, End: far }[event.key];
        if (dy === undefined) {
            return;
        }
        event.preventDefault();
        this.#panel.change((chart) => chart.panes.dragDivider(pane, dy));
        this.#panel.arranged();
    }

    /** @param {string} key @param {number} pane @returns {boolean} whether the key was for the scale of a pane. */
    #scaled(key, pane) {
        const factor = { "+": STRETCH, "=": STRETCH, "-": 1 / STRETCH }[key];
        const share = { PageUp: SHIFT, PageDown: -SHIFT }[key];
        this.#panel.change((chart) => {
            if (factor !== undefined) {
                chart.panes.stretchScale(pane, factor);
            } else if (share !== undefined) {
                chart.panes.panScale(pane, share * (chart.panes.place(pane)?.height ?? 0));
            } else if (key === "F") {
                chart.panes.resetScale(pane);
            }
        });
        return factor !== undefined || share !== undefined || key === "F";
    }
}
