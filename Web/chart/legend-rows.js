import { byId, copyOf, part } from "../dom.js";
import { nameButton, setIcon } from "../ui/icon-button.js";
import { ICONS } from "../ui/icons.js";
import { roveIn } from "../ui/roving.js";
import { studyName } from "./study-editor.js";

/** Pixels from the chart's edge to a row. */
const LEFT = 5;

/**
 * What a row is about.
 *
 * @typedef {object} Item
 * @property {number} id the engine's.
 * @property {string} name
 * @property {boolean} isVisible
 * @property {?number} colour `0xRRGGBBAA` of a compared market.
 * @property {(isVisible: boolean) => void} show
 * @property {?((colour: number) => void)} setColour null for a study, whose settings are in the panel.
 * @property {() => void} remove
 */

/**
 * Buttons beside the names in the chart's legend, which the engine draws: hide, settings and remove for each indicator and
 * each compared market. They come into sight with the pointer or the focus on their row; together they are one stop of
 * the Tab key.
 */
export class LegendRows {
    #box = byId("legend-rows");
    #parts;
    #rove;
    /** @type {HTMLElement[]} In the order of the legend. */
    #rows = [];
    /** The ids of the rows; empty where what they say may have changed. */
    #shown = "";
    /** Of the places as they were read last. */
    #stamp = -1;

    /**
     * @param {object} parts
     * @param {import("./chart-panel.js").ChartPanel} parts.chart
     * @param {import("./chart-studies.js").ChartStudies} parts.studies
     * @param {import("./comparisons.js").Comparisons} parts.comparisons
     * @param {(id: number) => void} parts.edit opens the settings of a study.
     * @param {(sentence: string) => void} parts.say
     */
    constructor(parts) {
        this.#parts = parts;
        this.#rove = roveIn(this.#box);
        parts.chart.addEventListener("drawn", () => this.#show());
        // The picture that shows it comes in the next frame.
        [parts.studies, parts.comparisons].forEach((each) => each.addEventListener("change", () => (this.#shown = "")));
    }

    #show() {
        const chart = this.#parts.chart.engineChart;
        const stamp = chart?.drawn.legendStamp ?? 0;
        if (stamp === this.#stamp && this.#shown !== "") {
            return;
        }
        this.#stamp = stamp;
        const places = [];
        for (let place = chart?.legendRow(0); chart && place; place = chart.legendRow(places.length)) {
            places.push(place);
        }
        const key = `of ${places.map(({ id }) => id)}`;
        if (key !== this.#shown) {
            this.#shown = key;
            const items = this.#items();
            this.#build(places.flatMap(({ id }) => items.find((each) => each.id === id) ?? []));
        }
        places.forEach(({ id, right, middle }) => {
            const row = this.#rows.find((each) => each.dataset.row === String(id));
            if (row && row.dataset.place !== `${right} ${middle}`) {
                row.dataset.place = `${right} ${middle}`;
                row.style.translate = `${LEFT}px calc(${middle}px - 50%)`;
                row.style.paddingLeft = `${Math.ceil(right - LEFT) + 4}px`;
            }
        });
    }

    /** @returns {Item[]} */
    #items() {
        const { studies, comparisons } = this.#parts;
        const ofStudies = studies.list.map((study) => ({
            id: study.id,
            name: studyName(study),
            isVisible: study.isVisible,
            colour: null,
            show: (/** @type {boolean} */ isVisible) => studies.show(study.id, isVisible),
            setColour: null,
            remove: () => studies.remove(study.id),
        }));
        const ofMarkets = comparisons.list.map(({ symbol, id, isVisible }) => ({
            id,
            name: symbol,
            isVisible,
            colour: comparisons.colour(symbol),
            show: (/** @type {boolean} */ isVisible) => comparisons.show(symbol, isVisible),
            setColour: (/** @type {number} */ colour) => comparisons.setColour(symbol, colour),
            remove: () => comparisons.remove(symbol),
        }));
        return [...ofStudies, ...ofMarkets];
    }

    /** @param {Item[]} list */
    #build(list) {
        const focused = /** @type {?HTMLElement} */ (document.activeElement);
        const at = this.#rows.findIndex((row) => row.contains(focused));
        const before = this.#rows;
        this.#rows = list.map((item) => {
            const row = before.find((each) => each.dataset.row === String(item.id)) ?? this.#row(item);
            this.#update(row, item);
            return row;
        });
        // What is there stays, with its focus and the open picker of its colour.
        before.forEach((row) => this.#rows.includes(row) || row.remove());
        this.#rows.forEach((row, place) => this.#box.children[place] === row || this.#box.insertBefore(row, this.#box.children[place]));
        if (at >= 0 && !this.#box.contains(document.activeElement)) {
            const next = this.#rows[Math.min(at, this.#rows.length - 1)];
            /** @type {HTMLElement} */ (next?.querySelector(`[data-act=${focused?.dataset.act}]`) ?? this.#parts.chart.canvas).focus();
        }
        this.#rove();
    }

    /** @param {Item} item */
    #row({ id, setColour }) {
        const row = copyOf("legend-row");
        row.dataset.row = String(id);
        const now = () => this.#items().find((each) => each.id === id);
        const listen = (/** @type {string} */ act, /** @type {() => void} */ go) =>
            part(row, `[data-act=${act}]`).addEventListener("click", go);
        const colour = part(row, "input", HTMLInputElement);
        listen("show", () => now()?.show(!now()?.isVisible));
        listen("settings", () => (setColour ? colour.showPicker() : this.#parts.edit(id)));
        listen("remove", () => {
            const name = now()?.name;
            now()?.remove();
            this.#parts.say(`${name} removed from the chart.`);
        });
        colour.addEventListener("input", () => setColour?.(parseInt(`${colour.value.slice(1)}ff`, 16)));
        return row;
    }

    /** @param {HTMLElement} row @param {Item} item */
    #update(row, { name, isVisible, colour }) {
        row.setAttribute("aria-label", name);
        const [show, settings, remove] = row.querySelectorAll("button");
        setIcon(show, isVisible ? ICONS.shown : ICONS.hidden);
        show.setAttribute("aria-pressed", String(isVisible));
        nameButton(show, `Show ${name}`);
        nameButton(settings, colour === null ? `Settings of ${name}` : `Colour of ${name}`);
        nameButton(remove, `Remove ${name}`);
        if (colour !== null) {
            part(row, "input", HTMLInputElement).value = `#${(colour >>> 8).toString(16).padStart(6, "0")}`;
        }
    }
}
