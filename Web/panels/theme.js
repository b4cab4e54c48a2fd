import { byId } from "../dom.js";

const KEY = "candlewire.theme";

/** @typedef {"dark" | "light"} ThemeName */

/**
 * Dark or light: the system's wish until the person chose here, remembered in this browser.
 *
 * `theme-early.js` applies the remembered choice before the first paint.
 *
 * Events: `change`.
 */
export class Theme extends EventTarget {
    #system = matchMedia("(prefers-color-scheme: light)");
    #button = byId("theme-toggle");

    constructor() {
        super();
        this.#system.addEventListener("change", () => this.#changed());
        this.#button.addEventListener("click", () => this.#toggle());
        this.#label();
    }

    /** @returns {ThemeName} */
    get name() {
        const chosen = document.documentElement.dataset.theme;
        if (chosen === "dark" || chosen === "light") {
            return chosen;
        }
        return this.#system.matches ? "light" : "dark";
    }

    #toggle() {
        const next = this.name === "dark" ? "light" : "dark";
        document.documentElement.dataset.theme = next;
        try {
            localStorage.setItem(KEY, next);
        } catch {
            // Storage may be forbidden; the choice then lasts as long as the page.
        }
        this.#changed();
    }

    #changed() {
        this.#label();
        this.dispatchEvent(new Event("change"));
    }

    #label() {
        this.#button.setAttribute("aria-label", `Use the ${this.name === "dark" ? "light" : "dark"} theme`);
    }
}
