import { svg } from "../dom.js";

const WIDTH = 72;
const HEIGHT = 28;
/** Room for the line's own width. */
const INSET = 2;

/** A market's last hours as a small line. Colour comes from the row's direction (`currentColor`). */
export class Sparkline {
    #line = svg("path", { class: "sparkline-line" });
    #area = svg("path", { class: "sparkline-area" });
    #drawn = "";
    element = svg(
        "svg",
        { class: "sparkline", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" },
        this.#area,
        this.#line,
    );

    /** @param {number[]} closes oldest first. */
    show(closes) {
        const path = linePath(closes);
        if (path === this.#drawn) {
            return;
        }
        this.#drawn = path;
        this.#line.setAttribute("d", path);
        this.#area.setAttribute("d", path && `${path}V${HEIGHT}H0Z`);
    }
}

/** @param {number[]} closes */
function linePath(closes) {
    if (closes.length < 2) {
        return "";
    }
    const low = Math.min(...closes);
    const range = Math.max(...closes) - low;
    const step = WIDTH / (closes.length - 1);
    const y = (/** @type {number} */ close) =>
        range === 0 ? HEIGHT / 2 : HEIGHT - INSET - ((close - low) / range) * (HEIGHT - 2 * INSET);
    return closes
        .map((close, index) => `${index === 0 ? "M" : "L"}${(index * step).toFixed(1)} ${y(close).toFixed(1)}`)
        .join("");
}
