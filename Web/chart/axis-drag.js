/** How near a mouse has to be to a divider. */
const NEAR = 4;
/** How near a finger has to be; more would leave too little of the panes. */
const NEAR_FINGER = 12;
/** Stretch of a price scale per pixel of a drag. */
const STRETCH = 1 / 220;

const CURSORS = { divider: "row-resize", price: "ns-resize", time: "ew-resize" };

/** @typedef {{kind: "divider" | "price" | "time", pane: number}} Place */

/**
 * The axes and the dividers under the pointer: a drag along the price axis stretches its scale, one along the time axis
 * zooms about the right edge, one of a divider makes a pane higher. A double click gives back what fits.
 *
 * @implements {PointerHandler}
 */
export class AxisDrag {
    #panel;
    /** @type {?Place} */
    #held = null;
    #last = { x: 0, y: 0 };

    /** @param {import("./chart-panel.js").ChartPanel} panel */
    constructor(panel) {
        this.#panel = panel;
    }

    /** @param {number} x @param {number} y @param {number} tolerance @param {PointerEvent} event */
    press(x, y, tolerance, event) {
        this.#held = this.#place(x, y, event.pointerType === "touch" ? Math.min(tolerance, NEAR_FINGER) : NEAR);
        this.#last = { x, y };
        return this.#held !== null;
    }

    /** @param {number} x @param {number} y */
    move(x, y) {
        const { x: lastX, y: lastY } = this.#last;
        this.#last = { x, y };
        const { kind, pane } = this.#held ?? { kind: "none", pane: 0 };
        this.#panel.change((chart) => {
            if (kind === "divider") {
                chart.panes.dragDivider(pane, y - lastY);
            } else if (kind === "price") {
                chart.panes.stretchScale(pane, Math.exp((lastY - y) * STRETCH));
            } else if (kind === "time") {
                const { width } = chart.plot();
                // The bar under the pointer stays under it, and the right edge where it is.
                chart.zoom(Math.max(width - x, 8) / Math.max(width - lastX, 8), width);
            }
        });
    }

    release() {
        if (this.#held?.kind === "divider") {
            this.#panel.arranged();
        }
        this.#held = null;
    }

    cancel() {
        this.release();
    }

    /** @param {number} x @param {number} y */
    hover(x, y) {
        const place = this.#place(x, y, NEAR);
        return place ? CURSORS[place.kind] : "";
    }

    /** @param {number} x @param {number} y */
    double(x, y) {
        const place = this.#place(x, y, NEAR);
        this.#panel.change((chart) => {
            if (place?.kind === "price") {
                chart.panes.resetScale(place.pane);
            } else if (place?.kind === "time") {
                chart.fit();
            }
        });
        return place !== null;
    }

    /** @param {number} x @param {number} y @param {number} near @returns {?Place} */
    #place(x, y, near) {
        const chart = this.#panel.engineChart;
        if (!chart) {
            return null;
        }
        const { width, height } = chart.plot();
        for (let pane = 0; pane + 1 < chart.panes.count; pane += 1) {
            const { top, height: own } = chart.panes.place(pane) ?? { top: 0, height: 0 };
            if (Math.abs(y - top - own) <= near) {
                return { kind: "divider", pane };
            }
        }
        if (x > width && y < height) {
            return { kind: "price", pane: Math.max(0, chart.panes.at(y)) };
        }
        return y > height && x <= width ? { kind: "time", pane: 0 } : null;
    }
}
