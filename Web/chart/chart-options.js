import { OWN_ZONE, ownZone } from "./chart-settings.js";
import { parseTheme, themeDocument } from "../engine/custom-theme.js";
import { byId, element, setText } from "../dom.js";
import { messageOf } from "../format.js";
import { saveJSON } from "../ui/files.js";
import { Popover } from "../ui/popover.js";

/** Below it text is hard to read (WCAG 2.1, 1.4.3). */
const MIN_CONTRAST = 4.5;

/** The panel of what a chart looks like: scale, volume, time zone, theme. */
export class ChartOptions {
    #chart;
    #settings;
    #theme;
    #popover;
    #form = byId("options", HTMLFormElement);
    #automatic = byId("option-automatic", HTMLInputElement);
    #zone = byId("option-zone", HTMLSelectElement);
    #themeChoice = byId("option-theme", HTMLSelectElement);
    #note = byId("theme-note");

    /**
     * @param {object} parts
     * @param {import("./chart-panel.js").ChartPanel} parts.chart
     * @param {import("./chart-settings.js").ChartSettings} parts.settings
     * @param {import("./theme.js").Theme} parts.theme
     */
    constructor({ chart, settings, theme }) {
        this.#chart = chart;
        this.#settings = settings;
        this.#theme = theme;
        this.#popover = new Popover(byId("options-button"), this.#form, () => this.#enter());
        this.#form.addEventListener("submit", (event) => event.preventDefault());
        this.#form.addEventListener("change", (event) => this.#changed(/** @type {HTMLInputElement} */ (event.target)));
        byId("theme-save").addEventListener("click", () => this.#saveTheme());
        const file = byId("theme-file", HTMLInputElement);
        byId("theme-load").addEventListener("click", () => file.click());
        file.addEventListener("change", () => this.#loadTheme(file));
        // A drag of the axis may have fixed the scale while the panel is open.
        chart.addEventListener("drawn", () => this.#popover.isOpen && this.#showAutomatic());
        settings.addEventListener("change", () => this.#popover.isOpen && this.#show());
        theme.addEventListener("change", () => this.#popover.isOpen && this.#show());
    }

    #enter() {
        if (this.#zone.options.length === 0) {
            this.#fillZones();
        }
        this.#show();
        return /** @type {HTMLElement} */ (this.#form.querySelector("input:checked"));
    }

    #fillZones() {
        const names = this.#chart.engineChart?.zone.names ?? ["UTC"];
        const first = [
            element("option", { value: "UTC" }, "UTC"),
            element("option", { value: OWN_ZONE }, `Local (${ownZone().replaceAll("_", " ")})`),
        ];
        const others = names.filter((name) => name !== "UTC").sort();
        const options = others.map((name) => element("option", { value: name }, name.replaceAll("_", " ")));
        this.#zone.replaceChildren(...first, element("hr"), ...options);
    }

    #show() {
        const settings = this.#settings;
        // A comparison turns the scale to percent by itself.
        this.#radios("scale").value = this.#chart.engineChart?.panes.scale(0)?.kind ?? settings.get("scale");
        this.#radios("volume").value = settings.get("volume");
        this.#radios("timeScale").value = settings.get("timeScale");
        byId("option-inverted", HTMLInputElement).checked = settings.get("inverted");
        byId("option-magnet", HTMLInputElement).checked = settings.get("magnet");
        this.#zone.value = settings.get("zone");
        const own = /** @type {HTMLOptionElement} */ (this.#themeChoice.querySelector("[value=custom]"));
        own.disabled = !this.#theme.hasDocument;
        this.#themeChoice.value = this.#theme.choice;
        this.#showAutomatic();
    }

    /** @param {string} name */
    #radios(name) {
        return /** @type {RadioNodeList} */ (this.#form.elements.namedItem(name));
    }

    #showAutomatic() {
        this.#automatic.checked = !(this.#chart.engineChart?.panes.scale(0)?.isFixed ?? false);
    }

    /** @param {HTMLInputElement} input */
    #changed(input) {
        const settings = this.#settings;
        switch (input.name) {
            case "scale":
            case "volume":
            case "timeScale":
            case "zone":
                return settings.set(input.name, input.value);
            case "inverted":
            case "magnet":
                return settings.set(input.name, input.checked);
            case "automatic":
                return this.#chart.change((chart) => setAutomatic(chart, input.checked));
            case "theme":
                this.#say("");
                return this.#theme.choose(/** @type {import("./theme.js").ThemeChoice} */ (input.value));
        }
    }

    #saveTheme() {
        const chart = this.#chart.engineChart;
        if (chart) {
            saveJSON(JSON.stringify(themeDocument(chart), null, 2), `candlewire-theme-${this.#theme.choice}.json`);
        }
    }

    /** @param {HTMLInputElement} file */
    async #loadTheme(file) {
        const [chosen] = file.files ?? [];
        if (!chosen) {
            return;
        }
        try {
            this.#theme.use(parseTheme(await chosen.text()));
            const contrast = this.#chart.engineChart?.textContrast ?? 21;
            const isLow = contrast < MIN_CONTRAST;
            this.#say(isLow ? `Some text has a contrast of ${contrast.toFixed(1)}:1. Below 4.5:1 it is hard to read.` : "");
        } catch (error) {
            this.#say(`${messageOf(error)} The theme is unchanged.`);
        }
        file.value = "";
    }

    /** @param {string} text */
    #say(text) {
        setText(this.#note, text);
        this.#note.hidden = text === "";
        this.#popover.place();
    }
}

/** @param {import("../engine/chart.js").EngineChart} chart @param {boolean} isAutomatic */
function setAutomatic(chart, isAutomatic) {
    const scale = chart.panes.scale(0);
    if (isAutomatic) {
        chart.panes.resetScale(0);
    } else if (scale) {
        chart.panes.setScale(0, scale);
    }
}
