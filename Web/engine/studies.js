import { readStudyRecord } from "./boundary.js";
import { partWith } from "./part.js";

const Part = partWith({
    remove: "cw_chart_remove_study",
    /** Puts a study into a pane; a number beyond the panes is a new one. */
    move: "cw_chart_move_study",
    /** An output's value at a bar; NaN where there is none. */
    value: "cw_chart_study_value",
});

/** @typedef {Omit<import("./boundary.js").StudyRecord, "a" | "b" | "c" | "d"> & {parameters: number[]}} Study */

/** The studies of a chart. What kinds there are: `Engine.studies`. */
export class EngineStudies extends Part {
    /**
     * Adds a study with its default settings.
     *
     * @param {number} kind
     * @param {?number} [pane] null is where it belongs; a number beyond the panes is a new one.
     * @returns {number} its id; 0 where there is no more room.
     */
    add(kind, pane = null) {
        return this.exports.cw_chart_add_study(this.handle, kind, pane ?? -1);
    }

    /**
     * @param {number} id
     * @param {{source?: ?number, parameters?: number[]}} settings parameters that are missing or NaN stay as they are.
     */
    set(id, { source = null, parameters = [] }) {
        const [a = NaN, b = NaN, c = NaN, d = NaN] = parameters;
        this.exports.cw_chart_set_study(this.handle, id, source ?? -1, a, b, c, d);
    }

    /**
     * @param {number} id
     * @param {number} output
     * @param {?number} colour `0xRRGGBBAA`; null is the theme's.
     */
    setColour(id, output, colour) {
        this.exports.cw_chart_set_study_colour(this.handle, id, output, colour ?? 0);
    }

    /** @param {number} id @param {number} output @returns {number} `0xRRGGBBAA`, the colour that an output is drawn in. */
    colour(id, output) {
        return this.exports.cw_chart_study_colour(this.handle, id, output) >>> 0;
    }

    /**
     * @param {number} id
     * @param {boolean} isVisible a hidden study stays in the legend.
     */
    show(id, isVisible) {
        this.exports.cw_chart_show_study(this.handle, id, isVisible ? 1 : 0);
    }

    /** @returns {Study[]} in the order in which they were added. */
    all() {
        const count = this.exports.cw_chart_study_count(this.handle);
        return Array.from({ length: count }, (_, index) => {
            const pointer = this.exports.cw_chart_study(this.handle, index);
            const { a, b, c, d, ...study } = this.engine.answer(pointer, readStudyRecord);
            return { ...study, parameters: [a, b, c, d].flatMap((value) => value ?? []) };
        });
    }
}
