import { ALERT_DIRECTIONS, DASHES, FEED_STATES, MARKER_KINDS, ORDER_KINDS, numberOf, readProposalRecord } from "./boundary.js";
import { partWith } from "./part.js";

const Part = partWith({
    removeLine: "cw_chart_line_remove",
    removeAlert: "cw_chart_alert_remove",
    removeMarker: "cw_chart_marker_remove",
    clearFeed: "cw_chart_feed_clear",
    removeOrder: "cw_chart_order_remove",
    /** The proposed price is the order's price now. */
    acceptOrder: "cw_chart_order_accept",
    /** The order goes back to its price. */
    revertOrder: "cw_chart_order_revert",
    drag: "cw_chart_order_drag",
    /** Removes all of them. */
    clear: "cw_chart_objects_clear",
});

/**
 * What is put on a chart beside drawings: price lines, alerts, markers, orders, the state of the feed. Objects are
 * named by whole numbers of the page's own; the same number again replaces one. Times are seconds since 1970 UTC.
 */
export class EngineObjects extends Part {
    /** @param {{id: number, price: number, colour?: ?number, width?: number, dash?: string, label?: string}} line */
    setLine({ id, price, colour = null, width = 1, dash = "solid", label = "" }) {
        this.engine.withText(label, (pointer, length) => {
            const style = numberOf(DASHES, dash);
            this.exports.cw_chart_line_set(this.handle, id, price, colour ?? -1, width, style, pointer, length);
        });
    }

    /** @param {{id: number, price: number, direction?: string}} alert */
    setAlert({ id, price, direction = "either" }) {
        this.exports.cw_chart_alert_set(this.handle, id, price, numberOf(ALERT_DIRECTIONS, direction));
    }

    /**
     * @param {number} last price.
     * @returns {number[]} the alerts that it fires, each once.
     */
    updateAlerts(last) {
        const count = this.exports.cw_chart_alert_update(this.handle, last);
        return Array.from({ length: count }, (_, at) => this.exports.cw_chart_alert_fired(this.handle, at));
    }

    /** @param {{id: number, time: number, kind: string, colour?: ?number, text?: string}} marker */
    setMarker({ id, time, kind, colour = null, text = "" }) {
        this.engine.withText(text, (pointer, length) => {
            const index = numberOf(MARKER_KINDS, kind);
            this.exports.cw_chart_marker_set(this.handle, id, time, index, colour ?? -1, pointer, length);
        });
    }

    /** Marks what was wrong with the feed from one time to another.
     * @param {number} start @param {number} end @param {string} state one of `FEED_STATES`. @param {string} [reason] */
    markFeed(start, end, state, reason = "") {
        this.engine.withText(reason, (pointer, length) => {
            const index = numberOf(FEED_STATES, state);
            this.exports.cw_chart_feed_mark(this.handle, start, end, index, pointer, length);
        });
    }

    /** @param {{id: number, kind: string, isBuy: boolean, price: number, isDraggable?: boolean, label?: string}} order */
    setOrder({ id, kind, isBuy, price, isDraggable = true, label = "" }) {
        this.engine.withText(label, (pointer, length) => {
            const [number, side, drag] = [numberOf(ORDER_KINDS, kind), isBuy ? 1 : 0, isDraggable ? 1 : 0];
            this.exports.cw_chart_order_set(this.handle, id, number, side, price, drag, pointer, length);
        });
    }

    /** @param {number} x @param {number} y @param {number} tolerance @returns {boolean} whether the pointer is on an order's line. */
    press(x, y, tolerance) {
        return this.exports.cw_chart_order_press(this.handle, x, y, tolerance) === 1;
    }

    /** @param {number} x @param {number} y @param {number} tolerance @returns {boolean} whether a draggable order's line is there. */
    hit(x, y, tolerance) {
        return this.exports.cw_chart_order_hit(this.handle, x, y, tolerance) === 1;
    }

    /** @returns {?{id: number, price: number}} what was proposed; null where nothing moved. */
    release() {
        return this.engine.record(this.exports.cw_chart_order_release(this.handle), readProposalRecord);
    }
}
