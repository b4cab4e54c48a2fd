/** @typedef {import("./drawing-words.js").DrawingEntry} DrawingEntry */

/**
 * The drawings that the engine has, as the page last read them: one look at the engine for all parts.
 */
export class Board {
    /** The document. */
    document = "";
    /** @type {DrawingEntry[]} from the lowest to the topmost one. */
    entries = [];

    /**
     * Reads them again.
     *
     * @param {import("../engine/drawings.js").EngineDrawings} drawings
     * @returns {boolean} whether they changed.
     */
    read(drawings) {
        const document = drawings.save();
        if (document === this.document) {
            return false;
        }
        this.document = document;
        // The document has the anchors, the list has the numbers; both are in the same order.
        const { drawings: described } = JSON.parse(document);
        this.entries = drawings.all.map((entry, index) => ({ ...entry, anchors: described[index].anchors }));
        return true;
    }

    /** @param {number} id @returns {?DrawingEntry} */
    entry(id) {
        return this.entries.find((each) => each.id === id) ?? null;
    }
}

/** @typedef {import("../engine/chart.js").EngineChart} EngineChart */

/**
 * Where a drawing is on the chart, in its pixels.
 *
 * @param {?EngineChart} chart
 * @param {Pick<import("./drawing-words.js").DrawingEntry, "kind" | "anchors">} entry
 * @returns {?{left: number, right: number, top: number, bottom: number}} null where the chart has no place for it.
 */
export function boxOf(chart, { kind, anchors }) {
    const points = anchors.flatMap(({ time, price }) => chart?.point(time, price) ?? []);
    if (!chart || points.length === 0) {
        return null;
    }
    const { width, height } = chart.plot();
    const xs = kind === "horizontal_line" ? [0, width] : points.map(({ x }) => x);
    const ys = kind === "vertical_line" ? [height / 2] : points.map(({ y }) => y);
    return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
}

/**
 * Price steps that a pixel of the price pane's height stands for.
 *
 * @param {?EngineChart} chart
 * @param {number} precision decimals of a price.
 */
export function ticksPerPixel(chart, precision) {
    const pane = chart?.panes.place(0);
    const at = (/** @type {number} */ y) => chart?.position(1, y)?.value ?? 0;
    const perPixel = pane ? Math.abs(at(pane.top + 1) - at(pane.top + 2)) : 0;
    return perPixel * 10 ** precision;
}
