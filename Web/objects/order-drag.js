/**
 * Drags the lines of orders. What comes of it is up to trading: the canvas sends the DOM event `order-drag`, which
 * bubbles, with the order's number and the proposed price.
 *
 * ```js
 * document.addEventListener("order-drag", (event) => {
 *     event.preventDefault(); // the answer comes later
 *     const { id, price, accept, revert } = event.detail;
 *     move(id, price).then(accept, revert);
 * });
 * ```
 *
 * Where no listener prevents the default, the order goes back at once. Until there is one, the chart shows both prices.
 *
 * @implements {PointerHandler}
 */
export class OrderDrag {
    #chart;
    #isHolding = false;

    /** @param {ChartHandle} chart */
    constructor(chart) {
        this.#chart = chart;
    }

    /** @param {number} x @param {number} y @param {number} tolerance @param {PointerEvent} event */
    press(x, y, tolerance, event) {
        if (event.button > 0 || this.#chart.engineChart?.drawings.tool !== null) {
            return false;
        }
        this.#isHolding = this.#chart.change(({ objects }) => objects.press(x, y, tolerance)) ?? false;
        return this.#isHolding;
    }

    /** @param {number} x @param {number} y */
    move(x, y) {
        if (this.#isHolding) {
            this.#chart.change(({ objects }) => objects.drag(x, y));
        }
    }

    release() {
        const proposal = this.#endDrag();
        if (!proposal) {
            return;
        }
        const { id, price } = proposal;
        // An engine that was loaded again has other orders: an answer to this one is not for them.
        const chart = this.#chart.engineChart;
        const answer = (/** @type {"acceptOrder" | "revertOrder"} */ way) => () => {
            if (chart === this.#chart.engineChart) {
                this.#chart.change(({ objects }) => objects[way](id));
            }
        };
        const detail = { id, price, accept: answer("acceptOrder"), revert: answer("revertOrder") };
        const event = new CustomEvent("order-drag", { bubbles: true, cancelable: true, detail });
        if (this.#chart.canvas.dispatchEvent(event)) {
            detail.revert();
        }
    }

    /** @param {number} x @param {number} y */
    hover(x, y) {
        const chart = this.#chart.engineChart;
        return chart?.drawings.tool === null && chart.objects.hit(x, y, 6) ? "ns-resize" : "";
    }

    cancel() {
        const proposal = this.#endDrag();
        if (proposal) {
            this.#chart.change(({ objects }) => objects.revertOrder(proposal.id));
        }
    }

    /** @param {KeyboardEvent} event */
    key(event) {
        if (event.key === "Escape" && this.#isHolding) {
            this.cancel();
            return true;
        }
        return false;
    }

    #endDrag() {
        const wasHolding = this.#isHolding;
        this.#isHolding = false;
        return wasHolding ? (this.#chart.change(({ objects }) => objects.release()) ?? null) : null;
    }
}
