/** What can be drawn, in the engine's order. */
export const DRAWING_KINDS = [
    "trend_line",
    "ray",
    "horizontal_line",
    "vertical_line",
    "rectangle",
    "fibonacci",
    "measure",
    "text",
];

/** Lines of drawings, in the engine's order. */
export const DASHES = ["solid", "dashed", "dotted"];

/** How prices stick to the bars, in the engine's order. */
export const MAGNETS = ["off", "weak", "strong"];

/**
 * @typedef {object} DrawingInfo
 * @property {number} id from 1.
 * @property {string} kind one of `DRAWING_KINDS`.
 * @property {boolean} locked
 * @property {boolean} hidden
 * @property {?number} colour 0xRRGGBBAA; null is the usual one.
 * @property {number} width of lines, 1 to 8.
 * @property {string} dash one of `DASHES`.
 * @property {string} text
 */

/**
 * The drawings on one chart. Places are CSS pixels from the chart's top left; a tolerance is how near is on a drawing:
 * 6 for a mouse, about 16 for a finger.
 */
export class EngineDrawings {
    #engine;
    #exports;
    #handle;

    /**
     * @param {import("./engine.js").Engine} engine
     * @param {Record<string, any>} exports
     * @param {number} handle of the chart.
     */
    constructor(engine, exports, handle) {
        this.#engine = engine;
        this.#exports = exports;
        this.#handle = handle;
    }

