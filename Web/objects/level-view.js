/** Draws the waiting alerts and the price lines of the chosen symbol on the chart. */
export class LevelView {
    #chart;
    #levels;
    #symbol = "";
    /** @type {{alerts: number[], lines: number[]}} what the engine shows. */
    #shown = { alerts: [], lines: [] };

    /**
     * @param {import("../chart/chart-panel.js").ChartPanel} chart
     * @param {import("./levels.js").Levels} levels
     */
    constructor(chart, levels) {
        this.#chart = chart;
        this.#levels = levels;
        chart.addEventListener("ready", () => {
            this.#symbol = "";
            this.#shown = { alerts: [], lines: [] };
        });
        chart.addEventListener("selected", () => {
            const symbol = chart.selection?.symbol ?? "";
            if (symbol !== this.#symbol) {
                this.#symbol = symbol;
                this.show();
            }
        });
        levels.addEventListener("change", (event) => {
            if (/** @type {CustomEvent} */ (event).detail === this.#symbol) {
                this.show();
            }
        });
    }

    /** Shows what there is, also what a hand moved and then gave up. */
    show() {
        const { alerts, lines } = this.#levels.of(this.#symbol);
        this.#chart.change(({ objects }) => {
            this.#shown.alerts.forEach((id) => objects.removeAlert(id));
            this.#shown.lines.forEach((id) => objects.removeLine(id));
            const waiting = alerts.filter(({ firedAt }) => firedAt === null);
            waiting.forEach((alert) => objects.setAlert(alert));
            lines.forEach((line) => objects.setLine(line));
            this.#shown = { alerts: waiting.map(({ id }) => id), lines: lines.map(({ id }) => id) };
        });
    }
}
