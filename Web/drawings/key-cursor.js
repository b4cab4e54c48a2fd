/** Share of the price pane's height that an arrow moves; Shift moves ten times as far. */
const STEP = 0.01;
const STRIDE = 10;

/** @typedef {{time: number, price: number}} Anchor */

/**
 * A place on the chart that arrow keys move: by bars to the sides, by prices up and down. The crosshair shows it.
 */
export class KeyCursor {
    /** @type {?Anchor} null until the first move. */
    place = null;

    /** Begins again at the next move. */
    reset() {
        this.place = null;
    }

    /**
     * Shows the crosshair at the cursor, which begins at the crosshair's bar or at the newest one on screen.
     *
     * @param {import("../engine/chart.js").EngineChart} chart
     * @returns {?{x: number, y: number}} where it is; null without bars.
     */
    show(chart) {
        this.place ??= beginning(chart);
        const point = this.place && chart.point(this.place.time, this.place.price);
        if (!point) {
            return null;
        }
        const pane = chart.panes.place(0);
        const y = pane ? Math.max(pane.top + 1, Math.min(point.y, pane.top + pane.height - 1)) : point.y;
        chart.crosshair(point.x, y);
        return { x: point.x, y };
    }

    /**
     * @param {import("../engine/chart.js").EngineChart} chart
     * @param {number} bars to the right.
     * @param {number} steps up.
     * @param {boolean} isFar
     * @returns {?{x: number, y: number}} where it is now; null without bars.
     */
    move(chart, bars, steps, isFar) {
        const point = this.show(chart);
        const pane = chart.panes.place(0);
        if (!point || !pane || !this.place) {
            return null;
        }
        const stride = isFar ? STRIDE : 1;
        if (bars !== 0) {
            this.#moveAside(chart, point, bars * stride);
        } else {
            const y = point.y - steps * stride * STEP * pane.height;
            const within = Math.max(pane.top + 1, Math.min(y, pane.top + pane.height - 1));
            this.place.price = chart.position(point.x, within)?.value ?? this.place.price;
        }
        return this.show(chart);
    }

    /** @param {import("../engine/chart.js").EngineChart} chart @param {{x: number, y: number}} point @param {number} bars */
    #moveAside(chart, { x, y }, bars) {
        const spacing = chart.barSpacing;
        const { width } = chart.plot();
        let aim = x + bars * spacing;
        // Beyond the edge the chart comes along.
        const over = aim < spacing ? aim - spacing : aim > width - spacing ? aim - (width - spacing) : 0;
        if (over !== 0) {
            const moved = Math.sign(over) * Math.ceil(Math.abs(over) / spacing);
            const before = chart.firstVisible;
            chart.panBars(moved);
            aim -= (chart.firstVisible - before) * spacing;
        }
        const place = chart.position(Math.max(0, Math.min(aim, width - 1)), y);
        if (place && this.place) {
            this.place.time = chart.bar(Math.round(place.index))?.timestamp ?? place.time;
        }
    }
}

/** @param {import("../engine/chart.js").EngineChart} chart @returns {?Anchor} */
function beginning(chart) {
    const bar = chart.legend();
    if (!bar) {
        return null;
    }
    const { width } = chart.plot();
    const x = chart.point(bar.timestamp, bar.close)?.x ?? -1;
    if (x >= 0 && x < width) {
        return { time: bar.timestamp, price: bar.close };
    }
    const middle = chart.bar(Math.min(chart.count - 1, Math.round(chart.firstVisible + chart.visibleCount / 2)));
    return middle ? { time: middle.timestamp, price: middle.close } : null;
}
