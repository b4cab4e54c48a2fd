import { SERIES_KINDS } from "../engine/boundary.js";
import { byId, setText, svg } from "../dom.js";
import { Menu } from "../ui/menu.js";

/** @type {Record<string, string>} What people call the kinds. */
const KIND_NAMES = {
    candles: "Candles",
    hollow: "Hollow candles",
    bars: "Bars",
    line: "Line",
    area: "Area",
    baseline: "Baseline",
    "heikin-ashi": "Heikin-Ashi",
    histogram: "Histogram",
};

/** @type {Record<string, [string, string?]>} Strokes of a picture of each kind; what is filled comes second. */
const ICONS = {
    candles: ["M8 4v16M16 3v15", "M5.5 8h5v8h-5zM13.5 6h5v8h-5z"],
    hollow: ["M8 4v4m0 8v4M16 3v3m0 8v4M5.5 8h5v8h-5zM13.5 6h5v8h-5z"],
    bars: ["M8 5v15M8 9H4.5M8 16h3.5M16 4v14M16 14h-3.5M16 8h3.5"],
    line: ["m3 17 5-6 4 3 8-9"],
    area: ["m3 14 5-5 4 3 8-7", "M3 14l5-5 4 3 8-7v15H3z"],
    baseline: ["m3 9 4-4 5 13 4-6 4 3", "M3 11.5h18v1H3z"],
    "heikin-ashi": ["M6 8v12M12 5v12M18 3v11", "M4 12h4v6H4zM10 9h4v6h-4zM16 5h4v6h-4z"],
    histogram: ["M5 20v-6m4.7 6V9m4.6 11v-8m4.7 8V5"],
};

/** The menu of what the price looks like. */
export class KindMenu {
    #settings;

    /** @param {import("./chart-settings.js").ChartSettings} settings */
    constructor(settings) {
        this.#settings = settings;
        const item = (/** @type {string} */ kind) => ({
            name: KIND_NAMES[kind],
            icon: icon(kind),
            isChecked: kind === settings.get("kind"),
            act: () => settings.set("kind", kind),
        });
        new Menu(byId("kind-button", HTMLButtonElement), "Chart type", () => SERIES_KINDS.map(item), { id: "kind-menu" });
        settings.addEventListener("change", () => this.#show());
        this.#show();
    }

    #show() {
        const kind = this.#settings.get("kind");
        byId("kind-icon").replaceChildren(...icon(kind).childNodes);
        setText(byId("kind-name"), KIND_NAMES[kind]);
        byId("kind-button").setAttribute("aria-label", `Chart type: ${KIND_NAMES[kind]}`);
    }
}

/** @param {string} kind */
function icon(kind) {
    const [strokes, filled] = ICONS[kind];
    const parts = [svg("path", { d: strokes })];
    if (filled) {
        const isSoft = kind === "area";
        parts.push(svg("path", { d: filled, fill: "currentColor", stroke: "none", opacity: isSoft ? "0.35" : "1" }));
    }
    return svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, ...parts);
}
