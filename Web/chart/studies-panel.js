import { byId, copyOf, element, part, setText } from "../dom.js";
import { setIcon } from "../ui/icon-button.js";
import { ICONS } from "../ui/icons.js";
import { linkFilterToList } from "../ui/roving.js";
import { Popover } from "../ui/popover.js";
import { StudyEditor, studyName } from "./study-editor.js";

/** What a chart offers by one touch: a kind's identifier, its parameters, what it is called. */
const PRESETS = /** @type {[string, number[], string][]} */ ([
    ["ema", [20], "EMA 20"],
    ["ema", [50], "EMA 50"],
    ["sma", [20], "SMA 20"],
    ["sma", [50], "SMA 50"],
    ["bollinger", [20, 2], "Bollinger 20"],
    ["rsi", [14], "RSI 14"],
    ["macd", [12, 26, 9], "MACD"],
    ["stochastic", [14, 3, 3], "Stochastic"],
]);

/** The panel of studies: those on the chart, with their settings, and all there are. */
export class StudiesPanel {
    #studies;
    #popover;
    #filter = byId("study-filter", HTMLInputElement);
    #presets = byId("study-presets");
    #active = byId("active-studies");
    #catalogue = byId("study-catalogue");
    #note = byId("study-note");
    /** Whose settings are open: its id; 0 for none. */
    #edited = 0;
    /** What the list shows, so that a change of a colour does not remove its input. */
    #shown = "";

    /** @param {import("./chart-studies.js").ChartStudies} studies */
    constructor(studies) {
        this.#studies = studies;
        this.#popover = new Popover(byId("studies-button"), byId("studies"), () => this.#enter());
        this.#presets.replaceChildren(...PRESETS.map(([, , name], at) => this.#preset(name, at)));
        this.#filter.addEventListener("input", () => this.#showCatalogue());
        linkFilterToList(this.#filter, this.#catalogue);
        this.#catalogue.addEventListener("click", (event) => {
            const item = /** @type {HTMLElement} */ (event.target).closest("button");
            const kind = studies.kinds.find((each) => each.identifier === item?.dataset.study);
            if (kind) {
                this.#add(kind);
            }
        });
        studies.addEventListener("change", () => this.#show());
        this.#show();
    }

    /** Opens the panel with the settings of a study.
     * @param {number} id */
    edit(id) {
        this.#edited = id;
        if (!this.#popover.isOpen) {
            this.#popover.toggle();
        }
        this.#show();
        /** @type {?HTMLElement} */ (this.#active.querySelector(".study-editor :is(input, select)"))?.focus();
    }

    #enter() {
        this.#filter.value = "";
        this.#say("");
        this.#showCatalogue();
        this.#show();
        // On a phone a field with the focus brings the keyboard over everything.
        return matchMedia("(pointer: coarse)").matches ? byId("studies") : this.#filter;
    }

