import { PLACEMENTS } from "./boundary.js";
import { ROW } from "./candle-rows.js";
import { partWith } from "./part.js";

const Part = partWith({ remove: "cw_chart_remove_comparison" });

/** Other symbols as lines on a chart. */
export class EngineComparisons extends Part {
    /**
     * Adds a symbol without bars. The first one turns a linear price scale to percent.
     *
     * @param {string} symbol
     * @param {number} precision decimals of its price.
     * @returns {number} its id; 0 where there are too many.
     */
    add(symbol, precision) {
        return this.engine.withText(symbol, (pointer, length) =>
            this.exports.cw_chart_add_comparison(this.handle, pointer, length, precision),
        );
    }

    /** Replaces a comparison's bars.
     * @param {number} id @param {Float64Array} rows n x 6. @returns {number} bars accepted. */
    set(id, rows) {
        return this.engine.withNumbers(rows, (pointer) =>
            this.exports.cw_chart_set_comparison(this.handle, id, pointer, rows.length / ROW),
        );
    }

    /**
     * @param {number} id
     * @param {import("./candle-rows.js").Candle} candle
     * @returns {string} one of `PLACEMENTS`.
     */
    place(id, { timestamp, open, high, low, close, volume }) {
        const handle = this.handle;
        return PLACEMENTS[this.exports.cw_chart_place_comparison(handle, id, timestamp, open, high, low, close, volume)];
    }

    /** @param {number} id @param {boolean} isVisible a hidden comparison stays in the legend. */
    show(id, isVisible) {
        this.exports.cw_chart_show_comparison(this.handle, id, isVisible ? 1 : 0);
    }

    /** @param {number} id @returns {number} `0xRRGGBBAA`, the colour that it is drawn in. */
    colour(id) {
        return this.exports.cw_chart_comparison_colour(this.handle, id) >>> 0;
    }

    /**
     * @param {number} id
     * @param {?number} colour `0xRRGGBBAA`; null is the theme's.
     */
    setColour(id, colour) {
        this.exports.cw_chart_set_comparison_colour(this.handle, id, colour ?? 0);
    }
}
