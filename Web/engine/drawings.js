import { DASHES, DRAWING_KINDS, MAGNETS, numberOf, readDrawingRecord } from "./boundary.js";
import { partWith } from "./part.js";

const Part = partWith({
    /** The pointer moves, pressed or not. */
    move: "cw_chart_drawing_move",
    release: "cw_chart_drawing_release",
    /** Gives up what was begun; what was dragged goes back. */
    cancel: "cw_chart_drawing_cancel",
    /** Moves the selected drawing by bars and by steps of the price, up. */
    nudge: "cw_chart_drawing_nudge",
    /** Puts it above all others. */
    raise: "cw_chart_drawing_raise",
    remove: "cw_chart_drawing_remove",
    removeAll: "cw_chart_drawing_remove_all",
    /** Selects the drawing a step further, 1 or -1. */
    selectNext: "cw_chart_drawing_select_next",
    /** Another symbol's board comes: nothing is drawn on it, nothing can be undone. Magnet and style stay. */
    reset: "cw_chart_drawing_reset",
});

/** @typedef {import("./boundary.js").DrawingRecord & {text: string}} DrawingInfo */

/**
 * The drawings on one chart. Places are CSS pixels from the chart's top left; a tolerance is how near is on a drawing:
 * 6 for a mouse, about 16 for a finger.
 */
export class EngineDrawings extends Part {
    /** What the next presses draw, one of `DRAWING_KINDS`; null selects and moves.
     * @returns {?string} */
    get tool() {
        return DRAWING_KINDS[this.exports.cw_chart_drawing_current_tool(this.handle)] ?? null;
    }

    /** @param {?string} kind */
    set tool(kind) {
        this.exports.cw_chart_drawing_tool(this.handle, kind === null ? -1 : numberOf(DRAWING_KINDS, kind));
    }

    /** @param {number} x @param {number} y @param {number} tolerance @returns {boolean} whether the pointer is the drawings'; otherwise it is the chart's. */
    press(x, y, tolerance) {
        return this.exports.cw_chart_drawing_press(this.handle, x, y, tolerance) === 1;
    }

    /** @param {number} x @param {number} y @param {number} tolerance @returns {?{id: number, handle: ?number}} what is under a place; `handle` is null on a body. */
    hit(x, y, tolerance) {
        const hit = this.exports.cw_chart_drawing_hit(this.handle, x, y, tolerance);
        return hit === 0 ? null : { id: hit >> 2, handle: (hit & 3) === 0 ? null : (hit & 3) - 1 };
    }

    /** Places an anchor at the crosshair.
     * @returns {boolean} false without a tool or a crosshair. */
    placeAtCrosshair() {
        return this.exports.cw_chart_drawing_at_crosshair(this.handle) === 1;
    }

    /** @param {string} magnet one of `MAGNETS`. */
    setMagnet(magnet) {
        this.exports.cw_chart_drawing_magnet(this.handle, numberOf(MAGNETS, magnet));
    }

    /**
     * What a drawing looks like.
     *
     * @param {number} id 0 is whatever is drawn next.
     * @param {{colour?: ?number, width?: number, dash?: string}} style the colour is 0xRRGGBBAA, null the default one.
     */
    setStyle(id, { colour = null, width = 2, dash = "solid" }) {
        this.exports.cw_chart_drawing_style(this.handle, id, colour ?? -1, width, numberOf(DASHES, dash));
    }

    /**
     * @param {number} id
     * @param {string} text
     */
    setText(id, text) {
        this.engine.withText(text, (pointer, length) => {
            this.exports.cw_chart_drawing_set_text(this.handle, id, pointer, length);
        });
    }

    /** @param {number} id @param {boolean} isLocked */
    lock(id, isLocked) {
        this.exports.cw_chart_drawing_lock(this.handle, id, isLocked ? 1 : 0);
    }

    /**
     * @param {number} id 0 is all of them.
     * @param {boolean} isHidden
     */
    hide(id, isHidden) {
        this.exports.cw_chart_drawing_hide(this.handle, id, isHidden ? 1 : 0);
    }

    /** Number of the drawing with handles; 0 is none. */
    get selection() {
        return this.exports.cw_chart_drawing_selection(this.handle);
    }

    set selection(id) {
        this.exports.cw_chart_drawing_select(this.handle, id);
    }

    /** @returns {boolean} whether there was something to undo. */
    undo() {
        return this.exports.cw_chart_drawing_undo(this.handle) === 1;
    }

    redo() {
        return this.exports.cw_chart_drawing_redo(this.handle) === 1;
    }

    get canUndo() {
        return (this.exports.cw_chart_drawing_steps(this.handle) & 1) !== 0;
    }

    get canRedo() {
        return (this.exports.cw_chart_drawing_steps(this.handle) & 2) !== 0;
    }

    /** @returns {DrawingInfo[]} from the lowest to the topmost one. */
    get all() {
        const list = [];
        for (let position = 0; position < this.exports.cw_chart_drawing_count(this.handle); position += 1) {
            const pointer = this.exports.cw_chart_drawing_at(this.handle, position);
            list.push({ ...this.engine.answer(pointer, readDrawingRecord), text: this.#text() });
        }
        return list;
    }

    /** @returns {string} all drawings as a JSON document, version 1. */
    save() {
        this.exports.cw_chart_drawing_save(this.handle);
        return this.#text();
    }

    /**
     * Replaces all drawings by those of a document; one step to undo.
     *
     * @param {string} document
     * @param {boolean} [isBeginning] whether the board begins with them: that cannot be undone.
     * @throws {Error} with a sentence about the first thing that is not as it should be; nothing changes then.
     */
    load(document, isBeginning = false) {
        const isLoaded = this.engine.withText(document, (pointer, length) => {
            return this.exports.cw_chart_drawing_load(this.handle, pointer, length, isBeginning ? 1 : 0) === 1;
        });
        if (!isLoaded) {
            throw new Error(this.#text());
        }
    }

    #text() {
        const length = this.exports.cw_chart_text_length(this.handle);
        return this.engine.text(this.exports.cw_chart_text(this.handle), length);
    }
}
