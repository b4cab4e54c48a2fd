import { REDRAW } from "./engine-chart.js";
import { Painter } from "./painter.js";

/**
 * The two canvases that a chart is painted on, one over the other: the base has the bars, the axes, the studies; the
 * overlay has the crosshair and the legends. So a pointer that moves repaints a few lines, whatever lies below.
 */
export class ChartSurface {
    /** The upper canvas: it has the focus, the role and the hands. @type {HTMLCanvasElement} */
    canvas;
    /** How often each canvas was painted. */
    paints = { base: 0, overlay: 0 };
    #base;
    #basePainter;
    #overlayPainter;
    /** Whether a canvas lost its picture, so that it is painted whatever the engine says. */
    #isBlank = true;

    /**
     * @param {HTMLCanvasElement} base
     * @param {HTMLCanvasElement} overlay
     * @param {() => void} onLost the browser took the pictures away: paint again.
     */
    constructor(base, overlay, onLost) {
        this.canvas = overlay;
        this.#base = base;
        this.#basePainter = new Painter(base);
        this.#overlayPainter = new Painter(overlay, { transparent: true });
        for (const canvas of [base, overlay]) {
            canvas.addEventListener("contextrestored", () => {
                this.#isBlank = true;
                onLost();
            });
        }
    }

    /**
     * Makes both canvases this large; a canvas that gets another size is blank until the next `paint`.
     *
     * @param {number} width CSS pixels.
     * @param {number} height CSS pixels.
     * @param {number} ratio device pixels per CSS pixel.
     */
    resize(width, height, ratio) {
        // Down, as the engine does: it paints no part of a pixel, and what it does not paint would keep old ink.
        const size = { width: Math.floor(width * ratio), height: Math.floor(height * ratio) };
        if (this.canvas.width !== size.width || this.canvas.height !== size.height) {
            Object.assign(this.#base, size);
            Object.assign(this.canvas, size);
            this.#isBlank = true;
        }
    }

    /** Another chart's pictures come: nothing of the present ones can stay. */
    forget() {
        this.#isBlank = true;
    }

    /** Paints what changed since the last time. @param {import("./engine-chart.js").EngineChart} chart */
    paint(chart) {
        const level = chart.draw();
        const isBlank = this.#isBlank;
        this.#isBlank = false;
        if (isBlank || level >= REDRAW.lastBar) {
            const { words, floats } = chart.base();
            this.#basePainter.paint(words, floats);
            this.paints.base += 1;
        }
        if (isBlank || level >= REDRAW.cursor) {
            const { words, floats } = chart.overlay();
            this.#overlayPainter.paint(words, floats);
            this.paints.overlay += 1;
        }
    }

    /** @returns {Promise<?Blob>} both canvases as one PNG. */
    picture() {
        const canvas = document.createElement("canvas");
        canvas.width = this.canvas.width;
        canvas.height = this.canvas.height;
        const context = canvas.getContext("2d");
        context?.drawImage(this.#base, 0, 0);
        context?.drawImage(this.canvas, 0, 0);
        return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
    }
}
