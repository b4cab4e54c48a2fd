import { resizeList } from "./display-list.js";
import { REDRAW_LEVELS, numberOf } from "./boundary.js";
import { Painter } from "./painter.js";

/** @typedef {{words: Uint32Array, floats: Float32Array}} List a display list, and the same memory as floats. */
/** From which level on what changed. */
const [CURSOR, LAST_BAR, VIEWPORT] = ["cursor", "lastBar", "viewport"].map((name) => numberOf(REDRAW_LEVELS, name));

/** The list of an empty picture. */
const NOTHING = { words: new Uint32Array(0), floats: new Float32Array(0) };

/** How many times in a row the base must have changed as well before the overlay's list is painted on it. */
const CALM = 4;

/**
 * The two canvases that a chart is painted on, one over the other: the base has the bars, the axes, the studies; the
 * overlay has the crosshair and the legends. So a pointer that moves repaints a few lines, whatever lies below.
 *
 * While only prices move, both lists change with each frame: they are painted on the base together, and the browser
 * has one picture to show instead of two. The next move of the pointer parts them again.
 */
export class ChartSurface {
    /** @type {HTMLCanvasElement} The upper canvas: it has the focus, the role and the pointer. */
    canvas;
    /** How often each canvas was painted. */
    paints = { base: 0, overlay: 0 };
    #base;
    #basePainter;
    #overlayPainter;
    /** Whether a canvas lost its picture, so that it is painted whatever the engine says. */
    #isBlank = true;
    /** Whether the base has both lists, and the overlay nothing. */
    #isJoined = false;
    /** Paints of the base since the pointer alone moved. */
    #calm = 0;
    /** Both lists, one after the other. */
    #both = { words: new Uint32Array(0), floats: new Float32Array(0) };

    /**
     * @param {HTMLCanvasElement} base
     * @param {HTMLCanvasElement} overlay
     * @param {() => void} onLost the browser dropped the pictures: paint again.
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
        this.#basePainter.prepare();
    }

    /** Another chart's pictures come: nothing of the present ones can stay. */
    forget() {
        this.#isBlank = true;
    }

    /** Paints what changed since the last time.
     * @param {import("./chart.js").EngineChart} chart */
    paint(chart) {
        const level = chart.draw();
        const isBlank = this.#isBlank;
        this.#isBlank = false;
        if (isBlank || level >= LAST_BAR) {
            this.#calm += 1;
            if (isBlank || (!this.#isJoined && this.#calm >= CALM)) {
                this.#isJoined = true;
                this.#paintOverlay(NOTHING);
            }
            // Where other bars are on screen, looking for what stayed is in vain.
            this.#paintBase(this.#isJoined ? this.#join(chart) : chart.base(), level >= VIEWPORT);
            if (!this.#isJoined) {
                this.#paintOverlay(chart.overlay());
            }
        } else if (level === CURSOR) {
            this.#calm = 0;
            if (this.#isJoined) {
                this.#isJoined = false;
                this.#paintBase(chart.base(), false);
            }
            this.#paintOverlay(chart.overlay());
        }
    }

    /** @param {List} list @param {boolean} isNew */
    #paintBase({ words, floats }, isNew) {
        this.#basePainter.paint(words, floats, isNew);
        this.paints.base += 1;
    }

    /** @param {List} list */
    #paintOverlay({ words, floats }) {
        this.#overlayPainter.paint(words, floats);
        this.paints.overlay += 1;
    }

    /** @param {import("./chart.js").EngineChart} chart */
    #join(chart) {
        const base = chart.base().words;
        const overlay = chart.overlay().words;
        resizeList(this.#both, base.length + overlay.length);
        this.#both.words.set(base);
        this.#both.words.set(overlay, base.length);
        return this.#both;
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