    /** What the next presses draw: one of `DRAWING_KINDS`, or null to select and move. */
    get tool() {
        return DRAWING_KINDS[this.#exports.cw_chart_drawing_current_tool(this.#handle)] ?? null;
    }

    set tool(kind) {
        this.#exports.cw_chart_drawing_tool(this.#handle, kind === null ? -1 : DRAWING_KINDS.indexOf(kind));
    }

    /** @returns {boolean} whether the drawings take the pointer; otherwise it is the chart's. */
    press(x, y, tolerance) {
        return this.#exports.cw_chart_drawing_press(this.#handle, x, y, tolerance) === 1;
    }

    /** The pointer moves, pressed or not. */
    move(x, y, tolerance) {
        this.#exports.cw_chart_drawing_move(this.#handle, x, y, tolerance);
    }

    release(x, y, tolerance) {
        this.#exports.cw_chart_drawing_release(this.#handle, x, y, tolerance);
    }

    /** @returns {?{id: number, handle: ?number}} what is under a place; `handle` is null on a body. */
    hit(x, y, tolerance) {
        const hit = this.#exports.cw_chart_drawing_hit(this.#handle, x, y, tolerance);
        return hit === 0 ? null : { id: hit >> 2, handle: (hit & 3) === 0 ? null : (hit & 3) - 1 };
    }

    /** Gives up what was begun; what was dragged goes back. */
    cancel() {
        this.#exports.cw_chart_drawing_cancel(this.#handle);
    }

    /** Places an anchor at the crosshair. @returns {boolean} false without a tool or a crosshair. */
    placeAtCrosshair() {
        return this.#exports.cw_chart_drawing_at_crosshair(this.#handle) === 1;
    }

    /** Moves the selected drawing. @param {number} bars @param {number} steps of the price, up. */
    nudge(bars, steps) {
        this.#exports.cw_chart_drawing_nudge(this.#handle, bars, steps);
    }

    /** @param {string} magnet one of `MAGNETS`. */
    setMagnet(magnet) {
        this.#exports.cw_chart_drawing_magnet(this.#handle, MAGNETS.indexOf(magnet));
    }

    /**
     * What a drawing looks like.
     *
     * @param {number} id 0 is whatever is drawn next.
     * @param {{colour?: ?number, width?: number, dash?: string}} style the colour is 0xRRGGBBAA, null the usual one.
     */
    setStyle(id, { colour = null, width = 2, dash = "solid" }) {
        this.#exports.cw_chart_drawing_style(this.#handle, id, colour ?? -1, width, DASHES.indexOf(dash));
    }

    /** @param {number} id @param {string} text */
    setText(id, text) {
        this.#engine.withText(text, (pointer, length) => {
            this.#exports.cw_chart_drawing_set_text(this.#handle, id, pointer, length);
        });
    }

    lock(id, isLocked) {
        this.#exports.cw_chart_drawing_lock(this.#handle, id, isLocked ? 1 : 0);
    }

    /** @param {number} id 0 is all of them. @param {boolean} isHidden */
    hide(id, isHidden) {
        this.#exports.cw_chart_drawing_hide(this.#handle, id, isHidden ? 1 : 0);
    }

    /** Puts it above all others. @param {number} id */
    raise(id) {
        this.#exports.cw_chart_drawing_raise(this.#handle, id);
    }

    remove(id) {
        this.#exports.cw_chart_drawing_remove(this.#handle, id);
    }

    removeAll() {
        this.#exports.cw_chart_drawing_remove_all(this.#handle);
    }

    /** Number of the drawing with handles; 0 is none. */
    get selection() {
        return this.#exports.cw_chart_drawing_selection(this.#handle);
    }

    set selection(id) {
        this.#exports.cw_chart_drawing_select(this.#handle, id);
    }

    /** @param {number} step 1 or -1. */
    selectNext(step) {
        this.#exports.cw_chart_drawing_select_next(this.#handle, step);
    }

    /** @returns {boolean} whether there was something to undo. */
    undo() {
        return this.#exports.cw_chart_drawing_undo(this.#handle) === 1;
    }

    redo() {
        return this.#exports.cw_chart_drawing_redo(this.#handle) === 1;
    }

    get canUndo() {
        return (this.#exports.cw_chart_drawing_steps(this.#handle) & 1) !== 0;
    }

    get canRedo() {
        return (this.#exports.cw_chart_drawing_steps(this.#handle) & 2) !== 0;
    }

    /** @returns {DrawingInfo[]} from the lowest to the topmost one. */
    get all() {
        const list = [];
        for (let position = 0; position < this.#exports.cw_chart_drawing_count(this.#handle); position += 1) {
            const pointer = this.#exports.cw_chart_drawing_at(this.#handle, position);
            const [id, kind, locked, hidden, colour, width, dash] = this.#engine.floats(pointer, 7);
            list.push({
                id,
                kind: DRAWING_KINDS[kind],
                locked: locked !== 0,
                hidden: hidden !== 0,
                colour: colour < 0 ? null : colour,
                width,
                dash: DASHES[dash],
                text: this.#text(),
            });
        }
        return list;
    }

    /** @returns {string} all drawings as a JSON document, version 1. */
    save() {
        this.#exports.cw_chart_drawing_save(this.#handle);
        return this.#text();
    }

    /**
     * Replaces all drawings by those of a document; one step to undo.
     *
     * @param {string} document
     * @throws {Error} with a sentence about the first thing that is not as it should be; nothing changes then.
     */
    load(document) {
        this.#take(document, false);
    }

    /** The same for what was there before anybody drew here: nothing can be undone then. @param {string} document */
    restore(document) {
        this.#take(document, true);
    }

    /** @param {string} document @param {boolean} isBeginning */
    #take(document, isBeginning) {
        const isTaken = this.#engine.withText(document, (pointer, length) => {
            return this.#exports.cw_chart_drawing_load(this.#handle, pointer, length, isBeginning ? 1 : 0) === 1;
        });
        if (!isTaken) {
            throw new Error(this.#text());
        }
    }

    /** Another symbol's board comes: nothing is drawn on it, nothing can be undone. Magnet and style stay. */
    reset() {
        this.#exports.cw_chart_drawing_reset(this.#handle);
    }

    #text() {
        const length = this.#exports.cw_chart_text_length(this.#handle);
        return new TextDecoder().decode(this.#engine.bytes(this.#exports.cw_chart_text(this.#handle), length));
    }
}
