import { THEMES } from "./boundary.js";

/** The colours of a theme in the engine's order; its palette comes after them. */
const NAMES = [
    ...["background", "grid", "axisLine", "axisText", "strongText", "up", "down", "upVolume", "downVolume", "upText"],
    ...["downText", "upLabel", "downLabel", "crosshairLine", "crosshairLabel", "labelText", "line", "areaFill"],
];
/** The most colours of a palette. */
const LIMIT = 32;

/**
 * A theme as a document, as `candlewire chart` reads it too: `{"base": "light", "up": "#14A05B", "palette": []}`. What it
 * leaves out is as in its base.
 *
 * @typedef {{base?: string, palette?: string[], [name: string]: string | string[] | undefined}} ThemeDocument
 */

/** The name of a theme that the engine has, or a document.
 * @typedef {string | ThemeDocument} ChartTheme */

/**
 * @param {import("./chart.js").EngineChart} chart
 * @param {ChartTheme} theme
 */
export function applyTheme(chart, theme) {
    if (typeof theme === "string") {
        chart.setTheme(theme);
        return;
    }
    chart.setTheme(theme.base ?? "dark");
    const preset = chart.themeColours();
    const fixed = NAMES.map((name, at) => (theme[name] ? parseColour(String(theme[name])) : preset[at]));
    const palette = theme.palette?.map(parseColour) ?? preset.slice(NAMES.length);
    chart.setThemeColours(Uint32Array.from([...fixed, ...palette]));
}

/**
 * The chart's present theme as a document.
 *
 * @param {import("./chart.js").EngineChart} chart
 * @returns {ThemeDocument}
 */
export function themeDocument(chart) {
    const colours = [...chart.themeColours()].map(formatColour);
    const named = Object.fromEntries(NAMES.map((name, at) => [name, colours[at]]));
    return { base: "dark", ...named, palette: colours.slice(NAMES.length) };
}

/**
 * Reads a document that a person chose.
 *
 * @param {string} text
 * @returns {ThemeDocument}
 * @throws {Error} with a sentence about the first thing that is not as it should be.
 */
export function parseTheme(text) {
    let document;
    try {
        document = JSON.parse(text);
    } catch {
        throw new Error("This file is not JSON.");
    }
    if (typeof document !== "object" || document === null || Array.isArray(document)) {
        throw new Error("A theme must be a JSON object with a colour for each name.");
    }
    const { base = "dark", palette, ...colours } = document;
    if (!THEMES.includes(base)) {
        throw new Error(`base is “${String(base).slice(0, 20)}”; it must be one of ${THEMES.join(", ")}.`);
    }
    for (const [name, colour] of Object.entries(colours)) {
        if (!NAMES.includes(name)) {
            throw new Error(`A theme has no colour “${name.slice(0, 30)}”; it has ${NAMES.join(", ")} and palette.`);
        }
        checkColour(name, colour);
    }
    if (palette !== undefined && !Array.isArray(palette)) {
        throw new Error("palette must be a list of colours.");
    }
    palette?.forEach((/** @type {unknown} */ colour) => checkColour("palette", colour));
    return { base, ...colours, ...(palette ? { palette: palette.slice(0, LIMIT) } : {}) };
}

/**
 * Whether a theme's ground is a light one, so that the page around it can be light, too.
 *
 * @param {ThemeDocument} theme
 */
export function isLight(theme) {
    const colour = theme.background ? parseColour(String(theme.background)) : theme.base === "light" ? 0xffffffff : 0xff;
    const [red, green, blue] = [colour >>> 24, (colour >>> 16) & 255, (colour >>> 8) & 255];
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 128;
}

/** @param {string} name @param {unknown} colour */
function checkColour(name, colour) {
    if (typeof colour !== "string" || !/^#?([0-9a-f]{6}|[0-9a-f]{8})$/i.test(colour)) {
        throw new Error(`${name} is “${String(colour).slice(0, 20)}”; a colour must be #RRGGBB or #RRGGBBAA.`);
    }
}

/** @param {string} text `#RRGGBB` or `#RRGGBBAA`. @returns {number} `0xRRGGBBAA`. */
function parseColour(text) {
    const digits = text.replace("#", "");
    return parseInt(digits.length === 6 ? `${digits}ff` : digits, 16) >>> 0;
}

/** @param {number} colour `0xRRGGBBAA`. @returns {string} `#RRGGBB`, and `#RRGGBBAA` where it is not opaque. */
function formatColour(colour) {
    const digits = (colour >>> 0).toString(16).padStart(8, "0").toUpperCase();
    return `#${digits.endsWith("FF") ? digits.slice(0, 6) : digits}`;
}
