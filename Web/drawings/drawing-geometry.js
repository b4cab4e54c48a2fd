/** @typedef {import("../chart/engine-chart.js").EngineChart} EngineChart */

/**
 * Where a drawing is on the chart, in its pixels.
 *
 * @param {?EngineChart} chart
 * @param {Pick<import("./drawing-words.js").DrawingEntry, "kind" | "anchors">} entry
 * @returns {?{left: number, right: number, top: number, bottom: number}} null where the chart has no place for it.
 */
export function boxOf(chart, { kind, anchors }) {
    const points = anchors.map(({ time, price }) => chart?.point(time, price)).filter((point) => point != null);
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
