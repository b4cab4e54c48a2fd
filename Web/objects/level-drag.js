/** Pixels that a press moves before it is a drag. */
const SLOP = 4;

/** @typedef {{id: number, price: number}} Held an alert or a line. */

/**
 * Drags alerts and price lines up and down; a click on one opens the list with it.
 *
 * @implements {PointerHandler}
 */
export class LevelDrag {
    #chart;
    #levels;
    #view;
    #open;
    /** @type {?Held} */
    #held = null;
    #startY = 0;
    #hasMoved = false;

    /**
     * @param {ChartHandle} chart
     * @param {import("./levels.js").Levels} levels
     * @param {LevelView} view
     * @param {(id: number) => void} open the list, at this alert or line.
     */
    constructor(chart, levels, view, open) {
        this.#chart = chart;
        this.#levels = levels;
        this.#view = view;
        this.#open = open;
        // What is held belongs to the last symbol.
        chart.addEventListener("selected", () => this.#held && this.cancel());
    }

    /** @param {number} x @param {number} y @param {number} tolerance @param {PointerEvent} event */
    press(x, y, tolerance, event) {
        // While something is drawn, lines are what it is drawn at.
        if (event.button > 0 || this.#chart.engineChart?.drawings.tool !== null) {
            return false;
        }
        this.#held = this.#find(x, y, tolerance);
        this.#startY = y;
        this.#hasMoved = false;
        return this.#held !== null;
    }

    /** @param {number} x @param {number} y */
    move(x, y) {
        if (!this.#held || (!this.#hasMoved && Math.abs(y - this.#startY) < SLOP)) {
            return;
        }
        this.#hasMoved = true;
        const price = this.#priceAt(y);
        const { id } = this.#held;
        if (price !== null) {
            this.#held.price = price;
            const { alerts, lines } = this.#levels.of(this.#symbol);
            const [alert, line] = [alerts.find((each) => each.id === id), lines.find((each) => each.id === id)];
            this.#chart.change(({ objects }) => {
                alert && objects.setAlert({ ...alert, price });
                line && objects.setLine({ ...line, price });
            });
        }
    }

    release() {
        const held = this.#held;
        this.#held = null;
        if (!held) {
            return;
        }
        if (!this.#hasMoved) {
            this.#open(held.id);
        } else {
            this.#levels.change(this.#symbol, held.id, { price: held.price });
        }
    }

    /** @param {number} x @param {number} y */
    hover(x, y) {
        return this.#chart.engineChart?.drawings.tool === null && this.#find(x, y, 5) ? "ns-resize" : "";
    }

    cancel() {
        this.#held = null;
        this.#view.show();
    }

    /** @param {KeyboardEvent} event */
    key(event) {
        if (event.key === "Escape" && this.#held) {
            this.cancel();
            return true;
        }
        return false;
    }

    get #symbol() {
        return this.#chart.selection?.symbol ?? "";
    }

    /** @param {number} x @param {number} y @param {number} tolerance @returns {?Held} the nearest line under a place. */
    #find(x, y, tolerance) {
        const chart = this.#chart.engineChart;
        const pane = chart?.panes.place(0);
        const { alerts, lines } = this.#levels.of(this.#symbol);
        if (!chart || !pane) {
            return null;
        }
        if (x < 0 || x >= chart.plot().width || y < pane.top || y >= pane.top + pane.height) {
            return null;
        }
        const all = [...alerts.filter(({ firedAt }) => firedAt === null), ...lines].map(({ id, price }) => ({ id, price }));
        if (all.length === 0) {
            return null;
        }
        const time = chart.bar(0)?.timestamp ?? 0;
        const away = (/** @type {{price: number}} */ { price }) => Math.abs((chart.point(time, price)?.y ?? Infinity) - y);
        const nearest = all.reduce((best, each) => (away(each) <= away(best) ? each : best));
        return away(nearest) <= tolerance ? nearest : null;
    }

    /** @param {number} y @returns {?number} with the decimals of the symbol's prices. */
    #priceAt(y) {
        const chart = this.#chart.engineChart;
        const pane = chart?.panes.place(0);
        if (!chart || !pane) {
            return null;
        }
        const within = Math.max(pane.top, Math.min(y, pane.top + pane.height - 1));
        const value = chart.position(1, within)?.value;
        return value === undefined ? null : Number(value.toFixed(this.#chart.precision));
    }
}

/** Draws the waiting alerts and the price lines of the chosen symbol on the chart. */
export class LevelView {
    #chart;
    #levels;
    #symbol = "";
    /** @type {{alerts: number[], lines: number[]}} what the engine shows. */
    #shown = { alerts: [], lines: [] };

    /**
     * @param {ChartHandle} chart
     * @param {import("./levels.js").Levels} levels
     */
    constructor(chart, levels) {
        this.#chart = chart;
        this.#levels = levels;
        chart.addEventListener("ready", () => {
            this.#symbol = "";
            this.#shown = { alerts: [], lines: [] };
        });
        chart.addEventListener("selected", () => {
            const symbol = chart.selection?.symbol ?? "";
            if (symbol !== this.#symbol) {
                this.#symbol = symbol;
                this.show();
            }
        });
        levels.addEventListener("change", (event) => {
            if (/** @type {CustomEvent} */ (event).detail === this.#symbol) {
                this.show();
            }
        });
    }

    /** Shows what there is, also after a drag that was cancelled. */
    show() {
        const { alerts, lines } = this.#levels.of(this.#symbol);
        this.#chart.change(({ objects }) => {
            this.#shown.alerts.forEach((id) => objects.removeAlert(id));
            this.#shown.lines.forEach((id) => objects.removeLine(id));
            const waiting = alerts.filter(({ firedAt }) => firedAt === null);
            waiting.forEach((alert) => objects.setAlert(alert));
            lines.forEach((line) => objects.setLine(line));
            this.#shown = { alerts: waiting.map(({ id }) => id), lines: lines.map(({ id }) => id) };
        });
    }
}
