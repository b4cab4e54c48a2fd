import { isLight, parseTheme } from "../engine/custom-theme.js";
import { byId } from "../dom.js";
import { recallText, rememberText } from "../storage.js";

const KEY = "candlewire.theme";
/** The document of a theme of one's own. */
const DOCUMENT_KEY = "candlewire.theme.document";
/** Whether the page around that theme is dark or light: known before its document is read. */
const GROUND_KEY = "candlewire.theme.ground";
/** Themes that are more than a dark or a light page. */
const PALETTES = ["deuteranopia", "high-contrast", "custom"];

/** @typedef {"dark" | "light"} ThemeName */
/** @typedef {"system" | "dark" | "light" | "deuteranopia" | "high-contrast" | "custom"} ThemeChoice */

/**
 * Dark or light (the system's setting until the user chose here), colours for the colour-blind, high contrast, or a theme
 * of one's own: remembered in this browser.
 *
 * `theme-early.js` applies the remembered choice before the first paint.
 *
 * Events: `change`.
 */
export class Theme extends EventTarget {
    #system = matchMedia("(prefers-color-scheme: light)");
    #button = byId("theme-toggle");
    /** @type {?import("../engine/custom-theme.js").ThemeDocument} */
    #document = null;

    constructor() {
        super();
        try {
            this.#document = parseTheme(recallText(DOCUMENT_KEY) ?? "");
        } catch {
            // There is none, or one of another version of this page.
        }
        this.#system.addEventListener("change", () => this.#changed());
        this.#button.addEventListener("click", () => this.choose(this.name === "dark" ? "light" : "dark"));
        this.#label();
    }

    /** Of the page around the chart.
     * @returns {ThemeName} */
    get name() {
        const chosen = document.documentElement.dataset.theme;
        if (chosen === "dark" || chosen === "light") {
            return chosen;
        }
        return this.#system.matches ? "light" : "dark";
    }

    /** @returns {ThemeChoice} */
    get choice() {
        const { theme, palette } = document.documentElement.dataset;
        return /** @type {ThemeChoice} */ (palette ?? theme ?? "system");
    }

    /** Of the chart.
     * @returns {import("../engine/custom-theme.js").ChartTheme} */
    get chart() {
        const { choice } = this;
        if (choice === "custom") {
            return this.#document ?? this.name;
        }
        return choice === "system" ? this.name : choice;
    }

    /** Whether there is a theme of one's own. */
    get hasDocument() {
        return this.#document !== null;
    }

    /** @param {ThemeChoice} choice `custom` only where there is a document. */
    choose(choice) {
        const { dataset } = document.documentElement;
        const isPalette = PALETTES.includes(choice);
        const isLightGround = choice === "light" || (choice === "custom" && this.#document && isLight(this.#document));
        if (choice === "system") {
            delete dataset.theme;
        } else {
            dataset.theme = isLightGround ? "light" : "dark";
        }
        if (isPalette) {
            dataset.palette = choice;
        } else {
            delete dataset.palette;
        }
        rememberText(KEY, choice === "system" ? null : choice);
        rememberText(GROUND_KEY, choice === "custom" ? this.name : null);
        this.#changed();
    }

    /** A theme of one's own, from now on.
     * @param {import("../engine/custom-theme.js").ThemeDocument} theme */
    use(theme) {
        this.#document = theme;
        rememberText(DOCUMENT_KEY, JSON.stringify(theme));
        this.choose("custom");
    }

    #changed() {
        this.#label();
        this.dispatchEvent(new Event("change"));
    }

    #label() {
        this.#button.setAttribute("aria-label", `Use the ${this.name === "dark" ? "light" : "dark"} theme`);
    }
}
