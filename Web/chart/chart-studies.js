import { recall, remember } from "../storage.js";

const KEY = "candlewire.studies";

/**
 * A study on the chart.
 *
 * @typedef {object} ActiveStudy
 * @property {number} id
 * @property {import("../engine/engine.js").StudyKind} kind
 * @property {number} pane 0 is the price's.
 * @property {boolean} isVisible
 * @property {?number} source null where the formula leaves no choice.
 * @property {number[]} parameters
 * @property {(?number)[]} colours by output, `0xRRGGBBAA`; null is the theme's.
 */

/**
 * A study as this browser keeps it; what an older page or a person wrote may be anything.
 *
 * @typedef {{study?: string, pane?: number, source?: number, parameters?: number[], colours?: (?number)[], isVisible?: boolean}} StoredStudy
 */

/**
 * The studies on the chart and the heights of its panes: remembered in this browser, and given to every engine chart.
 *
 * Events: `change`.
 */
export class ChartStudies extends EventTarget {
    #panel;
    #settings;
    /** @type {Map<number, (?number)[]>} Colours of one's own, by the study's id. */
    #colours = new Map();

    /**
     * @param {import("./chart-panel.js").ChartPanel} panel
     * @param {import("./chart-settings.js").ChartSettings} settings
     */
    constructor(panel, settings) {
        super();
        this.#panel = panel;
        this.#settings = settings;
        panel.addEventListener("ready", () => this.#restore());
        panel.addEventListener("arranged", () => this.#save());
        settings.addEventListener("change", () => this.#save());
    }

    /** The kinds there are; empty until the engine is there.
     * @returns {import("../engine/engine.js").StudyKind[]} */
    get kinds() {
        return this.#panel.engine?.studies ?? [];
    }

    /** Panes of the chart, that of the price included. */
    get paneCount() {
        return this.#panel.engineChart?.panes.count ?? 1;
    }

    /** @returns {ActiveStudy[]} from the top pane to the lowest, in a pane in the order in which they were added. */
    get list() {
        const chart = this.#panel.engineChart;
        const kinds = this.kinds;
        const active = (chart?.studies.all() ?? []).flatMap(({ id, kind, pane, isVisible, source, parameters }) => {
            const own = kinds.find((each) => each.kind === kind);
            const colours = (own?.outputs ?? []).map((_, output) => this.#colours.get(id)?.[output] ?? null);
            return own ? [{ id, kind: own, pane, isVisible, parameters, source: own.source === null ? null : source, colours }] : [];
        });
        return active.sort((a, b) => a.pane - b.pane);
    }

    /** The colour that an output is drawn in, `0xRRGGBBAA`. */
    colour(/** @type {number} */ id, /** @type {number} */ output) {
        return this.#panel.engineChart?.studies.colour(id, output) ?? 0;
    }

    /**
     * @param {import("../engine/engine.js").StudyKind} kind
     * @param {number[]} [parameters]
     * @returns {number} its id; 0 where there is no more room.
     */
    add(kind, parameters = []) {
        const id = this.#change((chart) => {
            const added = chart.studies.add(kind.kind);
            if (added !== 0 && parameters.length > 0) {
                chart.studies.set(added, { parameters });
            }
            return added;
        });
        return id ?? 0;
    }

    /** The study of a kind with exactly these parameters, and its default source.
     * @returns {?ActiveStudy} */
    find(/** @type {string} */ identifier, /** @type {number[]} */ parameters) {
        const isSame = (/** @type {ActiveStudy} */ { kind, source, parameters: own }) =>
            kind.identifier === identifier && source === kind.source && parameters.every((each, at) => each === own[at]);
        return this.list.find(isSame) ?? null;
    }

    /** @param {number} id */
    remove(id) {
        this.#colours.delete(id);
        this.#change((chart) => chart.studies.remove(id));
    }

    /** @param {number} id @param {{source?: ?number, parameters?: number[]}} settings */
    set(id, settings) {
        this.#change((chart) => chart.studies.set(id, settings));
    }

    /** @param {number} id @param {number} output @param {?number} colour `0xRRGGBBAA`; null is the theme's. */
    setColour(id, output, colour) {
        const own = this.#colours.get(id) ?? [];
        own[output] = colour;
        this.#colours.set(id, own);
        this.#change((chart) => chart.studies.setColour(id, output, colour));
    }

    /** @param {number} id @param {boolean} isVisible */
    show(id, isVisible) {
        this.#change((chart) => chart.studies.show(id, isVisible));
    }

    /** @param {number} id @param {number} pane a number beyond the panes is a new one. */
    move(id, pane) {
        this.#change((chart) => chart.studies.move(id, pane));
    }

    /** Moves a whole pane up (-1) or down (1) among those below the price. */
    movePane(/** @type {number} */ pane, /** @type {number} */ step) {
        this.#change((chart) => chart.panes.move(pane, pane + step));
    }

    /**
     * @template Result
     * @param {(chart: import("../engine/chart.js").EngineChart) => Result} change
     * @returns {Result | undefined}
     */
    #change(change) {
        const result = this.#panel.change(change);
        this.#save();
        this.dispatchEvent(new Event("change"));
        return result;
    }

    #save() {
        const chart = this.#panel.engineChart;
        if (chart) {
            const shares = Array.from({ length: chart.panes.count }, (_, pane) => chart.panes.place(pane)?.share ?? 1);
            const studies = this.list.map(({ kind, ...rest }) => ({ ...rest, study: kind.identifier }));
            remember(KEY, { version: 1, studies, shares });
        }
    }

    /** Puts everything where it was. A pane that no study is in was the volume's. */
    #restore() {
        this.#colours.clear();
        const stored = /** @type {?{version?: unknown, studies?: unknown, shares?: unknown}} */ (recall(KEY));
        /** @type {(?StoredStudy)[]} */
        const studies = stored?.version === 1 && Array.isArray(stored.studies) ? stored.studies : [];
        /** @type {number[]} */
        const shares = stored && Array.isArray(stored.shares) ? stored.shares.slice(0, 16) : [];
        this.#panel.change((chart) => {
            const add = (/** @type {number} */ pane) =>
                studies.forEach((each) => each?.pane === pane && this.#restoreOne(chart, each));
            add(0);
            for (let pane = 1; pane < shares.length; pane += 1) {
                if (studies.some((each) => each?.pane === pane)) {
                    add(pane);
                } else {
                    chart.setVolume(this.#settings.get("volume"));
                }
            }
            chart.setVolume(this.#settings.get("volume"));
            if (shares.length === chart.panes.count) {
                shares.forEach((share, pane) => Number.isFinite(share) && chart.panes.setShare(pane, share));
            }
        });
        this.dispatchEvent(new Event("change"));
    }

    /** @param {import("./chart-panel.js").EngineChart} chart @param {StoredStudy} stored */
    #restoreOne(chart, { study, pane, source, parameters, colours, isVisible }) {
        const kind = this.kinds.find((each) => each.identifier === study);
        const id = kind ? chart.studies.add(kind.kind, pane) : 0;
        if (!kind || id === 0) {
            return;
        }
        const numbers = Array.isArray(parameters) ? parameters.map((each) => (Number.isFinite(each) ? each : NaN)) : [];
        chart.studies.set(id, { source: source !== undefined && Number.isInteger(source) ? source : null, parameters: numbers });
        chart.studies.show(id, isVisible !== false);
        const own = kind.outputs.map((_, output) => (Number.isInteger(colours?.[output]) ? (colours?.[output] ?? null) : null));
        own.forEach((colour, output) => colour !== null && chart.studies.setColour(id, output, colour));
        this.#colours.set(id, own);
    }
}
