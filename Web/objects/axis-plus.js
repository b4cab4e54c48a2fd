import { byId } from "../dom.js";
import { formatPrice } from "../format.js";
import { Menu } from "../ui/menu.js";

/**
 * The “+” on the price axis beside the crosshair: what can be put at that price.
 *
 * It is a handler that never keeps the pointer; it only tracks where the mouse is.
 *
 * @implements {PointerHandler}
 */
export class AxisPlus {
    /** For the mouse only: the keyboard has A and the list. */
    #button = byId("axis-plus", HTMLButtonElement);
    #chart;
    #menu;
    #target;
    /** @type {?{x: number, y: number}} Where the mouse is over the price pane; null elsewhere. */
    #pointer = null;
    /** The price the menu is about. */
    #price = 0;

    /**
     * @param {ChartHandle} chart
     * @param {object} target
     * @param {(price: number) => void} target.addAlert
     * @param {(price: number) => void} target.addLine
     */
    constructor(chart, target) {
        this.#chart = chart;
        this.#target = target;
        this.#menu = new Menu(this.#button, "Add at this price", () => this.#items());
        this.#button.addEventListener("pointerdown", () => (this.#price = this.price ?? this.#price));
        this.#button.addEventListener("pointermove", (event) => this.#keepCrosshair(event));
        this.#button.addEventListener("pointerleave", () => this.#left());
        chart.canvas.addEventListener("pointerleave", (event) => {
            const target = /** @type {?Node} */ (event.relatedTarget);
            if (!this.#button.contains(target)) {
                this.#left();
            }
        });
        chart.addEventListener("selected", () => this.#left());
    }

    /** The price under the mouse, as one writes it.
     * @returns {?number} */
    get price() {
        const value = this.#pointer && this.#chart.engineChart?.position(this.#pointer.x, this.#pointer.y)?.value;
        return value == null ? null : Number(value.toFixed(this.#chart.precision));
    }

    /** @param {number} x @param {number} y */
    hover(x, y) {
        const chart = this.#chart.engineChart;
        const pane = chart?.panes.place(0);
        const width = chart?.plot().width ?? 0;
        const isOver = !!pane && chart?.count !== 0 && x < width && y >= pane.top && y < pane.top + pane.height;
        this.#pointer = isOver ? { x, y } : null;
        this.#show();
        return "";
    }

    #items() {
        const price = formatPrice(this.#price, this.#chart.precision);
        return [
            { name: `Alert at ${price}`, act: () => this.#target.addAlert(this.#price) },
            { name: `Price line at ${price}`, act: () => this.#target.addLine(this.#price) },
        ];
    }

    /** On the button the canvas has no pointer: the crosshair stays where it was, at the button's height.
     * @param {PointerEvent} event */
    #keepCrosshair(event) {
        const box = this.#chart.canvas.getBoundingClientRect();
        const y = event.clientY - box.top;
        if (this.#pointer && this.#chart.engineChart?.panes.count) {
            this.#pointer = { x: this.#pointer.x, y };
            this.#chart.change((chart) => chart.crosshair(this.#pointer?.x ?? 0, y));
            this.#show();
        }
    }

    #left() {
        if (!this.#menu.isOpen) {
            this.#pointer = null;
            this.#chart.change((chart) => this.#button.hidden || chart.crosshairOff());
            this.#show();
        }
    }

    #show() {
        const chart = this.#chart.engineChart;
        this.#button.hidden = !this.#pointer || !chart || chart.drawings.tool !== null;
        if (chart && this.#pointer && !this.#button.hidden) {
            const size = this.#button.offsetWidth;
            const x = Math.round(chart.plot().width - size - 1);
            this.#button.style.translate = `${x}px ${Math.round(this.#pointer.y - size / 2)}px`;
        }
    }
}
