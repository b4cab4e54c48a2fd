import { copyOf, element, part } from "../dom.js";
import { switchOff } from "../ui/icon-button.js";

/** What a study is computed from, by the engine's number. */
const SOURCES = ["Close", "(High + low) / 2", "(High + low + close) / 3", "(Open + high + low + close) / 4"];

/**
 * A study with its parameters, as the legend has it: "Bollinger 20 2".
 *
 * @param {import("./chart-studies.js").ActiveStudy} study
 */
export function studyName({ kind, parameters }) {
    return [kind.name, ...parameters].join(" ");
}

/** The settings of a study: what it is computed from, its colours, and the pane it is in. What is changed shows at once. */
export class StudyEditor {
    element = copyOf("study-editor");
    #studies;
    #study;

    /**
     * @param {import("./chart-studies.js").ChartStudies} studies
     * @param {import("./chart-studies.js").ActiveStudy} study
     */
    constructor(studies, study) {
        this.#studies = studies;
        this.#study = study;
        this.element.setAttribute("aria-label", `Settings of ${studyName(study)}`);
        this.element.prepend(
            ...study.kind.parameters.map((parameter, at) => this.#parameter(parameter, at)),
            ...(study.source === null ? [] : [this.#source(study.source)]),
            ...study.kind.outputs.map((output, at) => this.#colour(output.name || study.kind.name, at)),
            this.#pane(),
        );
        this.#listenToButtons();
    }

    /** @param {string} label @param {HTMLElement} input */
    #field(label, input) {
        const field = copyOf("study-field");
        part(field, "span").append(label);
        field.append(input);
        return field;
    }

    /** @param {import("./chart-studies.js").ActiveStudy["kind"]["parameters"][number]} parameter @param {number} at */
    #parameter({ name, low, high, isWhole }, at) {
        const step = isWhole ? "1" : "any";
        const limits = { type: "number", min: String(low), max: String(high), step, required: "" };
        const input = element("input", { ...limits, value: String(this.#study.parameters[at]) });
        input.addEventListener("input", () => {
            if (input.checkValidity()) {
                this.#studies.set(this.#study.id, { parameters: this.#parameters(at, input.valueAsNumber) });
            }
        });
        // What the field can not hold gives way to what the study has.
        input.addEventListener("change", () => {
            const now = this.#studies.list.find(({ id }) => id === this.#study.id);
            input.value = String(now?.parameters[at] ?? input.value);
        });
        return this.#field(name.slice(0, 1).toUpperCase() + name.slice(1), input);
    }

    /** @param {number} at @param {number} value @returns {number[]} the others stay as they are. */
    #parameters(at, value) {
        return this.#study.parameters.map((_, index) => (index === at ? value : NaN));
    }

    /** @param {number} source */
    #source(source) {
        const options = SOURCES.map((name, value) => element("option", { value: String(value) }, name));
        const select = element("select", {}, ...options);
        select.value = String(source);
        select.addEventListener("change", () => this.#studies.set(this.#study.id, { source: Number(select.value) }));
        return this.#field("Source", select);
    }

    /** @param {string} name @param {number} output */
    #colour(name, output) {
        const { id } = this.#study;
        const colour = () => this.#studies.colour(id, output);
        const input = element("input", { type: "color", value: `#${(colour() >>> 8).toString(16).padStart(6, "0")}` });
        input.addEventListener("input", () => {
            const opaque = parseInt(input.value.slice(1), 16);
            this.#studies.setColour(id, output, (opaque * 256 + (colour() & 255)) >>> 0);
        });
        return this.#field(`${name}: colour`, input);
    }

    #pane() {
        const { id, kind, pane } = this.#study;
        const count = this.#studies.paneCount;
        const first = kind.isPrice ? 0 : 1;
        const names = Array.from({ length: count + 1 }, (_, at) => (at === 0 ? "Price" : `Pane ${at + 1}`));
        names[count] = "New pane";
        const options = names.map((name, value) => element("option", { value: String(value) }, name)).slice(first);
        const select = element("select", { "data-focus": `pane-${id}` }, ...options);
        select.value = String(pane);
        select.addEventListener("change", () => this.#studies.move(id, Number(select.value)));
        return this.#field("Shown in", select);
    }

    #listenToButtons() {
        const { id, pane, colours } = this.#study;
        const listen = (/** @type {string} */ name, /** @type {() => void} */ act, isUseless = false) => {
            const button = part(this.element, `[data-act=${name}]`);
            button.dataset.focus = `${name}-${id}`;
            switchOff(button, isUseless);
            button.addEventListener("click", () => isUseless || act());
        };
        listen("up", () => this.#studies.movePane(pane, -1), pane < 2);
        listen("down", () => this.#studies.movePane(pane, 1), pane === 0 || pane + 1 >= this.#studies.paneCount);
        listen("default", () => {
            colours.forEach((_, output) => this.#studies.setColour(id, output, null));
            this.element.querySelectorAll("input[type=color]").forEach((input, output) => {
                const colour = this.#studies.colour(id, output) >>> 8;
                /** @type {HTMLInputElement} */ (input).value = `#${colour.toString(16).padStart(6, "0")}`;
            });
        });
    }
}
