/** One side of an engine chart: calls the exports with the chart's handle. */
export class ChartPart {
    /**
     * @param {import("./engine.js").Engine} engine
     * @param {number} handle of the chart.
     */
    constructor(engine, handle) {
        this.engine = engine;
        this.exports = engine.exports;
        this.handle = handle;
    }
}
