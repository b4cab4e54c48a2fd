/**
 * @typedef {object} Study
 * @property {number} id
 * @property {number} kind
 * @property {number} pane
 * @property {boolean} isVisible
 * @property {number} source
 * @property {number[]} parameters
 */

/** The studies of a chart. What kinds there are: `Engine.studies`. */
export class EngineStudies {
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

    /**
     * Adds a study with its usual settings.
     *
     * @param {number} kind
     * @param {?number} [pane] null is where it belongs; a number beyond the panes is a new one.
     * @returns {number} its id; 0 where there is no more room.
     */
    add(kind, pane = null) {
        return this.#exports.cw_chart_add_study(this.#handle, kind, pane ?? -1);
    }

    remove(id) {
        this.#exports.cw_chart_remove_study(this.#handle, id);
    }

    /**
     * @param {number} id
     * @param {{source?: ?number, parameters?: number[]}} settings parameters that are missing or NaN stay as they are.
     */
    set(id, { source = null, parameters = [] }) {
        const [a = NaN, b = NaN, c = NaN, d = NaN] = parameters;
        this.#exports.cw_chart_set_study(this.#handle, id, source ?? -1, a, b, c, d);
    }

    /** @param {number} id @param {number} output @param {?number} colour `0xRRGGBBAA`; null is the theme's. */
    setColour(id, output, colour) {
        this.#exports.cw_chart_set_study_colour(this.#handle, id, output, colour ?? 0);
    }

    /** @returns {number} `0xRRGGBBAA`, the colour that an output is drawn in. */
    colour(id, output) {
        return this.#exports.cw_chart_study_colour(this.#handle, id, output) >>> 0;
    }

    /** @param {number} id @param {boolean} isVisible a hidden study stays in the legend. */
    show(id, isVisible) {
        this.#exports.cw_chart_show_study(this.#handle, id, isVisible ? 1 : 0);
    }

    /** @param {number} id @param {number} pane a number beyond the panes is a new one. */
    move(id, pane) {
        this.#exports.cw_chart_move_study(this.#handle, id, pane);
    }

    /** @returns {Study[]} in the order in which they were added. */
    all() {
        const count = this.#exports.cw_chart_study_count(this.#handle);
        return Array.from({ length: count }, (_, index) => {
            const pointer = this.#exports.cw_chart_study(this.#handle, index);
            const [id, kind, pane, isVisible, source, ...parameters] = this.#engine.floats(pointer, 9);
            return {
                id,
                kind,
                pane,
                isVisible: isVisible !== 0,
                source,
                parameters: parameters.filter((value) => !Number.isNaN(value)),
            };
        });
    }

    /** @returns {number} an output's value at a bar; NaN where there is none. */
    value(id, output, bar) {
        return this.#exports.cw_chart_study_value(this.#handle, id, output, bar);
    }
}
