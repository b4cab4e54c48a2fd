import { DASHES } from "./engine-drawings.js";

/** What crosses an alert, in the engine's order. */
export const ALERT_DIRECTIONS = ["either", "up", "down"];
/** Signs at bars, in the engine's order. */
export const MARKER_KINDS = ["buy", "sell", "flag", "dot"];
/** Lines of orders, in the engine's order. */
export const ORDER_KINDS = ["position", "order", "stop_loss", "take_profit"];
/** What can be wrong with the feed, in the engine's order. */
export const FEED_STATES = ["stale", "gap", "corrected", "partial"];

/**
 * What is put on a chart beside drawings: price lines, alerts, markers, orders, the state of the feed. Objects are told
 * by whole numbers of the page's own; the same number again replaces one. Times are seconds since 1970 UTC.
 */
export class EngineObjects {
    #engine;
    #exports;
    #handle;

    /**
     * @param {import("./engine.js").Engine} engine
     * @param {Record<string, any>} exports
     * @param {number} handle of the chart.
     */
    constructor(engine, exports, handle) {
        this.#engine = engine;
        this.#exports = exports;
        this.#handle = handle;
    }

    /** @param {{id: number, price: number, colour?: ?number, width?: number, dash?: string, label?: string}} line */
    setLine({ id, price, colour = null, width = 1, dash = "solid", label = "" }) {
        this.#engine.withText(label, (pointer, length) => {
            const style = [colour ?? -1, width, DASHES.indexOf(dash)];
            this.#exports.cw_chart_line_set(this.#handle, id, price, ...style, pointer, length);
        });
    }

    removeLine(id) {
        this.#exports.cw_chart_line_remove(this.#handle, id);
    }

    /** @param {{id: number, price: number, direction?: string}} alert */
    setAlert({ id, price, direction = "either" }) {
        this.#exports.cw_chart_alert_set(this.#handle, id, price, ALERT_DIRECTIONS.indexOf(direction));
    }

    removeAlert(id) {
        this.#exports.cw_chart_alert_remove(this.#handle, id);
    }

    /** An alert that fired may fire again. */
    rearmAlert(id) {
        this.#exports.cw_chart_alert_rearm(this.#handle, id);
    }

    /** @param {number} last price. @returns {number[]} the alerts that it fires, each once. */
    updateAlerts(last) {
        const count = this.#exports.cw_chart_alert_update(this.#handle, last);
        return Array.from({ length: count }, (_, at) => this.#exports.cw_chart_alert_fired(this.#handle, at));
    }

    /** @param {{id: number, time: number, kind: string, colour?: ?number, text?: string}} marker */
    setMarker({ id, time, kind, colour = null, text = "" }) {
        this.#engine.withText(text, (pointer, length) => {
            const index = MARKER_KINDS.indexOf(kind);
            this.#exports.cw_chart_marker_set(this.#handle, id, time, index, colour ?? -1, pointer, length);
        });
    }

    removeMarker(id) {
        this.#exports.cw_chart_marker_remove(this.#handle, id);
    }

    /** Tells what was wrong with the feed from one time to another. @param {string} state one of `FEED_STATES`. */
    markFeed(start, end, state, reason = "") {
        this.#engine.withText(reason, (pointer, length) => {
            const index = FEED_STATES.indexOf(state);
            this.#exports.cw_chart_feed_mark(this.#handle, start, end, index, pointer, length);
        });
    }

    clearFeed() {
        this.#exports.cw_chart_feed_clear(this.#handle);
    }

    /** @param {{id: number, kind: string, isBuy: boolean, price: number, isDraggable?: boolean, label?: string}} order */
    setOrder({ id, kind, isBuy, price, isDraggable = true, label = "" }) {
        this.#engine.withText(label, (pointer, length) => {
            const flags = [ORDER_KINDS.indexOf(kind), isBuy ? 1 : 0, price, isDraggable ? 1 : 0];
            this.#exports.cw_chart_order_set(this.#handle, id, ...flags, pointer, length);
        });
    }

    removeOrder(id) {
        this.#exports.cw_chart_order_remove(this.#handle, id);
    }

    /** The proposed price is the order's price now. */
    acceptOrder(id) {
        this.#exports.cw_chart_order_accept(this.#handle, id);
    }

    /** The order goes back to its price. */
    revertOrder(id) {
        this.#exports.cw_chart_order_revert(this.#handle, id);
    }

    /** @returns {boolean} whether an order's line takes the pointer. */
    press(x, y, tolerance) {
        return this.#exports.cw_chart_order_press(this.#handle, x, y, tolerance) === 1;
    }

    /** @returns {boolean} whether a draggable order's line is there. */
    hit(x, y, tolerance) {
        return this.#exports.cw_chart_order_hit(this.#handle, x, y, tolerance) === 1;
    }

    drag(x, y) {
        this.#exports.cw_chart_order_drag(this.#handle, x, y);
    }

    /** @returns {?{id: number, price: number}} what was proposed; null where nothing moved. */
    release() {
        const pointer = this.#exports.cw_chart_order_release(this.#handle);
        if (pointer === 0) {
            return null;
        }
        const [id, price] = this.#engine.floats(pointer, 2);
        return { id, price };
    }

    /** Takes all of them away. */
    clear() {
        this.#exports.cw_chart_objects_clear(this.#handle);
    }
}
