import { PRICE_SCALES, numberOf, readPaneRecord, readScaleRecord } from "./boundary.js";
import { partWith } from "./part.js";

const Part = partWith({
    /** The pane at a height; -1 on a divider and on the time axis. */
    at: "cw_chart_pane_at",
    /** Moves the divider below a pane, downwards. */
    dragDivider: "cw_chart_drag_divider",
    /** Gives a pane its part of the height; the price pane starts with 1. */
    setShare: "cw_chart_set_share",
    /** Stretches a pane's values about its middle, as a drag along its axis; a factor above 1 is closer. */
    stretchScale: "cw_chart_stretch_scale",
    /** Moves a pane's values downwards. */
    panScale: "cw_chart_pan_scale",
    /** Back to the range that fits. */
    resetScale: "cw_chart_reset_scale",
    /** Puts a pane below the price at another place among them. */
    move: "cw_chart_move_pane",
});

/** The panes of a chart and their scales. The first one, 0, has the price. Lengths are CSS pixels. */
export class EnginePanes extends Part {
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
}