    /** @param {string} name @param {number} at */
    #preset(name, at) {
        const made = element("button", { type: "button", class: "chip", "aria-pressed": "false" }, name);
        made.addEventListener("click", () => {
            const [identifier, parameters] = PRESETS[at];
            const active = this.#studies.find(identifier, parameters);
            const kind = this.#studies.kinds.find((each) => each.identifier === identifier);
            if (active) {
                this.#studies.remove(active.id);
                this.#say(`${name} removed.`);
            } else if (kind) {
                this.#add(kind, parameters);
            }
        });
        return made;
    }

    /** @param {import("./chart-studies.js").ActiveStudy["kind"]} kind @param {number[]} [parameters] */
    #add(kind, parameters = []) {
        const id = this.#studies.add(kind, parameters);
        this.#say(id === 0 ? "The chart has no room for another indicator." : `${kind.name} added to the chart.`);
    }

    /** @param {string} text */
    #say(text) {
        setText(this.#note, text);
    }

    // The list of those on the chart.

    #show() {
        const list = this.#studies.list;
        const count = byId("study-count");
        setText(count, list.length > 0 ? String(list.length) : "");
        count.hidden = list.length === 0;
        [...this.#presets.children].forEach((chip, at) => {
            const [identifier, parameters] = PRESETS[at];
            chip.setAttribute("aria-pressed", String(this.#studies.find(identifier, parameters) !== null));
        });
        const panes = this.#studies.paneCount;
        const key = JSON.stringify([list.map(({ id, pane, isVisible }) => [id, pane, isVisible]), panes, this.#edited]);
        if (key !== this.#shown) {
            this.#shown = key;
            this.#build(list);
        }
        for (const study of list) {
            this.#showOne(study);
        }
    }

    /** @param {import("./chart-studies.js").ActiveStudy[]} list */
    #build(list) {
        const focused = /** @type {HTMLElement} */ (document.activeElement)?.dataset.focus;
        const hadFocus = this.#active.contains(document.activeElement);
        byId("active-title").hidden = list.length === 0;
        this.#active.replaceChildren(...list.map((study) => this.#item(study)));
        if (hadFocus) {
            const same = this.#active.querySelector(`[data-focus="${focused}"]`);
            /** @type {HTMLElement} */ (same ?? this.#active.querySelector("button") ?? this.#filter).focus();
        }
    }

    /** @param {import("./chart-studies.js").ActiveStudy} study */
    #item(study) {
        const { id, isVisible } = study;
        const item = copyOf("active-study");
        item.dataset.study = String(id);
        item.classList.toggle("is-hidden", !isVisible);
        part(item, ".study-swatches").append(...study.kind.outputs.map(() => element("i", { class: "study-swatch" })));
        const [show, edit, remove] = item.querySelectorAll("button");
        Object.entries({ show, edit, remove }).forEach(([act, button]) => (button.dataset.focus = `${act}-${id}`));
        setIcon(show, isVisible ? ICONS.shown : ICONS.hidden);
        show.setAttribute("aria-pressed", String(isVisible));
        show.addEventListener("click", () => this.#studies.show(id, !isVisible));
        edit.setAttribute("aria-expanded", String(this.#edited === id));
        edit.addEventListener("click", () => {
            this.#edited = this.#edited === id ? 0 : id;
            this.#show();
            this.#popover.place();
        });
        remove.addEventListener("click", () => {
            this.#say(`${studyName(study)} removed.`);
            this.#studies.remove(id);
        });
        if (this.#edited === id) {
            item.append(new StudyEditor(this.#studies, study).element);
        }
        return item;
    }

    /** What changes without another list: the name and the colours.
     * @param {import("./chart-studies.js").ActiveStudy} study */
    #showOne(study) {
        const item = part(this.#active, `[data-study="${study.id}"]`);
        const name = studyName(study);
        setText(part(item, ".study-name"), name);
        item.querySelectorAll(".study-swatch").forEach((swatch, output) => {
            const colour = this.#studies.colour(study.id, output).toString(16).padStart(8, "0");
            /** @type {HTMLElement} */ (swatch).style.background = `#${colour}`;
        });
        const [show, edit, remove] = item.querySelectorAll(".mini-button");
        show.setAttribute("aria-label", `Show ${name}`);
        edit.setAttribute("aria-label", `Settings of ${name}`);
        remove.setAttribute("aria-label", `Remove ${name}`);
    }

    // The list of all there are.

    #showCatalogue() {
        const wanted = this.#filter.value.trim().toLowerCase();
        const kinds = this.#studies.kinds.filter(({ name, title, identifier }) =>
            [name, title, identifier].some((text) => text.toLowerCase().includes(wanted)),
        );
        const rows = kinds.map(({ name, title, identifier }, at) => {
            const row = copyOf("catalogue-row");
            part(row, "button").tabIndex = at === 0 ? 0 : -1;
            part(row, "button").dataset.study = identifier;
            part(row, "b").append(name);
            part(row, "span").append(name === title ? "" : title);
            return row;
        });
        this.#catalogue.replaceChildren(...rows);
        byId("study-none").hidden = kinds.length > 0;
    }
}
