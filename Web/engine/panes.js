import { PRICE_SCALES, numberOf, readPaneRecord, readScaleRecord } from "./boundary.js";
import { ChartPart } from "./chart-part.js";

/** The panes of a chart and their scales. The first one, 0, has the price. Lengths are CSS pixels. */
export class EnginePanes extends ChartPart {
    get count() {
        return this.exports.cw_chart_pane_count(this.handle);
    }

    /**
     * @param {number} pane
     * @returns {?{top: number, height: number, share: number}} where it is and its part of the height.
     */
    place(pane) {
        return this.engine.record(this.exports.cw_chart_pane(this.handle, pane), readPaneRecord);
    }

    /** @param {number} y @returns {number} the pane at a height; -1 on a divider and on the time axis. */
    at(y) {
        return this.exports.cw_chart_pane_at(this.handle, y);
    }

    /**
     * @param {number} pane the one above the divider.
     * @param {number} dy downwards.
     */
    dragDivider(pane, dy) {
        this.exports.cw_chart_drag_divider(this.handle, pane, dy);
    }

    /**
     * @param {number} pane
     * @param {number} share its part of the height; the price pane starts with 1.
     */
    setShare(pane, share) {
        this.exports.cw_chart_set_share(this.handle, pane, share);
    }

    /**
     * @param {number} pane
     * @param {{kind?: string, inverted?: boolean, range?: ?[number, number]}} scale kind is one of `PRICE_SCALES`; without a
     *   range it fits what is on screen.
     */
    setScale(pane, { kind = "linear", inverted = false, range = null }) {
        const [low, high] = range ?? [NaN, NaN];
        this.exports.cw_chart_set_scale(this.handle, pane, numberOf(PRICE_SCALES, kind), inverted ? 1 : 0, low, high);
    }

    /**
     * @param {number} pane
     * @returns {?{kind: string, inverted: boolean, isFixed: boolean, range: [number, number]}}
     */
    scale(pane) {
        const scale = this.engine.record(this.exports.cw_chart_scale(this.handle, pane), readScaleRecord);
        return scale && { ...scale, range: [scale.low, scale.high] };
    }

    /** Stretches a pane's values about its middle, as a drag along its axis.
     * @param {number} pane @param {number} factor above 1 is closer. */
    stretchScale(pane, factor) {
        this.exports.cw_chart_stretch_scale(this.handle, pane, factor);
    }

    /** Moves a pane's values.
     * @param {number} pane @param {number} dy downwards. */
    panScale(pane, dy) {
        this.exports.cw_chart_pan_scale(this.handle, pane, dy);
    }

    /** Back to the range that fits.
     * @param {number} pane */
    resetScale(pane) {
        this.exports.cw_chart_reset_scale(this.handle, pane);
    }

    /** Puts a pane below the price at another place among them.
     * @param {number} pane @param {number} place */
    move(pane, place) {
        this.exports.cw_chart_move_pane(this.handle, pane, place);
    }
}
